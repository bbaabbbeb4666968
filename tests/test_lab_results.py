"""Reports of labs in docs/labs: docs/compare.md lists them, and a new one is taken without its plots."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools import lab_results


def test_the_page_lists_every_report_with_its_title() -> None:
    page = (lab_results.LABS.parent / "compare.md").read_text(encoding="utf-8")
    listed = {file: title for title, file in re.findall(r"^\* \[(.+)\]\(labs/(.+?)\):", page, re.MULTILINE)}
    first = {path.name: path.read_text(encoding="utf-8").splitlines()[0] for path in lab_results.LABS.glob("*.md")}
    assert {file: f"# {title}" for file, title in listed.items()} == first


def test_a_report_is_taken_without_its_plots(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text(
        "# A quick look\n\n![x](plots/cd-planted.svg)\n\nText.\n\n![y](plots/b.svg)\n", encoding="utf-8"
    )
    lab_results.take(tmp_path, "quick", tmp_path)
    assert (tmp_path / "quick.md").read_text(encoding="utf-8") == "# A quick look\n\nText.\n\n"


REPORT = """# T

## Recall and differences

Recall on wiki: a.

| system | recall at 50 | recall at 100 | recall at 300 |
|---|---:|---:|---:|
| evidence_sum, learned | 0.100 | 0.200 | 0.300 |
| evidence_sum, learned_five | 0.110 | 0.210 | 0.310 |
| evidence_sum, hand | 0.150 | 0.250 | 0.350 |
| best_first, name | 0.010 | 0.020 | 0.030 |

Wiki: differences of recall.

| difference | at 50 | at 100 | at 300 |
|---|---:|---:|---:|
| evidence_sum, learned less evidence_sum, hand | -0.050 | -0.050 [-0.1, 0.1] | -0.050 [-0.2, 0.2] |
| evidence_sum, learned_five less evidence_sum, hand | -0.040 | -0.040 | -0.040 |

## a
"""


def test_a_readme_gets_the_systems_of_the_differences() -> None:
    readme = "A\n\n<!-- lab: claim -->\nold\n<!-- end of lab -->\n\nB\n"
    found = lab_results.with_table(readme, "README.md", REPORT)
    assert found == (
        "A\n\n<!-- lab: claim -->\n\n"
        "| steered by | recall at 100 | recall at 300 | learned has more at 100 | learned has more at 300 |\n"
        "| --- | ---: | ---: | ---: | ---: |\n"
        "| learned from the abstracts, nothing typed, `evidence_sum` | 0.200 | 0.300 | – | – |\n"
        "| the same with five words typed, `evidence_sum` | 0.210 | 0.310 | – | – |\n"
        "| ten words by hand, `evidence_sum` | 0.250 | 0.350 | -0.050 [-0.1, 0.1] | -0.050 [-0.2, 0.2] |\n\n"
        "<!-- end of lab -->\n\nB\n"
    )
    assert lab_results.with_table(found, "README.md", REPORT) == found


@pytest.mark.parametrize("name", lab_results.READMES)
def test_the_readme_has_the_table_of_the_report(name: str) -> None:
    readme = (lab_results.ROOT / name).read_text(encoding="utf-8")
    report = (lab_results.LABS / "claim.md").read_text(encoding="utf-8")
    assert "| recall at 300 |" in report
    assert lab_results.with_table(readme, name, report) == readme
