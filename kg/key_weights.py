"""Topic weights by particularity to the topic, computed in the graph by query.

    key_i = max(0, ln((d_i + 1/2) / (D + 1)) - ln((b_i + 1/2) / (B + 1))),   0 where d_i = 0
    u_i   = (key_i / max key)^2

d_i of D are the papers that an ontology was learned from and that contain concept i, b_i of B the documents of a
general background that do. Of a concept that no paper contains and that came from crawled pages, the first share is
the least that the relevant pages that showed it support (Wilson), so that few pages weigh little. Not published. Sem
from the root gives the largest weights to general classes (an activity, a quantity), which do not distinguish pages of
the topic from others; key gives them weight 0. Equal to ontology.terms.particularity.

Equivalent concepts are counted as one, as in kg.weights. Papers and their terms are in the graph (kg.papers); the
counts of the background and of such pages are parameters of the query (weights/key in queries/weights.cypher).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, get_args

import queries
from kg.records import WeightedTerm
from kg.store import GraphStore
from ontology.errors import OntocrawlError
from ontology.shares import wilson
from ontology.terms.document_frequencies import DocumentFrequencies

Scheme = Literal["sem", "key", "sem_key"]
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
"""sem: Sem(root, concept). key: u_i. sem_key: their product over its maximum."""


@dataclass(frozen=True, slots=True)
class PageCount:
    """How many of the relevant pages of crawls showed a concept.

    Attributes:
        pages: relevant pages that showed it.
        of_pages: relevant pages that were read.
    """

    pages: int
    of_pages: int

    @property
    def share(self) -> float:
        """The least share of pages that the counts support, in [0, 1]: the lower end of Wilson's interval."""
        return wilson(min(self.pages, self.of_pages), self.of_pages)[0]


class NoPapersError(OntocrawlError, LookupError):
    """The graph holds no papers of an ontology, so that the particularity of its concepts is unknown."""


def with_keys(
    store: GraphStore,
    terms: Sequence[WeightedTerm],
    papers: Sequence[str],
    background: DocumentFrequencies,
    shown: Mapping[str, PageCount] = MappingProxyType({}),
) -> list[WeightedTerm]:
    """Add key_i, d_i and b_i to weighted terms of one ontology; their weights become u_i.

    Args:
        store: an open graph.
        terms: what `kg.weights.topic_weights` returned for the ontology.
        papers: keys of the ontologies whose papers are counted; papers of several are counted once.
        background: document frequencies of general text.
        shown: IRI of a concept that came from pages -> how many relevant pages showed it.

    Returns:
        The terms with ``weight`` u_i in [0, 1], sorted by weight in descending order, then by IRI.

    Raises:
        NoPapersError: none of ``papers`` was learned from papers that the graph has.
    """
    if not terms:
        return []
    counted = store.read(queries.get("weights/papers").text, papers=list(papers))[0]["papers"]
    if not counted:
        raise NoPapersError("kg.graph_no_papers", papers=", ".join(papers) or terms[0].ontology)
    rows = [
        {
            "class": t.class_,
            "member": t.node or t.iri,
            "background": background.of(f for _, f in t.forms),
            "pages": shown[t.iri].pages if t.iri in shown else 0,
            "share": shown[t.iri].share if t.iri in shown else 0.0,
        }
        for t in terms
    ]
    key_rows = store.read(
        queries.get("weights/key").text,
        rows=rows,
        ontology=terms[0].ontology,
        papers=list(papers),
        background=background.documents,
    )
    row_of = {row["class"]: row for row in key_rows}
    keyed = [_keyed(term, row_of[term.class_]) for term in terms]
    return sorted(keyed, key=lambda t: (-round(t.weight, 12), t.iri))


def _keyed(term: WeightedTerm, row: dict[str, float]) -> WeightedTerm:
    return replace(
        term,
        weight=float(row["weight"]),
        key=float(row["key"]),
        documents=int(row["documents"]),
        pages=int(row["pages"]),
        background=int(row["background"]),
    )


def by_scheme(terms: Sequence[WeightedTerm], scheme: Scheme) -> list[WeightedTerm]:
    """Return terms of `with_keys` with the weights of a scheme.

    Args:
        terms: weighted terms with Sem and key.
        scheme: one of SCHEMES.

    Returns:
        The terms with weights in [0, 1], sorted by weight in descending order, then by IRI.
    """
    if scheme == "key":
        return [replace(t, scheme=scheme) for t in terms]
    weights = [(t.sem or 0.0) * (t.weight if scheme == "sem_key" else 1.0) for t in terms]
    scale = (max(weights, default=0.0) or 1.0) if scheme == "sem_key" else 1.0
    weighted = [replace(t, weight=w / scale, scheme=scheme) for t, w in zip(terms, weights, strict=True)]
    return sorted(weighted, key=lambda t: (-round(t.weight, 12), t.iri))
