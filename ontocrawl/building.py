"""`ontology build`: from records to the files of a learned ontology, with the topic file to crawl by it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ontocrawl import learning, topic_files, topic_words, topics
from ontocrawl.config import checked
from ontocrawl.errors import UsageError
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
    """The options of `ontology build`: files, the topic, and how to learn."""

    corpus: Sequence[Path]
    out: Path
    topic: str = "rainstorm"
    label: str | None = None
    """``zh=..,en=..`` of a topic that there is not yet; its words are taken from the corpus."""
    learning: LearnOptions = field(default_factory=LearnOptions)
    """How to learn. `build` adds the lexicon, the upper classes and the base of IRIs."""
    lexicons: Sequence[Path] = ()
    classes: Path | None = None
    bundled: bool = True


@dataclass(frozen=True)
class Built:
    """What was learned, for which topic, and what was written."""

    topic: Topic
    learned: LearnedFiles
    written: Written


def build(space: Workspace, options: BuildOptions, on_stage: Callable[[str], None]) -> Built:
    """Read records, learn a topic's ontologies from them, and write them with a topic file.

    Args:
        space: where topics and curated ontologies are looked for, and the base of IRIs.
        options: what is asked for.
        on_stage: called with a line for the reader at each stage.

    Returns:
        The topic, what was learned, and what was written.

    Raises:
        UsageError: an unknown topic without a label, a label for a topic that there is, or a folder of another topic.
        CorpusError, LearnError, TermError and others of `ontology`: records from which nothing can be learned.
    """
    lexicon = choose_lexicon(options.lexicons, bundled=options.bundled)
    known = _known_topic(space, options)
    upper_classes = _upper_classes(space, options, known)
    on_stage("reading records")
    records = corpus.read(list(options.corpus))
    records = replace(records, documents=tuple(replace(d, id=portable_id(d)) for d in records.documents))
    topic = known or Topic(_new_topic(options, records.documents, lexicon), space)
    on_stage(f"learning from {len(records.documents)} records")
    learn_options = replace(
        options.learning, lexicon=lexicon, upper_classes=upper_classes, base=space.settings.iri_base
    )
    learned = learning.learn_files(records, topic.file, learn_options, register=options.out / learning.REGISTER)
    on_stage("writing files")
    return Built(topic, learned, learning.write(learned, topic.file, options.out))


def _known_topic(space: Workspace, options: BuildOptions) -> Topic | None:
    """The topic that is taken over; None for one that is to be made."""
    here = options.out / f"{options.topic}.toml"
    if options.topic.endswith(".toml") or options.topic in topics.available(space):
        if options.label is not None:
            raise UsageError(f"topic {options.topic} is there: --label is for a new topic; its labels are in its file")
        return topics.load(options.topic, space)
    if options.label is not None:
        topic_files.require_name(options.topic)
        return None
    if here.exists():  # made by an earlier build
        return topics.load(str(here), space)
    raise topic_files.unknown(options.topic, space)


def _new_topic(options: BuildOptions, documents: Sequence[Document], lexicon: Lexicon) -> TopicFile:
    """A topic with its label and words from the corpus as topic words."""
    label = topic_files.label_of(options.label or "")
    texts = topic_files.texts_of(documents)
    words = topic_words.of_pages(texts, lexicon, background=document_frequencies.shipped())
    words = topic_words.with_label(words, label["zh"], label["en"])
    source = f"the label, and frequencies in {len(documents)} records on the topic (paper 001, section 5.1.2)"
    data = topic_files.data_of_words(options.topic, label["zh"], label["en"], source, words)
    return checked(TopicFile, data, f"topic {options.topic}")


def _upper_classes(space: Workspace, options: BuildOptions, topic: Topic | None) -> Skeleton:
    """The upper classes to place terms under: bundled ones, the user's own, and the topic's curated ontologies.

    What was learned before is no evidence for what is learned now. A topic file that names learned ontologies only has
    the curated ones of the topic of its name.
    """
    curated = []
    if options.bundled and topic is not None:
        curated = [s.ontology for s in topic.sources if not s.ontology.is_derived]
        if not curated and topic.name in topics.available(space):
            curated = list(topics.load(topic.name, space).ontologies)
    return skeleton(curated, own_classes=options.classes, bundled_classes=options.bundled)
