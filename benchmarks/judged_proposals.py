"""Proposals for two blind judges, and what comes of their verdicts. The protocol is docs/judged-proposals.md."""

from __future__ import annotations

import hashlib
import json
import random
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.disasters import table
from benchmarks.judging import JUDGES, write_table
from ontology.compare.agreement import kappa
from ontology.enrichment import Proposal
from ontology.shares import wilson
from ontology.terms.wordforms import has_han

TOP = 50
CUTS = (20, 50)
SENTENCES = 3
TERM, PLACE = ("right", "wrong"), ("right", "wrong", "-")
SHOWN = ("id", "ontology", "kind", "term", "relation", "parent_or_end", "sentences")
VERDICTS = ("term_verdict", "place_verdict")
SAID = (*SHOWN[1:-1], *(f"{judge}_{name}" for judge in JUDGES for name in ("term", "place")))
"""Columns of the published verdicts."""
KINDS = {"concept": "class", "label": "another name", "relation": "relation"}
DRAWN_RELATIONS = "drawn relations"
"""In ranks.json, the list of relations that were drawn, in place of a crawl."""


@dataclass(frozen=True)
class Crawled:
    """Proposals from one crawl for one ontology, the best first."""

    name: str
    ontology: str
    proposals: Sequence[Proposal]


def row_id(ontology: str, proposal: Proposal) -> str:
    """Return what identifies a row of a sheet: the same words for the same ontology have the same id in each crawl."""
    parts = (ontology, proposal.kind, proposal.key, proposal.relation, proposal.target_label or "")
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=5).hexdigest()


def write_sheets(folder: Path, crawls: Iterable[Crawled], drawn: Iterable[Crawled] = ()) -> int:
    """Write DIR/a.tsv and DIR/b.tsv for the judges, and DIR/ranks.json for the figures.

    Args:
        folder: the folder DIR.
        crawls: proposals of each crawl, of which the first 50 are judged.
        drawn: relations that were drawn; all are judged.

    Returns:
        The number of rows of a sheet.
    """
    rows: dict[str, tuple[str, ...]] = {}
    known: dict[str, dict[str, str]] = {}
    ranks: dict[str, Any] = {}
    for kind, listed in (("crawls", [*crawls]), (DRAWN_RELATIONS, [*drawn])):
        for one in listed:
            top = one.proposals[:TOP]
            ids = [row_id(one.ontology, p) for p in top]
            ranks.setdefault(kind, {})[one.name] = {"ontology": one.ontology, "ids": ids}
            for number, proposal in zip(ids, top, strict=True):
                rows.setdefault(number, (number, *_shown(one.ontology, proposal), "", "", ""))
                known[number] = _known(one.ontology, proposal)
    for judge in JUDGES:
        order = sorted(rows)
        random.Random(f"proposals {judge}").shuffle(order)
        write_table(folder / f"{judge}.tsv", (*SHOWN, *VERDICTS, "note"), [rows[number] for number in order])
    text = json.dumps({"proposals": known, **ranks}, ensure_ascii=False, indent=1)
    (folder / "ranks.json").write_text(text + "\n", encoding="utf-8")
    return len(rows)


def _shown(ontology: str, p: Proposal) -> tuple[str, ...]:
    sentences = " ‖ ".join(dict.fromkeys(" ".join(s.text.split()) for s in p.sentences[:SENTENCES]))
    relation = p.relation if p.kind == "relation" else ""
    return (
        ontology,
        KINDS[p.kind],
        " ".join(p.term.split()),
        relation,
        " ".join((p.target_label or "-").split()),
        sentences,
    )


def _known(ontology: str, p: Proposal) -> dict[str, str]:
    script = "zh" if has_han(p.term) else "en"
    return {"ontology": ontology, "kind": p.kind, "key": p.key, "parent": p.target_label or "", "language": script}


def read_verdicts(path: Path, ids: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Read the filled sheet of a judge: id -> verdict on the term, and on where it is put.

    Raises:
        SystemExit: a word that is no verdict, a row twice or without a verdict, or rows that are missing.
    """
    found: dict[str, tuple[str, str]] = {}
    for row in table(path):
        said = tuple((row.get(column) or "").strip().casefold() for column in VERDICTS)
        for word, allowed in zip(said, (TERM, PLACE), strict=True):
            if word not in allowed:
                raise SystemExit(f"{path}, row {row['id']}: expected one of {', '.join(allowed)}, found {word!r}")
        if row["id"] in found:
            raise SystemExit(f"{path}: the row {row['id']} is there twice; keep one")
        found[row["id"]] = (said[0], said[1])
    lacking = sorted(set(ids) - found.keys())
    if lacking:
        raise SystemExit(f"{path}: {len(lacking)} rows are missing, such as {lacking[0]}; judge all rows of the sheet")
    return found


def outcome(sheets: Sequence[Path], ranks: Mapping[str, Any]) -> dict[str, Any]:
    """Compute what the verdicts of two judges come to.

    Args:
        sheets: the filled sheets of both judges.
        ranks: content of ranks.json.

    Returns:
        ``kappa`` of both verdicts by language, ``parents`` of different proposed classes by language, ``crawls`` with
        precision at each of CUTS and their parents, ``languages`` with the means, and the drawn ``relations``.
    """
    known: Mapping[str, Mapping[str, str]] = ranks["proposals"]
    a, b = (read_verdicts(path, known) for path in sheets)
    languages = sorted({one["language"] for one in known.values()})
    agreed = {
        language: {
            name: kappa((a[n][at], b[n][at]) for n, one in known.items() if one["language"] == language)
            for at, name in enumerate(("term", "place"))
        }
        for language in languages
    }
    crawls = []
    for name, listed in ranks["crawls"].items():
        ids = listed["ids"]
        term = [((a[n][0] == "right") + (b[n][0] == "right")) / 2 for n in ids]
        classes = [n for n in ids if known[n]["kind"] == "concept"]
        crawls.append(
            {
                "crawl": name,
                "language": statistics.mode(known[n]["language"] for n in ids) if ids else "",
                "proposals": len(ids),
                "precision": {str(cut): _mean(term[:cut]) for cut in CUTS},
                "classes": len(classes),
                "parents": _places([n for n in classes if known[n]["parent"]], a, b),
            }
        )
    return {
        "judged": len(known),
        "kappa": agreed,
        "parents": {language: _places(_with_parents(known, ranks, language), a, b) for language in languages},
        "crawls": crawls,
        "languages": {language: _of_language(crawls, language) for language in languages},
        "relations": {name: _places(listed["ids"], a, b) for name, listed in ranks.get(DRAWN_RELATIONS, {}).items()},
    }


def _with_parents(known: Mapping[str, Mapping[str, str]], ranks: Mapping[str, Any], language: str) -> list[str]:
    """Return the proposed classes of a language that have a parent, each once."""
    proposed = {number for crawl in ranks["crawls"].values() for number in crawl["ids"]}
    classes = (n for n, one in known.items() if n in proposed and one["kind"] == "concept" and one["parent"])
    return [n for n in classes if known[n]["language"] == language]


def _mean(values: Sequence[float]) -> float | None:
    return round(statistics.mean(values), 3) if values else None


def _places(ids: Sequence[str], a: Mapping[str, tuple[str, str]], b: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """Count right second verdicts; half of one where the judges differ."""
    count = sum(((a[n][1] == "right") + (b[n][1] == "right")) / 2 for n in ids)
    interval = [round(bound, 3) for bound in wilson(count, len(ids))]
    return {"named": len(ids), "right": count, "share": round(count / len(ids), 3) if ids else None,
            "interval": interval}  # fmt: skip


def _of_language(crawls: Sequence[Mapping[str, Any]], language: str) -> dict[str, Any]:
    of = [crawl for crawl in crawls if crawl["language"] == language]
    named, right = sum(c["parents"]["named"] for c in of), sum(c["parents"]["right"] for c in of)
    means = {str(cut): _mean([c["precision"][str(cut)] for c in of]) for cut in CUTS}
    return {"crawls": len(of), "precision": means, "named": named, "right": right,
            "share": round(right / named, 3) if named else None}  # fmt: skip


def verdicts(sheets: Sequence[Path], ids: Iterable[str]) -> list[tuple[str, ...]]:
    """Return what was judged, without the sentences, with both verdicts of both judges, sorted: rows of `SAID`."""
    listed = list(ids)
    a, b = (read_verdicts(path, listed) for path in sheets)
    rows = {row["id"]: row for row in table(sheets[0])}
    return sorted((*(rows[n][c] for c in SHOWN[1:-1]), *a[n], *b[n]) for n in listed)


def accepted(sheets: Sequence[Path], ranks: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return what both judges accept: ontology, key, and label of the parent ("" if it is not accepted too).

    Names and relations are accepted only with their class and their other end.
    """
    known: Mapping[str, Mapping[str, str]] = ranks["proposals"]
    a, b = (read_verdicts(path, known) for path in sheets)
    rows: dict[tuple[str, str], str] = {}
    for number, one in known.items():
        term, place = (a[number][at] == b[number][at] == "right" for at in (0, 1))
        if term and (place or one["kind"] == "concept"):
            key = (one["ontology"], one["key"])
            rows[key] = one["parent"] if place else rows.get(key, "")
    return [(ontology, key, parent) for (ontology, key), parent in sorted(rows.items())]
