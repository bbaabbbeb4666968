"""Competency questions: reading a file of them, and judging answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontology.competency import Question, QuestionError, judge, read

GOOD = '[[question]]\nid = "A"\nen = "Which?"\nsparql = "SELECT * {}"\nrows = 0\n'


def question(**expected: object) -> Question:
    return Question("A", "", "Which?", "cypher", "RETURN 1", **expected)  # type: ignore[arg-type]


ROWS = [{"a": "洪水", "b": ["x", "y"]}, {"a": "山洪", "b": []}]


@pytest.mark.parametrize(
    ("expected", "reasons"),
    [
        ({"rows": 2}, ()),
        ({"rows": 3}, ("expected 3 rows, found 2",)),
        ({"at_least": 3}, ("expected 3 rows or more, found 2",)),
        ({"at_most": 1}, ("expected 1 rows or fewer, found 2",)),
        ({"contains": ("洪水", "y")}, ()),
        ({"contains": ("滑坡",), "lacks": ("山洪", "z")},
         ("expected '滑坡' among the answers", "did not expect '山洪' among the answers")),
    ],
)  # fmt: skip
def test_judging(expected: dict[str, object], reasons: tuple[str, ...]) -> None:
    verdict = judge(question(**expected), ROWS)
    assert (verdict.reasons, verdict.holds, verdict.rows) == (reasons, not reasons, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = [", "not valid TOML"),
        ("", r"expected one table \[\[question\]\]"),
        ("topics = 'rain'\n" + GOOD, "no key 'topics'"),
        (GOOD.replace("rows = 0", "row = 0"), "question 1: there is no key 'row'"),
        (GOOD.replace("rows = 0", "rows = true"), "expected a whole number, 0 or more for rows, found True"),
        (GOOD.replace("rows = 0", "contains = 'x'"), "expected a list of texts for contains"),
        (GOOD.replace("rows = 0", ""), r"question 1 \(A\): expected what must hold"),
        (GOOD + 'cypher = "RETURN 1"', "either sparql or cypher"),
        (GOOD.replace('en = "Which?"', ""), "the question as zh or en"),
        (GOOD + GOOD, "two questions have the id 'A'"),
    ],
)
def test_a_broken_file_names_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "q.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(QuestionError, match=message):
        read(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match="there is no such file"):
        read(tmp_path / "none.toml")


def test_titles_fall_back_to_the_other_language(tmp_path: Path) -> None:
    path = tmp_path / "q.toml"
    path.write_text('topic = "rain"\n' + GOOD, encoding="utf-8")
    found = read(path)
    assert (found.topic, found.questions[0].title("zh"), found.questions[0].rows) == ("rain", "Which?", 0)
