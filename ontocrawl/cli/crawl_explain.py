"""`ontocrawl crawl explain`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli import crawl_view, page_tables
from ontocrawl.cli.arguments import RunName
from ontocrawl.cli.output import Answer, Folder, Line, named, progress, spoken, tabled, workspace
from ontology.errors import Message, joined

if TYPE_CHECKING:
    from ontocrawl.cli.output import Part
    from ontocrawl.graph.tables import Table

_PARENTS = 10
"""Largest number of parents in the table."""
_WORDS = 5
"""Number of words that carried a page, in its tables."""
_COPIES = {
    "counts_as": "cli.explain_counts_as",
    "near_duplicate_of": "cli.explain_near_duplicate",
    "partial": "cli.explain_partial",
}
_ORIGINS = {"seed": "seed", "asked": "asked for", "link": "linked", "redirect": "redirected", "canonical": "canonical",
            "probe": "probed"}  # fmt: skip


def explain(
    run_name: RunName,
    url: Annotated[str, typer.Argument(metavar="URL", help="A URL; for a crawl of a corpus also a page's name.")],
    no_replay: Annotated[
        bool,
        typer.Option(
            "--no-replay", help="Leave out the features of the link, for which the choices of the run are made again."
        ),
    ] = False,
    folder: Folder = None,
) -> Answer:
    """Explain why a run fetched a page, or why it did not: the way to it, its score, its reason, near URLs.

    The run may be going on in another process.
    """
    from ontocrawl.runs import explaining

    with progress(Message("cli.doing_replay"), None) as (bar, task):

        def on_event(event: int, last: int) -> None:
            bar.update(task, completed=event, total=last)

        answer = explaining.explain_url(workspace(folder), run_name, url, replays=not no_replay, on_event=on_event)
    document = {"run": run_name, **answer.as_json()}
    return Answer(document, list(_shown(document)), document["notes"])


def _shown(document: Mapping[str, Any]) -> Iterator[Part]:
    """Yield the parts of an explanation from its JSON."""
    yield from _fate(document)
    if document["path"]:
        way = [(named("how", _ORIGINS.get(one["how"], one["how"])), one) for one in document["path"]]
        rows = [(how, one["relevance"], one["anchor"] or one["title"], one["url"]) for how, one in way]
        yield tabled("The way from a seed", ("how", "R", "anchor_or_title", "URL"), rows)
    if document["score"]:
        yield from _score(document["score"])
    yield from _tries(document["tries"])
    if document["nearest"]:
        nearest = [(near["how"], near["url"]) for near in document["nearest"]]
        yield tabled("Nearest known URLs", ("difference", "URL"), nearest)


def _fate(document: Mapping[str, Any]) -> Iterator[Part]:
    yield Line(document["url"], style="bold", wrap=False)
    code = document["reason"]
    yield f"{f'{code}: ' if code else ''}{spoken(document['happened'])} {spoken(document['advice'])}".rstrip()
    if document["read_through"]:
        yield Line(Message("cli.explain_read_through", url=document["read_through"]), wrap=False)
    if document["skipped_on"]:
        yield Line(Message("cli.explain_on", url=document["skipped_on"]), wrap=False)
    for page in _shown_in(document):
        yield Line(Message("cli.explain_frame", url=page), wrap=False)
    if taught := document["taught"]:
        code = "cli.explain_liked" if taught["liked"] else "cli.explain_disliked"
        yield Message(code, pages=taught["fetched"])
    yield ""


def _shown_in(document: Mapping[str, Any]) -> list[str]:
    """Return the URLs of the pages that show the page in a frame."""
    score = document["score"]
    return [] if score is None else [parent["url"] for parent in score["parents"] if parent["kind"] == "frame"]


def _score(score: Mapping[str, Any]) -> Iterator[Part]:
    page, link, chosen = score["page"], score["link"], score["chosen"]
    if page is not None:
        judge = page["judge"]
        verdict = page_tables.verdict(page["decision"])
        title = Message("cli.explain_judge", function=judge["function"], verdict=verdict)
        yield from page_tables.of_words(title, judge["words"], _WORDS)
        if page["published"]:
            yield f"{spoken(Message('cli.explain_published', day=page['published']))}\n"
        for parts in page["guides"]:
            if (parts["function"], parts["vocabulary"]) != (judge["function"], judge["vocabulary"]):
                title = Message("cli.explain_guide", **{key: parts[key] for key in ("function", "vocabulary", "R")})
                yield from page_tables.of_words(title, parts["words"], _WORDS)
    if chosen is not None:
        figures = [("pick", chosen["number"]), ("priority", chosen["priority"]), ("tag", chosen["tag"])]
        moves = [(Message("cli.explain_move", name=named("heading", key)), n) for key, n in chosen["move"].items()]
        yield tabled("The choice of the strategy", ("figure", "value"), [*figures, *moves])
    if link is not None:
        yield from _link(link)
    if score["weights"] is not None:
        times = score["rescored"] if link else 0
        several = Message("cli.explain_scored_again", times=times)
        again = {0: "", 1: Message("cli.explain_scored_anew")}.get(times, several)
        weights = crawl_view.weights(score["weights"])
        yield f"{spoken(Message('cli.explain_scored', weights=weights, again=again))}\n"
    yield from _parents(score)


def _link(link: Mapping[str, Any]) -> Iterator[Part]:
    ranks = {key: link[key] for key in ("rank", "queue", "pagerank_rank", "known")}
    words = [Message("cli.explain_word", **word) for word in link["anchor_words"]]
    figures: list[tuple[str, Any]] = [
        ("priority", link["priority"]),
        ("rank by priority", Message("cli.explain_no_rank" if link["rank"] is None else "cli.explain_rank", **ranks)),
        *((Message("cli.explain_feature", name=name), value) for name, value in link["features"].items()),
        ("topic words in its anchors", joined(words, "; ") or Message("cli.none_of_them")),
        ("pages with the link", link["parents"]),
        ("PageRank by Eq. (7), of the largest", link["pagerank"]),
        ("rank by PageRank", Message("cli.explain_pagerank", **ranks)),
        ("content block", link["block"]),
        ("date", link["date"]),
        ("found after pages", link["found_after"]),
        ("host", link["host"]),
    ]
    if prior := link["prior"]:
        figures.append((Message("cli.explain_prior", runs=", ".join(prior["runs"])), prior["part"]))
        figures += [("PageRank in the prior", prior["pagerank"])] if prior["pagerank"] is not None else []
        if prior["host_pages"] is not None:
            figures.append(("its host in the prior counts as", Message("cli.explain_prior_host", **prior)))
    yield tabled("The link, as the strategy saw it", ("figure", "value"), figures)
    if link["terms"]:
        yield _terms(link["terms"], with_prior=link["prior"] is not None)


def _terms(terms: list[Mapping[str, Any]], *, with_prior: bool) -> Table:
    rows: list[tuple[Any, ...]] = [
        (
            named("term", t["name"]), t["part"], t["prior"], t["value"], t["mean"], t["deviation"],
            ", ".join(f"{w} {e:+.1f}" for w, e in t["words"]),
        )
        for t in terms
    ]  # fmt: skip
    total, of_prior = (sum(t[key] for t in terms) for key in ("part", "prior"))
    rows.append((Message("cli.explain_sum"), total, of_prior, None, None, None, ""))
    columns = [Message("cli.explain_term"), "part", "of_prior", "value", "mean", "deviation", "words"]
    if not with_prior:
        columns.remove("of_prior")
        rows = [(*row[:2], *row[3:]) for row in rows]
    return tabled("The terms of its priority", columns, rows, caption=Message("cli.explain_terms_caption"))


def _parents(score: Mapping[str, Any]) -> Iterator[Part]:
    parents = score["parents"]
    if not parents:
        return
    rows = [
        (p["relevance"], p["anchor_relevance"], p["reason"], p["block"], named("way", p["kind"]), p["anchor"], p["url"])
        for p in parents[:_PARENTS]
    ]
    counts = {"shown": _PARENTS, "pages": len(parents)}
    more = Message("cli.explain_parents_more", **counts) if len(parents) > _PARENTS else ""
    caption = Message("cli.explain_parents_caption", more=more)
    columns = ("R", "R_anchor", "became", "block", "kind", "anchor", "URL")
    yield tabled("Pages that link to it", columns, rows, caption=caption, optional=("R_anchor", "block"))


def _tries(tries: list[Mapping[str, Any]]) -> Iterator[Part]:
    for t in tries:
        for key, code in _COPIES.items():
            if t[key]:
                yield Line(Message(code, what=t[key]), wrap=False)
    if len(tries) < 2 and not any(t["failure"] or t["retried"] or t["hops"] for t in tries):
        return
    in_flight = Message("cli.explain_in_flight")
    rows = [
        (t["number"], in_flight if t["outcome"] is None else t["failure"] or t["status"], t["detail"], t["retried"])
        for t in tries
    ]
    yield tabled("Each time it was chosen", ("pick", "outcome", "detail", "tried_again"), rows)
