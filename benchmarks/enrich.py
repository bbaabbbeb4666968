"""What enrichment finds, what it costs, and what the ontology gains by it.

    python -m benchmarks.enrich [--json docs/benchmarks/enrich.json] [--parts held_out relations circle speed]
                                [--splits 3] [--starts 10] [--fetches 1000] [--accept oracle|FILE] [--quick]
    python -m benchmarks.enrich --sheet DIR
    python -m benchmarks.enrich --judged A.tsv B.tsv --ranks DIR/ranks.json [--accepted FILE] [--verdicts FILE]
                                [--json FILE]

* held_out: 30 % of the classes are taken out of the curated ontology and of SWEET's hazard part, and proposed again
  (benchmarks/held_out.py; the pages are those of benchmarks/enrich_pages.py)
* relations: cause-effect triples that are found again (benchmarks/stated_causes.py)
* circle: crawl, propose, accept, crawl again from other pages (benchmarks/enrich_circle.py)
* speed: time and memory on 600, 4,598 and 10,000 pages (benchmarks/enrich_speed.py)

--sheet writes the first 50 proposals of each crawl for two blind judges, --judged reads what they say
(docs/judged-proposals.md). The parts that were not asked for stay in FILE as they were. Without ../shared/data nothing
is measured. --quick takes few pages, one split, two starts and 40 fetches: it shows that all parts run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import enrich_circle, enrich_speed, held_out, judged_proposals, report, stated_causes
from benchmarks.enrich_page import page
from benchmarks.enrich_pages import ONTOLOGIES, STARTING_PAGES, guangdong, missing, rainstorm, wikispeedia
from benchmarks.judged_proposals import Crawled
from benchmarks.judging import write_table
from ontology.enrichment import propose

QUICK_PAGES = 60


def held_out_part(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield the figures of each split of each ontology on each crawl."""
    for ontology, pages_of, name in _crawls(options):
        for seed in range(options.splits):
            print(f"{ontology} on {name}, split {seed}", file=sys.stderr, flush=True)
            held = held_out.split(ONTOLOGIES[ontology](), seed)
            yield {"ontology": ontology, "crawl": name, "split": seed} | held_out.figures(held, pages_of())


def saved(options: argparse.Namespace, result: dict[str, Any], rows: Iterable[report.Row]) -> list[report.Row]:
    """Return the rows of held_out; the result is saved after each of them."""
    kept: list[report.Row] = []
    for row in rows:
        kept.append(row)
        print(row, file=sys.stderr, flush=True)
        if options.json:
            report.save(result | {"held_out": kept}, options.json, page)
    return kept


def _crawls(options: argparse.Namespace) -> Iterator[tuple[str, Callable[[], Any], str]]:
    """Yield ontology, pages and name of each crawl; Chinese pages are no match for English labels."""
    yield "rainstorm", partial(guangdong, options.pages), "guangdong"
    for ontology in ("rainstorm", "sweet"):
        for start in range(options.held_out_starts):
            yield ontology, partial(wikispeedia, start, options.fetches), f"wikispeedia, {STARTING_PAGES[start]}"


def sheet(options: argparse.Namespace) -> None:
    """Write the sheets of both judges."""
    crawls, drawn = [], []
    for ontology, pages_of, name in _crawls(options):
        print(f"proposing for {ontology} from {name}", file=sys.stderr, flush=True)
        held = held_out.split(ONTOLOGIES[ontology](), 0)
        crawls.append(
            Crawled(f"{name}, {ontology}", ontology, propose(pages_of(), held.ontologies, limit=judged_proposals.TOP))
        )
    held = held_out.split(rainstorm(), 0)
    with enrich_circle.steering(options.fetches) as steer:
        config = steer.by(held.ontologies)
        for start in range(options.starts):
            _, pages = enrich_circle.crawled(config, start)
            proposals = propose(pages, held.ontologies, limit=enrich_circle.PROPOSED)
            crawls.append(Crawled(f"guided crawl, {STARTING_PAGES[start]}", "rainstorm", proposals))
    for name, pages in (("guangdong", guangdong(options.pages)), ("wikispeedia", wikispeedia(0, options.fetches))):
        found = stated_causes.relations(pages, rainstorm())
        drawn.append(Crawled(name, "rainstorm", stated_causes.drawn(found)))
    print(f"{options.sheet}: {judged_proposals.write_sheets(options.sheet, crawls, drawn)} rows for each judge")


def judged(options: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of the filled sheets; write what is accepted."""
    ranks = json.loads(options.ranks.read_text(encoding="utf-8"))
    if options.accepted:
        rows = judged_proposals.accepted(options.judged, ranks)
        write_table(options.accepted, ("ontology", "key", "parent"), rows)
    if options.verdicts:
        said = judged_proposals.verdicts(options.judged, ranks["proposals"])
        write_table(options.verdicts, judged_proposals.SAID, said)
    return {"judged": judged_proposals.outcome(options.judged, ranks)}


def circle_part(options: argparse.Namespace, result: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of the circle, saved after each starting page."""
    kind = "oracle" if options.accept == "oracle" else "judges"

    def figures(rows: list[report.Row]) -> dict[str, Any]:
        compared = enrich_circle.differences(rows)
        told = {"fetches": options.fetches, "starts": options.starts, "compared": compared, "rows": rows}
        return {"circle": result.get("circle", {}) | {kind: told}}

    def save(rows: list[report.Row]) -> None:
        if options.json:
            report.save(result | figures(rows), options.json, page)

    return figures(enrich_circle.run(options.fetches, options.starts, options.accept, save=save))


def parts(options: argparse.Namespace, result: dict[str, Any]) -> Mapping[str, Callable[[], dict[str, Any]]]:
    """Return the parts that can be measured, by name."""
    return {
        "held_out": lambda: {"held_out": saved(options, result, held_out_part(options))},
        "relations": lambda: {"relations": stated_causes.figures(options.pages)},
        "circle": lambda: circle_part(options, result),
        "speed": lambda: {"speed": [enrich_speed.measure(size) for size in options.sizes]},
    }


def parse(words: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    arguments = report.arguments(__doc__)
    names = ("held_out", "relations", "circle", "speed")
    arguments.add_argument("--parts", nargs="+", choices=names, default=list(names))
    arguments.add_argument("--splits", type=int, default=3, metavar="N", help="splits of each ontology")
    arguments.add_argument("--starts", type=int, default=len(STARTING_PAGES), metavar="N", help="of the circle")
    arguments.add_argument("--held-out-starts", type=int, default=3, metavar="N", help="crawls of held_out")
    arguments.add_argument("--fetches", type=int, default=1000, metavar="N", help="of each crawl")
    arguments.add_argument("--pages", type=int, default=10**6, metavar="N", help="most pages of each Chinese source")
    arguments.add_argument("--sizes", type=int, nargs="+", default=list(enrich_speed.SIZES), metavar="N")
    arguments.add_argument("--accept", default="oracle", metavar="oracle|FILE", help="what the circle accepts")
    arguments.add_argument("--quick", action="store_true", help="few pages, to see that all parts run")
    arguments.add_argument("--sheet", type=Path, metavar="DIR", help="write the sheets of the judges")
    arguments.add_argument("--judged", type=Path, nargs=2, metavar=("A", "B"), help="read the filled sheets")
    arguments.add_argument("--ranks", type=Path, metavar="FILE", help="ranks.json of the sheets")
    arguments.add_argument("--accepted", type=Path, metavar="FILE", help="write what both judges accept")
    arguments.add_argument("--verdicts", type=Path, metavar="FILE", help="write the verdicts, without sentences")
    options = arguments.parse_args(words)
    if options.judged and not options.ranks:
        arguments.error("--judged needs --ranks DIR/ranks.json, which --sheet DIR wrote")
    if options.quick:
        options.splits, options.starts, options.held_out_starts, options.fetches = 1, 2, 1, 40
        options.pages, options.sizes = QUICK_PAGES, [QUICK_PAGES]
    if not 1 <= options.starts <= len(STARTING_PAGES):
        arguments.error(f"--starts must lie in [1, {len(STARTING_PAGES)}]")
    return options


def main(words: list[str] | None = None) -> int:
    """Measure the parts that were asked for, or write or read sheets, and print."""
    options = parse(words)
    absent = missing()
    if absent and not options.judged:
        print(f"skipped: {absent[0]} is absent", file=sys.stderr)
        return 0
    if options.sheet:
        sheet(options)
        return 0
    stored: dict[str, Any] = {}
    if options.json and options.json.exists():
        stored = json.loads(options.json.read_text(encoding="utf-8"))
    result = stored | report.head("enrich")
    if options.judged:
        result |= judged(options)
    else:
        for name in options.parts:
            result |= parts(options, result)[name]()
            if options.json:
                report.save(result, options.json, page)
    report.publish(result, options.json, page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
