"""Loading of papers with their terms, and of concept lattices, into the graph.

Papers are linked to the ontology that was learned from them: (:Ontology)-[:LEARNED_FROM]->(:Document), and HAS_TERM
names the ontology whose terms were counted. Two ontologies learned from the same papers do not change each other's
counts. Loading is idempotent and replaces what the same ontology or lattice wrote before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import queries
from kg.batches import batches, write_rows
from kg.evidence import write_sentences_of_documents
from kg.joined import nodes
from kg.load import LoadError
from kg.sentences import ConceptNames, folded
from kg.store import GraphStore, Row, sorted_by
from kg.weights import forms
from ontology.model import Document
from ontology.terms.wordforms import fold

_BATCH = 1_000


@dataclass(frozen=True, slots=True)
class DocumentsReport:
    """Number of nodes and relationships that loading papers wrote."""

    documents: int
    terms: int
    has_term: int
    denotes: int
    sentences: int = 0
    """Sentences of titles and abstracts, each counted once for each paper."""


@dataclass(frozen=True, slots=True)
class FormalConceptRow:
    """One formal concept in reduced labelling, for ``load_lattice``."""

    id: str
    """Unique within its lattice."""
    support: int
    """Number of objects in its extent: documents, or classes."""
    stability: float | None = None
    own_terms: tuple[str, ...] = ()
    own_documents: tuple[str, ...] = ()
    own_classes: tuple[str, ...] = ()
    """IRIs of concepts: the classes whose formal concept this is, in the lattice of an ontology's claims."""


def load_documents(
    store: GraphStore,
    documents: Iterable[Document],
    terms_of: Callable[[Document], Mapping[str, int]],
    *,
    ontology: str = "",
    digest: str = "",
) -> DocumentsReport:
    """Write papers with their terms, and link each term to the concepts that have it as a label.

    Args:
        store: an open graph; load ontologies before papers, for DENOTES.
        documents: the papers.
        terms_of: returns the terms of a paper with their number of occurrences. The terms that the same ontology
            counted in a paper before are replaced.
        ontology: key of the ontology that was learned from these papers; empty for papers of no ontology.
        digest: what ``papers_digest`` returns afterwards; written last, when all papers are in the graph.

    Returns:
        What was written.

    Raises:
        LoadError: a paper without id, or an empty term.
    """
    total: Counter[str] = Counter()
    concepts = _concepts_by_form(store)
    names = ConceptNames((iri, *form) for iri, form in _forms(store))
    seen: set[str] = set()
    for batch in batches(documents, _BATCH):
        has_term = [_has_term_row(d, text, tf) for d in batch for text, tf in terms_of(d).items()]
        texts = list(dict.fromkeys(row["text"] for row in has_term))
        denotes = [{"text": text, "iri": iri} for text in texts for iri in concepts.get(fold(text), ())]
        papers = [{"id": d.id, "props": _document_props(d)} for d in batch]
        with store.transaction() as transaction:
            write_rows(transaction, "load/documents", papers)
            write_rows(transaction, "load/forget_terms", [{"id": d.id} for d in batch], ontology=ontology)
            write_rows(transaction, "load/terms", [{"text": text, "folded": folded(text)} for text in texts])
            write_rows(transaction, "load/has_term", has_term, ontology=ontology)
            write_rows(transaction, "load/learned_from", [{"id": d.id} for d in batch], ontology=ontology)
            write_rows(transaction, "load/denotes", denotes)
            total["sentences"] += write_sentences_of_documents(transaction, batch, names)
        fresh = [text for text in texts if text not in seen]
        seen.update(fresh)
        total.update(documents=len(batch), terms=len(fresh), has_term=len(has_term))
        total["denotes"] += sum(len(concepts.get(fold(text), ())) for text in fresh)
    if digest:
        store.write(queries.get("load/ontology").text, iri=ontology, props={"papers": digest})
    return DocumentsReport(total["documents"], total["terms"], total["has_term"], total["denotes"], total["sentences"])


def lattices_of(store: GraphStore, ontology: str) -> tuple[str, ...]:
    """Return the names of the lattices of an ontology in the graph, sorted.

    Args:
        store: an open graph.
        ontology: key of the ontology.
    """
    return tuple(row["lattice"] for row in store.read(queries.get("load/lattices_of").text, ontology=ontology))


def papers_digest(store: GraphStore, ontology: str) -> str:
    """Return the digest that the papers of an ontology were loaded with, or "" if they were not loaded.

    Args:
        store: an open graph.
        ontology: key of the ontology.
    """
    rows = store.read(queries.get("load/papers_digest").text, iri=ontology)
    return str(rows[0]["papers"] or "") if rows else ""


def texts(store: GraphStore, papers: Sequence[str]) -> dict[str, Document]:
    """Return the papers that ontologies were learned from, with the texts that the graph has of them.

    Args:
        store: an open graph.
        papers: keys of the ontologies.

    Returns:
        Id of a paper -> titles and abstracts as the graph's sentences have them, one a line; nothing else of it.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for row in store.read(queries.get("weights/texts").text, papers=list(papers)):
        found.setdefault(row["document"], {}).setdefault(row["field"], []).append(row["text"])
    joined = {key: {f: "\n".join(lines) for f, lines in fields.items()} for key, fields in found.items()}
    return {
        key: Document(
            key, of.get("title", ""), of.get("abstract", ""), title_en=of.get("title_en", ""),
            abstract_en=of.get("abstract_en", ""),
        )
        for key, of in joined.items()
    }  # fmt: skip


def _concepts_by_form(store: GraphStore) -> dict[str, tuple[str, ...]]:
    """Return folded label -> IRIs of the concepts with that label in some ontology of the graph."""
    iris_of: dict[str, dict[str, None]] = {}
    for iri, (_, form) in _forms(store):
        iris_of.setdefault(fold(form), {})[iri] = None
    return {form: tuple(iris) for form, iris in iris_of.items()}


def _forms(store: GraphStore) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield (IRI, (language, form)) of the concepts in the graph, those of equal forms by their IRIs."""
    rows = sorted_by(store.read(queries.get("load/forms").text), "iri")
    return ((row["iri"], form) for row in rows for form in forms(row))


def _document_props(document: Document) -> Row:
    if not document.id:
        raise LoadError("kg.expected_id_each_document", title=document.title)
    return {"title": document.title, "year": document.year, "source": document.source, "doi": document.doi}


def _has_term_row(document: Document, text: str, tf: int) -> Row:
    if not text:
        raise LoadError("kg.document_expected_terms_text", document_id=document.id)
    return {"id": document.id, "text": text, "tf": tf}


def load_lattice(
    store: GraphStore,
    lattice: str,
    concepts: Sequence[FormalConceptRow],
    covers: Iterable[tuple[str, str]],
    *,
    context: str = "documents",
    ontology: str = "",
) -> int:
    """Write a concept lattice, in place of one with the same name. A lattice that the graph has already is left alone.

    Args:
        store: an open graph.
        lattice: name of the lattice.
        concepts: its formal concepts. Own terms become Term nodes where the graph lacks them; own documents and own
            classes are linked where they are in the graph.
        covers: (broader, narrower) ids.
        context: what the formal context has as objects: "documents", or the "claims" of an ontology.
        ontology: key of the ontology that was learned from the context.

    Returns:
        The number of its formal concepts.

    Raises:
        LoadError: a doubled or empty id, or a cover with an unknown end.
    """
    ids = {c.id for c in concepts}
    if not lattice or len(ids) != len(concepts) or "" in ids:
        raise LoadError("kg.lattice_expected_name_ids", lattice=lattice)
    edges = [{"upper": f"{lattice}/{upper}", "lower": f"{lattice}/{lower}"} for upper, lower in covers]
    known = {f"{lattice}/{i}" for i in ids}
    for edge in edges:
        if edge["upper"] not in known or edge["lower"] not in known:
            raise LoadError("kg.lattice_cover_names_no", lattice=lattice, edge=edge)
    rows = [_formal_concept_row(lattice, c, context, ontology) for c in concepts]
    own_terms = [{"id": f"{lattice}/{c.id}", "text": text} for c in concepts for text in c.own_terms]
    papers = [{"id": f"{lattice}/{c.id}", "document": d} for c in concepts for d in c.own_documents]
    node_of = nodes(store) if any(c.own_classes for c in concepts) else {}
    classes = [{"id": f"{lattice}/{c.id}", "iri": node_of.get(i, i)} for c in concepts for i in c.own_classes]
    relationships = {
        *(("COVERS", edge["upper"], edge["lower"]) for edge in edges),
        *(("OWN_TERM", row["id"], row["text"]) for row in own_terms),
        *(("OWN_DOCUMENT", row["id"], row["document"]) for row in papers),
        *(("OWN_CLASS", row["id"], row["iri"]) for row in classes),
    }
    if _has_lattice(store, lattice, rows, relationships):
        return len(concepts)
    with store.transaction() as transaction:
        old = transaction.write(queries.get("load/lattice_ids").text, lattice=lattice)
        write_rows(transaction, "load/forget_lattice", old)
        write_rows(transaction, "load/formal_concepts", rows)
        write_rows(transaction, "load/covers", edges)
        texts = dict.fromkeys(row["text"] for row in own_terms)
        write_rows(transaction, "load/terms", [{"text": text, "folded": folded(text)} for text in texts])
        write_rows(transaction, "load/own_term", own_terms)
        write_rows(transaction, "load/own_document", papers)
        write_rows(transaction, "load/own_class", classes)
    return len(concepts)


def _has_lattice(
    store: GraphStore, lattice: str, concepts: Sequence[Row], relationships: set[tuple[str, str, str]]
) -> bool:
    """Return whether the graph has exactly these formal concepts and relationships under the name of a lattice.

    Reading a lattice takes a small part of the time of writing it.
    """
    found = store.read(queries.get("load/lattice_concepts").text, lattice=lattice)
    expected = {row["id"]: {"id": row["id"], **row["props"]} for row in concepts}
    if {row["id"]: {"lattice": lattice, **row} for row in found} != expected:
        return False
    rows = store.read(queries.get("load/lattice_edges").text, lattice=lattice)
    return len(rows) == len(relationships) and {(r["kind"], r["id"], r["target"]) for r in rows} == relationships


def _formal_concept_row(lattice: str, concept: FormalConceptRow, context: str, ontology: str) -> Row:
    identity = {"lattice": lattice, "context": context, "ontology": ontology}
    props = {**identity, "support": concept.support, "stability": concept.stability}
    return {"id": f"{lattice}/{concept.id}", "props": props}
