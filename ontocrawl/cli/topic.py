"""`ontocrawl topic`: list, show, check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli.arguments import TopicSource
from ontocrawl.cli.crawl_options import Loopback
from ontocrawl.cli.output import Folder, Json, note, print_json, progress, stdout, table, workspace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ontocrawl.runs.topic_card import CardWord, JudgedPage, JudgedRecord, TopicCard


def list_topics(folder: Folder = None, as_json: Json = False) -> None:
    """List the shipped topics and those of the workspace."""
    from ontocrawl.topics import topics

    space = workspace(folder)
    listed = [(topics.load(name, space).file, where) for name, where in topics.available(space).items()]
    if as_json:
        keys = ("name", "label", "source", "ontologies")
        print_json(
            {
                "topics": [
                    {**t.model_dump(mode="json", include=set(keys)), "words": len(t.words), "file": w}
                    for t, w in listed
                ]
            }
        )
        return
    rows = [(t.name, t.label.zh, t.label.en, len(t.words), len(t.ontologies), where) for t, where in listed]
    table("Topics", ("name", "zh", "en", "words", "ontologies", "file"), rows)


def show(
    name: TopicSource,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Show a topic: its words, relevance function and ontologies."""
    from ontocrawl.topics import topics

    topic = topics.load(name, workspace(folder)).file
    if as_json:
        print_json(topic.model_dump(mode="json"))
        return
    sign = ">" if topic.strict else ">="
    stdout.print(f"{topic.name}: {topic.label.zh} / {topic.label.en}   {topic.source}", markup=False)
    stdout.print(
        f"relevant: R {sign} {topic.sigma} by {topic.relevance}; ontologies: {', '.join(topic.ontologies) or 'none'}",
        markup=False,
    )
    table("Words", ("weight", "zh", "en"), [(w.weight, ", ".join(w.zh), ", ".join(w.en)) for w in topic.words])


def check(
    name: TopicSource,
    pages: Annotated[
        list[str] | None,
        typer.Option("--pages", metavar="URL|FILE", help="A page to judge, too. May repeat."),
    ] = None,
    allow_loopback: Loopback = False,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Show what a topic is made of and what its judge finds, before it steers a crawl; warn of what looks wrong.

    The judge is asked about the records that the topic was learned from, and about records drawn word by word from
    general language and from the papers of other fields.
    """
    from ontocrawl.runs import topic_card
    from ontocrawl.topics import topics

    topic = topics.load(name, workspace(folder))
    with progress("checking the topic", None):
        card = topic_card.check(topic, pages or (), allow_loopback=allow_loopback)
    if as_json:
        print_json(card.as_json())
        return
    sign = ">" if card.strict else ">="
    stdout.print(f"{card.topic}: {' / '.join(dict.fromkeys(card.label.values()))}", style="bold")
    stdout.print(f"relevant: R {sign} {card.threshold:g} by {card.function}; {card.listed} words steer a crawl")
    if card.records:
        stdout.print(f"{card.records} records, {card.with_label} of them with the label")
    stdout.print("")
    show_card(card)
    _show_records("The records that the judge finds best", card.best)
    _show_records("The records that it rejects first", card.rejected)
    _show_pages(card.pages)
    warn(card)


def show_card(card: TopicCard) -> None:
    """Print the words of a topic and the shares that its judge calls relevant."""
    rows = [
        (_forms(one), one.weight, one.p or None, one.ratio and f"{one.ratio:.1f}", one.source, one.general)
        for one in card.words
    ]
    columns = ("word", "weight", "share", "times", "from", "general")
    caption = "share: of all words of the records; times: as frequent as in other texts; general: hardly telling"
    table(f"The first {len(rows)} of {card.listed} words", columns, rows, caption=caption, optional=("share", "times"))
    kinds = {"corpus": "the topic", "general": "drawn", "field": "drawn", "own_field": "drawn, the topic's own field"}
    found = [
        (one.name, one.language, kinds[one.group], one.records, f"{one.relevant:.0%}", one.median)
        for one in card.groups
    ]
    caption = (
        "drawn: word by word from counts, as long as the median record; each is judged as a page of 1,000 words that "
        "goes on like it"
    )
    names = ("records", "language", "kind", "number", "relevant", "median_R")
    table("What the judge calls relevant", names, found, caption=caption)


def warn(card: TopicCard) -> None:
    """Print what looks wrong about a topic."""
    for one in card.warnings:
        note(f"warning: {one.text}")


def _forms(word: CardWord) -> str:
    return ", ".join((*word.zh, *word.en)[:2])


def _show_records(title: str, records: Sequence[JudgedRecord]) -> None:
    if records:
        table(title, ("R", "verdict", "record"), [(r.R, _verdict(r.relevant), r.title or r.id) for r in records])


def _show_pages(pages: Sequence[JudgedPage]) -> None:
    if pages:
        rows = [
            (p.R, _verdict(p.relevant), p.problem or ", ".join(f"{w} {part:.4f}" for w, part in p.words), p.source)
            for p in pages
        ]
        table("Pages, with the five words that carry each", ("R", "verdict", "words", "page"), rows)


def _verdict(relevant: bool | None) -> str:
    return {True: "relevant", False: "not relevant", None: "not judged"}[relevant]
