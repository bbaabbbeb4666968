"""Parameters of library queries: canonical URLs, and values that name nothing in the graph."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any
from unicodedata import normalize

import queries
from kg import schema, walks
from kg.store import GraphStore, Row
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import NotInGraphError, Option, nearest
from ontocrawl.graph import graph_store
from ontocrawl.graph.tables import Table
from ontology.errors import OntocrawlError
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
    named = _with_canonical_urls(queries.get(name), _with_labels_folded(given))
    values = _with_concepts(graph, _with_terms(graph, named))
    result = graph_store.ask(graph, name, **values)
    unknown = []
    for parameter, value in values.items():
        kind = _KINDS.get(parameter)
        if value and kind in _NAMED:
            unknown += _unknown_name(space, graph, kind, parameter, str(value))
        elif value and kind is not None and not result.rows and not graph.read(_FOUND[kind], given=str(value)):
            unknown.append(_unknown_node(graph, kind, parameter, str(value)))
    return _explained(graph, queries.get(name), values, result, unknown), unknown


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


def _candidates(graph: GraphStore, name: str) -> list[Row]:
    """Return the concepts that have a text as a name or in one, best first."""
    query = queries.get("ontology/find")
    return graph.read(query.text, **query.bind({"label": _plain(name), "limit": _CANDIDATES + 1}))


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


# ---- what must be in a graph for a library query to find rows: a name, a query that tests it, and a sentence without
# it
#
# The header of a query names its needs in order (queries/header.py). A test returns the column ``met``; its other
# columns and the parameters of the query stand in the sentence. ``crawl`` is the crawl asked for, or else the newest
# one.


CRAWL = "MATCH (c:Crawl) WHERE $crawl = '' OR c.id = $crawl WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1 "
"""The beginning of queries about one crawl."""
_FETCHED = f"{CRAWL}MATCH (c)-[f:FETCHED]->(:Page) "
_SEEN = f"{CRAWL}MATCH (c)-[r:FETCHED|KNOWS]->(:Page) "
_KNOWN = f"{CRAWL}MATCH (c)-[k:KNOWS]->(:Page) "
_MET = " RETURN count(*) > 0 AS met"
_NAMED_NEEDS = "(x.iri = $concept OR x.label_zh = $concept OR x.label_en IN [$concept, toLower($concept)])"


@dataclass(frozen=True, slots=True)
class Need:
    """Something that must be in a graph."""

    test: str
    """A Cypher query with the column ``met``; no row is as one that is not met."""
    without: str
    """The sentence where it is not met; ``{name}`` is a parameter of the query or a column of the test."""


NEEDS: Mapping[str, Need] = MappingProxyType({
    "crawl": Need(
        f"MATCH (c:Crawl){_MET}",
        "the graph has no crawl: `ontocrawl crawl run` writes one, `ontocrawl graph rebuild RUN` an earlier run",
    ),
    "attempted": Need(f"{_FETCHED}{_MET}", "{crawl} fetched nothing"),
    "fetched": Need(
        f"{_FETCHED}WHERE f.relevance IS NOT NULL{_MET}",
        "{crawl} read no page: `ontocrawl query run crawl/failures crawl={crawl}` shows what failed",
    ),
    "relevant": Need(
        f"{_FETCHED}WHERE f.relevance IS NOT NULL WITH count(*) AS pages, max(f.relevance) AS best, "
        "sum(CASE WHEN f.relevant THEN 1 ELSE 0 END) AS hits RETURN hits > 0 AS met, pages, best",
        "none of the {pages} pages that {crawl} read is relevant; the highest relevance is {best:.4f}",
    ),
    "labels": Need(
        f"{_FETCHED}WHERE f.label IS NOT NULL{_MET}",
        "no page of {crawl} has a label: labels come with a synthetic web, or with --labels FILE#SET of a crawl",
    ),
    "dated": Need(f"{_FETCHED}WHERE f.relevant AND f.published IS NOT NULL{_MET}", "no relevant page of {crawl} "
                  "tells a date"),
    "failed": Need(f"{_FETCHED}WHERE f.failure IS NOT NULL{_MET}", "no fetch of {crawl} failed"),
    "known": Need(f"{_KNOWN}{_MET}", "{crawl} fetched every page that it knows"),
    "waiting": Need(
        f"{_KNOWN}WHERE k.priority IS NOT NULL{_MET}",
        "no link of {crawl} waits to be fetched: `ontocrawl query run crawl/left_behind crawl={crawl}` shows why",
    ),
    "known_page": Need(
        f"{CRAWL}MATCH (c)-[:FETCHED|KNOWS]->(:Page {{url: $url}}){_MET}",
        "{crawl} does not know {url}: `ontocrawl query run pages/page url={url}` shows which crawls do",
    ),
    "links": Need(
        f"{CRAWL}MATCH (c)-[:FETCHED]->(:Page)-[l:LINKS_TO]->(:Page) WHERE l.crawl = c.id WITH l LIMIT 1{_MET}",
        "{crawl} saw no links",
    ),
    "several_hosts": Need(
        f"{CRAWL}MATCH (c)-[:FETCHED|KNOWS]->(:Page)-[:ON_HOST]->(h:Host) "
        "WITH count(DISTINCT h.name) AS hosts, min(h.name) AS own RETURN hosts > 1 AS met, own",
        "all pages that {crawl} knows are on one host, {own}, so that no link leads to another; a corpus is one host",
    ),
    "pagerank": Need(
        f"{_SEEN}WHERE r.pagerank IS NOT NULL{_MET}",
        "no page of {crawl} has a PageRank: `ontocrawl graph rank {crawl}` computes it",
    ),
    "hits": Need(
        f"{_SEEN}WHERE r.authority IS NOT NULL AND r.hub IS NOT NULL{_MET}",
        "no page of {crawl} has an authority and a hub value: `ontocrawl graph rank {crawl}` computes them",
    ),
    "mentions": Need(
        f"{CRAWL}MATCH (c)-[:FETCHED]->(:Page)-[m:MENTIONS]->(:Concept) WHERE m.crawl = c.id WITH m LIMIT 1{_MET}",
        "no page of {crawl} names a concept: it was crawled without ontologies, or its pages use other words",
    ),
    "mentioned": Need(
        f"{CRAWL}MATCH (x:Concept) WHERE {_NAMED_NEEDS} MATCH (x)<-[m:MENTIONS]-(:Page) WHERE m.crawl = c.id{_MET}",
        "no page of {crawl} names {concept}",
    ),
    "sentences": Need(
        f"MATCH (s:Sentence){_MET}",
        "the graph has no sentences: `ontocrawl graph rebuild` writes those of the pages of runs, "
        "`ontocrawl graph load TOPIC` those of papers",
    ),
    "proposals": Need(
        f"{CRAWL}MATCH (q:Proposal)<-[:PROPOSES]-(c){_MET}",
        "no terms are proposed for {crawl}: `ontocrawl enrich propose {crawl}` does that",
    ),
    "any_proposals": Need(
        f"MATCH (q:Proposal){_MET}", "no terms are proposed for any crawl: `ontocrawl enrich propose RUN` does that"
    ),
    "proposal": Need(
        f"MATCH (q:Proposal) WHERE q.id = $proposal OR q.term = $proposal{_MET}",
        "no crawl proposes {proposal}: `ontocrawl query run enrichment/by_several_crawls` lists what crawls propose",
    ),
    "ontologies": Need(
        f"MATCH (o:Ontology){_MET}", "the graph has no ontology: `ontocrawl graph load TOPIC` writes those of a topic"
    ),
    "several_ontologies": Need("MATCH (o:Ontology) RETURN count(o) > 1 AS met", "the graph has only one ontology"),
    "local_ontology": Need(
        f"MATCH (o:Ontology) WHERE o.kind = 'local'{_MET}", "the graph has no local ontology, only global ones"
    ),
    "in_ontology": Need(
        f"MATCH (x:Concept)-[:IN_ONTOLOGY]->(o:Ontology) "
        f"WHERE {_NAMED_NEEDS} AND ($ontology = '' OR o.iri = $ontology){_MET}",
        "the ontology {ontology} does not have {concept}",
    ),
    "causes": Need(
        f"MATCH (:Concept)-[r:CAUSES]->(:Concept){_MET}", "no ontology of the graph states what causes what"
    ),
    "supported": Need(
        f"MATCH (:Concept)-[r:SUBCLASS_OF]->(:Concept) WHERE r.support > 0{_MET}",
        "no subclass relation is supported by papers: the ontologies are not learned ones",
    ),
    "papers": Need(
        f"MATCH (d:Document){_MET}",
        "the graph has no papers: `ontocrawl graph load TOPIC` writes those that a topic was learned from",
    ),
    "lattice": Need(
        f"MATCH (f:FormalConcept){_MET}",
        "the graph has no lattice: `ontocrawl graph load TOPIC` writes those of a learned topic",
    ),
    "term": Need(f"MATCH (t:Term {{text: $term}}){_MET}", "no paper of the graph has the term {term}"),
    "words": Need(
        f"MATCH (:Topic)-[h:HAS_WORD]->(:Term){_MET}",
        "the graph has no words of a topic: `ontocrawl graph load TOPIC` loads them",
    ),
    "weights": Need(
        f"MATCH (:Topic)-[w:WEIGHTS]->(:Concept){_MET}",
        "the graph has no weights: `ontocrawl weights TOPIC` computes those of a topic",
    ),
})  # fmt: skip


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
    graph: GraphStore, query: Query, given: Mapping[str, Any], found: Table, unknown: Sequence[OntocrawlError]
) -> Table:
    """Return the result of a query, without rows with the reason for that.

    Args:
        graph: the open graph.
        query: the query.
        given: its parameters.
        found: its result.
        unknown: errors for parameters that name nothing in the graph, which are then the reasons.
    """
    if found.rows:
        return found
    reasons = tuple(error.on_command_line() for error in unknown) or (reason(graph, query, query.bind(given)),)
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
            rest = "without it" if value in ("", False) else f"with {name}={value}"
            return f"{name}={values[name]} leaves out all rows: {rest} there are {_counted(len(rows), values)}"
    opened = dict(_opened(query, values))
    if len(opened) > 1 and walks.rows(graph, query, {**values, **opened}):
        return f"{' and '.join(f'{name}={values[name]}' for name in opened)} together leave out all rows"
    return query.none.format(**shown) or "all that the query reads is in the graph, and nothing fits its parameters"


def _counted(rows: int, values: Mapping[str, Any]) -> str:
    return f"at least {rows}" if rows == values.get("limit") else str(rows)


def _shown_value(graph: GraphStore, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters for a sentence: an empty crawl is the newest one."""
    newest = graph.read(f"{CRAWL}RETURN c.id AS id", crawl=str(values.get("crawl", "")))
    return {"ontology": "", **values, "crawl": newest[0]["id"] if newest else values.get("crawl", "")}


def _lacking(graph: GraphStore, query: Query, shown: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each need of a query that the graph does not meet, in order."""
    for name in query.needs:
        need = NEEDS[name]
        used = {parameter: shown[parameter] for parameter in re.findall(r"\$(\w+)", need.test)}
        rows = graph.read(need.test, **used)
        if not rows or not rows[0]["met"]:
            yield need.without.format(**{**shown, "pages": 0, "best": 0.0, "own": "", **(rows[0] if rows else {})})


def _unwritten(graph: GraphStore, query: Query) -> str | None:
    """Return a sentence on a label of a query without needs in its header that no node of the graph has."""
    if query.needs:
        return None
    names = set(_NAMES.findall(_COMMENT.sub("", query.text)))
    for label in (label for label in schema.KEYS if label in names):
        if not graph.read(f"MATCH (n:{label}) RETURN n.{schema.KEYS[label]} AS key LIMIT 1"):
            return f"the graph has no node {label} (docs/graph.md)"
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
