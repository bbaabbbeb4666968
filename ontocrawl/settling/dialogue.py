"""The dialogue of `ontology settle`: a question with its choices and evidence, and a reply in one line."""

from __future__ import annotations

from collections.abc import Iterator

from ontocrawl.settling.replies import parse
from ontocrawl.settling.session import Asked, Session
from ontocrawl.settling.state import AnsweredMeanwhile, SettleError
from ontocrawl.settling.wording import Wording, lines, reasons
from ontocrawl.terminal.dialogue import Dialogue
from ontocrawl.terminal.keys import Prompting
from ontology.errors import OntocrawlError
from ontology.lattice import ExplorationError


class SettleDialogue(Dialogue):
    """The dialogue about some terms of a folder.

    Args:
        session: the session.
        wording: the language.
    """

    def __init__(self, session: Session, wording: Wording) -> None:
        super().__init__(wording.language)
        self.session, self.wording = session, wording
        self.message = wording.opening(session.labels, len(session.record.answers))
        self._asked = session.question()

    @property
    def current(self) -> Asked | None:
        """The question that is asked; None if none is open but those put off."""
        return self._asked

    @property
    def prompt(self) -> str:
        """The replies that the question allows."""
        asked = self._asked
        if asked is None:
            return super().prompt
        keys = self.wording.keys(
            asked.choices, asked.about, marked=bool(asked.suggested), may_be_none=asked.may_be_none
        )
        return f"[{keys}{'；' if self.language == 'zh' else '; '}{self.wording.others()}] > "

    def printed(self) -> str:
        """Return the message, and the question with its choices and what the ontology says about them."""
        return "\n".join((*filter(None, [self.message]), "", *self._question()))

    def _question(self) -> Iterator[str]:
        asked = self._asked
        if asked is None:
            raise ValueError("no question is open")
        left = self.wording.left(len(self.session.open_questions()))
        yield f"{self.wording.question(asked.about, asked.choices)}{left}"
        for number, label in enumerate(asked.choices, 1):
            marked = label in asked.suggested
            if len(asked.choices) > 1:
                yield f"  {'*' if marked else ' '} {number:>2} {self.wording.term(label)}"
            for line in lines(reasons(self.session.learned, asked.about, label, self.wording) if marked else ()):
                yield f"         {line}"
        if asked.suggested:
            yield "  * 本体认为是" if self.language == "zh" else "  * the ontology says so"

    def reply(self, line: str, out: Prompting) -> bool:
        """Record an answer, put the question off, take the last answer back or show the question again."""
        asked = self._asked
        if asked is None:
            raise ValueError("no question is open")
        try:
            reply = parse(line, asked.choices, self.session.names, asked.suggested)
            if reply.kind in ("answer", "nothing"):
                self.message = f"  -> {self.wording.answered(self.session.answer(asked, reply))}"
        except (SettleError, ExplorationError, AnsweredMeanwhile) as error:
            self.message = self.why_not(error)
        else:
            if reply.kind == "undo":
                self.undo()
            elif reply.kind == "later":
                self.session.postpone(asked)
            elif reply.kind == "help":
                self.print_again()
            elif reply.kind == "quit":
                return False
        self._asked = self.session.question()
        return True

    def take_back(self) -> str | None:
        """Take back the last answer."""
        undone = self.session.undo()
        return None if undone is None else self.wording.answered(undone)

    def say(self, name: str, *inserted: str) -> None:
        """Set the message, indented as those about answers are."""
        super().say(name, *inserted)
        self.message = f"  {self.message}"

    def why_not(self, error: OntocrawlError) -> str:
        """Return why a reply was not taken, or that answers have changed meanwhile."""
        if isinstance(error, AnsweredMeanwhile):
            return f"  {self.wording.meanwhile(error.who)}"
        known = isinstance(error, SettleError | ExplorationError)
        return f"  {self.wording.refused(error) if known else super().why_not(error)}"
