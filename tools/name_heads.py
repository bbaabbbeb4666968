"""Count the heads of the authors' keywords by field, and write the table ontology/data/name_heads_zh.tsv.gz.

Reads JSON lines (.jsonl; compressed as .xz too) with title, abstract, keywords and, where it is known, the discipline::

    python -m tools.name_heads general_18k.jsonl.xz --out ontology/data/name_heads_zh.tsv.gz --column category \
      --source "heads of the author keywords of 18,751 Chinese abstracts; counts only"

A record without a discipline counts for the field whose papers have its words (`ontology.terms.paper_fields`), and a
keyword for the field that has it most often. The table has heads of four keywords or more and their counts, no keyword.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ontology.evidence.compounds import Compounds
from ontology.evidence.heads import MIN_ELSEWHERE, Heads
from ontology.terms.lexicon import EMPTY
from ontology.terms.paper_fields import PaperField, gains, save, shipped, words
from ontology.terms.term_rules import Rules
from ontology.terms.wordforms import fold, has_han, simplified
from tools.paper_words import FIELDS, records


def field_of(record: Mapping[str, Any], column: str, fields: Sequence[PaperField]) -> str:
    """Return the name of the field of a record."""
    known = FIELDS.get(str(record.get(column) or ""))
    if known:
        return known[0]
    counts = Counter(words(f"{record.get('title') or ''}\n{record.get('abstract') or ''}"))
    gained = gains(fields, counts)
    return fields[gained.index(max(gained))].name


def count_heads(rows: Iterable[Mapping[str, Any]], column: str) -> tuple[list[PaperField], int]:
    """Count the heads of keywords.

    Args:
        rows: records.
        column: the key of the discipline.

    Returns:
        The fields with the number of names that end with each head, and the number of all names.
    """
    fields, rules = shipped("zh"), Rules(EMPTY)
    papers: Counter[str] = Counter()
    used: defaultdict[str, Counter[str]] = defaultdict(Counter)
    texts = []
    for record in rows:
        field = field_of(record, column, fields)
        papers[field] += 1
        texts.append(fold(simplified(f"{record.get('title') or ''}\n{record.get('abstract') or ''}")))
        for keyword in {fold(simplified(str(k))) for k in record.get("keywords") or ()}:
            if has_han(keyword) and not rules.keyword(keyword):
                used[keyword][field] += 1
    place = {name: min(by, key=lambda field: (-by[field], field)) for name, by in used.items()}
    names = Counter(place.values())
    heads: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for head, before in Heads(Compounds(dict.fromkeys(place, 1), place, texts)).in_names.items():
        for name in {text + head for text in before if text + head in place}:
            heads[place[name]][head] += 1
    found = [replace(f, papers=papers[f.name], tokens=names[f.name], counts=heads[f.name]) for f in fields]
    return [field for field in found if field.papers and field.tokens], len(place)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program."""
    parser = argparse.ArgumentParser(description="Count the heads of the authors' keywords by field.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--column", default="category", help="the column that names the field")
    parser.add_argument("--source", required=True, help="where the papers are from, with the licence")
    options = parser.parse_args(arguments)
    fields, names = count_heads(records(options.files), options.column)
    if not fields:
        parser.error("no record has a keyword that can be a name")
    save(fields, options.out, options.source, MIN_ELSEWHERE)
    for field in fields:
        print(f"{field.name}: {field.papers} papers, {field.tokens} names, {len(field.counts)} heads")
    print(f"written: {options.out}, {names} names, {options.out.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
