"""The page of sizes: bytes, processor time and memory of a page, a link, a class, a mention, and what they add up to.

    python -m benchmarks.sizing [--docs docs]

Written from docs/benchmarks/million.json (benchmarks/million.py) and from the pages of measurements beside it that say
what a strategy's queue and what archives need. Nothing is measured here.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import report
from benchmarks.million_page import one, processor_ms, rows_of, written
from benchmarks.report import Result, Row
from ontology.files import write_atomically

COMMAND = "python -m benchmarks.sizing"
PAGES = (10**6, 10**8, 10**10)
SPREAD = 20
"""Links of a page to new URLs, of a crawl that comes to ever more of the web."""
MACHINE_GB, MACHINE_CORES, DAYS = 64, 16, 30
"""The machine, and the longest time, for which the page says where one machine ends."""
GRAPH_OF_A_PAGE, GRAPH_OF_A_URL = ("Sentence", "ON_PAGE", "FETCHED"), ("Page", "ON_HOST", "LED_TO")
GRAPH_OF_A_MENTION, GRAPH_OF_A_CLASS = ("NAMES", "MENTIONS"), ("Concept", "IN_ONTOLOGY", "SUBCLASS_OF")


@dataclass(frozen=True)
class Sizes:
    """What one of each takes: bytes on the disk, bytes of memory, seconds of processor time.

    Attributes:
        links: links of a page.
        known: URLs that the crawl knows, for each page that it fetched.
        sentences: sentences of a page in the graph.
        mentions: mentions of classes of a page in the graph.
        journal_page: bytes of the journal a page, without its links.
        journal_link: bytes of the journal a link.
        graph_page: bytes of the graph a page that was fetched, with its sentences and without links and mentions.
        graph_known: bytes of the graph a known URL.
        graph_link: bytes of the graph a link between two pages.
        graph_mention: bytes of the graph a mention.
        graph_class: bytes of the graph a class, with its relations.
        base: bytes of memory of a crawl that has fetched nothing.
        memory_page: bytes of memory of the crawl a page fetched.
        memory_known: bytes of memory of the crawl a known URL.
        crawl_ms: processor milliseconds of the crawl a page.
        load_ms: milliseconds of `graph rebuild` a page.
        neo4j: bytes of a Neo4j store for each byte of the embedded engine's.
    """

    links: float
    known: float
    sentences: float
    mentions: float
    journal_page: float
    journal_link: float
    graph_page: float
    graph_known: float
    graph_link: float
    graph_mention: float
    graph_class: float
    base: float
    memory_page: float
    memory_known: float
    crawl_ms: float
    load_ms: float
    neo4j: float

    def journal(self, n: float, links: float | None = None) -> float:
        """Return the bytes of the journal of n pages."""
        return n * (self.journal_page + (self.links if links is None else links) * self.journal_link)

    def graph(self, n: float) -> float:
        """Return the bytes of the embedded engine's graph of n pages."""
        each = self.graph_page + self.known * self.graph_known + self.links * self.graph_link
        return n * (each + self.mentions * self.graph_mention)

    def memory(self, n: float, known: float) -> float:
        """Return the bytes of memory of a crawl of n pages that knows so many URLs for each."""
        return self.base + n * (self.memory_page + known * self.memory_known)


def sizes(result: Result) -> Sizes:
    """Compute the sizes from the long crawl and the small one beside it, whose strategy reads an ontology."""
    crawled, counted, small = (one(result, name) for name in ("crawled", "counted", "small"))
    rows, tables, classes = counted["rows"], counted["journal"], small["classes"]
    pages, links, known = rows["page"], rows["link"], rows["url"]
    edges = counted["edges"]
    base, memory_page, memory_known = memory_model(result)

    def each(names: tuple[str, ...], of: Row, count: int) -> float:
        return sum(of["graph"].get(name, 0) for name in names) / count

    return Sizes(
        links=links / pages, known=known / pages, sentences=edges["ON_PAGE"] / pages,
        mentions=small["edges"]["MENTIONS"] / small["rows"]["page"],
        journal_page=(crawled["journal"] - tables["link"]) / pages, journal_link=tables["link"] / links,
        graph_page=each(GRAPH_OF_A_PAGE, counted, pages),
        graph_known=each(GRAPH_OF_A_URL, counted, known),
        graph_link=each(("LINKS_TO",), counted, edges["LINKS_TO"]),
        graph_mention=each(GRAPH_OF_A_MENTION, small, small["edges"]["MENTIONS"]),
        graph_class=each(GRAPH_OF_A_CLASS, classes, classes["number"]),
        base=base, memory_page=memory_page, memory_known=memory_known,
        crawl_ms=processor_ms(result, 0, one(result, "crawl")["pages"]), load_ms=load_ms(result),
        neo4j=small["neo4j_bytes"] / small["graph_bytes"],
    )  # fmt: skip


def load_ms(result: Result) -> float:
    """Return the milliseconds of `graph rebuild` a page; one that was ended early is taken to go on at its rate."""
    counted = one(result, "counted")
    ms = 1e3 * written(result)["seconds"] / counted["rows"]["page"]
    if counted["whole"]:
        return ms
    links = counted["rows"]["link"] - counted["edges"]["LINKS_TO"]
    return ms * (1 + links / sum(counted["edges"].values()))


def memory_model(result: Result) -> tuple[float, float, float]:
    """Fit bytes of memory = base + a pages + b known URLs to the samples, by least squares with a, b not negative."""
    from scipy.optimize import nnls

    crawl = rows_of(result, "crawl")
    pages = np.array([row["pages"] for row in crawl], dtype=float)
    known = pages + np.array([row["queued"] for row in crawl])
    A = np.column_stack([np.ones(len(crawl)) * 1e6, pages, known])
    x, _ = nnls(A, np.array([row["mb"] for row in crawl]) * 1e6)
    return float(x[0] * 1e6), float(x[1]), float(x[2])


def page_of(result: Result, others: dict[str, Result]) -> str:
    """Return the page.

    Args:
        result: the long crawl.
        others: the other results, by name; those that are missing are left out.
    """
    s = sizes(result)
    most = MACHINE_GB * 1e9
    by_memory = (most - s.base) / (s.memory_page + s.known * s.memory_known)
    by_time = DAYS * 86_400 / (s.crawl_ms / 1e3)
    pages, few = one(result, "counted")["rows"]["page"], one(result, "small")["pages"]
    spread = (most - s.base) / (s.memory_page + SPREAD * s.memory_known)
    stores = "; ".join(f"10^{len(str(n)) - 1} pages {_bytes(s.graph(n) * s.neo4j)}" for n in PAGES)
    lines = [
        f"Measured on [a crawl of {pages:,} pages](million.md) of a synthetic web by `{result['strategy']}`;",
        f"mentions and Neo4j on one of {few:,} pages by `fcosa_lg`. A page of that web has {s.links:.1f} links and",
        f"{s.sentences:.1f} sentences, and {s.known:.2f} URLs are known for each page that was fetched. Put in the",
        "numbers of your pages.",
        "",
        *report.grid(["symbol", "of", "bytes"], _symbols(s)),
        "",
        "For N pages of l links each, of which k lead to new URLs, with m mentions:",
        "",
        "```text",
        "journal = N (p + l j)",
        "graph   = N (P + k U + l L + m M) + classes C",
        "memory  = a + N (b + k c)",
        "time    = N t        t: processor time of a page",
        "```",
        "",
        f"t is {s.crawl_ms:.1f} ms here; [a whole crawl](crawl.md) has it for pages of 12 kB, and for `fcosa_lg`. To",
        f"write a page into the graph takes {s.load_ms:.1f} ms. A live crawl waits for hosts: with a delay of 1 s, h",
        "hosts give at most h pages a second.",
        *_strategies(others),
        "",
        "## What it gives",
        "",
        *report.grid(
            ["pages", "journal", "graph", "memory", f"memory, k = {SPREAD}", "one process", "into the graph"],
            [_row(s, n) for n in PAGES],
        ),
        "",
        "## When one machine ends",
        "",
        f"For a crawl, {MACHINE_GB} GB of memory are enough for {_millions(by_memory)} pages as here, and for",
        f"{_millions(spread)} where each has {SPREAD} links to new URLs. One process that never waits fetches",
        f"{_millions(by_time)} in {DAYS} days. From there on",
        "[crawl in rounds](../crawl.md#crawl-in-rounds-on-several-processes), where tasks fetch,",
        "parse and score, or crawl parts of the web apart.",
        "",
        *_archives(others),
        "## What Neo4j needs",
        "",
        f"For the same graph its store had {s.neo4j:.2f} times the bytes of the embedded engine, with indexes and",
        f"without transaction logs: {stores}. It answers quickly",
        "while what a query reads is in its page cache (`server.memory.pagecache.size`). Above what the memory of one",
        "server holds, keep pages and links as the [tables of an archive](../operate.md#score-web-archives),",
        "and put into the graph the",
        "pages that are relevant, with the links between them.",
    ]
    return report.page("Sizes", COMMAND, lines)


def _symbols(s: Sizes) -> list[list[str]]:
    at_first = f"{s.base / 1e6:,.0f} MB, {s.memory_page:,.0f}, {s.memory_known:,.0f}"
    return [
        ["p", "a page in the journal, with text and counts, without its links", f"{s.journal_page:,.0f}"],
        ["j", "a link in the journal, with its anchor and the words around it", f"{s.journal_link:,.0f}"],
        ["P", "a page in the graph, with its sentences", f"{s.graph_page:,.0f}"],
        ["U", "a known URL in the graph", f"{s.graph_known:,.0f}"],
        ["L", "a link in the graph", f"{s.graph_link:,.0f}"],
        ["M", f"a mention of a class in the graph; a page has {s.mentions:.1f}", f"{s.graph_mention:,.0f}"],
        ["C", "a class in the graph, with its relations", f"{s.graph_class:,.0f}"],
        ["a, b, c", "memory of the crawl: at its beginning, a page, a known URL", at_first],
    ]


def _row(s: Sizes, n: int) -> list[str]:
    time = n * s.crawl_ms / 1e3
    return [
        f"10^{len(str(n)) - 1}", _bytes(s.journal(n)), _bytes(s.graph(n)), _bytes(s.memory(n, s.known)),
        _bytes(s.memory(n, SPREAD)), _time(time), _time(n * s.load_ms / 1e3),
    ]  # fmt: skip


def _strategies(others: dict[str, Result]) -> list[str]:
    frontier = others.get("frontier")
    if frontier is None:
        return []
    each = ", ".join(f"`{row['strategy']}` {row['bytes_per_link']:.0f}" for row in frontier["rows"])
    return [f"What a strategy keeps of a queued link, without its URL, in bytes: {each} ([frontier](frontier.md))."]


def _archives(others: dict[str, Result]) -> list[str]:
    archive = others.get("archive")
    if archive is None:
        return []
    process = archive["rows"][0]
    ms = 1e3 * process["processor_s"] / process["pages"]
    scored, hours = DAYS * 86_400 * MACHINE_CORES / (ms / 1e3), _time(1e8 * ms / 1e3 / MACHINE_CORES)
    rank = " What `archive rank` needs is [measured too](archive_rank.md)." if "archive_rank" in others else ""
    return [
        f"For an archive, `archive score` takes {ms:.1f} ms of processor time a page ([measured](archive.md)):",
        f"{MACHINE_CORES} processors score {_millions(scored)} pages in {DAYS} days, and 10^8 in {hours}. Spark takes",
        f"longer to start and for a page, and begins where one machine is not enough.{rank}",
        "",
    ]


def _millions(count: float) -> str:
    return f"{count / 1e6:,.0f} million" if count < 1e9 else f"{count / 1e9:,.1f} billion"


def _bytes(count: float) -> str:
    for unit, size in (("PB", 1e15), ("TB", 1e12), ("GB", 1e9)):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count / 1e6:,.0f} MB"


def _time(seconds: float) -> str:
    for unit, size in (("years", 31_557_600.0), ("days", 86_400.0), ("hours", 3_600.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds / 60:,.0f} minutes"


def write(folder: Path) -> None:
    """Write sizing.md into the folder of the measurements."""
    found = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))}
    write_atomically(folder / "sizing.md", page_of(found["million"], found).encode())


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--docs", type=Path, default=Path("docs"))
    write(parser.parse_args().docs / "benchmarks")


if __name__ == "__main__":
    main()
