"""The options of `ontocrawl crawl run` and `crawl resume`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from ontocrawl.base.options import Declared, Section, as_arguments, declared
from ontocrawl.cli.output import note
from ontocrawl.errors import UsageError

Command = TypeVar("Command", bound=Callable[..., Any])

Resolve = Annotated[
    Path | None,
    typer.Option(
        help="File of HOST:PORT=ADDRESS:PORT lines: where to connect instead, as with curl --resolve.",
        rich_help_panel="Fetching",
    ),
]
NoGraph = Annotated[
    bool, typer.Option("--no-graph", help="Do not write the run into the graph at its end.", rich_help_panel="Results")
]
Classes = Annotated[
    list[str] | None,
    typer.Option(
        "--class",
        metavar="CLASS",
        help="Crawl for a class of the topic's ontology, or a term of its papers, in place of the whole topic, by the "
        "words of the papers that have it: its label, another name or its IRI. Several take turns. May repeat.",
    ),
]
Cover = Annotated[
    str | None,
    typer.Option(
        metavar="LEVEL|local",
        help="Take turns over the classes so many levels below the root (1: its children), those in the most papers, "
        "or over the local ontologies of the topic.",
        rich_help_panel="Where it begins",
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
Prior = Annotated[
    list[str] | None,
    typer.Option(
        "--prior",
        metavar="RUN",
        help="Begin with what an earlier run in the graph found out of ranks, hosts and words of links, as far as the "
        "strategy reads these. May repeat.",
        rich_help_panel="Where it begins",
    ),
]
Like = Annotated[
    list[str] | None,
    typer.Option(
        metavar="URL",
        help="A page of the kind that is looked for, or its name in a corpus; it is fetched first, and counts as "
        "several pages for a strategy that learns from it (evidence_sum). May repeat.",
    ),
]
Unlike = Annotated[
    list[str] | None,
    typer.Option(
        metavar="URL",
        help="A page of another kind, the same way; it is fetched for its words. May repeat.",
        rich_help_panel="Where it begins",
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
WorldSpec = Annotated[
    str, typer.Option("--world", help="World: live, synthetic:PRESET?pages=N&seed=S, corpus:DIR, or archive:DIR.")
]
Warc = Annotated[
    str | None,
    typer.Option(
        "--warc",
        metavar="DIR",
        help="Record the crawl as WARC files in a new folder, to be crawled again.",
        rich_help_panel="Results",
    ),
]
Labels = Annotated[
    str | None,
    typer.Option(
        help="Labelled pages, as FILE#SET: JSON lists of URLs or page names; only the metrics use them.",
        rich_help_panel="Where it begins",
    ),
]
NewRunName = Annotated[str | None, typer.Option("--run", help="Name of the run; by default the date and the strategy.")]
Loopback = Annotated[
    bool, typer.Option("--allow-loopback", help="Allow URLs of this machine.", rich_help_panel="Fetching")
]
Impolite = Annotated[
    bool,
    typer.Option(
        "--no-politeness",
        help="No delay between requests to a host; robots.txt is still obeyed.",
        rich_help_panel="Fetching",
    ),
]
Cookies = Annotated[
    Path | None,
    typer.Option(
        "--cookies",
        exists=True,
        dir_okay=False,
        help="Cookies of your own session, in Netscape's form as browsers and curl export them; their values are "
        "never written.",
        rich_help_panel="Fetching",
    ),
]
NoCookies = Annotated[
    bool, typer.Option("--no-cookies", help="Neither keep nor send cookies.", rich_help_panel="Fetching")
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
RoundSize = Annotated[
    int | None,
    typer.Option(
        "--round-size", min=1, help="Maximum number of links of a round; by default 500.", rich_help_panel="Rounds"
    ),
]
RoundPerHost = Annotated[
    int | None,
    typer.Option(
        "--round-per-host",
        min=0,
        help="Maximum number of links of a host in a round, 0 for no limit; by default 50.",
        rich_help_panel="Rounds",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        min=1,
        max=512,
        help="Tasks of a round at once, in processes; by default one, in that of the crawl, or a task a core of Spark.",
        rich_help_panel="Rounds",
    ),
]
SparkMaster = Annotated[
    str | None,
    typer.Option(
        "--spark",
        metavar="MASTER",
        help="Run the tasks of a round on Apache Spark: local[N], local[*], spark://HOST:PORT, yarn or k8s://.. "
        "(extra spark, Java 17 or newer).",
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
        raise UsageError("--relevance is the old name of --judge: give --judge alone")
    note("--relevance is deprecated, and goes in 2.0: use --judge")
    return relevance


# ---- options of a command from their declarations (`ontocrawl.base.options`)


def with_options(section: type[Section], *names: str) -> Callable[[Command], Command]:
    """Return a decorator that gives a command options as they are declared.

    Args:
        section: the class that declares them.
        *names: the fields; all of them if there are none.

    Returns:
        The decorator. An option of which the function has a parameter takes the place of that one; the others become
        arguments by keyword. One that is not given is None, a flag False.
    """
    chosen = [one for name, one in declared(section).items() if not names or name in names]
    options = [(one.name, _annotation(one), False if one.kind is bool else None) for one in chosen]
    return lambda command: as_arguments(command, options)


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that were given."""
    return {name: value for name, value in options.items() if value not in (None, False, [], ())}


def _annotation(option: Declared) -> Any:
    """Return the type of a parameter with its option of the command line."""
    text = f"{option.en[0].upper()}{option.en[1:]}.{' May repeat.' if option.kind is list else ''}"
    shown = typer.Option(
        option.flag, min=option.least, max=option.most, help=text, rich_help_panel=option.panel,
        metavar="|".join(option.choices) or None,
    )  # fmt: skip
    kind: Any = list[str] if option.kind is list else option.kind
    return Annotated[kind if kind is bool else kind | None, shown]
