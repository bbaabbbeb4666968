"""Token stream: a corpus as one sequence of numbered words, on which all candidates are counted.

Titles and abstracts are folded (NFKC, lower case) and cut into words: runs of Han characters by `WordSegmenter`, Latin
words and formulae whole (β-, GPS/INS, CO2), everything else character by character. A document without a Han
character is read as English: its words are lower-cased, and those of the stop list are function words. The English
metadata of a Chinese document are left out, since they repeat the Chinese ones.

A *closed* word cannot occur within a term (function words, numbers, punctuation); a *weak* one can, but a term that
begins beside it is at its boundary (adverbs, numerals, places in space and time).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ontology.model import Document
from ontology.terms.lexicon import EMPTY, Lexicon, word_list
from ontology.terms.occurrences import is_chinese
from ontology.terms.segment import WordSegmenter, word_segmenter
from ontology.terms.wordforms import fold, has_han

BREAK = 0
"""Number of the word that separates fields and documents."""
LATIN, NUMBER, MARK = "eng", "num", "x"
"""Classes that jieba's dictionary lacks: a Latin word, digits, punctuation; NEW is that of an unknown word."""
_CLOSED = (
    "", MARK, NUMBER, "u", "uj", "ul", "uv", "uz", "ud", "ug", "p", "c", "r", "rr", "rz", "y", "e", "o", "w", "mq",
    "stop",
)  # fmt: skip
_WEAK = (*_CLOSED, "m", "d", "f", "t", "q", "zg")
_OPEN = frozenset({"几何", "自我", "自身", "自主", "对照", "本体", "自", "比", "互", "通过"})
"""Words that occur within terms although their most common class is closed (几何校正, 自适应, 通过能力)."""
_LATIN = r"[a-z0-9\u0370-\u03ff]+(?:[-+./_&'’][a-z0-9\u0370-\u03ff]+)*[+]*(?:[-–](?=[\u3400-\u9fff]))?"
_PIECE = re.compile(rf"(?P<han>[\u3400-\u9fff]+)|(?P<latin>{_LATIN})|(?P<space>[^\S\n\r]+)|(?P<mark>.)", re.DOTALL)
_DIGITS = re.compile(r"[0-9.,+\-/]+")


@dataclass(frozen=True)
class TokenStream:
    """The words of a corpus in order, numbered; n tokens, v different words.

    Attributes:
        words: text of each word number; 0 is the break.
        tags: word class of each word number.
        ids: word number of each token, (n,) int32; begins and ends with a break.
        records: number of the document of each token, (n,) int32.
        in_title: whether each token is in a title, (n,) bool.
        size: number of documents.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    ids: NDArray[np.int32]
    records: NDArray[np.int32]
    in_title: NDArray[np.bool_]
    size: int

    def number(self, word: str) -> int:
        """Return the number of a word, -1 for one that the corpus lacks."""
        return self.words.index(word) if word in self.words else -1

    @cached_property
    def closed(self) -> NDArray[np.bool_]:
        """Mask of the word numbers that are closed, (v,)."""
        return np.array([_in(w, t, _CLOSED) for w, t in zip(self.words, self.tags, strict=True)])

    @cached_property
    def weak(self) -> NDArray[np.bool_]:
        """Mask of the word numbers that are closed or weak, (v,)."""
        return np.array([_in(w, t, _WEAK) for w, t in zip(self.words, self.tags, strict=True)])

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Occurrences of each word number, (v,)."""
        return np.bincount(self.ids, minlength=len(self.words))

    @cached_property
    def tokens(self) -> int:
        """Number of words, without breaks and punctuation."""
        marks = np.array([t in ("", MARK) for t in self.tags])
        return int(self.counts[~marks].sum())


def _in(word: str, tag: str, classes: tuple[str, ...]) -> bool:
    return tag in classes and word not in _OPEN


def joined(words: Sequence[str]) -> str:
    """Return the text of a candidate: its words side by side, with a space between two Latin ones.

    >>> joined(["城市", "内涝"]), joined(["wrf", "模式"]), joined(["flash", "flood"])
    ('城市内涝', 'wrf模式', 'flash flood')
    """
    text = ""
    for word in words:
        text += f" {word}" if text and _ends_latin(text[-1]) and _ends_latin(word[0]) else word
    return text


def _ends_latin(character: str) -> bool:
    return character.isalnum() and not has_han(character)


def token_stream(
    documents: Sequence[Document], lexicon: Lexicon = EMPTY, stop: Collection[str] = frozenset()
) -> TokenStream:
    """Cut titles and abstracts of a corpus into words. The keywords of documents are not read.

    Args:
        documents: in the order in which ``records`` numbers them.
        lexicon: its words are not cut apart.
        stop: words that are closed, besides those of the stop list.
    """
    cutter = word_segmenter(tuple(sorted(fold(w) for w in lexicon.by_zh)))
    number: dict[str, int] = {"": BREAK}
    tags = [""]
    ids, records, titles, ends = [BREAK], [0], [False], [1]
    for record, document in enumerate(documents):
        for title, text in ((True, document_title(document)), (False, document_text(document))):
            for word, kind in _words(fold(text), cutter):
                word_id = number.setdefault(word, len(tags))
                if word_id == len(tags):
                    tags.append("stop" if word in stop else _class(word, kind, cutter))
                ids.append(word_id)
            ids.append(BREAK)
            records.append(record)
            titles.append(title)
            ends.append(len(ids))
    lengths = np.diff(ends, prepend=0)
    return TokenStream(
        tuple(number),
        tuple(tags),
        np.array(ids, np.int32),
        np.repeat(np.array(records, np.int32), lengths),
        np.repeat(np.array(titles), lengths),
        len(documents),
    )


def document_title(document: Document) -> str:
    """Return the title that candidates are taken from."""
    return document.title if is_chinese(document) else document.title_en or document.title


def document_text(document: Document) -> str:
    """Return the abstract that candidates are taken from."""
    return document.abstract if is_chinese(document) else document.abstract_en or document.abstract


def latin_words(text: str) -> Iterator[str]:
    """Return the Latin words of a text in its spelling.

    >>> list(latin_words("WRF模式, CO2 and GPS/INS"))
    ['WRF', 'CO2', 'and', 'GPS/INS']
    """
    normal = unicodedata.normalize("NFKC", text)
    lower = normal.lower()
    if len(lower) != len(normal):  # a few letters are two in lower case
        lower = "".join(small if len(small := c.lower()) == 1 else c for c in normal)
    return (normal[m.start() : m.end()] for m in _PIECE.finditer(lower) if m.lastgroup == "latin")


def _words(text: str, cutter: WordSegmenter) -> Iterator[tuple[str, str]]:
    """Yield each word with its kind: "han", "latin" or "mark"; no word is of two kinds."""
    before = ""
    for match in _PIECE.finditer(text):
        kind, piece = str(match.lastgroup), match.group()
        if kind == "han":
            for word in cutter.cut(piece):
                yield word, "han"
        elif kind == "latin":
            yield piece, "latin"
        elif kind == "mark" or (before == "han" and text[match.end() : match.end() + 1] > "\u3400"):
            yield piece[:1], "mark"
        before = kind


def _class(word: str, kind: str, cutter: WordSegmenter) -> str:
    if kind == "han":
        return cutter.token(word).tag
    if kind == "mark":
        return MARK
    if _DIGITS.fullmatch(word):
        return NUMBER
    return "stop" if word in word_list("stop_en") else LATIN
