"""Words of papers by field: how often papers of a field use each word.

A word that papers of any field use, *results* or 探讨, is no word of a topic, however rare it is in general text. A
corpus is compared with the papers of other fields; `other_fields` tells them from its own.

Texts are folded by `normal` and cut by `words_of_text`. A word is a fold class: the `singular` of the folded word. The
tables that come with the package, ``data/paper_words_zh.tsv.gz`` and ``paper_words_en.tsv.gz``, hold counts only;
data/README.md names the papers. A file is UTF-8, compressed by gzip if its name ends in .gz, and has a column for each
field; an empty one is a 0::

    # source: where the counts are from
    # least: 3
    # field: medicine<TAB>医学<TAB>medicine<TAB>209<TAB>26931
    # field: law<TAB>法学<TAB>law<TAB>117<TAB>14052
    word<TAB>count<TAB>count
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from ontology.terms.document_frequencies import LEAST, header, shipped_lines, table_lines, whole, write_table
from ontology.terms.keyness import BackgroundError
from ontology.terms.segment import words_of_text
from ontology.terms.wordforms import has_han, normal, singular

Language = Literal["zh", "en"]
_ID = re.compile(r"[a-z][a-z0-9_-]*")
_HEADS = "name_heads_zh.tsv.gz"
_FIELD = "# field:"
_COLUMNS = 5
_MOST = 10**9
_TWICE, _SHORTEST = 2, 2


@dataclass(frozen=True)
class PaperField:
    """How often the papers of a field use each word.

    Attributes:
        name: a short name of the characters a-z, 0-9, _ and -; a letter first.
        zh: the Chinese label of the field.
        en: the English label of the field.
        papers: number of papers.
        tokens: number of words of their texts, those without a count included.
        counts: word (a fold class) -> occurrences.

    >>> biology = PaperField("biology", "生物学", "biology", 2, 100, {"cell": 7})
    >>> biology.share("cell"), biology.share("market")
    (0.07, 0.0)
    """

    name: str
    zh: str
    en: str
    papers: int
    tokens: int
    counts: Mapping[str, int]

    def share(self, word: str) -> float:
        """Return the share of a word in all words of the field, in [0, 1]."""
        return self.counts.get(word, 0) / self.tokens


def words(text: str) -> list[str]:
    """Return the fold classes of the words of a text, in order.

    >>> words("Heavy Rains, 暴雨和台风")
    ['heavy', 'rain', '暴雨', '和', '台风']
    """
    return [singular(word) for word in words_of_text(normal(text))[0]]


def count(name: str, zh: str, en: str, texts: Iterable[str], least: int = 1) -> PaperField:
    """Count the words of the papers of a field.

    Args:
        name: a short name of the characters a-z, 0-9, _ and -; a letter first.
        zh: the Chinese label of the field.
        en: the English label of the field.
        texts: one text for each paper, title and abstract.
        least: leave out words with fewer occurrences; the number of tokens counts them.

    Raises:
        BackgroundError: the name has another form, or the texts have no word.
    """
    if not _ID.fullmatch(name):
        raise BackgroundError("terms.field_name_z_letter", name=name)
    counts: Counter[str] = Counter()
    papers = 0
    for text in texts:
        counts.update(words(text))
        papers += 1
    if not counts:
        raise BackgroundError("terms.texts_field_no_word", name=name)
    kept = {word: number for word, number in sorted(counts.items()) if number >= least}
    zh, en = (" ".join(label.split()) for label in (zh, en))
    return PaperField(name, zh, en, papers, counts.total(), MappingProxyType(kept))


def save(fields: Sequence[PaperField], path: Path, source: str, least: int = LEAST) -> None:
    """Write the words of fields as one table, atomically; equal fields are written as equal bytes.

    Args:
        fields: one or more, of different names.
        path: the file; compressed if its name ends in .gz.
        source: where the papers are from, with the licence.
        least: leave out words with fewer occurrences in all fields together.

    Raises:
        OSError: the file cannot be written.
    """
    lines = [f"# source: {' '.join(source.split())}", f"# least: {least}"]
    lines += [f"{_FIELD} {f.name}\t{f.zh}\t{f.en}\t{f.papers}\t{f.tokens}" for f in fields]
    for word in sorted(set().union(*(field.counts for field in fields))):
        row = [field.counts.get(word, 0) for field in fields]
        if sum(row) >= least:
            lines.append("\t".join((word, *(str(number or "") for number in row))))
    write_table(path, "\n".join(lines) + "\n")


def load(path: Path) -> tuple[PaperField, ...]:
    """Read a table that `save` wrote.

    Raises:
        BackgroundError: the file cannot be used; the message names file and line.
    """
    return _parsed(table_lines(path), str(path))


@lru_cache(maxsize=2)
def shipped(language: Language) -> tuple[PaperField, ...]:
    """Return the fields of a language that come with the package. Each table is read once, when it is asked for."""
    name = f"paper_words_{language}.tsv.gz"
    return _parsed(shipped_lines(name), name)


@lru_cache(maxsize=1)
def shipped_heads() -> tuple[PaperField, ...]:
    """Return for the Chinese fields how many names end with each head, in the place of words. The table is read once.

    A name is an author's keyword; it is counted in the field that has it most often, and is not in the table itself.
    """
    return _parsed(shipped_lines(_HEADS), _HEADS)


def heads_elsewhere(counts: Mapping[str, int], labels: Sequence[str]) -> Mapping[str, int]:
    """Return the number of names of other fields that end with each head; the fields of a corpus are left out.

    Args:
        counts: word -> occurrences in the corpus, as for `other_fields`.
        labels: labels of the topic.
    """
    own = {field.name for field in other_fields(shipped("zh"), counts, labels)[1]}
    heads: Counter[str] = Counter()
    for field in shipped_heads():
        if field.name not in own:
            heads.update(field.counts)
    return heads


def _parsed(lines: Sequence[tuple[str, str]], name: str) -> tuple[PaperField, ...]:
    header(lines[:1], "source", name)
    least = whole(header(lines[1:2], "least", name), 1, _MOST, lines[1][0])
    heads = [*takewhile(lambda line: line[1].startswith(_FIELD), lines[2:])]
    if not heads:
        header(lines[2:3], "field", name)
    fields = [_described(where, line) for where, line in heads]
    if len({field.name for field in fields}) < len(fields):
        raise BackgroundError("terms.two_fields_same_name", name=name)
    columns: list[dict[str, int]] = [{} for _ in fields]
    seen: set[str] = set()
    for where, line in lines[2 + len(heads) :]:
        word, *row = line.split("\t")
        if line and (not word or word in seen or len(row) != len(fields)):
            raise BackgroundError("terms.expected_new_word_counts", where=where, n_fields=len(fields), line=line)
        if not line:
            continue
        seen.add(word)
        for text, field, column in zip(row, fields, columns, strict=True):
            if text:
                column[word] = whole(text, 1, field.tokens, where)
        if sum(column.get(word, 0) for column in columns) < least:
            raise BackgroundError("terms.expected_more_occurrences_found", where=where, least=least, line=line)
    if not seen:
        raise BackgroundError("terms.no_word_expected_lines", name=name)
    return tuple(replace(field, counts=MappingProxyType(column)) for field, column in zip(fields, columns, strict=True))


def _described(where: str, line: str) -> PaperField:
    parts = line.removeprefix(_FIELD).strip().split("\t")
    if len(parts) != _COLUMNS or not _ID.fullmatch(parts[0]):
        raise BackgroundError("terms.expected_field_name_two", where=where, line=line)
    name, zh, en, papers, tokens = parts
    return PaperField(name, zh, en, whole(papers, 1, _MOST, where), whole(tokens, 1, _MOST, where), {})


def other_fields(
    fields: Sequence[PaperField], counts: Mapping[str, int], labels: Sequence[str]
) -> tuple[tuple[PaperField, ...], tuple[PaperField, ...]]:
    """Return the fields that a corpus is compared with, and those left out because they overlap with it.

    A field is left out by its label, where a label of the topic contains it or is contained in it (words in English,
    characters in Chinese; 管理学 is matched by the field 管理学, not by the 理学 in it). It is also left out by its
    words: where the characteristic words of the corpus are likelier in the field than in the mean of all fields,

        sum over w of n(w) ln(p_f(w) / m(w)) > 0,  p_f(w) = (c_f(w) + T m(w)) / (T_f + T)

    with n the counts of the corpus, m the mean share over the fields, c_f and T_f the counts and tokens of the field
    and T the mean of T_f. This is Dirichlet smoothing: a small field is taken for the mean until its papers say
    otherwise, and a word that no field has speaks against each of them, more against a large one. Characteristic is a
    word with two occurrences or more and a share of at least e m, one nat above the mean. A single field is its own
    mean: only its label can leave it out.

    Args:
        fields: fields of one language.
        counts: word (a fold class, as `words` returns it) -> occurrences in the corpus, all its words included.
        labels: labels of the topic, in any language.

    Returns:
        The used fields and those left out, each in the order of ``fields``.
    """
    named = _named(fields, labels)
    gained = gains(fields, counts)
    out = [field.name in named or gain > 0 for field, gain in zip(fields, gained, strict=True)]
    return (
        tuple(field for field, left in zip(fields, out, strict=True) if not left),
        tuple(field for field, left in zip(fields, out, strict=True) if left),
    )


def gains(fields: Sequence[PaperField], counts: Mapping[str, int]) -> list[float]:
    """Return for each field the sum that `other_fields` compares with 0.

    Args:
        fields: fields of one language.
        counts: word -> occurrences in a corpus or a text.
    """
    tokens = sum(counts.values())
    mean_tokens = sum(field.tokens for field in fields) / max(len(fields), 1)
    sums = [0.0] * len(fields)
    for word, number in counts.items():
        mean = sum(field.share(word) for field in fields) / max(len(fields), 1)
        if number < _TWICE or number < math.e * mean * tokens:
            continue
        for place, field in enumerate(fields):
            often = field.counts.get(word, 0) / mean if mean else 0.0
            sums[place] += number * math.log((often + mean_tokens) / (field.tokens + mean_tokens))
    return sums


def _named(fields: Sequence[PaperField], labels: Sequence[str]) -> set[str]:
    """Return the names of the fields whose labels are in a label of the topic, or the other way round."""
    found: set[str] = set()
    for label in (_spaced(label) for label in labels):
        inside: list[tuple[str, str]] = []
        for field in fields:
            for own in (_spaced(field.zh), _spaced(field.en)):
                if own.strip() and own in label:
                    inside.append((own, field.name))
                elif label in own and len(label.strip()) >= _SHORTEST:
                    found.add(field.name)
        found.update(name for own, name in inside if not any(own != other and own in other for other, _ in inside))
    return found


def _spaced(label: str) -> str:
    """Return a label so that ``in`` compares whole words of English, and characters of Chinese."""
    text = " ".join(singular(word) for word in normal(label).split())
    return text if has_han(text) else f" {text} "
