"""Parameters of library queries: canonical URLs, and values that name nothing in the graph."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any
from unicodedata import normalize

import queries
from kg import schema, walks
from kg.cypher import parameters_of
from kg.store import GraphStore, Row
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import NotInGraphError, Option, nearest
from ontocrawl.graph import graph_store, kept_queries
from ontocrawl.graph.tables import Table
from ontology.errors import Language, Message, OntocrawlError, is_known
from queries import Parameter, Query

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
_TERMS = {
    "term": "MATCH (t:Term) WHERE t.text IN [$given, $plain] OR t.folded = $plain RETURN t.text AS name ORDER BY name",
    "proposal": "MATCH (q:Proposal) WHERE q.id = $given OR q.term IN [$given, $plain] OR q.folded = $plain "
    "RETURN DISTINCT CASE q.id WHEN $given THEN q.id ELSE q.term END AS name ORDER BY name",
}
"""Parameter that is a term -> a query for the texts of the graph that are one with it."""
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


def ask(
    space: Workspace, graph: GraphStore, name: str, given: Mapping[str, Any]
) -> tuple[Table, list[NotInGraphError]]:
    """Run a query of the library, or one of the user's (kept_queries), whose parameters are taken as they are.

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
    if name.startswith(kept_queries.OWN):
        return kept_queries.run(graph, kept_queries.find(space, name), given), []
    values = _resolved(graph, queries.get(name), given)
    result = graph_store.ask(graph, name, **values)
    unknown = []
    for parameter, value in values.items():
        kind = _KINDS.get(parameter)
        if value and kind in _NAMED:
            unknown += _unknown_name(space, graph, kind, parameter, str(value))
        elif value and kind is not None and not result.rows and not graph.read(_FOUND[kind], given=str(value)):
            unknown.append(_unknown_node(graph, kind, parameter, str(value)))
    return _explained(space, graph, queries.get(name), values, result, unknown), unknown


def of_newest(graph: GraphStore, query: Query, given: Mapping[str, Any]) -> list[str]:
    """Return which crawl a query takes that was told none, where the graph has several."""
    if not any(p.newest and not given.get(p.name) for p in query.parameters):
        return []
    crawls = graph.read("MATCH (c:Crawl) RETURN c.id AS id ORDER BY c.started DESC, c.id DESC")
    return [Message("graph.newest_crawl", crawl=crawls[0]["id"], crawls=len(crawls))] if len(crawls) > 1 else []


def as_cypher(graph: GraphStore, query: Query, given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a statement that has the rows of a query, and values of all its parameters.

    Args:
        graph: the open graph.
        query: the query.
        given: its parameters.

    Raises:
        ParameterError: invalid parameters.
    """
    if query.name.startswith(kept_queries.OWN):
        values, used = query.bind(given), parameters_of(query.text)
        return query.statement.strip(), {name: values[name] for name in used}
    statement = query.statement
    if query.most is not None:  # the statement of the library passes this value by one, to know whether there are more
        most = query.most[1]
        statement = statement.replace(f"..{most + 1}]", f"..{most}]")
    return statement.rstrip("\n"), query.bind(_resolved(graph, query, given))


VALUES = 50
"""Values that are offered for a parameter."""
_OFFERED = {
    "crawl": "MATCH (n:Crawl) WHERE toLower(n.id) CONTAINS $text "
    "RETURN n.id AS value, n.topic AS label ORDER BY n.started DESC, value",
    "ontology": "MATCH (n:Ontology) WHERE toLower(n.iri) CONTAINS $text OR toLower(coalesce(n.title_zh, '')) CONTAINS "
    "$text RETURN n.iri AS value, coalesce(n.title_zh, n.title_en) AS label ORDER BY value",
    "host": "MATCH (n:Host) WHERE n.name CONTAINS $text RETURN n.name AS value, '' AS label ORDER BY value",
    "topic": "MATCH (n:Topic) WHERE toLower(n.name) CONTAINS $text RETURN n.name AS value, '' AS label ORDER BY value",
    "concept": "MATCH (n:Concept)-[:IN_ONTOLOGY]->(:Ontology) RETURN DISTINCT n.iri AS iri, n.label_zh AS label_zh, "
    "n.label_en AS label_en ORDER BY label_zh, iri",
}
"""Kind of node -> a query for its names that have a text in them; of classes all, with a text `ontology/find`."""


def kind_of(parameter: str) -> str:
    """Return the kind of the nodes that a parameter names, if values of it can be offered; else empty text.

    >>> kind_of("one"), kind_of("also"), kind_of("url"), kind_of("limit")
    ('crawl', 'concept', '', '')
    """
    kind = _KINDS.get(parameter, parameter)
    return kind if kind in _OFFERED else ""


def values_of(graph: GraphStore, kind: str, text: str, language: Language) -> list[tuple[str, str]]:
    """Return values for a parameter: runs, ontologies, hosts, topics or classes of the graph.

    Args:
        graph: the open graph.
        kind: kind of the parameter (`kind_of`); other kinds have no values.
        text: what the names have in them.
        language: language of the names of classes.

    Returns:
        At most `VALUES` names, each with what it means: the newest runs first, classes with the nearest names.
    """
    if kind not in _OFFERED:
        return []
    if kind == "concept":
        rows = _candidates(graph, text, VALUES) if text.strip() else graph.read(f"{_OFFERED[kind]} LIMIT {VALUES}")
        first, second = ("label_zh", "label_en") if language == "zh" else ("label_en", "label_zh")
        return [(row[first] or row[second] or row["iri"], row[second] or "") for row in rows]
    rows = graph.read(f"{_OFFERED[kind]} LIMIT {VALUES}", text=text.strip().lower())
    return [(row["value"], row["label"] or "") for row in rows]


def _resolved(graph: GraphStore, query: Query, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters of a query of the library as the graph has them: URLs, terms, names of concepts."""
    named = _with_canonical_urls(query, _with_labels_folded(given))
    return _with_concepts(graph, _with_terms(graph, named))


def _with_labels_folded(given: Mapping[str, Any]) -> dict[str, Any]:
    """Fold a text that is looked for: full-width letters, runs of blanks, traditional characters."""
    return {
        name: _plain(value) if name in ("label", "text") and isinstance(value, str) else value
        for name, value in given.items()
    }


def _plain(text: str) -> str:
    if text.isascii():
        return " ".join(text.split())
    from ontology.terms.wordforms import simplified  # the words of a language are slow to import

    return simplified(" ".join(normalize("NFKC", text).split()))


def _with_terms(graph: GraphStore, values: Mapping[str, Any]) -> dict[str, Any]:
    """Replace terms that the graph lacks by those that it has in the other script of Chinese, if there is one."""
    known = dict(values)
    for parameter in values.keys() & _TERMS.keys():
        names = [
            row["name"]
            for row in graph.read(_TERMS[parameter], given=values[parameter], plain=_plain(str(values[parameter])))
        ]
        if values[parameter] not in names and len(names) == 1:
            known[parameter] = names[0]
    return known


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


def _candidates(graph: GraphStore, name: str, most: int = _CANDIDATES + 1) -> list[Row]:
    """Return the concepts that have a text as a name or in one, best first."""
    query = queries.get("ontology/find")
    return graph.read(query.text, **query.bind({"label": _plain(name), "limit": most}))


def _unknown_node(graph: GraphStore, kind: str, parameter: str, value: str) -> NotInGraphError:
    """Return the error for a page, host or concept that the graph does not have; it names concepts with such names."""
    missing = Message("graph.graph_none", parameter=parameter, value=value, kind=Message(f"graph.kind_{kind}"))
    if kind != "concept":
        return NotInGraphError(
            "graph.missing_advice",
            missing=missing,
            advice=Message("graph.some_hosts") if kind == "host" else "",
            kind=kind,
        )
    find = Option("`ontocrawl query run ontology/find label=TEXT`", 'Graph.ask("ontology/find", label=TEXT)')
    rows = _candidates(graph, value)
    if not rows:
        return NotInGraphError("graph.searches_all_names_part", missing=missing, find=find, kind=kind)
    equal = [row for row in rows if row["match"] == "equal"]
    shown = "; ".join(_shown(row) for row in (equal or rows)[:_CANDIDATES])
    if equal:
        return NotInGraphError("graph.graph_several", parameter=parameter, value=value, shown=shown, kind=kind)
    more = Message("graph.and_others") if len(rows) > _CANDIDATES else ""
    return NotInGraphError("graph.but_names_text_shows", missing=missing, shown=shown, more=more, find=find, kind=kind)


def _shown(row: Row) -> str:
    labels = [label for label in (row["label_zh"], row["label_en"]) if label]
    return f"{' / '.join(labels)} <{row['iri']}>"


def _unknown_name(space: Workspace, graph: GraphStore, kind: str, parameter: str, value: str) -> list[NotInGraphError]:
    noun, query = _NAMED[kind]
    known = [row["name"] for row in graph.read(query)]
    if value in known:
        return []
    missing = Message("graph.graph_none", parameter=parameter, value=value, kind=Message(f"graph.kind_{noun}"))
    if kind == "crawl" and value in space.run_names():
        write = Option(f"`ontocrawl graph rebuild {value}`", f"Graph.add({value!r})")
        return [NotInGraphError("graph.writes_into_graph", missing=missing, write=write, kind=kind)]
    return [
        NotInGraphError(
            "graph.missing_advice",
            missing=missing,
            advice=nearest(value, known) if known else Message("graph.none_yet"),
            kind=kind,
        )
    ]


def _with_canonical_urls(query: Query, given: Mapping[str, Any]) -> dict[str, Any]:
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


# ---- what must be in a graph for a library query to find rows: a name, and a query that tests it
#
# The header of a query names its needs in order (queries/header.py). A test returns the column ``met``; its other
# columns and the parameters of the query stand in the sentence without it, ``need_NAME`` of the messages ``no_rows``.
# ``crawl`` is the crawl asked for, or else the newest one.


CRAWL = "MATCH (c:Crawl) WHERE $crawl = '' OR c.id = $crawl WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1 "
"""The beginning of queries about one crawl."""
_FETCHED = f"{CRAWL}MATCH (c)-[f:FETCHED]->(:Page) "
_SEEN = f"{CRAWL}MATCH (c)-[r:FETCHED|KNOWS]->(:Page) "
_KNOWN = f"{CRAWL}MATCH (c)-[k:KNOWS]->(:Page) "
_MET = " RETURN count(*) > 0 AS met"
_NAMED_NEEDS = "(x.iri = $concept OR x.label_zh = $concept OR x.label_en IN [$concept, toLower($concept)])"


NEEDS: Mapping[str, str] = MappingProxyType(
    {
        "crawl": f"MATCH (c:Crawl){_MET}",
        "attempted": f"{_FETCHED}{_MET}",
        "fetched": f"{_FETCHED}WHERE f.relevance IS NOT NULL{_MET}",
        "relevant": (
            f"{_FETCHED}WHERE f.relevance IS NOT NULL WITH count(*) AS pages, max(f.relevance) AS best, "
            "sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS hits RETURN hits > 0 AS met, pages, best"
        ),
        "labels": f"{_FETCHED}WHERE f.label IS NOT NULL{_MET}",
        "dated": f"{_FETCHED}WHERE f.relevant AND f.published IS NOT NULL{_MET}",
        "revisited": (
            f"{_FETCHED}WHERE f.changed IS NOT NULL OR f.gone IS NOT NULL OR f.last_seen > f.first_seen{_MET}"
        ),
        "failed": f"{_FETCHED}WHERE f.failure IS NOT NULL{_MET}",
        "known": f"{_KNOWN}{_MET}",
        "waiting": f"{_KNOWN}WHERE k.priority IS NOT NULL{_MET}",
        "known_page": f"{CRAWL}MATCH (c)-[:FETCHED|KNOWS]->(:Page {{url: $url}}){_MET}",
        "links": (
            f"{CRAWL}MATCH (c)-[:FETCHED]->(:Page)-[l:LINKS_TO]->(:Page) WHERE l.crawl = c.id WITH l LIMIT 1{_MET}"
        ),
        "several_hosts": (
            f"{CRAWL}MATCH (c)-[:FETCHED|KNOWS]->(:Page)-[:ON_HOST]->(h:Host) "
            "WITH count(DISTINCT h.name) AS hosts, min(h.name) AS own RETURN hosts > 1 AS met, own"
        ),
        "pagerank": f"{_SEEN}WHERE r.pagerank IS NOT NULL{_MET}",
        "hits": f"{_SEEN}WHERE r.authority IS NOT NULL AND r.hub IS NOT NULL{_MET}",
        "mentions": (
            f"{CRAWL}MATCH (c)-[:FETCHED]->(:Page)-[m:MENTIONS]->(:Concept) WHERE m.crawl = c.id WITH m LIMIT 1{_MET}"
        ),
        "mentioned": (
            f"{CRAWL}MATCH (x:Concept) WHERE {_NAMED_NEEDS} MATCH (x)<-[m:MENTIONS]-(:Page) WHERE m.crawl = c.id{_MET}"
        ),
        "sentences": f"MATCH (s:Sentence){_MET}",
        "proposals": f"{CRAWL}MATCH (q:Proposal)<-[:PROPOSES]-(c){_MET}",
        "any_proposals": f"MATCH (q:Proposal){_MET}",
        "proposal": f"MATCH (q:Proposal) WHERE q.id = $proposal OR q.term = $proposal{_MET}",
        "ontologies": f"MATCH (o:Ontology){_MET}",
        "several_ontologies": "MATCH (o:Ontology) RETURN count(o) > 1 AS met",
        "local_ontology": f"MATCH (o:Ontology) WHERE o.kind = 'local'{_MET}",
        "in_ontology": (
            f"MATCH (x:Concept)-[:IN_ONTOLOGY]->(o:Ontology) "
            f"WHERE {_NAMED_NEEDS} AND ($ontology = '' OR o.iri = $ontology){_MET}"
        ),
        "causes": f"MATCH (:Concept)-[r:CAUSES]->(:Concept){_MET}",
        "supported": f"MATCH (:Concept)-[r:SUBCLASS_OF]->(:Concept) WHERE r.support > 0{_MET}",
        "papers": f"MATCH (d:Document){_MET}",
        "lattice": f"MATCH (f:FormalConcept){_MET}",
        "term": f"MATCH (t:Term {{text: $term}}){_MET}",
        "words": f"MATCH (:Topic)-[h:HAS_WORD]->(:Term){_MET}",
        "weights": f"MATCH (:Topic)-[w:WEIGHTS]->(:Concept){_MET}",
    }
)


# ---- why a library query found no rows: what the graph lacks, or which parameter leaves out all rows


_MOST = 1_000_000
_OPEN: Mapping[str, Any] = {
    "since": "",
    "status": "",
    "ontology": "",
    "topic": "",
    "about": "",
    "concept": "",
    "kind": "",
    "fetched": False,
}
"""Parameter -> the value with which it leaves out no rows."""
_LOWEST, _HIGHEST = ("least", "promise"), ("most",)
"""Parameters that leave out no rows with their lowest, and with their highest value."""
_NAMES = re.compile(r"[:|]\s*(\w+)")
_COMMENT = re.compile(r"//[^\n]*")


def _explained(
    space: Workspace,
    graph: GraphStore,
    query: Query,
    given: Mapping[str, Any],
    found: Table,
    unknown: Sequence[OntocrawlError],
) -> Table:
    """Return the result of a query, without rows with the reason for that.

    Args:
        space: the workspace of the graph.
        graph: the open graph.
        query: the query.
        given: its parameters.
        found: its result.
        unknown: errors for parameters that name nothing in the graph, which are then the reasons.
    """
    if found.rows:
        return found
    crawl = str(given.get("crawl", ""))
    if crawl in space.run_names() and space.writes_into_graph(crawl):
        return replace(found, reasons=(Message("graph.being_written", crawl=crawl),))
    reasons = tuple(error.message for error in unknown) or (reason(graph, query, query.bind(given)),)
    return replace(found, reasons=reasons)


def reason(graph: GraphStore, query: Query, values: Mapping[str, Any]) -> str:
    """Return why a query found no rows, most probably; found by looking at the graph.

    Args:
        graph: the open graph.
        query: the query.
        values: values of all its parameters.
    """
    shown = _shown_value(graph, values)
    lacking = next(_lacking(graph, query, shown), None) or _unwritten(graph, query)
    if lacking is not None:
        return lacking
    for name, value in _opened(query, values):
        rows = walks.rows(graph, query, {**values, name: value})
        if rows:
            rest = Message("graph.no_rows_with", name=name, value=value)
            rest = Message("graph.no_rows_without") if value in ("", False) else rest
            return Message(
                "graph.no_rows_value", name=name, values=values[name], rest=rest, counted=_counted(len(rows), values)
            )
    opened = dict(_opened(query, values))
    if len(opened) > 1 and walks.rows(graph, query, {**values, **opened}):
        return Message("graph.no_rows_together", opened=" and ".join(f"{name}={values[name]}" for name in opened))
    code = f"no_rows.{query.name.replace('/', '_')}"
    return Message(code if is_known(code) else "graph.no_rows_nothing", **shown)


def _counted(rows: int, values: Mapping[str, Any]) -> str:
    return Message("graph.at_least", rows=rows) if rows == values.get("limit") else str(rows)


def _shown_value(graph: GraphStore, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters for a sentence: an empty crawl is the newest one."""
    newest = graph.read(f"{CRAWL}RETURN c.id AS id", crawl=str(values.get("crawl", "")))
    return {"ontology": "", **values, "crawl": newest[0]["id"] if newest else values.get("crawl", "")}


def _lacking(graph: GraphStore, query: Query, shown: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each need of a query that the graph does not meet, in order."""
    for name in query.needs:
        test = NEEDS[name]
        used = {parameter: shown[parameter] for parameter in re.findall(r"\$(\w+)", test)}
        rows = graph.read(test, **used)
        if not rows or not rows[0]["met"]:
            found = {"pages": 0, "best": 0.0, "own": "", **(rows[0] if rows else {})}
            yield Message(f"no_rows.need_{name}", **{**shown, **found})


def _unwritten(graph: GraphStore, query: Query) -> str | None:
    """Return a sentence on a label of a query without needs in its header that no node of the graph has."""
    if query.needs:
        return None
    names = set(_NAMES.findall(_COMMENT.sub("", query.text)))
    for label in (label for label in schema.KEYS if label in names):
        if not graph.read(f"MATCH (n:{label}) RETURN n.{schema.KEYS[label]} AS key LIMIT 1"):
            return Message("graph.no_rows_label", label=label)
    return None


def _opened(query: Query, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each parameter that may leave out rows, with a value that leaves out none."""
    for parameter in query.parameters:
        value = _open(parameter)
        if value is not None and values[parameter.name] != value:
            yield parameter.name, value


def _open(parameter: Parameter) -> Any:
    if parameter.required:
        return None
    if parameter.name in _LOWEST and parameter.least is not None:
        return int(parameter.least) if parameter.type == "integer" else parameter.least
    if parameter.name in _HIGHEST:
        return _MOST
    return _OPEN.get(parameter.name)
