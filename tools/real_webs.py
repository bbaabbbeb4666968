"""Measure real webs: the ranges in which the figures of calibrated synthetic webs must lie.

    python -m tools.real_webs [FILE] [--data ../shared/data] [--only PART ..]

* wikispeedia: 4,598 pages of an encyclopaedia and their links, read from five start pages, with each label set of
  topics.json and, from the first, with each category of at least 30 pages as a label set
* parts of it as webs of their own, for the shape only: the pages of each top category, and the nearest 1,000 and 2,000
* what the papers' judge of the topic rainstorm accepts: pages with the label and without it, and the emergencies of
  another kind of the corpus cec, such as fires and earthquakes, for near subjects; news of
  guangdong_disaster_news by hazard
* zh_news_html: saved Chinese news pages. Their targets are not there, so only what a page itself shows is measured:
  its links, their texts, the part of them outside of the text

The file has, for each figure, the least and the largest value and where they come from. Shares of anchors that name
their target cannot be measured on either: wikispeedia has no anchors and the news have no targets. Between them stand
two measures: the links of wikispeedia whose target's title stands in the text of the page (an anchor in the text can
hold the title in no more), and the links of a news page with a text as long as a headline.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import sys
import tarfile
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from crawler.model import ParsedPage, Response
from crawler.pages.parse import parse
from crawler.worlds import CorpusWorld
from ontocrawl.base import workspace
from ontocrawl.lab import web, web_figures
from ontocrawl.lab.web import Web
from ontocrawl.lab.web_figures import FILE, flat
from ontocrawl.runs import crawl_setup, page_scoring
from ontocrawl.topics import topics
from ontocrawl.topics.topics import Topic
from ontology.files import write_atomically

ROOT = Path(__file__).resolve().parent.parent
STARTS = ("Rain", "Weather", "Flood", "Thunderstorm", "Tropical_cyclone")
SMALLEST_SET = 30
"""Pages of a category that is a label set; storms, the smallest of topics.json, has 33."""
SMALLEST_PART = 300
SAMPLED = 5
"""Every fifth page without the label is judged."""
LIMITS = (1000, 2000)
HEADLINE = 9
"""Characters of a Chinese headline at least; texts of menus are shorter."""
SMALLEST_PAGE = 20
"""Links of a saved page that is measured; the text of one with fewer was taken out of its site."""
USER_AGENT = "measure"
Figures = dict[str, float]
TITLES = "wikispeedia, titles in texts"


def wikispeedia(data: Path) -> Iterator[tuple[str, Figures]]:
    """Measure wikispeedia for each start and label set.

    Args:
        data: the folder of the web.

    Yields:
        Names of start and label set, and the figures by their flat names.
    """
    topical = json.loads((data / "topics.json").read_text(encoding="utf-8"))
    with closing(CorpusWorld(data)) as world:
        for start in STARTS:
            read = web.read(world, [world.url_of(start)], set(), user_agent=USER_AGENT)
            sets = {**topical, **categories(data)} if start == STARTS[0] else topical
            for name, names in sets.items():
                labels = {world.url_of(unquote(one)) for one in names}
                yield f"wikispeedia from {start}, {name}", shape(labelled(read, labels))


def labelled(read: Web, labels: Collection[str]) -> Web:
    """Return a web with other labels."""
    relevant = np.array([url in labels for url in read.urls], dtype=np.bool_)
    return replace(read, relevant=relevant, labelled=len(labels), reached=int(relevant.sum()))


def categories(data: Path, smallest: int = SMALLEST_SET) -> dict[str, list[str]]:
    """Return the pages of each category that has enough of them."""
    of = crawl_setup.read(data / "categories.tsv")
    return {category: names for category, names in of.items() if len(names) >= smallest}


def parts(data: Path) -> Iterator[tuple[str, Figures]]:
    """Measure the shape of parts of wikispeedia.

    Args:
        data: the folder of the web.

    Yields:
        Name of the part, and figures that need no labels.
    """
    with closing(CorpusWorld(data)) as world:
        whole = web.read(world, [world.url_of(STARTS[0])], None, user_agent=USER_AGENT)
        for limit in LIMITS:
            read = web.read(world, [world.url_of(STARTS[0])], None, user_agent=USER_AGENT, limit=limit)
            yield f"wikispeedia from {STARTS[0]}, nearest {limit}", shape(read)
        for category, names in top_categories(data).items():
            inside = {world.url_of(unquote(name)) for name in names}
            yield f"wikispeedia, {category}", shape(induced(whole, inside))


def shape(read: Web) -> Figures:
    """Return the figures of a web that need no labels; texts of links are those of a corpus, not of the web."""
    found = flat(web_figures.figures(read))
    return {name: value for name, value in found.items() if not name.startswith("anchors.")}


def induced(read: Web, inside: Collection[str]) -> Web:
    """Return the web of some pages and the links between them."""
    kept = np.array([url in inside for url in read.urls], dtype=np.bool_)
    number = np.cumsum(kept) - 1
    links = kept[read.source] & kept[read.target]
    rows = np.flatnonzero(kept)
    return replace(
        read, urls=tuple(read.urls[row] for row in rows), titles=tuple(read.titles[row] for row in rows),
        distance=read.distance[rows], source=number[read.source[links]], target=number[read.target[links]],
        anchors=("",) * int(links.sum()), seeds=(0,),
    )  # fmt: skip


def top_categories(data: Path) -> dict[str, set[str]]:
    """Return the pages of each top category that is large enough for a web."""
    of: dict[str, set[str]] = defaultdict(set)
    for category, names in categories(data, 1).items():
        of[".".join(category.split(".")[:2])] |= set(names)
    return {category: names for category, names in of.items() if len(names) >= SMALLEST_PART}


def accepted(data: Path, topic: Topic) -> Iterator[tuple[str, Figures]]:
    """Judge pages.

    Args:
        data: the folder of all data.
        topic: the topic rainstorm.

    Yields:
        Name of a set of pages, and the share of it that the judge accepts.
    """
    with lzma.open(data / "wikispeedia" / "pages.jsonl.xz", "rt", encoding="utf-8") as lines:
        pages = {unquote(page["name"]): page for page in map(json.loads, lines)}
    sets = json.loads((data / "wikispeedia" / "topics.json").read_text(encoding="utf-8"))
    hazards = {unquote(name) for name in sets["hazard_all"]}
    for name in ("storms", "climate_weather", "natural_disasters", "hazard_all"):
        yield f"wikispeedia, {name}", {"accepted.relevant": share(topic, *(pages[unquote(one)] for one in sets[name]))}
    others = [page for name, page in pages.items() if name not in hazards][::SAMPLED]
    yield "wikispeedia, not hazard_all", {"accepted.other": share(topic, *others)}
    geology = {unquote(name) for name in sets["geology"]} - hazards
    yield "wikispeedia, geology", {"accepted.near": share(topic, *(pages[name] for name in geology))}
    classes: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with lzma.open(data / "cec" / "cec.jsonl.xz", "rt", encoding="utf-8") as lines:
        for item in map(json.loads, lines):
            classes[item["cls"]].append(item)
    for kind, items in classes.items():
        yield f"cec, {kind}", {"accepted.near": share(topic, *items)}
    for name, figure, items in guangdong(data / "guangdong_disaster_news"):
        yield f"guangdong_disaster_news, {name}", {f"accepted.{figure}": share(topic, *items)}


def guangdong(data: Path) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Yield sets of disaster news by their hazard: name, whether it is relevant or near, the news."""
    with lzma.open(data / "news_2024-08_09.jsonl.xz", "rt", encoding="utf-8") as lines:
        news_items = [{**item, "text": item["summary"]} for item in map(json.loads, lines)]
    said = [f"{item['title']}{item['text']}" for item in news_items]
    yield "暴雨", "relevant", [item for item, text in zip(news_items, said, strict=True) if "暴雨" in text]
    for hazard in ("台风", "高温", "强对流"):
        yield (
            hazard,
            "near",
            [i for i, text in zip(news_items, said, strict=True) if hazard in text and "暴雨" not in text],
        )


def share(topic: Topic, *pages: Mapping[str, Any]) -> float:
    """Return the share of some texts that the judge of a topic accepts."""
    texts = [f"{page['title'] or ''}\n{page['text']}".encode() for page in pages]
    judged = [
        page_scoring.score_body(topic, text, source="", content_type="text/plain; charset=utf-8") for text in texts
    ]
    return round(sum(page.relevant for page in judged) / len(judged), 4)


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
        if len(texts) < SMALLEST_PAGE:
            continue
        shared = sum(len(leads_to[site(name), text]) >= web_figures.SHARED_BY for text in texts)
        inside = sum(text in page.text for text in texts if len(text) > 1)
        shares = {
            "anchors.named": sum(len(text) >= HEADLINE for text in texts),
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
    return {
        name: {key: round(float(np.mean([one[key] for one in many])), 4) for key in many[0]}
        for name, many in of.items()
    }


def _encyclopaedia(data: Path) -> dict[str, Figures]:
    folder = data / "wikispeedia"
    titles: Figures = {"anchors.named": titles_in_text(folder)}
    return {**dict(wikispeedia(folder)), **dict(parts(folder)), TITLES: titles}


def _judged(data: Path) -> dict[str, Figures]:
    with tempfile.TemporaryDirectory(prefix="ontocrawl-real-webs-") as folder:
        return dict(accepted(data, topics.load("rainstorm", workspace.init(Path(folder) / "ws"))))


MEASURES: Mapping[str, Callable[[Path], dict[str, Figures]]] = {
    "wikispeedia": _encyclopaedia,
    "news": lambda data: dict(news(data / "zh_news_html")),
    "judged": _judged,
}


def main() -> int:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", metavar="DIR")
    parser.add_argument("--only", nargs="+", default=list(MEASURES), choices=list(MEASURES), help="all by default")
    options = parser.parse_args()
    measured = {part: MEASURES[part](options.data) for part in options.only}
    counts = Counter(re.split("[ ,]", name)[0] for of in measured.values() for name in of if name != TITLES)
    webs = [sites(of) if part == "news" else of for part, of in measured.items()]
    result = {
        "written_by": "python -m tools.real_webs",
        "webs": dict(counts),
        "figures": ranges({name: figures for of in webs for name, figures in of.items()}),
    }
    write_atomically(options.file, (json.dumps(result, indent=1, ensure_ascii=False) + "\n").encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
