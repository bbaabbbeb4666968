"""Requests that no browser or client of good will sends, as bytes on a socket."""

from __future__ import annotations

import contextlib
import socket
import time
from contextlib import ExitStack

import pytest
import requests

from ontocrawl.base.workspace import Workspace
from ontocrawl.explorer import app
from ontocrawl.explorer.app import LARGEST_BODY, Prepared
from tests.ontocrawl.explorer.conftest import reader, running
from tests.queries.test_read_only import WRITES

DECISION = "/api/proposals/rainstorm/none"


def sent(served: Prepared, *lines: str, body: bytes = b"", host: bool = True) -> tuple[int, dict[str, str], bytes]:
    """Send a request as it is; return status, headers with small letters, and body."""
    port = served.address.access.port
    head = [lines[0], *([f"Host: 127.0.0.1:{port}"] if host else []), *lines[1:], "Connection: close"]
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall("\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    start, _, content = answer.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n").partition(b"\r\n\r\n")
    status, *fields = start.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}
    return int(status.split()[1]), headers, content


def bearer(served: Prepared) -> str:
    return f"Authorization: Bearer {served.address.token}"


@pytest.mark.parametrize("method", ["TRACE", "PROPFIND", "PUT", "DELETE", "PATCH", "CONNECT", "post", "get", "GETS"])
def test_other_methods_do_nothing(served: Prepared, method: str) -> None:
    status, headers, _ = sent(served, f"{method} {DECISION} HTTP/1.1")
    assert status in (400, 401, 404, 405)
    status, headers, _ = sent(served, f"{method} {DECISION} HTTP/1.1", bearer(served), "Content-Length: 2", body=b"{}")
    assert status in (400, 404, 405)
    assert "access-control-allow-origin" not in headers


def test_head_and_options_say_no_more_than_get(served: Prepared) -> None:
    status, headers, body = sent(served, "HEAD /crawls HTTP/1.1", bearer(served))
    assert (status, body) == (200, b"")
    assert "content-security-policy" in headers
    for origin in ("http://evil.example", "null"):
        status, headers, _ = sent(
            served, f"OPTIONS {DECISION} HTTP/1.1", f"Origin: {origin}", "Access-Control-Request-Method: POST",
            "Access-Control-Request-Headers: x-csrf-token",
        )  # fmt: skip
        assert status == 403
        assert not any(name.startswith("access-control-") for name in headers)
    for method in ("HEAD", "OPTIONS", "GET"):
        assert sent(served, f"{method} /crawls HTTP/1.1")[0] == 401


@pytest.mark.parametrize(
    "extra",
    [
        ("Host: evil.example",),
        ("X-Forwarded-Host: evil.example", "X-Forwarded-For: 127.0.0.1", "Forwarded: host=evil.example"),
    ],
)
def test_a_second_host_is_refused_or_ignored(served: Prepared, extra: tuple[str, ...]) -> None:
    status, _, body = sent(served, "GET /crawls HTTP/1.1", bearer(served), *extra)
    assert status == (400 if extra[0].startswith("Host") else 200)
    assert b"evil" not in body


def test_a_request_without_host_is_refused(served: Prepared) -> None:
    assert sent(served, "GET /api/crawls HTTP/1.1", host=False)[0] == 400
    assert sent(served, "GET /api/crawls HTTP/1.0", host=False)[0] == 421


@pytest.mark.parametrize("site", ["same-site", "cross-site"])
def test_a_page_of_another_port_of_this_computer_neither_reads_nor_changes(served: Prepared, site: str) -> None:
    fetch = f"Sec-Fetch-Site: {site}"
    assert sent(served, "GET /api/crawls HTTP/1.1", fetch)[0] == 403
    assert sent(served, f"POST {DECISION} HTTP/1.1", fetch, bearer(served), "Content-Length: 2", body=b"{}")[0] == 403
    other = "Origin: http://127.0.0.1:1"
    assert sent(served, f"POST {DECISION} HTTP/1.1", other, bearer(served), "Content-Length: 2", body=b"{}")[0] == 403


@pytest.mark.parametrize(
    "path", ["//evil.example", "//evil.example/crawls/", "/\\evil.example/", "http://evil.example/"]
)
def test_no_link_or_redirect_leads_to_another_server(served: Prepared, path: str) -> None:
    for at in (path, served.address.access.root + path):
        assert sent(served, f"GET {at} HTTP/1.1")[0] == 401
    status, headers, body = sent(served, f"GET {path} HTTP/1.1", bearer(served))
    assert status == 404
    assert "location" not in headers
    text = body.decode()
    assert 'href="//' not in text and 'href="/\\' not in text and 'href="http' not in text


def test_the_session_leads_to_this_server_only(served: Prepared) -> None:
    path = served.address.opening.partition(":")[2].partition("/session")[2]
    status, _, body = sent(served, f"GET /session{path}&next=//evil.example&url=http://evil.example HTTP/1.1")
    assert status == 200 and body.count(b"url=") == 1 and b"evil" not in body


@pytest.mark.parametrize("lang", ["zh%0d%0aSet-Cookie:%20a=b", "%0d%0a%0d%0a<script>", "zh%00", "zh;%20a=b", "zh,en"])
def test_a_language_is_no_header(served: Prepared, lang: str) -> None:
    status, headers, body = sent(
        served, f"GET /crawls?lang={lang} HTTP/1.1", bearer(served), "Cookie: ontocrawl_language=<script>"
    )
    assert status == 200
    assert "set-cookie" not in headers
    assert b"<script>" not in body


@pytest.mark.parametrize("path", ["/crawls%0d%0aX-Evil:%201/", "/%0d%0aX-Evil:%201", "/static%0d%0aX-Evil:1/app.js/"])
def test_a_path_is_no_header(served: Prepared, path: str) -> None:
    assert "x-evil" not in sent(served, f"GET {path} HTTP/1.1")[1]


STATIC = (
    "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/..%5capp.py", "/static//etc/passwd",
    "/static/%2fetc/passwd", "/static/../../../../../../etc/passwd", "/static/app.js%00.css", "/static/", "/static",
    "/static/.", "/static/../api/crawls", "/static/..;/api/crawls", "/static/%c0%ae%c0%ae/app.py",
)  # fmt: skip


@pytest.mark.parametrize("path", STATIC)
def test_only_the_bundle_is_below_static(served: Prepared, path: str) -> None:
    """On another address: what begins with /static/ needs no token there."""
    status, _, body = sent(served, f"GET {path} HTTP/1.1")
    assert status in (400, 401, 404)
    assert b"import" not in body and b"root:" not in body and b"crawls" not in body


@pytest.mark.parametrize("path", ["/session/../api/crawls", "/SESSION", "//session", "/session/", "/api/../session/x"])
def test_no_other_path_is_read_without_the_token(served: Prepared, path: str) -> None:
    assert sent(served, f"GET {path} HTTP/1.1")[0] == 401


def test_a_chunked_body_is_refused_where_it_becomes_too_large(served: Prepared) -> None:
    body = b"%x\r\n%b\r\n1\r\nx\r\n" % (LARGEST_BODY, b"x" * LARGEST_BODY)  # its end never comes
    asked = (f"POST {DECISION} HTTP/1.1", bearer(served), "Transfer-Encoding: chunked")
    status, headers, content = sent(served, *asked, body=body)
    assert status == 413
    assert b"larger than" in content and "content-security-policy" in headers
    assert sent(served, *asked, body=b"2\r\n{}\r\n0\r\n\r\n")[0] == 400  # a small one comes as far as the verdict


@pytest.mark.parametrize("length", ["-1", "1e9", "+5", "5, 6", "x", "99999999999999999999"])
def test_a_length_that_is_none_is_refused(served: Prepared, length: str) -> None:
    assert sent(served, f"POST {DECISION} HTTP/1.1", bearer(served), f"Content-Length: {length}")[0] in (400, 413)


def test_two_lengths_are_refused(served: Prepared) -> None:
    """Requests that are smuggled in the body of another one need two readings of its end."""
    both = ("Content-Length: 2", "Transfer-Encoding: chunked")
    assert sent(served, f"POST {DECISION} HTTP/1.1", bearer(served), *both, body=b"0\r\n\r\n")[0] == 400
    twice = ("Content-Length: 2", "Content-Length: 3")
    assert sent(served, f"POST {DECISION} HTTP/1.1", bearer(served), *twice, body=b"{}")[0] == 400


@pytest.mark.parametrize(
    "body",
    [b"[" * 100_000, b'{"a":' * 100_000, b'{"why": "\\ud800", "action": "reject"}', b"\xff\xfe", b"[1]", b"1", b"NaN"],
    ids=range(7),
)
def test_json_that_is_none_is_an_error_of_the_request(served: Prepared, body: bytes) -> None:
    asked = (f"POST {DECISION} HTTP/1.1", bearer(served), f"Content-Length: {len(body)}")
    status, headers, content = sent(served, *asked, body=body)
    assert status == 400
    assert headers["content-type"] == "application/json" and b'"error"' in content


@pytest.mark.parametrize("text", ["1" * 5000, "٣", "1_0", "-0", "0x1", "1" * 10, ""], ids=range(7))
def test_a_number_that_is_none_is_an_error_of_the_request(served: Prepared, crawled: str, text: str) -> None:
    answer = reader(served).get(f"{served.address.url}api/crawls/{crawled}/pages", params={"limit": text}, timeout=60)
    assert answer.status_code == 400


def test_statements_of_the_package_are_no_queries(served: Prepared) -> None:
    answer = reader(served).get(served.address.url + "api/queries/enrich/proposal", params={"rows": "x"}, timeout=60)
    assert answer.status_code == 400
    assert "not a query for users" in answer.json()["error"]


@pytest.mark.parametrize("statement", WRITES)
def test_a_statement_that_hides_its_write_writes_nothing(served: Prepared, statement: str) -> None:
    address = f"{served.address.url}api/cypher"
    count = {"statement": "MATCH (n) RETURN count(n) AS n, count(n.pwn) AS pwn, count(n.seen) AS seen"}
    before = reader(served).get(address, params=count, timeout=60).json()["rows"]
    answer = reader(served).get(address, params={"statement": statement}, timeout=60)
    assert (answer.status_code, answer.json()["error"][:23]) == (400, "only reading is allowed")
    assert reader(served).get(address, params=count, timeout=60).json()["rows"] == before != [[0, 0, 0]]


def test_no_websocket_is_opened(served: Prepared) -> None:
    upgrade = (
        "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Origin: http://evil.example",
    )  # fmt: skip
    assert sent(served, "GET /api/crawls HTTP/1.1", *upgrade)[0] == 403
    assert sent(served, "GET /api/crawls/x/live HTTP/1.1", bearer(served), *upgrade[:-1])[0] == 404


def test_cookies_of_other_programs_do_not_end_a_session(served: Prepared) -> None:
    mine = requests.get(served.address.opening, timeout=60).headers["Set-Cookie"].partition(";")[0]
    page = f"GET {served.address.access.root}/ HTTP/1.1"
    body = sent(served, page, f'Cookie: other={{"a": [1]}}; bad name=1; {mine}; =x')[2]
    assert b'data-changes="yes"' in body
    name, _, value = mine.partition("=")
    for wrong in (f"{name}x={value}", f"x{name}={value}", f"{name}={value}x", f"{name}=", name):
        assert sent(served, page, f"Cookie: {wrong}")[0] == 401
    assert sent(served, "GET / HTTP/1.1", f"Cookie: {mine}")[0] == 401  # a cookie belongs to its path


def test_slow_and_silent_clients_hold_up_nobody_and_not_the_end(space: Workspace) -> None:
    with ExitStack() as connections:
        with running(space) as server:
            port = server.address.access.port
            head = (
                f"POST {DECISION} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{bearer(server)}\r\nContent-Length: 9\r\n\r\n"
            )
            for beginning in ["", "GET / HTT", head, f"{head}{{"] * 25:
                slow = connections.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
                slow.sendall(beginning.encode())
            assert reader(server).get(server.address.url + "api/crawls", timeout=20).status_code == 200
            ending = time.monotonic()
        assert time.monotonic() - ending < 30


@pytest.mark.slow
def test_slow_heads_and_bodies_are_ended(space: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "HEAD_SECONDS", 0.3)
    monkeypatch.setattr(app, "BODY_SECONDS", 0.3)
    with running(space) as server:
        port = server.address.access.port
        complete = f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
        body = f"POST {DECISION} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{bearer(server)}\r\nContent-Length: 9\r\n\r\n{{"
        for beginning, status in [("", None), ("GET / HTT", None), (complete + "GET / HT", 200), (body, 408)]:
            with socket.create_connection(("127.0.0.1", port), timeout=60) as slow:
                slow.sendall(beginning.encode())
                answer = b"".join(iter(lambda slow=slow: slow.recv(65536), b""))  # until the server closes it
            assert answer.startswith(b"" if status is None else f"HTTP/1.1 {status} ".encode()), answer
            assert status is not None or not answer


@pytest.mark.slow
def test_a_request_that_is_answered_before_it_ends_is_not_waited_for(served: Prepared) -> None:
    port = served.address.access.port
    for line, status in ((f"POST {DECISION}", 401), ("GET /health", 200)):
        head = f"{line} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 900\r\n\r\n"
        with socket.create_connection(("127.0.0.1", port), timeout=20) as slow:
            slow.sendall(head.encode())
            assert slow.recv(65536).startswith(f"HTTP/1.1 {status} ".encode())
            slow.sendall(b"x")
            with contextlib.suppress(ConnectionError):
                assert b"".join(iter(lambda slow=slow: slow.recv(65536), b"")).startswith((b"", b"{"))


def test_no_redirect_names_a_scheme(served: Prepared) -> None:
    for path in (f"{served.address.access.root}/ontologies/", f"{served.address.access.root}/crawls/"):
        status, headers, _ = sent(served, f"GET {path} HTTP/1.1", bearer(served))
        assert (status, "location" in headers) == (404, False)
    assert sent(served, f"GET {served.address.access.root} HTTP/1.1", bearer(served))[0] == 200
