"""The card of a topic: `topic check`, the end of `ontology build`, and what it warns of."""

from __future__ import annotations

import json
import math
import random
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import ontocrawl
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import page_scoring, topic_card
from ontocrawl.runs.topic_card import TopicCard
from ontocrawl.topics import other_fields, topics
from ontology import topic_words
from ontology.model import Document
from ontology.terms import paper_fields
from tests.ontocrawl.conftest import Command

MARKETS = (
    "inflation and interest rates", "the monetary policy of central banks", "stock returns and asset prices",
    "household consumption and income", "the labor market and wages", "economics of exchange rates",
    "firm investment and capital", "trade tariffs and exports", "unemployment insurance", "public debt and taxes",
)  # fmt: skip
RAIN = (
    "暴雨引发城市内涝", "台风登陆后的强降水", "雷达资料同化改进降水预报", "气象学中的对流参数化", "副热带高压与梅雨锋",
    "水汽输送与降水异常", "山洪灾害的临界雨量", "数值模式对暴雨的模拟", "积雨云的垂直结构", "干旱指数与降水亏缺",
)  # fmt: skip
COOKING = (
    "a soup of leeks and potatoes", "slow cooking of beans with garlic", "a cake of almonds and oranges",
    "the oven at moderate heat", "dough that rests overnight", "butter melts in the pan", "salt and pepper to taste",
)  # fmt: skip


def records(sentences: Sequence[str], n: int = 40, *, language: str = "en", source: str = "") -> list[Document]:
    """Records of four sentences each, in an order that is always the same."""
    drawn, found = random.Random(7), []
    for number in range(n):
        texts = [sentences[number % len(sentences)], *drawn.sample(sentences, 3)]
        joined = "".join(f"{t}。" for t in texts) if language == "zh" else " ".join(f"{t.capitalize()}." for t in texts)
        found.append(Document(f"r{number}", f"{texts[0]} {number}", joined, source=source or f"journal {number}"))
    return found


def of_all_fields() -> list[Document]:
    """Records of several fields: words drawn from the papers of all fields that come with the package."""
    together = Counter[str]()
    for field in paper_fields.shipped("en"):
        together.update(field.counts)
    drawn = random.Random(7).choices([*together], [*together.values()], k=100 * 200)
    rows = [drawn[start : start + 200] for start in range(0, len(drawn), 200)]
    return [Document(f"r{n}", " ".join(row[:6]), " ".join(row[6:])) for n, row in enumerate(rows)]


def written(documents: Sequence[Document], path: Path) -> Path:
    rows = [{"id": d.id, "title": d.title, "abstract": d.abstract, "source": d.source} for d in documents]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def mine(tmp_path: Path) -> Workspace:
    return workspace.init(tmp_path / "ws")


def build(command: Command, mine: Workspace, corpus: Path, label: str, *more: str) -> Any:
    out = mine.root.parent / "built"
    given = ("--topic", "built", "--label", label, "--out", out, "--unplaced", "root", "--no-ask")
    return command("ontology", "build", "--corpus", corpus, *given, "--workspace", mine.root, *more)


TOPIC = """
name = "drawn"
label = {{zh = "{label}", en = "{label}"}}
relevance = "density"
sigma = {sigma}
"""


def card_of(mine: Workspace, documents: Sequence[Document], label: str, *, sigma: float = 0.3) -> TopicCard:
    """The card of what a build would make of documents, with a threshold, and without learning an ontology."""
    path = mine.ontologies / "topics" / "drawn.toml"
    path.write_text(TOPIC.format(label=label, sigma=sigma) + '[[words]]\nweight = 1\nen = ["word"]\n', encoding="utf-8")
    topic = topics.load("drawn", mine)
    fields = other_fields.compared(mine, "drawn", topic.file.label, topic_words.texts_of(documents))
    listed = [one for field in fields for one in topic_words.topic_words(field.counts, field.others)]
    return topic_card.card_of(topic.file, listed, page_scoring.judge_of(topic), documents, fields)


def codes(card: TopicCard) -> set[str]:
    return {one.code for one in card.warnings}


@pytest.mark.slow
def test_a_build_under_a_wrong_label_warns(command: Command, mine: Workspace, tmp_path: Path) -> None:
    corpus = written(records(MARKETS), tmp_path / "papers.jsonl")
    found = build(command, mine, corpus, "zh=气象学,en=meteorology")
    said = " ".join(found.err.split())
    assert found.code == 0 and "the label 气象学 / meteorology is in none of the 40 records" in said
    assert "What the judge calls relevant" in found.out and "general language" in found.out
    assert "the words that steer a crawl are in" in said and "built/words.tsv" in said.replace(" ", "")
    assert "the words were not compared with papers of economics" in said
    summary = json.loads((tmp_path / "built" / "summary.json").read_text("utf-8"))
    assert [one["code"] for one in summary["card"]["warnings"]] == ["label_missing"]
    assert summary["about_the_topic"] == 40, "the words of a new topic are those of its papers"
    right = build(command, mine, corpus, "en=economics", "--json")
    card = right.json["card"]
    assert "economics" in right.json["own_fields"] and "warning" not in right.err and not card["warnings"]
    assert card["with_label"] == sum("economics" in d.abstract.lower() for d in records(MARKETS))
    checked = command("topic", "check", "built", "--workspace", mine.root, "--json").json
    assert checked == card
    in_python = ontocrawl.Topic("built", mine.root).check()
    assert json.loads(json.dumps(in_python.as_json())) == card


@pytest.mark.slow
def test_a_good_topic_in_english_and_chinese(mine: Workspace) -> None:
    for sentences, language, label in ((MARKETS, "en", "economics"), (RAIN, "zh", "气象学")):
        card = card_of(mine, records(sentences, language=language), label)
        groups = {(one.group, one.name): one for one in card.groups}
        own = groups["corpus", "records of the topic"]
        assert own.language == language and own.records == 40 and own.relevant == 1.0
        drawn = groups["general", "general language"]
        assert drawn.language == language and drawn.records == 100
        assert drawn.relevant < 0.2 and drawn.median < own.median / 2
        assert all(one.relevant < own.relevant for one in card.groups if one.group == "field")
        assert not codes(card) and card.with_label > 0
        assert len(card.words) == 20 and sum(one.general for one in card.words) < 4
        shares = [one.p * math.log(one.ratio or 1) ** 2 for one in card.words]
        assert shares == sorted(shares, reverse=True)
        assert card.best[0].R >= card.best[-1].R >= card.rejected[-1].R >= card.rejected[0].R
        assert not {one.id for one in card.best} & {one.id for one in card.rejected}


@pytest.mark.slow
def test_the_card_is_the_same_each_time(mine: Workspace) -> None:
    documents = records(RAIN, language="zh")
    assert card_of(mine, documents, "气象学") == card_of(mine, documents, "气象学")


def test_records_about_a_topic_have_the_label_that_is_counted_or_a_word_as_in_a_page(mine: Workspace) -> None:
    documents = [Document(str(n), title) for n, title in enumerate(("Heavy rains", "Words", "A train of swords"))]
    assert card_of(mine, documents, "rain").with_label == 1
    assert topic_card.about_topic(topics.load("drawn", mine).file, documents).tolist() == [True, True, False]


@pytest.mark.slow
def test_the_label_may_be_in_the_records_in_any_of_its_forms(mine: Workspace) -> None:
    documents = records(MARKETS)
    for label, there in (("Exchange Rate", True), ("asset price", True), ("rates of exchange", True), ("radar", False)):
        card = card_of(mine, documents, label)
        assert (card.with_label > 0, "label_missing" in codes(card)) == (there, not there), label
    rain = records(RAIN, language="zh")
    assert "label_missing" not in codes(card_of(mine, rain, "台风"))
    (warned,) = (one for one in card_of(mine, rain, "经济学").warnings if one.code == "label_missing")
    assert warned.text.startswith("the label 经济学 is in none of the 40 records, such as “")
    assert warned.text.endswith("”: is it the name of their field?")


@pytest.mark.slow
def test_words_of_any_field_are_general(mine: Workspace) -> None:
    card = card_of(mine, of_all_fields(), "method")
    general = [one.word for one in card.words if one.general]
    assert "general_words" in codes(card) and 3 * len(general) > len(card.words)
    assert "we" in general
    said = next(one.text for one in card.warnings if one.code == "general_words")
    assert f"{len(general)} of the first {len(card.words)} words are general" in said


@pytest.mark.slow
def test_a_background_that_scores_as_high(mine: Workspace) -> None:
    low = card_of(mine, of_all_fields(), "method", sigma=0.001)
    assert {"background_high", "fields_high"} <= codes(low)
    high = card_of(mine, records(RAIN, language="zh"), "气象学", sigma=0.9999)
    assert "background_high" not in codes(high)
    never = card_of(mine, records(MARKETS), "economics", sigma=1.0)
    assert "rejects_own" in codes(never)


@pytest.mark.slow
def test_other_fields_whose_papers_are_relevant_are_named_with_a_threshold(mine: Workspace) -> None:
    asked = card_of(mine, records(MARKETS), "economics")
    nearest = max((one for one in asked.groups if one.group == "field"), key=lambda one: one.median)
    assert nearest.relevant < 1 / 2 and "fields_relevant" not in codes(asked)
    low = card_of(mine, records(MARKETS), "economics", sigma=0.95 * nearest.median)
    (warned,) = (one.text for one in low.warnings if one.code == "fields_relevant")
    threshold = math.ceil(100 * nearest.median) / 100
    assert f"({nearest.name} " in warned and f"--threshold {threshold:.2f}" in warned
    raised = card_of(mine, records(MARKETS), "economics", sigma=threshold)
    assert "fields_relevant" not in codes(raised)
    (own,) = (one for one in raised.groups if one.group == "corpus")
    assert f"{own.relevant:.0%} of the topic's records" in warned


@pytest.mark.slow
def test_a_topic_without_papers_has_backgrounds_only(mine: Workspace, command: Command) -> None:
    (mine.ontologies / "topics" / "wide.toml").write_text(
        'name = "wide"\nlabel = {zh = "词", en = "words"}\nrelevance = "density"\nsigma = 0.2\n'
        '[[words]]\nweight = 1\nzh = ["的", "是"]\nen = ["the", "of"]\n[[words]]\nweight = 0.5\nzh = ["暴雨"]\n',
        encoding="utf-8",
    )
    card = topic_card.check(topics.load("wide", mine))
    assert card.records == 0 and not card.best and {one.language for one in card.groups} == {"zh", "en"}
    assert [(one.word, one.general, one.source) for one in card.words] == [
        ("的", True, "file"), ("暴雨", False, "file"),
    ]  # fmt: skip
    assert codes(card) == {"general_words", "background_high"}
    shown = command("topic", "check", "wide", "--workspace", mine.root)
    assert shown.code == 0 and "general language scores as high as the topic" in " ".join(shown.err.split())


@pytest.mark.slow
def test_a_corpus_of_one_house(mine: Workspace) -> None:
    english = [Document(d.id, d.title, f"{d.abstract} Work at Stanford on DNA.") for d in records(MARKETS)]
    card = card_of(mine, english, "economics")
    said = next(one.text for one in card.warnings if one.code == "one_house")
    assert "name Stanford:" in said and "DNA" not in said and "Inflation" not in said
    chinese = [
        Document(d.id, d.title, f"{d.abstract}资料来自清华大学。") for d in records(RAIN, language="zh")
    ]  # fmt: skip
    said = next(one.text for one in card_of(mine, chinese, "气象学").warnings if one.code == "one_house")
    assert "清华大学" in said
    assert "one_house" not in codes(card_of(mine, chinese[:10] + records(RAIN, language="zh")[10:], "气象学"))


@pytest.mark.slow
def test_a_corpus_of_one_journal_of_few_records_and_of_titles(mine: Workspace) -> None:
    one = card_of(mine, records(MARKETS, source="The Journal"), "economics")
    assert codes(one) == {"one_source"} and "The Journal" in one.warnings[0].text
    assert codes(card_of(mine, records(MARKETS, 12), "economics")) == {"few_records"}
    titles = [Document(d.id, d.title) for d in records(MARKETS)]
    assert "no_abstracts" in codes(card_of(mine, titles, "economics"))


@pytest.mark.slow
def test_records_on_another_subject_are_named(mine: Workspace) -> None:
    markets = records(MARKETS, 60)
    assert "far_records" not in codes(card_of(mine, markets, "economics"))
    others = [Document(f"x{i}", f"Recipe {i}", f"{text.capitalize()}.") for i, text in enumerate(COOKING)]
    (said,) = (one.text for one in card_of(mine, markets + others, "economics").warnings if one.code == "far_records")
    assert said.startswith("4 of 67 records") and "“Recipe" in said


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "other.html").write_text("<title>Cooking</title><p>A recipe for soup.</p>", "utf-8")
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    made = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_address[1]}"
    made.shutdown()
    made.server_close()


@pytest.mark.slow
def test_pages_are_judged_with_the_words_that_carried_them(
    command: Command, mine: Workspace, server: str, tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    words = ("storm", "flood", "surge", "typhoon", "cyclone", "levee", "gale")
    file.write_text("<title>Storms</title><p>" + " ".join(w * 1 for w in words) + " storm storm</p>", "utf-8")
    rows = "".join(f'[[words]]\nweight = {0.9 - n / 10:.1f}\nen = ["{word}"]\n' for n, word in enumerate(words))
    head = 'name = "storms"\nlabel = {zh = "风暴", en = "storms"}\nrelevance = "density"\nsigma = 0.2\n'
    (mine.ontologies / "topics" / "storms.toml").write_text(head + rows, "utf-8")
    check = ("topic", "check", "storms", "--workspace", mine.root, "--pages", file)
    pages = command(*check, "--pages", f"{server}/other.html", "--allow-loopback", "--json").json["pages"]
    assert [(p["relevant"], p["problem"]) for p in pages] == [(True, ""), (False, "")]
    assert [word for word, _ in pages[0]["words"]] == list(words[:5]) and pages[1]["R"] == 0.0
    alone = page_scoring.score_file(topics.load("storms", mine), file)
    assert pages[0]["R"] == alone.R
    refused = command(*check, "--pages", f"{server}/other.html")
    assert refused.code == 0 and "not judged" in refused.out and "storm" in refused.out
    assert command("topic", "check", "storms", "--workspace", mine.root, "--pages", "none.html").code == 2
    card = ontocrawl.Topic("storms", mine.root).check(file)
    assert card.pages[0].R == alone.R and "warnings" in repr(card)


def test_explain_names_the_five_words_that_carried_a_page(
    command: Command, mine: Workspace, server: str, tmp_path: Path
) -> None:
    words = ("storm", "flood", "surge", "typhoon", "cyclone", "levee", "gale")
    (tmp_path / "web" / "a.html").write_text(f"<title>A</title><p>{' '.join(words)} rain</p>", "utf-8")
    rows = "".join(f'[[words]]\nweight = {0.9 - n / 10:.1f}\nen = ["{word}"]\n' for n, word in enumerate(words))
    head = 'name = "storms"\nlabel = {zh = "风暴", en = "storms"}\nrelevance = "density"\nsigma = 0.2\n'
    (mine.ontologies / "topics" / "storms.toml").write_text(head + rows, "utf-8")
    page = f"{server}/a.html"
    run = ("crawl", "run", "--topic", "storms", "--seeds", page, "--run", "mine", "--allow-loopback", "--no-politeness")
    assert command(*run, "--strategy", "best_first", "--no-graph", "--workspace", mine.root).code == 0
    found = command("crawl", "explain", "mine", page, "--workspace", mine.root)
    assert found.code == 0 and all(word in found.out for word in words[:5])
    assert "levee" not in found.out and "gale" not in found.out
    assert "2 more words have smaller parts (--json)" in " ".join(found.out.split())
    document = command("crawl", "explain", "mine", page, "--json", "--workspace", mine.root).json
    assert len(document["score"]["page"]["judge"]["words"]) == len(words)
