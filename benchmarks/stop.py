"""Expected gain: how often its interval is right, and what `crawl run --limit-gain` saves.

    python -m benchmarks.stop [--json docs/benchmarks/stop.json] [--crawls DIR] [--data ../shared/data]

The crawls are those of a lab: the eight topics of the lab `own` on wikispeedia (best_first and evidence_sum, both by
density) and synthetic webs, three seeds each, 1,200 pages. `planted` and `rainstorm` were there while the estimator was
chosen; the webs of KEPT were crawled once, after that. With --crawls DIR the crawls are kept, and made once.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import report
from crawler.expected_gain import AHEAD, EVERY, LEVEL, ExpectedGain, beta_binomial, expected_gain
from crawler.model import Bools, Floats
from ontocrawl.lab import laboratory, loading
from ontocrawl.lab.definition import Lab, LabWorld

COMMAND = "python -m benchmarks.stop --json docs/benchmarks/stop.json"
STRATEGIES = ("best_first", "evidence_sum")
SYNTHETIC = {"planted": ("planted?pages=6000", "rainstorm"), "rainstorm": ("rainstorm?pages=20000", "rainstorm")}
"""Name -> description and topic of a web."""
KEPT = {"typhoon": ("typhoon?pages=20000", "typhoon"), "event": ("event?pages=20000", "typhoon")}
"""Webs that were kept for the check."""
FETCHES, SEEDS = 1200, 3
LIMITS = (1, 3, 10)
BETWEEN = 25
"""Pages between two forecasts that are compared with what came."""
HALF_LIVES = np.array([25, 50, 100, 200, 400, 800, 1600])
Forecast = Callable[[Bools], ExpectedGain | None]


@dataclass(frozen=True)
class Crawled:
    """A crawl: whether each of its pages is relevant by the judge."""

    web: str
    group: str
    strategy: str
    relevant: Bools


# ---- estimators to compare with --------------------------------------------------------------------------------


def of_parts(parts: Iterable[tuple[float, float, float]]) -> ExpectedGain:
    """Return the forecast of a mixture of Beta(a, b) shares of relevant pages, each as (weight, a, b)."""
    p = np.zeros(AHEAD + 1)
    for weight, a, b in parts:
        share = a / (a + b)
        spread = 1.0 + (AHEAD - 1) / (a + b + 1.0)
        p += weight * beta_binomial(AHEAD, AHEAD * share, AHEAD * share * (1.0 - share) * spread)
    low, high = np.searchsorted(np.cumsum(p), ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return ExpectedGain(AHEAD, float(p @ np.arange(AHEAD + 1)), int(low), int(high))


def of_all(y: Bools) -> ExpectedGain:
    """Forecast by the share of relevant pages of the whole crawl, by Jeffreys' prior."""
    return of_parts([(1.0, y.sum() + 0.5, len(y) - y.sum() + 0.5)])


def of_last(y: Bools) -> ExpectedGain:
    """Forecast by the share of relevant pages among the last AHEAD pages."""
    return of_all(y[-AHEAD:])


def discounted(y: Bools) -> ExpectedGain:
    """Forecast by shares that forget, averaged over HALF_LIVES by how well each one foretold the next page so far."""
    forget = 0.5 ** (1.0 / HALF_LIVES)
    a, b, fit = np.zeros(len(forget)), np.zeros(len(forget)), np.zeros(len(forget))
    for verdict in y.tolist():
        p = (a + 0.5) / (a + b + 1.0)
        fit += np.log(p if verdict else 1.0 - p)
        a, b = forget * a + verdict, forget * b + (not verdict)
    weight = np.exp(fit - fit.max())
    later = forget ** (AHEAD / 2)  # what is known now counts less for pages that come later
    return of_parts(zip(weight / weight.sum(), later * a + 0.5, later * b + 0.5, strict=True))


ESTIMATORS: dict[str, Forecast] = {
    "regression (the one used)": expected_gain,
    "share of the last 100 pages": of_last,
    "shares that forget, averaged": discounted,
    "share of all pages": of_all,
}


# ---- measuring --------------------------------------------------------------------------------------------------


def lab_of(data: Path | None) -> Lab:
    """Return the lab of all crawls."""
    own, _ = loading.load("own", data)
    by_density = {"guide": ("density",), "judge": ("density",)}
    worlds = [world.model_copy(update={"oracle": False, "axes": by_density}) for world in own.worlds]
    worlds += [
        LabWorld(name=name, world=f"synthetic:{spec}", topic=topic, oracle=False)
        for name, (spec, topic) in (SYNTHETIC | KEPT).items()
    ]
    return Lab(title="stop", fetches=FETCHES, seeds=SEEDS, worlds=tuple(worlds), axes={"strategy": STRATEGIES})


def crawls(lab: Lab, out: Path) -> list[Crawled]:
    """Make the crawls of the lab that ``out`` does not have, and return all."""
    outcomes = laboratory.run(lab, out, 1, lambda line: print(line, file=sys.stderr), lambda: None)
    failed = [outcome.error for outcome in outcomes if outcome.trace is None]
    if failed:
        raise SystemExit(f"a crawl failed: {failed[0]}")
    groups = dict.fromkeys(SYNTHETIC | KEPT)
    return [
        Crawled(
            outcome.cell.world,
            outcome.cell.world if outcome.cell.world in groups else "wikispeedia",
            outcome.cell.strategy,
            outcome.trace.judged,
        )
        for outcome in outcomes
        if outcome.trace is not None
    ]


def forecasts(relevant: Bools, forecast: Forecast) -> Floats:
    """Compare forecasts of a crawl with what came: rows of mean, low, high and the relevant pages that came."""
    rows = []
    for k in range(AHEAD, len(relevant) - AHEAD + 1, BETWEEN):
        gain = forecast(relevant[:k])
        if gain is not None:
            rows.append((gain.mean, gain.low, gain.high, relevant[k : k + AHEAD].sum()))
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def calibration(made: Sequence[Crawled], forecast: Forecast) -> report.Row:
    """Return how often the interval contained what came, how often more came, the error of the mean, and the width."""
    mean, low, high, came = np.concatenate([forecasts(one.relevant, forecast) for one in made]).T
    return {
        "forecasts": len(came),
        "inside": round(float(((low <= came) & (came <= high)).mean()), 3),
        "more": round(float((came > high).mean()), 3),
        "error": round(float(np.abs(mean - came).mean()), 2),
        "bias": round(float((mean - came).mean()), 2),
        "width": round(float((high - low).mean()), 1),
    }


def end_of(relevant: Bools, limit: int) -> int:
    """Return the number of pages at which a crawl ends by ``limit_gain``; all pages where it does not."""
    for k in range(AHEAD, len(relevant) + 1, EVERY):
        gain = expected_gain(relevant[:k])
        if gain is not None and gain.high < limit:
            return k
    return len(relevant)


def saving(made: Sequence[Crawled], limit: int) -> report.Row:
    """Return what the limit does to crawls: how many it ends, after how many pages, and what they have by then."""
    ends = np.array([end_of(one.relevant, limit) for one in made])
    pages = np.array([len(one.relevant) for one in made])
    found = [one.relevant[:end].sum() / max(1, one.relevant.sum()) for one, end in zip(made, ends, strict=True)]
    missed = [one.relevant[end : end + AHEAD].sum() for one, end in zip(made, ends, strict=True)]
    return {
        "limit": limit,
        "ended": int((ends < pages).sum()),
        "pages": round(float(ends.mean()), 1),
        "found": round(float(np.mean(found)), 3),
        "least": round(float(np.min(found)), 3),
        "saved": round(float(1.0 - ends.sum() / pages.sum()), 3),
        "next": int(max(missed)),
    }


def webs_of(made: Sequence[Crawled]) -> Iterator[tuple[str, str, list[Crawled]]]:
    """Yield web, strategy and crawls of each."""
    for web, strategy in dict.fromkeys((one.web, one.strategy) for one in made):
        yield web, strategy, [one for one in made if (one.web, one.strategy) == (web, strategy)]


def result_of(made: Sequence[Crawled]) -> report.Result:
    """Measure everything."""
    groups = dict.fromkeys(one.group for one in made)
    return report.head(
        "stop",
        estimators=[
            {"group": group, "estimator": name, **calibration([one for one in made if one.group == group], forecast)}
            for group in groups
            for name, forecast in ESTIMATORS.items()
        ],
        webs=[
            {"web": web, "strategy": strategy, "crawls": len(of_web), **calibration(of_web, expected_gain)}
            for web, strategy, of_web in webs_of(made)
        ],
        rules=[
            {"web": web, "strategy": strategy, "crawls": len(of_web), **saving(of_web, limit)}
            for web, strategy, of_web in webs_of(made)
            for limit in LIMITS
        ],
    )


# ---- the page ---------------------------------------------------------------------------------------------------


def calibrations(rows: Iterable[report.Row], *names: str) -> list[str]:
    """The table of calibrations."""
    titles = (*names, "forecasts", "inside", "more came", "mean error", "bias", "width")
    keys = (*names, "forecasts", "inside", "more", "error", "bias", "width")
    return report.grid(titles, [[row[key] for key in keys] for row in rows])


def rules(rows: Iterable[report.Row]) -> list[str]:
    """The table of the limits."""
    titles = ("web", "strategy", "N", "ended", "pages", "found", "least found", "saved", "most in the next 100")
    return report.grid(
        titles,
        [
            (row["web"], row["strategy"], row["limit"], f"{row['ended']} of {row['crawls']}", row["pages"],
             f"{row['found']:.3f}", f"{row['least']:.3f}", f"{row['saved']:.3f}", row["next"])
            for row in rows
        ],
    )  # fmt: skip


def page(result: report.Result) -> str:
    """docs/benchmarks/stop.md."""
    lines = [
        f"Crawls of {FETCHES:,} pages, {SEEDS} of each web and strategy, relevance by the judge of the crawl. Every",
        f"{BETWEEN} pages the number of relevant pages among the next {AHEAD} is forecast by what came before, and set",
        "against what came. *inside*: share of forecasts whose interval of 95 % contained it; *more came*: share above",
        "the interval, where a crawl would end too early (2.5 % are expected at most); *mean error* and *bias* of the",
        f"mean, and *width* of the interval, in pages. {' and '.join(f'`{name}`' for name in KEPT)} were not looked",
        "at when the estimator was chosen.", "",
        "## Estimators", "", *calibrations(result["estimators"], "group", "estimator"), "",
        "## Webs and strategies", "", *calibrations(result["webs"], "web", "strategy"), "",
        "## Ending by `--limit-gain N`", "",
        "*ended*: crawls that the limit ended before the last page; *pages*: mean pages fetched; *found*: what they",
        f"had found by then, as a share of what the whole crawl of {FETCHES:,} pages found, mean and least; *saved*:",
        f"share of the fetches not made; *most in the next {AHEAD}*: the most relevant pages that the {AHEAD} pages",
        "after the end had in one of the crawls.", "",
        *rules(result["rules"]), "", f"{report.machine(result)}.",
    ]  # fmt: skip
    return report.page("Expected gain, and ending a crawl by it", COMMAND, lines)


def main() -> int:
    """Measure, and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--crawls", type=Path, metavar="DIR", help="keep the crawls there")
    arguments.add_argument("--data", type=Path, metavar="DIR", help="folder of data sets")
    options = arguments.parse_args()
    lab = lab_of(options.data)
    with tempfile.TemporaryDirectory() as folder:
        made = crawls(lab, options.crawls or Path(folder))
    report.publish(result_of(made), options.json, page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
