"""From abstracts to an ontology on real corpora: time, and what comes out. Prints one JSON document.

    python -m benchmarks.learning [--corpora DIR] [--json docs/benchmarks/learning.json] [--docs docs]

Corpora are the folder ../shared/data/abstracts_zh beside the project. `general_18k` (18,751 abstracts, 300 terms,
minimal support 20) is measured against 120 s. With --docs the first three levels and a picture of the two disaster
corpora are written (docs/learned.md), and with --json FILE a table beside it.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks import report
from ontocrawl import learning, outlines, topics
from ontocrawl.config import Settings
from ontocrawl.workspace import Workspace
from ontology import corpus
from ontology.draw import hierarchy_tree
from ontology.evidence import skeleton
from ontology.learn_options import LearnOptions
from ontology.lint import lint
from ontology.model import Ontology
from ontology.terms.lexicon import load

LIMIT_SECONDS = 120
CORPORA = {
    "disaster_core": ("disaster_core.jsonl", 3, 300),
    "disaster_broad": ("disaster_broad.jsonl.xz", 3, 300),
    "general_18k": ("general_18k.jsonl.xz", 20, 300),
}
"""Name -> (file, minimal number of documents of a term, most terms)."""
SHOWN = ("disaster_core", "disaster_broad")
WEAKNESSES = """\
* The upper levels are curated (`ontology/data/top_classes.tsv`, and the topic's own ontologies): what the papers say is
  the placing of terms below them. Another domain needs other classes, or the readings without them.
* Under a facet such as *activity* a class is no kind of the topic; the root is a label for the whole, not a class of
  disasters. That is why the edges to the root count as wrong among the [judged edges](judged-edges.md).
* Siblings are often of different grain ({siblings}), and some classes stand directly under a facet although a closer
  parent is in the corpus but in no evidence.
* Classes without an English label (the records of `disaster_broad` have no English at all) are listed in
  `untranslated.tsv`; lint names them.
"""
UNEVEN = (("植被", "农作物"), ("预报", "预报预警"), ("水体", "水资源"), ("评估", "土地利用"))
"""Siblings of different grain that were seen; those that a run still has are shown."""


def learned(
    path: Path, min_documents: int, max_terms: int, folder: Path
) -> tuple[dict[str, Any], learning.LearnedFiles]:
    """Learn from one corpus as `ontocrawl ontology build` does, files included."""
    space = Workspace(folder / "none", Settings())
    topic = topics.load("rainstorm", space)
    started = time.perf_counter(), time.process_time()
    print("reading records", file=sys.stderr)
    read = corpus.read(path)
    print(f"learning from {len(read.documents)} records", file=sys.stderr)
    options = LearnOptions(
        load(), min_documents=min_documents, max_terms=max_terms,
        upper_classes=skeleton(topic.ontologies), base=space.settings.iri_base,
    )  # fmt: skip
    found = learning.learn_files(read, topic.file, options, register=folder / learning.REGISTER)
    learning.write(found, topic.file, folder)
    seconds = round(time.perf_counter() - started[0], 1), round(time.process_time() - started[1], 1)
    figures = learning.summary(found)
    keys = ("documents", "terms", "formal_concepts", "lattice_edges", "classes", "depth", "unplaced")
    told = {key: figures[key] for key in keys} | {"seconds": seconds[0], "processor_seconds": seconds[1]}
    codes = Counter(f.code for f in lint(found.global_ontology) if f.severity != "info")
    return told | {"without_english": len(found.learned.without_english), "lint": dict(sorted(codes.items()))}, found


def uneven_siblings(ontology: Ontology) -> set[str]:
    """Those of the known examples that stand under one parent in this ontology."""
    families = [{ontology.by_iri[c].label for c in below} for below in ontology.children.values()]
    return {f"{a} beside {b}" for a, b in UNEVEN if any({a, b} <= family for family in families)}


def page(result: dict[str, Any], outlines: dict[str, str], siblings: Iterable[str]) -> str:
    """docs/learned.md."""
    lines = [
        "# What is learned from real abstracts",
        "",
        "Written by `python -m benchmarks.learning --json docs/benchmarks/learning.json --docs docs`; not by hand.",
        "",
        "Two corpora of Chinese abstracts on disasters, learned with the topic `rainstorm` and the defaults. Behind a",
        "branch that is cut stands the number of classes below it.",
        "",
        "## Weaknesses",
        "",
        WEAKNESSES.format(siblings=", ".join(sorted(siblings))),
    ]
    for name, outline in outlines.items():
        f = result["corpora"][name]
        findings = ", ".join(f"{code} {n} times" for code, n in f["lint"].items()) or "nothing"
        learnt = f"{f['documents']:,} documents, {f['terms']} terms, {f['formal_concepts']:,} formal concepts"
        made = f"{f['classes']} classes in {f['depth']} levels; {f['unplaced']} terms without a place"
        lacking = f"{f['without_english']} classes without an English label"
        lines += [
            f"## {name}",
            "",
            f"{learnt}; {made}; {lacking}. [Lint](lint.md) finds at warning or above: {findings}.",
            "",
            f"![The hierarchy learned from {name}](learned-{name}.svg)",
            "",
            "```text",
            outline,
            "```",
            "",
        ]
    return "\n".join(lines)


def table(result: report.Result) -> str:
    """The result as Markdown."""
    counts = ("documents", "terms", "formal_concepts", "lattice_edges", "classes", "depth")
    keys = (*counts, "seconds", "processor_seconds")
    load = result["load_average"]
    rows = [[name, *(f[key] for key in keys)] for name, f in result["corpora"].items()]
    lines = [
        *report.grid(["corpus", *(key.replace("_", " ") for key in keys)], rows),
        "",
        f"Files and pictures included. The limit for general_18k is {LIMIT_SECONDS} s.",
        f"{report.machine(result)}, load {load[0]} before and {load[1]} after.",
    ]
    command = "python -m benchmarks.learning --json docs/benchmarks/learning.json --docs docs"
    return report.page("From abstracts to an ontology", command, lines)


def main() -> int:
    """Run and print."""
    arguments = report.arguments(__doc__)
    beside = Path(__file__).resolve().parents[2] / "shared" / "data" / "abstracts_zh"
    arguments.add_argument("--corpora", type=Path, default=beside, metavar="DIR")
    arguments.add_argument("--docs", type=Path, metavar="DIR", help="write learned.md and pictures there")
    chosen = arguments.parse_args()
    if not chosen.corpora.is_dir():
        print(f"no corpora in {chosen.corpora}: name their folder with --corpora", file=sys.stderr)
        return 2
    before = report.load()
    figures: dict[str, Any] = {}
    shown: dict[str, str] = {}
    siblings = set[str]()
    for name, (file, min_documents, max_terms) in CORPORA.items():
        with tempfile.TemporaryDirectory(prefix="ontocrawl-learning-") as folder:
            figures[name], found = learned(chosen.corpora / file, min_documents, max_terms, Path(folder))
        if name in SHOWN:
            shown[name] = outlines.outline(found.global_ontology, depth=3)
            siblings |= uneven_siblings(found.global_ontology)
            if chosen.docs:
                picture = hierarchy_tree(found.global_ontology, language="zh")
                (chosen.docs / f"learned-{name}.svg").write_text(picture, encoding="utf-8")
    result = report.head(
        "learning",
        cores=os.cpu_count(),
        limit_seconds=LIMIT_SECONDS,
        load_average=[before, report.load()],
        corpora=figures,
    )
    report.publish(result, chosen.json, table)
    if chosen.docs:
        (chosen.docs / "learned.md").write_text(page(result, shown, siblings), encoding="utf-8")
    return int(figures["general_18k"]["seconds"] > LIMIT_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
