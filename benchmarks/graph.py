"""Filling the graph: projection of a crawl and loading of a large ontology, on each engine. Prints one JSON document.

    python -m benchmarks.graph [--pages N] [--classes N] [--large N] [--neo4j] [--json docs/benchmarks/graph.json]

An ontology of 30,000 classes, in a file, is loaded into an empty graph by the command `graph load`, timed as a whole.
Then a crawl of 15,000 pages with 20 links a page (300,000 links), made from a seed, is projected. All pages are written
first, then all links; the last tenth of each is compared with the first. At last a page with 100,000 links is projected
twice. With --neo4j a real Neo4j is started beside the embedded engine, as the tests do it (Java and Maven). Exits with
1 where a promise is missed: 400 pages a second, the last tenth at least half as fast as the first, 30 s for the
ontology, 10 s for the page with 100,000 links. With --json FILE a table is written beside it (FILE with the suffix
.md).
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import commands, engines, report
from kg import schema
from kg.bolt import BoltStore
from kg.project import project_crawl
from kg.records import CrawlRow, KnownRow, LinkRow, Mention, OutcomeRow
from ontology import owl
from ontology.model import Concept, Ontology, Relation

BASE = "https://example.org/bench#"
LINKS = 20
HOSTS = 300
LARGE = 100_000
"""Links of the large page."""
LIMITS = {"pages_per_second": 400.0, "last_to_first_tenth": 0.5, "load_seconds": 30.0, "large_page_seconds": 10.0}


def url(n: int) -> tuple[str, str]:
    """Address and host of page n."""
    host = f"host{n % HOSTS}.example"
    return f"http://{host}/news/2024/{n}.html", host


def ontology(classes: int, seed: int) -> Ontology:
    """A tree of classes with a second parent for one in five."""
    draw = random.Random(seed)
    concepts = tuple(Concept(f"{BASE}C{n}", f"概念{n}", f"concept {n}", (f"别名{n}",)) for n in range(classes))
    edges = {(n, draw.randrange(max(0, n // 4 - 3), max(1, n // 4 + 1))) for n in range(1, classes)}
    edges |= {(n, draw.randrange(n)) for n in range(2, classes) if n % 5 == 0}
    relations = tuple(Relation(f"{BASE}C{a}", "subclass_of", f"{BASE}C{b}", 3, 0.9) for a, b in sorted(edges))
    return Ontology(BASE[:-1], "global", "bench", "1", f"{BASE}C0", concepts, relations)


def outcomes(pages: int, classes: int, seed: int) -> Iterator[OutcomeRow]:
    """Fetched pages, each with three mentions of concepts."""
    draw = random.Random(seed)
    for n in range(pages):
        address, host = url(n)
        relevance = draw.random()
        yield OutcomeRow(
            step=n + 1, url=address, host=host, status=200, final_url=address, title=f"暴雨新闻 {n}",
            published="2024-05-01T00:00:00Z", content_hash=f"{n:016x}", snippet="强降水" * 20, relevance=relevance,
            relevant=relevance > 0.7, label=None, priority=draw.random(), failure=None, evidence="暴雨 2",
            mentions=tuple(Mention(f"{BASE}C{c}", 2, 0.5) for c in sorted(draw.sample(range(classes), 3))),
        )  # fmt: skip


def links(pages: int, seed: int) -> Iterator[LinkRow]:
    """Each page's links: half near it, half anywhere, one in ten to a page that is not fetched."""
    draw = random.Random(seed)
    for n in range(pages):
        near = [(n + 1 + k) % pages for k in range(LINKS // 2)]
        far = [draw.randrange(int(pages * 1.1)) for _ in range(LINKS - len(near))]
        for m in dict.fromkeys(near + far):
            address, host = url(m)
            yield LinkRow(url(n)[0], address, host, f"链接 {m}", m % 10 / 10)


def known(pages: int) -> Iterator[KnownRow]:
    """Pages that were seen and not fetched."""
    for n in range(pages, int(pages * 1.1)):
        yield KnownRow(*url(n), 0.3, "waiting")


Ticks = list[tuple[int, float]]
"""(rows so far, time), the first one before the first row."""


def project(store: BoltStore, pages: int, classes: int, seed: int) -> dict[str, Any]:
    """Project the crawl; pages a second, and the speed of the last tenth of the pages and of the links to the first."""
    started = time.perf_counter()
    ticks: dict[str, Ticks] = {}
    latest = started

    def tell(kind: str, done: int) -> None:
        nonlocal latest
        ticks.setdefault(kind, [(0, latest)])  # the rows of a kind begin when those of the kind before are written
        latest = time.perf_counter()
        ticks[kind].append((done, latest))

    crawl = CrawlRow("bench", "breadth_first", "bench", "generated", "2024-05-01T00:00:00Z", "limit_pages")
    rows = outcomes(pages, classes, seed)
    report = project_crawl(store, crawl, rows, links(pages, seed), known(pages), seeds=[url(0)[0]], progress=tell)
    seconds = time.perf_counter() - started
    return {
        "pages": report.pages,
        "links": report.links,
        "seconds": round(seconds, 1),
        "pages_per_second": round(report.pages / seconds),
        "last_to_first_tenth": round(min(last_to_first_tenth(ticks[kind]) for kind in ("pages", "links")), 2),
    }


def project_large_page(store: BoltStore, links: int) -> dict[str, Any]:
    """Project a page with many links to other pages, and then once more; seconds of both."""
    crawl = CrawlRow("bench-large", "breadth_first", "bench", "generated", "2024-05-01T00:00:00Z", "limit_pages")
    source, host = "http://large.example/", "large.example"
    page = replace(next(outcomes(1, 3, 0)), url=source, host=host, final_url=source, mentions=())
    rows = [LinkRow(source, f"http://{host}/{n}.html", host, f"链接 {n}", 0.5) for n in range(links)]
    seconds = []
    for _ in range(2):
        started = time.perf_counter()
        project_crawl(store, crawl, [page], rows, (), seeds=[source])
        seconds.append(round(time.perf_counter() - started, 1))
    return {"links": links, "seconds": seconds[0], "again_seconds": seconds[1]}


def last_to_first_tenth(ticks: Ticks) -> float:
    """Speed of the last tenth of the rows over that of the first; times between two ticks are interpolated."""
    rows, times = np.array(ticks, dtype=np.float64).T
    at = np.interp(rows[-1] * np.array([0.0, 0.1, 0.9, 1.0]), rows, times)
    return float((at[1] - at[0]) / (at[3] - at[2]))


def load(store: BoltStore, made: Ontology, folder: Path) -> dict[str, Any]:
    """Load an ontology from a file with `ontocrawl graph load`; the time of the whole command."""
    path = folder / "bench.ttl"
    owl.write(made, path)
    where = commands.space(folder / "workspace")
    seconds = commands.seconds(("graph", "load", str(path), "--json"), where, commands.server_of(store))
    held = store.read(
        "MATCH (c:Concept)-[:IN_ONTOLOGY]->(o:Ontology {iri: $iri}) WITH count(c) AS classes "
        "MATCH (:Concept)-[r:SUBCLASS_OF]->(:Concept) WHERE r.ontology = $iri "
        "RETURN classes, count(r) AS relations",
        iri=made.iri,
    )
    return {**held[0], "seconds": round(seconds, 1)}


def measure(store: BoltStore, pages: int, classes: int, seed: int, folder: Path, large: int = LARGE) -> dict[str, Any]:
    """All figures on one engine, whose graph is empty; ``folder`` is for files."""
    schema.apply(store)
    loaded = load(store, ontology(classes, seed), folder)
    if loaded["classes"] != classes:
        raise RuntimeError(f"expected {classes} classes in the graph, found {loaded['classes']}")
    return {"load": loaded, "project": project(store, pages, classes, seed), "large": project_large_page(store, large)}


def missed(found: dict[str, Any]) -> list[str]:
    """What is below the promises, by engine."""
    said = []
    for name, figures in found.items():
        for key in ("pages_per_second", "last_to_first_tenth"):
            if figures["project"][key] < LIMITS[key]:
                said.append(f"{name}: {key} {figures['project'][key]}, promised {LIMITS[key]}")
        for key in ("seconds", "again_seconds"):
            if figures["large"][key] > LIMITS["large_page_seconds"]:
                said.append(f"{name}: a page with {LARGE:,} links written in {figures['large'][key]} s ({key})")
        if figures["load"]["seconds"] > LIMITS["load_seconds"]:
            said.append(f"{name}: ontology loaded in {figures['load']['seconds']} s")
    return said


def table(result: report.Result) -> str:
    """The result as Markdown."""
    head = ("engine", "pages", "links", "seconds", "pages/s", "last tenth / first tenth", "classes", "relations")
    projected = ("pages", "links", "seconds", "pages_per_second", "last_to_first_tenth")
    loaded = ("classes", "relations", "seconds")
    rows = [
        [
            name,
            *(found["project"][key] for key in projected),
            *(found["load"][key] for key in loaded),
            *(found["large"][key] for key in ("seconds", "again_seconds")),
        ]
        for name, found in result["engines"].items()
    ]
    load = result["load_average"]
    codec = "with" if result["rust_codec"] else "without"
    lines = [
        *report.grid([*head, "load, s", "large page, s", "again, s"], rows),
        "",
        f"{report.machine(result)},",
        f"load {load[0]} before, {load[1]} after; the driver {codec} neo4j-rust-ext (extra `fast`).",
        "Promised: 400 pages/s; the last tenth of the pages, and of the links, at least half as fast as the first;",
        f"30 s for the command `graph load`; 10 s for a page with {LARGE:,} links, when it is new and once more.",
        *([""] + [f"Missed: {line}." for line in result["missed"]] if result["missed"] else []),
    ]
    command = "python -m benchmarks.graph --neo4j --json docs/benchmarks/graph.json"
    return report.page("Filling the graph", command, lines)


def main() -> int:
    """Run and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--pages", type=int, default=15_000)
    arguments.add_argument("--classes", type=int, default=30_000)
    arguments.add_argument("--neo4j", action="store_true", help="measure a real Neo4j too")
    arguments.add_argument("--large", type=int, default=LARGE, metavar="N", help="links of the large page")
    arguments.add_argument("--seed", type=int, default=0)
    chosen = arguments.parse_args()
    before = report.load()
    found = {}
    for name in engines.NAMES[: 2 if chosen.neo4j else 1]:
        with (
            tempfile.TemporaryDirectory(prefix="ontocrawl-graph-") as folder,
            engines.engine(name, Path(folder) / name) as store,
        ):
            found[name] = measure(store, chosen.pages, chosen.classes, chosen.seed, Path(folder), chosen.large)
        print(f"{name}: {found[name]}", file=sys.stderr)
    result = report.head(
        "graph",
        cores=os.cpu_count(),
        load_average=[before, report.load()],
        rust_codec=find_spec("neo4j._rust") is not None,
        engines=found,
        missed=missed(found),
    )
    report.publish(result, chosen.json, table)
    return int(bool(result["missed"]))


if __name__ == "__main__":
    sys.exit(main())
