"""Errors: one base class for all, and options named as the command line or Python names them."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import pickle
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ontocrawl
from ontocrawl import errors, exceptions
from ontocrawl.cli.output import named
from ontocrawl.errors import NotInGraphError, OntocrawlError, Option, UsageError
from ontology.errors import Message
from tests.ontocrawl.conftest import Command, command  # noqa: F401 - a fixture
from tests.ontology.test_errors import CHINESE, SENTENCES, calls, code_of

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("ontology", "queries", "kg", "crawler", "ontocrawl")
INTERNAL = {
    "_DamagedError",
    "_HeadsStayed",
    "_TooSlowError",
    "CodingError",
    "DocumentError",
    "HeaderError",
    "NetworkError",
    "RenderError",
    "TooLargeError",
    "TooManyConcepts",
}
"""Exceptions that a caller within the package always catches."""
ONLY_COMMANDS = (
    "ontocrawl/cli/", "ontocrawl/demo/", "ontocrawl/runs/training.py", "kg/export.py", "kg/interchange/admin_csv.py",
    "ontology/owl/reasoning.py", "ontocrawl/health/doctor.py",
)  # fmt: skip
"""Places whose errors no function of the Python interface raises."""
MCP = importlib.util.find_spec("mcp") is not None
"""Whether the extra is installed that one module needs."""


def exceptions_of_the_packages() -> Iterator[type[Exception]]:
    for package in PACKAGES:
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if not module.name.endswith("__main__") and (module.name != "ontocrawl.mcp.serving" or MCP):
                for value in vars(importlib.import_module(module.name)).values():
                    if isinstance(value, type) and issubclass(value, Exception) and value.__module__ == module.name:
                        yield value


def test_all_errors_have_one_base() -> None:
    found = list(exceptions_of_the_packages())
    assert len(found) > 60
    assert {kind.__name__ for kind in found if not issubclass(kind, OntocrawlError)} == INTERNAL
    assert ontocrawl.OntocrawlError is exceptions.OntocrawlError is OntocrawlError
    assert ontocrawl.exceptions is exceptions
    for name in exceptions.__all__:
        assert issubclass(getattr(exceptions, name), OntocrawlError)


def test_bases_of_before_stay() -> None:
    for kind in (exceptions.ContextError, exceptions.CorpusError, exceptions.QueryError, exceptions.SetupError):
        assert issubclass(kind, ValueError)
    assert issubclass(exceptions.MissingExtra, RuntimeError)
    assert issubclass(exceptions.UnknownStrategyError, LookupError)


def test_an_error_quoted_in_another_keeps_its_options() -> None:
    inner = UsageError("crawler.topic_words")
    outer = errors.CommandError("files.about", about=Option("--graph", "graph=True"), error=inner)
    assert str(outer) == f"graph=True: {inner}"
    assert outer.said("en", on_command_line=True) == f"--graph: {inner}"
    assert outer.said("zh", on_command_line=True) == f"--graph：{inner.said('zh')}"
    assert str(OntocrawlError()) == ""


def test_errors_survive_pickling() -> None:
    error = pickle.loads(pickle.dumps(NotInGraphError("files.about", about=Option("--run x"), error="y", kind="z")))
    assert (str(error), error.said("en", on_command_line=True)) == ("run=x: y", "--run x: y")


def test_no_error_names_an_option_of_a_command_in_plain_text() -> None:
    texts = {code: re.sub("`ontocrawl [^`]*`", "", sentence["en"]) for code, sentence in SENTENCES.items()}
    plain = {code for code, text in texts.items() if re.search(r"(^|[\s(`])--[a-z]", text)}
    named = [
        f"{place} {code_of(call)}"
        for place, call, is_error in calls()
        if is_error and not place.startswith(ONLY_COMMANDS) and code_of(call) in plain
    ]
    assert len(plain) > 30 and not named


def test_each_interface_names_its_own_options(command: Command, tmp_path: Path) -> None:  # noqa: F811
    topic = tmp_path / "sports.toml"
    where = ("--workspace", tmp_path)
    command("topic", "build", "sports", "--corpus", ROOT / "ontocrawl" / "sample" / "abstracts.txt", "--out", topic)
    told = command("crawl", "run", "--topic", topic, "--strategy", "breadth_first", *where)
    assert told.code == 2 and "no seeds: give --seeds URL" in told.err
    with pytest.raises(UsageError, match=r"no seeds: give seeds=\[URL\]"):
        ontocrawl.crawl(topic, strategy="breadth_first", workspace=tmp_path)
    told = command("crawl", "run", "--topic", topic, "--strategy", "breadth_first", "--param", "x=1", *where)
    assert told.code == 2 and "--param: " in told.err
    with pytest.raises(UsageError, match=r"^parameters: "):
        ontocrawl.crawl(topic, strategy="breadth_first", parameters={"x": 1}, workspace=tmp_path)
    with pytest.raises(UsageError, match="give workspace=, or create one"):
        ontocrawl.Graph(tmp_path / "none")


NOT_PROSE = re.compile(r"https?://\S+|\S*/\S*|ontocrawl .*")
"""Lines that are a URL, a path or a command."""
ENGLISH = re.compile(r"(?<![\w{])[a-z]{2,} [a-z]{2,} [a-z]{2,}")
"""Words of a sentence or a caption; names of strategies, columns and programs do not stand in threes."""
NAMES = {"R_anchor", "--param", "macro-F", "sem", "key", "background", "kappa", "url"}
"""Headings that are names of figures, the same in both languages."""
NO_LABELS = ("crawl status", "crawl explain", "crawl mark", "world stats", "ontology lint")
"""Commands whose tables have no text of an ontology or a page."""


def test_files_that_cannot_be_read_or_written_are_told_in_chinese(
    command: Command,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command("init").code == 0
    (tmp_path / "bytes").write_bytes(b"\xff\xff\x00\x81")
    for name, says in (("absent", "没有这样的文件"), ("runs", "这是文件夹，须为文件"), ("bytes", "请另存为 UTF-8")):
        told = command("--lang", "zh", "crawl", "seeds", f"@{name}").err
        assert f"{name} 无法读取：" in told and says in told
    (tmp_path / "folder").mkdir()
    assert "folder：这是文件夹：请给出文件名" in command("--lang", "zh", "backup", "folder").err
    assert "无法写入（" in command("--lang", "zh", "backup", "bytes/file.zip").err


def test_headings_of_tables_are_in_chinese_too() -> None:
    given: set[str] = set()
    for path in (ROOT / "ontocrawl" / "cli").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "tabled" and len(node.args) > 1:
                columns = node.args[1]
            elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "columns":
                columns = node.value
            else:
                continue
            given |= {str(name.value) for name in ast.walk(columns) if isinstance(name, ast.Constant) and name.value}
    headings = {name for name in given if re.search("[a-z]{3}", name) and not re.search("[{.]", name)}
    known = {name for name in headings if isinstance(named("heading", name), Message)}
    assert len(known) > 100 and headings - known <= NAMES


@pytest.mark.slow
def test_the_main_path_is_told_in_chinese(
    command: Command,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    corpus = ROOT / "ontocrawl" / "sample" / "abstracts.txt"
    steps: list[tuple[str | Path, ...]] = [
        ("init",),
        ("corpus", "import", corpus),
        ("ontology", "build", "--corpus", corpus, "--topic", "storms", "--label", "zh=暴雨,en=rainstorm",
         "--out", "built", "--no-ask"),
        ("topic", "check", "storms"),
        ("ontology", "decide", "built", "reject", "滑坡", "--relation", "class"),
        ("ontology", "history", "built"),
        ("crawl", "run", "--topic", "storms", "--world", "synthetic:rainstorm", "--strategy", "breadth_first",
         "--limit-pages", "5", "--run", "first", "--no-graph"),
        ("crawl", "resume", "first", "--limit-pages", "8", "--no-graph"),
        ("crawl", "again", "first", "--limit-pages", "2", "--no-graph"),
        ("crawl", "status"),
        ("crawl", "status", "first"),
        ("crawl", "status", "first", "--watch"),
        ("crawl", "mark", "first", "--hide"),
        ("crawl", "explain", "first", "http://nowhere.example/"),
        ("world", "stats", "synthetic:planted?pages=60"),
        ("ontology", "lint", "built/storms.ttl", "--select", "OC050"),
    ]  # fmt: skip
    for step in steps:
        told = command("--lang", "zh", *step)
        lines = [line.strip() for line in told.err.splitlines() if line.strip()]
        english = [line for line in lines if not CHINESE.search(line) and not NOT_PROSE.fullmatch(line)]
        assert told.code == 0 and not english, (step[:2], told.code, english or told.err)
        assert " ".join(step[:2]) not in NO_LABELS or not ENGLISH.search(told.out), ENGLISH.findall(told.out)
        if step[0] == "ontology":
            assert lines
    assert "停止原因" in command("--lang", "zh", "crawl", "status", "--hidden").out
    assert "It holds from" in command("ontology", "decide", "built", "reject", "泥石流", "--relation", "class").err
