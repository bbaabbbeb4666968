"""`ontocrawl enrich`: apply."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli.output import (
    Answer,
    Folder,
    in_workspace,
    named,
    progress,
    quoted,
    spoken,
    stages,
    tabled,
    workspace,
)
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.cli.output import Part
    from ontocrawl.enrichment.applying import InGraph, NextVersion

TopicName = Annotated[
    str, typer.Option("--topic", help="Name of the topic, or its file, such as storms/rainstorm.toml.")
]
Who = Annotated[str, typer.Option(help="Name of the person; by default the login name.")]
_SHOWN = 20
"""Number of words whose weights are shown."""


def apply(
    topic: TopicName,
    who: Who = "",
    version: Annotated[
        str, typer.Option(help="Number of the version, such as 1.2.0; by default the one after the latest.")
    ] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check everything, and write nothing.")] = False,
    folder: Folder = None,
) -> Answer:
    """Apply what was decided about proposals: the next version of a topic's ontologies, in files and graph."""
    from ontocrawl.base.workspace import now
    from ontocrawl.cli.ontology import version_number
    from ontocrawl.enrichment import applying, next_command
    from ontocrawl.topics import topics
    from ontocrawl.versions import deciding

    space = workspace(folder, writes=not dry_run)
    options = applying.Options(deciding.person(who), now(), version_number(version), dry_run)
    with progress(Message("cli.doing_apply"), None) as (bar, task):
        loaded = topics.load(topic, space)
        outcome = applying.apply(space, loaded, options, stages(bar, task))
    crawl = next_command.crawl_again(space, loaded, topic)
    again = quoted("ontocrawl", "enrich", "apply", "--topic", topic) if dry_run else crawl
    goes_on = in_workspace(again, space) if outcome.is_new else ""
    shown = [*_changes(outcome), *weights_of(outcome.graph)]
    return Answer(outcome.as_json(), shown, [*_notes(outcome)], next=goes_on)


def _changes(outcome: NextVersion) -> Iterator[Part]:
    if outcome.is_new:
        changes = ((named("change", kind.replace("_", " ")), count) for kind, count in outcome.changes.items())
        versions = {name: getattr(outcome, name) for name in ("topic", "version", "prior")}
        rows = [change for change in changes if change[0] != "header"]
        yield tabled(Message("enrichment.of_version", **versions), ("change", "number"), rows)


def _notes(outcome: NextVersion) -> Iterator[str]:
    if not outcome.is_new:
        yield Message("enrichment.nothing_to_apply", topic=outcome.topic, version=outcome.version)
    elif outcome.accepted or outcome.rejected:  # decisions of `ontology decide` are in the table of changes alone
        code = "enrichment.would_apply" if outcome.dry_run else "enrichment.applied"
        yield Message(code, accepted=len(outcome.accepted), rejected=len(outcome.rejected))
    if outcome.again:
        yield Message("enrichment.applied_again")
    of_code = (
        ("enrichment.decision_idle", outcome.idle), ("enrichment.decision_contradicted", outcome.conflicts)
    )  # fmt: skip
    for code, reasons in of_code:
        yield from (Message(code, id=id_, reason=reason) for id_, reason in reasons.items())
    yield from (*outcome.checks.notes, *outcome.notes)
    if outcome.checks.passed:
        yield Message(
            "enrichment.checks_passed", checks=", ".join(spoken(named("check", one)) for one in outcome.checks.passed)
        )
    yield from (Message("cli.written", path=path) for path in outcome.files)
    yield from loaded_in(outcome.graph)


def loaded_in(found: InGraph | None) -> Iterator[str]:
    """Yield a note on each ontology that is new in the graph, and on the runs that may take new weights."""
    for report in () if found is None else found.loaded:
        counts = {name: report[name] for name in ("ontology", "concepts", "relations")}
        yield Message("cli.ontology_in_graph", **counts)
    if found is not None and found.runs:
        yield Message("cli.weights_offered", runs=", ".join(found.runs))


def weights_of(found: InGraph | None) -> Iterator[Part]:
    """Yield the table of the weights that changed in the graph, if any did."""
    rows = [(w["vector"], w["word"], _weight(w["old"]), _weight(w["new"])) for w in (found.weights if found else ())]
    if rows:
        more = len(rows) - _SHOWN
        caption = Message("cli.more_in_json", more=more) if more > 0 else ""
        yield tabled("Changed weights", ("vector", "word", "before", "now"), rows[:_SHOWN], caption=caption)


def _weight(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
