"""Addresses of pages: links of the overview lead somewhere, and no name of a run is that of another page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ontocrawl.base import workspace
from ontocrawl.explorer.app import Prepared
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.explorer.conftest import reader, running


def test_the_overview_links_topics_that_have_ontologies(served: Prepared) -> None:
    url = served.address.url
    program = reader(served)
    page = program.get(url, timeout=60).text
    links = re.findall(rf'href="{served.address.access.root}/(ontologies/[^"/]+)"', page)
    assert "ontologies/rainstorm" in links
    assert {link: program.get(url + link, timeout=60).status_code for link in links} == dict.fromkeys(links, 200)
    listed = program.get(url + "api/ontologies", timeout=60).json()["ontologies"]
    assert {link.removeprefix("ontologies/") for link in links} == {one["topic"] for one in listed}
    assert "sports" in page and "ontologies/sports" not in links


def test_a_run_for_a_topic_without_an_ontology_links_none(tmp_path: Path, command: Command) -> None:
    space = workspace.init(tmp_path / "ws")
    crawl = (
        "crawl",
        "run",
        "--world",
        "synthetic:planted?pages=300&seed=0",
        "--strategy",
        "breadth_first",
        "--no-graph",
    )
    done = command(*crawl, "--topic", "sports", "--limit-pages", "10", "--run", "mine", "--workspace", space.root)
    assert done.code == 0
    with running(space) as server:
        page = reader(server).get(server.address.url, timeout=60).text
    assert "/crawls/mine" in page and "sports" in page and "/ontologies/sports" not in page


@pytest.mark.slow
def test_a_run_may_have_the_name_of_a_page(tmp_path: Path, command: Command) -> None:
    space = workspace.init(tmp_path / "ws")
    line = [
        "crawl",
        "run",
        "--world",
        "synthetic:planted?pages=300&seed=0",
        "--strategy",
        "breadth_first",
        "--no-graph",
    ]
    with running(space) as server:
        url, program = server.address.url, reader(server)
        form = program.get(f"{url}crawls/new", params={"topic": "typhoon"}, timeout=60)
        assert form.url == f"{url}crawls/_new?topic=typhoon" and 'value="typhoon" data-seeds' in form.text
        for name in ("new", "compare"):
            done = command(*line, "--limit-pages", "10", "--run", name, "--workspace", space.root)
            assert done.code == 0, done.err
            page = program.get(f"{url}crawls/{name}", timeout=60)
            assert page.url == f"{url}crawls/{name}" and f"<h1>{name}</h1>" in page.text
        both = program.get(f"{url}crawls/_compare", params={"run": ["new", "compare"]}, timeout=60)
        assert both.status_code == 200 and both.text.count("<polyline") == 2
        assert program.get(f"{url}crawls/_new", timeout=60).status_code == 200
        refused = command(*line, "--run", "_new", "--workspace", space.root)
        assert refused.code == 2 and "is not a run's name" in refused.err
