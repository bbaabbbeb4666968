"""A session of `ontology settle`: questions, answers that are saved at once, and the decisions that come of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from operator import itemgetter
from pathlib import Path

from ontocrawl.base.workspace import Workspace, alone
from ontocrawl.settling import state as states
from ontocrawl.settling.replies import Reply
from ontocrawl.settling.state import Answer, AnsweredMeanwhile, Record, SettleError
from ontocrawl.settling.terms import Learned, load, most_uncertain, named
from ontocrawl.settling.wording import Wording
from ontocrawl.versions import deciding
from ontology.context import bits_of
from ontology.decisions import Decision, in_force, table
from ontology.decisions.facts import Facts
from ontology.lattice import Example, Exploration, ExplorationError, Question
from ontology.lattice.exploration import covers
from ontology.model import Concept, RelationKind
from ontology.reachable import reachable
from ontology.terms.wordforms import fold

_NONE_OF_THEM = "something that is none of them"
"""The example that every exploration begins with, so that no question is about everything."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is put to a person.

    Attributes:
        question: the question of the exploration.
        about: labels of the premise.
        choices: labels of the conclusion, those that the ontology says first.
        suggested: those of ``choices`` that the ontology says.
        may_be_none: whether nothing is known that has the whole premise.
    """

    question: Question
    about: tuple[str, ...]
    choices: tuple[str, ...]
    suggested: tuple[str, ...]
    may_be_none: bool


@dataclass(frozen=True)
class Changes:
    """The decisions that were added and withdrawn at the end of a session."""

    added: tuple[Decision, ...]
    withdrawn: tuple[Decision, ...]

    def as_json(self) -> dict[str, list[str]]:
        """Return the ids of the decisions as JSON values."""
        return {"added": [d.id for d in self.added], "withdrawn": [d.value for d in self.withdrawn]}


class Session:
    """The questions about some terms of a folder, and their answers.

    Args:
        space: the workspace, whose decisions about the topic hold too.
        folder: output folder of `ontology build`.
        terms: names of the terms; None for those of the last session, or else the ``top`` most uncertain ones.
        top: number of terms to choose; None for those of the last session, or else 10.
        combinations: whether to ask about things that are several of the terms too.
        who: name of the person.
        now: date and time of the answers, ISO 8601.
        writes: whether decisions that a person added to the file by hand get ids in it; not where one only looks.

    Raises:
        UsageError: no such folder, unknown terms.
        SettleError: a damaged file of answers, or decisions that contradict each other.
        DecisionError: a damaged file of decisions.
    """

    def __init__(
        self, space: Workspace, folder: Path, *, terms: Sequence[str] | None = None, top: int | None = None,
        combinations: bool = False, who: str = "", now: str = "", writes: bool = True,
    ) -> None:  # fmt: skip
        self.space, self.folder, self.combinations, self.who, self.now = space, folder, combinations, who, now
        self.learned = load(folder)
        self.state = states.load(folder / states.FILE)
        self.labels = self._labels(terms, top)
        self._take_up(record=writes)

    def _take_up(self, *, record: bool = True) -> None:
        """Begin with the answers that were saved, and the decisions in force."""
        topic = self.learned.ontology.topic
        self.record = self.state.about(self.learned.ontology.iri, self.labels)
        self.decisions = in_force(
            deciding.decisions(
                self.space, deciding.Place(topic, self.folder, self.folder), self.who, self.now, record=record
            )
        )
        self.record = _without_withdrawn(self.record, self.decisions)
        self.history: list[Answer] = [*self.record.answers]
        self.notes: list[str] = []
        self.exploration = self._replayed()

    def _labels(self, terms: Sequence[str] | None, top: int | None) -> tuple[str, ...]:
        """Return the labels of the chosen terms, narrower ones first; an IRI where two classes have the same label."""
        if terms is not None:
            saved = next((r.terms for r in self.state.records if set(r.terms) == set(terms)), None)
            if saved is not None and not set(saved) <= self.learned.by_name.keys():
                return saved  # the ontology has lost one of them since; their answers can be read and taken back
            chosen = named(self.learned, terms)
        elif top is None and self.state.records:
            return self.state.records[-1].terms
        else:
            chosen = most_uncertain(self.learned, 10 if top is None else top)
        return tuple(c.label if self.learned.by_name[c.label].iri == c.iri else c.iri for c in chosen)

    @property
    def english(self) -> Mapping[str, str]:
        """Label of a term -> its English label."""
        concepts = {label: self.learned.by_name.get(label) for label in self.labels}
        return {label: c.label_en for label, c in concepts.items() if c is not None and c.label_en}

    @property
    def names(self) -> Mapping[str, str]:
        """Label or another name, as it is and folded -> label of each chosen term."""
        found: dict[str, str] = {}
        for label in self.labels:
            concept = self.learned.by_name.get(label)
            for form in (*(form for _, form in concept.forms()),) if concept is not None else ():
                found.setdefault(form, label)
                found.setdefault(fold(form), label)
        return found | {label: label for label in self.labels}

    def _start(self) -> Exploration:
        """Return what is known before the answers."""
        own = {written.id for written in self.record.decisions}
        others = [d for d in self.decisions if d.id not in own]
        known, examples = _background(others, self.labels, self.learned.by_name)
        every = (1 << len(self.labels)) - 1
        try:
            return Exploration(self.labels, known, examples=(Example(_NONE_OF_THEM, 0, every), *examples))
        except ExplorationError as error:
            raise SettleError("settling.settle_contradict", folder=self.folder / table.FILE, error=error) from error

    def _replayed(self) -> Exploration:
        """Return what is known after the answers so far; answers that later decisions overrule become notes."""
        known, self.history, overruled = _replayed_answers(self._start(), self.history)
        told = [(Wording("en", {}).answered(answer), why) for answer, why in overruled]
        self.notes += [f"the answer {text!r} is overruled by a later decision: {why}" for text, why in told]
        return known

    def question(self) -> Asked | None:
        """Return the question to ask next; None if none is open but those put off."""
        question = self.exploration.next_question(combinations=self.combinations)
        return None if question is None else self._asked(question)

    def open_questions(self, *, combinations: bool | None = None) -> list[Asked]:
        """List the open questions that do not depend on each other, those put off included."""
        also = self.combinations if combinations is None else combinations
        return [self._asked(q) for q in self.exploration.open_questions(combinations=also)]

    def _asked(self, question: Question) -> Asked:
        about = self.exploration.names(question.generator)
        learned = self._learned_above(about) if len(about) == 1 else set()
        choices = self.exploration.names(question.conclusion)
        suggested = tuple(label for label in choices if label in learned)
        ordered = (*suggested, *(label for label in choices if label not in learned))
        full = question.premise | question.conclusion == self.exploration.everything
        return Asked(question, about, ordered, suggested, full)

    def _learned_above(self, about: Sequence[str]) -> set[str]:
        """Return the chosen terms that the ontology has above one of some terms."""
        iris = {c.iri for label in about if (c := self.learned.by_name.get(label)) is not None}
        above = {iri for start in iris for iri in self.learned.above(start)}
        return {label for label in self.labels if (c := self.learned.by_name.get(label)) is not None and c.iri in above}

    def answer(self, asked: Asked, reply: Reply) -> Answer:
        """Record the reply to a question, and save it.

        Args:
            asked: the question.
            reply: a reply of kind "answer" or "nothing".

        Returns:
            The answer.

        Raises:
            ExplorationError: it contradicts what is known, or "nothing" is said of something that is known.
            AnsweredMeanwhile: another session has answered the question, or a part of it, or one that it follows from.
            OSError: the file cannot be written.
        """
        with self._alone():
            present = self.question_about(asked.about)
            if set(present.choices) != set(asked.choices):
                raise self._meanwhile()
            if reply.kind == "nothing":
                return self._nothing(present, reply)
            return self._recorded(asked.about, asked.choices, reply)

    def _nothing(self, asked: Asked, reply: Reply) -> Answer:
        if not asked.may_be_none or len(asked.about) < 2:
            raise ExplorationError("settling.settle_something", about=" + ".join(asked.about))
        return self._recorded(asked.about, asked.choices, reply)

    def question_about(self, about: Sequence[str]) -> Asked:
        """Return the question about some of the terms as it is now; its choices are empty if it is answered.

        Raises:
            ExplorationError: one is none of the terms.
        """
        return self._asked(self.exploration.question_about(self.exploration.bits(about)))

    def answer_part(self, about: Sequence[str], choices: Sequence[str], reply: Reply) -> Answer | None:
        """Record the reply to a question of an earlier time, of which a part may be settled by now.

        Args:
            about: labels of the premise.
            choices: labels of the conclusion as it was asked.
            reply: a reply of kind "answer" or "nothing".

        Returns:
            The answer about the choices that were open; None if none was and the reply agrees with what is known.

        Raises:
            ExplorationError: unknown terms, or as for `answer`.
            OSError: the file cannot be written.
        """
        with self._alone():
            return self._recorded_part(about, choices, reply)

    def _recorded_part(self, about: Sequence[str], choices: Sequence[str], reply: Reply) -> Answer | None:
        bits = self.exploration.bits(choices)
        question = self.exploration.question_about(self.exploration.bits(about))
        open_choices = question.conclusion & bits
        if reply.kind == "nothing":
            return self._nothing(self._asked(question), reply) if question.conclusion else None
        if false := self.exploration.bits(reply.holds) & ~question.premise & ~question.conclusion:
            raise ExplorationError("settling.settle_not_everything", names=", ".join(self.exploration.names(false)))
        refused = bits & ~self.exploration.bits(reply.holds)
        if true := refused & question.premise:
            raise ExplorationError("settling.settle_everything", names=", ".join(self.exploration.names(true)))
        if not open_choices:
            return None
        names = self.exploration.names(open_choices)
        holds = tuple(label for label in names if label in reply.holds)
        example = reply.example if len(holds) < len(names) else None
        return self._recorded(tuple(about), names, replace(reply, holds=holds, example=example))

    def _recorded(self, about: tuple[str, ...], choices: tuple[str, ...], reply: Reply) -> Answer:
        answer = Answer(about, choices, reply.holds, reply.kind == "nothing", reply.example, self.who, self.now)
        self.exploration = _after(self.exploration, answer)
        self.history.append(answer)
        self._save()
        return answer

    def postpone(self, asked: Asked) -> None:
        """Put a question off for this session."""
        self.exploration = self.exploration.postpone(asked.question)

    @property
    def revision(self) -> str:
        """A text that is another one after each answer, and after one that was taken back."""
        return blake2b(repr(self.history).encode(), digest_size=8).hexdigest()

    def undo(self, seen: str = "") -> Answer | None:
        """Take the last answer back, and save that.

        Args:
            seen: the `revision` that the person saw; empty for that of this session.

        Returns:
            The answer; None where there is none. Questions put off are asked again.

        Raises:
            AnsweredMeanwhile: another session has answered, or taken an answer back, since then.
            OSError: the file cannot be written.
        """
        expected = seen or self.revision
        with self._alone():
            if self.revision != expected:
                raise self._meanwhile()
            undone = self.history.pop() if self.history else None
            self.exploration = self._replayed()
            self._save()
        return undone

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other sessions of the folder waiting, and take up first what they have saved."""
        path = self.folder / states.FILE
        with alone(path):
            state = states.load(path)
            if state != self.state:
                self.state, postponed = state, self.exploration.postponed
                self._take_up()
                self.exploration = replace(self.exploration, postponed=postponed)
            yield

    def _meanwhile(self) -> AnsweredMeanwhile:
        return AnsweredMeanwhile(self.history[-1].who if self.history else "")

    def _save(self) -> None:
        self.record = replace(self.record, answers=tuple(self.history))
        self.state = self.state.with_record(self.record)
        states.save(self.folder / states.FILE, self.state)

    def finish(self, wording: Wording) -> Changes:
        """Write the decisions that follow from the answers, and withdraw those that no longer do.

        Args:
            wording: the language of the reasons.

        Returns:
            What was added and withdrawn.

        Raises:
            OSError: a file cannot be written.
        """
        if not any(self.due(wording)):
            return Changes((), ())
        with self._alone():
            new, gone = self.due(wording)
            withdrawals = [Decision("withdraw", "", w.id, who=self.who, when=self.now) for w in gone]
            if not new and not withdrawals:
                return Changes((), ())
            written = deciding.add(self.folder / table.FILE, (*new, *withdrawals))
            added = written[: len(new)]
            kept = tuple(w for w in self.record.decisions if w not in gone)
            self.record = replace(self.record, decisions=(*kept, *added))
            self._save()
        return Changes(added, written[len(new) :])

    def due(self, wording: Wording) -> tuple[list[Decision], list[Decision]]:
        """Return the decisions that `finish` would add, without ids, and those that it would withdraw.

        Args:
            wording: the language of the reasons.
        """
        wanted = {d.statement: d for d in self._verdicts(wording)}
        known = {w.statement for w in self.record.decisions}
        new = [replace(d, who=self.who, when=self.now) for key, d in wanted.items() if key not in known]
        return new, [w for w in self.record.decisions if w.statement not in wanted]

    def _verdicts(self, wording: Wording) -> Iterator[Decision]:
        return _verdicts_of_answers(self._start(), self.exploration, self.history, self.learned, wording)

    def still_learned(self) -> list[tuple[str, str, str]]:
        """List what is refuted, but said by the ontology by way of other classes: term, broader term, first class."""
        return _still_learned(self.exploration, self.learned)

    def needed_edges(self) -> list[tuple[RelationKind, str, str]]:
        """Return relation, narrower and broader term of the edges from which the order follows, so far."""
        edges = _needed_edges(self.exploration, self.learned.documents)
        return [(relation, self.labels[a], self.labels[b]) for relation, a, b in edges]


# ---- what is settled before the first question: decisions about edges, as implications and examples


def _background(
    decisions: Iterable[Decision], chosen: Sequence[str], names: Mapping[str, Concept]
) -> tuple[tuple[tuple[int, int], ...], tuple[Example, ...]]:
    """Translate decisions into knowledge of an exploration.

    Accepted edges lead from term to term by any number of steps, also through classes that are not chosen. If s is no
    t, then no class above s is a class below t: this gives an example, which has a chosen class above s and lacks a
    chosen one below t. What decisions say directly comes first.

    Args:
        decisions: the decisions in their order; those for one local ontology, and withdrawn ones, are not used.
        chosen: labels of the chosen terms.
        names: class by label, other name or IRI.

    Returns:
        Implications and examples with the chosen terms as attributes.

    >>> decisions = [Decision("accept", "山洪", "洪水", id="d1"), Decision("reject", "山洪", "台风", id="d2")]
    >>> known, examples = _background(decisions, ["山洪", "洪水", "台风"], {})
    >>> known, [(example.has, example.lacks) for example in examples]
    (((1, 2),), [(1, 4), (2, 4)])
    """

    def key(name: str) -> str:
        return names[name].iri if name in names else name

    edges = Facts.of(decisions, key, local="").edges
    direct: dict[str, list[str]] = {}
    for (kind, narrow, broad), verdict in edges.items():
        if verdict.holds and kind in ("subclass_of", "equivalent_to"):
            direct.setdefault(narrow, []).append(broad)
        if verdict.holds and kind == "equivalent_to":
            direct.setdefault(broad, []).append(narrow)

    def above(iri: str) -> set[str]:
        return reachable(iri, lambda node: direct.get(node, ()))

    keys = [key(label) for label in chosen]
    up = [above(k) for k in keys]
    known = [
        (1 << a, bits) for a, higher in enumerate(up)
        if (bits := sum(1 << b for b, k in enumerate(keys) if b != a and k in higher))
    ]  # fmt: skip
    examples = [
        (keys[a] != narrow or keys[b] != broad, Example(_name(v.decision), 1 << a, 1 << b))
        for (kind, narrow, broad), v in edges.items() if kind == "subclass_of" and not v.holds
        for a, k in enumerate(keys) if k in above(narrow)
        for b in range(len(keys)) if broad in up[b]
    ]  # fmt: skip
    return tuple(known), tuple(example for _, example in sorted(examples, key=itemgetter(0)))


def _name(decision: Decision) -> str:
    return f"{decision.id}: {decision.term}, not {decision.old or decision.value}"


# ---- answers taken up again: what is known after them, and what is left of them where decisions say otherwise


def _replayed_answers(
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
            known = _after(known, answer)
            kept.append(answer)
        except ExplorationError as error:
            overruled.append((answer, str(error)))
            with suppress(ExplorationError):
                rest = _without_refuted(known, answer)
                known = _after(known, rest)
                kept.append(rest)
    return known, kept, overruled


def _after(before: Exploration, answer: Answer) -> Exploration:
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


def _without_withdrawn(record: Record, decisions: Sequence[Decision]) -> Record:
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


def _without(answer: Answer, written: Decision) -> Answer:
    if answer.about != (written.term,):
        return answer
    asked, holds = (tuple(t for t in labels if t != written.value) for labels in (answer.asked, answer.holds))
    return replace(answer, asked=asked, holds=holds, example=answer.example if len(asked) > len(holds) else None)


# ---- the decisions that follow from answers: the edges that are needed, and those that were refused


def _verdicts_of_answers(
    before: Exploration,
    after: Exploration,
    answers: Sequence[Answer],
    learned: Learned,
    wording: Wording,
) -> Iterator[Decision]:
    """Yield the decisions that answers stand for.

    An edge of the transitive reduction of the settled order is accepted, unless decisions of others imply it, or the
    ontology says it by way of classes that were not asked about; terms of which each is the other are accepted as
    equivalent. A term that was refused is rejected, unless decisions of
    others refuse it. So is each edge of the learned ontology that the answers refute indirectly. Answers about things
    that are several of the terms are no decisions about edges.

    Args:
        before: what was known before the answers.
        after: what is known after them.
        answers: the answers.
        learned: the learned ontology.
        wording: the language of the reasons.

    Yields:
        Decisions without id, person and date.
    """
    labels = after.attributes
    for relation, a, b in _needed_edges(after, learned.documents):
        implied = before.close(1 << a) >> b & 1 and (relation == "subclass_of" or before.close(1 << b) >> a & 1)
        if not implied and not (relation == "subclass_of" and learned.has_by_way(labels[a], labels[b], labels)):
            why = _reason(answers, wording, labels[a], labels[b])
            yield Decision("accept", labels[a], labels[b], relation=relation, why=why)
    rejected: dict[tuple[int, int], str] = {}
    for answer in answers:
        if len(answer.about) == 1:
            (term,) = answer.about
            for broader in answer.refused:
                pair = labels.index(term), labels.index(broader)
                rejected.setdefault(pair, wording.reason(answer, term, broader))
    for a, b in _learned_pairs(after, learned):
        if after.refuted()[a] >> b & 1:
            rejected.setdefault((a, b), wording.follows())
    known = before.refuted()
    for (a, b), why in rejected.items():
        if not known[a] >> b & 1 and not after.close(1 << a) >> b & 1:
            yield Decision("reject", labels[a], labels[b], why=why)


def _learned_pairs(exploration: Exploration, learned: Learned) -> Iterator[tuple[int, int]]:
    """Yield the edges of a learned ontology between the terms of an exploration, as their numbers."""
    place = {
        c.iri: a for a, label in enumerate(exploration.attributes) if (c := learned.by_name.get(label)) is not None
    }
    for edge in learned.ontology.edges("subclass_of"):
        if edge.source in place and edge.target in place:
            yield place[edge.source], place[edge.target]


def _still_learned(exploration: Exploration, learned: Learned) -> list[tuple[str, str, str]]:
    """List what the answers refute, but the learned ontology says by way of classes that were not asked about.

    Args:
        exploration: what is known.
        learned: the ontology.

    Returns:
        Labels of a term, of one that it is not, and of the first class on the way from one to the other.
    """
    labels, refuted = exploration.attributes, exploration.refuted()
    iris = [c.iri if (c := learned.by_name.get(label)) is not None else label for label in labels]
    place = {iri: a for a, iri in enumerate(iris)}
    found = []
    for a, iri in enumerate(iris):
        for parent in learned.ontology.parents.get(iri, ()):
            if parent not in place:
                above = learned.above(parent)
                found += [
                    (labels[a], labels[b], learned.ontology.by_iri[parent].label)
                    for b in bits_of(refuted[a]) if iris[b] in above
                ]  # fmt: skip
    return found


def _needed_edges(exploration: Exploration, documents: Mapping[str, int]) -> Iterator[tuple[RelationKind, int, int]]:
    """Yield the edges from which the order follows, as far as it is known: the transitive reduction.

    Args:
        exploration: what is known.
        documents: label -> number of papers; of equal terms that in most papers has the edges to others.

    Yields:
        Relation, and the numbers of the narrower and the broader term; then the equal terms.
    """
    labels = exploration.attributes
    rank = sorted(range(len(labels)), key=lambda a: (-documents.get(labels[a], 0), a))
    place = {a: position for position, a in enumerate(rank)}
    order = exploration.order()
    ranked = [sum(1 << place[b] for b in bits_of(order[a])) for a in rank]
    for low, high in covers(ranked):
        yield "subclass_of", rank[low], rank[high]
    for a, up in enumerate(ranked):
        equal = next(b for b in bits_of(up) if ranked[b] >> a & 1)
        if equal != a:
            yield "equivalent_to", rank[a], rank[equal]


def _reason(answers: Sequence[Answer], wording: Wording, term: str, broader: str) -> str:
    """Return why an edge is accepted: the answer that said so, else that it follows."""
    for answer in answers:
        if answer.about == (term,) and broader in answer.holds:
            return wording.reason(answer, term, broader)
    return wording.follows()
