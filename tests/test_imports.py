"""Every module of the product can be imported: on each Python, with the lowest versions, and without the extras."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("ontology", "kg", "crawler", "queries", "ontocrawl", "ontologies")
NOT_IN_TEST = {"mcp", "pyspark", "pandas"}
"""Packages of extras that not every environment of the tests has."""
EXTRAS = (
    "rispy", "bibtexparser", "openpyxl", "xlrd", "rjieba", "pandas", "polars", "networkx", "pyarrow", "pyspark",
    "pyhornedowl", "pyoxigraph", "pyshacl", "reasonable", "resvg_py", "pylopdf_fonts_zh_cn", "fontTools", "sklearn",
    "starlette", "uvicorn", "mcp", "anyio", "prometheus_client", "hypothesis", "pytest", "playwright",
)  # fmt: skip
OF_EXTRAS = ("ontocrawl.archives.", "ontocrawl.explorer.", "ontocrawl.mcp.")
"""Modules that only commands of an extra import."""
IMPORT = """
import importlib, json, sys
names, absent = json.load(sys.stdin)
sys.modules.update(dict.fromkeys(absent))
missing = {}
for name in names:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing[name] = error.name
print(json.dumps(missing))
"""


def imported(absent: tuple[str, ...] = ()) -> dict[str, str]:
    """Import all modules in a process without some packages; return module -> the package that it lacks."""
    files = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in files]
    names.remove("ontocrawl.__main__")  # runs the program
    assert len(names) > 500
    ended = subprocess.run(
        [sys.executable, "-c", IMPORT], input=json.dumps([names, absent]), capture_output=True, text=True, cwd=ROOT
    )
    assert ended.returncode == 0, ended.stderr
    return dict(json.loads(ended.stdout))


def test_every_module_is_imported() -> None:
    assert {name: absent for name, absent in imported().items() if absent not in NOT_IN_TEST} == {}


@pytest.mark.slow
def test_without_the_extras_only_what_an_extra_needs_is_not_imported() -> None:
    missing = imported(EXTRAS)
    assert {name: absent for name, absent in missing.items() if not name.startswith(OF_EXTRAS)} == {}
    assert not {"ontocrawl.archives.java", "ontocrawl.mcp.tools"} & set(missing)
