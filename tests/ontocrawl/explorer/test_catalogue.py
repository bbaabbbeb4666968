"""The catalogues of queries and strategies on Chinese pages."""

from __future__ import annotations

import re

import requests

import queries
from crawler import strategies
from crawler.scoring.relevance import RELEVANCE
from ontocrawl.base.options import CrawlSettings, declared
from ontocrawl.explorer import rendering
from ontocrawl.explorer.app import Prepared
from ontology import errors
from tests.ontocrawl.conftest import Command

CHINESE = re.compile(r"[\u4e00-\u9fff]")


def _english() -> set[str]:
    """Return all texts of the catalogues that pages show."""
    library, described = queries.all_queries(), strategies.describe()
    of_queries = {text for query in library for text in (query.title, query.answers)}
    of_queries |= {parameter.meaning for query in library for parameter in query.parameters}
    meanings = {about["meaning"] for one in described for about in one["about"].values()}
    functions = {function.title for function in RELEVANCE.values()}
    return of_queries | {one["title"] for one in described} | meanings | functions


def test_every_text_of_the_catalogues_has_a_chinese_form() -> None:
    assert not [text for text in _english() if not CHINESE.search(errors.catalogued(text, "zh"))]


def test_no_chinese_form_is_of_a_text_that_is_gone() -> None:
    assert errors._catalogue("zh").keys() == _english()


def test_every_column_and_parameter_of_a_query_has_a_chinese_name() -> None:
    texts, columns = rendering.texts_in("zh"), errors.catalogue_groups("zh")["columns"]
    names = {name for query in queries.all_queries() for name in (*query.returns, *(p.name for p in query.parameters))}
    assert not [name for name in names if f"column_{name}" not in texts] and columns.keys() <= names


def test_the_terminal_has_the_titles_of_its_language(command: Command) -> None:
    told = command("--lang", "zh", "query", "list", "收获").out
    assert "crawl/harvest_curve" in told and "爬取收获的增长" in told
    strategy = command("--lang", "zh", "crawl", "strategies", "breadth_first").out
    assert "广度优先搜索" in strategy and "Breadth-first" not in strategy


def test_pages_and_interface_have_the_titles_of_the_language(served: Prepared) -> None:
    def get(path: str, accepted: str) -> requests.Response:
        address = f"{served.address.url}{path}?lang={accepted}"
        return requests.get(address, headers={"Authorization": f"Bearer {served.address.token}"}, timeout=60)

    assert "广度优先搜索" in get("crawls/_new", "zh").text and "Breadth-first search" in get("crawls/_new", "en").text
    assert "爬取中最相关的网页" in get("ask", "zh").text and "most relevant pages of a crawl" in get("ask", "en").text
    for query in get("api/queries", "zh").json()["queries"]:
        assert all(CHINESE.search(text) for text in (query["title"], query["answers"]))
        assert all(CHINESE.search(one["meaning"]) for one in query["parameters"])
    for one in get("api/strategies", "zh").json()["strategies"]:
        assert CHINESE.search(one["title"]) and all(CHINESE.search(a["meaning"]) for a in one["about"].values())
    assert get("api/strategies", "en").json()["strategies"] == strategies.describe()


def test_the_choices_of_an_option_answer_what_its_label_says(served: Prepared) -> None:
    """An option that is set by default has the help of the flag that takes it away: `do not read PDF files`."""
    address = f"{served.address.url}crawls/_new?lang=en"
    form = requests.get(address, headers={"Authorization": f"Bearer {served.address.token}"}, timeout=60).text
    for one in declared(CrawlSettings).values():
        choices = re.search(rf'<select id="{one.name}"(.*?)</select>', form, re.DOTALL)
        if one.kind is bool and choices is not None:
            assert f'<option value="{str(not one.default).lower()}">yes</option>' in choices[1], one.name
            assert "(no)" in choices[1], one.name
    assert 'id="documents"' in form
    assert 'id="strict_filter"' in form
