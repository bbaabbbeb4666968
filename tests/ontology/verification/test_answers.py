"""Answers are read from any text around them, and an answer that the menu does not have is refused."""

from __future__ import annotations

import pytest

from ontology.verification import Question, Task
from ontology.verification.verifier import _read_answer, _schema

TASK = Task("", ("疾病", "Disease", "none"))
QUESTIONS = (Question("哮喘", ("肺病",)), Question("asthma", (), ("疾病",)))


BOTH = ('{"number": 1, "answer": "肺病"}', '{"number": 2, "answer": "Disease"}')


@pytest.mark.parametrize(
    "text",
    [
        f'{{"answers": [{BOTH[0]}, {BOTH[1]}]}}',
        f'```json\n{{"answers": [{BOTH[1]}, {BOTH[0]}]}}\n```',
        f'<think>{{"answers": []}} {{x}}</think>{{"answers": [{BOTH[0]}, {{"number": "2", "answer": " disease "}}]}}',
        f'{{"answers": [{BOTH[0]}, {{"number": 1, "answer": "x"}}, "none", 3, {{"number": 9}}, {BOTH[1]}]}} done.',
        f'{{"answers": [{{"number": 9, "answer": "none"}}, {BOTH[0]}, {{"number": 2, "answer": "Ｄisease"}}]}}',
    ],
)
def test_answers_in_many_forms(text: str) -> None:
    found = _read_answer(text, TASK, QUESTIONS)
    assert (dict(found.valid), found.refused) == ({0: "肺病", 1: "Disease"}, frozenset())


@pytest.mark.parametrize("answer", ["肿瘤", "", "疾", "疾病; none", "肺病"])
def test_an_answer_outside_of_the_menu_is_refused(answer: str) -> None:
    """肺病 is a choice of the first question only."""
    found = _read_answer('{"answers": [{"number": 2, "answer": "' + answer + '"}]}', TASK, QUESTIONS)
    assert (dict(found.valid), found.refused) == ({}, frozenset({1}))


def test_an_answer_that_the_question_excludes_is_refused() -> None:
    both = '{"answers": [{"number": 1, "answer": "疾病"}, {"number": 2, "answer": "疾病"}]}'
    found = _read_answer(both, TASK, QUESTIONS)
    assert (dict(found.valid), found.refused) == ({0: "疾病"}, frozenset({1}))


@pytest.mark.parametrize(
    "text", ["", "asthma is a disease", '{"answers": [{"number": 1', "[1, 2]", '{"answers": 3}', "{" * 9999]
)
def test_text_without_answers(text: str) -> None:
    found = _read_answer(text, TASK, QUESTIONS)
    assert (dict(found.valid), found.refused) == ({}, frozenset())


def test_the_schema_has_the_choices_of_all_questions_once() -> None:
    item = _schema(TASK, QUESTIONS)["properties"]["answers"]["items"]
    assert item["properties"]["answer"]["enum"] == ["疾病", "Disease", "none", "肺病"]
