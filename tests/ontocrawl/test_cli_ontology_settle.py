"""`ontocrawl ontology settle`: a pipe of replies, tables for colleagues, undo, JSON, Ctrl-C, and wrong arguments."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from ontocrawl.errors import INTERRUPTED, USAGE
from ontocrawl.settling.state import FILE
from ontology.decisions import in_force, table
from tests.ontocrawl.conftest import Command, CommandResult


@pytest.fixture
def settle(command: Command, monkeypatch: pytest.MonkeyPatch, flood_folder: Path, tmp_path: Path) -> Command:
    """Run `ontocrawl ontology settle` on the folder, with replies on stdin."""

    def run(
        *arguments: str | Path, replies: tuple[str, ...] = (), pipe: type[io.StringIO] = io.StringIO
    ) -> CommandResult:
        monkeypatch.setattr("sys.stdin", pipe("".join(f"{reply}\n" for reply in replies)))
        return command("ontology", "settle", flood_folder, "--workspace", tmp_path / "work", *arguments)

    return run


def accepted(folder: Path) -> set[tuple[str, str]]:
    return {(d.term, d.value) for d in in_force(table.read(folder / table.FILE)) if d.action == "accept"}


def test_replies_from_a_pipe_settle_the_order(settle: Command, flood_folder: Path) -> None:
    answer = settle("--terms", "山洪，洪水，台风", "--who", "Li Wei", replies=("1", "0", "n"))
    assert answer.code == 0
    assert "Which of these is every flash flood (山洪)?  (3 open)\n  *  1 flood (洪水)\n" in answer.out
    assert "head noun; 1 paper; such as 山洪预警研究\n         “山洪是一种突发的洪水。”" in answer.out
    assert "] > 1\n  -> every flash flood (山洪) is: flood (洪水); not: typhoon (台风)\n" in answer.out
    assert "the order of 3 terms is settled by 3 answers" in answer.err
    assert "--combinations also asks" in answer.err
    assert accepted(flood_folder) == {("山洪", "洪水")}
    assert {d.who for d in table.read(flood_folder / table.FILE)} == {"Li Wei"}


def test_the_same_in_chinese(settle: Command) -> None:
    answer = settle(
        "--terms", "山洪,洪水,台风", "--lang", "zh", replies=("洪水", "什么", "都不是", "撤销", "0", "以后", "退出")
    )
    assert answer.code == 0
    assert "每个“山洪”都是下列哪些？（还有 3 问）" in answer.out
    assert "没有看懂：请按方括号里的提示回答" in answer.out
    assert "已撤销：每个“台风”不都是：山洪、洪水" in answer.out
    assert "2 个回答；尚未确定：洪水" in answer.err
    assert "已确定的次序" in answer.out


def test_the_screen_speaks_the_language_of_messages(
    command: Command, monkeypatch: pytest.MonkeyPatch, flood_folder: Path, tmp_path: Path
) -> None:
    """`--lang zh` before the command holds for its dialogue, too; behind it stands another one."""
    settle = ("ontology", "settle", flood_folder, "--workspace", tmp_path / "work", "--terms", "山洪,洪水")
    for own, question in (((), "每个“山洪”都是“洪水”吗？"), (("--lang", "en"), "(2 open)")):
        monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
        assert question in command("--lang", "zh", *settle, *own).out


def test_a_paper_without_a_title_is_no_example(settle: Command, flood_folder: Path) -> None:
    (papers,) = flood_folder.glob("*.papers.jsonl")
    papers.write_text(papers.read_text(encoding="utf-8").replace("山洪预警研究", ""), encoding="utf-8")
    shown = settle("--terms", "山洪,洪水", replies=("q",)).out
    assert "head noun; 1 paper\n" in shown and "such as" not in shown


def test_a_later_session_goes_on_and_help_shows_the_question_again(settle: Command) -> None:
    settle("--terms", "山洪,洪水,台风", replies=("1", "q"))
    answer = settle(replies=("?", "0", "l"))
    assert "going on after 1 answer\n" in answer.out
    assert answer.out.count("Which of these is every typhoon (台风)?") == 2
    assert "2 answers; still open: flood (洪水)" in answer.err


def test_a_contradiction_is_refused_and_asked_again(settle: Command) -> None:
    """The example is said to be what the answer says it is not."""
    answer = settle("--terms", "山洪,洪水", replies=("y", "n : 凌汛 +山洪", "n"))
    assert "cannot lack 山洪" in answer.out or "is no counterexample" in answer.out
    assert "settled by 2 answers" in answer.err


def test_json_goes_to_stdout_alone(settle: Command) -> None:
    answer = settle("--terms", "山洪,洪水,台风", "--json", replies=("1", "0", "n"))
    found = answer.json
    assert found["terms"] == ["山洪", "台风", "洪水"]
    assert found["settled"] and not found["complete"] and found["open"] == []
    assert found["edges"] == [{"term": "山洪", "relation": "subclass_of", "value": "洪水"}]
    assert found["implications"] == [{"premise": ["山洪"], "conclusion": ["洪水"]}]
    assert {"name": "山洪, not 台风", "has": ["山洪", "洪水"], "lacks": ["台风"]} in found["examples"]
    assert found["answers"] == 3 and len(found["added"]) == 5 and found["withdrawn"] == []
    assert "Which of these is every flash flood" in answer.err


def test_combinations_end_with_the_basis(settle: Command) -> None:
    answer = settle("--terms", "山洪,洪水,台风", "--combinations", "--json", replies=("1", "0", "n", "x"))
    assert answer.json["complete"] and answer.json["answers"] == 4
    assert {"premise": ["台风", "洪水"], "conclusion": ["山洪"]} in answer.json["implications"]
    again = settle("--combinations")
    assert "so are all combinations: 2 implications" in again.err


def test_undo_withdraws(settle: Command, flood_folder: Path) -> None:
    settle("--terms", "山洪,洪水", replies=("y",))
    assert accepted(flood_folder) == {("山洪", "洪水")}
    answer = settle("--undo")
    assert "taken back: every flash flood (山洪) is: flood (洪水)" in answer.err and "withdrawn d1" in answer.err
    assert accepted(flood_folder) == set()
    assert "nothing is left to take back" in settle("--undo").err


def filled(path: Path, answers: dict[str, str]) -> None:
    """Fill in the last column, by what a row is about."""
    header, *rows = path.read_text(encoding="utf-8").splitlines()
    done = [row + answers.get(row.split("\t")[0], "") for row in rows]
    path.write_text("\n".join([header, *done]) + "\n", encoding="utf-8")


def test_a_colleague_answers_in_a_table(settle: Command, flood_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "open.tsv"
    answer = settle("--terms", "山洪,洪水,台风", "--questions", path, "--lang", "zh")
    assert "已写入：" in answer.err and "3 个问题" in answer.err
    assert not (flood_folder / FILE).exists() and "每个“山洪”都是下列哪些？" in path.read_text(encoding="utf-8")
    filled(path, {"山洪": "1 : 溃坝洪水", "台风": "l"})
    answer = settle("--terms", "山洪,洪水,台风", "--answers", path, "--who", "Wang Fang")
    assert "1 answer recorded, 0 known already, 2 left open" in answer.err
    assert accepted(flood_folder) == {("山洪", "洪水")}
    assert "1 answer; still open: typhoon (台风), flood (洪水)" in answer.err
    again = settle("--answers", path)
    assert "0 answers recorded, 1 known already, 2 left open" in again.err


def test_rows_of_a_table_that_are_refused_name_their_line(settle: Command, flood_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "open.tsv"
    settle("--terms", "山洪,洪水,台风", "--questions", path)
    text = path.read_text(encoding="utf-8")
    filled(path, {"山洪": "1", "台风": "maybe"})
    answer = settle("--terms", "山洪,洪水,台风", "--answers", path)
    assert answer.code == USAGE and "open.tsv, line 3: expected numbers from 1 to 2" in answer.err
    assert accepted(flood_folder) == {("山洪", "洪水")}, "the rows above are kept"
    path.write_text(text, encoding="utf-8")
    filled(path, {"山洪": "0"})
    answer = settle("--answers", path)
    assert answer.code == USAGE and "line 2: it is known that everything is so: 洪水" in answer.err
    path.write_text(text, encoding="utf-8")
    filled(path, {"山洪": "y"})
    answer = settle("--answers", path)
    assert answer.code == USAGE and "line 2: it is known that not everything is so: 台风" in answer.err
    path.write_text("term\tbroader\n", encoding="utf-8")
    answer = settle("--answers", path)
    assert answer.code == USAGE and "line 1: expected the header about question choices" in answer.err


def test_a_cell_cannot_run_in_a_spreadsheet(settle: Command, flood_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "open.tsv"
    settle("--terms", "山洪,洪水", "--questions", path)
    assert not any(cell.startswith(("=", "+", "@")) for cell in path.read_text(encoding="utf-8").split("\t"))


class Interrupted(io.StringIO):
    """A terminal at which Ctrl-C is pressed after the replies."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # as StringIO itself
        line = super().readline(-1 if size is None else size)
        if not line:
            raise KeyboardInterrupt
        return line


def test_ctrl_c_keeps_the_answers(settle: Command, flood_folder: Path) -> None:
    answer = settle("--terms", "山洪,洪水,台风", replies=("1",), pipe=Interrupted)
    assert answer.code == INTERRUPTED
    assert accepted(flood_folder) == {("山洪", "洪水")} and (flood_folder / FILE).exists()


def test_wrong_arguments(settle: Command, command: Command, tmp_path: Path) -> None:
    for arguments, message in (
        (("--lang", "de"), "--lang 'de' is none of en, zh"),
        (("--terms", "山洪,洪水", "--top", "3"), "give one of the two"),
        (("--terms", "山洪"), "expected 2 to 40 terms to settle, found 1: give --terms A,B,C"),
        (("--answers", tmp_path / "none.tsv"), "there is no such file"),
    ):
        answer = settle(*arguments)
        assert answer.code == USAGE and message in answer.err, answer.err
    answer = command("ontology", "settle", tmp_path)
    assert answer.code == USAGE and "`ontocrawl ontology build` wrote (--out)" in answer.err
