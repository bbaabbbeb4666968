"""The committed bundle is what the sources build."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
STATIC = ROOT / "ontocrawl" / "explorer" / "static"
NPM = shutil.which("npm")


@pytest.mark.slow
@pytest.mark.skipif(NPM is None, reason="npm, which builds the bundle, is not installed")
def test_the_bundle_is_that_of_the_sources(tmp_path: Path) -> None:
    web = tmp_path / "web"
    shutil.copytree(ROOT / "web", web, ignore=shutil.ignore_patterns("node_modules"))
    report = tmp_path / "ontocrawl" / "report"
    report.mkdir(parents=True)
    shutil.copy(ROOT / "ontocrawl" / "report" / "chart.css", report)
    for line in (["ci"], ["run", "build", "--", str(tmp_path / "built")]):
        subprocess.run([str(NPM), *line], cwd=web, check=True, capture_output=True)
    built = {path.name: path.read_text("utf-8") for path in (tmp_path / "built").iterdir()}
    assert built == {path.name: path.read_text("utf-8") for path in STATIC.iterdir()}


def test_the_sources_name_no_address_outside_this_machine() -> None:
    sources = filter(Path.is_file, (ROOT / "web" / "src").rglob("*"))
    for path in [*(ROOT / "web").glob("*.*"), *sources, *STATIC.iterdir()]:
        text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text and "https://" not in text, path.name
