"""Labels, other names, definitions and cross-references of a foreign class, and what replaces it.

A label without a language is Chinese if it has Chinese characters, or else English. Of several labels of one language
the one that equals the local part of the IRI is the label, or else the shortest, or else the first in order; the
others become other names. Texts in other languages than Chinese and English are kept
apart (`OtherText`), by the same rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from ontology.model import Concept, OtherText, ScopedName
from ontology.owl.census import Reading
from ontology.owl.triples import Text, is_blank, legible, lexical
from ontology.owl.vocabulary import DC, DCTERMS, RDF, RDFS, REPLACED_BY, SCOPES, SKOS, XREF, local_part, short

_LABELS = (SKOS.prefLabel, RDFS.label)
_SYNONYM = re.compile(r"synonym|altlabel|hiddenlabel|alternativename|vernacularname", re.IGNORECASE)
_DEFINITIONS = (
    SKOS.definition, "http://purl.obolibrary.org/obo/IAO_0000115", SKOS.iri + "description", DCTERMS.description,
    DC.description, RDFS.comment,
)  # fmt: skip
_CHINESE = re.compile(r"[\u3400-\u9fff\U00020000-\U0003134f]")
_KANA = re.compile(r"[\u3040-\u30ff]")


def language_of(text: Text) -> str:
    """Return ``zh``, ``en``, or "" for another language.

    >>> [language_of(text) for text in (Text("暴雨"), Text("rain"), Text("雨", "zh-Hans"), Text("pluie", "fr"))]
    ['zh', 'en', 'zh', '']
    """
    tag = text.language.lower()
    if not tag:
        return "zh" if _CHINESE.search(text.value) and not _KANA.search(text.value) else "en"
    return "zh" if tag.split("-")[0] in ("zh", "cmn") else "en" if tag.split("-")[0] == "en" else ""


def concept(reading: Reading, iri: str, classes: Iterable[str]) -> Concept:
    """Return the concept of one class.

    Args:
        reading: the triples of the file.
        iri: the class.
        classes: IRIs of all classes.
    """
    labels = {language: _texts(reading, iri, _LABELS, language) for language in ("zh", "en")}
    synonyms = [p for p in reading.triples.predicates(iri) if _SYNONYM.search(local_part(p))]
    chosen: dict[str, str] = {}
    others: dict[str, tuple[str, ...]] = {}
    for language, texts in labels.items():
        chosen[language] = _best(texts, iri)
        names = [*texts, *_texts(reading, iri, synonyms, language)]
        others[language] = tuple(dict.fromkeys(name for name in names if name != chosen[language]))
    zh, en = by_language(reading, iri, _DEFINITIONS)
    if not zh and not en:
        zh, en = _linked_definition(reading, iri, classes)
    return Concept(
        iri, chosen["zh"], chosen["en"] or None, others["zh"], others["en"], zh, en,
        tuple(_other_texts(reading, iri, synonyms)), _values(reading, iri, (XREF,)), _values(reading, iri, REPLACED_BY),
        tuple(scoped(reading, iri, lambda text: (language_of(text) or text.language.lower(), legible(text.value)))),
    )  # fmt: skip


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
    values = (value for predicate in predicates for value in reading.take(iri, predicate) if not is_blank(value))
    return tuple(sorted({legible(lexical(value)) for value in values} - {""}))


def _other_texts(reading: Reading, iri: str, synonyms: Iterable[str]) -> Iterator[OtherText]:
    """Yield the texts in other languages: of each one label and one definition, and all other names."""
    labels = _in_other_languages(reading, iri, _LABELS)
    names = _in_other_languages(reading, iri, synonyms)
    for language in sorted(labels.keys() | names.keys()):
        known = labels.get(language, [])
        best = _best(known, iri)
        if best:
            yield OtherText("label", language, best)
        for name in dict.fromkeys((*known, *names.get(language, []))):
            if name != best:
                yield OtherText("synonym", language, name)
    for language, (first, *more) in _in_other_languages(reading, iri, _DEFINITIONS).items():
        yield OtherText("definition", language, first)
        for _ in more:
            reading.skip(f"further definition @{language}", iri)


def _in_other_languages(reading: Reading, iri: str, predicates: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for predicate in predicates:
        for value in reading.triples.objects(iri, predicate):
            if isinstance(value, Text) and value.language and not language_of(value):
                reading.mark(iri, predicate, value)
                text = legible(value.value)
                if text:
                    found.setdefault(value.language.lower(), {})[text] = None
    return {language: list(texts) for language, texts in found.items()}


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


def _linked_definition(reading: Reading, iri: str, classes: Iterable[str]) -> tuple[str, str]:
    """Return a definition that is a separate node (SKOS Primer 4.2, "documentation as a related resource").

    SWEET has the node's text as rdfs:comment below skos:definition; the hazard profiles have it as skos:definition
    below another property.
    """
    for predicate in reading.triples.predicates(iri):
        below = (SKOS.definition, *((RDF.value, RDFS.comment) if predicate == SKOS.definition else ()))
        for node in reading.triples.objects(iri, predicate):
            if isinstance(node, str) and node not in classes and any(reading.triples.objects(node, p) for p in below):
                reading.mark(iri, predicate, node)
                return by_language(reading, node, below)
    return "", ""
