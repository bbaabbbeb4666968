"""The two disaster corpora, learned with the lists of their field, and the verdicts on their edges.

The verdicts are in docs/judged-edges.tsv.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.fields import packed
from ontology.build import Learned, LearnOptions, LocalSpec, TopicSpec
from ontology.evidence import skeleton
from ontology.model import Document
from ontology.terms.lexicon import bundled

ROOT = Path(__file__).resolve().parent.parent
CORPORA = ROOT / ".." / "shared" / "data" / "abstracts_zh"
BROAD = CORPORA / "disaster_broad.jsonl.xz"
CORE = CORPORA / "disaster_core.jsonl"
BY_NAME: Mapping[str, Path] = {"disaster_core": CORE, "disaster_broad": BROAD}
JUDGED = ROOT / "docs" / "judged-edges.tsv"
FIELD = "earth"

Pair = tuple[str, str]


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
