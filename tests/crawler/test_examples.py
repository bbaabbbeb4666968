"""The examples run, one for each family of strategies."""

from __future__ import annotations

import subprocess
import sys

import pytest

from crawler.strategies import STRATEGIES
from examples.strategies import EXAMPLES


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_it_finds_relevant_pages_for_each_value(name: str) -> None:
    found = EXAMPLES[name].harvests(webs=1)
    assert len(found) >= 2
    assert all(harvest > 0 for harvest in found.values()), found


def test_every_family_has_one() -> None:
    files = {STRATEGIES[strategy].__module__ for example in EXAMPLES.values() for strategy in example.strategies}
    assert len(files) >= 12, files


@pytest.mark.slow
def test_as_a_program() -> None:
    def run(*names: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "examples.strategies", *names], capture_output=True, text=True)

    shown = run("genetic")
    assert shown.returncode == 0, shown.stderr
    assert [line.split()[0] for line in shown.stdout.splitlines()[1:]] == ["relevant", "hubs"]
    unknown = run("nothing")
    assert unknown.returncode == 1
    assert "web_space_evolution" in unknown.stderr
