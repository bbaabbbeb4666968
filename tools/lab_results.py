"""Put the report of a lab into docs/labs, without its plots; that of the lab `claim` also into both READMEs.

python -m tools.lab_results DIR NAME

DIR is the folder that `ontocrawl lab run NAME --out DIR` wrote; the plots stay there. The READMEs get a table of the
first group of webs between the lines `<!-- lab: claim -->` and `<!-- end of lab -->`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from ontocrawl.lab.document import PLOTS
from ontology import files

ROOT = Path(__file__).resolve().parent.parent
LABS = ROOT / "docs" / "labs"
CLAIM = "claim"
READMES = ("README.md", "README.zh.md")
AT = ("100", "300")
"""Numbers of fetches in the READMEs."""
OWN = "evidence_sum, learned"
"""System with which the READMEs compare the others."""
HEADS = {
    "README.md": ("steered by", "recall at {}", "learned has more at {}"),
    "README.zh.md": ("引导爬取的词", "抓取 {} 页的召回率", "学到的词在 {} 页时高出"),
}
WORDS = {
    "learned": ("learned from the abstracts, nothing typed", "由摘要学到，不输入任何词"),
    "learned_five": ("the same with five words typed", "同上，另输入五个词"),
    "name": ("the name of the field", "领域的名称"),
    "tf_idf": ("20 TF-IDF words of the abstracts", "摘要的 20 个 TF-IDF 词"),
    "hand": ("ten words by hand", "人工给出的十个词"),
}
"""Ontology of the lab `claim` -> what the READMEs call it."""
_BLOCK = re.compile(r"(<!-- lab: claim -->\n).*?(<!-- end of lab -->)", re.DOTALL)


def take(results: Path, name: str, labs: Path = LABS) -> None:
    """Copy a report.

    Args:
        results: folder of the results of a lab.
        name: name of the lab.
        labs: folder of the reports.
    """
    written = (results / "report.md").read_text(encoding="utf-8")
    report = re.sub(rf"!\[[^\]]*\]\({PLOTS}/[^)]*\)\n\n?", "", written)
    files.write_atomically(labs / f"{name}.md", report.encode())


def with_table(readme: str, name: str, report: str) -> str:
    """Return a README with the table of the lab `claim`.

    Args:
        readme: its text, with the lines between which the table stands.
        name: its name, one of `READMES`.
        report: the report of the lab, Markdown.
    """
    recall, differences = (_rows(table) for table in _tables(report)[:2])
    less = {
        row["difference"].partition(" less ")[2]: row
        for row in differences
        if row["difference"].startswith(f"{OWN} less ")
    }
    told = [name for row in differences for name in row["difference"].split(" less ")]
    first, *heads = HEADS[name]
    columns = (first, *(head.format(n) for head in heads for n in AT))
    lines = [_line(columns), _line(["---", *["---:"] * (len(columns) - 1)])]
    for row in recall:
        strategy, _, words = (system := row["system"]).partition(", ")
        if system in told:
            shown = f"{WORDS[words][READMES.index(name)]}, `{strategy}`"
            more = less.get(system, {})
            cells = (*(row[f"recall at {n}"] for n in AT), *(more.get(f"at {n}", "–") for n in AT))
            lines.append(_line((shown, *cells)))
    return _BLOCK.sub(lambda m: f"{m[1]}\n{chr(10).join(lines)}\n\n{m[2]}", readme)


def _tables(report: str) -> list[list[str]]:
    """Return the tables of the section on recall, each as its lines."""
    section = report.partition("## Recall and differences\n")[2].partition("\n## ")[0]
    return [block.splitlines() for block in section.split("\n\n") if block.startswith("|")]


def _rows(table: Sequence[str]) -> list[dict[str, str]]:
    head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table)
    return [dict(zip(head, row, strict=True)) for row in rows]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Take results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, metavar="DIR")
    parser.add_argument("name", metavar="NAME")
    chosen = parser.parse_args(arguments)
    take(chosen.results, chosen.name)
    for name in READMES if chosen.name == CLAIM else ():
        report = (LABS / f"{CLAIM}.md").read_text(encoding="utf-8")
        written = with_table((ROOT / name).read_text(encoding="utf-8"), name, report)
        files.write_atomically(ROOT / name, written.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
