"""The card of a topic: what it is made of, and what its judge finds, before it steers a crawl.

The judge (relevance function and threshold) is asked about the records that the topic was learned from, and about
backgrounds: general language, and the papers of other fields. No texts of backgrounds ship, only counts, so their
records are drawn word by word from these with a fixed seed: 100 each, of as many words as the median record. Words that
the counts leave out are blanks of mean length.

A record is judged as a page of 1,000 words that goes on like it: its counts and its length are multiplied. The judge of
a learned topic rates a short text lower than a page of the same words, and its threshold is that of such a page.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from crawler.crawl_options import Judge
from crawler.model import SLOT, SLOTS, Bools, Counts, Floats, World
from crawler.pages.text_figures import text_figures
from crawler.pages.words import WordTotals, word_totals
from crawler.scoring.relevance import reads_text
from crawler.scoring.statistics import Statistics
from crawler.text import Matcher, Vocabulary, Word
from ontocrawl.errors import CommandError, UsageError
from ontocrawl.runs import page_scoring
from ontocrawl.topics import topic_files, topics
from ontocrawl.topics.other_fields import Compared, compared
from ontocrawl.topics.topics import Label, Topic, TopicFile
from ontology import topic_words
from ontology.corpus.statistics import examine, such_as
from ontology.errors import Message
from ontology.model import Document, WeightedWord
from ontology.terms import keyness
from ontology.terms.occurrences import is_chinese_text
from ontology.terms.paper_fields import Language, PaperField
from ontology.terms.wordforms import has_han, normal, singular
from ontology.topic_words import TopicWord

SHOWN, CARRIED, _ENDS = 20, 5, 5
DRAWN = 100
"""Number of records that are drawn from each background."""
FILE = "file"
"""Source of a word of a topic without a list."""
_SEED, _WORDS, _BATCH, _PART = 0, 200, 200, 0.1
_THIRD = 1 / 3
_BARELY, _HARDLY = 1.0, 2.0
"""Log ratios below which a word is general: any word, and one of the lists of general words."""
_AS_HIGH, _NEARLY = 0.9, 2 / 3
"""Part of the topic's share of relevant records from which a background is as high; part of its median R from which
papers of a field are: a quarter of the fields or more are so for records of several fields, and fewer for one."""
_FEW, _TOO_FEW = 25, 10
_RARELY, _FAR = 0.02, 0.03
"""Share of the records with the label below which it may be that of another field; share of records far from the topic
above which they are a part of the corpus, not single ones."""
_EVERY = 1e-3
"""Share in general language from which a word without papers is general."""


@dataclass(frozen=True)
class CardWord(WeightedWord):
    """A word of a topic.

    Attributes:
        p: its share in all words of the topic's papers.
        ratio: how many times as frequent it is there as in other texts; None for a word that is not from papers.
        source: where it comes from: ``corpus``, ``label``, ``given``, ``pages``, or ``file`` in a topic without a list.
        general: whether it tells the topic's papers hardly from other texts, half general language and half the mean of
            other fields: less than e times as frequent there, or less than e^2 times for a function word and one that
            papers of any field have (*method*, 分析). Up to 6 of 20 words of one subject are, and more of several.
    """

    p: float
    ratio: float | None
    source: str
    general: bool


Group = Literal["corpus", "general", "field", "own_field"]


@dataclass(frozen=True)
class JudgedGroup:
    """What the judge says of the records of a corpus or of a background.

    Attributes:
        group: the topic's own records; or records drawn from general language, from the papers of another field, or of
            a field that the topic belongs to.
        name: label of the field; else that of the group.
        language: ``zh`` or ``en``.
        records: number of records.
        relevant: share of the records that the judge calls relevant, in [0, 1].
        median: median of R.
    """

    group: Group
    name: str
    language: Language
    records: int
    relevant: float
    median: float


@dataclass(frozen=True)
class JudgedRecord:
    """A record of the topic's papers: the larger R of its texts, and whether the judge calls it relevant."""

    id: str
    title: str
    R: float
    relevant: bool


@dataclass(frozen=True)
class JudgedPage:
    """A page: R and verdict, and the words with the largest parts of R; or the problem why it was not judged."""

    source: str
    R: float | None = None
    relevant: bool | None = None
    words: tuple[tuple[str, float], ...] = ()
    problem: str = ""


@dataclass(frozen=True)
class Warned:
    """What looks wrong about a topic.

    Attributes:
        code: label_missing, general_words, background_high, fields_high, fields_relevant, rejects_own, far_records,
            one_house, one_source, few_records or no_abstracts.
        text: the same as a sentence, with what to do.
    """

    code: str
    text: str


@dataclass(frozen=True)
class TopicCard:
    """The card of a topic.

    Attributes:
        topic: its name.
        label: its label by language.
        function: relevance function of the judge.
        threshold: threshold of the judge.
        strict: whether R must be greater than the threshold; else it may be equal.
        listed: number of words that steer a crawl.
        words: the 20 words with the largest p l^2 (`ontology.topic_words`), or with the largest weights where the topic
            has no list.
        records: number of the topic's papers.
        with_label: number of the papers with the label, or with all words of it.
        groups: what the judge says of the papers and of the backgrounds.
        best: the five papers with the largest R.
        rejected: the five papers with the smallest R, which the judge rejects first.
        pages: the pages that were asked about.
        warnings: what looks wrong.
    """

    topic: str
    label: Mapping[str, str]
    function: str
    threshold: float
    strict: bool
    listed: int
    words: tuple[CardWord, ...]
    records: int
    with_label: int
    groups: tuple[JudgedGroup, ...]
    best: tuple[JudgedRecord, ...]
    rejected: tuple[JudgedRecord, ...]
    warnings: tuple[Warned, ...]
    pages: tuple[JudgedPage, ...] = ()

    def __repr__(self) -> str:
        warned = ", ".join(one.code for one in self.warnings)
        return f"<TopicCard {self.topic}: {self.listed} words, {self.records} records, warnings: {warned or 'none'}>"

    def as_json(self) -> dict[str, Any]:
        """Return the card as values of JSON."""
        return asdict(self)


# ---- the card


def check(topic: Topic, pages: Sequence[str] = (), *, allow_loopback: bool = False) -> TopicCard:
    """Make the card of a topic as its files are now.

    Args:
        topic: the topic.
        pages: files and URLs of pages to judge; URLs are fetched as in a crawl.
        allow_loopback: whether URLs of this machine are fetched.

    Raises:
        UsageError: a file of the topic or of a page that cannot be read, or a malformed URL.
    """
    judged = _judge_pages(topic, pages, allow_loopback=allow_loopback)
    behind = topic.levels[0].papers if topic.levels else None
    documents = behind.documents if behind is not None else ()
    texts = topic_words.texts_of(documents)
    if not texts:
        spoken = {language for word in topic.vocabulary.words for language, _ in word.forms}
        texts = {language: [] for language in get_args(Language) if language in spoken}
    fields = compared(topic.workspace, topic.name, topic.file.label, texts)
    judge = page_scoring.judge_of(topic)
    return replace(card_of(topic.file, topic.words, judge, documents, fields), pages=judged)


def card_of(
    file: TopicFile, words: Sequence[TopicWord], judge: Judge, documents: Sequence[Document], fields: Sequence[Compared]
) -> TopicCard:
    """Make the card of a topic.

    Args:
        file: the topic file.
        words: the list of words that steers crawls, with the weights of the topic file; empty for a topic without one.
        judge: the judge of a crawl on the topic.
        documents: the papers of the topic.
        fields: what they are compared with, by language.
    """
    vocabulary = topics.vocabulary_of(words) if words else file.vocabulary()
    shown = _shown(words, fields) if words else _of_file(vocabulary)
    ask = _Asked(judge, vocabulary)
    texts = [(d, language, text) for d in documents for language, text in _texts(d) if language in _languages(fields)]
    measured = [_Text.of(text) for *_, text in texts]
    R, weight = ask.relevance(measured).T
    lengths = [(language, one.words) for (_, language, _), one in zip(texts, measured, strict=True)]
    groups = [*_own(texts, R, judge), *_backgrounds(ask, lengths, fields)]
    records = _records(texts, R, weight, judge)
    with_label = int(_has_label(file.label, documents).sum())
    warnings = (
        *_of_label(file.label, records, with_label), *_of_words(shown), *_of_groups(groups, records),
        *_of_records(records), *_of_corpus(documents, file.label),
    )  # fmt: skip
    return TopicCard(
        file.name, file.label.model_dump(), judge.relevance.name, judge.threshold, judge.strict, len(vocabulary), shown,
        len(documents), with_label, tuple(groups), tuple(records[:_ENDS]), tuple(records[::-1][:_ENDS]), warnings,
    )  # fmt: skip


def _shown(words: Sequence[TopicWord], fields: Sequence[Compared]) -> tuple[CardWord, ...]:
    steering = [one for one in words if one.weight > 0]
    first = sorted(steering, key=lambda one: (-one.prominence, -one.weight, one.word))[:SHOWN]
    return tuple(
        CardWord(
            one.word, one.zh, one.en, one.weight, one.p,
            math.exp(topic_words.log_ratio(one.p, one.g, one.o)) if one.p > 0 else None, one.source,
            one.p > 0 and _is_general(one, fields),
        )
        for one in first
    )  # fmt: skip


def _is_general(one: TopicWord, fields: Sequence[Compared]) -> bool:
    """Return whether a word tells the topic's papers hardly from general language and the mean of other fields."""
    shares = [other.share(one.word) for in_language in fields for other in in_language.others
              if has_han(one.word) == (in_language.language == "zh")]  # fmt: skip
    mean = sum(shares) / len(shares) if shares else None
    ratio = topic_words.log_ratio(one.p, one.g, mean)
    names = {one.word, *(normal(form) for _, form in one.forms)}
    return ratio < _BARELY or (ratio < _HARDLY and not all(map(topic_files.names_something, names)))


def _of_file(vocabulary: Vocabulary) -> tuple[CardWord, ...]:
    """Return the words of a topic file without a list, those with the largest weights first."""
    found = []
    for one in sorted((one for one in vocabulary.words if one.weight > 0), key=lambda one: -one.weight)[:SHOWN]:
        zh, en = (tuple(form for x, form in one.forms if x == language) for language in ("zh", "en"))
        names = {normal(form) for form in (*zh, *en)}
        every = any(topic_words.general_share(singular(name)) >= _EVERY for name in names)
        is_general = every or not all(map(topic_files.names_something, names))
        found.append(CardWord(one.label, zh, en, one.weight, 0.0, None, FILE, is_general))
    return tuple(found)


def _texts(document: Document) -> Iterator[tuple[Language, str]]:
    """Yield the texts of a record with their languages, title and abstract, as `ontology.topic_words.texts_of`."""
    for title, abstract in ((document.title, document.abstract), (document.title_en, document.abstract_en)):
        if text := f"{title}\n{abstract}".strip():
            yield "zh" if is_chinese_text(text) else "en", text


def _languages(fields: Sequence[Compared]) -> list[Language]:
    """Return the languages of the topic: without those of fewer than a tenth of its texts."""
    most = max((one.counts.texts for one in fields), default=0)
    return [one.language for one in fields if one.counts.texts >= _PART * most]


Judged = tuple[Document, Language, str]


class _Text(NamedTuple):
    """A text with its length, as that of a page is measured (`crawler.pages.words`)."""

    text: str
    characters: int
    words: float

    @classmethod
    def of(cls, text: str) -> _Text:
        return cls(text, len(text), word_totals([text]).words)


def _records(texts: Sequence[Judged], R: Floats, weight: Floats, judge: Judge) -> list[JudgedRecord]:
    """Return the records by descending R and weight, each once, with the larger R of its texts."""
    found = dict[str, JudgedRecord]()
    rows = sorted(
        zip(texts, R.tolist(), weight.tolist(), strict=True), key=lambda one: (-one[1], -one[2], one[0][0].id)
    )
    for (d, *_), r, _ in rows:
        found.setdefault(d.id, JudgedRecord(d.id, d.title or d.title_en, r, judge.verdict(r)))
    return list(found.values())


# ---- what the judge says


class _Asked:
    """The judge, for many texts in a row. Document frequencies, where it uses them, are those of one text alone."""

    def __init__(self, judge: Judge, vocabulary: Vocabulary) -> None:
        self.judge, self.vocabulary, self._matcher = judge, vocabulary, Matcher((vocabulary,))

    def relevance(self, texts: Sequence[_Text]) -> Floats:
        """Return R of texts as pages of `PAGE` words, and the weight of their words, by which R = 1 is ordered.

        Returns:
            Shape (len(texts), 2): R, and the sum of the parts of R for a word.
        """
        found = [np.zeros((0, 2))]
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            rows = self._matcher.count_many([one.text for one in batch])[self.vocabulary.name]
            found.append(np.array([self._of(row, one) for row, one in zip(rows, batch, strict=True)]))
        return np.concatenate(found)

    def _of(self, row: Counts, one: _Text) -> tuple[float, float]:
        times = max(1, math.ceil(topic_words.PAGE / max(one.words, 1)))
        counts = np.zeros((len(SLOTS), len(row)), dtype=np.int64)
        counts[SLOT["p"]] = row * times
        function, name, w = self.judge.relevance, self.vocabulary.name, self.vocabulary.weights
        totals = WordTotals(round(one.words * times), word_totals([one.text]).distinct)
        figures = text_figures(self._matcher, name, totals, "", one.text) if reads_text(function) else None
        statistics = Statistics({name: self.vocabulary})
        statistics.add({name: counts}, totals.words)
        R = function.page(counts, w, statistics, name, one.characters * times, figures)
        return R, float(function.parts(counts, w, statistics, name).sum()) / max(totals.words, 1)

    def group(self, kind: Group, name: str, language: Language, texts: Sequence[_Text]) -> JudgedGroup:
        """Return what the judge says of the records of a background."""
        return _grouped(kind, name, language, self.relevance(texts)[:, 0], self.judge)


def _grouped(kind: Group, name: str, language: Language, R: Floats, judge: Judge) -> JudgedGroup:
    relevant = sum(map(judge.verdict, R.tolist())) / len(R)
    return JudgedGroup(kind, name, language, len(R), relevant, float(np.median(R)))


def _own(texts: Sequence[Judged], R: Floats, judge: Judge) -> Iterator[JudgedGroup]:
    languages = np.array([language for _, language, _ in texts])
    for language in dict.fromkeys(language for _, language, _ in texts):
        yield _grouped("corpus", "records of the topic", language, R[languages == language], judge)


def _backgrounds(
    ask: _Asked, lengths: Sequence[tuple[Language, float]], fields: Sequence[Compared]
) -> Iterator[JudgedGroup]:
    """Yield what the judge says of the backgrounds; ``lengths`` are those of the topic's texts, in words."""
    languages = _languages(fields)
    for one in (one for one in fields if one.language in languages):
        chinese = one.language == "zh"
        own = [words for language, words in lengths if language == one.language]
        n = round(float(np.median(own)) * one.counts.tokens / max(one.counts.length, 1)) if own else _WORDS
        general = keyness.general() if chinese else keyness.general_english()
        drawn = _drawn(general.frequency, general.total, max(n, 1), chinese=chinese)
        yield ask.group("general", "general language", one.language, drawn)
        kinds: tuple[tuple[Group, tuple[PaperField, ...]], ...] = (("own_field", one.own), ("field", one.others))
        for kind, of_kind in kinds:
            for field in of_kind:
                drawn = _drawn(field.counts, field.tokens, max(n, 1), chinese=chinese)
                yield ask.group(kind, field.zh if chinese else field.en, one.language, drawn)


def _drawn(frequency: Mapping[str, int], total: int, n: int, *, chinese: bool) -> list[_Text]:
    """Draw records of n words by the frequencies of a background.

    Args:
        frequency: word -> occurrences.
        total: number of all words, those without a frequency included.
        n: words of a record.
        chinese: whether there are no blanks between words.
    """
    words, counts = [*frequency, ""], np.array([*frequency.values(), 0], dtype=np.float64)
    counts[-1] = max(total - counts.sum(), 0)
    lengths = np.array([len(word) for word in words], dtype=np.float64)
    lengths[-1] = lengths[:-1] @ counts[:-1] / counts[:-1].sum()
    ids = np.random.default_rng(_SEED).choice(len(words), size=(DRAWN, n), p=counts / counts.sum())
    characters = lengths[ids].sum(axis=1)
    return [
        _Text(" ".join(words[i] for i in row), round(length + (0 if chinese else n)), length / 2 if chinese else n)
        for row, length in zip(ids.tolist(), characters.tolist(), strict=True)
    ]


def _judge_pages(topic: Topic, pages: Sequence[str], *, allow_loopback: bool = False) -> tuple[JudgedPage, ...]:
    """Judge pages by a topic, as `check` does; a page that cannot be fetched or has no text has a problem.

    Args:
        topic: the topic.
        pages: files and URLs.
        allow_loopback: whether URLs of this machine are fetched.

    Raises:
        UsageError: a file that cannot be read, or a malformed URL.
    """
    live = page_scoring.live_world(topic.workspace, resolve={}, allow_loopback=allow_loopback)
    with closing(live) as world:
        return tuple(_page(topic, page, world) for page in pages)


def _page(topic: Topic, page: str, world: World) -> JudgedPage:
    agent = topic.workspace.settings.crawl.user_agent
    try:
        if "://" in page:
            scored = page_scoring.score_url(topic, page, world, user_agent=agent)
        else:
            scored = page_scoring.score_file(topic, Path(page))
    except UsageError:
        raise
    except CommandError as error:
        return JudgedPage(page, problem=str(error))
    words = tuple((one.word, one.contribution) for one in scored.parts.words[:CARRIED] if one.contribution > 0)
    return JudgedPage(page, scored.R, scored.relevant, words)


# ---- warnings


def about_topic(file: TopicFile, documents: Sequence[Document]) -> Bools:
    """Return for each record whether it has the label or a word of a topic, as a crawl finds them in a page."""
    words = Matcher((file.vocabulary(),)).count_many([_whole(d) for d in documents])["TK"]
    return _has_label(file.label, documents) | (words > 0).any(axis=1)


def _has_label(label: Label, documents: Sequence[Document]) -> Bools:
    """Return for each record whether it has a label, or all words of one."""
    phrases = list(dict.fromkeys(normal(one) for one in (label.zh, label.en) if one.strip()))
    parts = [[phrase, *(w for w in topic_words.label_words([phrase]) if w != phrase)] for phrase in phrases]
    forms = list(dict.fromkeys(form for part in parts for form in part))
    of_record = np.zeros(len(documents), dtype=bool)
    if not (forms and documents):
        return of_record
    words = (Word(form, 1.0, (("zh" if has_han(form) else "en", form),)) for form in forms)
    has = Matcher((Vocabulary("label", tuple(words)),)).count_many([_whole(d) for d in documents])["label"] > 0
    for phrase, *content in parts:
        of_record |= has[:, forms.index(phrase)]
        if content:
            of_record |= has[:, [forms.index(one) for one in content]].all(axis=1)
    return of_record


def _whole(document: Document) -> str:
    """Return the texts of a record in both languages as one."""
    return "\n".join(text for _, text in _texts(document))


def _of_label(label: Label, records: Sequence[JudgedRecord], with_label: int) -> Iterator[Warned]:
    if records and with_label < _RARELY * len(records):
        both = " / ".join(dict.fromkeys((label.zh, label.en)))
        code = "runs.card_label_missing" if with_label else "runs.card_label_nowhere"
        about = {"with_label": with_label, "records": len(records), "such": such_as([one.title for one in records])}
        yield Warned("label_missing", Message(code, label=both, **about))


def _of_records(records: Sequence[JudgedRecord]) -> Iterator[Warned]:
    """Yield that many records are far from the topic: R is at most half of the median."""
    middle = float(np.median([one.R for one in records])) if records else 0.0
    far = [one.title for one in reversed(records) if middle / 2 >= one.R]
    if len(records) >= _FEW and len(far) > _FAR * len(records):
        about = {"n_far": len(far), "records": len(records), "such": such_as(far)}
        yield Warned("far_records", Message("runs.card_far_records", **about))


def _of_words(words: Sequence[CardWord]) -> Iterator[Warned]:
    general = [one.word for one in words if one.general]
    if words and len(general) > _THIRD * len(words):
        about = {"n_general": len(general), "n_words": len(words), "words": ", ".join(general[:CARRIED])}
        yield Warned("general_words", Message("runs.card_general_words", **about))


def _of_groups(groups: Sequence[JudgedGroup], records: Sequence[JudgedRecord]) -> Iterator[Warned]:
    own = {one.language: one for one in groups if one.group == "corpus"}
    for one in groups:
        if one.group == "general":
            of_language = own.get(one.language)
            if _as_high(one, of_language) if of_language else one.relevant >= 1 / 2:
                least = Message("runs.card_background_all")
                if of_language:
                    least = Message("runs.card_background_own", share=of_language.relevant)
                share, language = one.relevant, one.language
                said = Message("runs.card_background_high", share=share, language=language, least=least)
                yield Warned("background_high", said)
    for language, of_language in own.items():
        others = [one for one in groups if one.group == "field" and one.language == language]
        high = [one.name for one in others if one.median >= _NEARLY * of_language.median]
        if len(high) > len(others) / 4:
            several = {"n_high": len(high), "n_fields": len(others), "fields": ", ".join(high[:CARRIED])}
            yield Warned("fields_high", Message("runs.card_fields_high", language=language, **several))
        elif taken := sorted((one for one in others if one.relevant >= 1 / 2), key=lambda one: -one.median):
            yield Warned("fields_relevant", _fields_relevant(taken, [one.R for one in records]))
        if of_language.relevant < 1 / 2:
            about = {"share": of_language.relevant, "median": of_language.median}
            yield Warned("rejects_own", Message("runs.card_rejects_own", language=language, **about))


def _fields_relevant(taken: Sequence[JudgedGroup], own: Sequence[float]) -> Message:
    """Return that papers of other fields are relevant, and the threshold that half of those of each field stay below.

    Args:
        taken: the fields, that with the largest median first.
        own: R of the topic's records.
    """
    threshold = math.ceil(100 * taken[0].median) / 100
    left = sum(threshold < R for R in own) / len(own)
    named = ", ".join(f"{one.name} {one.relevant:.0%}" for one in taken)
    return Message("runs.card_fields_relevant", fields=named, n=len(taken), threshold=threshold, left=left)


def _as_high(one: JudgedGroup, own: JudgedGroup) -> bool:
    """Return whether a background scores as high as the records: by the share of relevant ones, or by the median."""
    return (0 < one.relevant >= _AS_HIGH * own.relevant) or 0 < own.median <= one.median < 1


def _of_corpus(documents: Sequence[Document], label: Label) -> Iterator[Warned]:
    n = len(documents)
    if not n:
        return
    if said := examine(documents).no_abstracts:
        yield Warned("no_abstracts", said)
    if n < _FEW:
        yield Warned("few_records", Message("runs.card_few_records", records=n))
    sources = Counter(d.source for d in documents if d.source)
    if n >= _TOO_FEW and sources and (most := sources.most_common(1)[0])[1] >= _AS_HIGH * n:
        about = {"n_source": most[1], "records": n, "source": most[0]}
        yield Warned("one_source", Message("runs.card_one_source", **about))
    if n >= _TOO_FEW and (names := _names(documents, label)):
        yield Warned("one_house", Message("runs.card_one_house", names=", ".join(names[:CARRIED])))


_LATIN = re.compile(r"(?P<first>(?:^|[.!?:;。！？：；][\"'”’)\]]*)\s*)?(?P<word>[^\W\d_]{3,})", re.MULTILINE)
_HOUSE = re.compile(r"[\u4e00-\u9fff]+?(?:大学|学院|医院|研究所|研究院|公司|集团)|我院|本院|我校|本校|我公司|本公司")
_OUR, _LONGEST = 2, 6
_LEAST = 3
"""Number of abstracts up to which a name says nothing."""


def _names(documents: Sequence[Document], label: Label) -> list[str]:
    """Return names in over a third of the abstracts: capitalised words within sentences, and Chinese organisations.

    A capitalised word is a name where hardly any abstract has it in lower case; abbreviations and words of the label
    are none.
    """
    capital, lower, houses = Counter[str](), Counter[str](), Counter[str]()
    latin = chinese = 0
    own = {singular(word) for word in topic_words.label_words([label.zh, label.en])}
    for d in documents:
        for text in (d.abstract, d.abstract_en):
            if text and is_chinese_text(text):
                chinese += 1
                houses.update({name for m in _HOUSE.finditer(text) for name in _endings(m[0])})
            elif text:
                latin += 1
                found = [(m["word"], m["first"] is None) for m in _LATIN.finditer(text)]
                capital.update({word for word, within in found if within and word[0].isupper() and word[1:].islower()})
                lower.update({word for word, _ in found if word.islower()})
    capitals = [
        word for word, k in capital.most_common()
        if k > max(_THIRD * latin, _LEAST) and lower[word.lower()] <= _PART * k and singular(normal(word)) not in own
    ]  # fmt: skip
    named = [name for name, k in houses.most_common() if k > max(_THIRD * chinese, _LEAST) and name not in own]
    return [*_longest(named), *capitals]


def _endings(house: str) -> Iterable[str]:
    """Return what the name of an organisation may be, as where it begins is unknown."""
    suffix = 3 if house.endswith(("研究所", "研究院")) else _OUR
    return {house[-k:] for k in range(suffix + 2, suffix + _LONGEST + 1) if k <= len(house)} or {house}


def _longest(names: Sequence[str]) -> list[str]:
    """Return names without those that end another one."""
    return [name for name in names if not any(other != name and other.endswith(name) for other in names)]
