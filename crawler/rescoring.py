"""New weights in the middle of a crawl: an event of its journal, after which the queue is scored anew.

The words of the new topic vectors are counted in all pages that were read and in the anchors of their links; statistics
and feature columns become those of a crawl that had counted these words from the start, and queued links are scored by
them. What was decided stays: which pages were fetched, the judge's verdicts, what the strategy learnt from them
(decision 22). The counts are journalled with the event, so that a replay takes the same step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from crawler.crawl_options import Setup
from crawler.journal import Event, Journal, recounts
from crawler.journal.database import mismatch
from crawler.journal.page_rows import changes, pack_counts
from crawler.journal.recounts import WeightsTaken
from crawler.journal.token_reading import with_tokens
from crawler.model import SLOTS, Counts
from crawler.pages.page import PageRecord
from crawler.pages.parser_processes import ParserProcesses
from crawler.state import CrawlState
from crawler.text import Matcher, Vocabulary, Word
from crawler.weights import Offers, Weights, WeightsError, digest_of, of_json

OnPage = Callable[[int, int], None]
"""Callback called with the number of pages that were counted or read again, and that of all of them."""
_EVERY = 50
"""Pages between two calls of it."""


class Rescoring:
    """Takes new weights into the state of a crawl, and repeats that."""

    def __init__(
        self,
        state: CrawlState,
        journal: Journal,
        offers: Offers | None = None,
        parsers: ParserProcesses | None = None,
    ) -> None:
        """Start a crawl that has taken none.

        Args:
            state: the state of the crawl.
            journal: its journal.
            offers: source of new weights while the crawl goes on; None for none.
            parsers: the processes that count words beside that of the crawl.
        """
        self._offers, self._parsers = offers, parsers
        self._state, self._journal = state, journal
        self._begun = state.setup
        self._vocabularies: list[Mapping[str, Vocabulary]] = [state.setup.vocabularies]
        """Number of the weights -> their vocabularies."""
        self._event = 0
        """Number of the event of the last weights."""
        self.on_page: OnPage = lambda number, of: None
        self.on_rescored: Callable[[WeightsTaken], None] = lambda taken: None
        self.on_refused: Callable[[str], None] = lambda why: None

    @property
    def digest(self) -> str:
        """Digest of the present vocabularies."""
        return digest_of(self._state.setup.vocabularies)

    def offered(self) -> Weights | None:
        """Return weights that were offered, fit the crawl and are not those it has; None where there are none."""
        try:
            weights = None if self._offers is None else self._offers.newest()
            if weights is None or weights.digest == self.digest:
                return None
            self._begun.under(weights)
        except WeightsError as error:
            self.on_refused(str(error))
            return None
        return weights

    def journalled(self, seq: int) -> PageRecord:
        """Return the page of an event that is repeated, with the counts of the present vocabularies."""
        record = replace(self._journal.record(seq, self._state.setup.sizes), weights=self._state.weights)
        return record if self._state.extras.tokens is None else with_tokens(self._journal, seq, record)

    def current(self, record: PageRecord) -> PageRecord:
        """Return a page that came while the weights changed with the counts of the present vocabularies."""
        if record.failure is not None or record.weights == self._state.weights:
            return record
        again = _Recount(self._vocabularies[record.weights], self._state.matcher)
        counts = again.counts(record.counts, record.page.segments or None, record.page.title, record.page.text)
        return replace(record, counts=counts, weights=self._state.weights)

    def take(self, seq: int, weights: Weights) -> None:
        """Take new weights, and journal that; the next snapshot has to be a whole one.

        Args:
            seq: number of the event.
            weights: weights that fit the crawl.

        Raises:
            WeightsError: they do not fit.
            JournalError: the journal cannot be written; it has nothing of the event then.
        """
        state, setup = self._state, self._begun.under(weights)
        with self._journal.weights(seq) as data:
            recounted, estimated = self._count(seq, setup)
            queued = len(state.frontier)
            admitted = self._use(seq, setup)
            data.update(
                weights.as_json(),
                at=datetime.now(UTC).isoformat(timespec="seconds"),
                fetched=state.scheduler.fetched,
                queued=queued,
                recounted=recounted,
                estimated=estimated,
                **changes(dict.fromkeys(admitted, "admitted")),
            )
        self._journal.snapshots.begin_anew()
        self.on_rescored(recounts.taken(self._journal)[-1])

    def repeat(self, event: Event) -> None:
        """Take journalled weights again. Raises JournalError where the strategy admits other links than it did."""
        admitted = self._use(event.seq, self._begun.under(of_json(event.data)))
        if admitted != event.data.get("changed", {}).get("admitted", []):
            what = f"event {event.seq} scored the queue by other weights, and replaying it admits different links"
            raise mismatch(self._journal.path, what)

    def prepare(self, last: int) -> None:
        """Take the weights of a snapshot, before it is restored; ``last`` is the last event that it includes."""
        for event in recounts.events(self._journal, last + 1):
            self._weigh(event.seq, self._begun.under(event.weights))

    def _count(self, seq: int, setup: Setup) -> tuple[int, int]:
        """Count the words of new vocabularies in all pages; return the numbers of pages, and of those estimated."""
        pages = recounts.counted_pages(self._journal, seq)
        state, number, estimated = self._state, 0, 0
        again = _Recount(state.setup.vocabularies, Matcher(tuple(setup.vocabularies.values())))
        for page in recounts.kept_pages(self._journal, seq, self._event, state.setup.sizes):
            counts = again.counts(page.counts, page.segments, page.title, page.text)
            self._journal.recount([(seq, page.seq, pack_counts(counts))])
            number, estimated = number + 1, estimated + (not again.is_exact(page.segments))
            self._tell(number, 2 * pages)
        return number, estimated

    def _use(self, seq: int, setup: Setup) -> list[int]:
        """Use vocabularies whose counts are journalled; return the links that the strategy admits now."""
        state = self._state
        self._weigh(seq, setup)
        ahead, pages, number = dict[int, PageRecord](), recounts.counted_pages(self._journal, seq), 0
        for kind, link, record in recounts.read_again(self._journal, seq, state.setup.sizes):
            number += record.failure is None
            if kind == "look":
                ahead[link] = record
                continue
            state.count_again(link, record, ahead)
            ahead = {}
            self._tell(pages + number, 2 * pages)
        return state.score_again()

    def _weigh(self, seq: int, setup: Setup) -> None:
        self._vocabularies.append(setup.vocabularies)
        self._event = seq
        self._state.weigh(setup, len(self._vocabularies) - 1)
        if self._parsers is not None:
            self._parsers.use(self._state.matcher, self._state.extras)

    def _tell(self, number: int, of: int) -> None:
        if number % _EVERY == 0 or number == of:
            self.on_page(number, of)


# ---- counting the words of other vocabularies in pages that were counted before


class _Recount:
    """Counter of the words of vocabularies in pages that were counted with earlier ones.

    A page is counted in its (slot, text) segments, as when it was fetched. Where these are not kept, words that the
    earlier vocabulary has keep their counts, and those of others are estimated: they are counted in the title, and in
    the main text as if it were paragraphs.
    """

    def __init__(self, before: Mapping[str, Vocabulary], after: Matcher) -> None:
        """Compare vocabularies; those with the same words and forms keep all counts, whatever the weights.

        Args:
            before: the earlier vocabularies.
            after: counter of the new ones.
        """
        self._after = {v.name: v for v in after.vocabularies}
        self._other = {
            name: v for name, v in self._after.items() if name not in before or _words(before[name]) != _words(v)
        }
        self._matcher = Matcher(tuple(self._other.values()))
        self._kept = {
            name: _places(_words(before[name]), _words(v)) for name, v in self._other.items() if name in before
        }

    def is_exact(self, segments: Sequence[tuple[str, str]] | None) -> bool:
        """Return whether the counts of a page are those that it would have had when it was fetched."""
        return segments is not None or not self._other

    def counts(
        self, earlier: Mapping[str, Counts], segments: Sequence[tuple[str, str]] | None, title: str, text: str
    ) -> dict[str, Counts]:
        """Return the counts of a page by slot, vocabulary -> shape (len(SLOTS), n).

        Args:
            earlier: its counts by the earlier vocabularies.
            segments: its (slot, text) segments; None where they are not kept.
            title: its title.
            text: its main text.
        """
        placed = (("title", title), ("p", text)) if segments is None else segments
        counted = self._matcher.count_segments(placed) if self._other else {}
        if segments is None:
            counted = {name: self._with_kept(name, earlier, matrix) for name, matrix in counted.items()}
        return {name: counted[name] if name in counted else earlier[name] for name in self._after}

    def _with_kept(self, name: str, earlier: Mapping[str, Counts], counted: Counts) -> Counts:
        if name not in self._kept:
            return counted
        now, then = self._kept[name]
        mixed = counted.reshape(len(SLOTS), -1).copy()
        mixed[:, now] = earlier[name][:, then]
        return mixed


def _words(vocabulary: Vocabulary) -> list[tuple[str, tuple[tuple[str, str], ...], str]]:
    return [_identity(word) for word in vocabulary.words]


def _identity(word: Word) -> tuple[str, tuple[tuple[str, str], ...], str]:
    return word.label, word.forms, word.iri


def _places(before: Sequence[object], after: Sequence[object]) -> tuple[list[int], list[int]]:
    """Return the places of the words of both lists, in ``after`` and in ``before``."""
    then = {word: place for place, word in enumerate(before)}
    both = [(place, then[word]) for place, word in enumerate(after) if word in then]
    return [now for now, _ in both], [place for _, place in both]
