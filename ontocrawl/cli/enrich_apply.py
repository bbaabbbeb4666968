"""`ontocrawl enrich`: apply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli.output import Folder, Json, note, print_json, print_part, progress, tabled, workspace

if TYPE_CHECKING:
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
    as_json: Json = False,
) -> None:
    """Apply what was decided about proposals: the next version of a topic's ontologies, in files and graph."""
    from ontocrawl.base.workspace import now
    from ontocrawl.cli.ontology import version_number
    from ontocrawl.enrichment import applying
    from ontocrawl.topics import topics
    from ontocrawl.versions import deciding

    space = workspace(folder, writes=not dry_run)
    options = applying.Options(deciding.person(who), now(), version_number(version), dry_run)
    with progress("applying", None) as (bar, task):
        outcome = applying.apply(
            space, topics.load(topic, space), options, lambda stage: bar.update(task, description=stage)
        )
    if as_json:
        print_json(outcome.as_json())
        return
    _show(outcome)


def _show(outcome: NextVersion) -> None:
    if not outcome.is_new:
        note(f"{outcome.topic}: nothing to apply; the version is {outcome.version}")
    else:
        rows = [(kind.replace("_", " "), count) for kind, count in outcome.changes.items() if kind != "header"]
        print_part(tabled(f"{outcome.topic} {outcome.version}, after {outcome.prior}", ("change", "number"), rows))
        said = "would come" if outcome.dry_run else "came"
        accepted, rejected = len(outcome.accepted), len(outcome.rejected)
        some = "1 accepted proposal" if accepted == 1 else f"{accepted} accepted proposals"
        note(f"{some} {said} into it; {rejected} {'was' if rejected == 1 else 'were'} rejected")
    if outcome.again:
        note("nothing was decided since the rollback: this is the version that it left")
    for reasons, what in ((outcome.idle, "does not apply"), (outcome.conflicts, "is contradicted")):
        for id_, reason in reasons.items():
            note(f"{id_} {what}: {reason}")
    for line in (*outcome.checks.notes, *outcome.notes):
        note(line)
    if outcome.checks.passed:
        note(f"checked, with no new problem: {', '.join(outcome.checks.passed)}")
    for path in outcome.files:
        note(f"written: {path}")
    if outcome.graph is not None:
        show_graph(outcome.graph)


def show_graph(found: InGraph) -> None:
    """Print what is new in the graph."""
    for report in found.loaded:
        note(f"in the graph: {report['ontology']}, {report['concepts']} concepts, {report['relations']} relations")
    rows = [(w["vector"], w["word"], _weight(w["old"]), _weight(w["new"])) for w in found.weights]
    if rows:
        more = len(rows) - _SHOWN
        caption = f"and {more} more (--json has all)" if more > 0 else ""
        print_part(tabled("Changed weights", ("vector", "word", "before", "now"), rows[:_SHOWN], caption=caption))
    if found.runs:
        note(f"offered the new weights: {', '.join(found.runs)}")


def _weight(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
