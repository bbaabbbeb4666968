"""A server on loopback with the chat interface of OpenAI, whose replies a test chooses."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """A response: its body is sent as it is if it is text, else as JSON."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    close: bool = False
    """Whether the connection is closed without a response."""


@dataclass(frozen=True)
class Asked:
    """A request as the server saw it."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def kind(self) -> str:
        """Whether it asks for places or for confirmations."""
        return "place" if "place terms" in self.body["messages"][0]["content"] else "confirm"

    @property
    def questions(self) -> list[str]:
        """The questions, without the own lists of classes."""
        lines = self.body["messages"][1]["content"].split("\n")
        return [re.sub(r"^\d+\. | \(own list: .*", "", line) for line in lines if re.match(r"\d+\. ", line)]

    @property
    def menu(self) -> list[str]:
        """The answers that the schema allows."""
        form = self.body["response_format"]["json_schema"]["schema"]
        return list(form["properties"]["answers"]["items"]["properties"]["answer"]["enum"])


@dataclass
class ChatServer:
    """Where the server is, and the requests that it has received."""

    url: str
    requests: list[Asked] = field(default_factory=list)


def completion(text: str, *, reason: str = "stop", tokens: int = 100) -> dict[str, Any]:
    """Return the body of a response with a model's text."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}
    return {"object": "chat.completion", "choices": [choice], "usage": {"total_tokens": tokens}}


def answers(asked: Asked, answer: Callable[[str], str]) -> Reply:
    """Answer each question of a request by a function of its text."""
    entries = [{"number": n, "answer": answer(question)} for n, question in enumerate(asked.questions, 1)]
    return Reply(completion(json.dumps({"answers": entries}, ensure_ascii=False)))


@contextmanager
def serving(respond: Callable[[Asked, int], Reply]) -> Iterator[ChatServer]:
    """Serve on loopback.

    Args:
        respond: returns the response to a request; the second argument is the number of requests before it.
    """
    chat = ChatServer("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
            number = len(chat.requests)
            chat.requests.append(asked)
            reply = respond(asked, number)
            if reply.close:
                self.close_connection = True
                return
            text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body, ensure_ascii=False)
            content = text.encode()
            with suppress(OSError):  # the client may have given up
                self.send_response(reply.status)
                self.send_header("Content-Length", str(len(content)))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    chat.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield chat
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
