"""`--seeds` and `crawl seeds`: sources of URLs over a loopback server and from files, with what was taken and left."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import ontocrawl
from crawler.scope import Scope
from crawler.seeds import SeedError
from crawler.worlds import open_world
from ontocrawl.errors import UsageError
from ontocrawl.runs import seeds
from tests.ontocrawl.conftest import Command

HTML = "<html><head><title>暴雨</title></head><body><p>暴雨 洪水 台风 灾害</p></body></html>".encode()
SITEMAP = "<urlset>{}</urlset>"


@dataclass
class Site:
    """A site on loopback, and the paths that were asked for."""

    url: str
    pages: dict[str, bytes]
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def site() -> Iterator[Site]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            made.asked.append(self.path)
            body = made.pages.get(self.path)
            self.send_response(200 if body is not None else 404)
            self.send_header("content-length", str(len(body or b"")))
            self.send_header("content-type", "text/html; charset=utf-8" if body == HTML else "application/xml")
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made = Site(f"http://127.0.0.1:{server.server_port}", {})
    threading.Thread(target=server.serve_forever, daemon=True).start()
    many = "".join(f"<url><loc>{made.url}/{number}.html</loc></url>" for number in range(4))
    index = f"<sitemap><loc>{made.url}/all.xml.gz</loc></sitemap><sitemap><loc>{made.url}/s.xml</loc></sitemap>"
    made.pages |= {
        "/robots.txt": f"User-agent: *\nDisallow: /closed/\nSitemap: {made.url}/s.xml\n".encode(),
        "/s.xml": f"<sitemapindex>{index}</sitemapindex>".encode(),
        "/all.xml.gz": gzip.compress(SITEMAP.format(f"{many}<url><loc>{made.url}/5.jpg</loc></url>").encode()),
        "/feed": f"<rss><channel><item><link>/9.html</link></item><item><link>{made.url}/0.html</link></item>".encode(),
        "/closed/s.xml": SITEMAP.format("").encode(),
        "/html": HTML,
        **{f"/{number}.html": HTML for number in range(10)},
    }
    yield made
    server.shutdown()
    server.server_close()


LOCAL = ("--allow-loopback", "--no-politeness")


def test_seeds_are_listed_with_what_each_source_had(command: Command, site: Site, tmp_path: Path) -> None:
    given = (f"sitemap:{site.url}/", f"feed:{site.url}/feed", f"{site.url}/html")
    answer = command("crawl", "seeds", *given, *LOCAL, "--workspace", tmp_path)
    assert answer.code == 0, answer.err
    expected = [f"{site.url}/{number}.html" for number in (0, 1, 2, 3, 9)] + [f"{site.url}/html"]
    assert answer.out.splitlines() == expected
    assert answer.err.splitlines() == [
        f"sitemap:{site.url}/: 4 taken, 2 left (1 media_suffix, 1 repeated_sitemap)",
        f"feed:{site.url}/feed: 1 taken, 1 left (1 duplicate)",
        f"  {site.url}/feed: not well-formed in line 1 (no element found), and not read further",
    ]
    assert site.asked.count("/robots.txt") == 2  # for its Sitemap lines, and for its rules
    shown = command("crawl", "seeds", *given, *LOCAL, "--workspace", tmp_path, "--json").json
    assert shown["seeds"] == expected
    assert shown["sources"][0] == {
        "source": given[0], "taken": 4, "left": {"media_suffix": 1, "repeated_sitemap": 1}, "notes": [],
    }  # fmt: skip


@pytest.mark.slow
def test_many_sitemaps_say_how_far_it_is(command: Command, site: Site, tmp_path: Path) -> None:
    paths = [f"/part{number}.xml" for number in range(45)]
    listed = "".join(f"<sitemap><loc>{path}</loc></sitemap>" for path in paths)
    site.pages |= {path: SITEMAP.format(f"<url><loc>{path}.html</loc></url>").encode() for path in paths}
    site.pages["/many.xml"] = f"<sitemapindex>{listed}</sitemapindex>".encode()
    answer = command("crawl", "seeds", f"sitemap:{site.url}/many.xml", *LOCAL, "--workspace", tmp_path)
    assert len(answer.out.splitlines()) == 45
    assert answer.err.splitlines()[:2] == [
        f"reading seeds: {read} documents were read, the next is {site.url}/part{read - 1}.xml" for read in (20, 40)
    ]


def test_a_listed_file_can_be_edited_and_crawled(command: Command, site: Site, tmp_path: Path) -> None:
    out = tmp_path / "seeds.txt"
    made = command("crawl", "seeds", f"sitemap:{site.url}/s.xml", *LOCAL, "--out", out, "--workspace", tmp_path)
    assert (made.code, made.out) == (0, "") and f"--seeds @{out}" in made.err
    out.write_text("# mine\n" + out.read_text() + f"{site.url}/0.html\n", encoding="utf-8")
    crawl = ("crawl", "run", "--topic", "sports", "--strategy", "breadth_first", "--no-graph", "--json")
    ran = command(*crawl, "--seeds", f"@{out}", *LOCAL, "--workspace", tmp_path)
    assert ran.code == 0 and ran.json["fetched"] == 4
    assert f"@{out}: 4 taken, 1 left (1 duplicate)" in ran.err


def test_a_crawl_begins_at_the_urls_of_a_sitemap(command: Command, site: Site, tmp_path: Path) -> None:
    crawl = ("crawl", "run", "--topic", "sports", "--strategy", "breadth_first", "--no-graph", "--json")
    ran = command(*crawl, "--seeds", f"sitemap:{site.url}/s.xml#limit=3", *LOCAL, "--workspace", tmp_path)
    assert ran.code == 0 and ran.json["fetched"] == 3
    assert "3 taken, 3 left (1 media_suffix, 1 over_limit, 1 repeated_sitemap)" in ran.err


@pytest.mark.slow
def test_a_sitemap_may_be_larger_than_a_page(command: Command, site: Site, tmp_path: Path) -> None:
    urls = "".join(
        f"<url><loc>{site.url}/{number}.html</loc><priority>0.5</priority></url>" for number in range(80_000)
    )
    site.pages["/big.xml"] = SITEMAP.format(urls).encode()
    assert len(site.pages["/big.xml"]) > 5_000_000  # a page has 4,000,000 bytes at most
    crawl = ("crawl", "run", "--topic", "sports", "--strategy", "breadth_first", "--no-graph", "--json")
    ran = command(*crawl, "--seeds", f"sitemap:{site.url}/big.xml#limit=2", *LOCAL, "--workspace", tmp_path)
    assert ran.code == 0 and ran.json["fetched"] == 2
    assert "2 taken, 79,998 left (79,998 over_limit)" in ran.err


def test_urls_out_of_the_scope_of_the_crawl_are_no_seeds(command: Command, site: Site, tmp_path: Path) -> None:
    crawl = ("crawl", "run", "--topic", "sports", "--strategy", "breadth_first", "--no-graph", "--json")
    scope = ("--stay", "host", "--reject", "/[12]\\.html$")
    ran = command(*crawl, "--seeds", f"sitemap:{site.url}/all.xml.gz", *scope, *LOCAL, "--workspace", tmp_path)
    assert ran.code == 0 and ran.json["fetched"] == 2
    assert "2 taken, 3 left (2 reject_pattern, 1 media_suffix)" in ran.err


def test_the_python_interface_takes_the_same_forms(site: Site, tmp_path: Path) -> None:
    notes: list[str] = []
    (tmp_path / "list.txt").write_text(f"{site.url}/9.html\n", encoding="utf-8")
    run = ontocrawl.crawl(
        "sports", seeds=[f"sitemap:{site.url}/s.xml", tmp_path / "list.txt"], strategy="breadth_first", graph=False,
        workspace=tmp_path / "ws", allow_loopback=True, politeness=False, on_note=notes.append,
    )  # fmt: skip
    assert run.result.end.fetched == 5
    assert any(note.startswith(f"sitemap:{site.url}/s.xml: 4 taken") for note in notes)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("sitemap:{}/html", "HTML page"),
        ("feed:{}/missing", "http_404"),
        ("sitemap:{}/closed/s.xml", "robots_denied"),
        ("sitemap:http://127.0.0.1:1/s.xml", "refused"),
    ],
)
def test_a_source_without_urls_ends_a_crawl_with_the_reason(
    command: Command, site: Site, tmp_path: Path, source: str, words: str
) -> None:
    crawl = ("crawl", "run", "--topic", "sports", "--strategy", "breadth_first", "--no-graph")
    ran = command(*crawl, "--seeds", source.format(site.url), *LOCAL, "--workspace", tmp_path)
    assert ran.code == 2 and "no seeds: " in ran.err and "0 taken, 0 left" in ran.err and words in ran.err


def test_addresses_of_this_machine_are_blocked_for_sitemaps_too(command: Command, site: Site, tmp_path: Path) -> None:
    answer = command("crawl", "seeds", f"sitemap:{site.url}/s.xml", "--no-politeness", "--workspace", tmp_path)
    assert answer.out == "" and "blocked_address" in answer.err and site.asked == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("sitemap:nowhere.xml", "there is no file nowhere.xml"),
        ("links:http://a.cn/", "save the page in a browser"),
        ("@nowhere.txt", "there is no such file"),
        ("nowhere", "is not a URL"),
    ],
)
def test_wrong_sources_are_usage_errors(command: Command, tmp_path: Path, source: str, words: str) -> None:
    answer = command("crawl", "seeds", source, "--workspace", tmp_path)
    assert (answer.code, answer.out) == (2, "") and words in answer.err


# ---- files ------------------------------------------------------------------------------------------------------


def of_file(
    file: Path, text: str, *, world: str = "synthetic:planted?pages=50", encoding: str = "utf-8"
) -> seeds.Seeds:
    file.write_bytes(text.encode(encoding))
    opened = open_world(world)
    return seeds.resolve(
        [f"@{file}"], opened, seeds.reader(opened, Scope(), user_agent="x", delay=0.0), lambda line: None
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_a_file_has_urls_comments_and_sources(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "s.xml").write_text(SITEMAP.format("<url><loc>http://b.cn/1</loc></url>"), encoding="utf-8")
    text = f"# 网址\n\nhttp://a.cn/\r\nhttp://a.cn/2?x=1,2\nsitemap:{tmp_path}/s.xml\nhttp://a.cn/\n"
    found = of_file(tmp_path / "list.txt", text.replace("?x=1,2", ""), encoding=encoding)
    assert found.urls == ("http://a.cn/", "http://a.cn/2", "http://b.cn/1")
    assert [report.line().rpartition("/")[2] for report in found.reports] == [
        "s.xml: 1 taken, 0 left", "list.txt: 3 taken, 1 left (1 duplicate)",
    ]  # fmt: skip


@pytest.mark.parametrize("mark", [",", "\t", ";"])
def test_a_table_with_a_column_of_urls(tmp_path: Path, mark: str) -> None:
    rows = (("题名", "URL"), ("暴雨", "http://a.cn/1"), ('"a,b;c"', "http://a.cn/2"), ("x", ""), ("y", "ftp://x/"))
    found = of_file(tmp_path / "t.csv", "".join(mark.join(row) + "\n" for row in rows))
    assert found.urls == ("http://a.cn/1", "http://a.cn/2")
    assert found.reports[0].left == {"no_url": 1, "malformed_url": 1}


def test_a_wrong_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"list\.txt, line 2: 'nope' is not a URL"):
        of_file(tmp_path / "list.txt", "http://a.cn/\nnope\n")
    with pytest.raises(UsageError, match=r"list\.txt, line 1: sitemap:gone\.xml: there is no file"):
        of_file(tmp_path / "list.txt", "sitemap:gone.xml")
    with pytest.raises(SeedError, match="it is a folder"):
        opened = open_world("synthetic:planted?pages=50")
        seeds.resolve([tmp_path], opened, seeds.reader(opened, Scope(), user_agent="x", delay=0.0), print)


def test_labels_of_no_page_of_a_corpus_are_told(command: Command, tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text('{"name": "Flood", "text": "flood", "outlinks": []}\n', encoding="utf-8")
    (tmp_path / "labels.json").write_text('{"two": ["Flood", "A flod"], "one": ["Flood"]}', encoding="utf-8")
    assert command("init", tmp_path / "ws").code == 0
    asked = ("crawl", "run", "--world", f"corpus:{tmp_path}", "--seeds", "Flood", "--topic", "sports", "--no-graph")
    for name, says in (("two", True), ("one", False)):
        labels = f"{tmp_path}/labels.json#{name}"
        found = command(*asked, "--labels", labels, "--run", name, "--workspace", tmp_path / "ws")
        told = f"--labels {labels}: of 2 labelled pages the corpus lacks 1, which RC counts as not found: " in found.err
        assert (found.code, told, "http://corpus/A flod" in found.err) == (0, says, says)


def test_names_and_sources_of_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text('{"name": "url", "text": "x"}\n{"name": "Flood", "text": "y"}\n', "utf-8")
    (tmp_path / "links.tsv").write_text("url\tFlood\n", "utf-8")
    corpus = f"corpus:{tmp_path}"
    assert of_file(tmp_path / "names.txt", "url, Flood\n", world=corpus).urls == (
        "http://corpus/url", "http://corpus/Flood",
    )  # fmt: skip
    (tmp_path / "s.xml").write_text(
        SITEMAP.format("<url><loc>http://corpus/Flood</loc></url><url><loc>http://a.cn/</loc></url>")
    )
    found = of_file(tmp_path / "sources.txt", f"sitemap:{tmp_path}/s.xml", world=corpus)
    assert found.urls == ("http://corpus/Flood",) and found.reports[0].left == {"not_in_corpus": 1}
    with pytest.raises(UsageError, match="has no page http://corpus/flood"):
        of_file(tmp_path / "names.txt", "flood", world=corpus)
