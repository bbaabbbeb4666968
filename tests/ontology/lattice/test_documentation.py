from __future__ import annotations

import doctest
from pathlib import Path


def test_the_examples_of_the_documentation() -> None:
    path = Path(__file__).resolve().parents[3] / "docs" / "lattice.md"
    found = doctest.testfile(str(path), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.attempted > 20
    assert found.failed == 0
