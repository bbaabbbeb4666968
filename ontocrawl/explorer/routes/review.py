"""Review: the page, what is around the place that a proposal names, the list of those put off, and new proposals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kg import enrich
from ontocrawl.enrichment import classes, proposals, proposing, reviewing, run_pages, screen, wording
from ontocrawl.enrichment.classes import DecidedClasses
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here, tasks
from ontocrawl.graph import graph_store
from ontocrawl.terminal.dialogue import in_language
from ontocrawl.topics import topics
from ontology.enrichment import STATUSES, Proposal
from ontology.enrichment.proposal import Kind
from ontology.model import Concept

LIMIT = 30
"""Number of proposals of a run, as for `enrich propose`."""
_MOST = 1000


def review_page(request: Request) -> Response:
    """Show the queue of proposals, which the browser reads from the interface."""
    space, language = here.space(request), rendering.language_of(request)
    tables = {
        "steps": {step.name: step.label for step in wording.STEPS},
        "help": {step.name: step.help for step in wording.STEPS},
        "kinds": wording.KINDS, "rows": wording.ROWS, "relations": wording.RELATIONS, "texts": wording.TEXTS,
    }  # fmt: skip
    words = {
        **{name: in_language(table, language) for name, table in tables.items()},
        "keys": {**{step.name: step.key for step in wording.STEPS}, "help": "?"},
        "for_relations": sorted(wording.FOR_RELATIONS),
    }
    values = {
        "topics": topics.places(space), "runs": space.run_names(), "kinds": get_args(Kind),
        "statuses": STATUSES, "words": words, "with_ontologies": topics.with_ontologies(space),
        "default_topic": space.settings.crawl.topic, "chosen": request.query_params.get("run", ""),
    }  # fmt: skip
    return rendering.page(request, "review", values)


def _suggestion(request: Request) -> tuple[Proposal, DecidedClasses]:
    space = here.space(request)
    with here.graph(request) as graph:
        one = proposals.get(space, graph, request.query_params.get("proposal", ""))
    return one, classes.classes_of(space, proposing.topic_of(space, one))


def place(request: Request) -> Response:
    """Return what is around the place that a proposal names, and its sentences cut at the term."""
    one, hierarchy = _suggestion(request)
    around = classes.neighbours(hierarchy, one)
    own = hierarchy.find(one.source or one.term)
    if one.kind == "concept":
        beside, below = around.below, hierarchy.children(own) if own else ()
    else:
        beside, below = hierarchy.siblings(around.target) if around.target else (), around.below
    with here.graph(request) as graph:
        titles = enrich.titles(graph, dict.fromkeys(s.url for s in one.sentences))
    return JSONResponse(
        {
            "id": one.id,
            "path": [node(c) for c in hierarchy.way(around.target)] if around.target else [],
            "source": [node(c) for c in hierarchy.way(own)] if own and one.kind == "relation" else [],
            "gone": around.is_gone,
            "names": list(around.names),
            "beside": [node(c) for c in beside],
            "below": [node(c) for c in below],
            "sentences": [
                {
                    "parts": screen.parts(s, one.term),
                    "url": s.url,
                    "title": titles.get(s.url, ""),
                    "date": s.fetched[:10],
                }
                for s in one.distinct_sentences
            ],
        }
    )


def choices(request: Request) -> Response:
    """Return the classes that a person may mean: ``step`` is "move" or "merge", ``text`` what is typed so far."""
    step = request.query_params.get("step", "move")
    if step not in ("move", "merge"):
        raise UsageError("explorer.step")
    one, hierarchy = _suggestion(request)
    found = classes.choices(hierarchy, one, step, request.query_params.get("text", ""))
    return JSONResponse({"choices": [{**node(c), "label": c.label, "path": hierarchy.path(c)} for c in found]})


def node(concept: Concept) -> dict[str, Any]:
    """Return a class by IRI and labels."""
    return {"iri": concept.iri, "zh": concept.label_zh, "en": concept.label_en}


async def put_off(request: Request) -> Response:
    """Put proposals off, or take them from the list of those: ``{"topic": .., "ids": [..], "later": true}``."""
    sent = await here.sent(request, "topic", "ids", "later")
    ids, topic, is_later = sent.get("ids"), sent.get("topic", ""), here.flag(sent, "later", True)
    if not isinstance(ids, list) or not all(isinstance(one, str) for one in ids) or not isinstance(topic, str):
        raise UsageError("explorer.ids")
    space = here.space(request)
    name = topics.named(topic, space).name

    def run() -> Response:
        reviewing.change(space, name, **{"add" if is_later else "remove": ids})
        return JSONResponse({"later": reviewing.read(space, name)})

    return await here.in_thread(request, run)


async def propose(request: Request) -> Response:
    """Start a task that proposes terms from the pages of a run, as `enrich propose RUN` does."""
    sent = await here.sent(request, "limit")
    limit, space, run = sent.get("limit", LIMIT), here.space(request), request.path_params["run"]
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= _MOST:
        raise UsageError("explorer.limit_expected_number", most=_MOST)

    def work(on_stage: Callable[[str], None]) -> Mapping[str, Any]:
        with graph_store.store(space) as graph:
            found = proposing.propose(space, run, graph, limit=limit, on_stage=on_stage)
        before = {"accepted_before": found.accepted_before, "rejected_before": found.rejected_before}
        return {"topic": found.topic, "run": run, "proposals": len(found.suggestions), **before}

    def begin() -> Response:
        with here.graph(request) as graph:
            run_pages.require_pages(space, graph, run)
        return tasks.started(request, f"propose {run}", work)

    return await here.in_thread(request, begin)


ROUTES = (
    Route("/review", review_page),
    Route("/api/review/place", place),
    Route("/api/review/choices", choices),
    Route("/api/review/later", put_off, methods=["POST"]),
    Route("/api/crawls/{run}/proposals", propose, methods=["POST"]),
)
