"""A strategy that is not registered: the page that teaches it, its example, and the command line."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from crawler import strategies
from crawler.model import Outcome, PageScore, Picks
from crawler.strategies import StrategyError, UnknownStrategyError
from crawler.testing import check_strategy

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "cautious.py"
PAGE = ROOT / "docs" / "python.md"


@pytest.mark.slow
def test_the_page_has_the_code_of_the_example_and_its_examples_run(monkeypatch: pytest.MonkeyPatch) -> None:
    text = PAGE.read_text(encoding="utf-8")
    section = text.partition("\n## Write your own strategy\n")[2]
    imports, code = (part.split("```")[0].strip() for part in section.split("```python\n")[1:3])
    assert code in EXAMPLE.read_text(encoding="utf-8")
    subprocess.run([sys.executable, "-W", "error", "-c", imports], cwd=ROOT, check=True)
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert failed == 0 and tried > 40


@pytest.mark.parametrize("told", [Picks, Outcome, PageScore])
def test_the_page_names_every_field_that_a_strategy_gives_or_is_told(told: type) -> None:
    text = PAGE.read_text(encoding="utf-8")
    names = [field.name for field in fields(told) if field.name != "by_guide"]  # which members of a mixture never see
    assert [name for name in names if f"`{name}`" not in text and f"`.{name}" not in text] == []


def run(file: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(file)], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_example_checks_itself() -> None:
    done = run(EXAMPLE)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("cautious meets all requirements") and done.stdout.count("\n") == 1


@pytest.mark.slow
def test_an_example_that_forgets_its_host_says_so_in_a_sentence(tmp_path: Path) -> None:
    code = EXAMPLE.read_text(encoding="utf-8")
    kept = 'return {"last": self._last, "picked": self._picked}'
    taken = 'self._last, self._picked = int(state["last"]), int(state["picked"])'
    assert kept in code and taken in code
    changed = code.replace(kept, 'return {"picked": self._picked}').replace(
        taken, 'self._picked = int(state["picked"])'
    )
    (tmp_path / "forgetful.py").write_text(changed, encoding="utf-8")
    done = run(tmp_path / "forgetful.py")
    assert (done.returncode, done.stdout) == (1, "")
    assert "not what they were: _last;" in done.stderr and "Traceback" not in done.stderr


def test_a_class_of_a_file_or_a_module() -> None:
    of_file = strategies.get(f"{EXAMPLE}:Cautious")
    assert of_file is strategies.get(f"{EXAMPLE}:Cautious")
    assert of_file.name == strategies.get("examples.cautious:Cautious").name == "cautious"
    assert strategies.create(f"{EXAMPLE}:Cautious", {"patience": 0.1}).parameters.patience == 0.1


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (f"{EXAMPLE}:Bold", "has no class 'Bold'"),
        (f"{EXAMPLE}:CautiousParameters", "has no class 'CautiousParameters'"),
        ("absent.py:Cautious", "absent.py cannot be imported"),
        ("no.such.module:Cautious", "no.such.module cannot be imported"),
    ],
)
def test_what_is_no_strategy(asked: str, says: str) -> None:
    with pytest.raises(UnknownStrategyError, match=says):
        strategies.get(asked)


def test_a_file_that_is_no_python(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class Mine(:\n", encoding="utf-8")
    with pytest.raises(UnknownStrategyError, match=r"mine\.py cannot be imported"):
        strategies.get(f"{tmp_path / 'mine.py'}:Mine")


OF_MINE = """
from crawler.strategies.breadth_first import BreadthFirst
from crawler.testing import check_strategy


class Mine(BreadthFirst):
    \"\"\"Breadth first, under another name.\"\"\"

    name = "mine"
    paper = "Written for a test"


if __name__ == "__main__":
    check_strategy(Mine)
    print("checked")
"""


@pytest.mark.slow
def test_a_file_may_check_its_own_class_when_it_is_run(tmp_path: Path) -> None:
    """As the page says; the other process imports the file, of which __main__ is no name."""
    file = tmp_path / "mine.py"
    file.write_text(OF_MINE, encoding="utf-8")
    given = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, str(file)], env=given, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "checked\n"), done.stderr


COMPLETE = """
from crawler.strategies.best_first import BestFirst
from crawler.strategies.base import Strategy
import numpy as np

class Mine({base}):
    {body}
"""


@pytest.mark.parametrize(
    ("base", "body", "said"),
    [
        ("Strategy", "pass", 'add name = "..", title = "..", paper = "..", def choose(..), def priority(..)'),
        ("BestFirst", "title = ' '", 'add title = ".." to the class'),
        ("BestFirst", "name = 7", 'add name = ".." to the class'),
        ("BestFirst", "name = 'My Strategy'", "the name 'My Strategy' must be snake case"),
        ("BestFirst", "features = 'anchor:TK'", "features must be a tuple, such as features = ('anchor:TK',)"),
        ("BestFirst", "Parameters = dict", "Parameters must be a frozen dataclass"),
    ],
)
def test_an_incomplete_strategy_is_told_what_to_add(tmp_path: Path, base: str, body: str, said: str) -> None:
    (tmp_path / "mine.py").write_text(COMPLETE.format(base=base, body=body), encoding="utf-8")
    with pytest.raises(StrategyError, match=re.escape(said)) as caught:
        strategies.get(f"{tmp_path / 'mine.py'}:Mine")
    assert str(caught.value).startswith("strategy Mine")
    with pytest.raises(StrategyError, match=re.escape(said)):
        check_strategy(sys.modules["mine"].Mine)
    del sys.modules["mine"]


@pytest.mark.parametrize("name", strategies.STRATEGIES)
def test_registered_strategies_are_complete(name: str) -> None:
    assert strategies.place_of(strategies.get(name)) == name
