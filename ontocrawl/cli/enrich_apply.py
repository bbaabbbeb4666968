"""`ontocrawl enrich`: apply."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli.output import Answer, Folder, progress, tabled, workspace

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
    from ontocrawl.enrichment import applying
    from ontocrawl.topics import topics
    from ontocrawl.versions import deciding

    space = workspace(folder, writes=not dry_run)
    options = applying.Options(deciding.person(who), now(), version_number(version), dry_run)
    with progress("applying", None) as (bar, task):
        outcome = applying.apply(
            space, topics.load(topic, space), options, lambda stage: bar.update(task, description=stage)
        )
    return Answer(outcome.as_json(), [*_changes(outcome), *weights_of(outcome.graph)], [*_notes(outcome)])


def _changes(outcome: NextVersion) -> Iterator[Part]:
    if outcome.is_new:
        rows = [(kind.replace("_", " "), count) for kind, count in outcome.changes.items() if kind != "header"]
        yield tabled(f"{outcome.topic} {outcome.version}, after {outcome.prior}", ("change", "number"), rows)


def _notes(outcome: NextVersion) -> Iterator[str]:
    if not outcome.is_new:
        yield f"{outcome.topic}: nothing to apply; the version is {outcome.version}"
    else:
        said = "would come" if outcome.dry_run else "came"
        accepted, rejected = len(outcome.accepted), len(outcome.rejected)
        some = "1 accepted proposal" if accepted == 1 else f"{accepted} accepted proposals"
        yield f"{some} {said} into it; {rejected} {'was' if rejected == 1 else 'were'} rejected"
    if outcome.again:
        yield "nothing was decided since the rollback: this is the version that it left"
    for reasons, what in ((outcome.idle, "does not apply"), (outcome.conflicts, "is contradicted")):
        yield from (f"{id_} {what}: {reason}" for id_, reason in reasons.items())
    yield from (*outcome.checks.notes, *outcome.notes)
    if outcome.checks.passed:
        yield f"checked, with no new problem: {', '.join(outcome.checks.passed)}"
    yield from (f"written: {path}" for path in outcome.files)
    yield from loaded_in(outcome.graph)


def loaded_in(found: InGraph | None) -> Iterator[str]:
    """Yield a note on each ontology that is new in the graph, and on the runs that may take new weights."""
    for report in () if found is None else found.loaded:
        yield f"in the graph: {report['ontology']}, {report['concepts']} concepts, {report['relations']} relations"
    if found is not None and found.runs:
        yield f"offered the new weights: {', '.join(found.runs)}"


def weights_of(found: InGraph | None) -> Iterator[Part]:
    """Yield the table of the weights that changed in the graph, if any did."""
    rows = [(w["vector"], w["word"], _weight(w["old"]), _weight(w["new"])) for w in (found.weights if found else ())]
    if rows:
        more = len(rows) - _SHOWN
        caption = f"and {more} more (--json has all)" if more > 0 else ""
        yield tabled("Changed weights", ("vector", "word", "before", "now"), rows[:_SHOWN], caption=caption)


def _weight(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
