"""The client of chat servers: what it sends, what it tries again, and what it says of each failure.

The replies are made up: these tests show that the protocol is kept, and nothing about the answers of any model.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ontocrawl.errors import DEPENDENCY
from ontocrawl.exceptions import ChatError, UsageError
from ontocrawl.versions.chat_endpoint import KEY, ChatEndpoint
from ontology.verification import Completion
from tests.ontocrawl.chat_server import Asked, Reply, completion, serving

MESSAGES = ({"role": "system", "content": "place terms"}, {"role": "user", "content": "1. 哮喘"})
SCHEMA = {"type": "object"}
HELLO = Reply(completion("hello", tokens=7))


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "netrc"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def ask(
    respond: Callable[[Asked, int], Reply], **options: Any
) -> tuple[Completion | ChatError, list[Asked], list[float]]:
    """Ask a server once; return its answer or the error, the requests, and the pauses."""
    pauses: list[float] = []
    with serving(respond) as server:
        chat = ChatEndpoint(server.url, "m", sleep=pauses.append, **options)
        try:
            return chat.complete(MESSAGES, SCHEMA, seed=3), server.requests, pauses
        except ChatError as error:
            assert error.code == DEPENDENCY
            return error, server.requests, pauses


def test_a_request_and_its_answer() -> None:
    found, (asked,), _ = ask(lambda *_: HELLO, key="k1")
    assert found == Completion("hello", cut_off=False, tokens=7)
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == "Bearer k1"
    form = {"type": "json_schema", "json_schema": {"name": "answers", "strict": True, "schema": SCHEMA}}
    assert asked.body == {
        "model": "m", "messages": list(MESSAGES), "stream": False, "seed": 3, "temperature": 0, "max_tokens": 1024,
        "response_format": form,
    }  # fmt: skip


def test_an_answer_that_is_cut_off_or_empty_or_without_a_count() -> None:
    assert ask(lambda *_: Reply(completion("{", reason="length")))[0] == Completion("{", cut_off=True, tokens=100)
    empty = {"choices": [{"message": {"content": None}, "finish_reason": "stop"}]}
    assert ask(lambda *_: Reply(empty))[0] == Completion("")


@pytest.mark.parametrize("status", [200, 400, 500])
@pytest.mark.parametrize(
    "error",
    [
        {"error": {"message": "the request exceeds the available context size"}},
        {"object": "error", "message": "This model's maximum context length is 4096 tokens."},
        {"error": "prompt is longer than the context window"},
    ],
)
def test_a_prompt_beyond_the_context_of_the_model_is_cut_off(error: dict[str, Any], status: int) -> None:
    found, requests, _ = ask(lambda *_: Reply(error, status))
    assert (found, len(requests)) == (Completion("", cut_off=True, tokens=0), 1)


@pytest.mark.parametrize(
    ("message", "left_out", "added"),
    [
        ("500 JSON schema conversion failed", "response_format", {}),
        ("json_schema is not supported", "response_format", {}),
        ("Unsupported value: 'temperature' does not support 0", "temperature", {}),
        ("Use 'max_completion_tokens' instead of 'max_tokens'", "max_tokens", {"max_completion_tokens": 1024}),
    ],
)
def test_a_parameter_that_the_server_refuses_is_left_out(message: str, left_out: str, added: dict[str, int]) -> None:
    def respond(asked: Asked, number: int) -> Reply:
        return (
            Reply({"error": {"message": message}}, 500 if message[:3] == "500" else 400)
            if left_out in asked.body
            else HELLO
        )

    with serving(respond) as server:
        chat = ChatEndpoint(server.url, "m")
        assert [chat.complete(MESSAGES, SCHEMA, seed=0).text for _ in range(2)] == ["hello", "hello"]
        first, second, third = server.requests
    assert set(first.body) - set(second.body) == {left_out}
    assert {name: second.body[name] for name in added} == added
    assert third.body == second.body


def test_a_request_that_is_refused_for_another_reason_ends() -> None:
    found, requests, _ = ask(lambda *_: Reply({"error": "bad\nthing"}, 422))
    assert "refuses the request (status 422); it says: bad thing" in str(found)
    assert len(requests) == 2


def test_too_many_requests_are_tried_again_when_the_server_asks() -> None:
    busy = Reply({"error": {"message": "busy"}}, 429, {"Retry-After": "17"})
    found, requests, pauses = ask(lambda _, number: HELLO if number else busy)
    assert isinstance(found, Completion) and found.text == "hello"
    assert (len(requests), pauses) == (2, [17.0])


def test_errors_of_the_server_are_tried_again_and_then_named() -> None:
    found, requests, pauses = ask(lambda *_: Reply("<html>down</html>", 503))
    assert "fails (status 503): look at the log of the server; the answers so far are kept" in str(found)
    assert (len(requests), pauses) == (3, [10.0, 20.0])
    assert len(ask(lambda *_: Reply({"error": "x"}, 500))[1]) == 2


def test_a_long_wait_is_left_to_the_user() -> None:
    found, requests, pauses = ask(lambda *_: Reply({}, 429, {"Retry-After": "3600"}))
    assert "asks to wait 3600 seconds: go on later; the answers so far are kept" in str(found)
    assert (len(requests), pauses) == (1, [])


@pytest.mark.parametrize(
    ("key", "says"),
    [("", f"wants a key: set the variable {KEY} (status 401)"), ("k-9", f"does not accept the key in {KEY}")],
)
def test_a_missing_and_a_wrong_key(key: str, says: str) -> None:
    found, requests, _ = ask(lambda *_: Reply({"error": {"message": "Incorrect key k-9"}}, 401), key=key)
    assert says in str(found)
    assert ("k-9" in str(found)) is (key == "")
    assert len(requests) == 1


def test_a_missing_model_names_the_list_of_models() -> None:
    found, _, _ = ask(lambda *_: Reply({"error": {"message": "model 'm' not found, try pulling it first"}}, 404))
    assert "/v1 has no model 'm', or is not the base URL" in str(found)
    assert "/v1/models lists the models (status 404); it says: model 'm' not found" in str(found)


@pytest.mark.parametrize("body", ["<html></html>", {"answer": 1}, [], {"choices": []}, {"choices": [{"message": 1}]}])
def test_a_server_of_another_kind(body: Any) -> None:
    found, _, _ = ask(lambda *_: Reply(body))
    assert "does not answer as the chat interface of OpenAI does: is it the base URL?" in str(found)


def test_no_redirect_is_followed() -> None:
    with serving(lambda *_: HELLO) as other:
        to_other = Reply("", 307, {"Location": f"{other.url}/chat/completions"})
        found, requests, _ = ask(lambda *_: to_other, key="k1")
        assert (len(requests), other.requests) == (1, [])
    assert "redirects (status 307), which is not followed: give the new base URL; it says: http://127" in str(found)


def test_a_slow_server() -> None:
    done = threading.Event()

    def slow(*_: object) -> Reply:
        done.wait(5)
        return HELLO

    with serving(slow) as server:
        chat = ChatEndpoint(server.url, "m", timeout=(5.0, 0.2))
        with pytest.raises(ChatError, match=r"gave no answer within 0.2 seconds: is the model still being loaded"):
            chat.complete(MESSAGES, SCHEMA, seed=0)
        done.set()


def test_no_server() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    pauses: list[float] = []
    chat = ChatEndpoint(f"http://127.0.0.1:{port}/v1", "m", sleep=pauses.append)
    with pytest.raises(ChatError, match=f"no connection to 127.0.0.1:{port}: start the server, or correct its address"):
        chat.complete(MESSAGES, SCHEMA, seed=0)
    assert pauses == []


def test_a_connection_that_breaks_after_an_answer_is_tried_again() -> None:
    with serving(lambda _, number: Reply("", close=True) if number == 1 else HELLO) as server:
        pauses: list[float] = []
        chat = ChatEndpoint(server.url, "m", sleep=pauses.append)
        assert [chat.complete(MESSAGES, SCHEMA, seed=0).text for _ in range(2)] == ["hello", "hello"]
        assert (len(server.requests), pauses) == (3, [2.0])


def test_neither_a_proxy_nor_a_password_file_is_used_for_this_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login user password secret\n", encoding="utf-8")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    found, (asked,), _ = ask(lambda *_: HELLO)
    assert isinstance(found, Completion)
    assert "authorization" not in asked.headers


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("localhost:11434/v1", "expected a base URL such as http://localhost:11434/v1"),
        ("ftp://localhost/v1", "expected a base URL"),
        ("http:///v1", "expected a base URL"),
        ("http://localhost:99999/v1", "cannot be read"),
        (
            "http://user:secret@localhost/v1",
            f"have a user name, a password or a query; set the variable {KEY}",
        ),
        ("http://localhost/v1?key=secret", "must not have"),
    ],
)
def test_base_urls_that_are_refused(url: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        ChatEndpoint(url, "m")
    assert message in caught.value.said("en", on_command_line=True)
    assert caught.value.said("en", on_command_line=True).startswith("--verify-with")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("key", ["k1\nX-Header: 1", "密钥k1"])
def test_a_key_that_no_header_can_have(key: str) -> None:
    with pytest.raises(UsageError, match=f"the variable {KEY} has characters that no key has") as caught:
        ChatEndpoint("http://localhost/v1", "m", key)
    assert "k1" not in str(caught.value)


def test_the_key_is_in_no_text_of_the_endpoint() -> None:
    chat = ChatEndpoint("https://api.example.org/v1/", "m", "k1")
    assert "k1" not in repr(chat) and "k1" not in json.dumps(vars(chat)["base_url"])
    assert (chat.place, chat.local, chat.encrypted, chat.base_url) == (
        "api.example.org", False, True, "https://api.example.org/v1",
    )  # fmt: skip
