"""A session of `ontology settle`: questions, answers that are saved at once, and the decisions that come of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

from ontocrawl.base.workspace import Workspace
from ontocrawl.settling import state as states
from ontocrawl.settling.background import background
from ontocrawl.settling.replaying import after, replayed, without_withdrawn
from ontocrawl.settling.replies import Reply
from ontocrawl.settling.state import Answer, AnsweredMeanwhile, SettleError, Written
from ontocrawl.settling.terms import load, most_uncertain, named
from ontocrawl.settling.verdicts import needed_edges, still_learned, verdicts
from ontocrawl.settling.wording import Wording
from ontocrawl.versions import deciding
from ontology.decisions import Decision, table
from ontology.lattice import Example, Exploration, ExplorationError, Question
from ontology.model import RelationKind

NONE_OF_THEM = "something that is none of them"
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
        self.decisions = deciding.decisions(self.space, topic, self.folder, self.who, self.now, record=record)
        self.record = without_withdrawn(self.record, self.decisions)
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
        """Label or another name, as it is and in lower case -> label of each chosen term."""
        found: dict[str, str] = {}
        for label in self.labels:
            concept = self.learned.by_name.get(label)
            for form in (*(form for _, form in concept.forms()),) if concept is not None else ():
                found.setdefault(form, label)
                found.setdefault(form.casefold(), label)
        return found | {label: label for label in self.labels}

    def _start(self) -> Exploration:
        """Return what is known before the answers."""
        own = {written.id for written in self.record.decisions}
        others = [d for d in self.decisions if d.id not in own]
        known, examples = background(others, self.labels, self.learned.by_name)
        every = (1 << len(self.labels)) - 1
        try:
            return Exploration(self.labels, known, examples=(Example(NONE_OF_THEM, 0, every), *examples))
        except ExplorationError as error:
            raise SettleError(
                f"{self.folder / table.FILE}: decisions contradict each other: ", error, "; withdraw one of them"
            ) from error

    def _replayed(self) -> Exploration:
        """Return what is known after the answers so far; answers that later decisions overrule become notes."""
        known, self.history, overruled = replayed(self._start(), self.history)
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
            raise ExplorationError(f"something is {' + '.join(asked.about)}: choose among the terms, 0 for none")
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
            raise ExplorationError(f"it is known that not everything is so: {', '.join(self.exploration.names(false))}")
        refused = bits & ~self.exploration.bits(reply.holds)
        if true := refused & question.premise:
            raise ExplorationError(f"it is known that everything is so: {', '.join(self.exploration.names(true))}")
        if not open_choices:
            return None
        names = self.exploration.names(open_choices)
        holds = tuple(label for label in names if label in reply.holds)
        example = reply.example if len(holds) < len(names) else None
        return self._recorded(tuple(about), names, replace(reply, holds=holds, example=example))

    def _recorded(self, about: tuple[str, ...], choices: tuple[str, ...], reply: Reply) -> Answer:
        answer = Answer(about, choices, reply.holds, reply.kind == "nothing", reply.example, self.who, self.now)
        self.exploration = after(self.exploration, answer)
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
        with deciding.alone(path):
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
            ours = tuple(Written(d.id, d.action, d.term, d.relation, d.value) for d in added)
            self.record = replace(self.record, decisions=(*kept, *ours))
            self._save()
        return Changes(added, written[len(new) :])

    def due(self, wording: Wording) -> tuple[list[Decision], list[Written]]:
        """Return the decisions that `finish` would add, without ids, and those that it would withdraw.

        Args:
            wording: the language of the reasons.
        """
        wanted = {(d.action, d.term, d.relation, d.value): d for d in self._verdicts(wording)}
        known = {w.key for w in self.record.decisions}
        new = [replace(d, who=self.who, when=self.now) for key, d in wanted.items() if key not in known]
        return new, [w for w in self.record.decisions if w.key not in wanted]

    def _verdicts(self, wording: Wording) -> Iterator[Decision]:
        return verdicts(self._start(), self.exploration, self.history, self.learned, wording)

    def still_learned(self) -> list[tuple[str, str, str]]:
        """List what is refuted, but said by the ontology by way of other classes: term, broader term, first class."""
        return still_learned(self.exploration, self.learned)

    def needed_edges(self) -> list[tuple[RelationKind, str, str]]:
        """Return relation, narrower and broader term of the edges from which the order follows, so far."""
        edges = needed_edges(self.exploration, self.learned.documents)
        return [(relation, self.labels[a], self.labels[b]) for relation, a, b in edges]
