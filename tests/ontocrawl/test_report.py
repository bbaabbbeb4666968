"""The report: self-contained, escaped whatever the Web says, Chinese kept, charts that can be read."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.metrics import Metrics
from ontocrawl.report import CrawlCurve, QueryAnswer, ReportData, ReportError, Round, WeightTable, html, render
from ontocrawl.report.charts import Band, Curve, harvest_chart, spread, ticks
from ontocrawl.report.html import _inline

SVG = (
    '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><defs><marker id="tip"/></defs>'
    '<g id="node"><title>暴雨</title><text x="1" y="2">暴雨</text></g><path d="M0,0L5,5" marker-end="url(#tip)"/>'
    '<use href="#node"/></svg>'
)
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg onload=alert(1)>",
    "</td></table></style></title><script src=//evil.example/x.js></script>",
    "${css} $title $$ {braces} %s",
    "&lt;b&gt; &amp;amp; <!-- --> ]]>",
    "\x00\x07\x1b[31m\ud800 \u202egnp.exe",
)
VOID = {"meta", "br", "img", "hr", "input", "link"}


class Page(HTMLParser):
    """Elements with their attributes, text by element, and whether every element is closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs)
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)

    @property
    def said(self) -> str:
        return "".join(self.words)


def crawl(name: str, by_label: tuple[int, ...] | None, by_judge: tuple[int, ...] | None) -> CrawlCurve:
    n = len(by_label or by_judge or ())
    found, rc = (None, None) if by_label is None else (by_label[-1], 0.0625)
    first = Metrics(1, 1, None if found is None else 0, 1.0, 0.81, 0.0, 0.81, 0.0, rc)
    end = Metrics(n, 2, found, 0.5, 0.375, 0.123, 0.777, 0.045, rc)
    return CrawlCurve(name, {"1": first, str(n): end, "end": end}, "limit_pages", 1.25, by_label, by_judge)


def report(bad: str = "a title", url: str = "http://host.example/page") -> ReportData:
    """A report that carries one given text in every field that can come from outside."""
    return ReportData(
        title=f"暴雨灾害 {bad}",
        created="2026-01-02T03:04:05+00:00",
        command=f"ontocrawl demo {bad}",
        figures={
            "documents": 44,
            "terms": 80,
            "formal_concepts": 1203,
            "lattice_edges": 540,
            "classes": 81,
            "depth": 4,
        },
        lattice_svg=SVG,
        hierarchy_svg=SVG,
        weights=(WeightTable(bad, ((f"内涝{bad}", 0.574333, 0.5, 1.0, 0.6667, 0.5, 0.8, f"暴雨灾害 › {bad}"),)),),
        crawls=(crawl(f"breadth_first{bad}", (0, 1, 1), (0, 0, 1)), crawl("fcosa_lg", (1, 2, 3, 4), (1, 1, 2, 2))),
        pagerank_top=((url, bad, 3.21, 0.9), (url, "", 1.0, None)),
        queries=(
            QueryAnswer(
                f"pages/{bad}", bad, f"MATCH (p) WHERE p.x < 1 // {bad}", (f"url{bad}", "n"), ((url, 7), (bad, None))
            ),
            QueryAnswer("pages/none", "Nothing", "MATCH (p:Page) RETURN p.url AS url", ("url",), ()),
        ),
        proposals=(
            {
                "term": bad,
                "score": 2.5,
                "pages": 3,
                "under_label": bad,
                "sentence": f"列车效应{bad}",
                "page": url,
                "id": 1,
            },
        ),
        round=Round(
            f"Accepted {bad}",
            ((bad, None, 12), ("列车效应", bad, 10)),
            (crawl("fcosa_lg", (1, 2, 3), (1, 1, 2)), crawl(f"fcosa_lg, {bad}", (1, 2, 4), (1, 1, 2))),
        ),
        notes=(bad,),
    )


def test_it_is_one_page_that_loads_nothing() -> None:
    html = render(report())
    page = Page(html)
    assert html.startswith("<!DOCTYPE html>\n") and html.count("<html") == 1
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "base", "form", "image"}
    for tag, attributes in page.elements:
        assert "src" not in attributes and "srcset" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        target = attributes.get("href")
        assert target is None or target.startswith("#") or (tag == "a" and target.startswith("http"))
    assert not re.search(r"@import|url\((?!#)", html)
    policy = next(a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None and policy.startswith("default-src 'none'") and "script" not in policy


def test_every_section_is_there_and_in_the_contents() -> None:
    page = Page(render(report()))
    ids = [a["id"] for tag, a in page.elements if tag == "section"]
    assert ids == [
        "figures",
        "lattice",
        "hierarchy",
        "weights",
        "crawls",
        "pagerank",
        "queries",
        "proposals",
        "round",
        "notes",
    ]
    assert [a["href"] for tag, a in page.elements if tag == "a"][: len(ids)] == [f"#{i}" for i in ids]
    for expected in (
        "1,203",
        "0.574",
        "暴雨灾害 ›",
        "MATCH (p) WHERE p.x < 1",
        "50.0%",
        "limit_pages",
        "列车效应",
        "No rows.",
    ):
        assert expected in page.said


def test_crawls_are_measured_as_they_went_on() -> None:
    html = render(replace(report(), crawls=(crawl("best_first", (0, 1, 1, 3), (0, 0, 1, 1)),)))
    cells = [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", html)]
    at = cells.index("best_first")
    first = ["best_first", "–", "1", "0", "1", "100.0%", "0.810", "0.000", "0.810", "0.000", "6.2%"]
    end = ["best_first", "–", "4", "3", "2", "50.0%", "0.375", "0.123", "0.777", "0.045", "6.2%"]
    assert cells[at : at + 22] == first + end
    assert cells.count("best_first") == 2, "a milestone that is the end stands once"
    unlabelled = render(replace(report(), crawls=(crawl("best_first", None, (1, 1)),)))
    assert "6.2%" not in unlabelled and "best_first: 1.2 seconds, stopped by limit_pages" in Page(unlabelled).said


def test_ids_are_unique_though_both_pictures_use_the_same() -> None:
    html = render(report())
    ids = [a["id"] for _, a in Page(html).elements if "id" in a]
    assert len(ids) == len(set(ids))
    assert "lattice-tip" in ids and "hierarchy-tip" in ids
    assert "url(#lattice-tip)" in html and 'href="#hierarchy-node"' in html


def test_chinese_is_kept_and_marked_as_chinese() -> None:
    html = render(report())
    assert "&#" not in html.replace("&#x27;", "").replace("&#39;", "")
    assert "\\u" not in html
    assert '<bdi lang="zh-Hans">暴雨灾害 a title</bdi>' in html
    assert '<span class="zh" lang="zh-Hans">概念格</span>' in html
    for family in ("PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC"):
        assert family in html
    html.encode("utf-8")


def test_light_dark_and_small_screens() -> None:
    html = render(report())
    assert 'name="viewport" content="width=device-width, initial-scale=1"' in html
    assert "prefers-color-scheme: dark" in html and "color-scheme: light dark" in html
    outside = [tag for tag, a in Page(html).elements if tag == "table" and "class" in a]
    assert outside == [] and html.count('<div class="scroll" tabindex="0"><table>') == html.count("<table>")


@pytest.mark.parametrize("bad", HOSTILE)
def test_hostile_text_stays_text(bad: str) -> None:
    ordinary, page = Page(render(report())), Page(render(report(bad)))
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in ordinary.elements]
    assert [sorted(a) for _, a in page.elements if "lang" not in a] == [
        sorted(a) for _, a in ordinary.elements if "lang" not in a
    ]
    visible = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]", "\ufffd", bad)
    assert page.said.count(visible) >= 12
    render(report(bad)).encode("utf-8")


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        " JavaScript:alert(1)",
        "data:text/html,<script>",
        "//evil.example",
        "http://[broken",
        "http://",
        "ftp://x.cn/",
    ],
)
def test_only_web_addresses_become_links(url: str) -> None:
    page = Page(render(report(url=url)))
    assert all(a["href"].startswith("#") for tag, a in page.elements if tag == "a" and a["href"])
    assert url in page.said


@pytest.mark.slow
@given(st.text(), st.text())
def test_any_text_gives_a_well_formed_page(bad: str, url: str) -> None:
    data = replace(report(bad, url), lattice_svg="", hierarchy_svg="", crawls=())
    Page(render(data))


def test_empty_parts_are_left_out() -> None:
    bare = ReportData("t", "2026-01-01T00:00:00+00:00", "c", report().figures, "", "")
    assert [a["id"] for tag, a in Page(render(bare)).elements if tag == "section"] == ["figures"]


def test_the_same_data_give_the_same_page() -> None:
    assert render(report("x")) == render(report("x"))


def test_crawls_are_compared_at_equal_fetches() -> None:
    page = Page(render(report("")))
    assert "Among the first 3 pages of each crawl: breadth_first 1, fcosa_lg 3." in page.said


def test_a_crawl_without_labels_has_the_judges_chart_only() -> None:
    data = replace(report(), crawls=(crawl("best_first", None, (1, 1)),))
    ids = {a.get("id") for _, a in Page(render(data)).elements}
    assert "harvest-judge-t" in ids and "harvest-label-t" not in ids


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"figures": {"documents": 1}}, "missing: terms, formal_concepts, lattice_edges, classes"),
        ({"weights": (WeightTable("o", (("word", 1.0),)),)}, "weights of o, row 1: expected 8 values"),
        ({"pagerank_top": (("http://a.cn/",),)}, "PageRank, row 1: expected 4 values"),
        (
            {"queries": (QueryAnswer("q/x", "t", "c", ("a", "b"), ((1, 2), (1,))),)},
            "query q/x, row 2: expected 2 values",
        ),
        ({"proposals": ({"term": "x"},)}, "missing: score"),
        ({"crawls": (crawl("fcsa", (1, 2, 1), None),)}, "curve of 'fcsa' falls"),
        ({"lattice_svg": "no picture"}, "picture lattice: expected an SVG document"),
    ],
)
def test_values_that_make_no_report_are_named(change: dict[str, Any], told: str) -> None:
    with pytest.raises(ReportError, match=re.escape(told)):
        render(replace(report(), **change))


# ---- pictures -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "inner",
    [
        "<script>1</script>",
        "<g onclick='x()'/>",
        "<image href='http://evil.example/p.png'/>",
        "<use href='http://evil.example/s.svg#a'/>",
        "<style>@import url(http://evil.example/x.css);</style>",
        "<rect style='fill:url(http://evil.example/f)'/>",
        "<a href='javascript:alert(1)'><text>x</text></a>",
        "<p xmlns='http://www.w3.org/1999/xhtml'>x</p>",
    ],
)
def test_pictures_that_run_or_load_something_are_refused(inner: str) -> None:
    with pytest.raises(ReportError, match="picture p"):
        _inline(f'<svg xmlns="http://www.w3.org/2000/svg">{inner}</svg>', "p")


def test_a_picture_with_a_document_type_is_refused() -> None:
    bomb = '<!DOCTYPE svg [<!ENTITY a "aa">]><svg xmlns="http://www.w3.org/2000/svg"><text>&a;</text></svg>'
    with pytest.raises(ReportError, match="document type"):
        _inline(bomb, "p")


def test_a_picture_keeps_its_text_and_loses_its_xml_declaration() -> None:
    drawn = _inline(SVG.replace("<text ", "<text data-x='&lt;b&gt;' "), "p")
    assert drawn.startswith("<svg") and "暴雨" in drawn and "&lt;b&gt;" in drawn


# ---- charts -------------------------------------------------------------------------------------------------------

NS = "{http://www.w3.org/2000/svg}"


def chart(*curves: Curve) -> ElementTree.Element:
    return ElementTree.fromstring(harvest_chart(curves, id_="h", title="Harvest <now>", y_name="relevant & found"))


def test_a_chart_has_axes_legend_labels_and_words() -> None:
    root = chart(Curve("breadth_first", (0, 1, 1, 2)), Curve("fcosa_lg", (1, 2, 3, 4)))
    texts = [t.text for t in root.iter(f"{NS}text")]
    assert {"breadth_first", "fcosa_lg", "breadth_first 2", "fcosa_lg 4", "relevant & found"} <= set(texts)
    assert "pages fetched 已抓取网页" in texts
    assert root.get("role") == "img" and root.get("aria-labelledby") == "h-t h-d"
    assert [root[0].text, root[0].get("id"), root[1].get("id")] == ["Harvest <now>", "h-t", "h-d"]
    described = "relevant & found / pages fetched 已抓取网页. breadth_first: 2 / 4; fcosa_lg: 4 / 4"
    assert root[1].text == described


def test_points_stand_where_the_axes_say() -> None:
    root = chart(Curve("x", tuple(range(1, 101))))
    line = next(p for p in root.iter(f"{NS}polyline"))
    points = [tuple(map(float, p.split(","))) for p in str(line.get("points")).split()]
    assert len(points) == 101
    origin, last = points[0], points[-1]
    labels = {(t.text, t.get("text-anchor")): t for t in root.iter(f"{NS}text") if t.get("class") == "tick"}
    assert float(str(labels["100", "middle"].get("x"))) == pytest.approx(last[0], abs=0.1)
    assert float(str(labels["100", "end"].get("y"))) - 4 == pytest.approx(last[1], abs=0.1)
    assert float(str(labels["0", "middle"].get("x"))) == pytest.approx(origin[0], abs=0.1)
    assert float(str(labels["0", "end"].get("y"))) - 4 == pytest.approx(origin[1], abs=0.1)


def test_a_band_stands_around_its_curve_and_within_the_axes() -> None:
    root = chart(Curve("x", (1, 2, 3, 4), Band((1, 4), (0.0, 3.0), (2.0, 11.0))))
    polygon = next(p for p in root.iter(f"{NS}polygon"))
    points = [tuple(map(float, p.split(","))) for p in str(polygon.get("points")).split()]
    line = next(p for p in root.iter(f"{NS}polyline"))
    curve = [tuple(map(float, p.split(","))) for p in str(line.get("points")).split()]
    assert [x for x, _ in points] == [curve[1][0], curve[4][0], curve[4][0], curve[1][0]]
    assert points[1][1] < curve[4][1] < points[2][1]  # the picture's y grows downwards
    ticks_y = [float(str(t.get("y"))) for t in root.iter(f"{NS}text") if t.get("text-anchor") == "end"]
    assert min(ticks_y) - 4 <= min(y for _, y in points)


def test_a_chart_as_a_file_has_its_style_and_nothing_under_the_mouse() -> None:
    svg = html.standalone(harvest_chart([Curve("x", (0, 1))], id_="h", title="t", y_name="y"))
    root = ElementTree.fromstring(svg)
    style = str(root.find(f"{NS}style").text)  # type: ignore[union-attr]
    assert ".chart .line.s0" in style and "prefers-color-scheme: dark" in style
    assert [*root.iter(f"{NS}circle")] == []
    assert len([*root.iter(f"{NS}polyline")]) == 1


def test_hovering_tells_the_count_at_a_page() -> None:
    root = chart(Curve("x", (0, 0, 1)))
    assert [t.text for t in root.iter(f"{NS}title")][1:] == ["x: 0 of 1", "x: 0 of 2", "x: 1 of 3"]


def test_a_long_crawl_is_thinned_but_ends_where_it_ended() -> None:
    html = harvest_chart([Curve("x", tuple(range(15_000)))], id_="h", title="t", y_name="y")
    assert "x: 14999 of 15000" in html and len(html) < 30_000


def test_labels_of_equal_ends_do_not_overlap() -> None:
    root = chart(*(Curve(f"s{i}", (1, 1, 1)) for i in range(6)))
    heights = sorted(
        float(str(t.get("y")))
        for t in root.iter(f"{NS}text")
        if str(t.text).endswith(" 1") and t.get("class") == "name"
    )
    assert len(heights) == 6
    assert min(b - a for a, b in pairwise(heights)) >= 16.9


def test_a_crawl_that_fetched_nothing_can_be_drawn() -> None:
    assert "x: 0 / 0" in harvest_chart([Curve("x", ())], id_="h", title="t", y_name="y")
    with pytest.raises(ReportError, match="no curve"):
        harvest_chart([], id_="h", title="t", y_name="y")


@given(st.integers(0, 10**7))
def test_ticks_are_round_and_reach_the_largest(largest: int) -> None:
    found = ticks(largest)
    step = found[1] - found[0]
    assert found[0] == 0 and found[-1] >= max(1, largest) and found[-1] - step < max(1, largest)
    assert str(step).rstrip("0") in {"1", "2", "5"}
    assert 2 <= len(found) <= 7 and all(b - a == step for a, b in pairwise(found))


@given(st.lists(st.floats(0, 100), max_size=8))
def test_spread_keeps_order_gap_and_bounds(wanted: list[float]) -> None:
    placed = spread(wanted, 10, 0, 100)
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    assert all(-1e-9 <= p <= 100 + 1e-9 for p in placed)
    assert all(placed[b] - placed[a] >= 10 - 1e-9 for a, b in pairwise(order))
    if all(wanted[b] - wanted[a] >= 10 for a, b in pairwise(order)):
        assert placed == wanted
