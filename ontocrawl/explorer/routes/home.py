"""The overview: where each topic is on its way from papers to the next version, and the runs; and a health check."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import proposals
from ontocrawl.explorer import rendering, tables
from ontocrawl.explorer.routes import crawls, here
from ontocrawl.runs import run_status
from ontocrawl.topics import proposed, topics
from ontocrawl.topics.topics import Label, Topic
from ontocrawl.versions import histories, learning
from ontology.errors import Message, OntocrawlError

HARVEST = "100"
"""The milestone that is shown: relevant pages among so many."""
_GOES_ON = ("running", "draining")
_State = Literal["done", "now", "open"]


@dataclass(frozen=True)
class Step:
    """A step of the circle of a topic: corpus, ontology, crawl, graph, proposals, next version."""

    name: str
    state: _State
    address: str
    """Where it is done, below the path of the session; "" for the command line."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """End of the key of a text -> figure."""


@dataclass(frozen=True)
class Circle:
    """Where a topic is."""

    topic: str
    label: Label
    steps: tuple[Step, ...]
    next: tuple[str, str]
    """End of the key of the text of the one next step, and its address."""


def circle_of(space: Workspace, name: str, measured: Sequence[Mapping[str, Any]]) -> Circle:
    """Return where a topic is, from its files and runs; no engine is started, and no ontology is read.

    Args:
        space: the workspace.
        name: name of the topic.
        measured: the measures of the runs of the workspace.

    Raises:
        OntocrawlError: a file of the topic is damaged.
    """
    topic, place = topics.named(name, space), topics.places(space)[name]
    learned = {} if place == "shipped" else learning.summary_of(Path(place).parent)
    own = [(*run_status.begun(space, one["run"]), one) for one in measured if one.get("topic") == name]
    own.sort(key=lambda begun: begun[0])
    found = proposals.counts(space, topic.name)
    waiting, changed = _of_versions(space, topic)
    about = quote(name, safe="")
    has_ontology = bool(topic.file.ontologies)
    in_graph = [one["run"] for _, is_in_graph, one in own if is_in_graph]
    version = Step(
        "version", "now" if waiting else "open" if changed is None else "done",
        f"/ontologies/{about}/versions" if has_ontology else "", _known(unversioned=waiting, changed=changed),
    )  # fmt: skip
    steps = (
        Step("corpus", "done" if learned.get("records") else "open", "", _known(records=learned.get("records"))),
        Step(
            "ontology", "done" if has_ontology else "open", f"/ontologies/{about}" if has_ontology else "",
            _known(
                version=str(learned.get("version", "")).partition("+")[0], classes=learned.get("classes"),
                **_terms(learned, found.waiting),
            ),
        ),
        _crawl_step(name, [one for *_, one in own]),
        Step(
            "graph", "done" if in_graph else "open", f"/web/{quote(in_graph[-1], safe='')}" if in_graph else "",
            _known(runs=len(in_graph)),
        ),
        Step(
            "proposals", "now" if found.undecided else "done" if found.decided else "open",
            f"/review?{urlencode({'topic': name})}",
            _known(undecided=found.undecided, decided=found.decided),
        ),
        version,
    )  # fmt: skip
    newest = own[-1][-1] if own else None
    proposes = bool(in_graph) and has_ontology and not proposed.path_of(space, topic.name, in_graph[-1]).exists()
    from_crawls = found.undecided - found.unplaced
    next_step = _next(name, newest, in_graph[-1] if proposes else "", from_crawls, waiting)
    return Circle(name, topic.file.label, steps, next_step)


def _terms(learned: Mapping[str, Any], undecided: int) -> dict[str, int | None]:
    """Return the number of terms of a build, and of those placed below a class, at the top, and waiting for a place.

    The last three, and those that waited until a person decided about them, come to the first. Classes are others:
    curated ones and those of pages are no terms of the papers, and several terms may be one class.

    Args:
        learned: the summary of the build.
        undecided: number of its terms that still wait for a place.
    """
    terms, placed = learned.get("terms"), learned.get("placed")
    if terms is None or placed is None or "waiting" not in learned:
        return {"terms": terms, "placed": placed}
    waited = len(learned["waiting"])
    top, settled = terms - placed - waited, waited - undecided
    return {"terms": terms, "placed": placed, "top": top, "waiting": undecided, "settled": settled or None}


def _crawl_step(name: str, own: Sequence[Mapping[str, Any]]) -> Step:
    state: _State = "now" if any(one["state"] in _GOES_ON for one in own) else "done" if own else "open"
    early = own[-1]["milestones"].get(HARVEST, {}) if own else {}
    pages, relevant = (sum(one[key] for one in own) for key in ("fetched", "relevant"))
    several = "_of_all" if len(own) > 1 else ""
    of_runs = {f"pages{several}": pages, f"relevant{several}": relevant}
    figures = _known(runs=len(own), **of_runs, harvest=early.get("relevant"))
    return Step("crawl", state, f"/crawls?{urlencode({'_is.topic': name})}", figures)


def _of_versions(space: Workspace, topic: Topic) -> tuple[int, int | None]:
    """Return how many verdicts wait for the next version, and how much the last version changed."""
    place = histories.place_of_topic(topic) if topic.file.ontologies else None
    if place is None or not (place.store.all() or place.decisions.exists()):
        return 0, None
    history = histories.history(topic, space)
    last = history.versions[-1] if history.versions else None
    changed = sum(last.changes.values()) if last is not None and last.prior else None  # a first build changes nothing
    return len(history.waiting) + len(history.unbuilt), changed


def _next(name: str, newest: Mapping[str, Any] | None, proposes: str, undecided: int, waiting: int) -> tuple[str, str]:
    """Return the one next step: the first of those that the state of the topic leaves to do."""
    about = {"topic": name}
    if newest is not None and newest["state"] != "finished":
        step = "watch" if newest["state"] in _GOES_ON else "resume"
        return step, f"/crawls/{quote(newest['run'], safe='')}"
    if undecided:
        return "review", f"/review?{urlencode(about)}"
    if waiting:
        return "version", f"/ontologies/{quote(name, safe='')}/versions"
    if proposes:
        return "propose", f"/review?{urlencode({**about, 'run': proposes})}"
    return "crawl" if newest is None else "crawl_again", f"/crawls/_new?{urlencode(about)}"


def _known(**figures: Any) -> dict[str, Any]:
    return {name: value for name, value in figures.items() if value not in (None, "")}


def overview(request: Request) -> Response:
    """Show the topics, those of the workspace with their next steps, and the runs."""
    space = here.space(request)
    places, measured = topics.places(space), [one for one in here.runs_of(request) if "error" not in one]
    used = {one["topic"] for one in measured}
    circles, unread = [], {}
    for name in [name for name, place in places.items() if place != "shipped" or name in used]:
        try:
            circles.append(circle_of(space, name, measured))
        except OntocrawlError as error:
            unread[name] = str(error)
    shipped = [name for name, place in places.items() if place == "shipped" and name not in used]
    values = {"circles": circles, "unread": unread, "shipped": shipped, "shown": here.with_ontologies(request)}
    return rendering.page(request, "overview", {**values, "table": tables.shown(request, crawls.RUNS, "runs")})


def topic_page(request: Request) -> Response:
    """Show where a topic is: the six steps of its circle with their figures, and the next step."""
    space, name = here.space(request), request.path_params["topic"]
    measured = [one for one in here.runs_of(request) if "error" not in one]
    return rendering.page(request, "topic", {"circle": circle_of(space, name, measured)})


def health(request: Request) -> Response:
    """Answer a health check: 200, or 503 where the folder of the workspace cannot be used. It needs no token."""
    if os.access(here.space(request).root, os.R_OK | os.W_OK | os.X_OK):
        return JSONResponse({"status": "ok"})
    return rendering.error(request, Message("explorer.workspace_unusable"), 503)


ROUTES = (Route("/", overview), Route("/topics/{topic}", topic_page), Route("/health", health))
