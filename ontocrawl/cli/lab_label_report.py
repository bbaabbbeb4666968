"""`ontocrawl lab label RUN --report` and `--export`: the measures by labels as tables, and labels for other crawls."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ontocrawl.cli.output import note, print_json, quoted, table

if TYPE_CHECKING:
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.lab.labelling.measures import Disagreement, Estimate, LabelReport

RECALL = (
    "Recall cannot be estimated from a crawl alone, which does not say how many relevant pages it did not fetch: "
    "compare crawls on a web with labels (ontocrawl lab run)."
)


def show(space: Workspace, run: str, by: str, as_json: bool) -> None:
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
        note(f"The run fetched {found.later} pages after the sample was drawn; no measure is about them.")
    if len(found.people) == 1 and not by:
        note(f"For the agreement of two, another person labels the same pages: "
             f"{quoted('ontocrawl', 'lab', 'label', run, '--by', 'NAME')}")  # fmt: skip
    note(RECALL)


def write(space: Workspace, run: str, by: str, out: Path, as_json: bool, report: bool) -> None:
    """Write labels to a file, and say which sets it has."""
    from ontocrawl.errors import Option, UsageError
    from ontocrawl.lab.labelling import export

    if report:
        raise UsageError("give ", Option("--report", "report"), " or ", Option("--export", "export"), ", not both")
    sets = export(space, run, out, by)
    if as_json:
        print_json({"path": str(out), "sets": sets})
    else:
        for name, pages in sets.items():
            note(f"{quoted('--labels', f'{out}#{name}')}: {pages} pages")
        note("By these labels all other pages are not relevant: label all pages of a run before you compare crawls.")


def _show_people(found: LabelReport) -> None:
    rows = [
        (p.by, sum(p.counts.values()), *(p.counts.get(label, 0) for label in ("yes", "no", "unsure")),
         _shown(p.precision))
        for p in found.people
    ]  # fmt: skip
    columns = ("person", "labelled", "relevant", "not", "cannot tell", "precision of the run")
    about = f"{len(found.sample.pages)} of {found.sample.population} pages drawn; intervals of 95 %"
    table(f"Labels of {found.run}", columns, rows, caption=about)
    ends = list(found.people[0].progress)
    grid = [(p.by, *(_shown(one) for one in p.progress.values())) for p in found.people]
    table("Precision of the first pages fetched", ("person", *map(str, ends)), grid)


def _show_judge(found: LabelReport) -> None:
    rows = [(p.by, *map(_shown, (p.accepted, p.rejected, p.kappa, p.auc))) for p in found.people]
    columns = ("person", "relevant of accepted", "relevant of rejected", "kappa", "AUC")
    table("The judge by the labels", columns, rows)
    ranks = list(found.people[0].precision_at)
    if ranks:
        grid = [(p.by, *(f"{_shown(one)} of {one.labelled}" for one in p.precision_at.values())) for p in found.people]
        caption = "share of relevant pages among those of the largest R; of how many labelled ones"
        table("Precision at k of the judge", ("person", *map(str, ranks)), grid, caption=caption)


def _show_agreement(found: LabelReport) -> None:
    if found.pairs:
        rows = [
            (" and ".join(p.between), p.judged, p.agreed,
             "undefined" if p.kappa is None else _bounds(p.kappa, p.interval))
            for p in found.pairs
        ]  # fmt: skip
        table("Agreement", ("between", "judged by both", "agreed", "Cohen's kappa"), rows)
    if found.disagreements:
        people = [p.by for p in found.people]
        grid = [(*(_said(d, p) for p in people), d.title, d.url) for d in found.disagreements]
        table("Disagreements", (*people, "title", "url"), grid, optional=("title",))


def _said(about: Disagreement, person: str) -> str:
    note_ = about.notes.get(person)
    return about.labels.get(person, "") + (f" ({note_})" if note_ else "")


def _shown(one: Estimate) -> str:
    if one.value is None or one.low is None or one.high is None:
        return "-"
    return _bounds(one.value, (one.low, one.high))


def _bounds(value: float, interval: tuple[float, float] | None) -> str:
    return f"{value:.2f}" if interval is None else f"{value:.2f} [{interval[0]:.2f}, {interval[1]:.2f}]"
