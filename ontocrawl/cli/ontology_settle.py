"""`ontocrawl ontology settle`: a dialogue of questions, or a table of them for a colleague, and its end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli.arguments import ScreenLanguage, screen_language
from ontocrawl.cli.output import Folder, Json, note, print_json, print_part, quoted, stderr, stdout, tabled, workspace
from ontocrawl.errors import UsageError
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.settling.session import Changes, Session
    from ontocrawl.settling.wording import Wording


def settle(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Output folder of `ontology build`.")],
    terms: Annotated[
        str | None,
        typer.Option(metavar="A,B,C", help="The terms, comma-separated; by default those of the last session."),
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(min=2, help="Choose so many terms: those in most papers below one low class; by default 10."),
    ] = None,
    combinations: Annotated[
        bool, typer.Option("--combinations", help="When the order is settled, ask what holds for things that are both.")
    ] = False,
    questions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the open questions to a table for a colleague (TSV).")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Read the answers from such a table, filled in.")
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Take the last answer back, and stop.")] = False,
    lang: ScreenLanguage = "",
    who: Annotated[
        str, typer.Option(metavar="NAME", help="Your name, for the file of decisions; by default the login name.")
    ] = "",
    space: Folder = None,
    as_json: Json = False,
) -> None:
    """Settle the order of some terms by the fewest questions: is every A a B? Answers become decisions.

    Each answer is saved at once in DIR/settle.json; a later run goes on there. At the end the decisions are added to
    DIR/decisions.tsv, which the next `ontology build` into the folder replays.
    """
    from ontocrawl.base.workspace import now
    from ontocrawl.settling.dialogue import SettleDialogue
    from ontocrawl.settling.document import document
    from ontocrawl.settling.session import Session
    from ontocrawl.settling.wording import Wording
    from ontocrawl.versions.deciding import person

    language = screen_language(lang)
    chosen = _terms(terms, top)
    session = Session(
        workspace(space), folder, terms=chosen, top=top, combinations=combinations, who=person(who), now=now()
    )
    _note_overruled(session)
    wording = Wording(language, session.english)
    try:
        if undo:
            _undo(session, wording)
        if answers is not None:
            _read_table(session, wording, answers)
        if not undo and answers is None and questions is None:
            SettleDialogue(session, wording).run(stderr if as_json else stdout)
    finally:  # what was answered before Ctrl-C, the end of the input or an error is kept
        changes = session.finish(wording)
    if questions is not None:
        _write_table(session, wording, questions)
    if as_json:
        print_json({**document(session), **changes.as_json()})
    else:
        _show(session, wording, changes)


def _note_overruled(session: Session) -> None:
    for line in session.notes:
        note(line)


def _terms(given: str | None, top: int | None) -> list[str] | None:
    """Parse --terms. Raises UsageError if --top is given too."""
    if given is not None and top is not None:
        raise UsageError("cli.terms_names_terms_top")
    return None if given is None else [name.strip() for name in given.replace("，", ",").split(",") if name.strip()]


def _undo(session: Session, wording: Wording) -> None:
    from ontocrawl.terminal.dialogue import TEXTS, in_language

    undone, texts = session.undo(), in_language(TEXTS, wording.language)
    note(texts["nothing_to_undo"] if undone is None else texts["undone"].format(wording.answered(undone)))


def _read_table(session: Session, wording: Wording, path: Path) -> None:
    from ontocrawl.settling import question_table

    read = question_table.read(session, path)
    for answer in read.answers:
        _say(wording, "settling.note_recorded", answer=wording.answered(answer))
    counts = {"answers": len(read.answers), "known": read.settled, "open": read.unanswered}
    _say(wording, "settling.note_read", path=path, **counts)


def _write_table(session: Session, wording: Wording, path: Path) -> None:
    from ontocrawl.settling import question_table

    count = question_table.write(session, wording, path)
    _say(wording, "settling.note_written", path=path, questions=count, option=quoted("--answers", path))


def _say(wording: Wording, code: str, **values: Any) -> None:
    """Print a note in the language of the dialogue."""
    note(Message(code, **values).said(wording.language, on_command_line=True))


def _show(session: Session, wording: Wording, changes: Changes) -> None:
    """Print the order as far as it is settled, the decisions written, and what is left to do."""
    zh = wording.language == "zh"
    stdout.print("")
    covers = session.needed_edges()
    rows = [(wording.term(a), "≡" if kind == "equivalent_to" else "<", wording.term(b)) for kind, a, b in covers]
    if rows:
        columns = ("术语", "", "上位") if zh else ("term", "", "is a")
        print_part(tabled("已确定的次序" if zh else "The order so far", columns, rows))
    open_now = session.open_questions(combinations=False)
    answers = sum(len(answer.about) == 1 for answer in session.record.answers)
    if open_now:
        about = ("、" if zh else ", ").join(wording.term(a) for asked in open_now for a in asked.about)
        _say(wording, "settling.note_open", answers=answers, about=about)
    else:
        _say(wording, "settling.note_settled", terms=len(session.labels), answers=answers)
        _show_combinations(session, wording)
    for term, broader, way in session.still_learned():
        a, b, c = wording.term(term), wording.term(broader), wording.term(way)
        _say(wording, "settling.note_still_learned", term=a, broader=b, way=c)
    _show_changes(session, changes, wording)


def _show_combinations(session: Session, wording: Wording) -> None:
    """Print whether things that are several of the terms are settled too."""
    left = session.open_questions(combinations=True)
    if left and not session.combinations:
        _say(wording, "settling.note_combinations")
    elif left:
        _say(wording, "settling.note_combinations_open", questions=len(left))
    else:
        _say(wording, "settling.note_combinations_settled", implications=len(session.exploration.confirmed))


def _show_changes(session: Session, changes: Changes, wording: Wording) -> None:
    from ontology.decisions import table as decisions

    path = session.folder / decisions.FILE
    if changes.added:
        first, last = changes.added[0].id, changes.added[-1].id
        _say(wording, "settling.note_added", path=path, decisions=len(changes.added), first=first, last=last)
    if changes.withdrawn:
        _say(wording, "settling.note_withdrawn", path=path, gone=", ".join(d.value for d in changes.withdrawn))
    if changes.added or changes.withdrawn:
        of = ("--topic", session.learned.ontology.topic, "--out", session.folder)
        command = quoted("ontocrawl", "ontology", "build", "--corpus", "FILES", *of)
        _say(wording, "settling.note_replayed", command=command)
