"""The judges of pages against labels: how well each ranks, and what its threshold accepts.

    python -m benchmarks.page_judges [--json docs/benchmarks/page_judges.json] [--pages 1200] [--calibrated 3000]

Every page of a web is judged by the words of its topic. The thresholds of judges that have one of their own
were chosen on planted (seed 0) and on wikispeedia by hazard_all; other webs and label sets check them.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from benchmarks import report
from benchmarks.strategies import WIKISPEEDIA
from crawler.fetching.fetch import Fetcher
from crawler.model import Floats, World
from crawler.pages.page import PageRecord, page_record
from crawler.scoring.statistics import Statistics
from crawler.text import Matcher, Vocabulary
from crawler.worlds import CorpusWorld
from crawler.worlds.synthetic import synthetic_world
from ontocrawl import judges, topics, workspace
from ontocrawl.lab.labelling.estimates import auc
from ontocrawl.topics import TopicFile

COMMAND = "python -m benchmarks.page_judges --json docs/benchmarks/page_judges.json"
DEVELOPMENT = ("planted, seed 0", "wikispeedia, hazard_all")
PLANTED = (("planted", 0), ("planted", 1), ("tangled", 0))
"""Presets and seeds of the webs of the topic `rainstorm`."""
CALIBRATED = {
    "rainstorm": "rainstorm", "typhoon": "typhoon", "event": "haiyan", "sports": "sports",
    "call_for_papers": "call_for_papers",
}  # fmt: skip
"""Preset of each web that is calibrated to real ones -> its topic."""
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


@dataclass(frozen=True)
class LabelledWeb:
    """A web with labels.

    Attributes:
        name: its name on the page.
        topic: name of the topic by which its pages are judged.
        world: the web.
        urls: the URLs of its pages.
        labels: label set -> URLs of the relevant pages; "" where there is one set.
    """

    name: str
    topic: str
    world: World
    urls: list[str]
    labels: Mapping[str, set[str]]


def webs(pages: int, calibrated: int) -> Iterator[LabelledWeb]:
    """Yield the webs.

    Args:
        pages: number of pages of each planted web.
        calibrated: number of pages of each calibrated web.
    """
    planted = [(preset, seed, pages, "rainstorm") for preset, seed in PLANTED]
    for preset, seed, number, topic in (*planted, *((p, 0, calibrated, t) for p, t in CALIBRATED.items())):
        world = synthetic_world(preset, number, seed)
        name = f"{preset}, calibrated" if preset in CALIBRATED else f"{preset}, seed {seed}"
        yield LabelledWeb(name, topic, world, list(world.labels()), {"": set(world.relevant_urls())})
    if WIKISPEEDIA.is_dir():
        corpus = CorpusWorld(WIKISPEEDIA)
        sets = json.loads((WIKISPEEDIA / "topics.json").read_text(encoding="utf-8"))
        labels = {name: {corpus.url_of(unquote(page)) for page in sets[name]} for name in LABEL_SETS}
        yield LabelledWeb("wikispeedia", "rainstorm", corpus, list(corpus.urls()), labels)


def scores(name: str, pages: list[PageRecord], topic: TopicFile, vocabulary: Vocabulary) -> Floats:
    """Return R of each page by a judge, with the document frequencies of all of them, shape (n,)."""
    function, counted = judges.judge_of(name, topic).relevance, Statistics({"TK": vocabulary})
    for page in pages:
        counted.add(page.counts)
    return np.array(
        [function.page(page.counts["TK"], vocabulary.weights, counted, "TK", page.length) for page in pages]
    )


def measured(name: str, web: str, R: Floats, label: np.typing.NDArray[np.bool_], topic: TopicFile) -> report.Row:
    """Return the figures of a judge on a web."""
    judge = judges.judge_of(name, topic)
    accepted = np.array([judge.verdict(value) for value in R])
    order, n = np.argsort(-R, kind="stable"), int(label.sum())
    right = int((accepted & label).sum())
    return {
        "web": web, "topic": topic.name, "function": topic.relevance,
        "judge": name, "threshold": judge.threshold, "pages": len(R), "labelled": n,
        "auc": round(auc(R, label) or 0.0, 4), "at_20": float(label[order[:20]].mean()),
        "at_labelled": round(float(label[order[:n]].mean()), 4), "accepted": int(accepted.sum()),
        "precision": round(right / max(int(accepted.sum()), 1), 4), "recall": round(right / n, 4),
        "f1": round(2 * right / (int(accepted.sum()) + n), 4),
    }  # fmt: skip


def measure(pages: int, calibrated: int) -> list[report.Row]:
    """Return a row for each judge and labelled web."""
    names = [name for name in judges.names() if name not in (judges.TOPIC, *SKIPPED)]
    rows = []
    with tempfile.TemporaryDirectory(prefix="ontocrawl-judges-") as folder:
        space = workspace.init(Path(folder) / "ws")
        for web in webs(pages, calibrated):
            topic = topics.load(web.topic, space).file
            vocabulary = topic.vocabulary()
            found = list(records(web.world, web.urls, Matcher((vocabulary,))))
            R = {name: scores(name, found, topic, vocabulary) for name in names}
            for set_name, urls in web.labels.items():
                label = np.array([page.final_url in urls for page in found])
                title = f"{web.name}, {set_name}" if set_name else web.name
                rows += [measured(name, title, R[name], label, topic) for name in names]
    return rows


def page(result: report.Result) -> str:
    """docs/benchmarks/page_judges.md."""
    lines = [
        "Every page of a web, judged by the words of its topic. Judges without a threshold of their own have that of",
        "the topic. AUC is the chance that a relevant page has a larger R than another one; the first precision is",
        "that of the 20 pages of the largest R, the second that of as many pages as are labelled. The thresholds of",
        f"`density` and `saturated` were chosen on {' and on '.join(DEVELOPMENT)};",
        "all other webs and label sets are for checking.",
        "",
        *_overview(result),
    ]
    for web in dict.fromkeys(row["web"] for row in result["rows"]):
        of: list[dict[str, Any]] = [row for row in result["rows"] if row["web"] == web]
        grid = [
            (f"`{row['judge']}`", row["threshold"], *(f"{row[key]:.3f}" for key in ("auc", "at_20", "at_labelled")),
             row["accepted"], *(f"{row[key]:.3f}" for key in ("precision", "recall", "f1")))
            for row in sorted(of, key=lambda row: -row["auc"])
        ]  # fmt: skip
        lines += [f"## {web}", "", f"{of[0]['labelled']} of {of[0]['pages']:,} pages are labelled relevant.",
                  f"The topic is `{of[0]['topic']}`, whose own function is `{of[0]['function']}`.", ""]  # fmt: skip
        lines += [*report.grid(COLUMNS, grid), ""]
    lines.append(f"{report.machine(result)}.")
    return report.page("Judges of pages against labels", COMMAND, lines)


def _overview(result: report.Result) -> list[str]:
    """Return the table of AUC and precision at as many as labelled, of each judge on each web."""
    by = {(row["web"], row["judge"]): row for row in result["rows"]}
    names = list(dict.fromkeys(name for _, name in by))
    grid = [
        (web, *(f"{by[web, name]['auc']:.3f}, {by[web, name]['at_labelled']:.3f}" for name in names))
        for web in dict.fromkeys(web for web, _ in by)
    ]
    head = ["## All webs", "", "AUC, and precision at as many as are labelled.", ""]
    return [*head, *report.grid(("web", *(f"`{name}`" for name in names)), grid), ""]


def main() -> int:
    """Measure, and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--pages", type=int, default=1200, metavar="N", help="of each planted web")
    arguments.add_argument("--calibrated", type=int, default=3000, metavar="N", help="pages of each calibrated web")
    options = arguments.parse_args()
    report.publish(report.head("page_judges", rows=measure(options.pages, options.calibrated)), options.json, page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
