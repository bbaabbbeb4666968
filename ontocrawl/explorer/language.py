"""The languages of the explorer's pages, Chinese and English: which one a request wants, and the texts of each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Literal, get_args

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
DEFAULT: Language = "en"
COOKIE = "ontocrawl_language"
_WEIGHT = re.compile(r"0(?:\.\d{0,3})?|1(?:\.0{0,3})?")
"""A weight q of the header ``Accept-Language`` (RFC 9110, 12.4.2)."""


def wanted(query: Mapping[str, str], cookies: Mapping[str, str], accepted: str) -> Language:
    """Return the language of a page: of its address, else the one chosen last, else the browser's, else English.

    Args:
        query: parameters of the address; ``lang``.
        cookies: cookies of the request.
        accepted: the header ``Accept-Language``.

    >>> wanted({}, {}, "fr-CH, fr;q=0.9, zh-CN;q=0.8, en;q=0.7")
    'zh'
    """
    for given in (query.get("lang", ""), cookies.get(COOKIE, ""), *_by_browser(accepted)):
        if given in LANGUAGES:
            return given
    return DEFAULT


def _by_browser(accepted: str) -> list[str]:
    """Return the languages of a header ``Accept-Language`` by their weights q, without those of weight 0.

    ``*`` stands for the default. An entry whose weight is no number from 0 to 1 is left out.

    >>> _by_browser("en;q=0.1, zh-CN, fr;q=0, de;q=much, *;q=0.05")
    ['zh', 'en', 'en']
    """
    weighted = []
    for entry in accepted.split(","):
        tag, *parameters = (part.strip().lower() for part in entry.split(";"))
        given = next(
            (text.partition("=")[2].strip() for text in parameters if text.partition("=")[0].strip() == "q"), "1"
        )
        weight = float(given) if _WEIGHT.fullmatch(given) else 0.0
        if weight:
            weighted.append((weight, DEFAULT if tag == "*" else tag.partition("-")[0]))
    return [tag for _, tag in sorted(weighted, key=lambda pair: -pair[0])]


@cache
def _catalogue(language: Language) -> Mapping[str, str]:
    """Return English text -> text of the catalogues of queries and strategies in a language, from ``catalogue``."""
    file = resources.files("ontocrawl.explorer") / "catalogue" / f"{language}.toml"
    groups = tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
    return MappingProxyType({english: text for group in groups.values() for english, text in group.items()})


def catalogued(text: str, language: Language) -> str:
    """Return a title, question or meaning of the catalogues of queries and strategies in a language.

    Args:
        text: the text as its declaration has it, in English.
        language: the language of the reader.

    Returns:
        The text; in English if the file of the language lacks it, as for a strategy of a file of the user's.

    >>> catalogued("Breadth-first search", "zh"), catalogued("Breadth-first search", "en")
    ('广度优先搜索', 'Breadth-first search')
    """
    return _catalogue(language).get(text, text)


@cache
def texts(language: Language) -> Mapping[str, str]:
    """Return key -> text of all texts of the pages in a language, from the files of ``texts``.

    Raises:
        ValueError: two files have the same key.
    """
    found: dict[str, str] = {}
    for file in sorted((resources.files("ontocrawl.explorer") / "texts").iterdir(), key=lambda entry: entry.name):
        read = {key: both[language] for key, both in tomllib.loads(file.read_text("utf-8")).items()}
        if twice := found.keys() & read.keys():
            raise ValueError(f"{file.name} has keys of another file: {', '.join(sorted(twice))}")
        found |= read
    return MappingProxyType(found)
