"""Queries that a workspace keeps: those of its user, files in the format of the library, and those asked last.

A query of the user's is ``queries/NAME.cypher`` of the workspace, and is called ``own/NAME``. It is a Cypher statement
that reads; a header (queries/header.py) says more of it, as far as it has one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any
from unicodedata import normalize

import queries
from kg.cypher import parameters_of
from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.graph import graph_store
from ontocrawl.graph.tables import Table
from ontology import files
from ontology.errors import Message, OntocrawlError, closest
from queries import HeaderError, Parameter, Query, UnknownQueryError

OWN = "own/"
"""Beginning of the names of the user's queries."""
LONGEST = 20_000
"""Characters of a statement and its parameters that is kept."""
ASKED = 100
"""Queries asked last that are kept."""
_NAME = re.compile(r"(?!(?:con|prn|aux|nul|com[1-9]|lpt[1-9])$)\w[\w-]{0,59}", re.IGNORECASE)
"""Names that are files on all systems."""
_KINDS = ((bool, "flag"), (int, "integer"), (float, "number"), (str, "text"), (list, "list"))
"""Type of a value of JSON -> type of a parameter; a flag is an integer too."""
_USER = re.compile(r"(?<=://)[^/\s'\"@]*@")
"""User name and password of a URL, which a crawl does not send."""
_SECRET = re.compile(r"passw|secret|token|credential|api_?key|cookie|authorization", re.IGNORECASE)
_LOCK = Lock()


class NameTakenError(UsageError):
    """A name that a query of the user's has already."""


def find(space: Workspace, name: str) -> Query:
    """Return a query of the library or of the user's.

    Args:
        space: the workspace with the user's queries.
        name: its name.

    Raises:
        UnknownQueryError: there is no such query.
        HeaderError: a file of the user's cannot be read.
    """
    if not name.startswith(OWN):
        return queries.get(name)
    return _read(_existing(space, name))


def for_users(space: Workspace, name: str) -> Query:
    """Return a query as `find`, but no statement of the package kg."""
    return find(space, name) if name.startswith(OWN) else queries.for_users(name)


def own(space: Workspace) -> tuple[list[Query], list[OntocrawlError]]:
    """Return the user's queries by name, and an error for each file that is none."""
    found, errors = [], []
    for path in _files(space):
        try:
            found.append(_read(path))
        except OntocrawlError as error:
            errors.append(error)
    return found, errors


def run(graph: GraphStore, query: Query, given: Mapping[str, Any]) -> Table:
    """Return the rows of a query of the user's: those of its statement with these parameters, as they are.

    Raises:
        QueryError, UsageError, StoreError: invalid parameters, or a statement that writes or that the graph rejects.
    """
    used, values = parameters_of(query.text), query.bind(given)
    table = graph_store.cypher(graph, query.text, {name: values[name] for name in used})
    return replace(table, title=query.title, types=query.types)


def save(
    space: Workspace, name: str, statement: str, parameters: Mapping[str, Any], *, replaces: bool = False
) -> Query:
    """Keep a Cypher statement as a query of the user's.

    Args:
        space: the workspace.
        name: its name, without ``own/``; blanks in it become ``-``.
        statement: the statement, which reads.
        parameters: values of its ``$parameters``, which become their defaults.
        replaces: whether it may replace a query of this name.

    Returns:
        The query.

    Raises:
        NameTakenError: there is a query of this name already.
        UsageError: an invalid name, statement or value.
    """
    text = graph_store.checked(statement, parameters)
    path = _path(space, name)
    for one in parameters:
        if one == "lang" or not re.fullmatch(r"[^\W_]\w*", one):  # those with _ are of the page, in an address
            raise UsageError("graph.cypher_reserved", name=one, hint="")
    head = [_titled(name)]
    head += [_declared(one, parameters[one]) for one in parameters_of(text)]
    content = "\n".join([*head, "", text, ""])
    if len(content) > LONGEST:
        raise UsageError("graph.own_long", most=LONGEST)
    query = _parsed(path, content)
    for one, value in query.bind().items():
        if value != parameters[one]:
            raise UsageError("graph.own_value", name=one)
    with _LOCK:
        if (there := _found(space, path.stem)) is not None and not replaces:
            raise NameTakenError("graph.own_exists", name=there.stem)
        files.write_atomically(there or path, content.encode())
    return query


def rename(space: Workspace, name: str, to: str) -> Query:
    """Give a query of the user's another name.

    Args:
        space: the workspace.
        name: its name.
        to: the new name, as of `save`.

    Returns:
        The query.

    Raises:
        UnknownQueryError: there is no such query.
        NameTakenError: the new name is that of another query.
        UsageError: it is invalid.
    """
    with _LOCK:
        old, new = _existing(space, name), _path(space, to)
        if (there := _found(space, new.stem)) not in (None, old):
            raise NameTakenError("graph.own_exists", name=new.stem)
        text = files.read_text(old, HeaderError)
        if text.startswith("// title:"):
            text = "\n".join([_titled(to), *text.split("\n")[1:]])
        files.write_atomically(new, text.encode())
        if not there or not new.samefile(old):
            old.unlink()
    return _read(new)


def delete(space: Workspace, name: str) -> None:
    """Remove the file of a query of the user's. Raises UnknownQueryError where there is none."""
    with _LOCK:
        _existing(space, name).unlink()


def _path(space: Workspace, name: str) -> Path:
    """Return the file of a new query of the user's. Raises UsageError for an invalid name."""
    plain = "-".join(normalize("NFC", name.removeprefix(OWN)).split())
    if not _NAME.fullmatch(plain):
        raise UsageError("graph.own_name", name=name[:100])
    return space.queries / f"{plain}.cypher"


def _titled(name: str) -> str:
    return f"// title: {' '.join(name.removeprefix(OWN).split())}"


def _found(space: Workspace, stem: str) -> Path | None:
    """Return the file of a name, in letters of any case, as some systems have it."""
    return next((path for path in _files(space) if _key(path.stem) == _key(stem)), None)


def _existing(space: Workspace, name: str) -> Path:
    """Return the file of a query of the user's. Raises UnknownQueryError where there is none."""
    path = _found(space, name.removeprefix(OWN))
    if path is None:
        known = [f"{OWN}{one.stem}" for one in _files(space)]
        raise UnknownQueryError("queries.no_query", name=name, nearest=closest(name, known, Message("hints.queries")))
    return path


def _key(stem: str) -> str:
    return normalize("NFC", stem).casefold()


def _files(space: Workspace) -> list[Path]:
    return sorted(path for path in space.queries.glob("*.cypher") if _NAME.fullmatch(path.stem))


def _read(path: Path) -> Query:
    return _parsed(path, files.read_text(path, HeaderError))


def _parsed(path: Path, text: str) -> Query:
    """Parse the file of a user's query; a parameter that its header lacks is a text, and required."""
    query = queries.parse(f"{OWN}{path.stem}", text, own=True)
    declared = {parameter.name for parameter in query.parameters}
    lacking = [name for name in parameters_of(text) if name not in declared]
    more = tuple(Parameter(name, "text", None, True, "") for name in lacking)
    return replace(query, parameters=(*query.parameters, *more))


def _declared(name: str, value: Any) -> str:
    r"""Return the line of a header for a parameter with a default, which has no blanks.

    >>> _declared("words", ["heavy rain", "洪水"])
    '// param: words list ["heavy\\u0020rain","洪水"]'
    """
    kind = next((kind for of, kind in _KINDS if isinstance(value, of)), "")
    if not kind:
        raise UsageError("graph.own_value", name=name)
    shown = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"// param: {name} {kind} " + re.sub(r"\s", lambda blank: f"\\u{ord(blank[0]):04x}", shown)


# ---- what was asked last, the newest first, as far as it has no secrets


def asked(space: Workspace) -> list[dict[str, Any]]:
    """Return what was asked last: ``at``, ``query`` or ``statement``, and ``parameters``.

    Raises:
        UsageError: the file is damaged.
    """
    path = _history(space)
    try:
        return [dict(json.loads(line)) for line in reversed(path.read_text("utf-8").split("\n")) if line]
    except FileNotFoundError:
        return []
    except (ValueError, TypeError) as error:
        raise UsageError("graph.history_damaged", path=path) from error


def note(space: Workspace, at: str, query: str, statement: str, parameters: Mapping[str, Any]) -> None:
    """Note a query that was asked; what was asked before in the same way is moved to the top.

    User names and passwords of URLs are left out. A query with a parameter whose name is that of a secret is not noted,
    nor one that is very long.

    Args:
        space: the workspace.
        at: the time.
        query: name of a query of the library or the user's; empty for a statement.
        statement: the statement; empty for a query with a name.
        parameters: the parameters that were given.
    """
    what = {"query": query} if query else {"statement": statement}
    line = _USER.sub("", json.dumps({**what, "parameters": dict(parameters)}, ensure_ascii=False))
    if len(line) > LONGEST or any(_SECRET.search(name) for name in parameters):
        return
    new = json.loads(line)
    with _LOCK:
        before = [one for one in asked(space) if {**one, "at": ""} != {"at": "", **new}]
        kept = [{"at": at, **new}, *before][:ASKED]
        text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in reversed(kept))
        files.write_atomically(_history(space), text.encode())


def forget(space: Workspace) -> None:
    """Forget what was asked."""
    _history(space).unlink(missing_ok=True)


def _history(space: Workspace) -> Path:
    return space.queries / "history.jsonl"
