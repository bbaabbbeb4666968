"""The judge J on webs that it was not fitted on, against density, the papers' cosine and saturated counts.

    python -m benchmarks.judge [--json docs/benchmarks/judge.json] [--pages 2000]

J is fitted anew for each web on all others (tools/fit_judge.py) and ranks the pages of the web that was left out, under
each of its topics. The synthetic webs count as one, because one generator made them. Intervals are bootstrap intervals
of the mean difference over the topics.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from benchmarks import report
from benchmarks.judged_webs import OTHERS, Judged, judged_webs
from crawler.model import Bools, Floats
from crawler.scoring.logistic_relevance import FIGURES
from crawler.scoring.logistic_weights import INTERCEPT, WEIGHTS
from ontocrawl.lab.labelling.measures import estimated_auc
from ontocrawl.runs.crawl_setup import THRESHOLDS
from tools.fit_judge import RIDGE, Fit, fitted

COMMAND = "python -m benchmarks.judge --json docs/benchmarks/judge.json"
J, EARLY = "evidence", "evidence, early"
MEASURES = ("auc", "at_labelled", "f1")
RESAMPLED = 10_000
ABOUT = (
    "`evidence` (J, `crawler/scoring/logistic_relevance.py`) is a logistic regression of eight figures of a page.",
    "Here it is fitted anew for each web, on the others. A cell is AUC / precision at as many pages as are",
    "labelled, for the mean of a web's topics. `evidence, early` has the document frequencies of 200 pages of the",
    "web, half of them the densest, as in a crawl that has just begun. The synthetic webs have one generator and",
    "are left out together. The ridge of the fit was chosen by the signs of the weights, once for all webs.",
)
RULE = "J may be a default only if it is better than density on each web left out; else density is, and J an option."


def measured(R: Floats, label: Bools, threshold: float | None) -> report.Row:
    """Return AUC, precision at as many pages as are labelled, and F1 of the pages above a threshold."""
    n, order = int(label.sum()), np.argsort(-R, kind="stable")
    row = {"auc": round(estimated_auc(R, label) or 0.0, 4), "at_labelled": round(float(label[order[:n]].mean()), 4)}
    if threshold is not None:
        accepted = threshold < R
        row["f1"] = round(2 * float((accepted & label).sum()) / (int(accepted.sum()) + n), 4)
    return row


def ranked(fit: Fit, judged: Judged) -> dict[str, Floats]:
    """Return R of the pages by J and by the other functions: name -> shape (n,)."""
    p = {name: np.where(judged.empty, 0.0, fit.probability(X)) for name, X in ((J, judged.X), (EARLY, judged.early))}
    return {**p, **judged.R}


def rows_of(webs: Sequence[Judged]) -> list[report.Row]:
    """Return a row for each topic and function, J fitted without the topic's web."""
    fits = {web: fitted([j for j in webs if j.web != web]) for web in dict.fromkeys(judged.web for judged in webs)}
    return [
        {"web": judged.web, "topic": judged.topic, "function": name, "pages": len(R),
         "labelled": int(judged.label.sum()),
         **measured(R, judged.label, THRESHOLDS.get(name.partition(",")[0]))}
        for judged in webs for name, R in ranked(fits[judged.web], judged).items()
    ]  # fmt: skip


def values(rows: Sequence[report.Row], function: str, measure: str, web: str | None = None) -> Floats:
    """Return a measure of a function for each topic of a web, or of all webs."""
    return np.array([row[measure] for row in rows if row["function"] == function and web in (None, row["web"])])


def interval(differences: Floats) -> tuple[float, float]:
    """Return the 95 % percentile interval of the mean of differences, by bootstrap."""
    drawn = np.random.default_rng(0).choice(differences, (RESAMPLED, len(differences))).mean(axis=1)
    low, high = np.quantile(drawn, (0.025, 0.975))
    return float(low), float(high)


def by_web(result: report.Result) -> list[str]:
    """The table of the means of each web, and of the mean of the webs."""
    rows, functions = result["rows"], (J, EARLY, *OTHERS)
    webs = list(dict.fromkeys(row["web"] for row in rows))
    mean = {(web, f, m): values(rows, f, m, web).mean() for web in webs for f in functions for m in MEASURES[:2]}
    mean |= {("all", f, m): np.mean([mean[web, f, m] for web in webs]) for f in functions for m in MEASURES[:2]}
    lines = [
        (
            "mean of the webs" if web == "all" else web,
            len(values(rows, J, "auc", None if web == "all" else web)),
            *(f"{mean[web, f, 'auc']:.4f} / {mean[web, f, 'at_labelled']:.3f}" for f in functions),
        )
        for web in (*webs, "all")
    ]
    return report.grid(("web left out", "topics", *(f"`{name}`" for name in functions)), lines)


def gains(rows: Sequence[report.Row]) -> list[str]:
    """The table of the differences between J and density, for each web and for all topics."""
    lines = []
    for web in (*dict.fromkeys(row["web"] for row in rows), None):
        cells = []
        for measure in MEASURES:
            gained = values(rows, J, measure, web) - values(rows, "density", measure, web)
            low, high = interval(gained)
            cells += [f"{gained.mean():+.4f} [{low:+.4f}, {high:+.4f}]", f"{int((gained < 0).sum())}"]
        lines.append((web or "all topics", len(gained), *cells))
    head = [title for name in ("AUC", "precision", "F1") for title in (f"{name}: difference", "topics behind")]
    return report.grid(("web left out", "topics", *head), lines)


def verdict(rows: Sequence[report.Row]) -> list[str]:
    """What follows by the rule: J is better than density on every web left out, or density stays the default."""
    behind = [
        web for web in dict.fromkeys(row["web"] for row in rows)
        if any((values(rows, J, m, web) - values(rows, "density", m, web)).mean() <= 0.0 for m in MEASURES[:2])
    ]  # fmt: skip
    single = [
        f"{row['topic']} ({row['web']})" for row in rows
        if row["function"] == J and row["auc"] < like(rows, row, "density")["auc"]
    ]  # fmt: skip
    rule = (
        f"J is not better than density on {', '.join(behind)}: by the rule, density is the default and J an option."
        if behind
        else "On the mean of the topics of each web left out, J is better than density by AUC and by precision: by the "
        "rule, it may be a default."
    )
    return [RULE, rule, f"By AUC J is behind density on these single topics: {', '.join(single) or 'none'}."]


def like(rows: Sequence[report.Row], row: report.Row, function: str) -> report.Row:
    """Return the row of another function for the same topic."""
    wanted = (row["web"], row["topic"], function)
    return next(other for other in rows if (other["web"], other["topic"], other["function"]) == wanted)


def by_topic(rows: Sequence[report.Row]) -> list[str]:
    """The table of all topics."""
    functions = (J, "density", "saturated", "paper_000")
    lines = []
    for row in (row for row in rows if row["function"] == J):
        others = [like(rows, row, function) for function in functions]
        cells = [" / ".join(f"{other[m]:.3f}" for m in MEASURES if m in other) for other in others]
        lines.append((row["web"], row["topic"], row["pages"], row["labelled"], *cells))
    return report.grid(("web", "topic", "pages", "labelled", *(f"`{function}`" for function in functions)), lines)


def page(result: report.Result) -> str:
    """docs/benchmarks/judge.md."""
    rows = result["rows"]
    weights = zip(("intercept", *FIGURES), (result["intercept"], *result["weights"]), strict=True)
    lines = [
        *ABOUT, "", *by_web(result), "",
        "## J against density", "", *verdict(rows), "",
        "F1 is of the pages above the threshold of each judge. Intervals are of 95 %, by bootstrap over the topics;",
        "those of webs with few topics say little.", "",
        *gains(rows), "",
        "## Topics", "", "AUC / precision at as many pages as are labelled / F1.", "", *by_topic(rows), "",
        "## Weights", "",
        f"The weights that are used, fitted on all of these webs with a ridge of {result['ridge']} by",
        "`python -m tools.fit_judge`:", "", *report.grid(("figure", "weight"), weights), "",
        f"{report.machine(result)}.",
    ]  # fmt: skip
    return report.page("The judge `evidence` on webs that it was not fitted on", COMMAND, lines)


def main() -> int:
    """Measure, and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--pages", type=int, default=2000, metavar="N", help="of each synthetic web")
    options = arguments.parse_args()
    rows = rows_of(list(judged_webs(options.pages)))
    result = report.head("judge", rows=rows, ridge=RIDGE, intercept=INTERCEPT, weights=WEIGHTS)
    report.publish(result, options.json, page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
