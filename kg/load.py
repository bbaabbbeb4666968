"""Loading of ontologies into the graph. It is idempotent and replaces what it wrote before; papers are in `kg.papers`.

All data of one ontology are relationships that name it, so that several may share concepts: IN_ONTOLOGY with its
labels, SUBCLASS_OF, PART_OF, EQUIVALENT_TO, CAUSES and MEASURED_BY with their support and confidence.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields

import queries
from kg.evidence import forget_sentences_of_documents
from kg.joined import Place, places
from kg.store import GraphStore, Row, Transaction, retried
from ontology.concept_graph import ConceptGraph
from ontology.errors import OntocrawlError
from ontology.joining import renamed
from ontology.mapping import TermMapping
from ontology.model import Concept, Ontology, Relation, RelationKind
from ontology.terms.wordforms import simplified

KINDS: tuple[RelationKind, ...] = ("subclass_of", "part_of", "equivalent_to", "causes", "measured_by")
_FOR_FILES = frozenset({"texts", "xrefs", "replaced_by", "scopes", "candidates"})
"""What concepts have in few files; of it the graph has the names among the texts."""


class LoadError(OntocrawlError, ValueError):
    """An element without a key, or with a duplicate key."""


@dataclass(frozen=True, slots=True)
class LoadReport:
    """Counts of loading an ontology."""

    ontology: str
    concepts: int
    relations: int
    removed_relations: int
    """Relations of an earlier load of the same ontology that were removed."""
    removed_concepts: int
    """Concepts of an earlier load that nothing in the graph refers to any more; they were removed."""
    joined_concepts: int = 0
    """Concepts that are one with a concept of another topic's ontology in the graph."""


def load_ontology(store: GraphStore, ontology: Ontology, mappings: Iterable[TermMapping] | None = None) -> LoadReport:
    """Write an ontology and the shape of its hierarchy in one transaction, in place of an earlier load of its key.

    The key (`Ontology.key`) is the IRI, for a learned or joined ontology the version IRI: versions coexist. Concepts
    get its labels as their newest ones. A concept that is mapped exactly to one of another topic joins the node of that
    one, which keeps its labels (kg.joined). The shape equals that which kg.weights computes by query, and refreshes
    before each use since the graph may be edited.

    Args:
        store: an open graph.
        ontology: the ontology.
        mappings: the mappings to join concepts by, and no others; those found by names if None.

    Raises:
        LoadError: a concept has an empty IRI.
        OntologyCycle: a concept is broader than itself; nothing is written.
    """
    for iri in (ontology.iri, *(c.iri for c in ontology.concepts)):
        if not iri:
            raise LoadError("kg.ontology_expected_iri_each", ontology_iri=ontology.iri)
    rows = None if mappings is None else tuple(mappings)
    return retried(lambda: _load(store, ontology, rows))


def _load(store: GraphStore, ontology: Ontology, mappings: Sequence[TermMapping] | None) -> LoadReport:
    key = ontology.key
    place_of = places(store, ontology, mappings)
    known, ontology = ontology, renamed(ontology, {iri: place.iri for iri, place in place_of.items()})
    graph = ConceptGraph.of(ontology)
    with store.transaction() as transaction:
        removed = _count(transaction.write(queries.get("load/forget_edges").text, ontology=key), "removed")
        keep = [c.iri for c in ontology.concepts]
        gone = transaction.write(queries.get("load/forget_members").text, ontology=key, keep=keep)
        transaction.write(
            queries.get("load/ontology").text, iri=key, props=_ontology_props(ontology) | {"digest": digest(known)}
        )
        rows = [{"iri": c.iri, "props": _concept_props(c)} for c in known.concepts if place_of[c.iri].iri == c.iri]
        transaction.write(queries.get("load/concepts").text, rows)
        members = [_member(c, place_of[c.iri], graph) for c in known.concepts]
        transaction.write(queries.get("load/members").text, members, ontology=key)
        for kind in KINDS:
            edges = [_relation_row(r) for r in ontology.edges(kind)]
            if edges:
                transaction.write(queries.get(f"load/{kind}").text, edges, ontology=key)
        lost = transaction.write(queries.get("load/forget_concepts").text, iris=[row["iri"] for row in gone])
    edges_now = len({(r.kind, r.source, r.target) for r in ontology.relations})
    joined = sum(place.iri != iri for iri, place in place_of.items())
    return LoadReport(key, len(ontology.concepts), edges_now, removed, _count(lost, "removed"), joined)


def _member(concept: Concept, place: Place, graph: ConceptGraph) -> Row:
    """Return the membership of a concept: its own IRI and labels, why it is this node, and its place in the shape."""
    return {
        "iri": place.iri,
        "props": _label_props(concept) | {"iri": concept.iri} | _shape_props(graph, place.iri) | dict(place.why),
    }


@dataclass(frozen=True, slots=True)
class RemovalReport:
    """Counts of removing an ontology."""

    ontology: str
    members: int
    """Concepts that were in it."""
    relations: int
    weights: int
    concepts: int
    """Concepts that nothing else in the graph refers to; they were removed too."""


def remove_ontology(store: GraphStore, iri: str) -> RemovalReport:
    """Remove an ontology from the graph with its relations, papers, lattices and weights, in one transaction.

    Concepts remain if another ontology, a page, a term or a proposal refers to them, papers if another ontology was
    learned from them.

    Args:
        store: an open graph.
        iri: the ontology's key in the graph; for a learned ontology the IRI of one version.

    Raises:
        LoadError: the graph does not have this ontology; the message lists those that it has.
    """
    known = ontology_keys(store)
    if iri not in known:
        raise LoadError("kg.graph_no_ontology", iri=iri, known=", ".join(known) or "none")
    with store.transaction() as transaction:
        relations = _count(transaction.write(queries.get("load/forget_edges").text, ontology=iri), "removed")
        gone = transaction.write(queries.get("load/forget_members").text, ontology=iri, keep=[])
        of_it = transaction.write(queries.get("load/lattices_of").text, ontology=iri)
        for lattice in dict.fromkeys((iri, *(row["lattice"] for row in of_it))):
            forgotten = transaction.write(queries.get("load/lattice_ids").text, lattice=lattice)
            if forgotten:
                transaction.write(queries.get("load/forget_lattice").text, forgotten)
        forget_papers(transaction, iri)
        weights = _count(transaction.write(queries.get("load/forget_weights").text, ontology=iri), "removed")
        transaction.write(queries.get("load/forget_ontology").text, iri=iri)
        lost = transaction.write(queries.get("load/forget_concepts").text, iris=[row["iri"] for row in gone])
    return RemovalReport(iri, len(gone), relations, weights, _count(lost, "removed"))


def forget_papers(transaction: Transaction, ontology: str) -> None:
    """Remove the papers of an ontology from the graph, with the terms that it counted in them.

    Papers remain if another ontology was learned from them. The ontology's digest of its papers is emptied, so that a
    load that is interrupted before it writes the new digest is not taken for a whole one.

    Args:
        transaction: an open transaction.
        ontology: key of the ontology.
    """
    transaction.write(queries.get("load/papers_unwritten").text, ontology=ontology)
    transaction.write(queries.get("load/forget_papers").text, ontology=ontology)
    papers = transaction.write(queries.get("load/forget_learned_from").text, ontology=ontology)
    unused = transaction.write(queries.get("load/unused_documents").text, ids=[row["id"] for row in papers])
    ids = [row["id"] for row in unused]
    forget_sentences_of_documents(transaction, ids)
    transaction.write(queries.get("load/forget_documents").text, ids=ids)


def ontology_keys(store: GraphStore) -> list[str]:
    """Return the keys of all ontologies in the graph, sorted."""
    return [row["iri"] for row in store.read(queries.get("load/ontology_iris").text)]


def is_loaded(store: GraphStore, ontology: Ontology) -> bool:
    """Return whether exactly this ontology was loaded last under its key; edits in the graph are ignored.

    Args:
        store: an open graph.
        ontology: the ontology.
    """
    rows = store.read(queries.get("load/digest").text, iri=ontology.key)
    return bool(rows) and rows[0]["digest"] == digest(ontology)


def digest(ontology: Ontology) -> str:
    """Return a digest of all values of an ontology, independent of the order of its concepts and relations."""
    plain = {
        "head": [ontology.iri, ontology.kind, ontology.topic, ontology.version, ontology.root],
        "titles": [ontology.title_zh, ontology.title_en, ontology.comment, ontology.licence],
        "concepts": sorted(json.dumps(_values(c), ensure_ascii=False, default=asdict) for c in ontology.concepts),
        "relations": sorted(json.dumps(_fields(r), ensure_ascii=False, default=asdict) for r in ontology.relations),
    }
    return hashlib.blake2b(json.dumps(plain, ensure_ascii=False).encode(), digest_size=16).hexdigest()


def _values(concept: Concept) -> dict[str, object]:
    """Return the values of a concept; without those that are for files only and empty, so that old digests hold.

    Names in simplified characters and in other languages are among them, so that an ontology of a graph that lacks
    those is loaded again.
    """
    values = {name: value for name, value in _fields(concept).items() if value or name not in _FOR_FILES}
    added = {"folded": _folded(concept), "alt_other": _other_names(concept)}
    return values | {name: value for name, value in added.items() if value}


def _fields(one: Concept | Relation) -> dict[str, object]:
    """Return the values of an object by name, without a copy of each as `asdict` makes it."""
    return {field.name: getattr(one, field.name) for field in fields(one)}


def _ontology_props(ontology: Ontology) -> Row:
    return {
        "series": ontology.iri,
        "kind": ontology.kind,
        "topic": ontology.topic,
        "version": ontology.version,
        "root": ontology.root,
        "title_zh": ontology.title_zh,
        "title_en": ontology.title_en,
        "comment": ontology.comment,
        "licence": ontology.licence,
    }


def _label_props(concept: Concept) -> Row:
    return {
        "label_zh": concept.label_zh or None,
        "label_en": concept.label_en,
        "alt_zh": list(concept.alt_zh),
        "alt_en": list(concept.alt_en),
        "alt_other": [name for _, name in _other_names(concept)] or None,
        "alt_other_languages": [language for language, _ in _other_names(concept)] or None,
        "folded": _folded(concept),
    }


def _other_names(concept: Concept) -> list[tuple[str, str]]:
    """Return the names in languages other than Chinese and English, as (language, name)."""
    return [(language, name) for language, name in concept.names() if language not in ("zh", "en")]


def _folded(concept: Concept) -> list[str] | None:
    """Return label_zh, alt_zh and alt_other in simplified characters; None where they are written in them."""
    names = [concept.label_zh, *concept.alt_zh, *(name for _, name in _other_names(concept))]
    plain = [simplified(name) for name in names]
    return None if plain == names else plain


def _shape_props(graph: ConceptGraph, iri: str) -> Row:
    """Return the class of equivalent concepts, the longest root path in nodes, and the number of direct children."""
    c = graph.node[iri]
    return {"class": graph.names[c], "depth": int(graph.dep[c]), "children": int(graph.ch[c])}


def _concept_props(concept: Concept) -> Row:
    return {
        "label_zh": concept.label_zh or None,
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


def _count(rows: Sequence[Row], column: str) -> int:
    return sum(int(row[column]) for row in rows)
