"""Spreadsheets with verdicts into the decisions of a topic: all of them, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import exchange, merging, proposals, reviewing
from ontocrawl.enrichment.classes import Hierarchy
from ontocrawl.enrichment.decided_classes import DecidedClasses
from ontocrawl.enrichment.exchange_reading import Sheet, read
from ontocrawl.enrichment.merging import Merged
from ontocrawl.enrichment.verdict_checks import VerdictError
from ontocrawl.enrichment.wording import ENGLISH
from ontocrawl.topics import reviewed
from ontocrawl.topics.reviewed import Reviewed
from ontocrawl.topics.topics import Topic
from ontocrawl.versions import deciding
from ontology.decisions import table
from ontology.enrichment import Verdict


@dataclass(frozen=True)
class Imported:
    """What came of an import.

    Attributes:
        merged: the verdicts, and the disagreements.
        left_open: number of proposals without a verdict in any of the files.
    """

    merged: Merged
    left_open: int


def classes_of(space: Workspace, topic: Topic) -> DecidedClasses:
    """Return the classes of a topic as they are decided now."""
    return DecidedClasses(topic, table.numbered(table.read(deciding.of_workspace(space, topic.name))))


def export(
    space: Workspace, graph: GraphStore, topic: Topic, path: Path, *, run: str = "", kind: str = "", status: str = ""
) -> int:
    """Write proposals to a spreadsheet.

    Args:
        space: the workspace.
        graph: the open graph.
        topic: the topic.
        path: the file, .xlsx or .tsv.
        run: only proposals of this run; empty for all.
        kind: only proposals of this kind; empty for all.
        status: only proposals of this status; empty for all.

    Returns:
        The number of proposals.

    Raises:
        ExchangeError: another suffix.
        MissingExtra: a workbook, and openpyxl is not installed.
        OSError: the file cannot be written.
    """
    found = proposals.find(space, graph, topic.name, status=status, run=run, kind=kind)
    standing = reviewed.read_verdicts(space, topic.name).standing
    exchange.write(path, exchange.rows(found, standing, classes_of(space, topic)))
    return len(found)


def import_files(
    space: Workspace,
    graph: GraphStore,
    topic: Topic,
    paths: Sequence[Path],
    *,
    who: str,
    when: str,
    replaces: bool = False,
    disagreements: Path | None = None,
) -> Imported:
    """Take the verdicts of spreadsheets on which they agree.

    Args:
        space: the workspace.
        graph: the open graph.
        topic: the topic.
        paths: the files, one for each reviewer.
        who: name of the reviewer for rows without one; empty for the login name, of several files their names.
        when: date and time, ISO 8601.
        replaces: whether a verdict replaces another one of before; otherwise that is a disagreement.
        disagreements: file to which the proposals are written about which the files differ; None for none.

    Returns:
        What was taken, and what not.

    Raises:
        ExchangeError, CorpusError: a file that cannot be read, or rows that cannot be taken; nothing is written.
        VerdictError: a verdict that cannot be carried out; nothing is written.
        OSError: a file cannot be written.
    """
    hierarchy = Hierarchy(classes_of(space, topic))
    known = {one.id: one for one in proposals.find(space, graph, topic.name, status="")}
    names = [who or (path.stem if len(paths) > 1 else deciding.person()) for path in paths]
    sheets = [read(path, known, hierarchy, who=name) for path, name in zip(paths, names, strict=True)]
    standing = reviewed.read_verdicts(space, topic.name).standing
    before = {id_: replace(one, verdict=_resolved(one, hierarchy)) for id_, one in standing.items()}
    result = merging.merged(sheets, before, replace=replaces)
    if disagreements is not None and result.disagreements:
        exchange.write(disagreements, _rows(result, hierarchy), more=(exchange.SAID,))
    _take(space, graph, topic, result, when)
    return Imported(result, _left_open(sheets))


def _left_open(sheets: Sequence[Sheet]) -> int:
    judged = {one.suggestion.id for sheet in sheets for one in sheet.judged}
    return len({id_ for sheet in sheets for id_ in sheet.left_open} - judged)


def _take(space: Workspace, graph: GraphStore, topic: Topic, result: Merged, when: str) -> None:
    taken = merging.in_order(result.agreed)
    places = {one.suggestion.id: one.place for one in taken}
    try:
        reviewing.decide_all(
            space, topic, [(one.suggestion, one.verdict) for one in taken], who="", when=when, graph=graph,
            signed={one.suggestion.id: (one.who, one.why) for one in taken},
        )  # fmt: skip
    except VerdictError as error:
        raise VerdictError(f"{places.get(error.about, '')}: nothing was imported: ", error) from error


def _resolved(one: Reviewed, hierarchy: Hierarchy) -> Verdict:
    """Return a verdict with the present label of the class that it names."""
    found = hierarchy.find(one.verdict.value) if one.verdict.action in ("move", "merge") else None
    return Verdict(one.verdict.action, found.label) if found else one.verdict


def _rows(result: Merged, hierarchy: Hierarchy) -> list[dict[str, str | float]]:
    """Return the rows of the proposals about which files differ, with what each said."""
    listed = exchange.rows([judged[0].suggestion for judged in result.disagreements], {}, hierarchy.classes)
    for row, judged in zip(listed, result.disagreements, strict=True):
        said = (f"{one.who}: {ENGLISH.verdict(one.verdict.action, one.verdict.value)}" for one in judged)
        row[exchange.SAID] = "; ".join(said)
    return listed
