"""`enrich review`, `export` and `import` on the proposals of a real crawl: from a pipe, and by keys on a terminal."""

from __future__ import annotations

import io
import os
import re
import signal
import termios
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment.reviewing import FILE as LATER
from ontocrawl.errors import USAGE
from ontocrawl.topics import reviewed, topics
from ontology.decisions import in_force, table
from tests.ontocrawl import flood_ontology
from tests.ontocrawl.conftest import Command, CommandResult
from tests.ontocrawl.pseudo_terminal import terminal

TOPIC = "rainstorm"


@pytest.fixture
def proposed(command: Command, space: Workspace, crawled: str) -> Iterator[list[dict[str, Any]]]:
    """The undecided proposals of a crawl; what a test decides is forgotten after it."""
    folder = space.ontologies / TOPIC
    files = [folder / name for name in (table.FILE, reviewed.FILE, LATER)]
    found = command("enrich", "propose", crawled, "--workspace", space.root, "--json")
    assert found.code == 0, found.err
    yield found.json["proposals"]
    for file in files:
        file.unlink(missing_ok=True)


Review = Callable[..., CommandResult]


@pytest.fixture
def review(
    command: Command, monkeypatch: pytest.MonkeyPatch, space: Workspace, proposed: list[dict[str, Any]]
) -> Review:
    """Run `enrich review` with lines on stdin."""

    def run(*lines: str, more: tuple[str, ...] = ()) -> CommandResult:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return command("enrich", "review", TOPIC, "--who", "张三", "--workspace", space.root, *more)

    return run


def decided(space: Workspace) -> dict[str, tuple[str, str]]:
    """Id of a proposal -> the verdict in force."""
    standing = reviewed.record_of(space, TOPIC).standing
    return {id_: (one.verdict.action, one.verdict.value) for id_, one in standing.items()}


def terms(proposed: list[dict[str, Any]]) -> list[str]:
    """The ids of the new classes, in the order of the review."""
    return [p["id"] for p in proposed if p["kind"] == "concept"]


@pytest.fixture
def waiting_topic(space: Workspace, tmp_path: Path) -> Iterator[str]:
    """A topic with two terms that wait for a place; it and what a test decides are forgotten after it."""
    name, folder = "flooding", space.ontologies / "flooding"
    topics.register(name, flood_ontology.waiting_topic(tmp_path, name), space)
    yield name
    topics.built(space)[name].unlink(missing_ok=True)
    for file in (table.FILE, reviewed.FILE, LATER):
        (folder / file).unlink(missing_ok=True)


@pytest.mark.slow
def test_terms_that_wait_for_a_place_are_placed_by_a_number(
    command: Command, monkeypatch: pytest.MonkeyPatch, space: Workspace, waiting_topic: str
) -> None:
    def review(*lines: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        answer = command("enrich", "review", waiting_topic, "--who", "张三", "--workspace", space.root)
        assert answer.code == 0, answer.err
        return answer.out

    shown = review("m 2", "q")
    assert "1 灾害" in shown and "2 现象" in shown and "海啸" in shown and "由地震引起" in shown and "p1" in shown
    assert "one of 2 terms that wait for a place" in shown and "found on" not in shown
    file = space.ontologies / waiting_topic / table.FILE
    (made,) = in_force(table.read(file))
    assert (made.action, made.term, made.relation, made.value) == ("accept", "海啸", "subclass_of", "现象")
    assert "海啸" not in review("r") and {d.term for d in in_force(table.read(file))} == {
        "海啸",
        "堤防",
    }


def test_a_damaged_summary_of_a_build_is_named(command: Command, space: Workspace, waiting_topic: str) -> None:
    summary = topics.built(space)[waiting_topic].parent / "summary.json"
    summary.write_text('{"waiting": [{}]}', encoding="utf-8")
    answer = command("enrich", "review", waiting_topic, "--workspace", space.root)
    assert answer.code == USAGE and "summary.json is damaged" in answer.err


# ---- from a pipe ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_commands_of_a_pipe(review: Review, space: Workspace, proposed: list[dict[str, Any]]) -> None:
    first, second, third, fourth, *_ = terms(proposed)
    concepts = ("--kind", "concept", "--limit", "5")
    file = space.ontologies / TOPIC / table.FILE
    earlier = table.read(file) if file.exists() else ()  # of other tests in the session's workspace
    answer = review("x", "r", "m 洪水", "n 甲型术语", "s", "洪水", "?", "q", more=concepts)
    assert answer.code == 0, answer.err
    assert decided(space) == {
        first: ("reject", ""), second: ("move", "洪水"), third: ("rename", "甲型术语"), fourth: ("merge", "洪水"),
    }  # fmt: skip
    assert "'x' is no command: expected one of a, r, n, m, s, l, u, e, h, q" in answer.out
    assert f"> r\n{TOPIC}  2/5" in answer.out and "it is not so; no later crawl proposes it again" in answer.out
    assert "4 decided in this session, 1 left open" in answer.err
    assert {d.who for d in table.read(file) if d not in earlier} == {"张三"}
    assert all(cell_len(line) <= 80 for line in answer.out.splitlines() if not line.startswith((">", "'x'")))


@pytest.mark.slow
def test_a_later_review_goes_on_and_those_put_off_come_last(
    review: Review, space: Workspace, proposed: list[dict[str, Any]]
) -> None:
    first, second, third, *_ = terms(proposed)
    concepts = ("--kind", "concept", "--limit", "3", "--json")
    assert review("l", "r", more=concepts).json == {
        "topic": TOPIC, "decided": [{"id": second, "verdict": "reject", "value": ""}], "open": 2,
    }  # fmt: skip
    answer = review("r", "r", "u", "u", "u", "u", "r", more=("--kind", "concept", "--limit", "2", "--json"))
    assert list(decided(space)) == [second, third], "the first was put off"
    assert answer.err.count(f"taken back: {third.partition('/')[2]}") == 1
    assert "nothing is left to take back" in answer.err and first not in decided(space)


@pytest.mark.slow
def test_names_that_are_no_classes_and_numbers_of_near_ones(
    review: Review, space: Workspace, proposed: list[dict[str, Any]]
) -> None:
    placed = [bool(p["under"]) for p in proposed if p["kind"] == "concept"].index(True)
    first, skipped = terms(proposed)[placed], ["l"] * placed  # one with a parent has numbered classes near it
    shown = ("--kind", "concept", "--limit", str(placed + 1), "--lang", "zh")
    answer = review(*skipped, "m 洪氺灾", "m", "1", more=shown)
    assert "没有名为 '洪氺灾' 的类；相近的有：洪" in answer.out and "的上位类，输入名称或编号：" in answer.out
    action, value = decided(space)[first]
    listed = re.search(r"^ 1 (.+)$", answer.out, re.MULTILINE)
    assert action == "move" and listed is not None and listed[1].endswith(f"> {value}")


@pytest.mark.slow
def test_wrong_options_and_nothing_to_review(review: Review, command: Command, space: Workspace) -> None:
    assert review(more=("--kind", "class")).code == USAGE
    assert review(more=("--status", "done")).code == USAGE
    nothing = command("enrich", "review", "typhoon", "--workspace", space.root)
    assert nothing.code == 0 and "there is nothing to review: typhoon; ontocrawl enrich propose RUN" in nothing.err


# ---- spreadsheets ---------------------------------------------------------------------------------------------------


def verdict_column(file: Path, verdicts: dict[str, str]) -> Path:
    """Write verdicts into the second column of a .tsv, by id."""
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    lines = ["\t".join([row[0], verdicts.get(row[0], row[1]), *row[2:]]) for row in rows]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.mark.slow
def test_export_and_import_there_and_back(
    command: Command, space: Workspace, tmp_path: Path, proposed: list[dict[str, Any]]
) -> None:
    first, second, third, *_ = terms(proposed)
    here = ("--workspace", space.root, "--json")
    count = len(command("enrich", "list", TOPIC, *here).json["proposals"])
    for name in ("open.tsv", "open.xlsx"):
        written = command("enrich", "export", TOPIC, tmp_path / name, *here)
        assert written.json == {"topic": TOPIC, "path": str(tmp_path / name), "proposals": count}
    file = verdict_column(tmp_path / "open.tsv", {first: "accept", second: "reject"})
    if not next(p for p in proposed if p["id"] == first)["under"]:
        verdict_column(file, {first: "reject"})
    taken = command("enrich", "import", TOPIC, file, "--who", "李四", *here).json
    assert [one["id"] for one in taken["decided"]] == [first, second] and taken["open"] == count - 2
    decisions = table.read(space.ontologies / TOPIC / table.FILE)
    again = command("enrich", "import", TOPIC, file, *here).json
    assert again["decided"] == [] and again["known"] == 2
    assert table.read(space.ontologies / TOPIC / table.FILE) == decisions
    bad = verdict_column(file, {third: "perhaps"})
    refused = command("enrich", "import", TOPIC, bad, *here)
    assert refused.code == USAGE and "'perhaps' is no verdict" in refused.err
    rejected = command("enrich", "export", TOPIC, tmp_path / "done.tsv", "--status", "rejected", *here).json
    assert rejected["proposals"] >= 1


@pytest.mark.slow
def test_nothing_of_a_file_is_taken_if_one_verdict_cannot_be_carried_out(
    command: Command, space: Workspace, tmp_path: Path, proposed: list[dict[str, Any]]
) -> None:
    first, second, *_ = terms(proposed)
    file = tmp_path / "open.tsv"
    command("enrich", "export", TOPIC, file, "--workspace", space.root)
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row[1:4] = {first: ["reject", "", ""], second: ["move", "", "没有这个类"]}.get(row[0], row[1:4])
    file.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    refused = command("enrich", "import", TOPIC, file, "--workspace", space.root)
    line = next(n for n, row in enumerate(rows, 1) if row[0] == second)
    assert refused.code == USAGE and f"open.tsv, line {line}: nothing was imported: there is no class" in refused.err
    assert not (space.ontologies / TOPIC / table.FILE).exists() and decided(space) == {}


@pytest.mark.slow
def test_two_reviewers_files(
    command: Command, space: Workspace, tmp_path: Path, proposed: list[dict[str, Any]]
) -> None:
    ids = [p["id"] for p in proposed][:12]
    assert len(ids) == 12, "kappa needs ten"
    here = ("--workspace", space.root)
    for name, verdicts in (("zhang", ["reject"] * 12), ("li", ["reject"] * 11 + ["merge"])):
        command("enrich", "export", TOPIC, tmp_path / f"{name}.tsv", *here)
        verdict_column(tmp_path / f"{name}.tsv", dict(zip(ids, verdicts, strict=True)))
    rows = [line.split("\t") for line in (tmp_path / "li.tsv").read_text(encoding="utf-8").splitlines()]
    rows = [[*row[:3], "洪水", *row[4:]] if row[1] == "merge" else row for row in rows]
    (tmp_path / "li.tsv").write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    settle = tmp_path / "settle.tsv"
    both = (tmp_path / "zhang.tsv", tmp_path / "li.tsv")
    answer = command("enrich", "import", TOPIC, *both, "--disagreements", settle, *here)
    assert answer.code == 0, answer.err
    assert "zhang and li: 11 of 12 agree, Cohen's kappa" in answer.err and "11 decided, 0 known already" in answer.err
    assert "Disagreements, not taken" in answer.out and "another name of 洪水" in answer.out
    assert set(decided(space)) == set(ids[:11])
    names, _, row = (line.split("\t") for line in settle.read_text(encoding="utf-8").splitlines())
    assert row[names.index("verdicts")] == "zhang: rejected; li: another name of 洪水" and row[1] == ""
    settled = command("enrich", "import", TOPIC, verdict_column(settle, {ids[11]: "reject"}), *here, "--json").json
    assert [one["id"] for one in settled["decided"]] == [ids[11]]


# ---- by keys on a terminal ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_keys_on_a_terminal_with_chinese_names(space: Workspace, proposed: list[dict[str, Any]]) -> None:
    first, second, third, *_ = terms(proposed)
    arguments = (
        "enrich",
        "review",
        TOPIC,
        "--kind",
        "concept",
        "--limit",
        "5",
        "--who",
        "张三",
        "--workspace",
        space.root,
    )
    with terminal(*arguments, "--lang", "zh") as shown:
        lines = shown.wait("q 退出")
        assert len(lines) == 24 and lines[0].startswith(f"{TOPIC}  1/5") and max(map(cell_len, lines)) <= 80
        assert first.partition("/")[2] in lines[2]
        shown.press("r", "2/5")
        shown.press("\x1b[A", "请按下面的键")
        assert list(decided(space)) == [first], "an arrow key is no command"
        lines = shown.press("m", "的上位类")
        assert lines[-1] == ">" and lines[-2].startswith(" ") and "Tab 补全" in "".join(lines)
        lines = shown.press("洪错", "\n> 洪错")
        assert "\x1b[6C" in shown.output.rpartition("\x1b[H")[2], "the cursor is after two wide characters"
        lines = shown.press("\x7f水", "\n> 洪水")
        assert lines[-1] == "> 洪水"
        shown.press("\r", "3/5")
        assert decided(space)[second] == ("move", "洪水")
        shown.press("n", "作为类的名称")
        shown.press("新名称\x1b[D\x1b[D全\r", "4/5")
        assert decided(space)[third] == ("rename", "新全名称")
        shown.press("u", "已撤销")
        assert third not in decided(space)
        shown.press("u", "2/5")
        assert decided(space) == {first: ("reject", "")}
        shown.press("l", "以后 1")
        shown.press("s", "是哪个类的别名")
        shown.press("\x1b", "q 退出")
        shown.press("Ｒ", "3/5")
        assert list(decided(space)) == [first, third], "a full-width letter of an input method is the plain one"
        shown.press("q", "本次决定 2 个，尚余 3 个")
        assert shown.process.wait(30) == 0
    assert "\x1b[?1049h" in shown.output and shown.output.rfind("\x1b[?1049l") > shown.output.rfind("\x1b[H")


@pytest.mark.slow
def test_ctrl_c_loses_nothing_and_restores_the_terminal(space: Workspace, proposed: list[dict[str, Any]]) -> None:
    first = terms(proposed)[0]
    with terminal("enrich", "review", TOPIC, "--kind", "concept", "--workspace", space.root, NO_COLOR="1") as shown:
        lines = shown.wait("q quit")
        assert any(f"[{first.partition('/')[2]}]" in line for line in lines), "brackets in place of colours"
        shown.press("r", ": rejected")
        shown.press("m白", "> 白")
        os.killpg(shown.process.pid, signal.SIGINT)
        shown.wait("1 decided in this session")
        assert shown.process.wait(30) == 130
        attributes = termios.tcgetattr(shown.master)[3]
        assert attributes & termios.ECHO and attributes & termios.ICANON
    assert list(decided(space)) == [first]
    assert "\x1b[1;7m" not in shown.output


@pytest.mark.slow
def test_a_dumb_terminal_reads_lines(space: Workspace, proposed: list[dict[str, Any]]) -> None:
    first = terms(proposed)[0]
    with terminal("enrich", "review", TOPIC, "--kind", "concept", "--workspace", space.root, TERM="dumb") as shown:
        shown.wait("q quit")
        shown.press("reject\n", "2/")
        shown.press("q\n", "1 decided in this session")
        assert shown.process.wait(30) == 0
    assert list(decided(space)) == [first] and "\x1b[?1049h" not in shown.output
    assert len(in_force(table.read(space.ontologies / TOPIC / table.FILE))) == 1
