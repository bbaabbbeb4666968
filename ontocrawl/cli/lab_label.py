"""`ontocrawl lab label`: one key a label on a terminal, one command a line from a pipe."""

from __future__ import annotations

from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli.arguments import RunName, choice
from ontocrawl.cli.output import Folder, Json, Stream, note, print_json, quoted, stderr, stdout, workspace
from ontocrawl.terminal.keys import read_line

if TYPE_CHECKING:
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.lab.labelling import Labelling
    from ontocrawl.lab.labelling.screen import Language, Step, View, Wording

By = Annotated[
    str, typer.Option("--by", metavar="NAME", help="Your name, for the file of labels; by default the login name.")
]
Pages = Annotated[
    int | None, typer.Option("--pages", min=2, help="Number of pages to draw, by default 100; for the first session.")
]
Seed = Annotated[int | None, typer.Option("--seed", min=0, help="Seed of the draw, by default 0; the same.")]
Report = Annotated[bool, typer.Option("--report", help="Show the measures of the run by the labels, and agreement.")]
Export = Annotated[
    Path | None,
    typer.Option("--export", dir_okay=False, help="Write the labelled pages to a file for --labels FILE#NAME."),
]


def label(
    run: RunName,
    by: By = "",
    pages: Pages = None,
    seed: Seed = None,
    report: Report = False,
    export: Export = None,
    lang: Annotated[str, typer.Option(metavar="zh|en", help="Language of the screen.")] = "en",
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Label sampled pages of a run by hand, one at a time; --report measures the run and its judge by the labels.

    What the judge said is not shown. Each label is saved at once, and a later session goes on there; a second person
    labels the same pages with another --by. From a pipe, or on a terminal without cursor movement, one command is read
    a line: y, n, ? (cannot tell), each with a note after it; t NOTE, m, u, h, q.
    """
    from ontocrawl.cli import lab_label_report
    from ontocrawl.errors import Option, UsageError
    from ontocrawl.lab.labelling.screen import LANGUAGES

    language = choice("--lang", lang, LANGUAGES)
    space = workspace(folder)
    if not report and export is None:
        _labelled(space, run, by, (pages, seed), language, as_json)
    elif (pages, seed) != (None, None):
        raise UsageError("the sample is drawn before there are labels: give --pages and --seed without ",
                         Option("--report", "report"), " and ", Option("--export", "export"))  # fmt: skip
    elif export is not None:
        lab_label_report.write(space, run, by, export, as_json, report)
    else:
        lab_label_report.show(space, run, by, as_json)


def _labelled(
    space: Workspace, run: str, by: str, drawn: tuple[int | None, int | None], language: Language, as_json: bool
) -> None:
    from ontocrawl.errors import UsageError
    from ontocrawl.lab.labelling import Labelling
    from ontocrawl.lab.labelling.screen import WORDINGS
    from ontocrawl.runs import runs
    from ontocrawl.terminal import keys
    from ontocrawl.topics import topics
    from ontocrawl.versions.deciding import person

    labelling = Labelling(space, run, by=person(by), pages=drawn[0], seed=drawn[1])
    config = runs.config_of(space, run)
    topic = config.topic
    try:
        known = topics.load(config.topic_file or topic, space).file.label
        topic = (known.zh if language == "zh" else known.en) or topic
    except UsageError as error:  # the topic file was moved since the crawl: its name is known
        note(error.on_command_line())
    sitting = _Sitting(labelling, topic, language)
    try:
        if keys.is_screen() and not as_json:
            with keys.screen() as pressed:
                _Screen(sitting, pressed).run()
        else:
            _Lines(sitting, stderr if as_json else stdout).run()
    finally:  # also after Ctrl-C: what was labelled is saved
        note(WORDINGS[language].text("done", len(labelling.labelled), labelling.open))
        if not labelling.open:
            note(quoted("ontocrawl", "lab", "label", run, "--report"))
    if as_json:
        labels = [{"url": url, "label": verdict} for url, verdict in labelling.labelled.items()]
        print_json({"run": run, "by": labelling.by, "labelled": labels, "open": labelling.open})


class _Sitting:
    """What the screen and the lines share: the page, the note, and what a step does."""

    def __init__(self, labelling: Labelling, topic: str, language: Language) -> None:
        from ontocrawl.lab.labelling.screen import WORDINGS

        self.labelling, self.topic, self.language = labelling, topic, language
        self.wording: Wording = WORDINGS[language]
        self.message = self.note = ""
        self.first, self.is_help = 0, False

    def view(self, typed: tuple[str, int] | None = None) -> View:
        """Return what is shown of the current page."""
        from ontocrawl.lab.labelling.screen import View

        title, text = self.labelling.title_and_text()
        page, total = self.labelling.current, self.labelling.total
        return View(
            self.topic, total - self.labelling.open + 1, total, title, page.url if page else "", text, self.first,
            self.message, self.note, self.language, typed, self.is_help,
        )  # fmt: skip

    def do(self, step: Step, width: int, height: int) -> None:
        """Do a step that is neither to write a note nor to quit."""
        from ontocrawl.lab.labelling import screen

        self.message = ""
        if step in ("yes", "no", "unsure"):
            title = self.labelling.title_and_text()[0]
            self.labelling.label(step, self.note)
            self._turn("labelled", title, self.wording.steps[step])
        elif step == "undo":
            url = self.labelling.undo()
            self._turn("nothing_to_undo" if url is None else "undone", url or "")
        elif step == "help":
            self.is_help = not self.is_help
        elif step == "more":
            view = self.view()
            following = self.first + screen.shown_lines(view, width, height)
            self.first = following if screen.has_lines(view, width, following) else 0
            self.is_help = False

    def _turn(self, name: str, *inserted: str) -> None:
        from ontology.printable import one_line

        self.message = self.wording.text(name, *(one_line(text)[:60] for text in inserted))
        self.note, self.first, self.is_help = "", 0, False


class _Screen:
    """Labelling on a terminal: a screen for each page, and a key for each step."""

    def __init__(self, sitting: _Sitting, pressed: Any) -> None:
        self.sitting, self.keys = sitting, pressed

    def run(self) -> None:
        """Show pages and do what keys say, until all are labelled or the person quits."""
        from ontocrawl.lab.labelling.screen import step_of

        sitting = self.sitting
        while sitting.labelling.current is not None or self._is_taken_back():
            size = self._draw()
            key = self.keys.next()
            step = step_of(key) if key.is_text and not key.is_pasted else None
            if step == "quit" or (key == "end_of_input" and not key.is_text):
                return
            if step == "note":
                self._ask_note()
            elif step is not None:
                sitting.do(step, *size)
            elif key != "resize" or key.is_text:
                sitting.message = sitting.wording.text("bad_key")

    def _is_taken_back(self) -> bool:
        from ontocrawl.lab.labelling.screen import step_of
        from ontocrawl.terminal import keys

        sitting = self.sitting
        keys.draw(f"{sitting.message}\n\n{sitting.wording.text('finished')}")
        key = self.keys.next()
        while key == "resize" and not key.is_text:
            key = self.keys.next()
        if key.is_text and not key.is_pasted and step_of(key) == "undo":
            sitting.do("undo", 0, 0)
        return sitting.labelling.current is not None

    def _ask_note(self) -> None:
        from ontocrawl.terminal.keys import Typed

        sitting = self.sitting
        typed, sitting.message = Typed(sitting.note, len(sitting.note)), sitting.wording.text("ask_keys")
        while True:
            self._draw((typed.text, typed.cursor))
            key = self.keys.next()
            if key.is_text:
                typed = typed.inserted(key)
            elif key == "enter":
                sitting.note = typed.text.strip()
                break
            elif key in ("escape", "end_of_input"):
                break
            else:
                typed = typed.key(key)
        sitting.message = ""

    def _draw(self, typed: tuple[str, int] | None = None) -> tuple[int, int]:
        """Draw the screen, and return its size."""
        from ontocrawl.lab.labelling import screen
        from ontocrawl.terminal import keys, styled_lines

        columns, lines = get_terminal_size((styled_lines.WIDTH, styled_lines.HEIGHT))
        width = max(columns, 40)
        text = screen.render(self.sitting.view(typed), width, lines, colour=keys.has_colour())
        keys.draw(text, None if typed is None else styled_lines.cursor_cell(*typed, width))
        return width, lines


class _Lines:
    """Labelling from a pipe, or on a terminal without cursor movement: one command a line, printed plainly."""

    def __init__(self, sitting: _Sitting, out: Stream) -> None:
        self.sitting, self.out = sitting, out

    def run(self) -> None:
        """Print pages and do what lines say, until all are labelled, the input ends, or the person quits."""
        from ontocrawl.lab.labelling.screen import KEYS, step_of
        from ontocrawl.terminal.styled_lines import HEIGHT, WIDTH

        sitting = self.sitting
        before: object = None
        while (page := sitting.labelling.current) is not None or self._is_taken_back():
            if page is None:
                continue
            if before != (shown := (page.url, sitting.first, sitting.is_help)):
                self._show()
                before = shown
            elif sitting.message:
                self.out.print(sitting.message, soft_wrap=True)
            sitting.message = ""
            line = read_line("> ", self.out)
            if line is None:
                return
            word, _, value = line.strip().partition(" ")
            step = step_of(word)
            if step == "quit":
                return
            if step is None:
                sitting.message = sitting.wording.text("bad_command", word, ", ".join(KEYS.values())) if word else ""
            elif step == "note":
                sitting.note = (value or read_line(">> ", self.out) or "").strip()
                sitting.message = sitting.wording.text("note", sitting.note)
            else:
                sitting.note = value.strip() if value.strip() and step in ("yes", "no", "unsure") else sitting.note
                sitting.do(step, WIDTH, HEIGHT)

    def _is_taken_back(self) -> bool:
        from ontocrawl.lab.labelling.screen import step_of

        sitting = self.sitting
        self.out.print(f"{sitting.message}\n{sitting.wording.text('finished')}", soft_wrap=True)
        if step_of(read_line("> ", self.out) or "") == "undo":
            sitting.do("undo", 0, 0)
        return sitting.labelling.current is not None

    def _show(self) -> None:
        from ontocrawl.lab.labelling import screen
        from ontocrawl.terminal.styled_lines import HEIGHT, WIDTH

        self.out.print(screen.render(self.sitting.view(), WIDTH, HEIGHT, filled=False), soft_wrap=True)
