"""SPARQL queries over the graph or over files that it was exported to, and a few library queries in SPARQL.

    result = sparql(store, "SELECT ?url WHERE { ?p a og:Page ; og:url ?url } LIMIT 5")
    result = sparql("crawl.ttl", get("sparql/hosts_that_pay").text, {"crawl": "", "least": 1, "limit": 20})

kg/interchange/rdf.py documents the RDF form of the graph. ``$name`` is a parameter: it is replaced by a literal, so
that a value cannot become a clause. Prefixes og, rdf, rdfs, xsd, owl, skos and dcterms are predefined.
"""

from __future__ import annotations

import difflib
import logging
import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Any

import queries
from kg import kept_export
from kg.interchange import rdf, rdf_terms
from kg.interchange.spool import Spool
from kg.interruption import Outcome, StatementInterrupted, timed_out
from kg.kept_export import KeptExport
from kg.store import GraphStore, Row
from ontology.errors import Message, OntocrawlError, closest
from ontology.extras import require
from queries import Query

PREFIXES: Mapping[str, str] = MappingProxyType(rdf.PREFIXES)
_SUFFIXES = {".ttl": "TURTLE", ".nt": "N_TRIPLES", ".rdf": "RDF_XML", ".owl": "RDF_XML", ".jsonld": "JSON_LD"}
_PARAMETER = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\''
    r'|<[^<>"{}|^`\\\x00-\x20]*>|#[^\n\r]*|\$(\w+)',
    re.DOTALL,
)
_NAME = re.compile(r"[A-Za-z_]+(?:/[A-Za-z_]+)?")
_SERVICE = re.compile(r"(?<![:?$@\w-])SERVICE", re.IGNORECASE)
_NAMED_GRAPH = re.compile(r"(?<![:?$@\w-])(FROM|GRAPH)\s", re.IGNORECASE)
_KEYWORD = re.compile("service", re.IGNORECASE)
_UPDATE = re.compile(
    r"(?:\s|\?|PREFIX\s+[^\s:]*:|BASE\b)*(?:INSERT|DELETE|LOAD|CLEAR|DROP|CREATE|ADD|MOVE|COPY|WITH)\b", re.IGNORECASE
)
_LONGEST_MESSAGE = 120
"""Characters of the parser's message: behind them it lists what its grammar allows."""
_INTEGERS = frozenset(f"{rdf_terms.XSD}{name}" for name in ("integer", "int", "long", "short", "nonNegativeInteger"))
_log = logging.getLogger("kg.sparql")
_NUMBERS = frozenset(f"{rdf_terms.XSD}{name}" for name in ("decimal", "double", "float"))


class SparqlError(OntocrawlError, ValueError):
    """A query that is not SPARQL, a parameter without a value, or a file that is not RDF."""


@dataclass(frozen=True, slots=True)
class SparqlResult:
    """The rows of a query; for ASK, one row with the column ``answer``; for CONSTRUCT, the triples."""

    columns: tuple[str, ...]
    rows: list[Row]
    """Column -> text, number or boolean; an IRI is text; None for an unbound variable."""


def refuse_service(query: str) -> None:
    """Check that a query has no SERVICE clause, which would be sent to another server.

    Raises:
        SparqlError: it has one.
    """
    if _SERVICE.search(_PARAMETER.sub(" ? ", query)):
        raise SparqlError("kg.sparql_service")


def _refuse_named_graphs(query: str) -> None:
    """Check that a query asks for no named graph: there is none, and it would have no rows."""
    if clause := _NAMED_GRAPH.search(_PARAMETER.sub(" ? ", query)):
        raise SparqlError("kg.sparql_named_graph", clause=clause[1].upper())


def sparql(
    source: GraphStore | str | Path | Iterable[str | Path],
    query: str,
    parameters: Mapping[str, Any] | None = None,
    *,
    kept: Path | None = None,
    fresh: bool = False,
    seconds: float | None = None,
) -> SparqlResult:
    """Run a SPARQL 1.1 query over a graph, which is exported for it, or over RDF files (.ttl .nt .rdf .owl ..).

    The query runs in this process. After Ctrl-C or its time limit it ends at its next row, or with the process.

    Args:
        source: an open graph, a file, or several files.
        query: the query; may contain ``$name`` parameters.
        parameters: name -> value.
        kept: folder in which the export of the graph is kept for the next query (`kg.kept_export`); None: it is not.
        fresh: export the graph anew even if it has not changed.
        seconds: time limit of the query itself, without that of the export.

    Raises:
        SparqlError: the query or a file cannot be parsed, a parameter has no value, or the query asks for another
            server or for a named graph.
        StatementTimeout: the time is over.
        OSError: a file cannot be read.
        MissingExtra: pyoxigraph is not installed.
    """
    ox = require("pyoxigraph", "owl", "SPARQL")
    text = with_values(query, parameters or {})
    refuse_service(text)
    if isinstance(source, str | Path):
        return _evaluated(ox, _loaded(ox, [source]), text, seconds)
    if isinstance(source, Iterable):
        return _evaluated(ox, _loaded(ox, source), text, seconds)
    if kept is None:
        with Spool() as graph:
            graph.fill(source)
            loaded = kept_export.write(ox, ox.Store(), graph, rdf.Names.of(graph))
        return _evaluated(ox, loaded, text, seconds)
    return _on_kept(ox, source, text, KeptExport(kept), fresh, seconds)


def _on_kept(
    ox: Any, store: GraphStore, text: str, export: KeptExport, fresh: bool, seconds: float | None
) -> SparqlResult:
    try:
        with export.open(store, fresh=fresh) as loaded:
            return _evaluated(ox, loaded, text, seconds)
    except OSError as error:
        _log.warning("the kept export cannot be read and is written anew: %s", error)
        export.discard()
    with export.open(store, fresh=True) as loaded:
        return _evaluated(ox, loaded, text, seconds)


def _evaluated(ox: Any, loaded: Any, text: str, seconds: float | None) -> SparqlResult:
    """Return the result of a query, which is evaluated in another thread, so that Ctrl-C is noticed meanwhile."""
    started, stop = time.monotonic(), threading.Event()
    outcome: Outcome[SparqlResult] = Outcome()
    try:
        outcome.start(lambda: _result(ox, loaded, text, stop))
        if outcome.wait(seconds):
            result = outcome.result()
            _refuse_named_graphs(text)
            return result
    except KeyboardInterrupt as interrupt:
        how = f"the query was cancelled, {time.monotonic() - started:.1f} s after its start; it ran in this process"
        raise StatementInterrupted(how, ended=True) from interrupt
    finally:
        stop.set()
    raise timed_out(seconds)


def _loaded(ox: Any, paths: Iterable[str | Path]) -> Any:
    """Return a store in memory with the content of files."""
    loaded = ox.Store()
    for path in paths:
        _load(ox, loaded, Path(path))
    return loaded


def _load(ox: Any, loaded: Any, path: Path) -> None:
    name = _SUFFIXES.get(path.suffix.lower())
    if name is None:
        raise SparqlError("kg.no_rdf_format_suffix", path=path, suffixes=", ".join(_SUFFIXES))
    with path.open("rb") as stream:
        try:
            loaded.bulk_load(stream, format=getattr(ox.RdfFormat, name), base_iri=path.absolute().as_uri())
        except SyntaxError as error:
            raise SparqlError("kg.line_not_rdf", path=path, lineno=error.lineno, msg=error.msg) from error


def with_values(query: str, parameters: Mapping[str, Any]) -> str:
    """Replace each ``$name`` outside strings, IRIs and comments by a literal.

    Args:
        query: a SPARQL query.
        parameters: name -> value.

    Raises:
        SparqlError: a name has no value.

    >>> with_values("SELECT ?p { ?p og:host $host } LIMIT $n", {"host": "a.cn", "n": 5})
    'SELECT ?p { ?p og:host "a.cn" } LIMIT 5'
    """

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name is None:
            return match[0]
        if name not in parameters:
            near = difflib.get_close_matches(name, parameters, n=1, cutoff=0.5)
            hint = Message("kg.parameter_near", near=near[0]) if near else Message("kg.sparql_variable", name=name)
            raise SparqlError("kg.sparql_parameter", name=name, hint=hint)
        quoted, datatype = rdf_terms.literal(parameters[name])
        if datatype == f"{rdf_terms.XSD}integer":
            return quoted.strip('"')  # LIMIT takes no other form
        return f"{quoted}^^<{datatype}>" if datatype else quoted

    return _PARAMETER.sub(value, query)


def without_keyword(text: str) -> str:
    r"""Escape the first letter of each ``service`` in a query, so that the library, whatever it reads there, sees none.

    pyoxigraph has a network client, which only a SERVICE clause uses. It decodes ``\\u0053`` in strings and IRIs, where
    the text stays the same, and nowhere else: a clause becomes a syntax error (decision 26).

    >>> print(without_keyword('SELECT * { SERVICE <http://a.cn/> { ?s ?p "service" } }'))
    SELECT * { \u0053ERVICE <http://a.cn/> { ?s ?p "\u0073ervice" } }
    """
    return _KEYWORD.sub(lambda match: f"\\u{ord(match[0][0]):04X}{match[0][1:]}", text)


def _result(ox: Any, loaded: Any, text: str, stop: threading.Event) -> SparqlResult:
    sent = without_keyword(text)
    try:
        solutions = loaded.query(sent, prefixes=dict(PREFIXES))
        if isinstance(solutions, ox.QueryBoolean):
            return SparqlResult(("answer",), [{"answer": bool(solutions)}])
        if isinstance(solutions, ox.QueryTriples):
            columns: tuple[str, ...] = ("subject", "predicate", "object")
            rows = ((getattr(triple, name) for name in columns) for triple in solutions)
        else:
            columns = tuple(variable.value for variable in solutions.variables)
            rows = ((row[name] for name in columns) for row in solutions)
        unstopped = takewhile(lambda _: not stop.is_set(), rows)
        return SparqlResult(columns, [dict(zip(columns, map(_plain, row), strict=True)) for row in unstopped])
    except SyntaxError as error:
        raise SparqlError(
            "kg.sparql_not", msg=" ".join(error.msg.split())[:_LONGEST_MESSAGE], hint=_hint(text, error.msg)
        ) from error
    except (RuntimeError, ValueError) as error:  # what evaluation refuses
        raise SparqlError("kg.sparql_unanswered", error=error) from error


def _hint(text: str, said: str) -> str:
    """Return what to do about a text that the parser refuses, where that is known."""
    outside = _PARAMETER.sub(" ? ", text)
    if _UPDATE.match(outside):
        return Message("kg.sparql_update")
    if "Prefix not found" in said:
        return Message("kg.sparql_prefix", known=", ".join(PREFIXES))
    return Message("kg.sparql_service_letters") if _KEYWORD.search(outside) else ""


def _plain(term: Any) -> Any:
    if term is None:
        return None
    kind = type(term).__name__
    if kind != "Literal":
        return term.value if kind == "NamedNode" else str(term)
    datatype = term.datatype.value
    if datatype in _INTEGERS:
        return int(term.value)
    if datatype in _NUMBERS:
        return float(term.value)
    if datatype == f"{rdf_terms.XSD}boolean":
        return term.value in ("true", "1")
    return term.value


def text_of(what: str) -> str:
    """Return the text of a query; ``what`` and the errors are those of ``named``."""
    return get(what).text if _NAME.fullmatch(what) else what


def named(what: str, given: Mapping[str, Any]) -> tuple[str, dict[str, Any], str]:
    """Return the text of a query, all its parameters and its title.

    Args:
        what: a query, or the name of one of the library.
        given: name -> value.

    Raises:
        SparqlError: no query has this name.
        QueryError: the parameters are not those of a query of the library.
    """
    if not _NAME.fullmatch(what):
        return what, dict(given), ""
    query = get(what)
    return query.text, query.bind(given), query.title


# ---- the library ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SparqlQuery:
    """A library query in SPARQL; ``query`` has its header and text, as a Cypher one has."""

    query: Query
    cypher: str
    """Name of the equivalent Cypher query."""


def library() -> Mapping[str, SparqlQuery]:
    """Return name (``sparql/..``) -> query, by name; the files are queries/sparql/*.rq."""
    return _library()


def get(name: str) -> Query:
    """Return the query of a name; raise SparqlError, which suggests the nearest one, if there is none."""
    entry = _library().get(name if name.startswith("sparql/") else f"sparql/{name}")
    if entry is None:
        hint = closest(name, _library(), Message("hints.known", names=", ".join(_library())))
        raise SparqlError("kg.no_sparql_query", name=name, hint=hint)
    return entry.query


def parse(name: str, text: str) -> SparqlQuery:
    """Parse a query file: the header of queries/header.py after #, and ``# cypher:`` with the equivalent Cypher query.

    Args:
        name: name of the query.
        text: content of the file.

    Raises:
        QueryError: the header is incomplete.
    """
    lines = list(_header(text))
    cypher = [line.removeprefix("cypher:").strip() for line in lines if line.startswith("cypher:")]
    if len(cypher) != 1:
        raise queries.QueryError("kg.query_expected_header_line", name=name, n_cypher=len(cypher))
    header = "".join(f"// {line}\n" for line in lines if not line.startswith("cypher:"))
    return SparqlQuery(replace(queries.parse(name, header), text=text), cypher[0])


def _header(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if not line.startswith("#"):
            return
        yield line.removeprefix("#").strip()


@cache
def _library() -> Mapping[str, SparqlQuery]:
    folder = resources.files("queries") / "sparql"
    files = {f"sparql/{file.name.removesuffix('.rq')}": file for file in folder.iterdir() if file.name.endswith(".rq")}
    return MappingProxyType({name: parse(name, files[name].read_text(encoding="utf-8")) for name in sorted(files)})
