"""A report as a list of parts, written as HTML, Markdown and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ontocrawl.report import html

PLOTS = "plots"
"""Folder of the pictures."""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of plain text."""

    text: str


@dataclass(frozen=True)
class Grid:
    """A table of texts; the first column names the row, the others are numbers. Title below, if any."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""


@dataclass(frozen=True)
class Picture:
    """An SVG: a part of the HTML page, and a file beside the Markdown."""

    svg: str
    title: str
    name: str
    """Name of the file, without its ending; unique in the report."""


@dataclass(frozen=True)
class Section:
    """A section of a report."""

    id: str
    heading: str
    heading_zh: str
    parts: tuple[Paragraph | Grid | Picture, ...]


def as_html(title: str, created: str, command: str, sections: Sequence[Section]) -> str:
    """Render a self-contained page, for light and dark mode, phones and print."""
    return html.page("lab.html", title, created, command, sections)


def pictures(sections: Sequence[Section]) -> dict[str, str]:
    """Return the name of the file of each picture, in the folder of the report -> its SVG, with a style sheet."""
    parts = (part for section in sections for part in section.parts)
    return {f"{PLOTS}/{part.name}.svg": html.standalone(part.svg) for part in parts if isinstance(part, Picture)}


def as_markdown(title: str, created: str, command: str, sections: Sequence[Section]) -> str:
    """Render GitHub's Markdown, with links to the files of `pictures`."""
    lines = [f"# {title}", "", f"{created} by `{command}`", ""]
    for section in sections:
        lines += [f"## {section.heading}", ""]
        for part in section.parts:
            lines += _markdown(part)
    return "\n".join(lines).rstrip() + "\n"


def _markdown(part: Paragraph | Grid | Picture) -> list[str]:
    if isinstance(part, Paragraph):
        return [_no_markup(part.text), ""]
    if isinstance(part, Picture):
        return [f"![{part.name}]({PLOTS}/{part.name}.svg)", "", _no_markup(part.title), ""]
    rule = "|---|" + "---:|" * (len(part.columns) - 1)
    rows = [f"| {' | '.join(map(_no_markup, row))} |" for row in (part.columns, *part.rows)]
    return [*([part.title, ""] if part.title else []), rows[0], rule, *rows[1:], ""]


def _no_markup(value: str) -> str:
    return value.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


_SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def as_latex(title: str, created: str, command: str, sections: Sequence[Section]) -> str:
    """Render the tables for a LaTeX document, which needs the package booktabs, and a Chinese font if names need it."""
    lines = [f"% {title}, {created}, by {command}", "% needs \\usepackage{booktabs}", ""]
    for section in sections:
        for grid in (part for part in section.parts if isinstance(part, Grid)):
            columns = "l" + "r" * (len(grid.columns) - 1)
            rows = [" & ".join(map(_latex, row)) + r" \\" for row in (grid.columns, *grid.rows)]
            caption = ": ".join(filter(None, (section.heading, grid.title)))
            lines += [
                r"\begin{table}", rf"\caption{{{_latex(caption)}}}", rf"\begin{{tabular}}{{{columns}}}", r"\toprule",
                rows[0], r"\midrule", *rows[1:], r"\bottomrule", r"\end{tabular}", r"\end{table}", "",
            ]  # fmt: skip
    return "\n".join(lines)


def _latex(value: str) -> str:
    return re.sub(r"[\\~^&%$#_{}]", lambda m: _SPECIAL.get(m.group(), "\\" + m.group()), value)
