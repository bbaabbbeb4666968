"""The judges of pages against labels: how well each ranks, and what its threshold accepts.

    python -m benchmarks.page_judges [--json docs/benchmarks/page_judges.json] [--pages 1200]

Every page of a web is judged by the words of the topic `rainstorm`. The thresholds of judges that have one of their own
were chosen on planted (seed 0) and on wikispeedia by hazard_all; other webs and label sets check them.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from scipy.stats import rankdata

from benchmarks import report
from benchmarks.strategies import WIKISPEEDIA
from crawler.fetching.fetch import Fetcher
from crawler.model import Floats, World
from crawler.pages.page import PageRecord, page_record
from crawler.scoring.statistics import Statistics
from crawler.text import Matcher, Vocabulary
from crawler.worlds import CorpusWorld, SyntheticWorld
from ontocrawl import judges, topics, workspace
from ontocrawl.topics import TopicFile

COMMAND = "python -m benchmarks.page_judges --json docs/benchmarks/page_judges.json"
DEVELOPMENT = ("planted, seed 0", "wikispeedia, hazard_all")
LABEL_SETS = ("hazard_all", "storms", "natural_disasters", "climate_weather")
SKIPPED = ("ssvsm", "paper_000_page", "paper_002_printed", "paper_003", "paper_004_sum")
"""Judges that need more than counts, or are variants of others."""
COLUMNS = (
    "judge", "threshold", "AUC", "precision at 20", "at as many as labelled", "accepted", "precision", "recall", "F1",
)  # fmt: skip


def records(world: World, urls: list[str], matcher: Matcher) -> Iterator[PageRecord]:
    """Yield the pages of URLs; failures and redirects to other pages are left out."""
    fetcher = Fetcher(world, user_agent="ontocrawl")
    for url in urls:
        record = page_record(url, fetcher.get(url), matcher)
        if record.failure is None and record.final_url == url:
            yield record


def webs(pages: int, matcher: Matcher) -> Iterator[tuple[str, list[PageRecord], Mapping[str, set[str]]]]:
    """Yield name, pages, and label set -> URLs of each web."""
    for preset, seed in (("planted", 0), ("planted", 1), ("tangled", 0)):
        world = SyntheticWorld(preset, pages, seed)
        yield (
            f"{preset}, seed {seed}",
            list(records(world, list(world.labels()), matcher)),
            {"": set(world.relevant_urls())},
        )
    if WIKISPEEDIA.is_dir():
        corpus = CorpusWorld(WIKISPEEDIA)
        sets = json.loads((WIKISPEEDIA / "topics.json").read_text(encoding="utf-8"))
        labels = {name: {corpus.url_of(unquote(page)) for page in sets[name]} for name in LABEL_SETS}
        yield "wikispeedia", list(records(corpus, list(corpus.urls()), matcher)), labels


def scores(name: str, pages: list[PageRecord], topic: TopicFile, vocabulary: Vocabulary) -> Floats:
    """Return R of each page by a judge, with the document frequencies of all of them, shape (n,)."""
    function, counted = judges.judge_of(name, topic).relevance, Statistics({"TK": vocabulary})
    for page in pages:
        counted.add(page.counts)
    return np.array(
        [function.page(page.counts["TK"], vocabulary.weights, counted, "TK", page.length) for page in pages]
    )


def auc(R: Floats, label: np.typing.NDArray[np.bool_]) -> float:
    """Compute the area under the ROC curve: that a relevant page has a larger R than another one; ties count half."""
    relevant, other = int(label.sum()), int((~label).sum())
    return float((rankdata(R)[label].sum() - relevant * (relevant + 1) / 2) / (relevant * other))


def measured(name: str, web: str, R: Floats, label: np.typing.NDArray[np.bool_], topic: TopicFile) -> report.Row:
    """Return the figures of a judge on a web."""
    judge = judges.judge_of(name, topic)
    accepted = np.array([judge.verdict(value) for value in R])
    order, n = np.argsort(-R, kind="stable"), int(label.sum())
    right = int((accepted & label).sum())
    return {
        "web": web, "judge": name, "threshold": judge.threshold, "pages": len(R), "labelled": n,
        "auc": round(auc(R, label), 4), "at_20": float(label[order[:20]].mean()),
        "at_labelled": round(float(label[order[:n]].mean()), 4), "accepted": int(accepted.sum()),
        "precision": round(right / max(int(accepted.sum()), 1), 4), "recall": round(right / n, 4),
        "f1": round(2 * right / (int(accepted.sum()) + n), 4),
    }  # fmt: skip


def measure(pages: int) -> list[report.Row]:
    """Return a row for each judge and labelled web."""
    with tempfile.TemporaryDirectory(prefix="ontocrawl-judges-") as folder:
        topic = topics.load("rainstorm", workspace.init(Path(folder) / "ws")).file
    vocabulary = topic.vocabulary()
    names = [name for name in judges.names() if name not in (judges.TOPIC, *SKIPPED)]
    rows = []
    for web, found, labels in webs(pages, Matcher((vocabulary,))):
        R = {name: scores(name, found, topic, vocabulary) for name in names}
        for set_name, urls in labels.items():
            label = np.array([page.final_url in urls for page in found])
            title = f"{web}, {set_name}" if set_name else web
            rows += [measured(name, title, R[name], label, topic) for name in names]
    return rows


def page(result: report.Result) -> str:
    """docs/benchmarks/page_judges.md."""
    lines = [
        "Every page of a web, judged by the words of the topic `rainstorm` (function `paper_000`). Judges without a",
        "threshold of their own have that of the topic. AUC is the chance that a relevant page has a larger R than",
        f"another one. The thresholds of `density` and `saturated` were chosen on {' and on '.join(DEVELOPMENT)};",
        "all other webs and label sets are for checking.",
        "",
    ]
    for web in dict.fromkeys(row["web"] for row in result["rows"]):
        of: list[dict[str, Any]] = [row for row in result["rows"] if row["web"] == web]
        grid = [
            (f"`{row['judge']}`", row["threshold"], *(f"{row[key]:.3f}" for key in ("auc", "at_20", "at_labelled")),
             row["accepted"], *(f"{row[key]:.3f}" for key in ("precision", "recall", "f1")))
            for row in sorted(of, key=lambda row: -row["auc"])
        ]  # fmt: skip
        lines += [f"## {web}", "", f"{of[0]['labelled']} of {of[0]['pages']:,} pages are labelled relevant.", ""]
        lines += [*report.grid(COLUMNS, grid), ""]
    lines.append(f"{report.machine(result)}.")
    return report.page("Judges of pages against labels", COMMAND, lines)


def main() -> int:
    """Measure, and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--pages", type=int, default=1200, metavar="N", help="of each synthetic web")
    options = arguments.parse_args()
    report.publish(report.head("page_judges", rows=measure(options.pages)), options.json, page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
