"""Lattices of a topic: the drawing of an iceberg, one concept of the whole, a search, and implications."""

from __future__ import annotations

from typing import cast, get_args

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ontocrawl.enrichment.proposing import topic_of_run
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here
from ontocrawl.settling.terms import folder_of
from ontocrawl.topics import topic_lattices, topics
from ontocrawl.topics.topic_lattices import LEAST, Kind, TopicLattice
from ontocrawl.topics.topics import Topic
from ontology.draw.line_diagram import line_diagram

_MOST_OBJECTS = 1_000_000


def concept(request: Request) -> Response:
    """Return the concept ``at`` of the lattice: extent, intent and neighbours; the top unless it says which."""
    lattice = _lattice(request)
    return JSONResponse(lattice.concept(here.number(request, "at", 0, len(lattice.lattice) - 1)))


def search(request: Request) -> Response:
    """Return the attributes and objects with a text in their names, and their concepts."""
    return JSONResponse(_lattice(request).search(request.query_params.get("text", "")))


def implications(request: Request) -> Response:
    """Return the implications between attributes, those with most objects first."""
    least = here.number(request, "min_support", LEAST, _MOST_OBJECTS)
    return JSONResponse(_lattice(request).implications(least))


def drawing(request: Request) -> Response:
    """Return the line diagram of the lattice's iceberg as an element of a page."""
    found = _lattice(request)
    language = rendering.language_of(request)
    drawn = line_diagram(found.lattice, language=language, of_documents=found.kind == "papers")
    return Response(drawn.svg, media_type="text/html")


def lattice_page(request: Request) -> Response:
    """Show the lattice of a topic."""
    topic = topic_of(request)
    kinds = topic_lattices.kinds(topic)
    found = topic_lattices.lattice_of(topic, _kind(request))
    values = {
        "topic": request.path_params["topic"], "run": request.query_params.get("run", ""), "kind": found.kind,
        "kinds": kinds, "objects": len(found.lattice.context.objects), "least": LEAST,
        "attributes": found.attributes, "concepts": len(found.lattice), "cuts": found.cuts,
        "min_support": found.lattice.min_support,
        "settles": folder_of(topic) is not None,
    }  # fmt: skip
    return rendering.page(request, "lattice", values)


def topic_of(request: Request) -> Topic:
    """Return the topic of an address; with ``run`` as that run has it, which may be of a file elsewhere."""
    space, name = here.space(request), request.path_params["topic"]
    run = request.query_params.get("run", "")
    topic = topic_of_run(space, run) if run else topics.named(name, space)
    if topic.name != name:
        raise UsageError("explorer.run_topic", run=run, topic=topic.name, name=name)
    return topic


def _kind(request: Request) -> Kind | None:
    kind = request.query_params.get("context", "")
    if kind not in ("", *get_args(Kind)):
        raise UsageError("explorer.context", get_args=", ".join(get_args(Kind)), kind=kind[:40])
    return cast(Kind, kind) if kind else None


def _lattice(request: Request) -> TopicLattice:
    return topic_lattices.lattice_of(topic_of(request), _kind(request))


ROUTES = (
    Route("/lattice/{topic}", lattice_page),
    Route("/lattice/{topic}/drawing", drawing),
    Route("/api/lattice/{topic}/concept", concept),
    Route("/api/lattice/{topic}/search", search),
    Route("/api/lattice/{topic}/implications", implications),
)
