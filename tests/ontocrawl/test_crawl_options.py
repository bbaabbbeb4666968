"""`crawl run` and `resume`: options that say nothing, contradict each other, or must be remembered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crawler.worlds.synthetic import SyntheticWorld
from ontocrawl.base.config import Settings
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import crawl_setup, runs
from ontocrawl.runs.run_config import RunConfig
from tests.ontocrawl.conftest import Command

WORLD = "synthetic:planted?pages=400&seed=3"
MINE = """
from crawler.strategies.breadth_first import BreadthFirst


class Mine(BreadthFirst):
    \"\"\"Breadth first, under another name.\"\"\"

    name = "mine"
"""


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("mixture", "members=best_first"), "members must be two names or more"),
        (("switching", "members="), "members must be two names or more"),
        (("mixture", "members=best_first,best_first"), "none of them twice"),
        (("mixture", "members=nope,best_first"), "members must be names of strategies"),
        (("mixture", "members=mixture,switching"), "must not be made of others as mixture is"),
        (("mixture", "members=switching,best_first"), "must not be made of others as switching is"),
        (("mixture", "weights=3"), "weights must be a number of at least 0 for each"),
        (("mixture", 'settings={"nope": {}}'), "parameters are given for nope, which is no member"),
        (("", "x=1"), "no strategy is called ''"),
    ],
)
def test_what_cannot_be_is_one_sentence(command: Command, space: Workspace, given: tuple[str, str], says: str) -> None:
    strategy, parameter = given
    asked = ("--strategy", strategy, "--param", parameter, "--world", WORLD, "--workspace", space.root)
    found = command("crawl", "run", *asked)
    assert found.code == 2
    assert says in found.err
    assert "Traceback" not in found.err


@pytest.mark.slow
def test_settings_may_be_given_as_json(command: Command, space: Workspace) -> None:
    settings = '{"fcsa": {"T": 2}}'
    asked = ("--param", "members=best_first,fcsa", "--param", f"settings={settings}", "--limit-pages", "10")
    found = command("crawl", "run", "--strategy", "mixture", *asked, "--world", WORLD, "--workspace", space.root)
    assert found.code == 0


@pytest.mark.slow
def test_looking_ahead_is_left_out_where_no_column_shows_it(command: Command, space: Workspace) -> None:
    asked = ("--world", WORLD, "--limit-pages", "10", "--no-graph", "--target", "oracle", "--workspace", space.root)
    found = command("crawl", "run", "--strategy", "breadth_first", *asked, "--json")
    assert found.json["looked_ahead"] == 0
    assert "breadth_first uses no feature of a link's target" in found.err
    looking = command("crawl", "run", "--strategy", "fcsa", *asked, "--json")
    assert looking.json["looked_ahead"] > 0
    assert "uses no feature" not in looking.err


@pytest.mark.slow
def test_what_a_filter_left_out_is_taken_in_the_end_and_said(command: Command, space: Workspace) -> None:
    place = ("--workspace", space.root)
    asked = ("--world", WORLD, "--no-graph", "--strategy", "fcosa_g", "--param", "eta=2", *place)
    found = command("crawl", "run", *asked, "--limit-pages", "50", "--run", "open")
    assert found.code == 0 and "that it rejected were taken" in found.err
    command("crawl", "resume", "open", "--limit-pages", "60", *place)
    status = command("crawl", "status", "open", "--json", *place).json
    assert status["fetched"] == 60 and status["rejected_taken"] > 50
    with runs.open_journal(space, "open") as journal:
        taken = [pick for pick in journal.picks() if "rejected_left" in pick.move]
        (url,) = journal.urls_of([taken[-1].link])
    explained = command("crawl", "explain", "open", url, "--json", *place).json
    assert explained["fetched"] and "because nothing else was left" in explained["happened"]
    assert explained["score"]["link"]["priority"] == explained["score"]["chosen"]["priority"] == taken[-1].priority
    strict = command("crawl", "run", *asked, "--limit-pages", "50", "--strict-filter", "--run", "strict")
    assert strict.code == 0 and "behind the filter of fcosa_g" in strict.out
    assert command("crawl", "status", "strict", "--json", *place).json["rejected_taken"] == 0


def test_a_run_of_an_earlier_version_goes_on_as_it_began(command: Command, space: Workspace) -> None:
    asked = ("--world", WORLD, "--limit-pages", "3", "--no-graph", "--workspace", space.root)
    mixed = ("--strategy", "mixture", "--param", "members=best_first,evidence_sum")
    assert command("crawl", "run", *asked, *mixed, "--run", "mixed").code == 0
    config = runs.config_of(space, "mixed")
    document = config.model_dump(mode="json")
    del document["strict_filter"], document["counts_failures"]
    earlier = RunConfig.model_validate(document)
    settings = [crawl_setup.strategy_of(one).parameters.settings for one in (config, earlier)]
    assert [json.loads(text) for text in settings] == [{}, {"evidence_sum": {"failure_weight": 0.0}}]
    assert [crawl_setup.setup_of(one).strict_filter for one in (config, earlier)] == [False, True]
    plain = earlier.model_copy(update={"strategy": "evidence_sum", "parameters": {}})
    assert crawl_setup.strategy_of(plain).parameters.failure_weight == 0.0
    assert crawl_setup.strategy_of(plain.model_copy(update={"counts_failures": True})).parameters.failure_weight == 0.5


@pytest.mark.slow
def test_a_run_that_was_not_written_into_the_graph_stays_out_of_it(command: Command, space: Workspace) -> None:
    place = ("--workspace", space.root)
    asked = (
        "--world",
        WORLD,
        "--strategy",
        "breadth_first",
        "--run",
        "options-out",
        "--limit-pages",
        "5",
        "--no-graph",
    )
    command("crawl", "run", *asked, *place)
    assert "in the graph" not in command("crawl", "resume", "options-out", "--limit-pages", "8", *place).err
    assert "in the graph" in command("crawl", "resume", "options-out", "--limit-pages", "9", "--graph", *place).err


@pytest.mark.slow
def test_a_strategy_that_was_edited_does_not_go_on_with_a_run(
    command: Command, space: Workspace, tmp_path: Path
) -> None:
    place, file = ("--workspace", space.root), tmp_path / "of_mine.py"
    file.write_text(MINE, encoding="utf-8")
    asked = ("--world", WORLD, "--strategy", f"{file}:Mine", "--run", "options-own", "--limit-pages", "5", "--no-graph")
    assert command("crawl", "run", *asked, *place).code == 0
    assert command("crawl", "resume", "options-own", "--limit-pages", "6", *place).code == 0
    file.write_text(MINE + "\n# edited\n", encoding="utf-8")
    found = command("crawl", "resume", "options-own", "--limit-pages", "7", *place)
    assert found.code == 2
    assert "of_mine.py:Mine is not what the run began with" in found.err


def test_an_unknown_run_names_the_nearest(command: Command, space: Workspace) -> None:
    place = ("--workspace", space.root)
    command("crawl", "run", "--world", WORLD, "--run", "options-first", "--limit-pages", "3", "--no-graph", *place)
    assert "did you mean options-first?" in command("crawl", "resume", "options-frist", *place).err


def test_one_strategy_in_full(command: Command) -> None:
    (entry,) = command("crawl", "strategies", "gafc", "--json").json["strategies"]
    assert entry["about"]["breeders"]["allowed"] == "hubs, relevant"
    assert "step 4 is printed" in entry["about"]["breeders"]["meaning"]
    told = command("crawl", "strategies", "gafc").out
    assert "Parameters of gafc" in told and "Share of a niche" in told
    assert command("crawl", "strategies", "gaffc").code == 2


@pytest.mark.parametrize(("given", "robot"), [((), "MyBot"), (("--ignore-robots-directives",), None)])
def test_directives_of_pages_are_for_the_name_of_the_crawler(
    command: Command, tmp_path: Path, given: tuple[str, ...], robot: str | None
) -> None:
    (tmp_path / "ontocrawl.toml").write_text('[crawl]\nuser_agent = "MyBot/2.0 (+http://my.example/)"\n', "utf-8")
    asked = ("--strategy", "breadth_first", "--limit-pages", "3", "--no-graph", "--run", "r", *given)
    assert command("crawl", "run", *asked, "--world", WORLD, "--workspace", tmp_path).code == 0
    with runs.open_journal(Workspace(tmp_path, Settings()), "r") as journal:
        config = runs.read_config(journal)
        assert config.crawl.ignore_robots_directives is bool(given)
        crawl = crawl_setup.crawl_of(config, SyntheticWorld("planted", 400, 3), journal)
    assert (crawl.state.setup.robot, crawl.state.extras.robot) == (robot, robot)
