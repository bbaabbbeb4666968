"""Segmentation of Chinese text with word classes, by jieba. The only file that imports jieba and rjieba.

jieba (MIT) segments with a prefix dictionary and a hidden Markov model; its word classes are those of ICTCLAS. There
are two segmenters. `Segmenter` tags each word in its sentence (jieba.posseg): for single sentences. `WordSegmenter`
cuts runs of Han characters and takes the class from the dictionary: for corpora, about five times faster, and some
fifty times with rjieba (the same algorithm in Rust, an extra). On whole texts jieba and rjieba differ, because they
split Latin words and numbers differently; on runs of Han characters they agree, so either can be used.
"""

from __future__ import annotations

import getpass
import hashlib
import logging
import re
import tempfile
import threading
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.metadata import distribution, version
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ontology.extras import MissingExtra, require

Engine = Literal["auto", "jieba", "rjieba"]
_RUN = re.compile(r"([\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+)")
_HAN = re.compile(r"[\u3400-\u9fff]")

NEW = "new"
"""Word class of a word that jieba's dictionary lacks."""
_USER_WORD = "nz"
"""Word class of lexicon words: they are nouns whatever their class in jieba's dictionary."""
_FREQUENCY = 20_000
"""High enough that a lexicon word is not cut apart, low enough that a longer dictionary word still wins."""


class Token(NamedTuple):
    """One word and its class in the notation of ICTCLAS: n.. noun, v.. verb, vn verbal noun, x punctuation."""

    text: str
    tag: str


class Segmenter:
    """A separate jieba tokenizer: words added here do not affect other users of jieba in the same process."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._words = tuple(sorted({w for w in words if len(w) >= 2 and not any(c.isspace() for c in w)}))
        self._lock = threading.Lock()
        self._tagger: Any = None

    def cut(self, text: str) -> list[Token]:
        """Return the words of a text in order. White space and punctuation are tokens of class x."""
        with self._lock:  # jieba builds its tables on first use and keeps state while it does
            if self._tagger is None:
                self._tagger = _tagger(self._words)
            return [Token(pair.word, pair.flag) for pair in self._tagger.cut(text)]

    def frequency(self, word: str) -> int:
        """Return the frequency of a word in jieba's dictionary; 0 for one that it lacks."""
        self.cut("")
        return int(self._tagger.tokenizer.FREQ.get(word) or 0)


class DictionaryWord(NamedTuple):
    """An entry of jieba's dictionary: the frequency of a word in the texts behind it, and its most common class."""

    frequency: int
    tag: str


class Dictionary(Mapping[str, DictionaryWord]):
    """jieba's dictionary in columns: 350,000 objects would take each command that needs a few of them half a second.

    Args:
        text: a word, its frequency and its class on each line.
    """

    def __init__(self, text: str) -> None:
        fields = text.split()
        self.frequency: Mapping[str, int] = dict(zip(fields[::3], map(int, fields[1::3]), strict=True))
        self.tag: Mapping[str, str] = dict(zip(fields[::3], fields[2::3], strict=True))

    def __getitem__(self, word: str) -> DictionaryWord:
        return DictionaryWord(self.frequency[word], self.tag[word])

    def __contains__(self, word: object) -> bool:
        return word in self.tag

    def __iter__(self) -> Iterator[str]:
        return iter(self.tag)

    def __len__(self) -> int:
        return len(self.tag)


@lru_cache(maxsize=1)
def dictionary() -> Dictionary:
    """Return jieba's dictionary, some 350,000 words of general Chinese text (mostly news of the 1990s)."""
    # The package is not imported for it, which would take longer than to read the table.
    file = distribution("jieba").locate_file("jieba/dict.txt")
    return Dictionary(Path(str(file)).read_text(encoding="utf-8"))


class WordSegmenter:
    """A segmenter of runs of Han characters; both engines return the same words.

    Args:
        words: words to add to those of the dictionary.
        engine: "rjieba", "jieba", or "auto": rjieba if it is installed, or else jieba.
    """

    def __init__(self, words: Iterable[str] = (), engine: Engine = "auto") -> None:
        self._words = frozenset(w for w in words if len(w) >= 2)
        self._lock = threading.Lock()
        self._engine = engine
        self._cutter: Any = None

    def cut(self, run: str) -> list[str]:
        """Return the words of a run of Han characters, in order."""
        with self._lock:
            if self._cutter is None:
                self._cutter = _cutter(sorted(self._words), self._engine)
            return list(self._cutter.cut(run))

    def tokens(self, run: str) -> list[Token]:
        """Return the words of a run of Han characters with their classes, in order."""
        return [self.token(word) for word in self.cut(run)]

    def token(self, word: str) -> Token:
        """Return a word with its class, `NEW` for an unknown one."""
        return Token(word, self.tag(word) or NEW)

    def tag(self, word: str) -> str:
        """Return the class of a word in the dictionary, that of nouns for an added word, "" for an unknown one."""
        if word in self._words:
            return _USER_WORD
        return dictionary().tag.get(word, "")


@lru_cache(maxsize=4)
def word_segmenter(words: tuple[str, ...] = ()) -> WordSegmenter:
    """Return a shared `WordSegmenter` for these added words."""
    return WordSegmenter(words)


def _cutter(words: Iterable[str], engine: Engine) -> Any:
    if engine != "jieba":
        try:
            rust = require("rjieba", "fast", "fast segmentation").Jieba()
        except MissingExtra:
            if engine == "rjieba":
                raise
        else:
            for word in words:
                rust.add_word(word, _FREQUENCY, _USER_WORD)
            return rust
    return _tokenizer(words)


@lru_cache(maxsize=4)
def segmenter(words: tuple[str, ...] = ()) -> Segmenter:
    """Return a shared segmenter for these added words; constructing one takes about a second."""
    return Segmenter(words)


def _tagger(words: tuple[str, ...]) -> Any:
    _, posseg = _import_jieba()
    return posseg.POSTokenizer(_tokenizer(words))


def _tokenizer(words: Iterable[str]) -> Any:
    jieba, _ = _import_jieba()
    tokenizer = jieba.Tokenizer()
    tokenizer.tmp_dir = str(_cache_folder())
    tokenizer.cache_file = f"jieba-{version('jieba')}.cache"
    tokenizer.initialize()
    for word in words:
        tokenizer.add_word(word, _FREQUENCY, _USER_WORD)
    return tokenizer


def _import_jieba() -> tuple[Any, Any]:
    with warnings.catch_warnings():  # it asks for pkg_resources and has invalid escapes
        warnings.simplefilter("ignore")
        import jieba
        import jieba.posseg
    jieba.setLogLevel(logging.WARNING)
    return jieba, jieba.posseg


def _cache_folder() -> Path:
    """Return a folder that only this user can write: jieba unmarshals its cache, so another user's file is unsafe.

    jieba writes the cache to a temporary file and renames it, so processes that start together do no harm.
    """
    owner = hashlib.sha256(getpass.getuser().encode()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"ontocrawl-{owner}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.is_symlink() or folder.stat().st_mode & 0o022:
            return Path(tempfile.mkdtemp(prefix="ontocrawl-"))
    except OSError:
        return Path(tempfile.mkdtemp(prefix="ontocrawl-"))
    return folder


def words_of_text(text: str) -> tuple[list[str], list[int]]:
    """Cut a folded text (`ontology.terms.wordforms.normal`) into words.

    Runs of Han characters are cut by jieba, and all else is split at what is neither letter nor digit. Learning and
    crawling count words by this function alone.

    Args:
        text: a text as folded by ``normal``.

    Returns:
        The words in order, and where each begins in the text.

    >>> words_of_text("heavy rain, 暴雨和台风")
    (['heavy', 'rain', '暴雨', '和', '台风'], [0, 6, 12, 14, 15])
    """
    parts = _RUN.split(text)  # what is between the words, and the words
    words, ends = parts[1::2], [*accumulate(map(len, parts))][:-1:2]
    if _HAN.search(text) is None:
        return words, ends
    found, begins = list[str](), list[int]()
    for word, begin in zip(words, ends, strict=True):
        if "\u3400" <= word < "\ua000":
            pieces = _cut_run(word)
            found += pieces
            begins += accumulate(map(len, pieces[:-1]), initial=begin)
        else:
            found.append(word)
            begins.append(begin)
    return found, begins


@lru_cache(maxsize=1 << 12)
def _cut_run(run: str) -> tuple[str, ...]:
    """Return the words of a run of Han characters; most anchors of a page are runs of its text, and menus recur."""
    return tuple(word_segmenter().cut(run))
