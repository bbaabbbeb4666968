"""`ontocrawl lab`: compare crawlers on webs with known truth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.output import Answer, note, progress, quoted, tabled
from ontology.errors import Message

Data = Annotated[
    Path | None,
    typer.Option("--data", file_okay=False, help="Folder of data sets that a lab needs; ./data or ../shared/data."),
]


def list_labs() -> Answer:
    """List the labs that come with ontocrawl."""
    from ontocrawl.lab import loading

    labs = {name: loading.parsed(text, name) for name, text in loading.shipped().items()}
    rows = [
        (name, one.title, len(one.worlds), len({cell.strategy for cell in one.cells()}), one.seeds, one.fetches)
        for name, one in labs.items()
    ]
    columns = ("lab", "title", "worlds", "strategies", "seeds", "fetches")
    return Answer([dict(zip(columns, row, strict=True)) for row in rows], [tabled("Labs", columns, rows)])


def run(
    lab: Annotated[str, typer.Argument(metavar="NAME|FILE.toml", help="A lab that comes with ontocrawl, or your own.")],
    out: Annotated[Path, typer.Option("--out", file_okay=False, help="Folder of the results.")],
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="Processes; by default one a processor.")] = None,
    fetches: Annotated[int | None, typer.Option(min=1, help="Requests of each crawl, in place of the lab's.")] = None,
    seeds: Annotated[int | None, typer.Option(min=1, help="Number of seeds, in place of the lab's.")] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="WORLD", help="Crawl this world of the lab only. May repeat.")
    ] = None,
    finished: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="Finished cells to go on from; new ones are added to it."),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Crawl cells of --finished again that another program crawled.")
    ] = False,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="Begin no crawl after these minutes; the same command goes on.")
    ] = None,
    data: Data = None,
    fields: Annotated[
        list[Path] | None,
        typer.Option(exists=True, help="Folder of fields in place of those of the lab, as for `claim`. May repeat."),
    ] = None,
) -> Answer:
    """Crawl all cells of a lab, worlds x strategies x seeds, and write a report with statistics.

    The folder gets report.html, report.md, report.tex, plots, results.csv and summary.json.

    Crawls that the folder has already are not made again, so a lab that was interrupted goes on. With --finished it
    also goes on over sittings of --minutes and over machines: the file has what the report needs of each crawl.
    """
    from ontocrawl.errors import UsageError
    from ontocrawl.lab import definition, laboratory, loading, result_files
    from ontocrawl.lab.running import Sitting

    read, text = loading.load(lab, data, fields or ())
    read = definition.smaller(read, fetches, seeds, only or ())
    if again and finished is None:
        raise UsageError("cli.needs")
    given: list[tuple[str, object]] = [
        ("--fetches", fetches),
        ("--seeds", seeds),
        *(("--only", world) for world in only or ()),
    ]
    given += [("--finished", finished), ("--data", data)]
    given += [("--fields", folder) for folder in fields or ()]
    options = [word for name, value in given if value is not None for word in (name, value)]
    command = quoted("ontocrawl", "lab", "run", lab, "--out", out, *options)
    with progress(Message("cli.doing_lab", title=read.title), laboratory.size(read)) as (bar, task):
        sitting = Sitting(finished, again, minutes)
        outcomes = laboratory.run(read, out, jobs, note, lambda: bar.advance(task), sitting)
    summary = result_files.write(read, text, outcomes, out, command)
    notes: list[str] = [Message("lab.note_report", report=out / "report.html", values=out / "results.csv")]
    failure = laboratory.failures(outcomes, notes.append)
    return Answer(summary, notes=notes, failure=failure)
