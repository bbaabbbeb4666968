"""The readings of the hierarchy: planted taxonomies found again, and judged edges of real ontologies.

    python -m benchmarks.hierarchy [--json docs/benchmarks/hierarchy.json] [--list N] [--all] [--parts NAME ..]

Planted (tests/ontology/hierarchy/planted.py): 1,000 documents, each a random node of a DAG of 60 terms with all its
ancestors, 30 % of the nodes with a second parent; F1 of the direct edges against the DAG's transitive reduction, 20
seeds, without noise and with 5 % of the incidences removed and as many added.

Judged: ontologies are learned from `disaster_broad` (../shared/data, else this part is left out). From each, 200
edges are drawn from a seed and looked up in docs/judged-edges.tsv, which was filled in edge by edge: child, parent,
verdict (right or wrong: would an expert accept "every child is a parent"?), reason, evidence, round. Reported:

* before     reading "significant", terms without a broader one under the root
* after      reading "evidence", the default of `learn`
* unseen     of the same corpus with 900 terms, edges of terms that no verdict of round 1 is about: after that round the
             curated classes were corrected, and never again

Fields (benchmarks/fields.py): what is learned from corpora of single fields without lists, which share of it two judges
accept (benchmarks/judging.py, docs/compare.md), by field and by rule.

An edge without a verdict is counted as such and prints on --list N (as lines for the table; --all: not only drawn).
With --json FILE a table is written beside it (suffix .md), and docs/judged-fields.md anew.
With --parts only some of planted, judged and fields are measured; FILE keeps its figures of the others.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from benchmarks import field_pages, report
from benchmarks.disasters import BROAD, Edge, all_edges, documents, earth, judged, topic
from benchmarks.fields import ABSTRACTS, PAGES
from benchmarks.judging import DOCS, known_pairs, verdicts
from ontology.build import Learned, learn
from ontology.choices import Reading
from ontology.hierarchy import term_hierarchy
from ontology.model import Document
from tests.ontology.hierarchy.planted import edge_f1, planted

ROOT_LABEL = topic().label_zh
SEEDS, NOISE = 20, 0.05
DRAWN, SEED = 200, 20


def planted_figures() -> list[dict[str, Any]]:
    """F1 of each reading, without noise and with it."""
    rows = []
    for noise in (0.0, NOISE):
        truths = [planted(seed, noise=noise) for seed in range(SEEDS)]
        readings: tuple[Reading, ...] = ("published", "significant", "tolerant")
        for reading in readings:
            f1 = [edge_f1(term_hierarchy(truth.context, reading=reading), truth) for truth in truths]
            mean = sum(f1) / len(f1)
            rows.append({"noise": noise, "reading": reading, "mean_f1": round(mean, 3), "worst_f1": round(min(f1), 3)})
    return rows


def edges_of(
    records: Sequence[Document],
    reading: Reading,
    max_terms: int,
    *,
    without: frozenset[str] = frozenset(),
) -> tuple[list[Edge], dict[str, Any]]:
    """The direct edges of the learned global ontology, sorted, and its figures; without those of some terms."""
    learned = learn(records, topic(), earth(reading=reading, max_terms=max_terms))
    edges = all_edges(learned)
    if without:
        fresh = {term.text for term in learned.terms} - without
        edges = [edge for edge in edges if edge.child in fresh]
    return edges, _sizes(learned, edges)


def _sizes(learned: Learned, edges: Sequence[Edge]) -> dict[str, Any]:
    return {
        "terms": len(learned.terms),
        "classes": len(learned.global_ontology.concepts),
        "edges": len(edges),
        "unplaced": len(learned.unplaced),
    }


def verdict(edge: Edge, known: dict[tuple[str, str], str]) -> str:
    """The verdict on an edge, "none" for a disputed one or none. One to the root is wrong, listed or not."""
    said = known.get((edge.child, edge.parent), "wrong" if edge.parent == ROOT_LABEL else "")
    return said if said in ("right", "wrong") else "none"


def share(name: str, edges: Sequence[Edge], figures: dict[str, Any], said_of: dict[tuple[str, str], str]) -> Any:
    """What became of the drawn edges."""
    drawn = random.Random(SEED).sample(list(edges), min(DRAWN, len(edges)))
    said = Counter(verdict(edge, said_of) for edge in drawn)
    by_rule: dict[str, Counter[str]] = {}
    for edge in drawn:
        rule = edge.evidence.split(":")[0].split(";")[0]
        rule = next((r for r in ("ending", "pattern", "curated") if rule.startswith(r)), rule)
        by_rule.setdefault(rule, Counter())[verdict(edge, said_of)] += 1
    known = said["right"] + said["wrong"]
    result = figures | {
        "name": name,
        "drawn": len(drawn),
        "right": said["right"],
        "wrong": said["wrong"],
        "not_judged": said["none"],
        "share_right": round(said["right"] / known, 3) if known else None,
        "by_rule": {rule: dict(counts) for rule, counts in sorted(by_rule.items())},
    }
    return result, drawn


def judged_figures(listed: int, *, everything: bool) -> list[dict[str, Any]]:
    """The three draws; prints lines for edges without a verdict."""
    known = known_pairs(verdicts()["edges"])
    records = documents()
    before, before_figures = edges_of(records, "significant", 300)
    after, after_figures = edges_of(records, "evidence", 300)
    seen = frozenset(row["child"] for row in judged().values() if row["round"] == "1")
    unseen, unseen_figures = edges_of(records, "evidence", 900, without=seen)
    results = []
    missing: dict[tuple[str, str], Edge] = {}
    for name, edges, figures in (
        ("before", before, before_figures),
        ("after", after, after_figures),
        ("unseen", unseen, unseen_figures),
    ):
        result, drawn = share(name, edges, figures, known)
        results.append(result)
        for edge in edges if everything else drawn:
            if (edge.child, edge.parent) not in known and edge.parent != ROOT_LABEL:
                missing.setdefault((edge.child, edge.parent), edge)
    _print_open(missing.values(), listed)
    return results


def _print_open(edges: Iterable[Edge], listed: int) -> None:
    """Lines for the table of verdicts."""
    for edge in list(edges)[:listed]:
        print("\t".join((edge.child, edge.parent, "", "", edge.evidence)), file=sys.stderr)


def table(result: report.Result) -> str:
    """The result as Markdown."""
    planted = [
        (f"{r['noise']:.0%}", r["reading"], f"{r['mean_f1']:.3f}", f"{r['worst_f1']:.3f}")
        for r in result.get("planted", [])
    ]
    lines = [
        "## Planted taxonomies",
        "",
        f"1,000 documents, 60 terms, 30 % with a second parent; {SEEDS} seeds; one fixed threshold.",
        "",
        *report.grid(["noise", "reading", "mean F1 of edges", "worst seed"], planted),
        "",
    ]
    if result.get("judged"):
        lines += [
            "## Judged edges of `disaster_broad`",
            "",
            "200 edges drawn from a seed; verdicts and reasons are in [judged-edges.tsv](../judged-edges.tsv).",
            "",
            '* before: reading "significant"',
            '* after: reading "evidence", the default',
            "* unseen: of 900 terms, edges of those that were not looked at before the curated classes were finished",
            "",
            "| | classes | edges | terms unplaced | drawn | right | wrong | not judged | share right |",
            "|---|---|---|---|---|---|---|---|---|",
        ]
        keys = ("name", "classes", "edges", "unplaced", "drawn", "right", "wrong", "not_judged", "share_right")
        lines += [f"| {' | '.join(str(row[key]) for key in keys)} |" for row in result["judged"]]
        lines += [
            "",
            "By the rule that made the edge, *after* and *unseen*:",
            "",
            "| | rule | right | wrong | not judged |",
        ]
        lines += ["|---|---|---|---|---|"]
        lines += [
            f"| {row['name']} | {rule} | {n.get('right', 0)} | {n.get('wrong', 0)} | {n.get('none', 0)} |"
            for row in result["judged"][1:]
            for rule, n in row["by_rule"].items()
        ]
        lines += [""]
    if result.get("fields"):
        lines += field_pages.lines(result["fields"])
    command = "python -m benchmarks.hierarchy --json docs/benchmarks/hierarchy.json"
    return report.page(
        "Hierarchy: planted taxonomies and judged edges", command, [*lines, f"{report.machine(result)}."]
    )


def judged_parts(listed: int, *, everything: bool) -> dict[str, Any]:
    """The parts on the disaster corpora, empty without them."""
    if not BROAD.exists():
        print(f"no judged edges: {BROAD} is not there", file=sys.stderr)
        return {"judged": []}
    return {"judged": judged_figures(listed, everything=everything)}


def field_part() -> dict[str, Any]:
    """The part on fields without lists, empty without their corpora."""
    if not (ABSTRACTS.exists() and PAGES.exists()):
        print(f"no fields: {ABSTRACTS} or {PAGES} is not there", file=sys.stderr)
        return {"fields": {}}
    return {"fields": field_pages.run()}


def main() -> int:
    """Run and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--list", type=int, default=0, metavar="N", help="print edges that have no verdict")
    arguments.add_argument("--all", action="store_true", help="with --list: all edges, not only those drawn")
    parts: dict[str, Callable[[], dict[str, Any]]] = {
        "planted": lambda: {"planted": planted_figures()},
        "judged": lambda: judged_parts(chosen.list, everything=chosen.all),
        "fields": field_part,
    }
    arguments.add_argument("--parts", nargs="+", choices=parts, default=[*parts], help="the others are kept (--json)")
    chosen = arguments.parse_args()
    result: dict[str, Any] = report.head("hierarchy", seed=SEED)
    if len(chosen.parts) < len(parts):
        result = json.loads(chosen.json.read_text(encoding="utf-8")) | result if chosen.json else result
    for name in chosen.parts:
        result |= parts[name]()
    report.publish(result, chosen.json, table)
    if chosen.json:
        (DOCS / "judged-fields.md").write_text(field_pages.judged_page(verdicts()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
