"""The sessions in docs/settle.md: what `ontology settle` prints on the bundled sample, for the replies listed here.

    python -m tools.settle_page [docs/settle.md] [--check]

Builds the ontology of the sample in a temporary folder, and writes each session between its two marks in the page. With
--check nothing is written, and a page that is out of date is an error (exit code 3).
"""

from __future__ import annotations

import csv
import io
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from importlib.resources import as_file, files
from pathlib import Path

from ontocrawl.cli.output import quoted
from ontology.decisions import in_force, table
from ontology.printable import one_line
from tools import generated_page, printed
from tools.printed import run

PAGE = Path("docs/settle.md")
OUT = "learned"
BUILD = ("ontology", "build", "--corpus", "abstracts.txt", "--topic", "rainstorm", "--min-documents", "2", "--out", OUT)
SETTLE = ("ontology", "settle", OUT)
TERMS = "道路积水,城市内涝,内涝,滑坡,山洪,泥石流,洪涝,洪涝灾害,地质灾害,风暴潮"
FIRST = ("2 flooding : a flooded country road", "1 flooding", "q")
"""Replies of the first session, in English."""
SECOND = ("y", "*", "*", "u", "洪涝 : 无人山谷里的山洪", "*", "洪涝", "l")
"""Replies of the second session, in Chinese."""
COLLEAGUE = {"风暴潮": "0"}
"""Replies of a colleague, by what the question is about."""
BOTH = ("x", "x", "x", "x", "0 : a waterlogging with losses", "x", "0", "0", "0", "0", "0")
"""Replies of a session about combinations, in English."""
SHOWN = ("id", "action", "term", "relation", "value", "why")
"""Columns of the file of decisions that the page shows."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the page; 0, or 3 where it is out of date."""
    return generated_page.main(arguments, "tools.settle_page", __doc__, PAGE, build)


def build(page: Path) -> str:
    """Return the page with new sessions between its marks."""
    return printed.in_page(page, sessions())


def sessions() -> Mapping[str, Sequence[str]]:
    """Run all sessions, one after the other, on one folder; return their names and lines."""
    shown = {}
    sample = files("ontocrawl") / "sample" / "abstracts.txt"
    with tempfile.TemporaryDirectory(prefix="ontocrawl-settle-") as folder, as_file(sample) as records:
        text = records.read_bytes()
        with chdir(folder), generated_page.narrow():
            Path("abstracts.txt").write_bytes(text)
            run(*BUILD)
            before = run("ontology", "show", OUT + "/rainstorm.ttl", "--class", "山洪", said=True)
            shown["first"] = run(*SETTLE, "--terms", TERMS, "--who", "Li Wei", replies=FIRST, said=True)
            shown["second"] = run(*SETTLE, "--lang", "zh", "--who", "Li Wei", replies=SECOND, said=True)
            shown["table"] = [
                *run(*SETTLE, "--questions", "open.tsv", "--lang", "zh", said=True),
                "",
                *_fill("open.tsv"),
            ]
            shown["answers"] = run(*SETTLE, "--answers", "open.tsv", "--who", "Wang Fang", said=True)
            shown["decisions"] = _decisions(Path(OUT, table.FILE))
            both = run(*SETTLE, "--combinations", "--who", "Li Wei", replies=BOTH, said=True)
            shown["combinations"] = _shortened(both, 4, 1)
            run(*BUILD)
            after = run("ontology", "show", OUT + "/rainstorm.ttl", "--class", "山洪", said=True)
            shown["replay"] = [*before, f"$ {quoted('ontocrawl', *BUILD)}", "..", *after]
    return shown


def _shortened(lines: Sequence[str], first: int, last: int) -> list[str]:
    """Return the first and the last blocks of an output; blocks have a blank line between."""
    blocks = "\n".join(lines).split("\n\n")
    return "\n\n".join([*blocks[:first], "..", *blocks[-last:]]).splitlines()


def _fill(name: str) -> Iterator[str]:
    """Fill in the answers of the colleague; yield the columns of each row that matter to a reader."""
    path = Path(name)
    header, *rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8")), delimiter="\t"))
    for row in rows:
        row[header.index("answer")] = COLLEAGUE[row[header.index("about")]]
        yield from (f"{column}: {row[header.index(column)]}" for column in header if row[header.index(column)])
    stream = io.StringIO()
    csv.writer(stream, delimiter="\t", lineterminator="\n").writerows([header, *rows])
    path.write_text(stream.getvalue(), encoding="utf-8")


def _decisions(path: Path) -> list[str]:
    """Return the accepted edges of a file of decisions, and the first rejected ones of each term."""
    found = in_force(table.read(path))
    accepted = [d for d in found if d.action == "accept"]
    rejected = {d.term: d for d in reversed(found) if d.action == "reject"}
    rows = [[getattr(d, name) for name in SHOWN] for d in (*accepted, *reversed(rejected.values()))]
    left = len(found) - len(rows)
    return ["  ".join(SHOWN), *("  ".join(map(one_line, row)) for row in rows), f".. and {left} more"]


if __name__ == "__main__":
    sys.exit(main())
