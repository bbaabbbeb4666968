"""Word classes of English words in their sentence, by TextBlob. The only file that imports TextBlob.

TextBlob (MIT) has the tagger of Brill 1992, "A simple rule-based part of speech tagger": the most common class of each
of 94,000 words, endings for unknown ones, and rules about neighbours. Its tables are in the wheel; nothing is
downloaded. The tags are those of the Penn Treebank. docs/decisions/0015 compares it with others.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

_LOCK = threading.Lock()


def tag_words(words: Sequence[str]) -> list[str]:
    """Return the Penn Treebank tag of each word of a sentence.

    Args:
        words: words and punctuation marks in order, spelled as in the text; a capital marks a name.

    >>> tag_words(["Captopril", "lowers", "the", "blood", "pressure", "of", "rats"])
    ['NNP', 'VBZ', 'DT', 'NN', 'NN', 'IN', 'NNS']
    """
    with _LOCK:  # the tables are read on first use
        return [tag for _, tag in _tagger().find_tags(list(words))] if words else []


@lru_cache(maxsize=1)
def _tagger() -> Any:
    with warnings.catch_warnings():  # it leaves its tables open for the garbage collector
        warnings.simplefilter("ignore")
        from textblob.en import parser

        parser.find_tags(["tables"])
    return parser
