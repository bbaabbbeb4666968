"""What a topic's ontologies lack, and what its crawls brought.

That is: classes without evidence, pages that no class explains, branches that grow (`growth`), terms that are new.
What pages name is asked of the graph. The texts are those of the journals: with them, a class that was accepted after a
crawl is found in the pages of that crawl too, and pages are said to be about something. A crawl in the graph without a
journal in the workspace counts with what the graph has of it.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from crawler.journal import graph_rows
from kg.store import GraphStore, Row
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment.growth import Branch, CrawlClasses, PageClasses, branches_of, growth_of
from ontocrawl.errors import Option, UsageError
from ontocrawl.graph import graph_store
from ontocrawl.runs import runs
from ontocrawl.topics.topic_graph import TopicGraph
from ontocrawl.topics.topics import Topic
from ontocrawl.versions import histories
from ontology.enrichment import PageText
from ontology.enrichment.labels import Labels
from ontology.errors import Message
from ontology.model import Concept, Document, Ontology
from ontology.reachable import reachable
from ontology.terms import ContrastTerm, contrast_terms, sentences
from ontology.terms.form_matcher import FormMatcher, with_inflections
from ontology.terms.wordforms import has_han, normal

# ---- terms of crawled texts: what some pages are about, and what is new in a crawl
#
# Terms are extracted and ranked by `ontology.terms.contrast_terms`: the pages in question against the others. Labels
# of the ontologies are left out. Of more pages than can be contrasted at once, every n-th is taken.


_MOST_PAGES = 2_000
"""Largest number of pages in question, and of others, that are contrasted."""
_MOST_TERMS = 300
"""Number of best terms that are searched in texts."""
_ABOUT_PAGE = 5
"""Largest number of terms of a page, and of a group."""
EXAMPLES = 3
_ALIKE = 0.5
"""Share of a term's pages that must be in a group for the term to join it."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Pages that have some terms in common: the terms, the number of pages, and URLs of some of them."""

    terms: tuple[str, ...]
    pages: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _NewTerm:
    """A term of the newest crawl that no earlier one has: its score, its pages, and a sentence with its page."""

    term: str
    score: float
    pages: int
    page: str
    sentence: str


@dataclass(frozen=True)
class About:
    """What some pages are about: their groups, the largest first, and their terms by page, the best first."""

    groups: tuple[_Group, ...]
    pages: dict[str, tuple[str, ...]]

    def terms_of(self, url: str) -> tuple[str, ...]:
        """Return the best terms of a page; none if it has no term of the pages in question."""
        return self.pages.get(url, ())[:_ABOUT_PAGE]


def _about(
    texts: Iterable[PageText], urls: Collection[str], concepts: Iterable[Concept], words: Iterable[str]
) -> About:
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
    ranked = [term for term in ranked if normal(term.text) not in own][:_MOST_TERMS]
    having = _pages_with([term.text for term in ranked], pages)
    return About(tuple(_groups(ranked, having)), _by_page(ranked, having))


def _new(
    newest: Sequence[PageText], earlier: Sequence[Sequence[PageText]], concepts: Iterable[Concept]
) -> list[_NewTerm]:
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
    ranked = _contrast(fresh, others, concepts, least=2)[:_MOST_TERMS]
    texts = [term.text for term in ranked]
    old = {n for pages in earlier for page in pages for n in _terms_in(_matcher(texts), page)} if texts else set()
    left = [term for n, term in enumerate(ranked) if n not in old]
    having = _pages_with([term.text for term in left], fresh)
    return [
        _NewTerm(term.text, term.score, len(on), on[0].url, _sentence(term.text, on[0]))
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
    return pages[:: -(-len(pages) // _MOST_PAGES) or 1]


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


def _groups(ranked: Sequence[ContrastTerm], having: Sequence[Sequence[PageText]]) -> Iterator[_Group]:
    """Group pages by terms: the best term that is left takes its pages, and the terms that are mostly on these.

    Yields:
        The groups by falling number of pages; a page is in one group.
    """
    left = {n: [page.url for page in pages] for n, pages in enumerate(having) if pages}
    groups: list[_Group] = []
    taken: set[str] = set()
    while left:
        best = next(iter(left))
        urls = [url for url in left.pop(best) if url not in taken]
        if not urls:
            continue
        alike = [n for n, on in left.items() if len(set(on) & set(urls)) >= _ALIKE * len(on)]
        names = tuple(ranked[n].text for n in (best, *alike))[:_ABOUT_PAGE]
        groups.append(_Group(names, len(urls), tuple(urls[:EXAMPLES])))
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


# ---- what a topic's ontologies lack, and what its crawls brought


_ALL = 1_000_000
_MOST_SEEDS = 10
"""Largest number of seeds of a crawl that the command for another one names."""


@dataclass(frozen=True, slots=True)
class BareClass:
    """A class that no page names.

    Attributes:
        iri, label: of the class.
        branches: labels of the top classes above it.
        below: number of narrower classes.
        below_named: number of those that a page or a paper names.
        papers: number of papers that name it; 0 for a class without any evidence.
        name: its label, or its IRI where another class has the label: a crawl for it names it so.
        crawl: the command that crawls for it; empty for a root, whose crawl is that for the whole topic.
    """

    iri: str
    label: str
    branches: tuple[str, ...]
    below: int
    below_named: int
    papers: int = 0
    name: str = ""
    crawl: str = ""


@dataclass(frozen=True, slots=True)
class UnexplainedPage:
    """A relevant page that names no class beside the roots and the topic's own words.

    Attributes:
        url, title: of the page.
        relevance: under the judge of the last of its crawls, in [0, 1]. Crawls may have different judges.
        crawls: the crawls that found it relevant, the oldest first.
        about: terms that it has, and most other pages have not.
    """

    url: str
    title: str
    relevance: float
    crawls: tuple[str, ...]
    about: tuple[str, ...] = ()

    @property
    def crawl(self) -> str:
        """The crawl by whose judge its relevance is."""
        return self.crawls[-1]


@dataclass(frozen=True)
class Gaps:
    """What was found about a topic.

    Attributes:
        topic: its name.
        version: version of its global ontology, of which the classes are.
        newest: the newest version of it; another one after a rollback.
        crawls: its crawls in the graph, the oldest first.
        crawl_versions: crawl -> version of the ontology by which its pages were annotated, where it is known.
        totals: number of classes of all its ontologies and of the global one, of relevant pages, of classes without
            evidence and without pages, of unexplained pages, of new terms.
        classes_without_evidence: classes with the fewest narrower ones that something names first.
        classes_without_pages: classes that papers name and no page does, those in the most papers first.
        world, seeds: where the newest crawl with a journal began, and so the crawls for these classes; no seeds where
            there is none, or where the world has its own.
        unexplained_pages: the most relevant first.
        unexplained_about: what these pages are about, groups of terms with the pages that have them.
        growing_branches: all branches, those that surely grew most first.
        new_terms: terms of relevant pages of the newest crawl that no page of an earlier one has, the best first.
        remarks: what could not be compared, and why.
    """

    topic: str
    version: str
    newest: str
    crawls: tuple[str, ...]
    crawl_versions: Mapping[str, str]
    totals: Mapping[str, int]
    classes_without_evidence: tuple[BareClass, ...]
    classes_without_pages: tuple[BareClass, ...]
    unexplained_pages: tuple[UnexplainedPage, ...]
    unexplained_about: tuple[_Group, ...]
    growing_branches: tuple[Branch, ...]
    new_terms: tuple[_NewTerm, ...]
    remarks: tuple[str, ...]
    world: str
    seeds: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the document of ``enrich gaps --json``."""
        return asdict(self)


@dataclass(frozen=True)
class _Crawl:
    """A crawl of the topic: its row in the graph, its relevant pages there, and its texts where it has a journal."""

    row: Row
    pages: Sequence[Row]
    texts: Sequence[PageText] | None

    @property
    def name(self) -> str:
        return str(self.row["crawl"])


def find(
    space: Workspace, graph: GraphStore, topic: Topic, *, limit: int = 20, on_stage: Callable[[str], None] = print
) -> Gaps:
    """Find what a topic's ontologies lack, by all crawls of the topic in the graph.

    The ontologies and papers of the topic are loaded where the graph lacks them.

    Args:
        space: the workspace, with the journals of the crawls.
        graph: its open graph.
        topic: the topic.
        limit: maximum number of rows of each list; the totals count all.
        on_stage: called with a message before a long step.

    Raises:
        UsageError: the topic has no ontology, or the graph has no crawl of it.
    """
    if not topic.ontologies:
        raise UsageError("enrichment.gaps_ontology", topic=topic.name)
    loaded = TopicGraph(topic, graph, on_stage)
    loaded.load_ontologies()
    loaded.load_papers()
    crawls = _crawls(space, graph, topic)
    if not crawls:
        raise UsageError(
            "enrichment.gaps_crawl",
            topic=topic.name,
            option=Option(f"`ontocrawl crawl run --topic {topic.name}`", f"ontocrawl.crawl({topic.name!r})"),
        )
    ontologies = topic.ontologies
    concepts = {c.iri: c for ontology in reversed(ontologies) for c in ontology.concepts}
    trivial = _trivial(topic, concepts.values())
    keys = [ontology.key for ontology in ontologies]
    unnamed = _ask(graph, "classes_without_pages", topic=topic.name, ontologies=keys)
    on_papers = {row["iri"]: row["papers"] for row in unnamed}
    odd = _ask(graph, "unexplained_pages", topic=topic.name, ontologies=keys, trivial=sorted(trivial))
    pages = [UnexplainedPage(r["url"], r["title"] or "", r["relevance"], tuple(r["crawls"])) for r in odd]
    on_stage(Message("enrichment.stage_texts"))
    named = _named_in_texts(crawls, list(concepts.values()))
    unseen = on_papers.keys() - set().union(*named.values())
    bare = {iri for iri in unseen if not on_papers[iri]}
    pages = [page for page in pages if not named.get(page.url, Counter()).keys() - trivial]
    texts = [text for crawl in crawls for text in crawl.texts or ()]
    about = _about(texts, {page.url for page in pages}, concepts.values(), _terms_of(topic))
    new = _new(crawls[-1].texts or (), [c.texts or () for c in crawls[:-1]], concepts.values())
    new = new if len(crawls) > 1 else []
    versions, others, branches = _grown(space, graph, topic, crawls)
    world, seeds = _start(space, crawls)
    alike = Counter(concept.label for concept in concepts.values())
    of_bare, of_papers = (
        tuple(_with_command(row, topic, alike[row.label] == 1, world, seeds) for row in rows[:limit])
        for rows in (_bare_classes(ontologies, concepts, some, bare, on_papers) for some in (bare, unseen - bare))
    )
    totals = {
        "classes": len(concepts), "global_classes": len(ontologies[0].concepts),
        "relevant_pages": len({p["url"] for c in crawls for p in c.pages}),
        "classes_without_evidence": len(bare), "classes_without_pages": len(unseen - bare),
        "unexplained_pages": len(pages), "new_terms": len(new), "growing_branches": len(branches),
    }  # fmt: skip
    return Gaps(
        topic.name, ontologies[0].version, histories.newest(topic, topic.levels[0]),
        tuple(crawl.name for crawl in crawls), versions, totals, of_bare, of_papers,
        tuple(replace(page, about=about.terms_of(page.url)) for page in pages[:limit]), about.groups[:limit],
        tuple(branches[:limit]), tuple(new[:limit]), tuple(_remarks(topic, crawls, others, branches)), world, seeds,
    )  # fmt: skip


def _terms_of(topic: Topic) -> tuple[str, ...]:
    """Return the topic's own words, in all their forms."""
    return tuple(form for word in topic.file.vocabulary().words for _, form in word.forms)


def _ask(graph: GraphStore, name: str, **parameters: Any) -> list[Row]:
    return graph_store.ask(graph, f"enrichment/{name}", limit=_ALL, **parameters).records()


def _crawls(space: Workspace, graph: GraphStore, topic: Topic) -> list[_Crawl]:
    """Read the crawls of a topic, the oldest first."""
    rows = graph_store.ask(graph, "crawl/list", limit=_ALL).records()
    keys = [ontology.key for ontology in topic.ontologies]
    known = set(space.run_names())
    return [
        _Crawl(
            row,
            _ask(graph, "classes_of_pages", crawl=row["crawl"], ontologies=keys),
            _texts(space, row["crawl"]) if row["crawl"] in known else None,
        )
        for row in reversed(rows)
        if row["topic"] == topic.name
    ]


def _texts(space: Workspace, run: str) -> list[PageText]:
    with runs.open_journal(space, run) as journal:
        return list(graph_rows.pages(journal))


def _trivial(topic: Topic, concepts: Iterable[Concept]) -> set[str]:
    """Return the classes that explain nothing: the roots, and those that the topic's own words name."""
    words = {normal(form) for form in _terms_of(topic)}
    named = {c.iri for c in concepts if any(normal(form) in words for _, form in c.forms())}
    return named | {ontology.root for ontology in topic.ontologies}


def _named_in_texts(crawls: Sequence[_Crawl], concepts: Sequence[Concept]) -> dict[str, Counter[str]]:
    """Return URL -> IRIs of the classes that titles and main texts name, of each page in each crawl, and how often."""
    forms = ((form, number, language == "en") for number, c in enumerate(concepts) for language, form in c.forms())
    matcher = FormMatcher([with_inflections(forms)])
    named: dict[str, Counter[str]] = {}
    for crawl in crawls:
        for page in crawl.texts or ():
            spans = matcher.spans(normal(f"{page.title}\n{page.text}"))[0]
            named.setdefault(page.url, Counter()).update(concepts[number].iri for _, _, number in spans)
    return named


def _bare_classes(
    ontologies: Sequence[Ontology], concepts: Mapping[str, Concept], classes: set[str], bare: set[str],
    papers: Mapping[str, int],
) -> list[BareClass]:  # fmt: skip
    """Describe classes, of which ``bare`` and others are named by no page and no paper."""
    children: dict[str, set[str]] = {}
    for ontology in ontologies:
        for iri, lower in ontology.children.items():
            children.setdefault(iri, set()).update(lower)
    branches = branches_of(ontologies)
    rows = []
    for iri in classes & concepts.keys():
        below = reachable(iri, lambda c: children.get(c, ())) - {iri}
        tops = tuple(concepts[top].label for top, classes in branches.items() if iri in classes)
        rows.append(BareClass(iri, concepts[iri].label, tops, len(below), len(below - bare), papers[iri]))
    return sorted(rows, key=lambda row: (-row.papers, row.below_named, row.branches, row.label, row.iri))


def _start(space: Workspace, crawls: Sequence[_Crawl]) -> tuple[str, tuple[str, ...]]:
    """Return the world of the newest crawl with a journal, and its seeds, unless the world has its own."""
    for crawl in reversed(crawls):
        if crawl.texts is not None:
            config = runs.config_of(space, crawl.name)
            return config.world, () if config.world.startswith("synthetic:") else config.seeds[:_MOST_SEEDS]
    return "live", ()


def _with_command(row: BareClass, topic: Topic, alone: bool, world: str, seeds: Sequence[str]) -> BareClass:
    """Return a class with the command that crawls for it; ``alone`` says whether no other class has its label."""
    if row.iri in {ontology.root for ontology in topic.ontologies}:
        return row
    name = row.label if alone else row.iri
    words = ["--topic", topic.name, "--class", name, *(() if world == "live" else ("--world", world))]
    words += [word for seed in seeds or (("URL",) if world == "live" else ()) for word in ("--seeds", seed)]
    return replace(row, name=name, crawl=shlex.join(("ontocrawl", "crawl", "run", *words)))


def _grown(
    space: Workspace, graph: GraphStore, topic: Topic, crawls: Sequence[_Crawl]
) -> tuple[dict[str, str], list[str], list[Branch]]:
    """Return crawl -> version of its ontology, the crawls that another ontology counts, and how branches grow."""
    ontologies, keys = topic.ontologies, [ontology.key for ontology in topic.ontologies]
    counted_by = {crawl.name: _ontology(space, crawl) for crawl in crawls}
    versions = {name: str(version) for name, one in counted_by.items() if (version := one.get("version"))}
    others = [name for name, one in counted_by.items() if one.get("iri", ontologies[0].iri) != ontologies[0].iri]
    compared = [crawl for crawl in crawls if crawl.name not in others]
    then = histories.classes_of_versions(topic, (versions.get(crawl.name, "") for crawl in compared))
    concepts = {c.iri: c for ontology in reversed(ontologies) for c in ontology.concepts}
    rows = [_with_classes(graph, crawl, keys, concepts, then.get(versions.get(crawl.name, ""))) for crawl in compared]
    since = {iri: version for version, classes in reversed(then.items()) for iri in classes}
    return versions, others, growth_of(ontologies, rows, since)


def _ontology(space: Workspace, crawl: _Crawl) -> Mapping[str, Any]:
    """Return the global ontology by which the pages of a crawl are counted; empty without a journal or an ontology."""
    return {} if crawl.texts is None else runs.ontologies_of(space, crawl.name).get("GTK", {})


def _with_classes(
    graph: GraphStore, crawl: _Crawl, keys: Sequence[str], concepts: Mapping[str, Concept],
    classes: Mapping[str, Set[tuple[str, str]]] | None,
) -> CrawlClasses:  # fmt: skip
    """Describe a crawl; ``classes`` are those of the ontologies that counted its pages, with their names.

    For names that a class got later, the texts are searched; without texts such a class is none of the crawl's.
    """
    renamed = {iri for iri, names in (classes or {}).items() if iri in concepts and {*concepts[iri].forms()} - names}
    named = _named_in_texts([crawl], list(concepts.values())) if renamed else {}
    pages = tuple(
        PageClasses(
            row["url"], row["published"] or "",
            Counter(dict(zip(row["classes"], row["counts"], strict=True)))
            | Counter({iri: n for iri, n in named.get(row["url"], Counter()).items() if iri in renamed}),
        )
        for row in crawl.pages
    )  # fmt: skip
    proposed = _ask(graph, "by_concept", crawl=crawl.name, status="")
    under = tuple(row["iri"] for row in proposed for _ in range(row["terms"]))
    known = None if classes is None else classes.keys() - (renamed if crawl.texts is None else set())
    return CrawlClasses(crawl.name, str(crawl.row["started"] or ""), pages, under, known)


def _remarks(
    topic: Topic, crawls: Sequence[_Crawl], others: Sequence[str], branches: Sequence[Branch]
) -> Iterable[str]:
    lost = [crawl.name for crawl in crawls if crawl.texts is None]
    if lost:
        yield Message("enrichment.gaps_no_journal", crawls=", ".join(lost))
    if others:
        yield Message("enrichment.gaps_other_ontology", crawls=", ".join(others), iri=topic.ontologies[0].iri)
    if not any(crawl.pages for crawl in crawls):
        yield Message("enrichment.gaps_no_relevant", topic=topic.name)
    if len(crawls) == 1:
        yield Message("enrichment.gaps_one_crawl", topic=topic.name)
        if not any(branch.by for branch in branches):
            yield Message("enrichment.gaps_months")
