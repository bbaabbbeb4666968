"""Credentials files of Neo4j Aura: NAME=VALUE lines, as in an environment file."""

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
"""Environment variable -> key of the table [graph] of ontocrawl.toml."""
_IGNORED = ("AURA_",)
"""Prefixes of variables that are not used."""


def read(path: Path) -> dict[str, str]:
    """Read a credentials file. Raises UsageError with file and line; the message never shows a value."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the credentials file {path} cannot be read: {_why(error)}") from error
    settings = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        name, equals, value = text.removeprefix("export ").partition("=")
        if not equals:
            raise UsageError(f"{path}, line {number}: expected NAME=VALUE, as in a credentials file of Aura")
        if name.strip().startswith(_IGNORED):
            continue
        if name.strip() not in KEYS:
            raise UsageError(f"{path}, line {number}: {name.strip()!r} is none of {', '.join(KEYS)}")
        settings[KEYS[name.strip()]] = _unquoted(value.strip())
    if "uri" not in settings:
        raise UsageError(f"{path} has no line NEO4J_URI=...: use the file that Aura offers when an instance is created")
    return settings


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value


def _why(error: OSError | UnicodeDecodeError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "it is not UTF-8 text"
