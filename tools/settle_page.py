"""The sessions in docs/evolve.md: what `ontology settle` prints on the bundled sample, for the replies listed here.

    python -m tools.settle_page [docs/evolve.md] [--check]

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
from tools import generated_page, printed
from tools.printed import run

PAGE = Path("docs/evolve.md")
OUT = "learned"
BUILD = ("ontology", "build", "--corpus", "abstracts.txt", "--topic", "rainstorm", "--min-documents", "2", "--out", OUT)
SETTLE = ("ontology", "settle", OUT)
TERMS = "道路积水,城市内涝,内涝,滑坡,山洪,泥石流,洪涝,洪涝灾害,地质灾害,风暴潮"
FIRST = ("2 flooding : a flooded country road", "1 flooding", "q")
"""Replies of the first session, in English."""
SECOND = ("y", "*", "*", "u", "洪涝 : 无人山谷里的山洪", "*", "洪涝", "l")
"""Replies of the second session, in Chinese, which the page does not show."""
COLLEAGUE = {"风暴潮": "0"}
"""Replies of a colleague, by what the question is about."""


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
            run(*SETTLE, "--lang", "zh", "--who", "Li Wei", replies=SECOND)
            shown["table"] = [
                *run(*SETTLE, "--questions", "open.tsv", "--lang", "zh", said=True),
                "",
                *_fill("open.tsv"),
            ]
            shown["answers"] = run(*SETTLE, "--answers", "open.tsv", "--who", "Wang Fang", said=True)
            run(*BUILD)
            after = run("ontology", "show", OUT + "/rainstorm.ttl", "--class", "山洪", said=True)
            shown["replay"] = [*before, f"$ {quoted('ontocrawl', *BUILD)}", "..", *after]
    return shown


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


if __name__ == "__main__":
    sys.exit(main())
