"""Who may read and change: hosts, origins, tokens, sessions, CSRF."""

from __future__ import annotations

import http.server
import os
import re
import threading
from pathlib import Path

import pytest
import requests

from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.explorer import access, app
from ontocrawl.explorer.access import Access
from ontocrawl.explorer.app import LARGEST_BODY, Prepared
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.explorer.chromium import opened
from tests.ontocrawl.explorer.conftest import reader, running

DECISION = "api/proposals/rainstorm/none"
"""An address that changes something, of a proposal that does not exist."""


def csrf_of(browser: requests.Session, served: Prepared) -> str:
    page = browser.get(served.address.url, timeout=60).text
    [value] = re.findall(r'<meta name="csrf-token" content="(\w*)">', page)
    return str(value)


def test_reading_needs_a_session_or_the_token(served: Prepared, browser: requests.Session) -> None:
    for url in (served.address.url, served.address.site):
        statement = "statement=RETURN+1+AS+n"
        tables = ("tables/runs", "api/tables/runs", f"api/tables/cypher?{statement}", "api/tables/runs?_format=html")
        for path in ("api/crawls", f"api/cypher?{statement}", "crawls", "", "api/nothing", *tables):
            answer = requests.get(url + path, timeout=60)
            assert answer.status_code == 401 and served.address.access.root not in answer.text
        assert reader(served).get(f"{url}api/crawls", timeout=60).status_code == 200
    assert browser.get(f"{served.address.site}api/crawls", timeout=60).status_code == 401
    answer = browser.get(f"{served.address.url}api/crawls", timeout=60)
    assert answer.status_code == 200
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example", ""])
def test_another_host_is_refused(served: Prepared, host: str) -> None:
    answer = requests.get(served.address.url, headers={"Host": host}, timeout=60)
    assert answer.status_code == 421


def test_localhost_is_known(served: Prepared) -> None:
    url = served.address.url.replace("127.0.0.1", "localhost")
    assert reader(served).get(url + "api/crawls", timeout=60).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "null"},
        {"Origin": "https://HOST"},
    ],
)
def test_pages_of_other_sites_neither_read_nor_change(served: Prepared, headers: dict[str, str]) -> None:
    host = f"127.0.0.1:{served.address.access.port}"
    given = {name: value.replace("HOST", host) for name, value in headers.items()}
    program = reader(served)
    for path in ("api/crawls", "api/tables/runs", "api/tables/runs?_format=csv"):
        assert program.get(served.address.url + path, headers=given, timeout=60).status_code == 403
    assert program.post(served.address.url + DECISION, headers=given, json={}, timeout=60).status_code == 403
    own = {"Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
    assert program.get(served.address.url + "api/crawls", headers=own, timeout=60).status_code == 200


def test_a_cookie_that_another_program_set_does_not_end_a_session(browser: requests.Session, served: Prepared) -> None:
    mine = f"ontocrawl_session={browser.cookies['ontocrawl_session']}"
    for cookie in (f"{mine}; ontocrawl_session=evil", f"ontocrawl_session=evil; {mine}", f"{mine}; ontocrawl_session"):
        answer = requests.get(f"{served.address.url}api/crawls", headers={"Cookie": cookie}, timeout=60)
        assert answer.status_code == 200


def test_a_session_ends_with_its_server(space: Workspace) -> None:
    token = "t" * 30
    with running(space, token=token) as first, requests.Session() as session:
        session.get(first.address.opening, timeout=60)
        cookie = {"Cookie": f"ontocrawl_session={session.cookies['ontocrawl_session']}"}
        assert requests.get(f"{first.address.url}api/crawls", headers=cookie, timeout=60).status_code == 200
    with running(space, token=token) as second:
        assert second.address.access.root == first.address.access.root
        assert requests.get(f"{second.address.url}api/crawls", headers=cookie, timeout=60).status_code == 401


def test_the_port_that_browsers_leave_out_and_the_names_behind_a_proxy() -> None:
    access = Access("t" * 22, 80)
    assert access.knows_host("127.0.0.1") and access.knows_host("localhost:80")
    assert not access.knows_host("evil.example") and not Access("t" * 22, 8080).knows_host("127.0.0.1")
    assert Access("t" * 22, 8080, https=True).knows_host("maps.example")


def test_behind_a_proxy_with_tls_pages_come_by_https() -> None:
    access = Access("t" * 22, 80, "0.0.0.0", https=True)
    assert access.same_origin({"origin": "https://maps.example", "host": "maps.example"})
    assert not access.same_origin({"origin": "http://maps.example", "host": "maps.example"})


@pytest.mark.slow
def test_a_change_needs_the_token(served: Prepared) -> None:
    url = served.address.url + DECISION
    assert requests.post(url, json={"action": "accept"}, timeout=60).status_code == 401
    wrong = {"Authorization": "Bearer " + "x" * 43}
    assert requests.post(url, headers=wrong, json={"action": "accept"}, timeout=60).status_code == 401
    right = {"Authorization": f"Bearer {served.address.token}"}
    answer = requests.post(url, headers=right, json={"action": "accept"}, timeout=60)
    assert answer.status_code == 400
    assert "none" in answer.json()["error"]  # it came as far as the proposal


def test_a_session_changes_by_its_own_pages_only(browser: requests.Session, served: Prepared) -> None:
    url, body = served.address.url + DECISION, {"action": "accept"}
    assert browser.post(url, json=body, timeout=60).status_code == 401
    csrf = csrf_of(browser, served)
    assert browser.post(url, json=body, headers={"X-CSRF-Token": csrf[::-1]}, timeout=60).status_code == 401
    assert browser.post(url, json=body, headers={"X-CSRF-Token": csrf}, timeout=60).status_code == 400
    assert requests.post(url, json=body, headers={"X-CSRF-Token": csrf}, timeout=60).status_code == 401


def test_a_code_works_once_and_the_next_one_is_told(space: Workspace) -> None:
    said: list[str] = []
    with running(space, used=lambda: said.append("used")) as server:
        first = server.address.opening
        assert requests.head(first, timeout=60).status_code == 401 and not said  # a preview does not use it up
        answer = requests.get(first, timeout=60)
        cookie = answer.headers["Set-Cookie"]
        assert answer.status_code == 200 and f'content="0; url={server.address.access.root}/"' in answer.text
        assert f"Path={server.address.access.root}" in cookie and "HttpOnly" in cookie and "SameSite=strict" in cookie
        assert server.address.token not in cookie + answer.text and said == ["used"]
        again = requests.get(first, timeout=60, headers={"Accept-Language": "zh"})
        assert again.status_code == 401 and "此地址已被使用" in again.text and "Set-Cookie" not in again.headers
        assert server.address.opening != first and requests.get(server.address.opening, timeout=60).status_code == 200


def test_a_session_begins_by_the_token_in_a_form(served: Prepared) -> None:
    form = requests.get(served.address.site, timeout=60)
    assert form.status_code == 401 and '<form class="row" method="post" action="/session">' in form.text
    for sent in ({"token": "x" * 43}, {}, {"code": served.address.token}):
        assert requests.post(served.address.site + "session", data=sent, timeout=60).status_code == 401
    with requests.Session() as person:
        sent = {"token": served.address.token}
        page = person.post(served.address.site + "session", data=sent, timeout=60)
        assert page.status_code == 200 and csrf_of(person, served)
        elsewhere = {"Origin": "http://evil.example"}
        assert person.post(f"{served.address.site}session", data=sent, headers=elsewhere, timeout=60).status_code == 403


def test_what_everybody_may_read_has_no_csrf_value_and_not_the_path_of_sessions(space: Workspace) -> None:
    with running(space, public_read=True) as server:
        page = requests.get(server.address.site, timeout=60)
        assert page.status_code == 200 and 'data-changes="no"' in page.text
        assert 'name="csrf-token" content=""' in page.text and server.address.access.root not in page.text
        assert requests.get(server.address.site + "api/crawls", timeout=60).status_code == 200
        assert requests.get(server.address.url + "api/crawls", timeout=60).status_code == 401
        assert requests.post(server.address.site + DECISION, json={}, timeout=60).status_code == 401
        own = {"statement": "RETURN 1 AS n"}
        assert requests.get(server.address.site + "api/tables/runs", timeout=60).status_code == 200
        for path in ("api/cypher", "api/tables/cypher"):
            assert requests.get(server.address.site + path, params=own, timeout=60).status_code == 401
            assert reader(server).get(server.address.site + path, params=own, timeout=60).status_code == 200


def test_the_start_file_is_for_one_user_and_gone_afterwards(served: Prepared, tmp_path: Path) -> None:
    with served.address.start_file(tmp_path) as file:
        assert served.address.opening in file.read_text() and file.parent == tmp_path
        assert os.name != "posix" or file.stat().st_mode & 0o777 == 0o600
    assert not file.exists()
    with served.address.start_file(tmp_path / "none") as file:
        assert served.address.opening in file.read_text()
    assert not file.exists() and not file.parent.exists()


def test_a_large_body_is_refused(browser: requests.Session, served: Prepared) -> None:
    headers = {"X-CSRF-Token": csrf_of(browser, served)}
    data = b"x" * (LARGEST_BODY + 1)
    assert browser.post(served.address.url + DECISION, data=data, headers=headers, timeout=60).status_code == 413


def test_loopback_is_by_address() -> None:
    assert Access("t", 1, "127.0.0.2").loopback and Access("t", 1, "::1").loopback
    assert not Access("t", 1, "0.0.0.0").loopback and not Access("t", 1, "example.org").loopback


def test_health_needs_no_token_and_says_whether_the_workspace_can_be_used(tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    with running(space, "0.0.0.0") as server:
        url = f"http://127.0.0.1:{server.address.access.port}/"
        assert requests.get(url + "api/crawls", timeout=60).status_code == 401
        answer = requests.get(url + "health", timeout=60)
        assert answer.status_code == 200 and answer.json() == {"status": "ok"}
        assert requests.post(url + "health", timeout=60).status_code == 401
        space.root.rename(tmp_path / "elsewhere")
        gone = requests.get(url + "health", timeout=60)
        assert gone.status_code == 503 and str(tmp_path) not in gone.text


def test_health_of_another_host_is_refused(served: Prepared) -> None:
    assert requests.get(served.address.site + "health", headers={"Host": "evil.example"}, timeout=60).status_code == 421


def test_the_token_of_a_file_is_the_one_of_the_server(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("0123456789abcdefghij_-\n", encoding="ascii")
    space = workspace.init(tmp_path / "ws")
    with app.prepared(space, "127.0.0.1", 0, access.token_of(file)) as server:
        assert server.address.token == "0123456789abcdefghij_-"


@pytest.mark.parametrize(
    "text", ["", "short", "0123456789abcdefghij/+==", "two lines of letters\nand more of them", "é" * 30]
)
def test_an_unfit_token_of_a_file_is_refused_and_not_shown(tmp_path: Path, text: str) -> None:
    file = tmp_path / "secret"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="the token file") as refused:
        access.token_of(file)
    assert not text or text not in str(refused.value)


def test_explore_does_not_print_the_token_of_a_file(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "secret"
    file.write_text("0123456789abcdefghijklmnop", encoding="ascii")
    workspace.init(tmp_path / "ws")
    monkeypatch.setattr(app.Prepared, "serve", lambda self: None)
    line = ("explore", tmp_path / "ws", "--no-browser", "--token-file", file)
    said, document = command(*line), command(*line, "--json")
    assert said.code == document.code == 0
    assert set(document.json) == {"url"} and "with the token of" in said.err and "code=" not in said.err
    assert "0123456789abcdefghijklmnop" not in said.out + said.err + document.out + document.err
    assert command("explore", tmp_path / "ws", "--no-browser", "--token-file", tmp_path / "none").code == 2


@pytest.mark.parametrize("name", ["new", "empty", "nested/new"])
def test_explore_makes_a_workspace_where_there_is_nothing(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.setattr(app.Prepared, "serve", lambda self: None)
    line = ("explore", tmp_path / name, "--no-browser")
    said, again = command(*line), command(*line)
    assert said.code == again.code == 0
    assert f"made a workspace in {tmp_path / name}" in said.err.replace("\n", "")
    assert "made a workspace" not in again.err
    assert workspace.asked(tmp_path / name).root == tmp_path / name


def test_explore_opens_a_browser_for_a_workspace_with_a_relative_name(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.init(tmp_path / "ws")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(app.Prepared, "serve", lambda self: None)
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert command("explore", "ws").code == 0
    assert [url.startswith((tmp_path / "ws").as_uri()) for url in opened] == [True]


def test_explore_shows_a_server_without_making_a_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "neo4j://127.0.0.1:1")
    space, made = workspace.asked_or_new(tmp_path / "none")
    assert (space.root, made, space.root.exists()) == (tmp_path / "none", False, False)


def test_explore_makes_no_workspace_among_other_files(tmp_path: Path, command: Command) -> None:
    (tmp_path / "letter.txt").write_text("x", encoding="utf-8")
    refused = command("explore", tmp_path, "--no-browser")
    assert refused.code == 2
    assert "ontocrawl init" in refused.err
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.slow
def test_another_port_of_this_computer_gets_no_session(served: Prepared, tmp_path: Path) -> None:
    seen: list[tuple[str, str]] = []

    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append((self.path, self.headers.get("Cookie", "")))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other) as other, opened(served.address) as browser:
        threading.Thread(target=other.serve_forever).start()
        try:
            for path in ("", "ontologies", "session", "static/app.js"):
                browser.page.goto(f"http://127.0.0.1:{other.server_port}/{path}")
            browser.page.goto(f"{served.address.site}crawls")  # this server gets none either, outside of its path
            assert browser.page.locator("input[name=token]").count() == 1
            assert 'data-changes="yes"' in browser.go("/").content()
            browser.page.goto(served.address.site)  # the form of the first page
            browser.page.fill("input[name=token]", served.address.token)
            browser.page.click("button")
            browser.page.wait_for_url(served.address.url)
            with served.address.start_file(tmp_path) as file:  # a browser that comes from a file goes on by itself
                browser.page.context.clear_cookies()
                browser.page.goto(file.as_uri())
                browser.page.wait_for_url(served.address.url)
                assert 'data-changes="yes"' in browser.page.content()
        finally:
            other.shutdown()
    assert len(seen) >= 4 and not [path for path, cookie in seen if "ontocrawl_session" in cookie]
