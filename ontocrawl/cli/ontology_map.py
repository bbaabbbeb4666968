"""`ontocrawl ontology map`, and the table of mappings that `ontology build --skeleton` shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli.arguments import Field, Lexicons
from ontocrawl.cli.output import Folder, Json, note, print_json, progress, table, workspace

if TYPE_CHECKING:
    from ontology.mapping import TermMapping

_SHOWN = 20


def map_(
    source: Annotated[
        str, typer.Argument(metavar="DIR|FILE|TOPIC", help="Folder of a build, an ontology file, or a topic.")
    ],
    to: Annotated[str, typer.Option(metavar="DIR|FILE|TOPIC", help="The ontology to map to: any OWL, SKOS or OBO.")],
    out: Annotated[Path | None, typer.Option(help="SSSOM file to write, such as mappings.sssom.tsv.")] = None,
    field: Field = None,
    lexicon: Lexicons = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Map the concepts of an ontology to those of another by label, synonym and head; write an SSSOM file.

    Chinese and English names are compared through the lexicon of the topic's field, and your own.
    """
    from ontocrawl.versions import mapping
    from ontology.terms.lexicon import choose

    space = workspace(folder)
    with progress("mapping", None) as (bar, task):
        bar.update(task, description=f"reading {source}")
        ontology = mapping.ontology_of(source, space)
        bar.update(task, description=f"reading {to}")
        other = mapping.ontology_of(to, space)
        bar.update(task, description=f"mapping {len(ontology.concepts)} concepts to {len(other.concepts)}")
        used = field if field is not None else mapping.field_of(ontology, space) or mapping.field_of(other, space)
        mapped = mapping.map_to(ontology, other, choose(lexicon or (), field=used))
        if out is not None:
            mapping.write(mapped.mappings, out)
    rows = mapped.mappings.mappings
    if as_json:
        print_json(
            {
                "concepts": mapped.concepts,
                "mapped": mapped.mapped,
                "counts": [_count(key, n) for key, n in mapped.mappings.counts().items()],
                "mappings": [asdict(row) for row in rows],
                "file": None if out is None else str(out),
            }
        )
        return
    shown = [
        (row.subject_label, row.predicate, row.object_label, row.comment, row.match_string, row.confidence)
        for row in rows[:_SHOWN]
    ]
    table("Mappings", ("subject", "predicate", "object", "by", "name", "confidence"), shown)
    if len(rows) > _SHOWN:
        note(f"{len(rows) - _SHOWN} more are in the file" if out else f"{len(rows) - _SHOWN} more: --out FILE, --json")
    show_counts(rows, f"{mapped.mapped} of {mapped.concepts} concepts have a mapping")
    if out is not None:
        note(f"written: {out}")


def _count(key: tuple[str, str, str], number: int) -> dict[str, str | int]:
    predicate, justification, reason = key
    return {"predicate": predicate, "justification": justification, "by": reason, "mappings": number}


def show_counts(rows: Iterable[TermMapping], title: str) -> None:
    """Print the numbers of mappings by predicate, justification and reason.

    Args:
        rows: the mappings.
        title: title of the table.
    """
    from ontology.mapping import MappingSet

    counts = MappingSet(tuple(rows)).counts()
    table(title, ("predicate", "justification", "by", "mappings"), [(*key, n) for key, n in counts.items()])
