"""Errors of usage, and help, in Chinese; both languages in one process."""

from __future__ import annotations

import re

import pytest

from tests.ontocrawl.conftest import Command

ENGLISH = re.compile(r"\b(Usage|Try|Error|Invalid|Missing|No such|Did you|Input|Value error|Got|requires|Option)\b")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("crawl run --bogus", "没有选项 --bogus（相近的选项：--host, "),
        ("--bogus", "没有选项 --bogus"),
        ("crawl rn", "没有命令 'rn'；您是不是要找 'run'？"),
        ("nothing", "没有命令 'nothing'。"),
        ("ontology build", "缺少选项 '--corpus'。"),
        ("topic show", "缺少参数 'TOPIC'。"),
        ("topic show rainstorm twice", "多余的参数：twice"),
        ("crawl run --limit-pages many", "'--limit-pages' 的值无效：须为整数"),
        ("crawl run --limit-pages=-1", "'--limit-pages' 的值无效：须不小于 0"),
        ("crawl run --delay long", "'--delay' 的值无效：须为数"),
        ("crawl run --limit-pages", "选项 '--limit-pages' 须有一个值。"),
        ("crawl status --json=3", "选项 '--json' 没有值。"),
        ("query run crawl/list --format x", "'--format' 的值无效：'x' 不在可选值之列：'table', 'json', 'csv'。"),
    ],
)
def test_a_wrong_usage_is_said_in_chinese(command: Command, typed: str, told: str) -> None:
    wrong = command("--lang", "zh", *typed.split())
    assert wrong.code == 2 and f"错误：{told}" in wrong.err
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
