"""docs/benchmarks/own.md: our own strategy against the published ones and without each of its terms, from two reports.

    python -m tools.own_page OWN ABLATION

OWN and ABLATION are the folders that `ontocrawl lab run own --out OWN` and `ontocrawl lab run ablation --out ABLATION`
wrote. The page has the sections of their reports about the comparison, word for word, and the commands that made them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ontology.files import write_atomically

PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks" / "own.md"
SECTIONS = ("What was compared", "evidence_sum against")
"""How the headings of the sections begin that are taken."""
_HEAD = """# Our own strategy against the published ones

Written by `python -m tools.own_page`; not edited by hand.
[How labs compare](../lab.md#compare-one-strategy-with-the-best-of-the-others).
"""


def build(folders: Sequence[Path]) -> str:
    """Return the page.

    Args:
        folders: folders of results of labs.

    Raises:
        ValueError: a report has no section about the comparison.
    """
    parts = [_HEAD]
    for folder in folders:
        about = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        taken = list(_taken((folder / "report.md").read_text(encoding="utf-8")))
        if len(taken) < len(SECTIONS):
            raise ValueError(f"{folder}: its report has no section that begins with each of {', '.join(SECTIONS)}")
        cells = f"{about['cells']} crawls, {about['failed']} of them failed"
        parts += [f"## {about['title']}\n\n`{about['command']}`: {cells}.\n", *taken]
    return "\n".join(parts)


def _taken(report: str) -> Iterator[str]:
    for section in report.split("\n## ")[1:]:
        if section.startswith(SECTIONS):
            yield f"### {section.rstrip()}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("own", type=Path)
    parser.add_argument("ablation", type=Path)
    given = parser.parse_args(arguments)
    write_atomically(PAGE, build([given.own, given.ablation]).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
