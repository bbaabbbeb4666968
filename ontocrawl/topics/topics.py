"""Topics: a TOML file with words, seeds and the relevance function, and the ontologies that it names."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from importlib.resources import as_file, files
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from crawler.scoring.relevance import relevance
from crawler.scoring.temporal import IntentError, TemporalIntent, read_day, read_intervals
from crawler.text import Vocabulary, Word
from ontocrawl.base.config import checked, read_toml
from ontocrawl.base.options import ScopeSettings, Section
from ontocrawl.base.workspace import RUN_CONFIG, Workspace, alone
from ontocrawl.errors import UnknownNameError, UsageError, nearest
from ontocrawl.topics import papers, reviewed, word_lists
from ontocrawl.topics.papers import Papers
from ontocrawl.topics.version_files import Versions
from ontology import field_lists, file_sets, owl
from ontology.build import LocalSpec, TopicSpec
from ontology.decisions.table import FILE as DECISIONS
from ontology.errors import Message
from ontology.files import Stamp, stamp, write_atomically
from ontology.iris import ontology_iri
from ontology.joining import Joined, join
from ontology.model import Ontology
from ontology.terms import document_frequencies
from ontology.terms.document_frequencies import DocumentFrequencies
from ontology.terms.wordforms import normal
from ontology.topic_words import TopicWord as ListedWord

if TYPE_CHECKING:
    from kg.key_weights import Scheme

_NAMED = ".path"
"""Ending of a file in ``ontologies/topics`` with the path of a topic's file, relative to the workspace or absolute."""
NAME = r"^[A-Za-z][A-Za-z0-9_-]*$"
"""Pattern of topic names, which are used in IRIs."""


class Label(Section):
    """A label in both languages."""

    zh: str
    en: str


class TopicWord(Section):
    """A topic word: its weight, 0 to leave it out, and its surface forms in both languages."""

    weight: float = Field(default=1.0, ge=0)
    zh: tuple[str, ...] = ()
    en: tuple[str, ...] = ()


class LocalTopic(Section):
    """The topic of a local ontology; its cue words select the papers that the ontology is learned from."""

    name: str
    label: Label
    cues: tuple[str, ...] = Field(min_length=1)


class Intent(Section):
    """The time of the topic's event, for temporal crawlers (paper 001), as printed by `topic intent`."""

    start: str = ""
    """YYYY-MM-DD; empty if unknown."""
    end: str = ""
    intervals: str = ""
    """Search interest as comma-separated items FIRST..LAST=INTEREST."""

    def check(self) -> None:
        """Raise IntentError for an invalid day or interval, overlapping intervals, or an end before the start."""
        start, end = read_day(self.start), read_day(self.end)
        TemporalIntent(start, read_intervals(self.intervals))
        if start is not None and end is not None and end < start:
            raise IntentError("topics.topic_end", end=end, start=start)


class TopicFile(Section):
    """The content of a topic file."""

    name: str = Field(pattern=NAME)
    label: Label
    source: str = ""
    field: str = ""
    """Field of the topic: learning uses the lists that come with the package for it ("earth"); empty for none."""
    relevance: str = "paper_000"
    sigma: float = Field(default=0.7, ge=0, le=1)
    strict: bool = True
    ontologies: tuple[str, ...] = ()
    """File names: a global ontology, then local ones, and further global ones to join with the first."""
    versions: dict[str, str] = Field(default_factory=dict)
    """File of an ontology -> its version when this topic was written."""
    background: str = ""
    """Background table (`corpus background`) for weights by key; empty for the shipped one."""
    seeds: tuple[str, ...] = ()
    word_list: str = ""
    """File of the list of words that steers crawls (`word_lists`), whose first ones are ``words``; empty for none."""
    words: tuple[TopicWord, ...] = Field(min_length=1)
    local: tuple[LocalTopic, ...] = ()
    intent: Intent = Intent()
    scope: ScopeSettings = ScopeSettings()
    """Which links crawls on the topic follow; keys that are not set are those of the workspace's [crawl] table."""

    def vocabulary(self) -> Vocabulary:
        """Return the words shown here as a vocabulary TK. Raises UsageError for a word without a surface form."""
        for number, word in enumerate(self.words, start=1):
            if not (word.zh or word.en):
                raise UsageError("topics.topic_word", name=self.name, number=number, weight=word.weight)
        return Vocabulary("TK", tuple(Word((w.zh + w.en)[0], w.weight, _forms(w)) for w in self.words))

    @property
    def shown(self) -> list[word_lists.Shown]:
        """The words of this file, for `word_lists`."""
        return [(word.weight, word.zh, word.en) for word in self.words]

    def spec(self) -> TopicSpec:
        """Return the labels and local topics, for ontology learning."""
        local = tuple(LocalSpec(t.name, t.label.zh, t.label.en, t.cues) for t in self.local)
        return TopicSpec(self.name, self.label.zh, self.label.en, local)


def _forms(word: TopicWord) -> tuple[tuple[str, str], ...]:
    return (*(("zh", form) for form in word.zh), *(("en", form) for form in word.en))


def _shipped() -> Iterator[str]:
    """Return the names of the topics that ship with ontocrawl, sorted."""
    folder = files("ontologies") / "topics"
    return (
        entry.name.removesuffix(".toml")
        for entry in sorted(folder.iterdir(), key=lambda e: e.name)
        if entry.name.endswith(".toml")
    )


def default_name(workspace: Workspace) -> str:
    """Return the topic of the workspace's settings; a relative path of a topic file starts at the workspace."""
    name = workspace.settings.crawl.topic
    return str(workspace.root / name) if name.endswith(".toml") else name


def defined(workspace: Workspace) -> dict[str, str]:
    """Return name -> path, or "shipped", of each topic but those that were built into folders (`built`).

    Topics of the workspace's folder ``ontologies/topics`` precede shipped ones of equal name.
    """
    places = dict.fromkeys(_shipped(), "shipped")
    places.update({path.stem: str(path) for path in sorted(_folder(workspace).glob("*.toml"))})
    return places


def available(workspace: Workspace) -> dict[str, str]:
    """Return name -> path, or "shipped", of each topic that can be named: `defined` ones precede `built` ones.

    A topic that was built into the workspace's folder ``ontologies`` precedes a shipped one, as all files there do.
    """
    files = {name: str(path) for name, path in built(workspace).items() if path.is_file()}
    return {**files, **defined(workspace), **_in_place_of_shipped(workspace)}


def built(workspace: Workspace) -> dict[str, Path]:
    """Return name -> topic file of the topics that were built in this workspace, wherever the file is (`register`)."""
    return {
        path.stem: workspace.root / path.read_text("utf-8").strip() for path in _folder(workspace).glob(f"*{_NAMED}")
    }


def _in_place_of_shipped(workspace: Workspace) -> dict[str, str]:
    """Return name -> path of the topics that were built into ``ontologies``, and that a shipped topic is named like."""
    places = defined(workspace)
    return {
        name: str(path) for name, path in built(workspace).items()
        if places.get(name) == "shipped" and _is_own(path, workspace) and path.is_file()
    }  # fmt: skip


def _is_own(path: Path, workspace: Workspace) -> bool:
    return path.resolve().is_relative_to(workspace.ontologies.resolve())


@dataclass(frozen=True)
class Registration:
    """Whether a topic that was built can be named in its workspace."""

    name: str | None
    """The name; None for a topic that is named by the path of its file."""
    remark: str = ""
    """Why it has no name, or which other topic had the name; empty where there is nothing to say."""


def register(name: str, file: Path, workspace: Workspace) -> Registration:
    """Give a topic that was built its name in a workspace, so that commands, routes and tools find its file by it.

    Args:
        name: name of the topic.
        file: its topic file, inside or outside of the workspace.
        workspace: the workspace.

    Returns:
        The name. A topic of ``ontologies/topics`` keeps it, a shipped one too unless the file is in the workspace's
        folder ``ontologies``; that of an earlier build loses it.
    """
    place, where = file.resolve(), defined(workspace).get(name)
    if where == "shipped" and _is_own(file, workspace):
        where = None
    if where is not None and (where == "shipped" or Path(where).resolve() != place):
        owner = Message("topics.shipped") if where == "shipped" else where
        return Registration(None, Message("topics.name_taken", name=name, owner=owner))
    if not workspace.root.is_dir():
        return Registration(None, Message("topics.name_no_workspace"))
    before = built(workspace).get(name)
    if where is None:
        _folder(workspace).mkdir(parents=True, exist_ok=True)
        write_atomically(_folder(workspace) / f"{name}{_NAMED}", f"{workspace.relative(place)}\n".encode())
    moved = before is not None and before.resolve() != place
    return Registration(name, Message("topics.name_moved", name=name, before=before) if moved else "")


def _folder(workspace: Workspace) -> Path:
    return workspace.ontologies / "topics"


def load(name: str, workspace: Workspace, *, check: bool = True) -> Topic:
    """Load a topic file. The ontologies are read on first access.

    Args:
        name: name of a topic (`places`), or the path of its file, NAME.toml.
        workspace: the workspace, whose topics and ontologies precede the shipped ones.
        check: whether to read its list of words too, which a build writes anew.

    Returns:
        The topic.

    Raises:
        UsageError: there is no such topic, or its file is invalid.
        RelevanceError: an unknown relevance function.
    """
    topic = _loaded(name, _place(name, workspace), workspace)
    if check:
        topic.vocabulary  # noqa: B018 - words that cannot be used are an error here
    return topic


def load_defined(name: str, workspace: Workspace) -> Topic | None:
    """Load the topic of ``ontologies/topics`` or the shipped one of a name, whatever was built; None without one."""
    place = defined(workspace).get(name)
    return None if place is None else _loaded(name, place, workspace)


def _loaded(name: str, place: str, workspace: Workspace) -> Topic:
    """Read and check a topic file; ``place`` is its path, or "shipped"."""
    if place == "shipped":
        where = f"topic {name}"
        with as_file(files("ontologies") / "topics" / f"{name}.toml") as path:
            data = read_toml(path)
    else:
        where, data = place, _beside(read_toml(Path(place)), Path(place).parent)
    file = checked(TopicFile, data, where)
    try:
        file.intent.check()
    except IntentError as error:
        raise UsageError("topics.topic_intent", where=where, error=error) from error
    relevance(file.relevance)
    if file.field and file.field not in field_lists.fields():
        choices = nearest(file.field, field_lists.fields())
        raise UsageError("topics.topic_field", where=where, field=file.field, choices=choices)
    return Topic(file, workspace, None if defined(workspace).get(name) == place else Path(place).resolve())


def _place(name: str, workspace: Workspace) -> str:
    """Return the path of the file of a topic, given by this path or by its name; "shipped" for a shipped one."""
    if name.endswith(".toml"):
        return name
    own, named = {**defined(workspace), **_in_place_of_shipped(workspace)}, built(workspace)
    if name in own:
        return own[name]
    if name in named and not named[name].is_file():
        raise UsageError("topics.topic_file_gone", name=name, named=named[name])
    known = {**_of_runs(workspace), **{name: str(path) for name, path in named.items()}}
    if name not in known:
        raise UsageError("topics.topic_own_file", name=name, nearest=nearest(name, {**own, **known}))
    return known[name]


def _beside(data: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Make the paths in a user's topic file, which are relative to its folder, absolute."""
    files, versions = data.get("ontologies"), data.get("versions")
    learned = set(versions) if isinstance(versions, dict) else set()

    def resolved(file: Any) -> Any:
        """Return an absolute path for a file beside the topic; the name of a shipped ontology is kept."""
        beside = isinstance(file, str) and (file in learned or (folder / file).exists())
        return str((folder / file).resolve()) if beside else file

    result = dict(data)
    for key in ("background", "word_list"):
        if isinstance(data.get(key), str) and data[key]:
            result[key] = str((folder / data[key]).resolve())
    if isinstance(files, list):
        result["ontologies"] = [resolved(file) for file in files]
    if isinstance(versions, dict):
        result["versions"] = {resolved(file): version for file, version in versions.items()}
    return result


@dataclass(frozen=True)
class Source:
    """An ontology of a topic."""

    file: str
    """File name as in the topic file."""
    ontology: Ontology
    papers: Papers | None = None
    """The papers that it was learned from; None if there is no file of them beside the ontology."""
    folder: Path | None = None
    """Folder in which `ontology build` wrote it with its papers and formal context."""


@dataclass(frozen=True)
class Level:
    """The ontologies of one topic vector, joined by mappings: the global ones, or those of one local topic."""

    joined: Joined
    sources: tuple[Source, ...]

    @property
    def ontology(self) -> Ontology:
        """The joined ontology; a single one is unchanged."""
        return self.joined.ontology

    @cached_property
    def papers(self) -> Papers | None:
        """Papers of all ontologies of the level, with the key of the joined one; None if there are none."""
        parts = [source.papers for source in self.sources if source.papers is not None]
        return papers.joined(parts, self.ontology.key) if parts else None


@dataclass(frozen=True)
class Topic:
    """A topic in a workspace. Each ontology file is read once, on first access."""

    file: TopicFile
    workspace: Workspace
    """The workspace, whose ontologies precede the shipped ones."""
    path: Path | None = None
    """Path of the topic file; None for a shipped topic, or one of ``ontologies/topics``, that was loaded by name."""
    kept: tuple[Source, ...] | None = None
    """Ontologies in place of those of the file: those of other versions (`kept_versions`)."""

    @property
    def name(self) -> str:
        """Name of the topic, as used in IRIs."""
        return self.file.name

    @cached_property
    def words(self) -> tuple[ListedWord, ...]:
        """The list of words that steers crawls; () for a topic without a list.

        Terms of proposals that a person accepted are added, rejected ones have the weight 0, and the weights of the
        topic file go before all others.
        """
        if not self.file.word_list:
            return ()
        listed = word_lists.read(Path(self.file.word_list))
        shown = () if self.path is not None and not is_edited(self.path) else self.file.words
        return steering(self.workspace, self.file.model_copy(update={"words": shown}), listed)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The topic vector TK: the words of the list, else those of the topic file.

        Raises:
            UsageError: the list cannot be read, or a word has no surface form.
        """
        shown = self.file.vocabulary()
        return vocabulary_of(self.words) if self.file.word_list else shown

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """Ontologies of the topic, in the order of its file.

        What a command had begun to put in place before it was killed is put in place first.

        Raises:
            UsageError: an ontology file is missing, or the papers beside it belong to another version.
        """
        if self.kept is not None:
            return self.kept
        own = self.workspace.ontologies
        folders = {path.parent: path.parent for path, _ in self.ontology_files()} | {own: own / self.name}
        for folder, records in folders.items():
            file_sets.complete(Versions(folder, records).marker)
        return tuple(source_of(path, file) for path, file in self.ontology_files())

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """Ontologies by topic vector: GTK, LTK_1 ..; empty for a topic without ontologies.

        The first file and further files of kind "global" are the level of GTK. Files of kind "local" are one level per
        local topic, identified by the label of the root. Ontologies of one level are joined by mappings.

        Raises:
            UsageError: as for `sources`.
        """
        groups: dict[str, list[Source]] = {}
        for position, source in enumerate(self.sources):
            local = position > 0 and source.ontology.kind == "local"
            label = source.ontology.by_iri[source.ontology.root].label if local else ""
            groups.setdefault(label, []).append(source)
        joined = ontology_iri(self.name, "joined", self.workspace.settings.iri_base) if groups else ""
        iris = (f"{joined}/{number}" if number else joined for number in range(len(groups)))
        return tuple(
            Level(join([source.ontology for source in group], iri=iri), tuple(group))
            for iri, group in zip(iris, groups.values(), strict=True)
        )

    @property
    def levels_by_vector(self) -> dict[str, Level]:
        """The levels by the names of their vectors: GTK, LTK_1 .. LTK_k."""
        return {f"LTK_{number}" if number else "GTK": level for number, level in enumerate(self.levels)}

    @property
    def scheme(self) -> Scheme:
        """The default kind of weights: key if the file of papers of a global ontology is present, else sem."""
        return "key" if any(level.papers is not None for level in self.levels[:1]) else "sem"

    @cached_property
    def background(self) -> DocumentFrequencies:
        """Background document frequencies for weights by key: the table of the topic file, else the shipped one."""
        if self.file.background:
            return document_frequencies.load(Path(self.file.background))
        return document_frequencies.shipped()

    @property
    def ontologies(self) -> tuple[Ontology, ...]:
        """One ontology per topic vector: the global one, then one per local topic."""
        return tuple(level.ontology for level in self.levels)

    def ontology_files(self) -> Iterator[tuple[Path, str]]:
        """Iterate over the files of the ontologies, the global one first.

        Yields:
            Path and display name: the path, or the name of a shipped file. A path is valid until the next iteration.

        Raises:
            UsageError: a file is missing.
        """
        for file in self.file.ontologies:
            with file_of(file, self.workspace) as path:
                if path is None:
                    folder = self.workspace.ontologies
                    where = "is missing" if Path(file).is_absolute() else f"is neither in {folder} nor shipped"
                    raise UsageError("topics.topic_file_ontology", name=self.name, file=file, where=where)
                yield path, str(path) if path == self.workspace.ontologies / file else file

    def state(self) -> tuple[object, ...]:
        """Return the state of the files that weights are computed from: another one after each change of one.

        Raises:
            UsageError: as for `sources`.
        """
        verdicts = reviewed.path_of(self.workspace, self.name)
        paths = [verdicts, verdicts.with_name(DECISIONS)]
        paths += [Path(self.file.background)] if self.file.background else []
        for (path, _), source in zip(self.ontology_files(), self.sources, strict=False):
            paths += [path, papers.path_beside(path, source.ontology)]
        versions = tuple(source.ontology.key for source in self.kept or ())
        return (self.file.model_dump_json(), versions, *((str(path), stamp(path)) for path in paths))

    def changed_versions(self) -> list[str]:
        """List the ontologies with another version than when the topic was written, one sentence each."""
        return [
            f"topic {self.name} was written for version {self.file.versions[source.file]} of {source.file}, which now "
            f"has {source.ontology.version}: the crawl uses the present file"
            for level in self.levels
            for source in level.sources
            if self.file.versions.get(source.file, source.ontology.version) != source.ontology.version
        ]

    def missing_papers(self) -> list[str]:
        """List the learned global ontologies without the file of their papers, one phrase each."""
        return [
            Message("topics.papers_missing", file=source.file, topic=source.ontology.topic)
            for level in self.levels[:1]
            for source in level.sources
            if source.ontology.is_derived and source.papers is None
        ]


# ---- topic files that a person edited: a comment at the top has a digest of what the build wrote


_DIGEST = re.compile(r"^# digest: ([0-9a-f]{16})\n", re.MULTILINE)


def digest(body: str) -> str:
    """Return the digest of a topic file, without the line that states it."""
    return blake2b(body.encode(), digest_size=8).hexdigest()


def is_edited(path: Path) -> bool:
    """Return whether a topic file was edited, or written by other means than a command."""
    text = path.read_text(encoding="utf-8", errors="replace")
    match = _DIGEST.search(text)
    return match is None or digest(text[: match.start()] + text[match.end() :]) != match.group(1)


def steering(workspace: Workspace, file: TopicFile, words: Sequence[ListedWord]) -> tuple[ListedWord, ...]:
    """Return a list of words with what persons said: verdicts about proposals, and what they wrote into the topic file.

    Args:
        workspace: the workspace, which has the verdicts.
        file: the topic file; its words are left out if it is as the build wrote it.
        words: the list.
    """
    verdicts = reviewed.record_of(workspace, file.name).standing.values()
    return word_lists.overridden(word_lists.with_verdicts(words, verdicts), word_lists.given(words, file.shown))


def weigh_words(topic: Topic, left_out: Sequence[str], taken_back: Sequence[str] = ()) -> Topic:
    """Leave words out of the list that steers crawls on a topic, or take them back; later builds keep that.

    Args:
        topic: the topic, with a list of words.
        left_out: words or forms of words that get the weight 0.
        taken_back: others, which get their full weight again (`word_lists.full_weight`); one that is not left out keeps
            its own.

    Returns:
        The topic as it is now. The weights in its topic file stay as they are.

    Raises:
        UsageError: the topic has no list, or it lacks one of the words, or one is in both arguments; or something else
            goes before the list: a weight that a person wrote into the topic file, or a verdict about a proposal.
            Nothing is changed then.
    """
    if not topic.file.word_list:
        raise UsageError("topics.words_no_list", topic=topic.name, file=topic.path or topic.name)
    path = Path(topic.file.word_list)
    with alone(path):
        before, now = path.read_bytes(), replace(topic)
        by_form = {normal(form): one for one in now.words for _, form in one.forms}
        by_form |= {normal(one.word): one for one in now.words}  # a word goes before a form of another
        for given in (*left_out, *taken_back):
            if normal(given) not in by_form:
                raise UsageError("topics.words_no_word", topic=topic.name, word=given, nearest=nearest(given, by_form))
        wanted = {one.word: replace(one, weight=0.0) for one in (by_form[normal(given)] for given in left_out)}
        back = [one for one in (by_form[normal(given)] for given in taken_back) if not one.weight]
        for one in back:
            if one.word in wanted:
                raise UsageError("topics.words_both", word=one.word)
        wanted |= {one.word: replace(one, weight=word_lists.full_weight(one, now.file.shown)) for one in back}
        word_lists.reweigh(path, list(wanted.values()))
        weights = {one.word: one.weight for one in replace(topic).words}
        for one in wanted.values():
            if bool(weights[one.word]) != bool(one.weight):
                write_atomically(path, before)
                file, weight = topic.path or topic.name, f"{weights[one.word]:g}"
                raise UsageError("topics.words_elsewhere", topic=topic.name, word=one.word, weight=weight, file=file)
    return replace(topic)


def vocabulary_of(words: Iterable[ListedWord]) -> Vocabulary:
    """Return a list of words as a vocabulary TK, without those of weight 0."""
    return Vocabulary("TK", tuple(Word(word.word, word.weight, word.forms) for word in words if word.weight > 0))


def source_of(path: Path, file: str) -> Source:
    """Read an ontology, with the papers beside it.

    Args:
        path: its file.
        file: its name as in the topic file.

    Raises:
        UsageError: the papers belong to another version.
    """
    ontology = _read(owl.read, path, stamp(path))
    beside = papers.path_beside(path, ontology)
    if ontology.kind != "global" or not ontology.is_derived or not beside.exists():
        return Source(file, ontology)
    behind = _read(papers.read, beside, stamp(beside))
    if behind.ontology != ontology.key:
        raise UsageError("topics.topic_papers", beside=beside, ontology=behind.ontology, path=path, key=ontology.key)
    return Source(file, ontology, behind, path.parent)


@lru_cache(maxsize=16)
def _read(read: Callable[[Path], Any], path: Path, state: Stamp | None) -> Any:
    """Read a file, or return what was read from it in the same state: a server loads a topic for each request."""
    return read(path)


@contextmanager
def file_of(name: str, workspace: Workspace) -> Iterator[Path | None]:
    """Find a file of the workspace's folder ``ontologies``, or the shipped one of the same name.

    Args:
        name: path relative to the folder, or an absolute path.
        workspace: the workspace.

    Yields:
        The path, valid within the context; None if there is no such file.
    """
    own = workspace.ontologies / name
    shipped = files("ontologies") / name
    if own.exists():
        yield own
    elif shipped.is_file():
        with as_file(shipped) as path:
            yield path
    else:
        yield None


# ---- the topics that a workspace shows: those that can be named in it, and those of files elsewhere that its runs
# used


def places(workspace: Workspace) -> dict[str, str]:
    """Return name -> path, or "shipped", of each topic, as `topics.available`, with those that runs used.

    A topic file elsewhere is that of the newest run that used it, by name of the run; topics that can be named in the
    workspace precede it.
    """
    return {**_of_runs(workspace), **available(workspace)}


def loadable(workspace: Workspace) -> dict[str, str]:
    """Return name -> what `topics.load` takes, of each topic of `places`: its name, or the path of its file."""
    return {**_of_runs(workspace), **{name: name for name in available(workspace)}}


def named(name: str, workspace: Workspace) -> Topic:
    """Load a topic by its name alone: for requests of others, who may not name a file of this computer.

    Args:
        name: a name of `places`.
        workspace: the workspace.

    Raises:
        UnknownNameError: there is no such topic.
        UsageError: its file is invalid.
    """
    known = loadable(workspace)
    if name not in known:
        raise UnknownNameError("topics.topic_none", name=name, nearest=nearest(name, known))
    return load(known[name], workspace)


def with_ontologies(workspace: Workspace) -> list[str]:
    """Return the names of the topics that list ontologies; those whose files cannot be read are left out."""
    found = []
    for name, source in loadable(workspace).items():
        with suppress(UsageError):
            found += [name] if load(source, workspace).file.ontologies else []
    return found


def _of_runs(workspace: Workspace) -> dict[str, str]:
    """Return name -> path of the topic files elsewhere that runs used, as far as the files are still there."""
    found = {}
    for path in sorted(workspace.runs.glob(f"*/{RUN_CONFIG}")):
        with suppress(OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
            name, file = _topic_of_run(path, stamp(path))
            if file and Path(file).is_file():
                found[name] = file
    return found


@lru_cache(maxsize=2_000)
def _topic_of_run(path: Path, state: Stamp | None) -> tuple[str, str]:
    """Return the topic of a run and the file elsewhere that it is from; "" where it has a name in the workspace."""
    with path.open(encoding="utf-8") as lines:  # before the tables, which are long
        config = tomllib.loads("".join(takewhile(lambda line: not line.startswith("["), lines)))
    file = config.get("topic_file")
    return (str(config["topic"]), file) if isinstance(file, str) and file.endswith(".toml") else ("", "")
