"""Tables of a small archive with links."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crawler.warcs import response, write
from tests.ontocrawl.archives import small_archive

LONG = "".join(f"<p>rainstorm and flood in district number {n} of the town by the river.</p>" for n in range(40))
PAGES = {
    "http://a.example/1": f"<title>one</title>{LONG}<a href='/2'>two</a><a href='/2'>again</a><a href='/3'>three</a>",
    "http://a.example/2": "<title>two</title><p>nothing</p><a href='/1'>one</a>",
    "http://b.example/copy": f"<title>copy</title>{LONG}<a href='http://a.example/2'>two</a>",
}


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of an archive in which page 2 was recorded three times, last but one by date with another link."""
    folder = tmp_path_factory.mktemp("links")
    page = [response(url, text.encode()) for url, text in PAGES.items()]
    second = "http://a.example/2"
    newest = response(second, b"<title>new</title><a href='/4'>four</a>").replace(b"2020-01", b"2022-01")
    oldest = response(second, b"<title>old</title><a href='/5'>five</a>").replace(b"2020-01", b"2019-01")
    (folder / "warc").mkdir()
    write(folder / "warc" / "a.warc.gz", page[0], page[1], newest, oldest, page[2])
    small_archive.run(folder / "warc", folder / "scored", topic="rain")
    return folder / "scored"
