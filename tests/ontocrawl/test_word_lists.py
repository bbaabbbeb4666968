"""The list of words of a topic: its file, what a person changes in it, and what goes before it."""

from __future__ import annotations

import shutil
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ontocrawl
from ontocrawl.base.config import Settings
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.runs import runs
from ontocrawl.topics import reviewed, topic_files, topics, word_lists
from ontocrawl.topics.word_lists import WordListError
from ontology.errors import Message
from ontology.topic_words import CORPUS, GIVEN, LABEL, PAGES, TopicWord, weight_of
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.verdicts import concept, decide

LISTED = [
    TopicWord("flood", (), ("flood", "floods"), weight_of(1e-3, 1e-5, 2e-5), 1e-3, 1e-5, 2e-5, 40),
    TopicWord("水库", ("水库",), (), weight_of(5e-4, 1e-6, None), 5e-4, 1e-6, None, 7),
]
"""Two words as a build weighs them."""


def test_a_list_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    word_lists.write(LISTED, path, "rain", "9 records")
    found = word_lists.read(path)
    assert [(w.word, w.zh, w.en, w.texts, w.source, w.o) for w in found] == [
        (w.word, w.zh, w.en, w.texts, w.source, w.o) for w in LISTED
    ]
    assert [w.weight for w in found] == pytest.approx([w.weight for w in LISTED], rel=1e-4)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("flood\t0.2", "twice"), ("\t0.2", "missing in the first column"), ("dam\tmuch", "expected a number"),
        ("dam\t-1", "0 or more"), ("dam\t0.9", "from 0 to 0.25"), ("dam\t0.2\t\tdam\tnan", "column p"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named(line: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    word_lists.write(LISTED, path, "rain", "9 records")
    path.write_text(path.read_text("utf-8") + line + "\n", "utf-8")
    with pytest.raises(WordListError, match=said) as error:
        word_lists.read(path)
    assert "line 6" in str(error.value)


def test_a_table_without_its_columns_is_refused(tmp_path: Path) -> None:
    (tmp_path / "words.tsv").write_text("flood\t1\n", "utf-8")
    with pytest.raises(WordListError, match="columns word, weight"):
        word_lists.read(tmp_path / "words.tsv")


def test_a_line_that_a_person_adds_needs_a_word_only(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    path.write_text(
        "\t".join(word_lists.COLUMNS) + '\n"# kept, as a spreadsheet saves it"\n内涝\n"levee"\t0.1\n', "utf-8"
    )
    zh, en = word_lists.read(path)
    assert (zh.forms, zh.weight, zh.source) == ((("zh", "内涝"),), 0.25, GIVEN)
    assert (en.forms, en.weight) == ((("en", "levee"),), 0.1)


def test_the_next_build_keeps_weights_and_words_of_a_person() -> None:
    edited = [TopicWord(w.word, w.zh, w.en, 0.0 if w.word == "flood" else w.weight, w.p, w.g, w.o) for w in LISTED]
    added = TopicWord("levee", (), ("levee",), 0.1, source=GIVEN)
    new = [TopicWord("flood", (), ("flood",), 0.15, 2e-3, 1e-5, 2e-5, 50), TopicWord("dam", (), ("dam",), 0.05, 1e-4)]
    found = {w.word: w for w in word_lists.kept([*edited, added], new)}
    assert found["flood"].weight == 0.0 and found["flood"].texts == 50
    assert found["levee"].weight == 0.1 and found["dam"].weight == 0.05
    assert "水库" not in found  # it was as the build had written it, and the papers do not have it any more


def test_an_old_label_goes_and_a_word_that_is_given_again_has_its_new_weight() -> None:
    before = [
        TopicWord("quantum", (), ("quantum",), 0.25, source=LABEL), TopicWord("dam", (), ("dam",), 0.2, source=GIVEN),
        TopicWord("levee", (), ("levee",), 0.1, source=GIVEN),
    ]  # fmt: skip
    new = [TopicWord("rainstorm", (), ("rainstorm",), 0.25, source=LABEL), replace(before[1], weight=0.25)]
    found = {w.word: w.weight for w in word_lists.kept(before, new, {"dam"})}
    assert found == {"rainstorm": 0.25, "dam": 0.25, "levee": 0.1}


def test_an_edit_of_the_list_counts_for_words_that_the_topic_file_shows() -> None:
    zero = [replace(LISTED[0], weight=0.0), LISTED[1]]
    shown = [(4 * LISTED[0].weight, (), ("flood", "floods"))]  # as the build wrote it
    assert word_lists.given(zero, shown) == []
    assert word_lists.given(zero, [(0.3, (), ("flood",))]) == [(0.3, (), ("flood",))]


def test_a_weight_of_the_topic_file_goes_before_the_list() -> None:
    shown = [(0.4, (), ("floods",)), (1.0, ("堤防",), ("levee",))]
    found = {w.word: w for w in word_lists.overridden(LISTED, shown)}
    assert found["flood"].weight == 0.1 and found["flood"].en == ("floods", "flood")
    assert found["堤防"].forms == (("zh", "堤防"), ("en", "levee")) and found["堤防"].weight == 0.25
    assert word_lists.given(LISTED, [(4 * LISTED[0].weight, (), ("flood",)), *shown]) == shown


def test_an_accepted_term_weighs_by_the_share_of_relevant_pages_with_it(tmp_path: Path) -> None:
    space = Workspace(tmp_path, Settings())
    said = {
        "海绵城市": (3, 300, "accept"),
        "内涝": (240, 300, "accept"),
        "水库": (9, 300, "reject"),
        "地铁": (2, 0, "accept"),
        "暗渠": (2, 2, "accept"),
    }
    for term, (pages, of_pages, action) in said.items():
        decide(space, "rain", replace(concept(term, "暴雨"), pages=pages, of_pages=of_pages), action)
    verdicts = reviewed.record_of(space, "rain").standing.values()
    found = {w.word: (w.weight, w.source) for w in word_lists.with_verdicts(LISTED, verdicts)}
    assert 0 < found["海绵城市"][0] < 0.1 < found["内涝"][0] <= 0.25
    assert found["海绵城市"][1] == PAGES
    assert "地铁" not in found, "no page was counted that would support a weight"
    assert found["暗渠"][0] < found["内涝"][0], "two of two pages support less than most of 300"
    assert found["水库"] == (0.0, CORPUS)
    assert found["flood"] == (LISTED[0].weight, CORPUS)


# ---- through a build -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a topic on money, built from 60 made-up abstracts."""
    folder = tmp_path_factory.mktemp("money")
    subjects = ("central bank", "commercial bank", "market price", "stock market", "monetary policy", "fiscal policy")
    lines = [
        f'{{"id": "p{n}", "title": "Effects of {subjects[n % 6]} on inflation", "abstract": "Objective: We study the '
        f"{subjects[n % 6]} and the {subjects[(n + 1) % 6]}. A {subjects[(n + 2) % 6]} is a kind of institution. "
        f'Results: Inflation and interest rates of banks react."}}'
        for n in range(60)
    ]
    (folder / "papers.jsonl").write_text("\n".join(lines), "utf-8")
    _build(folder)
    return folder


def _build(folder: Path, **more: Any) -> ontocrawl.Learned:
    return ontocrawl.learn(
        folder / "papers.jsonl", "money", out=folder / "out", label={"en": "economics"}, workspace=folder / "ws", **more
    )


def _topic(folder: Path) -> topics.Topic:
    return topics.load(str(folder / "out" / "money.toml"), Workspace(folder / "ws", Settings()))


def test_a_build_writes_the_list_and_shows_its_top(built: Path) -> None:
    topic = _topic(built)
    data = tomllib.loads((built / "out" / "money.toml").read_text("utf-8"))
    assert data["word_list"] == "words.tsv" and data["relevance"] == "word_density" and 0 < data["sigma"] < 1
    shown = [word["en"][0] for word in data["words"]]
    assert shown[0] == "economics" and "inflation" in shown
    assert not {"the", "we", "of", "results", "objective"} & set(shown)
    weights = {word.word: word.weight for word in topic.words}
    assert weights["economics"] == 0.25 and 0 < weights["inflation"] <= 0.25 and "objective" not in weights
    assert {word.label for word in topic.vocabulary.words} == {w for w, weight in weights.items() if weight > 0}


def test_a_version_of_decisions_names_the_list_beside_its_topic_file(built: Path) -> None:
    topic = _topic(built)
    assert Path(topic.file.word_list).is_absolute()
    assert tomllib.loads(topic_files.learned(topic.file, [], "60 records"))["word_list"] == "words.tsv"


# ---- words that a person leaves out ----------------------------------------------------------------------------------


@pytest.fixture
def copied(built: Path, tmp_path: Path) -> Path:
    """Return a copy of the folder, which may be changed."""
    shutil.copytree(built, tmp_path / "copy")
    return tmp_path / "copy"


def test_a_word_is_left_out_and_comes_back(copied: Path, command: Command) -> None:
    path, topic = copied / "out" / "words.tsv", _topic(copied)
    before, weights = path.read_text("utf-8"), {one.word: one.weight for one in topic.words}
    now = topics.weigh_words(topic, ["Inflation", "economics"])
    assert {"inflation", "economics"}.isdisjoint(word.label for word in now.vocabulary.words)
    [line] = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line.startswith("inflation\t")]
    assert line[1] == "0" and "\t".join([line[0], f"{weights['inflation']:.6g}", *line[2:]]) in before.splitlines()
    where = (copied / "out" / "money.toml", "--workspace", copied / "ws")
    shown = command("topic", "words", *where)
    assert "left out:" in shown.out and "economics" in shown.out.partition("left out:")[2]
    back = command("topic", "words", *where, "--take-back", "inflation", "--take-back", "economics", "--json").json
    assert {one["word"]: one["weight"] for one in back["words"]} == pytest.approx(weights, rel=1e-4)
    assert len(path.read_text("utf-8").splitlines()) == len(before.splitlines())


def test_a_word_goes_before_a_form_of_another_and_a_used_word_keeps_its_weight(copied: Path) -> None:
    path, topic = copied / "out" / "words.tsv", _topic(copied)
    head, *rows = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    own = "\t".join({"word": "storm", "weight": "0.1", "en": "storm"}.get(name, "") for name in head.split("\t"))
    both = "\t".join({"word": "暴雨", "weight": "0.2", "en": "storm"}.get(name, "") for name in head.split("\t"))
    path.write_text("\n".join([head, *rows, own, both]) + "\n", encoding="utf-8")
    now = {one.word: one.weight for one in topics.weigh_words(_topic(copied), ["storm"], ["暴雨"]).words}
    assert (now["storm"], now["暴雨"]) == (0.0, 0.2)
    with pytest.raises(UsageError, match="storm is both left out and taken back"):
        topics.weigh_words(topic, ["storm"], ["storm"])


def test_nothing_is_written_where_a_word_cannot_be_left_out(copied: Path) -> None:
    file, path, topic = copied / "out" / "money.toml", copied / "out" / "words.tsv", _topic(copied)
    before = path.read_bytes()
    with pytest.raises(UsageError, match="no word inflaton in its list; did you mean 'inflation'"):
        topics.weigh_words(topic, ["bank", "inflaton"])
    with pytest.raises(UsageError, match="no list of words"):
        topics.weigh_words(topics.load("rainstorm", topic.workspace), ["暴雨"])
    text = file.read_text("utf-8").replace("[[words]]", '[[words]]\nweight = 0.3\nen = ["inflation"]\n\n[[words]]', 1)
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=r"the weight of inflation stays 0.075.*money.toml"):
        topics.weigh_words(_topic(copied), ["inflation"])
    assert path.read_bytes() == before


@pytest.mark.slow
def test_a_crawl_that_begins_later_does_not_use_a_word_that_was_left_out(
    copied: Path, space: Workspace, command: Command
) -> None:
    file = copied / "out" / "money.toml"

    def words_of(run: str, *how: str) -> set[str]:
        asked = ("--topic", file, "--world", "synthetic:planted?pages=100&seed=0", "--limit-pages", "2", *how)
        assert command("crawl", "run", *asked, "--run", run, "--workspace", space.root).code == 0
        return {word.label for word in runs.config_of(space, run).vocabularies["TK"].words}

    assert "inflation" in words_of("with-the-word")
    assert command("topic", "words", file, "--leave-out", "inflation", "--workspace", space.root).code == 0
    left = words_of("without-it")  # by the graph, which had the word from the crawl before
    assert "inflation" not in left and "bank" in left and "inflation" not in words_of("no-graph", "--no-graph")
    assert command("topic", "words", file, "--take-back", "inflation", "--workspace", space.root).code == 0
    assert "inflation" in words_of("again")
    _build(copied)
    assert "inflation" in {word.label for word in _topic(copied).vocabulary.words}


@pytest.mark.slow
def test_a_word_that_is_left_out_or_taken_back_while_a_build_runs_stays_so(copied: Path) -> None:
    topics.weigh_words(_topic(copied), ["bank"])

    def change(stage: str) -> None:
        if stage == Message("versions.stage_files"):
            topics.weigh_words(_topic(copied), ["inflation"], ["bank"])

    _build(copied, on_stage=change)
    weights = {word.word: word.weight for word in _topic(copied).words}
    assert weights["inflation"] == 0.0 < weights["bank"]


@pytest.mark.slow
def test_edits_of_both_files_survive_a_build(built: Path) -> None:
    path = built / "out" / "words.tsv"
    lines = path.read_text("utf-8").splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("inflation\t"))
    cells = lines[at].split("\t")
    lines[at] = "\t".join([cells[0], "0", *cells[2:]])
    path.write_text("\n".join([*lines, "coin\t0.2"]) + "\n", "utf-8")
    learned = _build(built, words={"money": 0.8})
    weights = {word.word: (word.weight, word.source) for word in _topic(built).words}
    assert weights["inflation"][0] == 0.0 and weights["coin"] == (0.2, GIVEN) and weights["money"] == (0.2, GIVEN)
    assert "inflation" not in {word.label for word in _topic(built).vocabulary.words}
    assert learned.topic.words["coin"] == 0.2
    assert weights["bank"][1] == CORPUS
    (built / "out" / "words.tsv").unlink()
    with pytest.raises(WordListError, match="build the topic again"):
        _topic(built)
    _build(built)
    assert _topic(built).words
