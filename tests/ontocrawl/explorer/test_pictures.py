"""The pictures of docs/explorer.md: each is committed, small and shown, and can be made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontocrawl.base.config import Settings
from ontocrawl.base.workspace import Workspace
from tests.ontocrawl.explorer.chromium import CHROMIUM
from tools import explorer_pictures
from tools.explorer_pictures import LARGEST, PICTURES

DOCS = Path(__file__).parents[3] / "docs"
PNG = b"\x89PNG\r\n\x1a\n"


def test_each_picture_is_committed_small_and_shown() -> None:
    files = {path.stem: path for path in (DOCS / "explorer").iterdir()}
    assert files.keys() == PICTURES.keys()
    text = (DOCS / "explorer.md").read_text("utf-8")
    for name, path in files.items():
        assert path.read_bytes().startswith(PNG) and path.stat().st_size <= LARGEST
        assert f"](explorer/{name}.png)" in text


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_the_pictures_are_made_of_the_demo(demo_folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("playwright", reason="playwright is not installed")
    files = explorer_pictures.write(Workspace(demo_folder / "workspace", Settings()), tmp_path)
    assert {path.stem for path in files} == PICTURES.keys()
    assert all(path.read_bytes().startswith(PNG) for path in files)
