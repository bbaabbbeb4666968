"""The whole of ontology learning: documents in, one global and k local ontologies out.

Source: paper 000, section 3.1 (terms, formal context, lattice, hierarchy, OWL; after Zhu 2017). Each step has its own
file; this one only puts them in a row. The hierarchy is read from evidence (hierarchy/evidence.py, trap T11b) unless
another reading is asked for; topics and association rules can be evidence too (evidence/, OLMOACO). That k local
ontologies are learned from the documents with cue words of their topic is our own reading [R]; the papers don't
publish theirs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from hashlib import blake2b

from ontology.context import ContextError, FormalContext
from ontology.evidence import FCA_ONLY, KINDS, Kind, Topics, admitted, corpus_topics, mined, outline
from ontology.hierarchy import Claim, Reading, Skeleton, TermHierarchy, Unplaced, claims_of, skeleton, term_hierarchy
from ontology.hierarchy.topic_ontology import ConceptOf, Header, local_context, to_ontology
from ontology.iris import BASE, IriRegister, namespace, ontology_iri
from ontology.lattice import Lattice, LatticeTooLarge, lattice
from ontology.model import Concept, Document, Ontology, Term
from ontology.terms import Selection, study_terms
from ontology.terms.lexicon import EMPTY, Lexicon
from ontology.terms.occurrences import fold, has_han, incidence, text_zh

MIN_DOCUMENTS = 3
MAX_TERMS = 300
FALSE_DISCOVERY_RATE = 0.2
"""About so many of the edges that rest on documents alone may be chance. A person reviews a learned ontology, and
striking an edge out is less work than finding one, so this is above the hierarchy's own default."""
MAX_CONCEPTS = 200_000
"""Above this the lattice is cut to an iceberg, and a note says so; the hierarchy needs no lattice and is not cut."""


class LearnError(ValueError):
    """Nothing can be learned: what is missing or does not fit, and what to do."""


@dataclass(frozen=True, slots=True)
class LocalSpec:
    """A local ontology's topic; documents that contain one of its cue words are about it."""

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


@dataclass(frozen=True)
class Learned:
    """What was learned, with everything between the documents and the ontologies."""

    terms: tuple[Term, ...]
    context: FormalContext
    lattice: Lattice
    hierarchy: TermHierarchy
    global_ontology: Ontology
    local_ontologies: tuple[Ontology, ...]
    without_english: tuple[str, ...]
    """Chinese labels of classes without an English one, sorted."""
    dropped: tuple[tuple[str, str], ...]
    """Candidate terms that were not taken, each with the reason."""
    unplaced: tuple[tuple[str, str], ...]
    """Terms of the context that nothing says a broader term of, each with what became of it; no class if dropped."""
    notes: tuple[str, ...]
    """What could not be done as asked (a cut lattice, a local ontology without documents), and topics found."""


def learn(
    documents: Sequence[Document],
    topic: TopicSpec,
    lexicon: Lexicon = EMPTY,
    *,
    wanted: Sequence[str] = (),
    min_documents: int = MIN_DOCUMENTS,
    max_terms: int = MAX_TERMS,
    reading: Reading = "evidence",
    top: Skeleton | None = None,
    unplaced: Unplaced = "drop",
    q: float = FALSE_DISCOVERY_RATE,
    evidence: Sequence[Kind] = FCA_ONLY,
    version: str = "0.1.0",
    base: str = BASE,
    licence: str = "",
    register: IriRegister | None = None,
) -> Learned:
    """Learn the ontologies of a topic from documents.

    Args:
        documents: the corpus; ids are distinct.
        topic: labels of the roots, cue words of the local topics. lexicon: joins synonyms, gives English labels.
        wanted: terms that must be found; min_documents, max_terms: a term is in so many documents, the best are taken.
        reading, top, unplaced, q: how the hierarchy is read from the context; see ontology/hierarchy/readings.py.
            ``top`` (default: the bundled classes) and ``unplaced`` are for "evidence", ``q`` for "significant".
        evidence: "fca", and what is to speak beside it: "lda", "apriori" (ontology/evidence; reading "evidence" only).
        version, base, licence: of the ontologies; a digest of documents and settings is added to the version.
        register: keeps IRIs from run to run (others start with ``base``).

    Raises:
        LearnError: no documents, doubled ids, evidence that does not fit. TermError: no term, or a wanted one nowhere.
        ContextError: no term in ``min_documents`` documents. IriError: a name not in ASCII. TopicError, MissingExtra.
    """
    _check(documents, reading, evidence)
    selection, topics = _selected(documents, lexicon, wanted, min_documents, max_terms, evidence)
    names = [t.text for t in selection.terms]
    context = FormalContext.from_pairs(incidence(documents, names, lexicon), [d.id for d in documents], names)
    top = skeleton() if top is None else top
    claims = claims_of(documents, names, lexicon, top) if reading == "evidence" else ()
    also = mined(context, evidence, topics, claims)
    read_hierarchy = _reader(selection.terms, reading, top, unplaced, q, (*claims, *also.claims), also.groups)
    hierarchy = read_hierarchy(context)
    register = register or IriRegister(namespace(topic.name, base))
    settings = (topic, lexicon.entries, wanted, min_documents, max_terms, reading, top, unplaced, q, evidence, base)
    concept_of = _concept_maker(topic, names, _english(documents, topic, names, lexicon, top), lexicon, register)
    version = f"{version}+{digest_of(documents, settings)}"
    header = _header(topic, base, version, licence, len(documents), len(names), reading, evidence)
    whole = to_ontology(hierarchy, header=header, root_label=topic.label_zh, concept_of=concept_of)
    concepts, support = context_lattice(context)
    notes = [*(outline(topics) if topics else ()), *_notes(hierarchy, support)]
    local = _local_ontologies(documents, context, topic, header, concept_of, read_hierarchy, notes)
    unplaced_terms = tuple((r.child, r.reason) for r in hierarchy.unplaced if r.child != topic.label_zh)
    return Learned(
        selection.terms, context, concepts, hierarchy, whole, local, _without_english((whole, *local)),
        selection.dropped, unplaced_terms, tuple(notes),
    )  # fmt: skip


def _selected(
    documents: Sequence[Document],
    lexicon: Lexicon,
    wanted: Sequence[str],
    min_documents: int,
    max_terms: int,
    evidence: Sequence[Kind],
) -> tuple[Selection, Topics | None]:
    """The terms, and the topics of the corpus where they are evidence; heads of topics are terms then."""
    study = study_terms(documents, lexicon, wanted=wanted, min_documents=min_documents)
    selection = study.selection(max_terms)
    if "lda" not in evidence:
        return selection, None
    topics = corpus_topics(study)
    return admitted(selection, study, topics), topics


def _notes(hierarchy: TermHierarchy, support: int) -> list[str]:
    """Notes where terms became one class because their documents are the same, and where the lattice was cut."""
    found = [" = ".join(node.terms) for node in hierarchy.nodes if len(node.terms) > 1]
    notes = []
    if found and hierarchy.reading != "evidence":
        notes.append(f"terms of the same documents became one class {len(found)} times: {'; '.join(found[:5])}")
    if support:
        notes.append(f"the lattice has more than {MAX_CONCEPTS} concepts; cut to those of {support} documents or more")
    return notes


def _reader(
    terms: Sequence[Term],
    reading: Reading,
    top: Skeleton,
    unplaced: Unplaced,
    q: float,
    claims: Sequence[Claim],
    groups: tuple[tuple[str, str], ...],
) -> Callable[[FormalContext], TermHierarchy]:
    """How hierarchies are read, the global and the local ones alike; claims are collected once, from all documents."""
    return partial(
        term_hierarchy,
        reading=reading,
        frequency={t.text: t.frequency for t in terms},
        q=q,
        claims=claims,
        top=top,
        unplaced=unplaced,
        groups=groups,
    )


def _header(
    topic: TopicSpec,
    base: str,
    version: str,
    licence: str,
    documents: int,
    terms: int,
    reading: Reading,
    evidence: Sequence[Kind],
) -> Header:
    means = {"fca": "formal concept analysis", "lda": "topics (LDA)", "apriori": "association rules (Apriori)"}
    by = ", ".join(said for kind, said in means.items() if kind in evidence)
    return Header(
        iri=f"{ontology_iri(topic.name, base=base)}/learned",  # beside the curated one of that topic, not in its place
        kind="global",
        topic=topic.name,
        version=version,
        title_zh=f"{topic.label_zh}本体",
        title_en=f"{topic.label_en} ontology",
        comment=f"Learned by {by} from {documents} documents and {terms} terms ({reading} reading). "
        "Annotations of each axiom say what speaks for it. The root stands for the topic as a whole: what hangs "
        "directly under it (evidence: topic root) belongs to the topic and need not be a kind of it.",
        licence=licence,
    )


def digest_of(documents: Sequence[Document], settings: object) -> str:
    """Return 12 hexadecimal digits that tell a learned version from those of other documents or settings.

    Args:
        documents: the corpus; their order does not count.
        settings: what else decides what is learned; values with a ``repr`` that shows all of them.

    Returns:
        BLAKE2b of all values. The code is not part of it: another release may learn something else.
    """
    said = blake2b(digest_size=6)
    for line in sorted(repr(document) for document in documents):
        said.update(line.encode("utf-8", "surrogatepass"))
    said.update(_plain(settings).encode("utf-8", "surrogatepass"))
    return said.hexdigest()


def _plain(value: object) -> str:
    """A text of nested values that is the same in every process: sets are sorted."""
    if isinstance(value, frozenset | set):
        return f"{{{','.join(sorted(map(_plain, value)))}}}"
    if isinstance(value, tuple | list):
        return f"({','.join(map(_plain, value))})"
    if is_dataclass(value):
        return _plain(tuple(getattr(value, f.name) for f in fields(value) if f.compare))
    return repr(value)


def _check(documents: Sequence[Document], reading: Reading, evidence: Sequence[Kind]) -> None:
    unknown = [kind for kind in evidence if kind not in KINDS]
    if unknown or "fca" not in evidence:
        found = ", ".join(evidence) or "none"
        raise LearnError(f"evidence: expected fca, and lda or apriori beside it, found {found}; fca is the skeleton")
    if len(set(evidence)) > 1 and reading != "evidence":
        raise LearnError(
            f"evidence: lda and apriori speak beside other claims, which the reading {reading!r} does not ask; use the "
            'reading "evidence"'
        )
    if not documents:
        raise LearnError("there is no document to learn from; import a corpus of titles, abstracts and keywords first")
    counts = Counter(d.id for d in documents)
    doubled = [i for i, n in counts.items() if n > 1]
    if doubled:
        raise LearnError(f"documents must have distinct ids; found {doubled[0]!r} {counts[doubled[0]]} times")


def context_lattice(context: FormalContext) -> tuple[Lattice, int]:
    """Return all formal concepts of a context, or those of enough documents where there are too many.

    Args:
        context: documents x terms.

    Returns:
        The lattice, and the number of documents that a formal concept of it has at least; 0 for all of them.
    """
    support = 0
    while True:
        try:
            return lattice(context, min_support=support, limit=MAX_CONCEPTS), support
        except LatticeTooLarge:
            support += 1


def _local_ontologies(
    documents: Sequence[Document],
    context: FormalContext,
    topic: TopicSpec,
    whole: Header,
    concept_of: ConceptOf,
    read_hierarchy: Callable[[FormalContext], TermHierarchy],
    notes: list[str],
) -> tuple[Ontology, ...]:
    made = []
    texts = [fold(text_zh(d)) for d in documents]
    for local in topic.locals:
        cues = [fold(cue) for cue in local.cues]
        about = sum(1 << i for i, text in enumerate(texts) if any(cue in text for cue in cues))
        header = Header(
            f"{whole.iri}/{local.name}",
            "local",
            topic.name,
            whole.version,
            f"{topic.label_zh}·{local.label_zh}本体",
            f"{topic.label_en}: {local.label_en} ontology",
            f"Learned from the {about.bit_count()} of {len(documents)} documents that contain a cue word of the topic.",
            whole.licence,
        )
        try:
            part = _without(local_context(context, about), topic.label_zh)
            hierarchy = read_hierarchy(part)
        except ContextError as error:
            notes.append(f"{local.label_zh}: {error}")
            continue
        made.append(to_ontology(hierarchy, header=header, root_label=local.label_zh, concept_of=concept_of))
    return tuple(made)


def _without(context: FormalContext, label: str) -> FormalContext:
    """The context without a term: what the topic is about as a whole is no class of a part of it."""
    kept = [j for j, name in enumerate(context.attributes) if name != label]
    if len(kept) == len(context.attributes):
        return context
    return context.restricted((1 << len(context.objects)) - 1, sum(1 << j for j in kept))


def _english(
    documents: Sequence[Document], topic: TopicSpec, names: Sequence[str], lexicon: Lexicon, top: Skeleton
) -> Callable[[str], str | None]:
    """English label: of the topic, the lexicon, a curated class, or the paired keywords; no two terms get the same."""
    paired = paired_keywords(documents, lexicon)
    given = {topic.label_zh: topic.label_en, **{t.label_zh: t.label_en for t in topic.locals}}
    found: dict[str, str] = dict(given)
    used = {label.casefold() for label in given.values()}
    curated = {c.label: c.label_en for c in top.classes}
    for name in dict.fromkeys((*names, *curated)):
        label = lexicon.english(name) or curated.get(name) or paired.get(name)
        if name not in found and label and label.casefold() not in used:
            found[name] = label
            used.add(label.casefold())
    return found.get


def paired_keywords(documents: Sequence[Document], lexicon: Lexicon = EMPTY) -> dict[str, str]:
    """Chinese keyword -> the English keyword most often in its place, in records with as many of each."""
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for document in documents:
        if len(document.keywords) == len(document.keywords_en):
            for zh, en in zip(document.keywords, document.keywords_en, strict=True):
                seen[lexicon.canonical(zh)][_lower(en)] += 1
    return {zh: min(counts, key=lambda en: (-counts[en], en)) for zh, counts in sorted(seen.items())}


def _lower(label: str) -> str:
    """Words in lower case, but for those with a capital after the first letter (GIS, pH) and single letters."""
    words = (w.lower() if len(w) > 1 and w[1:].islower() else w for w in label.split())
    return " ".join(words)


def _concept_maker(
    topic: TopicSpec,
    names: Sequence[str],
    english_of: Callable[[str], str | None],
    lexicon: Lexicon,
    register: IriRegister,
) -> ConceptOf:
    """Concepts with the lexicon's synonyms as further labels; IRIs are given in the order of the terms' scores.

    A term without a Chinese character, of English papers, is an English label.
    """
    for name in (topic.label_zh, *(t.label_zh for t in topic.locals), *names):
        register.iri(name, english_of(name))

    def make(terms: tuple[str, ...]) -> Concept:
        chinese = [t for t in terms if has_han(t)]
        entries = [lexicon.by_zh[t] for t in terms if t in lexicon.by_zh]
        zh = (*chinese, *(s for e in entries for s in e.synonyms_zh))
        english = (*(english_of(t) for t in chinese), *(t for t in terms if not has_han(t)))
        en = (*(w for w in english if w), *(s for e in entries for s in e.synonyms_en))
        label_zh = chinese[0] if chinese else ""
        label_en = english_of(label_zh) if chinese else terms[0]
        return Concept(
            iri=register.iri(terms[0], label_en),
            label_zh=label_zh,
            label_en=label_en,
            alt_zh=tuple(dict.fromkeys(w for w in zh if w != label_zh)),
            alt_en=tuple(dict.fromkeys(w for w in en if w != label_en)),
        )

    return make


def _without_english(ontologies: Sequence[Ontology]) -> tuple[str, ...]:
    return tuple(sorted({c.label_zh for o in ontologies for c in o.concepts if c.label_en is None}))
