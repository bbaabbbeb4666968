"""Analysis of Cypher statements: whether a statement writes, and which keys its MERGE clauses need.

Both ignore comments, strings and quoted names, so that "DELETE" in a title has no effect. That a read cannot write does
not depend on this analysis, which may read a text in another way than the server: the server itself refuses to write
(kg/bolt.py, decision 26). What is refused here is refused early, and with a message that says what to do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from kg.store import StoreError
from ontology.errors import Message

_QUOTED = re.compile(
    r"""//[^\n\r]*|/\*.*?(?:\*/|\Z)|'(?:\\.|[^'\\])*(?:'|\Z)|"(?:\\.|[^"\\])*(?:"|\Z)|`(?:``|[^`])*(?:`|\Z)""",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\u+([0-9A-Fa-f]{4})")
_LINE_ENDS = re.compile("[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""What some reader of a text may take for the end of a line, besides the line feed."""
_LOAD_CSV = re.compile(
    r"(?<![A-Za-z_])LOAD(?:\s|/\*.*?\*/|//[^\n]*?[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029])+CSV(?!\w)",
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_WRITES = frozenset(
    {"CREATE", "INSERT", "MERGE", "DELETE", "DETACH", "SET", "REMOVE", "DROP", "FOREACH", "LOAD", "ALTER"}
    | {"TERMINATE", "GRANT", "REVOKE", "DENY", "RENAME"}  # not undone by a roll-back
)
_BEGINS = frozenset(
    {"MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "CALL", "SHOW", "EXPLAIN", "PROFILE", "CYPHER", "USE", "FINISH"}
    | {"LET", "FILTER", "WHEN"}  # Cypher 25
)
_COMMANDS = frozenset({"START", "STOP", "ENABLE", "DRYRUN", "DEALLOCATE", "REALLOCATE"})
"""First words of commands to a server."""
_READING_PROCEDURES = frozenset(
    {"db.labels", "db.relationshiptypes", "db.propertykeys", "db.ping", "dbms.components"}
    | {f"db.schema.{name}" for name in ("visualization", "nodetypeproperties", "reltypeproperties")}
    | {f"db.index.fulltext.query{kind}" for kind in ("nodes", "relationships")}
)
_CALL = re.compile(r"\bCALL\b(?!\s*[({])\s*([A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*)?", re.IGNORECASE)
"""A procedure, which may stand without parentheses; behind CALL ( or CALL { is a subquery."""
_MERGE = re.compile(
    r"\bMERGE\b(.*?)(?=\b(?:ON|SET|MERGE|MATCH|WITH|RETURN|UNWIND|CALL|FOREACH|CREATE|REMOVE|DELETE)\b|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_VALUE = re.compile(r"(\w+)\s*:\s*(\$?[A-Za-z_]\w*(?:\s*\.\s*\w+)*)\s*(?=[,}])")
_UNWIND = re.compile(r"\bUNWIND\s+\$rows\s+AS\s+(\w+)", re.IGNORECASE)


def bare(statement: str) -> str:
    r"""Replace each comment of a statement by a blank, and each string and quoted name by a mark that is no word.

    A server reads ``\u0053ET`` as SET in any position, so such escapes are decoded first.

    >>> bare("MATCH (n {title: 'DELETE'}) RETURN n // all")
    'MATCH (n {title:  ? }) RETURN n  '
    """
    return _bare(_unescaped(statement))


def _unescaped(statement: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), statement)


def _bare(text: str) -> str:
    return _QUOTED.sub(lambda match: " " if match[0][:2] in ("//", "/*") else " ? ", text)


_PARAMETER = re.compile(rf"\$(?:(\w+)|`((?:``|[^`])*)`)|{_QUOTED.pattern}", re.DOTALL)


def parameters_of(statement: str) -> list[str]:
    """Return the names of the parameters of a statement, each once, in the order in which it has them.

    >>> parameters_of("MATCH (n {title: '$0', url: $url}) WHERE n.step = $`first step` RETURN n")
    ['url', 'first step']
    """
    found = _PARAMETER.finditer(_unescaped(statement))
    return list(dict.fromkeys(one[1] or one[2].replace("``", "`") for one in found if one[0].startswith("$")))


_SEPARATOR = re.compile(f"(;)|{_QUOTED.pattern}", re.DOTALL)


def statements(text: str) -> list[str]:
    """Return the statements of a text, which semicolons part; what has comments only is none.

    >>> statements("RETURN ';' AS x; // all")
    ["RETURN ';' AS x"]
    """
    ends = [one.start() for one in _SEPARATOR.finditer(text) if one[1]]
    parts = [text[begin:end].strip() for begin, end in zip([0, *(end + 1 for end in ends)], [*ends, None], strict=True)]
    return [part for part in parts if bare(part).strip()]


_PLAN = re.compile(r"(?:\s|//[^\n]*\n|/\*.*?\*/)*(EXPLAIN|PROFILE)\b\s*(.*)", re.IGNORECASE | re.DOTALL)


def plan_first(statement: str) -> str:
    r"""Return a statement of EXPLAIN or PROFILE as the embedded engine wants it: first this word, then a blank.

    >>> plan_first("// pages\nEXPLAIN\nMATCH (n) RETURN n"), plan_first("/* all */ RETURN 1 AS x")
    ('EXPLAIN MATCH (n) RETURN n', '/* all */ RETURN 1 AS x')
    """
    found = _PLAN.fullmatch(statement)
    return statement if found is None else f"{found[1]} {found[2]}"


def syntax_error(statement: str) -> str | None:
    """Return why a text is no Cypher statement, if its first word shows that; None for all others.

    >>> syntax_error("MACTH (n) RETURN n")
    'it begins with MACTH; did you mean MATCH?'
    >>> syntax_error("MATCH (n) RETURN n"), syntax_error("create (n)")
    (None, None)
    """
    first = _WORD.search(bare(statement))
    if first is None:
        return Message("kg.cypher_no_clause")
    word, known = first[0].upper(), sorted(_BEGINS | _WRITES | _COMMANDS)
    if word in known:
        return None
    near = get_close_matches(word, known, n=1)
    if near:
        return Message("kg.cypher_begins_near", first=first[0], near=near[0])
    return Message("kg.cypher_begins_unknown", first=first[0])


@lru_cache(maxsize=512)
def refusal(statement: str) -> str | None:
    r"""Return why a statement is no read: its writing clause, or a first word that no query has; None for a read.

    Servers differ in where an escape counts and what ends a line: what is no read for one of them is refused.

    >>> refusal("MATCH (n:Page) RETURN n.url")
    >>> refusal("MATCH (n:Page) SET n.url = '' RETURN n"), refusal("LIST n")
    ('it contains SET', 'it begins with LIST')
    >>> refusal("UNWIND [1] AS x //\rCALL { CREATE (:Page) } IN TRANSACTIONS\nRETURN x")
    'it contains CREATE'
    """
    for text in dict.fromkeys((_unescaped(statement), statement)):
        for lines in dict.fromkeys((text, _LINE_ENDS.sub("\n", text))):
            reason = _refusal(_bare(lines))
            if reason is not None:
                return reason
        # No write, but it asks another server: refused wherever it stands, even in a string.
        if _LOAD_CSV.search(text):
            return Message("kg.cypher_load_csv")
    return None


def _refusal(text: str) -> str | None:
    """Return why a statement without comments, strings and quoted names is no read; None for a read."""
    first = _WORD.search(text)
    if first is None:
        return Message("kg.cypher_is_empty")
    if first[0].upper() not in _BEGINS:
        return Message("kg.cypher_begins", first=first[0])
    for word in _WORD.finditer(text):
        if word[0].upper() in _WRITES and not _is_name(text, word):
            return Message("kg.cypher_contains", upper=word[0].upper())
    for call in _CALL.finditer(text):
        name = re.sub(r"\s", "", call[1] or "").lower()
        if name not in _READING_PROCEDURES and not _is_name(text, call):
            return Message("kg.cypher_calls", name=name or "with a quoted name")
    return None


def _is_name(text: str, word: re.Match[str]) -> bool:
    """Return whether a word like a clause's is a name: `n.set`, `:Set`, `$set`, `{set: 1}`.

    Behind "|" it is a label too: if it were a clause, the FOREACH before it would be found. After a dot it is a
    property only behind a name, a bracket or a quoted name, or at the head of a part of a map; a number may end with a
    dot.
    """
    before, after = text[: word.start()].rstrip(), text[word.end() :].lstrip()
    if after.startswith(":") or before.endswith(("$", ":", "|", "&", "!")):
        return True
    return bool(re.search(r"(?:[A-Za-z_]\w*|[)\]}?{,])\s*\.$", before))


@lru_cache(maxsize=512)
def merge_keys(statement: str) -> tuple[tuple[str, str], ...]:
    """Return the sources of the values in MERGE patterns: (key, "row.field") and (key, "$parameter"), in order.

    >>> merge_keys("UNWIND $rows AS row MERGE (p:Page {url: row.url}) MERGE (c:Crawl {id: $crawl})")
    (('url', 'row.url'), ('id', '$crawl'))
    """
    text = bare(statement)
    row = _UNWIND.search(text)
    sources = []
    for merge in _MERGE.finditer(text):
        for key, value in _VALUE.findall(merge[1]):
            path = re.sub(r"\s", "", value)
            name, _, rest = path.partition(".")
            if row is not None and name == row[1] and rest:
                sources.append((key, f"row.{rest}"))
            elif path.startswith("$"):
                sources.append((key, path))
    return tuple(dict.fromkeys(sources))


def refuse_null_keys(statement: str, rows: Sequence[Mapping[str, Any]], params: Mapping[str, Any]) -> None:
    """Check that no MERGE gets null for a key: Neo4j refuses it, the embedded engine would create a node.

    Args:
        statement: a writing statement.
        rows: its batch ``$rows``.
        params: its other parameters.

    Raises:
        StoreError: a key is null; the message names the key and the row or parameter.
    """
    for key, source in merge_keys(statement):
        if source.startswith("$"):
            if source.partition(".")[0][1:] in params and _value_at(params, source[1:]) is None:
                raise StoreError("kg.merge_needs_value_key", key=key, source=source)
            continue
        for number, row in enumerate(rows):
            if _value_at(row, source[4:]) is None:
                raise StoreError(
                    "kg.merge_needs_value_key_row_none",
                    key=key,
                    number=number,
                    source=source[4:],
                    dict=str(dict(row))[:200],
                )


def _value_at(values: Mapping[str, Any], path: str) -> Any:
    value: Any = values
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
