"""The reader of pages against the one that it replaced, and its fast paths against their slow and clear definitions."""

from __future__ import annotations

import json
import tarfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from crawler.fetching.fetch import Fetched
from crawler.model import Failure, OutLink, ParsedPage, Response
from crawler.pages.page import Extras, PageRecord, page_record
from crawler.pages.parse import parse
from crawler.pages.ways import ANCHOR, KINDS, REFRESH, UNFOLLOWED, Ways
from crawler.text import Matcher, Vocabulary, Word
from crawler.url import Joiner, canonical
from tests.crawler import torture

SAVED = Path(__file__).parents[3] / "shared/data/zh_news_html/pages.tar.xz"
DIGESTS = Path(__file__).with_name("reader_digests.json")
"""Digests of what the reader of release 0.1 made of these pages, written by ``python -m tests.crawler.test_reader``
with that reader in place of the present one. Whoever changes on purpose what a page says writes them anew."""


def word(label: str, *forms: str) -> Word:
    return Word(label, 1.0, tuple(("en" if form.isascii() else "zh", form) for form in forms))


VOCABULARIES = (
    Vocabulary(
        "TK", (word("暴雨", "暴雨", "heavy rain", "大暴雨"), word("flood", "flood", "洪水"), word("b", "b", "积水"))
    ),
    Vocabulary("GTK", (word("river", "river", "metres"), word("链接", "链接", "标题"), word("前", "前前", "word"))),
)
ANCHORS = Ways(frozenset(KINDS) - {ANCHOR, REFRESH})
"""The kinds of links that the reader of release 0.1 knew."""
MATCHER, EXTRAS = Matcher(VOCABULARIES), Extras(Matcher(VOCABULARIES[:1]), ways=ANCHORS)


def record_of(response: Response) -> PageRecord:
    return page_record(response.url, Fetched(response, response.url), MATCHER, EXTRAS)


def described(page: ParsedPage | Failure) -> list[Any]:
    """All that parsing says of a page, the fields that do not count in comparisons too; not ways of other kinds."""
    if isinstance(page, Failure):
        return [page.url, page.reason]
    page = replace(page, skipped=tuple(row for row in page.skipped if row[1] not in UNFOLLOWED))
    links = [[link.url, link.anchor, link.context, link.block, link.division] for link in page.links]
    divisions = [[division.text, division.innermost] for division in page.divisions]
    lists: list[Any] = [list(page.segments), links, list(page.skipped), divisions]
    return [page.title, page.text, page.published, page.canonical, *lists]


def counted(record: PageRecord) -> list[Any]:
    """What a record adds to the parsed page."""
    blocks = record.divisions
    placed = None if blocks is None else [part.tolist() for part in (blocks.block_of, blocks.counts, blocks.innermost)]
    counts = {name: rows.tolist() for name, rows in record.counts.items()}
    return [record.content_hash, record.length, record.failure, record.final_url, counts, placed]


def digest(value: Any) -> str:
    return blake2b(json.dumps(value).encode(), digest_size=4).hexdigest()


def markup(response: Response) -> str:
    """Digest of the tree that the HTML parser makes of the bytes, to tell its changes from those of the reader."""
    return digest(LexborHTMLParser(response.body.decode("latin-1")).html)


def digests(response: Response) -> str:
    return " ".join(
        [markup(response), digest(described(parse(response, ways=ANCHORS))), digest(counted(record_of(response)))]
    )


def saved_pages() -> list[Response]:
    url = "http://news.example.cn/13/1108/10/x.html?from=y"
    with tarfile.open(SAVED) as archive:
        files = (archive.extractfile(member) for member in archive)
        return [Response(url, 200, {"content-type": "text/html"}, file.read()) for file in files if file is not None]


def compare(pages: list[Response], expected: list[str]) -> None:
    """Compare all pages that the parser reads as it did when the digests were written."""
    found = [digests(page) for page in pages]
    assert len(found) == len(expected)
    read_so = [number for number, line in enumerate(expected) if found[number][:8] == line[:8]]
    was_text = (b"<noframes", b"<noembed")  # what is markup now
    same_markup = [number for number in read_so if not any(tag in pages[number].body for tag in was_text)]
    assert [number for number in same_markup if found[number] != expected[number]] == []
    if len(same_markup) < 0.9 * len(pages):
        pytest.skip(f"this version of the HTML parser reads {len(pages) - len(same_markup)} of the pages differently")


def test_what_ways_of_other_kinds_add_are_links_alone() -> None:
    added = 0
    for number in range(0, torture.PAGES, 7):
        page, before = parse(torture.page(number)), parse(torture.page(number), ways=ANCHORS)
        if isinstance(page, Failure) or isinstance(before, Failure):
            assert described(page)[1:] == described(before)[1:] or isinstance(page, ParsedPage)
            continue
        assert (page.title, page.text, page.segments) == (before.title, before.text, before.segments)
        assert set(before.links) <= {*page.links}
        added += len(page.links) - len(before.links)
    assert added


def test_a_page_is_the_same_without_its_content_blocks() -> None:
    for number in range(0, torture.PAGES, 7):
        page, short = parse(torture.page(number)), parse(torture.page(number), divided=False)
        assert page == short
        if isinstance(page, ParsedPage) and isinstance(short, ParsedPage):
            assert [(*link,) for link in page.links] == [(*link,) for link in short.links]
            assert short.divisions == ()


@pytest.mark.slow
def test_hard_pages_say_what_they_always_said() -> None:
    compare([torture.page(number) for number in range(torture.PAGES)], json.loads(DIGESTS.read_text())["hard"])


@pytest.mark.slow
@pytest.mark.skipif(not SAVED.exists(), reason="../shared/data/zh_news_html is not here")
def test_saved_pages_say_what_they_always_said() -> None:
    compare(saved_pages(), json.loads(DIGESTS.read_text())["saved"])


@pytest.mark.slow
def test_pages_are_read_in_threads_as_they_are_in_turn() -> None:
    pages = [torture.page(number) for number in range(60)]
    with ThreadPoolExecutor(8) as threads:
        assert [*threads.map(digests, pages * 3)] == [digests(page) for page in pages] * 3


def test_a_page_of_very_many_links_and_texts() -> None:
    count = 20_000
    links = "".join(f"<a href=/{number}>雨{number}</a> " for number in range(count))
    page = parse(Response("http://a.cn/", 200, {"content-type": "text/html; charset=utf-8"}, f"<p>{links}".encode()))
    assert isinstance(page, ParsedPage)
    assert len(page.links) == count
    assert (page.links[-1].url, page.links[-1].anchor) == (f"http://a.cn/{count - 1}", f"雨{count - 1}")
    assert max(len(link.context) for link in page.links) <= 2 * 250 + 7


def test_links_that_differ_in_their_content_block_only_are_equal() -> None:
    link, other = OutLink("http://a.cn/", "a", division=1), OutLink("http://a.cn/", "a", division=2)
    assert link == other
    assert [link] == [other]
    assert hash(link) == hash(other)
    assert link != OutLink("http://a.cn/", "b", division=1)
    assert link != ("http://a.cn/", "a", "", 0, 1)


BASES = st.sampled_from([*torture.URLS, "http://a.cn/a/b/c.html", "https://b.cn:8443/x?y#z"])


@given(st.integers(0, 1 << 40), BASES, st.sampled_from(["utf-8", "gb18030", "big5"]))
def test_references_are_joined_as_the_standard_joins_them(seed: int, base: str, encoding: str) -> None:
    draw = torture.Draw(seed)
    join = Joiner(base, encoding)
    for reference in [draw.reference() for _ in range(20)]:
        assert join(reference) == canonical(reference, base, encoding=encoding), reference


@given(
    st.text(alphabet="/.:%2eE?#;@aZ-_~h\\&=|'", max_size=14),
    BASES,
    st.sampled_from(["", "http://", "//", "../", "a;js"]),
)
def test_odd_references_are_joined_as_the_standard_joins_them(text: str, base: str, start: str) -> None:
    assert Joiner(base)(start + text) == canonical(start + text, base)


if __name__ == "__main__":
    pages = {"hard": [torture.page(number) for number in range(torture.PAGES)], "saved": saved_pages()}
    written = {name: [digests(page) for page in some] for name, some in pages.items()}
    DIGESTS.write_text(json.dumps(written, indent=0) + "\n")
