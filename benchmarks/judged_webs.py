"""Labelled pages for fitting and measuring judges: the figures of each page under each topic of its web.

* wikispeedia: 4,598 pages of an encyclopaedia, eight topics of ontocrawl/lab/topics, labels by category
* emergencies: the Chinese emergencies of the corpus cec, seven topics (benchmarks/emergencies.toml), labels by class;
  beside them 20 news of Guangdong and 79 saved pages of news sites, which have no class
* disciplines: Chinese abstracts that their source assigns to a discipline, five of which are topics
  (benchmarks/disciplines.toml)
* synthetic: the planted web and the two that are calibrated to real ones, labels as planted

The headlines of zh_headlines and the summaries of guangdong_disaster_news are not used: they differ from pages of the
topic by their length, which a judge that knows lengths would learn.
"""

from __future__ import annotations

import csv
import json
import lzma
import tarfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import numpy as np

from crawler.fetching.fetch import Fetched, Fetcher
from crawler.model import Bools, Floats, Response, World
from crawler.pages.page import Extras, PageRecord, page_record
from crawler.pages.plain_pages import RECORD_TYPE
from crawler.pages.text_figures import page_relevance, text_figures
from crawler.scoring.logistic_relevance import figures
from crawler.scoring.relevance import relevance
from crawler.scoring.statistics import Statistics
from crawler.text import Matcher, Vocabulary, Word
from crawler.worlds import CorpusWorld, SyntheticWorld
from crawler.worlds.synthetic.calibrated.parameters import CALIBRATED
from crawler.worlds.synthetic.calibrated.world import CalibratedWorld
from ontocrawl.base.config import checked, read_toml
from ontocrawl.topics.topics import TopicFile

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
CATEGORIES = {
    "computing": "subject.IT", "dinosaurs": "subject.Science.Biology.Dinosaurs",
    "mammals": "subject.Science.Biology.Mammals", "mathematics": "subject.Mathematics",
    "plants": "subject.Science.Biology.Plants", "railway": "subject.Design_and_Technology.Railway_transport",
    "rulers": "subject.People.Monarchs_of_Great_Britain",
}  # fmt: skip
"""Topic -> category of wikispeedia; the pages of this and of all categories below it are labelled."""
SYNTHETIC = (("planted", "rainstorm"), ("rainstorm", "rainstorm"), ("typhoon", "typhoon"))
"""Presets with their topics."""
OTHERS = ("density", "saturated", "paper_000", "paper_001")
"""Relevance functions that J is compared with."""
EARLY = 200
"""Pages of a crawl that has just begun."""
_EXTRAS = Extras(words=True)


@dataclass(frozen=True)
class Judged:
    """The pages of a web under one topic."""

    web: str
    topic: str
    X: Floats
    """Figures x_1 to x_8 of each page that has a topic word, zeros for others, shape (n, 8)."""
    early: Floats
    """The same with the document frequencies of ``EARLY`` pages, half of them the densest, shape (n, 8)."""
    empty: Bools
    """Whether a page has no topic word, shape (n,)."""
    label: Bools
    """Shape (n,)."""
    R: Mapping[str, Floats]
    """Name of a relevance function -> R of each page, shape (n,)."""


Labels = Mapping[str, set[str]]
"""Topic -> URLs of the pages that are labelled relevant."""


def judged_webs(pages: int = 2000) -> Iterator[Judged]:
    """Yield each web under each of its topics; webs whose data set is absent are left out.

    Args:
        pages: number of pages of each synthetic web.
    """
    if DATA.is_dir():
        yield from _judged("wikispeedia", *_wikispeedia())
        yield from _judged("emergencies", *_emergencies())
        yield from _judged("disciplines", *_disciplines())
    for preset, topic in SYNTHETIC:
        vocabulary = _vocabulary(ROOT / "ontologies" / "topics" / f"{topic}.toml", preset)
        world = (CalibratedWorld if preset in CALIBRATED else SyntheticWorld)(preset, pages, 0)
        found = _fetched(world, world.labels(), Matcher((vocabulary,)))
        yield from _judged("synthetic", [vocabulary], found, {preset: set(world.relevant_urls())})


Web = tuple[Sequence[Vocabulary], Iterable[PageRecord], Labels]


def _wikispeedia() -> Web:
    folder = DATA / "wikispeedia"
    world = CorpusWorld(folder)
    labels = {name: set[str]() for name in CATEGORIES}
    for line in (folder / "categories.tsv").read_text(encoding="utf-8").splitlines():
        page, _, category = line.partition("\t")
        for name, wanted in CATEGORIES.items():
            if f"{category}.".startswith(f"{wanted}."):
                labels[name].add(world.url_of(unquote(page)))
    sets = json.loads((folder / "topics.json").read_text(encoding="utf-8"))
    labels["hazard_all"] = {world.url_of(unquote(page)) for page in sets["hazard_all"]}
    vocabularies = [_vocabulary(ROOT / "ontocrawl" / "lab" / "topics" / f"{name}.toml", name) for name in labels]
    return vocabularies, _fetched(world, world.urls(), Matcher(vocabularies)), labels


def _emergencies() -> Web:
    vocabularies, classes = _chinese(ROOT / "benchmarks" / "emergencies.toml")
    matcher, found, labels = Matcher(vocabularies), list[PageRecord](), {name: set[str]() for name in classes.values()}
    with lzma.open(DATA / "cec" / "cec.jsonl.xz", "rt", encoding="utf-8") as file:
        for document in map(json.loads, file):
            record = _written(document["title"], document["text"], document["id"], matcher)
            labels[classes[document["cls"]]].add(record.final_url)
            found.append(record)
    with (DATA / "guangdong_disaster_news" / "articles_fulltext_20.csv").open(encoding="utf-8") as file:
        found += [_written(row["title"], row["content"], row["url"], matcher) for row in csv.DictReader(file)]
    with tarfile.open(DATA / "zh_news_html" / "pages.tar.xz") as archive:
        for member in archive:
            body = archive.extractfile(member)
            if body is not None:
                response = Response(f"http://news.invalid/{member.name}", 200, {}, body.read())
                found.append(page_record(response.url, Fetched(response, response.url), matcher, _EXTRAS))
    return vocabularies, [record for record in found if record.failure is None], labels


def _disciplines() -> Web:
    vocabularies, classes = _chinese(ROOT / "benchmarks" / "disciplines.toml")
    matcher, found, labels = Matcher(vocabularies), list[PageRecord](), {name: set[str]() for name in classes.values()}
    with lzma.open(DATA / "abstracts_zh" / "general_18k.jsonl.xz", "rt", encoding="utf-8") as file:
        for document in map(json.loads, file):
            if document["source"].startswith("CSL") and document["discipline"]:
                record = _written(document["title"], document["abstract"], document["id"], matcher)
                found.append(record)
                if document["discipline"] in classes:
                    labels[classes[document["discipline"]]].add(record.final_url)
    return vocabularies, found, labels


def _chinese(file: Path) -> tuple[list[Vocabulary], dict[str, str]]:
    """Return the topics of a file, and label -> name of the topic."""
    topics = tomllib.loads(file.read_text(encoding="utf-8"))
    vocabularies = []
    for name, topic in topics.items():
        subject = [Word(forms[0], 1.0, tuple(("zh", form) for form in forms)) for forms in topic["words"]]
        vocabularies.append(Vocabulary(name, (*subject, *(Word(form, 0.5, (("zh", form),)) for form in topic["more"]))))
    return vocabularies, {topic["label"]: name for name, topic in topics.items()}


def _vocabulary(file: Path, name: str) -> Vocabulary:
    return Vocabulary(name, checked(TopicFile, read_toml(file), str(file)).vocabulary().words)


def _fetched(world: World, urls: Iterable[str], matcher: Matcher) -> Iterator[PageRecord]:
    """Yield the pages of URLs; failures and redirects to other pages are left out."""
    fetcher = Fetcher(world, user_agent="ontocrawl")
    for url in urls:
        record = page_record(url, fetcher.get(url), matcher, _EXTRAS)
        if record.failure is None and record.final_url == url:
            yield record


def _written(title: str, text: str, name: str, matcher: Matcher) -> PageRecord:
    """Return a document as the page of a corpus."""
    body = json.dumps({"title": title, "text": text}).encode()
    response = Response(f"http://corpus.invalid/{name}", 200, {"content-type": RECORD_TYPE}, body)
    return page_record(response.url, Fetched(response, response.url), matcher, _EXTRAS)


def _judged(
    web: str, vocabularies: Sequence[Vocabulary], found: Iterable[PageRecord], labels: Labels
) -> Iterator[Judged]:
    pages, matcher = list(found), Matcher(vocabularies)
    whole = _statistics(vocabularies, pages)
    for vocabulary in vocabularies:
        name = vocabulary.name
        R = {
            other: np.array([page_relevance(relevance(other), vocabulary, page, whole, matcher) for page in pages])
            for other in OTHERS
        }
        dense = np.argsort(-R["density"], kind="stable")[: EARLY // 2]
        early = _statistics(vocabularies, [pages[i] for i in dense] + pages[:: max(1, 2 * len(pages) // EARLY)])
        X, X_early = (_figures(vocabulary, pages, known, matcher) for known in (whole, early))
        empty = np.array([not page.counts[name].any() for page in pages])
        label = np.array([page.final_url in labels[name] for page in pages])
        yield Judged(web, name, X, X_early, empty, label, R)


def _statistics(vocabularies: Sequence[Vocabulary], pages: Iterable[PageRecord]) -> Statistics:
    counted = Statistics({vocabulary.name: vocabulary for vocabulary in vocabularies})
    for page in pages:
        counted.add(page.counts, page.words.words if page.words else 0)
    return counted


def _figures(vocabulary: Vocabulary, pages: Sequence[PageRecord], known: Statistics, matcher: Matcher) -> Floats:
    name, w = vocabulary.name, vocabulary.weights
    rows = [
        figures(
            page.counts[name], w, known, name, text_figures(matcher, name, page.words, page.page.title, page.page.text)
        )
        for page in pages
    ]
    return np.array(rows) * np.array([page.counts[name].any() for page in pages])[:, np.newaxis]
