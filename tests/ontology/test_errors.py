"""Messages: each code has its sentence in both languages, each place a value where it is raised."""

from __future__ import annotations

import ast
import json
import pickle
import re
import string
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

import queries
from crawler.fetching.hosts import WAITS
from crawler.reasons import REASONS
from crawler.worlds.addresses import V4_BLOCKS, V6_BLOCKS
from ontocrawl.graph.query_parameters import NEEDS
from ontology.errors import LANGUAGES, Message, OntocrawlError, Option, recalled, recognised, said, told
from queries import Parameter
from tests import sources
from tests.sources import LAYERS, ROOT

CHINESE = re.compile(r"[\u4e00-\u9fff]")
TABLES = {
    path.stem: tomllib.loads(path.read_text("utf-8")) for path in (ROOT / "ontology/data/messages").glob("*.toml")
}
SENTENCES = {f"{area}.{name}": sentence for area, table in TABLES.items() for name, sentence in table.items()}
CODE = re.compile(r"[a-z]\w*\.[a-z0-9]\w*")
FOREIGN = frozenset({"HeaderError"})
"""Errors of this name are two: of a query, and of a record of an archive, which never reaches a user."""
PROBLEMS = frozenset({"problem", "_damaged", "_note"})
"""Functions that make a problem of a file from a code."""
_BY_NAME = (
    *(
        ("cli", part)
        for part in ("change_", "check_", "heading_", "how_", "proposal_", "rule_", "state_", "term_", "title_", "way_")
    ),
    *(("corpus", part) for part in ("kind_", "mark_", "place_")),
    ("evidence", "kind_"),
    *(("lint", part) for part in ("mend_", "reason_")),
    ("ontology", "figure_"),
    ("ontology", "list_"),
    ("usage", ""),
    ("versions", "reason_"),
    ("worlds", "figure_"),
)
"""Areas, and how the names begin of sentences that are found by a text."""
FAMILIES = {
    *(f"no_rows.need_{name}" for name in NEEDS),
    *(f"waits.{code}" for code in WAITS),
    *(f"graph.kind_{name}" for name in ("page", "host", "concept", "run", "ontology")),
    *(f"queries.type_{name}" for name in ("text", "integer", "number", "flag", "list")),
    *(f"worlds.address_{purpose}" for _, purpose in (*V4_BLOCKS, *V6_BLOCKS)),
    *(f"pydantic.{kind}" for kind in TABLES["pydantic"]),
    *(f"{area}.{name}" for area, beginning in _BY_NAME for name in TABLES[area] if name.startswith(beginning)),
    *(f"enrichment.reason_{kind}" for kind in ("causes", "part_of", "measured_by")),
    *(f"runs.judge_{part}" for part in ("function", "threshold", "words")),
}
"""Codes that are made of a name, or by which texts that are kept are recognised."""


def places(sentence: str) -> set[str]:
    """Return the names of the places of a sentence that need a value."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None and name[:2] != "--"}


class Read(NamedTuple):
    """What the sources have: class -> its bases; calls of names in capitals, each with its place; codes in texts."""

    bases: dict[str, set[str]]
    calls: list[tuple[str, ast.Call]]
    codes: set[str]


@cache
def read() -> Read:
    found = Read({}, [], set())
    for path in sources.files(*LAYERS):
        for node in sources.nodes(path):
            if isinstance(node, ast.ClassDef):
                found.bases[node.name] = {last_name(base) for base in node.bases}
            elif isinstance(node, ast.Call) and node.args and is_maker(last_name(node.func)):
                found.calls.append((f"{path.relative_to(ROOT).as_posix()}:{node.lineno}", node))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
                found.codes.add(node.value)
    return found


def is_maker(name: str) -> bool:
    """Return whether a function of this name may make an error or a message."""
    return name.lstrip("_")[:1].isupper() or name in PROBLEMS


def last_name(node: ast.expr) -> str:
    """Return the name of what a node refers to, without that before its last dot; "" for what has no name."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def error_classes() -> set[str]:
    """Return the names of `OntocrawlError` and of all classes below it."""
    found = {"OntocrawlError"}
    while more := {name for name, of in read().bases.items() if of & found} - found:
        found |= more
    return found - FOREIGN


def calls() -> Iterator[tuple[str, ast.Call, bool]]:
    """Yield each call that makes an error or a message, its place, and whether it makes an error."""
    classes = error_classes()
    for place, call in read().calls:
        name = last_name(call.func)
        if name in classes or name == "Message" or name in PROBLEMS:
            yield place, call, name in classes


def code_of(call: ast.Call) -> str:
    """Return the code that is written in a call; empty where it is made or is a message already."""
    given = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    return next((text for text in given if CODE.fullmatch(text)), "")


def test_each_sentence_is_in_both_languages_with_the_same_places() -> None:
    assert len(SENTENCES) > 1_000
    for code, sentence in SENTENCES.items():
        assert set(sentence) == set(LANGUAGES), code
        assert places(sentence["zh"]) <= places(sentence["en"]), code
        is_words = re.search("[A-Za-z]{2}", re.sub(r"\{[^}]*\}|`[^`]*`|--[\w-]+|\[\w+\]", "", sentence["en"]))
        assert not is_words or CHINESE.search(sentence["zh"]), code
        assert not CHINESE.search(re.sub(r"`[^`]*`|\"[^\"]*\"", "", sentence["en"])), code


def test_each_error_says_its_message_by_a_code() -> None:
    """A text of its own has an f-string or a constant that is no code."""
    texts = [
        f"{place} {ast.unparse(call)[:120]}"
        for place, call, is_error in calls() if is_error and not code_of(call)
        if any(isinstance(arg, ast.JoinedStr | ast.BinOp | ast.Constant) for arg in call.args)
    ]  # fmt: skip
    assert not texts, "\n".join(texts)


def test_each_code_that_is_written_has_a_sentence_and_a_value_for_each_place() -> None:
    wrong = []
    for place, call, _ in calls():
        code = code_of(call)
        if not code:
            continue
        if code not in SENTENCES:
            wrong.append(f"{place} {code}: no sentence")
        elif all(keyword.arg is not None for keyword in call.keywords):
            lacking = places(SENTENCES[code]["en"]) - {str(keyword.arg) for keyword in call.keywords}
            wrong += [f"{place} {code}: no value of {sorted(lacking)}"] if lacking else []
    assert not wrong, "\n".join(wrong)


def test_each_sentence_is_used() -> None:
    of_reasons = {str(getattr(text, "code", "")) for one in REASONS.values() for text in (one.happened, one.advice)}
    of_queries = {f"no_rows.{query.name.replace('/', '_')}" for query in queries.all_queries()}
    assert not set(SENTENCES) - read().codes - FAMILIES - of_reasons - of_queries


def test_codes_that_are_made_have_sentences() -> None:
    assert not FAMILIES - SENTENCES.keys()


def test_each_reason_is_said_in_chinese() -> None:
    for reason in REASONS.values():
        assert CHINESE.search(said(reason.text, "zh")) and not CHINESE.search(reason.text)


def test_a_sentence_is_raised_with_options_for_each_interface() -> None:
    seeds = Option("--seeds URL", "seeds=[URL]")
    error = OntocrawlError("runs.seeds_none", sources_read="", seeds=seeds, topic="rain")
    assert "{--rename|rename}" in SENTENCES["enrichment.verdict_options"]["en"]
    assert "--rename, --parent" in OntocrawlError("enrichment.verdict_options").said("en", on_command_line=True)
    assert "rename, parent" in str(OntocrawlError("enrichment.verdict_options"))
    assert "seeds=[URL]" in str(error) and "--seeds URL" in error.said("en", on_command_line=True)
    assert "--seeds URL" in error.said("zh", on_command_line=True) and CHINESE.search(error.said("zh"))


@pytest.mark.parametrize(
    "family",
    [
        "corpus.kind_",
        "corpus.place_",
        "evidence.kind_",
        "enrichment.reason_",
        "decisions.remark_",
        "lint.mend_",
        "lint.reason_",
        "ontology.figure_",
        "usage.",
    ],
)
def test_a_text_that_is_kept_in_english_is_said_in_chinese(family: str) -> None:
    codes = [code for code in SENTENCES if code.startswith(family)]
    assert len(codes) >= 5
    for code in codes:
        made = Message(code, **dict.fromkeys(places(SENTENCES[code]["en"]), "X 1"))
        found = recognised(str(made), family)
        assert isinstance(found, Message) and found.code == code and found.values == made.values
        assert CHINESE.search(found.said("zh"))
    assert recognised("a text of others", family) == "a text of others"
    assert told("top class; X", "evidence.kind_", "zh") == "顶层类；X"


def test_values_that_are_messages_are_in_the_language_of_the_whole() -> None:
    inner = OntocrawlError("lab.all_labelled")
    outer = OntocrawlError("lab.not_in_sample", url=inner, run=Option("--run NAME"))
    assert str(outer) == "all pages are labelled is not in the sample of run run=NAME"
    assert outer.said("zh") == f"{inner.said('zh')} 不在爬取 run=NAME 的样本中"
    assert "--run NAME" in outer.said("zh", on_command_line=True)
    several = Message("mcp.arguments", tool="t", faults=[Message("hints.stop"), Message("hints.stop")])
    assert several.endswith(".; .") and several.said("zh").endswith("。; 。")


def test_a_message_is_a_text_that_can_be_copied_and_stored() -> None:
    message = Message("hints.choices", guess=Message("hints.near", near="x"), choices="x, y", more="")
    for copied in (pickle.loads(pickle.dumps(message)), recalled("", json.loads(json.dumps(message.as_json())))):
        assert copied == message and copied.said("zh") == message.said("zh") != message
    error = pickle.loads(pickle.dumps(OntocrawlError("lab.all_labelled")))
    assert error.said("zh") == "所有网页都已标注"
    assert recalled("text", {"code": "of_a_later.version", "values": {}}) == "text" == recalled("text", None)
    of_an_earlier_version = {"code": "hints.near", "values": {}}
    assert recalled("text", of_an_earlier_version) == "text"
    within = {"code": "hints.choices", "values": {"guess": of_an_earlier_version, "choices": "x, y", "more": ""}}
    assert recalled("text", within) == "text"


def test_texts_of_others_are_messages_as_they_are() -> None:
    assert (
        str(OntocrawlError("the disk is full")) == "the disk is full" == OntocrawlError("the disk is full").said("zh")
    )
    with pytest.raises(KeyError):
        Message("lab.no_such_sentence")
    with pytest.raises(KeyError):
        Message("lab.not_in_sample", url="x")


def test_types_of_parameters_are_said_in_both_languages() -> None:
    least = Parameter("n", "integer", 5, required=False, meaning="how many", least=1)
    assert said(least.expected, "en") == "integer from 1" and CHINESE.search(said(least.expected, "zh"))


def test_the_judge_has_one_name_in_chinese() -> None:
    places = ("ontology/data/messages", "ontology/data/catalogue", "ontocrawl/explorer/texts")
    texts = {file: file.read_text("utf-8") for place in places for file in (ROOT / place).glob("*.toml")}
    assert sum("评判函数" in text for text in texts.values()) > 3
    assert not [file.name for file, text in texts.items() if "判定函数" in text or "判断函数" in text]
