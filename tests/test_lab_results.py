"""Reports of labs in docs/labs: docs/lab.md lists them, and a new one is taken without its plots."""

from __future__ import annotations

import re
from pathlib import Path

from tools import lab_results


def test_the_page_lists_every_report_with_its_title() -> None:
    page = (lab_results.LABS.parent / "lab.md").read_text(encoding="utf-8")
    listed = {file: title for title, file in re.findall(r"^\* \[(.+)\]\(labs/(.+?)\):", page, re.MULTILINE)}
    first = {path.name: path.read_text(encoding="utf-8").splitlines()[0] for path in lab_results.LABS.glob("*.md")}
    assert {file: f"# {title}" for file, title in listed.items()} == first


def test_a_report_is_taken_without_its_plots(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text(
        "# A quick look\n\n![x](plots/cd-planted.svg)\n\nText.\n\n![y](plots/b.svg)\n", encoding="utf-8"
    )
    lab_results.take(tmp_path, "quick", tmp_path)
    assert (tmp_path / "quick.md").read_text(encoding="utf-8") == "# A quick look\n\nText.\n\n"
