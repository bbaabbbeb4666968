"""`ontocrawl topic intent`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli.output import Json, note, print_json, table
from ontocrawl.errors import UsageError, nearest

if TYPE_CHECKING:
    from ontocrawl.trends import Series


def intent(
    trends: Annotated[Path, typer.Option(help="CSV of Google Trends or the Baidu index.")],
    term: Annotated[str, typer.Option(help="One term of the file; shows its intervals.")] = "",
    quiet: Annotated[float, typer.Option(min=0, help="Interest up to this counts as zero for the start.")] = 0.0,
    monthly: Annotated[bool, typer.Option("--monthly", help="Sum the interest by month, as paper 001 has it.")] = False,
    as_json: Json = False,
) -> None:
    """When an event began and how it was searched for, from Google Trends or the Baidu index.

    The start is the first rise from zero. With --term come the options for `crawl run`, a line for each strategy that
    has such parameters; --json has them for every term, and what a table [intent] in the topic's file takes.
    """
    from ontocrawl import trends as trend_files

    export = trend_files.read(trends)
    if export.left_out:
        note(f"left out: {len(export.left_out)} rows or columns without a date, first {export.left_out[0]!r}")
    found = [series for series in export.series if term in ("", series.term)]
    if term and not found:
        raise UsageError(f"{trends} has no term {term!r}{nearest(term, [s.term for s in export.series])}")
    told = [_told(series.by_month() if monthly else series, quiet) for series in found]
    if as_json:
        print_json({"file": str(trends), "terms": told})
        return
    columns = ("event", "zero until", "first above zero", "start", "largest", "intervals")
    rows = [
        (t["term"], t["zero_until"], t["first_above_zero"], t["start"], t["largest"], len(t["intervals"])) for t in told
    ]
    table("Start times (paper 001, Table 1)", columns, rows)
    if term:
        shown = [(i["first"], i["last"], i["interest"], i["probability"]) for i in told[0]["intervals"]]
        table("Search interest; Pr(t | T) of Eq. (5)", ("from", "to", "interest", "Pr"), shown)
        for strategy, given in told[0]["strategies"].items():
            options = " ".join(f"--param {key}={value}" for key, value in given.items())
            note(f"for `crawl run`: --strategy {strategy} {options}")
    for one in told:
        if one["start"] is None:
            note(f"{one['term']}: {one['why']}")


def _told(series: Series, quiet: float) -> dict[str, Any]:
    """One row of the table of start times, with the intervals behind it."""
    import numpy as np

    from crawler.scoring.temporal import IntentError, TemporalIntent, intent_of, time_given_event, write_intervals

    above = next((interval for interval in series.intervals if interval.interest > quiet), None)
    before = [interval for interval in series.intervals if above is not None and interval.first < above.first]
    why = "" if before else f"it begins above {quiet:g}, so its start is not in the file (trap T40); try --quiet"
    try:
        found = intent_of(series.intervals, quiet)
    except IntentError as error:
        found, why = TemporalIntent(), str(error)
    Pr = time_given_event(np.array([interval.interest for interval in found.intervals]))
    parameters = {
        "start": found.start.isoformat() if found.start else "",
        "end": found.intervals[-1].last.isoformat() if found.intervals else "",
        "intervals": write_intervals(found.intervals),
    }
    parameters = {key: value for key, value in parameters.items() if value}
    return {
        "term": series.term,
        "zero_until": before[-1].last.isoformat() if before else None,
        "first_above_zero": above.first.isoformat() if above else None,
        "start": parameters.get("start"),
        "why": why,
        "largest": found.largest,
        "intervals": [
            {"first": i.first.isoformat(), "last": i.last.isoformat(), "interest": i.interest, "probability": p}
            for i, p in zip(found.intervals, Pr.tolist(), strict=True)
        ],
        "parameters": parameters,
        "strategies": _by_strategy(parameters),
    }


def _by_strategy(parameters: dict[str, str]) -> dict[str, dict[str, str]]:
    """Strategy -> those of the parameters that it has; strategies that have none of them are left out."""
    from crawler.strategies import STRATEGIES

    found = {
        name: {key: value for key, value in parameters.items() if key in cls.parameter_names({})}
        for name, cls in STRATEGIES.items()
    }
    return {name: given for name, given in found.items() if given}
