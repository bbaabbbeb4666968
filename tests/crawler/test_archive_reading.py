"""WARC files of other programs, also damaged ones: all that can be read is, and each loss has a reason."""

from __future__ import annotations

import gzip
import random
import zlib
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest

from crawler.archives.scan import Found, Loss, Place, Unpacked, scan
from crawler.model import Failure, Response
from crawler.worlds import ArchiveError, ArchiveWorld, WorldError, open_world
from ontology.extras import require, zstd
from tests.crawler.warcs import PAGE, http, record, response, write

FOREIGN = Path(__file__).parents[3] / "shared" / "data" / "robustness" / "warc"
A, B, C = (f"http://a.example/{name}" for name in "abc")


def found(path: Path) -> tuple[list[str], list[str]]:
    """URLs of the records, and reasons of the losses."""
    items = list(scan(path))
    return [i.header.url for i in items if isinstance(i, Found)], [i.reason for i in items if isinstance(i, Loss)]


def body(world: ArchiveWorld, url: str) -> bytes:
    reply = world.fetch(url)
    assert isinstance(reply, Response), reply
    return reply.body


def reason(world: ArchiveWorld, url: str) -> str:
    reply = world.fetch(url)
    assert isinstance(reply, Failure), reply
    assert reply.url == url and reply.detail
    return reply.reason


@pytest.mark.parametrize("form", ["by record", "whole", "plain", "two members"])
def test_each_form_of_a_file_gives_the_same_pages(form: str, tmp_path: Path) -> None:
    parts = [record("warcinfo", "", b"software: x\r\n"), response(A, b"<p>one"), response(B, b"<p>two"), response(C)]
    whole = b"".join(parts)
    packed = {
        "by record": b"".join(map(gzip.compress, parts)),
        "whole": gzip.compress(whole),
        "plain": whole,
        "two members": gzip.compress(whole[:300]) + gzip.compress(whole[300:]),  # in the midst of a record
    }
    (tmp_path / "x.warc.gz").write_bytes(packed[form])
    assert found(tmp_path / "x.warc.gz") == (["", A, B, C], [])
    world = ArchiveWorld(tmp_path)
    assert [body(world, url) for url in (C, B, A)] == [PAGE, b"<p>two", b"<p>one"]
    assert len(world.index) == 3 == world.index.urls and not world.index.lost


@pytest.mark.slow
def test_a_record_far_in_one_large_member_is_read_from_a_copy_near_it(tmp_path: Path) -> None:
    bodies = [random.Random(n).randbytes(500_000).hex().encode() for n in range(60)]
    records = [response(f"http://a.example/{n}", b"<p>" + text) for n, text in enumerate(bodies)]
    path = tmp_path / "x.warc.gz"
    path.write_bytes(gzip.compress(b"".join(records), 1))
    world = ArchiveWorld(path)
    assert [copy.skip for copy in world.index.copies[0][0]] == sorted(copy.skip for copy in world.index.copies[0][0])
    assert len(world.index.copies[0][0]) >= 5
    for n in (59, 0, 30):
        assert body(world, f"http://a.example/{n}") == b"<p>" + bodies[n]


GOOD = response(B, b"<p>good")
DAMAGED = {
    "bad_header": [
        b"this is no record\r\nat all\r\n\r\n", b"WARC/1.0\r\nno colon here\r\n\r\n",
        b"WARC/1.0\r\nWARC-Date: 1\r\n\r\n",
    ],
    "bad_length": [
        response(A, length=10), response(A, length=5_000), response(A, length=10**15),
        record("response", A, b"", length=-1),
        b"WARC/1.0\r\nWARC-Type: response\r\n\r\nabc\r\n\r\n",
    ],
}  # fmt: skip


@pytest.mark.parametrize("form", ["by record", "whole", "plain"])
@pytest.mark.parametrize(("code", "number"), [(code, n) for code, cases in DAMAGED.items() for n in range(len(cases))])
def test_a_damaged_record_costs_itself_only(code: str, number: int, form: str, tmp_path: Path) -> None:
    parts = [response(C), DAMAGED[code][number], GOOD, response(C)]
    path = tmp_path / "x.warc"
    whole = b"".join(parts)
    path.write_bytes(
        whole if form == "plain" else gzip.compress(whole) if form == "whole" else b"".join(map(gzip.compress, parts))
    )
    urls, reasons = found(path)
    assert urls == [C, B, C] and reasons == [code]


def test_damaged_compression_costs_the_member_only(tmp_path: Path) -> None:
    parts = [gzip.compress(r) for r in (response(C), response(A, random.Random(1).randbytes(5000)), GOOD)]
    for at in (2, 30, 4000, len(parts[1]) - 6):  # its head, its data, its check sum
        broken = bytearray(parts[1])
        broken[at : at + 4] = b"\xff\xff\xff\xff"
        path = tmp_path / "x.warc.gz"
        path.write_bytes(parts[0] + bytes(broken) + parts[2])
        urls, reasons = found(path)
        assert (urls, set(reasons)) == ([C, B], {"bad_gzip"}), at
    path.write_bytes(parts[0] + b"\0" * 700 + parts[2] + b"trailing")
    assert found(path)[0] == [C, B]


@pytest.mark.parametrize("packed", [True, False])
def test_a_file_that_ends_anywhere_keeps_what_is_whole(packed: bool, tmp_path: Path) -> None:
    parts = [gzip.compress(r) if packed else r for r in (response(C), GOOD)]
    path = tmp_path / "x.warc"
    ends = sorted({*range(len(parts[0]) + 1, len(parts[0]) + len(parts[1]) - 4, 7), len(parts[0]) + 12})
    for end in ends:
        path.write_bytes(b"".join(parts)[:end])
        urls, reasons = found(path)
        if urls == [C, B]:  # only blank lines or a check sum are missing
            assert reasons in ([], ["cut_off"]), end
        else:
            assert urls == [C] and len(reasons) == 1, end
        assert set(reasons) <= {"cut_off", "bad_header", "bad_gzip"}, (end, reasons)


@pytest.mark.slow
def test_random_damage_never_raises_and_never_hides_the_rest(tmp_path: Path) -> None:
    chance = random.Random(7)
    path = tmp_path / "x.warc.gz"
    for packed in (True, False):
        for _ in range(150):
            parts = [response(f"http://a.example/{n}", chance.randbytes(200)) for n in range(6)]
            data = bytearray(b"".join(gzip.compress(p) if packed else p for p in parts))
            for _ in range(chance.randrange(1, 4)):
                at = chance.randrange(len(data))
                data[at : at + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
            path.write_bytes(bytes(data))
            urls, reasons = found(path)
            assert len(urls) >= 2 or reasons
            world = ArchiveWorld(path)
            for n in range(6):
                world.fetch(f"http://a.example/{n}")


def test_bodies_as_programs_store_them(tmp_path: Path) -> None:
    chunked = b"5\r\n<p>he\r\n6;x=1\r\navy ra\r\n2\r\nin\r\n0\r\n\r\n"
    cases = {
        "plain": http(),
        "http10": http(protocol="HTTP/1.0"),
        "http2": http(protocol="HTTP/2"),
        "bare-newlines": http().replace(b"\r\n", b"\n"),
        "chunked": http(chunked, "Transfer-Encoding: chunked"),
        "unchunked": http(PAGE, "Transfer-Encoding: chunked"),  # undone by the program that recorded it
        "bad-chunks": http(chunked[:20], "Transfer-Encoding: chunked"),
        "gzip": http(gzip.compress(PAGE), "Content-Encoding: gzip"),
        "chunked-gzip": http(b"%x\r\n%s\r\n0\r\n\r\n" % (len(gzip.compress(PAGE)), gzip.compress(PAGE)),
                             "Content-Encoding: gzip", "Transfer-Encoding: chunked"),
        "ungzipped": http(PAGE, "Content-Encoding: gzip", "Content-Length: 20"),
        "deflate": http(zlib.compress(PAGE), "Content-Encoding: deflate"),
        "cut-gzip": http(gzip.compress(PAGE)[:-9], "Content-Encoding: gzip"),
        "br": http(b"\x0b\x02\x80hello\x03", "Content-Encoding: br"),
        "unbrotlied": http(PAGE, "Content-Encoding: br"),
        "no-body": http(b"", "Content-Length: 500"),
        "garbage": b"what is this",
        "empty": b"",
        "bomb": http(gzip.compress(b"\0" * 3_000_000), "Content-Encoding: gzip"),
        "large": http(b"x" * 2_000_000),
        "larger": http(b"x" * 1_100_000),
        "many-headers": http(PAGE, *["x: y"] * 300),
        "missing": http(b"", status="404 Not Found"),
    }  # fmt: skip
    write(tmp_path / "x.warc.gz", *(record("response", f"http://a.example/{name}", c) for name, c in cases.items()))
    world = ArchiveWorld(tmp_path, max_bytes=1_000_000)
    came = {name: world.fetch(f"http://a.example/{name}") for name in cases}
    bodies = {name: reply.body for name, reply in came.items() if isinstance(reply, Response) and reply.status == 200}
    whole = {
        "plain", "http10", "http2", "bare-newlines", "unchunked", "gzip", "chunked-gzip", "ungzipped", "deflate",
        "unbrotlied", "many-headers",
    }  # fmt: skip
    assert bodies == dict.fromkeys(whole, PAGE) | {
        "chunked": b"<p>heavy rain", "bad-chunks": b"<p>heavy", "cut-gzip": PAGE, "br": b"hello",
    }  # fmt: skip
    partial = {name: reply.partial.partition(":")[0] for name, reply in came.items() if isinstance(reply, Response)}
    assert {name: code for name, code in partial.items() if code} == {
        "bad-chunks": "incomplete_body", "cut-gzip": "bad_framing",
    }  # fmt: skip
    assert {name: reply.reason for name, reply in came.items() if isinstance(reply, Failure)} == {
        "no-body": "incomplete_body", "garbage": "bad_response", "empty": "bad_response", "bomb": "too_large",
        "large": "too_large", "larger": "too_large",
    }  # fmt: skip
    missing = came["missing"]
    assert isinstance(missing, Response) and missing.status == 404


def test_revisits_resources_and_what_is_no_page(tmp_path: Path) -> None:
    same = ["WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"]
    sum_ = "WARC-Payload-Digest: sha1:AAAA"
    write(
        tmp_path / "1.warc.gz",
        record("response", A, http(b"<p>other"), "WARC-Payload-Digest: sha1:BBBB"),
        record("response", A, http(), sum_),
        record("revisit", B, http(b"", "X-Later: 1"), *same, sum_, f"WARC-Refers-To-Target-URI: {A}"),
        record("revisit", A, b"", *same, sum_),
        record("revisit", C, http(b""), *same, sum_, "WARC-Refers-To-Target-URI: http://gone.example/"),
        record("resource", "http://a.example/file", b"just text", "Content-Type: text/plain; charset=utf-8"),
        record("resource", "file:///etc/x", b"x"),
        record("response", "dns:a.example", b"x"),
        record("conversion", "http://a.example/converted", b"x"),
        record("metadata", "http://a.example/about", b"x"),
        record("response", "<http://a.example/bracketed>", http()),
        record("response", "HTTP://A.example:80/%7Eodd#part", http()),
    )
    world = ArchiveWorld(tmp_path)
    later = world.fetch(B)
    assert isinstance(later, Response) and (later.body, later.headers["x-later"]) == (PAGE, "1")
    assert [body(world, A) for _ in range(4)] == [b"<p>other", PAGE, PAGE, PAGE]  # the third is the revisit
    assert reason(world, C) == "not_archived"
    file = world.fetch("http://a.example/file")
    assert isinstance(file, Response) and file.headers == {"content-type": "text/plain; charset=utf-8"}
    assert reason(world, "http://a.example/about") == "not_archived" and world.index.others == {"metadata": 1}
    assert body(world, "http://a.example/converted") == b"x"
    assert body(world, "http://a.example/bracketed") == body(world, "http://a.example/~odd") == PAGE
    assert world.index.lost == {"not_http": 2}
    assert "records left out: not_http 2" in world.notes[1] and "1.warc.gz, offset" in world.notes[1]


def test_conversions_are_pages_where_nothing_else_is(tmp_path: Path) -> None:
    text = "Content-Type: text/plain"
    write(
        tmp_path / "CC-MAIN-1.warc.wet.gz",
        record("warcinfo", "", b"software: x\r\n"),
        record("conversion", A, "暴雨预警".encode(), text),
        record("conversion", B, b"flood", text),
        record("conversion", B, b"flood again", text),
        record("conversion", "urn:x", b"?", text),
    )
    write(tmp_path / "later.warc.gz", response(A))
    world = ArchiveWorld(tmp_path)
    assert [body(world, A) for _ in range(2)] == [PAGE, PAGE]
    assert [body(world, B) for _ in range(3)] == [b"flood", b"flood again", b"flood again"]
    assert len(world.index) == 3 and world.index.lost == {"not_http": 1}


def test_an_archive_without_pages_says_what_it_has(tmp_path: Path) -> None:
    path = write(
        tmp_path / "CC-MAIN-1.warc.wat.gz",
        record("warcinfo", "", b"x"),
        record("metadata", A, b"{}"),
        record("metadata", B, b"{}"),
        record("request", B, b"GET / HTTP/1.1\r\n\r\n"),
        record("continuation", B, b"more"),
    )
    world = ArchiveWorld(tmp_path)
    counted = "0 records of 0 URLs in 1 files; records of other types, which are no pages: "
    assert world.notes == (f"{tmp_path}: {counted}continuation 1, metadata 2, request 1, warcinfo 1",)
    assert ArchiveWorld(path).index.lost == {}


PARTS = [record("warcinfo", "", b"software: x\r\n"), response(A, b"<p>one"), response(B, b"<p>two"), response(C)]


def zstd_file(form: str) -> bytes:
    """The records as a file of Zstandard, each in a frame of its own but for one form."""
    library = zstd("a test")
    if form == "whole":
        return bytes(library.compress(b"".join(PARTS)))
    if form == "by record":
        return b"".join(map(library.compress, PARTS))
    samples = [response(f"http://a.example/{n}", b"<p>rain %d" % n * 20) for n in range(500)]
    dictionary = library.train_dict(samples, 8000)
    packed = library.compress(dictionary.dict_content) if form == "packed dictionary" else dictionary.dict_content
    start = b"\x5d\x2a\x4d\x18" + len(packed).to_bytes(4, "little") + packed
    return start + b"".join(library.compress(part, zstd_dict=dictionary) for part in PARTS)


@pytest.mark.parametrize("form", ["by record", "whole", "dictionary", "packed dictionary"])
def test_files_of_zstandard_are_read(form: str, tmp_path: Path) -> None:
    path = tmp_path / "x.warc.zst"
    path.write_bytes(zstd_file(form))
    assert found(path) == (["", A, B, C], [])
    world = ArchiveWorld(tmp_path)
    assert [body(world, url) for url in (C, B, A)] == [PAGE, b"<p>two", b"<p>one"]


def test_damage_in_a_file_of_zstandard_costs_a_record(tmp_path: Path) -> None:
    data = zstd_file("by record")
    at = data.index(b"\x28\xb5\x2f\xfd", 4)
    (tmp_path / "x.warc.zst").write_bytes(data[: at + 6] + b"\xff" * 30 + data[at + 36 :])
    assert found(tmp_path / "x.warc.zst") == (["", B, C], ["bad_gzip"])
    (tmp_path / "x.warc.zst").write_bytes(data[:-9])
    assert found(tmp_path / "x.warc.zst") == (["", A, B], ["cut_off"])


def test_without_the_library_a_file_of_zstandard_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = zstd_file("by record")
    monkeypatch.setattr("crawler.archives.scan.zstd", lambda purpose: require("no_such_module", "archive", purpose))
    (tmp_path / "x.warc.zst").write_bytes(data)
    world = ArchiveWorld(tmp_path)
    assert world.index.lost == {"zstd_format": 1} and "pip install 'ontocrawl[archive]'" in world.notes[1]


@pytest.mark.parametrize("packed", [False, True])
def test_records_that_are_stored_in_a_wacz_are_read(packed: bool, tmp_path: Path) -> None:
    files = {
        "archive/1.warc.gz": b"".join(map(gzip.compress, PARTS[:2])),
        "archive/2.warc.gz": b"".join(map(gzip.compress, PARTS[2:])),
        "indexes/index.cdx.gz": gzip.compress(b"example,a)/a 2020"),
        "pages/pages.jsonl": b'{"format": "json-pages-1.0"}',
    }
    with ZipFile(tmp_path / "x.wacz", "w", ZIP_DEFLATED if packed else ZIP_STORED) as wacz:
        for name, data in files.items():
            wacz.writestr(name, gzip.decompress(data) if packed and name.endswith("gz") else data)
    world = ArchiveWorld(tmp_path)
    if packed:
        assert world.index.lost == {"wacz_format": 1} and len(world.index) == 0
    else:
        assert found(tmp_path / "x.wacz") == (["", A, B, C], [])
        assert [body(world, url) for url in (C, B, A)] == [PAGE, b"<p>two", b"<p>one"]


def test_a_record_that_was_truncated_is_marked(tmp_path: Path) -> None:
    write(
        tmp_path / "x.warc.gz",
        record("response", A, http(b"<p>beg"), "WARC-Truncated: length"),
        record("response", B, http(b"", status="404 No"), "WARC-Truncated: length"),
    )
    world = ArchiveWorld(tmp_path)
    assert [getattr(world.fetch(url), "partial", None) for url in (A, B)] == [
        "incomplete_body: WARC-Truncated: length",
        "",
    ]


def test_the_nth_request_gets_the_nth_record_and_robots_txt_may_be_missing(tmp_path: Path) -> None:
    write(tmp_path / "2.warc.gz", response(A, b"<p>third"))
    (tmp_path / "deeper").mkdir()
    write(tmp_path / "1.warc", response(A, b"<p>first"), response(A, b"<p>second"), packed=False)
    write(tmp_path / "deeper" / "3.warc.gz", response(B))
    world = open_world(f"archive:{tmp_path}")
    assert isinstance(world, ArchiveWorld)
    assert [body(world, A) for _ in range(4)] == [b"<p>first", b"<p>second", b"<p>third", b"<p>third"]
    assert body(world, B) == PAGE and reason(world, "http://a.example/never") == "not_archived"
    robots = world.fetch("http://a.example/robots.txt")
    assert isinstance(robots, Response) and robots.status == 404
    assert reason(world, "http://a.example/b/robots.txt") == "not_archived"
    assert world.clock() == 1577934245.0


def test_what_is_no_archive_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match=r"has no file \*\.warc"):
        ArchiveWorld(tmp_path)
    with pytest.raises(ArchiveError, match="neither a folder nor a file"):
        open_world(f"archive:{tmp_path / 'absent'}")
    with pytest.raises(WorldError, match="needs a folder of WARC files"):
        open_world("archive:")


def test_a_place_in_any_form_of_a_file_is_found_again(tmp_path: Path) -> None:
    data = random.Random(3).randbytes(400_000)
    for form in (data, gzip.compress(data), gzip.compress(data[:1000]) + gzip.compress(data[1000:])):
        (tmp_path / "x").write_bytes(form)
        file = Unpacked(tmp_path / "x")
        places = {}
        for at in (0, 999, 1000, 1001, 131_072, 300_000):
            file.seek(Place(0, 0))
            assert file.skip(at) == 0
            places[at] = file.place()
        for at, place in reversed(places.items()):
            file.seek(place)
            assert file.peek(50) == file.read(50) == data[at : at + 50]
        assert file.skip(10**9) > 0 and file.skip(10**9) > 0
        file.close()


@pytest.mark.skipif(not FOREIGN.is_dir(), reason="the WARC files of ../shared/data/robustness are not here")
def test_files_of_other_programs_are_read_to_their_ends() -> None:
    worlds = {path.name: ArchiveWorld(path) for path in FOREIGN.iterdir()}
    lost = {name: world.index.lost for name, world in worlds.items() if world.index.lost}
    assert lost == {
        "bad.arc": {"arc_format": 1},
        "example.arc": {"arc_format": 1},
        "example.arc.gz": {"arc_format": 1},
        "example-space-in-url.arc": {"arc_format": 1},
        "example-space-in-target-uri.warc.gz": {"not_http": 1},
        "example-wget-bad-target-uri.warc.gz": {"not_http": 2},
        "example-trunc.warc": {"bad_length": 1},
    }
    for name in ("example.warc", "example.warc.gz", "example-bad-non-chunked.warc.gz", "example-wrong-chunks.warc.gz",
                 "example-wget-bad-target-uri.warc.gz"):  # fmt: skip
        assert len(body(worlds[name], "http://example.com/")) == 1270, name
        assert len(body(worlds[name], "http://example.com/")) == 1270, name  # a revisit, where there are two
    assert len(body(worlds["example-iana.org-chunked.warc"], "http://www.iana.org/")) == 7223
    assert len(body(worlds["example-resource.warc.gz"], "http://example.com/")) == 1303
    together = ArchiveWorld(FOREIGN)
    assert together.index.lost == {"arc_format": 4, "bad_length": 1, "not_http": 3}
    assert "and 3 others" in together.notes[1]


def test_the_records_of_these_tests_are_records(tmp_path: Path) -> None:
    newer = record("resource", B, b"x", version="1.1")
    assert newer.startswith(b"WARC/1.1") and found(write(tmp_path / "x.warc", response(A), newer)) == ([A, B], [])


def _mixed_records() -> list[bytes]:
    """Sound and damaged records, one of a page about WARC files, and one whose member begins with blank lines."""
    about = b"<pre>\r\n" + response(C, b"<p>quoted")
    good = [response(f"http://a.example/{n}", b"<p>" + b"x" * n * 7) for n in range(12)]
    return [*good, DAMAGED["bad_header"][0], response(A, about), DAMAGED["bad_length"][1], b"\r\n" + GOOD, *good[:3]]


@pytest.mark.parametrize("form", ["by record", "whole", "blocks", "damaged"])
def test_the_parts_of_a_compressed_file_have_each_record_once(form: str, tmp_path: Path) -> None:
    records = _mixed_records()
    whole = b"".join(records)
    members = [gzip.compress(r, mtime=0) for r in records]
    if form == "damaged":
        members[4] = members[4][:12] + b"\xff" * 8 + members[4][20:]
    blocks = b"".join(gzip.compress(whole[at : at + 700], mtime=0) for at in range(0, len(whole), 700))
    path = tmp_path / "x.warc.gz"
    path.write_bytes({"whole": gzip.compress(whole), "blocks": blocks}.get(form, b"".join(members)))
    everything = list(scan(path))
    assert len(everything) >= 17
    size = path.stat().st_size
    for step in (1, 37, 100, 501, size):
        parts = [scan(path, None, begin, min(size, begin + step)) for begin in range(0, size, step)]
        assert [item for part in parts for item in part] == everything, step
