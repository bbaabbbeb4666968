"""Write topic files: from words, or for a topic whose ontologies were just learned.

A file that the user has edited is never overwritten. A comment at the top of the file has a digest of its content:
if the two do not match, the file has been edited.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from graphlib import TopologicalSorter
from itertools import chain, count
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from crawler.pages.page_classifier import words_of
from crawler.scoring.bayes import count as word_count
from crawler.scoring.bayes import topic_weights
from ontocrawl.base.config import checked
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import Option, UsageError, nearest
from ontocrawl.topics import topics
from ontocrawl.topics.topics import TopicFile
from ontology import corpus, field_lists
from ontology.concept_graph import ConceptGraph
from ontology.errors import Language, Message, told
from ontology.files import write_atomically
from ontology.model import Concept, Document, Ontology, Relation
from ontology.reachable import reachable
from ontology.terms import study_terms
from ontology.terms.form_matcher import AsWritten, in_simplified
from ontology.terms.lexicon import Lexicon, word_list
from ontology.terms.segment import dictionary, word_segmenter
from ontology.terms.wordforms import fold, has_han


def data_of_words(
    name: str, zh: str, en: str, source: str, words: Sequence[_TopicWordFound], field: str = ""
) -> dict[str, Any]:
    """Make the data of a topic file from words.

    Args:
        name: name of the topic.
        zh: its Chinese label.
        en: its English label.
        source: where the words come from, as free text.
        words: the words with their weights.
        field: the field of the topic, whose bundled lists are used for it; empty for none.

    Returns:
        Keys and values of the topic file.

    Raises:
        UsageError: they are not a valid topic.
    """
    rows = [{"weight": round(w.weight, 6), "zh": list(w.zh), "en": list(w.en)} for w in words]
    data = {"name": name, "label": {"zh": zh, "en": en}, "source": source, "words": rows}
    if field:
        data["field"] = field
    checked(TopicFile, data, f"topic {name}")
    return data


def texts_of(documents: Sequence[Document]) -> list[str]:
    """Join titles, abstracts and keywords to one text per document."""
    return [" ".join((d.title, d.abstract, *d.keywords, d.title_en, d.abstract_en)) for d in documents]


def read_texts(paths: Sequence[Path]) -> tuple[list[str], int]:
    """Read the texts of literature exports; return them with the number of problems in the files."""
    records = corpus.read(list(paths))
    return texts_of(records.documents), len(records.problems)


def label_of(given: str) -> dict[str, str]:
    """Parse ``zh=..,en=..``; a missing language has the label of the other.

    Raises:
        UsageError: another form, another language, or an empty label.

    >>> label_of("zh=台风,en=typhoon")
    {'zh': '台风', 'en': 'typhoon'}
    >>> label_of("en=typhoon")
    {'zh': 'typhoon', 'en': 'typhoon'}
    """
    labels: dict[str, str] = {}
    for part in re.split(r"[,，](?=\s*\w+\s*=)", given):
        language, equals, label = part.partition("=")
        if not equals or language.strip() not in ("zh", "en") or not label.strip():
            raise UsageError("topics.expected_zh_label_en", option=Option(f"--label {given!r}"), part=part)
        if language.strip() in labels:
            raise UsageError("topics.given_twice", option=Option(f"--label {given!r}"), language=language.strip())
        labels[language.strip()] = label
    return complete_label(labels)


def complete_label(labels: Mapping[str, str]) -> dict[str, str]:
    """Return the labels of a topic in both languages; a missing one is that of the other.

    Raises:
        UsageError: no label, an empty one, or another language.
    """
    words = {language: " ".join(label.split()) for language, label in labels.items()}
    if not words or not all(words.values()) or not set(words) <= {"zh", "en"}:
        raise UsageError("topics.new_topic_needs_label", dict=dict(labels))
    default = words.get("zh") or words["en"]
    return {"zh": default, "en": default, **words}


def require_name(name: str) -> None:
    """Raise UsageError for an invalid topic name. Names are used in IRIs and file names."""
    if not re.fullmatch(topics.NAME, name):
        raise UsageError("topics.topic_s_name_begins", option=Option(f"--topic {name!r}"))


def require_field(name: str) -> str:
    """Return the name of a field that has bundled lists, or "". Raises UsageError for another."""
    if name and name not in field_lists.fields():
        raise UsageError(
            "topics.no_lists_come_ontocrawl",
            option=Option(f"--field {name}", f"field {name!r}"),
            nearest=nearest(name, field_lists.fields()),
        )
    return name


def unknown(name: str, workspace: Workspace) -> UsageError:
    """Return the error for a topic that does not exist, with the way to create one."""
    return UsageError(
        "topics.no_topic_new_made",
        name=name,
        nearest=nearest(name, topics.available(workspace)),
        option=Option("--label zh=LABEL,en=LABEL", 'label={"zh": LABEL, "en": LABEL}'),
    )


def learned(topic: TopicFile, ontologies: Sequence[tuple[str, Ontology]], about: str) -> str:
    """Format the file of a topic with learned ontologies in place of its others.

    Args:
        topic: the topic, with words, labels, local topics, relevance function and seeds.
        ontologies: file name and value of each learned ontology, the global one first.
        about: what they were learned from, for the comment at the top.

    Returns:
        TOML with the digest of its content.
    """
    data = topic.model_dump(mode="json", exclude={"ontologies", "versions", "scope", *_empty(topic)})
    if topic.word_list:
        data["word_list"] = Path(topic.word_list).name  # beside the topic file
    if topic.scope.model_fields_set:
        data["scope"] = topic.scope.model_dump(mode="json", exclude_unset=True)
    body = tomli_w.dumps(
        {
            **{key: value for key, value in data.items() if not _is_table(value)},
            "ontologies": [file for file, _ in ontologies],
            "versions": {file: ontology.version for file, ontology in ontologies},
            **{key: value for key, value in data.items() if _is_table(value)},
        }
    )
    head = (
        f"# Written by `ontocrawl ontology build` from {about}. Change what you like: the next build\n"
        f"# leaves a changed file alone and writes {topic.name}.learned.toml beside it.\n"
    )
    return f"{head}# digest: {topics.digest(head + body)}\n{body}"


def _empty(topic: TopicFile) -> set[str]:
    """Return the optional keys with default values, which are not written."""
    optional = ("field", "background", "word_list", "local", "intent")
    return {key for key in optional if getattr(topic, key) == TopicFile.model_fields[key].default}


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def write(text: str, path: Path) -> tuple[Path, list[str]]:
    """Write a topic file; if the user has edited it, write NAME.learned.toml beside it.

    Args:
        text: the result of `learned`.
        path: the standard path, NAME.toml.

    Returns:
        The file that was written, and its unified diff from the edited one, in lines; empty if there is none.
    """
    alternatives = (path.with_name(f"{path.stem}.learned{f'-{n}' if n > 1 else ''}.toml") for n in count(1))
    free = next(place for place in chain([path], alternatives) if not place.exists() or not topics.is_edited(place))
    write_atomically(free, text.encode())
    if free == path:
        return path, []
    before, after = (_without_comments(t) for t in (path.read_text(encoding="utf-8", errors="replace"), text))
    difference = list(difflib.unified_diff(before, after, path.name, free.name, lineterm="", n=1))
    return free, difference or ["(they differ in comments only)"]


def _without_comments(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]


# ---- ontologies as text: an outline of the hierarchy, and single classes with their evidence


def depth(ontology: Ontology) -> int:
    """Count the classes on the longest path from the root down. Raises CycleError for a cyclic hierarchy."""
    below: dict[str, int] = {}
    for iri in TopologicalSorter(ontology.children).static_order():
        below[iri] = 1 + max((below[child] for child in ontology.children[iri]), default=0)
    return below[ontology.root]


def outline(ontology: Ontology, *, depth: int) -> str:
    """Format the upper levels of an ontology as indented text: the largest classes first, then those in most documents.

    Args:
        ontology: the ontology.
        depth: number of levels; a branch that is cut off has the number of hidden classes after it.

    Returns:
        One line per class, without a final line end.

    Raises:
        OntologyCycle: the hierarchy is cyclic.
    """
    ConceptGraph.of(ontology)
    lines: list[str] = []

    def walk(iri: str, level: int) -> None:
        concept = ontology.by_iri[iri]
        children = sorted(
            ontology.children[iri], key=lambda c: (-size[c], -documents.get((c, iri), 0), ontology.by_iri[c].label)
        )
        english = f"  {concept.label_en}" if concept.label_en and concept.label_zh else ""
        cut = f"  (+{size[iri] - 1})" if level == depth and children else ""
        lines.append("  " * (level - 1) + concept.label + english + cut)
        if level < depth:
            for child in children:
                walk(child, level + 1)

    size = _sizes(ontology)
    documents = {(r.source, r.target): r.support or 0 for r in ontology.edges("subclass_of")}
    walk(ontology.root, 1)
    return "\n".join(lines)


def class_entry(ontology: Ontology, name: str) -> dict[str, Any] | None:
    """Look up a class by any of its names.

    Args:
        ontology: the ontology.
        name: a label or a synonym.

    Returns:
        The class with its relations and their evidence, as JSON values; None if the ontology has no such class.
    """
    named = [c for c in ontology.concepts if fold(name) in (fold(form) for _, form in c.names())]
    concept = next((c for c in named if name in (form for _, form in c.names())), named[0] if named else None)
    return None if concept is None else entry_of(ontology, concept)


def entry_of(ontology: Ontology, concept: Concept) -> dict[str, Any]:
    """Return a class with its relations and their evidence, as JSON values."""

    def entry(relation: Relation, other: str) -> dict[str, Any]:
        figures = {"support": relation.support, "confidence": relation.confidence, "evidence": relation.evidence}
        sources = {"documents": list(relation.documents), "sentence": relation.sentence}
        return {"relation": relation.kind, "class": ontology.by_iri[other].label, "iri": other} | figures | sources

    return {
        "ontology": ontology.iri,
        "iri": concept.iri,
        "zh": concept.label_zh,
        "en": concept.label_en,
        "above": [entry(r, r.target) for r in ontology.relations if r.source == concept.iri],
        "below": [entry(r, r.source) for r in ontology.relations if r.target == concept.iri],
    }


def way(ontology: Ontology, iri: str) -> tuple[str, ...]:
    """Return the IRIs of the classes from the root to a class, itself included; of several parents the first counts."""
    found = [iri]
    while (above := ontology.parents[found[-1]][:1]) and above[0] not in found:
        found.append(above[0])
    return tuple(reversed(found))


def class_text(entry: Mapping[str, Any], language: Language = "en") -> str:
    """Format a `class_entry` as text in a language: the classes above and below with their evidence."""

    def word(code: str, **values: object) -> str:
        return Message(code, **values).said(language)

    sides = {"above": "topics.class_above", "below": "topics.class_below"}
    lines = ["  ".join(filter(None, (entry["zh"], entry["en"], entry["iri"])))]
    for side, code in sides.items():
        for row in entry[side]:
            share = "" if row["confidence"] is None else word("topics.class_confidence", share=row["confidence"])
            support = "" if row["support"] is None else word("topics.class_documents", documents=row["support"])
            figures = ("，" if language == "zh" else ", ").join(filter(None, (support, share)))
            lines.append(f"  {word(code, name=row['class'], relation=row['relation'])}" + f" {figures}" * bool(figures))
            evidence = (told(one, "evidence.kind_", language) for one in row["evidence"].split("; "))
            lines += [f"    {text}" for text in (*evidence, row["sentence"]) if text]
    if any(row["confidence"] is not None for side in sides for row in entry[side]):
        lines.append(word("topics.class_confidence_is"))
    return "\n".join(lines)


def _sizes(ontology: Ontology) -> Mapping[str, int]:
    """Return the number of classes at and below each class, shared ones counted once."""
    return {c.iri: len(reachable(c.iri, ontology.children.__getitem__)) for c in ontology.concepts}


# ---- words and weights of a topic from texts: by TF-IDF of a class (paper 003), or by frequency in pages (paper 001)
#
# Both methods segment the texts, merge synonyms by the bilingual lexicon, and select the words with the largest
# weights.
#
#     of_class   omega_t = f_t / sum f_m lg(N / N_t + .01), Eq. (1) of paper 003, over the texts of all classes
#     of_pages   f_t / max f_t: words are ranked by frequency; the weight is the "normalized term frequency"
#                (paper 001, section 4.1; its section 5.1.2 names TF-IDF, which needs pages on other topics, too)
#
# Weights are scaled to a maximum of 1, which does not change a cosine. In paper 001 the authors chose words of
# "practical importance"; here [R] function words and general words are left out, and with `of_pages` also words of a
# single page and words less than ten times as frequent as in general Chinese text. Of English pages the words are the
# best terms as by `ontology terms`: no table says how frequent an English word is in general text, and terms have
# several words.


TOP = 12
"""Default number of words of a topic (paper 001; paper 003 has no number)."""
_CONTENT = ("n", "v", "j", "l", "i", "a")
"""First letters of part-of-speech tags of content words; a word without a tag may be a name."""
_KEY = 10.0


@dataclass(frozen=True)
class _TopicWordFound:
    """A word with its synonyms, weight in (0, 1], number of occurrences, and number of texts it occurs in."""

    zh: tuple[str, ...]
    en: tuple[str, ...]
    weight: float
    frequency: int
    texts: int


def of_class(texts: Mapping[str, Sequence[str]], name: str, lexicon: Lexicon, top: int = TOP) -> list[_TopicWordFound]:
    """Select the words with the largest omega_t of one class (paper 003, Eq. 1).

    Args:
        texts: class -> its texts.
        name: the class on the topic.
        lexicon: lexicon that joins synonyms.
        top: maximum number of words.

    Returns:
        The words by descending weight; the largest weight is 1.

    Raises:
        ClassifierError: fewer than two classes, no such class, or one without words.
    """
    written = AsWritten((text for of_label in texts.values() for text in of_label), words=lexicon.entries)
    texts, lexicon = in_simplified((dict(texts), lexicon))
    return written.restored(_of_class(texts, in_simplified(name), lexicon, top))


def _of_class(texts: Mapping[str, Sequence[str]], name: str, lexicon: Lexicon, top: int) -> list[_TopicWordFound]:
    added = _added(lexicon)
    training = word_count(
        {label: [_words(text, added, lexicon) for text in of_label] for label, of_label in texts.items()}
    )
    omega = topic_weights(training, name)
    f = training.c[training.classes.index(name)]
    order = np.argsort(-omega, kind="stable")
    kept = [at for at in order.tolist() if f[at] > 0 and names_something(training.words[at])][:top]
    word_sets = [set(_words(text, added, lexicon)) for text in texts[name]]
    return _scaled(
        [
            _topic_word(
                training.words[at],
                float(omega[at]),
                int(f[at]),
                sum(training.words[at] in t for t in word_sets),
                lexicon,
            )
            for at in kept
        ]
    )


def of_pages(texts: Sequence[str], lexicon: Lexicon, top: int = TOP) -> list[_TopicWordFound]:
    """Select the most frequent words of pages on a topic.

    Args:
        texts: texts of the pages.
        lexicon: lexicon that joins synonyms.
        top: maximum number of words.

    Returns:
        The words by descending frequency; the largest weight is 1.

    Raises:
        UsageError: no word passes.
    """
    written = AsWritten(texts, words=lexicon.entries)
    plain, lexicon = in_simplified((tuple(texts), lexicon))
    return written.restored(_of_pages(plain, lexicon, top))


def _of_pages(texts: Sequence[str], lexicon: Lexicon, top: int) -> list[_TopicWordFound]:
    if sum(map(has_han, texts)) * 2 < len(texts):
        return _of_english_pages(texts, lexicon, top)
    added = _added(lexicon)
    f: dict[str, int] = {}
    N: dict[str, int] = {}
    for text in texts:
        words = _words(text, added, lexicon)
        for word in words:
            f[word] = f.get(word, 0) + 1
        for word in set(words):
            N[word] = N.get(word, 0) + 1
    total = sum(f.values())
    several = min(2, len(texts))
    kept = [w for w in f if several <= N[w] and names_something(w) and _is_key(w, f[w] / total)]
    ranked = sorted(kept, key=lambda word: (-f[word], word))[:top]
    if not ranked:
        raise _no_word(texts)
    return _scaled([_topic_word(word, float(f[word]), f[word], N[word], lexicon) for word in ranked])


def _of_english_pages(texts: Sequence[str], lexicon: Lexicon, top: int) -> list[_TopicWordFound]:
    documents = [Document(str(number), "", text) for number, text in enumerate(texts)]
    accepted, _ = study_terms(documents, lexicon, min_documents=min(2, len(texts))).accepted  # to steer needs no place
    best = [t for t in accepted if t.document_frequency > 2 or lexicon.entry(t.text)][:top]
    terms = sorted(best, key=lambda t: (-t.frequency, t.text))
    if not terms:
        raise _no_word(texts)
    return _scaled([_topic_word(t.text, float(t.frequency), t.frequency, t.document_frequency, lexicon) for t in terms])


def _no_word(texts: Sequence[str]) -> UsageError:
    return UsageError("topics.texts_no_word_names", n_texts=len(texts))


def label_word(zh: str, en: str) -> _TopicWordFound:
    """Return the label of a topic as a word with the weight 1.

    Args:
        zh: Chinese label; without a Han character it is not used as a Chinese form.
        en: English label; with a Han character it is not used as an English form.

    >>> label_word("台风", "typhoon").zh, label_word("typhoon", "typhoon").zh
    (('台风',), ())
    """
    return _TopicWordFound((zh,) if has_han(zh) else (), () if has_han(en) else (en,), 1.0, 0, 0)


def _topic_word(word: str, weight: float, frequency: int, texts: int, lexicon: Lexicon) -> _TopicWordFound:
    entry = lexicon.by_zh.get(word)
    if entry is None:
        han = "\u3400" <= word[0] <= "\u9fff"
        return _TopicWordFound((word,) if han else (), () if han else (word,), weight, frequency, texts)
    en = tuple(w for w in (entry.en, *entry.synonyms_en) if w)
    return _TopicWordFound((entry.zh, *entry.synonyms_zh), en, weight, frequency, texts)


def _scaled(words: Sequence[_TopicWordFound]) -> list[_TopicWordFound]:
    largest = max((word.weight for word in words), default=1.0)
    return [replace(word, weight=word.weight / largest) for word in words]


def _words(text: str, added: tuple[str, ...], lexicon: Lexicon) -> list[str]:
    """Segment a text; synonyms are replaced by the preferred Chinese word of their lexicon entry."""
    words = []
    for word in words_of(text, added):
        entry = lexicon.by_zh.get(word) or lexicon.by_en.get(word)
        words.append(entry.zh if entry else word)
    return words


def _added(lexicon: Lexicon) -> tuple[str, ...]:
    return tuple(word for entry in lexicon.entries for word in (entry.zh, *entry.synonyms_zh))


@lru_cache(maxsize=1)
def _general() -> frozenset[str]:
    return word_list("stop_zh") | word_list("generic_zh") | word_list("stop_en") | word_list("generic_en")


def names_something(word: str) -> bool:
    """Return whether a folded word may name a thing of a field: it is no function word and no general one."""
    if word in _general():
        return False
    tag = word_segmenter().tag(word)
    return not tag or tag[0] in _CONTENT


@lru_cache(maxsize=1)
def _all_words() -> int:
    return sum(dictionary().frequency.values())


def _is_key(word: str, share: float) -> bool:
    known = dictionary().get(word)
    return known is None or share >= _KEY * known.frequency / _all_words()
