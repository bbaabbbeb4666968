"""The options of `ontocrawl crawl run` and `crawl resume`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.output import note
from ontocrawl.errors import UsageError

Resolve = Annotated[
    Path | None,
    typer.Option(
        help="File of HOST:PORT=ADDRESS:PORT lines: where to connect instead, as with curl --resolve.",
        rich_help_panel="Fetching",
    ),
]
Limit = Annotated[
    int | None, typer.Option("--limit-pages", min=0, help="Maximum number of pages with status 200; 0 means no limit.")
]
Seconds = Annotated[
    float | None, typer.Option("--limit-time", min=0, help="Maximum time in seconds; 0 means no limit.")
]
Relevant = Annotated[
    int | None,
    typer.Option(
        "--limit-relevant",
        min=0,
        help="Maximum number of pages that the judge finds relevant; 0 means no limit.",
        rich_help_panel="Limits",
    ),
]
GenerationLimit = Annotated[
    int | None,
    typer.Option(
        "--limit-generations",
        min=0,
        help="Maximum number of generations of a strategy that has them (gafc, adaptive_ga ..); 0 means no limit.",
        rich_help_panel="Limits",
    ),
]
Gain = Annotated[
    int | None,
    typer.Option(
        "--limit-gain",
        min=0,
        help="End when fewer than so many relevant pages are expected among the next 100 pages, by the upper end of "
        "the 95 % interval; 0 means no limit.",
        rich_help_panel="Limits",
    ),
]
NoGraph = Annotated[
    bool, typer.Option("--no-graph", help="Do not write the run into the graph at its end.", rich_help_panel="Results")
]
TopicName = Annotated[
    str | None,
    typer.Option(
        "--topic", help="Name of a topic, or path of a topic file; by default that of the workspace's settings."
    ),
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
StrategyName = Annotated[
    str | None, typer.Option("--strategy", help="Name of a strategy (`ontocrawl crawl strategies`), or FILE.py:CLASS.")
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
InFlight = Annotated[
    int | None,
    typer.Option(
        "--in-flight",
        min=1,
        max=512,
        help="Maximum number of pages in flight; 1 is the sequence of the papers. By default 8; for a world in memory "
        "1, unless --reproducible.",
        rich_help_panel="Fetching",
    ),
]
Reproducible = Annotated[
    bool,
    typer.Option(
        "--reproducible",
        help="Use the pages in the order of their choice, not of their arrival, so that the same seed gives the same "
        "trace however fast the network is.",
        rich_help_panel="Fetching",
    ),
]
Labels = Annotated[
    str | None,
    typer.Option(
        help="Labelled pages, as FILE#SET: JSON lists of URLs or page names; only the metrics use them.",
        rich_help_panel="Where it begins",
    ),
]
Seed = Annotated[int | None, typer.Option(min=0, help="Random seed.", rich_help_panel="Strategy and relevance")]
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
IgnoreDirectives = Annotated[
    bool,
    typer.Option(
        "--ignore-robots-directives",
        help="Follow nofollow links and use noindex pages, where you may; robots.txt is obeyed all the same.",
        rich_help_panel="Fetching",
    ),
]
SkipLinks = Annotated[
    list[str] | None,
    typer.Option(
        "--skip-links",
        help="Kind of links that is not followed: anchor, frame, refresh, script, option, relation, noscript, svg, "
        "data or jsdata; repeatable.",
        rich_help_panel="Scope",
    ),
]
Scripts = Annotated[
    bool,
    typer.Option(
        "--scripts",
        help="Read the data files that the scripts of every page load, not only those of pages with few words.",
        rich_help_panel="Scope",
    ),
]
StrictFilter = Annotated[
    bool,
    typer.Option(
        "--strict-filter",
        help="Leave out the links that the strategy's filter rejects, as in the papers; by default they are taken when "
        "nothing else is left.",
        rich_help_panel="Strategy and relevance",
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        help="Look-ahead at the target of a link: predict, cached (pages of other runs) or oracle (fetches it).",
        rich_help_panel="Strategy and relevance",
    ),
]
JudgeName = Annotated[
    str | None,
    typer.Option(
        "--judge",
        help="Who decides whether a page is relevant: `topic` (function and threshold of the topic file), `density`, "
        "`saturated`, `evidence`, or another relevance function. By default `topic`.",
        rich_help_panel="Strategy and relevance",
    ),
]
OldJudge = Annotated[str | None, typer.Option("--relevance", help="Deprecated, until 2.0: use --judge.")]
Threshold = Annotated[
    float | None,
    typer.Option(
        "--threshold",
        min=0,
        max=1,
        help="R above which a page is relevant; by default that of the topic or the judge.",
        rich_help_panel="Strategy and relevance",
    ),
]
Guide = Annotated[
    str | None,
    typer.Option(
        help="Relevance function of the strategy; `published` is the one of its paper. By default `saturated` for "
        "strategies that use the vector of an ontology, `published` for the others.",
        rich_help_panel="Strategy and relevance",
    ),
]
Join = Annotated[
    float | None,
    typer.Option(
        "--join",
        metavar="SHARE",
        help="Part of their weights, such as 0.5, with which the words of the ontology join the topic's own words, for "
        "judge, guide and strategy. By default 0: they stay apart.",
        rich_help_panel="Strategy and relevance",
    ),
]
Stay = Annotated[
    str | None,
    typer.Option(
        help="Stay at the seeds: host (scheme, name and port), domain (the registrable one), prefix (the directory), "
        "or any."
    ),
]
Hosts = Annotated[list[str] | None, typer.Option("--host", help="Crawl only this host and its subdomains. May repeat.")]
ExcludedHosts = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude-host", help="Do not crawl this host and its subdomains. May repeat.", rich_help_panel="Scope"
    ),
]
Accept = Annotated[
    list[str] | None,
    typer.Option(
        metavar="REGEX",
        help="Crawl only URLs that match this regular expression, or another such. May repeat.",
        rich_help_panel="Scope",
    ),
]
Reject = Annotated[
    list[str] | None,
    typer.Option(
        metavar="REGEX",
        help="Do not crawl URLs that match this regular expression. May repeat.",
        rich_help_panel="Scope",
    ),
]
MaxDepth = Annotated[
    int | None,
    typer.Option(min=0, help="Maximum number of links from a seed; 0 means no limit.", rich_help_panel="Limits"),
]
MaxOfftopicDepth = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Follow no link after so many pages in a row that are not relevant; 0 means no limit.",
        rich_help_panel="Limits",
    ),
]
MaxPerHost = Annotated[
    int | None,
    typer.Option(min=0, help="Maximum number of links chosen of a host; 0 means no limit.", rich_help_panel="Limits"),
]
MaxPerDirectory = Annotated[
    int | None, typer.Option(min=0, help="The same for a directory of a host.", rich_help_panel="Limits")
]
MaxPerPattern = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="The same for URLs that differ only in numbers, ids and values of parameters.",
        rich_help_panel="Limits",
    ),
]
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
