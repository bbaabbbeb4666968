"""Enrichment proposals: terms that the relevant pages of a crawl use and the ontology has no label for.

The terms are extracted and ranked by `ontology.terms.contrast_terms`. Each clause counts once per host, so that menus
and copies have no weight. Here a term gets its evidence: the sentences that have it, whether it is more than the
boilerplate of one site, and its suggested parent concept. Reconstruction; the papers print no algorithm.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np

from ontology.enrichment.labels import Labels
from ontology.enrichment.page_text import PageText
from ontology.enrichment.proposal import PageSentence, Proposal
from ontology.model import Document, Ontology
from ontology.terms import ContrastTerm, clauses, contrast_terms, sentences
from ontology.terms.form_matcher import FormMatcher, with_inflections
from ontology.terms.wordforms import has_han, normal

_SITE_SHARE = 0.6
_LOOKED_UP = 200
"""Number of terms whose sentences are searched in one pass."""
_CALLED = r"又称|又叫|也称|也叫|俗称|简称|also known as|also called"
_ALIAS = rf"\s*(?:[（(]\s*(?:{_CALLED}|即|or|i\.e\.)?\s*|[，,]?\s*(?:{_CALLED})\s*[“\"「]?)"


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a page, counted once per host."""

    page: int
    text: str
    sentence: str
    """The sentence that has it."""
    in_title: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """The pages of a crawl, cut into clauses."""

    pages: tuple[PageText, ...]
    hosts: tuple[str, ...]
    """Host of each page."""
    clauses: tuple[Clause, ...]


def propose(
    pages: Iterable[PageText],
    ontologies: Sequence[Ontology],
    *,
    limit: int = 50,
    min_pages: int = 2,
) -> list[Proposal]:
    """Propose terms for an ontology from the pages of a crawl.

    ``target`` of a proposal is the concept whose label is the head of the term (山体滑坡 under 滑坡), or else the one
    that its sentences name most often; ``kind`` is "label" if a sentence introduces the term as another name of a
    concept (又称, also known as, a bracket).

    Args:
        pages: the pages, relevant ones and others.
        ontologies: the ontologies of a topic, the global one first.
        limit: maximum number of proposals.
        min_pages: minimum number of relevant pages with a term.

    Returns:
        The proposals, best first, each with its best sentence.

    Raises:
        ValueError: limit or min_pages is below 1.
    """
    if limit < 1 or min_pages < 1:
        raise ValueError(f"limit and min_pages must be 1 or more, found {limit} and {min_pages}")
    concepts = {c.iri: c for ontology in ontologies for c in ontology.concepts}
    labels = Labels(concepts.values())
    label_of = {iri: concept.label for iri, concept in concepts.items()}
    reading = read(pages)
    ranked = contrast_terms(
        _documents(reading),
        np.array([page.relevant for page in reading.pages], dtype=np.bool_),
        min_documents=min_pages,
        stop=tuple({word for host in set(reading.hosts) for word in re.findall(r"[a-z]+", host)}),
        is_known=labels.is_trivial,
    )
    proposals: list[Proposal] = []
    for first in range(0, len(ranked), _LOOKED_UP):
        terms = ranked[first : first + _LOOKED_UP]
        for term, examples in zip(terms, _places([term.text for term in terms], reading), strict=True):
            if len(proposals) == limit:
                return proposals
            if _is_independent(examples, reading):
                proposals.append(_proposal(term, examples, reading, labels, label_of))
    return proposals


def read(pages: Iterable[PageText]) -> Reading:
    """Cut titles and texts into clauses; one that a host repeats counts once."""
    taken = tuple(pages)
    hosts = tuple(urlsplit(page.url).netloc.lower() for page in taken)
    seen: set[tuple[str, str]] = set()
    clauses_of_pages: list[Clause] = []
    for number, page in enumerate(taken):
        for in_title, block in ((True, page.title), (False, page.text)):
            for sentence in sentences(block):
                for clause in clauses(sentence):
                    text = " ".join(clause.split())
                    if len(text) > 1 and (hosts[number], text) not in seen:
                        seen.add((hosts[number], text))
                        clauses_of_pages.append(Clause(number, text, " ".join(sentence.split()), in_title))
    return Reading(taken, hosts, tuple(clauses_of_pages))


def _documents(reading: Reading) -> list[Document]:
    """Return the pages without the clauses that their hosts repeat."""
    parts: defaultdict[tuple[int, bool], list[str]] = defaultdict(list)
    for clause in reading.clauses:
        parts[clause.page, clause.in_title].append(clause.text)
    numbers = range(len(reading.pages))
    return [Document(str(n), "\n".join(parts[n, True]), "\n".join(parts[n, False]), ()) for n in numbers]


def _places(terms: Sequence[str], reading: Reading) -> list[list[Clause]]:
    """Return the clauses of relevant pages that contain each term."""
    matcher = FormMatcher([with_inflections([(term, 0, not has_han(term))]) for term in terms])
    places: list[list[Clause]] = [[] for _ in terms]
    for clause in reading.clauses:
        if reading.pages[clause.page].relevant:
            for examples, spans in zip(places, matcher.spans(normal(clause.text)), strict=True):
                if next(spans, None) is not None:
                    examples.append(clause)
    return places


def _is_independent(examples: Sequence[Clause], reading: Reading) -> bool:
    """Return whether a term is more than the boilerplate of one site."""
    pages = {s.page for s in examples}
    hosts = {reading.hosts[page] for page in pages}
    relevant_hosts = [host for host, page in zip(reading.hosts, reading.pages, strict=True) if page.relevant]
    if len(hosts) != 1 or len(set(relevant_hosts)) == 1:
        return bool(hosts)
    of_host = relevant_hosts.count(next(iter(hosts)))
    return of_host < 5 or len(pages) <= _SITE_SHARE * of_host


def _proposal(
    term: ContrastTerm, examples: Sequence[Clause], reading: Reading, labels: Labels, label_of: Mapping[str, str]
) -> Proposal:
    pages = reading.pages
    named = {s: labels.concepts_in(s.text) for s in examples}
    alias = next((iri for s in examples if (iri := _alias(term.text, s.text, labels)) is not None), None)
    together = Counter(iri for iris in named.values() for iri in set(iris))
    most = min(together, key=lambda iri: (-together[iri], iri), default=None)
    best = min(
        examples, key=lambda s: (s.in_title, not named[s], not 15 <= len(s.text) <= 200, *_page_order(pages[s.page]))
    )
    target = alias or labels.head_of(term.text) or most
    page = pages[best.page]
    return Proposal(
        kind="concept" if alias is None else "label",
        term=term.text,
        relation="subclass_of" if alias is None else "synonym",
        target=target,
        target_label=label_of.get(target or ""),
        score=term.score,
        pages=len({s.page for s in examples}),
        sentences=(PageSentence(best.sentence, page.url, fetched=page.fetched),),
    )


def _page_order(page: PageText) -> tuple[float, str]:
    return -page.relevance, page.url


def _alias(term: str, sentence: str, labels: Labels) -> str | None:
    """Return the concept that a sentence names as a synonym of the term: `label（term）`, `term，又称 label`."""
    for hit in re.finditer(re.escape(term) + _ALIAS, sentence, re.IGNORECASE):
        after = labels.starting(sentence[hit.end() :])
        if after is not None:
            return after
    for hit in re.finditer(_ALIAS + re.escape(term), sentence, re.IGNORECASE):
        before = labels.ending(sentence[: hit.start()])
        if before is not None:
            return before
    return None
