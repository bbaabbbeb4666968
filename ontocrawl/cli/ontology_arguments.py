"""Resolve FILE|TOPIC arguments, and print notes on foreign ontology files.

A name without a suffix, the path of a topic file (.toml), and the folder of a build mean a topic; every other name is
an ontology file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ontocrawl.cli.output import note
from ontocrawl.errors import UsageError
from ontology.errors import Message
from ontology.model import Ontology

if TYPE_CHECKING:
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.topics import topics
    from ontology import owl

_SHOWN = 20
"""Maximum number of reasons printed for content of a file that was left out."""


def is_topic(given: str) -> bool:
    """Return whether a FILE|TOPIC argument means a topic.

    >>> is_topic("rainstorm"), is_topic("my/storms.toml"), is_topic("storms.ttl")
    (True, True, False)
    """
    return Path(given).suffix.lower() in ("", ".toml") or Path(given).is_dir()


def file(given: str, expected: str = "an ontology file, or a topic by its name") -> Path:
    """Return the path of an argument that means a file.

    Args:
        given: the argument.
        expected: what the argument can be, for the error message.

    Returns:
        The path of an existing file.

    Raises:
        UsageError: there is no such file.
    """
    path = Path(given)
    if not path.is_file():
        raise UsageError("cli.no_such_file_give", given=given, expected=expected)
    return path


def ontologies(given: str, space: Workspace) -> Sequence[Ontology]:
    """Load the ontology of a file, or those of a topic.

    Notes are printed on content of a foreign file that is left out.

    Args:
        given: the FILE|TOPIC argument.
        space: the workspace.

    Returns:
        At least one ontology, the global one of a topic first.

    Raises:
        UsageError: a missing file, an unknown topic, or a topic without ontologies.
        OwlError: the file cannot be read.
    """
    from ontology import owl

    if is_topic(given):
        return topic(given, space).ontologies
    loaded = owl.load(file(given))
    note_report(given, loaded.report)
    return [loaded.ontology]


def files(given: str, space: Workspace) -> Iterator[tuple[Path, str]]:
    """Iterate over the files of the ontologies of a FILE|TOPIC argument.

    Args:
        given: the FILE|TOPIC argument.
        space: the workspace.

    Yields:
        Path and display name; a path is valid until the next iteration.
    """
    if not is_topic(given):
        yield file(given), given
        return
    yield from topic(given, space).ontology_files()


def note_report(
    name: str, report: owl.Report, skipped: Mapping[str, int] | None = None,
    examples: Mapping[str, tuple[str, ...]] | None = None,
) -> None:  # fmt: skip
    """Print notes on a file that was read: changes, imports, and content that was left out.

    Args:
        name: name of the file.
        report: the report of reading it.
        skipped: reason -> number of statements left out; by default that of the report.
        examples: reason -> some of what it concerns; by default that of the report.
    """
    for line in report.notes:
        note(Message("files.about", about=name, error=line))
    if report.imports:
        imports = ", ".join(report.imports)
        note(Message("cli.imports_ignored", name=name, n=len(report.imports), imports=imports))
    reasons = report.skipped if skipped is None else skipped
    for reason, count in list(reasons.items())[:_SHOWN]:
        shown = (report.examples if examples is None else examples).get(reason, ())
        such = f" ({', '.join(shown)})" if shown else ""
        note(Message("cli.statements_left_out", name=name, count=count, reason=reason, such=such))
    if len(reasons) > _SHOWN:
        more = list(reasons.values())[_SHOWN:]
        note(Message("cli.statements_left_out_more", name=name, more=sum(more), reasons=len(more)))


def topic(given: str, space: Workspace) -> topics.Topic:
    """Load a topic that has ontologies. Raises UsageError for an unknown topic, or one without ontologies."""
    from ontocrawl.topics import topics

    if Path(given).is_dir():
        from ontocrawl.versions import histories

        name = histories.place_of(given, space).topic
        given = str(Path(given, f"{name}.toml")) if name else given
    loaded = topics.load(given, space)
    if not loaded.file.ontologies:
        raise UsageError("versions.topic_no_ontology_file", given=given)
    return loaded
