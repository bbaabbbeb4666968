"""Keywords of Chinese abstracts, found without seeing the authors': F1@5 and F1@10. Prints one JSON document.

    python -m benchmarks.terms [--json docs/benchmarks/terms.json] [--records N]

The corpus is ../shared/data/abstracts_zh/general_18k.jsonl.xz, 18,751 records. Reference: the authors' keywords,
folded (NFKC, lower case). They are never given to an extractor: its documents are built from title and abstract only,
and no lexicon is used. Records fall into a tuning and a report half by a hash of the title, so that a paper that is
there twice is in one half. F1 of each record at 5 and at 10 answers, macro-averaged over all records of a half.
jieba's TF-IDF and TextRank answer for the records of the report half in the same run. With --json FILE a table is
written beside it (FILE with the suffix .md). Exits with 1 where ours is less than twice TF-IDF.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks import report
from ontology.model import Document
from ontology.terms.term_figures import document_terms
from ontology.terms.wordforms import fold

FOLDER = Path(__file__).parents[2] / "shared" / "data" / "abstracts_zh"
CORPUS = FOLDER / "general_18k.jsonl.xz"
DISASTER = FOLDER / "disaster_broad.jsonl.xz"
TUNING, REPORT = 0, 1
DEPTHS = (5, 10)
TWICE = 2.0


@dataclass(frozen=True)
class Corpus:
    """Documents without keywords, and apart from them the folded keywords and the half of each."""

    documents: tuple[Document, ...]
    keywords: tuple[frozenset[str], ...]
    halves: tuple[int, ...]


def load(path: Path, most: int | None = None) -> Corpus:
    """Read a corpus, ``most`` of its records. The documents have a title and an abstract and nothing else."""
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        records = [json.loads(line) for line in islice(stream, most)]
    return Corpus(
        tuple(Document(r["id"], r["title"], r["abstract"]) for r in records),
        tuple(frozenset(fold(k.strip()) for k in r["keywords"]) - {""} for r in records),
        tuple(half(r["title"]) for r in records),
    )


def half(title: str) -> int:
    """The half of a record: the lowest bit of the SHA-256 of its folded title."""
    return hashlib.sha256(fold(title).encode()).digest()[0] & 1


def f1(answers: Sequence[str], keywords: frozenset[str], depth: int) -> float:
    """F1 of the first ``depth`` answers of a record; 0 for one without answers or keywords."""
    given = list(dict.fromkeys(fold(a) for a in answers))[:depth]
    hits = len(keywords.intersection(given))
    return 2 * hits / (len(given) + len(keywords)) if hits else 0.0


def means(answers: Sequence[Sequence[str]], keywords: Sequence[frozenset[str]]) -> dict[str, float]:
    """F1 at each depth, macro-averaged."""
    return {
        f"f1@{depth}": round(sum(f1(a, k, depth) for a, k in zip(answers, keywords, strict=True)) / len(keywords), 4)
        for depth in DEPTHS
    }


def ours(documents: Sequence[Document]) -> list[list[str]]:
    """The best candidates of our scorer."""
    return [[t.text for t in found] for found in document_terms(documents, max(DEPTHS))]


def jieba_answers(name: str) -> Callable[[Document], list[str]]:
    """Return an extractor of jieba, TF-IDF or TextRank, with its defaults."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jieba.analyse
    extract = {"TF-IDF": jieba.analyse.extract_tags, "TextRank": jieba.analyse.textrank}[name]
    return lambda d: list(extract(f"{d.title}\n{d.abstract}", topK=max(DEPTHS)))


def measure(
    path: Path, most: int | None = None, *, baselines: Sequence[str] = ("TF-IDF", "TextRank")
) -> dict[str, Any]:
    """Our scorer on all documents of a corpus, all methods on the records of the report half."""
    corpus = load(path, most)
    started = time.process_time()
    found = ours(corpus.documents)
    seconds = time.process_time() - started
    at = {h: [i for i, mine in enumerate(corpus.halves) if mine == h] for h in (TUNING, REPORT)}
    keywords = [corpus.keywords[i] for i in at[REPORT]]
    result: dict[str, Any] = {
        "records": len(corpus.documents),
        "tuning_records": len(at[TUNING]),
        "report_records": len(at[REPORT]),
        "keywords_in_text": in_text(corpus),
        "methods": {"ontocrawl": means([found[i] for i in at[REPORT]], keywords) | {"cpu_seconds": round(seconds, 1)}},
        "ontocrawl_on_tuning_half": means([found[i] for i in at[TUNING]], [corpus.keywords[i] for i in at[TUNING]]),
    }
    for name in baselines:
        extract = jieba_answers(name)
        extract(corpus.documents[0])  # loads its tables
        started = time.process_time()
        answers = [extract(corpus.documents[i]) for i in at[REPORT]]
        result["methods"][f"jieba {name}"] = means(answers, keywords) | {
            "cpu_seconds": round(time.process_time() - started, 1)
        }
    best = result["methods"]
    result["times_tf_idf"] = {
        f"f1@{d}": round(best["ontocrawl"][f"f1@{d}"] / best["jieba TF-IDF"][f"f1@{d}"], 2) for d in DEPTHS
    }
    return result


def in_text(corpus: Corpus) -> float:
    """Share of the keywords that stand in title or abstract: no extractor can find the others."""
    pairs = [
        keyword in fold(f"{d.title}\n{d.abstract}")
        for d, keywords in zip(corpus.documents, corpus.keywords, strict=True)
        for keyword in keywords
    ]
    return round(sum(pairs) / len(pairs), 4)


def table(result: report.Result) -> str:
    """The result as Markdown."""
    lines = [
        "The authors' keywords are the reference and are hidden from every method. F1 of each record at 5 and at 10",
        "answers, averaged over the records of the report half. The weights were fitted on the other half",
        "([once](../evidence.md#weights-of-the-term-scorer)).",
    ]
    for title, key in (("General", "general"), ("Disaster subset as a corpus of its own", "disaster")):
        part = result[key]
        lines += [
            "",
            f"## {title}: {part['report_records']:,} of {part['records']:,} records",
            "",
            "| method | F1@5 | F1@10 | times TF-IDF at 5 | at 10 | CPU seconds |",
            "|---|---|---|---|---|---|",
        ]
        base = part["methods"]["jieba TF-IDF"]
        for name, row in part["methods"].items():
            ratios = " | ".join(f"{row[f'f1@{d}'] / base[f'f1@{d}']:.2f}" for d in DEPTHS)
            lines.append(f"| {name} | {row['f1@5']:.3f} | {row['f1@10']:.3f} | {ratios} | {row['cpu_seconds']} |")
        tuned = part["ontocrawl_on_tuning_half"]
        lines += [
            "",
            f"On the tuning half ours has {tuned['f1@5']:.3f} and {tuned['f1@10']:.3f}.",
            f"{part['keywords_in_text']:.0%} of the keywords stand in title or abstract.",
        ]
    lines += [
        "",
        "CPU seconds: ours for all records of the corpus, the others for those of the report half.",
        f"{report.machine(result)}.",
    ]
    command = "python -m benchmarks.terms --json docs/benchmarks/terms.json"
    return report.page("Keywords of Chinese abstracts", command, lines)


def main() -> int:
    """Run and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--records", type=int, metavar="N", help="take the first N of each corpus only")
    chosen = arguments.parse_args()
    if not CORPUS.exists():
        raise SystemExit(f"{CORPUS} is not there: this benchmark needs the shared test data")
    result = report.head("terms", general=measure(CORPUS, chosen.records), disaster=measure(DISASTER, chosen.records))
    report.publish(result, chosen.json, table)
    return int(min(result["general"]["times_tf_idf"].values()) < TWICE)


if __name__ == "__main__":
    sys.exit(main())
