"""Decisions about a topic whose ontologies come with the package, or lie in the workspace: beside their versions.

The package's files are never changed. The workspace gets ontologies of the same names, which precede them, as the
package has them and as the decisions in ``ontologies/TOPIC/decisions.tsv`` have it; their versions are in
``ontologies/TOPIC/versions``. A new release of the package brings its changes, and the decisions are applied to them.
Ontologies that are in the workspace only are kept there as the version that decisions are applied to.
"""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path

from ontocrawl import deciding, releases
from ontocrawl.errors import UsageError
from ontocrawl.places import Place
from ontocrawl.releases import Draft, Following
from ontocrawl.topics import Topic
from ontocrawl.versions import Version
from ontology import owl
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
        draft = drafted(topic, who, when)
        if not draft.release.is_new:
            return []
        return releases.write(place, draft.entry(), draft.files(), draft.left.register, draft.origin)


class WorkspaceDraft(Draft):
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


def drafted(topic: Topic, who: str, when: str, *, number: str = "", record: bool = True) -> Draft:
    """Make the next version of a topic's ontologies from those that come with the package and the decisions.

    Args:
        topic: the topic.
        who: name of the person who edited files.
        when: date and time, ISO 8601.
        number: the number of the version; empty for the next one.
        record: whether edits are written down as decisions.

    Raises:
        UsageError: no ontology of the topic comes with the package, or is in the workspace.
        VersionError: the number is taken.
    """
    place, origin = place_of(topic), origin_of(topic)
    left = releases.left_behind(topic.workspace, place, register_of(topic), who, when, record=record)
    rule = Following(place.store, lambda ontology: _origins(place, ontology), origin, number, again=True)
    drafts = tuple(o.ontology for o in origin)
    return WorkspaceDraft(place, drafts, left, rule, releases.following(drafts, left, rule))


def _origins(place: Place, ontology: Ontology) -> tuple[Ontology, ...]:
    """Return the earlier releases of an ontology, the latest first, from which classes are taken over."""
    return tuple(
        loaded.ontology
        for version in dict.fromkeys(v.origin for v in reversed(place.store.all()) if v.origin)
        if (loaded := deciding.built(place.store, version, deciding.file_stem(ontology))) is not None
    )


def origin_of(topic: Topic) -> tuple[Loaded, ...]:
    """Read the ontologies of a topic that decisions are applied to, the global one first.

    Raises:
        UsageError: none comes with the package, or is in the workspace; or one has another name than its files.
    """
    found = []
    for name in topic.file.ontologies:
        source = files("ontologies") / name
        if not Path(name).is_absolute() and source.is_file():
            with as_file(source) as path:
                found.append(owl.load(path))
        elif (own := _own(topic, name)) is not None:
            found.append(own)
    if not found:
        raise UsageError(
            f"topic {topic.name}: none of its ontologies comes with the package; give the folder of an `ontology build`"
        )
    return tuple(found)


def _own(topic: Topic, name: str) -> Loaded | None:
    """Read an ontology of the workspace as it was before any decision; None if it is elsewhere."""
    place = place_of(topic)
    path = place.folder / name
    if path.resolve().parent != place.folder.resolve() or not path.exists():
        return None
    history = place.store.all()
    first = history[0].origin if history else ""
    loaded = (deciding.built(place.store, first, path.stem) if first else None) or owl.load(path)
    stem = deciding.file_stem(loaded.ontology)
    if path.stem != stem or loaded.ontology.topic != topic.name:
        raise UsageError(
            f"topic {topic.name}: its ontology {name} is about the topic {loaded.ontology.topic!r}; name the file "
            f"{topic.name}.ttl, and the topic in it {topic.name}, to decide about it"
        )
    return loaded


def register_of(topic: Topic) -> IriRegister:
    """Return the IRIs of a topic's ontologies, and of what was decided about it in the workspace."""
    origin = [loaded.ontology for loaded in origin_of(topic)]
    register = IriRegister.load(place_of(topic).register, origin[0].root.rpartition("#")[0] + "#")
    for ontology in origin:
        for concept in ontology.concepts:
            register.keep(concept.label, concept.iri)
    return register
