"""The text of a page: title, keywords, headings and paragraphs, drawn from the templates by (seed, i)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from crawler.worlds.synthetic.draw import Draw
from crawler.worlds.synthetic.plan import Plan
from crawler.worlds.synthetic.templates import CELL, Host, Language, Template, templates

_NAME = re.compile(r"\{(\w+)\}")
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()  # noqa: SIM905 - reads better as one line
_SHELL_KINDS = ("hub", "home")


@dataclass(frozen=True)
class Section:
    """A heading, empty for the first section, and sentences in paragraphs."""

    heading: str
    paragraphs: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class PageText:
    """The text of a page without its links."""

    title: str
    keywords: tuple[str, ...]
    sections: tuple[Section, ...]
    date: tuple[int, int, int]


class Author:
    """Generator of the texts of a web. The results depend on the seed and the page only."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.texts = templates()

    def date(self, index: int) -> tuple[int, int, int]:
        """Return year, month and day of publication."""
        draw = Draw(self.seed, "date", index)
        return draw.between(2012, 2024), draw.between(1, 12), draw.between(1, 28)

    def title(self, plan: Plan, host: Host) -> str:
        """Return the title of a page."""
        draw, language = Draw(self.seed, "title", plan.index), self.texts.languages[host.lang]
        if plan.kind == "home":
            pattern = language.home_title
        elif plan.kind == "hub":
            pattern = draw.pick(language.hub_titles)
        else:
            pattern = draw.pick(self.texts.kinds[plan.kind, host.lang].titles)
        return fill(pattern, draw, language, self._facts(plan, host))

    def short(self, kind: str, lang: str, draw: Draw) -> str:
        """Draw a short phrase about a kind of page, for an anchor."""
        phrase = draw.pick(self.texts.kinds[kind, lang].short)
        return fill(phrase, draw, self.texts.languages[lang], {})

    def phrase(self, name: str, host: Host, draw: Draw, facts: Mapping[str, str] | None = None) -> str:
        """Draw a phrase of a page.

        Args:
            name: footer, published, side_title or generic.
            host: host of the page.
            draw: source of randomness.
            facts: values of placeholders; None for the title of the host only.
        """
        language = self.texts.languages[host.lang]
        patterns = getattr(language, name)
        pattern = patterns if isinstance(patterns, str) else draw.pick(patterns)
        return fill(pattern, draw, language, facts or {"host": host.title})

    def write(self, plan: Plan, host: Host) -> PageText:
        """Write the text of a page with content; hubs and home pages have filler sentences only."""
        title, date = self.title(plan, host), self.date(plan.index)
        draw, language = Draw(self.seed, "text", plan.index), self.texts.languages[host.lang]
        facts = self._facts(plan, host)
        if plan.kind in _SHELL_KINDS:
            sentences = tuple(fill(s, draw, language, facts) for s in draw.sample(language.filler, 2))
            return PageText(title, (host.title,), (Section("", (sentences,)),), date)
        template = self.texts.kinds[plan.kind, host.lang]
        sentences = tuple(fill(s, draw, language, facts) for s in self._choose(plan, template, language, draw))
        headings = draw.sample(template.headings, draw.between(1, 3))
        keywords = tuple(draw.sample(template.keywords, draw.between(2, 5)))
        return PageText(title, keywords, sections(sentences, headings, draw), date)

    def planted(self, plan: Plan) -> tuple[str, ...]:
        """Return the planted terms of a page: one or two on each Chinese relevant page, none on others."""
        if plan.rank < 0:
            return ()
        names = tuple(self.texts.planted)
        row = plan.index // CELL * 3 + plan.rank
        second = (names[(row + 3) % len(names)],) if Draw(self.seed, "second term", plan.index).unit() < 0.6 else ()
        return (names[row % len(names)], *second)

    def _choose(self, plan: Plan, template: Template, language: Language, draw: Draw) -> list[str]:
        """Draw sentence patterns in reading order."""
        chosen = draw.sample(template.sentences, draw.between(8, 18 if plan.relevant else 14))
        extra = draw.sample(language.filler, draw.between(1, 3))
        for term in self.planted(plan):
            extra += draw.sample(self.texts.planted[term], draw.between(1, 2))
        if not plan.relevant and draw.unit() < self.texts.stray_share:
            extra.append(draw.pick(language.stray))
        for sentence in extra:
            chosen.insert(draw.between(1, len(chosen)), sentence)
        return chosen

    def _facts(self, plan: Plan, host: Host) -> dict[str, str]:
        """Draw the facts that are the same in the whole page: places and date."""
        draw, language = Draw(self.seed, "facts", plan.index), self.texts.languages[host.lang]
        return facts_of(draw, language, host, self.date(plan.index))


def facts_of(draw: Draw, language: Language, host: Host, date: tuple[int, int, int]) -> dict[str, str]:
    """Return places of a page, which are drawn, its date in words and in digits, and the title of its host."""
    year, month, day = date
    dated = f"{month}月{day}日" if host.lang == "zh" else f"{day} {_MONTHS[month - 1]} {year}"
    names = {name: draw.pick(language.lists[name]) for name in ("place", "county", "river")}
    return {**names, "date": dated, "host": host.title, "published": f"{year}-{month:02}-{day:02}"}


@lru_cache(maxsize=8192)
def _parts(pattern: str) -> tuple[str, ...]:
    return tuple(_NAME.split(pattern))


def fill(pattern: str, draw: Draw, language: Language, facts: Mapping[str, str]) -> str:
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
            filled[at] = str(draw.between(*language.ranges[name]))
        else:
            filled[at] = draw.pick(language.lists[name])
    return "".join(filled)


def sections(sentences: Sequence[str], headings: Sequence[str], draw: Draw) -> tuple[Section, ...]:
    """Group sentences into paragraphs of two to four, and spread the paragraphs over the headings."""
    paragraphs, start = [], 0
    while start < len(sentences):
        size = draw.between(2, 4)
        paragraphs.append(tuple(sentences[start : start + size]))
        start += size
    per = -(-len(paragraphs) // (len(headings) + 1))
    parts = [tuple(paragraphs[k : k + per]) for k in range(0, len(paragraphs), per)]
    return tuple(Section(heading, part) for heading, part in zip(["", *headings], parts, strict=False))
