"""The words of a page, of its anchors, of the text around them, and of the URLs of its links, as numbers.

A *token* is a word of the folded text (ontology.terms.wordforms.normal): runs of Han characters are cut by jieba, and
all else is split at what is neither letter nor digit. Its number is a hash, the same in every process. An English
plural has the number of its singular, so that what a crawl learns of *whale* counts for *whales* too. The *topic
weight* of a token is its share of the topic words (TK) that begin or go on in it: a word of weight .8 written as two
tokens gives each .4.

Only strategies that ask for tokens (``page_parts``) get them; for others a page is read without this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from sys import intern
from urllib.parse import unquote
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from crawler.model import NO_PLACE, Floats, Ids, OutLink, ParsedPage, TokenRows, Tokens
from crawler.text import Matcher, joined
from crawler.url import directory, host
from ontology.terms.form_matcher import BREAK, Span
from ontology.terms.segment import words_of_text
from ontology.terms.wordforms import singular

AROUND = 15
"""Tokens on either side of an anchor that are its context."""
_BLANK, _BREAK = ord(" "), ord(BREAK)
_TITLES = ("title", "title/a", "meta_keywords", "meta_description")


@lru_cache(maxsize=1 << 20)
def token(word: str) -> int:
    """Return the hash of a folded word, from 0 to 2^31 - 1, an English one in the singular.

    >>> token("rain"), token("暴雨"), token("wolves") == token("wolf")
    (928156333, 351415396, True)
    """
    return _hash(singular(word))


@lru_cache(maxsize=1 << 20)
def _hash(word: str) -> int:
    return crc32(word.encode()) & 0x7FFFFFFF


@dataclass(frozen=True)
class PageTokens:
    """The tokens of a page and of its links, in the order of ``PageRecord.links``."""

    page: TokenRows
    """One row."""
    anchors: TokenRows
    urls: TokenRows
    """Words of the path and the query, and last the host with the directories, as one token."""
    places: NDArray[np.int32]
    """First token of the first anchor of each link in the page, and the one after its last; -1 for an unknown place.
    Shape (links, 2)."""
    words: tuple[str, ...]
    """The different words of all tokens, as written; several may be forms of one token."""

    def contexts(self, links: Ids) -> TokenRows:
        """Return the tokens around the anchors of links, at most AROUND on either side, one row for each."""
        n = len(self.page.ids)
        first, end = self.places[links].astype(np.int64).T
        known = first >= 0
        before, after = np.maximum(first - AROUND, 0), np.minimum(end + AROUND, n)
        left, right = np.where(known, first - before, 0), np.where(known, after - end, 0)
        m = np.stack([left, right], axis=1).ravel()
        begins = np.stack([before, end], axis=1).ravel()
        at = np.arange(int(m.sum())) + np.repeat(begins - (np.cumsum(m) - m), m)
        indptr = np.concatenate(([0], np.cumsum(left + right)))
        return TokenRows(self.page.ids[at], indptr, self.page.topic[at])


@dataclass(frozen=True)
class _Cut:
    """Texts that were cut into tokens."""

    rows: TokenRows
    words: list[str]
    """The word of each token."""
    starts: Ids
    """Where each begins in the folded text."""
    whole: str
    """The folded text of all."""

    def written(self) -> Tokens:
        """Return a hash of each word as it is written, shape (n,)."""
        return np.fromiter(map(_hash, self.words), dtype=np.int32, count=len(self.words))


class Tokenizer:
    """Cuts texts into tokens, with the topic weight of each. Calls do not change it; it can be pickled.

    Args:
        matcher: matcher of TK; or of the vectors of the classes that take turns, each with topic weights of its own.
    """

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher

    def rows(self, texts: Sequence[str], words: dict[str, None] | None = None) -> TokenRows:
        """Return the tokens of texts, one row for each.

        Args:
            texts: any texts.
            words: gets the different words, in the order of their first occurrence.
        """
        return self._cut(texts, words if words is not None else {}).rows

    def urls(self, urls: Sequence[str], words: dict[str, None] | None = None) -> TokenRows:
        """Return the tokens of URLs, as ``PageTokens.urls``; arguments as for ``rows``."""
        found = words if words is not None else {}
        rows, directories = self.rows([_path(url) for url in urls], found), [directory(url) for url in urls]
        found.update(dict.fromkeys(directories))
        return _with_one_more(rows, [token(name) for name in directories])

    def page(self, document: ParsedPage) -> PageTokens:
        """Return the tokens of a page; of one that forbids to use its text only those of its links."""
        words = dict[str, None]()
        segments = () if document.noindex else document.segments
        texts, links = [text for _, text in segments], document.links
        cut, anchors = self._cut(texts, words), self._cut([link.anchor for link in links], words)
        page = cut.rows
        urls = self.urls([link.url for link in links], words)
        if document.noindex:
            places = np.full((len(links), 2), -1, dtype=np.int32)
        else:
            titles = next((row for row, (slot, _) in enumerate(segments) if slot not in _TITLES), len(segments))
            places = _places(links, texts, cut.starts, cut.whole)
            _search(places, cut, anchors, int(page.indptr[titles]))
        one = TokenRows(page.ids, np.array([0, len(page.ids)], dtype=np.int64), page.topic)
        return PageTokens(one, anchors.rows, urls, places, tuple(map(intern, words)))

    def _cut(self, texts: Sequence[str], words: dict[str, None]) -> _Cut:
        whole, ends = joined(texts)
        found, begins = words_of_text(whole)
        starts = np.asarray(begins, dtype=np.int64)
        words.update(dict.fromkeys(found))
        ids = np.fromiter(map(token, found), dtype=np.int32, count=len(found))
        row = np.searchsorted(ends, starts, side="right")
        indptr = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=len(texts))))).astype(np.int64)
        return _Cut(TokenRows(ids, indptr, self._topic(whole, starts)), found, starts, whole)

    def _topic(self, whole: str, starts: Ids) -> NDArray[np.float32]:
        """Return the topic weights of each token of a folded text; ``starts`` is where each begins."""
        spans = self._matcher.spans(whole)
        columns = [_shared(spans[v.name], v.weights, starts) for v in self._matcher.vocabularies]
        return columns[0] if len(columns) == 1 else np.stack(columns, axis=1)


def _shared(spans: Sequence[Span], weights: Floats, starts: Ids) -> NDArray[np.float32]:
    """Return the topic weight of each token: that of each word of a vector, shared by its tokens; shape (n,)."""
    if not spans or not len(starts):
        return np.zeros(len(starts), dtype=np.float32)
    begin, end, word = np.asarray(spans, dtype=np.int64).T
    first = np.maximum(np.searchsorted(starts, begin, side="right") - 1, 0)
    m = np.maximum(np.searchsorted(starts, end, side="left") - first, 1)
    at = np.arange(int(m.sum())) + np.repeat(first - (np.cumsum(m) - m), m)
    share = np.repeat(weights[word] / m, m)
    return np.bincount(at, share, len(starts)).astype(np.float32)


def _path(url: str) -> str:
    return unquote(url.partition("://")[2].removeprefix(host(url)))


def _with_one_more(rows: TokenRows, last: Sequence[int]) -> TokenRows:
    """Return rows with one more token at the end of each, without topic weight."""
    ids = np.insert(rows.ids, rows.indptr[1:], np.array(last, dtype=np.int32))
    topic = np.insert(rows.topic, rows.indptr[1:], np.float32(0.0), axis=0)
    return TokenRows(ids.astype(np.int32), rows.indptr + np.arange(len(rows) + 1), topic)


def _places(links: Sequence[OutLink], texts: Sequence[str], starts: Ids, whole: str) -> NDArray[np.int32]:
    """Return ``PageTokens.places`` of links whose place the reader knows, -1 for the others.

    Folding changes the number of characters, so the text is folded piece by piece between the anchors.
    """
    places = np.full((len(links), 2), -1, dtype=np.int32)
    cuts = sorted({cut for link in links if link.place != NO_PLACE for cut in link.place})
    if not cuts:
        return places
    solid = "".join("".join(text.split()) for text in texts)
    folded, ends = joined([solid[a:b] for a, b in zip([0, *cuts], cuts, strict=False)])
    before = _characters_before(whole)[starts]
    at = np.searchsorted(before, _characters_before(folded)[ends - 1], side="left")
    place_of = dict(zip(cuts, at.tolist(), strict=True))
    for row, link in enumerate(links):
        if link.place != NO_PLACE:
            places[row] = place_of[link.place[0]], place_of[link.place[1]]
    return places


def _characters_before(folded: str) -> Ids:
    """Return the number of characters before each place of a joined text, without blanks and breaks; shape (n + 1,)."""
    codes = np.frombuffer(folded.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return np.concatenate(([0], np.cumsum((codes != _BLANK) & (codes != _BREAK))))


def _search(places: NDArray[np.int32], page: _Cut, anchors: _Cut, after: int) -> None:
    """Fill in unknown places with the first occurrence of the anchor, as written, in the text after the titles."""
    if (places[:, 0] >= 0).all():
        return
    text, of_anchors, indptr = page.written()[after:], anchors.written(), anchors.rows.indptr
    order = np.argsort(text, kind="stable")
    ordered = text[order]
    for row in np.flatnonzero(places[:, 0] < 0).tolist():
        anchor = of_anchors[indptr[row] : indptr[row + 1]]
        if not len(anchor):
            continue
        left, right = np.searchsorted(ordered, anchor[0], "left"), np.searchsorted(ordered, anchor[0], "right")
        for at in order[left:right].tolist():
            if np.array_equal(text[at : at + len(anchor)], anchor):
                places[row] = after + at, after + at + len(anchor)
                break
