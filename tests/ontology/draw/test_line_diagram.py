"""The line diagram: reduced labelling, labels that stand apart, a page that is not too wide, icebergs that say so."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from ontology.context import FormalContext
from ontology.draw import lattice_svg, line_diagram, readable_iceberg
from ontology.draw.svg import few, short, text_width
from ontology.lattice import Lattice, lattice
from tests.ontology.contexts import contexts, named, table1
from tests.ontology.draw.pictures import lines, overlapping, points, size, texts

ROOT = Path(__file__).resolve().parents[3]


def large() -> Lattice:
    """A random lattice of 508 concepts."""
    found = lattice(named(np.random.default_rng(0).random((60, 25)) < 0.24))
    assert len(found) == 508
    return found


def test_table_1() -> None:
    """G-numbers of Table 1: 12 concepts, 19 edges; every term and document stands once."""
    svg = lattice_svg(lattice(table1()))
    where = points(svg)
    assert len(where) == 12 and len(lines(svg)) == 19
    assert sorted(texts(svg)[:-1]) == sorted([*(f"T{i}" for i in range(1, 9)), *(f"D{i}" for i in range(1, 6))])
    assert all(where[u][1] < where[v][1] for u, v in lines(svg)), "the greater concept stands higher"
    assert not overlapping(svg)
    assert "Noto Sans SC" in svg


def test_the_picture_in_the_documents_is_what_is_drawn() -> None:
    assert (ROOT / "docs" / "lattice-table1.svg").read_text(encoding="utf-8") == lattice_svg(lattice(table1()))


def test_500_concepts_fit_a_page() -> None:
    drawn = line_diagram(large(), max_concepts=508)
    where = points(drawn.svg)
    assert len(where) == 508 and len(lines(drawn.svg)) == len(large().covers)
    wide, high = size(drawn.svg)
    assert wide < 2000 and high < 2000
    assert not overlapping(drawn.svg)
    seats = np.array(list(where.values()))
    apart = np.hypot(*(seats[:, None, :2] - seats[None, :, :2]).transpose(2, 0, 1)) - seats[:, 2] - seats[:, None, 2]
    assert (apart[~np.eye(len(seats), dtype=bool)] > 0.5).all(), "no two points touch"


def test_hundreds_of_labels_in_one_level_fit_a_page() -> None:
    """As in texts: most terms hang directly under the top."""
    rng = np.random.default_rng(1)
    table = rng.random((170, 150)) < rng.beta(0.6, 9, 150)
    table[:150] |= np.eye(150, dtype=bool)
    context = FormalContext.from_bools([f"d{i}" for i in range(170)], [f"暴雨洪涝灾害{i}" for i in range(150)], table)
    drawn = line_diagram(lattice(context).iceberg(4), max_concepts=500)
    assert len(drawn.shown) > 100
    assert size(drawn.svg)[0] < 2000
    assert not overlapping(drawn.svg)


def test_a_large_lattice_is_cut_to_an_iceberg_and_says_so() -> None:
    whole = large()
    drawn = line_diagram(whole, max_concepts=40)
    number = len(points(drawn.svg))
    assert 10 < number <= 40 and number == len(drawn.shown)
    assert drawn.shown.min_support == min(drawn.shown.supports)
    assert f"iceberg: {number} of 508 concepts, those with at least {drawn.shown.min_support} objects" in drawn.caption
    assert drawn.caption in texts(drawn.svg)
    assert "iceberg" not in line_diagram(whole, max_concepts=508).caption
    assert "iceberg" in line_diagram(whole.iceberg(3), max_concepts=508).caption, "cut by the caller, not here"
    twice = line_diagram(whole.iceberg(3), max_concepts=number).caption
    assert "iceberg" in twice and " of " not in twice, "what was cut before is not known here"
    assert len(line_diagram(whole, max_concepts=1).shown) == 1
    assert line_diagram(whole, max_concepts=40, language="en").caption.isascii()
    for wrong in ({"max_concepts": 0}, {"language": "fr"}):
        with pytest.raises(ValueError, match="expected"):
            line_diagram(whole, **wrong)


def test_a_picture_has_30_to_60_concepts_where_a_support_gives_so_many() -> None:
    whole = large()
    drawn = line_diagram(whole)
    assert 30 <= len(drawn.shown) <= 60 and drawn.shown == readable_iceberg(whole)
    assert len(whole.iceberg(drawn.shown.min_support - 1)) > 60, "the smallest support with which they are readable"
    assert not overlapping(drawn.svg)
    small = lattice(table1())
    assert readable_iceberg(small) is small


def test_where_no_support_gives_30_to_60_the_nearer_size_is_drawn() -> None:
    def icebergs(singles: int) -> int:
        """Concepts drawn of some attributes with two objects each, and many with one."""
        pairs = [(f"g{i}{side}", f"m{i}") for i in range(10) for side in "ab"]
        context = FormalContext.from_pairs([*pairs, *((f"s{i}", f"n{i}") for i in range(singles))])
        return len(line_diagram(lattice(context)).shown)

    assert icebergs(15) == 27, "all of them fit"
    assert icebergs(90) == 101, "101 is nearer to 60 than 11 is to 30"
    assert icebergs(400) == 11, "11 is nearer to 30 than 411 to 60"


def test_names_are_escaped_and_shortened() -> None:
    attributes = ["<b>&\"'", "暴雨\x00\u202e内涝", "c" * 99, "d", "e"]
    svg = lattice_svg(lattice(FormalContext(("g",), tuple(attributes), (31,))))
    assert "<b>" not in svg
    own = next(t for t in texts(svg) if "&" in t)
    assert own.startswith("<b>&\"'暴雨 内涝c") and own.endswith("…+2")


def test_documents_are_named_where_they_are_few() -> None:
    few_objects = lattice_svg(lattice(named(np.eye(5, dtype=bool))))
    assert {f"g{i}" for i in range(5)} <= set(texts(few_objects))
    many = lattice(named(np.eye(70, dtype=bool)))
    assert "g1" not in texts(lattice_svg(many)) and texts(lattice_svg(many)).count("1 篇") == 70
    assert texts(lattice_svg(many, of_documents=False)).count("1 个") == 70
    assert texts(line_diagram(many, language="en", of_documents=False).svg).count("1 objects") == 70


@pytest.mark.slow
@given(contexts())
@settings(deadline=None, max_examples=40)
def test_any_lattice_is_drawn_whole_and_the_same_again(context: FormalContext) -> None:
    found = lattice(context)
    svg = lattice_svg(found, max_concepts=1000)
    where = points(svg)
    assert len(where) == len(found)
    assert sorted(lines(svg)) == sorted((str(u), str(v)) for u, v in found.covers.tolist())
    assert all(where[u][1] < where[v][1] for u, v in lines(svg))
    assert not overlapping(svg)
    wide, high = size(svg)
    assert all(0 < x < wide and 0 < y < high for x, y, _ in where.values())
    assert svg == lattice_svg(lattice(context), max_concepts=1000)


def test_widths_of_words() -> None:
    assert text_width("暴雨") == 24
    assert text_width("ab") < 14 < text_width("MW")
    assert text_width("i") < text_width("m")
    assert short("暴雨灾害", 4) == "暴雨灾害"
    assert short("暴雨灾害管理", 4) == "暴雨灾…"
    assert short(" a\n b ", 9) == "a b"
    assert text_width(short("x" * 500, 10), 1) <= 10
    assert few(("a", "b", "c"), 2, 9) == ("a", "b", "+1")


def test_the_snippet_in_the_documents_runs() -> None:
    text = (ROOT / "docs" / "ontologies.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    (code,) = (code for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "lattice_svg(" in code)
    exec(code, names)
    assert names["svg"] == lattice_svg(lattice(table1()))
