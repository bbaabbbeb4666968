"""Decisions about a topic whose ontologies come with the package, or lie in the workspace: beside their versions.

The package's files are never changed. The workspace gets ontologies of the same names, which precede them, as the
package has them and as the decisions in ``ontologies/TOPIC/decisions.tsv`` have it; their versions are in
``ontologies/TOPIC/versions``. A new release of the package brings its changes, and the decisions are applied to them.
Ontologies that are in the workspace only are kept there as the version that decisions are applied to.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path

from ontocrawl.errors import UsageError
from ontocrawl.topics import papers, topic_files, topics
from ontocrawl.topics.topic_files import depth
from ontocrawl.topics.topics import Topic
from ontocrawl.topics.version_files import Version, VersionError
from ontocrawl.versions import deciding, releases
from ontocrawl.versions.deciding import REGISTER, Place
from ontocrawl.versions.hand_edits import PROVENANCE
from ontocrawl.versions.releases import Draft, Following
from ontology import formats, owl
from ontology.build import context_lattice
from ontology.claims_lattice import claims_context
from ontology.decisions import table
from ontology.draw import hierarchy_svg, lattice_page, lattice_svg
from ontology.errors import Message
from ontology.iris import IriRegister
from ontology.model import Ontology
from ontology.owl import Loaded


def place_of(topic: Topic) -> Place:
    """Return where the ontologies of a topic are in its workspace."""
    folder = topic.workspace.ontologies
    return Place(topic.name, folder, folder / topic.name)


def write(topic: Topic, who: str, when: str) -> list[Path]:
    """Write the ontologies of a topic into its workspace, as they were decided.

    Edits of the workspace's files become decisions first.

    Args:
        topic: a topic with ontologies that come with the package, or are in the workspace.
        who: name of the person.
        when: date and time, ISO 8601.

    Returns:
        The files written; none if nothing changed.

    Raises:
        UsageError: no ontology of the topic comes with the package, or is in the workspace.
        CommandError: another process changes them, or a file cannot be written.
    """
    place = place_of(topic)
    with place.locked():
        draft = drafted(topic, place, who, when)
        if not draft.release.is_new:
            return []
        return releases.write(place, draft.entry(), draft.files(), draft.left.register, draft.origin)


class _WorkspaceDraft(Draft):
    """The next version of a topic's ontologies in the workspace, which is not written."""

    def entry(self) -> Version:
        """Return the line of the history."""
        origin = self.rule.origin[0].ontology.version
        prior = self.release.prior.version if self.release.prior else origin
        return replace(super().entry(), prior=prior, origin=origin)

    @property
    def origin(self) -> tuple[str, dict[str, bytes]]:
        """The version that decisions are applied to, and its files."""
        files: dict[str, bytes] = {}
        for loaded in self.rule.origin:
            files |= releases.sealed_files(loaded.ontology, loaded.header, loaded.additions)
        return self.rule.origin[0].ontology.version, files


def drafted(topic: Topic, place: Place, who: str, when: str, *, number: str = "", record: bool = True) -> Draft:
    """Make the next version of a topic's ontologies from the decisions.

    They are applied to the ontologies of the last build, where the place is the folder of one; else to those that come
    with the package, or are in the workspace.

    Args:
        topic: the topic.
        place: where its ontologies are.
        who: name of the person who edited files.
        when: date and time, ISO 8601.
        number: the number of the version; empty for the next one.
        record: whether edits are written down as decisions.

    Raises:
        UsageError: there are no ontologies that decisions can be applied to.
        VersionError: the number is taken.
    """
    of_build = place.records == place.folder
    origin = () if of_build else _origin_of(topic, place)
    drafts = _of_build(place, topic.file.ontologies) if of_build else tuple(o.ontology for o in origin)
    register = deciding.register_of(place.records, drafts)
    left = releases.left_behind(topic.workspace, place, register, who, when, record=record)
    rule = Following(
        place.store, lambda o: () if of_build else _origins(place, o), origin, number, again=True
    )  # fmt: skip
    made = FolderDraft if of_build else _WorkspaceDraft
    return made(place, drafts, left, rule, releases.following(drafts, left, rule))


def _origins(place: Place, ontology: Ontology) -> tuple[Ontology, ...]:
    """Return the earlier releases of an ontology, the latest first, from which classes are taken over."""
    return tuple(
        loaded.ontology
        for version in dict.fromkeys(v.origin for v in reversed(place.store.all()) if v.origin)
        if (loaded := deciding.built(place.store, version, deciding.file_stem(ontology))) is not None
    )


def _origin_of(topic: Topic, place: Place) -> tuple[Loaded, ...]:
    """Read the ontologies of a topic that decisions are applied to, the global one first.

    Args:
        topic: the topic.
        place: where they are in its workspace.

    Raises:
        UsageError: none comes with the package, or is in the workspace; or one has another name than its files.
    """
    found = []
    for name in topic.file.ontologies:
        source = files("ontologies") / name
        if not Path(name).is_absolute() and source.is_file():
            with as_file(source) as path:
                found.append(owl.load(path))
        elif (own := _own(place, name)) is not None:
            found.append(own)
    if not found:
        raise UsageError("versions.topic_none_ontologies_comes", topic=topic.name)
    return tuple(found)


def _own(place: Place, name: str) -> Loaded | None:
    """Read an ontology of the workspace as it was before any decision; None if it is elsewhere."""
    path = place.folder / name
    if path.resolve().parent != place.folder.resolve() or not path.exists():
        return None
    history = place.store.all()
    first = history[0].origin if history else ""
    loaded = (deciding.built(place.store, first, path.stem) if first else None) or owl.load(path)
    stem = deciding.file_stem(loaded.ontology)
    if path.stem != stem or loaded.ontology.topic != place.topic:
        raise UsageError(
            "versions.topic_ontology_about_topic", topic=place.topic, name=name, other=loaded.ontology.topic
        )
    return loaded


def register_of(topic: Topic) -> IriRegister:
    """Return the IRIs of a topic's ontologies, and of what was decided about it in the workspace."""
    place = place_of(topic)
    return deciding.register_of(place.records, (loaded.ontology for loaded in _origin_of(topic, place)))


# ---- the next version of ontologies in the folder of a build: decisions applied to what was learned, learning
# nothing
#
# Decisions are applied to the ontologies of the last build, never to those of a version that was made so: a decision
# that was made and withdrawn since leaves nothing behind. A later build replays the same decisions.


SUMMARY = "summary.json"


class FolderDraft(Draft):
    """The next version of the ontologies in the folder of a build, which is not written."""

    def entry(self) -> Version:
        """Return the line of the history."""
        prior = _latest(self.place)
        return replace(
            super().entry(), documents=prior.documents, corpus=prior.corpus, base=prior.base or prior.version
        )

    def files(self) -> dict[str, bytes]:
        """Return name -> content of the files: those of the build, and anew what follows from the ontologies."""
        store, version = self.place.store, _latest(self.place).version
        files = {
            name: content for name, content in store.files(version).items()
            if name not in (table.FILE, REGISTER) and not name.endswith((".toml", "-changes.md"))
            and PROVENANCE not in name
        }  # fmt: skip
        first = self.release.ontologies[0]
        files |= super().files()
        files |= {f"{deciding.file_stem(o)}.svg": hierarchy_svg(o).encode() for o in self.release.ontologies}
        if len(first.concepts) > 1:
            files |= _claims_files(first)
        name = papers.path_beside(Path(f"{self.place.topic}.ttl"), first).name
        if name in files:
            names = [form for _, form in _forms(self.release.ontologies) - _forms(self.drafts)]
            files[name] = papers.of_version(files[name], first.key, sorted(names))
        if SUMMARY in files:
            files[SUMMARY] = self._summary(files[SUMMARY])
        return files

    def _summary(self, content: bytes) -> bytes:
        """Return the figures of the build with those of this version."""
        first, *local = self.release.ontologies
        decided = self.release.decided
        figures = json.loads(content) | {
            "version": first.version,
            "classes": len(first.concepts),
            "depth": depth(first),
            "local": [{"iri": o.iri, "classes": len(o.concepts), "depth": depth(o)} for o in local],
            "decisions": len(decided.decisions),
            "idle_decisions": [[r.decision.id, r.reason] for r in decided.idle],
            "conflicts": [[r.decision.id, r.reason] for r in decided.conflicts],
        }
        return (json.dumps(figures, ensure_ascii=False, indent=2) + "\n").encode()

    @property
    def notes(self) -> tuple[str, ...]:
        """What the version does not have although it was decided, one sentence each."""
        base = self.place.store.find(_latest(self.place).base or _latest(self.place).version)
        gone = [id_ for id_ in base.decisions if id_ not in {d.id for d in self.left.decisions}]
        if not gone:
            return ()
        return (Message("enrichment.withdrawn_since", ids=", ".join(gone), version=base.version),)


def _forms(ontologies: Sequence[Ontology]) -> set[tuple[str, str]]:
    return {form for ontology in ontologies for concept in ontology.concepts for form in concept.forms()}


def _claims_files(ontology: Ontology) -> dict[str, bytes]:
    """Return name -> content of the context of an ontology's claims, with a picture and a page of its lattice."""
    lattice = context_lattice(claims_context(ontology))
    with tempfile.TemporaryDirectory(prefix="ontocrawl-") as folder:
        path = Path(folder) / "claims.cxt"
        formats.write(lattice.context, path)
        context = path.read_bytes()
    return {
        "claims.cxt": context,
        "claims-lattice.svg": lattice_svg(lattice, of_documents=False).encode(),
        "claims-lattice.html": lattice_page(lattice, titles=None, of_documents=False).encode(),
    }


def topic_file(draft: Draft, topic: Topic) -> dict[str, bytes]:
    """Return name -> content of the topic file with the versions of a draft; empty where a person edited it.

    Args:
        draft: the next version.
        topic: the topic as its file has it.
    """
    path = draft.place.folder / f"{topic.name}.toml"
    if not path.exists() or topics.is_edited(path):
        return {}
    learned = [(f"{deciding.file_stem(o)}.ttl", o) for o in draft.release.ontologies]
    text = topic_files.learned(topic.file, learned, f"{_latest(draft.place).documents} records")
    return {path.name: text.encode()}


def _latest(place: Place) -> Version:
    latest = place.store.latest
    if latest is None:
        raise VersionError("versions.no_versions_build_ontology", place_folder=place.folder)
    return latest


def _of_build(place: Place, order: Sequence[str]) -> tuple[Ontology, ...]:
    """Read the ontologies of the last build, the global one first, the others in the order of the topic's file."""
    latest = _latest(place)
    base = latest.base or latest.version
    stems = [
        name.removesuffix(".ttl") for name in place.store.files(base)
        if name.endswith(".ttl") and PROVENANCE not in name
    ]  # fmt: skip
    found = [loaded.ontology for stem in stems if (loaded := deciding.built(place.store, base, stem)) is not None]
    if not any(o.kind == "global" for o in found):
        raise UsageError("versions.version_no_ontology_build", place_folder=place.folder, base=base)
    place_of = {Path(name).stem: position for position, name in enumerate(order)}

    def key(ontology: Ontology) -> tuple[bool, int, str]:
        position = place_of.get(deciding.file_stem(ontology), len(place_of))
        return ontology.kind != "global", position, ontology.iri

    return tuple(sorted(found, key=key))
