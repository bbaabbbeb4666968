"""Who may read and change: hosts, origins, tokens, sessions, CSRF."""

from __future__ import annotations

import re
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
from tests.ontocrawl.explorer.conftest import running

DECISION = "api/proposals/rainstorm/none"
"""An address that changes something, of a proposal that does not exist."""


def csrf_of(browser: requests.Session, served: Prepared) -> str:
    page = browser.get(served.address.url, timeout=60).text
    [value] = re.findall(r'<meta name="csrf-token" content="(\w*)">', page)
    return str(value)


def test_reading_on_loopback_needs_no_token(served: Prepared) -> None:
    answer = requests.get(served.address.url + "api/crawls", timeout=60)
    assert answer.status_code == 200
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example", ""])
def test_another_host_is_refused(served: Prepared, host: str) -> None:
    answer = requests.get(served.address.url, headers={"Host": host}, timeout=60)
    assert answer.status_code == 421


def test_localhost_is_known(served: Prepared) -> None:
    url = served.address.url.replace("127.0.0.1", "localhost")
    assert requests.get(url + "api/crawls", timeout=60).status_code == 200


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}]
)
def test_pages_of_other_sites_neither_read_nor_change(served: Prepared, headers: dict[str, str]) -> None:
    token = {"Authorization": f"Bearer {served.address.token}"}
    assert requests.get(served.address.url + "api/crawls", headers=headers, timeout=60).status_code == 403
    answer = requests.post(served.address.url + DECISION, headers=headers | token, json={}, timeout=60)
    assert answer.status_code == 403


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


def test_a_page_without_a_session_has_no_csrf_value(served: Prepared) -> None:
    with requests.Session() as stranger:
        assert csrf_of(stranger, served) == ""


def test_the_cookie_is_not_for_scripts_and_not_the_token(served: Prepared) -> None:
    answer = requests.get(served.address.opening, allow_redirects=False, timeout=60)
    cookie = answer.headers["Set-Cookie"]
    assert answer.status_code == 303
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert served.address.token not in cookie
    assert requests.get(served.address.url + "session?token=no", timeout=60).status_code == 401


def test_a_large_body_is_refused(browser: requests.Session, served: Prepared) -> None:
    headers = {"X-CSRF-Token": csrf_of(browser, served)}
    data = b"x" * (LARGEST_BODY + 1)
    assert browser.post(served.address.url + DECISION, data=data, headers=headers, timeout=60).status_code == 413


def test_on_another_address_reading_needs_the_token(space: Workspace) -> None:
    with running(space, "0.0.0.0") as server:
        url = server.address.url.replace("0.0.0.0", "127.0.0.1")
        assert requests.get(url + "api/crawls", timeout=60).status_code == 401
        token = {"Authorization": f"Bearer {server.address.token}"}
        assert requests.get(url + "api/crawls", headers=token, timeout=60).status_code == 200
        with requests.Session() as session:
            session.get(f"{url}session?token={server.address.token}", timeout=60)
            assert session.get(url + "api/crawls", timeout=60).status_code == 200


def test_loopback_is_by_address() -> None:
    assert Access("t", 1, "127.0.0.2").loopback and Access("t", 1, "::1").loopback
    assert not Access("t", 1, "0.0.0.0").loopback and not Access("t", 1, "example.org").loopback


def test_health_needs_no_token_and_says_whether_the_workspace_can_be_used(tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    with running(space, "0.0.0.0") as server:
        url = f"http://127.0.0.1:{server.address.url.rsplit(':', 1)[1]}"
        assert requests.get(url + "api/crawls", timeout=60).status_code == 401
        answer = requests.get(url + "health", timeout=60)
        assert answer.status_code == 200 and answer.json() == {"status": "ok"}
        assert requests.post(url + "health", timeout=60).status_code == 401
        space.root.rename(tmp_path / "elsewhere")
        gone = requests.get(url + "health", timeout=60)
        assert gone.status_code == 503 and str(tmp_path) not in gone.text


def test_health_of_another_host_is_refused(served: Prepared) -> None:
    assert requests.get(served.address.url + "health", headers={"Host": "evil.example"}, timeout=60).status_code == 421


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
    assert set(document.json) == {"url"} and "session?token=TOKEN" in said.err.replace("\n", "")
    assert "0123456789abcdefghijklmnop" not in said.out + said.err + document.out + document.err
    assert command("explore", tmp_path / "ws", "--no-browser", "--token-file", tmp_path / "none").code == 2
