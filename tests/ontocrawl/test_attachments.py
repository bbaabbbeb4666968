"""A crawl over a site with attachments: documents are pages, sentences are cited by page, a replay is the same."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph import graph_store
from ontocrawl.runs import runs
from tests.crawler.document_files import ENCRYPTED, docx, pdf
from tests.ontocrawl.conftest import Command

pytestmark = pytest.mark.slow
SITE = "http://bureau.example"
SPONGE = "暴雨期间海绵城市设施减少了城区内涝。"
RAIN = "市防汛办要求各区做好暴雨洪涝灾害的防范应对。"
PDF, BYTES = "application/pdf", "application/octet-stream"
FILES: dict[str, tuple[str, bytes]] = {
    "/plan.pdf": (PDF, pdf(["防汛应急预案", RAIN, SPONGE], title="防汛应急预案", links={1: f"{SITE}/annex.pdf"})),
    "/annex.pdf": (PDF, pdf([f"附件\n海绵城市建设缓解暴雨洪涝。\n{RAIN}"])),
    "/notice.docx": (BYTES, docx(["关于暴雨的通知", f"{RAIN}\f海绵城市工程应当在暴雨前完成检查。"])),
    "/get?id=7": (BYTES, pdf(["暴雨内涝通报\n海绵城市试点区在暴雨中没有积水。"])),
    "/scan.pdf": (PDF, pdf(["", ""])),
    "/locked.pdf": (PDF, pdf([RAIN], trailer=ENCRYPTED)),
    "/broken.pdf": (PDF, b"%PDF-1.7 cut off"),
    "/map.ofd": (BYTES, b"PK\x03\x04 OFD.xml"),
}  # fmt: skip
LINKS = [path for path in (*FILES, "/table.xlsx") if path != "/annex.pdf"]
HOME = "<title>防汛办</title><p>暴雨洪涝灾害防范。" + "".join(f'<p><a href="{path}">{path}</a>' for path in LINKS)


class _Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        content_type, body = FILES.get(self.path, ("text/html; charset=utf-8", HOME.encode()))
        self.send_response(200 if self.path in FILES or self.path == "/" else 404)
        self.send_header("Content-Type", content_type)
        if "id=" in self.path:
            self.send_header("Content-Disposition", 'attachment; filename="report.pdf"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Write nothing."""


@pytest.fixture(scope="module")
def resolve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    table = tmp_path_factory.mktemp("resolve") / "hosts.txt"
    table.write_text(f"bureau.example:80=127.0.0.1:{server.server_port}\n", encoding="utf-8")
    yield table
    server.shutdown()
    server.server_close()


def crawl(command: Command, space: Workspace, run: str, *options: str | Path) -> None:
    asked = ["--topic", "rainstorm", "--strategy", "breadth_first", "--in-flight", "1", "--no-politeness"]
    command("crawl", "run", "--run", run, *asked, "--seeds", f"{SITE}/", *options, "--workspace", space.root)


def pages_of(space: Workspace, run: str) -> dict[str, str | None]:
    with runs.open_journal(space, run) as journal:
        query = "SELECT u.url, p.failure FROM page p JOIN event e USING (seq) JOIN url u ON u.id = e.link"
        return {url.removeprefix(SITE): failure for url, failure in journal.query(query)}


def ask(store: GraphStore, statement: str, **parameters: Any) -> list[Any]:
    return list(store.read(statement, **parameters))


def test_a_site_with_attachments(command: Command, space: Workspace, resolve: Path, tmp_path: Path) -> None:
    crawl(command, space, "attachments", "--resolve", resolve, "--warc", tmp_path / "warc")
    assert pages_of(space, "attachments") == {
        "/": None, "/plan.pdf": None, "/annex.pdf": None, "/notice.docx": None, "/get?id=7": None,
        "/scan.pdf": "document_without_text", "/locked.pdf": "document_encrypted", "/broken.pdf": "document_damaged",
        "/map.ofd": "document_unsupported",
    }  # fmt: skip
    where = ("--workspace", space.root)
    shown = json.dumps(command("crawl", "pages", "attachments", *where, "--json").json, ensure_ascii=False)
    assert f"{SITE}/plan.pdf" in shown and "防汛应急预案" in shown
    explained = command("crawl", "explain", "attachments", f"{SITE}/plan.pdf", *where, "--json").json
    assert "the page is a document (pdf, 3 pages)" in explained["notes"]
    assert any("on its page" in note for note in explained["notes"])

    with graph_store.store(space) as store:
        cited = (
            "MATCH (s:Sentence)-[o:ON_PAGE {crawl: $crawl}]->(p:Page) "
            "RETURN s.text AS text, p.url AS url, o.page_number AS n"
        )
        numbers = {
            (row["text"], row["url"].removeprefix(SITE)): row["n"] for row in ask(store, cited, crawl="attachments")
        }
        assert numbers[SPONGE, "/plan.pdf"] == 3 and numbers[RAIN, "/plan.pdf"] == 2
        assert numbers["海绵城市工程应当在暴雨前完成检查。", "/notice.docx"] == 2
        assert {number for (_, url), number in numbers.items() if url == "/"} == {None}
        kinds = "MATCH (:Crawl {id: $crawl})-[f:FETCHED]->(p:Page) WHERE f.kind = 'document' RETURN p.url AS url"
        assert len(ask(store, kinds, crawl="attachments")) == 4
        led = "MATCH (:Page {url: $url})-[l:LINKS_TO]->(p:Page) RETURN p.url AS url, l.kind AS kind"
        assert ask(store, led, url=f"{SITE}/plan.pdf") == [{"url": f"{SITE}/annex.pdf", "kind": "document"}]
    answer = command("query", "run", "evidence/search", "text=海绵城市", "crawl=attachments", *where, "--json").json
    rows = [dict(zip(answer["columns"], row, strict=True)) for row in answer["rows"]]
    found = {(row["source"].removeprefix(SITE), row["page_number"]) for row in rows}
    assert found >= {("/plan.pdf", 3), ("/annex.pdf", 1)}

    proposed = command("enrich", "propose", "attachments", *where)
    assert proposed.code == 0, proposed.err
    proposals = command("enrich", "list", "rainstorm", *where, "--json").json["proposals"]
    (sponge,) = [one for one in proposals if one["term"] == "海绵城市"]
    numbered = {sentence["url"].removeprefix(SITE): sentence["page_number"] for sentence in sponge["sentences"]}
    assert numbered["/plan.pdf"] == 3 and numbered["/notice.docx"] == 2

    crawl(command, space, "again", "--world", f"archive:{tmp_path / 'warc'}", "--no-graph")
    assert events_of(space, "again") == events_of(space, "attachments")


def test_a_crawl_without_documents(command: Command, space: Workspace, resolve: Path) -> None:
    crawl(command, space, "without", "--resolve", resolve, "--no-documents", "--no-graph")
    assert pages_of(space, "without") == {"/": None, "/get?id=7": "not_html", "/map.ofd": "not_html"}


def events_of(space: Workspace, run: str) -> list[tuple[Any, ...]]:
    with runs.open_journal(space, run) as journal:
        pages = (
            "SELECT seq, link, status, failure, title, published, content_hash, relevance, text FROM page ORDER BY seq"
        )
        events = journal.query("SELECT seq, kind, link, data FROM event ORDER BY seq")
        return [*((*row, json.loads(data)) for *row, data in events), *journal.query(pages)]
