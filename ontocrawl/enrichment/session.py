"""A session of `enrich review`: the proposals in their order, decisions that are saved at once, undo."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import get_args

from kg import enrich
from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import classes, reviewing, screen
from ontocrawl.enrichment.classes import DecidedClasses
from ontocrawl.enrichment.reviewing import LONGEST_NAME, DecidedMeanwhile, VerdictError, is_name
from ontocrawl.enrichment.wording import ASKS, FOR_RELATIONS, STEPS, TEXTS, verdict
from ontocrawl.terminal.dialogue import Choice, KeyDialogue, Language, Line, Question
from ontocrawl.topics import reviewed
from ontocrawl.topics.topics import Topic
from ontology.enrichment import Proposal, Verdict
from ontology.enrichment.verdicts import VerdictAction
from ontology.printable import one_line


class Session(KeyDialogue):
    """The review of some proposals.

    Args:
        space: the workspace.
        graph: the open graph.
        topic: the topic.
        suggestions: the proposals, in the order in which they are shown; those put off before come last.
        who: name of the reviewer.
        now: returns the date and time, ISO 8601.
        language: language of the screen.
    """

    steps, asks, texts = STEPS, ASKS, TEXTS

    def __init__(
        self,
        space: Workspace,
        graph: GraphStore,
        topic: Topic,
        suggestions: Sequence[Proposal],
        *,
        who: str,
        now: Callable[[], str],
        language: Language = "en",
    ) -> None:
        super().__init__(language)
        self.space, self.graph, self.topic, self.who, self.now = space, graph, topic, who, now
        self.total = len(suggestions)
        self.verdicts: dict[str, Verdict] = {}
        """Id of each proposal that was decided in this session -> the verdict."""
        self._seen = {
            id_: one.decisions for id_, one in reviewed.record_of(space, topic.name).standing.items()
        }  # fmt: skip
        put_off = reviewing.read(space, topic.name)
        self._later = [s for s in suggestions if s.id in put_off]
        self._open = [s for s in suggestions if s.id not in put_off]
        self._done: list[tuple[Proposal, bool, bool]] = []
        """What undo takes back: each proposal with whether it was decided, and whether it had been put off before."""
        self._hierarchy: DecidedClasses | None = None
        self._titles = _titles(graph, suggestions)

    # ---- what is shown ----------------------------------------------------------------------------------------------

    @property
    def current(self) -> Proposal | None:
        """The proposal that is to be decided; None at the end."""
        return next(iter((*self._open, *self._later)), None)

    @property
    def open(self) -> int:
        """Number of proposals that are not decided."""
        return len(self._open) + len(self._later)

    @property
    def hierarchy(self) -> DecidedClasses:
        """The classes with all decisions so far."""
        if self._hierarchy is None:
            self._hierarchy = classes.classes_of(self.space, self.topic)
        return self._hierarchy

    def _view(self) -> screen.View:
        one = self.current
        if one is None:
            raise ValueError("no proposal is left")
        around = classes.neighbours(self.hierarchy, one)
        path = around.path
        present = around.names if one.kind == "label" else tuple(c.label for c in around.below)
        return screen.View(
            one, len(self.verdicts) + 1, self.total,
            accepted=sum(v.action != "reject" for v in self.verdicts.values()),
            rejected=sum(v.action == "reject" for v in self.verdicts.values()),
            later=len(self._later), path=path, present=present, is_gone=around.is_gone,
            english={label: known for label in (one.term, *path[-1:], *present) if (known := self._english(label))},
            titles=self._titles, language=self.language,
        )  # fmt: skip

    def _english(self, label: str) -> str:
        """Return the English label of a class for an English screen, if it has another one."""
        found = self.hierarchy.find(label) if self.language == "en" else None
        return found.label_en or "" if found and found.label == label != found.label_en else ""

    def head(self, width: int) -> Iterator[Line]:
        """Yield the lines above the evidence."""
        return screen.head(self._view(), width)

    def body(self, width: int, room: int | None, *, colour: bool) -> tuple[Sequence[Line], int]:
        """Return the sentences that fit."""
        return screen.evidence(self._view(), width, room, self.first, colour=colour)

    def question(self, step: str) -> Question:
        """Return the question for the name that a step needs."""
        term = one_line(self.current.term) if self.current else ""
        return Question(self.text(ASKS[step], term), choices=self.choices(step, ""))

    def choices(self, step: str, typed: str) -> Sequence[Choice]:
        """Return the classes that a number chooses while a text is typed; none for the name of a class.

        Without a text, or with a number, they are those near the term, then those around the suggested class.
        """
        one = self.current
        found = classes.choices(self.hierarchy, one, step, typed) if one is not None else ()
        listed = ((c.label, self._english(c.label), self.hierarchy.path(c)) for c in found)
        return tuple(
            Choice(label, one_line(f"{label} ({english})" if english else label), path)
            for label, english, path in listed
        )

    def ending(self) -> str:
        """Return that u takes the last decision back, if there is one."""
        return self.text("finished") if self.verdicts else ""

    # ---- what the reviewer does -------------------------------------------------------------------------------------

    def allowed(self, step: str) -> bool:
        """Return whether a step goes with the current proposal."""
        return self.current is None or self.current.kind != "relation" or step in FOR_RELATIONS

    def refuse(self, step: str) -> None:
        """Say that a step is not for relations."""
        self.message = self.text("not_for_relations")

    def do(self, step: str, text: str, choices: Sequence[Choice]) -> bool:
        """Decide about the current proposal, or put it off."""
        if step in get_args(VerdictAction):
            return self.decide(step, text, choices)  # type: ignore[arg-type]  # one of the actions
        self.put_off()
        return True

    def decide(self, action: VerdictAction, value: str = "", choices: Sequence[Choice] = ()) -> bool:
        """Decide about the current proposal, and save the decision.

        Args:
            action: what the reviewer says.
            value: a name; of a class also its number among the choices.
            choices: the classes that are listed.

        Returns:
            Whether it is open no more; if it is, the message says why.

        Raises:
            OSError: a file cannot be written.
        """
        one = self.current
        if one is None:
            return False
        text = self._value(one, action, one_line(value), choices)
        if text is None:
            return False
        said = Verdict(action, text)
        try:
            [made] = reviewing.decide_all(
                self.space, self.topic, [(one, said)], who=self.who, when=self.now(), graph=self.graph,
                seen=self._seen_of(one),
            )  # fmt: skip
        except DecidedMeanwhile as error:
            self._leave_out(one, error.standing)
            return True
        except VerdictError as error:
            self.message = self.why_not(error)
            return False
        self._seen[one.id] = tuple(d.id for d in made)
        self._done.append((one, True, self._take(one)))
        self.verdicts[one.id] = said
        self._hierarchy = None
        self.say("decided", one.term, verdict(said, self.language))
        return True

    def _seen_of(self, one: Proposal) -> reviewing.Seen:
        return {one.id: self._seen.get(one.id, ())}

    def _leave_out(self, one: Proposal, standing: reviewed.Reviewed) -> None:
        """Remove a proposal that somebody else has decided about since it was shown."""
        self._take(one)
        self._hierarchy = None
        said = verdict(standing.verdict, self.language)
        self.say("meanwhile", one.term, standing.who, said)

    def _value(self, one: Proposal, action: VerdictAction, text: str, choices: Sequence[Choice]) -> str | None:
        """Return the value of a verdict; None, with a message, for one that is no name or no class."""
        if action in ("accept", "reject"):
            return ""
        if not text:
            self.message = self.text("no_text", one_line(one.term))
            return None
        if action == "rename":
            if is_name(text):
                return text
            self.message = self.text("bad_name", LONGEST_NAME)
            return None
        found = self.hierarchy.find(text)
        if found is None and text.isdecimal() and 1 <= int(text) <= len(choices):
            return choices[int(text) - 1].label
        if found is None:
            near = ", ".join(one_line(c.label) for c in self.hierarchy.nearest(text))
            self.message = self.text("no_class" if near else "no_class_near", text, near)
            return None
        return found.label

    def put_off(self) -> None:
        """Show the current proposal again after the others."""
        one = self.current
        if one is None:
            return
        self._done.append((one, False, self._take(one)))
        self._later.append(one)
        reviewing.change(self.space, self.topic.name, add=[one.id])
        self.say("put_off", one.term)
        if not self._open:
            self.message += "; " + self.text("only_later")

    def take_back(self) -> str | None:
        """Take back the last decision of this session, or the last proposal that was put off; it is shown again."""
        if not self._done:
            return None
        one, was_decided, was_later = self._done[-1]
        if was_decided:
            reviewing.undo_all(
                self.space, self.topic, [one.id], who=self.who, when=self.now(), graph=self.graph,
                seen=self._seen_of(one),
            )  # fmt: skip
            self.verdicts.pop(one.id, None)
            self._hierarchy = None
        self._done.pop()
        self._take(one)
        (self._later if was_later else self._open).insert(0, one)
        if was_later:
            reviewing.change(self.space, self.topic.name, add=[one.id])
        return one.term

    def _take(self, one: Proposal) -> bool:
        """Remove a proposal from the lists; one that was put off is no longer. Return whether it was."""
        was_later = any(s.id == one.id for s in self._later)
        self._open = [s for s in self._open if s.id != one.id]
        self._later = [s for s in self._later if s.id != one.id]
        if was_later:
            reviewing.change(self.space, self.topic.name, remove=[one.id])
        return was_later


def _titles(graph: GraphStore, suggestions: Sequence[Proposal]) -> dict[str, str]:
    """Return URL -> title of the pages of all sentences."""
    return enrich.titles(graph, dict.fromkeys(s.url for one in suggestions for s in one.sentences))
