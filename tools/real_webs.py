"""Measure real webs: the ranges in which the figures of calibrated synthetic webs must lie.

    python -m tools.real_webs [FILE] [--data ../shared/data]

* wikispeedia: 4,598 pages of an encyclopaedia and their links, read from five start pages, with each label set of
  topics.json and, from the first, with each category of at least 30 pages as a label set
* zh_news_html: saved Chinese news pages. Their targets are not there, so only what a page itself shows is measured:
  its links, their texts, the part of them outside of the text

The file has, for each figure, the least and the largest value and where they come from. Shares of anchors that name
their target cannot be measured on either: wikispeedia has no anchors and the news have no targets. Between them stand
two measures: the links of wikispeedia whose target's title stands in the text of the page (an anchor in the text can
hold the title in no more), and the links of a news page with a text as long as a headline.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from crawler.model import ParsedPage, Response
from crawler.pages.parse import parse
from crawler.worlds import CorpusWorld
from ontocrawl.lab import web, web_figures
from ontocrawl.lab.real_webs import FILE, flat
from ontocrawl.lab.web import Web
from ontology.files import write_atomically

ROOT = Path(__file__).resolve().parent.parent
STARTS = ("Rain", "Weather", "Flood", "Thunderstorm", "Tropical_cyclone")
SMALLEST_SET = 30
"""Pages of a category that is a label set; storms, the smallest of topics.json, has 33."""
HEADLINE = 9
"""Characters of a Chinese headline at least; texts of menus are shorter."""
USER_AGENT = "measure"
Figures = dict[str, float]


def wikispeedia(data: Path) -> Iterator[tuple[str, Figures]]:
    """Measure wikispeedia for each start and label set.

    Args:
        data: the folder of the web.

    Yields:
        Names of start and label set, and the figures by their flat names.
    """
    topics = json.loads((data / "topics.json").read_text(encoding="utf-8"))
    with closing(CorpusWorld(data)) as world:
        for start in STARTS:
            read = web.read(world, [world.url_of(start)], set(), user_agent=USER_AGENT)
            sets = {**topics, **categories(data)} if start == STARTS[0] else topics
            for name, names in sets.items():
                labels = {world.url_of(unquote(one)) for one in names}
                yield f"wikispeedia from {start}, {name}", flat(web_figures.figures(labelled(read, labels)))


def labelled(read: Web, labels: Collection[str]) -> Web:
    """Return a web with other labels."""
    relevant = np.array([url in labels for url in read.urls], dtype=np.bool_)
    return replace(read, relevant=relevant, labelled=len(labels), reached=int(relevant.sum()))


def categories(data: Path) -> dict[str, list[str]]:
    """Return the pages of each category that is large enough for a label set."""
    of: dict[str, list[str]] = defaultdict(list)
    with (data / "categories.tsv").open(encoding="utf-8") as lines:
        for name, category in csv.reader((line for line in lines if not line.startswith("#") and line.strip()), delimiter="\t"):
            of[category].append(name)
    return {category: names for category, names in of.items() if len(names) >= SMALLEST_SET}


def titles_in_text(data: Path) -> float:
    """Return the share of the links of wikispeedia whose target's title stands in the text of the page."""
    with lzma.open(data / "pages.jsonl.xz", "rt", encoding="utf-8") as lines:
        pages = {page["name"]: page for page in map(json.loads, lines)}
    said = total = 0
    for page in pages.values():
        text = page["text"].casefold()
        targets = [pages[name]["title"].casefold() for name in page["outlinks"] if name in pages]
        said += sum(title in text for title in targets)
        total += len(targets)
    return round(said / total, 4)


def news(data: Path) -> Iterator[tuple[str, Figures]]:
    """Measure each saved news page that has links.

    Args:
        data: the folder of the pages.

    Yields:
        Name of the page and its figures.
    """
    pages = dict(news_pages(data))
    leads_to: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name, page in pages.items():
        for link in page.links:
            leads_to[site(name), link.anchor.strip()].add(link.url)
    for name, page in pages.items():
        texts = [link.anchor.strip() for link in page.links]
        if len(texts) < web_figures.SHARED_BY:
            continue
        shared = sum(len(leads_to[site(name), text]) >= web_figures.SHARED_BY for text in texts)
        inside = sum(text in page.text for text in texts if len(text) > 1)
        shares = {
            "anchors.headline": sum(len(text) >= HEADLINE for text in texts),
            "anchors.shared": shared,
            "anchors.empty": sum(not text for text in texts),
            "outside": len(texts) - inside,
        }
        figures = {"out_degree.p50": float(len({link.url for link in page.links}))}
        yield f"zh_news_html {name}", figures | {key: round(count / len(texts), 4) for key, count in shares.items()}


def site(name: str) -> str:
    """Return the folder of a saved page, which is its site."""
    return name.rsplit("/", 1)[0]


def news_pages(data: Path) -> Iterator[tuple[str, ParsedPage]]:
    """Yield the saved pages that can be parsed."""
    with tarfile.open(data / "pages.tar.xz") as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None:
                address = f"http://{site(member.name).replace('/', '-')}.example/{Path(member.name).name}"
                page = parse(Response(address, 200, {"content-type": "text/html"}, file.read()))
                if isinstance(page, ParsedPage):
                    yield member.name, page


def ranges(measured: Mapping[str, Figures]) -> dict[str, dict[str, Any]]:
    """Return, for each figure, the least and the largest value and the webs that have them."""
    names = dict.fromkeys(name for figures in measured.values() for name in figures)
    found = {}
    for name in names:
        values = {where: figures[name] for where, figures in measured.items() if name in figures}
        low, high = min(values, key=values.__getitem__), max(values, key=values.__getitem__)
        found[name] = {"range": [values[low], values[high]], "low": low, "high": high, "webs": len(values)}
    return found


def sites(measured: Mapping[str, Figures]) -> dict[str, Figures]:
    """Return the means of the news pages of each site, so that a site with many pages weighs as one."""
    of: dict[str, list[Figures]] = defaultdict(list)
    for name, figures in measured.items():
        of[site(name)].append(figures)
    return {name: {key: round(float(np.mean([one[key] for one in many])), 4) for key in many[0]} for name, many in of.items()}


def main() -> int:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", metavar="DIR")
    options = parser.parse_args()
    wiki = dict(wikispeedia(options.data / "wikispeedia"))
    saved = dict(news(options.data / "zh_news_html"))
    said = {"wikispeedia, titles in texts": {"anchors.titles_in_text": titles_in_text(options.data / "wikispeedia")}}
    counts = Counter(name.partition(" ")[0] for name in [*wiki, *saved])
    result = {"written_by": "python -m tools.real_webs", "webs": dict(counts), "figures": ranges({**wiki, **sites(saved), **said})}
    write_atomically(options.file, (json.dumps(result, indent=1, ensure_ascii=False) + "\n").encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
