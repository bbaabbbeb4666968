"""Options of commands from their declarations, and the other options of `ontocrawl crawl run` and `crawl resume`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from ontocrawl.base.options import (
    PANELS,
    BuildSettings,
    CrawlOptions,
    CrawlSettings,
    Declared,
    RoundsSettings,
    Section,
    declared,
)
from ontocrawl.base.signatures import as_arguments
from ontocrawl.cli.output import note
from ontocrawl.errors import UsageError
from ontology.errors import Message

Command = TypeVar("Command", bound=Callable[..., Any])
Filled = TypeVar("Filled", bound=Section)

Resolve = Annotated[
    Path | None,
    typer.Option(
        help="File of HOST:PORT=ADDRESS:PORT lines: where to connect instead, as with curl --resolve.",
        rich_help_panel="Fetching",
    ),
]
ClassWords = Annotated[
    str | None,
    typer.Option(
        "--words",
        metavar="WORD[=WEIGHT],..",
        help="Words of yours for the classes, with weights above 0 to 1, 1 by default.",
        rich_help_panel="Where it begins",
    ),
]
Seeds = Annotated[
    list[str] | None,
    typer.Option(
        help="A URL, comma-separated page names of a corpus, sitemap:URL|FILE|HOST, feed:URL|FILE, links:FILE.html, "
        "query:NAME|FILE.cypher (the column url of a query of the graph), or @FILE with one of these per line. May "
        "repeat."
    ),
]
AsPrinted = Annotated[
    str | None,
    typer.Option(
        "--as-printed",
        metavar="PAPER",
        help="Set-up of a paper, 000 to 004: its strategy with parameters, judge, threshold, guide, seeds, look-ahead "
        "and page limit, as in the lab `papers`. Other options go before it.",
        rich_help_panel="Strategy and relevance",
    ),
]
OldJudge = Annotated[str | None, typer.Option("--relevance", help="Deprecated, until 2.0: use --judge.")]
Rounds = Annotated[
    bool,
    typer.Option(
        "--rounds",
        help="Choose many links at once, and fetch them by host in tasks side by side; for strategies that choose the "
        "links of the highest priority.",
        rich_help_panel="Rounds",
    ),
]
Parameters = Annotated[
    list[str] | None,
    typer.Option(
        "--param",
        help="Parameter of the strategy, as NAME=VALUE. May repeat.",
        rich_help_panel="Strategy and relevance",
    ),
]
Metrics = Annotated[
    str | None,
    typer.Option(
        metavar="[ADDRESS:]PORT",
        help="Serve metrics of the crawl for Prometheus at this port, by default of loopback; 0 means any free port.",
        rich_help_panel="Results",
    ),
]


def judge_name(judge: str | None, relevance: str | None) -> str | None:
    """Return the judge that is asked for, by `--judge` or by its old name `--relevance`, which is noted."""
    if relevance is None:
        return judge
    if judge not in (None, relevance):
        raise UsageError("cli.relevance_old_name_judge")
    note(Message("cli.relevance_renamed"))
    return relevance


# ---- options of a command from their declarations (`ontocrawl.base.options`)


def with_options(section: type[Section], *names: str, defaults: bool = False) -> Callable[[Command], Command]:
    """Return a decorator that gives a command options as they are declared.

    Args:
        section: the class that declares them.
        *names: the fields; all of them if there are none.
        defaults: whether the help shows their defaults; for options that no file of a workspace sets.

    Returns:
        The decorator. An option of which the function has a parameter takes the place of that one; the others become
        arguments by keyword. One that is not given is None, a flag False.
    """
    chosen = [one for name, one in declared(section).items() if not names or name in names]
    absent = [(one.default or None) if defaults else False if one.kind is bool else None for one in chosen]
    options = [(one.name, _annotation(one), value) for one, value in zip(chosen, absent, strict=True)]
    return lambda command: as_arguments(command, options)


def given(section: type[Section], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a section that were given on the command line, as values of its fields."""
    known = declared(section)
    found = {name: value for name, value in options.items() if name in known and not _is_absent(value)}
    return {name: not value if known[name].default is True else value for name, value in found.items()}


def filled(section: type[Filled], options: Mapping[str, Any]) -> Filled:
    """Return the options of a command `with_options(section, defaults=True)` as one value; None is the default."""
    return section(**{name: value for name, value in options.items() if value is not None})


def _is_absent(value: object) -> bool:
    """Return whether an option was not given; 0 is a value, such as for no limit."""
    return value is None or value is False or value in ([], ())


def _help(option: Declared) -> str:
    return f"{option.en[0].upper()}{option.en[1:]}.{' May repeat.' if option.kind is list else ''}"


def help_in_chinese() -> Mapping[str, str]:
    """Return the help of declared options, and the names of their groups, in English -> in Chinese."""
    options = [
        one
        for section in (CrawlSettings, CrawlOptions, RoundsSettings, BuildSettings)
        for one in declared(section).values()
    ]
    return {**PANELS, **{_help(one): f"{one.zh}。{'可重复给出。' if one.kind is list else ''}" for one in options}}


def _annotation(option: Declared) -> Any:
    """Return the type of a parameter with its option of the command line."""
    shown = typer.Option(
        option.flag, min=option.least, max=option.most, help=_help(option), rich_help_panel=option.panel,
        metavar=option.metavar or "|".join(option.choices) or None,
    )  # fmt: skip
    kinds: dict[type, Any] = {list: list.__class_getitem__(option.item), dict: str}
    kind = kinds.get(option.kind, option.kind)
    return Annotated[kind if kind is bool else kind | None, shown]
