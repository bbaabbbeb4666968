"""The pages of a crawl as sentences, each once per host, without what is no sentence.

Menus, copies and templates have no weight: a host's sentence counts once, and numbers in it count as equal. Set apart
are text with markup, control characters or marks that turn the direction of writing, sentences of more than `LONGEST`
characters (lists, tables, a word that is repeated without end), and text that hardly has two different words in turn.

Of the relevant pages all sentences are read. The other pages only tell how common a term is elsewhere, a share that a
sample gives: `OTHERS` of them, or as many as there are relevant ones, evenly spaced.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from ontology.enrichment.page_text import PageText, page_number
from ontology.enrichment.proposal import PageSentence
from ontology.model import Document
from ontology.terms.form_matcher import FormMatcher
from ontology.terms.sentences import sentence_spans
from ontology.terms.wordforms import normal, simplified, written_place

# ---- progress of a search for proposals, for a progress bar


OnProgress = Callable[[str, int, int], None]
"""Function of a stage ("pages", "terms", "sentences", "places", "relations"), the number done, and of all."""


def ignored(stage: str, done: int, total: int) -> None:
    """Do nothing with the progress."""


# ---- the pages of a crawl as sentences, each once per host, without what is no sentence


LONGEST = 1_000
"""Longest sentence, in characters."""
OTHERS = 1_000
"""Number of other pages that are read at least, if there are so many."""
CANDIDATE_BYTES = 12_000_000
"""Size of the text that candidates are searched in, in bytes of UTF-8: about 2.5 million words."""
_BLOCK = 2_000
_REPETITIVE = 0.05
"""Size of a block after compression, as a share, below which it repeats itself; prose of both languages has 0.3."""
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>|<!--|&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]{2,8});")
_TITLE_PARTS = re.compile(r"[_|｜]|\s[-–—]\s|——")
_SHORTEST_TITLE = 15
"""Shortest title that is looked for in other texts, in bytes of UTF-8: 5 Han characters, 3 words or so."""
_DIGITS = re.compile(r"\d+")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffd]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a page.

    Attributes:
        page: number of the page.
        text: in simplified characters, else as written.
        folded: folded by `normal`.
        written: as written.
        in_title: whether it is a title, or little more than the title of a page: a heading, a link.
        first: whether a paragraph begins with it.
        start: its place in the title or text that it is of.
        of_text: whether it is of the text, not of the title.
    """

    page: int
    text: str
    folded: str
    written: str
    in_title: bool = False
    first: bool = False
    start: int = 0
    of_text: bool = False


@dataclass(frozen=True)
class Reading:
    """The pages of a crawl, cut into sentences.

    Attributes:
        pages: the pages; hosts: the host of each.
        sentences: the sentences of relevant pages, each once per host.
        others: the sentences of a sample of the other pages, each once per host.
    """

    pages: tuple[PageText, ...]
    hosts: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    others: tuple[Sentence, ...]

    @cached_property
    def relevant_hosts(self) -> tuple[str, ...]:
        """Host of each relevant page."""
        return tuple(host for host, page in zip(self.hosts, self.pages, strict=True) if page.relevant)

    @cached_property
    def relevant(self) -> int:
        """Number of relevant pages with a sentence."""
        return len({sentence.page for sentence in self.sentences})

    def documents(self) -> tuple[list[Document], NDArray[np.bool_]]:
        """Return the documents that candidates are searched in, and whether each is relevant.

        Where the pages have more than `CANDIDATE_BYTES`, some are left out, evenly spaced.
        """
        relevant = _evenly(_documents(self.sentences), CANDIDATE_BYTES * 2 // 3)
        others = _evenly(_documents(self.others), CANDIDATE_BYTES // 3)
        wanted = np.array([True] * len(relevant) + [False] * len(others), dtype=np.bool_)
        return [*relevant, *others], wanted

    def shown(self, sentence: Sentence, start: int, end: int) -> PageSentence:
        """Return a sentence as evidence.

        Args:
            sentence: the sentence.
            start: place of what it shows, in its folded form.
            end: the end of that.
        """
        page = self.pages[sentence.page]
        first, last = written_place(sentence.text, start), written_place(sentence.text, end - 1) + 1
        number = page_number(page.page_starts, sentence.start) if sentence.of_text else None
        return PageSentence(sentence.written, page.url, first, last, page.fetched, page_number=number)


def read(pages: Iterable[PageText], on_progress: OnProgress = ignored) -> Reading:
    """Cut titles and texts into sentences.

    Args:
        pages: the pages of a crawl.
        on_progress: called with the number of pages read.
    """
    taken = tuple(pages)
    hosts = tuple(urlsplit(page.url).netloc.lower() for page in taken)
    relevant = [number for number, page in enumerate(taken) if page.relevant]
    rest = [number for number, page in enumerate(taken) if not page.relevant]
    sample = rest[:: max(1, len(rest) // max(OTHERS, len(relevant)))]
    titles = _Titles(taken[number].title for number in (*relevant, *sample))
    seen: set[int] = set()
    found: dict[bool, list[Sentence]] = {True: [], False: []}
    for done, number in enumerate((*relevant, *sample), start=1):
        page = taken[number]
        for in_title, block in ((True, page.title), (False, page.text)):
            for sentence in _sentences(number, block, titles, in_title=in_title):
                key = hash((hosts[number], _DIGITS.sub("0", sentence.folded).rstrip(".!?。 ")))
                if key not in seen:
                    seen.add(key)
                    found[page.relevant].append(sentence)
        if done % 100 == 0 or done == len(relevant) + len(sample):
            on_progress("pages", done, len(relevant) + len(sample))
    return Reading(taken, hosts, tuple(found[True]), tuple(found[False]))


def is_unreadable(text: str) -> bool:
    r"""Return whether a text has markup, control characters, or marks that turn the direction of writing.

    >>> is_unreadable("heavy <b>rain</b>"), is_unreadable("heavy&nbsp;rain"), is_unreadable("\u202eniar"),
    (True, True, True)
    >>> is_unreadable("rain < 5 mm & wind > 7 m/s")
    False
    """
    return _MARKUP.search(text) is not None or _CONTROLS.search(text) is not None


def _is_repetitive(text: str) -> bool:
    """Return whether a block of text repeats itself: it has next to no information.

    >>> _is_repetitive("rain " * 10_000), _is_repetitive("Rain fell on Monday. " * 3)
    (True, False)
    """
    raw = text.encode("utf-8", "replace")
    return len(raw) > _BLOCK and len(zlib.compress(raw, 1)) < _REPETITIVE * len(raw)


def has_mixed_scripts(text: str) -> bool:
    """Return whether a text mixes alphabets, as a Latin word with a Cyrillic letter does; Han characters mix with any.

    >>> has_mixed_scripts("storm surge"), has_mixed_scripts("st\u043erm surge"), has_mixed_scripts("WRF模式")
    (False, True, False)
    """
    scripts = {unicodedata.name(c, "?").split()[0] for c in text if c.isalpha()}
    return len(scripts - {"CJK", "FULLWIDTH", "KANGXI", "IDEOGRAPHIC"}) > 1


def _sentences(number: int, block: str, titles: _Titles, *, in_title: bool) -> Iterable[Sentence]:
    if _is_repetitive(block):
        return
    before, plain = 0, simplified(block)
    for start, end in sentence_spans(plain):
        text, gap = plain[start:end], block[before:start]
        first, before = before == 0 or "\n" in gap or "\r" in gap, end
        if 1 < end - start <= LONGEST and not is_unreadable(text):
            folded = normal(text)
            heading = in_title or titles.are_most_of(folded)
            yield Sentence(number, text, folded, block[start:end], heading, first, start, not in_title)


class _Titles:
    """The titles of pages, without the names of sites that titles end with."""

    def __init__(self, titles: Iterable[str]) -> None:
        parts = {normal(part) for title in titles for part in _TITLE_PARTS.split(title)}
        kept = sorted(part for part in parts if not is_unreadable(part) and len(part.encode()) >= _SHORTEST_TITLE)
        self._longest = 2 * max(map(len, kept), default=0)
        self._matcher = FormMatcher([{part: number for number, part in enumerate(kept)}])

    def are_most_of(self, folded: str) -> bool:
        """Return whether titles are the larger part of a folded sentence."""
        if len(folded) > self._longest:
            return False
        return 2 * sum(end - start for start, end, _ in self._matcher.spans(folded)[0]) > len(folded)


def _documents(sentences: Sequence[Sentence]) -> list[Document]:
    """Return the documents of some sentences, title and text apart."""
    parts: defaultdict[int, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for sentence in sentences:
        parts[sentence.page][0 if sentence.in_title else 1].append(" ".join(sentence.text.split()))
    return [Document(str(page), "\n".join(title), "\n".join(text), ()) for page, (title, text) in parts.items()]


def _evenly(documents: list[Document], limit: int) -> list[Document]:
    """Return documents of at most about this many bytes, evenly spaced."""
    size = sum(len(document.abstract.encode("utf-8", "replace")) for document in documents)
    keep = max(1, round(len(documents) * limit / size)) if size > limit else len(documents)
    return [documents[at * len(documents) // keep] for at in range(keep)] if documents else []
