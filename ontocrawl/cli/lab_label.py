"""`ontocrawl lab label`: a dialogue about sampled pages; the measures of a run by the labels, and their export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli.arguments import RunName, ScreenLanguage, screen_language
from ontocrawl.cli.output import Folder, Json, note, print_json, print_part, quoted, stderr, stdout, tabled, workspace
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.lab.labelling.measures import Disagreement, Estimate, LabelReport
    from ontocrawl.terminal.dialogue import Language

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
    lang: ScreenLanguage = "",
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Label sampled pages of a run by hand, one at a time; --report measures the run and its judge by the labels.

    What the judge said is not shown. Each label is saved at once, and a later session goes on there; a second person
    labels the same pages with another --by. From a pipe, or on a terminal without cursor movement, one command is read
    a line: y, n, ? (cannot tell), each with a note after it; t NOTE, m, u, h, q.
    """
    from ontocrawl.errors import UsageError

    language = screen_language(lang)
    space = workspace(folder)
    if not report and export is None:
        _labelled(space, run, by, (pages, seed), language, as_json)
    elif (pages, seed) != (None, None):
        raise UsageError("cli.sample_drawn_before_labels")
    elif export is not None:
        _write(space, run, by, export, as_json, report)
    else:
        _show_report(space, run, by, as_json)


def _labelled(
    space: Workspace, run: str, by: str, drawn: tuple[int | None, int | None], language: Language, as_json: bool
) -> None:
    from ontocrawl.errors import UsageError
    from ontocrawl.lab.labelling import Labelling
    from ontocrawl.lab.labelling.screen import LabelDialogue
    from ontocrawl.runs import runs
    from ontocrawl.topics import topics
    from ontocrawl.versions.deciding import person

    labelling = Labelling(space, run, by=person(by), pages=drawn[0], seed=drawn[1])
    config = runs.config_of(space, run)
    topic = config.topic
    try:
        known = topics.load(config.topic_file or topic, space).file.label
        topic = (known.zh if language == "zh" else known.en) or topic
    except UsageError as error:  # the topic file was moved since the crawl: its name is known
        note(error.message)
    dialogue = LabelDialogue(labelling, topic, language)
    try:
        dialogue.run(stderr if as_json else stdout, plain=as_json)
    finally:  # also after Ctrl-C: what was labelled is saved
        note(dialogue.text("done", len(labelling.labelled), labelling.open))
        if not labelling.open:
            note(quoted("ontocrawl", "lab", "label", run, "--report"))
    if as_json:
        labels = [{"url": url, "label": verdict} for url, verdict in labelling.labelled.items()]
        print_json({"run": run, "by": labelling.by, "labelled": labels, "open": labelling.open})


# ---- the measures by labels as tables, and labels for other crawls


_SAID = {"yes": "lab.label_yes", "no": "lab.label_no", "unsure": "lab.label_unsure"}


def _show_report(space: Workspace, run: str, by: str, as_json: bool) -> None:
    """Show the measures of a run by its labels."""
    from ontocrawl.lab.labelling import report

    found = report(space, run, by)
    if as_json:
        print_json(found.as_json())
        return
    _show_people(found)
    _show_judge(found)
    _show_agreement(found)
    if found.later:
        note(Message("lab.note_later", pages=found.later))
    if len(found.people) == 1 and not by:
        note(Message("lab.note_another", command=quoted("ontocrawl", "lab", "label", run, "--by", "NAME")))
    note(Message("lab.no_recall"))


def _write(space: Workspace, run: str, by: str, out: Path, as_json: bool, report: bool) -> None:
    """Write labels to a file, and say which sets it has."""
    from ontocrawl.errors import UsageError
    from ontocrawl.lab.labelling import export

    if report:
        raise UsageError("cli.give_not_both")
    sets = export(space, run, out, by)
    if as_json:
        print_json({"path": str(out), "sets": sets})
    else:
        for name, pages in sets.items():
            note(Message("lab.note_labels", option=quoted("--labels", f"{out}#{name}"), pages=pages))
        note(Message("lab.note_not_relevant"))


def _show_people(found: LabelReport) -> None:
    rows = [
        (p.by, sum(p.counts.values()), *(p.counts.get(label, 0) for label in ("yes", "no", "unsure")),
         _shown(p.precision))
        for p in found.people
    ]  # fmt: skip
    columns = ("person", "labelled", "relevant", "not", "cannot tell", "precision of the run")
    about = Message("lab.drawn", n=len(found.sample.pages), of=found.sample.population)
    print_part(tabled(Message("lab.of_labels", run=found.run), columns, rows, caption=about))
    ends = list(found.people[0].progress)
    grid = [(p.by, *(_shown(one) for one in p.progress.values())) for p in found.people]
    print_part(tabled("Precision of the first pages fetched", ("person", *map(str, ends)), grid))


def _show_judge(found: LabelReport) -> None:
    rows = [(p.by, *map(_shown, (p.accepted, p.rejected, p.kappa, p.auc))) for p in found.people]
    columns = ("person", "relevant of accepted", "relevant of rejected", "kappa", "AUC")
    print_part(tabled("The judge by the labels", columns, rows))
    ranks = list(found.people[0].precision_at)
    if ranks:
        grid = [
            (p.by, *(Message("lab.of_labelled", estimate=_shown(one), labelled=one.labelled)
                     for one in p.precision_at.values()))
            for p in found.people
        ]  # fmt: skip
        caption = Message("lab.precision_at_caption")
        print_part(tabled("Precision at k of the judge", ("person", *map(str, ranks)), grid, caption=caption))


def _show_agreement(found: LabelReport) -> None:
    if found.pairs:
        rows = [
            (Message("lab.pair", one=p.between[0], other=p.between[1]), p.judged, p.agreed,
             Message("lab.undefined") if p.kappa is None else _bounds(p.kappa, p.interval))
            for p in found.pairs
        ]  # fmt: skip
        print_part(tabled("Agreement", ("between", "judged by both", "agreed", "Cohen's kappa"), rows))
    if found.disagreements:
        people = [p.by for p in found.people]
        grid = [(*(_said(d, p) for p in people), d.title, d.url) for d in found.disagreements]
        print_part(tabled("Disagreements", (*people, "title", "url"), grid, optional=("title",)))


def _said(about: Disagreement, person: str) -> str:
    label, told = about.labels.get(person), about.notes.get(person)
    said = Message(_SAID[label]) if label else ""
    return Message("lab.label_with_note", label=said, note=told) if told else said


def _shown(one: Estimate) -> str:
    if one.value is None or one.low is None or one.high is None:
        return "-"
    return _bounds(one.value, (one.low, one.high))


def _bounds(value: float, interval: tuple[float, float] | None) -> str:
    return f"{value:.2f}" if interval is None else f"{value:.2f} [{interval[0]:.2f}, {interval[1]:.2f}]"
