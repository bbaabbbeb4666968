"""Batches, the cache, invalid and cut-off answers, and the limit of tokens."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ontology.verification import AnswerCache, Completion, Question, Task, Verifier, VerifyError
from tests.ontology.verification.recorded_chat import RecordedChat, written

TASK = Task("choose", ("a", "b", "none"))
QUESTIONS = [Question(f"q{n}") for n in range(25)]


def test_questions_are_asked_in_batches_and_once() -> None:
    chat = RecordedChat(lambda question: "a" if question == "q7" else "none")
    verifier = Verifier(chat)
    found = verifier.ask(TASK, [*QUESTIONS, QUESTIONS[7]])
    assert [n for n, answer in enumerate(found) if answer == "a"] == [7, 25]
    assert [len(batch) for batch in chat.asked] == [10, 10, 5]
    assert (verifier.figures.requests, verifier.figures.tokens) == (3, 150)
    assert Verifier(chat, verifier.cache).ask(TASK, QUESTIONS) == found[:25]
    assert len(chat.asked) == 3


def test_the_second_run_reads_the_file_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "new" / "answers.jsonl"
    first = Verifier(RecordedChat(lambda _: "b"), AnswerCache(path)).ask(TASK, QUESTIONS)
    chat = RecordedChat()
    again = Verifier(chat, AnswerCache(path))
    assert again.ask(TASK, QUESTIONS) == first == ("b",) * 25
    assert (chat.asked, again.figures.cached, again.figures.questions) == ([], 25, 25)
    assert [json.loads(line)["question"] for line in path.read_text("utf-8").splitlines()] == [
        q.text for q in QUESTIONS
    ]


def test_another_model_prompt_or_menu_is_another_question(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    Verifier(RecordedChat(), AnswerCache(path)).ask(TASK, QUESTIONS[:1])
    others = [
        (RecordedChat(model="other"), TASK, QUESTIONS[0]),
        (RecordedChat(), Task("choose well", TASK.choices), QUESTIONS[0]),
        (RecordedChat(), Task("choose", ("a", "none")), QUESTIONS[0]),
        (RecordedChat(), TASK, Question("q0", ("c",))),
    ]
    for chat, task, question in others:
        Verifier(chat, AnswerCache(path)).ask(task, [question])
        assert chat.asked == [["q0"]]


def test_half_a_line_at_the_end_of_the_file_costs_its_own_answer_only(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    Verifier(RecordedChat(lambda _: "b"), AnswerCache(path)).ask(TASK, QUESTIONS[:2])
    path.write_bytes(path.read_bytes()[:-9])
    chat = RecordedChat(lambda _: "a")
    assert Verifier(chat, AnswerCache(path)).ask(TASK, QUESTIONS[:2]) == ("b", "a")
    assert chat.asked == [["q1"]]
    assert Verifier(RecordedChat(), AnswerCache(path)).ask(TASK, QUESTIONS[:2]) == ("b", "a")


def test_an_answer_in_the_file_that_the_menu_does_not_have_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    Verifier(RecordedChat(lambda _: "b"), AnswerCache(path)).ask(TASK, QUESTIONS[:1])
    path.write_text(path.read_text("utf-8").replace('"answer": "b"', '"answer": "z"') + "[]\n", encoding="utf-8")
    assert Verifier(RecordedChat(), AnswerCache(path)).ask(TASK, QUESTIONS[:1]) == ("",)


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    class Failing(RecordedChat):
        def complete(self, *args: object, **kwargs: object) -> Completion:
            if len(self.asked) == 2:
                raise KeyboardInterrupt
            return super().complete(*args, **kwargs)  # type: ignore[arg-type]

    path = tmp_path / "answers.jsonl"
    with pytest.raises(KeyboardInterrupt):
        Verifier(Failing(), AnswerCache(path)).ask(TASK, QUESTIONS)
    chat = RecordedChat()
    verifier = Verifier(chat, AnswerCache(path))
    assert verifier.ask(TASK, QUESTIONS) == ("none",) * 25
    assert chat.asked == [[q.text for q in QUESTIONS[20:]]]
    assert verifier.figures.cached == 20


def test_a_refused_answer_is_counted_and_not_asked_again() -> None:
    chat = RecordedChat(lambda question: "z" if question == "q1" else "a")
    verifier = Verifier(chat)
    assert verifier.ask(TASK, QUESTIONS[:3]) == ("a", "", "a")
    assert (verifier.figures.refused, verifier.figures.unanswered, len(chat.asked)) == (1, 0, 1)
    assert verifier.ask(TASK, QUESTIONS[:3]) == ("a", "", "a")
    assert len(chat.asked) == 1


def test_a_malformed_answer_is_asked_for_once_more() -> None:
    chat = RecordedChat(scripted=[Completion("I think so"), Completion(written("a", "b"))])
    verifier = Verifier(chat)
    assert verifier.ask(TASK, QUESTIONS[:2]) == ("a", "b")
    assert (chat.asked, chat.seeds) == ([["q0", "q1"]] * 2, [0, 1])
    chat = RecordedChat(scripted=[Completion(written("a")), Completion("no")])
    verifier = Verifier(chat)
    assert verifier.ask(TASK, QUESTIONS[:3]) == ("a", "", "")
    assert chat.asked == [["q0", "q1", "q2"], ["q1", "q2"]]
    assert (verifier.figures.unanswered, verifier.figures.refused) == (2, 0)
    assert verifier.ask(TASK, QUESTIONS[:3])[1:] == ("none", "none")


def test_an_answer_that_is_cut_off_makes_smaller_batches() -> None:
    cut = Completion('{"answers": [{"number": 1, "answer": "b"}, {"num', cut_off=True)
    chat = RecordedChat(lambda _: "a", scripted=[cut, Completion("", cut_off=True)])
    verifier = Verifier(chat)
    assert set(verifier.ask(TASK, QUESTIONS)) == {"a"}
    assert [len(batch) for batch in chat.asked[:3]] == [10, 5, 2]
    assert max(map(len, chat.asked[2:])) == 2
    assert chat.seeds == [0] * len(chat.seeds)


def test_a_model_whose_answers_are_always_cut_off_ends_the_run() -> None:
    chat = RecordedChat(scripted=[Completion("Let me think ..", cut_off=True)] * 9)
    with pytest.raises(VerifyError, match=r"cut off even .* verify_model="):
        Verifier(chat).ask(TASK, QUESTIONS)
    assert [len(batch) for batch in chat.asked] == [10, 5, 2, 1]


def test_one_long_answer_among_others_is_left_out() -> None:
    cut = [Completion(written("a"))] + [Completion("", cut_off=True)] * 2
    verifier = Verifier(RecordedChat(scripted=cut))
    assert verifier.ask(TASK, QUESTIONS[:1]) == ("a",)
    assert verifier.ask(TASK, QUESTIONS[1:2]) == ("",)
    assert verifier.figures.unanswered == 1


def test_the_estimate_is_announced_and_stops_before_the_first_request() -> None:
    chat, said = RecordedChat(), list[str]()
    verifier = Verifier(chat, token_limit=100, announce=said.append)
    with pytest.raises(VerifyError) as caught:
        verifier.prepare([(TASK, QUESTIONS)])
    assert "the limit is 100: raise it with --verify-tokens N" in caught.value.said("en", on_command_line=True)
    assert said[0].startswith("recorded at memory: 25 questions in 3 requests, about ")
    assert chat.asked == []


def test_answers_that_are_known_need_no_tokens() -> None:
    verifier = Verifier(RecordedChat())
    verifier.ask(TASK, QUESTIONS)
    again = Verifier(RecordedChat(), verifier.cache, token_limit=1)
    again.prepare([(TASK, QUESTIONS)])
    assert again.ask(TASK, QUESTIONS) == ("none",) * 25


def test_the_limit_holds_where_a_server_counts_more_tokens_than_estimated() -> None:
    chat = RecordedChat(scripted=[Completion(written(*["a"] * 10), tokens=900)] * 3)
    verifier = Verifier(chat, token_limit=1000)
    verifier.prepare([(TASK, QUESTIONS)])
    assert verifier.ask(TASK, QUESTIONS) == ("a",) * 10 + ("",) * 15
    assert (verifier.figures.requests, verifier.figures.unanswered) == (1, 15)
