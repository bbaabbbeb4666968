"""`ontocrawl enrich review`: one key a decision on a terminal, one command a line from a pipe."""

from __future__ import annotations

from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from ontocrawl.cli.arguments import TopicSource, choice
from ontocrawl.cli.output import Folder, Json, Stream, note, print_json, quoted, stderr, stdout, workspace
from ontocrawl.terminal.keys import read_line

if TYPE_CHECKING:
    from ontocrawl.enrichment.session import Session
    from ontocrawl.enrichment.wording import Step

KINDS = ("concept", "label", "relation")
STATUSES = ("proposed", "accepted", "rejected")
Run = Annotated[str, typer.Option("--run", metavar="RUN", help="Only what this run proposes; by default all runs.")]
Kind = Annotated[str, typer.Option("--kind", metavar="concept|label|relation", help="Only proposals of this kind.")]
Status = Annotated[
    str,
    typer.Option("--status", metavar="proposed|accepted|rejected|all", help="Only proposals that are so by now."),
]
Who = Annotated[
    str, typer.Option("--who", metavar="NAME", help="Your name, for the file of decisions; by default the login name.")
]


def review(
    topic_name: TopicSource,
    run: Run = "",
    kind: Kind = "",
    status: Status = "proposed",
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of proposals; the best are shown.")] = 1000,
    who: Who = "",
    lang: Annotated[str, typer.Option(metavar="zh|en", help="Language of the screen.")] = "en",
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Review proposals, each on a screen with its evidence: one key accepts, rejects, renames, moves or merges.

    Each decision is saved at once in the topic's decisions; a later review goes on there. From a pipe, or on a
    terminal without cursor movement, one command is read a line: a, r, n NAME, m CLASS, s CLASS, l, u, e, ?, q.
    Behind the proposals of all runs come the terms that the last build found no place for: m and a number places one.
    """
    from ontocrawl.base.workspace import now
    from ontocrawl.enrichment import proposals, run_pages
    from ontocrawl.enrichment.session import Session
    from ontocrawl.enrichment.wording import LANGUAGES
    from ontocrawl.graph import graph_store
    from ontocrawl.terminal import keys
    from ontocrawl.topics import topics
    from ontocrawl.versions.deciding import person

    language = choice("--lang", lang, LANGUAGES)
    of_kind, of_status = chosen(kind, status)
    space = workspace(folder)
    topic = topics.load(topic_name, space)
    with graph_store.store(space) as graph:
        if run:
            run_pages.require_pages(space, graph, run)
        found = proposals.with_waiting(space, graph, topic.name, status=of_status, run=run, kind=of_kind)[:limit]
        session = Session(space, graph, topic, found, who=person(who), now=now, language=language)
        try:
            if keys.is_screen() and not as_json:
                with keys.screen() as pressed:
                    _Screen(session, pressed).run()
            else:
                _Lines(session, stderr if as_json else stdout).run()
        finally:  # also after Ctrl-C: what was decided is saved
            _show_end(session)
    if as_json:
        print_json(_document(session))


def chosen(kind: str, status: str) -> tuple[str, str]:
    """Return the values of --kind and --status, "" for all. Raises UsageError for others."""
    of_kind = choice("--kind", kind, KINDS) if kind else ""
    of_status = choice("--status", status, (*STATUSES, "all"))
    return of_kind, "" if of_status == "all" else of_status


class _Screen:
    """The review on a terminal: a screen for each proposal, and a key for each step."""

    def __init__(self, session: Session, pressed: Any) -> None:
        self.session, self.keys = session, pressed

    def run(self) -> None:
        """Show proposals and do what keys say, until none is left or the person quits."""
        from ontocrawl.enrichment.wording import step_of

        session = self.session
        while session.current is not None or self._is_taken_back():
            shown = self._draw()
            key = self.keys.next()
            if key == "end_of_input" and not key.is_text:
                return
            if key == "resize" and not key.is_text:
                continue
            step = step_of(key) if key.is_text and not key.is_pasted else None
            if step == "quit":
                return
            if step is None:
                session.message = session.wording.text("unknown_key")
            else:
                self._do(step, shown)

    def _is_taken_back(self) -> bool:
        """Return whether the last decision is taken back at the end."""
        from ontocrawl.enrichment.wording import step_of
        from ontocrawl.terminal import keys

        if not self.session.verdicts:
            return False
        keys.draw(f"{self.session.message}\n\n{self.session.wording.text('finished')}")
        key = self.keys.next()
        if key.is_text and not key.is_pasted and step_of(key) == "undo":
            self.session.undo()
        return self.session.current is not None

    def _do(self, step: Step, shown: int) -> None:
        from ontocrawl.enrichment.session import ASKED

        if step in ASKED:
            if not self.session.refused(step):
                self._ask(step)
        else:
            do(self.session, step, shown=shown)

    def _ask(self, step: Step) -> None:
        """Read a name until it is taken, or the person goes back."""
        from ontocrawl.terminal.keys import Typed

        session = self.session
        typed, session.message, session.is_help = Typed(), session.wording.text("ask_keys"), False
        choices = session.choices(step)
        while True:
            self._draw(session.question(step, typed.text, typed.cursor, choices))
            key = self.keys.next()
            session.message = ""
            if key.is_text:
                typed = typed.inserted(key)
            elif key == "enter":
                if do(session, step, typed.text, choices):
                    return
                continue
            elif key in ("escape", "end_of_input"):
                return
            elif key == "tab" and choices:
                typed = Typed(choices[0].label, len(choices[0].label))
            else:
                typed = typed.key(key)
            if not typed.text.strip().isdecimal():
                choices = session.choices(step, typed.text)

    def _draw(self, question: Any = None) -> int:
        """Draw the screen; return the number of sentences on it."""
        from ontocrawl.enrichment import screen
        from ontocrawl.terminal import keys
        from ontocrawl.terminal.styled_lines import HEIGHT, WIDTH

        columns, lines = get_terminal_size((WIDTH, HEIGHT))
        width, view = max(columns, 40), self.session.view(question)
        text = screen.render(view, width, lines, colour=keys.has_colour())
        keys.draw(text, None if question is None else screen.cursor_cell(question, width))
        return screen.shown_sentences(view, width, lines)


class _Lines:
    """The review of a pipe, or on a terminal without cursor movement: one command a line, printed plainly."""

    def __init__(self, session: Session, out: Stream) -> None:
        self.session, self.out = session, out

    def run(self) -> None:
        """Print proposals and do what lines say, until none is left, the input ends, or the person quits."""
        from ontocrawl.enrichment.session import ASKED
        from ontocrawl.enrichment.wording import KEYS, step_of

        session = self.session
        before: tuple[str, bool] | None = None
        while (one := session.current) is not None or self._is_taken_back():
            if one is None:
                before = None
                continue
            if before != (one.id, session.is_help):
                self._show()
                before = one.id, session.is_help
            elif session.message:
                self.out.print(session.message, soft_wrap=True)
            session.message = ""
            line = read_line("> ", self.out)
            if line is None:
                return
            word, _, value = line.strip().partition(" ")
            step = step_of(word)
            if step == "quit":
                return
            if step is None:
                if word:
                    session.message = session.wording.text("unknown_command", word, ", ".join(KEYS.values()))
            elif step in ASKED and not session.refused(step):
                self._name(step, value)
            elif step not in ASKED:
                do(session, step, shown=self._shown())
                before = None if step == "more" else before

    def _is_taken_back(self) -> bool:
        """Return whether the last decision is taken back at the end."""
        from ontocrawl.enrichment.wording import step_of

        session = self.session
        if not session.verdicts:
            return False
        self.out.print(f"{session.message}\n{session.wording.text('finished')}", soft_wrap=True)
        if step_of(read_line("> ", self.out) or "") == "undo":
            session.undo()
        return session.current is not None

    def _show(self) -> None:
        from ontocrawl.enrichment import screen
        from ontocrawl.terminal.styled_lines import HEIGHT, WIDTH

        view = self.session.view()
        height = None if view.first == 0 else HEIGHT
        self.out.print(screen.render(view, WIDTH, height), soft_wrap=True)

    def _shown(self) -> int:
        one = self.session.current
        return len(one.sentences) if one else 0

    def _name(self, step: Step, value: str) -> None:
        """Take a verdict with its name, which follows on the next line if the command has none."""
        session = self.session
        choices = session.choices(step, value)
        if not value.strip():
            question = session.question(step, choices=choices)
            self.out.print(question.text, soft_wrap=True)
            for number, (_, path) in enumerate(question.choices, 1):
                self.out.print(f" {number} {' > '.join(path)}", soft_wrap=True)
            value = read_line(">> ", self.out) or ""
        do(session, step, value, choices)


def do(session: Session, step: Step, value: str = "", choices: Any = (), *, shown: int = 1) -> bool:
    """Do a step of a review that is not to quit.

    Args:
        session: the session.
        step: the step.
        value: the name that it needs.
        choices: the classes that a number in ``value`` chooses.
        shown: number of sentences that are shown now.

    Returns:
        Whether a proposal was decided.
    """
    from ontology.enrichment.verdicts import VerdictAction

    if step in get_args(VerdictAction):
        return session.decide(step, value, choices)  # type: ignore[arg-type]  # one of the actions
    if step == "later":
        session.put_off()
    elif step == "undo":
        session.undo()
    elif step == "more":
        session.more(shown)
    elif step == "help":
        session.help()
    return False


def _show_end(session: Session) -> None:
    if not session.total:
        topic = session.topic.name
        note(f"{session.wording.text('nothing')}: {topic}; {quoted('ontocrawl', 'enrich', 'propose', 'RUN')}")
        return
    for id_, verdict in session.verdicts.items():
        note(f"{id_}: {session.wording.verdict(verdict.action, verdict.value)}")
    note(session.wording.text("done", len(session.verdicts), session.open))


def _document(session: Session) -> dict[str, Any]:
    """Return what was decided as JSON values."""
    return {
        "topic": session.topic.name,
        "decided": [{"id": id_, "verdict": v.action, "value": v.value} for id_, v in session.verdicts.items()],
        "open": session.open,
    }
