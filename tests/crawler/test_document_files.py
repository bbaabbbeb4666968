"""PDF and Word files as pages: what is read of them, and which of them give a reason instead of a page."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.fetching.fetch import Fetched
from crawler.model import Failure, Response
from crawler.pages import documents
from crawler.pages.documents import DocumentError, read_document
from crawler.pages.page import PageRecord, page_record
from crawler.pages.parser_processes import DocumentReaders
from crawler.text import Matcher, Vocabulary, Word
from tests.crawler.document_files import ENCRYPTED, docx, pdf

WORDS = Matcher((Vocabulary("TK", (Word("暴雨", 1.0, (("zh", "暴雨"),)),)),))
PLAN = pdf(
    ["暴雨应急预案\n第一条 为做好暴雨灾害的防范与应对工作，最大程度减少人员伤亡和财\n产损失，制定本预案。", "",
     "第二条 市气象台发布暴雨红色预警信号后，各区应当立即转移危险区居民。\n附件"],
    title="防汛应急预案", created="D:20240102030405+08'00'", language="zh-CN", links={2: "http://a.cn/attachment.docx"},
)  # fmt: skip
SPIN = b"q " + b"/F0 Do " * 10 + b" Q"


@pytest.fixture(scope="module")
def readers() -> Iterator[DocumentReaders]:
    made = DocumentReaders(1)
    yield made
    made.close()


def response(body: bytes, content_type: str = "", url: str = "http://a.cn/file") -> Response:
    return Response(url, 200, {"content-type": content_type}, body)


def record_of(
    readers: DocumentReaders, body: bytes, content_type: str = "", url: str = "http://a.cn/file"
) -> PageRecord:
    read = readers.as_text(Fetched(response(body, content_type, url), url))
    return page_record(url, read, WORDS)


def reason_of(kind: str, body: bytes) -> str:
    with pytest.raises(DocumentError) as found:
        read_document(kind, body)
    return found.value.reason


def test_an_error_page_in_place_of_a_file_is_html(readers: DocumentReaders) -> None:
    html = b"<!DOCTYPE html><title>Log in</title><p>Please log in <a href='/login'>here</a>"
    page = record_of(readers, html, "application/pdf", "http://a.cn/plan.pdf")
    assert (page.failure, page.page.title, page.page.links[0].url) == (None, "Log in", "http://a.cn/login")


@pytest.mark.parametrize(
    "kind",
    [
        "application/vnd.ms-excel", "application/msword", "application/vnd.ms-powerpoint",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ],
)  # fmt: skip
def test_html_for_an_office_program_is_html(readers: DocumentReaders, kind: str) -> None:
    html = b"<html><head><title>Warnings</title></head><table><tr><td><a href='/1'>Rain</a></table>"
    page = record_of(readers, html, kind, "http://a.cn/list.xls")
    assert (page.failure, page.page.title, page.page.links[0].url) == (None, "Warnings", "http://a.cn/1")


def test_an_empty_file_is_called_empty(readers: DocumentReaders) -> None:
    assert record_of(readers, b"", "application/pdf").failure == "empty"


def test_a_pdf_file_is_a_page(readers: DocumentReaders) -> None:
    page = record_of(readers, PLAN, "application/pdf", "http://a.cn/plan.pdf")
    assert page.failure is None and page.page.title == "防汛应急预案" and page.page.published == "2024-01-02"
    assert page.page.text.startswith(
        "暴雨应急预案\n第一条 为做好暴雨灾害的防范与应对工作，最大程度减少人员伤亡和财产损失，制定本预案。\n"
    )
    assert page.page.document is not None and (page.page.document.kind, page.page.document.language) == ("pdf", "zh-CN")
    starts = page.page.document.page_starts
    assert len(starts) == 3 and page.page.text[starts[2] :].startswith("第二条") and starts[0] == 0
    (link,) = page.page.links
    assert (link.url, link.kind) == ("http://a.cn/attachment.docx", "document") and link.anchor.startswith("第二条")
    assert page.counts["TK"].sum() == 3 and page.final_url == "http://a.cn/plan.pdf"


def test_a_word_file_is_a_page(readers: DocumentReaders) -> None:
    body = docx(
        ["通知", "第一页说暴雨。\f第二页说内涝。", "结束"], title="Microsoft Word - x.doc", links=[("b.pdf", "附件")]
    )
    page = record_of(readers, body, "application/octet-stream")
    assert page.failure is None and page.page.published == "2024-05-06" and page.page.title == "通知"
    assert page.page.text == "通知\n第一页说暴雨。\n第二页说内涝。\n结束\n附件"
    assert page.page.document is not None and page.page.document.kind == "docx"
    assert [page.page.text[start] for start in page.page.document.page_starts] == ["通", "第"]
    assert [(link.url, link.anchor, link.kind) for link in page.page.links] == [
        ("http://a.cn/b.pdf", "附件", "document")
    ]
    unmarked = record_of(readers, docx(["一段话。"]))
    assert (
        unmarked.page.document is not None and unmarked.page.document.page_starts == ()
    )  # nothing says where pages begin


def test_a_text_file_behind_a_download_link_is_a_page(readers: DocumentReaders) -> None:
    page = record_of(readers, "防汛预案全文".encode(), "application/octet-stream", "http://a.cn/plan.txt")
    assert page.failure is None and page.page.text == "防汛预案全文" and page.page.document is None


def test_other_responses_stay_as_they_are(readers: DocumentReaders) -> None:
    for body, content_type in (
        (b"<p>flood", "text/html"),
        (b"PK\x03\x04", "application/zip"),
        (b"\x89PNG", "image/png"),
    ):
        fetched = Fetched(response(body, content_type), "http://a.cn/file")
        assert readers.as_text(fetched) is fetched
    failure = Failure("http://a.cn/", "timeout")
    assert readers.as_text(failure) is failure


@pytest.mark.parametrize(
    ("body", "content_type", "kind"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "", "doc"),
        (b"x", "application/vnd.ms-excel", "xls"),
        (b"PK\x03\x04 xl/workbook.xml", "application/zip", "xlsx"),
        (b"PK\x03\x04 ppt/presentation.xml", "application/octet-stream", "pptx"),
        (b"PK\x03\x04 OFD.xml", "application/octet-stream", "ofd"),
    ],
)
def test_other_office_files_are_named(readers: DocumentReaders, body: bytes, content_type: str, kind: str) -> None:
    page = record_of(readers, body, content_type)
    assert page.failure == "document_unsupported" and f"kind {kind} " in page.detail


def test_documents_that_are_not_read_have_a_reason() -> None:
    assert reason_of("pdf", pdf(["a"], trailer=ENCRYPTED)) == "document_encrypted"
    assert reason_of("pdf", pdf(["", ""])) == "document_without_text"
    assert reason_of("pdf", pdf(["CamScanner"] * 5)) == "document_without_text"
    assert reason_of("pdf", pdf(["a page of text"] * 5_000)) == "document_too_long"
    for damaged in (b"", b"<html>", b"%PDF-1.7\nnothing", PLAN[:300]):
        assert reason_of("pdf", damaged) == "document_damaged"
    for damaged in (b"PK\x03\x04", docx(["x"])[:200], docx([], xml="<w:document><w:body>"), docx([], xml="<a>" * 600)):
        assert reason_of("docx", damaged) == "document_damaged"
    assert reason_of("docx", b"\xd0\xcf\x11\xe0 EncryptedPackage") == "document_encrypted"
    assert reason_of("docx", docx([])) == "document_without_text"


@pytest.mark.slow
def test_a_zip_bomb_is_not_unpacked() -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("word/document.xml", bytes(66_000_000).replace(b"\0", b" "))
    assert bomb.tell() < 400_000 and reason_of("docx", bomb.getvalue()) == "document_too_long"


def test_entities_are_refused_before_they_are_declared() -> None:
    laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'
    assert reason_of("docx", docx([], xml=laughs)) == "document_damaged"
    outside = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'
    assert reason_of("docx", docx([], xml=outside)) == "document_damaged"


@pytest.mark.slow
def test_a_document_that_takes_too_long_costs_its_process_only() -> None:
    quick = DocumentReaders(1, seconds=0.2)
    try:
        spin = record_of(quick, pdf(["x"], objects=[b"BT /Latin 12 Tf " + b"(flood) Tj " * 400_000 + b"ET"]))
        assert spin.failure == "document_too_costly" and "0.2 seconds" in spin.detail
        assert record_of(quick, docx(["一段话。"])).failure is None
    finally:
        quick.close()


def test_a_document_at_which_the_reader_ends_costs_its_process_only(
    readers: DocumentReaders, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert record_of(readers, PLAN).failure is None
    process = readers._idle.get()
    assert process is not None
    process._process.kill()
    readers._idle.put(process)
    crashed = record_of(readers, PLAN)
    assert crashed.failure == "parser_crashed" and record_of(readers, PLAN).failure is None


@pytest.mark.slow
@given(st.binary(max_size=400), st.integers(0, 900), st.sampled_from(["pdf", "docx"]))
def test_any_damage_gives_a_document_or_a_reason(noise: bytes, place: int, kind: str) -> None:
    whole = PLAN if kind == "pdf" else docx(["一段话。"])
    try:
        json.loads(read_document(kind, whole[:place] + noise + whole[place + len(noise) :]))
    except DocumentError as error:
        assert error.reason.startswith("document_") and error.detail


def test_a_record_that_is_none_is_malformed() -> None:
    for body in (b"", b"[]", b'{"kind": 1}', b'{"kind": "pdf", "pages": 3}'):
        page = page_record("http://a.cn/", Fetched(response(body, documents.RECORD_TYPE), "http://a.cn/"), WORDS)
        assert page.failure == "malformed", body
