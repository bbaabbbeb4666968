"""Errors of usage, and help, in Chinese: every text, whole at 80 columns; both languages in one process."""

from __future__ import annotations

import io
import re
import sys
from collections import defaultdict
from typing import NamedTuple

import pytest
from rich.cells import cell_len

from ontocrawl.cli import commands
from ontocrawl.cli.commands import COMMANDS, GROUPS, USUAL
from ontocrawl.cli.main import invoke
from ontology.errors import help_texts
from tests.ontocrawl.conftest import Command

ENGLISH = re.compile(r"\b(Usage|Try|Error|Invalid|Missing|No such|Did you|Input|Value error|Got|requires|Option)\b")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("crawl run --bogus", "没有选项 --bogus"),
        ("--bogus", "没有选项 --bogus"),
        ("crawl rn", "没有命令 'rn'；您是不是要找 'run'？"),
        ("nothing", "没有命令 'nothing'。"),
        ("ontology build", "缺少选项 '--corpus'。"),
        ("topic show", "缺少参数 'TOPIC'。"),
        ("topic show rainstorm twice", "多余的参数：twice"),
        (
            "crawl run --limit-pages many",
            "'--limit-pages' 的值无效：须为整数|'--limit-pages' 的值无效：'many' 不是整数。",
        ),
        (
            "crawl run --limit-pages=-1",
            "'--limit-pages' 的值无效：须不小于 0|'--limit-pages' 的值无效：-1 不在范围 x>=0 之内。",
        ),
        ("crawl run --delay long", "'--delay' 的值无效：须为数|'--delay' 的值无效：'long' 不是数。"),
        ("crawl run --limit-pages", "选项 '--limit-pages' 须有一个值。"),
        ("crawl status --json=3", "选项 '--json' 没有值。"),
        ("query run crawl/list --format x", "'--format' 的值无效：'x' 不在可选值之列：'table', 'json', 'csv'。"),
    ],
)
def test_a_wrong_usage_is_said_in_chinese(command: Command, typed: str, told: str) -> None:
    wrong = command("--lang", "zh", *typed.split())
    assert wrong.code == 2 and any(f"错误：{one}" in wrong.err for one in told.split("|"))  # typer's versions differ
    assert not ENGLISH.search(wrong.err)
    if "用法" in wrong.err:  # typer shows no usage where an option lacks its value
        assert re.match(r"用法：.* \[选项\].*\n说明：.* --help\n\n错误：", wrong.err)


def test_the_language_of_help_is_known_before_the_arguments_are_read(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for arguments in (("--lang", "zh", "--help"), ("--help", "--lang=zh")):
        assert command(*arguments).out.startswith("用法："), arguments
    assert command("--help").out.startswith("Usage: ")
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert command("--help").out.startswith("用法：") and command("nothing").err.startswith("用法：")
    assert command("--lang", "en", "--help").out.startswith("Usage: ")


# ---- every text of the help

CHINESE = re.compile(r"[\u4e00-\u9fff]")
WORDS = re.compile(r"[a-z]{3,} [a-z]{2,}")
MARKS = "，。、；：！？）】》”’]"
QUOTED = re.compile(r"`[^`]*`|<[^>]*>|\[[^\]]*\]|--\S+")
PAGES = {
    *(f"{noun} --help".strip() for noun in ("", *GROUPS)),
    *(f"{typed} --help" for typed in COMMANDS),
    *(f"{typed} --help-all" for typed in USUAL),
}


class Asked(dict[str, str]):
    """The texts of the help in Chinese, and which of them were asked for."""

    def __init__(self) -> None:
        super().__init__(help_texts())
        self.used: set[str] = set()

    def __contains__(self, text: object) -> bool:
        self.used.add(str(text))
        return super().__contains__(text)

    def get(self, text: str, other: str = "") -> str:  # type: ignore[override]  # in place of two overloads
        self.used.add(text)
        return super().get(text, other)


class Shown(NamedTuple):
    """What the help of all commands says in Chinese."""

    pages: dict[str, str]
    without_chinese: dict[str, list[str]]
    unused: set[str]


@pytest.fixture(scope="module")
def shown() -> Shown:
    """The help of the program, of all groups and of all commands, with every option."""
    pages, without, texts = {}, defaultdict(list), Asked()
    told = commands.in_chinese

    def in_chinese(text: str) -> str:
        found = told(text)
        if text and not CHINESE.search(found):
            without[text].append(page)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        patch.setattr(commands, "_texts", lambda: texts)
        patch.setattr(commands, "in_chinese", in_chinese)
        for page in sorted(PAGES):
            patch.setattr("sys.stdout", io.StringIO())
            assert invoke(["--lang", "zh", *page.split()]) == 0, page
            pages[page] = sys.stdout.getvalue()  # type: ignore[attr-defined]
    return Shown(pages, dict(without), texts.keys() - texts.used)


@pytest.mark.slow
def test_every_text_of_the_help_has_a_chinese_form(shown: Shown) -> None:
    lacking = "\n".join(f"{', '.join(pages)}: {text}" for text, pages in shown.without_chinese.items())
    assert not lacking, f"put the Chinese of these into ontology/data/catalogue/help_zh.toml:\n{lacking}"
    english = {
        f"{page}: {found[0]}" for page, text in shown.pages.items()
        if (found := WORDS.search(QUOTED.sub("", text.partition("\n")[2])))
    }  # fmt: skip
    assert not english


@pytest.mark.slow
def test_no_chinese_form_is_of_a_help_that_is_gone(shown: Shown) -> None:
    assert not shown.unused, "strike these out of ontology/data/catalogue/help_zh.toml"
    assert list(help_texts()) == sorted(help_texts()), "the file is sorted by the English"


@pytest.mark.slow
def test_chinese_help_is_whole_and_fits_the_terminal(shown: Shown) -> None:
    for page, text in shown.pages.items():
        lines = text.splitlines()
        assert text.startswith("用法：") and "\b" not in text, page
        assert not [line for line in lines if cell_len(line) > 80], page
        assert not [line for line in lines if line.strip()[:1] in tuple(MARKS)], page
    for typed, (_, line) in COMMANDS.items():
        noun = typed.rpartition(" ")[0]
        whole = re.sub(r"\s", "", shown.pages[f"{noun} --help".strip()])
        assert re.sub(r"\s", "", help_texts()[line]) in whole, typed


def test_one_process_shows_both_languages(command: Command) -> None:
    english, chinese = command("crawl", "run", "--help"), command("--lang", "zh", "crawl", "run", "--help")
    assert command("crawl", "run", "--help") == english and not CHINESE.search(english.out)
    assert re.search(r"^\d+ 个选项未列出：--help-all 显示全部。", chinese.out, re.MULTILINE)
    options = [set(re.findall(r"^  (--[\w-]+)", one.out, re.MULTILINE)) for one in (english, chinese)]
    assert options[0] == options[1]
    remarks = re.sub(r"\s", "", command("--lang", "zh", "enrich", "review", "--help").out)
    assert "[必需]" in remarks and "[默认：1000；x>=1]" in remarks
