"""Every module of the product can be imported, on each Python and with the lowest versions of the dependencies."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("ontology", "kg", "crawler", "queries", "ontocrawl", "ontologies")
OPTIONAL = {"mcp", "pyspark", "pandas"}
"""Packages of extras that not every environment of the tests has."""
IMPORT = """
import importlib, json, sys
missing = {}
for name in json.load(sys.stdin):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing[name] = error.name
print(json.dumps(missing))
"""


def test_every_module_is_imported() -> None:
    files = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in files]
    names.remove("ontocrawl.__main__")  # runs the program
    assert len(names) > 500
    ended = subprocess.run(
        [sys.executable, "-c", IMPORT], input=json.dumps(names), capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert {name: absent for name, absent in json.loads(ended.stdout).items() if absent not in OPTIONAL} == {}
