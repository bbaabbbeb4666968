"""One class with another label, another name, a definition or a cross-reference more or less."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import get_args

from ontology.decisions.decision import Decision
from ontology.decisions.facts import Verdict
from ontology.model import Concept, NameScope, OtherText, ScopedName, language_tag


def _set(texts: tuple[str, ...], text: str, *, holds: bool) -> tuple[str, ...]:
    others = tuple(t for t in texts if t != text)
    return (*others, text) if holds else others


def with_names_of(concept: Concept, other: Concept) -> Concept:
    """Return a class with the labels and other names of another as other names."""
    for language, form in other.forms():
        concept = _other_name(concept, language=language, text=form, holds=True)
    return concept


def without_names(concept: Concept, forms: Collection[tuple[str, str]]) -> Concept:
    """Return a class without the other names that are those of classes of their own, given as (language, form)."""
    return replace(
        concept,
        alt_zh=tuple(name for name in concept.alt_zh if ("zh", name) not in forms),
        alt_en=tuple(name for name in concept.alt_en if ("en", name) not in forms),
    )


def labelled(concept: Concept, *, language: str, text: str) -> Concept:
    """Return a class with another label; the one before stays another name if it is the term of the documents."""
    if language == "zh":
        concept = _untagged(concept, "zh", concept.label_zh)
        alt = _set(_set(concept.alt_zh, concept.label_zh, holds=bool(concept.label_zh)), text, holds=False)
        return replace(concept, label_zh=text, alt_zh=alt)
    if language == "en":
        concept = _untagged(concept, "en", concept.label_en or "")
        is_term = not concept.label_zh and concept.label_en is not None
        alt = _set(_set(concept.alt_en, concept.label_en or "", holds=is_term), text, holds=False)
        return replace(concept, label_en=text, alt_en=alt)
    new = OtherText("label", language, text)
    others = tuple(t for t in concept.texts if (t.role, t.language) != ("label", new.language))
    return replace(concept, texts=(*others, new)).with_views()


def _untagged(concept: Concept, language: str, text: str) -> Concept:
    """Return a class whose files have no name in one of the two languages under a tag such as zh-Hans any more."""
    texts = tuple(t for t in concept.texts if t.role == "definition" or (t.view, t.text) != (language, text))
    return replace(concept, texts=texts)


def _other_name(concept: Concept, *, language: str, text: str, holds: bool) -> Concept:
    """Return a class with or without another name; a label that is rejected is no label either."""
    if language in ("zh", "en") and not holds:
        concept = _untagged(concept, language, text)
    if language == "zh":
        label_zh = concept.label_zh if holds or text != concept.label_zh or not concept.label_en else ""
        alt = _set(concept.alt_zh, text, holds=holds and text != label_zh)
        return replace(concept, label_zh=label_zh, alt_zh=alt)
    if language == "en":
        label_en = concept.label_en if holds or text != concept.label_en or not concept.label_zh else None
        alt = _set(concept.alt_en, text, holds=holds and text != label_en)
        return replace(concept, label_en=label_en, alt_en=alt)
    new = OtherText("synonym", language, text)
    others = tuple(t for t in concept.texts if t.role == "definition" or (t.language, t.text) != (new.language, text))
    if holds:
        return replace(concept, texts=(*others, new)).with_views()
    gone = replace(concept, texts=others)
    if new.view and not any(t.text == text and t.view == new.view for t in others):
        return _other_name(gone, language=new.view, text=text, holds=False)
    return gone


def scoped(concept: Concept, *, language: str, text: str, verdict: Verdict) -> Concept:
    """Return a class with or without another name, which may be one of something narrower, broader or related."""
    concept = _other_name(concept, language=language, text=text, holds=verdict.holds)
    tag = language_tag(language)
    others = tuple(name for name in concept.scopes if (name.language, name.text) != (tag, text))
    scope = next((s for s in get_args(NameScope) if s == verdict.text and verdict.holds), None)
    return replace(concept, scopes=others if scope is None else (*others, ScopedName(scope, language, text)))


def cross_referenced(concept: Concept, *, text: str, holds: bool) -> Concept:
    """Return a class with or without a cross-reference."""
    return replace(concept, xrefs=_set(concept.xrefs, text, holds=holds))


def defined(concept: Concept, *, language: str, text: str) -> Concept:
    """Return a class with another definition in a language, or with none."""
    new = OtherText("definition", language, text)
    views = ("definition", language) if language in ("zh", "en") else ("definition", new.view)
    if views[1]:
        before = concept.definition if views[1] == "zh" else concept.definition_en
        kept = tuple(t for t in concept.texts if t.role != "definition" or (t.view, t.text) != (views[1], before))
        concept = replace(concept, texts=kept)
    if language == "zh":
        return replace(concept, definition=text)
    if language == "en":
        return replace(concept, definition_en=text)
    others = tuple(t for t in concept.texts if (t.role, t.language) != ("definition", new.language))
    return replace(concept, texts=(*others, new) if text else others)


def text_of(concept: Concept, decision: Decision) -> str:
    """Return the label or the definition that a decision is about, as it is before; "" for other decisions."""
    texts: Mapping[tuple[str, str], str | None] = {
        ("label", "zh"): concept.label_zh,
        ("label", "en"): concept.label_en,
        ("definition", "zh"): concept.definition,
        ("definition", "en"): concept.definition_en,
    }
    roles = {"rename": "label", "translate": "label", "define": "definition"}
    others: Iterable[OtherText] = (t for t in concept.texts if t.role == roles.get(decision.action))
    known = texts.get((roles.get(decision.action, ""), decision.language))
    return known or next((t.text for t in others if t.language == language_tag(decision.language)), "")
