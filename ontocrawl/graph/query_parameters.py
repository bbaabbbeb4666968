"""Parameters of library queries: canonical URLs, and values that name nothing in the graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

import queries
from kg.store import GraphStore, Row
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import NotInGraphError, Option, nearest
from ontocrawl.graph import graph_store, needs
from ontocrawl.graph.tables import Table
from queries import Query

_URLS = ("url", "source", "target")
_NAMED = {
    "crawl": ("run", "MATCH (n:Crawl) RETURN n.id AS name ORDER BY name"),
    "ontology": ("ontology", "MATCH (n:Ontology) UNWIND [n.iri, n.series] AS name RETURN DISTINCT name ORDER BY name"),
}
"""Kind of node -> its noun, and a query for the names of all; a graph has few of them."""
_FOUND = {
    "page": "MATCH (n:Page {url: $given}) RETURN n.url AS name LIMIT 1",
    "host": "MATCH (n:Host {name: $given}) RETURN n.name AS name LIMIT 1",
    "concept": "MATCH (n:Concept) WHERE n.iri = $given OR n.label_zh = $given "
    "OR n.label_en IN [$given, toLower($given)] RETURN n.iri AS name LIMIT 1",
}
"""Kind of node -> a query that finds one by a name."""
_BY_OWN_IRI = (
    "MATCH (n:Concept)-[m:IN_ONTOLOGY]->(:Ontology) WHERE m.iri = $given RETURN n.iri AS name ORDER BY name LIMIT 1"
)
"""A query that finds a concept by the IRI that one ontology gives it."""
_CANDIDATES = 8
"""How many concepts an error message names."""
_KINDS = {
    **dict.fromkeys(("crawl", "one", "other"), "crawl"),
    **dict.fromkeys(("ontology", "older", "newer"), "ontology"),
    **dict.fromkeys(_URLS, "page"),
    **dict.fromkeys(("concept", "also", "narrower", "broader"), "concept"),
    "host": "host",
}
"""Parameter of a library query -> kind of the node that it names."""
_ADVICE = {
    "page": "",
    "host": ": `ontocrawl query run hosts/that_pay` shows some",
}


def ask(
    space: Workspace, graph: GraphStore, name: str, given: Mapping[str, Any]
) -> tuple[Table, list[NotInGraphError]]:
    """Run a query of the library.

    Args:
        space: the workspace of the graph.
        graph: the open graph.
        name: name of the query.
        given: parameters of the query; URLs are canonicalised, as a crawl does.

    Returns:
        The rows, and an error for each run or ontology that the graph lacks; if there are no rows, also for each page,
        host and concept.

    Raises:
        QueryError: an unknown query, or invalid parameters.
    """
    values = _with_concepts(graph, with_canonical_urls(queries.get(name), _with_labels_folded(given)))
    result = graph_store.ask(graph, name, **values)
    unknown = []
    for parameter, value in values.items():
        kind = _KINDS.get(parameter)
        if value and kind in _NAMED:
            unknown += _unknown_name(space, graph, kind, parameter, str(value))
        elif value and kind is not None and not result.rows and not graph.read(_FOUND[kind], given=str(value)):
            unknown.append(_unknown_node(graph, kind, parameter, str(value)))
    return needs.explained(graph, queries.get(name), values, result, unknown), unknown


def _with_labels_folded(given: Mapping[str, Any]) -> dict[str, Any]:
    """Fold a label that is looked for: full-width letters and runs of blanks."""
    return {
        name: " ".join(normalize("NFKC", value).split()) if name == "label" and isinstance(value, str) else value
        for name, value in given.items()
    }


def _with_concepts(graph: GraphStore, values: Mapping[str, Any]) -> dict[str, Any]:
    """Replace other names of concepts by the IRIs of their nodes.

    These are synonyms, labels in one ontology, labels in other capitals, and IRIs of concepts that are one with another
    (kg.joined). A name of several concepts stays as it is.
    """
    known = dict(values)
    for parameter, value in values.items():
        if value and _KINDS.get(parameter) == "concept" and not graph.read(_FOUND["concept"], given=str(value)):
            names = {row["name"] for row in graph.read(_BY_OWN_IRI, given=str(value))}
            names |= {row["iri"] for row in _candidates(graph, str(value)) if row["match"] == "equal"}
            known[parameter] = names.pop() if len(names) == 1 else value
    return known


def _candidates(graph: GraphStore, name: str) -> list[Row]:
    """Return the concepts that have a text as a name or in one, best first."""
    query = queries.get("ontology/find")
    return graph.read(query.text, **query.bind({"label": name, "limit": _CANDIDATES + 1}))


def _unknown_node(graph: GraphStore, kind: str, parameter: str, value: str) -> NotInGraphError:
    """Return the error for a page, host or concept that the graph does not have; it names concepts with such names."""
    missing = f"{parameter}={value}: the graph has no such {kind}"
    if kind != "concept":
        return NotInGraphError(f"{missing}{_ADVICE[kind]}", kind=kind)
    find = Option("`ontocrawl query run ontology/find label=TEXT`", 'Graph.ask("ontology/find", label=TEXT)')
    rows = _candidates(graph, value)
    if not rows:
        return NotInGraphError(f"{missing}; ", find, " searches all names by a part of them", kind=kind)
    equal = [row for row in rows if row["match"] == "equal"]
    shown = "; ".join(_shown(row) for row in (equal or rows)[:_CANDIDATES])
    if equal:
        return NotInGraphError(
            f"{parameter}={value} is a name of several concepts, give the IRI of one: {shown}", kind=kind
        )
    more = " and others" if len(rows) > _CANDIDATES else ""
    return NotInGraphError(f"{missing}, but names with this text: {shown}{more}; ", find, " shows all", kind=kind)


def _shown(row: Row) -> str:
    labels = [label for label in (row["label_zh"], row["label_en"]) if label]
    return f"{' / '.join(labels)} <{row['iri']}>"


def _unknown_name(space: Workspace, graph: GraphStore, kind: str, parameter: str, value: str) -> list[NotInGraphError]:
    noun, query = _NAMED[kind]
    known = [row["name"] for row in graph.read(query)]
    if value in known:
        return []
    missing = f"{parameter}={value}: the graph has no such {noun}"
    if kind == "crawl" and value in space.run_names():
        write = Option(f"`ontocrawl graph rebuild {value}`", f"Graph.add({value!r})")
        return [NotInGraphError(missing, "; ", write, " writes it into the graph", kind=kind)]
    return [NotInGraphError(missing, nearest(value, known) if known else "; it has none yet", kind=kind)]


def with_canonical_urls(query: Query, given: Mapping[str, Any]) -> dict[str, Any]:
    """Canonicalise the URLs among the parameters of a library query, as a crawl does.

    Args:
        query: the query.
        given: its parameters.

    Returns:
        All parameters, with canonical URLs.
    """
    names = {parameter.name for parameter in query.parameters} & set(_URLS)
    return {**given, **{name: canonical_url(str(given[name])) for name in names if given.get(name)}}


def canonical_url(given: str) -> str:
    """Return the canonical form of a URL, as a crawl does; what has none as it is."""
    from crawler import url as urls

    return urls.canonical(given) or given
