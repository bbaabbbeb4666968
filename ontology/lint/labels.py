"""Rules about labels, other names and definitions: missing, doubled, shared by two concepts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from ontology.lint.facts import Class, Facts, Text, folded
from ontology.lint.hierarchy_shape import some
from ontology.lint.registry import Limits, Spot, rule

Found = Iterator[Spot]
_HAN = re.compile(r"[\u2e80-\u2fdf\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_SHORT_FORM = re.compile(r"[A-Z0-9][\w.+/-]*")
"""WRF, GIS, T639, Copula: words that stand in Chinese as they are."""
_ABBREVIATION = re.compile(r"(?=.*[A-Z0-9])(?!.*[a-z]{2})[A-Za-z0-9.+/ -]+")
"""WRF, GIS, T639, U-Pb: no word of any language, and a name in each."""


@rule("OC004", "missing-label", "warning")
def missing_label(facts: Facts, limits: Limits) -> Found:
    """No label in a language.

    A class without a label shows as its IRI, is never found by search and never matched in a page of that
    language.

    Example: :HeLanShan with the label 贺兰山@zh and none in English
    Mend: add a label, for example rdfs:label "…"@{language}
    """
    for language in limits.languages:
        advice = f'add rdfs:label "…"@{language}'
        lacking = [c for c in facts.classes if not _has_label(c, language)]
        if facts.classes and len(lacking) == len(facts.classes):
            yield Spot(facts.iri, f"none of {len(lacking)} classes has a label in {language}", mend=advice)
            continue
        for c in lacking:
            bare = not any(t.value.strip() for t in c.labels)
            reason = "no label in any language" if bare else f"no label in {language}"
            yield Spot(c.iri, reason, ("info" if facts.is_foreign(c.iri) else "error") if bare else None, advice)


def _has_label(c: Class, language: str) -> bool:
    """Return whether a class has a label in a language; an abbreviation counts in all."""
    return any(t.value.strip() and (_is_in(t, language) or _ABBREVIATION.fullmatch(t.value)) for t in c.labels)


def _is_in(text: Text, language: str) -> bool:
    """Return whether a text is in a language: zh-Hant is zh, but zh is no zh-Hant."""
    return text.language.lower() == language.lower() or text.language.lower().startswith(f"{language.lower()}-")


@rule("OC005", "doubled-label", "error")
def doubled_label(facts: Facts, _limits: Limits) -> Found:
    """Several labels in one language.

    One label is what the class is called; of two under one tag, every program takes another one, and ours refuses the
    file. Tags with script or region (zh-Hans, zh-Hant) are languages of their own.

    Example: rdfs:label "内涝"@zh, "城市内涝"@zh
    Mend: keep one as rdfs:label and make the others skos:altLabel
    """
    for c in facts.classes:
        by_language: dict[str, list[str]] = defaultdict(list)
        for t in c.labels:
            by_language[t.language].append(t.value)
        for language, values in sorted(by_language.items()):
            if len(values) > 1:
                where = f"in {language}" if language else "without a language"
                yield Spot(c.iri, f"{len(values)} labels {where}: {', '.join(values)}")


@rule("OC006", "label-clash", "warning")
def label_clash(facts: Facts, _limits: Limits) -> Found:
    """One name for two concepts.

    A page that has the word is about both concepts or neither; a person who searches it finds the wrong one.
    Compared are labels and other names of one language, after width, case and white space are folded.

    Example: 洪水 is the label of :Flood and another name of :FloodWater
    Mend: keep the name at one of them, or state that the concepts are equivalent
    """
    owners: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for c in facts.classes:
        for t in (*c.labels, *c.others):
            if folded(t.value):
                owners[t.primary, folded(t.value)].setdefault(c.iri, t.value)
    for (language, _), found in sorted(owners.items()):
        first, *others = found
        for other in others:
            if frozenset((first, other)) not in facts.equivalents:
                tag = f"@{language}" if language else ""
                yield Spot(other, f"{found[other]}{tag} is also a name of {facts.label(first)} <{first}>")


@rule("OC007", "repeated-name", "info")
def repeated_name(facts: Facts, _limits: Limits) -> Found:
    """Another name that adds nothing.

    Another name that is the label again, or another other name in a different spelling of width, case or white
    space, is matched anyway and makes lists longer.

    Example: label "GIS"@en, other name "gis"@en
    Mend: delete the repeated name
    """
    for c in facts.classes:
        seen = {(t.language, folded(t.value)) for t in c.labels}
        for t in c.others:
            key = t.language, folded(t.value)
            if key in seen:
                yield Spot(c.iri, f"the other name {t.value!r} repeats a name of the same class")
            seen.add(key)


@rule("OC008", "untagged-label", "warning")
def untagged_label(facts: Facts, _limits: Limits) -> Found:
    """A label without a language.

    Programs choose labels by language; a label without a tag is shown in no language, or in all.

    Example: rdfs:label "暴雨"
    Mend: add the language: @zh or @en
    """
    for c in facts.classes:
        names = [t.value for t in (*c.labels, *c.others) if not t.language]
        if names:
            yield Spot(c.iri, f"no language at {', '.join(map(repr, names))}")


@rule("OC009", "other-language", "info")
def other_language(facts: Facts, _limits: Limits) -> Found:
    """A label that is not of its language.

    A Chinese label tagged as English is matched by the rules of English words, and shown to readers who can't
    read it. Short forms (WRF, GIS) are Chinese enough.

    Example: rdfs:label "贺兰山"@en
    Mend: correct the language tag, or translate the name
    """
    for c in facts.classes:
        for t in (*c.labels, *c.others):
            if t.primary == "en" and _HAN.search(t.value):
                yield Spot(c.iri, f"{t.value!r} is tagged {t.language} and has Chinese characters")
            elif t.primary == "zh" and not _HAN.search(t.value) and not _is_short_form(t.value):
                yield Spot(c.iri, f"{t.value!r} is tagged {t.language} and has no Chinese character")


def _is_short_form(text: str) -> bool:
    return all(_SHORT_FORM.fullmatch(word) for word in text.split())


@rule("OC030", "missing-definition", "info")
def missing_definition(facts: Facts, _limits: Limits) -> Found:
    """No definition.

    Without a definition two people put different things under the same class. One language is enough.

    Example: :Waterlogging has labels and no skos:definition
    Mend: add skos:definition, in a sentence that names the superclass and what sets the class apart
    """
    for c in facts.classes:
        if not any(t.value.strip() for t in c.definitions):
            yield Spot(c.iri, "no definition in any language")


@rule("OC031", "equal-definitions", "warning")
def equal_definitions(facts: Facts, _limits: Limits) -> Found:
    """Two classes with the same definition.

    What is defined by the same words is the same class; or one of the definitions was copied.

    Example: 暴雨 and 强降水, both '24 小时降水量 50 毫米以上的雨'
    Mend: join the classes, state that they are equivalent, or say what sets them apart
    """
    owners: dict[tuple[str, str], list[str]] = defaultdict(list)
    for c in facts.classes:
        for t in c.definitions:
            if folded(t.value):
                owners[t.primary, folded(t.value)].append(c.iri)
    for (_, text), found in sorted(owners.items()):
        apart = [i for i in found[1:] if i != found[0] and frozenset((found[0], i)) not in facts.equivalents]
        for iri in apart:
            short = text[:60] + ("…" if len(text) > 60 else "")
            yield Spot(iri, f"the same definition as {some(facts, [found[0]])}: {short}")


@rule("OC032", "empty-definition", "warning")
def empty_definition(facts: Facts, _limits: Limits) -> Found:
    """A definition that says nothing.

    A definition that is the label again, or its own other name, defines nothing.

    Example: 洪水 skos:definition "洪水。"@zh
    Mend: say what it is a kind of, and what sets it apart; or leave the definition out
    """
    for c in facts.classes:
        names = {folded(t.value).strip(".。 ") for t in (*c.labels, *c.others)}
        for t in c.definitions:
            if t.value.strip() and folded(t.value).strip(".。 ") in names:
                yield Spot(c.iri, f"the definition {t.value!r} is only the name")
