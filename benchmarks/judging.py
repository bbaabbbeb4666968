"""Edges and terms drawn for two judges, their blind sheets, and their verdicts. The protocol is docs/compare.md.

    python -m benchmarks.judging sheets DIR [--only NAME ..]
    python -m benchmarks.judging read a|b FILE_OR_DIR ..

`sheets` learns the fields, draws, and writes DIR/a and DIR/b: edges-zh.tsv, terms-zh.tsv, edges-en.tsv and terms-en.tsv
with what the judge has not judged yet. NAME is a field or a purpose (development, seen, checking).
`read` takes the filled sheets of a judge into docs/judged-fields.tsv and docs/judged-field-terms.tsv.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchmarks import disasters
from benchmarks.agreement import draw
from benchmarks.fields import (
    BY_NAME,
    FIELDS,
    Field,
    measured,
    placed_edges,
    placed_terms,
    rule_of,
)
from ontology.build import Learned
from ontology.compare.agreement import kappa
from ontology.shares import wilson

DOCS = Path(__file__).resolve().parent.parent / "docs"
DRAWN, SEED = 60, 16
RARE = 30
"""Terms of two documents that are drawn of each field besides."""
EDGE, TERM = ("field", "child", "parent"), ("field", "term")
VERDICTS = {"edges": ("right", "bucket", "wrong"), "terms": ("class", "individual", "none")}
COLUMNS = {"edges": EDGE, "terms": TERM}
FILES: Mapping[str, Path] = {"edges": DOCS / "judged-fields.tsv", "terms": DOCS / "judged-field-terms.tsv"}
Kind = Literal["edges", "terms"]
KINDS: tuple[Kind, ...] = ("edges", "terms")
JUDGES = ("a", "b")
BY_WORDNET = "by a wordnet"
"""In the note of an edge: the wordnet made it, whose files do not come with the project, so that no draw has it."""
Key = tuple[str, ...]
"""Field, child and parent; or field and term."""


@dataclass
class Judged:
    """The verdicts of both judges on one kind of thing.

    Attributes:
        kind: edges or terms.
        verdicts: judge -> what is judged -> verdict.
        notes: what is judged -> remarks.
    """

    kind: Kind
    verdicts: dict[str, dict[Key, str]] = field(default_factory=lambda: {judge: {} for judge in JUDGES})
    notes: dict[Key, str] = field(default_factory=dict)

    @classmethod
    def load(cls, kind: Kind, path: Path) -> Judged:
        """Read the table of verdicts; empty if there is no file. Raises SystemExit for a word that is no verdict."""
        judged = cls(kind)
        for row in disasters.table(path) if path.exists() else ():
            key = tuple(row[column] for column in COLUMNS[kind])
            for judge in JUDGES:
                if row[judge]:
                    judged.add(judge, key, row[judge], path)
            judged.notes[key] = row["note"]
        return judged

    def add(self, judge: str, key: Key, verdict: str, path: Path) -> None:
        """Add a verdict. Raises SystemExit for a word that is none, or another verdict than the one that is there."""
        if verdict not in VERDICTS[self.kind]:
            expected = ", ".join(VERDICTS[self.kind])
            raise SystemExit(f"{path}: expected one of {expected} for {' | '.join(key)}; found {verdict!r}")
        if self.verdicts[judge].setdefault(key, verdict) != verdict:
            raise SystemExit(f"{path}: judge {judge} has judged {' | '.join(key)} {self.verdicts[judge][key]!r} before")

    def save(self, path: Path) -> None:
        """Write the table of verdicts, sorted."""
        keys = sorted({key for judge in JUDGES for key in self.verdicts[judge]})
        rows = [
            (*key, *(self.verdicts[judge].get(key, "") for judge in JUDGES), self.notes.get(key, "")) for key in keys
        ]
        write_table(path, (*COLUMNS[self.kind], *JUDGES, "note"), rows)

    def both(self, keys: Iterable[Key]) -> dict[Key, tuple[str, str]]:
        """Return the two verdicts on each thing that both judges have judged."""
        a, b = (self.verdicts[judge] for judge in JUDGES)
        return {key: (a[key], b[key]) for key in keys if key in a and key in b}

    def outcome(self, keys: Sequence[Key]) -> dict[str, Any]:
        """Count verdicts; half a thing counts for each of two different ones.

        Args:
            keys: what was drawn.

        Returns:
            ``drawn``, ``judged`` by both, ``agreed``, ``kappa``; for each verdict its count, share and interval.
        """
        pairs = self.both(keys)
        halves = Counter(verdict for pair in pairs.values() for verdict in pair)
        n = len(pairs)
        told: dict[str, Any] = {
            "drawn": len(keys),
            "judged": n,
            "agreed": sum(a == b for a, b in pairs.values()),
            "kappa": kappa(pairs.values()),
        }
        for verdict in VERDICTS[self.kind]:
            count = halves[verdict] / 2
            interval = [round(bound, 3) for bound in wilson(count, n)]
            told[verdict] = {"count": count, "share": round(count / n, 3) if n else None, "interval": interval}
        return told


def verdicts(tables: Mapping[str, Path] = FILES) -> dict[str, Judged]:
    """Read the tables of verdicts, by kind."""
    return {kind: Judged.load(kind, tables[kind]) for kind in KINDS}


@dataclass(frozen=True)
class Sample:
    """What was drawn of one field.

    Attributes:
        name: the field.
        group: "development", "seen" or "checking".
        language: "zh" or "en".
        edges: field, child and parent of the edges.
        terms: field and term of the terms.
        rules: rule of each edge.
        figures: figures of the field.
        rare: field and term of terms in two documents, drawn besides.
        placed: field and term of the terms that are placed.
    """

    name: str
    group: str
    language: str
    edges: tuple[Key, ...]
    terms: tuple[Key, ...] = ()
    rules: Mapping[Key, str] = field(default_factory=dict)
    figures: Mapping[str, Any] = field(default_factory=dict)
    rare: tuple[Key, ...] = ()
    placed: frozenset[Key] = frozenset()


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table of tab-separated values without quotes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n")
        writer.writerows((columns, *rows))


def edges_with_rules(name: str, learned: Learned) -> dict[Key, str]:
    """Return the edges below the root's children, by field, child and parent, with the rule of each."""
    label = [node.label for node in learned.hierarchy.nodes]
    return {(name, label[edge.child], label[edge.parent]): rule_of(edge) for edge in placed_edges(learned)}


def field_samples(fields: Sequence[Field]) -> list[Sample]:
    """Learn fields and draw edges and terms of each."""
    samples = []
    for chosen, told, learned in measured(fields):
        rules = edges_with_rules(chosen.name, learned)
        terms = {(chosen.name, term.text): term.document_frequency for term in learned.terms}
        edges, drawn = tuple(draw(rules, DRAWN, SEED)), tuple(draw(terms, DRAWN, SEED))
        rare = tuple(draw([key for key, documents in terms.items() if documents == 2], RARE, SEED))
        placed = frozenset((chosen.name, term) for term in placed_terms(learned))
        samples.append(Sample(chosen.name, chosen.purpose, chosen.language, edges, drawn, rules, told, rare, placed))
    return samples


def known_pairs(judged: Judged) -> dict[disasters.Pair, str]:
    """Return verdicts on edges of the disaster corpora: those of docs/judged-edges.tsv, then those of the two judges.

    A very general parent (bucket) counts as right there. Edges on which the two differ are "disputed".

    Args:
        judged: the verdicts of the two judges on edges.

    Returns:
        "right", "wrong" or "disputed" by child and parent.
    """
    known = {pair: row["verdict"] for pair, row in disasters.judged().items()}
    for (name, *pair), verdicts in judged.both(judged.verdicts["a"]).items():
        if name in disasters.BY_NAME:
            said = {"right" if verdict == "bucket" else verdict for verdict in verdicts}
            known.setdefault((pair[0], pair[1]), said.pop() if len(said) == 1 else "disputed")
    return known


def samples_of(only: Sequence[str]) -> list[Sample]:
    """Draw from fields, purposes or groups; from all if none is named."""
    fields = [f for f in FIELDS if not only or f.name in only or f.purpose in only]
    return field_samples(fields)


def write_sheets(samples: Sequence[Sample], judged: Mapping[str, Judged], folder: Path) -> list[tuple[Path, int]]:
    """Write what each judge has not judged yet, shuffled over all samples of a language.

    Args:
        samples: what was drawn.
        judged: the verdicts of edges and of terms.
        folder: gets a folder for each judge.

    Returns:
        The files with their number of rows.
    """
    written = []
    for judge in JUDGES:
        for kind in KINDS:
            for language in ("zh", "en"):
                mine = [s for s in samples if s.language == language]
                keys = {key for s in mine for key in (s.edges if kind == "edges" else (*s.terms, *s.rare))}
                rows = sorted(keys - judged[kind].verdicts[judge].keys())
                random.Random(f"{SEED} {judge} {kind} {language}").shuffle(rows)
                path = folder / judge / f"{kind}-{language}.tsv"
                write_table(path, (*COLUMNS[kind], "verdict", "note"), [(*row, "", "") for row in rows])
                written.append((path, len(rows)))
    return written


def read_sheets(judge: str, paths: Iterable[Path], tables: Mapping[str, Path] = FILES) -> Counter[str]:
    """Take the filled sheets of a judge into the tables of verdicts.

    Args:
        judge: "a" or "b".
        paths: sheets, or folders of sheets; rows without a verdict are skipped.
        tables: the tables of verdicts, by kind.

    Returns:
        Number of verdicts read and of rows skipped ("open"), by kind.

    Raises:
        SystemExit: a word that is no verdict, another verdict than before, or a sheet with other columns.
    """
    judged = verdicts(tables)
    told: Counter[str] = Counter()
    for path in (sheet for p in paths for sheet in (sorted(p.glob("*.tsv")) if p.is_dir() else [p])):
        rows = disasters.table(path)
        columns = tuple(rows[0]) if rows else ()
        kind = next((kind for kind in KINDS if columns == (*COLUMNS[kind], "verdict", "note")), None)
        if rows and kind is None:
            raise SystemExit(f"{path}: expected the columns of a sheet; found {', '.join(columns)}")
        for row in rows if kind else ():
            assert kind is not None
            verdict = (row["verdict"] or "").strip().casefold()
            key = tuple(row[column] for column in COLUMNS[kind])
            if not all(key):
                raise SystemExit(f"{path}: a row without {' or '.join(COLUMNS[kind])}: {row}")
            told[kind if verdict else f"{kind} open"] += 1
            if verdict:
                judged[kind].add(judge, key, verdict, path)
            if verdict and row["note"]:
                notes = judged[kind].notes.get(key, "").split("; ") if judged[kind].notes.get(key) else []
                remark = f"{judge}: {row['note'].strip()}"
                judged[kind].notes[key] = "; ".join(dict.fromkeys((*notes, remark)))
    for kind in KINDS:
        judged[kind].save(tables[kind])
    return told


def main() -> int:
    """Write sheets or read them."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = arguments.add_subparsers(dest="command", required=True)
    sheets = commands.add_parser("sheets", help="draw, and write blind sheets")
    sheets.add_argument("folder", type=Path, metavar="DIR")
    groups = ("development", "seen", "checking")
    sheets.add_argument("--only", nargs="+", default=[], choices=(*BY_NAME, *groups), metavar="NAME")
    reading = commands.add_parser("read", help="take filled sheets into the tables of verdicts")
    reading.add_argument("judge", choices=JUDGES)
    reading.add_argument("paths", nargs="+", type=Path, metavar="FILE_OR_DIR")
    chosen = arguments.parse_args()
    if chosen.command == "read":
        print(", ".join(f"{kind}: {count}" for kind, count in sorted(read_sheets(chosen.judge, chosen.paths).items())))
        return 0
    for path, count in write_sheets(samples_of(chosen.only), verdicts(), chosen.folder):
        print(f"{path}: {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
