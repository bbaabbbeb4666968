"""The HTML page of the report, with a section for each step. It loads no resources and runs no scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from string import Template
from typing import Any

from ontocrawl.report.charts import Curve, harvest_chart
from ontocrawl.report.data import (
    FACTORS,
    FIGURES,
    PAGE_COLUMNS,
    PROPOSAL_KEYS,
    WEIGHT_COLUMNS,
    CrawlCurve,
    QueryAnswer,
    ReportData,
    ReportError,
    WeightTable,
)
from ontocrawl.report.markup import link, number, percent, plain, table, text, value, zh
from ontocrawl.report.pictures import inline

ZH_FIGURES = ("文献", "术语", "形式概念", "格的边", "类")
ZH_FACTORS = ("距离", "密度", "深度", "重合度", "关系")


def render(data: ReportData) -> str:
    """Render a report as a self-contained HTML page, for light and dark mode, phones and print.

    Raises:
        ReportError: rows that do not fit their columns, a decreasing curve, or an invalid picture.
    """
    rendered = [(id_, en, chinese, body(data)) for id_, en, chinese, body in SECTIONS]
    return page(data.title, data.created, data.command, [section for section in rendered if section[3]])


def page(title: str, created: str, command: str, sections: Sequence[tuple[str, str, str, str]]) -> str:
    """Render a self-contained HTML page with a list of contents.

    Args:
        title: title of the page.
        created: date and time, ISO 8601.
        command: the command that wrote the page.
        sections: (id, heading, heading in Chinese, body as HTML) of each section.
    """
    contents = "".join(f'<li><a href="#{id_}">{plain(en)} {zh(chinese)}</a></li>' for id_, en, chinese, _ in sections)
    bodies = "\n".join(
        f'<section id="{id_}">\n<h2>{plain(en)} {zh(chinese)}</h2>\n{body}\n</section>'
        for id_, en, chinese, body in sections
    )
    return Template(_file("page.html")).substitute(
        css=_file("chart.css") + _file("report.css"),
        title=plain(title),
        heading=text(title),
        created=plain(created),
        command=plain(command),
        contents=contents,
        sections=bodies,
    )


def standalone(svg: str) -> str:
    """Return a chart with its style sheet, as a file of its own, without what only a page shows under the mouse."""
    head, rest = re.sub(r'<circle class="hit".*?</circle>', "", svg).split("\n", 1)
    css = _file("chart.css") + "svg { background: var(--paper); font-family: sans-serif; }"
    return f"{head}\n<style>\n{css}\n</style>\n{rest}\n"


@cache
def _file(name: str) -> str:
    return resources.files("ontocrawl.report").joinpath(name).read_text(encoding="utf-8")


def _figures(data: ReportData) -> str:
    _require("figures", data.figures, FIGURES)
    shown = "".join(
        f"<div><dt>{plain(name.replace('_', ' '))} {zh(chinese)}</dt><dd>{number(data.figures[name])}</dd></div>"
        for name, chinese in zip(FIGURES, ZH_FIGURES, strict=True)
    )
    return f'<dl class="tiles">{shown}</dl>'


def _picture(svg: str, prefix: str, legend: str) -> str:
    return (
        f'<p class="told">{legend}</p>\n<div class="scroll sheet" tabindex="0">{inline(svg, prefix)}</div>'
        if svg
        else ""
    )


def _lattice(data: ReportData) -> str:
    legend = (
        "Each node is a formal concept: a set of abstracts with all the terms they share. A term is written at the "
        "highest node that has it; lines connect neighbours, the more general one above."
    )
    return _picture(data.lattice_svg, "lattice", legend)


def _hierarchy(data: ReportData) -> str:
    return _picture(
        data.hierarchy_svg, "hierarchy", "The learned ontology; each class is below its more general classes."
    )


def _weights(data: ReportData) -> str:
    legend = "Similarity of each concept to the root of its ontology, with the five factors; computed by queries."
    parts = [_weight_table(t) for t in data.weights if t.rows]
    return f'<p class="told">{legend}</p>\n' + "\n".join(parts) if parts else ""


def _weight_table(weights: WeightTable) -> str:
    _require_width(f"weights of {weights.ontology}", weights.rows, WEIGHT_COLUMNS)
    head = (("word", "词"), ("weight", "权重"), *zip(FACTORS, ZH_FACTORS, strict=True), ("path", "路径"))
    rows = (
        [text(word), _bar(weight), *(number(factor) for factor in factors), value(path)]
        for word, weight, *factors, path in weights.rows
    )
    return f"<h3>{text(weights.ontology)}</h3>\n{table(head, rows, range(1, 2 + len(FACTORS)))}"


def _bar(weight: float) -> str:
    width = max(0.0, min(1.0, weight))
    return f'<span class="bar" style="--share:{width:.3f}">{number(weight)}</span>'


def _crawls(data: ReportData) -> str:
    if not data.crawls:
        return ""
    parts = [_crawl_table(data.crawls)]
    curves = [(c.name, c.curve_by_label, c.curve_by_judge) for c in data.crawls]
    labelled = [Curve(name, values) for name, values, _ in curves if values is not None]
    judged = [Curve(name, values) for name, _, values in curves if values is not None]
    if labelled:
        parts.append(_harvest(labelled, "label", "Relevant by label", "按标注相关", _comparison(labelled)))
    if judged:
        parts.append(_harvest(judged, "judge", "Relevant by the run's judge", "按评判函数相关", ""))
    return "\n".join(parts)


def _harvest(curves: Sequence[Curve], name: str, en: str, chinese: str, comparison: str) -> str:
    chart = harvest_chart(
        curves, id_=f"harvest-{name}", title=f"Harvest curves: {en} {chinese}", y_name="relevant pages 相关页面"
    )
    paragraph = f'<p class="told">{comparison}</p>\n' if comparison else ""
    return f'<h3>{plain(en)} {zh(chinese)}</h3>\n{paragraph}<div class="scroll">{chart}</div>'


def _comparison(curves: Sequence[Curve]) -> str:
    """Compare the numbers of relevant pages at the end of the shortest crawl."""
    n = min(len(c.values) for c in curves)
    if n == 0 or len(curves) == 1:
        return ""
    counts = ", ".join(f"<strong>{plain(c.name)} {c.values[n - 1]}</strong>" for c in curves)
    return f"Among the first {n} pages of each crawl: {counts}."


def _crawl_table(crawls: Sequence[CrawlCurve]) -> str:
    head = (
        ("strategy", "策略"),
        ("ontology", "本体"),
        ("fetched", "已抓取"),
        ("relevant by label", "按标注"),
        ("relevant by judge", "按评判"),
        ("accuracy by judge", "准确率"),
        ("AR", "平均相关度"),
        ("SD", "标准差"),
        ("AR of relevant", "相关页面平均相关度"),
        ("SD of relevant", "相关页面标准差"),
        ("RC", "查全率"),
    )
    rows = (
        [
            text(c.strategy),
            value(c.ontology),
            number(m.fetched),
            number(m.relevant_by_label),
            number(m.relevant),
            percent(m.accuracy),
            *map(number, (m.ar, m.sd, m.ar_lp, m.sd_lp)),
            percent(m.rc),
        ]
        for c in crawls
        for milestone, m in c.milestones.items()
        if milestone != str(c.milestones["end"].fetched)  # the same as the end
    )
    legend = (
        "Each crawl at milestones and at its end. AR and SD: mean and standard deviation of the relevance of "
        "all fetched pages, and of the relevant ones. RC: recall, the share of the labelled pages that were fetched."
    )
    ends = "".join(
        f"<li>{text(c.name)}: {number(float(c.seconds), 1)} seconds, stopped by {value(c.stop_reason)}</li>"
        for c in crawls
    )
    return f'<p class="told">{legend}</p>\n{table(head, rows, range(2, len(head)))}\n<ul>{ends}</ul>'


def _pagerank(data: ReportData) -> str:
    _require_width("PageRank", data.pagerank_top, PAGE_COLUMNS)
    head = (("page", "页面"), ("PageRank", ""), ("relevance", "相关度"))
    rows = ([link(url, title or url), number(rank), number(R)] for url, title, rank, R in data.pagerank_top)
    return table(head, rows, (1, 2)) if data.pagerank_top else ""


def _queries(data: ReportData) -> str:
    return "\n".join(_query(q) for q in data.queries)


def _query(q: QueryAnswer) -> str:
    _require_width(f"query {q.name}", q.rows, q.columns)
    numeric = [i for i in range(len(q.columns)) if q.rows and all(_is_number(row[i]) for row in q.rows)]
    rows = ([value(cell) for cell in row] for row in q.rows)
    answer = table([(column, "") for column in q.columns], rows, numeric) if q.rows else "<p>No rows.</p>"
    return (
        f'<h3>{text(q.title)} <code class="name">{plain(q.name)}</code></h3>\n'
        f"<details><summary>Cypher</summary><pre><code>{plain(q.cypher)}</code></pre></details>\n{answer}"
    )


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _proposals(data: ReportData) -> str:
    for proposal in data.proposals:
        _require("a proposal", proposal, PROPOSAL_KEYS)
    head = (("term", "术语"), ("score", "得分"), ("pages", "页数"), ("under", "上位概念"), ("sentence", "例句"))
    rows = (
        [
            text(p["term"]),
            number(p["score"]),
            number(p["pages"]),
            value(p["under_label"]),
            f"{text(p['sentence'])} {link(p['page'], 'page')}",
        ]
        for p in data.proposals
    )
    legend = "Terms that relevant pages use and the ontology lacks, for review."
    return f'<p class="told">{legend}</p>\n{table(head, rows, (1, 2))}' if data.proposals else ""


def _round(data: ReportData) -> str:
    if data.round is None:
        return ""
    head = (("term", "术语"), ("under", "上位概念"), ("pages", "页数"))
    rows = ([text(term), value(parent), number(pages)] for term, parent, pages in data.round.accepted)
    accepted = table(head, rows, (2,)) if data.round.accepted else ""
    labelled = [Curve(c.name, c.curve_by_label) for c in data.round.crawls if c.curve_by_label is not None]
    chart = _harvest(labelled, "round", "Relevant by label", "按标注相关", _comparison(labelled)) if labelled else ""
    return f'<p class="told">{text(data.round.rule)}</p>\n{accepted}\n{chart}'


def _notes(data: ReportData) -> str:
    return f"<ul>{''.join(f'<li>{text(note)}</li>' for note in data.notes)}</ul>" if data.notes else ""


def _require(part: str, values: Mapping[str, Any], keys: Sequence[str]) -> None:
    missing = [key for key in keys if key not in values]
    if missing:
        raise ReportError(f"{part}: expected {', '.join(keys)}; missing: {', '.join(missing)}")


def _require_width(part: str, rows: Sequence[Sequence[Any]], columns: Sequence[str]) -> None:
    for position, row in enumerate(rows, start=1):
        if len(row) != len(columns):
            raise ReportError(
                f"{part}, row {position}: expected {len(columns)} values ({', '.join(columns)}), found {len(row)}"
            )


def _sections() -> Iterator[tuple[str, str, str, Callable[[ReportData], str]]]:
    yield "figures", "What was learned", "学习结果", _figures
    yield "lattice", "Concept lattice", "概念格", _lattice
    yield "hierarchy", "Term hierarchy", "术语层次", _hierarchy
    yield "weights", "Topic weights", "主题权重", _weights
    yield "crawls", "Crawls", "爬取", _crawls
    yield "pagerank", "Pages by PageRank", "按 PageRank 排序的页面", _pagerank
    yield "queries", "Questions to the graph", "图查询", _queries
    yield "proposals", "Proposed terms", "候选新术语", _proposals
    yield "round", "The crawl before and after", "一轮前后", _round
    yield "notes", "Notes", "说明", _notes


SECTIONS = tuple(_sections())
