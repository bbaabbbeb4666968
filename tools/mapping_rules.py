"""The precision of the alignment's rules, counted over docs/judged-mappings.tsv.

``python -m tools.mapping_rules`` writes ontology/data/mapping_rules.tsv, which the confidence of mappings is computed
from, and the table between the two marks of docs/evolve.md.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ontology.files import write_atomically
from ontology.mapping.alignment import RULES, Rule
from tools import generated_page

ROOT = Path(__file__).resolve().parent.parent
JUDGED = ROOT / "docs" / "judged-mappings.tsv"
COUNTS = ROOT / "ontology" / "data" / "mapping_rules.tsv"
PAGE = ROOT / "docs" / "evolve.md"
BEGIN, END = "<!-- precision: python -m tools.mapping_rules -->", "<!-- end of precision -->"
_PREDICATES: dict[Rule, str] = {"shared name": "`skos:closeMatch`", "head": "`skos:broadMatch`"}


def judged() -> dict[Rule, tuple[int, int]]:
    """Return rule -> (number of judged rows, number of right ones)."""
    rows = [line.split("\t") for line in JUDGED.read_text(encoding="utf-8").splitlines()[1:]]
    total = Counter(row[0] for row in rows)
    right = Counter(row[0] for row in rows if row[6] == "right")
    return {rule: (total[rule], right[rule]) for rule in RULES}


def counts() -> str:
    """Return the text of ontology/data/mapping_rules.tsv."""
    lines = [f"{rule}\t{total}\t{right}" for rule, (total, right) in judged().items()]
    return "\n".join(["rule\tjudged\tright", *lines]) + "\n"


def table() -> str:
    """Return the rules with their figures, in Markdown."""
    rows = []
    for rule, (total, right) in judged().items():
        predicate = _PREDICATES.get(rule, "`skos:exactMatch`")
        rows.append(f"| {rule} | {predicate} | {total} | {right} | {(right + 1) / (total + 2):.3f} |")
    return "\n".join(
        ["| rule | predicate | judged | right | confidence of one candidate |", "|---|---|---|---|---|", *rows]
    )


def inserted() -> str:
    """Return the text of the page with a new table between its marks."""
    return generated_page.inserted(PAGE, BEGIN, END, table())


if __name__ == "__main__":
    write_atomically(COUNTS, counts().encode())
    write_atomically(PAGE, inserted().encode())
