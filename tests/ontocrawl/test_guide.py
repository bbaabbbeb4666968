"""`crawl run --guide`: a strategy computes with another relevance function than its published one."""

from __future__ import annotations

import pytest

from crawler import strategies
from ontocrawl.base.workspace import Workspace
from tests.ontocrawl.conftest import Command

WORLD = "synthetic:planted?pages=400&seed=3"


def trace(command: Command, space: Workspace, run: str, *options: str) -> list[str]:
    """The URLs of a crawl of 60 pages in the order of fetching."""
    place = ("--workspace", space.root)
    of_run = ("--no-graph", "--run", f"guide-{run}", "--world", WORLD, "--limit-pages", "60")
    assert command("crawl", "run", *place, *of_run, *options).code == 0
    return [row["url"] for row in command("crawl", "pages", f"guide-{run}", "--json", *place).json["pages"]]


@pytest.mark.slow
def test_the_guide_steers_and_is_kept_with_the_run(command: Command, space: Workspace) -> None:
    gafc = ("--strategy", "gafc")
    published = trace(command, space, "published", *gafc)
    assert trace(command, space, "named", *gafc, "--guide", "paper_004") == published
    other = trace(command, space, "other", *gafc, "--guide", "density")
    assert other != published
    stopped = trace(command, space, "stopped", *gafc, "--guide", "density", "--limit-pages", "30")
    assert stopped == other[:30]
    command("crawl", "resume", "guide-stopped", "--limit-pages", "60", "--no-graph", "--workspace", space.root)
    resumed = command("crawl", "pages", "guide-stopped", "--json", "--workspace", space.root).json["pages"]
    assert [row["url"] for row in resumed] == other


@pytest.mark.slow
def test_a_guide_that_compares_by_meaning_gets_its_similarities(command: Command, space: Workspace) -> None:
    by_meaning = trace(command, space, "ssvsm", "--strategy", "best_first", "--guide", "ssvsm")
    assert by_meaning != trace(command, space, "plain", "--strategy", "best_first")


@pytest.mark.slow
def test_members_of_a_mixture_share_the_guide(command: Command, space: Workspace) -> None:
    mixture = strategies.create("mixture", {"members": "best_first,gafc"})
    assert mixture.guides == ("paper_000", "paper_004")
    mixture.guided_by("paper_002")
    assert (mixture.guide, mixture.guides) == ("paper_002", ("paper_002",))
    assert {column.partition("@")[2] for column in mixture.features} == {"paper_002"}
    assert len(trace(command, space, "mixed", "--strategy", "mixture", "--guide", "density")) == 60


def test_an_unknown_guide_is_named(command: Command, space: Workspace) -> None:
    found = command("crawl", "run", "--world", WORLD, "--guide", "paper_04_sum", "--workspace", space.root)
    assert found.code == 2
    assert "'paper_04_sum'; did you mean paper_004_sum?" in found.err
