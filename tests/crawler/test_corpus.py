"""A folder of texts as a web: made ones, and the labelled one beside the project where it is present."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from crawler.model import Response
from crawler.worlds import CorpusWorld, WorldError, open_world
from crawler.worlds.corpus import CORPUS_PAGE, corpus_url

WIKISPEEDIA = Path(__file__).parents[3] / "shared" / "data" / "wikispeedia"

RECORDS: list[dict[str, Any]] = [
    {
        "name": "Heavy_rain",
        "title": "Heavy rain",
        "text": "Rain falls.",
        "outlinks": ["Caf%C3%A9", "Flood_%28river%29"],
    },
    {
        "name": "Caf%C3%A9",
        "title": "Café",
        "text": "No rain.",
        "categories": ["secret"],
        "outlinks": ["Heavy_rain", "Gone_page"],
    },
    {"name": "Flood_(river)", "title": "Flood", "html": "<p>Wörter</p>", "outlinks": []},
    {
        "url": "http://A.example:80/x?b=1#part",
        "title": "By URL",
        "text": "t",
        "outlinks": ["http://a.example/y", "Café"],
    },
]


def folder(path: Path, records: list[dict[str, Any]], links: str | None = None, packed: bool = False) -> Path:
    path.mkdir(exist_ok=True)
    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    if packed:
        (path / "pages.jsonl.xz").write_bytes(lzma.compress(text.encode()))
        if links is not None:
            (path / "links.tsv.xz").write_bytes(lzma.compress(links.encode()))
    else:
        (path / "pages.jsonl").write_text(text, encoding="utf-8")
        if links is not None:
            (path / "links.tsv").write_text(links, encoding="utf-8")
    return path


def page(world: CorpusWorld, url: str) -> Any:
    answer = world.fetch(url)
    assert isinstance(answer, Response)
    assert (answer.status, answer.headers["content-type"]) == (200, CORPUS_PAGE)
    return json.loads(answer.body)


def test_a_text_record_gives_its_text_and_links_with_titles_as_anchors(tmp_path: Path) -> None:
    world = CorpusWorld(folder(tmp_path, RECORDS))
    assert len(world) == 4
    assert page(world, "http://corpus/Heavy_rain") == {
        "title": "Heavy rain",
        "text": "Rain falls.",
        "links": [
            {"url": "http://corpus/Caf%C3%A9", "anchor": "Café"},
            {"url": "http://corpus/Flood_%28river%29", "anchor": "Flood"},
        ],
    }


def test_a_link_to_no_page_has_its_name_as_anchor_and_answers_404(tmp_path: Path) -> None:
    world = CorpusWorld(folder(tmp_path, RECORDS))
    cafe = page(world, "http://corpus/Caf%C3%A9")
    assert cafe["links"][1] == {"url": "http://corpus/Gone_page", "anchor": "Gone page"}
    for missing in ("http://corpus/Gone_page", "http://corpus/robots.txt", "http://elsewhere/"):
        answer = world.fetch(missing)
        assert isinstance(answer, Response)
        assert answer.status == 404


def test_labels_and_categories_stay_inside(tmp_path: Path) -> None:
    world = CorpusWorld(folder(tmp_path, RECORDS))
    for url in world.urls():
        answer = world.fetch(url)
        assert isinstance(answer, Response)
        assert b"secret" not in answer.body


def test_an_html_record_is_html(tmp_path: Path) -> None:
    answer = CorpusWorld(folder(tmp_path, RECORDS)).fetch("http://corpus/Flood_%28river%29")
    assert answer == Response(
        "http://corpus/Flood_%28river%29", 200, {"content-type": "text/html; charset=utf-8"}, "<p>Wörter</p>".encode()
    )


def test_a_record_with_a_url_stands_under_its_canonical_form(tmp_path: Path) -> None:
    world = CorpusWorld(folder(tmp_path, RECORDS))
    links = page(world, "http://a.example/x?b=1")["links"]
    assert [link["url"] for link in links] == ["http://a.example/y", "http://corpus/Caf%C3%A9"]
    assert world.url_of("http://A.example/x?b=1") in world


@pytest.mark.parametrize(
    "name", ["Flood_(river)", "Flood_%28river%29", "http://corpus/Flood_(river)", "http://corpus/Flood_%28river%29"]
)
def test_names_are_accepted_percent_encoded_or_not(tmp_path: Path, name: str) -> None:
    world = CorpusWorld(folder(tmp_path, RECORDS))
    assert world.url_of(name) == "http://corpus/Flood_%28river%29"
    assert world.url_of(name) in world


def test_names_with_slashes_percent_signs_and_chinese_make_urls_that_come_back() -> None:
    assert corpus_url("AC/DC") == "http://corpus/AC%2FDC"
    assert corpus_url("100%") == "http://corpus/100%25"
    assert corpus_url("暴雨") == corpus_url("%E6%9A%B4%E9%9B%A8") == "http://corpus/%E6%9A%B4%E9%9B%A8"


@pytest.mark.parametrize("packed", [False, True])
def test_links_come_from_the_table_where_records_have_none(tmp_path: Path, packed: bool) -> None:
    records = [{"name": "A", "title": "First", "text": "a"}, {"name": "B%21", "title": "Second", "text": "b"}]
    world = CorpusWorld(folder(tmp_path, records, "# comment\n\nA\tB%21\nA\tA\nB!\tA\n", packed))
    assert [link["url"] for link in page(world, "http://corpus/A")["links"]] == [
        "http://corpus/B%21",
        "http://corpus/A",
    ]
    assert page(world, "http://corpus/B%21")["links"] == [{"url": "http://corpus/A", "anchor": "First"}]


def test_what_is_no_corpus_is_told(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=r"is not a folder; a corpus is a folder with pages\.jsonl"):
        open_world(f"corpus:{tmp_path / 'nowhere'}")
    with pytest.raises(WorldError, match="has neither"):
        CorpusWorld(tmp_path)
    with pytest.raises(WorldError, match="no record"):
        CorpusWorld(folder(tmp_path / "empty", []))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"name": "B"', "line 2: expected a JSON object"),
        ("[1]", "line 2: expected a JSON object"),
        ('{"name": "B", "outlinks": "A"}', "line 2: expected a JSON object, its outlinks a list"),
        ('{"title": "no name"}', "line 2: expected a name or an http URL"),
        ('{"url": "mailto:x"}', "line 2: expected a name or an http URL"),
        ('{"name": "%41"}', "line 2: http://corpus/A was there before"),
    ],
)
def test_a_bad_record_is_named_with_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "pages.jsonl").write_text('{"name": "A", "text": ""}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(WorldError, match=message):
        CorpusWorld(tmp_path)


def test_a_bad_link_line_and_a_broken_archive_are_named(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match="line 2: expected SOURCE, a tab and TARGET"):
        CorpusWorld(folder(tmp_path / "links", [{"name": "A"}], "A\tA\nA B\n"))
    packed = folder(tmp_path / "xz", RECORDS, packed=True) / "pages.jsonl.xz"
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.raises(WorldError, match="cannot be read"):
        CorpusWorld(packed.parent)


@pytest.mark.slow
@pytest.mark.skipif(not WIKISPEEDIA.is_dir(), reason="shared/data/wikispeedia is not beside the project")
def test_wikispeedia_loads_and_every_label_is_a_page() -> None:
    world = CorpusWorld(WIKISPEEDIA)
    assert len(world) == 4598
    topics = json.loads((WIKISPEEDIA / "topics.json").read_text("utf-8"))
    assert all(world.url_of(name) in world for name in topics["hazard_all"])
    rain = page(world, world.url_of("Rain"))
    assert rain["title"] == "Rain"
    assert all(link["url"] in world for link in rain["links"])
    assert {"url": world.url_of("Flood"), "anchor": "Flood"} in rain["links"]
