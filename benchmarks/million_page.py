"""What a long crawl was like, from the samples of benchmarks/million.py: its figures and its page."""

from __future__ import annotations

from typing import Any

from benchmarks import report
from benchmarks.report import Result, Row

COMMAND = "python -m benchmarks.million FOLDER --json docs/benchmarks/million.json"
PARTS = 10
"""Parts of the crawl that are compared."""


def rows_of(result: Result, phase: str) -> list[Row]:
    """Return the samples of a phase, in their order."""
    return [row for row in result["samples"] if row["phase"] == phase]


def one(result: Result, phase: str) -> Row:
    """Return the last sample of a phase."""
    return rows_of(result, phase)[-1]


def segments(result: Result) -> list[list[Row]]:
    """Return the samples of the crawl by process: one begins with each phase "begun"."""
    found = list[list[Row]]()
    for row in result["samples"]:
        if row["phase"] == "begun":
            found.append([])
        elif row["phase"] == "crawl":
            found[-1].append(row)
    return [segment for segment in found if segment]


def processor_ms(result: Result, low: float, high: float) -> float:
    """Return the milliseconds of processor time of a page, over the pages from ``low`` to ``high`` of the crawl."""
    pages, seconds = 0, 0.0
    for segment in segments(result):
        within = [row for row in segment if low <= row["pages"] <= high]
        if len(within) > 1:
            pages += within[-1]["pages"] - within[0]["pages"]
            seconds += within[-1]["processor"] - within[0]["processor"]
    return round(1e3 * seconds / max(pages, 1), 2)


def parts(result: Result) -> list[Row]:
    """Return the figures of each tenth of the crawl: at its end, and its rate."""
    crawl, found, before = rows_of(result, "crawl"), list[Row](), (0, 0.0)
    for number in range(1, PARTS + 1):
        end = number * result["pages"] / PARTS
        row = next((row for row in crawl if row["pages"] >= end), crawl[-1])
        pages, seconds = row["pages"] - before[0], row["crawled"] - before[1]
        cost = processor_ms(result, before[0], row["pages"])
        found.append({
            "pages": row["pages"], "queued": row["queued"], "MB": round(row["mb"]),
            "pages a second": round(pages / seconds), "processor ms a page": cost,
        })  # fmt: skip
        before = row["pages"], row["crawled"]
    return found


def page_of(result: Result) -> str:
    """Return the page."""
    crawled, last, projected = one(result, "crawled"), one(result, "crawl"), written(result)
    pages = one(result, "counted")["rows"]["page"]
    tenths, segment = parts(result), segments(result)
    columns = list(tenths[0])
    interrupted = len(segment) - 1 - len(rows_of(result, "killed"))
    resumed = [f"{row['seconds']:,.0f} s" for row in rows_of(result, "begun")[1:]]
    measures = rows_of(result, "measures")
    cost = processor_ms(result, 0, last["pages"])
    more = f" It was interrupted {interrupted} times more." if interrupted else ""
    ended = [
        f"When the crawl has ended, its measures are computed from the journal; then it has {row['mb']:,.0f} MB."
        for row in sorted(measures, key=lambda row: row["mb"])[-1:]
    ]
    lines = [
        f"`{result['strategy']}` crawls {pages:,} pages of a calibrated synthetic web with the topic",
        f"`{result['topic']}`: parsed, scored and journalled one after the other, without a wait between requests.",
        f"It took {last['crawled'] / 3600:.2f} hours of fetching, {cost} ms of processor",
        f"time a page. {report.machine(result)}; other work ran beside it, so that pages a second vary, and",
        "processor time less.",
        "",
        *report.grid(columns, [list(row.values()) for row in tenths]),
        "",
        f"At {rows_of(result, 'killed')[-1]['pages']:,} pages the process was killed with SIGKILL, and resumed.{more}",
        f"From the command to the first page it took, each time: {', '.join(resumed)}.",
        *ended,
        "",
        "## What it leaves",
        "",
        f"Journal {crawled['journal'] / 1e9:.2f} GB, snapshots {crawled['snapshots'] / 1e6:,.0f} MB,",
        f"graph {projected['graph'] / 1e9:.2f} GB. Tables and types of a megabyte or more:",
        "",
        *report.grid(["what", "number", "MB", "bytes each"], _left(result)),
        "",
        "## In the graph",
        "",
        *_into_the_graph(result),
    ]  # fmt: skip
    return report.page("A million pages on one machine", COMMAND, lines)


def written(result: Result) -> Row:
    """Return the sample of the end of `graph rebuild`; the last one before it where it was ended early."""
    return [*rows_of(result, "project"), *rows_of(result, "projected")][-1]


def _into_the_graph(result: Result) -> list[str]:
    """Return the sentences about `graph rebuild`."""
    counted, loading, seconds = one(result, "counted"), rows_of(result, "project"), written(result)["seconds"]
    nodes, edges = sum(counted["nodes"].values()), sum(counted["edges"].values())
    command, engine = (max(row[key] for row in loading) for key in ("mb", "engine_mb"))
    pages, links = (counted["edges"].get(kind, 0) for kind in ("FETCHED", "LINKS_TO"))
    ended = "wrote the run into the embedded engine"
    if not counted["whole"]:
        ended = (
            f"was ended early; it had written {pages:,} of {counted['rows']['page']:,} pages, and {links:,} of"
            f" {counted['rows']['link']:,} links (parallel ones count once in the graph), and no rank,"
        )
    return [
        f"`graph rebuild` {ended} in {seconds / 3600:.2f} hours: {nodes:,} nodes and",
        f"{edges:,} relationships, {nodes / seconds:,.0f} and {edges / seconds:,.0f} a second. The command had up to",
        f"{command:,.0f} MB, the engine up to {engine:,.0f} MB.",
    ]


def _left(result: Result) -> list[list[Any]]:
    """Return number and bytes of the rows of the journal's tables, and of the types of the graph."""
    counted = one(result, "counted")
    tables = [(f"journal: {name}", n, counted["journal"].get(name, 0)) for name, n in counted["rows"].items()]
    types = {**counted["nodes"], **counted["edges"]}
    stored = [(f"graph: {name}", n, counted["graph"].get(name, 0)) for name, n in sorted(types.items())]
    return [
        [name, n, round(size / 1e6, 1), round(size / n)] for name, n, size in [*tables, *stored] if n and size > 1e6
    ]
