"""`ontology build`: learn the ontologies of a topic from records, and write them with a topic file to crawl with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as attribute
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

from crawler.scoring.relevance import WordDensity
from ontocrawl.base import workspace
from ontocrawl.base.config import checked
from ontocrawl.base.options import BuildSettings
from ontocrawl.base.workspace import Workspace, make_folder
from ontocrawl.errors import CommandError, Option, UsageError
from ontocrawl.runs import crawl_setup, topic_card
from ontocrawl.runs.topic_card import TopicCard
from ontocrawl.topics import other_fields, topic_files, topics, word_lists
from ontocrawl.topics.other_fields import Compared
from ontocrawl.topics.topics import Registration, Topic, TopicFile
from ontocrawl.versions import deciding, learning, mapping, releases
from ontocrawl.versions.deciding import Place
from ontocrawl.versions.hand_edits import Kept
from ontocrawl.versions.learning import LearnedFiles, Written
from ontocrawl.versions.releases import Following, Left, Release
from ontology import compare, corpus, file_sets, owl, topic_words
from ontology.compare import Move
from ontology.corpus import Corpus
from ontology.corpus.records import portable_id
from ontology.corpus.statistics import examine, such_as
from ontology.decisions import table
from ontology.errors import Message
from ontology.evidence import skeleton
from ontology.evidence.wordnet import read_wordnet
from ontology.hierarchy.term_dag import SuggestedEdge
from ontology.learn_options import LearnOptions
from ontology.mapping import TermMapping
from ontology.model import Document, Ontology
from ontology.owl import NO_HEADER, Header
from ontology.terms.lexicon import choose as choose_lexicon
from ontology.terms.term_lists import load_lists
from ontology.terms.wordforms import normal, singular
from ontology.topic_words import TopicWord
from ontology.verification import Verifier

_NAMED = 5
"""Number of terms that a message names."""
_ABOUT = 0.2
"""Share of the records with a word of the topic below which they may be those of another one."""


@dataclass(frozen=True)
class BuildOptions:
    """What `ontology build` is asked: the papers, where to write, and the options as they are declared."""

    corpus: Sequence[Path]
    out: Path
    settings: BuildSettings = attribute(default_factory=BuildSettings)
    learning: LearnOptions = attribute(default_factory=LearnOptions)
    """Options of the learning method, for what the settings do not give."""
    when: str = ""
    """Date and time of the build, ISO 8601; the present if empty."""

    @cached_property
    def method(self) -> LearnOptions:
        """The options of the learning method. `build` adds the lexicon, the upper classes and the base of IRIs."""
        of = self.settings
        names = {"min_documents", "max_terms", "reading", "licence"} & of.model_fields_set
        given: dict[str, Any] = {name: getattr(of, name) for name in names}
        if "evidence" in of.model_fields_set:
            given["evidence"] = tuple(dict.fromkeys(kind.strip() for kind in of.evidence.split(",")))
        if "reading" in given or of.unplaced:
            given["unplaced"] = of.unplaced or ("drop" if of.reading == "evidence" else "root")
        if of.white or of.black or of.stop:
            given["lists"] = load_lists(of.white, of.black, of.stop)
        return replace(self.learning, **given)


@dataclass(frozen=True)
class Built:
    """The result of `build`: the topic, what was learned, and the files written."""

    topic: Topic
    learned: LearnedFiles
    written: Written
    kept: Kept
    """What persons had edited in the files of an earlier build."""
    card: TopicCard
    """What the topic is made of, and what its judge finds."""
    mappings: tuple[TermMapping, ...] = ()
    """Mappings of the global ontology to the skeleton, if there is one."""
    own_fields: tuple[str, ...] = ()
    """Fields of papers that the words of the topic were not compared with, because the topic belongs to them."""
    registration: Registration = attribute(default_factory=lambda: Registration(None))
    """The name by which the topic is found in the workspace."""


def build(
    space: Workspace,
    options: BuildOptions,
    on_stage: Callable[[str], None],
    on_note: Callable[[str], None] = lambda note: None,
) -> Built:
    """Read records, learn the ontologies of a topic from them, and write these with a topic file.

    Args:
        space: the workspace, with topics, curated ontologies and the base of IRIs.
        options: the options.
        on_stage: called with a description of each stage when it begins.
        on_note: called before anything is learned with what the records are and what looks wrong about them.

    Returns:
        The topic, what was learned, and the files written.

    Raises:
        OwlError: a skeleton that cannot be read.
        UsageError: a skeleton that no record names a class of; an unknown topic without a label, a label for an
            existing topic, or a folder of another topic.
        WordnetError: a folder without a wordnet, or a file of one that cannot be read.
        ChatError, VerifyError: a language model that gives no answers; those so far are kept in the output folder.
        CommandError: nothing was learned: the ontology would have a root only. No file is written.
        CorpusError, LearnError, TermError and others of `ontology`: records from which nothing can be learned.
    """
    asked, method = options.settings, options.method
    verifier = method.verifier if asked.verify_with is None else _verifier(asked, options.out, on_note, on_stage)
    existing = _existing_topic(space, options)
    field = _field(space, options, existing) if asked.bundled else ""
    lexicon = choose_lexicon(asked.lexicons, field=field)
    foreign = mapping.skeletons(asked.skeleton, on_stage)
    placing = method.wordnet
    if asked.wordnet is not None:
        on_stage(Message("versions.stage_wordnet"))
        placing = read_wordnet(asked.wordnet)
    curated = _curated(space, options, existing) if not foreign else []
    upper_classes = skeleton(curated, own_classes=asked.classes, field="" if foreign else field)
    on_stage(Message("versions.stage_records"))
    records = corpus.read(list(options.corpus))
    records = replace(records, documents=tuple(replace(d, id=portable_id(d)) for d in records.documents))
    grounding = mapping.grounded(foreign, records.documents, lexicon) if foreign else None
    if grounding is not None:
        upper_classes = mapping.with_own(grounding.classes, asked.classes)
    topic = existing or Topic(_new_topic(options, records.documents), space)
    on_stage(Message("versions.stage_words"))
    listed = _listed(space, topic, options, records.documents)
    file = _with_words(topic, listed)
    on_stage(Message("versions.stage_topic"))
    card = _card(space, file, listed, records.documents)
    about = _examined(records, existing.file if existing else file, card, on_note, is_new=existing is None)
    place = Place(topic.name, options.out, options.out)
    left = _left(space, options, topic, place, on_stage)
    on_stage(Message("versions.stage_learning", records=len(records.documents)))
    learn_options = replace(
        method,
        lexicon=lexicon,
        upper_classes=upper_classes,
        verifier=verifier,
        wordnet=placing,
        base=space.settings.iri_base,
        guidance=deciding.guidance(left.decisions, left.resolve, left.register),
    )
    learned = learning.learn_files(records, topic.file, learn_options, left.register, about)
    if len(learned.global_ontology.concepts) == 1:
        raise _nothing_learned(learned)
    on_stage(Message("versions.stage_files"))
    origin = _Origin(_sources_of(records), tuple(asked.creators))
    grounded = None if grounding is None else (grounding.mappings(learned.global_ontology), foreign)
    make_folder(options.out, learning.OUT)
    with place.locked():
        built = _written(learned, topic, (file, listed, card), options, left, origin, grounded)
    named = topics.register(topic.name, built.written.edited or built.written.topic, space)
    return replace(built, registration=named)


def _verifier(
    asked: BuildSettings, out: Path, on_note: Callable[[str], None], on_stage: Callable[[str], None]
) -> Verifier:
    from ontocrawl.versions import chat_endpoint  # only where a model is asked

    model = (asked.verify_with or "", asked.verify_model or "", asked.verify_tokens)
    return chat_endpoint.verifier_of(*model, out, on_note, on_stage)


_FILES = 3
"""Number of files without abstracts of which it is said how they were read."""


def _examined(
    records: Corpus, topic: TopicFile, card: TopicCard, on_note: Callable[[str], None], *, is_new: bool
) -> int:
    """Say what the records are and what looks wrong about them; return how many have a word of the topic."""
    examined = examine(records.documents, records.duplicates)
    on_note(examined.shares)
    if examined.no_abstracts:  # their column may be one that was left out
        for report in [file for file in records.files if file.layout][:_FILES]:
            on_note(Message("files.about", about=report.file, error=report.layout))
    for one in card.warnings:
        on_note(Message("versions.warning", warning=one.text))
    about = topic_card.about_topic(topic, records.documents)
    share = about.sum() / max(len(about), 1)
    if share < _ABOUT and not is_new:  # of a new topic, the card says whether the records have its label
        others = [d.title or d.title_en for d, there in zip(records.documents, about, strict=True) if not there]
        on_note(Message("versions.about_few", share=share, topic=topic.name, such=such_as(others)))
    return int(about.sum())


def _left(space: Workspace, options: BuildOptions, topic: Topic, place: Place, on_stage: Callable[[str], None]) -> Left:
    """Read what an earlier build and persons left in the output folder; edits are made decisions at once."""
    file_sets.complete(place.store.marker)
    register = learning.iri_register(place.register, topic.file, space.settings.iri_base)
    on_stage(Message("versions.stage_edits"))
    return releases.left_behind(
        space, place, register, deciding.person(options.settings.who), options.when or workspace.now()
    )


def _written(
    learned: LearnedFiles,
    topic: Topic,
    steering: tuple[TopicFile, _Listed, TopicCard],
    options: BuildOptions,
    left: Left,
    origin: _Origin,
    grounded: tuple[tuple[TermMapping, ...], Sequence[Ontology]] | None,
) -> Built:
    """Apply the decisions, and write the files, the decisions and, if something changed, the new version.

    ``steering`` is the topic file to write with the list of its words and its card; ``grounded`` are mappings to
    foreign ontologies, and these, for a build with a skeleton.
    """
    file, listed, card = steering
    store = Place(topic.name, options.out, options.out).store
    rows, foreign = grounded or ((), ())
    learned = learned.with_global(mapping.with_references(learned.global_ontology, rows))
    rule = Following(store, lambda o: deciding.earlier(store, deciding.file_stem(o)), number=options.settings.version)
    release, learned = _released(learned, left, rule)
    first, *local = release.ontologies
    done = replace(learned.learned, global_ontology=first, local_ontologies=tuple(local))
    learned = replace(learned, learned=done, decided=release.decided)
    headers = _headers(learned, left, release, origin)
    if release.is_new:
        texts = {f"{deciding.file_stem(o)}.ttl": _turtle(o, headers, left.kept) for o in release.ontologies}
        store.prepare(release.version, texts)
    written = learning.write(
        learned, file, options.out, headers=headers, additions=left.kept.additions, card=card.as_json()
    )
    deciding.add(options.out / table.FILE, ())
    with workspace.alone(options.out / word_lists.FILE):
        words = _kept(topic, options, listed.built)  # a person may have changed weights since the build began
        word_lists.write(words, options.out / word_lists.FILE, topic.name, listed.about)
    files = (*written.files, options.out / table.FILE, options.out / word_lists.FILE)
    if grounded:
        files += (mapping.write_grounding(rows, learned.global_ontology, foreign, options.out),)
    if release.is_new:
        names = tuple(path.name for path in options.corpus)
        entry = releases.entry(release, left, documents=len(learned.documents), corpus=names)
        files += (store.add(entry, files),)
    return Built(topic, learned, replace(written, files=files), left.kept, card, rows, listed.own_fields)


def _released(learned: LearnedFiles, left: Left, rule: Following) -> tuple[Release, LearnedFiles]:
    """Make the version that follows; a move of many classes since the version before becomes a suggestion."""
    first, *local = learned.learned.ontologies
    release = releases.following((first, *local), left, rule)
    was = release.before.get(first.iri)
    if was is None:
        return release, learned
    now = release.ontologies[0]
    held = [m for m in compare.held(compare.moves(was.ontology, now), now) if m.concept.iri in first.by_iri]
    if held and learned.learned.hierarchy.reading == "evidence":
        learned = replace(learned, held=tuple(edge for move in held for edge in _suggestions(move, now)))
        release = releases.following((compare.without(first, held), *local), left, rule)
        now = release.ontologies[0]
    labels = {c.iri: c.label for o in (was.ontology, now) for c in o.concepts}
    return release, replace(learned, moved=tuple(m.text(labels) for m in compare.moves(was.ontology, now)))


def _suggestions(move: Move, now: Ontology) -> Iterator[SuggestedEdge]:
    """Yield the edges that a move would have made."""
    for r in move.gained:
        low, high, why = now.by_iri[r.source].label, now.by_iri[r.target].label, f"moves {move.below + 1} classes"
        yield SuggestedEdge(low, high, r.evidence, why, move.below, documents=r.documents, sentence=r.sentence)


def _turtle(ontology: Ontology, headers: Mapping[str, Header], kept: Kept) -> str:
    stem = deciding.file_stem(ontology)
    more = kept.additions.get(stem, owl.NO_ADDITIONS)
    return owl.content(ontology, "turtle", headers[stem], additions=more, sealed=True)


def _headers(learned: LearnedFiles, left: Left, release: Release, origin: _Origin) -> dict[str, Header]:
    """Return dates, people and sources of each ontology; a new version names the IRI of the one before."""
    headers = {}
    for ontology in release.ontologies:
        stem = deciding.file_stem(ontology)
        known = release.header(ontology, left.kept.headers.get(stem, NO_HEADER))
        headers[stem] = _header_of(learned.documents, origin, known, left.when[:10], is_new=release.is_new)
    return headers


def _existing_topic(space: Workspace, options: BuildOptions) -> Topic | None:
    """Load the topic of the options; None for a new topic, which has a label."""
    written = options.out / f"{options.settings.topic}.toml"
    if options.settings.topic.endswith(".toml") or options.settings.topic in topics.defined(space):
        for value, name in ((options.settings.label, "label"), (options.settings.field, "field")):
            if value is not None:
                of_new = Option(f"--{name}", name)
                raise UsageError(
                    "versions.topic_exists_new_topic", topic=options.settings.topic, of_new=of_new, name=name
                )
        return topics.load(options.settings.topic, space, check=False)
    if options.settings.label is not None:
        topic_files.require_name(options.settings.topic)
        return None
    if written.exists():  # by an earlier build
        return topics.load(str(written), space, check=False)
    if options.settings.topic in topics.available(space):  # by a build into another folder
        return topics.load(options.settings.topic, space, check=False)
    raise topic_files.unknown(options.settings.topic, space)


def _new_topic(options: BuildOptions, documents: Sequence[Document]) -> TopicFile:
    """Make a topic from its label; `_with_words` gives it its words."""
    label = topic_files.complete_label(options.settings.label or {})
    words = [topic_files.label_word(label["zh"], label["en"])]
    source = f"the label, and words of {len(documents)} records on the topic"
    data = topic_files.data_of_words(
        options.settings.topic, label["zh"], label["en"], source, words, options.settings.field or ""
    )
    return checked(TopicFile, data, f"topic {options.settings.topic}")


# ---- the words of the topic


SHOWN = 30
"""Number of words that a topic file shows of its list."""


@dataclass(frozen=True)
class _Listed:
    """The list of words of a topic.

    Attributes:
        words: the words, by prominence, with what a person changed in the list of the build before.
        built: the words without that.
        about: what they were compared with, for the head of the file.
        own_fields: labels of the fields that they were not compared with.
        threshold: R of a page of general text and of one like the papers, their geometric mean.
        fields: the papers and the fields that they were compared with, by language.
    """

    words: tuple[TopicWord, ...]
    built: Sequence[TopicWord]
    about: str
    own_fields: tuple[str, ...]
    threshold: float
    fields: tuple[Compared, ...]


def _listed(space: Workspace, topic: Topic, options: BuildOptions, documents: Sequence[Document]) -> _Listed:
    """Return the words of a topic from its papers, its label, and what persons gave or changed."""
    labels = (topic.file.label.zh, topic.file.label.en)
    others, own = 0, dict[str, None]()
    fields = other_fields.compared(space, topic.name, topic.file.label, topic_words.texts_of(documents))
    for in_language in fields:
        chinese = in_language.language == "zh"
        own |= dict.fromkeys(field.zh if chinese else field.en for field in in_language.own)
        others += len(in_language.others)
    words = topic_words.each_once(
        one for field in fields for one in topic_words.topic_words(field.counts, field.others)
    )
    listed = topic_words.with_words(words.values(), topic_words.label_words(labels, words), topic_words.LABEL)
    listed = topic_words.with_words(listed, options.settings.words, topic_words.GIVEN)
    kept = _kept(topic, options, listed)
    about = f"{len(documents)} records, compared with general language and the papers of {others} other fields"
    steer = word_lists.overridden(kept, _given(topic, kept))
    weight = topic_words.threshold_weight(steer, [one.counts for one in fields])
    return _Listed(kept, listed, about, tuple(own), WordDensity().of(weight, topic_words.PAGE), tuple(fields))


def _kept(topic: Topic, options: BuildOptions, words: Sequence[TopicWord]) -> tuple[TopicWord, ...]:
    """Return the words of a build with what a person changed in the list of the build before, as it is now."""
    before = Path(topic.file.word_list or options.out / word_lists.FILE)
    given_now = {singular(normal(word)) for word in options.settings.words}
    return word_lists.kept(word_lists.read(before) if before.exists() else (), words, given_now)


def _card(space: Workspace, file: TopicFile, listed: _Listed, documents: Sequence[Document]) -> TopicCard:
    """Return the card of a topic that is not written yet."""
    settings = space.settings.crawl
    judge = crawl_setup.judge_of(settings.judge, file, settings.threshold)
    words = topics.steering(space, file, word_lists.as_written(listed.words))
    return topic_card.card_of(file, words, judge, documents, listed.fields)


def _given(topic: Topic, words: Sequence[TopicWord]) -> list[word_lists.Shown]:
    """Return the words that a person wrote into a topic file: all of a file without a list."""
    file = topic.file
    if not file.word_list:
        return file.shown
    if topic.path is not None and not topics.is_edited(topic.path):
        return []
    before = word_lists.read(Path(file.word_list)) if Path(file.word_list).exists() else words
    return word_lists.given(before, file.shown)


def _with_words(topic: Topic, listed: _Listed) -> TopicFile:
    """Return a topic file that shows the first words of its list, behind those that a person wrote into it.

    Its judge is the topic weight per word with the threshold of the list: a cosine is too small with a long list.
    """
    file, given = topic.file, _given(topic, listed.words)
    words = word_lists.overridden(listed.words, given)
    forms = {normal(form) for _, *languages in given for of_language in languages for form in of_language}
    rows = [(h, zh, en) for h, zh, en in given]
    for one in words:
        names = {one.word, *(normal(form) for _, form in one.forms)}
        if len(rows) < SHOWN and forms.isdisjoint(names) and all(map(topic_files.names_something, names)):
            rows.append((round(one.weight / topic_words.FULL, 6), one.zh, one.en))
    data = file.model_dump() | {
        "words": [{"weight": h, "zh": zh, "en": en} for h, zh, en in rows], "word_list": word_lists.FILE,
        "relevance": WordDensity().name, "sigma": round(listed.threshold, 4), "strict": True,
    }  # fmt: skip
    return checked(TopicFile, data, f"topic {file.name}")


def _field(space: Workspace, options: BuildOptions, topic: Topic | None) -> str:
    """Return the field of the topic; a file of an older release names none and has that of the topic of its name."""
    if topic is None:
        return topic_files.require_field(options.settings.field or "")
    named = topics.load_defined(topic.name, space)
    return topic.file.field or (named.file.field if named else "")


def _curated(space: Workspace, options: BuildOptions, topic: Topic | None) -> list[Ontology]:
    """Return the curated ontologies of the topic, whose classes terms are placed under.

    Learned ontologies are left out: what was learned before is no evidence for what is learned now. For a topic file
    that names only learned ontologies, the curated ones of the topic with the same name are used.
    """
    if not options.settings.bundled or topic is None:
        return []
    curated = [s.ontology for s in topic.sources if not s.ontology.is_derived]
    named = None if curated else topics.load_defined(topic.name, space)
    return list(named.ontologies) if named else curated


def _nothing_learned(found: LearnedFiles) -> CommandError:
    """Return the error for an ontology that would have a root only, with what to try."""
    terms, unplaced = found.learned.terms, found.learned.unplaced
    examples = ", ".join(term for term, _ in unplaced[:_NAMED]) + (", .." if len(unplaced) > _NAMED else "")
    return CommandError(
        "versions.nothing_learned_none_terms", n_terms=len(terms), n_documents=len(found.documents), examples=examples
    )


# ---- headers of learned ontologies: who made them, when, and from which corpus


DOI = "https://doi.org/"


@dataclass(frozen=True)
class _Origin:
    """What the header of a learned ontology says besides what the ontology knows itself."""

    sources: tuple[str, ...] = ()
    """Names of the corpus files with the number of their records."""
    creators: tuple[str, ...] = ()
    """Names or IRIs."""


def _sources_of(corpus: Corpus) -> tuple[str, ...]:
    """Return the names of the files of a corpus, without folders, with the number of their records."""
    return tuple(sorted({f"{Path(report.file).name} ({report.records} records)" for report in corpus.files}))


def _document_iris(documents: Iterable[Document]) -> dict[str, str]:
    """Return id -> IRI of the documents with a DOI."""
    return {d.id: DOI + quote(d.doi, safe="/:;().-_") for d in documents if d.doi}


def _header_of(documents: Sequence[Document], origin: _Origin, before: Header, today: str, *, is_new: bool) -> Header:
    """Return the header of an ontology; a rebuild that changes nothing leaves its file as it is.

    Args:
        documents: the documents that it was learned from.
        origin: creators and sources.
        before: the header of the file of the build before, as a person may have edited it; its creators stay.
        today: date of the build, as 2024-05-01.
        is_new: whether the ontology is another than before.

    Returns:
        The header. The date of creation is that of before; so is the date of modification, unless something is new.
    """
    creators = tuple(dict.fromkeys((*before.creators, *origin.creators)))
    header = replace(before, creators=creators, sources=origin.sources, documents=_document_iris(documents))
    same = not is_new and before.modified and set(creators) == set(before.creators) and origin.sources == before.sources
    return replace(header, created=before.created or today, modified=before.modified if same else today)
