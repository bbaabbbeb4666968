"""The labels of an ontology: concepts named in a text, and terms that are labels already or trivial variants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ontology.model import Concept
from ontology.terms.form_matcher import FormMatcher, Span, with_inflections
from ontology.terms.lexicon import word_list
from ontology.terms.occurrences import is_head
from ontology.terms.segment import segmenter
from ontology.terms.wordforms import has_han, normal, singular

_DEGREES = frozenset(("heavy", "severe", "serious", "strong", "extreme", "massive", "local", "regional", "event"))
"""Words that form no new term together with a label."""


class Labels:
    """The surface forms of an ontology's concepts; of concepts with an equal form the smallest IRI counts."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        ordered = sorted(concepts, key=lambda c: c.iri)
        self._iris = [concept.iri for concept in ordered]
        self._numbers = with_inflections(
            (form, number, language == "en")
            for number, concept in enumerate(ordered)
            for language, form in concept.forms()
        )
        self._matcher = FormMatcher([self._numbers])
        self._english = {_singulars(form) for form in self._numbers if not has_han(form)}

    @property
    def forms(self) -> Mapping[str, int]:
        """Folded form -> number of its concept."""
        return self._numbers

    def iri(self, number: int) -> str:
        """Return the IRI of a numbered concept."""
        return self._iris[number]

    def _spans(self, text: str) -> list[Span]:
        return list(self._matcher.spans(text)[0])

    def ending(self, text: str) -> str | None:
        """Return the concept whose label a text ends with."""
        folded = normal(text)
        return next((self._iris[number] for _, end, number in self._spans(folded) if end == len(folded)), None)

    def head_of(self, term: str) -> str | None:
        """Return the concept whose label is the head (the end) of a term: 山体滑坡 -> 滑坡; the longest such label."""
        folded = normal(term)
        tails = (folded[start:] for start in range(1, len(folded)) if has_han(folded) or folded[start - 1] == " ")
        heads = (t for t in tails if t in self._numbers and (is_head(t, folded) or not has_han(folded)))
        return next((self._iris[self._numbers[head]] for head in heads), None)

    def is_trivial(self, term: str) -> bool:
        """Return whether a term is a label, an inflection or a part of one, or labels with empty words around them."""
        folded = normal(term)
        if not has_han(folded):
            key = _singulars(folded)
            return any(f" {key} " in f" {form} " or _is_empty(key, form) for form in self._english)
        if any(folded in form for form in self._numbers):
            return True
        spans = self._spans(folded)
        ends = [0, *(end for _, end, _ in spans)]
        rest = [folded[end:start] for end, start in zip(ends, [*(s for s, _, _ in spans), len(folded)], strict=True)]
        stop = word_list("stop_pages_zh")
        return bool(spans) and (
            len("".join(rest)) <= 1 or all(w.text in stop for part in rest for w in segmenter().cut(part))
        )


def _singulars(form: str) -> str:
    return " ".join(map(singular, form.split()))


def _is_empty(key: str, form: str) -> bool:
    """Return whether an English term is a label with only stop words and words of degree around it."""
    before, match, after = f" {key} ".partition(f" {form} ")
    empty = word_list("stop_pages_en") | _DEGREES
    return bool(match) and all(word in empty for word in f"{before} {after}".split())
