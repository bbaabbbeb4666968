"""A topic file outside the workspace, by which a run crawled: its views, proposals, versions and further crawls."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from ontocrawl.base import workspace
from ontocrawl.base.options import CrawlOptions
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs.crawl_request import CrawlRequest, check
from ontocrawl.topics import topics
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.explorer.conftest import reader, running

TOPIC = "floods-of-ours"


@pytest.fixture
def crawled(tmp_path: Path, command: Command) -> Workspace:
    """A workspace with a run by a topic file elsewhere, whose ontology stands beside it."""
    with as_file(files("ontologies")) as shipped:
        shutil.copyfile(shipped / "typhoon.ttl", _made(tmp_path / "mine") / "ours.ttl")
    file = tmp_path / "mine" / f"{TOPIC}.toml"
    text = f'name = "{TOPIC}"\nontologies = ["ours.ttl"]\n[label]\nzh = "洪水"\nen = "floods"\n'
    file.write_text(text + '[[words]]\nweight = 1.0\nzh = ["洪水"]\nen = ["flood"]\n', encoding="utf-8")
    space = workspace.init(tmp_path / "ws")
    asked = ("--world", "synthetic:planted?pages=300&seed=0", "--strategy", "breadth_first", "--limit-pages", "5")
    where = ("--no-graph", "--run", "by-our-topic", "--workspace", space.root)
    assert command("crawl", "run", "--topic", file, *asked, *where).code == 0
    return space


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_the_topic_of_a_run_has_its_views(crawled: Workspace) -> None:
    with running(crawled) as server:
        url = server.address.url
        assert TOPIC in reader(server).get(url, timeout=60).text
        for address in (f"ontologies/{TOPIC}", f"api/ontologies/{TOPIC}/tree", f"review?topic={TOPIC}"):
            found = reader(server).get(url + address, timeout=60)
            assert found.status_code == 200, found.text
        assert reader(server).get(url + f"ontologies/{TOPIC}x", timeout=60).status_code == 404


def test_a_crawl_by_it_is_started_by_its_file(crawled: Workspace) -> None:
    options = CrawlOptions(world="synthetic:planted?pages=300&seed=0", strategy="breadth_first")
    request = CrawlRequest(TOPIC, options=options)
    config = check(crawled, request).config
    assert config.topic == TOPIC and config.topic_file is not None
    assert f"--topic={config.topic_file}" in request.arguments("next", config.topic_file)


def test_a_topic_of_the_workspace_precedes_it_and_one_that_is_gone_is_not_shown(crawled: Workspace) -> None:
    places = topics.places(crawled)
    mine = Path(places[TOPIC])
    assert mine.name == f"{TOPIC}.toml" and places["rainstorm"] == "shipped"
    here = _made_topics(crawled) / f"{TOPIC}.toml"
    shutil.copyfile(mine, here)
    shutil.copyfile(mine.with_name("ours.ttl"), here.with_name("ours.ttl"))  # found beside the topic file
    assert topics.places(crawled)[TOPIC] == str(here)
    assert len(topics.named(TOPIC, crawled).ontologies) == 1
    here.unlink()
    mine.unlink()
    assert TOPIC not in topics.places(crawled)


def _made_topics(space: Workspace) -> Path:
    folder = space.ontologies / "topics"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
