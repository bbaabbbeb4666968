"""`ontocrawl topic`: list, show, check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.base.options import CrawlOptions
from ontocrawl.cli.arguments import TopicSource
from ontocrawl.cli.crawl_options import with_options
from ontocrawl.cli.output import Answer, Folder, Line, named, progress, quoted, tabled, workspace
from ontology.errors import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ontocrawl.cli.output import Part
    from ontocrawl.graph.tables import Table
    from ontocrawl.runs.topic_card import CardWord, JudgedPage, JudgedRecord, TopicCard


def list_topics(folder: Folder = None) -> Answer:
    """List the shipped topics and those of the workspace."""
    from ontocrawl.topics import topics

    space = workspace(folder)
    listed = [(topics.load(name, space).file, where) for name, where in topics.available(space).items()]
    keys = {"name", "label", "source", "ontologies"}
    plain = [{**t.model_dump(mode="json", include=keys), "words": len(t.words), "file": w} for t, w in listed]
    rows = [(t.name, t.label.zh, t.label.en, len(t.words), len(t.ontologies), where) for t, where in listed]
    return Answer({"topics": plain}, [tabled("Topics", ("name", "zh", "en", "words", "ontologies", "file"), rows)])


def show(
    name: TopicSource,
    folder: Folder = None,
) -> Answer:
    """Show a topic: its words, relevance function and ontologies."""
    from ontocrawl.topics import topics

    loaded = topics.load(name, workspace(folder))
    topic, listed = loaded.file, sum(one.weight > 0 for one in loaded.words)
    sign = ">" if topic.strict else ">="
    words = [(w.weight, ", ".join(w.zh), ", ".join(w.en)) for w in topic.words]
    ontologies = ", ".join(topic.ontologies) or Message("cli.none_of_them")
    every = quoted("ontocrawl", "topic", "words", name)
    notes = [Message("cli.topic_words_first", n=len(words), of=listed, command=every)] if listed > len(words) else []
    return Answer(
        topic.model_dump(mode="json"),
        [
            f"{topic.name}: {topic.label.zh} / {topic.label.en}   {topic.source}",
            Message("cli.topic_judged", sign=sign, sigma=topic.sigma, function=topic.relevance, ontologies=ontologies),
            tabled("Words", ("weight", "zh", "en"), words),
        ],
        notes,
    )


def words(
    name: TopicSource,
    leave_out: Annotated[
        list[str] | None, typer.Option("--leave-out", metavar="WORD", help="Leave this word out. May repeat.")
    ] = None,
    take_back: Annotated[
        list[str] | None,
        typer.Option("--take-back", metavar="WORD", help="Use this word again, with its full weight. May repeat."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of words that the table shows.")] = 50,
    folder: Folder = None,
) -> Answer:
    """Show the words that steer crawls on a topic; leave words out of later crawls, or take them back.

    The weight of a word that is left out is 0 in the list of the topic (words.tsv); later builds keep it.
    """
    from ontocrawl.topics import topics

    topic = topics.load(name, workspace(folder, writes=bool(leave_out or take_back)))
    if leave_out or take_back:
        topic = topics.weigh_words(topic, leave_out or (), take_back or ())
    listed: list[dict[str, Any]] = [
        {"word": w.word, "weight": w.weight, "texts": w.texts, "source": w.source} for w in topic.words
    ]
    listed = listed or [{"word": w.label, "weight": w.weight} for w in topic.vocabulary.words]
    listed.sort(key=lambda row: -row["weight"])
    rows = [(one["word"], one["weight"], one.get("texts"), one.get("source")) for one in listed if one["weight"]]
    out = ", ".join(one["word"] for one in listed if not one["weight"])
    more = Message("cli.more_by_limit", more=len(rows) - limit) if len(rows) > limit else ""
    columns, some = ("word", "weight", "texts", "from"), ("texts", "from")
    shown: list[Part] = [tabled("Words", columns, rows[:limit], caption=more, optional=some)]
    return Answer(
        {"topic": topic.name, "words": listed}, [*shown, *([Message("cli.left_out", what=out)] if out else [])]
    )


@with_options(CrawlOptions, "allow_loopback")
def check(
    name: TopicSource,
    pages: Annotated[
        list[str] | None,
        typer.Option("--pages", metavar="URL|FILE", help="A page to judge, too. May repeat."),
    ] = None,
    allow_loopback: bool = False,
    folder: Folder = None,
) -> Answer:
    """Show what a topic is made of and what its judge finds, before it steers a crawl; warn of what looks wrong.

    The judge is asked about the records that the topic was learned from, and about records drawn word by word from
    general language and from the papers of other fields.
    """
    from ontocrawl.runs import topic_card
    from ontocrawl.topics import topics

    topic = topics.load(name, workspace(folder))
    with progress(Message("versions.stage_topic"), None):
        card = topic_card.check(topic, pages or (), allow_loopback=allow_loopback)
    sign = ">" if card.strict else ">="
    with_label = Message("cli.card_records", records=card.records, with_label=card.with_label)
    judged = {"threshold": card.threshold, "function": card.function, "words": card.listed}
    of_records = [with_label] if card.records else []
    shown: list[Part] = [
        Line(f"{card.topic}: {' / '.join(dict.fromkeys(card.label.values()))}", style="bold"),
        Message("cli.card_judge", sign=sign, **judged),
        *of_records,
        "",
        *tables_of(card),
        *_records("The records that the judge finds best", card.best),
        *_records("The records that it finds least relevant", card.rejected),
        *_pages(card.pages),
    ]
    return Answer(card.as_json(), shown, [Message("versions.warning", warning=one.text) for one in card.warnings])


def tables_of(card: TopicCard) -> list[Table]:
    """Return the words of a topic, and the shares that its judge calls relevant."""
    rows = [
        (_forms(one), one.weight, one.p or None, one.ratio and f"{one.ratio:.1f}", one.source, one.general)
        for one in card.words
    ]
    columns = ("word", "weight", "share", "times", "from", "general")
    caption: str = Message("cli.card_words")
    title = Message("cli.of_first_words", n=len(rows), of=card.listed)
    words = tabled(title, columns, rows, caption=caption, optional=("share", "times"))
    drawn = Message("cli.card_of_drawn")
    kinds = {"corpus": Message("cli.card_of_topic"), "general": drawn, "field": drawn,
             "own_field": Message("cli.card_of_field")}  # fmt: skip
    found = [
        (named("heading", one.name), one.language, kinds[one.group], one.records, f"{one.relevant:.0%}", one.median)
        for one in card.groups
    ]
    caption = Message("cli.card_drawn")
    names = ("records", "language", "kind", "number", "relevant", "median_R")
    return [words, tabled("What the judge calls relevant", names, found, caption=caption)]


def _forms(word: CardWord) -> str:
    return ", ".join((*word.zh, *word.en)[:2])


def _records(title: str, records: Sequence[JudgedRecord]) -> list[Table]:
    rows = [(r.R, _verdict(r.relevant), r.title or r.id) for r in records]
    return [tabled(title, ("R", "verdict", "record"), rows)] if rows else []


def _pages(pages: Sequence[JudgedPage]) -> list[Table]:
    rows = [
        (p.R, _verdict(p.relevant), p.problem or ", ".join(f"{w} {part:.4f}" for w, part in p.words), p.source)
        for p in pages
    ]
    columns = ("R", "verdict", "words", "page")
    return [tabled("Pages, with the five words that carry each", columns, rows)] if rows else []


def _verdict(relevant: bool | None) -> str:
    codes = {True: "cli.judged_relevant", False: "cli.judged_other", None: "cli.not_judged"}
    return Message(codes[relevant])
