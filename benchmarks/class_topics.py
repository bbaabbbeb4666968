"""Crawls for classes by their extents, against label, neighbours, field and words by hand; and turns over classes.

    python -m benchmarks.class_topics [--json docs/benchmarks/class_topics.json] [--only NAME ..] [--starts N]

A sub-topic is a class with the pages of a web that belong to it; the table SUB_TOPICS was written before the first
crawl. Of an encyclopaedia these are the pages of some categories, where the class is narrower than these only those
with a word in their first 600 characters; of the calibrated Chinese web of rainstorms the pages of one of its four
kinds of relevant pages. The ontology of each field is learned as by `ontocrawl ontology build` with nothing typed. The
crawls run as in a lab and never see the labels.
"""

from __future__ import annotations

import json
import lzma
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import report
from benchmarks.disasters import BROAD, CORE
from crawler.text import Vocabulary
from crawler.worlds import open_world
from crawler.worlds.synthetic.calibrated.world import CalibratedWorld
from ontocrawl.base.options import BuildSettings, CrawlOptions
from ontocrawl.base.workspace import Workspace, init
from ontocrawl.graph.graph_store import store
from ontocrawl.lab.crawling import Crawled, Job, Webs, run
from ontocrawl.lab.statistics import cluster_interval
from ontocrawl.runs import plan
from ontocrawl.runs.seeds import url_of
from ontocrawl.topics import class_topics, topics
from ontocrawl.topics.topic_graph import TopicGraph, TopicVectors
from ontocrawl.versions import building
from ontocrawl.versions.building import BuildOptions
from ontology import topic_words
from ontology.model import Ontology

COMMAND = "python -m benchmarks.class_topics --json docs/benchmarks/class_topics.json"
FIELDS = CORE.parent.parent / "fields_en"
WEB = FIELDS.parent / "wikispeedia"
AT = (50, 100, 300)
OPENING = 600
"""Characters at the start of a page in which a narrower sub-topic is named."""
RAINSTORM = "synthetic:rainstorm?pages=5000&seed={}"
SEEDS = 2
"""Webs of rainstorms."""


@dataclass(frozen=True)
class Field:
    """A corpus and where it is crawled: from two starts on one web, or on several webs from their own seeds."""

    label: Mapping[str, str]
    corpus: tuple[Path, ...]
    starts: tuple[str, ...] = ()


@dataclass(frozen=True)
class SubTopic:
    """A class of a field, the rule for its pages, and five words of a person, the first of which is the class.

    Attributes:
        field: name of the field.
        hand: the five words.
        categories: categories of its pages.
        opening: regular expression for the beginning of its pages; empty for all pages of the categories.
        kind: number of its kind of relevant pages, of a calibrated web.
    """

    field: str
    hand: tuple[str, ...]
    categories: tuple[str, ...] = ()
    opening: str = ""
    kind: int = -1


def _english() -> dict[str, Field]:
    described = json.loads((FIELDS / "fields.json").read_text(encoding="utf-8"))
    return {
        name: Field({"en": described[name]["label"]}, (FIELDS / f"{name}.jsonl.xz",), tuple(described[name]["starts"]))
        for name in ("bio", "astro", "econ")
    }


def fields() -> dict[str, Field]:
    """Return the fields by name."""
    return {**_english(), "disasters": Field({"zh": "暴雨灾害", "en": "rainstorm disasters"}, (CORE, BROAD))}


HEALTH, LIFE, SKY, MONEY = (
    ("Health_and_medicine",),
    ("General_Biology", "Organisms"),
    ("Space_Astronomy",),
    ("Currency",),
)
SUB_TOPICS: Mapping[str, SubTopic] = {
    "bird": SubTopic("bio", ("bird", "feather", "nest", "wing", "species"), ("Birds",)),
    "mammal": SubTopic("bio", ("mammal", "fur", "teeth", "animal", "species"), ("Mammals",)),
    "plant": SubTopic("bio", ("plant", "leaf", "flower", "seed", "tree"), ("Plants",)),
    "fish": SubTopic(
        "bio", ("fish", "shark", "fin", "sea", "marine"), ("Insects_Reptiles_and_Fish",), "fish|fishes|sharks?"
    ),
    "disease": SubTopic(
        "bio", ("disease", "infection", "symptom", "patient", "treatment"), HEALTH, "diseases?|infections?|disorders?"
    ),
    "bacteria": SubTopic(
        "bio", ("bacteria", "bacterium", "infection", "microbe", "cell"), (*LIFE, *HEALTH), "bacteri[a-z]+"
    ),
    "planet": SubTopic("astro", ("planet", "orbit", "star", "moon", "solar"), ("The_Planets", *SKY), "planets?"),
    "star": SubTopic("astro", ("star", "constellation", "mass", "light", "stellar"), SKY, "stars?"),
    "galaxy": SubTopic("astro", ("galaxy", "universe", "cosmic", "star", "telescope"), SKY, "galax[a-z]+"),
    "currency": SubTopic("econ", ("currency", "coin", "banknote", "dollar", "money"), MONEY),
    "bank": SubTopic(
        "econ", ("bank", "loan", "deposit", "finance", "money"), ("Economics", "Business", "Companies", *MONEY),
        "banks?|banking",
    ),
    "market": SubTopic(
        "econ", ("market", "price", "stock", "trade", "demand"), ("Economics", "Business"), "markets?"
    ),
    "灾情": SubTopic("disasters", ("灾情", "受灾", "死亡", "转移", "救援"), kind=0),
    "预报": SubTopic("disasters", ("预报", "预警", "雷达", "卫星", "监测"), kind=1),
    "洪水": SubTopic("disasters", ("洪水", "山洪", "滑坡", "泥石流", "内涝"), kind=2),
    "应急": SubTopic("disasters", ("应急", "防汛", "预案", "水库", "重建"), kind=3),
}  # fmt: skip
LABEL, FIELD, AROUND, TENTH, EXTENT = "label", "field", "neighbours", "label and a tenth of the field", "extent"
HAND, BOTH = "five words", "five words and extent"
ARMS = (LABEL, FIELD, AROUND, TENTH, EXTENT, HAND, BOTH)
DIFFERENCES = ((EXTENT, LABEL), (EXTENT, AROUND), (EXTENT, FIELD), (EXTENT, TENTH), (EXTENT, HAND), (BOTH, HAND))
TURNS, ONE = "turns", "one crawl by the field's list"
NEAR, FURTHEST = 0.8, 3


# ---- webs and labels


@dataclass
class Web:
    """A web with the pages of each sub-topic.

    Attributes:
        world: the world as `crawl run --world` takes it.
        starts: seeds of each crawl; one empty tuple for those of the web.
        labels: sub-topic -> URLs of its pages.
    """

    world: str
    starts: tuple[tuple[str, ...], ...]
    labels: dict[str, frozenset[str]] = field(default_factory=dict)


def webs_of(name: str, of: Field, sub_topics: Iterable[str]) -> list[Web]:
    """Return the webs on which a field is crawled."""
    if of.starts:
        spec = f"corpus:{WEB}"
        web = Web(spec, tuple((start,) for start in of.starts))
        with lzma.open(WEB / "pages.jsonl.xz", "rt", encoding="utf-8") as lines:
            pages = [json.loads(line) for line in lines]
        world = open_world(spec)
        web.labels = {s: frozenset(url_of(n, world) for n in _named(pages, SUB_TOPICS[s])) for s in sub_topics}
        world.close()
        return [web]
    return [_calibrated(RAINSTORM.format(seed), sub_topics) for seed in range(SEEDS)]


def _named(pages: Sequence[Mapping[str, Any]], one: SubTopic) -> list[str]:
    opening = re.compile(rf"\b(?:{one.opening})\b", re.IGNORECASE) if one.opening else None
    return [
        page["name"] for page in pages
        if any(category.rpartition(".")[2] in one.categories for category in page["categories"])
        and (opening is None or opening.search(page["text"][:OPENING]))
    ]  # fmt: skip


def _calibrated(spec: str, sub_topics: Iterable[str]) -> Web:
    world = open_world(spec)
    assert isinstance(world, CalibratedWorld)
    kinds = len(world.topic.subtopics)
    pages = [(world.plan(index).community % kinds, world.url(index)) for index in world.relevant_pages()]
    labels = {s: frozenset(url for kind, url in pages if kind == SUB_TOPICS[s].kind) for s in sub_topics}
    world.close()
    return Web(spec, ((),), labels)


# ---- what steers


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
    return topics.vocabulary_of(topic_words.with_words((), forms, topic_words.GIVEN))


def arms_of(graph: TopicGraph, vectors: TopicVectors, name: str) -> dict[str, TopicVectors]:
    """Return the topic vectors of each arm for a sub-topic."""
    hand = dict(zip(SUB_TOPICS[name].hand, (1.0, *[0.8] * 4), strict=True))
    (extent,) = class_topics.of_classes(graph, vectors.terms, [name])
    (both,) = class_topics.of_classes(graph, vectors.terms, [name], given=hand)
    print(extent.line(), file=sys.stderr, flush=True)
    label = {form: 1.0 for _, form in extent.forms}
    listed = vectors.vocabularies["TK"]
    around = label | (neighbours(graph.topic.levels[0].ontology, extent.iri) if extent.iri else {})
    words = {
        LABEL: of_forms(label), FIELD: listed, AROUND: of_forms(around), TENTH: of_forms(label).joined(listed, 0.1),
        EXTENT: extent.vocabulary("TK"), HAND: of_forms(hand), BOTH: both.vocabulary("TK"),
    }  # fmt: skip
    return {arm: TopicVectors(graph.topic, {"TK": words[arm]}, {}, "sem") for arm in ARMS}


def built(space: Workspace, name: str, of: Field) -> topics.Topic:
    """Learn a field as a person does, and return its topic."""
    out = space.root / name
    options = BuildOptions(of.corpus, out, BuildSettings(topic=f"field_{name}", label=dict(of.label)))
    building.build(space, options, lambda stage: None, lambda line: None)
    return topics.load(str(out / f"field_{name}.toml"), space)


# ---- crawls


def found(
    space: Workspace, vectors: TopicVectors, web: Web, start: tuple[str, ...], webs: Webs
) -> list[tuple[str, ...]]:
    """Crawl, and return the URLs of each page in the order of fetching."""
    settings = {"limit_pages": max(AT), "limit_time": 0.0, "snapshot_every": 10**9, "seed": 0}
    options = CrawlOptions(world=web.world, run="lab", graph=False, settings=settings)
    notes = Crawled()
    run(Job(plan.configuration(space, vectors, options), start, 10**9), webs, notes)
    return [row.urls for row in notes.rows]


def recall(pages: Sequence[tuple[str, ...]], labels: frozenset[str]) -> dict[str, float]:
    """Return the share of labelled pages among the first pages of a crawl."""
    hits = np.cumsum([not labels.isdisjoint(urls) for urls in pages])
    return {f"at_{k}": round(float(hits[min(k, len(hits)) - 1]) / len(labels), 4) for k in AT}


def rows_of(name: str, of: Field, only: Sequence[str], folder: Path, starts: int | None = None) -> Iterator[report.Row]:
    """Build a field and crawl it by all arms; yield a row for each crawl and sub-topic."""
    sub_topics = [s for s, one in SUB_TOPICS.items() if one.field == name and s in only]
    space, webs = init(folder / name), Webs()
    topic = built(space, name, of)
    with store(space) as opened:
        graph = TopicGraph(topic, opened)
        vectors = graph.vectors()
        arms = {s: arms_of(graph, vectors, s) for s in sub_topics}
        turns = class_topics.steered(vectors, class_topics.of_classes(graph, vectors.terms, sub_topics))
    by_turns = {TURNS: TopicVectors(topic, _only_words(turns), {}, "sem", turns.classes, turns.threshold)}
    by_turns[ONE] = TopicVectors(topic, {"TK": vectors.vocabularies["TK"]}, {}, "sem")
    for number, web in enumerate(webs_of(name, of, sub_topics)):
        for start in web.starts[:starts]:
            about = {"field": name, "start": start[0] if start else f"web {number}"}
            for s in sub_topics:
                for arm, own in arms[s].items():
                    row = recall(found(space, own, web, start, webs), web.labels[s])
                    yield {**about, "sub_topic": s, "words": arm, "pages": len(web.labels[s]), **row}
            for arm, own in by_turns.items():
                pages = found(space, own, web, start, webs)
                every = frozenset[str]().union(*web.labels.values())
                for s, labels in {**web.labels, "all": every}.items():
                    yield {**about, "sub_topic": s, "words": arm, "pages": len(labels), **recall(pages, labels)}
    webs.close()


def _only_words(vectors: TopicVectors) -> dict[str, Vocabulary]:
    return {name: v for name, v in vectors.vocabularies.items() if name.startswith("TK")}


# ---- the page


def differences(
    rows: Sequence[report.Row], pairs: Iterable[tuple[str, str]], key: str = "sub_topic"
) -> list[list[str]]:
    """Return the mean differences of recall of pairs of arms, with intervals by bootstrap over the sub-topics."""
    lines = []
    for one, other in pairs:
        line = [f"{one} less {other}"]
        for k in AT:
            by = {(r[key], r["sub_topic"], r["start"]): r[f"at_{k}"] for r in rows if r["words"] == one}
            beside = {(r[key], r["sub_topic"], r["start"]): r[f"at_{k}"] for r in rows if r["words"] == other}
            values = [by[where] - beside[where] for where in by]
            clusters = [where[0] for where in by]
            if len(set(clusters)) > 1:
                low, high = cluster_interval(values, clusters)
                line.append(f"{np.mean(values):+.3f} [{low:+.3f}, {high:+.3f}]")
            else:
                line.append(f"{np.mean(values):+.3f}")
        lines.append(line)
    return lines


def means(rows: Sequence[report.Row], arms: Iterable[str]) -> list[list[str]]:
    """Return the mean recall of arms: the mean over the sub-topics of their crawls."""
    return [[a, *(f"{np.mean([r[f'at_{k}'] for r in rows if r['words'] == a]):.3f}" for k in AT)] for a in arms]


def _at_100(rows: Sequence[report.Row]) -> list[str]:
    return [f"{np.mean([r['at_100'] for r in rows if r['words'] == arm]):.2f}" for arm in ARMS]


def page(result: report.Result) -> str:
    """The result as a page."""
    rows, at = result["rows"], [f"at {k}" for k in AT]
    english = [r for r in rows if r["field"] != "disasters"]
    chinese = [r for r in rows if r["field"] == "disasters"]
    lines = [
        "Crawls of evidence_sum for one class of a learned ontology each, by different words, and crawls by turns over",
        "several. Recall is the share of the pages of the class that the first 50, 100 and 300 pages of a crawl have.",
        "Intervals are of 95 %, by bootstrap over the sub-topics. The labels were written down before the first crawl.",
        "",
    ]
    for title, of_web in (("Encyclopaedia, 12 sub-topics of three fields, two starts", english),
                          ("Calibrated Chinese web of rainstorms, four classes, two webs", chinese)):  # fmt: skip
        single = [r for r in of_web if r["words"] in ARMS]
        if not single:
            continue
        lines += [f"## {title}", "", *report.grid(("words", *at), means(single, ARMS)), ""]
        lines += [*report.grid(("difference", *at), differences(single, DIFFERENCES)), ""]
        names = dict.fromkeys(r["sub_topic"] for r in single)
        each = [[name, *_at_100([r for r in single if r["sub_topic"] == name])] for name in names]
        lines += ["Recall at 100 of each class:", "", *report.grid(("class", *ARMS), each), ""]
    turns = [r for r in rows if r["words"] in (TURNS, ONE)]
    of_each, of_all = [r for r in turns if r["sub_topic"] != "all"], [r for r in turns if r["sub_topic"] == "all"]
    lines += [
        "## Turns over the classes of a field, against one crawl by the field's list", "",
        "Recall of each class, the mean; then of the pages of any of them. Intervals by bootstrap over the fields.", "",
    ]  # fmt: skip
    for title, some in (("each class", of_each), ("all together", of_all)):
        lines += [*report.grid((title, *at), means(some, (TURNS, ONE))), ""]
        lines += [*report.grid(("difference", *at), differences(some, [(TURNS, ONE)], "field")), ""]
    return report.page("Classes as topics", COMMAND, [*lines, f"Measured with {report.machine(result)}."])


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked."""
    parser = report.arguments(__doc__)
    parser.add_argument("--only", nargs="+", default=list(SUB_TOPICS), choices=list(SUB_TOPICS))
    parser.add_argument(
        "--starts", type=int, metavar="N", help="pages of each web that are started from; all by default"
    )
    given = parser.parse_args(argv)
    rows: list[report.Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, of in fields().items():
            if any(SUB_TOPICS[s].field == name for s in given.only):
                for row in rows_of(name, of, given.only, Path(folder), given.starts):
                    print(json.dumps(row, ensure_ascii=False), file=sys.stderr, flush=True)
                    rows.append(row)
    report.publish(report.head("class_topics", rows=rows), given.json, page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
