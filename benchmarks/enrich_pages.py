"""The pages and the ontologies that enrichment is measured on.

* wikispeedia: crawls of the encyclopaedia from several starting pages, by best-first search with the words of the topic
  `rainstorm`, so that no ontology steers them and one crawl serves all splits of the classes. Relevant is what the
  judge of the topic finds relevant.
* guangdong: 2,289 news items on disasters (title and summary, 20 of them with their full text) as relevant pages;
  headlines of other classes, and reports of emergencies other than storms, as pages off the topic.
* rainstorm: the curated ontologies of the topic, a global and three local ones, in Chinese and English.
* sweet: the modules of SWEET on phenomena of air, water and ground, joined; English.
"""

from __future__ import annotations

import csv
import json
import lzma
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.strategies import MORE_STARTS, STARTS, WIKISPEEDIA, crawl
from crawler.journal import Journal, graph_rows
from ontocrawl import plan, topics, workspace
from ontocrawl.run_config import RunConfig
from ontology import owl
from ontology.enrichment import PageText
from ontology.joining import join
from ontology.model import Ontology

DATA = WIKISPEEDIA.parent
NEWS = DATA / "guangdong_disaster_news"
HEADLINES = DATA / "zh_headlines" / "thucnews_headlines_20k.tsv.xz"
EMERGENCIES = DATA / "cec" / "cec.jsonl.xz"
SWEET = DATA / "ontologies" / "sweet"
MODULES = (
    "phen", "phenSystem", "phenAtmo", "phenAtmoPrecipitation", "phenAtmoPressure", "phenAtmoWind",
    "phenAtmoWindMesoscale", "phenAtmoFog", "phenAtmoFront", "phenAtmoLightning", "phenAtmoCloud", "phenHydro",
    "phenEnvirImpact", "phenGeolSeismicity", "phenSolid", "stateStorm",
)  # fmt: skip
TOPIC = "rainstorm"
STARTING_PAGES = (*STARTS, *MORE_STARTS)
EVERY_HEADLINE = 10
"""One in so many headlines is taken."""


def missing() -> list[Path]:
    """Return the data that are absent."""
    return [path for path in (WIKISPEEDIA, NEWS, HEADLINES, EMERGENCIES, SWEET) if not path.exists()]


@cache
def rainstorm() -> tuple[Ontology, ...]:
    """Return the curated ontologies of the topic, the global one first."""
    with tempfile.TemporaryDirectory(prefix="ontocrawl-enrich-") as folder:
        return topics.load(TOPIC, workspace.init(Path(folder) / "ws")).ontologies


@cache
def sweet() -> tuple[Ontology, ...]:
    """Return the hazard part of SWEET as one ontology."""
    modules = [owl.load(SWEET / f"{name}.ttl").ontology for name in MODULES]
    return (join(modules, iri="https://example.org/sweet-hazards").ontology,)


ONTOLOGIES = {"rainstorm": rainstorm, "sweet": sweet}


@cache
def by_words(fetches: int) -> RunConfig:
    """Return the configuration of a crawl by the topic's own words, which needs no graph."""
    with tempfile.TemporaryDirectory(prefix="ontocrawl-enrich-") as folder:
        space = workspace.init(Path(folder) / "ws")
        options = plan.CrawlOptions(
            strategy="best_first", world="synthetic:planted", run="x", graph=False,
            settings={"limit_pages": fetches, "snapshot_every": 10**6},
        )  # fmt: skip
        return plan.plan(space, topics.load(TOPIC, space), options)


@cache
def wikispeedia(start: int, fetches: int) -> tuple[PageText, ...]:
    """Return the pages of a crawl.

    Args:
        start: number of the starting page, of STARTING_PAGES.
        fetches: number of fetches.
    """
    pages: list[PageText] = []

    def keep(journal: Journal) -> None:
        pages.extend(graph_rows.pages(journal))

    crawl(("best_first", "wikispeedia", start), by_words(fetches), read=keep)
    return tuple(pages)


@cache
def guangdong(most: int = 10**6) -> tuple[PageText, ...]:
    """Return the news as relevant pages, and other headlines and reports as pages off the topic.

    Args:
        most: maximum number of pages of each of the three sources.
    """
    pages = list(news())[:most]
    with lzma.open(HEADLINES, "rt", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))[::EVERY_HEADLINE]
    for number, row in enumerate(rows[:most]):
        pages.append(PageText(f"http://headlines.example/{number}", row["title"], "", 0.0, False))
    for row in list(_records(EMERGENCIES))[:most]:
        pages.append(PageText(f"http://emergencies.example/{row['id']}", row["title"], row["text"], 0.0, False))
    return tuple(pages)


def news() -> Iterator[PageText]:
    """Yield the news items by title, summary and, of 20, full text; one page for each address."""
    with (NEWS / "articles_fulltext_20.csv").open(encoding="utf-8-sig", newline="") as stream:
        whole = {row["url"]: row["content"] for row in csv.DictReader(stream)}
    seen = set[str]()
    for row in _records(NEWS / "news_2024-08_09.jsonl.xz"):
        if row["url"] not in seen:
            seen.add(row["url"])
            text = "\n".join(filter(None, (row["summary"], whole.get(row["url"], ""))))
            yield PageText(row["url"], row["title"] or "", text, 1.0, True, row["time"] or "")


def _records(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)
