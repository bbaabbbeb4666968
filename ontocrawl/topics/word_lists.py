"""The list of words that steers crawls on a learned topic: ``words.tsv`` beside its topic file.

A table with a line for each word: its weight, forms in both languages, the three shares from which the weight follows
(`ontology.topic_words`), the number of papers with it, and where it comes from. The topic file shows its first
words, and a weight there goes before that of the list. A weight that a person changes in the list stays at the next
build, and so does a word that a person adds; 0 leaves a word out.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ontocrawl.errors import UsageError
from ontocrawl.topics.reviewed import Reviewed
from ontology.files import read_text, tab_cells, write_atomically
from ontology.terms.wordforms import has_han, normal, singular
from ontology.topic_words import (
    CORPUS,
    FULL,
    GIVEN,
    LABEL,
    PAGES,
    TopicWord,
    by_prominence,
    weight_of,
    weight_on_pages,
    with_words,
)

FILE = "words.tsv"
COLUMNS = ("word", "weight", "zh", "en", "p", "g", "o", "texts", "from")
_HEAD = (
    "# The words that steer crawls on the topic {name}, by `ontocrawl ontology build` from {about}.\n"
    "# Change a weight (0 to 0.25, 0 leaves the word out) or add a line: the next build keeps both.\n"
)
_DIGITS = 6
_SAME = 1e-3
"""Difference up to which two weights are the same: weights are rounded where they are shown."""


class WordListError(UsageError, ValueError):
    """An invalid list of words; the message names file and line."""


def write(words: Sequence[TopicWord], path: Path, name: str, about: str) -> None:
    """Write a list of words, atomically.

    Args:
        words: the words, in the order of the file.
        path: the file.
        name: name of the topic.
        about: what the words come from, for the head of the file.
    """
    rows = ["\t".join(_cells(word)) for word in words]
    text = _HEAD.format(name=name, about=about) + "\n".join(("\t".join(COLUMNS), *rows)) + "\n"
    write_atomically(path, text.encode())


def as_written(words: Iterable[TopicWord]) -> tuple[TopicWord, ...]:
    """Return words with their numbers as `write` rounds them, and as `read` returns them."""
    return tuple(_word(dict(zip(COLUMNS, _cells(one), strict=True))) for one in words)


def _cells(one: TopicWord) -> tuple[str, ...]:
    shares = (f"{one.p:.{_DIGITS}g}", f"{one.g:.{_DIGITS}g}", "" if one.o is None else f"{one.o:.{_DIGITS}g}")
    forms = (" | ".join(one.zh), " | ".join(one.en))
    return one.word, f"{one.weight:.{_DIGITS}g}", *forms, *shares, str(one.texts), one.source


def read(path: Path) -> tuple[TopicWord, ...]:
    """Read a list that `write` wrote, or a person edited: cells at the end of a line may be missing.

    Raises:
        WordListError: the file is missing or invalid; the message has the line.
    """
    if not path.exists():
        raise WordListError("topics.missing_bring_file_back", path=path)
    rows = [
        (number, cells)
        for number, line in enumerate(read_text(path, WordListError).splitlines(), 1)
        if line.strip() and not (cells := tab_cells(line))[0].startswith("#")
    ]
    if not rows or tuple(rows[0][1]) != COLUMNS:
        raise WordListError("topics.expected_table_columns_separated", path=path, columns=", ".join(COLUMNS))
    words, lines = dict[str, TopicWord](), dict[str, int]()
    for number, cells in rows[1:]:
        try:
            one = _word(dict(zip(COLUMNS, cells, strict=False)))
        except ValueError as error:
            raise WordListError("files.line", path=path, line=number, error=error) from error
        if one.word in words:
            first = f"as in line {lines[one.word]}"
            raise WordListError("topics.line_word_twice_remove", path=path, number=number, word=one.word, first=first)
        words[one.word], lines[one.word] = one, number
    return tuple(words.values())


def reweigh(path: Path, words: Sequence[TopicWord]) -> None:
    """Give words their weights in a list, atomically; what else a person wrote there stays. A new word is added.

    Args:
        path: the file.
        words: the words with their new weights.
    """
    weights = {one.word: f"{one.weight:.{_DIGITS}g}" for one in words}
    lines = []
    for line in read_text(path, WordListError).splitlines():
        word, *cells = tab_cells(line)
        is_row = not word.startswith("#") and (word, *cells) != COLUMNS
        weight = weights.pop(normal(word), None) if is_row else None
        lines.append(line if weight is None else "\t".join((word, weight, *cells[1:])))
    lines += ["\t".join(_cells(one)) for one in words if one.word in weights]
    write_atomically(path, ("\n".join(lines) + "\n").encode())


def full_weight(one: TopicWord, shown: Iterable[Shown]) -> float:
    """Return the weight of a word before a person left it out: by its shares, else as the topic file shows it."""
    if one.source == CORPUS:
        return _computed(one)
    forms = {normal(form) for _, form in one.forms}
    named = (h for h, zh, en in shown if h and not forms.isdisjoint(map(normal, (*zh, *en))))
    return FULL * next(named, 1.0)


def _word(cells: Mapping[str, str]) -> TopicWord:
    word = normal(cells["word"])
    if not word:
        raise ValueError("a word is missing in the first column")
    zh, en = ([form for form in map(str.strip, cells.get(x, "").split("|")) if form] for x in ("zh", "en"))
    if not (zh or en):
        (zh if has_han(word) else en).append(word)
    weight = _number(cells, "weight", FULL)
    if not 0 <= weight <= FULL:
        raise ValueError(f"the weight {weight:g} of {word!r}: expected a number from 0 to {FULL:g}")
    o = _number(cells, "o", math.nan)
    return TopicWord(
        word, tuple(zh), tuple(en), weight, _number(cells, "p", 0.0), _number(cells, "g", 0.0),
        None if math.isnan(o) else o, int(_number(cells, "texts", 0)), cells.get("from", "").strip() or GIVEN,
    )  # fmt: skip


def _number(cells: Mapping[str, str], name: str, default: float) -> float:
    text = cells.get(name, "").strip()
    try:
        number = float(text) if text else default
    except ValueError:
        raise ValueError(f"column {name}: expected a number, found {text!r}") from None
    if text and not (math.isfinite(number) and number >= 0):
        raise ValueError(f"column {name}: expected a number, 0 or more, found {text!r}")
    return number


def kept(before: Sequence[TopicWord], words: Sequence[TopicWord], now: Container[str] = ()) -> tuple[TopicWord, ...]:
    """Return the words of a new build with what a person changed in the list of the build before.

    A weight was changed if it does not follow from the shares beside it; a word was added if it comes from no paper.
    The label of an earlier build is left out where the topic has another one now.

    Args:
        before: the list as it is now.
        words: the words of the new build.
        now: words that a person gives in the new build, whose weights count.

    Returns:
        The words by prominence.
    """
    found = {one.word: one for one in words}
    for one in before:
        new = found.get(one.word)
        if one.word in now or (one.source == LABEL and new is None):
            continue
        if one.source == CORPUS and abs(one.weight - _computed(one)) > _SAME:
            found[one.word] = replace(new or one, weight=one.weight)
        elif one.source != CORPUS and (new is None or one.weight != new.weight):
            found[one.word] = replace(new or one, weight=one.weight, source=one.source)
    return tuple(by_prominence(found.values()))


Shown = tuple[float, tuple[str, ...], tuple[str, ...]]
"""A word of a topic file: its weight h, its Chinese and its English forms."""


def overridden(words: Sequence[TopicWord], shown: Iterable[Shown]) -> tuple[TopicWord, ...]:
    """Return a list with the weights of a topic file, which go before its own.

    A weight h of a topic file, from 0 to 1, is h / 4 here. A word of the topic file that the list lacks is added.

    Args:
        words: the list.
        shown: the words of the topic file.
    """
    by_word = {one.word: one for one in words}
    of_form = {normal(form): one.word for one in words for _, form in one.forms}
    for h, zh, en in shown:
        forms = [normal(form) for form in (*zh, *en)]
        word = next((of_form[form] for form in forms if form in of_form), singular(forms[0]))
        known = by_word.get(word)
        weight = FULL * h
        if known is None:
            by_word[word] = TopicWord(word, zh, en, weight, source=GIVEN)
        else:
            same = abs(known.weight - weight) <= _SAME
            by_word[word] = replace(
                known, zh=_all(zh, known.zh), en=_all(en, known.en), weight=known.weight if same else weight
            )
    return tuple(by_word.values())


def with_verdicts(words: Sequence[TopicWord], verdicts: Iterable[Reviewed]) -> tuple[TopicWord, ...]:
    """Return a list with the terms of proposals that a person accepted, and without those that a person rejected.

    An accepted term has at least the weight that its relevant pages support; without such pages, as a term of the
    papers, it adds none. A rejected one has the weight 0, unless it is of the label or was given.

    Args:
        words: the list.
        verdicts: the verdicts that count, in any order.
    """
    accepted: dict[str, float] = {}
    rejected: set[str] = set()
    for one in verdicts:
        said = one.proposal
        if said.kind == "relation":
            continue
        if one.status == "accepted":
            if weight := weight_on_pages(said.term, said.pages, said.of_pages):
                accepted[said.term] = weight / FULL
        else:
            rejected.add(singular(normal(said.term)))
    left = (replace(w, weight=0.0) if w.source == CORPUS and w.word in rejected else w for w in words)
    return tuple(with_words(left, accepted, PAGES))


def given(words: Sequence[TopicWord], shown: Iterable[Shown]) -> list[Shown]:
    """Return the words of a topic file that a person wrote there: those that say something else than a build wrote.

    A build wrote the weight of the list; of a word of the papers that which follows from its shares, whatever a person
    made of it in the list since.

    Args:
        words: the list.
        shown: the words of the topic file.
    """
    by_form = {normal(form): one for one in words for _, form in one.forms}
    said = []
    for row in shown:
        known = [by_form[name] for form in (*row[1], *row[2]) if (name := normal(form)) in by_form]
        written = [w for one in known for w in (one.weight, _computed(one))]
        if not any(abs(weight - FULL * row[0]) <= _SAME for weight in written):
            said.append(row)
    return said


def _computed(one: TopicWord) -> float:
    """Return the weight that a build gave a word."""
    return weight_of(one.p, one.g, one.o) if one.source == CORPUS else one.weight


def _all(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))
