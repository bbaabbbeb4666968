"""Crawls for a class by its extent, its label, its neighbours, its field's words, or words by hand.

    python -m benchmarks.class_topics FIELDS [--json docs/benchmarks/class_topics.json] [--only NAME ..]

FIELDS is a folder of fields as for `ontocrawl lab run claim --fields`: abstracts, a web, starts. The ontology of each
field is learned as by `ontocrawl ontology build`. A sub-topic is a class with the pages of the web that belong to it:
those of some categories, where it is narrower than these also with a word in their first 600 characters. The table
below was written before the first crawl. The crawls run as in a lab, and never see the labels.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import report
from crawler.text import Vocabulary
from ontocrawl.base.workspace import Workspace, init
from ontocrawl.graph.graph_store import store
from ontocrawl.lab import crawling
from ontocrawl.lab.crawling import Job, Webs
from ontocrawl.runs import plan
from ontocrawl.runs.plan import CrawlOptions
from ontocrawl.topics import class_topics, topics
from ontocrawl.topics.topic_graph import TopicGraph, TopicVectors
from ontocrawl.versions import building
from ontocrawl.versions.building import BuildOptions
from ontology import topic_words
from ontology.model import Ontology

COMMAND = "python -m benchmarks.class_topics FIELDS --json docs/benchmarks/class_topics.json"
AT = (50, 100, 300)
OPENING = 600
"""Characters at the start of a page in which a narrower sub-topic is named."""


@dataclass(frozen=True)
class SubTopic:
    """A class of a field with the rule for its pages, and five words of a person; the first is the class."""

    field: str
    categories: tuple[str, ...]
    opening: str = ""
    """Regular expression; empty for all pages of the categories."""
    hand: tuple[str, ...] = ()


SUB_TOPICS: Mapping[str, SubTopic] = {
    "bird": SubTopic("bio", ("Birds",), "", ("bird", "feather", "nest", "wing", "species")),
    "mammal": SubTopic("bio", ("Mammals",), "", ("mammal", "fur", "teeth", "animal", "species")),
    "plant": SubTopic("bio", ("Plants",), "", ("plant", "leaf", "flower", "seed", "tree")),
    "fish": SubTopic(
        "bio", ("Insects_Reptiles_and_Fish",), r"fish|fishes|sharks?", ("fish", "shark", "fin", "sea", "marine")
    ),
    "disease": SubTopic(
        "bio", ("Health_and_medicine",), r"diseases?|infections?|disorders?",
        ("disease", "infection", "symptom", "patient", "treatment"),
    ),
    "bacteria": SubTopic(
        "bio", ("General_Biology", "Organisms", "Health_and_medicine"), r"bacteri[a-z]+",
        ("bacteria", "bacterium", "infection", "microbe", "cell"),
    ),
    "planet": SubTopic(
        "astro", ("The_Planets", "Space_Astronomy"), r"planets?", ("planet", "orbit", "star", "moon", "solar")
    ),
    "star": SubTopic("astro", ("Space_Astronomy",), r"stars?", ("star", "constellation", "mass", "light", "stellar")),
    "galaxy": SubTopic(
        "astro", ("Space_Astronomy",), r"galax[a-z]+", ("galaxy", "universe", "cosmic", "star", "telescope")
    ),
    "currency": SubTopic("econ", ("Currency",), "", ("currency", "coin", "banknote", "dollar", "money")),
}  # fmt: skip
ARMS = (
    "label",
    "field",
    "neighbours",
    "label and a tenth of the field",
    "extent",
    "five words",
    "five words and extent",
)
NEAR, FURTHEST = 0.8, 3


def labelled(pages: Sequence[Mapping[str, object]], one: SubTopic) -> list[str]:
    """Return the names of the pages of a sub-topic."""
    opening = re.compile(rf"\b(?:{one.opening})\b", re.IGNORECASE) if one.opening else None
    return [
        str(page["name"]) for page in pages
        if any(str(c).rpartition(".")[2] in one.categories for c in page["categories"])  # type: ignore[attr-defined]
        and (opening is None or opening.search(str(page["text"])[:OPENING]))
    ]  # fmt: skip


def neighbours(ontology: Ontology, iri: str) -> dict[str, float]:
    """Return the forms of the classes at most three edges from a class, with .8 for each edge."""
    beside: dict[str, set[str]] = {}
    for edge in ontology.relations:
        if edge.kind in ("subclass_of", "part_of"):
            beside.setdefault(edge.source, set()).add(edge.target)
            beside.setdefault(edge.target, set()).add(edge.source)
    found, level = {iri: 1.0}, {iri}
    for number in range(1, FURTHEST + 1):
        level = {other for one in level for other in beside.get(one, ())} - found.keys() - {ontology.root}
        found |= dict.fromkeys(level, NEAR**number)
    forms: dict[str, float] = {}
    for one, weight in found.items():
        for _, form in ontology.by_iri[one].names():
            forms.setdefault(form, weight)
    return forms


def of_forms(forms: Mapping[str, float]) -> Vocabulary:
    """Return words with their weights as a topic vector."""
    words = topic_words.with_words((), forms, topic_words.GIVEN)
    return topics.vocabulary_of(words)


def vectors_of(graph: TopicGraph, vectors: TopicVectors, name: str, one: SubTopic) -> dict[str, TopicVectors]:
    """Return the topic vectors of each arm."""
    hand = dict(zip(one.hand, (1.0, *[0.8] * 4), strict=True))
    (extent,) = class_topics.of_classes(graph, vectors.terms, [name])
    (both,) = class_topics.of_classes(graph, vectors.terms, [name], given=hand)
    label = {form: 1.0 for _, form in extent.forms}
    field = vectors.vocabularies["TK"]
    tenth = of_forms(label).joined(field, 0.1)
    around = neighbours(graph.topic.levels[0].ontology, extent.iri) | label if extent.iri else label
    words = {
        "label": of_forms(label), "field": field, "neighbours": of_forms(around),
        "label and a tenth of the field": tenth, "extent": extent.vocabulary("TK"), "five words": of_forms(hand),
        "five words and extent": both.vocabulary("TK"),
    }  # fmt: skip
    return {arm: TopicVectors(graph.topic, {"TK": words[arm]}, {}, "sem") for arm in ARMS}


def rows_of(fields: Path, folder: Path, only: Sequence[str]) -> Iterator[report.Row]:
    """Build the fields and crawl all arms; yield a row for each crawl."""
    described = json.loads((fields / "fields.json").read_text(encoding="utf-8"))
    web = fields.parent / "wikispeedia"
    pages = pages_of(web)
    labels = {name: labelled(pages, one) for name, one in SUB_TOPICS.items()}
    file = folder / "labels.json"
    file.write_text(json.dumps(labels), encoding="utf-8")
    webs = Webs()
    for field in dict.fromkeys(one.field for name, one in SUB_TOPICS.items() if name in only):
        space = init(folder / field)
        topic = built(space, field, fields, described[field]["label"])
        with store(space) as opened:
            graph = TopicGraph(topic, opened)
            vectors = graph.vectors()
            of_field = {
                n: vectors_of(graph, vectors, n, s) for n, s in SUB_TOPICS.items() if s.field == field and n in only
            }
        for name, arms in of_field.items():
            for arm, own in arms.items():
                for start in described[field]["starts"]:
                    options = CrawlOptions(
                        world=f"corpus:{web}", labels=f"{file}#{name}", run="lab",
                        settings={"limit_pages": max(AT), "limit_time": 0.0, "snapshot_every": 10**9, "seed": 0},
                    )  # fmt: skip
                    trace = crawling.run(Job(plan.configuration(space, own, options), (start,), 10**9), webs)
                    found = np.cumsum(trace.labelled if trace.labelled is not None else ())
                    recall = {f"at_{k}": round(int(found[min(k, len(found)) - 1]) / len(labels[name]), 4) for k in AT}
                    row = {"sub_topic": name, "start": start, "words": arm, "pages": len(labels[name]), **recall}
                    print(json.dumps(row), file=sys.stderr, flush=True)
                    yield row
    webs.close()


def pages_of(web: Path) -> list[dict[str, object]]:
    """Return the pages of the web with their categories."""
    import lzma

    with lzma.open(web / "pages.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def built(space: Workspace, field: str, fields: Path, label: str) -> topics.Topic:
    """Learn a field as a person does, and return its topic."""
    name, out = f"field_{field}", space.root / field
    options = BuildOptions(corpus=(fields / f"{field}.jsonl.xz",), topic=name, out=out, label={"en": label})
    building.build(space, options, lambda stage: None, lambda line: None)
    return topics.load(str(out / f"{name}.toml"), space)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print, and write where asked."""
    parser = report.arguments(__doc__)
    parser.add_argument("fields", type=Path)
    parser.add_argument("--only", nargs="+", default=list(SUB_TOPICS), choices=list(SUB_TOPICS))
    given = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        rows = list(rows_of(given.fields, Path(folder), given.only))
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
