"""Templates of the calibrated webs: for each topic its subtopics, near and other kinds of pages, from data files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from crawler.worlds.synthetic.calibrated.hashing import Stream
from crawler.worlds.synthetic.templates import Host, Language, Template, templates

LANGUAGES = ("zh", "en")
_NAME = re.compile(r"\{(\w+)\}")
Sentences = Mapping[str, tuple[str, ...]]
"""Language -> sentences."""


@dataclass(frozen=True)
class Topic:
    """What the pages of a web are written from.

    Attributes:
        subtopics: templates of the subtopics by language; a community has one of them.
        near, others: names of the kinds of irrelevant pages.
        kinds: templates of these kinds, the near ones first, by language.
        weak: sentences of relevant pages that say little of the topic.
        touched: sentences with words of the topic on near pages.
        mentions: sentences of other pages that mention the topic.
        terms: planted term -> sentences; they stand on Chinese relevant pages only.
    """

    subtopics: tuple[Mapping[str, Template], ...]
    near: tuple[str, ...]
    others: tuple[str, ...]
    kinds: tuple[Mapping[str, Template], ...]
    weak: Sentences
    touched: Sentences
    mentions: Sentences
    terms: Mapping[str, tuple[str, ...]]


@cache
def topic(name: str) -> Topic:
    """Return the templates of a topic, read once."""
    data, own = _read(name), _read("kinds")
    every = (*data["near"], *data["others"])
    return Topic(
        subtopics=tuple({lang: _subtopic(own, one, lang) for lang in LANGUAGES} for one in data["subtopic"]),
        near=tuple(data["near"]),
        others=tuple(data["others"]),
        kinds=tuple({lang: _kind(own, kind, lang) for lang in LANGUAGES} for kind in every),
        weak=_sentences(data["weak"]),
        touched=_sentences(data["touched"]),
        mentions=_sentences(data["mentions"]),
        terms={one["text"]: tuple(one["sentences"]) for one in data["term"]},
    )


@cache
def hosts() -> tuple[Host, ...]:
    """Return the 40 hosts of a district."""
    rows = _read("hosts")["hosts"]
    return tuple(
        Host(f"{name}.example", title, lang, path, dates, {}, encoding)
        for name, title, lang, path, dates, encoding in rows
    )


def _kind(own: Mapping[str, Any], kind: str, lang: str) -> Template:
    return _template(own[kind][lang]) if kind in own else templates().kinds[kind, lang]


def _subtopic(own: Mapping[str, Any], one: Mapping[str, Any], lang: str) -> Template:
    return _kind(own, one["kind"], lang) if "kind" in one else _template(one[lang])


def _template(data: Mapping[str, list[str]]) -> Template:
    return Template(**{name: tuple(values) for name, values in data.items()})


def _sentences(data: Mapping[str, list[str]]) -> Sentences:
    return {lang: tuple(data[lang]) for lang in LANGUAGES}


def _read(name: str) -> dict[str, Any]:
    folder = files("crawler.worlds.synthetic.calibrated").joinpath("data")
    return tomllib.loads(folder.joinpath(f"{name}.toml").read_text("utf-8"))


@lru_cache(maxsize=8192)
def _parts(pattern: str) -> tuple[str, ...]:
    return tuple(_NAME.split(pattern))


def fill(pattern: str, draw: Stream, language: Language, facts: Mapping[str, str]) -> str:
    """Replace each {name} in a pattern: by a fact of the page, else a number in its range, else a listed name.

    Args:
        pattern: a text with placeholders.
        draw: source of randomness.
        language: ranges and lists by name.
        facts: values by name.
    """
    parts = _parts(pattern)
    if len(parts) == 1:
        return pattern
    filled = list(parts)
    for at in range(1, len(parts), 2):
        name = parts[at]
        if name in facts:
            filled[at] = facts[name]
        elif name in language.ranges:
            low, high = language.ranges[name]
            filled[at] = str(low + draw.below(high - low + 1))
        else:
            filled[at] = draw.pick(language.lists[name])
    return "".join(filled)
