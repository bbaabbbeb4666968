"""Learning and proposing from texts in traditional characters: done in simplified ones, shown as it was written.

Segmenter, word lists, curated classes and sentence patterns are in simplified characters, so that texts are made
simplified before they are read (`in_simplified`). Since no place in a text changes by that, what was found is looked
for in the texts afterwards, and gets the characters that are there (`AsWritten`).
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from ontology.terms.form_matcher import FormMatcher
from ontology.terms.wordforms import has_han, simplified

_T = TypeVar("_T")
_ADDRESS = "://"
"""Texts with it are URLs and IRIs, which are nobody's words."""


def in_simplified(value: _T) -> _T:
    """Return a text, or a value with texts, in simplified characters; the same object where nothing changes.

    Args:
        value: a text, a tuple, list, set, dict or dataclass, nested as deep as need be; other objects stay as they are.

    >>> in_simplified({"a": ("颱風", "flood")})
    {'a': ('台风', 'flood')}
    """
    result: _T = _mapped(value, simplified)
    return result


def _mapped(value: Any, text_of: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return value if _ADDRESS in value else text_of(value)
    if is_dataclass(value) and not isinstance(value, type):
        before = {f.name: getattr(value, f.name) for f in fields(value) if f.init}
        after = {name: _mapped(part, text_of) for name, part in before.items()}
        changed = {name: part for name, part in after.items() if part is not before[name]}
        return replace(value, **changed) if changed else value
    if isinstance(value, Mapping):
        pairs = [(_mapped(k, text_of), _mapped(v, text_of)) for k, v in value.items()]
        same = all(k is a and v is b for (a, b), (k, v) in zip(value.items(), pairs, strict=True))
        return value if same else dict(pairs)
    if isinstance(value, tuple | list | frozenset | set):
        parts = [_mapped(part, text_of) for part in value]
        same = all(one is part for one, part in zip(value, parts, strict=True))
        return value if same else type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a value, each once."""
    found: dict[str, None] = {}

    def text_of(text: str) -> str:
        found[text] = None
        return text

    _mapped(value, text_of)
    yield from found


class AsWritten:
    """The spelling of names and sentences in some texts.

    Args:
        texts: the texts as they are written.
        labels: names that are written like this whatever the texts have.
        kept: what is no text, such as ids of documents, and stays as it is.
        words: a value with names that are written like this where no text has them, such as a lexicon's entries.

    >>> AsWritten(["颱風過後的積水", "颱風警報", "台风"], words=["內澇"]).restored(("台风", "积水", "内涝", "flood"))
    ('颱風', '積水', '內澇', 'flood')
    """

    def __init__(
        self, texts: Iterable[str], labels: Iterable[str] = (), words: Any = (), kept: Iterable[str] = ()
    ) -> None:
        self._pairs = [(text, simplified(text)) for text in texts]
        self._labels = {simplified(label): label for label in labels}
        self._words = {plain: word for word in _texts(words) if (plain := simplified(word)) != word}
        self._kept = {one: one for one in kept}
        self._differ = bool(self._words) or any(a != b for a, b in (*self._pairs, *self._labels.items()))

    def restored(self, value: _T) -> _T:
        """Return a value with its texts as they are most often written.

        Of what is not in the texts, such as a message or the name of a curated class, each character is restored.

        Args:
            value: anything that `in_simplified` takes, found in simplified texts.
        """
        names = [text for text in _texts(value) if has_han(text)]
        if not self._differ or not names:
            return value
        spelled = self._words | self._spelled(names) | self._labels | self._kept
        characters = self._characters()
        result: _T = _mapped(value, lambda text: spelled.get(text) or text.translate(characters))
        return result

    def _spelled(self, names: Sequence[str]) -> dict[str, str]:
        """Return name -> its most common spelling, for the names in the texts."""
        matcher = FormMatcher([{name: number for number, name in enumerate(names)}])
        counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
        for text, plain in self._pairs:
            folded = " ".join(unicodedata.normalize("NFKC", text).split())
            for written, read in {(text, plain), (folded, simplified(folded))}:
                for start, end, number in matcher.spans_within(read)[0]:
                    counts[number][written[start:end]] += 1
        return {names[number]: _most_common(of) for number, of in sorted(counts.items())}

    def _characters(self) -> dict[int, str]:
        """Return the code of a simplified character -> the one that the texts mostly have in its place."""
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for text, plain in self._pairs:
            if text != plain:
                for written, read in zip(text, plain, strict=True):
                    if written != read:
                        counts[read][written] += 1
        for text, _ in self._pairs:
            for read in counts.keys() & set(text):
                counts[read][read] += text.count(read)
        return {ord(read): _most_common(of) for read, of in counts.items()}


def _most_common(counts: Counter[str]) -> str:
    return min(counts, key=lambda one: (-counts[one], one))
