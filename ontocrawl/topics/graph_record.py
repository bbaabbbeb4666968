"""What a workspace brought into its graph: ``ontologies/graph.jsonl``, by which a lost graph is filled again.

Runs are in their journals, and proposals in files of their topics. What else was loaded, only the graph would know:
topics with the versions of their ontologies, in their order, since a concept that is loaded later joins the node of an
earlier one; the weights that were stored; scored archives; and what was imported or typed, which no file brings back.

A line is written when the graph has what it names. Lines about the same thing count as one, in the place of the first.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from ontocrawl.base.workspace import Workspace, alone
from ontocrawl.errors import UsageError
from ontocrawl.topics import topics
from ontocrawl.topics.topics import Topic
from ontology.files import append_lines, read_text

FILE = "graph.jsonl"
_LONGEST = 500
"""Number of characters that are kept of a statement."""
What = Literal["topic", "file", "archive", "import", "statement", "removed"]


class RecordError(UsageError, ValueError):
    """A damaged record; the message has the line."""


@dataclass(frozen=True)
class Entry:
    """Something that was brought into the graph.

    Attributes:
        what: topic, file (of an ontology), archive, import (of a file of a graph), statement (that changed the graph),
            or removed.
        name: name of a topic or path of its file, of an archive too; path of a file; text of a statement.
        keys: keys of the ontologies in the graph; of an archive, the id of its crawl; of what was removed, either.
        versions: versions of the ontologies of a topic, in the order of its files.
        weights: kind of the weights that were stored: sem, key, sem_key, or "" for the default; None for none.
        mappings: paths of the files of mappings that were given; None for mappings found by names.
        whole: whether the papers and lattices of a topic were loaded too, as by `graph load`; a crawl loads neither.
        tables: folder of the tables of an archive.
        topic: name of the topic in the graph.
        when: date and time of an import or a statement, ISO 8601.
    """

    what: What
    name: str = ""
    keys: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    weights: str | None = None
    mappings: tuple[str, ...] | None = None
    whole: bool = False
    tables: str = ""
    topic: str = ""
    when: str = ""

    @property
    def comes_back(self) -> bool:
        """Whether commands bring it back from files of the workspace; an import and a statement are not repeated."""
        return self.what not in ("import", "statement")


def read(space: Workspace) -> tuple[Entry, ...]:
    """Return what was brought into the graph of a workspace and not removed, in its order.

    Raises:
        RecordError: a damaged line. A last line without its end is what a killed command left, and is left out.
    """
    path = space.ontologies / FILE
    if not path.exists():
        return ()
    found: dict[tuple[object, ...], Entry] = {}
    for number, line in enumerate(read_text(path, RecordError).split("\n")[:-1], 1):
        try:
            entry = _entry(json.loads(line))
        except (ValueError, TypeError, AttributeError) as error:
            raise RecordError("topics.line_no_line_record", path=path, number=number, error=error) from error
        if entry.what == "removed":
            found = {key: rest for key, one in found.items() if (rest := _without(one, set(entry.keys))) is not None}
            continue
        found[_about(entry)] = _joined(found.get(_about(entry)), entry)
    return tuple(found.values())


def _about(entry: Entry) -> tuple[object, ...]:
    return entry.what, entry.name, entry.keys, entry.when


def _joined(before: Entry | None, entry: Entry) -> Entry:
    """Return what two lines about the same thing say: weights and mappings stay until others are given."""
    if before is None:
        return entry
    weights = before.weights if entry.weights is None else entry.weights
    mappings = before.mappings if entry.mappings is None else entry.mappings
    return replace(entry, weights=weights, mappings=mappings, whole=before.whole or entry.whole)


def _entry(row: dict[str, Any]) -> Entry:
    known = {field.name for field in fields(Entry)}
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items() if k in known}
    return Entry(**values)


def _without(entry: Entry, gone: set[str]) -> Entry | None:
    """Return an entry without what was removed; None if nothing is left."""
    if not entry.keys:
        return entry
    left = tuple(key for key in entry.keys if key not in gone)
    return replace(entry, keys=left) if left else None


def note(space: Workspace, *entries: Entry) -> None:
    """Note what the graph has now, unless it is noted. Without a workspace there is no record.

    Raises:
        RecordError: the record is damaged.
        OSError: it cannot be written.
        CommandError: another command writes it for half a minute.
    """
    if not space.root.is_dir():
        return
    with alone(space.ontologies / FILE):
        known, new = {_about(one): one for one in read(space)}, []
        for one in entries:
            joined = _joined(known.get(_about(one)), one)
            if joined != known.get(_about(one)):
                known[_about(one)] = joined
                new.append(one)
        if new:
            append_lines(space.ontologies / FILE, [_line(one) for one in new])


def _line(entry: Entry) -> str:
    return json.dumps(
        {k: v for k, v in asdict(entry).items() if v or (k == "weights" and v is not None)}, ensure_ascii=False
    )


def of_topic(
    topic: Topic, weights: str | None = None, mappings: Iterable[Path] | None = None, *, whole: bool = False
) -> Entry:  # fmt: skip
    """Return the entry of a topic, as its ontologies are.

    Args:
        topic: the topic.
        weights: kind of the weights that were stored; None for none.
        mappings: files of mappings that were given; None for mappings found by names.
        whole: whether papers and lattices were loaded too.
    """
    space = topic.workspace
    return Entry(
        "topic",
        topic.name if topic.path is None else space.relative(topic.path),
        tuple(ontology.key for ontology in topic.ontologies),
        tuple(dict.fromkeys(source.ontology.version for source in topic.sources)),
        weights,
        None if mappings is None else tuple(space.relative(path) for path in mappings),
        whole,
        topic=topic.name,
    )


def of_archive(topic: Topic, crawl: str, tables: Path) -> Entry:
    """Return the entry of a scored archive.

    Args:
        topic: its topic.
        crawl: id of the crawl that it is in the graph.
        tables: folder of its tables.
    """
    return Entry("archive", of_topic(topic).name, (crawl,), tables=topic.workspace.relative(tables), topic=topic.name)


def of_file(
    space: Workspace, what: What, path: Path, keys: Iterable[str] = (), mappings: Iterable[Path] | None = None,
    when: str = "",
) -> Entry:  # fmt: skip
    """Return the entry of a file that was loaded or imported.

    Args:
        space: the workspace.
        what: "file" for ontologies, "import" for a graph.
        path: the file.
        keys: keys of its ontologies.
        mappings: files of mappings that were given; None for mappings found by names.
        when: date and time of an import, ISO 8601.
    """
    given = None if mappings is None else tuple(space.relative(one) for one in mappings)
    return Entry(what, space.relative(path), tuple(keys), mappings=given, when=when)


def of_statement(statement: str, when: str) -> Entry:
    """Return the entry of a statement that changed the graph; a long one is cut."""
    text = " ".join(statement.split())
    return Entry("statement", text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..", when=when)


def typed(space: Workspace, topic: str) -> str:
    """Return how a command names a topic of the record: by its name where it has one, else by the path of its file."""
    if not topic.endswith(".toml"):
        return topic
    path = (space.root / topic).resolve()
    places = topics.available(space).items()
    return next(
        (name for name, place in places if place.endswith(".toml") and Path(place).resolve() == path), str(path)
    )
