"""Proposals for the ontology: terms that the relevant pages of a crawl use and the ontology has no label for.

Method [reconstruction; the papers print none]. Candidates are n-grams of characters (Chinese) and noun phrases of
two to four words (English) with free neighbours and cohesive insides (kg/phrases.py). Each sentence counts once per
host, so that menus and copies have no weight. A candidate is contrasted with the irrelevant pages by its lift,

    contrast = (p1 - p0) / (p1 + p0),   p1, p0 = shares of the relevant, irrelevant pages, smoothed by the pooled share,

and dropped where it is not positive. Rank:

    score = log2(1 + pages) * contrast * boundary * cohesion * novelty * variety

boundary = min(1, smaller neighbour entropy / ln 4), cohesion = (1 + NPMI) / 2, novelty is that of kg/wording.py, and
variety = log(1 + surroundings) / log(1 + occurrences) holds down what one formula repeats. What stands in four of five
cases within a longer candidate is a fragment of that one.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import urlsplit

import numpy as np

import queries
from kg.phrases import Bools, Phrases, Stream, phrases
from kg.records import PageText, Proposal
from kg.stopwords import EN_WORDS, ZH_BREAK, ZH_SOFT, ZH_WORDS
from kg.store import GraphStore
from kg.wording import Labels, boundary_share, fold, is_clause, novelty, singular
from ontology.model import Concept

Language = Literal["zh", "en"]

_LENGTHS: Mapping[Language, tuple[int, int]] = {"zh": (2, 8), "en": (2, 4)}
"""Shortest and longest candidate, in characters and in words."""
_LEAST_ENTROPY = 0.5
"""Nats; 0.5 is one neighbour in four of five occurrences."""
_FRAGMENT = 0.8
_SITE_SHARE = 0.6
_RERANKED = 20
"""Candidates per asked proposal whose surroundings are compared."""
_NEAR = 4
"""Characters on each side that are a term's surroundings."""
_LOOKED_AT = 5_000
"""Phrases of each language, best first, that are judged as words."""
_LOOKED_UP = 20
"""Sentences in which a candidate's boundaries are checked."""
_CJK = r"\u3400-\u4dbf\u4e00-\u9fff"
_SENTENCE = re.compile(r"[^。！？!?；;\n\r]+?(?:[。！？!?；;\n\r]+|\.(?=\s|$)|$)")
_NO_TERM = re.compile(
    "|".join([*sorted(ZH_WORDS, key=lambda w: (-len(w), w)), f"[{''.join(sorted(ZH_BREAK))}]", f"[^{_CJK}]"])
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'\u2019-]*[A-Za-z]|[A-Za-z]|[^\sA-Za-z]+")
_CALLED = r"又称|又叫|也称|也叫|俗称|简称|also known as|also called"
_ALIAS = rf"\s*(?:[（(]\s*(?:{_CALLED}|即|or|i\.e\.)?\s*|[，,]?\s*(?:{_CALLED})\s*[“\"「]?)"


class ProposalError(LookupError):
    """Proposals that do not fit the graph they are written to."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a page, counted once per host."""

    page: int
    text: str
    in_title: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A frequent phrase with its figures, before evidence is looked up."""

    term: str
    language: Language
    frequency: int
    score: float


@dataclass(frozen=True, slots=True)
class Reading:
    """The pages of a crawl, cut into sentences."""

    pages: tuple[PageText, ...]
    hosts: tuple[str, ...]
    """Host of each page."""
    relevant: Bools
    sentences: tuple[Sentence, ...]


def propose(
    pages: Iterable[PageText],
    concepts: Iterable[Concept],
    *,
    crawl: str,
    limit: int = 50,
    min_pages: int = 2,
) -> list[Proposal]:
    """At most ``limit`` terms for the ontology with these concepts, best first, each with its best sentence.

    A proposal stands on ``min_pages`` relevant pages or more. ``under`` is the concept whose label is the head of the
    term (山体滑坡 under 滑坡), else the one that its sentences name most often; ``kind`` is "label" where a sentence
    gives the term as another name of a concept (又称, also known as, a bracket). Needs some 150 bytes per character
    of text. Raises ValueError for a limit or min_pages below 1.
    """
    if limit < 1 or min_pages < 1:
        raise ValueError(f"limit and min_pages must be 1 or more, found {limit} and {min_pages}")
    labels = Labels(concepts)
    reading = read(pages)
    ranked = [c for language in _LENGTHS for c in _candidates(language, reading, labels, min_pages)]
    ranked = sorted(ranked, key=lambda c: (-c.score, c.term))[: _RERANKED * limit]
    places = _places([c.term for c in ranked], reading)
    ranked = [replace(c, score=c.score * variety(c.term, [s.text for s in places[c.term]])) for c in ranked]
    ranked.sort(key=lambda c: (-c.score, c.term))
    proposals: list[Proposal] = []
    for candidate in ranked:
        found = places[candidate.term]
        if len(proposals) < limit and _stands(candidate, found, reading):
            proposals.append(_proposal(candidate, found, reading, labels, crawl))
    return proposals


def variety(term: str, sentences: Sequence[str]) -> float:
    """log(1 + different surroundings) / log(1 + occurrences), in [0, 1]; 0 for no sentence.

    A surrounding is the few characters before the term, and those behind it, whichever is less varied; at the edge of
    a sentence it is the sentence. Digits are alike. A term that one formula repeats with other numbers is no more than
    a part of that formula, on however many pages it stands.
    """
    before, after, n = set(), set(), 0
    for sentence in sentences:
        text = re.sub(r"\d+", "0", fold(sentence))
        for hit in re.finditer(re.escape(re.sub(r"\d+", "0", fold(term))), text):
            n += 1
            before.add(text[max(0, hit.start() - _NEAR) : hit.start()] if hit.start() >= _NEAR else text)
            after.add(text[hit.end() : hit.end() + _NEAR] if len(text) - hit.end() >= _NEAR else text)
    return math.log1p(min(len(before), len(after))) / math.log1p(n) if n else 0.0


def read(pages: Iterable[PageText]) -> Reading:
    """The sentences of titles and texts; one that a host repeats counts once."""
    taken = tuple(pages)
    hosts = tuple(urlsplit(page.url).netloc.lower() for page in taken)
    seen: set[tuple[str, str]] = set()
    sentences: list[Sentence] = []
    for number, page in enumerate(taken):
        for in_title, block in ((True, page.title), (False, page.text)):
            for found in _SENTENCE.findall(block):
                text = " ".join(found.split())
                if len(text) > 1 and (hosts[number], text) not in seen:
                    seen.add((hosts[number], text))
                    sentences.append(Sentence(number, text, in_title))
    return Reading(taken, hosts, np.array([page.relevant for page in taken], dtype=np.bool_), tuple(sentences))


def _candidates(language: Language, reading: Reading, labels: Labels, min_pages: int) -> list[Candidate]:
    """Frequent phrases of one language that are no label and no fragment, with their scores."""
    stream, words = _characters(reading) if language == "zh" else _words(reading)
    n1, n0 = int(reading.relevant.sum()), int((~reading.relevant).sum())
    shortest, longest = _LENGTHS[language]
    raw: list[Candidate] = []
    for table in phrases(stream, reading.relevant, shortest=shortest, longest=longest, min_pages=min_pages):
        score = _scores(table, n1, n0)
        for row in np.flatnonzero(score > 0):
            first = int(table.start[row])
            term = ("" if language == "zh" else " ").join(words[first : first + table.length])
            raw.append(Candidate(term, language, int(table.frequency[row]), float(score[row])))
    raw.sort(key=lambda c: (-c.score, c.term))
    found: list[Candidate] = []
    for c in raw[:_LOOKED_AT]:
        worth = 0.0 if labels.is_trivial(c.term, language) else novelty(c.term, language)
        if worth > 0:
            found.append(replace(c, score=c.score * worth))
    return _without_fragments(found)


def _scores(table: Phrases, n1: int, n0: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """log2(1 + pages) * contrast * boundary * cohesion, 0 where a phrase is no candidate; (m,)."""
    pooled = (table.pages + table.others) / max(n1 + n0, 1)
    p1 = (table.pages + pooled) / (n1 + 1)
    p0 = (table.others + pooled) / (n0 + 1)
    contrast = (p1 - p0) / (p1 + p0) if n0 else np.ones(len(p1))
    entropy = np.minimum(table.left, table.right)
    boundary = np.minimum(1, entropy / math.log(4))
    score = np.log2(1 + table.pages) * contrast * boundary * (1 + table.cohesion) / 2
    return np.where((entropy >= _LEAST_ENTROPY) & (contrast > 0), score, 0.0)


def _characters(reading: Reading) -> tuple[Stream, Sequence[str]]:
    """Chinese characters one by one; empty words and whatever is not Chinese lie between terms."""
    text = "".join(s.text + "\n" for s in reading.sentences)
    blanked = _NO_TERM.sub(lambda hit: "\n" * len(hit.group()), text)
    symbol = np.frombuffer(blanked.encode("utf-32-le"), dtype=np.uint32).astype(np.int64)
    inside = symbol != ord("\n")
    soft = np.isin(symbol, np.array(sorted(map(ord, ZH_SOFT))))
    lengths = [len(s.text) + 1 for s in reading.sentences]
    page = np.repeat(np.array([s.page for s in reading.sentences], dtype=np.int64), lengths)
    return Stream(symbol, inside, ~inside | soft, page), text


def _words(reading: Reading) -> tuple[Stream, Sequence[str]]:
    """English words in lower case; stop words, names, parts of host names and punctuation lie between terms."""
    no_term = EN_WORDS | {word for host in set(reading.hosts) for word in re.findall(r"[a-z]+", host)}
    words: list[str] = []
    page: list[int] = []
    inside: list[bool] = []
    for sentence in reading.sentences:
        for place, token in enumerate([*_WORD.findall(sentence.text), "."]):
            word, name = token.lower(), place > 0 and token[:1].isupper()
            words.append(word)
            page.append(sentence.page)
            inside.append("a" <= word[:1] <= "z" and len(word) > 1 and word not in no_term and not name)
    numbers: dict[str, int] = {}
    symbol = np.array([numbers.setdefault(singular(w), len(numbers) + 1) for w in words], dtype=np.int64)
    within = np.array(inside, dtype=np.bool_)
    return Stream(symbol, within, ~within, np.array(page, dtype=np.int64)), words


def _without_fragments(found: Sequence[Candidate]) -> list[Candidate]:
    """Candidates without those mostly within a longer one, and without clauses around a more frequent one."""
    by_term = {c.term: c for c in found}
    clauses: set[str] = set()
    for c in found:
        if c.language == "zh":
            parts = (by_term[part] for part in _parts(c) if part in by_term)
            if any(part.frequency > c.frequency and is_clause(c.term, part.term) for part in parts):
                clauses.add(c.term)
    within: dict[str, int] = defaultdict(int)
    for c in found:
        if c.term not in clauses:
            for part in _parts(c):
                within[part] = max(within[part], c.frequency)
    return [c for c in found if c.term not in clauses and within[c.term] < _FRAGMENT * c.frequency]


def _parts(candidate: Candidate) -> Iterator[str]:
    """The shorter phrases of two or more symbols within a candidate."""
    glue = "" if candidate.language == "zh" else " "
    symbols = list(candidate.term) if candidate.language == "zh" else candidate.term.split()
    for length in range(2, len(symbols)):
        for first in range(len(symbols) - length + 1):
            yield glue.join(symbols[first : first + length])


def _places(terms: Sequence[str], reading: Reading) -> dict[str, list[Sentence]]:
    """The sentences of relevant pages that contain each term."""
    folded = [(fold(s.text), s) for s in reading.sentences if reading.relevant[s.page]]
    return {term: [s for text, s in folded if fold(term) in text] for term in terms}


def _stands(candidate: Candidate, found: Sequence[Sentence], reading: Reading) -> bool:
    """Whether a candidate is a unit where it stands, and not the furniture of one site."""
    if not found:
        return False
    if candidate.language == "zh" and boundary_share(candidate.term, [s.text for s in found[:_LOOKED_UP]]) < 0.5:
        return False
    pages = {s.page for s in found}
    hosts = {reading.hosts[page] for page in pages}
    wanted = [host for host, relevant in zip(reading.hosts, reading.relevant, strict=True) if relevant]
    if len(hosts) > 1 or len(set(wanted)) == 1:
        return True
    of_host = wanted.count(next(iter(hosts)))
    return of_host < 5 or len(pages) <= _SITE_SHARE * of_host


def _proposal(
    candidate: Candidate, found: Sequence[Sentence], reading: Reading, labels: Labels, crawl: str
) -> Proposal:
    term, pages = candidate.term, reading.pages
    named = {s: labels.concepts_in(s.text) for s in found}
    alias = next((iri for s in found if (iri := _alias(term, s.text, labels)) is not None), None)
    together = Counter(iri for iris in named.values() for iri in set(iris))
    most = min(together, key=lambda iri: (-together[iri], iri), default=None)
    best = min(
        found, key=lambda s: (s.in_title, not named[s], not 15 <= len(s.text) <= 200, *_page_order(pages[s.page]))
    )
    return Proposal(
        id=f"{crawl}/{term}",
        term=term,
        kind="concept" if alias is None else "label",
        score=round(candidate.score, 6),
        under=alias or labels.head_of(term, candidate.language) or most,
        page=pages[best.page].url,
        sentence=best.text,
        pages=len({s.page for s in found}),
    )


def _page_order(page: PageText) -> tuple[float, str]:
    return -page.relevance, page.url


def _alias(term: str, sentence: str, labels: Labels) -> str | None:
    """The concept that a sentence gives the term as another name of: `label（term）`, `term，又称 label`."""
    for hit in re.finditer(re.escape(term) + _ALIAS, sentence, re.IGNORECASE):
        after = labels.starting(sentence[hit.end() :])
        if after is not None:
            return after
    for hit in re.finditer(_ALIAS + re.escape(term), sentence, re.IGNORECASE):
        before = labels.ending(sentence[: hit.start()])
        if before is not None:
            return before
    return None


def save_proposals(store: GraphStore, proposals: Sequence[Proposal], crawl: str, *, ontology: str = "") -> int:
    """Write the proposals of a crawl with the concepts they hang under and the pages they were found on.

    Earlier ones of this crawl that nobody has reviewed are replaced, and a reviewed one keeps its status. Answers their
    number. Raises ProposalError where the graph lacks a page or a concept that they name.
    """
    context = {"crawl": crawl, "ontology": ontology}
    rows = [
        {
            "id": p.id,
            "under": p.under,
            "page": p.page,
            "sentence": p.sentence,
            "status": p.status,
            "props": _props(p, context),
        }
        for p in proposals
    ]
    hung = [row for row in rows if row["under"]]
    with store.transaction() as transaction:
        transaction.write(queries.get("enrich/forget").text, crawl=crawl)
        transaction.write(queries.get("enrich/proposal").text, rows)
        for query, some, what in (("enrich/under", hung, "concept"), ("enrich/found_in", rows, "page")):
            written = sum(row["written"] for row in transaction.write(queries.get(query).text, some))
            if written != len(some):
                raise ProposalError(
                    f"{len(some) - written} of {len(some)} proposals of crawl {crawl!r} name a {what} that the graph "
                    "lacks; load the ontology and project the crawl first (graph load, graph rebuild)"
                )
    return len(rows)


def _props(p: Proposal, context: Mapping[str, str]) -> dict[str, Any]:
    return {"term": p.term, "kind": p.kind, "score": p.score, "pages": p.pages, **context}
