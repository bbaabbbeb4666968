"""What FILE|TOPIC stands for, the same in every command, and what is told of a foreign ontology's file.

A name without a suffix is a topic, and so is the path of a topic file (.toml); every other name is a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ontocrawl.cli.output import note
from ontocrawl.errors import UsageError
from ontology.model import Ontology

if TYPE_CHECKING:
    from ontocrawl import topics
    from ontocrawl.workspace import Workspace
    from ontology import owl

_SHOWN = 20
"""Reasons that are told of what a file has and our ontologies have no place for."""


def is_topic(given: str) -> bool:
    """Whether a FILE|TOPIC argument means a topic."""
    return Path(given).suffix.lower() in ("", ".toml")


def file(given: str, wanted: str = "an ontology file, or a topic by its name") -> Path:
    """An argument that means a file. Raises UsageError where there is none."""
    path = Path(given)
    if not path.is_file():
        raise UsageError(f"{given}: there is no such file; give {wanted}")
    return path


def ontologies(given: str, space: Workspace) -> Sequence[Ontology]:
    """The ontology of a file, ours or foreign, or those of a topic, the global one first: at least one.

    What a foreign file had beyond it is told. Raises UsageError for a file that there is not, an unknown topic, and a
    topic that names no ontology; OwlError for a file that cannot be read.
    """
    from ontology import owl

    if is_topic(given):
        return topic(given, space).ontologies
    loaded = owl.load(file(given))
    tell(given, loaded.report)
    return [loaded.ontology]


def files(given: str, space: Workspace) -> Iterator[tuple[Path, str]]:
    """The files of those ontologies, each with the name to show; a file is there until the next is asked for."""

    if not is_topic(given):
        yield file(given), given
        return
    yield from topic(given, space).ontology_files()


def tell(name: str, report: owl.Report, skipped: Mapping[str, int] | None = None) -> None:
    """On stderr, what was changed in reading a file and what of it was left out; ``skipped`` in place of its own."""
    for said in report.notes:
        note(f"{name}: {said}")
    if report.imports:
        note(f"{name}: {len(report.imports)} imports were cut, nothing was fetched: {', '.join(report.imports)}")
    reasons = report.skipped if skipped is None else skipped
    for reason, count in list(reasons.items())[:_SHOWN]:
        examples = report.examples.get(reason, ())
        note(f"{name}: left out: {count} x {reason}" + (f" ({', '.join(examples)})" if examples else ""))
    if len(reasons) > _SHOWN:
        more = list(reasons.values())[_SHOWN:]
        note(f"{name}: left out: {sum(more)} more, for {len(more)} other reasons; `ontology convert --json` has all")


def topic(given: str, space: Workspace) -> topics.Topic:
    """A topic that names ontologies. Raises UsageError for an unknown one, and for one that names none."""
    from ontocrawl import topics

    found = topics.load(given, space)
    if not found.file.ontologies:
        raise UsageError(f"topic {given} names no ontology; give an ontology file")
    return found
