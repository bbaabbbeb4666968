"""`ontocrawl enrich gaps`: what the ontologies of a topic lack, and what its crawls brought."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli.arguments import TopicSource
from ontocrawl.cli.output import Answer, Folder, Line, in_workspace, named, note, spoken, tabled, workspace
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.cli.output import Part
    from ontocrawl.enrichment.gaps import Gaps


def gaps(
    name: TopicSource,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of rows of each list.")] = 20,
    folder: Folder = None,
) -> Answer:
    """Show what a topic's ontologies lack, and commands that crawl for classes without pages; and what grows.

    Classes without evidence or pages, unexplained pages, new terms; branches.
    """
    from ontocrawl.enrichment import gaps
    from ontocrawl.graph import graph_store
    from ontocrawl.topics import topics

    space = workspace(folder, writes=True)
    topic = topics.load(name, space)
    with graph_store.store(space) as graph:
        found = gaps.find(space, graph, topic, limit=limit, on_stage=note)
    return Answer(found.as_json(), _shown(found, space), found.remarks)


def _shown(found: Gaps, space: Workspace) -> list[Part]:
    total = found.totals
    crawls = ", ".join(_crawl(found, name) for name in found.crawls)
    newer = "" if found.newest == found.version else Message("enrichment.gaps_newer", newest=found.newest)
    of_topic = {"topic": found.topic, "pages": total["relevant_pages"], "n": len(found.crawls), "crawls": crawls}
    of_classes = {"classes": total["classes"], "version": found.version, "top": total["global_classes"]}
    rows = [(c.label, c.below, c.below_named, ", ".join(c.branches)) for c in found.classes_without_evidence]
    classes = [(c.label, c.papers, c.below, c.below_named, ", ".join(c.branches)) for c in found.classes_without_pages]
    shown: list[Part] = [
        Message("enrichment.gaps_topic", **of_topic),
        Message("enrichment.gaps_classes", newer=newer, **of_classes),
        _list(
            Message("enrichment.gaps_no_evidence", n=total["classes_without_evidence"], of=total["classes"]),
            ("class", "narrower", "of_them_named", "branch"), rows, total["classes_without_evidence"],
        ),
        _list(
            Message("enrichment.gaps_no_pages", n=total["classes_without_pages"], of=total["classes"]),
            ("class", "papers", "narrower", "of_them_named", "branch"), classes, total["classes_without_pages"],
        ),
    ]  # fmt: skip
    offered = (*found.classes_without_pages, *found.classes_without_evidence)
    if commands := [f"  {in_workspace(c.crawl, space)}" for c in offered if c.crawl]:
        shown.append(Line("\n".join((spoken(Message("enrichment.gaps_crawl_for")), *commands, "")), wrap=False))
    title = Message("enrichment.gaps_unexplained", n=total["unexplained_pages"], of=total["relevant_pages"])
    pages = [(p.title or p.url, ", ".join(p.about), p.relevance, p.crawl, p.url) for p in found.unexplained_pages]
    shown.append(_list(title, ("page", "about", "R", "of_crawl", "url"), pages, total["unexplained_pages"]))
    groups = [(", ".join(g.terms), g.pages, " ".join(g.examples)) for g in found.unexplained_about]
    if groups:
        shown.append(tabled("What these pages are about", ("terms", "pages", "examples"), groups))
    shown.append(_growth(found))
    terms = [(t.term, t.pages, t.sentence, t.page) for t in found.new_terms]
    if len(found.crawls) > 1:
        title = Message("enrichment.gaps_new_terms", crawl=found.crawls[-1], n=total["new_terms"])
        shown.append(_list(title, ("term", "pages", "sentence", "page"), terms, total["new_terms"]))
    return shown


def _crawl(found: Gaps, name: str) -> str:
    """Return the name of a crawl with the version of the ontology by which its pages were annotated."""
    return f"{name} ({found.crawl_versions[name]})" if name in found.crawl_versions else name


def _growth(found: Gaps) -> Part:
    by = next((branch.by for branch in found.growing_branches if branch.by), "")
    rows = [
        (b.branch, b.before, b.now, b.change,
         "" if b.low is None else Message("enrichment.gaps_span", low=b.low, high=b.high),
         sum(p.proposals for p in b.crawls), _how(b.new, grows=b.grows))
        for b in found.growing_branches
    ]  # fmt: skip
    what = Message("enrichment.gaps_by" if by else "enrichment.gaps_by_nothing", by=named("heading", by))
    return _list(
        Message("enrichment.gaps_shares", what=what),
        ("branch", "before", "now", "change", "95 %", "proposals", ""), rows, found.totals["growing_branches"],
    )  # fmt: skip


def _how(new: str, *, grows: bool) -> str:
    if new:
        return Message("enrichment.gaps_new_in", version=new)
    return Message("enrichment.gaps_grows") if grows else ""


def _list(title: str, columns: tuple[str, ...], rows: Sequence[tuple[object, ...]], total: int) -> Part:
    """Return the first rows of a list as a table; only its title where it has none."""
    more = total - len(rows)
    caption = Message("cli.more_by_limit", more=more) if more > 0 else ""
    return tabled(title, columns, rows, caption=caption) if rows else f"{spoken(title)}\n"
