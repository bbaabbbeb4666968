"""HTML pages of one file: style, program and data are inline, nothing is loaded or sent.

A content security policy lists the hashes of the page's style and program, so that nothing else runs, even if labels
contain code. Data is JSON in an inert element; the program inserts it as text, never as markup.
"""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files
from typing import Any

from ontology.draw.fonts import font_face
from ontology.draw.svg import clean


def asset(name: str) -> str:
    """Return the text of a file of ontology/data."""
    return (files("ontology") / "data" / name).read_text(encoding="utf-8")


def page(
    title: str, *, style: str, program: str, body: str, data: Any = None, language: str = "zh", embed_font: bool = False
) -> str:  # fmt: skip
    """Return a whole HTML document.

    Args:
        title: plain text.
        style: CSS, a bundled file.
        program: JavaScript, a bundled file.
        body: markup; the caller escapes foreign text.
        data: a JSON value, for the program; left out if None.
        language: language tag of the page.
        embed_font: whether the page contains a font with all its characters, for machines without a Chinese font.

    Raises:
        MissingExtra: the font is not installed.
    """
    held = f'<script type="application/json" id="data">{embedded(data)}</script>\n' if data is not None else ""
    if embed_font:
        style = font_face(title + body + program + held) + style
    policy = "; ".join([
        "default-src 'none'", f"style-src {_hash(style)}", f"script-src {_hash(program)}",
        *(["font-src data:"] if embed_font else []), "base-uri 'none'", "form-action 'none'",
    ])  # fmt: skip
    return (
        f'<!DOCTYPE html>\n<html lang="{clean(language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{clean(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{clean(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n{held}"
        f"<script>{program}</script>\n</body>\n</html>\n"
    )


def embedded(data: Any) -> str:
    r"""Return JSON for a script element: <, >, & and line separators are escaped.

    >>> embedded({"a": "<b>"})
    '{"a":"\\u003cb\\u003e"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    for character in "<>&\u2028\u2029\ufffe\uffff":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return "".join(f"\\u{ord(c):04x}" if 0xD800 <= ord(c) < 0xE000 else c for c in text)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
