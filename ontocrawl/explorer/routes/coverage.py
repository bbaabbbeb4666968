"""How much of an ontology papers, pages and proposals cover, branch by branch: the figures of a treemap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kg.store import GraphStore
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here, ontologies, versions
from ontocrawl.graph import graph_store
from ontocrawl.runs import runs
from ontocrawl.topics import topic_files
from ontocrawl.topics.topics import Topic
from ontocrawl.versions import histories
from ontology.model import Ontology
from ontology.reachable import reachable

BOXES = (120, 12)
"""Largest numbers of branches below the class that is shown, and below each of these: the others are one branch."""
_ALL = 1_000_000


@dataclass(frozen=True)
class Evidence:
    """What is known of the classes of an ontology, by IRI."""

    papers: Mapping[str, Collection[str]]
    """Papers that have a name of the class, or that a relation of it cites."""
    pages: Mapping[str, Collection[str]]
    """Relevant pages of the run that name the class."""
    proposals: Mapping[str, int]
    """Waiting proposals of the run to put a term below the class."""


def coverage(request: Request) -> Response:
    """Return a class, by default the root, and two levels of branches below it, each with its figures."""
    ontology, topic = ontologies.ontology_of(request), versions.topic_of(request)
    iri = ontologies.known(ontology, request.query_params.get("class", ontology.root))
    asked = request.query_params.get("run", "")
    runs_of_topic, pages, proposals = here.remembered(
        request,
        ("coverage", ontology.key, topic.name, asked),
        lambda graph: _of_run(graph, topic.name, ontology, asked),
    )
    vector, level = next(one for one in topic.levels_by_vector.items() if one[1].ontology.iri == ontology.iri)
    papers = here.remembered(request, ("papers", topic.state(), vector), lambda _: ontologies.papers_of(level))
    evidence = Evidence(papers, pages, proposals)
    way = [ontology.by_iri[one] for one in topic_files.way(ontology, iri)]
    run = asked or next(iter(runs_of_topic), None)
    document = branch(ontology, evidence, [iri]) | _versions(request, topic, vector, run) | {
        "run": run,
        "runs": runs_of_topic,
        "way": [{"iri": one.iri, "zh": one.label_zh, "en": one.label_en} for one in way],
    }  # fmt: skip
    return JSONResponse(document)


def _versions(request: Request, topic: Topic, vector: str, run: str | None) -> dict[str, Any]:
    """Return the version of an ontology and the newest one; that of a run, and how many classes are newer."""
    level = topic.levels_by_vector[vector]
    ontology = level.ontology
    found: dict[str, Any] = {"version": ontology.version, "newest": histories.newest(topic, level)}
    space = here.space(request)
    if run not in space.run_names():
        return found | {"run_version": None, "newer_classes": 0}
    of_run = runs.ontologies_of(space, str(run)).get(vector, {})
    then = of_run.get("version") if of_run.get("iri") == ontology.iri else None
    key = "classes of versions", topic.state(), then
    known = None if then in (None, ontology.version) else here.remembered(
        request, key, lambda _: histories.classes_of_versions(topic, [str(then)]).get(str(then))
    )  # fmt: skip
    newer = 0 if known is None else len(ontology.by_iri.keys() - known.keys())
    return found | {"run_version": then, "newer_classes": newer}


def _of_run(
    graph: GraphStore, topic: str, ontology: Ontology, asked: str
) -> tuple[list[str], Mapping[str, set[str]], Mapping[str, int]]:
    """Return the runs of a topic in the graph, the newest first; pages and proposals by class of one, or of the newest.

    Raises:
        HTTPException: the run that is asked for is none of them.
    """
    rows = graph_store.ask(graph, "crawl/list", limit=_ALL).records()
    listed = [str(row["crawl"]) for row in rows if row["topic"] == topic]
    if asked and asked not in listed:
        raise HTTPException(404)
    run = asked or next(iter(listed), None)
    pages, proposals = dict[str, set[str]](), Counter[str]()
    if run is not None:
        of_run = {"crawl": run, "limit": _ALL}
        named = graph_store.ask(graph, "enrichment/classes_of_pages", ontologies=[ontology.key], **of_run)
        for row in named.records():
            for iri in row["classes"]:
                pages.setdefault(iri, set()).add(row["url"])
        for row in graph_store.ask(graph, "enrichment/by_concept", **of_run).records():
            proposals[row["iri"]] += row["terms"]
    return listed, pages, proposals


def branch(ontology: Ontology, evidence: Evidence, tops: Sequence[str], boxes: Sequence[int] = BOXES) -> dict[str, Any]:
    """Return the figures of some classes with all below them, and the branches below where they are one class.

    Args:
        ontology: the ontology.
        evidence: what is known of its classes.
        tops: IRIs of the classes; several are the smaller branches below one.
        boxes: largest numbers of branches, level by level.
    """

    def whole(top: str) -> set[str]:
        return reachable(top, ontology.children.__getitem__)

    classes = set[str]().union(*map(whole, tops))
    of = {name: [getattr(evidence, name).get(iri) for iri in classes] for name in ("papers", "pages", "proposals")}
    found: dict[str, Any] = {
        "classes": len(classes),
        "papers": len(set[str]().union(*filter(None, of["papers"]))),
        "pages": len(set[str]().union(*filter(None, of["pages"]))),
        "proposals": sum(filter(None, of["proposals"])),
        "with": {name: sum(map(bool, values)) for name, values in of.items()},
    }
    if len(tops) > 1:
        return found | {"others": len(tops)}
    one, children = ontology.by_iri[tops[0]], ontology.children[tops[0]]
    found |= {"iri": one.iri, "zh": one.label_zh, "en": one.label_en, "children": len(children)}
    if not boxes or not children:
        return found
    largest = sorted(children, key=lambda child: (-len(whole(child)), child))
    groups = [[child] for child in largest[: boxes[0]]] + [others for others in [largest[boxes[0] :]] if others]
    return found | {"below": [branch(ontology, evidence, group, boxes[1:]) for group in groups]}


def coverage_page(request: Request) -> Response:
    """Show the coverage of an ontology; the browser reads it from the interface, by the same parameters."""
    ontologies.ontology_of(request)
    values = {"topic": request.path_params["topic"], "level": request.query_params.get("level", "0")}
    return rendering.page(request, "coverage", values)


ROUTES = (
    Route("/ontologies/{topic}/coverage", coverage_page),
    Route("/api/ontologies/{topic}/coverage", coverage),
)
