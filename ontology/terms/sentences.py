"""Sentences of a text, Chinese or English, with their offsets; and clauses, which also end at a semicolon.

The rules: a line end is a paragraph's end. ``。！？`` end a sentence with the closing quotes and brackets that follow
them; ``.``, ``!`` and ``?`` of English do so before a blank and what can begin a sentence, unless an abbreviation or an
initial stands before the full stop. The references of a sentence (``. [3]``) belong to it. Measured against two
treebanks and four libraries in docs/benchmarks/sentences.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ontology.terms.lexicon import word_list

Offsets = tuple[int, int]
"""Start and end of a part of a text."""
_HAN = r"\u3400-\u9fff"
_CLOSING = r"[”’\"'）)\]】」』》]*"
_END = re.compile(
    rf"(?P<han>[。！？]+(?:[。！？…!?]*){_CLOSING})"
    rf"|(?P<latin>(?:\.{{1,4}}|[!?]+|…+){_CLOSING}(?:\s*\[[\d\s,–-]+\])*)(?=\s|\Z)"
    rf"|(?<=[{_HAN}）])(?P<between>[.．]{_CLOSING})(?=[{_HAN}“（])"
    r"|(?P<line>[\n\r\u2028\u2029]+)"
)
_BEGINS = re.compile(rf"\s+(?P<opening>[\"“‘(（\[【]*)(?P<first>[^\W\d_]|\d|[{_HAN}])?")
_LAST_WORD = re.compile(r"([^\s(（\[“\"]*)$")
_INITIAL = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_MAY_END = frozenset({"etc", "al", "inc", "ltd", "co", "corp", "jr", "sr"})
"""Abbreviations that may be the last word of a sentence."""
_CLAUSE_END = re.compile(r"[；;]+")
_MARKS = " \t.．。！？!?…"


def sentence_spans(text: str) -> list[Offsets]:
    """Find the sentences of a text.

    Args:
        text: a text, Chinese or English; a line end ends a paragraph.

    Returns:
        Start and end of each sentence, in order, without the white space around it and with its end marks.

    >>> text = "“暴雨成灾！”他说。Floods (e.g. in Fig. 3) rose by 1.5 m. [2] They fell."
    >>> [text[start:end] for start, end in sentence_spans(text)]
    ['“暴雨成灾！”', '他说。', 'Floods (e.g. in Fig. 3) rose by 1.5 m. [2]', 'They fell.']
    """
    return [span for span in _pieces(text, _ends(text)) if span[0] < span[1]]


def sentences(text: str) -> list[str]:
    """Return the sentences of a text with their end marks.

    >>> sentences("暴雨成灾。Floods rose.")
    ['暴雨成灾。', 'Floods rose.']
    """
    return [text[start:end] for start, end in sentence_spans(text)]


def clauses(text: str) -> list[str]:
    """Return the parts of a text between the ends of sentences and semicolons, without their end marks.

    >>> clauses("暴雨成灾；河水上涨。Floods rose by 1.5 m; they fell.")
    ['暴雨成灾', '河水上涨', 'Floods rose by 1.5 m', 'they fell']
    """
    parts = (part for sentence in sentences(text) for part in _CLAUSE_END.split(sentence))
    return [clause for part in parts if (clause := part.strip(_MARKS))]


def _ends(text: str) -> Iterator[Offsets]:
    """Yield the end of each sentence, and where the next one may begin."""
    for mark in _END.finditer(text):
        if mark["line"] is not None:
            yield mark.start(), mark.end()
        elif mark["latin"] is None or _is_end(text, mark):
            yield mark.end(), mark.end()


def _is_end(text: str, mark: re.Match[str]) -> bool:
    """Return whether a full stop, ``!``, ``?`` or dots before a blank end a sentence."""
    following = _BEGINS.match(text, mark.end())
    if following is None or (first := following["first"]) is None:
        return True
    if first.islower() and not following["opening"]:
        return False
    if not mark["latin"].startswith(".") or mark["latin"].startswith(".."):
        return True
    last = _LAST_WORD.search(text[max(0, mark.start() - 40) : mark.start()])
    word = last[1] if last is not None else ""
    lower = word.lower()
    if first.isdigit():
        return lower not in word_list("abbreviations_before_numbers_en")
    if _INITIAL.fullmatch(word) and word != "I" and (word.isupper() or "." in word):
        return False
    return lower not in word_list("abbreviations_en") or lower in _MAY_END


def _pieces(text: str, ends: Iterator[Offsets]) -> Iterator[Offsets]:
    start = 0
    for end, following in [*ends, (len(text), len(text))]:
        yield _trimmed(text, start, end)
        start = following


def _trimmed(text: str, start: int, end: int) -> Offsets:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
