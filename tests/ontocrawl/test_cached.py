"""`crawl run --target cached`: which other runs count, what is reported, and what is said where there are none."""

from __future__ import annotations

import shutil

import pytest

from ontocrawl.base.workspace import Workspace
from tests.ontocrawl.conftest import Command

WORLD = "synthetic:planted?pages=600&seed=77"


@pytest.mark.slow
def test_links_are_judged_by_pages_that_other_runs_have_read(command: Command, space: Workspace) -> None:
    run = ("crawl", "run", "--no-graph", "--workspace", space.root, "--json", "--limit-pages", "40")
    ahead = (*run, "--world", WORLD, "--strategy", "fcosa_lg", "--target", "cached")
    command(*run, "--world", WORLD, "--strategy", "best_first", "--run", "words-only")  # counts no classes
    alone = command(*ahead, "--run", "cached-alone")
    assert (alone.json["known_ahead"], alone.json["looked_ahead"]) == (0, 0)
    assert "no other run of this world" in alone.err
    command(*run, "--world", WORLD, "--strategy", "fcosa_g", "--run", "before")
    command(*run, "--world", "synthetic:planted?pages=600&seed=78", "--strategy", "breadth_first", "--run", "elsewhere")
    with_others = command(*ahead, "--run", "later")
    assert with_others.json["fetched"] == 40
    assert with_others.json["looked_ahead"] == 0
    assert with_others.json["known_ahead"] > 0
    assert "no other run" not in with_others.err
    shutil.rmtree(space.run("before"))
    resumed = command("crawl", "resume", "later", "--limit-pages", "50", "--no-graph", "--workspace", space.root)
    assert resumed.code == 2
    assert "run before" in resumed.err and "put it back" in resumed.err
