"""Attribute exploration of a topic's terms, question by question, by the functions of `ontology settle`.

Each request makes a session of its own from the files, so that tabs and terminals see each other's answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ontocrawl.base import workspace
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here
from ontocrawl.explorer.routes.lattices import topic_of
from ontocrawl.settling.document import dialogue
from ontocrawl.settling.replies import Reply
from ontocrawl.settling.session import Session
from ontocrawl.settling.state import AnsweredMeanwhile, Described
from ontocrawl.settling.terms import MOST, folder_of
from ontocrawl.settling.wording import Wording
from ontocrawl.versions import deciding
from ontology.lattice import ExplorationError
from ontology.printable import is_plain

_TOP = 10
"""Number of terms that are chosen, unless the address says how many."""
_AND = " + "
"""Between the terms that a question put off is about."""


def _session(request: Request, *, writes: bool) -> tuple[Session, Wording]:
    """Begin the session of an address: ``term``, ``top``, ``combinations=yes``, ``later``, each as in the command."""
    topic, given = topic_of(request), request.query_params
    folder = folder_of(topic)
    if folder is None:
        raise UsageError("explorer.settle_none", topic=topic.name)
    terms = given.getlist("term") or None
    if terms is not None and "top" in given:
        raise UsageError("explorer.settle_term_or_top")
    top = here.number(request, "top", _TOP, MOST) if "top" in given else None
    session = Session(
        here.space(request), folder, terms=terms, top=top,
        combinations=given.get("combinations") == "yes", who=deciding.person(""), now=workspace.now(), writes=writes,
    )  # fmt: skip
    for about in (text.split(_AND) for text in given.getlist("later")):
        if set(about) <= set(session.labels):
            session.postpone(session.question_about(about))
    return session, Wording(rendering.language_of(request), session.english)


def state(request: Request) -> Response:
    """Return the question to ask next, what is known, and the answers so far."""
    return JSONResponse(dialogue(*_session(request, writes=False)))


async def answer(request: Request) -> Response:
    """Answer a question: ``{"about": [..], "choices": [..], "holds": [..], "example": .., "nothing": false}``.

    ``about`` and ``choices`` are those of the question that the person saw. If its choices are others by now, because
    somebody else has answered, the answer has status 409 and nothing is recorded.
    """
    sent = await here.sent(request, "about", "choices", "holds", "example", "nothing")
    about, choices = (tuple(here.texts(sent.get(name), name)) for name in ("about", "choices"))
    if not choices:
        raise UsageError("explorer.settle_choices")
    reply = _reply(sent, choices)

    def work(session: Session, wording: Wording) -> None:
        session.answer(replace(session.question_about(about), choices=choices), reply)

    return await here.in_thread(request, _changed, request, work)


def _reply(sent: Mapping[str, Any], choices: tuple[str, ...]) -> Reply:
    """Read the answer that a request sends."""
    if sent.get("nothing"):
        return Reply("nothing", choices)
    named = here.texts(sent.get("holds"), "holds")
    if unknown := sorted(set(named) - set(choices)):
        raise UsageError("explorer.settle_holds", unknown=", ".join(unknown))
    holds = tuple(label for label in choices if label in named)
    example = sent.get("example")
    if example is None:
        return Reply("answer", holds)
    if not isinstance(example, dict) or not isinstance(example.get("name"), str) or not example["name"].strip():
        raise UsageError("explorer.settle_example")
    if holds == choices:
        raise UsageError("explorer.settle_all_hold")
    name = " ".join(example["name"].split())
    if not is_plain(name):
        raise UsageError("explorer.settle_hidden", name=name[:100])
    has, lacks = (tuple(here.texts(example.get(name, []), f"example.{name}")) for name in ("has", "lacks"))
    return Reply("answer", holds, Described(name, has, lacks))


async def undo(request: Request) -> Response:
    """Take the last answer back: ``{"seen": REVISION}``; status 409 if that is not the present revision."""
    sent = await here.sent(request, "seen")
    seen = sent.get("seen")
    if not isinstance(seen, str) or not seen:
        raise UsageError("explorer.settle_seen")
    return await here.in_thread(request, _changed, request, lambda session, wording: session.undo(seen))


async def decide(request: Request) -> Response:
    """Write the decisions that follow from the answers, as the command does at its end, and withdraw others."""

    def run() -> Response:
        session, wording = _session(request, writes=True)
        changes = session.finish(wording)
        return JSONResponse({**dialogue(session, wording), **changes.as_json()})

    return await here.in_thread(request, run)


def _changed(request: Request, work: Callable[[Session, Wording], object]) -> Response:
    """Make a change, and return what is known after it, or why it was not made."""
    session, wording = _session(request, writes=True)
    try:
        work(session, wording)
    except AnsweredMeanwhile as error:
        return JSONResponse({"error": wording.meanwhile(error.who)}, 409)
    except ExplorationError as error:
        return rendering.error(request, str(error), 400)
    return JSONResponse(dialogue(session, wording))


def exploration_page(request: Request) -> Response:
    """Show the questions about the terms of a topic."""
    topic = topic_of(request)
    values = {
        "topic": request.path_params["topic"], "run": request.query_params.get("run", ""), "most": MOST, "top": _TOP,
        "settles": folder_of(topic) is not None, "combinations": request.query_params.get("combinations") == "yes",
    }  # fmt: skip
    return rendering.page(request, "settle", values)


_API = "/api/lattice/{topic}/settle"
ROUTES = (
    Route("/lattice/{topic}/settle", exploration_page),
    Route(_API, state),
    Route(f"{_API}/answer", answer, methods=["POST"]),
    Route(f"{_API}/undo", undo, methods=["POST"]),
    Route(f"{_API}/decisions", decide, methods=["POST"]),
)
