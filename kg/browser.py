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
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

import queries
from kg import browser_guide
from ontology.files import write_atomically
from queries import Query

CSV_COLUMNS = ("name", "description", "query", "id", "parentId", "isFolder")
STYLE, GUIDE_HTML, GUIDE_ASCIIDOC = "ontocrawl.grass", "guide.html", "guide.adoc"
QUERIES_ZIP, QUERIES_CSV = "saved-queries.zip", "saved-queries.csv"
FILES: Mapping[str, str] = MappingProxyType(
    {
        STYLE: "colours and captions: drop it on the window of Neo4j Browser",
        QUERIES_ZIP: "saved queries for Neo4j Browser 5 and older: drop it on the window",
        QUERIES_CSV: "saved queries for later ones, Neo4j Desktop 2 and Aura: upload it in Saved Cypher",
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


def saved_queries() -> tuple[SavedQuery, ...]:
    """Return the queries of the library as scripts, with defaults of parameters, or the example of required ones."""
    return tuple(
        SavedQuery(query.name.partition("/")[0], query.name, query.title, query.answers, _script(query))
        for query in queries.all_queries()
    )


def as_csv() -> str:
    """Return the saved queries as CSV, each folder before its queries."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    writer.writerows(_csv_rows())
    return text.getvalue()


def as_zip() -> bytes:
    """Return the saved queries as a zip of files FOLDER/NAME.cypher."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for saved in saved_queries():
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
        QUERIES_ZIP: as_zip(),
        QUERIES_CSV: as_csv().encode(),
        GUIDE_HTML: browser_guide.as_html().encode(),
        GUIDE_ASCIIDOC: browser_guide.as_asciidoc().encode(),
    }
    for name in FILES:
        write_atomically(folder / name, contents[name])
    return [folder / name for name in FILES]


def literal(value: Any) -> str:
    r"""Return a value as a Cypher literal: a text, a number, a flag, or a list of these.

    >>> literal('城市"内涝"'), literal(1.0), literal(True), literal(["a", "b"])
    ('"城市\\"内涝\\""', '1.0', 'true', '["a", "b"]')
    """
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _script(query: Query) -> str:
    example = query.example_values()
    values = query.bind({p.name: example[p.name] for p in query.parameters if p.required})
    about = [f"// {query.title}", f"// {query.answers}", f"// ontocrawl query run {query.name}"]
    about += [f"// {p.name}: {p.meaning.replace(';', ',')} ({p.expected})" for p in query.parameters]
    commands = [f":param {name} => {literal(value)};" for name, value in values.items()]
    statement = [line for line in query.text.splitlines() if not line.startswith("//")]
    return "\n".join([*about, *commands, *statement]) + ";\n"


def _csv_rows() -> Iterator[tuple[str | int, ...]]:
    """Yield a row for the folder of all, for each folder, and for each query."""
    numbers: dict[str, int] = {}
    yield ("ontocrawl", "", "", 0, "", "true")
    count = 1
    for saved in saved_queries():
        if saved.folder not in numbers:
            numbers[saved.folder] = count
            yield (saved.folder, "", "", count, 0, "true")
            count += 1
        yield (saved.title, saved.answers, saved.script, count, numbers[saved.folder], "false")
        count += 1
