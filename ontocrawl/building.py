"""`ontology build`: learn the ontologies of a topic from records, and write them with a topic file to crawl with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ontocrawl import learning, topic_files, topic_words, topics
from ontocrawl.config import checked
from ontocrawl.errors import Option, UsageError
from ontocrawl.learning import LearnedFiles, Written
from ontocrawl.topics import Topic, TopicFile
from ontocrawl.workspace import Workspace
from ontology import corpus
from ontology.corpus.records import portable_id
from ontology.evidence import Skeleton, skeleton
from ontology.learn_options import LearnOptions
from ontology.model import Document
from ontology.terms import document_frequencies
from ontology.terms.lexicon import Lexicon
from ontology.terms.lexicon import choose as choose_lexicon


@dataclass(frozen=True)
class BuildOptions:
    """Options of `ontology build`: files, the topic, and the learning method."""

    corpus: Sequence[Path]
    out: Path
    topic: str = "rainstorm"
    label: Mapping[str, str] | None = None
    """Labels of a new topic by language, ``zh`` and ``en``; its words are extracted from the corpus."""
    learning: LearnOptions = field(default_factory=LearnOptions)
    """Options of the learning method. `build` adds the lexicon, the upper classes and the base of IRIs."""
    lexicons: Sequence[Path] = ()
    classes: Path | None = None
    bundled: bool = True


@dataclass(frozen=True)
class Built:
    """The result of `build`: the topic, what was learned, and the files written."""

    topic: Topic
    learned: LearnedFiles
    written: Written


def build(space: Workspace, options: BuildOptions, on_stage: Callable[[str], None]) -> Built:
    """Read records, learn the ontologies of a topic from them, and write these with a topic file.

    Args:
        space: the workspace, with topics, curated ontologies and the base of IRIs.
        options: the options.
        on_stage: called with a description of each stage when it begins.

    Returns:
        The topic, what was learned, and the files written.

    Raises:
        UsageError: an unknown topic without a label, a label for an existing topic, or a folder of another topic.
        CorpusError, LearnError, TermError and others of `ontology`: records from which nothing can be learned.
    """
    lexicon = choose_lexicon(options.lexicons, bundled=options.bundled)
    existing = _existing_topic(space, options)
    upper_classes = _upper_classes(space, options, existing)
    on_stage("reading records")
    records = corpus.read(list(options.corpus))
    records = replace(records, documents=tuple(replace(d, id=portable_id(d)) for d in records.documents))
    topic = existing or Topic(_new_topic(options, records.documents, lexicon), space)
    on_stage(f"learning from {len(records.documents)} records")
    learn_options = replace(
        options.learning, lexicon=lexicon, upper_classes=upper_classes, base=space.settings.iri_base
    )
    learned = learning.learn_files(records, topic.file, learn_options, register=options.out / learning.REGISTER)
    on_stage("writing files")
    return Built(topic, learned, learning.write(learned, topic.file, options.out))


def _existing_topic(space: Workspace, options: BuildOptions) -> Topic | None:
    """Load the topic of the options; None for a new topic, which has a label."""
    written = options.out / f"{options.topic}.toml"
    if options.topic.endswith(".toml") or options.topic in topics.available(space):
        if options.label is not None:
            of_new = Option("--label", "label")
            raise UsageError(
                f"topic {options.topic} exists: ", of_new, " is for a new topic; its labels are in its file"
            )
        return topics.load(options.topic, space)
    if options.label is not None:
        topic_files.require_name(options.topic)
        return None
    if written.exists():  # by an earlier build
        return topics.load(str(written), space)
    raise topic_files.unknown(options.topic, space)


def _new_topic(options: BuildOptions, documents: Sequence[Document], lexicon: Lexicon) -> TopicFile:
    """Make a topic from its label and words of the corpus."""
    label = topic_files.complete_label(options.label or {})
    texts = topic_files.texts_of(documents)
    words = topic_words.of_pages(texts, lexicon, background=document_frequencies.shipped())
    words = topic_words.with_label(words, label["zh"], label["en"])
    source = f"the label, and frequencies in {len(documents)} records on the topic (paper 001, section 5.1.2)"
    data = topic_files.data_of_words(options.topic, label["zh"], label["en"], source, words)
    return checked(TopicFile, data, f"topic {options.topic}")


def _upper_classes(space: Workspace, options: BuildOptions, topic: Topic | None) -> Skeleton:
    """Return the upper classes to place terms under: bundled, the user's, and of the topic's curated ontologies.

    Learned ontologies are left out: what was learned before is no evidence for what is learned now. For a topic file
    that names only learned ontologies, the curated ones of the topic with the same name are used.
    """
    curated = []
    if options.bundled and topic is not None:
        curated = [s.ontology for s in topic.sources if not s.ontology.is_derived]
        if not curated and topic.name in topics.available(space):
            curated = list(topics.load(topic.name, space).ontologies)
    return skeleton(curated, own_classes=options.classes, bundled_classes=options.bundled)
