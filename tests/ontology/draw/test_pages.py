"""Interactive pages and documentation: well-formed, of one file, safe with nasty labels, all data within."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bs4 import BeautifulSoup

from ontology import owl
from ontology.context import bits_of
from ontology.draw import lattice_page, ontology_handbook, ontology_page
from ontology.draw.handbook import anchors
from ontology.draw.page import _embedded, asset
from ontology.lattice import lattice
from ontology.model import Concept, Ontology, Relation
from tests.ontology.contexts import named, table1
from tests.ontology.draw.pictures import NASTY, nasty, ontology, star, tangled

ROOT = Path(__file__).resolve().parents[3]
VOID = {"meta", "input", "br", "link", "img", "hr"}
LOADING = {"link", "img", "iframe", "object", "embed", "base", "form", "source", "video", "audio"}


class Checker(HTMLParser):
    """Every element is closed in order; nothing that loads, no handler in an attribute, no id twice."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert tag not in LOADING, tag
        assert "src" not in given and not any(name.startswith("on") for name in given), given
        assert not str(given.get("href", "#")).lower().startswith(("javascript", "data", "//")), given
        if tag == "a":
            assert str(given["href"]).startswith(("#", "http://", "https://"))
        if "id" in given:
            self.ids.append(str(given["id"]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, (tag, self.open[-5:])


def check(html: str) -> BeautifulSoup:
    """The page, parsed; its form and its policy are checked."""
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert checker.open == [] and len(set(checker.ids)) == len(checker.ids)
    page = BeautifulSoup(html, "html.parser")
    policy = page.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"]  # type: ignore[index]
    assert str(policy).startswith("default-src 'none'")
    for kind, element in (("style", page.style), ("script", page.find_all("script")[-1])):
        assert element is not None
        digest = base64.b64encode(hashlib.sha256(str(element.string).encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in str(policy)
    style = str(page.style.string) if page.style else ""
    assert "@import" not in style and not re.search(r"url\((?!data:font/woff;base64,)", style)
    return page


def held(page: BeautifulSoup) -> Any:
    return json.loads(str(page.find("script", id="data").string))  # type: ignore[union-attr]


def shipped(name: str) -> Ontology:
    return owl.read(ROOT / "ontologies" / f"{name}.ttl")


def test_table_1_page_holds_the_lattice() -> None:
    found = lattice(table1())
    page = check(lattice_page(found, titles={"D1": "一", "D2": ""}, title="表一"))
    data = held(page)
    assert page.title is not None and page.title.string == "表一"
    assert len(data["points"]) == 12 and data["titles"] == {"D1": "一"}
    for intent, formal in zip(data["points"], found.concepts, strict=True):
        assert tuple(data["attributes"][m] for m in intent) == found.context.attribute_names(formal.intent)
    for row, bits in zip(data["rows"], found.context.rows, strict=True):
        assert tuple(data["attributes"][m] for m in row) == found.context.attribute_names(bits)
    drawn = {g["data-i"] for g in page.select("#stage svg g.c")}
    assert drawn == {str(i) for i in range(12)}
    assert {(p["data-u"], p["data-v"]) for p in page.select("#stage svg path.e")} == {
        (str(u), str(v)) for u, v in found.covers.tolist()
    }
    english = check(lattice_page(found, language="en"))
    assert held(english)["language"] == "en" and english.html is not None and english.html["lang"] == "en"


_ASK = """
const formalContext = new Function(`${process.argv[1]}; return formalContext`)();
const data = JSON.parse(require("fs").readFileSync(0, "utf8"));
const kernel = formalContext(data.rows, data.attributes.length);
const told = (c) => ({ intent: c.attributes, extent: kernel.objects(c), own: kernel.ownAttributes(c),
  ownObjects: kernel.objects(c).filter((g) => kernel.isOwnObject(c, g)),
  lower: kernel.lower(c).map((x) => x.attributes), upper: kernel.upper(c).map((x) => x.attributes) });
console.log(JSON.stringify(data.asked.map((intent) => told(kernel.ofAttributes(intent)))));
"""


def test_the_page_computes_the_concepts_that_are_not_drawn() -> None:
    """The program of the page finds the same extents, covers and own names as the lattice, for every concept."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("the program of the page runs in node, which is not installed")
    context = named(np.random.default_rng(5).random((70, 40)) < 0.15)
    whole = lattice(context)
    page = held(check(lattice_page(whole)))
    assert 30 <= len(page["points"]) <= 60 < len(whole)
    intents = [list(bits_of(c.intent)) for c in whole.concepts]
    told = subprocess.run([node, "-e", _ASK, asset("formal_concepts.js")], input=json.dumps(page | {"asked": intents}),
                          capture_output=True, text=True, check=True, timeout=120).stdout  # fmt: skip
    for i, c in enumerate(json.loads(told)):
        formal = whole.concepts[i]
        assert (c["intent"], c["extent"]) == (intents[i], list(bits_of(formal.extent)))
        assert sorted(c["lower"]) == sorted(intents[j] for j in whole.lower(i))
        assert sorted(c["upper"]) == sorted(intents[j] for j in whole.upper(i))
        assert tuple(context.attributes[m] for m in c["own"]) == whole.own_attributes.get(i, ())
        assert tuple(context.objects[g] for g in c["ownObjects"]) == whole.own_objects.get(i, ())


@pytest.mark.parametrize("shape", ["tree", "dag"])
def test_an_ontology_page_holds_the_ontology(shape: Any) -> None:
    curated = shipped("rainstorm")
    page = check(ontology_page(curated, shape=shape))
    data = held(page)
    assert set(data["concepts"]) == set(curated.by_iri) == {g["data-i"] for g in page.select("#stage svg g.c")}
    assert len(data["relations"]) == len(curated.relations)
    assert data["concepts"][curated.root]["zh"] == "暴雨灾害"


def test_evidence_and_titles_are_on_the_page() -> None:
    concepts = [Concept("http://x/a", "甲"), Concept("http://x/b", "乙")]
    edge = Relation("http://x/b", "subclass_of", "http://x/a", 7, 0.875, "pattern", ("d1", "d2"), "乙是一种甲。")
    small = ontology(concepts, [edge], "http://x/a")
    data = held(check(ontology_page(small, titles={"d1": "题名", "d9": "别的"})))
    assert data["relations"][0]["documents"] == ["d1", "d2"] and data["titles"] == {"d1": "题名"}
    entry = check(ontology_handbook(small, titles={"d1": "题名"})).find("section", id="b")
    assert entry is not None
    said = entry.get_text(" ")
    for words in ("7", "0.88", "pattern", "乙是一种甲。", "d1 题名", "d2"):
        assert words in said


@pytest.mark.parametrize("make", [ontology_page, ontology_handbook])
def test_nasty_labels_stay_text(make: Callable[..., str]) -> None:
    html = make(nasty())
    page = check(html)
    assert len(page.find_all("script")) == (2 if make is ontology_page else 1)
    assert html.count("</script>") == len(page.find_all("script"))
    assert not any(str(a["href"]).startswith("javascript") for a in page.find_all("a"))
    assert NASTY[0] in page.get_text() or NASTY[0] in str(held(page))


def test_embedded_json_cannot_leave_its_element() -> None:
    value = {"a": [*NASTY, "\ud800", None, 1.5, True]}
    text = _embedded(value)
    assert not set("<>&\u2028\u2029") & set(text)
    text.encode("utf-8")
    assert json.loads(text) == value


@pytest.mark.parametrize(
    "build", [star, lambda n: tangled(), lambda n: shipped("typhoon")], ids=["star", "tangled", "typhoon"]
)
def test_every_class_has_an_entry_and_a_place_in_the_tree(build: Callable[[int], Ontology]) -> None:
    drawn = build(40)
    page = check(ontology_handbook(drawn))
    ids = {section["id"] for section in page.select("section.class")}
    assert len(ids) == len(drawn.concepts)
    assert {str(a["href"])[1:] for a in page.select("nav a")} == ids
    assert len(page.select("nav li[data-c]")) == len(ids)
    links = {str(a["href"])[1:] for a in page.select("main a") if str(a["href"]).startswith("#")}
    assert links <= ids
    for concept in drawn.concepts:
        assert all(form in page.get_text() for _, form in concept.forms())


def test_languages_of_the_documentation() -> None:
    page = check(ontology_handbook(shipped("rainstorm"), language="en"))
    assert page.header is not None and page.header["class"] == ["en"]
    heading = page.select_one("section.class h2")
    assert heading is not None
    assert [(s["lang"], s.get_text()) for s in heading.find_all("span")] == [
        ("zh", "暴雨灾害"),
        ("en", "rainstorm disaster"),
    ]
    only = check(ontology_handbook(tangled())).select_one("section.class h2 span")
    assert only is not None and only["class"] == ["only"], "shown in either language"
    with pytest.raises(ValueError, match="language"):
        ontology_handbook(tangled(), language="fr")  # type: ignore[arg-type]


def test_anchors_are_unique_also_without_regard_to_case() -> None:
    found = anchors(["http://x/#Flood", "http://y/#flood", "http://x/洪水", "http://x/about", "http://x/a b#"])
    assert list(found.values()) == ["Flood", "flood-2", "class", "about-2", "a-b"]


def test_an_embedded_font_is_allowed_by_the_policy() -> None:
    pytest.importorskip("pylopdf_fonts_zh_cn", reason="extra pictures")
    page = check(ontology_handbook(tangled(), embed_font=True))
    assert "font-src data:" in str(page.find("meta", attrs={"http-equiv": "Content-Security-Policy"}))
    assert "@font-face" in str(page.style)
    assert "font-src" not in str(check(ontology_handbook(tangled())))


@pytest.mark.parametrize("name", ["explore.js", "formal_concepts.js", "page.js", "explore.css", "page.css"])
def test_programs_make_no_markup_and_no_request(name: str) -> None:
    text = asset(name)
    markup = ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "</script", "</style")
    requests = ("fetch(", "XMLHttpRequest", "import(", "http://", "https://", "@import", "url(", "localStorage")
    for word in (*markup, *requests):
        assert word not in text, word
    closing = {"{": "}", "(": ")", "[": "]"}
    if name.endswith(".css"):
        assert all(text.count(a) == text.count(b) for a, b in closing.items())


def test_programs_find_the_elements_that_they_ask_for() -> None:
    """Ids in the programs exist on the pages."""
    for name, html in (("explore.js", ontology_page(tangled())), ("page.js", ontology_handbook(tangled()))):
        page = BeautifulSoup(html, "html.parser")
        asked = set(re.findall(r'getElementById\("([\w-]+)"\)', asset(name)))
        assert asked and all(page.find(id=i) is not None for i in asked), name
