"""How fast the explorer's views come, on a workspace of large things. Prints one JSON document.

    python -m benchmarks.explorer [--workspace DIR] [--pages N] [--views VIEW..] [--before CHECKOUT] [--json FILE]

The command `crawl run` crawls a calibrated synthetic web of 50,000 pages, and writes the run into the graph, which gets
5,000 proposals of it; 200 runs of 20 pages and an ontology of 30,000 classes are beside it; N changes all of these in
proportion. The command `explore` then serves the workspace, and
chromium opens each view (playwright; without chromium only the server's answers are timed).
Cold is the first view that a new server shows; warm the median of three later ones, each in a new browser context, so
that nothing is cached by the browser. The engine of the graph runs meanwhile; its start is timed apart. At last one
server shows all views, and its largest memory is read. A workspace that DIR has already is used as it is. Exits with 1
where a goal of the explorer is missed. --before is a checkout of an earlier version, whose own program measures a crawl
of as many pages, with its workspace at DIR-before. With --json FILE a table is written beside it (suffix .md).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import requests

import ontocrawl
from benchmarks import commands, explorer_stages, report
from kg import enrich, networks
from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.config import FILE
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph import graph_store
from ontocrawl.runs import runs
from ontocrawl.topics import topics
from ontology import owl
from ontology.enrichment.proposal import PageSentence, Proposal
from ontology.model import Concept, Ontology, Relation
from tools.explorer_pictures import CHROMIUM

RUN, TOPIC, LARGE = "wide", "rainstorm", "large"
PAGES, CLASSES, PROPOSALS, RUNS = 50_000, 30_000, 5_000, 200
"""Pages of the crawl, and what is beside it: classes of the large ontology, proposals, runs."""
BELOW = 6
"""Classes below each class of the large ontology."""
LINKS = 1_000_000
WARM = 3
GOALS = {"painted": 1.0, "complete": 2.0, "explained": 0.3, "memory": 500}
"""Seconds until a view is painted, all of it is there, and a page of a crawl is explained; megabytes of the server."""
TIMES = """() => {
  const asked = performance.getEntriesByType("navigation")[0];
  const painted = performance.getEntriesByName("first-contentful-paint")[0];
  const ends = performance.getEntriesByType("resource").map((one) => one.responseEnd);
  const drawn = Number(document.getElementById("stage")?.dataset.drawn ?? 0);
  return { first_byte: asked.responseStart, dom_ready: asked.domContentLoadedEventEnd, painted: painted?.startTime ?? 0,
    complete: Math.max(asked.loadEventEnd, drawn, ...ends) };
}"""
Times = dict[str, float]
"""Seconds until the first byte came, the document was parsed and its scripts run, something was painted, and all that
the page asks for was there, a map drawn."""
Load = Callable[[str], Times]


class View(NamedTuple):
    """A view: its name, its address, and what its page asks for."""

    name: str
    path: str
    reads: tuple[str, ...] = ()


def views(space: Workspace) -> list[View]:
    """Return the views of the workspace; one page of its crawl is explained."""
    crawl, seed = f"/api/crawls/{RUN}", runs.config_of(space, RUN).seeds[0]
    return [
        View("overview", "/"),
        View("ontologies", "/ontologies"),
        View("an ontology", f"/ontologies/{TOPIC}", (f"/api/ontologies/{TOPIC}/tree",)),
        View("the large ontology", f"/ontologies/{LARGE}", (f"/api/ontologies/{LARGE}/tree",)),
        View("its classes as a table", f"/tables/classes?topic={LARGE}&level=0&sort=-below"),
        View("its coverage", f"/ontologies/{LARGE}/coverage", (f"/api/ontologies/{LARGE}/coverage",)),
        View("its lattice", f"/lattice/{LARGE}", (f"/lattice/{LARGE}/drawing",)),
        View("lattice", f"/lattice/{TOPIC}", (f"/lattice/{TOPIC}/drawing",)),
        View("list of crawls", "/crawls"),
        View("a crawl", f"/crawls/{RUN}", (f"/crawls/{RUN}/chart", f"{crawl}/pages", crawl)),
        View("a page of it", f"/crawls/{RUN}/page?url={quote(seed, safe='')}"),
        View("map, 300 pages", f"/web/{RUN}", (f"/api/web/{RUN}",)),
        View("map, 2,000 pages", f"/web/{RUN}?limit=2000", (f"/api/web/{RUN}?limit=2000",)),
        View("map of hosts", f"/web/{RUN}?view=hosts", (f"/api/web/{RUN}/hosts",)),
        View("map of communities", f"/web/{RUN}?view=communities", (f"/api/web/{RUN}/communities",)),
        View("pages of it as a table", f"/tables/pages?run={RUN}&sort=-relevance"),
        View("review of proposals", f"/review?topic={TOPIC}", (f"/api/proposals?topic={TOPIC}",)),
        View("proposals as a table", f"/tables/proposals?topic={TOPIC}"),
        View("ask", "/ask"),
        View("rows of a query", f"/ask?query=pages/most_relevant&crawl={RUN}&limit=1000"),
    ]


# ---- the workspace ----------------------------------------------------------------------------------------------


def prepared(folder: Path, pages: int) -> Workspace:
    """Return the workspace of a folder, made where there is none: a crawl of so many pages, and other large things."""
    if not (folder / FILE).exists():
        space = commands.space(folder)
        web = f"synthetic:{TOPIC}?pages={pages * 6 // 5}&seed=0"
        crawl = ("crawl", "run", "--topic", TOPIC, "--world", web, "--strategy", "breadth_first", "--run", RUN)
        seconds = commands.seconds((*crawl, "--limit-pages", str(pages)), space, {})
        print(f"crawled in {seconds:.0f} s", file=sys.stderr)
        _grown(workspace.find(folder)[0], pages / PAGES)
    return workspace.find(folder)[0]


def _grown(space: Workspace, share: float) -> None:
    """Add a share of the large ontology, the proposals and the small runs."""
    many_classes, many_proposals = round(CLASSES * share), round(PROPOSALS * share)
    classes = [Concept(f"https://large.example/{i}", f"类{i}", label_en=f"class {i}") for i in range(many_classes)]
    edges = [Relation(one.iri, "subclass_of", classes[i // BELOW].iri) for i, one in enumerate(classes[1:])]
    topic_files = space.ontologies / "topics"
    topic_files.mkdir(parents=True, exist_ok=True)
    ontology = Ontology("https://large.example", "global", LARGE, "1", classes[0].iri, tuple(classes), tuple(edges))
    owl.write(ontology, topic_files / "large.ttl")
    words = 'words = [{ weight = 1.0, zh = ["暴雨"], en = ["rainstorm"] }]'
    label = 'label = { zh = "大型本体", en = "large ontology" }'
    text = f'name = "{LARGE}"\n{label}\nrelevance = "paper_000"\nsigma = 0.7\nontologies = ["large.ttl"]\n{words}\n'
    (topic_files / f"{LARGE}.toml").write_text(text, encoding="utf-8")
    topic = topics.named(TOPIC, space)
    with graph_store.store(space) as graph:
        pages = [row["url"] for row in networks.fetched_pages(graph, RUN)]
        named = topic.ontologies[0].by_iri
        parents = list(named)[:100]
        proposed = [
            _proposal(i, named[parents[i % len(parents)]], pages[i % len(pages)]) for i in range(many_proposals)
        ]
        enrich.save_proposals(graph, TOPIC, proposed, RUN, ontology=topic.ontologies[0].key)
    for number in range(round(RUNS * share)):
        ontocrawl.crawl(TOPIC, world="synthetic:planted?pages=200", pages=20, run=f"small-{number:03}",
                        workspace=space.root, graph=False)  # fmt: skip


def _proposal(number: int, parent: Concept, page: str) -> Proposal:
    term = f"候选术语{number}"
    sentence = PageSentence(f"{term}的监测与预警。", page, 0, len(term), run=RUN)
    score = 1 / (1 + number)
    return Proposal("concept", term, "subclass_of", parent.iri, parent.label, score, 2, (sentence,))


def sizes(space: Workspace) -> dict[str, int]:
    """Return the numbers of pages and links of the crawl in the graph, and of what is beside it."""
    with embedded.open_embedded(space.graph) as store:
        pages = store.read("MATCH (:Crawl {id: $run})-[r:FETCHED]->(:Page) RETURN count(r) AS n", run=RUN)
        links = store.read("MATCH (:Page)-[l:LINKS_TO]->(:Page) WHERE l.crawl = $run RETURN count(l) AS n", run=RUN)
        proposals = len(enrich.all_ids(store))
    classes = len(topics.named(LARGE, space).ontologies[0].concepts)
    beside = {"classes": classes, "proposals": proposals, "runs": len(space.run_names())}
    return {"pages": pages[0]["n"], "links": links[0]["n"], **beside}


# ---- server and browser -----------------------------------------------------------------------------------------


class Server(NamedTuple):
    """A running `ontocrawl explore`."""

    url: str
    token: str
    pid: int

    def read(self, path: str) -> None:
        """Read an address as a program does."""
        given = {"Authorization": f"Bearer {self.token}"}
        requests.get(self.url + path, headers=given, timeout=120).raise_for_status()


@contextmanager
def server(space: Workspace) -> Iterator[Server]:
    """Serve a workspace in a process of its own."""
    command = [sys.executable, "-m", "ontocrawl", "explore", str(space.root), "--port", "0", "--no-browser", "--json"]
    with subprocess.Popen(command, cwd=commands.ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout is None:
                raise RuntimeError("the explorer has no output")
            address = json.loads(process.stdout.readline())
            found = Server(address["url"].rstrip("/"), address["token"], process.pid)
            found.read("/static/app.css")  # it answers; no view was shown
            yield found
        finally:
            process.terminate()


@contextmanager
def loading(view: View) -> Iterator[Callable[[Server], Times]]:
    """Give a function that opens the view of a server, in a new context of one browser."""
    if CHROMIUM is None or find_spec("playwright") is None:
        yield lambda served: _answered(served, view)
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])  # of this server only
        try:
            yield lambda served: _opened(browser, served, view)
        finally:
            browser.close()


def _opened(browser: Any, served: Server, view: View) -> Times:
    context = browser.new_context(
        viewport={"width": 1200, "height": 800}, locale="en",
        extra_http_headers={"Authorization": f"Bearer {served.token}"},
    )  # fmt: skip
    page = context.new_page()
    page.set_default_timeout(180_000)
    page.goto(served.url + view.path)
    page.wait_for_load_state("networkidle")
    if view.path.startswith("/web/"):
        page.locator("#stage[data-drawn]").wait_for()
    times = {name: round(ms / 1000, 2) for name, ms in page.evaluate(TIMES).items()}
    context.close()
    return times


def _answered(served: Server, view: View) -> Times:
    started = time.perf_counter()
    served.read(view.path)
    first_byte = round(time.perf_counter() - started, 2)
    for path in view.reads:
        served.read(path)
    return {"first_byte": first_byte, "complete": round(time.perf_counter() - started, 2)}


def measured(space: Workspace, view: View) -> dict[str, Any]:
    """Return the times of a view, cold and warm."""
    with server(space) as served, loading(view) as load:
        cold = load(served)
        later = [load(served) for _ in range(WARM)]
    warm = {name: round(statistics.median(times[name] for times in later), 2) for name in cold}
    print(view.name, cold, warm, file=sys.stderr, flush=True)
    return {"view": view.name, "cold": cold, "warm": warm}


# ---- memory and the engine --------------------------------------------------------------------------------------


def megabytes(pid: int, name: str) -> int | None:
    """Return VmHWM, the largest memory of a process, or VmRSS; None where the system does not tell it."""
    status = Path(f"/proc/{pid}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) // 1000 for line in lines if line.startswith(f"{name}:")), None)


def memory(space: Workspace, shown: list[View]) -> dict[str, int | None]:
    """Return the megabytes of a server that has shown all views twice, and of the engine's Java."""
    with server(space) as served:
        for view in shown * 2:
            for path in (view.path, *view.reads):
                served.read(path)
        java = embedded.status(space.graph).pid
        return {"server": megabytes(served.pid, "VmHWM"), "engine": megabytes(java, "VmRSS") if java else None}


def engine_start(space: Workspace) -> float:
    """Return the seconds until a new server, whose engine has to be started, answers a map."""
    embedded.stop(space.graph)
    with server(space) as served:
        started = time.perf_counter()
        served.read(f"/api/web/{RUN}")
        return round(time.perf_counter() - started, 2)


# ---- result -----------------------------------------------------------------------------------------------------


def goals(result: report.Result) -> list[list[str]]:
    """Return the goals as rows: what, promised, measured, met or missed."""
    rows = {row["view"]: row for row in result["rows"]}
    painted = "painted" if "painted" in result["rows"][0]["cold"] else "first_byte"
    found = []
    for when, name in (("cold", painted), ("warm", painted), ("cold", "complete"), ("warm", "complete")):
        slowest = max(result["rows"], key=lambda row: row[when][name])
        goal = GOALS["complete" if name == "complete" else "painted"]
        found.append((f"every view {name}, {when}: the slowest is {slowest['view']}", goal, slowest[when][name], "s"))
    for view, what, promised, name in (
        ("map, 2,000 pages", "map of 2,000 pages drawn, warm", "painted", "complete"),
        ("a page of it", "a page of a crawl explained, warm", "explained", "first_byte"),
    ):
        if view in rows:
            found.append((what, GOALS[promised], rows[view]["warm"][name], "s"))
    found.append(("memory of the server", GOALS["memory"], result["memory"]["server"], "MB"))
    said = {True: "met", False: "**missed**"}
    return [
        [what, f"under {goal:g} {unit}", f"{value} {unit}", said[value is not None and value < goal]]
        for what, goal, value, unit in found
    ]


def table(result: report.Result) -> str:
    """The result as Markdown."""
    names = list(result["rows"][0]["cold"])
    head = ["view", *(f"{when}: {name.replace('_', ' ')}" for when in ("cold", "warm") for name in names)]
    rows = [[row["view"], *(row[when][name] for when in ("cold", "warm") for name in names)] for row in result["rows"]]
    stages = [[row["stage"], row["300"], row["2000"]] for row in result["stages"]]
    lines = [
        f"A workspace with a crawl of {result['size']['pages']:,} pages and {result['size']['links']:,} links,",
        f"{result['size']['runs'] - 1} small ones, {result['size']['proposals']:,} proposals and an ontology of",
        f"{result['size']['classes']:,} classes, {BELOW} below each,",
        "served by `ontocrawl explore`. Times are seconds from the request: to the first byte; until the document is",
        "parsed and its scripts have run; until something is painted; until all that the page asks for is there, and a",
        "map is drawn. Cold is the first view of a new server, warm the median of three later ones; the browser has",
        "nothing cached.",
        "",
        *report.grid(head, rows),
        "",
        f"The first map after the start of a server takes {result['engine_start']} s where the engine of the graph has",
        "to be started too.",
        "",
        "## Goals",
        "",
        *report.grid(("goal", "promised", "measured", ""), goals(result)),
        "",
        "Memory is the largest of the server's process after all views were shown twice; the Java of the engine,",
        f"which commands share, has {result['memory']['engine']} MB more.",
        "",
        *slow(result),
        "The first map of a server also connects to the graph; a map that was shown is kept until the graph changes.",
        "",
        *against(result),
        "## Stages of a map",
        "",
        "Seconds of the server's functions, warm, without the browser.",
        "",
        *report.grid(("stage", "300 pages", "2,000 pages"), stages),
        "",
        f"{report.machine(result)}, load {result['load'][0]} before, {result['load'][1]} after,",
        f"measured with the priority (nice) {result['nice']};",
        f"{result['browser']}, which draws without graphics hardware.",
    ]
    command = "python -m benchmarks.explorer --before CHECKOUT --json docs/benchmarks/explorer.json"
    return report.page("Views of the explorer", command, lines)


_READ = "The first view of a new server that needs this ontology reads it from its OWL file; later ones have it."
WHY = {
    "overview": "It reads the state of each topic and the measures of all crawls, kept as long as their files are.",
    "ontologies": "The first view of a new server reads all ontologies; later ones have them.",
    "an ontology": "The weight of a class comes last, by queries of the graph, to which the first view connects.",
    "the large ontology": (
        f"{_READ} What comes last is the weight of a class, which is one among those of all classes: five factors of "
        "each, by queries that read every relation. They are kept until the graph changes; the rest is there before."
    ),
    "its classes as a table": _READ,
    "its coverage": _READ,
    "its lattice": f"{_READ} Then its drawing is laid out, which is kept.",
    "list of crawls": "The first view of a new server reads the measures of all crawls; later ones have them.",
    "review of proposals": (
        "The first view reads all proposals with their sentences from the graph, and keeps them until it changes. They "
        "come at once, so that filters and keys wait for no server."
    ),
    "proposals as a table": "The first view reads all proposals from the graph; they are kept until it changes.",
    "map, 2,000 pages": (
        "The first time the links are read from the graph and laid out; the layout is kept, and the server answers in "
        "hundredths of a second: what is left is the browser, which draws without graphics hardware."
    ),
    "map of hosts": "The first time the links between all hosts are counted in the graph; the answer is kept.",
    "map of communities": "The first time communities are found among all links of the crawl; the answer is kept.",
    "a crawl": "The first view counts the journal of the crawl once; what it counted is kept.",
}
"""View -> why it may take longer than its goal."""


def slow(result: report.Result) -> list[str]:
    """Return the views that miss a goal, each with why, as Markdown."""
    named = [name for name in ("painted", "complete") if name in result["rows"][0]["cold"]]
    over = [
        (row["view"], [f"{when} {name} {row[when][name]} s" for when in ("cold", "warm") for name in named
                       if row[when][name] >= GOALS[name]])
        for row in result["rows"]
    ]  # fmt: skip
    lines = [f"* {view} ({', '.join(found)}): {WHY.get(view, 'not explained yet.')}" for view, found in over if found]
    return ["Over their goals:", "", *lines, ""] if lines else []


_SAME = {"crawls": "list of crawls", "review": "review of proposals"}
"""View of an earlier version -> its name now."""


def earlier(checkout: Path, space: Path, pages: int) -> dict[str, Any]:
    """Return what the program of an earlier version measures, and the version."""
    with tempfile.TemporaryDirectory(prefix="ontocrawl-before-") as folder:
        file = Path(folder) / "explorer.json"
        command = [sys.executable, "-m", "benchmarks.explorer", "--workspace", str(space), "--pages", str(pages)]
        environment = os.environ | {"PYTHONPATH": str(checkout)}
        subprocess.run([*command, "--json", str(file)], cwd=checkout, env=environment, stdout=sys.stderr, check=False)
        found = json.loads(file.read_text(encoding="utf-8"))  # it ends with 1 where it misses a goal of its own
    return {"commit": report.commit(checkout), **{name: found[name] for name in ("rows", "memory", "engine_start")}}


def against(result: report.Result) -> list[str]:
    """Return how the views compare with those of an earlier version, as Markdown; nothing where none was measured."""
    if not (before := result.get("before")):
        return []
    now, rows = {row["view"]: row for row in result["rows"]}, []
    for then in before["rows"]:
        name = _SAME.get(then["view"], then["view"])
        if name in now:
            pairs = [(then[when]["complete"], now[name][when]["complete"]) for when in ("cold", "warm")]
            rows.append([name, *(cell for old, new in pairs for cell in (old, new, f"{old / max(new, 0.01):.1f}"))])
    head = ["view", *(f"{when}: {what}" for when in ("cold", "warm") for what in (before["commit"], "now", "times"))]
    return [
        "## Against an earlier version",
        "",
        f"Seconds until all is there, with commit {before['commit']} and now, measured one after the other; the",
        "earlier workspace has the crawl alone, without the large ontology, the proposals and the small crawls.",
        "",
        *report.grid(head, rows),
        "",
        f"Its first map where the engine has to be started: {before['engine_start']} s;",
        f"its server: {before['memory']['server']} MB.",
        "",
    ]


def priority() -> int:
    """Return the nice value of this session, by which a busy machine shares its processors; else of this process."""
    group = Path("/proc/self/autogroup")
    nice = group.read_text().partition("nice")[2] if group.exists() else ""
    return int(nice) if nice.strip() else os.nice(0)  # the file is empty where no session groups processes


def browser_version() -> str:
    """Return the name and version of the browser."""
    if CHROMIUM is None or find_spec("playwright") is None:
        return "no browser"
    said = subprocess.run([CHROMIUM, "--version"], capture_output=True, text=True, check=True).stdout
    return said.split(" built")[0].strip()


def measure(space: Workspace, names: Sequence[str] = ()) -> dict[str, Any]:
    """All figures of a workspace; of the views with these names, or of all."""
    start, shown = engine_start(space), [view for view in views(space) if not names or view.name in names]
    with embedded.attach(space.graph):  # the engine runs until all is measured
        return {
            "size": sizes(space),
            "engine_start": start,
            "rows": [measured(space, view) for view in shown],
            "memory": memory(space, shown),
            "stages": explorer_stages.measure(space, RUN),
        }


def main() -> int:
    """Run and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--workspace", type=Path, help="folder of the workspace, kept; by default a temporary one")
    arguments.add_argument("--pages", type=int, default=PAGES)
    arguments.add_argument("--before", type=Path, metavar="CHECKOUT", help="checkout of an earlier version")
    arguments.add_argument("--views", nargs="*", default=[], metavar="VIEW", help="names of views; by default all")
    chosen, before = arguments.parse_args(), report.load()
    with tempfile.TemporaryDirectory(prefix="ontocrawl-explorer-") as folder:
        place: Path = chosen.workspace or Path(folder) / "workspace"
        space = prepared(place, chosen.pages)
        try:
            known = [view.name for view in views(space)]
            if unknown := sorted({*chosen.views} - {*known}):
                arguments.error(f"no views {', '.join(unknown)}; there are {', '.join(known)}")
            found = measure(space, chosen.views)
        finally:
            embedded.stop(space.graph)
        if chosen.before:
            beside = place.with_name(f"{place.name}-before").absolute()
            found["before"] = earlier(chosen.before.absolute(), beside, chosen.pages)
    load = [before, report.load()]
    head = report.head("explorer", cores=os.cpu_count(), browser=browser_version(), load=load, nice=priority())
    result = {**head, **found}
    report.publish(result, chosen.json, table)
    return int(any("missed" in row[-1] for row in goals(result)))


if __name__ == "__main__":
    sys.exit(main())
