"""Topics as TOML files: words with their weights and surface forms, ontologies, seeds, and how relevance is judged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from pydantic import Field

from crawler.scoring.relevance import relevance
from crawler.scoring.temporal import IntentError, TemporalIntent, read_day, read_intervals
from crawler.text import Vocabulary, Word
from ontocrawl.config import Section, checked, read_toml
from ontocrawl.errors import UsageError, nearest
from ontocrawl.workspace import Workspace
from ontology import owl
from ontology.build import LocalSpec, TopicSpec
from ontology.model import Ontology


class Label(Section):
    zh: str
    en: str


class TopicWord(Section):
    """One topic word: its surface forms in both languages and one weight."""

    weight: float = Field(gt=0)
    zh: tuple[str, ...] = ()
    en: tuple[str, ...] = ()


class LocalTopic(Section):
    """The topic of one local ontology; its cue words choose the papers that it is learned from."""

    name: str
    label: Label
    cues: tuple[str, ...] = Field(min_length=1)


class Intent(Section):
    """When the topic's event was, for crawlers by time (paper 001): as `topic intent` prints it."""

    start: str = ""
    """YYYY-MM-DD; nothing where it is not known."""
    end: str = ""
    intervals: str = ""
    """Search interest as FIRST..LAST=INTEREST items between commas."""

    def check(self) -> None:
        """Raises IntentError for a day or an interval that is none, intervals that overlap, an end before the start."""
        start, end = read_day(self.start), read_day(self.end)
        TemporalIntent(start, read_intervals(self.intervals))
        if start is not None and end is not None and end < start:
            raise IntentError(f"end {end} lies before start {start}: give the last day of the event, or no end")


class Topic(Section):
    """A topic file."""

    name: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")
    label: Label
    source: str = ""
    relevance: str = "paper_000"
    sigma: float = Field(default=0.7, ge=0, le=1)
    strict: bool = True
    ontologies: tuple[str, ...] = ()
    """File names: the global ontology first, then the local ones."""
    seeds: tuple[str, ...] = ()
    words: tuple[TopicWord, ...] = Field(min_length=1)
    local: tuple[LocalTopic, ...] = ()
    intent: Intent = Intent()

    def vocabulary(self) -> Vocabulary:
        """TK. Raises UsageError for a word without a surface form."""
        for at, word in enumerate(self.words, start=1):
            if not (word.zh or word.en):
                raise UsageError(
                    f"topic {self.name}: word {at} (weight {word.weight}) has no form: give it zh = [..] or en = [..]"
                )
        return Vocabulary("TK", tuple(Word((w.zh + w.en)[0], w.weight, _forms(w)) for w in self.words))

    def spec(self) -> TopicSpec:
        """What ontology learning needs of the topic."""
        local = tuple(LocalSpec(t.name, t.label.zh, t.label.en, t.cues) for t in self.local)
        return TopicSpec(self.name, self.label.zh, self.label.en, local)


def _forms(word: TopicWord) -> tuple[tuple[str, str], ...]:
    return (*(("zh", form) for form in word.zh), *(("en", form) for form in word.en))


def shipped() -> Iterator[str]:
    """Names of the topics that come with ontocrawl."""
    folder = files("ontologies") / "topics"
    return (
        entry.name.removesuffix(".toml")
        for entry in sorted(folder.iterdir(), key=lambda e: e.name)
        if entry.name.endswith(".toml")
    )


def available(workspace: Workspace) -> dict[str, str]:
    """Topic name -> where it stands; a workspace's own topic goes before a shipped one of the same name."""
    found = dict.fromkeys(shipped(), "shipped")
    found.update({path.stem: str(path) for path in sorted((workspace.ontologies / "topics").glob("*.toml"))})
    return found


def load(name: str, workspace: Workspace) -> Topic:
    """A topic by name, or by the path of its file.

    Raises UsageError naming the nearest, or what is wrong in the file.
    """
    data, where = _read(name, workspace)
    topic = checked(Topic, data, where)
    try:
        topic.intent.check()
    except IntentError as error:
        raise UsageError(f"{where}, [intent]: {error}") from error
    topic.vocabulary()
    relevance(topic.relevance)
    return topic


def _read(name: str, workspace: Workspace) -> tuple[dict[str, Any], str]:
    if name.endswith(".toml"):
        path = Path(name)
        return _beside(read_toml(path), path.parent), name
    found = available(workspace)
    if name not in found:
        raise UsageError(
            f"there is no topic {name!r}{nearest(name, found)}; a file of your own is given by its path, NAME.toml"
        )
    where = f"topic {name}" if found[name] == "shipped" else found[name]
    with file_of(f"topics/{name}.toml", workspace) as file:
        return read_toml(file or Path(found[name])), where


def _beside(data: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A user's topic file may name ontology files by paths relative to itself."""
    given = data.get("ontologies")
    if not isinstance(given, list):
        return data
    found = [folder / file if isinstance(file, str) else file for file in given]
    named = [str(p.resolve()) if isinstance(p, Path) and p.exists() else f for p, f in zip(found, given, strict=True)]
    return {**data, "ontologies": named}


def ontologies(topic: Topic, workspace: Workspace) -> list[Ontology]:
    """The topic's ontologies, global first."""
    return [owl.read(path) for path, _ in ontology_files(topic, workspace)]


def ontology_files(topic: Topic, workspace: Workspace) -> Iterator[tuple[Path, str]]:
    """The files of the topic's ontologies, global first, each with the name to show: its path, if shipped its name.

    A file is there until the next is asked for. Raises UsageError for one that is nowhere.
    """
    for file in topic.ontologies:
        with file_of(file, workspace) as path:
            if path is None:
                raise UsageError(
                    f"topic {topic.name}: its ontology {file} is neither in {workspace.ontologies} nor shipped"
                )
            yield path, str(path) if path == workspace.ontologies / file else file


@contextmanager
def file_of(name: str, workspace: Workspace) -> Iterator[Path | None]:
    """A file by its path below ``ontologies``: the workspace's own before the shipped one; None where neither is."""
    own = workspace.ontologies / name  # an absolute path stays what it is
    shipped = files("ontologies") / name
    if own.exists():
        yield own
    elif shipped.is_file():
        with as_file(shipped) as path:
            yield path
    else:
        yield None
