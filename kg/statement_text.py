"""Statements, parameters and addresses as messages and logs show them: short, without passwords."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

_MARK = re.compile(r"// ontocrawl-\w+|/\* ontocrawl-\w+ \*/")
"""The mark of a statement that can be ended (kg/interruption.py)."""


def first_line(statement: str) -> str:
    """Return the first line of a statement, to identify it in messages."""
    return bare_lines(statement).partition("\n")[0].strip()[:120]


def bare_lines(statement: str) -> str:
    """Return a statement without empty lines and comment lines."""
    return "\n".join(line for line in statement.splitlines() if line.strip() and not line.lstrip().startswith("//"))


def sizes(params: Mapping[str, Any]) -> str:
    """Return parameters on one line: short values unchanged, lists and long texts by their length."""
    return ", ".join(f"${name} = {_size(value)}" for name, value in params.items()) or "no parameters"


def _size(value: Any) -> str:
    if isinstance(value, list | tuple | dict) and len(value) > 3:
        return f"{len(value)} {'keys' if isinstance(value, dict) else 'rows'}"
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:97]}... ({len(text)} characters)"


def without_statement(statement: str, message: str) -> str:
    """Return a server's message on one line, without the whole statement that some servers repeat.

    Args:
        statement: the statement.
        message: the message.
    """
    return " ".join(_MARK.sub("", message.replace(statement, first_line(statement))).split())[:400]


def brief(error: Exception) -> str:
    """Return the first line of an error's message, or else its name."""
    return (str(error).splitlines() or [type(error).__name__])[0][:200].rstrip(" :")


def without_password(uri: str) -> str:
    """Return an address without the user and password in it."""
    parts = urlsplit(uri)
    return uri.replace(f"{parts.netloc.rpartition('@')[0]}@", "", 1) if "@" in parts.netloc else uri
