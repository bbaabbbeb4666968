"""What a second crawl gains from the graph of a first one: priors and seeds by query, against a fresh crawl.

    python -m benchmarks.prior [--json docs/benchmarks/prior.json] [--fetched 150] [--webs 6]

Two kinds of synthetic webs, of rainstorms and of typhoons. First crawls on each by evidence_sum, on the web's own topic
and on the other one, are written into the graph. Second crawls on the own topic fetch as many pages as the first, with
--prior of one of these, or from seeds by a query of the graph, or fresh. Relevant are the pages that the webs label so.
Differences are paired by web, with bootstrap intervals. With --json FILE a page is written beside it, and webs that the
file has are not crawled again. Some five minutes of processor time.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import ontocrawl
from benchmarks import report
from crawler.frontier.prior import PAGES as PAGES_OF_PRIOR
from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.options import CrawlOptions
from ontocrawl.base.workspace import Workspace
from ontocrawl.lab.statistics import mean_interval
from ontocrawl.runs import crawling, plan, runs
from ontocrawl.topics import topics

COMMAND = "python -m benchmarks.prior --json docs/benchmarks/prior.json"
NEIGHBOUR = {"rainstorm": "typhoon", "typhoon": "rainstorm"}
"""Topic, which is also the kind of its webs -> the neighbour topic."""
PAGES, FETCHED, WEBS = 5_000, 150, 6
FIRST = "evidence_sum"
WORDS, FULL, RANKS, HOSTS, ALL = "words", "words at full weight", "ranks", "hosts", "ranks and hosts"
VARIANTS = ((FIRST, WORDS), (FIRST, FULL), ("fcsa", RANKS), ("fcsa_host", ALL), ("fcsa_host", HOSTS))
"""Strategy of a second crawl, and what it reads of a prior; at full weight an earlier page counts as one of the crawl.

fcsa_host reads ranks and hosts, of which ranks are left out for HOSTS."""
BY_QUERY, FRESH, LONGER = "seeds by query", "fresh", "first crawl, twice as long"
SAME, OTHER = "same topic", "neighbour topic"
COMPARED = tuple(product((*VARIANTS, (FIRST, BY_QUERY)), (SAME, OTHER)))
SEEDS = 20
"""Seeds by query: the links that the first crawl would have followed next."""


def crawl(space: Workspace, topic: str, web: str, run: str, pages: int, **more: Any) -> ontocrawl.Run:
    """Crawl a web; the options are those of `ontocrawl.crawl`."""
    return ontocrawl.crawl(topic, world=web, pages=pages, run=run, workspace=space.root, **more)


def crawl_with_prior(
    space: Workspace, topic: str, web: str, run: str, pages: int, variant: tuple[str, str], first: ontocrawl.Run
) -> ontocrawl.Run:
    """Crawl a web with the part of a prior that a variant reads."""
    strategy, reads = variant
    options = CrawlOptions(strategy=strategy, world=web, graph=False, run=run, settings={"limit_pages": pages})
    with crawling.planned(space, topics.load(topic, space), options, (), lambda line: None) as (config, world):
        weight = first.result.end.fetched if reads == FULL else PAGES_OF_PRIOR
        prior = plan.prior_of(space, config, [first.name], pages=weight)
        if reads == HOSTS:
            prior = replace(prior, ranks={})
        runs.begin(space, config.model_copy(update={"prior": prior}), world, lambda step: None)
    return ontocrawl.Run(run, space.root)


def relevant(run: ontocrawl.Run, fetched: int) -> list[str]:
    """Return the pages labelled relevant among the first pages of a crawl."""
    pages = run.pages()
    url, label = (pages.columns.index(name) for name in ("url", "label"))
    return [row[url] for row in pages.rows[:fetched] if row[label]]


def crawls(space: Workspace, topic: str, seed: int, fetched: int) -> Iterator[report.Row]:
    """Crawl a web first on both topics, then on its own one with what these left in the graph; yield a row for each."""
    web, place = f"synthetic:{topic}?pages={PAGES}&seed={seed}", f"{topic}-{seed}"
    firsts = {
        arm: crawl(space, on, web, f"{place}-first-{on}", fetched, strategy=FIRST)
        for arm, on in ((SAME, topic), (OTHER, NEIGHBOUR[topic]))
    }
    known = set(relevant(firsts[SAME], fetched))

    def row(strategy: str, reads: str, after: str, run: ontocrawl.Run, pages: int = fetched) -> report.Row:
        found = relevant(run, pages)
        figures = {"at_half": len(relevant(run, fetched // 2)), "relevant": len(found), "new": len({*found} - known)}
        return {"web": topic, "seed": seed, "strategy": strategy, "reads": reads, "after": after, **figures}

    yield row(FIRST, FRESH, "", firsts[SAME])
    for strategy in dict.fromkeys(strategy for strategy, _ in VARIANTS if strategy != FIRST):
        run = crawl(space, topic, web, f"{place}-{strategy}-fresh", fetched, strategy=strategy, graph=False)
        yield row(strategy, FRESH, "", run)
    for number, ((strategy, reads), after) in enumerate(COMPARED):
        name, first = f"{place}-{number}", firsts[after]
        if reads == BY_QUERY:
            seeds = f"query:pages/waiting#crawl={first.name}&limit={SEEDS}"
            run = crawl(space, topic, web, name, fetched, strategy=strategy, graph=False, seeds=seeds)
        else:
            run = crawl_with_prior(space, topic, web, name, fetched, (strategy, reads), first)
        yield row(strategy, reads, after, run)
    longer = crawl(space, topic, web, f"{place}-longer", 2 * fetched, strategy=FIRST, graph=False)
    yield row(FIRST, LONGER, "", longer, 2 * fetched)


def differences(rows: Sequence[report.Row], strategy: str, reads: str, after: str, figure: str) -> list[float]:
    """Return the differences of a figure to the fresh crawl of the strategy, one for each web that has both."""
    own, fresh = (
        {(row["web"], row["seed"]): float(row[figure]) for row in rows if _is(row, strategy, *which)}
        for which in ((reads, after), (FRESH, ""))
    )
    return [own[web] - fresh[web] for web in own if web in fresh]


def _is(row: report.Row, *which: str) -> bool:
    return (row["strategy"], row["reads"], row["after"]) == which


def _shown(values: Sequence[float]) -> str:
    mean = f"{np.mean(values):+.1f}"
    if len(values) < 3:
        return mean
    low, high = mean_interval(values)
    return f"{mean} [{low:+.1f}, {high:+.1f}]"


def _mean(rows: Sequence[report.Row], figure: str, *which: str) -> str:
    return f"{np.mean([row[figure] for row in rows if _is(row, *which)]):.1f}"


def _of_webs(rows: Sequence[report.Row], fetched: int) -> list[str]:
    """Return the two tables of some webs."""
    compared = [(strategy, reads, after) for (strategy, reads), after in COMPARED]
    at_equal = [
        (
            *which, _mean(rows, "relevant", which[0], FRESH, ""), _mean(rows, "relevant", *which),
            *(_shown(differences(rows, *which, figure)) for figure in ("at_half", "relevant")),
        )
        for which in compared
    ]  # fmt: skip
    new = [(*which, _mean(rows, "new", *which), _shown(differences(rows, *which, "new"))) for which in compared]
    new.append((FIRST, LONGER, "", _mean(rows, "new", FIRST, LONGER, ""), ""))
    about = ("strategy", "takes from the graph", "after a first crawl on")
    return [
        *report.grid((*about, "fresh", "with it", f"difference at {fetched // 2}", f"at {fetched}"), at_equal), "",
        "Relevant pages among them that the first crawl on the own topic had not fetched:", "",
        *report.grid((*about, "new pages", "difference to the fresh crawl"), new), "",
    ]  # fmt: skip


def page(result: report.Result) -> str:
    """Return the page of a result."""
    rows, fetched = result["rows"], result["fetched"]
    webs = len({row["seed"] for row in rows})
    lines = [
        f"Relevant pages among {fetched} fetched ones of synthetic webs of {PAGES:,} pages, {webs} of each kind",
        f"({report.machine(result)}). A first crawl by {FIRST} is on the web's own topic or on the",
        "neighbour topic, which rainstorm and typhoon are for each other. A prior counts as",
        f"{PAGES_OF_PRIOR} pages, at full weight as all those of the first crawl. Seeds by query are the",
        f"{SEEDS} links that the first crawl would have followed next (`pages/waiting`). The fresh crawl of",
        f"{FIRST} is the first crawl itself, so that it has no new pages. Differences are paired",
        "by web; intervals of 95 % by bootstrap over the webs (BCa).", "",
    ]  # fmt: skip
    for topic in NEIGHBOUR:
        own = [row for row in rows if row["web"] == topic]
        if own:
            lines += [f"## Webs of {topic}", "", *_of_webs(own, fetched)]
    if len({row["web"] for row in rows}) > 1:
        lines += ["## Both together", "", *_of_webs(rows, fetched)]
    return report.page("What a second crawl gains from the graph of a first one", COMMAND, lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    parser = report.arguments(__doc__)
    parser.add_argument("--fetched", type=int, default=FETCHED, metavar="N", help="pages of a crawl")
    parser.add_argument("--webs", type=int, default=WEBS, metavar="N", help="webs of each kind")
    options = parser.parse_args(arguments)
    rows = report.stored_rows(options.json, fetched=options.fetched, pages=PAGES)
    with tempfile.TemporaryDirectory() as name:
        space = workspace.init(Path(name) / "workspace")
        try:
            for seed, topic in product(range(options.webs), NEIGHBOUR):
                if not any((row["web"], row["seed"]) == (topic, seed) for row in rows):
                    rows += crawls(space, topic, seed, options.fetched)
                    print(rows[-1], file=sys.stderr, flush=True)
                    if options.json is not None:
                        report.save(result_of(rows, options.fetched), options.json, page)
        finally:
            embedded.stop(space.graph)
    report.publish(result_of(rows, options.fetched), options.json, page)
    return 0


def result_of(rows: Sequence[report.Row], fetched: int) -> dict[str, Any]:
    """Return the result of the crawls so far."""
    return report.head("prior", pages=PAGES, fetched=fetched, rows=list(rows))


if __name__ == "__main__":
    sys.exit(main())
