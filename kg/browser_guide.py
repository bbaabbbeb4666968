"""The guide for Neo4j Browser, rendered from kg/data/guide.md: HTML for Browser 5 and older, AsciiDoc for later ones.

Of Markdown the guide uses headings, paragraphs, lists, `code` and two kinds of fenced blocks: statements (``cypher``)
and commands that set a parameter (``param``). A slide of the HTML form is a ``slide`` element, and a ``pre`` of the
class ``runnable`` is put into the editor by a click.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

_BLOCK = re.compile(r"```(?P<kind>\w+)\n(?P<code>.*?)\n```|(?P<text>[^\n]+(?:\n(?!```|#)[^\n]+)*)", re.DOTALL)
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a slide."""

    kind: str
    """"text", "list", "cypher" or "param"."""
    text: str


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide: its heading and its blocks."""

    title: str
    blocks: tuple[Block, ...]


@cache
def slides() -> tuple[Slide, ...]:
    """Return the slides of the guide; the heading of the first one is the title of the guide."""
    source = (resources.files("kg") / "data" / "guide.md").read_text(encoding="utf-8")
    parts = re.split(r"^#{1,2} (.+)$", source, flags=re.MULTILINE)[1:]
    return tuple(Slide(title, _blocks(body)) for title, body in zip(parts[::2], parts[1::2], strict=True))


def statements() -> tuple[str, ...]:
    """Return the Cypher statements of the guide, in order."""
    return tuple(block.text for slide in slides() for block in slide.blocks if block.kind == "cypher")


def as_html() -> str:
    """Return the guide as well-formed HTML, for ``:guide URL`` and ``:play URL`` of Neo4j Browser 5 and older."""
    shown = "\n".join(
        f'<slide class="row-fluid">\n<div class="col-sm-12">\n<h3>{_inline_html(slide.title)}</h3>\n'
        + "\n".join(map(_block_html, slide.blocks))
        + "\n</div>\n</slide>"
        for slide in slides()
    )
    title = html.escape(slides()[0].title)
    return (
        f'<article class="guide">\n<title>{title}</title>\n<carousel class="deck container-fluid">\n'
        f"{shown}\n</carousel>\n</article>\n"
    )


def as_asciidoc() -> str:
    """Return the guide as AsciiDoc, for ``:guide URL`` of later Neo4j Browsers and of Query in Neo4j Desktop 2."""
    first, *others = slides()
    parts = [f"= {first.title}", *map(_block_asciidoc, first.blocks)]
    for slide in others:
        parts += [f"== {slide.title}", *map(_block_asciidoc, slide.blocks)]
    return "\n\n".join(parts) + "\n"


def _blocks(body: str) -> tuple[Block, ...]:
    found = []
    for match in _BLOCK.finditer(body):
        if match["kind"]:
            found.append(Block(match["kind"], match["code"]))
        else:
            found.append(Block("list" if match["text"].startswith("- ") else "text", match["text"]))
    return tuple(found)


def _items(text: str) -> list[str]:
    return [line.removeprefix("- ") for line in text.splitlines()]


def _inline_html(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", html.escape(text, quote=False))


def _block_html(block: Block) -> str:
    if block.kind == "text":
        return f"<p>{_inline_html(block.text)}</p>"
    if block.kind == "list":
        return "<ul>\n" + "\n".join(f"<li>{_inline_html(item)}</li>" for item in _items(block.text)) + "\n</ul>"
    code = html.escape(block.text, quote=False)
    return f'<figure>\n<pre class="pre-scrollable code runnable">{code}</pre>\n</figure>'


def _block_asciidoc(block: Block) -> str:
    if block.kind in ("text", "list"):
        return _CODE.sub(r"`+\1+`", re.sub("^- ", "* ", block.text, flags=re.MULTILINE))
    return f"[source,cypher]\n----\n{block.text}\n----"
