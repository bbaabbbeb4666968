"""The languages of the explorer's pages, Chinese and English: which one a request wants, and the texts of each."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Literal, get_args

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
COOKIE = "ontocrawl_language"


def wanted(query: Mapping[str, str], cookies: Mapping[str, str], accepted: str) -> Language:
    """Return the language of a page: of its address, else the one chosen last, else the browser's, else English.

    Args:
        query: parameters of the address; ``lang``.
        cookies: cookies of the request.
        accepted: the header ``Accept-Language``.

    >>> wanted({}, {}, "fr-CH, fr;q=0.9, zh-CN;q=0.8, en;q=0.7")
    'zh'
    """
    by_browser = [entry.partition(";")[0].strip().partition("-")[0].lower() for entry in accepted.split(",")]
    for given in (query.get("lang", ""), cookies.get(COOKIE, ""), *by_browser):
        if given in LANGUAGES:
            return given
    return "en"


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
