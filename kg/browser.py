"""What Neo4j Browser takes of ontocrawl: a style, the queries of the library as saved queries, and a guide.

A saved query is a script: comments, the first of which is its title, a ``:param`` command for each parameter, and the
statement. Two files hold all of them, because versions differ:

* Neo4j Browser up to 5 reads a zip of ``.cypher`` files that is dropped on its window; folders of the zip become
  folders of the favourites.
* Later ones, Query in Neo4j Desktop 2 and in Aura read a CSV file with the columns of their own exports.

Sources: neo4j-browser, src/browser/components/FileDrop and SavedScripts; neo4j.com/docs/browser, "Custom guides";
neo4j.com/docs/aura/query, "Saved Cypher".
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

import queries
from ontology.files import write_atomically
from queries import Query

_CSV_COLUMNS = ("name", "description", "query", "id", "parentId", "isFolder")
STYLE, GUIDE_HTML, GUIDE_ASCIIDOC = "ontocrawl.grass", "guide.html", "guide.adoc"
_QUERIES_ZIP, _QUERIES_CSV = "saved-queries.zip", "saved-queries.csv"
FILES: Mapping[str, str] = MappingProxyType(
    {
        STYLE: "colours and captions: drop it on the window of Neo4j Browser",
        _QUERIES_ZIP: "saved queries for Neo4j Browser 5 and older: drop it on the window",
        _QUERIES_CSV: "saved queries for later ones, Neo4j Desktop 2 and Aura: upload it in Saved Cypher",
        GUIDE_HTML: "guide for Neo4j Browser 5 and older",
        GUIDE_ASCIIDOC: "guide for later ones and Neo4j Desktop 2",
    }
)
"""File of the folder -> what it is."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""Time of the files in the zip, which is then the same each time."""


@dataclass(frozen=True, slots=True)
class SavedQuery:
    """A query of the library as a script."""

    folder: str
    name: str
    """folder/name in the library."""
    title: str
    answers: str
    script: str


def browser_style() -> str:
    """Return a style for Neo4j Browser: colours and captions of labels and types; drop the file on its window."""
    return (resources.files("kg") / "data" / STYLE).read_text(encoding="utf-8")


def _saved_queries() -> tuple[SavedQuery, ...]:
    """Return the queries of the library as scripts, with defaults of parameters, or the example of required ones."""
    return tuple(
        SavedQuery(query.name.partition("/")[0], query.name, query.title, query.answers, _script(query))
        for query in queries.all_queries()
    )


def _as_csv() -> str:
    """Return the saved queries as CSV, each folder before its queries."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_CSV_COLUMNS)
    writer.writerows(_csv_rows())
    return text.getvalue()


def _as_zip() -> bytes:
    """Return the saved queries as a zip of files FOLDER/NAME.cypher."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for saved in _saved_queries():
            file = zipfile.ZipInfo(f"ontocrawl {saved.name}.cypher", _EPOCH)
            archive.writestr(file, saved.script, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def write_folder(folder: Path) -> list[Path]:
    """Write the files of FILES into a folder, which is made if it is missing, and return their paths.

    Args:
        folder: the folder; files of these names are replaced.

    Raises:
        OSError: a file cannot be written.
    """
    contents = {
        STYLE: browser_style().encode(),
        _QUERIES_ZIP: _as_zip(),
        _QUERIES_CSV: _as_csv().encode(),
        GUIDE_HTML: _as_html().encode(),
        GUIDE_ASCIIDOC: _as_asciidoc().encode(),
    }
    for name in FILES:
        write_atomically(folder / name, contents[name])
    return [folder / name for name in FILES]


def _literal(value: Any) -> str:
    r"""Return a value as a Cypher literal: a text, a number, a flag, or a list of these.

    >>> _literal('城市"内涝"'), _literal(1.0), _literal(True), _literal(["a", "b"])
    ('"城市\\"内涝\\""', '1.0', 'true', '["a", "b"]')
    """
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _script(query: Query) -> str:
    example = query.example_values()
    values = query.bind({p.name: example[p.name] for p in query.parameters if p.required})
    about = [f"// {query.title}", f"// {query.answers}", f"// ontocrawl query run {query.name}"]
    about += [f"// {p.name}: {p.meaning.replace(';', ',')} ({p.expected})" for p in query.parameters]
    commands = [f":param {name} => {_literal(value)};" for name, value in values.items()]
    return "\n".join([*about, *commands, query.statement.rstrip("\n")]) + ";\n"


def _csv_rows() -> Iterator[tuple[str | int, ...]]:
    """Yield a row for the folder of all, for each folder, and for each query."""
    numbers: dict[str, int] = {}
    yield ("ontocrawl", "", "", 0, "", "true")
    count = 1
    for saved in _saved_queries():
        if saved.folder not in numbers:
            numbers[saved.folder] = count
            yield (saved.folder, "", "", count, 0, "true")
            count += 1
        yield (saved.title, saved.answers, saved.script, count, numbers[saved.folder], "false")
        count += 1


# ---- the guide for Neo4j Browser, rendered from kg/data/guide.md: HTML for Browser 5 and older, AsciiDoc for later
# ones
#
# Of Markdown the guide uses headings, paragraphs, lists, `code` and two kinds of fenced blocks: statements
# (``cypher``) and commands that set a parameter (``param``). A slide of the HTML form is a ``slide`` element, and a
# ``pre`` of the class ``runnable`` is put into the editor by a click.


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
def _slides() -> tuple[Slide, ...]:
    """Return the slides of the guide; the heading of the first one is the title of the guide."""
    source = (resources.files("kg") / "data" / "guide.md").read_text(encoding="utf-8")
    parts = re.split(r"^#{1,2} (.+)$", source, flags=re.MULTILINE)[1:]
    return tuple(Slide(title, _blocks(body)) for title, body in zip(parts[::2], parts[1::2], strict=True))


def statements() -> tuple[str, ...]:
    """Return the Cypher statements of the guide, in order."""
    return tuple(block.text for slide in _slides() for block in slide.blocks if block.kind == "cypher")


def _as_html() -> str:
    """Return the guide as well-formed HTML, for ``:guide URL`` and ``:play URL`` of Neo4j Browser 5 and older."""
    shown = "\n".join(
        f'<slide class="row-fluid">\n<div class="col-sm-12">\n<h3>{_inline_html(slide.title)}</h3>\n'
        + "\n".join(map(_block_html, slide.blocks))
        + "\n</div>\n</slide>"
        for slide in _slides()
    )
    title = html.escape(_slides()[0].title)
    return (
        f'<article class="guide">\n<title>{title}</title>\n<carousel class="deck container-fluid">\n'
        f"{shown}\n</carousel>\n</article>\n"
    )


def _as_asciidoc() -> str:
    """Return the guide as AsciiDoc, for ``:guide URL`` of later Neo4j Browsers and of Query in Neo4j Desktop 2."""
    first, *others = _slides()
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
