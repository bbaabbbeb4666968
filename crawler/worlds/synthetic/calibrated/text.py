"""The text of a calibrated web's pages: titles, keywords, headings and sentences by (seed, i), from the plan."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from crawler.worlds.synthetic.calibrated.district import FULL, SILENT, WEAK
from crawler.worlds.synthetic.calibrated.hashing import Stream, key_of
from crawler.worlds.synthetic.calibrated.parameters import Parameters
from crawler.worlds.synthetic.plan import Plan
from crawler.worlds.synthetic.templates import Host, Language, Template, templates
from crawler.worlds.synthetic.text import PageText, Section, facts_of, fill, sections

_EVENT = ((2013, 11), (2013, 12))
"""Months of the event of the preset ``event``: those of the topic `haiyan`."""
# Without it few of a million pages had a title of their own, and a title would say as little of its page as "more".
_DATELINE = {"zh": "（{county} {date}）", "en": " ({county}, {date})"}
_FIRST_MONTH = 0.75
"""Share of the event's pages that are of its first month: interest falls after an event (paper 001, Eq. 19 and 20)."""


@dataclass(frozen=True, slots=True)
class PagePlan(Plan):
    """The plan of a page of a calibrated web.

    ``role`` is page, hidden, gate, hub or home; ``kind`` the name of its kind, ``topic`` for a relevant page.
    """

    kind_row: int = -1
    community: int = -1
    depth: int = 0
    voice: int = SILENT

    @property
    def relevant(self) -> bool:
        """The label."""
        return self.kind_row == 0


class Writer:
    """Generator of the texts of a web. The results depend on (preset, seed, i) and the parameters only."""

    def __init__(self, seed: int, preset: str, parameters: Parameters, topic: _Topic) -> None:
        self.parameters, self.topic = parameters, topic
        self.languages = templates().languages
        names = ("title", "facts", "date", "text", "anchor", "furniture")
        self._keys = {name: key_of(seed, preset, name) for name in names}

    def stream(self, purpose: str, index: int) -> Stream:
        """Return the random numbers of a page for a purpose: title, facts, date, text, anchor, furniture."""
        return Stream(self._keys[purpose], index)

    def date(self, plan: PagePlan) -> tuple[int, int, int]:
        """Return year, month and day of publication."""
        draw = self.stream("date", plan.index)
        if plan.relevant and draw.unit() < self.parameters.dated:
            year, month = _EVENT[0] if draw.unit() < _FIRST_MONTH else _EVENT[1]
            return year, month, 1 + draw.below(28)
        return 2012 + draw.below(13), 1 + draw.below(12), 1 + draw.below(28)

    def title(self, plan: PagePlan, host: Host) -> str:
        """Return the title of a page."""
        language = self.languages[host.lang]
        draw = self.stream("title", plan.index)
        if plan.role == "home":
            return fill(language.home_title, draw, language, {"host": host.title})
        patterns = language.hub_titles[:4] if plan.role == "hub" else self.template(plan, host.lang).titles
        pattern = draw.pick(patterns) + _DATELINE[host.lang]
        return fill(pattern, draw, language, self._facts(plan, host, language))

    def template(self, plan: PagePlan, lang: str) -> Template:
        """Return the templates of a page; one that says little of the topic looks like one of the last kind."""
        if plan.kind_row > 0:
            return self.topic.kinds[plan.kind_row - 1][lang]
        if plan.voice == WEAK:
            return self.topic.kinds[-1][lang]
        return self.topic.subtopics[plan.community % len(self.topic.subtopics)][lang]

    def anchor(self, plan: PagePlan, host: Host, draw: Stream) -> str:
        """Draw a short phrase about the kind of a page."""
        if plan.role in ("hub", "home"):
            return self.title(plan, host)
        language = self.languages[host.lang]
        pattern = draw.pick(self.template(plan, host.lang).short) + _DATELINE[host.lang]
        return fill(pattern, draw, language, self._facts(plan, host, language))

    def misleading(self, lang: str, draw: Stream) -> str:
        """Draw a short phrase about any kind of page, the topic included."""
        row = draw.below(len(self.topic.kinds) + 1)
        template = self.topic.kinds[row - 1] if row else draw.pick(self.topic.subtopics)
        return fill(draw.pick(template[lang].short), draw, self.languages[lang], {})

    def generic(self, lang: str, draw: Stream) -> str:
        """Draw an anchor that says nothing."""
        return draw.pick(self.languages[lang].generic)

    def write(self, plan: PagePlan, host: Host) -> PageText:
        """Write the text of a page; hubs and home pages have filler sentences only."""
        language, draw = self.languages[host.lang], self.stream("text", plan.index)
        facts = self._facts(plan, host, language)
        title = self.title(plan, host)
        if plan.role in ("hub", "home"):
            said = tuple(fill(one, draw, language, facts) for one in draw.sample(language.filler, 2))
            return PageText(title, (host.title,), (Section("", (said,)),), self.date(plan))
        template = self.template(plan, host.lang)
        sentences = [fill(one, draw, language, facts) for one in self._chosen(plan, template, host.lang, draw)]
        headings = draw.sample(template.headings, 1 + draw.below(3))
        keywords = tuple(draw.sample(template.keywords, 2 + draw.below(4)))
        return PageText(title, keywords, sections(sentences, headings, draw), self.date(plan))

    def terms(self, plan: PagePlan, lang: str) -> tuple[str, ...]:
        """Return the planted terms of a page: one on each Chinese relevant page that says much of the topic."""
        if not plan.relevant or plan.voice != FULL or lang != "zh":
            return ()
        names = tuple(self.topic.terms)
        return (names[plan.index % len(names)],)

    def _chosen(self, plan: PagePlan, template: Template, lang: str, draw: Stream) -> list[str]:
        """Draw sentence patterns in reading order."""
        topic, count = self.topic, 8 + draw.below(11)
        if plan.relevant and plan.voice == FULL:
            topical = max(1, round(count * (1 - self.parameters.drift) ** plan.depth))
            chosen = draw.sample(template.sentences, topical) + draw.sample(
                topic.kinds[-1][lang].sentences, count - topical
            )
        else:
            chosen = draw.sample(template.sentences, count)
        extra = draw.sample(self.languages[lang].filler, 1 + draw.below(3))
        if plan.relevant and plan.voice == WEAK:
            extra += draw.sample(topic.weak[lang], 1 + draw.below(2))
        elif not plan.relevant and plan.voice != SILENT:
            extra += (
                draw.sample(topic.touched[lang], 3 + draw.below(4))
                if plan.voice == FULL
                else [draw.pick(topic.mentions[lang])]
            )
        for term in self.terms(plan, lang):
            extra.append(draw.pick(topic.terms[term]))
        for sentence in extra:
            chosen.insert(1 + draw.below(len(chosen)), sentence)
        return chosen

    def _facts(self, plan: PagePlan, host: Host, language: Language) -> Mapping[str, str]:
        """Draw the facts that are the same in the whole page: places and date."""
        draw = self.stream("facts", plan.index)
        return facts_of(draw, language, host, self.date(plan))


# ---- templates of the calibrated webs: for each topic its subtopics, near and other kinds of pages, from data files


LANGUAGES = ("zh", "en")
Sentences = Mapping[str, tuple[str, ...]]
"""Language -> sentences."""


@dataclass(frozen=True)
class _Topic:
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
def topic(name: str) -> _Topic:
    """Return the templates of a topic, read once."""
    data, own = _read(name), _read("kinds")
    every = (*data["near"], *data["others"])
    return _Topic(
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
