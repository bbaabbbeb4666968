"""`ontocrawl ontology map`, and the table of mappings that `ontology build --skeleton` shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.base.options import TermSettings
from ontocrawl.cli.crawl_options import filled, with_options
from ontocrawl.cli.output import Answer, Folder, progress, spoken, tabled, workspace
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.graph.tables import Table
    from ontology.mapping import TermMapping

_SHOWN = 20


@with_options(TermSettings, "field", "lexicons", defaults=True)
def map_(
    source: Annotated[
        str, typer.Argument(metavar="DIR|FILE|TOPIC", help="Folder of a build, an ontology file, or a topic.")
    ],
    to: Annotated[str, typer.Option(metavar="DIR|FILE|TOPIC", help="The ontology to map to: any OWL, SKOS or OBO.")],
    out: Annotated[Path | None, typer.Option(help="SSSOM file to write, such as mappings.sssom.tsv.")] = None,
    folder: Folder = None,
    **options: Any,
) -> Answer:
    """Map the concepts of an ontology to those of another by label, synonym and head; write an SSSOM file.

    Chinese and English names are compared through the lexicon of the topic's field, and your own.
    """
    from ontocrawl.versions import mapping
    from ontology.terms.lexicon import choose

    space = workspace(folder)
    with progress(Message("cli.doing_map"), None) as (bar, task):
        bar.update(task, description=spoken(Message("versions.stage_reading", file=source)))
        ontology = mapping.ontology_of(source, space)
        bar.update(task, description=spoken(Message("versions.stage_reading", file=to)))
        other = mapping.ontology_of(to, space)
        sizes = {"concepts": len(ontology.concepts), "others": len(other.concepts)}
        bar.update(task, description=spoken(Message("cli.doing_map_to", **sizes)))
        given = filled(TermSettings, options)
        used = (
            given.field
            if given.field is not None
            else mapping.field_of(ontology, space) or mapping.field_of(other, space)
        )
        mapped = mapping.map_to(ontology, other, choose(given.lexicons, field=used))
        if out is not None:
            mapping.write(mapped.mappings, out)
    rows = mapped.mappings.mappings
    shown = [
        (row.subject_label, row.predicate, row.object_label, row.comment, row.match_string, row.confidence)
        for row in rows[:_SHOWN]
    ]
    notes = [] if out is None else [Message("cli.written", path=out)]
    if len(rows) > _SHOWN:
        code = "cli.more_in_file" if out else "cli.more_without_file"
        notes.insert(0, Message(code, more=len(rows) - _SHOWN))
    return Answer(
        {
            "concepts": mapped.concepts,
            "mapped": mapped.mapped,
            "counts": [_count(key, n) for key, n in mapped.mappings.counts().items()],
            "mappings": [asdict(row) for row in rows],
            "file": None if out is None else str(out),
        },
        [
            tabled("Mappings", ("subject", "predicate", "object", "by", "name", "confidence"), shown),
            counts(rows, Message("ontology.of_mapped", n=mapped.mapped, of=mapped.concepts)),
        ],
        notes,
    )


def _count(key: tuple[str, str, str], number: int) -> dict[str, str | int]:
    predicate, justification, reason = key
    return {"predicate": predicate, "justification": justification, "by": reason, "mappings": number}


def counts(rows: Iterable[TermMapping], title: str) -> Table:
    """Return the numbers of mappings by predicate, justification and reason.

    Args:
        rows: the mappings.
        title: title of the table.
    """
    from ontology.mapping import MappingSet

    numbers = MappingSet(tuple(rows)).counts()
    return tabled(title, ("predicate", "justification", "by", "mappings"), [(*key, n) for key, n in numbers.items()])
