"""docs/lab.md shows the results that are in docs/labs, and takes those of another run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tools import lab_page, lab_results

LABS = lab_page.PAGE.parent / lab_page.LABS


def test_the_page_is_what_its_generator_writes() -> None:
    assert lab_page.main(["--check"]) == 0


@pytest.mark.parametrize("report", sorted(LABS.glob("*.md")), ids=lambda path: path.stem)
def test_a_report_and_its_main_results_are_of_one_run(report: Path) -> None:
    path = report.with_suffix("") / lab_page.SUMMARY
    if not path.exists():
        pytest.skip("a report of a version that wrote no summary")
    found = json.loads(path.read_text(encoding="utf-8"))
    text = report.read_text(encoding="utf-8")
    assert text.startswith(f"# {found['title']}\n")
    assert f"by `{found['command']}`" in text
    for world in found["worlds"]:
        for one in world["systems"]:
            assert f"| {one['system']} | {' | '.join(f'{mean:,.1f}' for mean in one['means'])} |" in text
    linked = {line.partition("](")[2].rstrip(")") for line in text.splitlines() if line.startswith("![")}
    assert {f"{report.stem}/{path.name}" for path in report.with_suffix("").glob("*.svg")} == linked


def test_results_of_another_run_take_the_place_of_the_old_ones(tmp_path: Path) -> None:
    page = tmp_path / "lab.md"
    shutil.copyfile(lab_page.PAGE, page)
    run = tmp_path / "out"
    shutil.copytree(LABS / "quick", run / "plots")
    found = json.loads((run / "plots" / lab_page.SUMMARY).read_text(encoding="utf-8"))
    found["worlds"][0]["systems"][0]["means"][-1] = 12345.6
    (run / lab_page.SUMMARY).write_text(json.dumps(found), encoding="utf-8")
    (run / "report.md").write_text(
        "# A quick look\n\n![x](plots/cd-planted.svg)\n![y](plots/harvest-planted-label.svg)\n", encoding="utf-8"
    )
    old = tmp_path / "labs" / "quick" / "old.svg"
    old.parent.mkdir(parents=True)
    old.write_text("", encoding="utf-8")
    lab_results.take(run, "quick", page)
    assert not old.exists()
    assert "(quick/cd-planted.svg)" in (tmp_path / "labs" / "quick.md").read_text(encoding="utf-8")
    text = page.read_text(encoding="utf-8")
    pictures = {"cd-planted.svg", "harvest-planted-label.svg"}
    assert {path.name for path in (tmp_path / "labs" / "quick").glob("*.svg")} == pictures
    assert "| 12,345.6 |" in text
    assert "](labs/quick/harvest-planted-label.svg)" in text
    assert (
        text.partition("<!-- results -->")[0] == lab_page.PAGE.read_text(encoding="utf-8").partition("<!-- results")[0]
    )
    assert lab_page.main([str(page), "--check"]) == 0


def test_a_page_without_marks_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "lab.md"
    page.write_text("# x\n", encoding="utf-8")
    with pytest.raises(ValueError, match="expected the marks"):
        lab_page.build(page)
