"""The bilingual domain lexicon: Chinese and English words for the same concept, and lists of words that are no terms.

The lexicon that comes with the package (data/fields/earth, rainstorm and typhoon disasters) was written for this
project, and is used for topics of its field. A user's lexicon has the same format: tab-separated, a header line ``zh en
synonyms_zh synonyms_en``, synonyms separated by `` | ``. All but ``zh`` may be empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType

from ontology import files
from ontology.errors import OntocrawlError
from ontology.field_lists import field_list

HEADER = ("zh", "en", "synonyms_zh", "synonyms_en")
_SYNONYM_MARK = re.compile(r"\s*\|\s*")


class LexiconError(OntocrawlError, ValueError):
    """A lexicon file that cannot be used; the message names the place and its content."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One concept of the lexicon: a preferred word in each language, and synonyms.

    ``en`` is empty if there is no translation, ``zh`` if there is an English word only; one of them is there.
    """

    zh: str
    en: str
    synonyms_zh: tuple[str, ...] = ()
    synonyms_en: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The preferred word: Chinese, or else English."""
        return self.zh or self.en

    @property
    def words(self) -> tuple[str, ...]:
        """All its words, Chinese before English, preferred before synonyms."""
        return tuple(w for w in (self.zh, *self.synonyms_zh, self.en, *self.synonyms_en) if w)


@dataclass(frozen=True)
class Lexicon:
    """A bilingual lexicon. Each word belongs to one entry; English is looked up case-folded.

    ``own`` are the entries that come from files of the user.

    Raises:
        LexiconError: a word is in two entries.
    """

    entries: tuple[Entry, ...]
    own: tuple[Entry, ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        for language, words in (("zh", self._words_zh()), ("en", self._words_en())):
            seen: dict[str, str] = {}
            for word, owner in words:
                if seen.setdefault(word, owner.name) != owner.name:
                    raise LexiconError(
                        "terms.lexicon_word", language=language, word=word, seen=seen[word], owner=owner.name
                    )

    def _words_zh(self) -> Iterable[tuple[str, Entry]]:
        return ((word, e) for e in self.entries for word in (e.zh, *e.synonyms_zh) if word)

    def _words_en(self) -> Iterable[tuple[str, Entry]]:
        return ((word.casefold(), e) for e in self.entries for word in (e.en, *e.synonyms_en) if word)

    @cached_property
    def by_zh(self) -> Mapping[str, Entry]:
        """Chinese word, preferred or synonym -> its entry."""
        return MappingProxyType(dict(self._words_zh()))

    @cached_property
    def by_en(self) -> Mapping[str, Entry]:
        """English word, preferred or synonym, case-folded -> its entry."""
        return MappingProxyType(dict(self._words_en()))

    def entry(self, word: str) -> Entry | None:
        """Return the entry of a Chinese or English word, None for an unknown one."""
        return self.by_zh.get(word) or self.by_en.get(word.casefold())

    def canonical(self, word: str) -> str:
        """Return the preferred word for a synonym or a translation; an unknown word is returned unchanged."""
        entry = self.entry(word)
        return entry.name if entry else word

    def english(self, zh: str) -> str | None:
        """Return the preferred English word for a Chinese word, None if the lexicon has none."""
        entry = self.by_zh.get(zh)
        return entry.en or None if entry else None

    def chinese(self, en: str) -> str | None:
        """Return the preferred Chinese word for an English word, None if the lexicon has none."""
        entry = self.by_en.get(en.casefold())
        return entry.zh or None if entry else None

    def with_words_of(self, other: Lexicon) -> Lexicon:
        """Return the union of two lexicons; of entries that share a word, the one of the other lexicon is kept."""
        taken = other.by_zh.keys(), other.by_en.keys()
        kept = (
            e for e in self.entries
            if taken[0].isdisjoint((e.zh, *e.synonyms_zh))
            and taken[1].isdisjoint(w.casefold() for w in (e.en, *e.synonyms_en))
        )  # fmt: skip
        return Lexicon((*other.entries, *kept), (*self.own, *other.own))


EMPTY = Lexicon(())


def load(path: str | Path) -> Lexicon:
    """Read a lexicon file.

    Raises:
        LexiconError: the file has another form, or a word is in two entries; the message names file and line.
    """
    lexicon = _parsed(files.read_text(path, LexiconError), str(path))
    return Lexicon(lexicon.entries, own=lexicon.entries)


@lru_cache(maxsize=8)
def bundled(field: str) -> Lexicon:
    """Return the lexicon that comes with the package for a field; the empty one for a field without lists."""
    text = field_list(field, "lexicon.tsv")
    return EMPTY if text is None else _parsed(text, f"the lexicon of the field {field}")


def choose(paths: Iterable[str | Path] = (), *, field: str = "") -> Lexicon:
    """Return files and the lexicon of a field as one.

    Args:
        paths: lexicon files; entries of a later file replace those of an earlier one that share a word.
        field: the field of the topic; its lexicon is included.
    """
    lexicon = bundled(field)
    for path in paths:
        lexicon = lexicon.with_words_of(load(path))
    return lexicon


def _parsed(text: str, name: str) -> Lexicon:
    lines = text.splitlines()
    header = tuple(files.tab_cells(lines[0])) if lines else ()
    if header != HEADER:
        raise LexiconError("files.header", path=name, header=" ".join(HEADER), found=header)
    return Lexicon(tuple(_entry(line, f"{name}, line {n}") for n, line in enumerate(lines[1:], 2) if line.strip()))


def _entry(line: str, where: str) -> Entry:
    cells = files.tab_cells(line)
    if len(cells) > len(HEADER) or not any(cells[:2]):
        raise LexiconError("terms.expected_zh_en_may", where=where, line=line)
    cells += [""] * (len(HEADER) - len(cells))
    synonyms = (tuple(w for w in _SYNONYM_MARK.split(cell) if w) for cell in cells[2:])
    return Entry(cells[0], cells[1], *synonyms)


@lru_cache(maxsize=8)
def word_list(name: str) -> frozenset[str]:
    """Return a bundled word list (data/NAME.txt): words separated by white space, without lines that begin with #."""
    text = (resources.files("ontology") / "data" / f"{name}.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


# ---- what the Chinese language says of suffixes: the noun for the class of each


@dataclass(frozen=True, slots=True)
class SuffixClass:
    """What the language says of a suffix.

    Attributes:
        noun: the noun for its class.
        short: whether nouns of two characters with the suffix are of the class (肝炎), too.
    """

    noun: str
    short: bool


@lru_cache(maxsize=1)
def suffix_classes() -> Mapping[str, SuffixClass]:
    """Return the suffixes of one meaning with their classes (data/suffixes_zh.tsv)."""
    text = (resources.files("ontology") / "data" / "suffixes_zh.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return MappingProxyType({suffix: SuffixClass(noun, "short" in more) for suffix, noun, *more in rows})
