"""Topics: a TOML file with words, seeds and how relevance is judged, and the ontologies that it names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from pydantic import Field

from crawler.scoring.relevance import relevance
from crawler.scoring.temporal import IntentError, TemporalIntent, read_day, read_intervals
from crawler.text import Vocabulary, Word
from ontocrawl import papers
from ontocrawl.config import Section, checked, read_toml
from ontocrawl.errors import UsageError, nearest
from ontocrawl.papers import Papers
from ontocrawl.workspace import Workspace
from ontology import owl
from ontology.build import LocalSpec, TopicSpec
from ontology.iris import ontology_iri
from ontology.joining import Joined, join
from ontology.model import Ontology
from ontology.terms import document_frequencies
from ontology.terms.document_frequencies import DocumentFrequencies

NAME = r"^[A-Za-z][A-Za-z0-9_-]*$"
"""What the name of a topic looks like; it stands in IRIs."""


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


class TopicFile(Section):
    """What stands in a topic file."""

    name: str = Field(pattern=NAME)
    label: Label
    source: str = ""
    relevance: str = "paper_000"
    sigma: float = Field(default=0.7, ge=0, le=1)
    strict: bool = True
    ontologies: tuple[str, ...] = ()
    """File names: a global ontology first; local ones, and further global ones to join with it, after it."""
    versions: dict[str, str] = Field(default_factory=dict)
    """File of an ontology -> the version that it had when this topic was written."""
    background: str = ""
    """A file of `corpus background` that the papers of learned ontologies are compared with; empty: the shipped one."""
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


def default_name(workspace: Workspace) -> str:
    """The topic of the workspace's settings; the path of a topic file is relative to the workspace."""
    name = workspace.settings.crawl.topic
    return str(workspace.root / name) if name.endswith(".toml") else name


def available(workspace: Workspace) -> dict[str, str]:
    """Topic name -> where it stands; a workspace's own topic goes before a shipped one of the same name."""
    found = dict.fromkeys(shipped(), "shipped")
    found.update({path.stem: str(path) for path in sorted((workspace.ontologies / "topics").glob("*.toml"))})
    return found


def load(name: str, workspace: Workspace) -> Topic:
    """Read a topic's file; its ontologies are read when they are first asked for.

    Args:
        name: a topic's name, or the path of its file, NAME.toml.
        workspace: where the topic and its ontologies are looked for before the shipped ones.

    Returns:
        The topic.

    Raises:
        UsageError: there is no such topic, or something is wrong in its file.
        RelevanceError: an unknown relevance function.
    """
    data, where = _read(name, workspace)
    file = checked(TopicFile, data, where)
    try:
        file.intent.check()
    except IntentError as error:
        raise UsageError(f"{where}, [intent]: {error}") from error
    file.vocabulary()
    relevance(file.relevance)
    return Topic(file, workspace, Path(name).resolve() if name.endswith(".toml") else None)


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
    files, versions = data.get("ontologies"), data.get("versions")
    own = set(versions) if isinstance(versions, dict) else set()

    def resolved(file: Any) -> Any:
        """An absolute path for what stands beside the topic; a shipped ontology, which has no version here, by name."""
        beside = isinstance(file, str) and (file in own or (folder / file).exists())
        return str((folder / file).resolve()) if beside else file

    found = dict(data)
    if isinstance(data.get("background"), str) and data["background"]:
        found["background"] = str((folder / data["background"]).resolve())
    if isinstance(files, list):
        found["ontologies"] = [resolved(file) for file in files]
    if isinstance(versions, dict):
        found["versions"] = {resolved(file): version for file, version in versions.items()}
    return found


@dataclass(frozen=True)
class Source:
    """One ontology that a topic names."""

    file: str
    """As the topic names it."""
    ontology: Ontology
    papers: Papers | None = None
    """What it was learned from, where the file of its papers stands beside it."""
    folder: Path | None = None
    """Where `ontology build` wrote it, with its papers and its formal context."""


@dataclass(frozen=True)
class Level:
    """The ontologies of one topic vector, joined by equal labels: the global ones, or those of one local topic."""

    joined: Joined
    sources: tuple[Source, ...]

    @property
    def ontology(self) -> Ontology:
        """The joined ontology; a single one as it is."""
        return self.joined.ontology

    @cached_property
    def papers(self) -> Papers | None:
        """The papers of all ontologies of the level, as those of the joined one; None where there are none."""
        known = [source.papers for source in self.sources if source.papers is not None]
        return papers.joined(known, self.ontology.key) if known else None


@dataclass(frozen=True)
class Topic:
    """A topic of a workspace. Each file of an ontology is read once, when an ontology is first asked for."""

    file: TopicFile
    workspace: Workspace
    """Where its ontologies are looked for before the shipped ones."""
    path: Path | None = None
    """Its file, where it was given by its path; None where it was given by its name."""

    @property
    def name(self) -> str:
        """Its name, which stands in IRIs."""
        return self.file.name

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """The ontologies that the topic names, in its order.

        Raises:
            UsageError: a file that is nowhere, or papers of another version than the ontology beside them.
        """
        return tuple(_source(path, file) for path, file in self.ontology_files())

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The ontologies by topic vector, GTK, LTK_1 ..; none for a topic without ontologies.

        The first file, and further ones of kind "global", make GTK; files of kind "local" make one vector for each
        local topic, which is known by the label of its root. Ontologies of one vector are joined by equal labels.

        Raises:
            UsageError: as `sources`.
        """
        groups: dict[str, list[Source]] = {}
        for position, source in enumerate(self.sources):
            local = position > 0 and source.ontology.kind == "local"
            label = source.ontology.by_iri[source.ontology.root].label if local else ""
            groups.setdefault(label, []).append(source)
        base = self.workspace.settings.iri_base
        made = []
        for number, group in enumerate(groups.values()):
            iri = ontology_iri(self.name, f"joined/{number}" if number else "joined", base)
            made.append(Level(join([source.ontology for source in group], iri=iri), tuple(group)))
        return tuple(made)

    @cached_property
    def background(self) -> DocumentFrequencies:
        """What the papers of learned ontologies are compared with: the topic's own table, else the shipped one."""
        if self.file.background:
            return document_frequencies.load(Path(self.file.background))
        return document_frequencies.shipped()

    @property
    def ontologies(self) -> tuple[Ontology, ...]:
        """One ontology for each topic vector: the global one, then that of each local topic."""
        return tuple(level.ontology for level in self.levels)

    def ontology_files(self) -> Iterator[tuple[Path, str]]:
        """The files of the ontologies, global first, each with the name to show: its path, if shipped its name.

        A file is there until the next is asked for. Raises UsageError for one that is nowhere.
        """
        for file in self.file.ontologies:
            with file_of(file, self.workspace) as path:
                if path is None:
                    folder = self.workspace.ontologies
                    where = "is missing" if Path(file).is_absolute() else f"is neither in {folder} nor shipped"
                    raise UsageError(
                        f"topic {self.name}: its ontology {file} {where}: bring the file back, or build it again"
                    )
                yield path, str(path) if path == self.workspace.ontologies / file else file

    def changed_versions(self) -> list[str]:
        """Say which ontologies have another version than when the topic was written, one sentence each."""
        return [
            f"topic {self.name} was written for version {self.file.versions[source.file]} of {source.file}, which now "
            f"has {source.ontology.version}: the crawl goes by what the file has"
            for level in self.levels
            for source in level.sources
            if self.file.versions.get(source.file, source.ontology.version) != source.ontology.version
        ]

    def missing_papers(self) -> list[str]:
        """Say which learned global ontologies lack the file of their papers, one phrase each."""
        return [
            f"the papers of {source.file} are missing ({source.ontology.topic}.papers.jsonl beside it)"
            for level in self.levels[:1]
            for source in level.sources
            if source.ontology.is_derived and source.papers is None
        ]


def _source(path: Path, file: str) -> Source:
    ontology = owl.read(path)
    beside = papers.path_beside(path, ontology)
    if ontology.kind != "global" or not ontology.is_derived or not beside.exists():
        return Source(file, ontology)
    found = papers.read(beside)
    if found.ontology != ontology.key:
        raise UsageError(f"{beside} has the papers of {found.ontology}, and {path} is {ontology.key}: build it again")
    return Source(file, ontology, found, path.parent)


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
