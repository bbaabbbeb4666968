"""Labels, other names, definitions and cross-references of a foreign class, and what replaces it.

A label without a language is Chinese if it has Chinese characters, or else English. Of several labels with one tag
the one that equals the local part of the IRI is the label, or else the shortest, or else the first in order; the
others become other names. Texts keep their tags (`OtherText`); of those in Chinese, and of those in English, the one
with the plain tag is the label, or else by `ontology.model.rank`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Literal

from ontology.errors import Message
from ontology.model import Concept, OtherText, ScopedName, view_of
from ontology.owl.census import Reading
from ontology.owl.triples import Text, Triples, is_blank, legible, lexical, visible
from ontology.owl.vocabulary import (
    DC,
    DCTERMS,
    OTHER_NAMES,
    RDF,
    RDFS,
    REPLACED_BY,
    SCOPES,
    SKOS,
    SKOS_XL,
    TYPE,
    XREF,
    local_part,
    short,
)

_LABELS = (SKOS.prefLabel, RDFS.label, SKOS_XL.prefLabel)
_SYNONYM = re.compile(r"synonym|altlabel|hiddenlabel|alternativename|vernacularname", re.IGNORECASE)
_EXACT = frozenset({*OTHER_NAMES, SKOS_XL.altLabel})
_DEFINITIONS = (
    SKOS.definition, "http://purl.obolibrary.org/obo/IAO_0000115", SKOS.iri + "description", DCTERMS.description,
    DC.description, RDFS.comment,
)  # fmt: skip


def language_of(text: Text) -> Literal["zh", "en", ""]:
    """Return ``zh``, ``en``, or "" for another language.

    >>> [language_of(text) for text in (Text("暴雨"), Text("rain"), Text("雨", "zh-Hans"), Text("pluie", "fr"))]
    ['zh', 'en', 'zh', '']
    """
    return view_of(text.language, text.value)


def concept(reading: Reading, iri: str, classes: Iterable[str]) -> Concept:
    """Return the concept of one class.

    Args:
        reading: the triples of the file.
        iri: the class.
        classes: IRIs of all classes.
    """
    synonyms = [p for p in reading.triples.predicates(iri) if _SYNONYM.search(local_part(p))]
    labels, names = _by_tag(reading, iri, _LABELS), _by_tag(reading, iri, synonyms)
    texts: list[OtherText] = []
    for key in sorted(labels.keys() | names.keys()):
        known = labels.get(key, [])
        best = _best(known, iri)
        texts += [OtherText("label", key[0], best)] if best else []
        _replace_labels(reading, iri, key, best)
        every = dict.fromkeys((*known, *names.get(key, [])))
        texts += [OtherText("synonym", key[0], name) for name in every if name != best]
    texts += _definitions(reading, iri, _DEFINITIONS) or _linked_definition(reading, iri, classes)
    return with_texts(
        Concept(
            iri, "", xrefs=_values(reading, iri, (XREF,)), replaced_by=_values(reading, iri, REPLACED_BY),
            scopes=tuple(scoped(reading, iri, lambda text: (text.language, legible(text.value)))),
        ), texts,
    )  # fmt: skip


def names_of_other_kinds(triples: Triples, classes: Iterable[str]) -> list[str]:
    """Return notes on the names that are read as other names although their property says more, counted by property.

    Such are those of skos:hiddenLabel, which holds misspellings for searches.

    Args:
        triples: the triples of the file.
        classes: IRIs of all classes.
    """
    pairs = ((iri, p) for iri in classes for p in triples.predicates(iri))
    kinds = [short(p) for iri, p in pairs if _SYNONYM.search(local_part(p)) and p not in _EXACT
             for _ in stated_texts(triples, iri, p)]  # fmt: skip
    return [Message("owl.note_names", count=count, kind=kind) for kind, count in sorted(Counter(kinds).items())]


def _replace_labels(reading: Reading, iri: str, key: tuple[str, str], best: str) -> None:
    """Mark the labels with a tag that are another name now, of which one is the label."""
    for predicate in _LABELS:
        for value in reading.triples.objects(iri, predicate):
            if not isinstance(value, Text) or value.datatype or (value.language, language_of(value)) != key:
                continue
            if legible(value.value) not in (best, ""):
                reading.replace(iri, predicate, value, "further label with one tag, which is another name now")


def with_texts(concept: Concept, texts: Iterable[OtherText]) -> Concept:
    """Return a concept with labels, other names and definitions, at most one label and definition for each tag.

    Args:
        concept: the concept without them.
        texts: the texts by their tags, ``zh`` and ``en`` among them.
    """
    exact: dict[str, list[Any]] = {"zh": ["", (), ""], "en": ["", (), ""]}
    others = [text for text in texts if text.language not in exact]
    doubled = {(text.role == "definition", text.view, text.text) for text in others}
    for text in texts:
        if text.language in exact:
            said = exact[text.language]
            if text.role == "synonym":
                said[1] = (*said[1], text.text)
            else:
                said[0 if text.role == "label" else 2] = text.text
            if (text.role == "definition", text.language, text.text) in doubled:
                others.append(text)  # the same words under two tags: both are written
    zh, en = exact.values()
    return replace(
        concept, label_zh=zh[0], alt_zh=zh[1], definition=zh[2], label_en=en[0] or None, alt_en=en[1],
        definition_en=en[2], texts=tuple(others),
    ).with_views()  # fmt: skip


def scoped(reading: Reading, iri: str, parts: Callable[[Text], tuple[str, str]]) -> Iterator[ScopedName]:
    """Yield the broad, narrow and related synonyms of a class.

    Args:
        reading: the triples of the file.
        iri: the class.
        parts: returns the language and the words of a text.
    """
    for scope, predicate in SCOPES.items():
        for value in reading.triples.objects(iri, predicate):
            if isinstance(value, Text):
                yield ScopedName(scope, *parts(value))


def _values(reading: Reading, iri: str, predicates: Iterable[str]) -> tuple[str, ...]:
    """Return the values of properties, IRIs and literals alike, sorted."""
    values = [(p, value) for p in predicates for value in reading.take(iri, p) if not is_blank(value)]
    for predicate, value in values:
        if isinstance(value, Text) and legible(value.value) != value.value:
            reading.replace(iri, predicate, value, "white space of a name")
    return tuple(sorted({legible(lexical(value)) for _, value in values} - {""}))


def _by_tag(reading: Reading, iri: str, predicates: Iterable[str]) -> dict[tuple[str, str], list[str]]:
    """Return (tag, language) -> texts, in the order of the properties; and mark them as used."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for predicate in predicates:
        for subject, property_, value in sorted(stated_texts(reading.triples, iri, predicate)):
            reading.mark(subject, property_, value)
            if subject != iri:
                reading.mark(iri, predicate, subject)
                reading.mark(subject, TYPE, SKOS_XL.Label)
            text = legible(value.value)
            if text != value.value and subject == iri:
                reading.replace(iri, predicate, value, "white space of a name")
            if text:
                found.setdefault((value.language, language_of(value)), {})[text] = None
    return {key: list(texts) for key, texts in found.items()}


def stated_texts(triples: Triples, iri: str, predicate: str) -> Iterator[tuple[str, str, Text]]:
    """Yield the texts of a property; a label of SKOS-XL is a node, whose literal form is the text.

    Args:
        triples: the triples of the file.
        iri: the class.
        predicate: IRI of the property.

    Yields:
        Subject, property and text.
    """
    for value in triples.objects(iri, predicate):
        if isinstance(value, Text):
            yield iri, predicate, value
        elif predicate.startswith(SKOS_XL.iri):
            for form in triples.objects(value, SKOS_XL.literalForm):
                if isinstance(form, Text):
                    yield value, SKOS_XL.literalForm, form


def _definitions(reading: Reading, iri: str, predicates: Iterable[str]) -> list[OtherText]:
    """Return the first definition in each language, by the order of the properties; only these are marked as used."""
    first: dict[str, OtherText] = {}
    for predicate in predicates:
        for value in sorted(o for o in reading.triples.objects(iri, predicate) if isinstance(o, Text)):
            text, language = visible(value.value), language_of(value) or value.language
            if text != value.value:
                reading.replace(iri, predicate, value, "character that XML does not allow")
            if text.strip() and first.setdefault(language, OtherText("definition", value.language, text)).text == text:
                reading.mark(iri, predicate, value)
    return list(first.values())


def by_language(reading: Reading, subject: str, predicates: Iterable[str]) -> tuple[str, str]:
    """Return the first text in Chinese and in English, by the order of the properties; further ones are reported.

    Args:
        reading: the triples of the file.
        subject: a node.
        predicates: IRIs of properties, in order of preference.
    """
    first = {"zh": "", "en": ""}
    for predicate in predicates:
        for language, chosen in list(first.items()):
            texts = _texts(reading, subject, (predicate,), language)
            first[language] = chosen or next(iter(texts), "")
            for _ in set(texts) - {first[language]}:
                reading.skip(f"further {short(predicate)}", subject)
    return first["zh"], first["en"]


def _texts(reading: Reading, subject: str, predicates: Iterable[str], language: str) -> list[str]:
    texts = [
        legible(text)
        for predicate in predicates
        for text in reading.texts(subject, predicate, lambda text_: language_of(text_) == language)
    ]
    return [text for text in dict.fromkeys(texts) if text]


def _best(labels: list[str], iri: str) -> str:
    named = _letters(local_part(iri))
    return min(labels, key=lambda label: (_letters(label) != named, len(label), label), default="")


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _linked_definition(reading: Reading, iri: str, classes: Iterable[str]) -> list[OtherText]:
    """Return a definition that is a separate node (SKOS Primer 4.2, "documentation as a related resource").

    SWEET has the node's text as rdfs:comment below skos:definition; the hazard profiles have it as skos:definition
    below another property.
    """
    for predicate in reading.triples.predicates(iri):
        below = (SKOS.definition, *((RDF.value, RDFS.comment) if predicate == SKOS.definition else ()))
        for node in reading.triples.objects(iri, predicate):
            if isinstance(node, str) and node not in classes and any(reading.triples.objects(node, p) for p in below):
                reading.mark(iri, predicate, node)
                return _definitions(reading, node, below)
    return []
