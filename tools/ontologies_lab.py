"""Write the lab `ontologies`: what an ontology is worth to crawlers, beside the topic's own words.

    python -m tools.ontologies_lab [ontocrawl/lab/labs/ontologies.toml] [--check] [--data ../shared/data]

* wikispeedia by three sets of labels that share few pages, each from the pages core, near and far of `tools.own_lab`.
  The topics are those that come with ontocrawl, whose words and ontologies know nothing of these labels
* the calibrated webs of the two topics, another one for each seed
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from ontocrawl.lab.lab_ontologies import CURATED, NONE
from tools import own_lab
from tools.own_lab import OWN, TOPICS_FILE, listed, need_ontology, quoted

TOPICS = {"natural_disasters": "rainstorm", "climate_weather": "rainstorm", "storms": "typhoon"}
"""Label set of wikispeedia -> topic of its crawls."""
LEARNED, SWEET = "learned", "sweet"
BY_WORDS = (OWN, "best_first", "shark")
"""Strategies that read the topic's words alone: an ontology steers them where its words join these."""
JOINED = "join=0.5"
OF_THE_SUM = (f"{LEARNED}?{JOINED}&weights=sem", f"{SWEET}?{JOINED}")
"""Ontologies by which only our own strategy crawls."""
ABOUT = (
    "Crawls by the topic's words alone, by its curated ontology, by one that was learned from abstracts, and by both "
    "joined with the words. Needs the data sets wikispeedia, abstracts_zh and ontologies."
)
GUIDES = ("density", "saturated", "evidence")


IN_A_LINE = 5
"""Lists of fewer values than this are written in one line."""


def ontologies() -> tuple[str, ...]:
    """Return the values of the axis ontology: the ontologies apart from the words, and joined with them."""
    joined = (f"{CURATED}?{JOINED}", f"{LEARNED}?{JOINED}&weights=key")
    return (NONE, CURATED, LEARNED, *joined, *OF_THE_SUM)


def text(data: Path) -> str:
    """Return the lab as TOML."""
    of_labels = {labels: f"{TOPICS_FILE}#{labels}" for labels in TOPICS}
    worlds = "\n".join(_encyclopaedia(labels, pages) for labels, pages in own_lab.chosen(data, of_labels))
    head = "# Written by `python -m tools.ontologies_lab`; the starts are those of `python -m tools.own_lab`."
    return f'''{head}
title = "What an ontology is worth"
about = "{ABOUT}"
fetches = 1000
at = [50, 100, 200, 300]
seeds = 3

[compare]
own = "{OWN}"

{worlds}
{"".join(_synthetic(topic) for topic in dict.fromkeys(TOPICS.values()))}[axes]
strategy = [
{listed((*BY_WORDS, *need_ontology()))}
]
guide = [{quoted(GUIDES)}]
ontology = [
{listed(ontologies(), 5)}
]
judge = ["density"]

[ontologies.{LEARNED}]
abstracts = "{{data}}/abstracts_zh/disaster_core.jsonl"

[ontologies.{SWEET}]
file = "{{data}}/ontologies/sweet/phenAtmoPrecipitation.ttl"

{_left_out()}'''


def _left_out() -> str:
    """Return the tables [[leave_out]]."""
    others, apart = need_ontology(), (CURATED, LEARNED)
    joined = tuple(name for name in ontologies() if name not in (NONE, *apart))
    return "\n".join((
        "# Strategies of words alone: an ontology apart from the words gives the crawl that no ontology gives.",
        _table(strategy=BY_WORDS, ontology=apart),
        f"# Strategies that need an ontology crawl by {GUIDES[1]}, the default of a crawl by them.",
        _table(strategy=others, ontology=(NONE, *joined)),
        _table(strategy=others, guide=(GUIDES[0], GUIDES[2])),
        "# Best-first search and shark are measured less widely than our own strategy.",
        _table(strategy=BY_WORDS[1:], guide=GUIDES[2:]),
        _table(strategy=BY_WORDS[1:], ontology=OF_THE_SUM),
        _table(strategy=BY_WORDS[:1], guide=GUIDES[1:], ontology=OF_THE_SUM).rstrip("\n") + "\n",
    ))  # fmt: skip


def _table(**axes: Sequence[str]) -> str:
    lists = {
        name: quoted(values) if len(values) < IN_A_LINE else f"\n{listed(values)}\n" for name, values in axes.items()
    }
    return "[[leave_out]]\n" + "".join(f"{name} = [{values}]\n" for name, values in lists.items())


def _encyclopaedia(labels: str, pages: Sequence[str]) -> str:
    return f'''[[worlds]]
name = "{labels}"
world = "corpus:{{data}}/wikispeedia"
labels = "{{data}}/wikispeedia/{TOPICS_FILE}#{labels}"
topic = "{TOPICS[labels]}"
starts = [{quoted(pages)}]
fetches = 300
'''


def _synthetic(topic: str) -> str:
    return f'''[[worlds]]
name = "synthetic-{topic}"
world = "synthetic:{topic}?pages=20000"
topic = "{topic}"

'''


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the lab."""
    return own_lab.write_labs(arguments, "tools.ontologies_lab", str(__doc__), lambda data: {"ontologies": text(data)})


if __name__ == "__main__":
    sys.exit(main())
