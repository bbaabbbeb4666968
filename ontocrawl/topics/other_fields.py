"""What the papers of a topic are compared with: general language, and the papers of other fields.

Other fields are those that come with the package and the other learned topics of the workspace; fields that the topic
belongs to are left out (`ontology.terms.paper_fields.other_fields`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ontocrawl.base.workspace import Workspace
from ontocrawl.topics import papers, topics
from ontocrawl.topics.topics import Label, TopicFile
from ontology import topic_words
from ontology.terms import paper_fields
from ontology.terms.paper_fields import Language, PaperField
from ontology.topic_words import WordCounts


@dataclass(frozen=True)
class Compared:
    """The papers of a topic in one language, and what they are compared with.

    Attributes:
        language: the language.
        counts: the words of the papers.
        others: the papers of other fields.
        own: the papers of fields that the topic belongs to, which are left out.
    """

    language: Language
    counts: WordCounts
    others: tuple[PaperField, ...]
    own: tuple[PaperField, ...]


def compared(space: Workspace, name: str, label: Label, texts: Mapping[Language, Sequence[str]]) -> list[Compared]:
    """Count the words of the papers of a topic, and find the fields that they are compared with.

    Args:
        space: the workspace, whose other learned topics are fields too.
        name: name of the topic.
        label: its label.
        texts: titles and abstracts by language (`ontology.topic_words.texts_of`).

    Raises:
        UsageError: another topic of the workspace cannot be read.
    """
    found, of_topics = [], _texts_of_topics(space, name) if texts else []
    for language, of_language in texts.items():
        counts = topic_words.count_words(of_language)
        learned = (
            paper_fields.count(file.name.casefold(), file.label.zh, file.label.en, others[language])
            for file, others in of_topics
            if language in others
        )
        fields = (*paper_fields.shipped(language), *learned)
        others, own = paper_fields.other_fields(fields, counts.counts, (label.zh, label.en))
        found.append(Compared(language, counts, others, own))
    return found


def _texts_of_topics(space: Workspace, name: str) -> list[tuple[TopicFile, dict[Language, list[str]]]]:
    """Return the texts of the papers of the other learned topics of a workspace; an unreadable topic is an error."""
    found = []
    for source in topics.loadable(space).values():
        file = topics.load(source, space).file
        papers_file = Path(file.word_list).parent / f"{file.name}.papers.jsonl"
        if file.name != name and file.word_list and papers_file.exists():
            found.append((file, topic_words.texts_of(papers.read(papers_file).documents)))
    return found
