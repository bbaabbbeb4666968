"""The version is the same in the three files that have it; an sdist that is not whole, or another one, is refused."""

from __future__ import annotations

import re
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from ontocrawl.version import __version__
from tools import check_dist

ROOT = Path(__file__).resolve().parent.parent


def test_changelog_and_citation_have_the_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest, date = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$", changelog, re.MULTILINE)[0]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert newest == __version__
    assert re.findall(r"^(?:version|date-released): (.*)$", citation, re.MULTILINE) == [newest, date]


@pytest.mark.parametrize(
    ("version", "fault"), [("0.0.1", "version 0.0.1 instead of"), ("one", "is invalid"), (__version__, "is missing")]
)
def test_what_is_wrong_with_an_sdist_is_said(tmp_path: Path, version: str, fault: str) -> None:
    metadata = f"Metadata-Version: 2.4\nName: ontocrawl\nVersion: {version}\n\n# ontocrawl\n".encode()
    with tarfile.open(tmp_path / "ontocrawl.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("ontocrawl/PKG-INFO")
        member.size = len(metadata)
        archive.addfile(member, BytesIO(metadata))
    found = check_dist.faults(tmp_path / "ontocrawl.tar.gz")
    assert any(fault in line for line in found)
    assert all("ontology/__init__.py" not in line for line in found) == (version == "one")
