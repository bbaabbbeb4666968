"""Export of the whole graph to a file: Turtle, N-Triples, CSV and Cypher script can be imported, GraphML and GEXF not.

An export is read once into temporary files and written in one fixed order, so that two exports of the same graph are
equal byte by byte, from either engine; memory does not grow with the graph. An import of an export yields the same
graph (in csv, integers become floating point if a property has both kinds). GraphML and GEXF are for other programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO

from kg.browser import browser_style
from kg.interchange import admin_csv, cypher_script, gexf, graphml, rdf, rdf_reading
from kg.interchange.elements import LABELS, TYPES, Edge, InterchangeError, Node
from kg.interchange.filling import fill
from kg.interchange.reading import left_out
from kg.interchange.spool import Progress, Spool
from kg.store import GraphStore
from ontology.errors import Message
from ontology.files import open_atomically

__all__ = ["FORMATS", "READABLE", "ExportReport", "ImportReport", "InterchangeError", "browser_style", "export_graph"]
__all__ += ["format_of", "import_graph", "read_elements"]

FORMATS: Mapping[str, str] = MappingProxyType(
    {"turtle": ".ttl", "nt": ".nt", "graphml": ".graphml", "gexf": ".gexf", "csv": "", "cypher": ".cypher"}
)
"""Format -> suffix of its file; csv is a folder."""
_WRITERS: Mapping[str, Callable[[Spool, IO[bytes]], None]] = MappingProxyType(
    {
        "turtle": lambda graph, stream: rdf.write(graph, stream, turtle=True),
        "nt": lambda graph, stream: rdf.write(graph, stream, turtle=False),
        "graphml": graphml.write,
        "gexf": gexf.write,
        "cypher": cypher_script.write,
    }
)
_READERS: Mapping[str, Callable[[Path], Iterator[Node | Edge]]] = MappingProxyType(
    {
        "turtle": lambda path: rdf_reading.read(path, turtle=True),
        "nt": lambda path: rdf_reading.read(path, turtle=False),
        "csv": admin_csv.read,
        "cypher": cypher_script.read,
    }
)
READABLE = tuple(_READERS)
"""Formats that can be imported."""


@dataclass(frozen=True, slots=True)
class _InterchangeReport:
    """Counts of what went through a file."""

    path: str
    format: str
    nodes: int
    relationships: int
    counts: Mapping[str, int]
    """Label or type -> number of nodes or relationships."""


@dataclass(frozen=True, slots=True)
class ExportReport(_InterchangeReport):
    """Counts of an export."""

    left_out: Mapping[str, int]
    """Label or type -> nodes or relationships that are not exported (`kg.interchange.reading.left_out`)."""

    @property
    def notes(self) -> list[Message]:
        """What to say of each entry of ``left_out``."""
        codes = dict.fromkeys((*LABELS, *TYPES), "interchange.export_incomplete")
        return [
            Message(codes.get(name, "interchange.export_left_out"), count=count, name=name)
            for name, count in sorted(self.left_out.items())
        ]


@dataclass(frozen=True, slots=True)
class ImportReport(_InterchangeReport):
    """Counts of an import."""

    skipped: Mapping[str, int]
    """Type -> relationships with a missing end, or to a KNOWN page that was FETCHED."""


def export_graph(
    store: GraphStore, file_format: str, path: str | Path, *, n10s: bool = False, progress: Progress | None = None
) -> ExportReport:
    """Write the graph to a file (csv: a folder) atomically; an older one is replaced.

    Args:
        store: an open graph.
        file_format: one of FORMATS.
        path: the file or folder.
        n10s: write Turtle with the names of neosemantics.
        progress: callback, see `Progress`.

    Raises:
        InterchangeError: the format is unknown, n10s is set with another format than turtle, the path cannot be
            replaced, or the format cannot hold a value.
    """
    path = Path(path)
    if file_format not in FORMATS:
        raise InterchangeError("kg.no_format_known", file_format=file_format, formats=", ".join(FORMATS))
    if n10s and file_format != "turtle":
        raise InterchangeError("kg.n_s_goes_turtle", file_format=file_format)
    if file_format != "csv" and path.is_dir():
        raise InterchangeError(
            "kg.folder_file", path=path, file_format=file_format, example=path / "graph", formats=FORMATS[file_format]
        )
    with Spool() as graph:
        graph.fill(store, progress)
        if file_format == "csv":
            admin_csv.write(graph, path)
        else:
            write = rdf.write_n10s if n10s else _WRITERS[file_format]
            with open_atomically(path) as stream:
                write(graph, stream)
        nodes = sum(graph.counts[label] for label in graph.labels())
        edges = sum(graph.counts[edge_type] for edge_type in graph.types())
        return ExportReport(str(path), file_format, nodes, edges, dict(graph.counts), left_out(store, graph.counts))


def import_graph(
    store: GraphStore, path: str | Path, file_format: str | None = None, *, progress: Progress | None = None
) -> ImportReport:
    """Add the content of an export to the graph; idempotent.

    Args:
        store: an open graph.
        path: the file or folder.
        file_format: one of READABLE; by default inferred from the suffix.
        progress: callback, see `Progress`.

    Raises:
        InterchangeError: the file is not an export; the message names the line or row. Everything before it is in the
            graph then, and the corrected file can be imported again.
    """
    path = Path(path)
    known_format = file_format or format_of(path)
    filled = fill(store, read_elements(path, known_format), progress)
    nodes = sum(filled.counts[label] for label in LABELS)
    return ImportReport(
        str(path), known_format, nodes, filled.counts.total() - nodes, dict(filled.counts), dict(filled.skipped)
    )


def read_elements(path: Path, file_format: str) -> Iterator[Node | Edge]:
    """Yield the nodes and relationships of an export, nodes first.

    Args:
        path: the file or folder.
        file_format: one of READABLE.

    Raises:
        InterchangeError: as in ``import_graph``.
    """
    if file_format in FORMATS and file_format not in _READERS:
        raise InterchangeError(
            "kg.written_other_programs_not", path=path, file_format=file_format, readable=", ".join(READABLE)
        )
    if file_format not in _READERS:
        raise InterchangeError("kg.no_format_known", file_format=file_format, formats=", ".join(FORMATS))
    try:
        yield from _READERS[file_format](path)
    except UnicodeDecodeError as error:
        raise InterchangeError("kg.not_utf_byte", path=path, reason=error.reason, start=error.start) from error


def format_of(path: Path) -> str:
    """Return the format of an export by its suffix; a folder is csv.

    Raises:
        InterchangeError: no format has this suffix.
    """
    if path.is_dir():
        return "csv"
    file_format = next((name for name, suffix in FORMATS.items() if suffix and path.suffix.lower() == suffix), None)
    if file_format is None:
        raise InterchangeError(
            "kg.no_format_suffix_expected", path=path, values=", ".join(s for s in FORMATS.values() if s)
        )
    return file_format
