"""Parameters of library queries: canonical URLs, and values that do not exist in the graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kg.store import GraphStore
from queries import Query

_URLS = ("url", "source", "target")
_KEYS = {
    "crawl": ("Crawl", "id"),
    "one": ("Crawl", "id"),
    "other": ("Crawl", "id"),
    "url": ("Page", "url"),
    "source": ("Page", "url"),
    "target": ("Page", "url"),
    "host": ("Host", "name"),
    "ontology": ("Ontology", "iri"),
    "older": ("Ontology", "iri"),
    "newer": ("Ontology", "iri"),
}
"""Parameter of a library query -> label and key of the node that it names."""
_CONCEPTS = ("concept", "also", "narrower", "broader")
_CONCEPT = (
    "MATCH (c:Concept) WHERE c.iri = $given OR c.label_zh = $given OR c.label_en IN [$given, toLower($given)] "
    "RETURN c.iri AS iri LIMIT 1"
)
_SHOWN_BY = {"Crawl": "crawl/list", "Ontology": "ontology/ontologies", "Host": "hosts/that_pay"}


def with_canonical_urls(query: Query, given: Mapping[str, Any]) -> dict[str, Any]:
    """Canonicalise the URLs among the parameters of a library query, as a crawl does.

    Args:
        query: the query.
        given: its parameters.

    Returns:
        All parameters, with canonical URLs.
    """
    from crawler import url as urls

    names = {parameter.name for parameter in query.parameters} & set(_URLS)
    forms = {name: urls.canonical(str(given[name])) for name in names if given.get(name)}
    return {**given, **{name: form for name, form in forms.items() if form}}


def not_in_graph(graph: GraphStore, given: Mapping[str, Any]) -> list[str]:
    """Describe the parameters that name nothing in the graph, which explains a result without rows.

    Args:
        graph: the open graph.
        given: parameters of a library query.

    Returns:
        One sentence for each of them.
    """
    sentences = []
    for name, value in given.items():
        if name in _KEYS and value:
            label, key = _KEYS[name]
            if not graph.read(f"MATCH (n:{label} {{{key}: $given}}) RETURN n.{key} AS found LIMIT 1", given=str(value)):
                shown = f": `ontocrawl query run {_SHOWN_BY[label]}` shows some" if label in _SHOWN_BY else ""
                sentences.append(f"{name}={value} names no {label.lower()} of this graph{shown}")
        elif name in _CONCEPTS and value and not graph.read(_CONCEPT, given=str(value)):
            sentences.append(
                f"{name}={value} is neither IRI nor label of a concept: write it as in `ontocrawl topic show`"
            )
    return sentences
