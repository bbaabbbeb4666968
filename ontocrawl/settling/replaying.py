"""Answers taken up again: what is known after them, and what is left of them where decisions say otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from ontocrawl.settling.state import Answer, Record, Written
from ontology.decisions import Decision
from ontology.lattice import Example, Exploration, ExplorationError


def replayed(
    start: Exploration, answers: Sequence[Answer]
) -> tuple[Exploration, list[Answer], list[tuple[Answer, str]]]:
    """Return what is known after answers; what later decisions refute is taken out of these.

    Args:
        start: what was known before.
        answers: the answers in their order.

    Returns:
        What is known after them; the answers that are left; and those that are overruled, each with the reason.
    """
    known, kept, overruled = start, list[Answer](), list[tuple[Answer, str]]()
    for answer in answers:
        try:
            known = after(known, answer)
            kept.append(answer)
        except ExplorationError as error:
            overruled.append((answer, str(error)))
            with suppress(ExplorationError):
                rest = _without_refuted(known, answer)
                known = after(known, rest)
                kept.append(rest)
    return known, kept, overruled


def after(before: Exploration, answer: Answer) -> Exploration:
    """Return what is known after an answer; terms that are known by now to hold, or not, are left out.

    Raises:
        ExplorationError: the answer contradicts what is known.
    """
    question = before.question_about(before.bits(answer.about))
    asked = before.bits(answer.asked)
    holds = before.bits(answer.holds)
    if not question.conclusion & asked and not holds & ~question.premise:
        return before
    example = None
    if answer.example is not None:
        has, lacks = (before.bits(names) for names in (answer.example.has, answer.example.lacks))
        example = Example(answer.example.name, has, lacks)
    part = replace(question, conclusion=question.conclusion & asked)
    return before.settle(part, holds & ~question.premise, example if part.conclusion & ~holds else None)


def _without_refuted(known: Exploration, answer: Answer) -> Answer:
    """Return an answer without what is known to be false, and without its example."""
    question = known.question_about(known.bits(answer.about))
    false = set(known.names(known.bits(answer.holds) & ~question.premise & ~question.conclusion))
    asked, holds = (tuple(t for t in labels if t not in false) for labels in (answer.asked, answer.holds))
    return replace(answer, asked=asked, holds=holds, example=None)


def without_withdrawn(record: Record, decisions: Sequence[Decision]) -> Record:
    """Return a record without the decisions that someone withdrew, and without what they were written for.

    The terms are taken out of the answers, so that they are asked again.
    """
    alive = {d.id for d in decisions}
    gone = [w for w in record.decisions if w.id not in alive]
    answers = record.answers
    for written in gone:
        answers = tuple(_without(answer, written) for answer in answers)
    return replace(
        record,
        answers=tuple(answer for answer in answers if answer.asked),
        decisions=tuple(w for w in record.decisions if w.id in alive),
    )


def _without(answer: Answer, written: Written) -> Answer:
    if answer.about != (written.term,):
        return answer
    asked, holds = (tuple(t for t in labels if t != written.value) for labels in (answer.asked, answer.holds))
    return replace(answer, asked=asked, holds=holds, example=answer.example if len(asked) > len(holds) else None)
