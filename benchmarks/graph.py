"""Filling the graph: projection of a crawl and loading of a large ontology, on each engine. Prints one JSON document.

    python benchmarks/graph.py [--pages N] [--classes N] [--neo4j] [--json docs/benchmarks/graph.json]

A crawl of 15,000 pages with 20 links a page (300,000 links), made from a seed, is projected into an empty graph; the
time of each tenth of its pages and links says whether the speed is flat. Then an ontology of 30,000 classes is loaded.
With --neo4j a real Neo4j is started beside the embedded engine, as the tests do it (Java and Maven). Exits with 1
where a promise is missed: 400 pages a second, the last tenth at least half as fast as the first, 30 s for the ontology.
With --json FILE a table is written beside it (FILE with the suffix .md).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kg import embedded, schema
from kg.bolt import BoltStore
from kg.load import load_ontology
from kg.project import project_crawl
from kg.records import CrawlRow, KnownRow, LinkRow, Mention, OutcomeRow
from ontology.model import Concept, Ontology, Relation
from tests.kg import neo4j_server

BASE = "https://example.org/bench#"
LINKS = 20
HOSTS = 300
LIMITS = {"pages_per_second": 400.0, "last_to_first_tenth": 0.5, "load_seconds": 30.0}


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


def project(store: BoltStore, pages: int, classes: int, seed: int) -> dict[str, Any]:
    """Project the crawl; speed over all, and of the last tenth of the rows against the first."""
    ticks: list[tuple[int, float]] = [(0, time.perf_counter())]
    before = {"pages": 0, "links": 0, "known": 0}

    def tell(kind: str, done: int) -> None:
        ticks.append((ticks[-1][0] + done - before[kind], time.perf_counter()))
        before[kind] = done

    crawl = CrawlRow("bench", "breadth_first", "bench", "generated", "2024-05-01T00:00:00Z", "limit_pages")
    rows = outcomes(pages, classes, seed)
    report = project_crawl(store, crawl, rows, links(pages, seed), known(pages), seeds=[url(0)[0]], progress=tell)
    seconds = ticks[-1][1] - ticks[0][1]
    link_ticks = [(n, t) for n, t in ticks if n >= pages][: -max(1, int(pages * 0.1) // 1000)]
    return {
        "pages": report.pages,
        "links": report.links,
        "seconds": round(seconds, 1),
        "pages_per_second": round(report.pages / seconds),
        "last_to_first_tenth": round(
            _speed(link_ticks[-len(link_ticks) // 10 :]) / _speed(link_ticks[: len(link_ticks) // 10]), 2
        ),
    }


def _speed(ticks: list[tuple[int, float]]) -> float:
    """Rows a second between the first and the last of these (rows so far, time)."""
    return (ticks[-1][0] - ticks[0][0]) / (ticks[-1][1] - ticks[0][1])


def measure(store: BoltStore, pages: int, classes: int, seed: int) -> dict[str, Any]:
    """Both figures on one engine, whose graph is empty."""
    schema.apply(store)
    made = ontology(classes, seed)
    started = time.perf_counter()
    loaded = load_ontology(store, made)
    load = {
        "classes": loaded.concepts,
        "relations": loaded.relations,
        "seconds": round(time.perf_counter() - started, 1),
    }
    return {"load": load, "project": project(store, pages, classes, seed)}


@contextmanager
def engine(name: str, folder: Path) -> Iterator[BoltStore]:
    """An empty graph on one engine, ended afterwards."""
    if name == "neo4j":
        os.environ["REQUIRE_NEO4J"] = "1"
        server = neo4j_server.start(folder / "neo4j")
        try:
            with BoltStore(server.uri, server.auth) as store:
                yield store
        finally:
            server.stop()
        return
    try:
        with embedded.open_embedded(folder / "graph") as store:
            yield store
    finally:
        embedded.stop(folder / "graph")


def missed(found: dict[str, Any]) -> list[str]:
    """What is below the promises, by engine."""
    said = []
    for name, figures in found.items():
        for key in ("pages_per_second", "last_to_first_tenth"):
            if figures["project"][key] < LIMITS[key]:
                said.append(f"{name}: {key} {figures['project'][key]}, promised {LIMITS[key]}")
        if figures["load"]["seconds"] > LIMITS["load_seconds"]:
            said.append(f"{name}: ontology loaded in {figures['load']['seconds']} s")
    return said


def table(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    lines = [
        "# Filling the graph",
        "",
        "Written by `python benchmarks/graph.py --neo4j --json docs/benchmarks/graph.json`; not edited by hand.",
        "",
        "| engine | pages | links | seconds | pages/s | last tenth / first tenth | classes | relations | load, s |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, found in result["engines"].items():
        a, b = found["project"], found["load"]
        values = [f"{a[k]:,}" for k in ("pages", "links", "seconds", "pages_per_second", "last_to_first_tenth")]
        values += [f"{b[k]:,}" for k in ("classes", "relations", "seconds")]
        lines.append(f"| {name} | {' | '.join(values)} |")
    load = result["load_average"]
    lines += [
        "",
        f"Python {result['python']}, {result['system']}, {result['cores']} cores,",
        f"load {load[0]} before, {load[1]} after.",
        "Promised: 400 pages/s, the last tenth of the links at least half as fast as the first, 30 s for the ontology.",
        *([""] + [f"Missed: {line}." for line in result["missed"]] if result["missed"] else []),
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    """Run and print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--pages", type=int, default=15_000)
    arguments.add_argument("--classes", type=int, default=30_000)
    arguments.add_argument("--neo4j", action="store_true", help="measure a real Neo4j too")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--json", type=Path, metavar="FILE", help="write the result, and a table beside it")
    chosen = arguments.parse_args()
    before = round(os.getloadavg()[0], 1)
    found = {}
    for name in ("embedded", "neo4j")[: 2 if chosen.neo4j else 1]:
        with tempfile.TemporaryDirectory(prefix="ontocrawl-graph-") as folder, engine(name, Path(folder)) as store:
            found[name] = measure(store, chosen.pages, chosen.classes, chosen.seed)
        print(f"{name}: {found[name]}", file=sys.stderr)
    result = {
        "benchmark": "graph",
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "load_average": [before, round(os.getloadavg()[0], 1)],
        "engines": found,
        "missed": missed(found),
    }
    text = json.dumps(result, indent=1)
    print(text)
    if chosen.json:
        chosen.json.parent.mkdir(parents=True, exist_ok=True)
        chosen.json.write_text(text + "\n", encoding="utf-8")
        chosen.json.with_suffix(".md").write_text(table(result), encoding="utf-8")
    return int(bool(result["missed"]))


if __name__ == "__main__":
    sys.exit(main())
