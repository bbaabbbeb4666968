"""The two disaster corpora, learned with the lists of their field: the edges of today beside those of an earlier state.

    python -m benchmarks.disasters

docs/benchmarks/disaster-edges.tsv has the direct edges that were learned before names were pooled over the whole corpus
(columns corpus, child, parent, evidence). Verdicts on edges are those of docs/judged-edges.tsv.
"""

from __future__ import annotations

import csv
import json
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.fields import packed
from ontology.build import Learned, LearnOptions, LocalSpec, TopicSpec, learn
from ontology.choices import Kind
from ontology.evidence import skeleton
from ontology.model import Document
from ontology.reachable import reachable
from ontology.terms.lexicon import bundled

ROOT = Path(__file__).resolve().parent.parent
CORPORA = ROOT / ".." / "shared" / "data" / "abstracts_zh"
BROAD = CORPORA / "disaster_broad.jsonl.xz"
CORE = CORPORA / "disaster_core.jsonl"
BY_NAME = {"disaster_core": CORE, "disaster_broad": BROAD}
JUDGED = ROOT / "docs" / "judged-edges.tsv"
BEFORE = ROOT / "docs" / "benchmarks" / "disaster-edges.tsv"
FIELD = "earth"
KINDS: tuple[tuple[Kind, ...], ...] = (("fca",), ("fca", "lda"), ("fca", "apriori"), ("fca", "lda", "apriori"))
"""Kinds of evidence that are compared, the default first."""

Pair = tuple[str, str]
Verdict = Mapping[Pair, str]


class Edge(NamedTuple):
    """A direct edge of an ontology, by labels."""

    child: str
    parent: str
    evidence: str


def topic() -> TopicSpec:
    """Return the shipped topic."""
    found = tomllib.loads((files("ontologies") / "topics" / "rainstorm.toml").read_text(encoding="utf-8"))
    local = (LocalSpec(x["name"], x["label"]["zh"], x["label"]["en"], tuple(x["cues"])) for x in found["local"])
    return TopicSpec(found["name"], found["label"]["zh"], found["label"]["en"], tuple(local))


def earth(**options: Any) -> LearnOptions:
    """Return options with the lists of the earth sciences."""
    return LearnOptions(bundled(FIELD), upper_classes=skeleton(field=FIELD), **options)


def documents(name: str = "disaster_broad") -> list[Document]:
    """Return the records of a corpus."""
    return packed(BY_NAME[name])


def all_edges(learned: Learned) -> list[Edge]:
    """Return the direct edges of a learned global ontology, sorted."""
    whole = learned.global_ontology
    label = {c.iri: c.label for c in whole.concepts}
    return sorted(Edge(label[r.source], label[r.target], r.evidence) for r in whole.edges("subclass_of"))


def table(path: Path) -> list[dict[str, str]]:
    """Read a table of tab-separated values without quotes."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def judged() -> dict[Pair, dict[str, str]]:
    """Return the verdicts, by child and parent. Raises SystemExit for a row without verdict or reason."""
    rows = table(JUDGED)
    odd = [row for row in rows if row["verdict"] not in ("right", "wrong") or not row["reason"]]
    if odd:
        raise SystemExit(f"{JUDGED}: expected the verdict right or wrong, and a reason; found {odd[0]}")
    return {(row["child"], row["parent"]): row for row in rows}


def before(name: str) -> list[Edge]:
    """Return the edges of a corpus as they were."""
    return [Edge(row["child"], row["parent"], row["evidence"]) for row in table(BEFORE) if row["corpus"] == name]


def comparison(old: Sequence[Edge], new: Sequence[Edge], verdicts: Verdict, root: str = "") -> dict[str, Any]:
    """Compare the edges of two states of one ontology.

    Edges to the root are only counted ("children_of_root"): the root stands for the topic as a whole, and its children
    need not be kinds of it.

    Args:
        old: direct edges of the earlier state.
        new: direct edges of today.
        verdicts: verdict of an edge, by child and parent: "right" or "wrong"; others are not judged.
        root: label of the root; the topic's if empty.

    Returns:
        Counts of the edges of each state by verdict, and lists of pairs: right edges that are lost, right edges that
        are implied by others now, wrong edges that are gone, wrong ones that are new, and new ones without a verdict.
    """
    root = root or topic().label_zh
    earlier, today = ({edge[:2] for edge in edges if edge.parent != root} for edges in (old, new))
    children = [sum(edge.parent == root for edge in edges) for edges in (old, new)]
    above: dict[str, list[str]] = {}
    for child, parent in today:
        above.setdefault(child, []).append(parent)

    def implied(pair: Pair) -> bool:
        return pair[1] in reachable(pair[0], lambda label: above.get(label, ())) - {pair[0]}

    gone, fresh = earlier - today, today - earlier
    right_gone = of_verdict(gone, verdicts, "right")
    return {
        "before": counts(earlier, verdicts) | {"children_of_root": children[0]},
        "now": counts(today, verdicts) | {"children_of_root": children[1]},
        "right_lost": [pair for pair in right_gone if not implied(pair)],
        "right_implied": [pair for pair in right_gone if implied(pair)],
        "wrong_gone": of_verdict(gone, verdicts, "wrong"),
        "wrong_new": of_verdict(fresh, verdicts, "wrong"),
        "right_new": of_verdict(fresh, verdicts, "right"),
        "not_judged": sorted(pair for pair in fresh if verdicts.get(pair) not in ("right", "wrong")),
    }


def of_verdict(pairs: Iterable[Pair], verdicts: Verdict, verdict: str) -> list[Pair]:
    """Return the pairs that have a verdict, sorted."""
    return sorted(pair for pair in pairs if verdicts.get(pair) == verdict)


def counts(pairs: Iterable[Pair], verdicts: Verdict) -> dict[str, int]:
    """Count pairs by verdict; "edges" is the number of all."""
    listed = list(pairs)
    told = {verdict: len(of_verdict(listed, verdicts, verdict)) for verdict in ("right", "wrong")}
    return {"edges": len(listed), **told, "not_judged": len(listed) - sum(told.values())}


def main() -> int:
    """Print the comparison of each corpus as JSON, pairs as texts."""
    verdicts = {pair: row["verdict"] for pair, row in judged().items()}
    result = {}
    for name in BY_NAME:
        learned = learn(documents(name), topic(), earth())
        told = comparison(before(name), all_edges(learned), verdicts)
        result[name] = {
            key: [" < ".join(pair) for pair in value] if isinstance(value, list) else value
            for key, value in told.items()
        }
    print(json.dumps(result, indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
