"""What crawls propose for a topic, in files beside the verdicts: ``ontologies/TOPIC/proposals/CRAWL.jsonl``.

`enrich propose` writes a file with what it writes into the graph, so that a graph that is filled again has the same
proposals: pages and ontologies as they are now would propose others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ontocrawl.base.workspace import Workspace
from ontocrawl.topics.reviewed import ReviewedError
from ontology.enrichment import Proposal
from ontology.files import read_text, write_atomically

FOLDER = "proposals"


@dataclass(frozen=True)
class Proposed:
    """What a crawl proposes for a topic.

    Attributes:
        topic: name of the topic.
        crawl: id of the crawl.
        ontology: key of the ontology that was searched.
        proposals: the proposals, best first.
    """

    topic: str
    crawl: str
    ontology: str
    proposals: tuple[Proposal, ...]


def path_of(space: Workspace, topic_name: str, crawl: str) -> Path:
    """Return the file of what a crawl proposes for a topic."""
    return space.ontologies / topic_name / FOLDER / f"{crawl}.jsonl"


def files(space: Workspace, topic_name: str = "*", crawl: str = "*") -> list[Path]:
    """Return the files of what crawls propose, by topic and crawl; by default all."""
    return sorted(space.ontologies.glob(f"{topic_name}/{FOLDER}/{crawl}.jsonl"))


def with_ids(topic_name: str, proposals: Sequence[Proposal]) -> dict[str, Proposal]:
    """Return proposals for a topic by their ids, in their order; of two with one id the better one."""
    return dict(list({f"{topic_name}/{one.key}": one for one in reversed(proposals)}.items())[::-1])


def write(space: Workspace, topic_name: str, crawl: str, ontology: str, proposals: Sequence[Proposal]) -> None:
    """Write what a crawl proposes for a topic, in place of what it proposed before.

    Args:
        space: the workspace.
        topic_name: name of the topic.
        crawl: id of the crawl.
        ontology: key of the ontology that was searched.
        proposals: the proposals, best first.

    Raises:
        OSError: the file cannot be written.
    """
    rows = [{"ontology": ontology}, *(one.row for one in proposals)]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    write_atomically(path_of(space, topic_name, crawl), text.encode())


def read(space: Workspace, topic_name: str = "*", crawl: str = "*") -> Iterator[Proposed]:
    """Read what crawls propose, by topic and crawl.

    Args:
        space: the workspace.
        topic_name: name of the topic; by default all.
        crawl: id of the crawl; by default all.

    Raises:
        ReviewedError: a damaged file.
    """
    for path in files(space, topic_name, crawl):
        lines = read_text(path, ReviewedError).split("\n")[:-1]
        try:
            ontology = str(json.loads(lines[0])["ontology"])
        except (ValueError, LookupError, TypeError) as error:
            raise _damaged(path, 1) from error
        proposals = tuple(_proposal(line, path, number) for number, line in enumerate(lines[1:], 2))
        yield Proposed(path.parent.parent.name, path.stem, ontology, proposals)


def _proposal(line: str, path: Path, number: int) -> Proposal:
    try:
        return Proposal.of_row(json.loads(line))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise _damaged(path, number) from error


def _damaged(path: Path, number: int) -> ReviewedError:
    return ReviewedError("topics.line_no_proposal_writes", path=path, number=number, stem=path.stem)


def forget(space: Workspace, topic_name: str, ids: Iterable[str]) -> None:
    """Leave proposals out of the files of a topic, as they are removed from the graph.

    Args:
        space: the workspace.
        topic_name: name of the topic.
        ids: their ids, TOPIC/KEY.
    """
    gone = set(ids)
    for one in read(space, topic_name) if gone else ():
        left = [proposal for proposal in one.proposals if f"{topic_name}/{proposal.key}" not in gone]
        if len(left) < len(one.proposals):
            write(space, topic_name, one.crawl, one.ontology, left)
