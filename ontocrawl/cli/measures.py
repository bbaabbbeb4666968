"""The measures of runs as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ontocrawl.cli import crawl_view
from ontocrawl.cli.output import Line, named, spoken, tabled
from ontology.errors import Message, recalled
from ontology.printable import one_line

if TYPE_CHECKING:
    from ontocrawl.cli.output import Part
    from ontocrawl.graph.tables import Table

HEADINGS = {
    "fetched": "pages", "relevant": "relevant", "relevant_by_label": "by_label", "accuracy": "accuracy", "ar": "AR",
    "sd": "SD", "ar_lp": "AR_LP", "sd_lp": "SD_LP", "rc": "RC",
}  # fmt: skip
"""Key of ``crawl status --json`` -> heading of its column."""
SHORT = ("fetched", "relevant", "relevant_by_label", "accuracy", "ar", "sd", "rc")
"""The measures shown in tables with other columns."""
LINKS = ("fetched", "queued", "in_flight")
"""Keys of ``crawl status --json`` that count known links, besides the ledger."""
Milestones = Mapping[str, Mapping[str, Any]]


def of_run(document: Mapping[str, Any]) -> Iterator[Part]:
    """Yield a run as parts of an answer, from the document of ``crawl run --json`` or ``crawl status RUN --json``."""
    apart = (
        *HEADINGS, "run", "milestones", *LINKS, "ledger", "fetched_again", "failed", "partial", "live", "rescored",
        "expected_gain", "diagnosis", "classes", "rules", "never_fired", "again", "rendered",
    )  # fmt: skip
    if "live" in document:
        yield crawl_view.view(document["run"], document["live"])
        yield ""
    figures = [(key, value) for key, value in document.items() if key not in apart]
    figures += [(Message("cli.expected_gain"), crawl_view.gain(document["expected_gain"]))]
    figures = [(key, named("state", value) if key == "state" else value) for key, value in figures]
    figures += [("weights", crawl_view.weights(taken)) for taken in document.get("rescored", ())]
    yield tabled(Message("cli.of_run", run=document["run"]), ("figure", "value"), figures)
    if failed := document.get("failed"):
        yield tabled("Failures by reason", ("reason", "fetches"), failed.items())
    if partial := document.get("partial"):
        yield tabled("Pages kept with a body that was not sound", ("reason", "pages"), partial.items())
    if found := document.get("again"):
        yield of_revisit(document["run"], found)
    if rendered := document.get("rendered"):  # earlier versions rendered none
        counted = [
            (f"{key}: {code}", number) for key in ("why", "limits", "failed") for code, number in rendered[key].items()
        ]
        costs = [(key, rendered[key]) for key in ("seconds", "requests", "bytes")]
        yield tabled("Pages in a browser", ("figure", "value"), [("pages", rendered["pages"]), *counted, *costs])
    if classes := document.get("classes", ()):  # earlier versions had none
        rows = [
            (c["name"], c.get("extent"), c.get("chosen"), c.get("relevant"), ", ".join(c.get("words", ())[:5]))
            for c in classes
        ]
        columns = ("class", "papers", "chosen", "relevant", "words")
        yield tabled("Classes", columns, rows, caption=Message("cli.classes_caption"))
    if rules := document.get("rules"):  # earlier versions had none, and some strategies have none
        counted = [(rule, times or Message("cli.never")) for rule, times in rules.items()]
        of = {"strategy": document["strategy"]}
        title, caption = Message("cli.of_rules", **of), Message("cli.rules_caption", **of)
        yield tabled(title, ("rule", Message("cli.rule_times")), counted, caption=caption)
    links = [(key, document[key]) for key in LINKS] + sorted(document["ledger"].items(), key=lambda item: -item[1])
    yield tabled(Message("cli.of_links", links=document["known"]), ("fate", "links"), links)
    yield at_milestones("Measures at the milestones of the run", {"": document["milestones"]}, tuple(HEADINGS))
    findings = document.get("diagnosis", {}).get("findings", ())  # earlier versions stored none
    if findings:
        yield Line(Message("cli.diagnosis"), style="bold")
    for finding in findings:
        yield f"- {one_line(spoken(recalled(finding['text'], finding.get('message'))))}"


def of_revisit(run: str, found: Mapping[str, Any]) -> Table:
    """Return what the last revisit of a run found (`crawler.journal.visits.summary`)."""
    caption = Message("cli.revisit_caption")
    rows = [
        (name, ", ".join(f"{reason} {n}" for reason, n in value.items()) if isinstance(value, Mapping) else value)
        for name, value in {**found, "state": named("state", found["state"])}.items()
    ]
    return tabled(Message("cli.of_revisit", run=run), ("figure", "value"), rows, caption=caption)


def at_milestones(title: str, crawls: Mapping[str, Milestones], keys: Sequence[str] = SHORT) -> Table:
    """Return the measures of crawls at their milestones.

    Args:
        title: text above the table.
        crawls: name of each crawl -> ``milestones`` of ``crawl status --json``; the name of a single one may be empty.
        keys: the measures to show, keys of HEADINGS.
    """
    first = ("crawl",) if any(crawls) else ()
    rows = [
        (*((name,) if first else ()), *(measures[key] for key in keys))
        for name, milestones in crawls.items()
        for milestone, measures in milestones.items()
        if milestone != str(milestones["end"]["fetched"])  # the same as the end
    ]
    return tabled(title, (*first, *(HEADINGS[key] for key in keys)), rows, caption=Message("cli.measures_meaning"))


def of_runs(documents: Iterable[Mapping[str, Any]]) -> Table:
    """Return a table of runs from their documents of ``crawl status --json``; with their marks if any has some."""
    known = list(documents)
    marks = [key for key in ("tags", "note") if any(d.get(key) for d in known)]
    rows = [
        (d["run"], d["strategy"], *(d.get(key) for key in SHORT), d["stop_reason"] or named("state", d["state"]),
         *(d[key] if key == "note" else ", ".join(d[key]) for key in marks))
        for d in known
    ]  # fmt: skip
    columns = ("run", "strategy", *(HEADINGS[key] for key in SHORT), "stopped_by", *marks)
    optional = ("tags", "strategy", "relevant", "by_label", "AR", "SD", "note")
    return tabled("Runs", columns, rows, caption=Message("cli.measures_meaning"), optional=optional)


def of_superpositions(pairs: Iterable[Mapping[str, Any]]) -> Table:
    """Return the superposition ratios of pairs of runs, as returned by ``runs.superpositions``."""
    caption = Message("cli.superposition_caption")
    rows = [(*pair["runs"], pair["ratio"]) for pair in pairs]
    return tabled("Pages in common", ("run", "and_run", "superposition"), rows, caption=caption)
