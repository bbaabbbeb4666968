"""Count the words of papers by field, and write one of the tables ontology/data/paper_words_zh.tsv.gz and .._en.tsv.gz.

Reads JSON lines and tables with tabs (.jsonl, .tsv; compressed as .xz too) with the columns title and abstract, and one
that names the field::

    python -m tools.paper_words general_18k.jsonl.xz --out ontology/data/paper_words_zh.tsv.gz --column category \
      --only source=CSL/benchmark --source "CSL, benchmark files, Apache-2.0"

A paper that stands in several files counts once. Records of fields that `FIELDS` lacks are left out.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ontology.terms.paper_fields import count, save

FIELDS = {
    "工学": ("engineering", "工学", "engineering"),
    "医学": ("medicine", "医学", "medicine"),
    "农学": ("agriculture", "农学", "agriculture"),
    "理学": ("science", "理学", "natural science"),
    "法学": ("law", "法学", "law"),
    "管理学": ("management", "管理学", "management"),
    "教育学": ("education", "教育学", "education"),
    "经济学": ("economics", "经济学", "economics"),
    "文学": ("literature", "文学", "literature"),
    "哲学": ("philosophy", "哲学", "philosophy"),
    "历史学": ("history", "历史学", "history"),
    "艺术学": ("arts", "艺术学", "arts"),
    "军事学": ("military", "军事学", "military science"),
    **dict.fromkeys(
        ("cond-mat", "hep-ex", "hep-lat", "hep-ph", "hep-th", "gr-qc", "nucl-ex", "nucl-th", "quant-ph", "physics"),
        ("physics", "物理学", "physics"),
    ),
    **dict.fromkeys(("physics.chem-ph", "physics.atm-clus", "chem-ph"), ("chemistry", "化学", "chemistry")),
    **dict.fromkeys(("physics.geo-ph", "physics.ao-ph"), ("earth", "地球科学", "earth science")),
    **dict.fromkeys(("physics.space-ph", "astro-ph"), ("astronomy", "天文学", "astronomy")),
    **dict.fromkeys(("physics.med-ph", "q-bio.TO"), ("medical_physics", "医学物理", "medical physics")),
    "physics.ed-ph": ("education", "教育学", "education"),
    **dict.fromkeys(("physics.hist-ph", "math.HO"), ("history_of_science", "科学史", "history of science")),
    **dict.fromkeys(("physics.soc-ph", "cs.CY", "cs.SI"), ("society", "社会与社会网络", "society and social networks")),
    "q-bio": ("biology", "生物学", "biology"),
    **dict.fromkeys(("econ", "q-fin"), ("economics", "经济学", "economics")),
    "math": ("mathematics", "数学", "mathematics"),
    "stat": ("statistics", "统计学", "statistics"),
    "cs": ("computing", "计算机科学", "computer science"),
    "eess": ("electrical_engineering", "电气工程", "electrical engineering"),
}
"""Value of the column, or its part before a dot -> name and labels of the field."""


_FORMULA = re.compile(r"\$[^$]*\$")


def records(paths: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """Yield the records of files of JSON lines and of tables with tabs."""
    for path in paths:
        plain = path.with_suffix("") if path.suffix == ".xz" else path
        with (lzma.open if path.suffix == ".xz" else open)(path, "rt", encoding="utf-8", newline="") as stream:
            if plain.suffix == ".tsv":
                yield from csv.DictReader(stream, delimiter="\t")
            else:
                yield from map(json.loads, stream)


def texts(paths: Sequence[Path], column: str, only: str, tex: bool) -> dict[tuple[str, str, str], list[str]]:
    """Return the titles with abstracts of each field, each once, in an order that does not depend on the files."""
    key, _, begins = only.partition("=")
    found: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for record in records(paths):
        value = str(record.get(column) or "")
        field = FIELDS.get(value) or FIELDS.get(value.partition(".")[0])
        if field and record.get("abstract") and (not key or str(record.get(key)).startswith(begins)):
            text = f"{record.get('title') or ''}\n{record['abstract']}"
            found[field].add(_FORMULA.sub(" ", text) if tex else text)
    return {field: sorted(found[field], key=_drawn) for field in dict.fromkeys(FIELDS.values()) if field in found}


def _drawn(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=8).digest()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program."""
    parser = argparse.ArgumentParser(description="Count the words of papers by field.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--column", default="field", help="the column that names the field")
    parser.add_argument("--only", default="", help="KEY=TEXT: only records whose KEY begins with TEXT")
    parser.add_argument("--most", type=int, default=sys.maxsize, help="papers of a field, drawn by digest")
    parser.add_argument("--tex", action="store_true", help="leave out formulas, $..$")
    parser.add_argument("--source", required=True, help="where the papers are from, with the licence")
    options = parser.parse_args(arguments)
    found = texts(options.files, options.column, options.only, options.tex)
    if not found:
        parser.error(f"no record has a field of the table in its column {options.column}")
    fields = [count(*field, some[: options.most]) for field, some in found.items()]
    save(fields, options.out, options.source)
    for field in fields:
        print(f"{field.name}: {field.papers} papers, {field.tokens} words, {len(field.counts)} different")
    print(f"written: {options.out}, {options.out.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
