"""A crawl that a form asks for: its fields, the arguments of the command, what is refused, what it would cost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer

from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli import crawl_run
from ontocrawl.errors import OntocrawlError
from ontocrawl.runs import crawl_request, runs

WORLD = "synthetic:planted?pages=300&seed=0"
ALL: dict[str, Any] = {
    "topic": "rainstorm", "classes": "-洪水\n台风", "cover": "2", "words": {"风眼": "0.5", "surge": 1},
    "seeds": "-x\nhttps://a.example/?q=1,2 3\n", "world": WORLD, "strategy": "fish",
    "parameters": {"D": "4", "sigma": 0.5}, "run": "mine", "graph": False, "limit_pages": "20", "limit_time": 9.5,
    "limit_relevant": 3, "limit_generations": "2", "limit_gain": 3,
    "max_depth": 4, "max_offtopic_depth": 5, "max_per_host": 6,
    "max_per_directory": 7, "max_per_pattern": 8, "in_flight": 9, "seed": 10, "threshold": "0.25", "join": 0.5,
    "stay": "host", "target": "oracle", "judge": "--help", "guide": "published", "weights": "sem",
    "host": ["a.example", "b.example"], "exclude_host": ["-c.example"], "accept": ["^http"], "reject": ["x y", "z"],
    "strict_filter": "true", "reproducible": True, "ignore_robots_directives": True, "scripts": True,
    "skip_links": ["svg", "script"],
    "parsers": 2, "refresh_every": 3, "short_queue": 4, "snapshot_every": 5, "user_agent": "-bot/1", "timeout": 2.5,
    "max_bytes": "1000", "documents": False, "max_document_bytes": 2000,
    "browser": False, "render": ["d.example"],
}  # fmt: skip


@pytest.fixture
def fresh(tmp_path: Path) -> Workspace:
    return workspace.init(tmp_path / "ws")


def parsed(arguments: list[str]) -> dict[str, Any]:
    """What `crawl run` understands of its arguments."""
    app = typer.Typer()
    app.command()(crawl_run.run)
    found = typer.main.get_command(app).make_context("run", arguments[2:]).params
    return {name: value for name, value in found.items() if value not in (None, False, [], ())}


def test_the_command_understands_all_fields_as_they_were_sent() -> None:
    assert set(ALL) == set(crawl_request.FIELDS)
    expected = {name: ALL[name] for name in crawl_request.SETTINGS} | {
        "topic": "rainstorm", "classes": ["-洪水", "台风"], "cover": "2", "words": "风眼=0.5,surge=1.0",
        "seeds": ["-x", "https://a.example/?q=1,2 3"], "world": WORLD, "strategy": "fish",
        "parameter": ["D=4", "sigma=0.5"], "run": "other", "graph": True, "limit_pages": 20, "threshold": 0.25,
        "limit_generations": 2, "strict_filter": True, "max_bytes": 1000,
        "documents": True,  # --no-documents
        "browser": True,  # --no-browser
    }  # fmt: skip
    found = parsed(crawl_request.of_json(ALL).arguments("other"))
    lists = {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}
    assert lists == expected


def test_absent_and_empty_fields_are_defaults() -> None:
    empty: dict[str, Any] = {"topic": "", "seeds": [], "strategy": None, "parameters": {}, "seed": "", "host": " \n "}
    request = crawl_request.of_json(empty)
    assert request == crawl_request.of_json({})
    assert parsed(request.arguments("mine")) == {"run": "mine"}


@pytest.mark.parametrize(
    ("changed", "field", "says"),
    [
        ({"topic": "rainstrom"}, "topic", "did you mean 'rainstorm'"),
        ({"topic": "/etc/passwd.toml"}, "topic", "there is no topic"),
        ({"run": "../x"}, "run", "is not a run's name"),
        ({"run": "--help"}, "run", "is not a run's name"),
        ({"seeds": ["-x"]}, "seeds", "'-x' is not a URL"),
        ({"seeds": ["ftp://a.example"]}, "seeds", "is not an http or https URL"),
        ({"seeds": ["@/etc/passwd"]}, "seeds", "a file of seeds can be given to"),
        ({"seeds": [f"sitemap:{__file__}"]}, "seeds", "a file can be given to"),
        ({"seeds": ["sitemap:nowhere/x.xml"]}, "seeds", "there is no file"),
        ({"seeds": [f"query:{__file__}.cypher"]}, "seeds", "name a query of the library"),
        ({"seeds": ["query:links/authority"]}, "seeds", "did you mean"),
        ({"seeds": ["query:hosts/that_pay"]}, "seeds", "the query has no column url"),
        ({"seeds": ["query:links/authorities#lest=2"]}, "seeds", "lest"),
        ({"seeds": ["http://a.example/\0"]}, "seeds", "control character"),
        ({"seeds": "x" * 3000}, "seeds", "at most 2000 characters"),
        ({"seeds": ["x"] * 2000}, "seeds", "at most 1000 items"),
        ({"seeds": 1}, "seeds", "expected a list of texts"),
        ({"world": "live", "seeds": []}, "seeds", "no seeds"),
        (
            {"world": "live", "seeds": ["http://news.cn/", "http://127.1:8000/x"]},
            "seeds",
            "127.0.0.1, a loopback address",
        ),
        ({"world": "live", "seeds": ["http://[::1]/"]}, "seeds", "a loopback address"),
        ({"world": "live", "seeds": ["http://LOCALHOST:80/"]}, "seeds", "localhost, a loopback address"),
        ({"world": "live", "seeds": ["https://192.168.1.1/"]}, "seeds", "a private address"),
        ({"world": "live", "seeds": ["http://169.254.169.254/latest"]}, "seeds", "the metadata service of a cloud"),
        ({"world": "live", "seeds": ["sitemap:http://10.0.0.1/s.xml"]}, "seeds", "a private address"),
        ({"world": "live", "seeds": ["sitemap:10.0.0.1"]}, "seeds", "a private address"),
        ({"world": "moon"}, "world", "there is no world 'moon'"),
        ({"world": "corpus:/nowhere"}, "world", "nowhere"),
        ({"world": ["live"]}, "world", "expected a text"),
        ({"strategy": "fishy"}, "strategy", "did you mean 'fish'"),
        ({"strategy": "mine.py:Mine"}, "strategy", "there is no strategy"),
        ({"parameters": {"D": "-1"}}, "parameters", "D"),
        ({"parameters": {"depth": "1"}}, "parameters", "depth"),
        ({"parameters": [1]}, "parameters", "expected values by name"),
        ({"strategy": "mixture", "parameters": {"members": "fish,mine.py:Mine"}}, "parameters", "there is no strategy"),
        ({"strategy": "mixture", "parameters": {"settings": "{}"}}, "parameters", "NAME.PARAMETER"),
        ({"limit_pages": "many"}, "limit_pages", "expected a number"),
        ({"limit_pages": -1}, "limit_pages", "greater than or equal to 0"),
        ({"limit_pages": 2.5}, "limit_pages", "integer"),
        ({"limit_time": "nan"}, "limit_time", "finite"),
        ({"threshold": 2}, "threshold", "less than or equal to 1"),
        ({"in_flight": 0}, "in_flight", "greater than or equal to 1"),
        ({"stay": "home"}, "stay", "'host', 'domain', 'prefix' or 'any'"),
        ({"accept": ["("]}, "accept", "("),
        ({"host": ["http://a.example"]}, "host", "a.example"),
        ({"judge": "nobody"}, None, "nobody"),
        ({"guide": "nobody"}, None, "nobody"),
        ({"graph": "no"}, "graph", "expected true or false"),
        ({"warc": "/tmp/x"}, "warc", "there is no field 'warc'"),
        ({"classes": 7}, "classes", "expected a list of texts"),
        ({"words": ["a"]}, "words", "expected weights by word"),
        ({"words": {"a": 2}}, "words", "a weight is a number above 0"),
        ({"words": {"a": 1}}, None, "are added to those of a class"),
        ({"classes": ["洪水"], "cover": "some"}, None, "a number of levels below the root, or local"),
        ({"classes": ["洪水", "台风"], "strategy": "best_first"}, None, "best_first reads features of links"),
    ],
)
def test_what_is_wrong_is_said_and_its_field_named(
    fresh: Workspace, changed: dict[str, Any], field: str | None, says: str
) -> None:
    sent = {"topic": "rainstorm", "world": WORLD, "strategy": "fish"} | changed
    with pytest.raises(OntocrawlError) as refused:
        crawl_request.check(fresh, crawl_request.of_json(sent))
    assert getattr(refused.value, "field", None) == field
    assert says in str(refused.value)
    assert not list(fresh.runs.iterdir())


def checked(fresh: Workspace, **sent: Any) -> crawl_request.Checked:
    return crawl_request.check(fresh, crawl_request.of_json({"topic": "rainstorm", **sent}))


def test_time_by_delays_is_for_the_hosts_of_the_seeds(fresh: Workspace) -> None:
    seeds = ["http://a.example/", "http://a.example/2", "http://b.example/"]
    cost = checked(fresh, seeds=seeds, limit_pages=100).estimate
    assert (cost.pages, cost.hosts, cost.delay, cost.in_flight) == (100, 2, 1.0, 8)
    assert cost.seconds_by_delay == 50.0
    assert cost.seconds_by_rate is None and cost.disk is None
    assert checked(fresh, seeds=seeds, limit_pages=100, limit_time=20).estimate.seconds_by_delay == 20.0
    assert checked(fresh, seeds=seeds, limit_pages=0).estimate.seconds_by_delay is None
    assert checked(fresh, world=WORLD).estimate.seconds_by_delay is None


def test_rate_and_disk_are_those_of_earlier_runs_of_the_kind(fresh: Workspace) -> None:
    for name, world, fetched, seconds in (("a", WORLD, 30, 3.0), ("b", WORLD, 10, 1.0), ("c", "live", 5, 500.0)):
        folder = fresh.run(name)
        folder.mkdir()
        (folder / "journal.sqlite").write_bytes(b"x" * fetched * 100)
        (folder / runs.SUMMARY).write_text(json.dumps({"world": world, "fetched": fetched, "seconds": seconds}))
    found = crawl_request._earlier(fresh, "synthetic")
    assert (found.runs, found.pages, found.pages_per_second) == (2, 40, 10.0)
    cost = checked(fresh, world=WORLD, limit_pages=200).estimate
    assert cost.seconds_by_rate == 20.0
    assert cost.disk is not None and found.bytes_per_page is not None
    assert cost.disk == pytest.approx(200 * found.bytes_per_page) and found.bytes_per_page > 100
    assert cost.as_json()["earlier"]["pages_per_second"] == 10.0


def test_sources_of_seeds_are_not_read_before_the_crawl_begins(fresh: Workspace) -> None:
    found = checked(fresh, seeds=["sitemap:http://a.example/sitemap.xml"])
    assert found.config.seeds == ()
    assert found.notes == ("sitemap:http://a.example/sitemap.xml is read when the crawl begins",)
