"""`crawl status`: AR, SD, RC and milestones of a run against its pages, and what two runs have in common."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean, pstdev

import pytest

from crawler import strategies
from crawler.worlds import SyntheticWorld
from ontocrawl.base.workspace import Workspace
from tests.ontocrawl.conftest import Command


def test_crawl_status_measures_a_run_as_it_went_on(command: Command, space: Workspace, crawled: str) -> None:
    status = command("crawl", "status", crawled, "--workspace", space.root, "--json").json
    pages = command("crawl", "pages", crawled, "--workspace", space.root, "--json").json["pages"]
    R = [page["relevance"] for page in pages]
    assert list(status["milestones"]) == ["100", "end"]
    for measures, values in ((status["milestones"]["100"], R[:100]), (status["milestones"]["end"], R), (status, R)):
        relevant = [r for r in values if r > 0.7]
        assert (measures["fetched"], measures["relevant"]) == (len(values), len(relevant))
        assert [measures["ar"], measures["sd"]] == pytest.approx([fmean(values), pstdev(values)])
        assert [measures["ar_lp"], measures["sd_lp"]] == pytest.approx([fmean(relevant), pstdev(relevant)])
    targets = set(SyntheticWorld("planted", 600, 0).relevant_urls())
    assert status["rc"] == pytest.approx(len(targets & {page["url"] for page in pages}) / len(targets), abs=0.02)
    assert 0 < status["milestones"]["100"]["relevant_by_label"] <= status["relevant_by_label"] <= 120
    shown = command("crawl", "status", crawled, "--workspace", space.root).out
    assert "RC" in shown and f"{status['rc']:.4f}" in shown and f"{status['milestones']['100']['ar']:.4f}" in shown


def test_crawl_status_compares_runs(command: Command, space: Workspace, crawled: str, tmp_path: Path) -> None:
    labels = tmp_path / "labels.json"
    labels.write_text('{"none": []}', encoding="utf-8")
    other = ("crawl", "run", "--world", "synthetic:planted?pages=600&seed=0", "--strategy", "breadth_first")
    limits = ("--limit-pages", "30", "--run", "unlabelled", "--labels", f"{labels}#none", "--no-graph")
    assert command(*other, *limits, "--workspace", space.root).code == 0
    urls = {
        run: {p["url"] for p in command("crawl", "pages", run, "--workspace", space.root, "--json").json["pages"]}
        for run in (crawled, "unlabelled")
    }
    document = command("crawl", "status", crawled, "unlabelled", "--workspace", space.root, "--json").json
    assert [run["run"] for run in document["runs"]] == [crawled, "unlabelled"]
    assert document["runs"][1]["rc"] is None and document["runs"][1]["relevant_by_label"] == 0
    both, either = urls[crawled] & urls["unlabelled"], urls[crawled] | urls["unlabelled"]
    pair = {"runs": [crawled, "unlabelled"], "ratio": len(both) / len(either)}
    assert document["superposition"] == [pair] and 0 < pair["ratio"] < 1
    shown = command("crawl", "status", crawled, "unlabelled", "--workspace", space.root).out
    assert f"{pair['ratio']:.4f}" in shown and "unlabelled" in shown
    listed = command("crawl", "status", "--workspace", space.root, "--json").json
    assert set(listed) == {"runs", "hidden", "bin"} and {crawled, "unlabelled"} <= {
        run["run"] for run in listed["runs"]
    }


@pytest.mark.slow
def test_rules_that_never_fired_are_named(command: Command, space: Workspace) -> None:
    """PR >= 2 of paper 002: over all known links no page reaches it, over the crawled ones some do."""
    options = ("--world", "synthetic:planted?pages=2000&seed=0", "--strategy", "wang_landau", "--no-graph")
    place = ("--workspace", space.root)
    for run, *over in (("crawled_pages",), ("all_links", "--param", "PR_over=links")):
        assert command("crawl", "run", *options, *over, "--limit-pages", "300", "--run", run, *place).code == 0
    dead, living = (command("crawl", "status", run, "--json", *place).json for run in ("all_links", "crawled_pages"))
    assert dead["rules"]["valuable"] == 0 and "valuable" in dead["never_fired"]
    assert living["rules"]["valuable"] > 0 and "valuable" not in living["never_fired"]
    assert dead["rules"]["relevant"] > 300 / 2 and living["rules"]["relevant"] > 0
    said = [one["text"] for one in dead["diagnosis"]["findings"] if one["code"] == "rules"]
    assert len(said) == 1 and said[0].startswith("rules of wang_landau that never fired: valuable")
    shown = command("crawl", "status", "all_links", *place).out
    assert "How often each rule of wang_landau fired" in shown and "never" in shown and said[0] in shown


def test_a_strategy_without_rules_has_none_to_name(command: Command, space: Workspace, crawled: str) -> None:
    status = command("crawl", "status", crawled, "--workspace", space.root, "--json").json
    rules = strategies.get(status["strategy"]).rules
    assert (status["rules"] or {}).keys() == rules.keys()
