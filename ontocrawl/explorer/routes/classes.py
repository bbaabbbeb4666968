"""A class of an ontology: its record and weight; the competency questions of its topic, and the classes it lacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kg.records import WeightedTerm
from kg.store import GraphStore
from ontocrawl.base import workspace
from ontocrawl.enrichment import gaps
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here, tasks
from ontocrawl.explorer.routes.versions import topic_of
from ontocrawl.graph import graph_store
from ontocrawl.graph.tables import within
from ontocrawl.topics.topic_graph import TopicGraph
from ontocrawl.topics.topics import Level, Topic
from ontocrawl.versions import competency_checks, deciding, histories
from ontology.choices import ACTIONS
from ontology.decisions import Decision
from ontology.errors import Message
from ontology.model import Concept
from ontology.printable import is_plain

_WEIGHTS = ("weight", "scheme", "sem", "key", "documents", "pages", "background", "path", "version")
_ROWS, _MOST_ROWS = 20, 1000
"""Rows of each list of gaps, unless a request says how many, and at most."""
_DECISION = ("action", "class", "value", "relation", "from", "why")
LONGEST_TEXT = 5_000
"""Characters that a text of a decision has at most."""
LARGEST_RECORD = 400_000
"""Characters that the record of a class has at most as JSON."""


def _class(request: Request) -> tuple[Topic, str, Level, Concept]:
    """Return topic, vector, level and class that an address names."""
    topic = topic_of(request)
    levels = list(topic.levels_by_vector.items())
    vector, level = levels[here.number(request, "level", 0, len(levels) - 1)]
    iri = request.query_params.get("class", level.ontology.root)
    if iri not in level.ontology.by_iri:
        raise HTTPException(404, Message("explorer.class_none", iri=iri[:200]))
    return topic, vector, level, level.ontology.by_iri[iri]


def record(request: Request) -> Response:
    """Return decisions about a class, verdicts with their sentences, papers and mappings, and its other texts."""
    topic, _, level, concept = _class(request)
    found = histories.record(here.space(request), topic, level, concept)
    texts = {
        "definition_en": concept.definition_en,
        "texts": [asdict(text) for text in concept.texts if text.language],
        "scopes": [asdict(name) for name in concept.scopes],
        "candidates": [asdict(sentence) for sentence in concept.candidates],
    }
    return JSONResponse(within(rendering.spoken(found | texts, rendering.language_of(request)), LARGEST_RECORD))


async def decide(request: Request) -> Response:
    """Record a decision about a class, as `ontology decide`; the next version has it.

    The body: ``{"action": .., "class": IRI or label, "value": .., "relation": .., "from": .., "why": ..}``. To withdraw
    a decision, ``value`` is its id.
    """
    sent = await here.sent(request, *_DECISION)
    given = {name: sent.get(name, "") for name in _DECISION}
    for name, value in given.items():
        if not isinstance(value, str) or len(value) > LONGEST_TEXT or not is_plain(value):
            raise UsageError("explorer.decision_text", name=name, most=LONGEST_TEXT)
    if given["action"] not in ACTIONS:
        raise UsageError("explorer.decision_action", actions=", ".join(ACTIONS))
    topic, space = topic_of(request), here.space(request)

    def run() -> Response:
        label = {c.iri: c.label for ontology in topic.ontologies for c in ontology.concepts}
        names = (given[name].strip() for name in ("class", "value", "from"))
        term, value, old = (label.get(text, text) for text in names)
        decision = Decision(
            given["action"], term, value, given["relation"], old,
            who=deciding.person(), when=workspace.now(), why=given["why"].strip(),
        )  # fmt: skip
        added, edits = histories.decide_about(topic, decision, space)
        return JSONResponse({"id": added.id, "edits": [d.id for d in edits]})

    return await here.in_thread(request, run)


def weight(request: Request) -> Response:
    """Return the weight of a class in each vector of its topic that has it, with the five factors of Sem."""
    topic, _, _, concept = _class(request)
    key = "weights", topic.state()  # before its files are read again, which may change meanwhile
    ranked = here.remembered(request, key, lambda graph: _ranked(topic_of(request), graph))
    found = {}
    for vector, terms in ranked.items():
        if concept.iri in terms:
            rank, term = terms[concept.iri]
            found[vector] = {name: getattr(term, name) for name in _WEIGHTS} | {
                "factors": asdict(term.factors), "rank": rank, "of": len(terms),
            }  # fmt: skip
    return JSONResponse(within({"scheme": topic.scheme, "weights": found}, LARGEST_RECORD))


def _ranked(topic: Topic, graph: GraphStore) -> Mapping[str, Mapping[str, tuple[int, WeightedTerm]]]:
    """Return vector -> IRI of a class -> its rank and weight: the factors of all classes are computed together."""
    levels = TopicGraph(topic, graph).computed_weights(topic.scheme)
    return {
        vector: {term.iri: (rank, term) for rank, term in enumerate(sorted(terms, key=lambda t: -t.weight), 1)}
        for vector, terms in zip(topic.levels_by_vector, levels, strict=True)
    }


def questions(request: Request) -> Response:
    """Return the competency questions of a topic with their answers' number, and whether each holds."""
    topic, space = topic_of(request), here.space(request)
    file = competency_checks.questions_of(topic.name, space)
    results = competency_checks.results(file.questions, topic.ontologies, space, load=False) if file else []
    queries = {question.id: question.query for question in file.questions} if file else {}
    found = [competency_checks.as_json(one) | {"query": queries[one.question.id]} for one in results]
    return JSONResponse(rendering.spoken({"questions": found}, rendering.language_of(request)))


def questions_page(request: Request) -> Response:
    """Show the competency questions of a topic."""
    return rendering.page(request, "questions", {"topic": topic_of(request).name})


async def find_gaps(request: Request) -> Response:
    """Start a task that finds what the ontologies of a topic lack, as `enrich gaps --json`."""
    limit = (await here.sent(request, "limit")).get("limit", _ROWS)
    topic, space = topic_of(request), here.space(request)
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= _MOST_ROWS:
        raise UsageError("explorer.limit_expected_number", most=_MOST_ROWS)

    def work(on_stage: Callable[[str], None]) -> Mapping[str, Any]:
        with graph_store.store(space) as graph:
            found = gaps.find(space, graph, topic, limit=limit, on_stage=on_stage).as_json()
        rows = [*found["classes_without_evidence"], *found["classes_without_pages"]]
        shown = {name for row in rows for name in (row["label"], *row["branches"])}
        shown |= {branch["branch"] for branch in found["growing_branches"]}
        concepts = (one for ontology in reversed(topic.ontologies) for one in ontology.concepts if one.label in shown)
        labels = {one.label: {"zh": one.label_zh, "en": one.label_en} for one in concepts}
        return found | {"labels": labels, "runs": sorted({*found["crawls"]} & {*space.run_names()})}

    what = f"gaps {topic.name}" if limit == _ROWS else f"gaps {topic.name} {limit}"
    return tasks.started(request, what, work, only_reads=True)


def gaps_page(request: Request) -> Response:
    """Show what the ontologies of a topic lack, with a way to a crawl for each class without pages."""
    return rendering.page(request, "gaps", {"topic": topic_of(request).name})


ROUTES = (
    Route("/ontologies/{topic}/gaps", gaps_page),
    Route("/api/ontologies/{topic}/gaps", find_gaps, methods=["POST"]),
    Route("/ontologies/{topic}/questions", questions_page),
    Route("/api/ontologies/{topic}/questions", questions),
    Route("/api/ontologies/{topic}/decisions", decide, methods=["POST"]),
    Route("/api/ontologies/{topic}/class/record", record),
    Route("/api/ontologies/{topic}/class/weight", weight),
)
