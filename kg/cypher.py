"""Reading a Cypher statement as far as the store must: is it a query that writes, and which keys does its MERGE need.

Both look at the statement without its comments, strings and quoted names, so a title with "DELETE" in it does no harm.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from kg.store import StoreError

_QUOTED = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|'(?:\\.|[^'\\])*(?:'|\Z)|"(?:\\.|[^"\\])*(?:"|\Z)|`(?:``|[^`])*(?:`|\Z)""", re.DOTALL
)
_ESCAPED = re.compile(r"\\u+([0-9A-Fa-f]{4})")
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_WRITES = frozenset(
    {"CREATE", "INSERT", "MERGE", "DELETE", "DETACH", "SET", "REMOVE", "DROP", "FOREACH", "LOAD", "ALTER"}
    | {"TERMINATE", "GRANT", "REVOKE", "DENY", "RENAME"}  # not undone by a roll-back
)
_BEGINS = frozenset(
    {"MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "CALL", "SHOW", "EXPLAIN", "PROFILE", "CYPHER", "USE", "FINISH"}
)
_READING_PROCEDURES = (
    "db.labels",
    "db.relationshiptypes",
    "db.propertykeys",
    "db.schema.",
    "db.ping",
    "dbms.components",
)
_CALL = re.compile(r"\bCALL\s+(?![({])([A-Za-z_0-9.\s]*)", re.IGNORECASE)
_MERGE = re.compile(
    r"\bMERGE\b(.*?)(?=\b(?:ON|SET|MERGE|MATCH|WITH|RETURN|UNWIND|CALL|FOREACH|CREATE|REMOVE|DELETE)\b|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_VALUE = re.compile(r"(\w+)\s*:\s*(\$?[A-Za-z_]\w*(?:\s*\.\s*\w+)*)\s*(?=[,}])")
_UNWIND = re.compile(r"\bUNWIND\s+\$rows\s+AS\s+(\w+)", re.IGNORECASE)


def bare(statement: str) -> str:
    """The statement with a blank for each comment, and a mark that is no word for each string and quoted name.

    A server reads ``\\u0053ET`` as SET, wherever it stands, so it is read here too.
    """
    text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), statement)
    return _QUOTED.sub(lambda found: " " if found[0][:2] in ("//", "/*") else " ? ", text)


@lru_cache(maxsize=512)
def refusal(statement: str) -> str | None:
    """Why a statement is not a read: the clause that writes, or a beginning that no query has. None for a read."""
    text = bare(statement)
    first = _WORD.search(text)
    if first is None:
        return "it is empty"
    if first[0].upper() not in _BEGINS:
        return f"it begins with {first[0]}"
    for word in _WORD.finditer(text):
        if word[0].upper() in _WRITES and not _is_name(text, word):
            return f"it contains {word[0].upper()}"
    for call in _CALL.finditer(text):
        name = re.sub(r"\s", "", call[1]).lower()
        if not name.startswith(_READING_PROCEDURES):
            return f"it calls the procedure {name or 'with a quoted name'}"
    return None


def _is_name(text: str, word: re.Match[str]) -> bool:
    """Whether a word like a clause's is a property, label, parameter or key: `n.set`, `:Set`, `$set`, `{set: 1}`.

    Behind "|" it is a label too: where it would be a clause, FOREACH stands before it and is found itself.
    After a dot it is a property only behind a name, a bracket or a quoted name; a number may end with a dot.
    """
    before, after = text[: word.start()].rstrip(), text[word.end() :].lstrip()
    if after.startswith(":") or before.endswith(("$", ":", "|", "&", "!")):
        return True
    return bool(re.search(r"(?:[A-Za-z_]\w*|[)\]}?])\s*\.$", before))


@lru_cache(maxsize=512)
def merge_keys(statement: str) -> tuple[tuple[str, str], ...]:
    """What the maps in MERGE patterns take their values from: (key, "row.field") and (key, "$parameter"), in order."""
    text = bare(statement)
    row = _UNWIND.search(text)
    found = []
    for merge in _MERGE.finditer(text):
        for key, value in _VALUE.findall(merge[1]):
            path = re.sub(r"\s", "", value)
            name, _, rest = path.partition(".")
            if row is not None and name == row[1] and rest:
                found.append((key, f"row.{rest}"))
            elif path.startswith("$"):
                found.append((key, path))
    return tuple(dict.fromkeys(found))


def refuse_null_keys(statement: str, rows: Sequence[Mapping[str, Any]], params: Mapping[str, Any]) -> None:
    """Raise StoreError where a MERGE would get null for a key: Neo4j refuses it, the embedded engine makes a node."""
    for key, source in merge_keys(statement):
        if source.startswith("$"):
            if source.partition(".")[0][1:] in params and _at(params, source[1:]) is None:
                raise StoreError(f"MERGE needs a value for the key {key!r}, and the parameter {source} is null")
            continue
        for number, row in enumerate(rows):
            if _at(row, source[4:]) is None:
                raise StoreError(
                    f"MERGE needs a value for the key {key!r}, and row {number} has none at {source[4:]!r}:"
                    f" {str(dict(row))[:200]}"
                )


def _at(values: Mapping[str, Any], path: str) -> Any:
    found: Any = values
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found
