"""Proposals in the graph, each with its parent concept and the pages that show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import queries
from kg.joined import nodes
from kg.records import SENTENCE, Proposal
from kg.store import GraphStore
from ontology.errors import OntocrawlError


class ProposalError(OntocrawlError, LookupError):
    """Proposals that refer to nodes missing from the graph."""


def save_proposals(store: GraphStore, proposals: Sequence[Proposal], crawl: str, *, ontology: str = "") -> int:
    """Write the proposals of a crawl, linked to their parent concepts and the pages that contain them.

    Earlier proposals of this crawl without a review are replaced; a reviewed one keeps its status.

    Args:
        store: an open graph.
        proposals: what `propose` returned.
        crawl: id of the crawl.
        ontology: key of the ontology that was searched.

    Returns:
        The number of proposals.

    Raises:
        ProposalError: the graph lacks a page or a concept of a proposal.
    """
    context = {"crawl": crawl, "ontology": ontology}
    node_of = nodes(store)
    rows = [
        {
            "id": p.id,
            "under": node_of.get(p.under, p.under) if p.under else None,
            "page": p.page,
            "sentence": p.sentence[:SENTENCE],
            "status": p.status,
            "props": _props(p, context),
        }
        for p in proposals
    ]
    hung = [row for row in rows if row["under"]]
    with store.transaction() as transaction:
        transaction.write(queries.get("enrich/forget").text, crawl=crawl)
        transaction.write(queries.get("enrich/proposal").text, rows)
        for query, some, what in (("enrich/under", hung, "concept"), ("enrich/found_in", rows, "page")):
            written = sum(row["written"] for row in transaction.write(queries.get(query).text, some))
            if written != len(some):
                raise ProposalError(
                    f"{len(some) - written} of {len(some)} proposals of crawl {crawl!r} name a {what} that the graph "
                    "lacks; load the ontology and project the crawl first (graph load, graph rebuild)"
                )
    return len(rows)


def _props(p: Proposal, context: Mapping[str, str]) -> dict[str, Any]:
    return {"term": p.term, "kind": p.kind, "score": p.score, "pages": p.pages, **context}
