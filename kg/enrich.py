"""Proposals in the graph: what each crawl proposes for a topic, with the sentences of its pages.

A proposal is one node, whatever the number of crawls that make it. The relationship PROPOSES has what a crawl says of
it, FOUND_IN the sentence of each page of that crawl. The node itself has what the crawl with the largest score says,
and UNDER and ABOUT lead from it to the concepts. A proposal that no crawl makes any more is removed, unless a person
decided about it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import queries
from kg.batches import write_rows
from kg.joined import nodes
from kg.records import SENTENCE
from kg.sentences import folded
from kg.store import GraphStore, Row, Transaction
from ontology.enrichment.proposal import PageSentence, Proposal, Support
from ontology.errors import OntocrawlError

PROPOSED = "proposed"
"""Status of a proposal that nobody decided about."""
_SAID = ("kind", "relation", "target", "target_label", "source", "rule", "reason")
"""What two crawls may say differently of one proposal."""


class ProposalError(OntocrawlError, LookupError):
    """Proposals that refer to nodes missing from the graph."""


def save_proposals(
    store: GraphStore,
    topic: str,
    proposals: Sequence[Proposal],
    crawl: str,
    *,
    ontology: str = "",
    statuses: Mapping[str, str] | None = None,
) -> int:
    """Write what a crawl proposes for a topic, in one transaction; what it proposed for the topic before is replaced.

    Args:
        store: an open graph.
        topic: name of the topic.
        proposals: what `ontology.enrichment.propose` returned, best first.
        crawl: id of the crawl.
        ontology: key of the ontology that was searched.
        statuses: id of a proposal -> its status, for those that a person decided about.

    Returns:
        The number of proposals.

    Raises:
        ProposalError: the graph lacks the crawl, or a page or a concept of a proposal; nothing is written.
    """
    unique = {f"{topic}/{p.key}": p for p in reversed(proposals)}
    best_first = list(reversed(unique.items()))
    _require_concepts(store, crawl, best_first)
    created = [
        {"id": id_, "props": {"topic": topic, "term": p.term, "folded": folded(p.term),
                              "status": (statuses or {}).get(id_, PROPOSED)}}
        for id_, p in best_first
    ]  # fmt: skip
    said = [
        {"id": id_, "props": {"ontology": ontology, "rank": rank, "score": p.score, "pages": p.pages,
                              "of_pages": p.of_pages,
                              "shown": len(_by_page(p.sentences)), **{name: getattr(p, name) for name in _SAID}}}
        for rank, (id_, p) in enumerate(best_first, 1)
    ]  # fmt: skip
    found = [{"id": id_, **row} for id_, p in best_first for row in _by_page(p.sentences)]
    with store.transaction() as transaction:
        _forget(transaction, topic, crawl)
        write_rows(transaction, "enrich/proposal", created)
        for query, rows, what in (("enrich/proposes", said, "crawl"), ("enrich/found_in", found, "page")):
            answers = transaction.write(queries.get(query).text, rows, crawl=crawl) if rows else []
            if sum(row["written"] for row in answers) != len(rows):
                raise ProposalError("kg.graph_lacks_what", crawl=crawl, what=what)
        settle(transaction, topic, nodes(store))
    return len(unique)


def save_decided(store: GraphStore, topic: str, decided: Iterable[tuple[str, Proposal, str]]) -> None:
    """Write proposals that a person decided about and that no crawl in the graph makes, in one transaction.

    Args:
        store: an open graph.
        topic: name of the topic.
        decided: id, proposal as it was when it was decided, and status of each.
    """
    decided, node_of = list(decided), nodes(store)
    created = [
        {"id": id_, "props": {"topic": topic, "term": p.term, "folded": folded(p.term), "status": status}}
        for id_, p, status in decided
    ]
    settled = []
    for id_, p, _ in decided:
        ends = {"under": node_of.get(p.target, p.target) if p.target else None,
                "about": node_of.get(p.source, p.source) if p.source else None}  # fmt: skip
        said = {name: getattr(p, name) for name in (*_SAID, "score", "pages")}
        settled.append({"id": id_, "props": {**said, **ends}})
    with store.transaction() as transaction:
        write_rows(transaction, "enrich/proposal", created)
        for query in ("enrich/settled", "enrich/under", "enrich/about"):
            write_rows(transaction, query, settled)


def _require_concepts(store: GraphStore, crawl: str, proposals: Iterable[tuple[str, Proposal]]) -> None:
    node_of = nodes(store)
    named = {node_of.get(iri, iri) for _, p in proposals for iri in (p.target, p.source) if iri}
    rows = store.read(queries.get("project/concepts").text, iris=sorted(named)) if named else []
    missing = sorted(named - {row["iri"] for row in rows})
    if missing:
        raise ProposalError(
            "kg.graph_lacks_concepts", crawl=crawl, n_missing=len(missing), n_named=len(named), missing=missing[0]
        )


def _by_page(sentences: Sequence[PageSentence]) -> list[Row]:
    """Return the best sentence of each page as a row; a long one is cut to the part around the term."""
    rows: dict[str, Row] = {}
    for rank, sentence in enumerate(sentences, 1):
        cut = _excerpt(sentence)
        props = {"sentence": cut.text, "start": cut.start, "end": cut.end, "rank": rank, "fetched": cut.fetched,
                 "page_number": cut.page_number}  # fmt: skip
        rows.setdefault(sentence.url, {"page": sentence.url, "props": props})
    return list(rows.values())


def _excerpt(sentence: PageSentence) -> PageSentence:
    """Cut a sentence to `SENTENCE` characters around its term.

    >>> cut = _excerpt(PageSentence("a" * 700 + "内涝", "http://a.cn/", 700, 702))
    >>> len(cut.text), cut.text[cut.start : cut.end]
    (500, '内涝')
    """
    if len(sentence.text) <= SENTENCE:
        return sentence
    first = max(0, min(sentence.start - SENTENCE // 4, len(sentence.text) - SENTENCE))
    end = min(sentence.end - first, SENTENCE)
    return replace(sentence, text=sentence.text[first : first + SENTENCE], start=sentence.start - first, end=end)


def _forget(transaction: Transaction, topic: str, crawl: str) -> None:
    """Remove what a crawl proposes for a topic."""
    for query in ("enrich/forget_found_in", "enrich/forget_proposes"):
        transaction.write(queries.get(query).text, crawl=crawl, topic=topic)


def settle_crawl(store: GraphStore, crawl: str, *, forget: bool = False) -> None:
    """Settle the proposals of the topics that a crawl proposes for (`settle`), as after it was written again.

    Args:
        store: an open graph.
        crawl: id of the crawl.
        forget: whether what the crawl proposes is removed first.
    """
    topics = [row["topic"] for row in store.read(queries.get("enrich/topics").text, crawl=crawl)]
    node_of = nodes(store) if topics else {}
    for topic in topics:
        with store.transaction() as transaction:
            if forget:
                _forget(transaction, topic, crawl)
            settle(transaction, topic, node_of)


def settle(transaction: Transaction, topic: str, node_of: Mapping[str, str]) -> None:
    """Make the proposals of a topic what the crawls say now; those that no crawl supports are removed.

    A page that is gone takes its support away: it does not count any more, and a crawl of which no page with a
    sentence is left does not propose the term any more.

    Args:
        transaction: an open transaction.
        topic: name of the topic.
        node_of: IRI in an ontology -> IRI of the node, where these differ (`kg.joined.nodes`).
    """
    by_proposal: defaultdict[str, list[Row]] = defaultdict(list)
    withdrawn = []
    for row in transaction.write(queries.get("enrich/support").text, topic=topic):
        if _is_lost(row):
            withdrawn.append({"id": row["id"], "crawl": row["crawl"]})
        else:
            by_proposal[row["id"]].append(row)
    settled = [{"id": id_, "props": _settled(rows, node_of)} for id_, rows in by_proposal.items()]
    undecided = (r["id"] for r in transaction.write(queries.get("enrich/ids").text, topic=topic) if _is_undecided(r))
    write_rows(transaction, "enrich/withdraw", withdrawn)
    write_rows(transaction, "enrich/remove", [{"id": id_} for id_ in undecided if id_ not in by_proposal])
    write_rows(transaction, "enrich/settled", settled)
    for query in ("enrich/forget_ends", "enrich/under", "enrich/about"):
        write_rows(transaction, query, settled)


def _is_lost(row: Row) -> bool:
    """Return whether all pages with a sentence of a crawl for a proposal are gone."""
    return bool(row["said"]["shown"]) and not row["present"]


def _is_undecided(row: Row) -> bool:
    return bool(row["status"] == PROPOSED)


def _support(row: Row) -> Support:
    """Return what a crawl says for a proposal; a page with a sentence that is gone does not count."""
    said = row["said"]
    pages = max(0, said["pages"] - (said["shown"] - row["present"]))
    return Support(said["score"], pages, said["rank"], said.get("of_pages", 0))


def _widest(support: Iterable[Support]) -> Support:
    """Return what the crawl says that shows a proposal on most pages; crawls of a topic fetch the same pages again."""
    return max(support, key=lambda one: (one.pages, -one.of_pages))


def _settled(rows: Sequence[Row], node_of: Mapping[str, str]) -> Row:
    """Return the properties of a proposal by what the crawls say of it, and the nodes of its concepts."""
    best = min(rows, key=lambda row: (-row["said"]["score"], row["crawl"]))["said"]
    said = {name: best.get(name) for name in (*_SAID, "ontology")}  # earlier versions wrote no ontology there
    ends = {"under": said["target"], "about": said["source"]}
    pages = _widest(map(_support, rows)).pages
    return {**said, "score": best["score"], "pages": pages, **{k: node_of.get(iri, iri) for k, iri in ends.items()}}


def set_status(store: GraphStore, statuses: Mapping[str, str]) -> None:
    """Write the status of proposals; one that the graph does not have is no error.

    Args:
        store: an open graph.
        statuses: id -> status.
    """
    rows = [{"id": id_, "status": status} for id_, status in statuses.items()]
    if rows:
        store.write(queries.get("enrich/status").text, rows)


def statuses(store: GraphStore, topic: str) -> dict[str, str]:
    """Return id -> status of the proposals of a topic in the graph.

    Args:
        store: an open graph.
        topic: name of the topic.
    """
    return {row["id"]: row["status"] for row in store.read(queries.get("enrich/ids").text, topic=topic)}


def all_ids(store: GraphStore) -> list[str]:
    """Return the ids of the proposals of all topics, sorted.

    Args:
        store: an open graph.
    """
    return [row["id"] for row in store.read(queries.get("enrich/all_ids").text)]


def titles(store: GraphStore, urls: Iterable[str]) -> dict[str, str]:
    """Return URL -> title of pages; those without a title are left out.

    Args:
        store: an open graph.
        urls: URLs of pages.
    """
    rows = store.read(queries.get("enrich/titles").text, rows=[{"url": url} for url in urls])
    return {row["url"]: row["title"] for row in rows}


def forget(store: GraphStore, ids: Iterable[str]) -> None:
    """Remove proposals with all that supports them.

    Args:
        store: an open graph.
        ids: their ids.
    """
    with store.transaction() as transaction:
        write_rows(transaction, "enrich/remove", [{"id": id_} for id_ in ids])


def read_proposals(store: GraphStore, topic: str, *, crawl: str = "") -> list[Proposal]:
    """Read the proposals of a topic with their support and sentences.

    Args:
        store: an open graph.
        topic: name of the topic.
        crawl: only those that this crawl makes, in its order; empty for all.

    Returns:
        The proposals without those that lost all support, by score in descending order, of one crawl by their rank. The
        best sentence of each crawl comes first, that of the crawl with the largest score before the others.
    """
    support: defaultdict[str, dict[str, Support]] = defaultdict(dict)
    for row in store.read(queries.get("enrich/support").text, topic=topic):
        if not _is_lost(row):
            support[row["id"]][row["crawl"]] = _support(row)
    shown: defaultdict[str, list[Row]] = defaultdict(list)
    for row in store.read(queries.get("enrich/sentences").text, topic=topic):
        shown[row["id"]].append(row)
    rows = store.read(queries.get("enrich/proposals").text, topic=topic)
    found = [
        _stored(row, support[row["id"]], shown[row["id"]])
        for row in rows
        if support[row["id"]] or not _is_undecided(row)
    ]
    if not crawl:
        return found
    return sorted((one for one in found if crawl in one.crawls), key=lambda one: (one.crawls[crawl].rank, one.id))


def _stored(row: Row, support: Mapping[str, Support], shown: Iterable[Row]) -> Proposal:
    by_score = sorted(support.items(), key=lambda item: (-item[1].score, item[0]))
    place = {crawl: number for number, (crawl, _) in enumerate(by_score)}
    ordered = sorted(shown, key=lambda s: (s["rank"], place.get(s["crawl"], len(place)), s["crawl"], s["page"]))
    sentences = tuple(
        PageSentence(s["sentence"], s["page"], s["start"], s["end"], s["fetched"] or "", s["crawl"], s["page_number"])
        for s in ordered
    )
    said: dict[str, Any] = {name: row[name] for name in _SAID} | {"reason": row["reason"] or ""}
    widest = _widest(support.values()) if support else Support(row["score"], row["pages"])
    return Proposal(
        term=row["term"], score=row["score"], pages=widest.pages, sentences=sentences, of_pages=widest.of_pages,
        id=row["id"], status=row["status"], crawls=dict(by_score), **said,
    )  # fmt: skip


def crawl_facts(store: GraphStore, crawl: str) -> Row | None:
    """Return strategy, topic, world and start of a crawl in the graph; None where it has no such crawl."""
    return next(iter(store.read(queries.get("enrich/crawl").text, crawl=crawl)), None)
