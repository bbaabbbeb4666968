"""Attribute exploration with an expert who knows a context: the basis is found, and no question is asked in vain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.context import FormalContext, bits_of
from ontology.lattice import Basis, canonical_basis
from ontology.lattice.exploration import Example, Exploration, ExplorationError, Question, covers
from tests.ontology.contexts import contexts, data, named, table1

Expert = Callable[[Exploration, Question], Exploration]


def object_expert(domain: FormalContext) -> Expert:
    """Confirm what holds in a domain; refute by the first object that shows it, described in full."""
    every = (1 << len(domain.attributes)) - 1

    def reply(state: Exploration, question: Question) -> Exploration:
        for name, row in zip(domain.objects, domain.rows, strict=True):
            if not question.premise & ~row and question.conclusion & ~row:
                return state.refute(question, name, every & ~row, row)
        return state.confirm(question)

    return reply


def laconic_expert(domain: FormalContext) -> Expert:
    """Refute by an unnamed example of which only the question's premise and one missing attribute are known."""

    def reply(state: Exploration, question: Question) -> Exploration:
        missing = question.conclusion & ~domain.intent(domain.extent(question.premise))
        if not missing:
            return state.confirm(question)
        return state.refute(question, f"not {missing:b}", missing & -missing)

    return reply


def choosing_expert(domain: FormalContext) -> Expert:
    """Choose those of the conclusion that hold."""
    return lambda state, question: state.settle(
        question, question.conclusion & domain.intent(domain.extent(question.premise))
    )


EXPERTS = [object_expert, laconic_expert, choosing_expert]


def explored(domain: FormalContext, expert: Expert, *, combinations: bool = True) -> tuple[Exploration, int]:
    """Ask until no question is open; each answer must confirm an implication or add an example that refutes one."""
    state, asked = Exploration(domain.attributes), 0
    while question := state.next_question(combinations=combinations):
        assert combinations or question.generator.bit_count() <= 1
        before, state = state, expert(state, question)
        new = state.examples[len(before.examples) :]
        assert len(state.confirmed) + len(state.examples) > len(before.confirmed) + len(before.examples)
        assert all(not question.premise & ~e.has and question.conclusion & e.lacks for e in new)
        asked += 1
        assert asked < 500
    return state, asked


def pairs(basis: Basis) -> set[tuple[int, int]]:
    return {(i.premise, i.conclusion) for i in basis.implications}


@pytest.mark.parametrize("expert", EXPERTS)
@given(domain=contexts(6, 5))
@settings(deadline=None, max_examples=40)
def test_the_implications_confirmed_are_the_canonical_basis(
    expert: Callable[[FormalContext], Expert], domain: FormalContext
) -> None:
    state, _ = explored(domain, expert(domain))
    assert len(set(state.confirmed)) == len(state.confirmed)
    assert set(state.confirmed) == pairs(canonical_basis(domain))
    if any(e.has for e in state.examples):
        assert set(state.confirmed) == pairs(canonical_basis(state.context()))


@given(contexts(6, 5))
@settings(deadline=None, max_examples=40)
def test_an_expert_with_objects_answers_each_question_once(domain: FormalContext) -> None:
    """As Ganter counts: one question for each implication of the basis, one for each example."""
    state, asked = explored(domain, object_expert(domain))
    assert asked == len(state.confirmed) + len(state.examples)
    assert len(state.examples) <= len(set(domain.rows))


@pytest.mark.parametrize("expert", EXPERTS)
@given(domain=contexts(6, 5))
@settings(deadline=None, max_examples=40)
def test_the_order_needs_premises_of_one(expert: Callable[[FormalContext], Expert], domain: FormalContext) -> None:
    state, asked = explored(domain, expert(domain), combinations=False)
    m = len(domain.attributes)
    true = tuple(domain.intent(domain.extent(1 << a)) for a in range(m))
    assert state.order() == true
    assert tuple(((1 << m) - 1) & ~row for row in true) == state.refuted()
    if expert is choosing_expert:
        assert asked <= m + 1


@given(contexts(6, 5))
@settings(deadline=None, max_examples=40)
def test_the_order_first_then_combinations_is_the_same_exploration(domain: FormalContext) -> None:
    order, _ = explored(domain, choosing_expert(domain), combinations=False)
    whole, _ = explored(domain, choosing_expert(domain))
    assert whole.confirmed[: len(order.confirmed)] == order.confirmed


@pytest.mark.slow
@given(contexts(6, 5), st.data())
@settings(deadline=None, max_examples=150)
def test_questions_put_off_leave_the_others_what_they_were(domain: FormalContext, choice: st.DataObject) -> None:
    """Some questions are put off once; what is confirmed in the end is still the basis."""
    expert, state = choosing_expert(domain), Exploration(domain.attributes)
    for _ in range(500):
        question = state.next_question(combinations=True)
        if question is None and not state.postponed:
            break
        if question is None:
            state = state.resumed()
        elif choice.draw(st.booleans()):
            state = state.postpone(question)
        else:
            state = expert(state, question)
    assert set(state.confirmed) == pairs(canonical_basis(domain))


@given(contexts(6, 5), st.data())
@settings(deadline=None, max_examples=40)
def test_what_was_known_before_is_not_asked(domain: FormalContext, choice: st.DataObject) -> None:
    basis = sorted(pairs(canonical_basis(domain)))
    known = tuple(pair for pair in basis if choice.draw(st.booleans()))
    state = Exploration(domain.attributes, known=known)
    while question := state.next_question(combinations=True):
        assert state.close(question.premise) == question.premise == state.close(question.generator)
        state = choosing_expert(domain)(state, question)
    for X in range(1 << len(domain.attributes)):
        assert state.close(X) == domain.intent(domain.extent(X))


@pytest.mark.parametrize("size", [3, 6, 8])
def test_lattices_with_known_bases(size: int) -> None:
    """A chain has an implication less than attributes, an antichain one for each pair, the Boolean lattice none."""
    chain = named(np.tri(size, dtype=bool))
    antichain = named(np.eye(size, dtype=bool))
    boolean = named(~np.eye(size, dtype=bool))
    counts = {1: size - 1, 2: size * (size - 1) // 2, 3: 0}
    for number, domain in enumerate((chain, antichain, boolean), 1):
        state, _ = explored(domain, object_expert(domain))
        assert len(state.confirmed) == len(canonical_basis(domain)) == counts[number]


def test_table_1_of_paper_000() -> None:
    state, asked = explored(table1(), object_expert(table1()))
    basis = canonical_basis(table1())
    assert set(state.confirmed) == pairs(basis)
    assert asked == len(basis) + len(state.examples)


@pytest.mark.parametrize(
    "name", ["concepts/liveinwater.cxt", "concepts/digits.cxt", "fcarepository/bodiesofwater_en.cxt"]
)
def test_classical_contexts(name: str) -> None:
    from ontology import formats

    domain = formats.read(data("fca_contexts") / name)
    state, _ = explored(domain, object_expert(domain))
    assert set(state.confirmed) == pairs(canonical_basis(domain))


START = Exploration(("山洪", "洪水", "台风"), examples=(Example("teapot", 0, 0b111),))


def first(state: Exploration) -> Question:
    """The next question."""
    question = state.next_question()
    assert question is not None
    return question


def test_an_example_must_violate_the_question() -> None:
    question = first(START)
    assert question == Question(0b001, 0b001, 0b110)
    with pytest.raises(ExplorationError, match="'凌汛' is no counterexample: it must have 山洪 and lack one of 洪水"):
        START.refute(question, "凌汛", 0)


def test_an_example_must_not_contradict_what_was_confirmed() -> None:
    after = START.settle(first(START), 0b010)
    question = first(after)
    assert after.names(question.premise) == ("洪水",)
    with pytest.raises(ExplorationError, match="cannot lack 洪水: this follows from 山洪"):
        after.refute(question, "凌汛", 0b010, 0b001)
    with pytest.raises(ExplorationError, match="cannot lack 洪水"):
        Exploration(("山洪", "洪水"), known=((0b01, 0b10),), examples=(Example("凌汛", 0b01, 0b10),))


def test_an_answer_must_not_contradict_an_example() -> None:
    """Flood and hail together imply rain; a flash flood is known that is no rain, so it cannot be both."""
    names = ("flash flood", "flood", "hail", "rain")
    known = ((0b0110, 0b1000),)
    start = Exploration(names, known=known, examples=(Example("teapot", 0, 0b1111), Example("GLOF", 0b0001, 0b1000)))
    with pytest.raises(ExplorationError, match=r"flood \+ hail would imply rain, which 'GLOF' lacks"):
        start.settle(first(start), 0b0110)


def test_an_example_lacks_what_would_give_it_what_it_lacks() -> None:
    state = Exploration(("a", "b", "c"), known=((0b010, 0b100),), examples=(Example("x", 0b001, 0b100),))
    assert state.examples[0] == Example("x", 0b001, 0b110)
    assert state.refuted()[0] == 0b110


def test_a_question_names_the_narrowest_terms() -> None:
    state = Exploration(("a", "b", "c"), known=((0b001, 0b010),), examples=(Example("none", 0, 0b111),))
    questions = state.open_questions()
    assert [(state.names(q.premise), state.names(q.generator)) for q in questions] == [
        (("b",), ("b",)), (("c",), ("c",)),
    ]  # fmt: skip
    after = state.settle(questions[0], 0)
    assert [after.names(q.generator) for q in after.open_questions()] == [("c",), ("a",)]


def test_what_is_put_off_is_asked_again_when_resumed() -> None:
    question = first(START)
    after = START.postpone(question)
    assert after.next_question() != question
    assert question in after.open_questions()
    assert after.resumed().next_question() == question


@pytest.mark.parametrize("names", [(), ("a", "b", "a")])
def test_attributes_are_distinct(names: tuple[str, ...]) -> None:
    with pytest.raises(ExplorationError, match="one attribute or more"):
        Exploration(names)


def test_an_answered_question_has_no_conclusion() -> None:
    after = START.settle(first(START), 0b010)
    assert after.question_about(0b001) == Question(0b011, 0b001, 0)


def test_an_answer_to_a_part_of_a_question_leaves_the_rest_open() -> None:
    asked = replace(first(START), conclusion=0b010)
    after = START.settle(asked, 0b010)
    assert after.question_about(0b001) == Question(0b011, 0b001, 0b100)
    assert START.settle(asked, 0).question_about(0b001).conclusion == 0b100


def test_a_described_example_refutes_what_it_is_not_said_to_have() -> None:
    question = START.question_about(0b001)
    after = START.settle(question, 0, Example("凌汛", 0b010, 0))
    assert [(e.name, e.has, e.lacks) for e in after.examples[1:]] == [
        ("凌汛", 0b011, 0b100), ("山洪, not 洪水", 0b001, 0b010),
    ]  # fmt: skip


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ExplorationError, match="'冰雹' is none of the chosen terms: 山洪, 洪水, 台风"):
        START.bits(["冰雹"])


@given(contexts(6, 5))
@settings(deadline=None, max_examples=40)
def test_covers_are_the_transitive_reduction(domain: FormalContext) -> None:
    """The pairs imply the whole order of the first elements of each class of equals, and none is redundant."""
    order = explored(domain, choosing_expert(domain), combinations=False)[0].order()
    equal = [next(b for b in bits_of(up) if order[b] >> a & 1) for a, up in enumerate(order)]
    found = covers(order)
    assert all(equal[a] == a and equal[b] == b for a, b in found)

    def closed(edges: tuple[tuple[int, int], ...]) -> set[tuple[int, int]]:
        result = set(edges)
        while more := {(a, d) for a, b in result for c, d in result if b == c} - result:
            result |= more
        return result

    firsts = {a for a in range(len(order)) if equal[a] == a}
    assert closed(found) == {(a, b) for a in firsts for b in firsts if a != b and order[a] >> b & 1}
    assert all(pair not in closed(tuple(p for p in found if p != pair)) for pair in found)


def test_examples_of_one_name_are_kept_apart_in_the_context() -> None:
    state = replace(START, examples=(Example("x", 0b001, 0b010), Example("x", 0b010, 0b001), Example("y", 0b010, 0)))
    assert state.context().objects == ("x", "x (2)")
