"""What persons edited in the files of a built ontology, turned into decisions before the next build.

Each file carries the digest of its content. One with another digest was edited: it is compared with what was built,
from the archive of its version, and the differences are added to ``decisions.tsv``. What the model cannot hold (a
comment, a disjoint class) is kept as further statements. Edits of the Turtle and of the RDF/XML file are joined; where
the two contradict each other, the Turtle file counts, and the contradiction is listed.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from ontocrawl.errors import UsageError
from ontocrawl.topics.version_files import Versions
from ontocrawl.versions import deciding
from ontocrawl.versions.deciding import Place
from ontology.decisions import Decision, table
from ontology.decisions.edits import Edits, edits, together
from ontology.decisions.facts import Facts, Resolve
from ontology.errors import Message
from ontology.iris import IriRegister
from ontology.model import Concept
from ontology.owl import Header, OwlError, native, reader
from ontology.owl.additions import digest, readable, stated_digest
from ontology.owl.contents import Loaded
from ontology.owl.formats import TURTLE
from ontology.owl.triples import Triple, Triples, lexical
from ontology.owl.vocabulary import OC, OWL

NO_LABELS: Mapping[str, str] = MappingProxyType({})
SUFFIXES = (".ttl", ".rdf")
"""The files of each ontology, the one that counts first."""
PROVENANCE = "-provenance"
"""End of the name, without suffix, of the file with the origin of each decided axiom; it is no ontology."""


@dataclass(frozen=True)
class Kept:
    """What was found in the files of a folder.

    Attributes:
        decisions: what was added to the file of decisions.
        additions: stem of a file -> statements beyond the model, for the next version.
        headers: stem of a file -> dates and people of the version before.
        edited: names of the edited files.
        conflicts: file names -> what two files say differently.
        notes: what was not kept, and files that were set aside, one sentence each.
        labels: label -> IRI of the classes of the latest version of the global ontology.
    """

    decisions: tuple[Decision, ...]
    additions: Mapping[str, Triples]
    headers: Mapping[str, Header]
    edited: tuple[str, ...]
    conflicts: Mapping[str, str]
    notes: tuple[str, ...]
    labels: Mapping[str, str]


@dataclass(frozen=True)
class _File:
    """One file of an ontology that a person may have edited; ``built`` is its version as it was built."""

    path: Path
    triples: Triples
    built: Loaded | None

    @property
    def is_edited(self) -> bool:
        return stated_digest(self.triples) != digest(self.triples)


def keep(place: Place, register: IriRegister, who: str, when: str, *, record: bool = True) -> Kept:
    """Find the edits in the files of ontologies, and add them to their decisions.

    Args:
        place: where the ontologies are; the folder may be empty or missing.
        register: IRIs by label; labels of classes that a person added are entered.
        who: name of the person, for the decisions.
        when: date and time, ISO 8601.
        record: whether to add the edits to the decisions, and to keep files of unknown versions.

    Returns:
        What was found. The files themselves are not changed.

    Raises:
        UsageError: an edited file cannot be read; the message says where.
        DecisionError: the file of decisions is damaged.
    """
    store = place.store
    known = table.read(place.decisions)
    name_of = _Names(register, known)
    found = {stem: _of_ontology(place.folder, stem, store, name_of, record) for stem in _stems(place)}
    changes = (
        replace(d, ontology=stem.removeprefix(place.topic).removeprefix("-"), who=who, when=when, why=of.why)
        for stem, of in found.items()
        for d in of.decisions
    )
    labels = deciding.labels_of(place)
    resolve = resolver(register, known, labels)
    pending = _since(known, store)
    new = tuple(d for d in _not_yet(changes, known, resolve) if _said(d) not in pending)
    added = deciding.add(place.decisions, new) if new and record else table.numbered(new, table.numbered(known))
    return Kept(
        added,
        {stem: of.additions for stem, of in found.items()},
        {stem: of.header for stem, of in found.items()},
        tuple(name for of in found.values() for name in of.edited),
        {" and ".join(of.edited): "; ".join(of.contradictions) for of in found.values() if of.contradictions},
        tuple(note for of in found.values() for note in of.notes),
        labels,
    )


@dataclass(frozen=True)
class _OfOntology:
    """What was found in the files of one ontology; see `Kept`."""

    decisions: tuple[Decision, ...]
    contradictions: tuple[str, ...]
    additions: Triples
    header: Header
    edited: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def why(self) -> str:
        return f"edited in {' and '.join(self.edited)}"


def _of_ontology(folder: Path, stem: str, store: Versions, name_of: _Names, record: bool) -> _OfOntology:
    paths = [folder / f"{stem}{suffix}" for suffix in SUFFIXES]
    files = [_read(path, store) for path in paths if path.exists()]
    changed = [file for file in files if file.is_edited]
    notes = [
        _of_unknown_version(f.path, store.set_aside(f.path) if record else f.path) for f in changed if f.built is None
    ]
    parts = {f.path.name: _edits(f, f.built, name_of) for f in changed if f.built is not None}
    decisions: tuple[Decision, ...] = ()
    contradictions: tuple[str, ...] = ()
    for name, part in parts.items():
        decisions, more = together(decisions, part.decisions)
        contradictions += more
        notes += [Message("files.about", about=name, error=line) for line in part.unkept]
    latest = deciding.built(store, store.latest.version, stem) if store.latest else None
    additions, header = _beyond_the_model(files, latest)
    return _OfOntology(decisions, contradictions, additions, header, tuple(parts), tuple(notes))


def _stems(place: Place) -> list[str]:
    """Return the stems of the files of a topic's ontologies, the global one first."""
    topic = place.topic
    stems = {p.stem for suffix in SUFFIXES for p in place.folder.glob(f"{topic}*{suffix}")}
    stems.discard(topic + PROVENANCE)
    return sorted(stem for stem in stems if stem == topic or stem.startswith(f"{topic}-"))


def _read(path: Path, store: Versions) -> _File:
    """Read a file, and its version as it was built. Raises UsageError for one that cannot be read."""
    try:
        triples = _own(path)
        version = next((lexical(o) for s, o in triples.pairs(OWL.versionInfo) if triples.objects(s, OC.kind)), "")
        text = store.text(version, f"{path.stem}{SUFFIXES[0]}") if version else None
        if text is None:
            return _File(path, triples, None)
        built = reader.parse_text(text, TURTLE, path)
        loaded = native.from_triples(built, f"{path.name} of version {version}")
        return _File(path, readable(triples, built), loaded)
    except OwlError as error:
        raise UsageError("versions.edited_cannot_read_nothing", path=path, error=error) from error


def _own(path: Path) -> Triples:
    """Parse a file that a build wrote. Raises OwlError for one without its header."""
    triples = reader.parse(path)
    if not native.is_own(triples):
        raise OwlError("versions.no_header_oc_kind", path=path)
    return triples


def _of_unknown_version(path: Path, copy: Path) -> str:
    compare = shlex.join(["ontocrawl", "ontology", "diff", str(path), str(copy)])
    return Message("versions.edited_unknown", name=path.name, copy=copy, compare=compare, file=table.FILE)


def _beyond_the_model(files: Sequence[_File], latest: Loaded | None) -> tuple[Triples, Header]:
    """Return the statements beyond the model, and the header with its creators, as the files were edited.

    Both begin with those of the latest version; a file may be an edited copy of an earlier one.
    """
    every: dict[Triple, None] = dict.fromkeys(latest.additions if latest else ())
    removed: set[Triple] = set()
    creators = set(latest.header.creators if latest else ())
    for file in reversed(files):
        loaded = _loaded(file)
        every.update(dict.fromkeys(loaded.additions))
        removed |= set(() if file.built is None else file.built.additions) - set(loaded.additions)
        before = set(() if file.built is None else file.built.header.creators)
        creators = (creators | (set(loaded.header.creators) - before)) - (before - set(loaded.header.creators))
    result = Triples()
    for triple in every:
        if triple not in removed:
            result.add(*triple)
    header = latest.header if latest else _loaded(files[0]).header if files else Header()
    return result, replace(header, creators=tuple(sorted(creators)))


def _loaded(file: _File) -> Loaded:
    return native.from_triples(file.triples, str(file.path))


def _edits(file: _File, built: Loaded, name_of: _Names) -> Edits:
    return edits(built.ontology, _loaded(file).ontology, name_of)


class _Names:
    """Names classes in decisions: by the label of the register, else by a label of their own, else by IRI."""

    def __init__(self, register: IriRegister, decisions: Iterable[Decision]) -> None:
        self._register = register
        self._aliases = _aliases(decisions)

    def __call__(self, concept: Concept) -> str:
        iri = self._aliases.get(concept.iri, concept.iri)
        label = self._register.label(iri)
        if label != iri:
            return label
        own = (concept.label_zh, concept.label_en or "")
        return next((name for name in own if self._register.keep(name, iri)), iri)


def _aliases(decisions: Iterable[Decision]) -> dict[str, str]:
    """Return the IRI that a person gave a class -> the IRI under which it is registered."""
    given = Facts.of((d for d in decisions if d.relation == "iri"), lambda cell: cell)
    registered = {verdict.text: verdict.decision.old for verdict in given.iris.values()}
    return {iri: registered.get(old, old) for iri, old in registered.items()}


def resolver(register: IriRegister, decisions: Iterable[Decision], labels: Mapping[str, str] = NO_LABELS) -> Resolve:
    """Return the function that finds the IRI of a class by its label or IRI; a new label gets an IRI.

    Args:
        register: IRIs by the labels that they were made for.
        decisions: all decisions; IRIs that a person changed are found by the new one, too.
        labels: present label -> IRI, of classes that a person renamed.
    """
    other = _aliases(decisions)

    def resolve(cell: str) -> str:
        if "://" in cell or cell.startswith("urn:"):
            return other.get(cell, cell)
        return register.known(cell) or other.get(labels.get(cell, ""), labels.get(cell, "")) or register.iri(cell)

    return resolve


def _said(decision: Decision) -> Decision:
    return replace(decision, id="", who="", when="")


def _since(known: Iterable[Decision], store: Versions) -> set[Decision]:
    """Return what was decided since the last build: an edit that was taken up then is still in the file."""
    built = store.latest.decisions if store.latest else ()
    return {_said(d) for d in known if d.id not in built}


def _not_yet(found: Iterable[Decision], known: Iterable[Decision], resolve: Resolve) -> Iterator[Decision]:
    """Yield the decisions that say something that is not decided already."""
    decided = vars(Facts.of(known, resolve))
    for decision in found:
        said = vars(Facts.of([decision], resolve))
        same = all(
            key in decided[name] and replace(decided[name][key], decision=decision) == verdict
            for name, verdicts in said.items()
            for key, verdict in verdicts.items()
        )
        if not same:
            yield decision
