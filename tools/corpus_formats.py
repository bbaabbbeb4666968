"""The table of formats in docs/learn.md: what is read of each, and what is left out, from the readers.

``python -m tools.corpus_formats [docs/learn.md] [--check]`` writes the table between the two marks of that file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from ontology.corpus import columns, csl_json, endnote_xml, json_lines, pubmed_xml, saved_page, zotero_rdf
from ontology.corpus.formats import FORMATS, NAMES, RecordFormat
from tools import generated_page

PAGE = Path("docs/learn.md")
BEGIN, END = "<!-- formats: python -m tools.corpus_formats docs/learn.md -->", "<!-- end of formats -->"
_OF_TABLES = "columns without a known name (`layout` names them), rows that do not fit (problems)"
_READ = {m.NAME: m.READ for m in (pubmed_xml, endnote_xml, zotero_rdf, csl_json, json_lines, saved_page)}
_OTHERS = {
    "pubmed_xml": "all other elements",
    "endnote_xml": "all other elements",
    "zotero_rdf": "all other elements; attachments, notes and collections",
    "csl_json": "all other keys",
    "json_lines": "all other keys (`layout` names them)",
    "saved_page": "the page around its list or abstract, tables without titles; rows outside of tables are problems",
    "csv": _OF_TABLES,
    "tsv": _OF_TABLES,
    "xlsx": f"{_OF_TABLES}, hidden sheets (problems)",
    "xls": f"{_OF_TABLES}, hidden sheets (problems)",
}


def _listed(tags: Iterable[str]) -> str:
    return " ".join(f"`{tag.replace('|', chr(92) + '|')}`" for tag in tags)


def _tagged(form: RecordFormat) -> str:
    layout = form.layout
    assert layout is not None  # noqa: S101 - called for tagged formats
    read = "; ".join(f"{name} {_listed(tags)}" for name, tags in layout.read.items())
    left = sorted(layout.left - {layout.opener, layout.closes})
    unknown = "any other field" if form.name == "bibtex" else "unknown fields and text outside records (problems)"
    return f"| `{form.name}` | {read} | {_listed(left)}; {unknown} |"


def table() -> str:
    """Return the table of all formats, in Markdown."""
    by_name = {form.name: form for form in FORMATS}
    fields = ", ".join(columns.FIELDS)
    rows = []
    for name in NAMES:
        form = by_name.get(name)
        if form is not None and form.layout is not None:
            rows.append(_tagged(form))
        elif name == "web_of_science_table":
            rows.append(
                f"| `{name}` | the tags of `web_of_science` | its other tags; rows that do not fit (problems) |"
            )
        else:
            rows.append(f"| `{name}` | {_READ.get(name, fields)} | {_OTHERS[name]} |")
    return "\n".join(["| format | what is read | what is left out |", "|---|---|---|", *rows])


def inserted(page: Path) -> str:
    """Return the text of a page with a new table between its marks."""
    return generated_page.inserted(page, BEGIN, END, table())


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the table."""
    return generated_page.main(arguments, "tools.corpus_formats", __doc__, PAGE, inserted)


if __name__ == "__main__":
    sys.exit(main())
