"""From abstracts to an ontology on real corpora: time, and what comes out. Prints one JSON document.

    python -m benchmarks.learning [--corpora DIR] [--only NAME] [--json docs/benchmarks/learning.json] [--docs docs]

Corpora are the folder ../shared/data/abstracts_zh beside the project. `general_18k` (18,751 abstracts, 300 terms,
minimal support 20) is measured against 120 s. With --docs the upper levels of the two disaster corpora, and of
the fields for development (benchmarks/fields.py), which are learned without lists, are written to docs/learned.md, and
with --json FILE a table beside it.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import fields, report
from ontocrawl.base.config import Settings
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import topic_card
from ontocrawl.topics import topic_files, topics
from ontocrawl.versions import deciding, learning
from ontology import corpus
from ontology.evidence import skeleton
from ontology.learn_options import LearnOptions
from ontology.lint import lint
from ontology.model import Ontology
from ontology.terms.lexicon import bundled

LIMIT_SECONDS = 120
CORPORA = {
    "disaster_core": ("disaster_core.jsonl", 3, 300),
    "disaster_broad": ("disaster_broad.jsonl.xz", 3, 300),
    "general_18k": ("general_18k.jsonl.xz", 20, 300),
}
"""Name -> (file, minimal number of documents of a term, most terms)."""
SHOWN = ("disaster_core", "disaster_broad")
WEAKNESSES = """\
Of the disaster corpora:

* The upper levels are curated (`ontology/data/fields/earth`, and the ontologies of the topic). What is learned from the
  papers is where each term belongs below them.
* The root is the name of the field, and the classes directly below it are facets, such as *activity*. A facet is not a
  kind of the root (an activity is not a rainstorm disaster), so the edges to the root count as wrong among the
  [judged edges](evidence.md#judged-edges-of-the-disaster-corpora).
* {siblings}Some classes are placed directly under a facet because no evidence names the closer parent, although it
  occurs in the corpus.
* Many classes lack an English label; the records of `disaster_broad` have no English text at all. These classes are
  listed in `untranslated.tsv`, and lint reports them.

Of the fields without lists:

* What is above the widest class that a name or a sentence states is unknown. {children} classes are directly below
  the roots, and {thin} of the classes that are there have one class below them.
* {left_out} of the terms have no broader class and no two narrower ones, and are left out; `summary.json` of a build
  lists them. To place them, list them as members of classes of your own (`--classes`).
* How many relations are right is [measured](benchmarks/hierarchy.md#judged-edges-of-the-fields).
"""
UNEVEN = (("植被", "农作物"), ("预报", "预报预警"), ("水体", "水资源"), ("评估", "土地利用"))
"""Siblings that differ in generality, found in earlier runs; the page lists those that are still siblings."""


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
        bundled(topic.file.field), min_documents=min_documents, max_terms=max_terms,
        upper_classes=skeleton(topic.ontologies, field=topic.file.field), base=space.settings.iri_base,
    )  # fmt: skip
    register = learning.iri_register(folder / deciding.REGISTER, topic.file, options.base)
    about = int(topic_card.about_topic(topic.file, read.documents).sum())
    found = learning.learn_files(read, topic.file, options, register, about)
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


def learned_fields() -> tuple[dict[str, Any], dict[str, str]]:
    """Learn the fields for development without lists; return figures and two levels of each."""
    figures, levels = {}, {}
    for field, told, found in fields.measured([f for f in fields.FIELDS if f.purpose == "development"]):
        whole = found.global_ontology
        top = [whole.children[iri] for iri in whole.children[whole.root]]
        missing = sum(found.hierarchy.index(term.text) is None for term in found.terms)
        thin = sum(len(below) == 1 for below in top)
        figures[field.name] = told | {"left_out": missing, "one_below": thin, "label": field.label_en}
        levels[field.name] = fields.two_levels(whole)
    return figures, levels


def weaknesses(told: Mapping[str, Any], siblings: Iterable[str]) -> str:
    """The known weaknesses, with the figures of this run."""
    uneven = ", ".join(sorted(siblings))
    shares = sorted(f["left_out"] / f["terms"] for f in told.values())
    return WEAKNESSES.format(
        siblings=f"Some siblings differ in generality ({uneven}). " if uneven else "",
        children=_between([f["children_of_root"] for f in told.values()]),
        thin=_between([f["one_below"] for f in told.values()]),
        left_out=f"{shares[0]:.0%} to {shares[-1]:.0%}",
    )


def _between(counts: Sequence[int]) -> str:
    return f"{min(counts)} to {max(counts)}"


def field_lines(told: Mapping[str, Any], levels: Mapping[str, str]) -> list[str]:
    """Two levels of each field as Markdown."""
    lines = [
        "## Fields without lists",
        "",
        "Learned without any class, ending or lexicon, as `ontology build --no-bundled` does. Each line is a class",
        "directly below the root, with classes below it; the numbers count all classes below a class. Classes with",
        "one class below them, or none, share a line at the end.",
        "",
    ]
    for name, text in levels.items():
        f = told[name]
        made = f"{f['placed']} terms are placed, in {f['classes']} classes of {f['depth']} levels"
        lines += [
            f"### {name}",
            "",
            f"{f['label'].capitalize()}: {f['documents']} documents, {f['terms']} terms; {made}.",
        ]
        lines += ["", "```text", text, "```", ""]
    return lines


def page(result: dict[str, Any], outlines: dict[str, str], levels: Mapping[str, str], siblings: Iterable[str]) -> str:
    """docs/learned.md."""
    lines = [
        "# What is learned from real abstracts",
        "",
        "Generated by `python -m benchmarks.learning --json docs/benchmarks/learning.json --docs docs`; do not edit.",
        "",
        "This page shows what ontology learning makes of two corpora of Chinese abstracts on disasters, with the topic",
        "`rainstorm`, the lists of its field and default options, and of corpora of",
        "[other fields without lists](#fields-without-lists). `(+16)` after a class means that 16 further classes",
        "below it are not shown.",
        "",
        "## Known weaknesses",
        "",
        weaknesses(result["fields"], siblings),
    ]
    for name, outline in outlines.items():
        f = result["corpora"][name]
        findings = ", ".join(f"{code} {n} times" for code, n in f["lint"].items()) or "nothing"
        learnt = f"{f['documents']:,} documents, {f['terms']} terms, {f['formal_concepts']:,} formal concepts"
        made = f"{f['classes']} classes in {f['depth']} levels; {f['unplaced']} terms without a broader one"
        lacking = f"{f['without_english']} classes without an English label"
        lines += [
            f"## {name}",
            "",
            f"{learnt}; {made}; {lacking}. [Lint](lint.md) reports warnings and errors: {findings}.",
            "",
            "```text",
            outline,
            "```",
            "",
        ]
    return "\n".join([*lines, *field_lines(result["fields"], levels)])


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
    arguments.add_argument("--docs", type=Path, metavar="DIR", help="write learned.md there")
    arguments.add_argument("--only", choices=CORPORA, help="learn from one corpus, and from no field")
    chosen = arguments.parse_args()
    if chosen.only and chosen.docs:
        arguments.error("--docs needs all corpora")
    if not chosen.corpora.is_dir():
        print(f"no corpora in {chosen.corpora}: name their folder with --corpora", file=sys.stderr)
        return 2
    before = report.load()
    figures: dict[str, Any] = {}
    shown: dict[str, str] = {}
    siblings = set[str]()
    for name in [chosen.only] if chosen.only else CORPORA:
        file, min_documents, max_terms = CORPORA[name]
        with tempfile.TemporaryDirectory(prefix="ontocrawl-learning-") as folder:
            figures[name], found = learned(chosen.corpora / file, min_documents, max_terms, Path(folder))
        if name in SHOWN:
            shown[name] = topic_files.outline(found.global_ontology, depth=3)
            siblings |= uneven_siblings(found.global_ontology)
    without_lists, levels = ({}, {}) if chosen.only else learned_fields()
    result = report.head(
        "learning",
        cores=os.cpu_count(),
        limit_seconds=LIMIT_SECONDS,
        load_average=[before, report.load()],
        corpora=figures,
        fields=without_lists,
    )
    report.publish(result, chosen.json, table)
    if chosen.docs:
        (chosen.docs / "learned.md").write_text(page(result, shown, levels, siblings), encoding="utf-8")
    return int(max(f["seconds"] for f in figures.values()) > LIMIT_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
