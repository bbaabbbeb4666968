"""Ontologies as OWL files: read, write, convert, reason and check; foreign ontologies are loaded with a report.

`read` and `write` are all that most callers need. `load` also returns what was left out, and accepts foreign files.
"""

from __future__ import annotations

import gc
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ontology.files import write_atomically
from ontology.model import Ontology
from ontology.owl import census, foreign, formats, graph, native, obo_mapping, plain_formats, reader, skos
from ontology.owl.additions import NO_ADDITIONS, merged, seal
from ontology.owl.contents import NO_HEADER, Header, Loaded, Report
from ontology.owl.formats import SUFFIXES
from ontology.owl.graph import canonical
from ontology.owl.triples import Triples, canonical_names, renamed
from ontology.owl.vocabulary import BORROWED, BORROWED_IF_USED, TYPE, OwlError

__all__ = [
    "NO_ADDITIONS", "NO_HEADER", "SUFFIXES", "Converted", "Header", "Loaded", "OwlError", "Report", "canonical",
    "content", "convert", "left_out", "load", "of_triples", "read", "text", "write", "write_skos",
]  # fmt: skip


def read(path: str | Path) -> Ontology:
    """Read an ontology that `write` or `write_skos` wrote, in canonical order.

    Additions to the file that the model cannot represent are left out; `load` reports them.

    Raises:
        OwlError: the file is broken, or is not an ontology of ontocrawl; the message names the line if it is known.
    """
    path = Path(path)
    triples = reader.parse(path)
    if not native.is_own(triples) and not skos.is_own(triples):
        raise OwlError("owl.expected_owl_ontology_header", path=path, quote=shlex.quote(str(path)))
    return of_triples(triples, path).ontology


def load(path: str | Path) -> Loaded:
    """Read any ontology or SKOS thesaurus, with its header and a report of what was left out.

    ``owl:imports`` is ignored and reported, never fetched.

    Raises:
        OwlError: as in `read`.
    """
    path = Path(path)
    with _no_collection():
        return of_triples(reader.parse(path), path)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Let the garbage collector wait: what is read stays, and going over it again takes a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def of_triples(triples: Triples, path: Path) -> Loaded:
    """Return what `load` returns of a file with these statements.

    Args:
        triples: the statements.
        path: the file, for messages.

    Raises:
        OwlError: as in `read`.
    """
    triples = obo_mapping.with_languages(triples)
    if native.is_own(triples):
        return native.from_triples(triples, str(path))
    if skos.is_own(triples):
        return skos.from_triples(triples, str(path))
    return foreign.from_triples(triples, str(path))


def write(
    ontology: Ontology,
    path: str | Path,
    header: Header = NO_HEADER,
    *,
    additions: Triples = NO_ADDITIONS,
    sealed: bool = False,
) -> None:
    """Write an ontology atomically; the suffix determines the format.

    Args:
        ontology: the ontology.
        path: the file.
        header: dates and people.
        additions: further statements, as `load` returns them.
        sealed: write the digest of the content into the header, by which a later edit is noticed.

    Raises:
        OwlError: a file cannot hold a text or an IRI, or the suffix is unknown.
    """
    path = Path(path)
    name = formats.of_path(path).name
    write_atomically(path, content(ontology, name, header, additions=additions, sealed=sealed).encode())


def content(
    ontology: Ontology,
    format_name: str,
    header: Header = NO_HEADER,
    *,
    additions: Triples = NO_ADDITIONS,
    sealed: bool = False,
) -> str:
    """Return what `write` writes.

    Args:
        ontology: the ontology.
        format_name: one of `formats.BY_NAME`.
        header: dates and people.
        additions: further statements.
        sealed: with the digest of the content.
    """
    triples = merged(graph.to_triples(canonical(ontology), header), additions)
    if sealed:
        seal(triples)
    return formats.of_path(Path(), format_name).write(triples)


def text(
    ontology: Ontology, format_name: str, header: Header = NO_HEADER, *, as_skos: bool = False,
    additions: Triples = NO_ADDITIONS,
) -> str:  # fmt: skip
    """Return the text of an ontology file.

    Args:
        ontology: the ontology.
        format_name: one of `formats.BY_NAME`.
        header: dates and people.
        as_skos: write the SKOS view.
        additions: further statements, as `Loaded.carried` returns them.
    """
    format_ = formats.of_path(Path(), format_name)
    return format_.write(merged(_triples(ontology, format_name, header, as_skos), additions))


def _triples(ontology: Ontology, format_name: str, header: Header, as_skos: bool) -> Triples:
    if as_skos:
        return skos.to_triples(canonical(ontology), header, format_name)
    return graph.to_triples(canonical(ontology), header)


def left_out(
    ontology: Ontology, format_name: str, header: Header = NO_HEADER, *, as_skos: bool = False
) -> dict[str, int]:
    """Count what a file of a format does not hold of an ontology, by reason; empty for most formats.

    Args:
        ontology: the ontology.
        format_name: one of `formats.BY_NAME`.
        header: dates and people.
        as_skos: it is the SKOS view that is written.
    """
    if as_skos:
        return skos.left_out(ontology)
    return formats.of_path(Path(), format_name).left_out(graph.to_triples(canonical(ontology), header))


@dataclass(frozen=True)
class Converted:
    """The text of a conversion, and what became of the statements that the model does not hold.

    Attributes:
        text: content of the new file.
        carried: reason -> number of statements that the new file has as they were.
        left_out: reason -> number of statements that it lacks, or that others are written in place of.
        examples: reason -> up to three of the IRIs that it concerns.
    """

    text: str
    carried: Mapping[str, int]
    left_out: Mapping[str, int]
    examples: Mapping[str, tuple[str, ...]]


def convert(loaded: Loaded, format_name: str, *, as_skos: bool = False) -> Converted:
    """Return a file as one of another format, with every statement that the format can hold.

    Args:
        loaded: what `load` returned.
        format_name: one of `formats.BY_NAME`.
        as_skos: write the SKOS view.

    Raises:
        OwlError: the format cannot hold a text or an IRI of a class.
    """
    ontology, header = loaded.ontology, loaded.header
    format_ = formats.of_path(Path(), format_name)
    more = loaded.carried(as_skos=as_skos)
    if format_name == formats.RDF_XML:
        more = plain_formats.with_names_of_xml(more)
    stated = _triples(ontology, format_name, header, as_skos)
    written = format_.write(merged(stated, more))
    found = set(more)
    if format_name not in formats.RDF and found:
        again = reader.parse_bytes(written.encode(), Path(f"a{format_.suffixes[0]}")) if format_.is_read else Triples()
        found &= set(renamed(again, canonical_names(again)))
    names = canonical_names(loaded.source)
    unused = set(renamed(loaded.unused, names))
    source = renamed(loaded.source, names)
    if format_name not in formats.RDF:  # they need no declaration of the properties that they have tags for
        unused = {t for t in unused if t[0] not in (*BORROWED, *BORROWED_IF_USED) or t[1] != TYPE}
    concepts = {c.iri for c in (*ontology.concepts, *ontology.deprecated)}
    kept, _ = census.counted(source, unused & found, concepts, {ontology.iri})
    lost, examples = census.counted(source, unused - found, concepts, {ontology.iri})
    for counts in (loaded.report.changed, skos.left_out(ontology) if as_skos else format_.left_out(stated)):
        lost |= {reason: lost.get(reason, 0) + count for reason, count in counts.items()}
    lost |= {reason: len(places) for reason, places in loaded.source.left.items()}
    return Converted(written, kept, lost, examples)


def write_skos(ontology: Ontology, path: str | Path, header: Header = NO_HEADER) -> None:
    """Write the ontology's SKOS view (see `skos` for what it leaves out).

    Args:
        ontology: the ontology.
        path: the file, of one of the four RDF formats.
        header: dates and people.
    """
    path = Path(path)
    write_atomically(path, text(ontology, formats.of_path(path).name, header, as_skos=True).encode())
