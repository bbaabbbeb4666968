"""Rules about how names are written: IRIs in CamelCase, no stray white space, width, case, broken characters."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

from ontology.iris import local_name
from ontology.lint.facts import Class, Facts, Text, local_part
from ontology.lint.registry import Limits, Spot, rule

Found = Iterator[Spot]
_CAMEL = re.compile(r"[A-Z][A-Za-z0-9]*(-[0-9a-f]{6})?")
"""As ontology.iris makes them: CamelCase, after a clash with a short hash."""
_HASH = re.compile(r"-[0-9a-f]{6}$")
_SPACES = re.compile(r"^\s|\s$|\s{2,}|[^\S ]|[\u200b-\u200f\u2060\ufeff]")
_WIDE = re.compile(r"[\uff01-\uff5e\u3000]")
_IDENTIFIER = re.compile(r"\w*_\w*|[a-z]+(?:[A-Z][a-z]+)+|(?:[A-Z][a-z]+){2,}")
_PUNCTUATION = frozenset("，。；：？！（）")
"""Full-width marks that are right in Chinese."""


def _names(c: Class) -> tuple[Text, ...]:
    return (*c.labels, *c.others)


@rule("OC040", "iri-style", "info")
def iri_style(facts: Facts, _limits: Limits) -> Found:
    """An IRI that is not CamelCase.

    IRIs stand in queries and file names; one style (CamelCase of ASCII letters and digits) makes them
    predictable. An IRI that is published must stay what it is.

    Example: :urban_waterlogging, :城市内涝
    Mend: rename it before the first publication; afterwards leave it
    """
    for c in facts.classes:
        if not _CAMEL.fullmatch(local_part(c.iri)):
            yield Spot(c.iri, f"{local_part(c.iri)!r} is not CamelCase")


@rule("OC041", "iri-and-label", "info")
def iri_and_label(facts: Facts, _limits: Limits) -> Found:
    """An IRI and a label that say different things.

    A label was changed and the IRI kept (rightly, if it is published), or the class was turned into another
    one: then every link to it is wrong.

    Example: :Flood with the label 'drought'@en
    Mend: make sure that the class still means what its IRI says; else make a new class
    """
    for c in facts.classes:
        iri_letters = _bare(_HASH.sub("", local_part(c.iri)))
        if not re.search(r"[a-z]{3}", iri_letters) or all(t.primary == "zh" for t in _names(c)):
            continue  # a number or a code; or an IRI of an English name that isn't there
        expected = {_bare(local_name(t.value, t.value if t.primary != "zh" else None)) for t in _names(c) if t.value}
        if expected and iri_letters not in expected:
            yield Spot(c.iri, f"{local_part(c.iri)!r} is none of the names {', '.join(t.value for t in c.labels)}")


def _bare(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


@rule("OC042", "white-space", "warning")
def white_space(facts: Facts, _limits: Limits) -> Found:
    """Stray white space in a name.

    Leading, trailing, doubled or invisible white space (no-break, zero-width, line breaks) makes two names that
    look equal differ, and no text is ever matched.

    Example: a space after 城市内涝, two spaces within storm surge, a zero-width space within 暴雨
    Mend: write the name with single plain spaces
    """
    for c in facts.classes:
        for t in _names(c):
            if _SPACES.search(t.value):
                yield Spot(c.iri, f"stray white space in {t.value!r}")  # repr shows what does not print


@rule("OC043", "full-width", "warning")
def full_width(facts: Facts, _limits: Limits) -> Found:
    """Full-width letters or digits in a name.

    ＷＲＦ is not WRF to a program that compares; exports of some databases mix both. Full-width punctuation in
    Chinese is right and left alone.

    Example: ＷＲＦ模式
    Mend: write half-width letters, digits and marks
    """
    for c in facts.classes:
        for t in _names(c):
            wide = [x for x in _WIDE.findall(t.value) if t.primary != "zh" or x not in _PUNCTUATION]
            if wide:
                yield Spot(c.iri, f"{t.value!r}, better {unicodedata.normalize('NFKC', t.value)!r}")


@rule("OC044", "mixed-case", "info")
def mixed_case(facts: Facts, _limits: Limits) -> Found:
    """A label in another case than the others.

    Labels of one ontology read as one list: 'storm surge' beside 'Flash Flood' looks like two sources. The
    style of most English labels is taken as the ontology's own; short forms and proper names in capitals don't
    count.

    Example: 'Flash Flood' where nearly all labels are lower case
    Mend: write it as the others are written, unless it is a proper name
    """
    styles = {c.iri: (t.value, _style(t.value)) for c in facts.classes for t in c.labels if t.primary == "en"}
    number = Counter(style for _, style in styles.values() if style)
    if not number:
        return
    usual, most = number.most_common(1)[0]
    if most * 10 < 6 * sum(number.values()) or sum(number.values()) < 5:
        return  # there is no style to depart from
    for iri, (value, style) in styles.items():
        if style not in ("", usual):
            yield Spot(iri, f"{value!r} is in {style}, {most} of {sum(number.values())} English labels are in {usual}")


def _style(label: str) -> str:
    """Return "lower case" or "title case" by the words after the first; "" if ambiguous ('Doppler radar')."""
    first, *others = re.findall(r"[A-Za-z][A-Za-z'-]*", label) or [""]
    telling = [w for w in others if len(w) > 3 and (w.islower() or w.istitle())]
    if not telling:
        return "lower case" if first.islower() and not others else ""
    if all(w.istitle() for w in telling) and first[0].isupper():
        return "title case"
    return "lower case" if all(w.islower() for w in telling) and first.islower() else ""


@rule("OC045", "identifier-as-label", "info")
def identifier_as_label(facts: Facts, _limits: Limits) -> Found:
    """A label that is an identifier.

    Labels are for people and for matching in text, where nobody writes flash_flood or FlashFlood.

    Example: rdfs:label 'FlashFlood'@en
    Mend: write the words apart: flash flood
    """
    for c in facts.classes:
        for t in c.labels:
            if _IDENTIFIER.fullmatch(t.value) and t.value.isascii():
                yield Spot(c.iri, f"{t.value!r} is written as an identifier")


@rule("OC046", "broken-characters", "error")
def broken_characters(facts: Facts, _limits: Limits) -> Found:
    """Characters that no text has.

    Replacement characters (U+FFFD), control and private-use characters come from a wrong encoding; the name
    can't be matched, and XML can't hold all of them.

    Example: '暴�'
    Mend: read the source again in its right encoding, or type the name anew
    """
    for c in facts.classes:
        for t in (*_names(c), *c.definitions):
            wrong = sorted({x for x in t.value if _broken(x)})
            if wrong:
                codes = ", ".join(f"U+{ord(x):04X}" for x in wrong)
                yield Spot(c.iri, f"{codes} in {t.value[:60]!a}")


def _broken(character: str) -> bool:
    if character in "\t\n\r":
        return False  # OC042 has them
    return character == "\ufffd" or unicodedata.category(character) in ("Cc", "Cn", "Co", "Cs")
