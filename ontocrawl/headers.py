"""Headers of learned ontologies: who made them, when, and from which corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from ontology.corpus import Corpus
from ontology.model import Document
from ontology.owl import Header

DOI = "https://doi.org/"


@dataclass(frozen=True)
class Origin:
    """What the header of a learned ontology says besides what the ontology knows itself."""

    sources: tuple[str, ...] = ()
    """Names of the corpus files with the number of their records."""
    creators: tuple[str, ...] = ()
    """Names or IRIs."""


def sources_of(corpus: Corpus) -> tuple[str, ...]:
    """Return the names of the files of a corpus, without folders, with the number of their records."""
    return tuple(sorted({f"{Path(report.file).name} ({report.records} records)" for report in corpus.files}))


def document_iris(documents: Iterable[Document]) -> dict[str, str]:
    """Return id -> IRI of the documents with a DOI."""
    return {d.id: DOI + quote(d.doi, safe="/:;().-_") for d in documents if d.doi}


def header_of(documents: Sequence[Document], origin: Origin, before: Header, today: str, *, is_new: bool) -> Header:
    """Return the header of an ontology; a rebuild that changes nothing leaves its file as it is.

    Args:
        documents: the documents that it was learned from.
        origin: creators and sources.
        before: the header of the file of the build before, as a person may have edited it; its creators stay.
        today: date of the build, as 2024-05-01.
        is_new: whether the ontology is another than before.

    Returns:
        The header. The date of creation is that of before; so is the date of modification, unless something is new.
    """
    creators = tuple(dict.fromkeys((*before.creators, *origin.creators)))
    header = replace(before, creators=creators, sources=origin.sources, documents=document_iris(documents))
    same = not is_new and before.modified and set(creators) == set(before.creators) and origin.sources == before.sources
    return replace(header, created=before.created or today, modified=before.modified if same else today)
