"""Language models behind the chat interface of OpenAI, which most servers offer: POST BASE_URL/chat/completions.

One request is sent at a time, without streaming, at temperature 0 and with a seed. Proxies and certificates are those
of the environment; for a server on this machine no proxy is used. Redirects are not followed, so that the key reaches
no other host, and passwords of a .netrc file are not sent. A parameter that the server refuses is not sent again.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import requests

from crawler.fetching.retries import RETRIES, Retry, retry_after
from crawler.model import Response
from ontocrawl.errors import ChatError, Option, UsageError
from ontology.printable import one_line
from ontology.verification import AnswerCache, Completion, Messages, Verifier

_TIMEOUT = (10.0, 600.0)
"""Seconds to connect, and to wait for an answer: a model on a processor without acceleration is slow."""
_LONGEST_WAIT = 120.0
"""Largest Retry-After, in seconds, that is waited for."""
KEY = "ONTOCRAWL_VERIFY_KEY"
"""Environment variable of the key."""
_CONTEXT = re.compile("context.?(?:length|size|window)", re.IGNORECASE)
"""In the message of a server whose model cannot take a prompt that long."""
_SCHEMA = re.compile("schema|grammar|response_format", re.IGNORECASE)
_KEPT = "; the answers so far are kept, and the same command goes on from them"


@dataclass
class ChatEndpoint:
    """A language model on a server.

    Args:
        base_url: base URL of the interface, such as http://localhost:11434/v1.
        model: name of the model at the server.
        key: key of the server; none is sent if empty.
        max_tokens: largest number of tokens of an answer.
        timeout: seconds to connect, and to wait for an answer.
        sleep: waits a number of seconds.

    Raises:
        UsageError: a base URL of another form, or a key that no header can have.
    """

    base_url: str
    model: str
    key: str = field(default="", repr=False)
    max_tokens: int = 1024
    timeout: tuple[float, float] = _TIMEOUT
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    _left_out: set[str] = field(default_factory=set, init=False, repr=False)
    _has_answered: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        parts = _checked(self.base_url)
        if not self.key.isascii() or not self.key.isprintable():
            raise UsageError("versions.variable_characters_no_key", key=KEY)
        self.base_url = self.base_url.rstrip("/")
        self.place = parts.netloc
        self.local = _is_local(parts.hostname or "")
        self.encrypted = parts.scheme == "https"

    def complete(self, messages: Messages, schema: Mapping[str, Any], *, seed: int) -> Completion:
        """Complete a chat with an object of a JSON schema.

        Args:
            messages: the chat so far.
            schema: schema of the answer; a server that does not know schemas gets the messages alone.
            seed: seed of the server's random numbers.

        Returns:
            The model's text, which need not be of the schema.

        Raises:
            ChatError: the server cannot be reached, refuses the request or the key, or has no such model.
        """
        while True:
            body = self._body(messages, schema, seed)
            reply = self._sent(body)
            if _is_too_long(reply):
                return Completion("", cut_off=True, tokens=0)
            refused = self._refused_parameter(reply, body) if _is_invalid(reply) else ""
            if not refused:
                return self._completion(reply)
            self._left_out.add(refused)

    def _body(self, messages: Messages, schema: Mapping[str, Any], seed: int) -> dict[str, Any]:
        form = {"type": "json_schema", "json_schema": {"name": "answers", "strict": True, "schema": schema}}
        parameters = {"response_format": form, "seed": seed, "temperature": 0, "max_tokens": self.max_tokens}
        if "max_tokens" in self._left_out:
            parameters["max_completion_tokens"] = self.max_tokens
        used = {name: value for name, value in parameters.items() if name not in self._left_out}
        return {"model": self.model, "messages": list(messages), "stream": False, **used}

    def _refused_parameter(self, reply: requests.Response, body: Mapping[str, Any]) -> str:
        """Return the parameter that a request failed for; by default the schema, which the fewest servers know."""
        text = reply.text
        optional = [n for n in ("max_completion_tokens", "max_tokens", "temperature", "seed") if n in body]
        named = [n for n in optional if f"'{n}'" in text or f'"{n}"' in text or f"`{n}`" in text]
        return next(iter(named), "response_format" if "response_format" in body else "")

    def _sent(self, body: Mapping[str, Any]) -> requests.Response:
        """Send a request, again after failures that may pass; return a response that is no such failure."""
        tries = 0
        while True:
            reply = self._post(body)
            retry = self._retry(reply)
            if retry is None and isinstance(reply, requests.Response):
                return reply
            if retry is None or tries >= retry.times:
                raise self._error(reply)
            asked = _retry_after(reply)
            if asked > _LONGEST_WAIT:
                raise ChatError("versions.asks_wait_seconds_go", place=self.place, asked=asked, kept=_KEPT)
            self.sleep(max(asked, retry.delay * 2.0**tries))
            tries += 1

    def _retry(self, reply: requests.Response | Exception) -> Retry | None:
        """Return how a failure is tried again; None for a response that is none, and for a failure that stays."""
        if isinstance(reply, requests.Response):
            final = _is_too_long(reply) or _is_invalid(reply)
            return None if final else RETRIES.get(f"http_{reply.status_code}")
        broken = isinstance(reply, requests.ConnectionError) and self._has_answered
        return RETRIES["connection_reset"] if broken else None

    def _post(self, body: Mapping[str, Any]) -> requests.Response | Exception:
        """Send a request once; return the response, or the error without one."""
        try:
            reply = requests.post(
                f"{self.base_url}/chat/completions",
                data=json.dumps(body, ensure_ascii=False).encode(),
                headers={"Content-Type": "application/json", "Accept": "application/json"},
                auth=self._authorize,
                allow_redirects=False,
                timeout=self.timeout,
                proxies={"no_proxy": urlsplit(self.base_url).hostname or ""} if self.local else None,
            )
        except (requests.RequestException, ValueError) as error:  # ValueError: a host that is no name
            return error
        self._has_answered = True
        return reply

    def _authorize(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        """Add the key. As an ``auth`` of requests it also keeps a .netrc file from being used."""
        if self.key:
            request.headers["Authorization"] = f"Bearer {self.key}"
        return request

    def _completion(self, reply: requests.Response) -> Completion:
        """Read a response. Raises ChatError for a status other than 200, and for a body of another interface."""
        if reply.status_code != 200:
            raise self._error(reply)
        try:
            data = reply.json()
            choice = data["choices"][0]
            text, reason = choice["message"].get("content"), choice.get("finish_reason")
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise ChatError("versions.does_not_answer_chat", base_url=self.base_url, said=self._said(reply)) from error
        used = data.get("usage")
        total = used.get("total_tokens") if isinstance(used, dict) else None
        return Completion(
            text if isinstance(text, str) else "",
            cut_off=reason == "length",
            tokens=total if isinstance(total, int) and total > 0 else None,
        )

    def _error(self, reply: requests.Response | Exception) -> ChatError:
        """Return the error for a response that is no answer, or for none: what is wrong, and what to do."""
        if isinstance(reply, requests.Response):
            return ChatError("versions.advice_said", advice=self._advice(reply), said=self._said(reply))
        if isinstance(reply, requests.ReadTimeout):
            return ChatError("versions.gave_no_answer_within", place=self.place, timeout=self.timeout[1], kept=_KEPT)
        kinds = {
            requests.exceptions.SSLError: "its certificate is not trusted: name the file of certificates in "
            "REQUESTS_CA_BUNDLE",
            requests.exceptions.ProxyError: "the proxy of the environment does not reach it: name the host in no_proxy",
            requests.ConnectionError: "start the server, or correct its address",
        }
        why = next((text for kind, text in kinds.items() if isinstance(reply, kind)), type(reply).__name__)
        return ChatError("versions.no_connection", place=self.place, why=why, kept=_KEPT)

    def _advice(self, reply: requests.Response) -> str:
        status = reply.status_code
        if status in (401, 403):
            given = f"does not accept the key in {KEY}" if self.key else f"wants a key: set the variable {KEY}"
            return f"{self.place} {given} (status {status})"
        if status == 404:
            return (
                f"{self.base_url} has no model {self.model!r}, or is not the base URL, which often ends with /v1: "
                f"{self.base_url}/models lists the models (status 404)"
            )
        if 300 <= status < 400:
            return f"{self.base_url} redirects (status {status}), which is not followed: give the new base URL"
        if status == 429:
            return f"{self.place} accepts no more requests now (status 429): go on later{_KEPT}"
        if status >= 500:
            return f"{self.place} fails (status {status}): look at the log of the server{_KEPT}"
        return f"{self.place} refuses the request (status {status})"

    def _said(self, reply: requests.Response) -> str:
        """Return what the server says of a failure, on one line and without the key."""
        said = reply.headers.get("Location", "") if reply.is_redirect else _message(reply)
        if self.key:
            said = said.replace(self.key, "***")
        return f"; it says: {one_line(said)[:200]}" if said else ""


def _is_too_long(reply: requests.Response) -> bool:
    """Return whether a prompt was too long for the model; some servers say so with status 500, or even 200."""
    return _CONTEXT.search(_message(reply)) is not None


def _is_invalid(reply: requests.Response) -> bool:
    """Return whether a server refuses a request as it is; some servers refuse a schema with status 500."""
    return reply.status_code in (400, 422) or (reply.status_code == 500 and _SCHEMA.search(_message(reply)) is not None)


def _message(reply: requests.Response) -> str:
    """Return the message of an error in JSON, else "": pages of HTML say nothing to the user."""
    try:
        data = reply.json()
        error = data.get("error", data.get("message"))
    except (ValueError, AttributeError):
        return ""
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else ""


def _retry_after(reply: requests.Response | Exception) -> float:
    """Return the seconds that a server asks to wait, 0 if it asks for none."""
    if not isinstance(reply, requests.Response):
        return 0.0
    headers = {name.lower(): value for name, value in reply.headers.items()}
    return retry_after(Response(reply.url, reply.status_code, headers, b""), time.time()) or 0.0


def _checked(base_url: str) -> SplitResult:
    """Parse a base URL. Raises UsageError for another form."""
    option = Option("--verify-with")
    try:
        parts = urlsplit(base_url)
        _ = parts.port
    except ValueError as error:
        raise UsageError("versions.base_url_cannot_read", option=option, error=error) from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("versions.expected_base_url_such", option=option, base_url=base_url)
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError("versions.base_url_must_not", option=option, key=KEY)
    return parts


def _is_local(host: str) -> bool:
    """Return whether a host is this machine.

    >>> _is_local("localhost"), _is_local("127.0.0.1"), _is_local("api.example.org")
    (True, True, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


# ---- `ontology build --verify-with`: the options of a language model that judges what nothing else places


ANSWERS = "verified.jsonl"
"""File in the output folder with the model's answers, so that no question is asked twice."""


def verifier_of(
    base_url: str, model: str, token_limit: int, out: Path, announce: Callable[[str], None],
    on_stage: Callable[[str], None],
) -> Verifier:  # fmt: skip
    """Return the verifier of a build, which asks a language model; it has asked nothing.

    Args:
        base_url: base URL of the server's chat interface.
        model: name of the model.
        token_limit: largest number of tokens of all requests with their answers.
        out: output folder of the build.
        announce: called with messages to the user.
        on_stage: called with the progress.

    Raises:
        UsageError: a base URL of another form.
    """
    chat = ChatEndpoint(base_url, model, os.environ.get(KEY, "").strip())
    if not chat.local:
        announce(f"terms and classes of the corpus are sent to {chat.place}; no sentences, titles or abstracts")
        if chat.key and not chat.encrypted:
            announce(f"the key is sent to {chat.place} without encryption: use https")
    return Verifier(chat, AnswerCache(out / ANSWERS), token_limit, announce=announce, progress=on_stage)
