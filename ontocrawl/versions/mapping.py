"""Mappings of ontologies to others: `ontology map`, the skeleton of a build, and the files of both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import CommandError, UsageError
from ontocrawl.topics import topics
from ontocrawl.version import __version__
from ontology import mapping, owl
from ontology.class_labels import paired_keywords
from ontology.errors import Message
from ontology.evidence.skeleton import Skeleton, joined, skeleton
from ontology.mapping import MappingSet, TermMapping
from ontology.mapping.grounding import Grounding, ground
from ontology.model import Concept, Document, Ontology
from ontology.terms.lexicon import Lexicon

FILE = "mappings.sssom.tsv"
"""File in the output folder of a build with the mappings to its skeleton."""
_UNSPECIFIED = "https://w3id.org/sssom/license/unspecified"
"""Licence of a set of mappings whose author names none, by the SSSOM standard."""
OnStage = Callable[[str], None]


@dataclass(frozen=True)
class Mapped:
    """The result of `map_to`: the mappings, and how many concepts of the first ontology have one."""

    mappings: MappingSet
    concepts: int
    mapped: int


def ontology_of(given: str, space: Workspace) -> Ontology:
    """Load the ontology that an argument names: the folder of a build, an ontology file, or a topic.

    Args:
        given: the argument.
        space: the workspace, with its topics.

    Returns:
        The ontology; the global one of a folder or a topic.

    Raises:
        UsageError: there is no such file, folder or topic, or a folder without a topic file.
        OwlError: the file cannot be read.
    """
    path = Path(given)
    if path.is_dir():
        files = [p for p in sorted(path.glob("*.toml")) if not p.name.endswith(".learned.toml")]
        if len(files) != 1:
            raise UsageError("versions.expected_folder_topic_file", given=given, n_files=len(files))
        given = str(files[0])
    if Path(given).suffix.lower() in ("", ".toml"):
        topic = topics.load(given, space)
        if not topic.levels:
            raise UsageError("versions.topic_no_ontology_file", given=given)
        return topic.ontologies[0]
    if not path.is_file():
        raise UsageError("versions.no_such_file_give_ontology_file", given=given)
    return owl.load(path).ontology


def field_of(ontology: Ontology, space: Workspace) -> str:
    """Return the field of the topic that an ontology is of; empty for an unknown topic or one without a field."""
    return topics.load(ontology.topic, space).file.field if ontology.topic in topics.available(space) else ""


def map_to(ontology: Ontology, other: Ontology, lexicon: Lexicon) -> Mapped:
    """Map the concepts of an ontology to those of another by their names.

    Args:
        ontology: the ontology whose concepts are the subjects.
        other: the ontology of the objects.
        lexicon: Chinese and English words for the same thing.

    Returns:
        The mappings, with the metadata of their file.
    """
    rows = mapping.align(_named(ontology), _named(other), lexicon)
    return Mapped(
        _set(rows, ontology, other.iri, other.topic), len(ontology.concepts), len({row.subject for row in rows})
    )


def _named(ontology: Ontology) -> tuple[Concept, ...]:
    """Return the concepts but a root that only holds a file together."""
    return tuple(c for c in ontology.concepts if not c.iri.endswith("#virtual-root"))


def _set(rows: Iterable[TermMapping], ontology: Ontology, source: str, name: str) -> MappingSet:
    return MappingSet(
        tuple(rows),
        id=f"{ontology.version_iri}/mappings/{name}",
        licence=_UNSPECIFIED,
        subject_source=ontology.iri,
        object_source=source,
        date=workspace.now()[:10],
        tool_version=__version__,
    )


def write(mappings: MappingSet, path: Path) -> Path:
    """Write mappings as an SSSOM file.

    Args:
        mappings: the mappings.
        path: the file.

    Returns:
        The path.

    Raises:
        CommandError: the file cannot be written.
    """
    try:
        mapping.write(mappings, path)
    except OSError as error:
        raise CommandError(
            "versions.cannot_written_choose_another_place", path=path, strerror=error.strerror
        ) from error
    return path


# ---- the skeleton of a build ----------------------------------------------------------------------------------------


def skeletons(paths: Sequence[Path], on_stage: OnStage) -> tuple[Ontology, ...]:
    """Load the files of ``--skeleton``.

    Args:
        paths: OWL, SKOS or OBO files.
        on_stage: called before each file.

    Returns:
        One ontology for each file.

    Raises:
        UsageError: a path is no file.
        OwlError: a file cannot be read, or has no class.
    """
    loaded = []
    for path in paths:
        if not path.is_file():
            raise UsageError("versions.no_such_file_give_owl_skos", path=path)
        on_stage(Message("versions.stage_reading", file=path.name))
        loaded.append(owl.load(path).ontology)
    return tuple(loaded)


def grounded(ontologies: Sequence[Ontology], documents: Sequence[Document], lexicon: Lexicon) -> Grounding:
    """Choose the upper classes that records need of skeletons (ontology/mapping/grounding.py).

    Args:
        ontologies: the ontologies of the skeleton files.
        documents: the records.
        lexicon: Chinese and English words for the same thing.

    Returns:
        The upper classes, and what is needed to map a learned ontology to the skeletons.

    Raises:
        UsageError: the records name none of their classes.
    """
    found = ground(ontologies, documents, lexicon, paired_keywords(documents, lexicon))
    if not found.classes.classes:
        raise UsageError("versions.none_classes_skeleton_named", total=found.total, n_documents=len(documents))
    return found


def with_own(classes: Skeleton, own_classes: Path | None) -> Skeleton:
    """Return upper classes with a user's table of classes, which takes precedence."""
    return classes if own_classes is None else joined(skeleton(own_classes=own_classes).classes, classes.classes)


def with_references(ontology: Ontology, rows: Sequence[TermMapping]) -> Ontology:
    """Return an ontology whose concepts name their exact mappings as cross-references."""
    same: dict[str, list[str]] = {}
    for row in rows:
        if row.joins:
            same.setdefault(row.subject, []).append(row.object)
    concepts = tuple(
        replace(c, xrefs=tuple(sorted({*c.xrefs, *same[c.iri]}))) if c.iri in same else c for c in ontology.concepts
    )
    return replace(ontology, concepts=concepts)


def write_grounding(rows: Sequence[TermMapping], ontology: Ontology, sources: Sequence[Ontology], out: Path) -> Path:
    """Write the mappings of a learned ontology to its skeletons.

    Args:
        rows: the mappings.
        ontology: the learned ontology.
        sources: the skeletons.
        out: the output folder of the build.

    Returns:
        The file.

    Raises:
        CommandError: the file cannot be written.
    """
    source = sources[0].iri if len(sources) == 1 else ""
    return write(_set(rows, ontology, source, "skeleton"), out / FILE)
