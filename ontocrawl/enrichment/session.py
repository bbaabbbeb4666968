"""A session of `enrich review`: the proposals in their order, decisions that are saved at once, undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kg import enrich
from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import classes, reviewing, screen
from ontocrawl.enrichment.classes import Hierarchy
from ontocrawl.enrichment.reviewing import LONGEST_NAME, DecidedMeanwhile, VerdictError, is_name
from ontocrawl.enrichment.wording import FOR_RELATIONS, WORDINGS, Language, Step
from ontocrawl.errors import UsageError
from ontocrawl.topics import reviewed
from ontocrawl.topics.topics import Topic
from ontology.enrichment import Proposal, Verdict
from ontology.enrichment.verdicts import VerdictAction
from ontology.model import Concept
from ontology.printable import one_line

ASKED: dict[Step, str] = {"rename": "ask_rename", "move": "ask_move", "merge": "ask_merge"}
"""What needs a text -> the question for it."""


class Session:
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
        self.space, self.graph, self.topic, self.who, self.now = space, graph, topic, who, now
        self.language: Language = language
        self.wording = WORDINGS[language]
        self.total = len(suggestions)
        self.message = ""
        self.is_help = False
        self.verdicts: dict[str, Verdict] = {}
        """Id of each proposal that was decided in this session -> the verdict."""
        self._seen = {
            id_: one.decisions for id_, one in reviewed.record_of(space, topic.name).standing.items()
        }  # fmt: skip
        put_off = reviewing.read(space, topic.name)
        self._later = [s for s in suggestions if s.id in put_off]
        self._open = [s for s in suggestions if s.id not in put_off]
        self._done: list[tuple[Proposal, bool]] = []
        """What undo takes back: each proposal with whether it was decided, and not put off."""
        self._first = 0
        self._hierarchy: Hierarchy | None = None
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
    def hierarchy(self) -> Hierarchy:
        """The classes with all decisions so far."""
        if self._hierarchy is None:
            self._hierarchy = classes.hierarchy_of(self.space, self.topic)
        return self._hierarchy

    def view(self, question: screen.Question | None = None) -> screen.View:
        """Return what the screen shows of the current proposal.

        Args:
            question: what is asked; None for none.
        """
        one = self.current
        if one is None:
            raise ValueError("no proposal is left")
        around = classes.neighbours(self.hierarchy, one)
        path = around.path
        present = around.names if one.kind == "label" else tuple(c.label for c in around.below)
        choices = [label for label, _ in question.choices] if question else []
        return screen.View(
            one, len(self.verdicts) + 1, self.total,
            accepted=sum(v.action != "reject" for v in self.verdicts.values()),
            rejected=sum(v.action == "reject" for v in self.verdicts.values()),
            later=len(self._later), path=path, present=present,
            is_gone=around.is_gone,
            english=self._english({one.term, *path[-1:], *present, *choices}),
            titles=self._titles, first=self._first, message=self.message, language=self.language,
            question=question, is_help=self.is_help,
        )  # fmt: skip

    def _english(self, labels: set[str]) -> dict[str, str]:
        if self.language != "en":
            return {}
        found = {label: self.hierarchy.find(label) for label in labels}
        return {n: c.label_en for n, c in found.items() if c and c.label_en and n == c.label != c.label_en}

    def question(
        self, step: Step, typed: str = "", cursor: int = 0, choices: Sequence[Concept] = ()
    ) -> screen.Question:
        """Return the question for the text that a step needs.

        Args:
            step: "rename", "move" or "merge".
            typed: what is typed so far.
            cursor: number of characters before the cursor.
            choices: the classes that a number chooses.
        """
        term = one_line(self.current.term) if self.current else ""
        listed = tuple((c.label, self.hierarchy.path(c)) for c in choices)
        return screen.Question(self.wording.text(ASKED[step], term), typed, cursor, listed)

    def choices(self, step: Step, typed: str = "") -> tuple[Concept, ...]:
        """Return the classes that a number chooses while a text is typed; none for the name of a class.

        Without a text, or with a number, they are those near the term, then those around the suggested class.
        """
        one = self.current
        return classes.choices(self.hierarchy, one, step, typed) if one is not None else ()

    # ---- what the reviewer does -------------------------------------------------------------------------------------

    def refused(self, step: Step) -> bool:
        """Return whether a step does not go with the current proposal; the message then says so."""
        one = self.current
        if one is not None and one.kind == "relation" and step not in FOR_RELATIONS:
            self.message = self.wording.text("not_for_relations")
            return True
        return False

    def decide(self, action: VerdictAction, value: str = "", choices: Sequence[Concept] = ()) -> bool:
        """Decide about the current proposal, and save the decision.

        Args:
            action: what the reviewer says.
            value: a name; of a class also its number among the choices.
            choices: the classes that are listed.

        Returns:
            Whether it was decided; if not, the message says why.

        Raises:
            OSError: a file cannot be written.
        """
        one = self.current
        if one is None or self.refused(action):
            return False
        text = self._value(one, action, one_line(value), choices)
        if text is None:
            return False
        verdict = Verdict(action, text)
        try:
            made = reviewing.decide(
                self.space, self.topic, one, verdict, who=self.who, when=self.now(), graph=self.graph,
                seen=self._seen_of(one),
            )  # fmt: skip
        except DecidedMeanwhile as error:
            self._leave_out(one, error.standing)
            return False
        except VerdictError as error:
            self.message = error.on_command_line()
            return False
        self._seen[one.id] = tuple(d.id for d in made)
        self._take(one)
        self.verdicts[one.id] = verdict
        self._done.append((one, True))
        self._hierarchy = None
        self._say("decided", one_line(one.term), self.wording.verdict(action, text))
        return True

    def _seen_of(self, one: Proposal) -> reviewing.Seen:
        return {one.id: self._seen.get(one.id, ())}

    def _leave_out(self, one: Proposal, standing: reviewed.Reviewed) -> None:
        """Remove a proposal that somebody else has decided about since it was shown."""
        self._take(one)
        self._hierarchy = None
        said = self.wording.verdict(standing.verdict.action, standing.verdict.value)
        self._say("meanwhile", one_line(one.term), one_line(standing.who), said)

    def _value(self, one: Proposal, action: VerdictAction, text: str, choices: Sequence[Concept]) -> str | None:
        """Return the value of a verdict; None, with a message, for one that is no name or no class."""
        if action in ("accept", "reject"):
            return ""
        if not text:
            self.message = self.wording.text("no_text", one_line(one.term))
            return None
        if action == "rename":
            if is_name(text):
                return text
            self.message = self.wording.text("bad_name", LONGEST_NAME)
            return None
        found = self.hierarchy.find(text)
        if found is None and text.isdecimal() and 1 <= int(text) <= len(choices):
            found = choices[int(text) - 1]
        if found is None:
            near = ", ".join(one_line(c.label) for c in self.hierarchy.nearest(text))
            self.message = self.wording.text("no_class" if near else "no_class_near", text, near)
            return None
        return found.label

    def put_off(self) -> None:
        """Show the current proposal again after the others."""
        one = self.current
        if one is None:
            return
        self._take(one)
        self._later.append(one)
        self._done.append((one, False))
        reviewing.change(self.space, self.topic.name, add=[one.id])
        self._say("put_off", one_line(one.term))
        if not self._open:
            self.message += "; " + self.wording.text("only_later")

    def undo(self) -> None:
        """Take back the last decision of this session, or the last proposal that was put off; it is shown again."""
        if not self._done:
            self.message = self.wording.text("nothing_to_undo")
            return
        one, was_decided = self._done[-1]
        if was_decided:
            try:
                reviewing.undo(
                    self.space, self.topic, one.id, who=self.who, when=self.now(), graph=self.graph,
                    seen=self._seen_of(one),
                )  # fmt: skip
            except (UsageError, DecidedMeanwhile) as error:  # somebody else has withdrawn or replaced it meanwhile
                self.message = error.on_command_line()
                return
            self.verdicts.pop(one.id, None)
            self._hierarchy = None
        self._done.pop()
        self._take(one)
        self._open.insert(0, one)
        self._say("undone", one_line(one.term))

    def more(self, shown: int) -> None:
        """Show the next sentences, after the last ones the first.

        Args:
            shown: number of sentences on the screen.
        """
        one = self.current
        following = self._first + max(1, shown)
        count = len(one.sentences) if one else 0
        self.message = self.wording.text("no_more") if following >= count else ""
        self._first = following if following < count else 0
        self.is_help = False

    def help(self) -> None:
        """Explain the keys in place of the evidence, or show the evidence again."""
        self.is_help, self.message = not self.is_help, ""

    def _say(self, name: str, *inserted: object) -> None:
        self.message = self.wording.text(name, *inserted)
        self.is_help, self._first = False, 0

    def _take(self, one: Proposal) -> None:
        """Remove a proposal from the lists; one that was put off is no longer."""
        was_later = any(s.id == one.id for s in self._later)
        self._open = [s for s in self._open if s.id != one.id]
        self._later = [s for s in self._later if s.id != one.id]
        if was_later:
            reviewing.change(self.space, self.topic.name, remove=[one.id])


def _titles(graph: GraphStore, suggestions: Sequence[Proposal]) -> dict[str, str]:
    """Return URL -> title of the pages of all sentences."""
    return enrich.titles(graph, dict.fromkeys(s.url for one in suggestions for s in one.sentences))
