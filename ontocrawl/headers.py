"""Headers of learned ontologies: who made them, when, and from which corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from ontology import owl
from ontology.corpus import Corpus
from ontology.model import Document, Ontology
from ontology.owl import Header

DOI = "https://doi.org/"


@dataclass(frozen=True)
class Origin:
    """What the header of a learned ontology says besides what the ontology knows itself."""

    sources: tuple[str, ...] = ()
    """Names of the corpus files with the number of their records."""
    creators: tuple[str, ...] = ()
    """Names or IRIs."""
    today: str = ""
    """Date of the build, as 2024-05-01; "" for files without dates."""


def today() -> str:
    """Return the present date in UTC, as 2024-05-01."""
    return f"{datetime.now(UTC):%Y-%m-%d}"


def sources_of(corpus: Corpus) -> tuple[str, ...]:
    """Return the names of the files of a corpus, without folders, with the number of their records."""
    return tuple(sorted({f"{Path(report.file).name} ({report.records} records)" for report in corpus.files}))


def document_iris(documents: Iterable[Document]) -> dict[str, str]:
    """Return id -> IRI of the documents with a DOI."""
    return {d.id: DOI + quote(d.doi, safe="/:;().-_") for d in documents if d.doi}


def header_of(ontology: Ontology, documents: Sequence[Document], origin: Origin, earlier: Path) -> Header:
    """Return the header of an ontology; a rebuild that changes nothing leaves its file as it is.

    The date of creation is kept from the earlier file. The date of modification is that of the earlier file too, unless
    anything else in the file is new.

    Args:
        ontology: the ontology.
        documents: the documents that it was learned from.
        origin: creators, sources and the date of the build.
        earlier: Turtle file that is about to be written; it need not exist.

    Returns:
        The header.

    Raises:
        OwlError: the earlier file cannot be read.
    """
    header = Header("", "", origin.creators, origin.sources, document_iris(documents))
    if not origin.today:
        return header
    if not earlier.exists():
        return replace(header, created=origin.today, modified=origin.today)
    before = owl.load(earlier).header
    header = replace(header, created=before.created or origin.today, modified=before.modified)
    if before.modified and owl.text(ontology, "turtle", header).encode() == earlier.read_bytes():
        return header
    return replace(header, modified=origin.today)
