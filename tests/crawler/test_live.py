"""The live world against a server that does everything wrong, and its rules about addresses."""

from __future__ import annotations

import gzip
import random
import shutil
import socket
import ssl
import subprocess
import threading
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.model import Failure, Response
from crawler.worlds import WorldError
from crawler.worlds.addresses import parse_resolve
from crawler.worlds.coding import CodingError, Decoder, TooLargeError
from crawler.worlds.live import LiveWorld
from ontology.extras import zstd
from tests.crawler.nasty_server import NastyServer

LIMIT = 100_000


@pytest.fixture(scope="module")
def server() -> Iterator[NastyServer]:
    server = NastyServer()
    yield server
    server.close()


@pytest.fixture(scope="module")
def world(server: NastyServer) -> Iterator[LiveWorld]:
    world = LiveWorld(timeout=3.0, max_bytes=LIMIT, resolve=server.table, user_agent="tester/1")
    yield world
    world.close()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("the program openssl makes the certificate of this test and is not installed")
    file = tmp_path_factory.mktemp("tls") / "pair.pem"
    made = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=nasty.example -addext subjectAltName=DNS:nasty.example"
    command = [openssl, *made.split(), "-keyout", str(file), "-out", f"{file}.crt"]
    subprocess.run(command, check=True, capture_output=True)
    file.write_text(file.read_text() + Path(f"{file}.crt").read_text())
    return file


def reason(answer: Response | Failure) -> str:
    assert isinstance(answer, Failure), answer
    assert answer.detail
    return answer.reason


def test_a_page_keeps_its_url_and_host_and_has_lower_case_headers(server: NastyServer, world: LiveWorld) -> None:
    answer = world.fetch("http://nasty.example/ok")
    assert isinstance(answer, Response)
    assert (answer.url, answer.status, answer.body) == ("http://nasty.example/ok", 200, b"<p>fine</p>")
    assert answer.headers == {
        "content-type": "text/html; charset=utf-8",
        "set-cookie": "a=1",
        "x-twice": "1, 2",
    }
    head = server.requests[-1].decode()
    assert head.startswith("GET /ok HTTP/1.1\r\n")
    assert "\r\nHost: nasty.example\r\n" in head
    assert "\r\nUser-Agent: tester/1\r\n" in head


def test_connections_are_kept_and_cookies_are_not(server: NastyServer, world: LiveWorld) -> None:
    world.fetch("http://nasty.example/ok")
    before = server.connections
    for _ in range(5):
        assert isinstance(world.fetch("http://nasty.example/ok"), Response)
    assert server.connections == before
    assert b"cookie" not in server.requests[-1].lower()


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/reset", "connection_reset"),
        ("/reset-in-body", "connection_reset"),
        ("/empty", "connection_reset"),
        ("/bomb", "too_large"),
        ("/huge", "too_large"),
        ("/endless", "too_large"),
        ("/garbage", "bad_response"),
        ("/long-header", "bad_response"),
        ("/many-headers", "too_large"),
        ("/bad-chunk", "incomplete_body"),
    ],
)
def test_each_fault_has_its_reason_and_the_next_page_is_fine(world: LiveWorld, path: str, expected: str) -> None:
    assert reason(world.fetch(f"http://nasty.example{path}")) == expected
    after = world.fetch("http://nasty.example/ok")
    assert isinstance(after, Response)
    assert after.body == b"<p>fine</p>"


@pytest.mark.parametrize("path", ["/stall", "/stall-in-body", "/drip", "/drip-headers"])
def test_slow_servers_meet_the_deadline(server: NastyServer, path: str) -> None:
    world = LiveWorld(timeout=0.4, resolve=server.table)
    begun = time.monotonic()
    assert reason(world.fetch(f"http://nasty.example{path}")) == "timeout"
    assert 0.3 < time.monotonic() - begun < 15
    world.close()


def test_a_body_longer_than_announced_is_cut_and_does_not_spoil_the_next(world: LiveWorld) -> None:
    for _ in range(3):
        answer = world.fetch("http://nasty.example/short-length")
        assert isinstance(answer, Response)
        assert answer.body == b"hello"
        following = world.fetch("http://nasty.example/ok")
        assert isinstance(following, Response)
        assert following.body == b"<p>fine</p>"


def test_a_kept_connection_that_the_server_closed_is_opened_again(server: NastyServer, world: LiveWorld) -> None:
    for _ in range(5):  # this page announces no close, but the server closes behind it
        assert isinstance(world.fetch("http://nasty.example/goes"), Response)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_kept_connection_that_closes_as_it_is_used_is_opened_again(
    scheme: str, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crawler.worlds.connection.Connection.is_idle", lambda _: True)
    server = NastyServer(certificate if scheme == "https" else None)
    world = LiveWorld(timeout=3.0, resolve=server.table, ca_file=str(certificate))
    for _ in range(4):
        assert isinstance(world.fetch(f"{scheme}://nasty.example/goes"), Response)
        time.sleep(0.05)
    assert server.connections == 4
    world.close()
    server.close()


def test_bytes_that_nobody_asked_for_are_not_the_next_page(world: LiveWorld) -> None:
    assert isinstance(world.fetch("http://nasty.example/late"), Response)
    time.sleep(0.2)
    for _ in range(2):
        answer = world.fetch("http://nasty.example/hints")
        assert isinstance(answer, Response)
        assert (answer.status, answer.body) == (200, b"<p>fine</p>")


def test_threads_share_connections_and_close_hangs_up(server: NastyServer) -> None:
    world = LiveWorld(timeout=5.0, resolve=server.table)
    before = server.connections
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(world.fetch, ["http://nasty.example/ok", "http://nasty.example/gzip"] * 100))
    assert {answer.body for answer in answers if isinstance(answer, Response)} == {b"<p>fine</p>", "暴雨".encode()}
    assert len([answer for answer in answers if isinstance(answer, Response)]) == 200
    assert 1 <= server.connections - before <= 8
    world.close()
    before = server.connections
    assert isinstance(world.fetch("http://nasty.example/ok"), Response)  # still works, keeps nothing
    assert isinstance(world.fetch("http://nasty.example/ok"), Response)
    assert server.connections == before + 2


def test_the_longest_unused_connection_makes_room(server: NastyServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crawler.worlds.live._KEPT", 2)
    world = LiveWorld(timeout=5.0, resolve={f"host{i}.example:80": f"127.0.0.1:{server.port}" for i in range(3)})
    before = server.connections
    for host in (0, 1, 0, 2, 0, 1):  # host 1 makes room for host 2, and host 2 for host 1
        assert isinstance(world.fetch(f"http://host{host}.example/ok"), Response)
    assert server.connections - before == 4
    world.close()


def test_a_request_has_the_target_and_host_of_its_url(server: NastyServer) -> None:
    table = {f"nasty.example:{port}": f"127.0.0.1:{server.port}" for port in (80, 8080)}
    world = LiveWorld(timeout=5.0, resolve=table, user_agent="tester/1")
    for url, target, host in (
        ("http://nasty.example/ok?a=%E6%9A%B4&b=|{}", "/ok?a=%E6%9A%B4&b=|{}", "nasty.example"),
        ("http://nasty.example:8080/ok", "/ok", "nasty.example:8080"),
        ("HTTP://user:secret@NASTY.example:80/ok?暴#part", "/ok?%E6%9A%B4", "nasty.example"),
    ):
        assert isinstance(world.fetch(url), Response), url
        assert server.requests[-1].decode().startswith(f"GET {target} HTTP/1.1\r\nHost: {host}\r\n")
        assert b"uthorization" not in server.requests[-1]
    world.close()


def test_cookies_do_not_cross_hosts_and_are_not_sent_back(server: NastyServer) -> None:
    table = {f"{host}.example:80": f"127.0.0.1:{server.port}" for host in ("a", "b", "sub.a")}
    world = LiveWorld(timeout=5.0, resolve=table)
    server.raw = (
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"
        b"Set-Cookie: all=1; Domain=.example; Path=/\r\nSet-Cookie: sub=1; Domain=a.example\r\n"
        b"Set-Cookie: own=1\r\n\r\n"
    )
    before = len(server.requests)
    for url in (
        "http://a.example/raw-kept",
        "http://a.example/raw-kept",
        "http://b.example/ok",
        "http://sub.a.example/ok",
    ):
        assert isinstance(world.fetch(url), Response)
    asked = server.requests[before:]
    assert len(asked) == 4 and not any(b"cookie" in request.lower() for request in asked)
    world.close()


def test_redirects_are_answered_not_followed(world: LiveWorld) -> None:
    answer = world.fetch("http://nasty.example/loop-a")
    assert isinstance(answer, Response)
    assert (answer.status, answer.headers["location"]) == (301, "/loop-b")
    chinese = world.fetch("http://nasty.example/chinese")
    assert isinstance(chinese, Response)
    assert chinese.headers["location"] == "/暴雨"


def test_bytes_are_decoded_but_characters_are_not(world: LiveWorld) -> None:
    packed, odd = world.fetch("http://nasty.example/gzip"), world.fetch("http://nasty.example/charset")
    assert isinstance(packed, Response)
    assert packed.body.decode() == "暴雨"
    assert not {"content-encoding", "content-length"} & set(packed.headers)
    assert isinstance(odd, Response)
    assert (odd.headers["content-type"], odd.body) == ("text/html; charset=klingon", b"\xff\xfe\xb1\xa9\xd3\xea")


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "10.0.0.8", "[::1]", "169.254.169.254", "0.0.0.0"])
def test_addresses_of_this_machine_and_network_are_refused(address: str) -> None:
    world = LiveWorld(timeout=2.0)
    assert reason(world.fetch(f"http://{address}/")) == "blocked_address"
    world.close()


def test_loopback_can_be_allowed_without_allowing_the_network(server: NastyServer) -> None:
    world = LiveWorld(timeout=2.0, allow_loopback=True)
    answer = world.fetch(f"http://127.0.0.1:{server.port}/ok")
    assert isinstance(answer, Response)
    assert reason(world.fetch("http://192.168.0.1/")) == "blocked_address"
    world.close()


def test_a_host_outside_the_resolve_table_is_not_found(world: LiveWorld) -> None:
    assert reason(world.fetch("http://no-such-host.example/")) == "dns"


def test_a_dns_that_does_not_answer_meets_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: ended.wait(20) and [])
    world = LiveWorld(timeout=0.3)
    answer = world.fetch("http://slow-dns.example/")
    assert reason(answer) == "timeout" and isinstance(answer, Failure) and "DNS" in answer.detail
    ended.set()
    world.close()


def test_a_closed_port_refuses() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    world = LiveWorld(timeout=2.0, resolve={"nobody.example:80": f"127.0.0.1:{port}"})
    assert reason(world.fetch("http://nobody.example/")) == "refused"
    world.close()


@pytest.mark.parametrize(
    "url", ["", "nonsense", "http://", "ftp://a.example/", "file:///etc/passwd", "http://a b/", "http://a:99999/"]
)
def test_what_is_no_web_address_is_refused_without_a_look_up(world: LiveWorld, url: str) -> None:
    assert reason(world.fetch(url)) == "bad_url"


def test_plain_http_where_tls_is_expected_is_a_tls_failure(world: LiveWorld) -> None:
    assert reason(world.fetch("https://nasty.example/ok")) == "tls"


def test_tls_names_the_host_checks_the_certificate_and_keeps_the_deadline(certificate: Path) -> None:
    server = NastyServer(certificate)
    trusting = LiveWorld(timeout=3.0, resolve=server.table, ca_file=str(certificate))
    answer = trusting.fetch("https://nasty.example/ok")
    assert isinstance(answer, Response), answer
    assert isinstance(trusting.fetch("https://nasty.example/gzip"), Response)
    assert server.names == ["nasty.example"]  # one handshake for both
    hasty = LiveWorld(timeout=0.5, resolve=server.table, ca_file=str(certificate))
    assert reason(hasty.fetch("https://nasty.example/drip")) == "timeout"
    strict = LiveWorld(timeout=3.0, resolve=server.table)
    assert reason(strict.fetch("https://nasty.example/ok")) == "tls"
    for world in (trusting, hasty, strict):
        world.close()
    server.close()
    assert ssl.HAS_SNI


def test_resolve_lines() -> None:
    table = parse_resolve(["# a comment", "", " Qixiang.example:80=127.0.0.1:8080 ", "b.example:443=[::1]:8443"])
    assert table == {"qixiang.example:80": "127.0.0.1:8080", "b.example:443": "[::1]:8443"}
    assert parse_resolve(["[::1]:80=127.0.0.1:80", "中文.Test:80=127.0.0.1:80"]) == dict.fromkeys(
        ["[::1]:80", "xn--fiq228c.test:80"], "127.0.0.1:80"
    )


def test_a_host_in_another_script_is_found_in_the_table(server: NastyServer) -> None:
    world = LiveWorld(timeout=3.0, resolve={"中文.test:80": f"127.0.0.1:{server.port}"})
    for url in ("http://中文.test/ok", "http://xn--fiq228c.test/ok"):
        assert isinstance(world.fetch(url), Response)
    world.close()


@pytest.mark.parametrize(
    "line",
    [
        "a.example",
        "a.example=1.2.3.4:80",
        "a.example:80=localhost:80",
        "a:80=1.2.3.4:99999",
        "=:",
        "::1:80=1.2.3.4:80",
        "http://a.example:80=1.2.3.4:80",
        "a b:80=1.2.3.4:80",
        "user@a.example:80=1.2.3.4:80",
    ],
)
def test_a_malformed_resolve_line_is_named(line: str) -> None:
    with pytest.raises(WorldError, match=r"line 2: expected HOST:PORT=ADDR:PORT"):
        parse_resolve(["a.example:80=1.2.3.4:80", line])


def test_a_host_with_two_addresses_in_the_table_is_an_error() -> None:
    with pytest.raises(WorldError, match=r"A\.example:80 has two addresses"):
        parse_resolve(["a.example:80=1.2.3.4:80", "A.example:80=1.2.3.5:80"])


def test_limits_must_be_positive() -> None:
    with pytest.raises(WorldError, match="positive"):
        LiveWorld(timeout=0)
    with pytest.raises(WorldError, match="positive"):
        LiveWorld(max_bytes=0)


def test_what_cannot_be_used_is_refused_before_the_first_request(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match="one line of ASCII"):
        LiveWorld(user_agent="tester\r\nCookie: a=1")
    with pytest.raises(WorldError, match="no certificates can be read"):
        LiveWorld(ca_file=str(tmp_path / "absent.pem"))
    (tmp_path / "empty.pem").write_text("nothing")
    with pytest.raises(WorldError, match="no certificates can be read"):
        LiveWorld(ca_file=str(tmp_path / "empty.pem"))


def _decoded(coding: str, data: bytes, cap: int, step: int) -> bytes:
    decoder = Decoder(coding, cap)
    for at in range(0, len(data), step):
        decoder.feed(data[at : at + step])
    return decoder.body()


@pytest.mark.slow
@given(
    st.binary(max_size=3000), st.integers(1, 500), st.sampled_from(["identity", "gzip", "deflate", "raw", "members"])
)
def test_decoding_undoes_each_coding_in_any_pieces(body: bytes, step: int, form: str) -> None:
    raw = zlib.compressobj(wbits=-15)
    packed = {
        "identity": body,
        "gzip": gzip.compress(body) + b"\0\0rest",
        "deflate": zlib.compress(body),
        "raw": raw.compress(body) + raw.flush(),
        "members": gzip.compress(body[:10]) + gzip.compress(body[10:]),
    }[form]
    coding = {"raw": "deflate", "members": "gzip"}.get(form, form)
    assert _decoded(coding, packed, max(len(body), 1), step) == body
    if len(body) > 1:
        with pytest.raises(TooLargeError):
            _decoded(coding, packed, len(body) - 1, step)


@pytest.mark.parametrize("form", ["gzip", "deflate", "raw", "members"])
def test_a_bomb_is_not_unpacked_beyond_the_limit(form: str) -> None:
    zeros, raw = bytes(20_000_000), zlib.compressobj(wbits=-15)
    packed = {
        "gzip": lambda: gzip.compress(zeros),
        "deflate": lambda: zlib.compress(zeros),
        "raw": lambda: raw.compress(zeros) + raw.flush(),
        "members": lambda: gzip.compress(zeros[:2000]) * 10_000,
    }[form]()
    decoder = Decoder("gzip" if form in ("gzip", "members") else "deflate", LIMIT)
    tracemalloc.start()
    with pytest.raises(TooLargeError):
        decoder.feed(packed)
    assert tracemalloc.get_traced_memory()[1] < 20 * LIMIT
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("coding", "body", "message"),
    [
        ("br", b"\xff\0" * 20, "not br"),
        ("zstd", b"\xff\0" * 20, "not zstd"),
        ("gzip", b"\xff\0" * 20, "does not begin with its mark"),
        ("gzip", gzip.compress(b"x" * 500, mtime=0)[:10], "ends before its end mark"),
        ("compress", b"\x1f\x9d" * 20, "not read"),
        ("gzip, gzip", gzip.compress(gzip.compress(bytes(500), mtime=0), mtime=0), "packed twice"),
    ],
)
def test_a_body_of_which_nothing_can_be_decoded_is_refused(coding: str, body: bytes, message: str) -> None:
    decoder = Decoder(coding, 1000)
    with pytest.raises(CodingError, match=message):
        decoder.feed(body)
        decoder.body()


def test_several_codings_at_once_are_refused() -> None:
    with pytest.raises(CodingError, match="several codings"):
        Decoder("deflate, gzip", 10)


TEXT = "<p>暴雨预警: heavy rain</p>\n".encode() * 20


def _packed(form: str, body: bytes = TEXT) -> bytes:
    if form == "br":
        return bytes(pytest.importorskip("brotlicffi").compress(body))
    if form == "zstd":
        return bytes(zstd("a test").compress(body))
    return {"gzip": gzip.compress, "deflate": zlib.compress, "raw": raw_deflate}[form](body)


def raw_deflate(body: bytes) -> bytes:
    deflate = zlib.compressobj(wbits=-15)
    return deflate.compress(body) + deflate.flush()


@pytest.mark.parametrize(
    "coding", ["", "identity", "none", "None", "utf-8", "UTF-8", "binary", "8bit", "text/html", "chunked", "gzip",
               "x-gzip", "deflate", "br", "zstd", "gzip, gzip", "identity, gzip"]
)  # fmt: skip
@pytest.mark.parametrize("step", [1, 7, 10_000])
def test_a_plain_body_is_read_whatever_its_coding_is_called(coding: str, step: int) -> None:
    for body in (TEXT, b"\xef\xbb\xbf\r\n" + TEXT, b"plain text of some length\n" * 3):
        if coding in ("br", "zstd", "deflate") and not body.lstrip(b"\xef\xbb\xbf\r\n").startswith(b"<"):
            continue
        assert _decoded(coding, body, 10_000, step) == body


@pytest.mark.parametrize("step", [1, 7, 10_000])
@pytest.mark.parametrize(
    ("coding", "form"),
    [
        ("gzip", "gzip"), ("X-GZIP", "gzip"), ("deflate", "deflate"), ("deflate", "raw"), ("deflate", "gzip"),
        ("br", "br"), ("gzip", "deflate"), ("zstd", "zstd"), ("gzip;q=1", "gzip"), ("none, gzip", "gzip"),
        ("gzip, gzip", "gzip"),
    ],
)  # fmt: skip
def test_a_packed_body_is_read_by_its_bytes(coding: str, form: str, step: int) -> None:
    assert _decoded(coding, _packed(form), 10_000, step) == TEXT


@pytest.mark.parametrize("form", ["br", "zstd"])
def test_a_bomb_of_another_coding_is_not_unpacked_beyond_the_limit(form: str) -> None:
    decoder, bomb = Decoder(form, LIMIT), _packed(form, bytes(20_000_000))
    with pytest.raises(TooLargeError):
        decoder.feed(bomb)


@pytest.mark.parametrize("form", ["gzip", "deflate", "raw", "br", "zstd"])
def test_what_stands_before_the_end_or_the_damage_of_packed_data_is_kept(form: str) -> None:
    body = random.Random(3).randbytes(150_000).hex().encode()  # several blocks of zstd
    packed = _packed(form, body)
    cut = Decoder("deflate" if form == "raw" else form, 10**6)
    cut.feed(packed[: len(packed) // 2])
    begun = cut.body()
    assert "ends before its end mark" in cut.fault and not cut.is_complete
    assert body.startswith(begun) and len(begun) > len(body) // 4


@pytest.mark.parametrize("step", [1, 10_000])
def test_a_wrong_check_sum_costs_nothing_and_damage_only_what_follows(step: int) -> None:
    body = b"".join(b"<p>line %d</p>\n" % number for number in range(3000))
    packed = gzip.compress(body)
    for data, least in ((packed[:-8] + bytes(8), len(body)), (packed[:4000] + b"\xff" * 50 + packed[4050:], 8000)):
        decoder = Decoder("gzip", 10**6)
        for at in range(0, len(data), step):
            decoder.feed(data[at : at + step])
        begun = decoder.body()
        assert decoder.fault.startswith("the body is not gzip") and len(begun) >= least
        assert body[: least - 300] == begun[: least - 300]
