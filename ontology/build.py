"""Ontology learning from end to end: documents in, one global and k local ontologies out.

Source: paper 000, section 3.1 (terms, formal context, lattice, hierarchy, OWL; after Zhu 2017). Each step has a module
of its own; this one connects them. The hierarchy is read from evidence (ontology/evidence, trap T11b) unless
another reading is chosen; topics and association rules can be evidence too (OLMOACO). That k local ontologies are
learned from the documents with cue words of their topic is a reconstruction [R]; the papers don't publish theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from ontology.class_labels import ClassLabels
from ontology.context import ContextError, FormalContext
from ontology.corpus.statistics import examine
from ontology.errors import Message, recognised
from ontology.evidence import EvidenceSource, TermCorpus, collect, sources_of
from ontology.evidence.claims import Claim
from ontology.evidence.definitions import find_definitions
from ontology.evidence.modifiers import head_claims, name_parts
from ontology.evidence.relations import find_relations
from ontology.evidence.skeleton import OWN
from ontology.hierarchy import TermHierarchy, found_labels, term_hierarchy
from ontology.hierarchy.other_relations import with_relations
from ontology.hierarchy.topic_ontology import local_context, root_node, to_ontology
from ontology.iris import IriRegister, namespace, ontology_iri
from ontology.lattice import Lattice, LatticeTooLarge, lattice
from ontology.learn_options import LearnError, LearnOptions
from ontology.model import Document, Header, Ontology, Term
from ontology.names_lattice import Names, SuggestedClass
from ontology.terms import Selection, TermStudy, study_terms
from ontology.terms.form_matcher import AsWritten, in_simplified
from ontology.terms.paper_fields import heads_elsewhere
from ontology.terms.wordforms import fold

if TYPE_CHECKING:
    from ontology.verification import Verification

__all__ = ["LearnError", "LearnOptions", "Learned", "LocalSpec", "TopicSpec", "context_lattice", "learn"]

MAX_CONCEPTS = 200_000
"""Largest lattice; a larger one is cut to an iceberg, with a note. The hierarchy needs no lattice and is not cut."""
PLACES = 3
"""Largest number of classes that are suggested for a term without a place."""
METHODS = {"fca": "formal concept analysis", "lda": "topics (LDA)", "apriori": "association rules (Apriori)"}
"""Kind of evidence -> its name in the ontology's comment."""


@dataclass(frozen=True, slots=True)
class LocalSpec:
    """The topic of a local ontology; documents that contain one of its cue words are about it."""

    name: str
    label_zh: str
    label_en: str
    cues: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TopicSpec:
    """A topic: its name in IRIs (ASCII), the labels of the root GC, and its local topics LC_1 .. LC_k."""

    name: str
    label_zh: str
    label_en: str
    locals: tuple[LocalSpec, ...] = ()

    @property
    def roots(self) -> dict[str, str]:
        """Chinese label -> English label of the roots, the global one first."""
        return {self.label_zh: self.label_en, **{local.label_zh: local.label_en for local in self.locals}}


@dataclass(frozen=True)
class Learned:
    """The learned ontologies, and the results of all steps between the documents and them."""

    terms: tuple[Term, ...]
    context: FormalContext
    lattice: Lattice
    hierarchy: TermHierarchy
    global_ontology: Ontology
    local_ontologies: tuple[Ontology, ...]
    dropped: tuple[tuple[str, str], ...]
    """Rejected candidate terms, each with the reason."""
    general: tuple[tuple[str, str], ...]
    """General words among the rejected ones that name no class, by falling score, each with the reason.

    A decision makes one a term.
    """
    unplaced: tuple[tuple[str, str], ...]
    """Terms of the context without evidence of a broader term, each with its outcome; no class if dropped."""
    notes: tuple[str, ...]
    """Deviations from the request (a cut lattice, a local ontology without documents), and the topics of "lda"."""
    names_lattice: Lattice | None = None
    """Lattice of the names of classes with their heads and modifiers; None if no name has a head."""
    suggested: tuple[SuggestedClass, ...] = ()
    """Heads with modifiers that several classes share and none has for a name, those in most documents first."""
    waiting: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Terms that are no class, the largest score first, each with up to `PLACES` classes that it may be below."""
    verification: Verification | None = None
    """Verdicts of a language model, if one was asked."""

    @property
    def ontologies(self) -> tuple[Ontology, ...]:
        """The global ontology, then the local ones."""
        return (self.global_ontology, *self.local_ontologies)

    @cached_property
    def placed(self) -> tuple[str, ...]:
        """Terms of the context with a broader class other than the root of the global ontology."""
        root = self.global_ontology.by_iri[self.global_ontology.root]
        return self.hierarchy.placed(
            self.context.attributes, root_node(self.hierarchy, root.label_zh, root.label_en or "")
        )

    @property
    def left_out(self) -> tuple[str, ...]:
        """Terms of the context that are no class, since nothing is broader and nothing narrower."""
        return tuple(term for term, outcome in self.unplaced if outcome.startswith("dropped"))

    @property
    def without_english(self) -> tuple[str, ...]:
        """Chinese labels of classes without an English one, sorted."""
        return tuple(sorted({c.label_zh for o in self.ontologies for c in o.concepts if c.label_en is None}))


def learn(
    documents: Sequence[Document],
    topic: TopicSpec,
    options: LearnOptions | None = None,
    register: IriRegister | None = None,
) -> Learned:
    """Learn the ontologies of a topic from documents.

    Args:
        documents: the corpus; ids are distinct.
        topic: labels of the roots, cue words of the local topics.
        options: options of learning; the defaults if None.
        register: keeps IRIs between runs; a new one if None.

    Returns:
        The ontologies, and the results of every step on the way to them.

    Raises:
        LearnError: no documents, or duplicate ids.
        TermError: no term, or a required term that is in no document.
        ContextError: no term in as many documents as it needs.
        IriError: a name that is not in ASCII.
        TopicError: too few documents or terms for topics ("lda").
        MissingExtra: scikit-learn is not installed ("lda").
        VerifyError: the questions to a language model exceed its limit, or its answers are always cut off.
    """
    _check(documents)
    given = (options or LearnOptions()).guided
    register = register or IriRegister(namespace(topic.name, given.base))
    plain = tuple(replace(in_simplified(d), id=d.id) for d in documents)
    version = partial(given.version_of, topic, documents)
    learned = _learn(plain, in_simplified(topic), in_simplified(given), register, version)
    texts = (text for d in documents for text in (d.title, d.abstract, *d.keywords))
    ids = (d.id for d in documents)
    return AsWritten(texts, topic.roots, given.lexicon.entries, ids).restored(learned)


def _learn(
    documents: Sequence[Document],
    topic: TopicSpec,
    options: LearnOptions,
    register: IriRegister,
    version_of: Callable[[str], str],
) -> Learned:
    """Learn from simplified characters; the version of the ontologies is that of the digest of verdicts."""
    study = _candidates(documents, options)
    selection = study.selection(options.max_terms)
    sources = sources_of(options.evidence, study, options.wordnet) if options.reading == "evidence" else ()
    selection = _with_topic_concepts(selection, study, sources)
    corpus = _corpus(study, selection, topic, options)
    formal_concepts = context_lattice(corpus.context)
    claims = collect(corpus, sources)
    hierarchy_of = _reading(corpus, selection, sources, options, claims)
    verification = _verification(corpus, topic, hierarchy_of, options)
    if verification is not None:
        hierarchy_of = partial(hierarchy_of, claims=verification.claims)
    hierarchy = hierarchy_of(corpus.context)
    found = found_labels(hierarchy_of.keywords["claims"], corpus.labels, corpus.lexicon)
    labels = ClassLabels.of(corpus, topic.roots, register, found)
    version = version_of("" if verification is None else verification.digest)
    header = _header(corpus, topic, options, version, verification)
    of_local = partial(hierarchy_of, found=found - {topic.label_zh, topic.label_en})
    local_ontologies, missing = _local_ontologies(corpus, topic, header, of_local, labels)
    ontologies = (_ontology(hierarchy, topic, header, labels), *local_ontologies)
    if options.reading == "evidence":
        ontologies = _with_stated_relations(corpus, ontologies)
    ontologies = tuple(_with_candidates(corpus, ontology) for ontology in ontologies)
    names_lattice, suggested = _names(corpus, hierarchy, hierarchy_of)
    unplaced = _unplaced(hierarchy, corpus, topic)
    return Learned(
        selection.terms, corpus.context, formal_concepts, hierarchy, ontologies[0], ontologies[1:],
        dropped=selection.dropped, general=tuple(_no_classes(selection.general, ontologies)),
        unplaced=unplaced,
        notes=(*_idle_rows(study, options, claims, ontologies), *(n for s in sources for n in s.notes),
               *_notes(hierarchy, formal_concepts.min_support), *missing, *_wordnet_note(hierarchy, corpus, options),
               *(() if verification is None else (verification.note,))),
        names_lattice=names_lattice, suggested=suggested,
        waiting=_waiting(hierarchy, corpus, hierarchy_of, unplaced),
        verification=verification,
    )  # fmt: skip


_NAMED = 8
"""Largest number of rows that a note names."""


def _idle_rows(
    study: TermStudy, options: LearnOptions, claims: Iterable[Claim], ontologies: Sequence[Ontology]
) -> Iterator[str]:
    """Yield a note for each list, lexicon, table of classes and set of decisions with rows that did nothing."""
    guidance = options.guidance
    accepted, decided = ({fold(term) for term in terms} for terms in (guidance.terms, guidance.no_terms))
    names = {name for o in ontologies for c in o.concepts for _, name in c.names()}
    idle: dict[str, list[str]] = {}
    for name, row in study.idle:
        if fold(row) not in accepted:  # it is a class though no document has it
            idle.setdefault("decisions about terms" if fold(row) in decided else name, []).append(row)
    own = (c for c in options.upper_classes.classes if c.source == OWN and not {c.label, c.label_en} & names)
    idle["classes"] = [c.label for c in own]
    refused = guidance.rejected - {(c.narrower, c.broader) for c in claims}
    idle["decisions about edges"] = [f"{low} < {high}" for low, high in sorted(refused)]
    for name, rows in idle.items():
        if rows:
            more = Message("ontology.note_more", more=len(rows) - _NAMED) if len(rows) > _NAMED else ""
            of = recognised(name, "ontology.list_")
            yield Message("ontology.note_idle", of=of, rows=len(rows), named=", ".join(rows[:_NAMED]), more=more)


def _check(documents: Sequence[Document]) -> None:
    if not documents:
        raise LearnError("ontology.no_document_learn_import")
    ((most_frequent, count),) = Counter(d.id for d in documents).most_common(1)
    if count > 1:
        raise LearnError("ontology.documents_must_distinct_ids", most_frequent=most_frequent, count=count)


def _candidates(documents: Sequence[Document], options: LearnOptions) -> TermStudy:
    """Return all candidate terms; words that a curated class has a place for belong to the field."""
    return study_terms(
        documents, options.lexicon,
        wanted=options.required_terms, min_documents=options.min_documents, lists=options.lists,
        is_known=options.upper_classes.has_place,
    )  # fmt: skip


def _corpus(study: TermStudy, selection: Selection, topic: TopicSpec, options: LearnOptions) -> TermCorpus:
    terms = [term.text for term in selection.terms]
    elsewhere = heads_elsewhere(study.evidence.word_counts, (topic.label_zh, topic.label_en))
    return TermCorpus(study.documents, terms, study.lexicon, options.upper_classes, study.names, study.black, elsewhere)


def _with_topic_concepts(selection: Selection, study: TermStudy, sources: Sequence[EvidenceSource]) -> Selection:
    """Add the candidate terms that a source includes whatever their rank."""
    concepts = _topic_concepts(sources)
    known = {term.text for term in selection.terms}
    added = {term.text: term for term in study.ranked[0] if term.text in concepts and term.text not in known}
    return replace(
        selection,
        terms=tuple(sorted((*selection.terms, *added.values()), key=lambda t: (-t.score, t.text))),
        dropped=tuple(pair for pair in selection.dropped if pair[0] not in added),
        why={**selection.why, **{term: (*study.why(term), concepts[term]) for term in added}},
    )


def _topic_concepts(sources: Sequence[EvidenceSource]) -> dict[str, str]:
    """Return the terms that the sources never drop -> the reason."""
    return {term: why for source in sources for term, why in source.topic_concepts.items()}


def _reading(
    corpus: TermCorpus,
    selection: Selection,
    sources: Sequence[EvidenceSource],
    options: LearnOptions,
    collected: Iterable[Claim],
) -> partial[TermHierarchy]:
    """Return the function that reads hierarchies, global and local; claims are collected once, from all documents."""
    claims = options.guidance.claims(collected)
    return partial(
        term_hierarchy,
        reading=options.reading,
        frequency={t.text: t.frequency for t in selection.terms},
        q=options.false_discovery_rate,
        claims=claims,
        alone=corpus.alone(found_labels(claims, corpus.labels, corpus.lexicon)),
        upper_classes=corpus.upper_classes,
        unplaced=options.unplaced,
        topic_concepts=_topic_concepts(sources),
        lexicon=corpus.lexicon,
    )


def _ontology(hierarchy: TermHierarchy, root: TopicSpec | LocalSpec, header: Header, labels: ClassLabels) -> Ontology:
    return to_ontology(
        hierarchy, header=header, root_label=root.label_zh, concept_of=labels.concept, root_label_en=root.label_en
    )


def _no_classes(general: Sequence[tuple[str, str]], ontologies: Sequence[Ontology]) -> Iterator[tuple[str, str]]:
    """Yield the general words that name no class: the head of other names, and the topic, are classes all the same."""
    names = {fold(form) for ontology in ontologies for concept in ontology.concepts for _, form in concept.forms()}
    yield from ((word, why) for word, why in general if fold(word) not in names)


def _unplaced(hierarchy: TermHierarchy, corpus: TermCorpus, topic: TopicSpec) -> tuple[tuple[str, str], ...]:
    """Return the terms with nothing broader, and why, with the reason of each possible head of the name."""
    return tuple(
        (r.child, "; ".join((r.reason, *corpus.heads.refusals(r.child))))
        for r in hierarchy.unplaced
        if r.child != topic.label_zh
    )


def _waiting(
    hierarchy: TermHierarchy,
    corpus: TermCorpus,
    hierarchy_of: partial[TermHierarchy],
    unplaced: Sequence[tuple[str, str]],
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the terms that were dropped, in the order of the terms, with the classes that they may be below."""
    dropped = {term for term, outcome in unplaced if outcome.startswith("dropped")}
    if not dropped:
        return ()
    from ontology.verification import best_places

    terms = [term for term in corpus.terms if term in dropped]
    return best_places(corpus, hierarchy_of.keywords["claims"], hierarchy, terms, PLACES)


def _wordnet_note(hierarchy: TermHierarchy, corpus: TermCorpus, options: LearnOptions) -> tuple[str, ...]:
    """Return what the wordnet of the options knew of the terms, if there is one."""
    if options.wordnet is None:
        return ()
    from ontology.evidence.wordnet import remark

    placed = {term for e in hierarchy.edges if e.rules[:1] == ("wordnet",) for term in hierarchy.nodes[e.child].terms}
    return (remark(options.wordnet, corpus.terms, len(placed.intersection(corpus.terms))),)


def _with_stated_relations(corpus: TermCorpus, ontologies: Sequence[Ontology]) -> tuple[Ontology, ...]:
    """Add the relations beside is-a that sentences state; they are looked for once, between all classes."""
    claims = find_relations(corpus.documents, tuple({c.iri: c for o in ontologies for c in o.concepts}.values()))
    return tuple(with_relations(ontology, claims) for ontology in ontologies)


def _with_candidates(corpus: TermCorpus, ontology: Ontology) -> Ontology:
    """Add to each class the sentences that may define it."""
    found = find_definitions(corpus.documents, ontology)
    return replace(ontology, concepts=tuple(replace(c, candidates=found.get(c.iri, ())) for c in ontology.concepts))


def _names(
    corpus: TermCorpus, hierarchy: TermHierarchy, hierarchy_of: partial[TermHierarchy]
) -> tuple[Lattice | None, tuple[SuggestedClass, ...]]:
    """Return the lattice of the names of a hierarchy and its corpus, and the classes that it suggests."""
    if hierarchy.reading != "evidence":
        return None, ()
    further = head_claims(corpus, {node.label for node in hierarchy.nodes})
    names = Names(hierarchy, name_parts((*hierarchy_of.keywords["claims"], *further)), corpus.names)
    if names.context is None:
        return None, ()
    names_lattice = context_lattice(names.context)
    return names_lattice, names.suggested(names_lattice)


def _verification(
    corpus: TermCorpus, topic: TopicSpec, hierarchy_of: partial[TermHierarchy], options: LearnOptions
) -> Verification | None:
    """Ask the language model of the options, if there is one, about the claims of the other sources."""
    if options.verifier is None:
        return None
    from ontology.verification import verified

    return verified(
        corpus,
        hierarchy_of.keywords["claims"],
        lambda claims: hierarchy_of(corpus.context, claims=claims),
        options.verifier,
        (topic.label_zh, topic.label_en),
    )


def context_lattice(context: FormalContext) -> Lattice:
    """Compute the concept lattice of a context, as an iceberg if it has more than `MAX_CONCEPTS` concepts.

    Args:
        context: documents x terms.

    Returns:
        The lattice; its ``min_support`` is the smallest number of documents of its formal concepts, 0 for all.
    """
    support = 0
    while True:
        try:
            return lattice(context, min_support=support, limit=MAX_CONCEPTS)
        except LatticeTooLarge:
            support += 1


def _header(
    corpus: TermCorpus, topic: TopicSpec, options: LearnOptions, version: str, verification: Verification | None
) -> Header:
    methods = ", ".join(method for kind, method in METHODS.items() if kind in options.evidence)
    if verification is not None:
        methods += f", verified by {verification.model}"
    return Header(
        iri=f"{ontology_iri(topic.name, base=options.base)}/learned",  # beside the curated one, not in its place
        kind="global",
        topic=topic.name,
        version=version,
        title_zh=f"{topic.label_zh}本体",
        title_en=f"{topic.label_en} ontology",
        comment=f"Learned by {methods} from {examine(corpus.documents).named} and {len(corpus.terms)} terms "
        f"({options.reading} reading). Annotations of each axiom give its evidence. The root stands for the topic as a "
        "whole: a direct subclass of it (evidence: topic root) belongs to the topic and need not be a kind of it.",
        licence=options.licence,
    )


def _local_ontologies(
    corpus: TermCorpus,
    topic: TopicSpec,
    header: Header,
    hierarchy_of: Callable[[FormalContext], TermHierarchy],
    labels: ClassLabels,
) -> tuple[tuple[Ontology, ...], tuple[str, ...]]:
    """Return the local ontologies, and why others could not be made."""
    learned, missing = [], []
    for local in topic.locals:
        about = corpus.documents_with(local.cues)
        local_header = replace(
            header,
            iri=f"{header.iri}/{local.name}",
            kind="local",
            title_zh=f"{topic.label_zh}·{local.label_zh}本体",
            title_en=f"{topic.label_en}: {local.label_en} ontology",
            comment=f"Learned from the {about.bit_count()} of {len(corpus.documents)} documents that contain a cue "
            "word of the topic.",
        )
        try:
            hierarchy = hierarchy_of(_without(local_context(corpus.context, about), topic.label_zh))
        except ContextError as error:
            missing.append(Message("ontology.note_no_local", local=local.label_zh, why=error))
            continue
        learned.append(_ontology(hierarchy, local, local_header, labels))
    return tuple(learned), tuple(missing)


def _without(context: FormalContext, label: str) -> FormalContext:
    """Return the context without a term: the topic as a whole is no class of a part of it."""
    if label not in context.attributes:
        return context
    others = [name for name in context.attributes if name != label]
    return context.restricted(None, context.attribute_bits(others))


def _notes(hierarchy: TermHierarchy, support: int) -> list[str]:
    """Return notes on terms that became one class because their documents are the same, and on a cut lattice."""
    notes: list[str] = []
    equivalent = [" = ".join(node.terms) for node in hierarchy.nodes if len(node.terms) > 1]
    if equivalent and hierarchy.reading != "evidence":
        notes.append(Message("ontology.note_equal", times=len(equivalent), listed="; ".join(equivalent[:5])))
    if support:
        notes.append(Message("ontology.note_cut", most=MAX_CONCEPTS, support=support))
    return notes
