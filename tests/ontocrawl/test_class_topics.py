"""Crawls for classes by their extents: `crawl run --class`, `--cover`, and what the graph gives for them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import ontocrawl
from crawler.step import Step
from kg.store import GraphStore
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.runs import runs
from ontocrawl.topics import class_topics, papers, topics
from ontocrawl.topics.class_topics import ClassTopic
from ontocrawl.topics.papers import Papers
from ontocrawl.topics.topic_graph import TopicGraph
from ontocrawl.topics.topics import Topic
from ontology import owl
from ontology.model import Document
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.flood_ontology import made

WORLD = "synthetic:planted?pages=600&seed=0"
FLOOD = ("水库泄洪后堤防出现管涌。", "河道行洪能力不足，堤防加固。", "蓄滞洪区的水库调度。")
TYPHOON = ("登陆前中心风速很大。", "眼墙对流与路径预报。", "路径受副热带高压影响。")
OTHER = ("农田土壤墒情监测。", "植被覆盖度变化。", "人口迁移与城市用地。")


def documents(floods: int = 15, typhoons: int = 15) -> tuple[Document, ...]:
    """Papers on floods, on typhoons, and as many on neither."""
    found = [Document(f"f{i}", f"洪水研究{i}", FLOOD[i % 3] + FLOOD[(i + 1) % 3]) for i in range(floods)]
    found += [Document(f"t{i}", f"台风研究{i}", TYPHOON[i % 3] + TYPHOON[(i + 1) % 3]) for i in range(typhoons)]
    return (*found, *(Document(f"o{i}", f"其他研究{i}", OTHER[i % 3] + OTHER[(i + 1) % 3]) for i in range(30)))


def written(folder: Path, found: tuple[Document, ...], alt: tuple[str, ...] = (), key: str = "0.1.0+abc") -> Path:
    """Write a topic with a learned ontology, eight classes on floods, and its papers; return the topic's file."""
    folder.mkdir(exist_ok=True)
    ontology = replace(made(), version=key)
    flood = [replace(c, alt_zh=alt) if c.label_zh == "洪水" else c for c in ontology.concepts]
    ontology = replace(ontology, concepts=tuple(flood))
    owl.write(ontology, folder / "flood.ttl")
    terms = {d.id: {"洪水": 1} if d.id.startswith("f") else {"台风": 1} if d.id.startswith("t") else {} for d in found}
    papers.write(Papers(ontology.key, found, terms), papers.path_beside(folder / "flood.ttl", ontology))
    path = folder / "flood.toml"
    path.write_text(
        'name = "flood"\nlabel = { zh = "灾害学", en = "disaster studies" }\nsigma = 0.3\nontologies = ["flood.ttl"]\n'
        'words = [{ weight = 1.0, zh = ["灾害"] }, { weight = 0.5, zh = ["暴雨"] }]\n'
        '[[local]]\nname = "water"\nlabel = { zh = "水", en = "water" }\ncues = ["堤防", "水库"]\n'
        '[[local]]\nname = "wind"\nlabel = { zh = "风", en = "wind" }\ncues = ["路径"]\n',
        encoding="utf-8",
    )
    return path


@pytest.fixture
def mine(tmp_path: Path) -> Workspace:
    return workspace.init(tmp_path / "ws")


def of(topic: Topic, graph: GraphStore, *names: str, given: dict[str, float] | None = None) -> list[ClassTopic]:
    """The topics of classes."""
    in_graph = TopicGraph(topic, graph)
    return class_topics.of_classes(in_graph, in_graph.vectors().terms, names, given=given)


@pytest.mark.slow
def test_the_words_of_a_class_are_those_of_its_papers(mine: Workspace, tmp_path: Path, store: GraphStore) -> None:
    topic = topics.load(str(written(tmp_path / "built", documents())), mine)
    flood, typhoon = of(topic, store, "洪水", "typhoon", given={"堤坝": 0.8})
    assert (flood.name, flood.extent, flood.papers, typhoon.extent) == ("洪水", 15, 60, 15)
    by_word = {one.word: one for one in flood.words}
    assert {"水库", "堤防"} <= by_word.keys() and not {"路径", "土壤", "台风"} & by_word.keys()
    assert {by_word[form].weight for form in ("洪水", "flood")} == {0.25} and by_word["堤坝"].weight == pytest.approx(
        0.2
    )
    assert 0 < by_word["堤防"].weight <= 0.15 * 0.25 and flood.words[0].source == "label"
    assert "路径" in {one.word for one in typhoon.words} and 0 < flood.threshold < 1
    (rare,) = of(topic, store, "蓄滞洪")  # a word that general text does not have
    assert rare.extent == 10 and rare.threshold > 0
    assert "水库" in flood.shown and "洪水" not in flood.shown


@pytest.mark.slow
def test_what_changes_the_extent_changes_the_words(mine: Workspace, tmp_path: Path, embedded_store: GraphStore) -> None:
    folder = tmp_path / "built"
    (before,) = of(topics.load(str(written(folder, documents())), mine), embedded_store, "洪水")
    more = (
        *documents(),
        Document("f99", "洪水与闸门", "闸门启闭与闸门控制。"),
        Document("f98", "洪水闸门", "闸门检修。"),
    )
    (added,) = of(topics.load(str(written(folder, more)), mine), embedded_store, "洪水")
    assert (before.extent, added.extent) == (15, 17)
    assert "闸门" in {one.word for one in added.words} - {one.word for one in before.words}
    renamed = topics.load(str(written(folder, more, alt=("台风",), key="0.2.0+abc")), mine)
    (wider,) = of(renamed, embedded_store, "洪水")
    assert wider.extent == 32 and "路径" in {one.word for one in wider.words}


@pytest.mark.slow
def test_a_class_with_few_papers_has_the_words_of_the_topic(
    mine: Workspace, tmp_path: Path, embedded_store: GraphStore
) -> None:
    topic = topics.load(str(written(tmp_path / "built", documents(floods=9))), mine)
    (flood,) = of(topic, embedded_store, "洪水")
    assert {one.word: round(one.weight, 3) for one in flood.words} == {
        "洪水": 0.25, "flood": 0.25, "灾害": 0.025, "暴雨": 0.013,
    }  # fmt: skip
    assert "9 papers have it, fewer than 10" in flood.remark
    assert flood.shown == ["灾害", "暴雨"]
    (shipped,) = of(topics.load("typhoon", mine), embedded_store, "风暴潮")
    assert (shipped.extent, shipped.papers) == (0, 0) and shipped.threshold > 0
    assert max(shipped.words, key=lambda one: one.weight).source == "label"


@pytest.mark.slow
def test_words_of_the_topic_in_place_of_those_of_a_class_are_shown_as_the_topic_shows_them(
    mine: Workspace, tmp_path: Path, embedded_store: GraphStore, command: Command
) -> None:
    path = written(tmp_path / "built", documents(floods=9))
    rows = [
        "word weight zh en p g o texts from",
        "0mg 0.25 - 0mg 0.00001 0 0 2 corpus",
        "堤防 0.2 堤防 - 0.01 0 0 9 corpus",
    ]
    rows += ["闸门 0.1 闸门 - 0.001 0 0 2 corpus"]
    text = "\n".join(row.replace(" ", "\t").replace("-", "") for row in rows)
    (path.parent / "words.tsv").write_text(f"{text}\n", encoding="utf-8")
    path.write_text(f'word_list = "words.tsv"\n{path.read_text(encoding="utf-8")}', encoding="utf-8")
    (flood,) = of(topics.load(str(path), mine), embedded_store, "洪水")
    assert flood.shown.index("堤防") < flood.shown.index("0mg")
    assert "5 words steer a crawl, of which these are 2: ontocrawl topic words" in command("topic", "show", path).err


def test_a_word_of_the_papers_is_a_topic_and_others_are_refused(
    mine: Workspace, tmp_path: Path, embedded_store: GraphStore
) -> None:
    topic = topics.load(str(written(tmp_path / "built", documents())), mine)
    (dike,) = of(topic, embedded_store, "堤防")
    assert (dike.iri, dike.extent > 5) == ("", True)
    with pytest.raises(UsageError, match="no class '山供', and no paper has the word; did you mean '山洪'"):
        of(topic, embedded_store, "山供")


def test_levels_and_local_ontologies_are_covered(mine: Workspace, tmp_path: Path, embedded_store: GraphStore) -> None:
    topic = topics.load(str(written(tmp_path / "built", documents())), mine)
    said: list[str] = []
    in_graph = TopicGraph(topic, embedded_store, said.append)
    terms = in_graph.vectors().terms
    found = class_topics.of_classes(in_graph, terms, (), "2")
    assert [one.name for one in found] == ["台风", "洪水"]
    assert "2 of 4 classes are left out" in said[-1] and "山洪" in said[-1]
    water, wind = class_topics.of_classes(in_graph, terms, (), "local")
    assert (water.name, water.extent, wind.name) == ("水", 15, "风")
    with pytest.raises(UsageError, match="none of 0 classes to cover"):
        class_topics.of_classes(in_graph, terms, (), "7")


@pytest.mark.slow
def test_a_crawl_for_a_class_says_its_words_and_keeps_them(command: Command, mine: Workspace, tmp_path: Path) -> None:
    topic = written(tmp_path / "built", documents())
    run = ("crawl", "run", "--topic", topic, "--world", WORLD, "--workspace", mine.root, "--limit-pages", "30")
    found = command(*run, "--class", "洪水", "--run", "one", "--json")
    assert found.code == 0 and "洪水: 15 of 60 papers, words: " in found.err, found.err
    config = runs.config_of(mine, "one")
    assert config.relevance == "word_density" and config.sigma == pytest.approx(
        found.json["classes"][0]["threshold"], abs=1e-4
    )
    assert {"洪水", "堤防"} <= {word.label for word in config.vocabularies["TK"].words}
    assert [(c["name"], c["extent"], c["chosen"]) for c in found.json["classes"]] == [("洪水", 15, None)]
    for wrong, why in (
        (("--class", "洪水", "--join", "0.5"), "--join adds the words of the whole ontology"),
        (("--class", "洪水", "--class", "台风", "--strategy", "best_first"), "reads features of links"),
        (("--words", "a"), "are added to those of a class"),
        (("--class", " "), "a class has a name"),
        (("--cover", "some"), "expected a number of levels below the root, or local"),
    ):
        refused = command(*run, *wrong, "--run", "no")
        assert refused.code == 2 and why in refused.err


@pytest.mark.slow
def test_turns_are_the_same_when_resumed(command: Command, mine: Workspace, tmp_path: Path) -> None:
    topic = written(tmp_path / "built", documents())
    options = ("--topic", topic, "--world", WORLD, "--workspace", mine.root, "--class", "洪水", "--class", "台风")
    whole = command("crawl", "run", *options, "--run", "whole", "--limit-pages", "90", "--json")
    assert whole.code == 0, whole.err
    flood, typhoon = whole.json["classes"]
    assert flood["chosen"] + typhoon["chosen"] >= 90 and min(flood["chosen"], typhoon["chosen"]) > 20
    assert command("crawl", "run", *options, "--run", "cut", "--limit-pages", "20").code == 0

    def interrupt(step: Step) -> None:
        if step.fetched == 47:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runs.resume(mine, "cut", interrupt, changed={"limit_pages": 90})
    assert command("crawl", "resume", "cut", "--workspace", mine.root).code == 0
    assert trace(mine, "cut") == trace(mine, "whole")


def trace(space: Workspace, run: str) -> list[tuple[int, float, str]]:
    """The links of a run in the order of their choice, with priorities and the class that chose them."""
    with runs.open_journal(space, run) as journal:
        return [(pick.link, pick.priority, str(pick.move.get("member"))) for pick in journal.picks()]


@pytest.mark.slow
def test_python_crawls_for_classes(mine: Workspace, tmp_path: Path) -> None:
    topic = ontocrawl.Topic(written(tmp_path / "built", documents()), workspace=mine.root)
    run = ontocrawl.crawl(topic, classes="台风", words={"风眼": 0.5}, world=WORLD, pages=10, run="python", graph=False)
    assert runs.config_of(mine, run.name).words == {"风眼": 0.5}
    (typhoon,) = topic.of_class("台风")
    assert typhoon.extent == 15 and "路径" in typhoon.shown


@pytest.mark.slow
def test_a_lab_compares_classes(command: Command, tmp_path: Path) -> None:
    topic = written(tmp_path / "built", documents())
    lab = tmp_path / "lab.toml"
    lab.write_text(
        'title = "Classes"\nfetches = 20\nat = [10]\nseeds = 1\n'
        f'[[worlds]]\nname = "planted"\nworld = "synthetic:planted?pages=300"\ntopic = "{topic}"\n'
        f'[ontologies.flood]\ntopic = "{topic}"\nclasses = ["洪水"]\n'
        f'[ontologies.both]\ntopic = "{topic}"\nclasses = ["洪水", "台风"]\n'
        '[axes]\nstrategy = ["evidence_sum"]\nontology = ["none", "flood", "both"]\n',
        encoding="utf-8",
    )
    found = command("lab", "run", lab, "--out", tmp_path / "out", "--jobs", "1")
    assert found.code == 0, found.err
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "flood" in report and "both" in report and "could not be crawled" not in report
    traces = [*(tmp_path / "out" / "cells").glob("*.npz")]
    assert len(traces) >= 3
