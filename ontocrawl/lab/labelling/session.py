"""A session of `lab label`: the pages of the sample one after the other, labels that are saved at once, undo."""

from __future__ import annotations

from collections.abc import Callable

from crawler.journal.judged_pages import title_and_text
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.lab.labelling import sample
from ontocrawl.lab.labelling.sample import (
    DEFAULT_PAGES,
    DEFAULT_SEED,
    WITHDRAWN,
    Judgement,
    LabelError,
    Sample,
    SampledPage,
    Verdict,
)
from ontocrawl.runs import runs
from ontology.printable import one_line

LONGEST_NAME, LONGEST_NOTE = 100, 2000


class Labelling:
    """The labelling of a run's pages by one person.

    The first session of a run draws the sample; all later ones, of any person, use it. Neither title nor text tells
    the run's strategy, nor what the judge said.

    Args:
        space: the workspace of the run.
        run: name of the run, which may still be going on.
        by: name of the person.
        pages: number of pages to draw; None for 100, or for those of the existing sample.
        seed: seed of the draw; None for 0, or for that of the existing sample.
        now: returns the date and time, ISO 8601.

    Raises:
        UsageError: there is no such run, it has no page to label, the name is no name, or a sample was drawn with
            another number of pages or seed.
        LabelError: damaged files of labels, or a sample that is not of this run.
    """

    def __init__(
        self,
        space: Workspace,
        run: str,
        *,
        by: str,
        pages: int | None = None,
        seed: int | None = None,
        now: Callable[[], str] = workspace.now,
    ) -> None:
        self.by, self.now = _checked_name(by), now
        self.space, self.run, self.folder = space, run, space.existing_run(run)
        self.sample = _sample(space, run, pages, seed)
        self._pages = {page.url: page for page in self.sample.pages}
        self._digests = {page.url: page.digest for page in self.sample.pages}
        self._labels = sample.standing(sample.read_labels(self.folder, self._digests)).get(self.by, {})
        self.labelled: dict[str, Verdict] = {}
        """URL of each page that was labelled in this session -> the label."""
        self._shown: tuple[str, str, str] | None = None

    @property
    def total(self) -> int:
        """Number of pages of the sample."""
        return len(self.sample.pages)

    @property
    def open(self) -> int:
        """Number of pages that the person has not labelled."""
        return self.total - len(self._labels)

    @property
    def current(self) -> SampledPage | None:
        """The next page to label; None at the end."""
        return next((page for page in self.sample.pages if page.url not in self._labels), None)

    @property
    def labels(self) -> dict[str, Judgement]:
        """URL -> label of the person, those of earlier sessions included."""
        return dict(self._labels)

    def title_and_text(self) -> tuple[str, str]:
        """Return title and text of the current page, as its server sent them.

        Raises:
            LabelError: they are not those of the sample.
        """
        page = self.current
        if page is None:
            raise ValueError("all pages are labelled")
        if self._shown is None or self._shown[0] != page.url:
            with runs.open_journal(self.space, self.run) as journal:
                title, text = title_and_text(journal, page.seq)
            if sample.digest_of(title, text) != page.digest:
                raise LabelError(
                    "lab.page_not_journal_run",
                    folder=self.folder / sample.FILE,
                    one_line=one_line(page.url),
                    run=self.run,
                )
            self._shown = page.url, title, text
        return self._shown[1:]

    def label(self, verdict: Verdict, note: str = "", url: str = "") -> None:
        """Label a page; the label is saved when this returns.

        Args:
            verdict: "yes", "no" or "unsure".
            note: a note.
            url: a page of the sample; the current one by default. A page that was labelled before has its new label.

        Raises:
            UsageError: another verdict, or a page that is not in the sample.
            CommandError: another command holds the record.
            OSError: the record cannot be written.
        """
        if verdict not in sample.VERDICTS:
            raise UsageError("lab.no_label_expected_2", verdict=verdict, verdicts=", ".join(sample.VERDICTS))
        page = self._pages.get(url) if url else self.current
        if page is None:
            raise UsageError("lab.not_in_sample", url=url, run=self.run) if url else UsageError("lab.all_labelled")
        self._labels.pop(page.url, None)
        self._labels[page.url] = self._saved(page, verdict, one_line(note)[:LONGEST_NOTE])
        self.labelled.pop(page.url, None)
        self.labelled[page.url] = verdict

    def undo(self) -> str | None:
        """Take back the last label of the person, and return its page's URL; None where there is none.

        Raises:
            CommandError: another command holds the record.
            OSError: the record cannot be written.
        """
        if not self._labels:
            return None
        url = next(reversed(self._labels))
        self._saved(self._pages[url], WITHDRAWN, "")
        del self._labels[url]
        self.labelled.pop(url, None)
        return url

    def _saved(self, page: SampledPage, label: str, note: str) -> Judgement:
        one = Judgement(page.url, page.digest, label, self.by, self.now(), note, page.stratum, page.weight)
        sample.append(self.folder, one)
        return one


def _checked_name(by: str) -> str:
    """Return the name of a person as it is stored. Raises UsageError for one that is no name."""
    name = one_line(by)
    if not name or len(name) > LONGEST_NAME:
        raise UsageError("lab.no_name_give_characters", name=name[:20], longest_name=LONGEST_NAME)
    return name


def _sample(space: Workspace, run: str, pages: int | None, seed: int | None) -> Sample:
    """Return the sample of a run, which is drawn where there is none."""
    folder = space.existing_run(run)
    with workspace.alone(folder / sample.FILE):
        known = sample.read(folder)
        if known is not None:
            sample.check_pages(known, pages, seed, folder)
            return known
        if (folder / sample.LABELS_FILE).exists():
            raise LabelError(
                "lab.labels_but_beside_missing", folder=folder / sample.LABELS_FILE, sample_file=sample.FILE
            )
        with runs.open_journal(space, run) as journal, journal.at_one_moment():
            drawn = sample.draw(
                journal, DEFAULT_PAGES if pages is None else pages, DEFAULT_SEED if seed is None else seed
            )
        sample.write(folder, drawn)
        return drawn
