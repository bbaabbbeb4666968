r"""Text of others made safe to print: for a terminal or a log, for a cell of a spreadsheet, and as JSON.

Titles, anchors, URLs and messages of servers come from anyone. Printed as they are, they could move the cursor, clear
the screen, hide a part of a line, reverse its order, begin a line of their own in a log, or be run as a formula.

* Escape sequences (colours, hyperlinks of OSC 8, titles of windows) are removed with what they contain.
* Other control characters, line and paragraph separators become blanks.
* Characters that are not seen but change what is seen are removed: bidirectional marks, embeddings, overrides and
  isolates, zero-width blanks, soft hyphens, byte order marks, tags. Arabic and Hebrew stay readable, since a terminal
  orders them by the letters themselves.
* Zero-width joiners are kept where they join: in emoji, and in Arabic, Indic and other scripts that use them.
* More than four combining marks on a letter are removed, because they would cover the lines above.
* Lone surrogates and noncharacters, which UTF-8 or its readers refuse, become U+FFFD.
"""

from __future__ import annotations

import json
import re
from typing import Any

_SEQUENCE = re.compile(
    "(?:\x1b[\\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c\r\n]*(?:\x07|\x1b\\\\|\x9c)"  # OSC, DCS, SOS, PM, APC
    "|(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI
    "|\x1b[ -/]*[0-Z\\\\^-~]"
)
"""The escape sequences of ECMA-48. What they leave of a nested one has lost its first byte, and is plain text."""
_CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029"
_UNSEEN = (
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
_INVALID = "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
_JOINED = "\u0600-\u109f\u1780-\u18af\u2190-\u2bff\ufb50-\ufdcf\ufdf0-\ufdff\ufe0f\ufe70-\ufefc\U0001f000-\U0001faff"
"""Scripts and emoji in which joiners have a meaning."""
_REMOVED = re.compile(f"[{_UNSEEN}]|(?<![{_JOINED}])[\u200c\u200d]|[\u200c\u200d](?![{_JOINED}])")
_BLANKED = re.compile(f"[{_CONTROL}]")
_REPLACED = re.compile(f"[{_INVALID}]")
_MARK = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_PILED = re.compile(f"([{_MARK}]{{4}})[{_MARK}]+")
_ESCAPED_IN_JSON = re.compile(f"[\x7f-\x9f\u2028\u2029{_UNSEEN}{_INVALID}]")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_FORMULA = re.compile("[\\s\\x00]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|[\t\n]")
"""The beginnings by which spreadsheet programs know a formula, or that some of them skip before one."""
_NUMBER = re.compile(r"[+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?%?|-")


def printable(text: str) -> str:
    r"""Return text of any number of lines, safe for a terminal or a log; line feeds and tabs are kept.

    >>> printable("\x1b]8;;http://a.example/\x1b\\flood\x1b]8;;\x1b\\ \x1b[31mwarning\x1b[0m\n\u202e暴雨")
    'flood warning\n暴雨'
    """
    if text.isascii() and text.isprintable():
        return text
    whole = _SEQUENCE.sub("", text).replace("\r\n", "\n")
    seen = _REMOVED.sub("", _BLANKED.sub(" ", whole))
    return _PILED.sub(r"\1", _REPLACED.sub("\ufffd", seen))


def well_formed(text: str) -> str:
    r"""Return text in which the characters that HTML or XML forbids are U+FFFD.

    >>> well_formed("暴\x00雨\n")
    '暴\ufffd雨\n'
    """
    return _FORBIDDEN.sub("\ufffd", text)


def one_line(text: str) -> str:
    r"""Return text in one line, safe for a terminal or a log; runs of blanks become one.

    >>> one_line(" Flood\r\n2025-01-01 ERROR forged\x00 ")
    'Flood 2025-01-01 ERROR forged'
    """
    return " ".join(printable(text).split())


def is_plain(text: str) -> bool:
    r"""Return whether a text is one line without any character that ``printable`` removes or replaces.

    >>> is_plain("暴雨 flood"), is_plain("暴\u202e雨"), is_plain("flood\n"), is_plain("flood\x1b[31m")
    (True, False, False, False)
    """
    return not any(line_end in text for line_end in "\n\t") and printable(text) == text


def csv_cell(value: Any) -> Any:
    r"""Return a value for a cell of CSV: text is made printable, and cannot be a formula. Other types are unchanged.

    A text that a spreadsheet program would run gets an apostrophe in front, which such programs show as plain text. A
    text that is a number stays as it is.

    >>> [csv_cell(value) for value in ("=1+1", "@SUM(A1)", "-0.5", "+86 10", -0.5, "暴雨")]
    ["'=1+1", "'@SUM(A1)", '-0.5', "'+86 10", -0.5, '暴雨']
    """
    if not isinstance(value, str):
        return value
    text = printable(value)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def json_text(data: Any, indent: int | None = None) -> str:
    r"""Return one JSON document, in which Chinese is not escaped, but every character that ``printable`` alters is.

    Args:
        data: values that JSON has.
        indent: blanks of each level; None for one line.

    >>> json_text({"title": "\u202e暴雨\x9b31m\ud800"})
    '{"title": "\\u202e暴雨\\u009b31m\\ud800"}'
    """
    return _ESCAPED_IN_JSON.sub(_json_escape, json.dumps(data, ensure_ascii=False, indent=indent))


def _json_escape(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]
