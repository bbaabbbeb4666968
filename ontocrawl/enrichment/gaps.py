"""What a topic's ontologies lack, and what its crawls brought.

That is: classes without evidence, pages that no class explains, branches that grow, terms that are new. What pages name
is asked of the graph. The texts are those of the journals: with them, a class that was accepted after a crawl is found
in the pages of that crawl too, and pages are said to be about something. A crawl in the graph without a journal in the
workspace counts with what the graph has of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from crawler.journal import graph_rows
from kg.store import GraphStore, Row
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import gap_terms as terms
from ontocrawl.enrichment.gap_terms import Group, NewTerm
from ontocrawl.enrichment.growth import Branch, CrawlClasses, PageClasses, branches_of, growth
from ontocrawl.errors import Option, UsageError
from ontocrawl.graph import graph_store
from ontocrawl.runs import runs
from ontocrawl.topics.topic_graph import TopicGraph
from ontocrawl.topics.topics import Topic
from ontology.enrichment import PageText
from ontology.model import Concept, Ontology
from ontology.reachable import reachable
from ontology.terms.form_matcher import FormMatcher, with_inflections
from ontology.terms.wordforms import normal

_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class BareClass:
    """A class that no page and no paper names.

    Attributes:
        iri, label: of the class.
        branches: labels of the top classes above it.
        below: number of narrower classes.
        below_named: number of those that a page or a paper names.
    """

    iri: str
    label: str
    branches: tuple[str, ...]
    below: int
    below_named: int


@dataclass(frozen=True, slots=True)
class UnexplainedPage:
    """A relevant page that names no class beside the roots and the topic's own words.

    Attributes:
        url, title: of the page.
        relevance: under the judge, in [0, 1].
        crawls: the crawls that fetched it.
        about: terms that it has, and most other pages have not.
    """

    url: str
    title: str
    relevance: float
    crawls: tuple[str, ...]
    about: tuple[str, ...] = ()


@dataclass(frozen=True)
class Gaps:
    """What was found about a topic.

    Attributes:
        topic: its name.
        crawls: its crawls in the graph, the oldest first.
        totals: number of classes, of relevant pages, of classes without evidence, of unexplained pages, of new terms.
        classes_without_evidence: classes with the fewest narrower ones that something names first.
        unexplained_pages: the most relevant first.
        unexplained_about: what these pages are about, groups of terms with the pages that have them.
        growing_branches: all branches, those that surely grew most first.
        new_terms: terms of relevant pages of the newest crawl that no page of an earlier one has, the best first.
        remarks: what could not be compared, and why.
    """

    topic: str
    crawls: tuple[str, ...]
    totals: Mapping[str, int]
    classes_without_evidence: tuple[BareClass, ...]
    unexplained_pages: tuple[UnexplainedPage, ...]
    unexplained_about: tuple[Group, ...]
    growing_branches: tuple[Branch, ...]
    new_terms: tuple[NewTerm, ...]
    remarks: tuple[str, ...]

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
        raise UsageError(
            f"topic {topic.name} names no ontology, so nothing can be missing in one: learn one (`ontocrawl ontology "
            "build`), or name one in the topic's file"
        )
    loaded = TopicGraph(topic, graph, on_stage)
    loaded.load_ontologies()
    loaded.load_papers()
    crawls = _crawls(space, graph, topic)
    if not crawls:
        raise UsageError(
            f"the graph has no crawl of topic {topic.name}: ",
            Option(f"`ontocrawl crawl run --topic {topic.name}`", f"ontocrawl.crawl({topic.name!r})"),
            " writes one, `ontocrawl graph rebuild RUN` an earlier run",
        )
    ontologies = topic.ontologies
    concepts = {c.iri: c for ontology in reversed(ontologies) for c in ontology.concepts}
    trivial = _trivial(topic, concepts.values())
    keys = [ontology.key for ontology in ontologies]
    bare = {row["iri"] for row in _ask(graph, "classes_without_evidence", topic=topic.name, ontologies=keys)}
    odd = _ask(graph, "unexplained_pages", topic=topic.name, ontologies=keys, trivial=sorted(trivial))
    pages = [UnexplainedPage(r["url"], r["title"] or "", r["relevance"], tuple(r["crawls"])) for r in odd]
    on_stage("searching the texts of the pages for classes and terms")
    named = _named_in_texts(crawls, list(concepts.values()))
    bare -= set().union(*named.values())
    pages = [page for page in pages if not named.get(page.url, set()) - trivial]
    texts = [text for crawl in crawls for text in crawl.texts or ()]
    about = terms.about(texts, {page.url for page in pages}, concepts.values(), terms_of(topic))
    new = terms.new(crawls[-1].texts or (), [c.texts or () for c in crawls[:-1]], concepts.values())
    new = new if len(crawls) > 1 else []
    branches = growth(ontologies, [_with_classes(graph, topic, crawl, keys) for crawl in crawls])
    totals = {
        "classes": len(concepts), "relevant_pages": len({p["url"] for c in crawls for p in c.pages}),
        "classes_without_evidence": len(bare), "unexplained_pages": len(pages), "new_terms": len(new),
    }  # fmt: skip
    return Gaps(
        topic.name, tuple(crawl.name for crawl in crawls), totals,
        tuple(_bare_classes(ontologies, concepts, bare))[:limit],
        tuple(replace(page, about=about.terms_of(page.url)) for page in pages[:limit]), about.groups[:limit],
        tuple(branches[:limit]), tuple(new[:limit]), tuple(_remarks(topic, crawls, branches)),
    )  # fmt: skip


def terms_of(topic: Topic) -> tuple[str, ...]:
    """Return the topic's own words, in all their forms."""
    return tuple(form for word in topic.file.vocabulary().words for _, form in word.forms)


def _ask(graph: GraphStore, name: str, **parameters: Any) -> list[Row]:
    table = graph_store.ask(graph, f"enrichment/{name}", limit=_ALL, **parameters)
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def _crawls(space: Workspace, graph: GraphStore, topic: Topic) -> list[_Crawl]:
    """Read the crawls of a topic, the oldest first."""
    table = graph_store.ask(graph, "crawl/list", limit=_ALL)
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
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
    words = {normal(form) for form in terms_of(topic)}
    named = {c.iri for c in concepts if any(normal(form) in words for _, form in c.forms())}
    return named | {ontology.root for ontology in topic.ontologies}


def _named_in_texts(crawls: Sequence[_Crawl], concepts: Sequence[Concept]) -> dict[str, set[str]]:
    """Return URL -> IRIs of the classes that titles and main texts name, of each page in each crawl."""
    forms = ((form, number, language == "en") for number, c in enumerate(concepts) for language, form in c.forms())
    matcher = FormMatcher([with_inflections(forms)])
    named: dict[str, set[str]] = {}
    for crawl in crawls:
        for page in crawl.texts or ():
            spans = matcher.spans(normal(f"{page.title}\n{page.text}"))[0]
            named.setdefault(page.url, set()).update(concepts[number].iri for _, _, number in spans)
    return named


def _bare_classes(
    ontologies: Sequence[Ontology], concepts: Mapping[str, Concept], bare: set[str]
) -> Iterable[BareClass]:
    children: dict[str, set[str]] = {}
    for ontology in ontologies:
        for iri, lower in ontology.children.items():
            children.setdefault(iri, set()).update(lower)
    branches = branches_of(ontologies)
    rows = []
    for iri in bare & concepts.keys():
        below = reachable(iri, lambda c: children.get(c, ())) - {iri}
        tops = tuple(concepts[top].label for top, classes in branches.items() if iri in classes)
        rows.append(BareClass(iri, concepts[iri].label, tops, len(below), len(below - bare)))
    return sorted(rows, key=lambda row: (row.below_named, row.branches, row.label, row.iri))


def _with_classes(graph: GraphStore, topic: Topic, crawl: _Crawl, keys: Sequence[str]) -> CrawlClasses:
    pages = tuple(
        PageClasses(row["url"], row["published"] or "", dict(zip(row["classes"], row["counts"], strict=True)))
        for row in crawl.pages
    )
    proposed = _ask(graph, "by_concept", crawl=crawl.name, status="")
    under = tuple(row["iri"] for row in proposed for _ in range(row["terms"]))
    return CrawlClasses(crawl.name, str(crawl.row["started"] or ""), pages, under)


def _remarks(topic: Topic, crawls: Sequence[_Crawl], branches: Sequence[Branch]) -> Iterable[str]:
    lost = [crawl.name for crawl in crawls if crawl.texts is None]
    if lost:
        yield (
            f"the workspace has no journal of {', '.join(lost)}: their texts were not searched, neither for classes "
            "nor for terms"
        )
    if not any(crawl.pages for crawl in crawls):
        yield f"no page of the crawls of {topic.name} is relevant"
    if len(crawls) == 1:
        yield f"there is one crawl of {topic.name} only: new terms and growth by crawl need a second one"
        if not any(branch.by for branch in branches):
            yield "its relevant pages are not of several months, so that growth by month is unknown too"
