"""Files of a run's folder beside its journal: replaced as a whole, read by other processes now and then."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from crawler.journal import Journal
from crawler.journal.recounts import STATISTICS
from crawler.journal.taught_pages import PageVerdict, VerdictsError
from crawler.weights import Weights, WeightsError, of_json
from kg.engine.files import FileLock
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import CommandError, UsageError
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.version import __version__
from ontology.files import stamp

LOCK_SECONDS = 5.0
"""Time for which a command waits for another one that changes a file."""


def replace(path: Path, text: str) -> None:
    """Replace a file, which is never seen in part. Raises CommandError where it cannot be written."""
    part = path.with_suffix(".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise CommandError("runs.cannot_written_make_room", path=path, strerror=error.strerror) from error


def read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file; empty where there is no file. Raises UsageError for a damaged one."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError("runs.marks_damaged", path=path, error=error) from error
    if not isinstance(found, dict):
        raise UsageError("runs.marks_damaged", path=path, error="no object")
    return found


class _WatchedFile:
    """A file that another process may replace; it is looked at between two fetches."""

    def __init__(self, path: Path) -> None:
        """Start to look: what the file says now is known; it need not exist."""
        self._path = path
        self._seen = stamp(path)

    def is_new(self) -> bool:
        """Return whether there is another file than at the last look, at the cost of one ``stat``."""
        seen = stamp(self._path)
        if seen in (None, self._seen):
            return False
        self._seen = seen
        return True


# ---- new weights for a run, in a file of its folder: a crawl that goes on takes them, or `crawl resume --rescore`


WEIGHTS_FILE = "weights.json"


def write_weights(folder: Path, weights: Weights) -> None:
    """Offer weights to a run; those that were offered before are replaced, and never seen in part.

    Args:
        folder: folder of the run.
        weights: the weights.

    Raises:
        CommandError: the file cannot be written.
    """
    replace(folder / WEIGHTS_FILE, json.dumps(weights.as_json(), ensure_ascii=False))


def read_weights(folder: Path) -> Weights | None:
    """Return the weights that a run was offered last; None where it was offered none.

    Raises:
        WeightsError: the file is damaged.
    """
    try:
        text = (folder / WEIGHTS_FILE).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WeightsError("runs.cannot_read", folder=folder / WEIGHTS_FILE, strerror=error.strerror) from error
    try:
        return of_json(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise WeightsError(
            "runs.damaged_delete_offer_weights", folder=folder / WEIGHTS_FILE, error=repr(error)
        ) from error


class FileOffers:
    """The file of a run, for the process that crawls it: weights count that are offered after the process began."""

    def __init__(self, folder: Path) -> None:
        """Start to look into the folder of a run."""
        self._folder, self._file = folder, _WatchedFile(folder / WEIGHTS_FILE)

    def newest(self) -> Weights | None:
        """Return weights that were offered since the last call.

        Raises:
            WeightsError: the file is damaged.
        """
        return read_weights(self._folder) if self._file.is_new() else None


# ---- the measures of a run as it stored them at its end, instead of those computed again from its whole journal
#
# A run writes them beside its journal (summary.json) with a digest of what the journal says of the run as a whole and
# of the number of its last event. Each change of a journal adds an event or changes such a value, so that stored
# measures with the digest of the present journal are those that would be computed from it.


_DIGEST = "journal"
"""Key of the digest in the file."""


def measures_digest(journal: Journal) -> str:
    """Return a text that differs after each change of a journal, and from version to version of the program."""
    values = list(journal.query("SELECT key, value FROM run WHERE key NOT GLOB ? ORDER BY key", (f"{STATISTICS}*",)))
    said = json.dumps([__version__, journal.last_seq(), values])
    return blake2b(said.encode(), digest_size=16).hexdigest()


def store_measures(path: Path, journal: Journal, measures: Mapping[str, Any]) -> None:
    """Write the measures that were computed from a journal. Raises OSError where the file cannot be written."""
    document = {**measures, _DIGEST: measures_digest(journal)}
    path.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def stored_measures(path: Path, journal: Journal) -> dict[str, Any] | None:
    """Return the stored measures; None where there are none, or where the journal has changed since."""
    try:
        measures = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # written in part on a full disk: the journal has all that it would say
        return None
    return measures if measures.pop(_DIGEST, None) == measures_digest(journal) else None


# ---- what persons say of pages of a run, in a file of its folder, from which a crawl takes it between two fetches


TAUGHT_FILE = "taught.json"


def write_taught(folder: Path, verdicts: Iterable[PageVerdict]) -> None:
    """Replace the verdicts of a run. Raises CommandError where the file cannot be written."""
    rows = [asdict(verdict) for verdict in verdicts]
    replace(folder / TAUGHT_FILE, json.dumps({"verdicts": rows}, ensure_ascii=False, indent=1))


def read_taught(folder: Path, config: RunConfig) -> dict[str, PageVerdict]:
    """Return the last verdict about each page, by URL, whether the crawl has taken it or not.

    Args:
        folder: folder of the run.
        config: its configuration, with the verdicts with which it began.

    Raises:
        VerdictsError: the file cannot be read, or is damaged.
    """
    begun = ((config.like, True), (config.unlike, False))
    verdicts = {url: PageVerdict(url, liked, config.started) for urls, liked in begun for url in urls}
    return {**verdicts, **_written(folder / TAUGHT_FILE)}


def _written(path: Path) -> Mapping[str, PageVerdict]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["verdicts"]
        return {row["url"]: PageVerdict(**row) for row in rows}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise VerdictsError("runs.taught_unread", path=path, strerror=error.strerror) from error
    except (ValueError, TypeError, KeyError) as error:
        raise VerdictsError("runs.taught_damaged", path=path, error=repr(error)) from error


class FileVerdicts:
    """The verdicts of a run, for the process that crawls it."""

    def __init__(self, folder: Path, config: RunConfig) -> None:
        """Start to look into the folder of a run, whose configuration has the first verdicts."""
        self._folder, self._config, self._file = folder, config, _WatchedFile(folder / TAUGHT_FILE)
        self._begun = False

    def newest(self) -> list[PageVerdict] | None:
        """Return all verdicts at the first call, and whenever there is a new one.

        Raises:
            VerdictsError: the file cannot be read, or is damaged.
        """
        if self._begun and not self._file.is_new():
            return None
        self._begun = True
        return list(read_taught(self._folder, self._config).values())


# ---- marks of a run: a note, tags, and whether lists leave it out; nothing is crawled or judged by them


MARKS_FILE, _MARKS_LOCK = "marks.json", "marks.lock"
_NOTE, _TAG, _TAGS = 500, 40, 20
"""Largest numbers of characters of a note and of a tag, and of tags of a run."""


@dataclass(frozen=True)
class Marks:
    """What a person noted of a run."""

    note: str = ""
    tags: tuple[str, ...] = ()
    hidden: bool = False
    """Whether lists of runs leave it out."""

    def as_json(self) -> dict[str, Any]:
        """Return the marks as values of JSON."""
        return {**asdict(self), "tags": list(self.tags)}


def read_marks(folder: Path) -> Marks:
    """Return the marks of a run, from its folder. Raises UsageError where their file is damaged."""
    found, path = read_object(folder / MARKS_FILE), folder / MARKS_FILE
    note, tags, hidden = found.get("note", ""), found.get("tags", []), found.get("hidden", False)
    if not (isinstance(note, str) and isinstance(tags, list) and isinstance(hidden, bool)):
        raise UsageError("runs.marks_damaged", path=path, error="no marks")
    return Marks(note, tuple(map(str, tags)), hidden)


def mark(
    space: Workspace,
    names: Sequence[str],
    *,
    note: str | None = None,
    tag: Iterable[str] = (),
    untag: Iterable[str] = (),
    hidden: bool | None = None,
) -> dict[str, Marks]:
    """Mark runs, also while they are crawled; nothing given changes nothing.

    Args:
        space: the workspace of the runs.
        names: names of the runs.
        note: a line in the place of its note; empty for none.
        tag: tags to add.
        untag: tags to take away.
        hidden: whether lists of runs leave them out.

    Returns:
        Name of each run -> the marks that it has then.

    Raises:
        UsageError: there is no such run, or a note or tag is refused; no run is marked, unless it had too many tags.
        CommandError: another process is marking the run, or the file cannot be written.
    """
    folders, added, gone = {name: space.existing_run(name) for name in names}, list(tag), set(untag)
    if note is not None and (len(note) > _NOTE or not note.isprintable()):
        raise UsageError("runs.marks_note", most=_NOTE, found=note[:_NOTE])
    for one in added:
        if not re.fullmatch(rf"[\w.:-]{{1,{_TAG}}}", one):
            raise UsageError("runs.marks_tag", most=_TAG, found=one[: 2 * _TAG])
    if note is None and hidden is None and not added and not gone:
        return {name: read_marks(folder) for name, folder in folders.items()}
    return {name: _marked(folder, note, added, gone, hidden) for name, folder in folders.items()}


def _marked(folder: Path, note: str | None, added: Sequence[str], gone: Set[str], hidden: bool | None) -> Marks:
    lock = FileLock(folder / _MARKS_LOCK)
    if not lock.acquire(LOCK_SECONDS):
        raise CommandError("runs.marks_busy", name=folder.name)
    try:
        before = read_marks(folder)
        tags = tuple(one for one in dict.fromkeys((*before.tags, *added)) if one not in gone)
        if len(tags) > _TAGS:
            raise UsageError("runs.marks_tags", most=_TAGS, name=folder.name, found=len(tags))
        marks = Marks(before.note if note is None else note.strip(), tags, before.hidden if hidden is None else hidden)
        replace(folder / MARKS_FILE, json.dumps(marks.as_json(), ensure_ascii=False))
    finally:
        lock.release()
    return marks
