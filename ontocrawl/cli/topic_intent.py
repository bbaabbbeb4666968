"""`ontocrawl topic intent`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli.output import Answer, note, quoted, tabled
from ontocrawl.errors import UsageError, nearest
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.topics.trends import Series


def intent(
    trends: Annotated[Path, typer.Option(help="CSV file of Google Trends or the Baidu index.")],
    term: Annotated[str, typer.Option(help="Show the intervals of this term of the file.")] = "",
    quiet: Annotated[
        float, typer.Option(min=0, help="Interest up to this value counts as zero when the start is determined.")
    ] = 0.0,
    monthly: Annotated[bool, typer.Option("--monthly", help="Sum the interest by month, as in paper 001.")] = False,
) -> Answer:
    """Find the start of an event, and its search interest over time, in a CSV of Google Trends or the Baidu index.

    The start is the first rise from zero. With --term, the options for `crawl run` are printed for each strategy with
    temporal parameters; --json has them for every term, with the values for a table [intent] in a topic file.
    """
    from ontocrawl.topics import trends as trend_files

    export = trend_files.read(trends)
    if export.left_out:
        note(Message("cli.no_dates", left=len(export.left_out), first=export.left_out[0]))
    selected = [series for series in export.series if term in ("", series.term)]
    if term and not selected:
        raise UsageError(
            "cli.no_term", trends=trends, term=term, nearest=nearest(term, [s.term for s in export.series])
        )
    rows_by_term = [_row(series.by_month() if monthly else series, quiet) for series in selected]
    columns = ("event", "zero until", "first above zero", "start", "largest", "intervals")
    rows = [
        (t["term"], t["zero_until"], t["first_above_zero"], t["start"], t["largest"], len(t["intervals"]))
        for t in rows_by_term
    ]
    tables, notes = [tabled("Start times (paper 001, Table 1)", columns, rows)], list[str]()
    if term:
        shown = [(i["first"], i["last"], i["interest"], i["probability"]) for i in rows_by_term[0]["intervals"]]
        tables.append(tabled("Search interest; Pr(t | T) of Eq. (5)", ("from", "to", "interest", "Pr"), shown))
        for strategy, values in rows_by_term[0]["strategies"].items():
            options = [word for key, value in values.items() for word in ("--param", f"{key}={value}")]
            notes.append(Message("cli.for_crawl_run", options=quoted("--strategy", strategy, *options)))
    unknown = [one for one in rows_by_term if one["start"] is None]
    notes += [Message("files.about", about=one["term"], error=one["why"]) for one in unknown]
    return Answer({"file": str(trends), "terms": rows_by_term}, tables, notes)


def _row(series: Series, quiet: float) -> dict[str, Any]:
    """Return the start time of a term, with its intervals and parameters of strategies."""
    import numpy as np

    from crawler.scoring.temporal import IntentError, TemporalIntent, intent_of, time_given_event, write_intervals

    above = next((interval for interval in series.intervals if interval.interest > quiet), None)
    before = [interval for interval in series.intervals if above is not None and interval.first < above.first]
    why: str = "" if before else Message("cli.begins_above", quiet=quiet)
    try:
        intent = intent_of(series.intervals, quiet)
    except IntentError as error:
        intent, why = TemporalIntent(), error.message
    Pr = time_given_event(np.array([interval.interest for interval in intent.intervals]))
    parameters = {
        "start": intent.start.isoformat() if intent.start else "",
        "end": intent.intervals[-1].last.isoformat() if intent.intervals else "",
        "intervals": write_intervals(intent.intervals),
    }
    parameters = {key: value for key, value in parameters.items() if value}
    return {
        "term": series.term,
        "zero_until": before[-1].last.isoformat() if before else None,
        "first_above_zero": above.first.isoformat() if above else None,
        "start": parameters.get("start"),
        "why": why,
        "largest": intent.largest,
        "intervals": [
            {"first": i.first.isoformat(), "last": i.last.isoformat(), "interest": i.interest, "probability": p}
            for i, p in zip(intent.intervals, Pr.tolist(), strict=True)
        ],
        "parameters": parameters,
        "strategies": _by_strategy(parameters),
    }


def _by_strategy(parameters: dict[str, str]) -> dict[str, dict[str, str]]:
    """Return strategy -> the parameters that it has; strategies without any are left out."""
    from crawler.strategies import STRATEGIES

    by_name = {
        name: {key: value for key, value in parameters.items() if key in cls.parameter_names({})}
        for name, cls in STRATEGIES.items()
    }
    return {name: values for name, values in by_name.items() if values}
