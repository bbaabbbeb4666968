"""The proposals of a topic, and verdicts about them, by the functions of `enrich decide`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, get_args
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ontocrawl.base import workspace
from ontocrawl.enrichment import proposals, reviewing, run_pages, wording
from ontocrawl.enrichment.classes import classes_of
from ontocrawl.enrichment.proposals import Stored
from ontocrawl.enrichment.reviewing import DecidedMeanwhile
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here
from ontocrawl.explorer.tables import Source
from ontocrawl.graph.tables import Table
from ontocrawl.terminal.dialogue import in_language
from ontocrawl.topics import reviewed, topics
from ontocrawl.topics.reviewed import Reviewed
from ontocrawl.versions import deciding
from ontology.enrichment import STATUSES, Proposal, Verdict
from ontology.enrichment.proposal import Kind
from ontology.errors import told
from ontology.printable import one_line

_REASON = "enrichment.reason_"
_VERDICT = ("action", "rename", "parent", "merge", "why")
"""Texts that a verdict may have."""


def found(request: Request) -> Response:
    """Return the proposals of a topic, by default the open ones; without a topic those of all topics."""
    space, given = here.space(request), request.query_params
    status, kind = given.get("status", "proposed"), given.get("kind", "")
    if status not in (*STATUSES, "all") or kind not in ("", *get_args(Kind)):
        raise UsageError("explorer.status_kind", statuses=", ".join(STATUSES), get_args=", ".join(get_args(Kind)))
    run = given.get("run", "")
    names = list(topics.places(space))
    if given.get("topic"):
        names = [topics.named(given["topic"], space).name]
    rows: list[dict[str, Any]] = []
    if run:
        with here.graph(request) as graph:
            run_pages.require_pages(space, graph, run)
    for name, stored in _stored(request, names, run).items():
        rows += _rows(request, name, stored, kind)
    shown = [row for row in rows if status in ("all", row["status"])]
    return JSONResponse({"proposals": shown, "counts": Counter(row["status"] for row in rows)})


def _rows(request: Request, topic: str, stored: Stored, kind: str) -> list[dict[str, Any]]:
    """Return the proposals of a topic, those put off last, each with the verdict that counts."""
    space, language = here.space(request), rendering.language_of(request)
    standing, put_off = reviewed.record_of(space, topic).standing, set(reviewing.read(space, topic))
    rows = [
        {
            **proposals.as_json(one),
            "under_label": label,
            "reason": told(one.reason, _REASON, language),
            "later": one.id in put_off,
            **verdict_json(standing.get(one.id)),
        }
        for one, label in _labelled(request, topic, stored, kind)
    ]
    return sorted(rows, key=lambda row: bool(row["later"]))


def _stored(request: Request, names: Sequence[str], run: str = "") -> Mapping[str, Stored]:
    """Return topic -> what the graph has of its proposals."""
    read = partial(proposals.stored, run=run)
    return here.remembered(
        request, ("proposals", *names, run), lambda graph: {name: read(graph, name) for name in names}
    )


def _labelled(request: Request, topic: str, stored: Stored, kind: str = "") -> Iterator[tuple[Proposal, str | None]]:
    """Yield the proposals of a topic, each with the label of its class, of the language where it has one."""
    space = here.space(request)
    found = proposals.with_waiting(space, topic, stored, kind=kind)
    is_english = rendering.language_of(request) == "en"
    hierarchy = classes_of(space, topics.named(topic, space)) if found and is_english else None
    for one in found:
        named = hierarchy.find(one.target) if hierarchy else None
        yield one, (named.label_en if named else "") or one.target_label


def _table(request: Request) -> Table:
    """Return the proposals of a topic, without one those of all topics, with the columns of `enrich list`."""
    space, given = here.space(request), request.query_params.get("topic", "")
    names = [topics.named(given, space).name] if given else list(topics.places(space))
    language = rendering.language_of(request)
    found = [
        (name, one, label)
        for name, stored in _stored(request, names).items()
        for one, label in _labelled(request, name, stored)
    ]
    rows = [
        (
            one.term, one.kind, one.status, label, told(one.reason, _REASON, language), one.score,
            one.pages, list(one.crawls), one.sentence, name, one.id,
        )
        for name, one, label in found
    ]  # fmt: skip
    columns = ("term", "kind", "status", "target", "why", "score", "pages", "crawls", "sentence", "topic", "id")
    return Table(columns, tuple(rows))


def _address(request: Request, row: Mapping[str, Any]) -> str:
    return f"/review?{urlencode({'topic': row['topic'], 'status': row['status'], 'text': row['term']})}"


SOURCES = {
    "proposals": Source(
        _table,
        links={"term": _address},
        words={"status": "review_status_", "kind": "proposal_"},
        hidden=("crawls", "topic", "id"),
    )
}


def verdict_json(one: Reviewed | None) -> dict[str, Any]:
    """Return the verdict that counts, and the ids of its decisions as ``seen``, which a change sends back."""
    if one is None:
        return {"verdict": None, "seen": []}
    said = {**asdict(one.verdict), "who": one.who, "when": one.when, "why": one.why}
    return {"verdict": said, "seen": list(one.decisions)}


async def decide(request: Request) -> Response:
    """Decide about a proposal: ``{"action": "accept", "rename": .., "parent": .., "merge": .., "why": ..}``.

    ``{"undo": true}`` withdraws the verdict. With ``"seen"``, the ids of the decisions of the verdict that the person
    saw (none: ``[]``), another verdict that counts now is answered with status 409 and is not replaced.
    """
    sent = await here.sent(request, *_VERDICT, "undo", "seen")
    verdict, why = _verdict(sent), str(sent.get("why", ""))
    seen = None if sent.get("seen") is None else here.texts(sent["seen"], "seen")
    space, proposal = here.space(request), request.path_params["id"]

    def run() -> Response:
        with here.graph(request) as graph:
            outcome = reviewing.decide_by_id(
                space, graph, proposal, verdict, who=deciding.person(""), when=workspace.now(), why=why, seen=seen
            )
        return JSONResponse(outcome.as_json())

    return await here.in_thread(request, _told, request, run)


async def decide_several(request: Request) -> Response:
    """Decide the same about several proposals of a topic, all or none: ``{"topic": .., "ids": [..], "action": ..}``.

    ``undo`` and ``why`` as for one; ``seen`` is an object, id -> ids of decisions.
    """
    sent = await here.sent(request, "topic", "ids", "action", "why", "undo", "seen")
    verdict, ids = _verdict(sent), here.texts(sent.get("ids"), "ids")
    given = sent.get("seen") or {}
    if not isinstance(given, dict):
        raise UsageError("explorer.seen_object")
    seen = {id_: here.texts(decisions, "seen") for id_, decisions in given.items()}
    space = here.space(request)
    topic = topics.named(str(sent.get("topic", "")), space)
    by: dict[str, Any] = {"who": deciding.person(""), "when": workspace.now(), "seen": seen}

    def run() -> Response:
        with here.graph(request) as graph:
            if verdict is None:
                reviewing.undo_all(space, topic, ids, graph=graph, **by)
            else:
                found = proposals.with_waiting(space, topic.name, proposals.stored(graph, topic.name))
                known = {one.id: one for one in found}
                lost = [id_ for id_ in ids if id_ not in known]
                if lost:
                    raise UsageError("explorer.proposal_none_for", lost=lost[0], topic=topic.name)
                verdicts = [(known[id_], verdict) for id_ in ids]
                reviewing.decide_all(space, topic, verdicts, graph=graph, why=str(sent.get("why", "")), **by)
        now = reviewed.record_of(space, topic.name).standing
        return JSONResponse({"decided": [{"id": id_, **verdict_json(now.get(id_))} for id_ in ids]})

    return await here.in_thread(request, _told, request, run)


def _told(request: Request, run: Callable[[], Response]) -> Response:
    """Run a change; if somebody else has decided meanwhile, answer with that verdict and status 409."""
    try:
        return run()
    except DecidedMeanwhile as error:
        now = error.standing
        language = rendering.language_of(request)
        said = wording.verdict(now.verdict, language)
        told = in_language(wording.TEXTS, language)["meanwhile"]
        text = told.format(one_line(now.proposal.term), one_line(now.who), said)
        return JSONResponse({"error": text, "id": now.id, "status": now.status, **verdict_json(now)}, 409)


def _verdict(sent: Mapping[str, Any]) -> Verdict | None:
    texts = {name: sent.get(name, "") for name in _VERDICT}
    if not all(isinstance(text, str) for text in texts.values()):
        raise UsageError("explorer.verdict_texts", verdict=", ".join(_VERDICT))
    texts.pop("why")
    return reviewing.verdict_of(texts.pop("action"), **texts, undo=here.flag(sent, "undo"))


ROUTES = (
    Route("/api/proposals", found),
    Route("/api/proposals", decide_several, methods=["POST"]),
    Route("/api/proposals/{id:path}", decide, methods=["POST"]),
)
