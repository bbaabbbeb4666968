"""Ontologies, papers and lattices into the graph. Everything here is idempotent and replaces what it wrote before.

What belongs to one ontology hangs on relationships that name it, so that several may share concepts: IN_ONTOLOGY with
the labels that it gives, SUBCLASS_OF, PART_OF, EQUIVALENT_TO and CAUSES with their support and confidence.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import queries
from kg.store import GraphStore, Row, Transaction
from kg.weights import forms
from ontology.concept_graph import ConceptGraph
from ontology.model import Concept, Document, Ontology, Relation, RelationKind

KINDS: tuple[RelationKind, ...] = ("subclass_of", "part_of", "equivalent_to", "causes")
_BATCH = 1_000


class LoadError(ValueError):
    """Something without a key, or with a key twice."""


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What an ontology put into the graph."""

    ontology: str
    concepts: int
    relations: int
    removed_relations: int
    """Relations of an older load of the same ontology that were taken out before."""
    removed_concepts: int
    """Concepts of an older load that this ontology and everything else in the graph lack now."""


@dataclass(frozen=True, slots=True)
class DocumentsReport:
    """What papers put into the graph."""

    documents: int
    terms: int
    has_term: int
    denotes: int


@dataclass(frozen=True, slots=True)
class FormalConceptRow:
    """One formal concept in reduced labelling, for ``load_lattice``."""

    id: str
    """Unique within its lattice."""
    support: int
    """Number of documents in its extent."""
    stability: float | None = None
    own_terms: tuple[str, ...] = ()
    own_documents: tuple[str, ...] = ()


def load_ontology(store: GraphStore, ontology: Ontology) -> LoadReport:
    """Write an ontology and the shape of its hierarchy in one transaction, in place of an older one of its IRI.

    Concepts get its labels as their newest ones. The shape is that which kg.weights finds by query, and refreshes
    before each use since the graph may be edited. Raises LoadError for an empty IRI, and OntologyCycle for concepts
    that are broader than themselves, before anything is written.
    """
    for iri in (ontology.iri, *(c.iri for c in ontology.concepts)):
        if not iri:
            raise LoadError(f"ontology {ontology.iri!r}: expected an IRI for each concept, found an empty one")
    graph = ConceptGraph.of(ontology)
    with store.transaction() as transaction:
        removed = _count(transaction.write(queries.get("load/forget_edges").text, ontology=ontology.iri), "removed")
        keep = [c.iri for c in ontology.concepts]
        gone = transaction.write(queries.get("load/forget_members").text, ontology=ontology.iri, keep=keep)
        transaction.write(queries.get("load/ontology").text, iri=ontology.iri, props=_ontology_props(ontology))
        rows = [{"iri": c.iri, "props": _concept_props(c)} for c in ontology.concepts]
        transaction.write(queries.get("load/concepts").text, rows)
        members = [{"iri": c.iri, "props": _label_props(c) | _shape_props(graph, c.iri)} for c in ontology.concepts]
        transaction.write(queries.get("load/members").text, members, ontology=ontology.iri)
        for kind in KINDS:
            edges = [_relation_row(r) for r in ontology.edges(kind)]
            if edges:
                transaction.write(queries.get(f"load/{kind}").text, edges, ontology=ontology.iri)
        lost = transaction.write(queries.get("load/forget_concepts").text, iris=[row["iri"] for row in gone])
    edges_now = len({(r.kind, r.source, r.target) for r in ontology.relations})
    return LoadReport(ontology.iri, len(ontology.concepts), edges_now, removed, _count(lost, "removed"))


@dataclass(frozen=True, slots=True)
class RemovalReport:
    """What an ontology took with it out of the graph."""

    ontology: str
    members: int
    """Concepts that were in it."""
    relations: int
    weights: int
    concepts: int
    """Concepts that nothing else in the graph refers to; they went too."""


def remove_ontology(store: GraphStore, iri: str) -> RemovalReport:
    """Take an ontology out of the graph with its relations and the weights taken from it, in one transaction.

    Concepts stay where another ontology, a page, a term or a proposal refers to them. Raises LoadError for an
    ontology that the graph does not have, naming those that it has.
    """
    known = [row["iri"] for row in store.read(queries.get("load/ontology_iris").text)]
    if iri not in known:
        raise LoadError(f"the graph has no ontology {iri!r}; it has: {', '.join(known) or 'none'}")
    with store.transaction() as transaction:
        relations = _count(transaction.write(queries.get("load/forget_edges").text, ontology=iri), "removed")
        gone = transaction.write(queries.get("load/forget_members").text, ontology=iri, keep=[])
        weights = _count(transaction.write(queries.get("load/forget_weights").text, ontology=iri), "removed")
        transaction.write(queries.get("load/forget_ontology").text, iri=iri)
        lost = transaction.write(queries.get("load/forget_concepts").text, iris=[row["iri"] for row in gone])
    return RemovalReport(iri, len(gone), relations, weights, _count(lost, "removed"))


def is_loaded(store: GraphStore, ontology: Ontology) -> bool:
    """Whether the graph got exactly this ontology at the last load of its IRI (edits in the graph do not count)."""
    found = store.read(queries.get("load/digest").text, iri=ontology.iri)
    return bool(found) and found[0]["digest"] == digest(ontology)


def digest(ontology: Ontology) -> str:
    """A digest of all values of an ontology, whatever the order of its concepts and relations."""
    plain = {
        "head": [ontology.iri, ontology.kind, ontology.topic, ontology.version, ontology.root],
        "titles": [ontology.title_zh, ontology.title_en, ontology.comment, ontology.licence],
        "concepts": sorted(json.dumps(asdict(c), ensure_ascii=False) for c in ontology.concepts),
        "relations": sorted(json.dumps(asdict(r), ensure_ascii=False) for r in ontology.relations),
    }
    return hashlib.blake2b(json.dumps(plain, ensure_ascii=False).encode(), digest_size=16).hexdigest()


def _ontology_props(ontology: Ontology) -> Row:
    return {
        "kind": ontology.kind,
        "topic": ontology.topic,
        "version": ontology.version,
        "root": ontology.root,
        "title_zh": ontology.title_zh,
        "title_en": ontology.title_en,
        "comment": ontology.comment,
        "licence": ontology.licence,
        "digest": digest(ontology),
    }


def _label_props(concept: Concept) -> Row:
    return {
        "label_zh": concept.label_zh,
        "label_en": concept.label_en,
        "alt_zh": list(concept.alt_zh),
        "alt_en": list(concept.alt_en),
    }


def _shape_props(graph: ConceptGraph, iri: str) -> Row:
    """The class of equivalent concepts, the longest root path in nodes, and the number of direct children."""
    c = graph.node[iri]
    return {"class": graph.names[c], "depth": int(graph.dep[c]), "children": int(graph.ch[c])}


def _concept_props(concept: Concept) -> Row:
    return {
        "label_zh": concept.label_zh,
        "label_en": concept.label_en,
        "definition": concept.definition,
        "definition_en": concept.definition_en,
    }


def _relation_row(relation: Relation) -> Row:
    props = {
        "support": relation.support,
        "confidence": relation.confidence,
        "evidence": relation.evidence,
        "documents": list(relation.documents),
        "sentence": relation.sentence,
    }
    return {"source": relation.source, "target": relation.target, "props": props}


def load_documents(
    store: GraphStore, documents: Iterable[Document], terms_of: Callable[[Document], Mapping[str, int]]
) -> DocumentsReport:
    """Write papers with their terms, and link each term to the concepts that have it as a label.

    ``terms_of`` gives the terms of a paper with their number of occurrences. The terms of a paper that is in the
    graph already are replaced. Load ontologies before, for DENOTES. Raises LoadError for a paper without id and for
    an empty term.
    """
    total: Counter[str] = Counter()
    concepts = _concepts_by_form(store)
    waiting = iter(documents)
    seen: set[str] = set()
    while batch := list(islice(waiting, _BATCH)):
        has_term = [_has_term_row(d, text, tf) for d in batch for text, tf in terms_of(d).items()]
        texts = list(dict.fromkeys(row["text"] for row in has_term))
        denotes = [{"text": text, "iri": iri} for text in texts for iri in concepts.get(text.casefold(), ())]
        papers = [{"id": d.id, "props": _document_props(d)} for d in batch]
        with store.transaction() as transaction:
            _write(transaction, "load/documents", papers)
            _write(transaction, "load/forget_terms", [{"id": d.id} for d in batch])
            _write(transaction, "load/terms", [{"text": text} for text in texts])
            _write(transaction, "load/has_term", has_term)
            _write(transaction, "load/denotes", denotes)
        fresh = [text for text in texts if text not in seen]
        seen.update(fresh)
        total.update(documents=len(batch), terms=len(fresh), has_term=len(has_term))
        total["denotes"] += sum(len(concepts.get(text.casefold(), ())) for text in fresh)
    return DocumentsReport(total["documents"], total["terms"], total["has_term"], total["denotes"])


def _concepts_by_form(store: GraphStore) -> dict[str, tuple[str, ...]]:
    """Case-folded label -> IRIs of the concepts with that label in some ontology of the graph."""
    found: dict[str, dict[str, None]] = {}
    for row in store.read(queries.get("load/forms").text):
        for _, form in forms(row):
            found.setdefault(form.casefold(), {})[row["iri"]] = None
    return {form: tuple(iris) for form, iris in found.items()}


def _document_props(document: Document) -> Row:
    if not document.id:
        raise LoadError(f"expected an id for each document, found none for {document.title!r}")
    return {"title": document.title, "year": document.year, "source": document.source, "doi": document.doi}


def _has_term_row(document: Document, text: str, tf: int) -> Row:
    if not text:
        raise LoadError(f"document {document.id}: expected terms with text, found an empty one")
    return {"id": document.id, "text": text, "tf": tf}


def load_lattice(
    store: GraphStore, lattice: str, concepts: Sequence[FormalConceptRow], covers: Iterable[tuple[str, str]]
) -> int:
    """Write a concept lattice, in place of one with the same name; answers the number of its formal concepts.

    ``covers`` are (broader, narrower) ids. Own terms become Term nodes where the graph lacks them; own documents are
    linked where ``load_documents`` has put them. Raises LoadError for a doubled or empty id or an unknown end.
    """
    ids = {c.id for c in concepts}
    if not lattice or len(ids) != len(concepts) or "" in ids:
        raise LoadError(f"lattice {lattice!r}: expected a name, and ids that are neither empty nor doubled")
    edges = [{"upper": f"{lattice}/{upper}", "lower": f"{lattice}/{lower}"} for upper, lower in covers]
    known = {f"{lattice}/{i}" for i in ids}
    for edge in edges:
        if edge["upper"] not in known or edge["lower"] not in known:
            raise LoadError(f"lattice {lattice}: a cover names {edge}, of which one is no formal concept")
    texts = dict.fromkeys(text for c in concepts for text in c.own_terms)
    with store.transaction() as transaction:
        old = transaction.write(queries.get("load/lattice_ids").text, lattice=lattice)
        _write(transaction, "load/forget_lattice", old)
        rows = [_formal_concept_row(lattice, c) for c in concepts]
        _write(transaction, "load/formal_concepts", rows)
        _write(transaction, "load/covers", edges)
        _write(transaction, "load/terms", [{"text": text} for text in texts])
        own = [{"id": f"{lattice}/{c.id}", "text": text} for c in concepts for text in c.own_terms]
        _write(transaction, "load/own_term", own)
        papers = [{"id": f"{lattice}/{c.id}", "document": d} for c in concepts for d in c.own_documents]
        _write(transaction, "load/own_document", papers)
    return len(concepts)


def _formal_concept_row(lattice: str, concept: FormalConceptRow) -> Row:
    props = {"lattice": lattice, "support": concept.support, "stability": concept.stability}
    return {"id": f"{lattice}/{concept.id}", "props": props}


def _write(transaction: Transaction, query: str, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        transaction.write(queries.get(query).text, rows)


def _count(rows: Sequence[Row], column: str) -> int:
    return sum(int(row[column]) for row in rows)
