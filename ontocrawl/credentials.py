"""The credentials file that Neo4j Aura gives for download: NAME=VALUE lines, as in an environment file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ontocrawl.errors import UsageError

KEYS: Mapping[str, str] = {
    "NEO4J_URI": "uri",
    "NEO4J_USERNAME": "username",
    "NEO4J_PASSWORD": "password",
    "NEO4J_DATABASE": "database",
}
"""Name of a variable -> key of the table [graph] of ontocrawl.toml."""
_BESIDE = ("AURA_",)


def read(path: Path) -> dict[str, str]:
    """The settings of a credentials file. Raises UsageError naming file and line; values are never shown."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the credentials file {path} cannot be read: {_why(error)}") from error
    found = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        name, equals, value = text.removeprefix("export ").partition("=")
        if not equals:
            raise UsageError(f"{path}, line {number}: expected NAME=VALUE as in the file that Aura gives")
        if name.strip().startswith(_BESIDE):
            continue
        if name.strip() not in KEYS:
            raise UsageError(f"{path}, line {number}: {name.strip()!r} is none of {', '.join(KEYS)}")
        found[KEYS[name.strip()]] = _unquoted(value.strip())
    if "uri" not in found:
        raise UsageError(f"{path} has no line NEO4J_URI=...: give the file that Aura offers when an instance is made")
    return found


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value


def _why(error: OSError | UnicodeDecodeError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "it is not UTF-8 text"
