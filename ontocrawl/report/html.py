"""The HTML page of the report, with a section for each step. It loads no resources and runs no scripts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

from ontocrawl.report.charts import Curve, harvest_chart
from ontocrawl.report.data import (
    FIGURES,
    PAGE_COLUMNS,
    PROPOSAL_KEYS,
    WEIGHT_COLUMNS,
    CrawlCurve,
    ReportData,
    ReportError,
)
from ontology.templates import templates

if TYPE_CHECKING:
    from jinja2 import Environment

_ZH_FIGURES = ("文献", "术语", "形式概念", "格的边", "类")


class _Section(NamedTuple):
    """A section of the report; a macro of demo_sections.html has its id as name."""

    id: str
    heading: str
    heading_zh: str


_SECTIONS = (
    _Section("figures", "What was learned", "学习结果"),
    _Section("lattice", "Concept lattice", "概念格"),
    _Section("hierarchy", "Term hierarchy", "术语层次"),
    _Section("weights", "Topic weights", "主题权重"),
    _Section("crawls", "Crawls", "爬取"),
    _Section("pagerank", "Pages by PageRank", "按 PageRank 排序的网页"),
    _Section("queries", "Questions to the graph", "图查询"),
    _Section("proposals", "Proposed terms", "候选新术语"),
    _Section("round", "The crawl before and after", "一轮前后"),
    _Section("notes", "Notes", "说明"),
)


def render(data: ReportData) -> str:
    """Render a report as a self-contained HTML page, for light and dark mode, phones and print.

    Raises:
        ReportError: rows that do not fit their columns, a decreasing curve, or an invalid picture.
    """
    _check(data)
    shown = _shown(data)
    sections = [section for section in _SECTIONS if shown[section.id]]
    return page("demo.html", data.title, data.created, data.command, sections, shown=shown)


def page(template: str, title: str, created: str, command: str, sections: Sequence[Any], **values: Any) -> str:
    """Render a self-contained HTML page with a list of contents.

    Args:
        template: name of the template, which writes the body of a section.
        title: title of the page.
        created: date and time, ISO 8601.
        command: the command that wrote the page.
        sections: values with ``id``, ``heading``, ``heading_zh`` and what the template shows of them.
        values: what else the template shows.
    """
    return _environment().get_template(template).render(
        css=_file("chart.css") + _file("report.css"), title=title, created=created, command=command, sections=sections,
        **values,
    )  # fmt: skip


@cache
def _environment() -> Environment:
    """Return the templates of reports with their filters."""
    found = templates("ontocrawl.report")
    found.filters |= {"number": _number, "percent": _percent, "share": _share}
    found.tests["chinese"] = _is_chinese
    return found


def standalone(svg: str) -> str:
    """Return a chart with its style sheet, as a file of its own, without what only a page shows under the mouse."""
    head, rest = re.sub(r'<circle class="hit".*?</circle>', "", svg).split("\n", 1)
    css = _file("chart.css") + "svg { background: var(--paper); font-family: sans-serif; }"
    return f"{head}\n<style>\n{css}\n</style>\n{rest}\n"


@cache
def _file(name: str) -> str:
    return resources.files("ontocrawl.report").joinpath(name).read_text(encoding="utf-8")


def _shown(data: ReportData) -> dict[str, Any]:
    """Return what each section shows, by its id; empty values are left out of the page."""
    figures = zip(FIGURES, _ZH_FIGURES, strict=True)
    return {
        "figures": [(name.replace("_", " "), zh, data.figures[name]) for name, zh in figures],
        "lattice": data.lattice_svg and _inline(data.lattice_svg, "lattice"),
        "hierarchy": data.hierarchy_svg and _inline(data.hierarchy_svg, "hierarchy"),
        "weights": [table for table in data.weights if table.rows],
        "crawls": data.crawls and {
            "crawls": data.crawls, "curves": _by_label(data.crawls, "label") + _by_judge(data.crawls),
        },
        "pagerank": data.pagerank_top,
        "queries": data.queries,
        "proposals": data.proposals,
        "round": data.round and {
            "rule": data.round.rule, "accepted": data.round.accepted, "curves": _by_label(data.round.crawls, "round"),
        },
        "notes": data.notes,
    }  # fmt: skip


def _by_label(crawls: Sequence[CrawlCurve], name: str) -> list[dict[str, Any]]:
    """Return the harvest curves of the crawls with labels, which are compared at the end of the shortest one."""
    curves = [Curve(c.name, c.curve_by_label) for c in crawls if c.curve_by_label is not None]
    n = min((len(c.values) for c in curves), default=0)
    ends = [(c.name, c.values[n - 1]) for c in curves if n]
    return _harvest(curves, name, "Relevant by label", "按标注相关", fetched=n, ends=ends)


def _by_judge(crawls: Sequence[CrawlCurve]) -> list[dict[str, Any]]:
    curves = [Curve(c.name, c.curve_by_judge) for c in crawls if c.curve_by_judge is not None]
    return _harvest(curves, "judge", "Relevant by the run's judge", "按评判函数相关", ends=[])


def _harvest(curves: Sequence[Curve], name: str, en: str, zh: str, **compared: Any) -> list[dict[str, Any]]:
    if not curves:
        return []
    title = f"Harvest curves: {en} {zh}"
    chart = harvest_chart(curves, id_=f"harvest-{name}", title=title, y_name="relevant pages 相关网页")
    return [{"heading": en, "heading_zh": zh, "chart": chart, **compared}]


def _check(data: ReportData) -> None:
    _require("figures", data.figures, FIGURES)
    for weights in data.weights:
        _require_width(f"weights of {weights.ontology}", weights.rows, WEIGHT_COLUMNS)
    _require_width("PageRank", data.pagerank_top, PAGE_COLUMNS)
    for query in data.queries:
        _require_width(f"query {query.name}", query.rows, query.columns)
    for proposal in data.proposals:
        _require("a proposal", proposal, PROPOSAL_KEYS)


def _require(part: str, values: Mapping[str, Any], keys: Sequence[str]) -> None:
    missing = [key for key in keys if key not in values]
    if missing:
        raise ReportError("report.expected_missing", part=part, keys=", ".join(keys), missing=", ".join(missing))


def _require_width(part: str, rows: Sequence[Sequence[Any]], columns: Sequence[str]) -> None:
    for position, row in enumerate(rows, start=1):
        if len(row) != len(columns):
            raise ReportError(
                "report.row_expected_values_found",
                part=part,
                position=position,
                n_columns=len(columns),
                columns=", ".join(columns),
                n_row=len(row),
            )


# ---- how the templates of reports write numbers, and know Chinese text


_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def _is_chinese(value: Any) -> bool:
    """Return whether the text of a value has Chinese characters."""
    return bool(_HAN.search(str(value)))


def _number(value: float | None, digits: int = 3) -> str:
    """Format a number with thousands separators, and floats with fixed digits; None is an en dash.

    >>> _number(12345), _number(0.5)
    ('12,345', '0.500')
    """
    if value is None:
        return "\N{EN DASH}"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"


def _percent(value: float | None) -> str:
    """Format a share in [0, 1] as percent; None is an en dash."""
    return "\N{EN DASH}" if value is None else f"{100 * value:.1f}%"


def _share(value: float) -> str:
    """Format a number as a share for style sheets; below 0 it is 0, above 1 it is 1."""
    return f"{max(0.0, min(1.0, value)):.3f}"


# ---- embed SVG pictures in a page: they are parsed and serialised again; scripts and external resources are errors


_SVG = "http://www.w3.org/2000/svg"
_HREF = ("href", "{http://www.w3.org/1999/xlink}href")
_REFUSED = frozenset({"script", "foreignObject", "iframe", "image", "animate", "set", "handler"})
_REFERENCE = re.compile(r"url\(\s*['\"]?#([^)'\"]+)['\"]?\s*\)")
_LOADS = re.compile(r"url\(\s*['\"]?(?!#)|@import|javascript:", re.IGNORECASE)


def _inline(svg: str, prefix: str) -> str:
    """Convert an SVG document to an element of an HTML page.

    Args:
        svg: the document.
        prefix: prefix for its ids, which makes them unique in the page.

    Returns:
        The SVG element.

    Raises:
        ReportError: the text is no SVG document, or has scripts or external resources.
    """
    if "<!DOCTYPE" in svg or "<!ENTITY" in svg:
        raise ReportError("report.picture_expected_svg_without", prefix=prefix)
    try:
        root = ElementTree.fromstring(svg)  # noqa: S314 - no entities: refused above
    except ElementTree.ParseError as error:
        raise ReportError("report.picture_expected_svg_document", prefix=prefix, error=error) from error
    if root.tag != f"{{{_SVG}}}svg":
        raise ReportError("report.picture_expected_root_element", prefix=prefix, svg=_SVG, tag=root.tag)
    for element in root.iter():
        _sanitize(element, prefix)
    root.set("class", f"{root.get('class', '')} picture".strip())
    ElementTree.register_namespace("", _SVG)
    return ElementTree.tostring(root, encoding="unicode")


def _sanitize(element: ElementTree.Element, prefix: str) -> None:
    namespace, _, name = element.tag.rpartition("}")
    if namespace != f"{{{_SVG}" or name in _REFUSED:
        raise ReportError("report.picture_not_allowed_report", prefix=prefix, name=name)
    if name == "style" and _LOADS.search(element.text or ""):
        raise ReportError("report.picture_style_sheet_loads", prefix=prefix)
    for key, value in list(element.attrib.items()):
        if key.lower().startswith("on") or _LOADS.search(value) or (key in _HREF and not value.startswith("#")):
            raise ReportError("report.picture_attribute_not_allowed", prefix=prefix, key=key, value=value[:60])
        element.set(key, _prefixed(key, value, prefix))
    if name == "style" and element.text:
        element.text = _REFERENCE.sub(rf"url(#{prefix}-\1)", element.text)


def _prefixed(key: str, value: str, prefix: str) -> str:
    if key == "id":
        return f"{prefix}-{value}"
    if key in _HREF:
        return f"#{prefix}-{value[1:]}"
    if key in {"aria-labelledby", "aria-describedby"}:
        return " ".join(f"{prefix}-{part}" for part in value.split())
    return _REFERENCE.sub(rf"url(#{prefix}-\1)", value)
