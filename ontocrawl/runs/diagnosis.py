"""The diagnosis of a crawl in words: what it found, what was rejected and why, what held it back, what to do next.

`figures_of` counts in the journal, `diagnose` is a pure function of these figures. After the first pages of a crawl,
`remarks` says whether they and the topic fit each other. The Chinese texts are in the explorer (``diagnosis.toml``).
"""

from __future__ import annotations

import json
import shlex
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from crawler.crawl import INTERRUPTED
from crawler.fetching.fetch import CHALLENGE
from crawler.fetching.retries import LEFT_ALONE
from crawler.journal import Journal
from crawler.journal.ledger import Ledger
from crawler.metrics import FetchedPages, agreeing_threshold
from crawler.reasons import group_of
from crawler.url import host
from crawler.worlds.chromium import INSTALL, NO_BROWSER
from ontocrawl.base.options import ScopeSettings
from ontocrawl.runs.run_config import RunConfig
from ontology.errors import Message

CHECKS = (10, 50)
"""Numbers of pages after which a crawl compares them with its topic."""
ENOUGH = 20
"""Relevant pages below which proposals for an ontology are left to chance."""
_ALWAYS = "evidence_sum"
"""Strategy that rejects no link, and that learns from pages that a person likes."""
_FEW = 10
"""Pages below which a share of them says nothing."""
_NEARLY_ALL, _MOST = 0.95, 0.8
_HEAVIEST = 20
"""Number of topic words, those with the largest weights, that are looked for on the pages."""
_NAMED = 3
_SHOWN = 20
"""Largest number of hosts in the figures of a finding."""
_SEEDS = 10
"""Largest number of seeds that a command names."""
_FILTERED = "rejected_by_strategy"
_COUNTED = {"empty": "bare", CHALLENGE: "challenges"}
"""Reason code of a failure -> figure of its host."""
_LINKS_OF_PAGES = ("nofollow", "page_nofollow")
_NO_LINK_LEFT = ("frontier_empty", "strategy_finished")
_PAGES = """
SELECT p.final_url, p.relevance, p.relevant, p.counts,
       json_extract(e.data, '$.scripts'), json_extract(e.data, '$.shell'), json_extract(e.data, '$.rendered.failure')
FROM event e JOIN page p USING (seq)
WHERE e.kind = 'outcome' AND p.failure IS NULL AND json_extract(e.data, '$.noindex') IS NULL ORDER BY e.seq
"""
_FAILED = """
SELECT u.url, p.failure, max(e.seq) FROM event e JOIN page p USING (seq) JOIN url u ON u.id = e.link
WHERE e.kind = 'outcome' GROUP BY e.link HAVING p.failure IS NOT NULL
"""

_NO_BROWSER = "SELECT count(*) FROM event WHERE json_extract(data, '$.rendered.failure') = ?"
_GUESSED = """
SELECT json_extract(data, '$.encoding[0]') AS name, count(*) FROM event
WHERE kind = 'outcome' AND json_extract(data, '$.encoding[1]') < ? GROUP BY name ORDER BY name
"""
_DOUBTFUL = 0.6
"""Confidence in a guessed encoding below which the text may be no text."""


@dataclass(frozen=True)
class HostPages:
    """The pages of a host."""

    host: str
    pages: int = 0
    relevant: int = 0
    bare: int = 0
    """Pages with nearly no text and with scripts, and those with neither text nor links."""
    closed: int = 0
    """Links that robots.txt closes."""
    shells: int = 0
    """Pages that are made by scripts in a browser: few words, a root element and scripts."""
    challenges: int = 0
    """Links at which the host checks for a browser by a script and a cookie."""

    @property
    def needs_browser(self) -> bool:
        """Whether a browser would have to make most pages of the host."""
        made = max(self.bare, self.shells)
        return made > 0 and made >= _MOST * (self.pages or made)


@dataclass(frozen=True)
class Figures:
    """Figures of a crawl, from which its diagnosis follows."""

    run: str
    topic: str
    """Name of the topic, or path of its file, as a command takes it."""
    strategy: str
    fetched: int
    relevant: int
    known: int
    reasons: Mapping[str, int]
    """Reason code -> number of known links that are neither fetched nor queued."""
    hosts: tuple[HostPages, ...] = ()
    without_words: int = 0
    """Pages without any topic word."""
    words: Mapping[str, int] = field(default_factory=dict)
    """Topic word -> number of pages with it: the words with the largest weights, in their order."""
    stop_reason: str | None = None
    limit_pages: int = 0
    limit_time: float = 0.0
    spreads: bool = True
    """Whether the crawl may leave the hosts of its seeds."""
    proposes: bool = False
    """Whether the topic has an ontology, for which pages propose terms."""
    in_graph: bool = True
    """Whether the run is written into the graph."""
    seed: str = ""
    nearest: str = ""
    """URL of the page that is not relevant and has the largest relevance; empty where none has any."""
    weakest: str = ""
    """URL of the relevant page with the smallest relevance."""
    no_browser: int = 0
    """Pages that need a browser, where none could be started."""
    labelled: tuple[int, int] | None = None
    """Pages that are relevant by their labels, and those of them that the judge calls relevant; None without labels."""
    agreeing: float = 0.0
    """The threshold by which the judge would agree best with the labels; 0 if it were wrong about most pages by it."""
    guessed: Mapping[str, int] = field(default_factory=dict)
    """Encoding -> number of pages that are read in it by a guess that may be wrong."""
    idle: tuple[str, ...] = ()
    """The rules of the strategy that never fired."""
    again: tuple[str, ...] = ()
    """Options of ``crawl run`` for the same crawl but for its strategy; empty where they cannot be written down."""


@dataclass(frozen=True)
class Finding:
    """One fact of a diagnosis.

    Attributes:
        code: found_some, found_nothing, found_everything, no_page, labels, no_words, words_missing,
            words_everywhere, one_host, rejected, filter, out_of_scope, robots, failures, left_alone, browser,
            no_browser, encodings, session, rules, or queue_empty.
        text: a clause in English.
        figures: the figures in it, by name.
        message: code and values of the text, by which it is said in another language.
    """

    code: str
    text: str
    figures: Mapping[str, Any] = field(default_factory=dict)
    message: Mapping[str, Any] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if isinstance(self.text, Message):
            object.__setattr__(self, "message", self.text.as_json())


@dataclass(frozen=True)
class Diagnosis:
    """What is to be said of a crawl, and one command that goes on from there; empty for a crawl that goes on."""

    findings: tuple[Finding, ...] = ()
    next: str = ""

    def __str__(self) -> str:
        return "\n".join([*(f"- {one.text}" for one in self.findings), *([f"Next: {self.next}"] if self.next else [])])


def diagnose(figures: Figures) -> Diagnosis:
    """Return the diagnosis of a crawl that has ended.

    >>> found = diagnose(Figures("r", "storms", "fcosa_g", 5, 0, 12, {"rejected_by_strategy": 7}, without_words=5,
    ...                          hosts=(HostPages("a.cn", 5),), stop_reason="frontier_empty", limit_pages=300))
    >>> print(found)
    - none of the 5 pages is relevant: a.cn 0/5
    - no topic word is on 5 of 5 pages
    - 7 of 12 known links were not followed: rejected_by_strategy 7
    - 7 links are behind the filter of fcosa_g
    - the queue was empty after 5 pages
    Next: ontocrawl topic check storms
    """
    parts = (_found, _of_labels, _of_words, _one_host, _rejected, _held_back)
    findings = tuple(finding for part in parts for finding in part(figures))
    return Diagnosis(findings, shlex.join(("ontocrawl", *_next(figures))))


def so_far(figures: Figures) -> Diagnosis:
    """Return the diagnosis of a crawl that goes on; empty after fewer fetches than say something.

    Its command shows whether the topic fits the pages; empty where nothing speaks against that.
    """
    if figures.fetched + sum(_of_group(figures, "failure").values()) < _FEW:
        return Diagnosis()
    words = _doubt(figures)
    return replace(diagnose(figures), next=shlex.join(("ontocrawl", *words)) if words else "")


def remarks(figures: Figures, *, learns: bool) -> tuple[str, ...]:
    """Return what looks wrong after the first pages of a crawl, with what to do; empty where nothing does.

    Args:
        figures: the figures of the crawl so far.
        learns: whether its strategy learns from pages that a person likes.
    """
    words = list(_of_words(figures))
    found = [one for one in _found(figures) if one.code != "found_some"]
    found += [one for one in words if found or (one.code == "no_words" and _share(figures, one) >= _MOST)]
    found += [one for one in _one_host(figures) if figures.fetched >= CHECKS[-1]]
    found += [one for one in _held_back(figures) if one.code in ("browser", "no_browser", "session")]
    if not found:
        return ()
    run, teach = figures.run, f"ontocrawl crawl teach {figures.run} --like URL --unlike URL"
    taught = Message("runs.remark_teach", command=teach)
    by_example = taught if learns else Message("runs.remark_strategy", strategy=_ALWAYS)
    check = shlex.join(("ontocrawl", "topic", "check", figures.topic))
    lines = [Message("runs.remark_after", pages=figures.fetched, run=run, text=one.text) for one in found]
    return (*lines, Message("runs.remark_otherwise", check=check, by_example=by_example))


def _share(figures: Figures, finding: Finding) -> float:
    return float(finding.figures["pages"]) / figures.fetched


# ---- findings -------------------------------------------------------------------------------------------------------


def _found(f: Figures) -> Iterator[Finding]:
    hosts = [one for one in f.hosts if one.pages]
    best = sorted(hosts, key=lambda one: (-one.relevant, -one.pages, one.host))
    named = _listed([f"{one.host} {one.relevant}/{one.pages}" for one in best])
    counted = {"fetched": f.fetched, "relevant": f.relevant, "hosts": {one.host: one.relevant for one in best[:_SHOWN]}}
    if not f.fetched:
        yield Finding("no_page", Message("runs.no_page_read"))
    elif not f.relevant:
        yield Finding("found_nothing", Message("runs.found_nothing", fetched=f.fetched, named=named), counted)
    elif _is_everything(f):
        text = Message("runs.found_everything", relevant=f.relevant, fetched=f.fetched, named=named)
        yield Finding("found_everything", text, counted)
    else:
        yield Finding(
            "found_some", Message("runs.found_some", relevant=f.relevant, fetched=f.fetched, named=named), counted
        )


def _of_labels(f: Figures) -> Iterator[Finding]:
    """Say that the judge is wrong about most pages: of those that it calls relevant, or that the labels do."""
    if f.labelled is None:
        return
    by_label, both = f.labelled
    if max(f.relevant, by_label) >= _FEW and 2 * both < max(f.relevant, by_label):
        numbers = {"relevant": f.relevant, "by_label": by_label, "both": both, "agreeing": round(f.agreeing, 4)}
        text = Message("runs.labels_differ", **numbers)
        if f.agreeing and 2 * both >= f.relevant:
            text = Message("runs.labels_missed", **numbers, missed=by_label - both)
        elif f.agreeing and 2 * both >= by_label:
            text = Message("runs.labels_exceeded", **numbers, exceeding=f.relevant - both)
        yield Finding("labels", text, numbers)


def _is_everything(f: Figures) -> bool:
    return f.fetched >= _FEW and f.relevant >= _NEARLY_ALL * f.fetched


def _of_words(f: Figures) -> Iterator[Finding]:
    if f.fetched and 2 * f.without_words >= f.fetched:
        text = Message("runs.no_words", without_words=f.without_words, fetched=f.fetched)
        yield Finding("no_words", text, {"pages": f.without_words, "fetched": f.fetched})
    missing = [word for word, pages in f.words.items() if not pages]
    if f.fetched >= _FEW and 0 < len(missing) < len(f.words) and len(missing) >= 0.75 * len(f.words):
        number, words, named = len(missing), len(f.words), _listed(missing)
        text = Message("runs.words_missing", number=number, words=words, named=named)
        yield Finding("words_missing", text, {"words": missing})
    everywhere = [word for word, pages in f.words.items() if pages >= 0.9 * f.fetched]
    if f.fetched >= _FEW and everywhere and (not f.relevant or _is_everything(f)):
        text = Message("runs.words_everywhere", everywhere=_listed(everywhere))
        yield Finding("words_everywhere", text, {"words": everywhere})


def _one_host(f: Figures) -> Iterator[Finding]:
    hosts = [one.host for one in f.hosts if one.pages]
    if f.spreads and f.fetched >= _FEW and len(hosts) == 1:
        yield Finding("one_host", Message("runs.one_host", fetched=f.fetched, hosts=hosts[0]), {"host": hosts[0]})


def _rejected(f: Figures) -> Iterator[Finding]:
    codes = {
        code: number
        for code, number in f.reasons.items()
        if code == _FILTERED or code in _LINKS_OF_PAGES or group_of(code) == "scope"
    }
    if codes:
        total = sum(codes.values())
        text = Message("runs.rejected_links", total=total, known=f.known, counted=_counted(codes))
        yield Finding("rejected", text, {"links": total, "known": f.known, "reasons": codes})


def _held_back(f: Figures) -> Iterator[Finding]:
    filtered, ended = f.reasons.get(_FILTERED, 0), f.stop_reason in _NO_LINK_LEFT
    if filtered and (ended or 2 * filtered >= f.known):
        yield Finding(
            "filter", Message("runs.links_filtered", filtered=filtered, strategy=f.strategy), {"links": filtered}
        )
    outside = _of_group(f, "scope")
    others, left_out = f.known - f.fetched, sum(outside.values())
    if ended and left_out and left_out >= _MOST * others:
        text = Message("runs.links_out_of_scope", left_out=left_out, others=others, counted=_counted(outside))
        yield Finding("out_of_scope", text, {"links": left_out, "reasons": outside})
    closed = {one.host: one.closed for one in f.hosts if one.closed}
    if closed:
        text = Message("runs.links_closed_by_robots", values=sum(closed.values()), counted=_counted(closed))
        yield Finding("robots", text, {"links": sum(closed.values()), "hosts": dict(list(closed.items())[:_SHOWN])})
    failures = _of_group(f, "failure")
    number = sum(failures.values())
    if number and 4 * number >= f.fetched:
        text = Message("runs.requests_failed", failed=number, requests=number + f.fetched, counted=_counted(failures))
        yield Finding("failures", text, {"requests": number, "reasons": failures})
    left = sum(f.reasons.get(reason, 0) for reason in LEFT_ALONE)
    if left:
        text = Message("runs.links_left_alone", left=left)
        yield Finding("left_alone", text, {"links": left})
    bare = [one for one in f.hosts if one.needs_browser and (one.shells or one.bare >= 3 or one.bare >= f.fetched)]
    if bare:
        named = _listed([f"{one.host} {one.bare}/{max(one.pages, one.bare)}" for one in bare])
        text = Message("runs.browser_needed", named=named)
        of_pages = {one.host: max(one.pages, one.bare) for one in bare[:_SHOWN]}
        yield Finding("browser", text, {"hosts": {one.host: one.bare for one in bare[:_SHOWN]}, "pages": of_pages})
    if f.no_browser:
        text = Message("runs.no_browser", pages=f.no_browser, install=INSTALL)
        yield Finding("no_browser", text, {"pages": f.no_browser})
    if f.guessed:
        number = sum(f.guessed.values())
        text = Message("runs.encodings_guessed", pages=number, counted=_counted(f.guessed))
        yield Finding("encodings", text, {"pages": number, "encodings": dict(f.guessed)})
    asking = {one.host: one.challenges for one in f.hosts if one.challenges}
    if asking:
        text = Message("runs.session_needed", counted=_counted(asking))
        yield Finding("session", text, {"hosts": dict(list(asking.items())[:_SHOWN])})
    if f.fetched and f.idle:
        text = Message("runs.rules_never_fired", strategy=f.strategy, idle=", ".join(f.idle))
        yield Finding("rules", text, {"rules": list(f.idle)})
    if ended and (not f.limit_pages or f.fetched < f.limit_pages):
        yield Finding("queue_empty", Message("runs.queue_was_empty", fetched=f.fetched), {"limit_pages": f.limit_pages})


def _of_group(f: Figures, group: str) -> dict[str, int]:
    return {code: number for code, number in f.reasons.items() if group_of(code) == group and code not in LEFT_ALONE}


def _counted(numbers: Mapping[str, int]) -> str:
    ordered = sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
    return _listed([f"{name} {number}" for name, number in ordered])


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f", .. (+{more})" if more > 0 else "")


# ---- the next command ---------------------------------------------------------------------------------------------


def _next(f: Figures) -> Sequence[str]:
    """Return the words of the command that goes on from a crawl that has ended; it can be run as it is."""
    if f.stop_reason in (None, INTERRUPTED, "repeated_failure"):
        return ("crawl", "resume", f.run)
    if f.stop_reason == "frontier_empty" and any(f.reasons.get(reason) for reason in LEFT_ALONE):
        return ("crawl", "resume", f.run)
    is_filtered = f.stop_reason in _NO_LINK_LEFT and bool(f.reasons.get(_FILTERED)) and f.strategy != _ALWAYS
    if f.fetched and not _is_everything(f) and f.relevant < ENOUGH and is_filtered and f.again:
        return ("crawl", "run", *f.again, "--strategy", _ALWAYS)
    if words := _doubt(f):
        return words
    if f.relevant >= ENOUGH and f.proposes:
        return ("enrich", "propose", f.run) if f.in_graph else ("graph", "rebuild", f.run)
    if f.stop_reason == "limit_pages":
        return ("crawl", "resume", f.run, "--limit-pages", str(2 * f.limit_pages))
    if f.stop_reason == "limit_time":
        return ("crawl", "resume", f.run, "--limit-time", f"{2 * f.limit_time:g}")
    return ("crawl", "pages", f.run, "--relevant")


def _doubt(f: Figures) -> Sequence[str]:
    """Return the words of the command that shows whether topic and pages fit each other; () where they seem to."""
    if not f.fetched:
        return ("crawl", "explain", f.run, f.seed)
    if _is_everything(f):
        return ("crawl", "score", f.weakest, "--run", f.run)
    if f.relevant:
        return ()
    return ("crawl", "score", f.nearest, "--run", f.run) if f.nearest else ("topic", "check", f.topic)


# ---- figures of the journal ---------------------------------------------------------------------------------------


def figures_of(journal: Journal, config: RunConfig, links: Ledger, fetched: FetchedPages) -> Figures:
    """Count what the diagnosis of a run needs. The texts of the pages are not read.

    Args:
        journal: the journal of the run.
        config: the configuration with which it began.
        links: what became of its links.
        fetched: its pages.
    """
    hosts: dict[str, Counter[str]] = {}
    pages = _PageCounts(len(config.vocabularies["TK"]))
    for url, R, relevant, counts, scripts, shell, unrendered in journal.query(_PAGES):
        pages.add(url, R or 0.0, bool(relevant), counts)
        plain = unrendered != ""  # a browser has shown the others
        hosts.setdefault(host(url), Counter()).update(
            pages=1,
            relevant=int(bool(relevant)),
            bare=int(plain and bool(scripts or shell)),
            shells=int(plain and bool(shell)),
        )
    for url, failure, _ in journal.query(_FAILED):
        name = "closed" if group_of(failure) == "robots" else _COUNTED.get(failure)
        hosts.setdefault(host(url), Counter()).update([] if name is None else [name])
    settings = config.crawl
    return Figures(
        run=config.run,
        topic=config.topic_file or config.topic,
        strategy=config.strategy,
        fetched=pages.fetched,
        relevant=pages.relevant,
        known=links.known,
        reasons=links.reasons,
        hosts=tuple(HostPages(name, **counted) for name, counted in hosts.items() if counted.total()),
        without_words=pages.without_words,
        words={} if any(journal.events_of("weights")) else _heaviest(config, pages.containing),
        stop_reason=journal.get("stop_reason"),
        limit_pages=config.crawl.limit_pages,
        limit_time=config.crawl.limit_time,
        spreads=settings.stay == "any" and not settings.host and not config.world.startswith("corpus:"),
        proposes=bool(config.ontologies),
        in_graph=config.graph,
        seed=config.seeds[0],
        nearest=pages.nearest[1],
        weakest=pages.weakest[1],
        no_browser=next(journal.query(_NO_BROWSER, (NO_BROWSER,)))[0],
        **_of_truth(fetched),
        guessed=dict(journal.query(_GUESSED, (_DOUBTFUL,))),
        idle=never_fired(journal.get("fired")),
        again=again(config),
    )


def _of_truth(fetched: FetchedPages) -> dict[str, Any]:
    """Return the fields ``labelled`` and ``agreeing``, where labels are known."""
    if (labelled := fetched.labelled) is None:
        return {}
    both = sum(map(all, zip(labelled, fetched.relevant, strict=True)))
    agreeing = agreeing_threshold(fetched.R, labelled) if any(labelled) else 0.0
    called = [truth for R, truth in zip(fetched.R, labelled, strict=True) if agreeing < R]
    if 2 * sum(called) < max(len(called), sum(labelled)):
        agreeing = 0.0
    return {"labelled": (sum(labelled), both), "agreeing": agreeing}


def never_fired(rules: Mapping[str, int] | None) -> tuple[str, ...]:
    """Return the rules that never fired, of those that were counted.

    >>> never_fired({"relevant": 12, "valuable": 0}), never_fired(None)
    (('valuable',), ())
    """
    return tuple(rule for rule, times in (rules or {}).items() if not times)


class _PageCounts:
    """Counts of the pages of a run."""

    def __init__(self, words: int) -> None:
        self.fetched = self.relevant = self.without_words = 0
        self.nearest, self.weakest = (0.0, ""), (np.inf, "")
        self.containing = np.zeros(words, dtype=np.int64)

    def add(self, url: str, R: float, relevant: bool, counts: bytes) -> None:
        """Add a page, with its counts of words as the journal keeps them."""
        present = {word for _, word, _ in json.loads(zlib.decompress(counts)).get("TK", ())}
        self.containing[[word for word in present if word < len(self.containing)]] += 1
        self.fetched += 1
        self.relevant += relevant
        self.without_words += not present
        if relevant:
            self.weakest = min(self.weakest, (R, url))
        elif present and self.nearest[0] < R:
            self.nearest = R, url


def _heaviest(config: RunConfig, containing: Iterable[int]) -> dict[str, int]:
    """Return the topic words with the largest weights, and on how many pages each is."""
    rows = sorted(zip(config.vocabularies["TK"].words, containing, strict=True), key=lambda row: -row[0].weight)
    return {word.label: int(pages) for word, pages in rows[:_HEAVIEST]}


def again(config: RunConfig) -> tuple[str, ...]:
    """Return options of ``crawl run`` for the same crawl, its strategy left out; () where they do not suffice."""
    if config.resolve or config.rounds or len(config.seeds) > _SEEDS or config.like or config.unlike:
        return ()
    if any("iri" in one and not one["iri"] for one in config.classes) and config.cover:
        return ()  # local ontologies have no names that could be given
    words = ["--topic", config.topic_file or config.topic, "--world", config.world]
    words += [word for one in config.classes for word in ("--class", one.get("iri") or one["name"])]
    if config.words:
        words += ["--words", ",".join(f"{word}={weight:g}" for word, weight in config.words.items())]
    words += [word for seed in config.seeds for word in ("--seeds", seed)]
    words += ["--labels", config.labels] if config.labels else []
    words += ["--limit-pages", str(config.crawl.limit_pages)]
    for name in ScopeSettings.model_fields:
        given = getattr(config.crawl, name)
        if given != ScopeSettings.model_fields[name].default:
            option = f"--{name.replace('_', '-')}"
            words += [part for one in (given if isinstance(given, tuple) else (given,)) for part in (option, str(one))]
    flags = (config.allow_loopback, "--allow-loopback"), (not config.politeness, "--no-politeness")
    return (*words, *(flag for is_set, flag in (*flags, (not config.graph, "--no-graph")) if is_set))
