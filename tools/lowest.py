"""The lower bounds of pyproject.toml as constraints for pip: every direct dependency at the lowest version allowed.

    python -m tools.lowest > lowest.txt
    make test VENV=.venv-lowest CONSTRAINTS=lowest.txt PYTEST='-W ignore::DeprecationWarning'

Indirect dependencies are left to pip. A dependency without a lower bound is an error.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

_BOUND = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*(?:>=|==)\s*([0-9][0-9a-z.]*)")


def lowest(text: str, extras: Sequence[str]) -> Iterator[str]:
    """List the lowest versions of the dependencies and of some extras, as lines of a constraints file.

    Args:
        text: a pyproject.toml.
        extras: names of optional dependencies; those that they refer to come with them.

    Yields:
        NAME==VERSION, each requirement once.

    Raises:
        ValueError: a dependency has no lower bound.
    """
    project = tomllib.loads(text)["project"]
    pending = [*project["dependencies"], *(f"{project['name']}[{extra}]" for extra in extras)]
    seen: set[str] = set()
    while pending:
        requirement = pending.pop(0)
        if requirement in seen:
            continue
        seen.add(requirement)
        if requirement.startswith(f"{project['name']}["):
            for extra in requirement[requirement.index("[") + 1 : requirement.index("]")].split(","):
                pending += project["optional-dependencies"][extra]
            continue
        bound = _BOUND.match(requirement)
        if not bound:
            raise ValueError(f"{requirement}: expected a lower bound, NAME>=VERSION")
        yield f"{bound[1]}=={bound[2]}"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lowest(Path("pyproject.toml").read_text(encoding="utf-8"), ["test"]))
