"""Boundaries of sentences against two treebanks: our rules and the libraries that are installed.

    python -m benchmarks.sentences --zh zh_gsdsimp-ud-test.conllu --en en_gum-ud-test.conllu [--json FILE]

The files are those of Universal Dependencies (UD_Chinese-GSDSimp: sentences, of which five in a row are joined to a
paragraph; UD_English-GUM: paragraphs, of its genres of written prose). Both are given as truth; the rules were adjusted
on the files of development (dev) only. A boundary is right if the treebank has one there; the ends of paragraphs do not
count. Measured are the libraries pysbd, sentencex and blingfire where they are installed.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from benchmarks import report
from ontology.terms import sentences

WRITTEN = ("academic", "bio", "essay", "news", "textbook", "voyage")
"""Genres of GUM that are written prose."""
PARAGRAPH = 5
"""Sentences of GSDSimp that make a paragraph."""
Splitter = Callable[[str], Sequence[str]]


def paragraphs_zh(path: Path) -> list[list[str]]:
    """Return the sentences of a file of GSDSimp, five a paragraph."""
    texts = [line.removeprefix("# text = ") for line in _lines(path) if line.startswith("# text = ")]
    return [texts[first : first + PARAGRAPH] for first in range(0, len(texts), PARAGRAPH)]


def paragraphs_en(path: Path) -> list[list[str]]:
    """Return the sentences of the paragraphs of written prose in a file of GUM."""
    paragraphs: list[list[str]] = [[]]
    written = False
    for line in _lines(path):
        if line.startswith("# newdoc id"):
            written = line.partition("GUM_")[2].partition("_")[0] in WRITTEN
        if line.startswith("# newdoc id") or line == "# newpar":
            paragraphs.append([])
        elif written and line.startswith("# text = "):
            paragraphs[-1].append(line.removeprefix("# text = "))
    return [paragraph for paragraph in paragraphs if paragraph]


def score(paragraphs: Sequence[Sequence[str]], split: Splitter, joint: str) -> dict[str, float]:
    """Compare the boundaries inside of paragraphs with the true ones.

    Args:
        paragraphs: true sentences.
        split: a text -> its sentences.
        joint: what is between two sentences of a paragraph.

    Returns:
        precision, recall, F1, and seconds.
    """
    right = found = true = 0
    begun = time.perf_counter()
    for paragraph in paragraphs:
        expected = _boundaries(paragraph)
        got = _boundaries(split(joint.join(paragraph))) & set(range(max(expected)))
        expected.discard(max(expected))
        right, found, true = right + len(got & expected), found + len(got), true + len(expected)
    P, R = right / max(1, found), right / max(1, true)
    seconds = time.perf_counter() - begun
    return {"precision": round(P, 3), "recall": round(R, 3), "f1": round(2 * P * R / (P + R), 3), "seconds": seconds}


def _boundaries(parts: Sequence[str]) -> set[int]:
    """Return the ends of the parts, counted without white space."""
    return set(accumulate(len("".join(part.split())) for part in parts))


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def splitters(language: str) -> Iterator[tuple[str, Splitter]]:
    """Yield the splitters at hand, ours first."""
    yield "ontocrawl", sentences
    if importlib.util.find_spec("pysbd"):
        import pysbd  # type: ignore[import-not-found]

        yield "pysbd", pysbd.Segmenter(language=language, clean=False).segment
    if importlib.util.find_spec("sentencex"):
        import sentencex  # type: ignore[import-not-found]

        yield "sentencex", lambda text: list(sentencex.segment(language, text))
    if importlib.util.find_spec("blingfire"):
        import blingfire  # type: ignore[import-not-found]

        yield "blingfire", lambda text: blingfire.text_to_sentences(text).split("\n")


def table(result: report.Result) -> str:
    """Return the page of a result."""
    columns = ("language", "splitter", "precision", "recall", "F1", "times our time")
    ours = {row["language"]: row["seconds"] for row in result["rows"] if row["splitter"] == "ontocrawl"}
    rows = [
        (
            r["language"],
            r["splitter"],
            r["precision"],
            r["recall"],
            r["f1"],
            round(r["seconds"] / ours[r["language"]], 1),
        )
        for r in result["rows"]
    ]
    about = ", ".join(
        f"{n} {language} sentences of {result['files'][language]}" for language, n in result["sentences"].items()
    )
    lines = [f"Boundaries between sentences: {about}.", "", *report.grid(columns, rows), "", report.machine(result)]
    return report.page("Sentences against two treebanks", "python -m benchmarks.sentences", lines)


def main() -> int:
    """Run the benchmark and write its report."""
    parser = report.arguments(__doc__)
    parser.add_argument("--zh", type=Path, required=True, help="a CoNLL-U file of UD_Chinese-GSDSimp")
    parser.add_argument("--en", type=Path, required=True, help="a CoNLL-U file of UD_English-GUM")
    chosen = parser.parse_args()
    texts = {"zh": (paragraphs_zh(chosen.zh), ""), "en": (paragraphs_en(chosen.en), " ")}
    rows: list[dict[str, Any]] = [
        {"language": language, "splitter": name, **score(paragraphs, split, joint)}
        for language, (paragraphs, joint) in texts.items()
        for name, split in splitters(language)
    ]
    counts = {language: sum(map(len, paragraphs)) for language, (paragraphs, _) in texts.items()}
    files = {"zh": chosen.zh.name, "en": chosen.en.name}
    report.publish(report.head("sentences", sentences=counts, files=files, rows=rows), chosen.json, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
