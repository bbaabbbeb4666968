"""Versions of a topic's ontologies: the next one from verdicts, the history, the way back, and what changed between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import asdict
from itertools import islice
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ontocrawl.base import workspace
from ontocrawl.enrichment import applying
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here, tasks
from ontocrawl.topics import topics
from ontocrawl.topics.topics import Topic
from ontocrawl.versions import deciding, histories
from ontology import compare
from ontology.errors import Message
from ontology.model import Ontology
from ontology.reachable import reachable

Stage = Callable[[str], None]
_OUTLINE = 400
"""Largest number of lines of an outline; the rows have all changes."""


def topic_of(request: Request) -> Topic:
    """Return the topic that an address names. Raises HTTPException 404 where it has no ontology."""
    topic = topics.named(request.path_params["topic"], here.space(request))
    if not topic.file.ontologies:
        raise HTTPException(404, Message("explorer.topic_without", topic=topic.name))
    return topic


def versions_page(request: Request) -> Response:
    """Show what waits for the next version, the versions, and the difference of two."""
    topic = topic_of(request)
    values = {"topic": topic.name, "version": topic.ontologies[0].version}
    return rendering.page(request, "versions", values)


def history(request: Request) -> Response:
    """Return the versions with the proposals that came into them, and what waits, as `ontology history --json`."""
    found = histories.history(topic_of(request), here.space(request)).as_json()
    return JSONResponse(rendering.spoken(found, rendering.language_of(request)))


async def apply(request: Request) -> Response:
    """Start a task that makes the next version, as `enrich apply`; with ``{"dry_run": true}`` it writes nothing."""
    dry_run = here.flag(await here.sent(request, "dry_run"), "dry_run")
    topic, space = topic_of(request), here.space(request)
    options = applying.Options(deciding.person(""), workspace.now(), dry_run=dry_run)

    def work(on_stage: Stage) -> Mapping[str, Any]:
        return applying.apply(space, topic, options, on_stage).as_json()

    return tasks.started(request, f"{'check' if dry_run else 'apply'} {topic.name}", work)


async def rollback(request: Request) -> Response:
    """Start a task that goes back to ``{"version": ..}``, as `ontology rollback`."""
    version = (await here.sent(request, "version")).get("version")
    topic, space = topic_of(request), here.space(request)
    if not isinstance(version, str) or not version:
        raise UsageError("explorer.version_back")

    def work(on_stage: Stage) -> Mapping[str, Any]:
        entry, found = applying.rolled_back(space, topic, version, deciding.person(""), workspace.now(), on_stage)
        return asdict(entry) | {"weights": list(found.weights), "runs": list(found.runs)}

    return tasks.started(request, f"rollback {topic.name}", work)


def difference(request: Request) -> Response:
    """Return what changed from version ``old`` to version ``new``, of each ontology, as `ontology diff` shows it."""
    place, given = histories.place_of_topic(topic_of(request)), request.query_params
    old, new = (place.store.find(given.get(name, "")).version for name in ("old", "new"))
    found = []
    for level, ontology in enumerate(topic_of(request).ontologies):
        stem = deciding.file_stem(ontology)
        before, after = (deciding.built(place.store, version, stem) for version in (old, new))
        if before is not None and after is not None:
            changed = compare.diff_files(before, after)
            rows = [asdict(row) for row in compare.rows(changed)]
            about = {"level": level, "iri": after.ontology.iri, "kind": after.ontology.kind}
            sides = side_by_side(before.ontology, after.ontology)
            found.append(about | {"counts": changed.counts(), "rows": rows} | sides)
    return JSONResponse({"old": old, "new": new, "ontologies": found})


def side_by_side(old: Ontology, new: Ontology) -> dict[str, Any]:
    """Return the hierarchies of two versions as far as they differ: changed classes, and the classes above them.

    Returns:
        ``changes``, the number of classes that are added, removed, moved (other classes are above them) or renamed;
        ``outlines``, for ``before`` and ``after`` the classes from the root on, with ``depth`` and ``change``; and
        ``outlines_complete``, whether these are whole.
    """
    changes = {iri: "removed" for iri in old.by_iri if iri not in new.by_iri}
    changes |= {iri: "added" for iri in new.by_iri if iri not in old.by_iri}
    for iri in old.by_iri.keys() & new.by_iri.keys():
        if set(old.parents[iri]) != set(new.parents[iri]):
            changes[iri] = "moved"
        elif old.by_iri[iri].label != new.by_iri[iri].label:
            changes[iri] = "renamed"
    sides = {"before": old, "after": new}
    above = {
        upper
        for one in sides.values()
        for iri in changes.keys() & one.by_iri.keys()
        for upper in reachable(iri, one.parents.__getitem__)
    }
    lines = {name: list(islice(_outline(one, changes, above), _OUTLINE + 1)) for name, one in sides.items()}
    whole = all(len(side) <= _OUTLINE for side in lines.values())
    outlines = {name: side[:_OUTLINE] for name, side in lines.items()}
    return {"changes": Counter(changes.values()), "outlines": outlines, "outlines_complete": whole}


def _outline(ontology: Ontology, changes: Mapping[str, str], shown: Set[str]) -> Iterator[dict[str, Any]]:
    """Yield classes of an ontology from the root on, each with its depth and its change, empty for none."""
    waiting = [(ontology.root, 0, frozenset[str]())] if ontology.root in shown else []
    while waiting:
        iri, depth, way = waiting.pop()
        one = ontology.by_iri[iri]
        yield {"iri": iri, "zh": one.label_zh, "en": one.label_en, "depth": depth, "change": changes.get(iri, "")}
        below = [child for child in ontology.children[iri] if child in shown and child not in way]
        below.sort(key=lambda child: ontology.by_iri[child].label, reverse=True)
        waiting += [(child, depth + 1, way | {iri}) for child in below]


ROUTES = (
    Route("/ontologies/{topic}/versions", versions_page),
    Route("/api/ontologies/{topic}/history", history),
    Route("/api/ontologies/{topic}/apply", apply, methods=["POST"]),
    Route("/api/ontologies/{topic}/rollback", rollback, methods=["POST"]),
    Route("/api/ontologies/{topic}/difference", difference),
)
