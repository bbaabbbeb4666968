"""Graphs of networkx: the pages of a run with their links, and concepts with their relations.

Values of attributes are texts, numbers and flags of one type for each name, never None, so that networkx can write the
graphs as GraphML and GEXF. An attribute without a value is absent. The attribute ``label`` is what Gephi and yEd write
at a node.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from kg import networks
from kg.store import GraphStore, Row
from ontology.extras import require
from ontology.printable import printable
from queries.columns import type_of

if TYPE_CHECKING:
    import networkx

_EXTRA = "frames"
_LONG_TEXTS = frozenset({"snippet", "evidence", "definition", "definition_en", "sentence"})
"""Properties that are left out unless they are asked for."""
_RENAMED: Mapping[str, str] = MappingProxyType({"label": "relevant_by_label"})
"""Property of FETCHED -> its attribute: ``label`` is the caption of a node."""
_Edge = tuple[str, str, dict[str, Any]]


def pages(store: GraphStore, run: str, *, known: bool = False, texts: bool = False) -> networkx.DiGraph:
    """Return the link graph of a run; arguments and attributes are those of `ontocrawl.Graph.network`."""
    graph = require("networkx", _EXTRA, "a crawl as a graph of networkx").DiGraph(name=run)
    for row in networks.fetched_pages(store, run):
        graph.add_node(row["url"], **_page(row, texts), fetched=True)
    linking = list(graph)
    if known:
        for row in networks.known_pages(store, run):
            graph.add_node(row["url"], **_page(row, texts), fetched=False)
    graph.add_edges_from(_links(networks.links_of(store, run, linking), graph))
    return graph


def concepts(store: GraphStore, ontologies: Iterable[str], *, texts: bool = False) -> networkx.MultiDiGraph:
    """Return the concepts of ontologies; arguments and attributes are those of `ontocrawl.Graph.concept_network`."""
    keys = list(ontologies)
    graph = require("networkx", _EXTRA, "an ontology as a graph of networkx").MultiDiGraph()
    for row in networks.concepts_of(store, keys):
        props = row["props"]
        caption = props.get("label_zh") or props.get("label_en") or row["iri"]
        named = {**_attributes(props, texts), "label": printable(caption), "ontologies": row["ontologies"]}
        named.pop("iri", None)
        graph.add_node(row["iri"], **named)
    for row in networks.relations_of(store, keys, list(graph)):
        if row["target"] in graph:
            named = {**_attributes(row["props"], texts), "relation": row["relation"], "label": row["relation"]}
            key = f"{row['relation']} {row['props']['ontology']}"
            graph.add_edge(row["source"], row["target"], key=key, **named)
    return graph


def _page(row: Row, texts: bool) -> dict[str, Any]:
    """Return the attributes of a page."""
    props = {_RENAMED.get(name, name): value for name, value in row["props"].items()}
    return {"label": printable(props.get("title") or row["url"]), "host": row["host"], **_attributes(props, texts)}


def _links(rows: Iterable[Row], graph: networkx.DiGraph) -> Iterator[_Edge]:
    """Yield the links between nodes of a graph. Equal texts, of which there are many, are kept once."""
    node = {url: url for url in graph}
    texts: dict[str, str] = {}
    for row in rows:
        if row["target"] in node:
            anchor = row["anchor"] or ""
            known = texts.get(anchor)
            if known is None:
                known = texts[anchor] = printable(anchor)
            attributes = {"anchor": known}
            if row["relevance"] is not None:
                attributes["relevance"] = row["relevance"]
            yield node[row["source"]], node[row["target"]], attributes


def _attributes(props: Mapping[str, Any], texts: bool) -> dict[str, Any]:
    """Return properties as attributes that every format can hold, without those that are None or long texts."""
    return {
        name: _plain(name, value)
        for name, value in sorted(props.items())
        if value is not None and (texts or name not in _LONG_TEXTS)
    }


def _plain(name: str, value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list | dict):
        return printable(json.dumps(value, ensure_ascii=False))
    return float(value) if type_of(name) == "number" and isinstance(value, int) else value
