"""What the tools of the house compute: the lowest versions, and that none of them is in the wheel."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tools.lowest import lowest

ROOT = Path(__file__).resolve().parent.parent
PROJECT = """
[project]
name = "thing"
dependencies = ["numpy>=2.0", "neo4j>=6.4,<7", "engine==1.2.post1; sys_platform != 'darwin'", "other[html]>=3"]
[project.optional-dependencies]
test = ["thing[fast,owl]", "pytest>=8.2"]
fast = ["rust >= 0.2"]
owl = ["numpy>=2.0"]
dev = ["ruff>=0.8"]
"""


def test_lower_bounds_become_versions_and_extras_bring_theirs() -> None:
    found = ["numpy==2.0", "neo4j==6.4", "engine==1.2.post1", "other==3", "pytest==8.2", "rust==0.2"]
    assert list(lowest(PROJECT, ["test"])) == found
    assert list(lowest(PROJECT, [])) == found[:4]


def test_a_dependency_without_a_lower_bound_is_named() -> None:
    with pytest.raises(ValueError, match="requests<3: expected a lower bound"):
        list(lowest('[project]\nname = "thing"\ndependencies = ["requests<3"]\n', []))


def test_all_that_the_tests_need_has_a_lower_bound() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    names = {
        line.partition("==")[0] for line in lowest((ROOT / "pyproject.toml").read_text(encoding="utf-8"), ["test"])
    }
    assert {"numpy", "pytest", "pyshacl", "pandas"} <= names and len(names) > len(project["project"]["dependencies"])
    assert "tools" not in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
