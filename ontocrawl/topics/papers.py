"""The papers of a learned ontology, as a file beside it: bibliographic data, abstracts, and the terms in each paper.

JSON lines. The first line names the ontology version: ``{"ontology": KEY, "papers": N}``; each further line is a paper:
``{"id", "title", "year", "source", "doi", "abstract", "title_en", "abstract_en", "terms": {TERM: OCCURRENCES}}``; empty
texts are left out. `ontology build` writes the file; loaded into the graph, it has the counts for the weights by key
and the sentences that name the concepts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from kg.load import forget_papers
from kg.papers import load_documents, papers_digest
from kg.store import GraphStore, retried
from ontocrawl.errors import UsageError
from ontology.errors import Message
from ontology.files import read_text, write_atomically
from ontology.model import Document, Ontology
from ontology.terms.form_matcher import in_simplified
from ontology.terms.occurrences import term_counts
from ontology.terms.wordforms import fold

_TEXTS = ("abstract", "title_en", "abstract_en")


class PapersError(UsageError, ValueError):
    """An invalid file of papers; the message has the line."""


@dataclass(frozen=True)
class Papers:
    """Papers and the terms in them."""

    ontology: str
    """Key of the ontology version learned from the papers."""
    documents: tuple[Document, ...]
    terms: Mapping[str, Mapping[str, int]]
    """Id of a paper -> term -> number of occurrences."""

    @cached_property
    def with_term(self) -> Mapping[str, Collection[str]]:
        """Term -> ids of the papers that have it."""
        found: dict[str, list[str]] = {}
        for paper, counts in self.terms.items():
            for term in counts:
                found.setdefault(term, []).append(paper)
        return found


def path_beside(file: Path, ontology: Ontology) -> Path:
    """Return the path of the papers of a learned ontology, in the folder of the ontology's file."""
    return file.parent / f"{ontology.topic}.papers.jsonl"


def write(papers: Papers, path: Path) -> None:
    """Write papers to a file, atomically."""
    rows = list[Mapping[str, Any]]()
    for d in papers.documents:
        terms = dict(sorted(papers.terms.get(d.id, {}).items()))
        texts = {name: text for name in _TEXTS if (text := getattr(d, name))}
        record = {"id": d.id, "title": d.title, "year": d.year, "source": d.source, "doi": d.doi}
        rows.append({**record, **texts, "terms": terms})
    write_atomically(path, _content({"ontology": papers.ontology, "papers": len(papers.documents)}, *rows))


def _content(*lines: Mapping[str, Any]) -> bytes:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def of_version(content: bytes, ontology: str, names: Collection[str]) -> bytes:
    """Return a file of papers as that of another version of their ontology.

    Args:
        content: content of the file.
        ontology: key of the version.
        names: names of classes that may have come into it since the papers were read: those that are no term of the
            file are counted, as `ontology build` counts terms, but without the synonyms of its lexicon.
    """
    head, *rows = map(json.loads, content.splitlines())
    known = {term for row in rows for term in row["terms"]}
    if fresh := [name for name in names if name not in known]:
        counts = term_counts([_document(row) for row in rows], [*known, *fresh])
        for row, count in zip(rows, counts, strict=True):
            found = {name: count[name] for name in fresh if count[name]}
            row["terms"] = dict(sorted({**found, **row["terms"]}.items()))
    return _content(head | {"ontology": ontology}, *rows)


def read(path: Path) -> Papers:
    """Read a file that `write` wrote.

    Raises:
        PapersError: the file is missing or invalid; the message has the line.
    """
    documents, terms = [], {}
    key, expected = "", 0
    for number, line in enumerate(_lines(path), 1):
        try:
            row = json.loads(line)
            if number == 1:
                key, expected = row["ontology"], row["papers"]
                continue
            documents.append(_document(row))
            terms[row["id"]] = {str(term): int(count) for term, count in row["terms"].items()}
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise PapersError("topics.line_no_paper_writes", path=path, number=number, error=repr(error)) from error
    if not len(terms) == len(documents) == expected:
        raise PapersError("topics.papers_announced_found_build", path=path, expected=expected, n_terms=len(terms))
    return Papers(key, tuple(documents), terms)


def without(path: Path, name: str) -> int:
    """Return the number of papers of a file that `write` wrote if none of them has a name, 0 if one has it."""
    wanted = fold(name)
    _, *lines = _lines(path)
    return 0 if any(wanted in fold(line) for line in lines) else len(lines)


def _lines(path: Path) -> list[str]:
    # only \n ends a line of JSON: a text may contain other characters at which str.splitlines splits
    return read_text(path, PapersError).removesuffix("\n").split("\n")


def _document(row: Mapping[str, Any]) -> Document:
    record: dict[str, Any] = {name: row[name] for name in ("id", "title", "source", "year", "doi")}
    return Document(**record | {name: _text(row, name) for name in _TEXTS})


def _text(row: Mapping[str, Any], name: str) -> str:
    text = row.get(name, "")
    if not isinstance(text, str):
        raise TypeError(f"{name} is no text")
    return text


def joined(parts: Sequence[Papers], ontology: str) -> Papers:
    """Join the papers of several ontologies.

    Args:
        parts: the papers of each ontology.
        ontology: key of the joined ontology.

    Returns:
        All papers. A paper of several parts has the terms of all; the larger number of occurrences counts.
    """
    documents = {d.id: d for part in reversed(parts) for d in part.documents}
    terms: dict[str, dict[str, int]] = {}
    for part in parts:
        for paper, counts in part.terms.items():
            joint = terms.setdefault(paper, {})
            joint.update({term: max(n, joint.get(term, 0)) for term, n in counts.items()})
    return Papers(ontology, tuple(documents.values()), terms)


def load(graph: GraphStore, papers: Papers, on_stage: Callable[[str], None] = lambda line: None) -> bool:
    """Write papers into the graph unless it has them; other papers of the same ontology are replaced.

    Args:
        graph: an open graph, in which the ontology is loaded.
        papers: the papers of that ontology.
        on_stage: called with a message before papers are written.

    Returns:
        Whether the graph was changed.
    """
    content = (papers.documents, papers.terms)
    # papers that an older ontocrawl wrote without their simplified forms are written again
    parts = content if in_simplified(content) is content else (*content, "folded")
    digest = blake2b(repr(parts).encode(), digest_size=16).hexdigest()
    if papers_digest(graph, papers.ontology) == digest:
        return False
    on_stage(Message("topics.stage_papers", papers=len(papers.documents)))
    retried(lambda: _write(graph, papers, digest))
    return True


def _write(graph: GraphStore, papers: Papers, digest: str) -> None:
    with graph.transaction() as transaction:
        forget_papers(transaction, papers.ontology)
    load_documents(graph, papers.documents, lambda d: papers.terms[d.id], ontology=papers.ontology, digest=digest)
