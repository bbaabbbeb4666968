"""Ontologies of the workspace's topics: the list, the tree of one, and the entry of a class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kg.sentences import ConceptNames
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering, tables
from ontocrawl.explorer.routes import here
from ontocrawl.explorer.tables import Source
from ontocrawl.graph.tables import Table, extent, first
from ontocrawl.topics import topic_files, topics
from ontocrawl.topics.topics import Level, Topic
from ontology.errors import Language, Message, told
from ontology.files import stamp
from ontology.model import Concept, Ontology
from ontology.terms.wordforms import fold

LARGEST_SEARCH = 50
"""Classes that a search finds at most."""
LARGEST_LIST = 500
"""Classes below one, relations and names that an answer has at most; ``skip`` reads on below a class."""
_MOST = 10_000_000


def listed(space: Workspace) -> list[Mapping[str, Any]]:
    """Return the ontologies of each topic; of a topic whose files cannot be read, the reason."""
    found: list[Mapping[str, Any]] = []
    for name, source in topics.loadable(space).items():
        try:
            ontologies = topics.load(source, space).ontologies
        except UsageError as error:
            found.append({"topic": name, "error": str(error)})
        else:
            found += [{"topic": name, "level": level, **_figures(one)} for level, one in enumerate(ontologies)]
    return found


def _figures(one: Ontology) -> dict[str, Any]:
    root = one.by_iri[one.root]
    return {
        "iri": one.iri, "kind": one.kind, "version": one.version, "classes": len(one.concepts),
        "relations": len(one.relations), "root": one.root, "zh": root.label_zh, "en": root.label_en,
    }  # fmt: skip


def ontology_of(request: Request) -> Ontology:
    """Return the ontology that an address names: a topic, and the number of one of its levels."""
    ontologies = topics.named(request.path_params["topic"], here.space(request)).ontologies
    level = here.number(request, "level", 0, max(len(ontologies) - 1, 0))
    if not ontologies:
        raise HTTPException(404, Message("explorer.topic_without", topic=request.path_params["topic"]))
    return ontologies[level]


def _node(ontology: Ontology, concept: Concept) -> dict[str, Any]:
    children = ontology.children[concept.iri]
    return {"iri": concept.iri, "zh": concept.label_zh, "en": concept.label_en, "children": len(children)}


def all_ontologies(request: Request) -> Response:
    """Return the ontologies of all topics."""
    return JSONResponse({"ontologies": listed(here.space(request))})


def children(request: Request) -> Response:
    """Return a class, by default the root, and the classes below it, without the first ``skip``."""
    ontology, skip = ontology_of(request), here.number(request, "skip", 0, _MOST)
    iri = request.query_params.get("class", ontology.root)
    language = rendering.language_of(request)
    of_class = [ontology.by_iri[child] for child in ontology.children[known(ontology, iri)]]
    below = sorted(of_class, key=lambda c: rendering.in_order(_label(c, language)))
    shown, cuts = first(below, skip + LARGEST_LIST, "below")
    rows = [_node(ontology, c) for c in shown[skip:]]
    return JSONResponse({**_node(ontology, ontology.by_iri[iri]), "below": rows, **extent(cuts)})


def entry(request: Request) -> Response:
    """Return a class with its names, definition and relations with their evidence."""
    ontology = ontology_of(request)
    concept = ontology.by_iri[known(ontology, request.query_params.get("class", ontology.root))]
    found, language = topic_files.entry_of(ontology, concept), rendering.language_of(request)
    cuts = []
    for part in ("above", "below"):
        found[part].sort(key=lambda row: rendering.in_order(_label(ontology.by_iri[row["iri"]], language)))
        rows, more = first(found[part], LARGEST_LIST, part)
        found[part] = [row | {"evidence": told(row["evidence"], "evidence.kind_", language)} for row in rows]
        cuts += more
    names, more = first(concept.names(), LARGEST_LIST, "names")
    way, cut = first(topic_files.way(ontology, concept.iri)[::-1], LARGEST_LIST, "way")
    near = [ontology.by_iri[row["iri"]] for row in (*found["above"], *found["below"])]
    about = {
        "definition": concept.definition, "definition_en": concept.definition_en,
        "names": [list(form) for form in names], "way": list(way[::-1]),
        "labels": {c.iri: {"zh": c.label_zh, "en": c.label_en} for c in near},
    }  # fmt: skip
    return JSONResponse({**found, **about, **extent([*cuts, *more, *cut])})


def search(request: Request) -> Response:
    """Return the classes with a text in one of their names."""
    ontology, text = ontology_of(request), fold(request.query_params.get("text", ""))
    found = [c for c in ontology.concepts if any(text in fold(form) for _, form in c.names())]
    shown, cuts = first(found, LARGEST_SEARCH, "found")
    rows = [_node(ontology, c) for c in shown]
    return JSONResponse({"found": rows, "number": len(found), **extent(cuts)})


def papers_of(level: Level) -> Mapping[str, set[str]]:
    """Return the papers of each class by IRI: those that have one of its names, or that a relation of it cites."""
    with_term = level.papers.with_term if level.papers is not None else {}
    found = {
        one.iri: set[str]().union(*(with_term.get(form, ()) for _, form in one.forms()))
        for one in level.ontology.concepts
    }
    bare = [(one.iri, *form) for one in level.ontology.concepts if not found[one.iri] for form in one.forms()]
    names = ConceptNames(bare)  # heads of learned names are no terms, and are not counted
    for d in level.papers.documents if level.papers is not None else ():
        for text in (d.title, d.abstract, d.title_en, d.abstract_en):
            for iri in {name.iri for sentence in names.sentences(text) for name in sentence.names}:
                found[iri].add(d.id)
    for relation in level.ontology.relations:
        found[relation.source].update(relation.documents)
    return found


def known(ontology: Ontology, iri: str) -> str:
    """Return the IRI of a class. Raises HTTPException where the ontology has none."""
    if iri not in ontology.by_iri:
        raise HTTPException(404, Message("explorer.class_none", iri=iri[:200]))
    return iri


# ---- tables: the ontologies of the workspace, the classes of one, and the words that steer crawls on a topic


def _ontologies(request: Request) -> Table:
    documents = listed(here.space(request))
    columns = ["topic", "kind", "zh", "en", "version", "classes", "relations", "level"]
    columns += ["error"] if any("error" in one for one in documents) else []
    return Table(tuple(columns), tuple(tuple(one.get(name) for name in columns) for one in documents))


def _topic(request: Request) -> Topic:
    return topics.named(request.query_params.get("topic", ""), here.space(request))


def _classes(request: Request) -> Table:
    """Return the classes of the ontology that an address names by topic and level."""
    topic = _topic(request)
    stamps = tuple((str(path), stamp(path)) for path, _ in topic.ontology_files())
    level = here.number(request, "level", 0, max(len(stamps) - 1, 0))
    if not stamps:
        return Table(("zh", "en"), (), reasons=(Message("explorer.topic_without", topic=topic.name),))
    language = rendering.language_of(request)
    return tables.kept(("classes", stamps, level, language), lambda: _read_classes(topic, level, language))


def _read_classes(topic: Topic, level: int, language: Language) -> Table:
    if level >= len(topic.levels):
        raise UsageError("explorer.level_expected_number_found", n_ontologies=len(topic.levels) - 1, level=level)
    ontology, documents = topic.ontologies[level], papers_of(topic.levels[level])
    rows = [
        (
            *_in_order((one.label_zh, one.label_en), language), one.definition or one.definition_en, len(one.forms()),
            [_label(ontology.by_iri[above], language) for above in ontology.parents[one.iri]],
            len(ontology.children[one.iri]), len(documents[one.iri]), one.iri,
        )
        for one in sorted(ontology.concepts, key=lambda one: rendering.in_order(_label(one, language)))
    ]  # fmt: skip
    first = ("zh", "en") if language == "zh" else ("en", "zh")
    return Table((*first, "definition", "names", "above", "below", "papers", "iri"), tuple(rows))


def _in_order(pair: tuple[str, str | None], language: Language) -> tuple[str | None, ...]:
    """Return what is Chinese and what is English, that of the language first."""
    return pair if language == "zh" else pair[::-1]


def _label(concept: Concept, language: Language) -> str:
    """Return the label of a class, that of the language where it has one."""
    return next(filter(None, _in_order((concept.label_zh, concept.label_en), language)), concept.label)


async def weigh_words(request: Request) -> Response:
    """Leave words out of the list that steers crawls on a topic: ``{"leave_out": [..], "take_back": [..]}``."""
    sent = await here.sent(request, "leave_out", "take_back")
    out, back = (here.texts(sent.get(name, []), name) for name in ("leave_out", "take_back"))
    topic = topics.named(request.path_params["topic"], here.space(request))

    def run() -> Response:
        weights = {one.word: one.weight for one in topics.weigh_words(topic, out, back).words}
        return JSONResponse({"topic": topic.name, "weights": weights})

    return await here.in_thread(request, run)


def _words_left_out(request: Request, t: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return how many words are left out of crawls, with the way to them."""
    topic, given = _topic(request), request.query_params
    out = sum(not one.weight for one in topic.words)
    to = tables.query(given, "_skip", _text="weight=0")
    return [(f"{t['words_left_out']}: {out}", t["words_show"], to)] if out else []


def _terms(request: Request) -> Table:
    """Return the words that steer crawls on a topic: those of its list, else those of its file."""
    topic = _topic(request)
    if topic.words:
        columns = ("word", "weight", "zh", "en", "texts", "from")
        rows = [(one.word, one.weight, list(one.zh), list(one.en), one.texts, one.source) for one in topic.words]
        return Table(columns, tuple(rows))
    return Table(("weight", "zh", "en"), tuple((one.weight, list(one.zh), list(one.en)) for one in topic.file.words))


def _class_address(request: Request, row: Mapping[str, Any]) -> str:
    given = request.query_params
    level = urlencode({"level": given.get("level", "0")})
    return f"/ontologies/{quote(given.get('topic', ''), safe='')}?{level}#{quote(row['iri'], safe='')}"


def _ontology_address(request: Request, row: Mapping[str, Any]) -> str:
    return f"/ontologies/{quote(row['topic'], safe='')}" + ("" if row["level"] is None else f"?level={row['level']}")


_OF_CLASS = dict.fromkeys(("zh", "en"), _class_address)
ONTOLOGIES = Source(
    _ontologies, links={"topic": _ontology_address}, words={"kind": "ontology_level_"}, hidden=("level",)
)
SOURCES = {
    "ontologies": ONTOLOGIES,
    "classes": Source(_classes, links=_OF_CLASS, hidden=("definition", "iri")),
    "terms": Source(_terms, sort="-weight", choice="word", notes=_words_left_out),
}


def ontologies_page(request: Request) -> Response:
    """Show the ontologies of all topics."""
    return rendering.page(request, "ontologies", {"table": tables.shown(request, ONTOLOGIES, "ontologies")})


def ontology_page(request: Request) -> Response:
    """Show the tree of an ontology and the entry of a class, of one level or of two side by side.

    The browser reads trees and classes from the interface.
    """
    topic = topics.named(request.path_params["topic"], here.space(request))
    about, number = _figures(ontology_of(request)), here.number(request, "level", 0, len(topic.ontologies) - 1)
    given = request.query_params.get("beside", "")
    beside = here.number(request, "beside", 0, len(topic.ontologies) - 1) if given else None
    values = {"topic": request.path_params["topic"], "about": about, "level": number, "beside": beside}
    return rendering.page(request, "ontology", {**values, "levels": [_figures(one) for one in topic.ontologies]})


ROUTES = (
    Route("/ontologies", ontologies_page),
    Route("/ontologies/{topic}", ontology_page),
    Route("/api/ontologies", all_ontologies),
    Route("/api/topics/{topic}/words", weigh_words, methods=["POST"]),
    Route("/api/ontologies/{topic}/tree", children),
    Route("/api/ontologies/{topic}/class", entry),
    Route("/api/ontologies/{topic}/search", search),
)
