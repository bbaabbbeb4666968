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

from ontology.draw.family import Language
from ontology.draw.fonts import font_face
from ontology.templates import templates


def asset(name: str) -> str:
    """Return the text of a file of ontology/data."""
    return (files("ontology") / "data" / name).read_text(encoding="utf-8")


def page(
    title: str,
    template: str,
    *,
    style: str,
    program: str,
    data: Any = None,
    language: Language = "both",
    embed_font: bool = False,
    **values: Any,
) -> str:
    """Return a whole HTML document.

    Args:
        title: plain text.
        template: name of the template of its body, which gets the title, the language and ``values``.
        style: CSS, a bundled file.
        program: JavaScript, a bundled file.
        data: a JSON value, for the program; left out if None.
        language: initial language of the page.
        embed_font: whether the page contains a font with all its characters, for machines without a Chinese font.
        values: what the body shows.

    Raises:
        MissingExtra: the font is not installed.
    """
    environment = templates("ontology.draw")
    body = environment.get_template(template).render(title=title, language=language, **values)
    held = "" if data is None else _embedded(data)
    if embed_font:
        style = font_face(title + body + program + held) + style
    policy = "; ".join([
        "default-src 'none'", f"style-src {_hash(style)}", f"script-src {_hash(program)}",
        *(["font-src data:"] if embed_font else []), "base-uri 'none'", "form-action 'none'",
    ])  # fmt: skip
    return environment.get_template("page.html").render(
        title=title, policy=policy, style=style, program=program, body=body, held=held,
        language="en" if language == "en" else "zh",
    )  # fmt: skip


def _embedded(data: Any) -> str:
    r"""Return JSON for a script element: <, >, & and line separators are escaped.

    >>> _embedded({"a": "<b>"})
    '{"a":"\\u003cb\\u003e"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    for character in "<>&\u2028\u2029\ufffe\uffff":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return "".join(f"\\u{ord(c):04x}" if 0xD800 <= ord(c) < 0xE000 else c for c in text)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
