"""Templates of all packages: whatever a text is, it stays text, and a page never lacks a value in silence."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment, TemplateNotFound, UndefinedError

from ontocrawl.report import html
from ontology.templates import _is_web_address, templates


@pytest.fixture(params=["ontology.draw", "ontocrawl.report"])
def environment(request: pytest.FixtureRequest) -> Environment:
    return html._environment() if request.param == "ontocrawl.report" else templates(request.param)


def test_text_is_escaped_in_content_and_attributes(environment: Environment) -> None:
    evil = "\"'><script>alert(1)</script>{{ 7 * 7 }}\x00\x1b暴雨"
    made = environment.from_string('<p title="{{ evil }}">{{ evil }}</p>').render(evil=evil)
    page = BeautifulSoup(made, "html.parser")
    seen = evil.replace("\x00", "\ufffd").replace("\x1b", "\ufffd")
    assert [tag.name for tag in page.find_all()] == ["p"]
    assert page.p is not None and page.p["title"] == page.p.string == seen


def test_a_missing_value_is_an_error(environment: Environment) -> None:
    with pytest.raises(UndefinedError, match="absent"):
        environment.from_string("<p>{{ absent }}</p>").render()


def test_every_template_compiles_and_only_templates_are_read(environment: Environment) -> None:
    assert "page.html" in environment.list_templates()
    for name in environment.list_templates():
        environment.get_template(name)
    with pytest.raises(TemplateNotFound):
        environment.get_template("../page.py")


@given(st.text())
def test_only_http_addresses_are_web_addresses(text: str) -> None:
    assert not _is_web_address(text) or text.lstrip().lower().startswith(("http://", "https://"))
    assert not _is_web_address(f"javascript:{text}") and not _is_web_address(f"//{text}")
    assert not _is_web_address(f"http://a.example/\x00{text}")
