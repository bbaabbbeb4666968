"""Where the ontologies of a version of a topic are: in its files, in the archives of versions, or in the package.

A graph has several versions of a learned ontology side by side, and the files of the topic have one. So whoever brings
a version back into a graph asks here.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ontocrawl.topics import topics
from ontocrawl.topics.topics import Source, Topic
from ontocrawl.topics.version_files import VersionError, Versions

_PROVENANCE = "-provenance.ttl"
_BESIDE = (".ttl", ".papers.jsonl", "context.cxt")
"""Endings of the files of a version that its ontologies are read with."""


@contextmanager
def opened(topic: Topic, versions: Collection[str], *, instead: bool = False) -> Iterator[Topic]:
    """Find the ontologies of a topic in some versions.

    Args:
        topic: the topic.
        versions: versions of its ontologies, each with its digest.
        instead: whether curated ontologies as they are now take the place of versions without a digest that are
            nowhere: a graph has one version of each, under one key.

    Yields:
        The topic with all its ontologies of these versions, in the order of its file, and those of the package or of
        ``ontologies/topics`` for versions that a topic of its name has there. It is valid in the block.

    Raises:
        VersionError: no ontology of the topic has one of the versions, or an archive is damaged.
        UsageError: a file of the topic is missing.
    """
    with tempfile.TemporaryDirectory(prefix="ontocrawl-") as scratch:
        present = topic.sources
        known = {source.ontology.version for source in present}
        archived = _archived(topic, sorted(set(versions) - known), Path(scratch))
        of_file = {source.file: [source] for source in present if source.ontology.version in versions}
        for source in archived:
            of_file.setdefault(source.file, []).append(source)
        order = {file: number for number, file in enumerate(topic.file.ontologies)}
        found = [one for file in sorted(of_file, key=lambda f: (order.get(f, len(order)), f)) for one in of_file[file]]
        left = set(versions) - {source.ontology.version for source in found}
        named = topics.load_defined(topic.name, topic.workspace) if left else None
        if named is not None:
            found += [source for source in named.sources if source.ontology.version in left]
        lacking = sorted(left - {source.ontology.version for source in found})
        if instead and any("+" not in version for version in lacking):
            curated = (*present, *(named.sources if named is not None else ()))
            found += [source for source in curated if not source.ontology.is_derived and source not in found]
            lacking = [version for version in lacking if "+" in version]
        if lacking:
            raise VersionError(
                "topics.topic_no_ontology_version",
                topic=topic.name,
                lacking=", ".join(lacking),
                versions=", ".join(_versions(topic)) or "none",
            )
        yield replace(topic, kept=tuple(sorted(found, key=lambda source: source.ontology.kind != "global")))


def _stores(topic: Topic) -> dict[Path, Versions]:
    """Return folder -> the versions of the ontologies in it, for the folders of a topic's files."""
    own = topic.workspace.ontologies
    stores = {}
    for file in topic.file.ontologies:
        folder = _folder(file, topic)
        stores[folder] = Versions(folder, own / topic.name if folder == own else None)
    return stores


def _versions(topic: Topic) -> list[str]:
    """Return the versions of a topic, as far as its files and histories name them, the oldest first."""
    named = [version.version for store in _stores(topic).values() for version in store.all()]
    return list(dict.fromkeys((*named, *(source.ontology.version for source in topic.sources))))


def _archived(topic: Topic, versions: Sequence[str], scratch: Path) -> list[Source]:
    """Unpack the ontologies of versions from the archives, with their papers and contexts, and read them."""
    found = []
    stores = _stores(topic)
    for number, (folder, store) in enumerate(stores.items()):
        for version in versions:
            files = {name: content for name, content in store.kept(version).items() if name.endswith(_BESIDE)}
            target = scratch / f"{number}-{version}"
            for name, content in files.items():
                target.mkdir(exist_ok=True)
                (target / Path(name).name).write_bytes(content)
            listed = {Path(file).name: file for file in topic.file.ontologies if _folder(file, topic) == folder}
            names = [name for name in files if name.endswith(".ttl") and not name.endswith(_PROVENANCE)]
            for name in names:
                if name in listed or len(stores) == 1:  # a version may have local ontologies that the next one lacks
                    found.append(topics.source_of(target / Path(name).name, listed.get(name, str(folder / name))))
    return found


def _folder(file: str, topic: Topic) -> Path:
    """Return the folder of a file of a topic; a file without a folder is in that of the workspace's ontologies."""
    return Path(file).parent if Path(file).is_absolute() else topic.workspace.ontologies
