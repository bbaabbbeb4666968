"""The whole graph as a file: Turtle, N-Triples, CSV, a Cypher script, which are read back, and GraphML and GEXF.

An export is read once into temporary files and written in one fixed order, so that two exports of the same graph are
equal byte by byte, from either engine; memory does not grow with the graph. An import of an export gives the same
graph (in csv, numbers become floating point where a property has both kinds). GraphML and GEXF are for other programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import IO

from kg.interchange import admin_csv, cypher_script, gexf, graphml, rdf, rdf_reading
from kg.interchange.elements import LABELS, Edge, InterchangeError, Node
from kg.interchange.filling import fill
from kg.interchange.reading import left_out
from kg.interchange.spool import Progress, Spool
from kg.store import GraphStore
from ontology.files import open_atomically

__all__ = ["FORMATS", "READABLE", "ExportReport", "ImportReport", "InterchangeError", "browser_style", "export_graph"]
__all__ += ["format_of", "import_graph", "read_elements"]

FORMATS: Mapping[str, str] = MappingProxyType(
    {"turtle": ".ttl", "nt": ".nt", "graphml": ".graphml", "gexf": ".gexf", "csv": "", "cypher": ".cypher"}
)
"""Format -> the suffix of its file; csv is a folder."""
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
"""Formats that an import reads."""


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export wrote."""

    path: str
    format: str
    nodes: int
    relationships: int
    counts: Mapping[str, int]
    """Label or type -> how many."""
    left_out: Mapping[str, int]
    """Labels and types in the graph that are not ours, which an export does not carry."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import wrote."""

    path: str
    format: str
    nodes: int
    relationships: int
    counts: Mapping[str, int]
    skipped: Mapping[str, int]
    """Type -> relationships with an end that neither the file nor the graph has, or a page KNOWN that was FETCHED."""


def export_graph(
    store: GraphStore, file_format: str, path: str | Path, *, n10s: bool = False, progress: Progress | None = None
) -> ExportReport:
    """Write the graph to a file (csv: a folder), whole or not at all; an older one is replaced.

    ``n10s`` writes Turtle in the names of neosemantics. Raises InterchangeError for an unknown format, for n10s with
    another format than turtle, for a path that cannot be replaced, and for values that the format cannot hold.
    """
    path = Path(path)
    if file_format not in FORMATS:
        raise InterchangeError(f"no format {file_format!r}; known: {', '.join(FORMATS)}")
    if n10s and file_format != "turtle":
        raise InterchangeError(
            f"n10s goes with turtle, which neosemantics reads as Turtle-star, not with {file_format}"
        )
    if file_format != "csv" and path.is_dir():
        raise InterchangeError(
            f"{path} is a folder; {file_format} is one file, as in {path / 'graph'}{FORMATS[file_format]}"
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
        return ExportReport(str(path), file_format, nodes, edges, dict(graph.counts), left_out(store))


def import_graph(
    store: GraphStore, path: str | Path, file_format: str | None = None, *, progress: Progress | None = None
) -> ImportReport:
    """Write what an export holds into the graph, beside what is there; doing it twice is doing it once.

    The format is told by the suffix where it is not given. Raises InterchangeError, with the line or row, for a file
    that is no export; what stood before that line is in the graph then, and the same file mended may be imported again.
    """
    path = Path(path)
    found = file_format or format_of(path)
    filled = fill(store, read_elements(path, found), progress)
    nodes = sum(filled.counts[label] for label in LABELS)
    return ImportReport(
        str(path), found, nodes, filled.counts.total() - nodes, dict(filled.counts), dict(filled.skipped)
    )


def read_elements(path: Path, file_format: str) -> Iterator[Node | Edge]:
    """The nodes and relationships of an export, nodes first. Raises InterchangeError as ``import_graph``."""
    if file_format in FORMATS and file_format not in _READERS:
        raise InterchangeError(
            f"{path}: {file_format} is written for other programs and not read back; "
            f"export the graph as one of {', '.join(READABLE)}"
        )
    if file_format not in _READERS:
        raise InterchangeError(f"no format {file_format!r}; known: {', '.join(FORMATS)}")
    try:
        yield from _READERS[file_format](path)
    except UnicodeDecodeError as error:
        raise InterchangeError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from error


def format_of(path: Path) -> str:
    """The format of an export by its suffix; a folder is csv. Raises InterchangeError where it tells none."""
    if path.is_dir():
        return "csv"
    found = next((name for name, suffix in FORMATS.items() if suffix and path.suffix.lower() == suffix), None)
    if found is None:
        raise InterchangeError(
            f"{path}: the suffix tells no format; expected {', '.join(s for s in FORMATS.values() if s)}, or --format"
        )
    return found


def browser_style() -> str:
    """A style for Neo4j Browser: colours and captions of labels and types; drop the file on its window."""
    return (resources.files("kg") / "data" / "ontocrawl.grass").read_text(encoding="utf-8")
