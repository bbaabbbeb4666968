"""The table of commands: every line tells the truth, and nothing is imported before it is needed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import Any

import pytest

from crawler.scoring.bayes import LIKELIHOODS, POSITIONS
from kg.key_weights import SCHEMES
from kg.store import StoreError, StoreUnavailable
from ontocrawl.base import exit_codes
from ontocrawl.cli.arguments import parameters
from ontocrawl.cli.commands import COMMANDS, GROUPS, USUAL, Deferred
from ontocrawl.errors import DEPENDENCY, FAILURE, USAGE, UsageError
from ontocrawl.topics.topic_files import TOP
from ontology.choices import KINDS, READINGS, UNPLACED
from ontology.draw.line_diagram import READABLE
from ontology.lattice.concept_lattice import LIMIT
from ontology.lint import Limits
from ontology.owl import formats
from ontology.terms.document_frequencies import LEAST
from tests.ontocrawl.conftest import Command
from tests.sources import ROOT

HEAVY = {
    "ada_url", "ahocorasick", "arcadedb_embedded", "bs4", "certifi", "concepts", "graspologic_native", "jieba",
    "jinja2", "neo4j", "numpy", "owlready2", "pandas", "pypinyin", "rdflib", "requests", "rich", "scipy", "selectolax",
    "sqlite3", "tomli_w", "urllib3",
}  # fmt: skip
"""Libraries that no `--help` needs. typer itself imports pydantic to read an argument."""


@pytest.mark.parametrize("typed", COMMANDS)
def test_a_line_of_the_table_begins_the_docstring_of_its_function(typed: str) -> None:
    place, line = COMMANDS[typed]
    module, _, name = place.partition(":")
    function = getattr(import_module(f"ontocrawl.cli.{module}"), name)
    assert " ".join((getdoc(function) or "").split()).startswith(line)


def test_every_group_has_commands_and_every_command_its_group() -> None:
    assert {typed.rpartition(" ")[0] for typed in COMMANDS} == {"", *GROUPS}


@pytest.mark.parametrize("folder", ["ontology/data/messages", "ontocrawl/explorer/texts"])
def test_messages_name_commands_and_options_that_exist(folder: str) -> None:
    lines = [line for file in sorted((ROOT / folder).glob("*.toml")) for line in file.read_text("utf-8").splitlines()]
    named = [found.split() for line in lines for found in re.findall(r"`ontocrawl ([a-z][^`]*)`", line)]
    assert len(named) > 10 or "explorer" in folder
    for words in named:
        typed = next((" ".join(words[:n]) for n in (2, 1) if " ".join(words[:n]) in COMMANDS), "")
        assert typed, words
        known = {o for parameter in Deferred(typed, *COMMANDS[typed]).command().params for o in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, words


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


@pytest.mark.parametrize("typed", USUAL)
def test_the_usual_options_are_shown_first_and_all_on_demand_in_groups(command: Command, typed: str) -> None:
    params = {one.name: one for one in Deferred(typed, *COMMANDS[typed]).command().params}
    assert {*USUAL[typed]} <= {*params}
    names = {"help_all"} | {*USUAL[typed]}
    few, all_ = (command(*typed.split(), asked) for asked in ("--help", "--help-all"))
    assert (few.code, all_.code) == (0, 0)
    listed = [set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", shown.out, re.MULTILINE)) for shown in (few, all_)]
    assert listed[0] == {one.opts[-1] for name, one in params.items() if name in names} | {"--help"}
    assert listed[1] == {one.opts[-1] for one in params.values()} | {"--help"}
    assert f"{len(listed[1] - listed[0])} more options: --help-all shows them." in few.out
    assert all(one.rich_help_panel or name in {*names, "folder"} for name, one in params.items())  # none without group


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


def _imported(program: str, *arguments: str) -> set[str]:
    """The modules that a program leaves in memory."""
    program = f"import sys, json; {program}; sys.stderr.write(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


_INVOKE = "from ontocrawl.cli.main import invoke; assert invoke(sys.argv[1:]) == 0"


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["ontology", "--help"]])
def test_version_and_help_wait_for_no_library(arguments: list[str]) -> None:
    found = _imported(_INVOKE, *arguments)
    assert not found & HEAVY
    assert {name for name in found if name.startswith(("crawler", "ontology.", "ontocrawl.runs.crawl_setup"))} <= {
        "ontology.errors"
    }


@pytest.mark.slow
def test_the_help_of_no_command_waits_for_a_library() -> None:
    """One process shows the help of all commands, one after the other; each must leave no library behind."""
    program = (
        "from ontocrawl.cli.main import invoke; heavy = set(sys.argv[1].split(',')); "
        "late = {typed: sorted(heavy & set(sys.modules)) for typed in sys.argv[2:]"
        " if invoke([*typed.split(), '--help']) != 0 or heavy & set(sys.modules)}; assert not late, late"
    )
    found = _imported(program, ",".join(HEAVY), *COMMANDS)
    assert not {
        name for name in found if name.startswith(("crawler", "ontocrawl.runs.crawl_setup", "ontocrawl.base.config"))
    }
    assert {f"ontocrawl.cli.{place.partition(':')[0]}" for place, _ in COMMANDS.values()} <= found


def test_init_waits_for_the_settings_only(tmp_path: Path) -> None:
    assert not _imported(_INVOKE, "init", str(tmp_path / "new")) & (HEAVY - {"rich"})


@pytest.mark.slow
def test_the_list_of_queries_waits_for_no_graph() -> None:
    found = _imported(_INVOKE, "query", "list", "--json")
    assert not found & HEAVY  # it reads the settings of the workspace, for its own queries


@pytest.mark.slow
def test_a_query_waits_for_the_driver_only() -> None:
    """The driver itself takes numpy and pandas where they are installed."""
    found = _imported(
        "import ontocrawl.cli.query_run, ontocrawl.graph.query_parameters, ontocrawl.graph.graph_store, kg.bolt"
    )
    assert "neo4j" in found
    assert not found & (HEAVY - {"neo4j", "numpy", "pandas"})
    assert not {name for name in found if name.startswith(("crawler", "ontocrawl.runs.crawl_setup", "ontology.owl"))}


CHOICES = {
    "weights": ("weights", "|".join(SCHEMES)),
    "crawl run": ("weights", "|".join(SCHEMES)),
    "ontology build": ("reading", "|".join(READINGS)),
    "ontology convert": ("to", ", ".join(formats.BY_NAME)),
    "ontology reason": ("file", ", ".join(formats.SUFFIXES)),
    "crawl train": ("likelihood", ", ".join(LIKELIHOODS)),
}
DEFAULTS = {
    "corpus background": ("least", LEAST),
    "topic build": ("top", TOP),
    "ontology lattice": ("limit", LIMIT),
    "ontology lint": ("siblings", Limits().siblings),
}


def _parameter(typed: str, name: str) -> Any:
    """A parameter of a command as the command line has it."""
    place, line = COMMANDS[typed]
    return next(p for p in Deferred(typed.split()[-1], place, line).command().params if p.name == name)


@pytest.mark.parametrize("typed", [*CHOICES, *DEFAULTS])
def test_the_command_line_names_what_the_library_has(typed: str) -> None:
    """The command line repeats choices and defaults, so that its help imports no library."""
    if typed in DEFAULTS:
        name, value = DEFAULTS[typed]
        assert _parameter(typed, name).default == value
    else:
        name, choices = CHOICES[typed]
        parameter = _parameter(typed, name)
        assert choices in f"{parameter.metavar} {parameter.help}"


def test_more_choices_of_the_command_line() -> None:
    for typed in ("ontology draw", "ontology lattice"):
        assert "by default of {} to {} points".format(*READABLE) in _parameter(typed, "max_concepts").help
    assert _parameter("ontology build", "evidence").metavar == ",".join(KINDS)
    assert _parameter("ontology build", "unplaced").metavar == "|".join(UNPLACED)
    assert ", ".join(POSITIONS) in _parameter("crawl train", "position").help
    assert ", ".join(formats.SUFFIXES) in _parameter("ontology convert", "file").help


def test_errors_with_an_exit_code_exist_under_these_names() -> None:
    for name in exit_codes.EXIT:
        module, _, kind = name.rpartition(".")
        assert issubclass(getattr(import_module(module), kind), Exception)


def test_a_subclass_has_the_code_of_its_nearest_named_base() -> None:
    class Full(StoreUnavailable):
        pass

    class Strange(StoreError):
        pass

    assert [exit_codes.code_of(kind("x")) for kind in (Full, Strange)] == [DEPENDENCY, FAILURE]
    assert exit_codes.code_of(UsageError("x")) == USAGE
    assert exit_codes.code_of(KeyError("x")) is None


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


@pytest.mark.slow
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
