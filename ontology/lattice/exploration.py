"""Attribute exploration: the fewest questions to an expert that settle the implications between some attributes.

Source: Ganter 1984 (Two basic algorithms in concept analysis) and Ganter and Obiedkov 2016 (Conceptual Exploration,
chapter 4). Examples that are known in part: Burmeister and Holzer 2005 (Treating incomplete knowledge in formal concept
analysis); Baader, Ganter, Sattler and Sertkaya 2007 (Completing description logic knowledge bases using formal concept
analysis). Premises by their size, not in lectic order: Kriegel and Borchmann 2015 (NextClosures).

An expert knows a domain; we know implications that hold in it, and examples: things of the domain with attributes that
they have and attributes that they lack, nothing being known of the others. For a set P of attributes let

    K(P) = all attributes that no example with P lacks                (the largest conclusion that is not refuted)

A set that is closed under the implications and differs from K(P) is a question: does P imply K(P)? The expert confirms
it, or gives an example that has P and lacks an attribute of K(P). Where a set is asked only after all smaller ones, the
premises confirmed are the pseudo-intents of the domain: they are its canonical basis (Guigues and Duquenne 1986), and
no complete set of implications is smaller. Each other question yields an example.

The *order* of the attributes (a <= b if each thing with a has b) needs only questions whose premise is one attribute.
These come first; sets of several follow on request.

Not from the source: an example also lacks each attribute from which, with those it has, one that it lacks follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappop, heappush

from ontology.context import ContextError, FormalContext, bits_of
from ontology.lattice.implications import LIMIT, BasisTooLarge, LinClosure

Pair = tuple[int, int]
"""Premise and conclusion, as bitsets of attributes."""


class ExplorationError(ContextError):
    """An answer that contradicts what is known, or that does not answer the question; the message says why."""


@dataclass(frozen=True, slots=True)
class Example:
    """A thing of the domain, known in part: it has the attributes ``has`` and lacks the attributes ``lacks``."""

    name: str
    has: int
    lacks: int


@dataclass(frozen=True, slots=True)
class Question:
    """Does each thing with ``premise`` have all of ``conclusion``?

    Attributes:
        premise: a closed set of attributes.
        generator: attributes from which the others of the premise follow; a question names these only.
        conclusion: attributes beyond the premise that no example refutes.
    """

    premise: int
    generator: int
    conclusion: int


@dataclass(frozen=True)
class Exploration:
    """What is known in an exploration. Immutable: each answer makes a new one.

    Args:
        attributes: distinct names; of questions with premises of one size those about earlier attributes come first.
        known: implications that were known before.
        confirmed: implications that were confirmed, in the order of the answers, the conclusion without the premise.
        examples: examples that were known before or given as answers.
        postponed: generators of the premises of questions that were put off.

    Raises:
        ExplorationError: no attribute, duplicates, or an example that the implications contradict.

    >>> start = Exploration(("flash flood", "flood", "typhoon"), examples=(Example("teapot", 0, 0b111),))
    >>> question = start.next_question()
    >>> start.names(question.premise), start.names(question.conclusion)
    (('flash flood',), ('flood', 'typhoon'))
    >>> after = start.settle(question, 0b010)
    >>> after.named_implications(), after.examples[-1].name
    ([(('flash flood',), ('flood',))], 'flash flood, not typhoon')
    """

    attributes: tuple[str, ...]
    known: tuple[Pair, ...] = ()
    confirmed: tuple[Pair, ...] = ()
    examples: tuple[Example, ...] = ()
    postponed: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        if not self.attributes or len(set(self.attributes)) != len(self.attributes):
            raise ExplorationError("lattice.exploration_distinct", attributes=list(self.attributes))
        object.__setattr__(self, "examples", tuple(self._completed(example) for example in self.examples))

    @classmethod
    def of(cls, context: FormalContext) -> Exploration:
        """Begin with the objects of a formal context, each known in full."""
        every = (1 << len(context.attributes)) - 1
        rows = zip(context.objects, context.rows, strict=True)
        return cls(context.attributes, examples=tuple(Example(name, row, every & ~row) for name, row in rows))

    @property
    def everything(self) -> int:
        """All attributes."""
        return (1 << len(self.attributes)) - 1

    def names(self, attribute_bits: int) -> tuple[str, ...]:
        """Return the names of a bitset of attributes."""
        return tuple(self.attributes[j] for j in bits_of(attribute_bits))

    def bits(self, names: Iterable[str]) -> int:
        """Return the bitset of named attributes. Raises ExplorationError for an unknown name."""
        result = 0
        for name in names:
            if name not in self.attributes:
                raise ExplorationError("lattice.exploration_none", name=name, attributes=", ".join(self.attributes))
            result |= 1 << self.attributes.index(name)
        return result

    def close(self, attribute_bits: int) -> int:
        """Return the closure of a set under the implications that were known or confirmed."""
        return self._linear.close(attribute_bits)

    @cached_property
    def _linear(self) -> LinClosure:
        return LinClosure((*self.known, *self.confirmed))

    def unrefuted(self, premise: int) -> int:
        """Return K(P): all attributes that no example with the premise lacks."""
        result = self.everything
        for example in self.examples:
            if not premise & ~example.has:
                result &= ~example.lacks
        return result

    def next_question(self, *, combinations: bool = False) -> Question | None:
        """Return the question to ask next; None if none is open but those put off.

        Args:
            combinations: whether to ask about premises of several attributes too, when the order is settled.

        Returns:
            The first of `open_questions` that was not put off.
        """
        questions = self.open_questions(combinations=combinations)
        return next((q for q in questions if q.generator not in self.postponed), None)

    def open_questions(self, *, combinations: bool = False) -> list[Question]:
        """List the open questions that do not depend on each other, those put off included.

        Args:
            combinations: whether to ask about premises of several attributes too, when the order is settled.

        Returns:
            The questions about single attributes; if all of these are answered, those of the next size; for those put
            off, also the first of a larger size that no answer to them decides.

        Raises:
            BasisTooLarge: too many closed sets.
        """
        single = list(self._open(self._closures_of_one()))
        if not combinations or any(q.generator not in self.postponed for q in single):
            return single
        found: list[Question] = []
        size = len(self.attributes)
        for question in self._open(self._closed_sets()):
            if question.premise.bit_count() > size:
                break
            found.append(question)
            if question.generator not in self.postponed:
                size = question.premise.bit_count()
        return found

    def question_about(self, generator: int) -> Question:
        """Return the question about a set of attributes; its conclusion is empty if it is answered."""
        premise = self.close(generator)
        return Question(premise, generator, self.unrefuted(premise) & ~premise)

    def _open(self, closed_sets: Iterable[int]) -> Iterator[Question]:
        """Yield the questions about closed sets, listed by size, that no answer to a smaller one can decide.

        A smaller premise that is open and inside a set decides about it, unless its whole conclusion is inside too.
        """
        waiting: list[Pair] = []
        for P in closed_sets:
            K = self.unrefuted(P)
            if K == P:
                continue
            if not any(not Q & ~P and L & ~P for Q, L in waiting):
                yield Question(P, self._generator(P), K & ~P)
            waiting.append((P, K))

    def _closures_of_one(self) -> list[int]:
        singles = dict.fromkeys(self.close(1 << a) for a in range(len(self.attributes)))
        return sorted((self.close(0), *singles), key=int.bit_count)

    def _closed_sets(self) -> Iterator[int]:
        """Yield the sets closed under the implications by size, those with early attributes first."""
        first = self.close(0)
        heap = [(first.bit_count(), tuple(bits_of(first)), first)]
        seen = {first}
        while heap:
            _, _, P = heappop(heap)
            yield P
            for m in bits_of(self.everything & ~P):
                larger = self.close(P | 1 << m)
                if larger not in seen:
                    seen.add(larger)
                    heappush(heap, (larger.bit_count(), tuple(bits_of(larger)), larger))
            if len(seen) > LIMIT:
                raise BasisTooLarge(len(seen), len(self.confirmed), LIMIT)

    def _generator(self, premise: int) -> int:
        """Return a minimal set of attributes whose closure is the premise; broad attributes are left out first."""
        result = premise
        for m in sorted(bits_of(premise), key=lambda m: self.close(1 << m).bit_count()):
            if self.close(result & ~(1 << m)) == premise:
                result &= ~(1 << m)
        return result

    def confirm(self, question: Question) -> Exploration:
        """Record that each thing with the premise has the whole conclusion.

        Raises:
            ExplorationError: it contradicts an example.
        """
        return self._implied(question, question.conclusion)

    def refute(self, question: Question, name: str, lacks: int, also: int = 0) -> Exploration:
        """Record an example that has the premise and lacks a part of the conclusion.

        Args:
            question: the question.
            name: the name of the example.
            lacks: attributes that it lacks.
            also: attributes that it has beyond the premise.

        Returns:
            What is known then.

        Raises:
            ExplorationError: the example lacks nothing of the conclusion, or an implication contradicts it.
        """
        example = self._completed(Example(name, question.premise | also, lacks))
        if not example.lacks & question.conclusion:
            raise ExplorationError(
                "lattice.exploration_counterexample",
                name=name,
                generator=self._list(question.generator),
                conclusion=self._list(question.conclusion),
            )
        return replace(self, examples=(*self.examples, example), postponed=self.postponed - {question.generator})

    def settle(self, question: Question, holds: int, example: Example | None = None) -> Exploration:
        """Record which attributes of the conclusion each thing with the premise has; the others, some thing lacks.

        It is `confirm` for the whole conclusion. Otherwise each attribute left is refuted by an example of its own, of
        which only this is known, or by one that the expert describes; then the rest is confirmed.

        Args:
            question: the question; its conclusion may be a part of what is open.
            holds: attributes of the conclusion; what follows from them is added.
            example: a thing with the premise that lacks the attributes left, except for those it is said to have.

        Returns:
            What is known then.

        Raises:
            ExplorationError: it contradicts an example or an implication.
        """
        implied = self.close(question.premise | holds)
        possible = self.unrefuted(question.premise)
        if implied & ~possible:
            raise ExplorationError(
                "lattice.exploration_imply",
                holds=self._list(holds),
                implied=self._list(implied & ~possible),
                witness=self._witness(question.premise, implied & ~possible),
            )
        left = question.conclusion & ~implied
        after = self
        if example is not None:
            after = after.refute(question, example.name, left & ~example.has | example.lacks, implied | example.has)
            left &= example.has
        for m in bits_of(left):
            name = f"{self._list(question.generator)}, not {self.attributes[m]}"
            after = after.refute(question, name, 1 << m)
        return after._implied(question, implied & ~question.premise)

    def postpone(self, question: Question) -> Exploration:
        """Put a question off: it is asked no more until `resumed`."""
        return replace(self, postponed=self.postponed | {question.generator})

    def resumed(self) -> Exploration:
        """Return the exploration with no question put off."""
        return replace(self, postponed=frozenset())

    def _implied(self, question: Question, conclusion: int) -> Exploration:
        confirmed = (*self.confirmed, (question.premise, conclusion)) if conclusion else self.confirmed
        return replace(self, confirmed=confirmed, postponed=self.postponed - {question.generator})

    def _completed(self, example: Example) -> Example:
        """Add to an example what follows from the implications; raise ExplorationError if they contradict it."""
        has = self.close(example.has)
        if has & example.lacks:
            raise ExplorationError(
                "lattice.exploration_cannot_lack",
                example=example.name,
                lacking=self._list(has & example.lacks),
                known=self._list(example.has),
            )
        rest = self.everything & ~has & ~example.lacks
        lacks = example.lacks | sum(1 << m for m in bits_of(rest) if self.close(has | 1 << m) & example.lacks)
        return Example(example.name, has, lacks)

    def _witness(self, premise: int, lacks: int) -> str:
        names = (e.name for e in self.examples if not premise & ~e.has and lacks & e.lacks)
        return repr(next(names, ""))

    def _list(self, attribute_bits: int) -> str:
        return " + ".join(self.names(attribute_bits)) or "anything"

    def named_implications(self) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Return premise and conclusion of the confirmed implications by attribute names."""
        return [(self.names(premise), self.names(conclusion)) for premise, conclusion in self.confirmed]

    def order(self) -> tuple[int, ...]:
        """Return for each attribute the set of attributes that follow from it, itself included."""
        return tuple(self.close(1 << a) for a in range(len(self.attributes)))

    def refuted(self) -> tuple[int, ...]:
        """Return for each attribute those that do not follow from it, as an example shows."""
        return tuple(self.everything & ~self.unrefuted(row) for row in self.order())

    def context(self) -> FormalContext:
        """Return the formal context of the examples, each with the attributes that it is known to have.

        When no question about combinations is open, its implications are those of the domain.

        Raises:
            ContextError: no example has an attribute.
        """
        rows: dict[int, str] = {}
        for example in self.examples:
            rows.setdefault(example.has, example.name)
        return FormalContext(_distinct(tuple(rows.values())), self.attributes, tuple(rows))


def covers(order: Sequence[int]) -> tuple[Pair, ...]:
    """Return the pairs of the transitive reduction of an order: a, and each b directly above it.

    Args:
        order: for each element the bitset of those above it, itself included (`Exploration.order`). Of elements that
            are above each other only the first one has pairs with others.

    Returns:
        The pairs (a, b), sorted.

    >>> covers((0b111, 0b110, 0b100))
    ((0, 1), (1, 2))
    """
    first = [next(b for b in bits_of(up) if order[b] >> a & 1) for a, up in enumerate(order)]
    strict = {a: [b for b in bits_of(up & ~(1 << a)) if first[b] == b] for a, up in enumerate(order) if first[a] == a}
    return tuple(
        (a, b) for a, above in strict.items() for b in above
        if not any(c != b and order[c] >> b & 1 for c in above)
    )  # fmt: skip


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names made distinct by a number after each that was there before."""
    seen: dict[str, int] = {}
    result = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(result)
