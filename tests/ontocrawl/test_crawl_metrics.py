"""`--metrics`: what is served, by the parsers of Prometheus' client; the dashboard; a crawl that is not asked."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from prometheus_client.metrics_core import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as text_format

from crawler.crawl import Crawl
from crawler.stages import STAGES, StageClock
from crawler.step import Step
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import CommandError, UsageError
from ontocrawl.runs import crawl_metrics, runs
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.test_run_status import BEAT

CRAWL = ("--world", "synthetic:planted?pages=300&seed=0", "--strategy", "breadth_first", "--no-graph", "--run", "mine")
DASHBOARD = Path(__file__).parents[2] / "docs" / "grafana-dashboard.json"


@pytest.fixture
def mine(tmp_path: Path) -> Workspace:
    return workspace.init(tmp_path / "ws")


def scraped(url: str, accept: str = "text/plain") -> str:
    request = urllib.request.Request(url, headers={"Accept": accept})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return str(answer.read().decode())


def values(metrics: Iterable[Metric]) -> dict[str, float]:
    """Name with its labels -> value, of the samples."""
    return {
        sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for metric in metrics
        for sample in metric.samples
        if sample.name != "ontocrawl_crawl_info"
    }


@pytest.mark.slow
def test_a_crawl_is_scraped_while_it_runs(command: Command, mine: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[str] = []
    pages: list[str] = []
    monkeypatch.setattr("ontocrawl.cli.crawl_run.note", notes.append)
    monkeypatch.setattr("crawler.heartbeat.INTERVAL", 0.0)

    def scrape(step: Step) -> None:
        if step.fetched == 40:
            url = next(line.removeprefix("metrics: ") for line in notes if line.startswith("metrics: "))
            pages.extend([url, scraped(url), scraped(url, "application/openmetrics-text; version=1.0.0")])

    begin = runs.begin
    monkeypatch.setattr(
        runs, "begin", lambda at, config, world, on_step, *more: begin(at, config, world, scrape, *more)
    )
    asked = ("crawl", "run", *CRAWL, "--limit-pages", "60", "--metrics", "0", "--workspace", mine.root)
    assert command(*asked).code == 0
    url, text, open_text = pages
    assert url.startswith("http://127.0.0.1:")
    found = values(text_format(text))
    assert set(values(openmetrics(open_text))) == set(found)  # type: ignore[no-untyped-call]
    assert 38 <= found["ontocrawl_crawl_pages_total"] <= 40
    assert found["ontocrawl_crawl_received_bytes_total"] > 100 * found["ontocrawl_crawl_pages_total"]
    assert found["ontocrawl_crawl_queued_links"] > 0 and 0 < found["ontocrawl_crawl_harvest_ratio"] <= 1
    assert found["process_resident_memory_bytes"] > 1e7
    stages = {stage: found[f"ontocrawl_crawl_stage_seconds_total {stage}"] for stage in STAGES}
    assert all(stages[stage] > 0.0 for stage in ("wait", "choose", "score", "journal"))
    assert sum(stages.values()) <= found["ontocrawl_crawl_seconds_total"] + 2.0
    assert 'ontocrawl_crawl_info{run="mine",strategy="breadth_first"' in text
    with pytest.raises(OSError, match="refused"):
        scraped(url)


def test_names_and_units_are_those_of_prometheus(mine: Workspace) -> None:
    for metric in crawl_metrics._metrics_of(BEAT, dict.fromkeys(STAGES, 1.0), {"run": "mine"}):
        assert re.fullmatch(r"(ontocrawl_crawl|process)(_[a-z]+)*", metric.name) and metric.documentation.endswith(".")
        for sample in metric.samples:
            assert (metric.type == "counter") == sample.name.endswith("_total")
            assert not re.search(r"minute|millisecond|kilo|mega|percent", sample.name)


@pytest.mark.slow
def test_no_metrics_without_a_crawl_and_no_cost_without_being_asked(command: Command, mine: Workspace) -> None:
    assert list(crawl_metrics.CrawlMetrics().collect()) == []
    seen: list[set[str]] = []

    def look(crawl: Crawl) -> AbstractContextManager[None]:
        seen.append({name for part in ("pool", "scheduler", "state", "journal") for name in vars(getattr(crawl, part))})
        return real(crawl)

    from ontocrawl.cli import crawl_run

    real = crawl_run._stopping
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crawl_run, "_stopping", look)
        assert command("crawl", "run", *CRAWL, "--limit-pages", "5", "--workspace", mine.root).code == 0
        more = ("--limit-pages", "8", "--metrics", "0", "--workspace", mine.root)
        assert command("crawl", "resume", "mine", *more).code == 0
    wrapped = {"wait", "choose", "absorb", "snapshot", "commit"}
    assert not wrapped & seen[0] and wrapped <= seen[1]


def test_stages_within_stages_add_up() -> None:
    times = iter([0.0, 1.0, 3.0, 7.0, 15.0])
    clock = StageClock(lambda: next(times))
    inner = clock.timed("journal", lambda: None)
    clock.timed("snapshot", inner)()
    spent = clock.seconds
    assert (spent["other"], spent["snapshot"], spent["journal"]) == (1.0, 2.0 + 8.0, 4.0)


@pytest.mark.parametrize("place", ["", "x", "70000", "-1", "localhost:", "1.5"])
def test_a_place_that_is_none_is_refused(command: Command, mine: Workspace, place: str) -> None:
    with pytest.raises(UsageError, match="expected PORT or ADDRESS:PORT"):
        crawl_metrics._place_of(place)
    found = command("crawl", "run", *CRAWL, f"--metrics={place}", "--workspace", mine.root)
    assert found.code == 2 and "--metrics" in found.err and not (mine.runs / "mine").exists()


def test_a_port_in_use_is_said_before_the_crawl() -> None:
    lines: list[str] = []
    with crawl_metrics.served("0", lines.append):
        port = re.search(r":(\d+)/", lines[0])
        assert port is not None
        with pytest.raises(CommandError, match="give another port"), crawl_metrics.served(port[1], lines.append):
            pass


def test_the_dashboard_asks_only_for_metrics_that_there_are() -> None:
    document = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    beat = BEAT
    known = {
        sample
        for metric in crawl_metrics._metrics_of(beat, dict.fromkeys(STAGES, 1.0), {"run": "mine"})
        for sample in (metric.name, f"{metric.name}_total", f"{metric.name}_info")
    }
    queries = [target["expr"] for panel in document["panels"] for target in panel["targets"]]
    queries += [variable["query"] for variable in document["templating"]["list"] if variable["type"] == "query"]
    asked = {name for query in queries for name in re.findall(r"\b(?:ontocrawl|process)_\w+", query)}
    assert len(queries) >= 8 and asked <= known, asked - known
    assert all(query.count("(") == query.count(")") for query in queries)
