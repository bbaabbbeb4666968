"""The table [intent] of a topic's file: what docs/topics.md tells of it, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ontocrawl.base.config import Settings
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.topics import topics
from ontocrawl.topics.topics import Intent, TopicFile
from tests.ontocrawl.conftest import Command

COMMANDS = Path(__file__).resolve().parents[2] / "docs" / "topics.md"
TOPIC = """name = "storm"
label = { zh = "台风", en = "typhoon" }

[[words]]
weight = 1.0
zh = ["台风"]
"""
NOWHERE = Workspace(Path("nowhere"), Settings())


def topic_with(where: Path, intent: str) -> str:
    file = where / "storm.toml"
    file.write_text(f"{TOPIC}\n{intent}", encoding="utf-8")
    return str(file)


def test_the_documented_intent_is_read(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(\[intent\].*?)```", COMMANDS.read_text(encoding="utf-8"), re.DOTALL)
    read = topics.load(topic_with(tmp_path, example), NOWHERE).file.intent
    assert read == topics.load("haiyan", NOWHERE).file.intent
    assert all(getattr(read, key) for key in Intent.model_fields), "the example shows every key"


def test_every_key_of_a_topic_is_documented() -> None:
    text = COMMANDS.read_text(encoding="utf-8")
    described = text[text.index("A topic is a TOML file") :].partition("```")[0]
    assert [key for key in TopicFile.model_fields if f"`{key}`" not in described] == []


@pytest.mark.parametrize(
    ("intent", "message"),
    [
        ('start = "2013-11-01"\nend = "2013-10-31"', "end 2013-10-31 lies before start 2013-11-01: give the last day"),
        ('start = "November"', "a day is written YYYY-MM-DD.*'November'"),
        ('end = "2013-11-31"', "a day is written YYYY-MM-DD.*'2013-11-31'"),
        ('intervals = "2013-11-01=5"', "an interval is written"),
        ('intervals = "2013-11-30..2013-11-01=5"', "ends before it begins"),
        ('intervals = "2013-11-01..2013-11-30=5,2013-11-30..2013-12-01=1"', "overlap"),
    ],
)
def test_an_intent_that_cannot_be_is_refused_where_the_topic_is_read(tmp_path: Path, intent: str, message: str) -> None:
    with pytest.raises(UsageError, match=rf"storm\.toml, \[intent\]: .*{message}"):
        topics.load(topic_with(tmp_path, f"[intent]\n{intent}\n"), NOWHERE)


@pytest.mark.parametrize("intent", ["", "[intent]", '[intent]\nstart = "2013-11-01"\nend = "2013-11-01"'])
def test_an_intent_may_be_of_one_day_or_none(tmp_path: Path, intent: str) -> None:
    assert topics.load(topic_with(tmp_path, intent), NOWHERE).file.intent.start in ("", "2013-11-01")


@pytest.mark.parametrize("strategy", ["temporal_intent", "event_model", "date_segments"])
def test_every_crawler_by_time_refuses_an_end_before_the_start(
    command: Command, space: Workspace, tmp_path: Path, strategy: str
) -> None:
    topic = topic_with(tmp_path, '[intent]\nstart = "2013-11-01"\nend = "2013-10-31"\n')
    answer = command(
        "crawl", "run", "--topic", topic, "--world", "synthetic:planted?pages=100&seed=0", "--strategy", strategy,
        "--limit-pages", "2", "--no-graph", "--workspace", space.root,
    )  # fmt: skip
    assert answer.code == 2 and "end 2013-10-31 lies before start 2013-11-01" in answer.err
