"""Terms of crawled texts: what some pages are about, and what is new in a crawl.

Terms are extracted and ranked by `ontology.terms.contrast_terms`: the pages in question against the others. Labels of
the ontologies are left out. Of more pages than can be contrasted at once, every n-th is taken.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np

from ontology.enrichment import PageText
from ontology.enrichment.labels import Labels
from ontology.model import Concept, Document
from ontology.terms import ContrastTerm, contrast_terms, sentences
from ontology.terms.form_matcher import FormMatcher, with_inflections
from ontology.terms.wordforms import has_han, normal

MOST_PAGES = 2_000
"""Largest number of pages in question, and of others, that are contrasted."""
MOST_TERMS = 300
"""Number of best terms that are searched in texts."""
ABOUT_PAGE = 5
"""Largest number of terms of a page, and of a group."""
EXAMPLES = 3
_ALIKE = 0.5
"""Share of a term's pages that must be in a group for the term to join it."""


@dataclass(frozen=True, slots=True)
class Group:
    """Pages that have some terms in common: the terms, the number of pages, and URLs of some of them."""

    terms: tuple[str, ...]
    pages: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NewTerm:
    """A term of the newest crawl that no earlier one has: its score, its pages, and a sentence with its page."""

    term: str
    score: float
    pages: int
    page: str
    sentence: str


@dataclass(frozen=True)
class About:
    """What some pages are about: their groups, the largest first, and their terms by page, the best first."""

    groups: tuple[Group, ...]
    pages: dict[str, tuple[str, ...]]

    def terms_of(self, url: str) -> tuple[str, ...]:
        """Return the best terms of a page; none if it has no term of the pages in question."""
        return self.pages.get(url, ())[:ABOUT_PAGE]


def about(texts: Iterable[PageText], urls: Collection[str], concepts: Iterable[Concept], words: Iterable[str]) -> About:
    """Find what pages are about: their terms against those of the other pages, and groups of pages by terms.

    Args:
        texts: pages of all crawls, the oldest crawl first; of a page with several texts the last counts.
        urls: the pages in question.
        concepts: the classes, whose labels are no terms here.
        words: the topic's own words, which are none either.
    """
    newest = {page.url: page for page in texts}
    pages = [page for url, page in newest.items() if url in urls]
    others = [page for url, page in newest.items() if url not in urls]
    ranked = _contrast(pages, others, concepts, least=min(2, len(pages)))
    own = {normal(word) for word in words}
    ranked = [term for term in ranked if normal(term.text) not in own][:MOST_TERMS]
    having = _pages_with([term.text for term in ranked], pages)
    return About(tuple(_groups(ranked, having)), _by_page(ranked, having))


def new(
    newest: Sequence[PageText], earlier: Sequence[Sequence[PageText]], concepts: Iterable[Concept]
) -> list[NewTerm]:
    """Find terms of the relevant pages of a crawl that no page of the earlier crawls has.

    Args:
        newest: pages of the newest crawl.
        earlier: pages of the other crawls.
        concepts: the classes, whose labels are no new terms.

    Returns:
        The terms by falling score, of at least two relevant pages each.
    """
    known = {(page.url, page.text) for pages in earlier for page in pages}
    fresh = [page for page in newest if page.relevant and (page.url, page.text) not in known]
    others = [page for page in newest if not page.relevant]
    ranked = _contrast(fresh, others, concepts, least=2)[:MOST_TERMS]
    texts = [term.text for term in ranked]
    old = {n for pages in earlier for page in pages for n in _terms_in(_matcher(texts), page)} if texts else set()
    left = [term for n, term in enumerate(ranked) if n not in old]
    having = _pages_with([term.text for term in left], fresh)
    return [
        NewTerm(term.text, term.score, len(on), on[0].url, _sentence(term.text, on[0]))
        for term, on in zip(left, having, strict=True)
        if on
    ]


def _contrast(
    pages: Sequence[PageText], others: Sequence[PageText], concepts: Iterable[Concept], *, least: int
) -> list[ContrastTerm]:
    taken = [*_thinned(pages), *_thinned(others)]
    if not pages:
        return []
    hosts = {urlsplit(page.url).netloc.lower() for page in taken}
    return contrast_terms(
        [Document(str(n), page.title, page.text) for n, page in enumerate(taken)],
        np.arange(len(taken)) < len(_thinned(pages)),
        min_documents=least,
        stop=tuple({word for host in hosts for word in re.findall(r"[a-z]+", host)}),
        is_known=Labels(concepts).is_trivial,
    )


def _thinned(pages: Sequence[PageText]) -> Sequence[PageText]:
    return pages[:: -(-len(pages) // MOST_PAGES) or 1]


def _matcher(terms: Sequence[str]) -> FormMatcher:
    """Return a matcher with a group for each term, so that a term is found within a longer one too."""
    return FormMatcher([with_inflections([(term, 0, not has_han(term))]) for term in terms])


def _terms_in(matcher: FormMatcher, page: PageText) -> Iterator[int]:
    """Yield the numbers of the terms that a page has."""
    for number, spans in enumerate(matcher.spans(normal(f"{page.title}\n{page.text}"))):
        if next(spans, None) is not None:
            yield number


def _pages_with(terms: Sequence[str], pages: Sequence[PageText]) -> list[list[PageText]]:
    """Return the pages with each term, the most relevant first."""
    having: list[list[PageText]] = [[] for _ in terms]
    if terms:
        matcher = _matcher(terms)
        for page in sorted(pages, key=lambda p: (-p.relevance, p.url)):
            for number in _terms_in(matcher, page):
                having[number].append(page)
    return having


def _by_page(ranked: Sequence[ContrastTerm], having: Sequence[Sequence[PageText]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for term, pages in zip(ranked, having, strict=True):
        for page in pages:
            found.setdefault(page.url, []).append(term.text)
    return {url: tuple(terms) for url, terms in found.items()}


def _groups(ranked: Sequence[ContrastTerm], having: Sequence[Sequence[PageText]]) -> Iterator[Group]:
    """Group pages by terms: the best term that is left takes its pages, and the terms that are mostly on these.

    Yields:
        The groups by falling number of pages; a page is in one group.
    """
    left = {n: [page.url for page in pages] for n, pages in enumerate(having) if pages}
    groups: list[Group] = []
    taken: set[str] = set()
    while left:
        best = next(iter(left))
        urls = [url for url in left.pop(best) if url not in taken]
        if not urls:
            continue
        alike = [n for n, on in left.items() if len(set(on) & set(urls)) >= _ALIKE * len(on)]
        names = tuple(ranked[n].text for n in (best, *alike))[:ABOUT_PAGE]
        groups.append(Group(names, len(urls), tuple(urls[:EXAMPLES])))
        taken.update(urls)
        left = {n: on for n, on in left.items() if n not in alike}
    yield from sorted(groups, key=lambda group: (-group.pages, group.terms))


def _sentence(term: str, page: PageText) -> str:
    matcher = _matcher([term])
    for block in (page.text, page.title):
        for sentence in sentences(block):
            if next(matcher.spans(normal(sentence))[0], None) is not None:
                return " ".join(sentence.split())
    return ""
