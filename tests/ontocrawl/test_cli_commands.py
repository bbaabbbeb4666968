"""The table of commands: every line tells the truth, and nothing is imported before it is needed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from inspect import getdoc
from pathlib import Path

import pytest

from kg.store import StoreError, StoreUnavailable
from ontocrawl.cli import main
from ontocrawl.cli.arguments import parameters
from ontocrawl.cli.commands import COMMANDS, GROUPS
from ontocrawl.errors import DEPENDENCY, FAILURE, USAGE, UsageError
from tests.ontocrawl.conftest import Command

HEAVY = {"neo4j", "numpy", "scipy", "pandas", "rdflib", "owlready2", "jieba", "selectolax", "bs4", "requests"}


@pytest.mark.parametrize("typed", COMMANDS)
def test_a_line_of_the_table_begins_the_docstring_of_its_function(typed: str) -> None:
    place, line = COMMANDS[typed]
    module, _, name = place.partition(":")
    function = getattr(import_module(f"ontocrawl.cli.{module}"), name)
    assert " ".join((getdoc(function) or "").split()).startswith(line)


def test_every_group_has_commands_and_every_command_its_group() -> None:
    assert {typed.rpartition(" ")[0] for typed in COMMANDS} == {"", *GROUPS}


@pytest.mark.parametrize("noun", ["", *GROUPS])
def test_help_lists_the_commands_with_their_lines(command: Command, noun: str) -> None:
    shown = command(*noun.split(), "--help")
    listed = shown.out.partition("Commands:")[2]
    assert shown.code == 0
    for typed, (_, line) in COMMANDS.items():
        if typed.rpartition(" ")[0] == noun:
            assert f"  {typed.rpartition(' ')[2]}" in listed
            assert line[:30] in listed


def test_a_command_shows_its_own_help(command: Command) -> None:
    shown = command("query", "run", "--help")
    assert shown.code == 0
    assert "--param" in shown.out
    assert "query run [OPTIONS]" in shown.out


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["ontocrawl", "ontology", "l"], {"lattice", "lint"}),
        (["ontocrawl", "ontology", "lint", "--sev"], {"--severity"}),
        (["ontocrawl", "q"], {"query"}),
    ],
)
def test_the_shell_completes_nouns_verbs_and_options(words: list[str], found: set[str]) -> None:
    told = {"_ONTOCRAWL_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    program = "import sys; sys.argv[0] = 'ontocrawl'; from ontocrawl.cli.main import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **told}, capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == found


def _imported(*arguments: str) -> set[str]:
    """The modules that a command leaves in memory."""
    program = (
        "import sys, json; from ontocrawl.cli.main import invoke; assert invoke(sys.argv[1:]) == 0;"
        "sys.stderr.write(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["ontology", "--help"]])
def test_version_and_help_wait_for_no_library(arguments: list[str]) -> None:
    found = _imported(*arguments)
    assert not found & (HEAVY | {"rich"})
    assert not {name for name in found if name.startswith(("crawler", "ontology.", "ontocrawl.wiring"))}


def test_init_waits_for_the_settings_only(tmp_path: Path) -> None:
    assert not _imported("init", str(tmp_path / "new")) & HEAVY


def test_the_list_of_queries_waits_for_no_graph() -> None:
    found = _imported("query", "list", "--json")
    assert not found & (HEAVY | {"ontocrawl.config", "rich.progress"})


def test_a_query_waits_for_the_driver_only() -> None:
    """The driver itself takes numpy and pandas where they are installed."""
    found = _imported("query", "run", "--help")
    assert "neo4j" in found
    assert not found & (HEAVY - {"neo4j", "numpy", "pandas"})
    assert not {name for name in found if name.startswith(("crawler", "ontocrawl.wiring", "ontology.owl"))}


def test_errors_with_an_exit_code_exist_under_these_names() -> None:
    for name in main.EXIT:
        module, _, kind = name.rpartition(".")
        assert issubclass(getattr(import_module(module), kind), Exception)


def test_a_subclass_has_the_code_of_its_nearest_named_base() -> None:
    class Full(StoreUnavailable):
        pass

    class Strange(StoreError):
        pass

    assert [main.code_of(kind("x")) for kind in (Full, Strange)] == [DEPENDENCY, FAILURE]
    assert main.code_of(UsageError("x")) == USAGE
    assert main.code_of(KeyError("x")) is None


def test_parameters_by_name() -> None:
    assert parameters(["a=1", "b=x=y", "c="]) == {"a": "1", "b": "x=y", "c": ""}
    for wrong, words in ((["a"], "NAME=VALUE"), (["=1"], "NAME=VALUE"), (["a=1", "a=2"], "given twice: '1' and '2'")):
        with pytest.raises(UsageError, match=words):
            parameters(wrong)


def test_sparql_refuses_a_parameter_that_is_given_twice(command: Command) -> None:
    answer = command("query", "sparql", "crawls", "limit=1", "limit=2")
    assert answer.code == USAGE
    assert "given twice" in answer.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["ontology", "show"], ["ontology", "check"], ["ontology", "stats"], ["ontology", "lint"], ["graph", "load"],
        ["ontology", "document", "--out", "x.html"],
    ],
)  # fmt: skip
def test_file_or_topic_means_the_same_everywhere(command: Command, tmp_path: Path, arguments: list[str]) -> None:
    where = ("--workspace", tmp_path)
    for given, words in (
        ("none.ttl", "there is no such file"),
        ("rainstrom", "did you mean 'rainstorm'"),
        ("haiyan", "topic haiyan names no ontology"),
    ):
        answer = command(*arguments, given, *where)
        assert (answer.code, answer.out) == (USAGE, ""), given
        assert words in " ".join(answer.err.split())


def test_the_file_of_a_workspace_goes_before_the_shipped_one(command: Command, tmp_path: Path) -> None:
    shipped = command("ontology", "check", "typhoon", "--workspace", tmp_path, "--json").json
    folder = tmp_path / "ontologies"
    folder.mkdir()
    own = folder / shipped["files"][0]
    root = Path(__file__).parents[2] / "ontologies"
    own.write_text((root / own.name).read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "questions").mkdir()
    question = '[[question]]\nid = "only"\nzh = "甲？"\nen = "A?"\nsparql = "ASK { ?x a owl:Class }"\nrows = 1\n'
    (folder / "questions" / "typhoon.toml").write_text(question, encoding="utf-8")
    found = command("ontology", "check", "typhoon", "--workspace", tmp_path, "--json").json
    assert found["files"] == [str(own), *shipped["files"][1:]]
    assert [q["id"] for q in found["questions"]] == ["only"]
    assert shipped["questions"] == []
