"""Segmentation of Chinese text with word classes, by jieba. The only file that knows jieba.

jieba (MIT) segments by a prefix dictionary and a hidden Markov model; its word classes are those of ICTCLAS.
"""

from __future__ import annotations

import getpass
import hashlib
import logging
import tempfile
import threading
import warnings
from collections.abc import Iterable
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

_USER_WORD = "nz"
"""Word class of lexicon words: they are nouns whatever jieba's own dictionary says."""
_FREQUENCY = 20_000
"""High enough that a lexicon word is not cut apart, low enough that a longer dictionary word still wins."""


class Token(NamedTuple):
    """One word and its class in the notation of ICTCLAS: n.. noun, v.. verb, vn verbal noun, x punctuation."""

    text: str
    tag: str


class Segmenter:
    """A jieba tokenizer of its own: words added here are not seen by other users of jieba in the same process."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._words = tuple(sorted({w for w in words if len(w) >= 2 and not any(c.isspace() for c in w)}))
        self._lock = threading.Lock()
        self._tagger: Any = None

    def cut(self, text: str) -> list[Token]:
        """The words of a text in order. White space and punctuation are tokens of class x."""
        with self._lock:  # jieba builds its tables on first use and keeps state while it does
            if self._tagger is None:
                self._tagger = _tagger(self._words)
            return [Token(pair.word, pair.flag) for pair in self._tagger.cut(text)]

    def frequency(self, word: str) -> int:
        """How often jieba's dictionary says a word occurs; 0 for one that it lacks."""
        self.cut("")
        return int(self._tagger.tokenizer.FREQ.get(word) or 0)


@lru_cache(maxsize=4)
def segmenter(words: tuple[str, ...] = ()) -> Segmenter:
    """A shared segmenter for these added words; making one costs about a second."""
    return Segmenter(words)


def _tagger(words: tuple[str, ...]) -> Any:
    jieba, posseg = _import_jieba()
    tokenizer = jieba.Tokenizer()
    tokenizer.tmp_dir = str(_cache_folder())
    tokenizer.cache_file = f"jieba-{version('jieba')}.cache"
    tokenizer.initialize()
    for word in words:
        tokenizer.add_word(word, _FREQUENCY, _USER_WORD)
    return posseg.POSTokenizer(tokenizer)


def _import_jieba() -> tuple[Any, Any]:
    with warnings.catch_warnings():  # it asks for pkg_resources and has invalid escapes
        warnings.simplefilter("ignore")
        import jieba
        import jieba.posseg
    jieba.setLogLevel(logging.WARNING)
    return jieba, jieba.posseg


def _cache_folder() -> Path:
    """A folder that only this user can write: jieba unmarshals its cache, so another user's file must not be read.

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
