"""How a page becomes rows of the journal, and is read back."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from crawler.model import SLOTS, Counts, DocumentFacts, OutLink, Rendering
from crawler.pages.page import Divisions, PageRecord
from crawler.pages.ways import ANCHOR
from crawler.pages.words import WordTotals

_NO_LINKS: Mapping[Any, Any] = {}


@dataclass(frozen=True)
class PageJudgement:
    """The judge's decision about a page, and the id, reason code and anchor relevance of each out-link."""

    relevance: float | None
    relevant: bool | None
    targets: Mapping[str, int]
    reasons: Mapping[int, str]
    """Link -> reason code, also of links that are not the page's own and whose scope it changed."""
    anchor_relevance: Mapping[int, float]
    about: Mapping[str, Any] = field(default_factory=dict)
    """What else the event of the page holds, as JSON values."""


def link_rows(seq: int, page: int, record: PageRecord, judgement: PageJudgement | None) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of the links of a page, in page order.

    Args:
        seq: number of the event.
        page: id of the page.
        record: the page.
        judgement: decisions about the page; None for a page that was read ahead.
    """
    target_of = judgement.targets.get if judgement else _NO_LINKS.get
    reason_of = judgement.reasons.get if judgement else _NO_LINKS.get
    relevance_of = judgement.anchor_relevance.get if judgement else _NO_LINKS.get
    for position, link in enumerate(record.page.links):
        target = target_of(link.url)
        reason, R = (None, None) if target is None else (reason_of(target), relevance_of(target))
        yield seq, position, page, link.url, target, link.anchor, link.context, link.block, reason, R


def changes(reasons: Mapping[int, str]) -> dict[str, Any]:
    """Return what an event holds of links whose reason code it changed and that have no row in it; {} for none."""
    changed: dict[str, list[int]] = {}
    for link, reason in reasons.items():
        changed.setdefault(reason, []).append(link)
    return {"changed": changed} if changed else {}


def event_data(record: PageRecord, judgement: PageJudgement | None = None) -> dict[str, Any]:
    """Return what the event of a page holds besides the rows of the page and its links."""
    data: dict[str, Any] = {"failure": record.failure, "hops": list(record.hops), "detail": record.detail}
    if judgement is not None and len(judgement.reasons) > len(judgement.targets):
        own = set(judgement.targets.values())
        data |= changes({link: reason for link, reason in judgement.reasons.items() if link not in own})
    data |= {} if judgement is None else judgement.about
    data |= _facts(record)
    if record.class_ is not None:
        data["class"] = record.class_
    if record.divisions is not None:
        counts = record.divisions.counts
        block_of, innermost = record.divisions.block_of.tolist(), record.divisions.innermost.tolist()
        data["divisions"] = {"of": block_of, "counts": _entries(counts), "innermost": innermost}
    return data


def _facts(record: PageRecord) -> dict[str, Any]:
    """Return what the event of a page holds of its text, canonical URL, directives and length in words."""
    data: dict[str, Any] = {}
    if record.page.canonical not in (None, record.final_url):
        data["canonical"] = record.page.canonical
    if record.words is not None:
        data["words"] = [record.words.words, record.words.distinct]
    data |= {"scripts": record.page.scripts} if record.page.scripts else {}
    data |= {"shell": True} if record.page.shell else {}
    data |= {"rendered": asdict(record.rendering)} if record.rendering else {}
    data |= {"ways": ways} if (ways := _ways(record.page.links)) else {}
    data |= {"partial": record.partial} if record.partial else {}
    data |= {"validators": dict(record.validators)} if record.validators else {}
    if record.page.confidence is not None:
        data["encoding"] = [record.page.encoding or "", record.page.confidence]
    data |= {"document": asdict(record.page.document)} if record.page.document else {}
    return data | ({"noindex": True} if record.page.noindex else {})


def _ways(links: Sequence[OutLink]) -> dict[str, list[int]]:
    """Return kind -> positions of the links of a page that are no hyperlinks."""
    ways: dict[str, list[int]] = {}
    for position, link in enumerate(links):
        if link.kind != ANCHOR:
            ways.setdefault(link.kind, []).append(position)
    return ways


def kinds_of(ways: Mapping[str, Sequence[int]] | None) -> Mapping[int, str]:
    """Return position -> kind of the links of a page that are no hyperlinks, from the data of its event."""
    return {position: kind for kind, positions in (ways or {}).items() for position in positions}


def page_facts(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a parsed page that are in ``event_data``; journals of earlier versions lack some of them."""
    encoding, confidence = data.get("encoding", (None, None))
    said = {name: data[name] for name in ("canonical", "noindex", "scripts", "shell") if name in data}
    document = _document_from(data["document"]) if "document" in data else None
    return said | {"encoding": encoding, "confidence": confidence, "document": document}


def record_facts(data: Mapping[str, Any], sizes: Mapping[str, int]) -> dict[str, Any]:
    """Return the other fields of a record that are there.

    Args:
        data: the data of an event.
        sizes: vocabulary -> number of its words.
    """
    words = data.get("words")
    return {
        "class_": data.get("class"),
        "divisions": _divisions_from(data.get("divisions"), sizes),
        "partial": data.get("partial", ""),
        "rendering": Rendering(**data["rendered"]) if "rendered" in data else None,
        "words": None if words is None else WordTotals(*words),
    }


def _document_from(data: Mapping[str, Any]) -> DocumentFacts:
    return DocumentFacts(data["kind"], data["language"], tuple(data["page_starts"]))


def _divisions_from(data: Mapping[str, Any] | None, sizes: Mapping[str, int]) -> Divisions | None:
    if data is None:
        return None
    innermost = np.array(data["innermost"], dtype=np.bool_)
    counts = np.zeros((len(innermost), sizes["TK"]), dtype=np.int64)
    for row, word, count in data["counts"]:
        counts[row, word] = count
    return Divisions(np.array(data["of"], dtype=np.int64), counts, innermost)


def _entries(matrix: Counts) -> list[list[int]]:
    """Return [row, column, count] of the entries that are not 0."""
    width, flat = matrix.shape[1], matrix.ravel()
    positions = np.flatnonzero(flat)
    return [
        [at // width, at % width, count] for at, count in zip(positions.tolist(), flat[positions].tolist(), strict=True)
    ]


def pack_counts(counts: Mapping[str, Counts]) -> bytes:
    """Return counts as compressed JSON: vocabulary -> [slot, word, count] of the entries that are not 0."""
    sparse = {name: _entries(matrix) for name, matrix in counts.items()}
    return zlib.compress(json.dumps(sparse, ensure_ascii=False).encode())


def unpack_counts(data: bytes, sizes: Mapping[str, int]) -> dict[str, Counts]:
    """Return the counts that ``pack_counts`` stored, of the vocabularies whose numbers of words ``sizes`` has."""
    counts: dict[str, Counts] = {}
    stored = json.loads(zlib.decompress(data))
    for name, entries in ((name, stored[name]) for name in stored if name in sizes):
        matrix = np.zeros((len(SLOTS), sizes[name]), dtype=np.int64)
        for slot, word, count in entries:
            matrix[slot, word] = count
        counts[name] = matrix
    return counts
