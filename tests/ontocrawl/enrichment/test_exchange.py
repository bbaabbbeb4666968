"""Spreadsheets of proposals: what is written, what is read, what is refused with file and line; two reviewers."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from ontocrawl.base import workspace
from ontocrawl.enrichment import exchange, importing
from ontocrawl.enrichment.classes import DecidedClasses, classes_of
from ontocrawl.enrichment.exchange import COLUMNS, ExchangeError
from ontocrawl.enrichment.importing import _in_order, _Judged, _merged, _read, _Sheet
from ontocrawl.topics import topics
from ontocrawl.topics.reviewed import Reviewed
from ontology.corpus.records import CorpusError
from ontology.enrichment import PageSentence, Proposal, Verdict
from ontology.extras import MissingExtra
from tests.ontocrawl.enrichment.review_samples import BASE, concept, relation

SPONGE, CALL, FORMULA = "rainstorm/海绵城市", "rainstorm/叫应机制", "rainstorm/=sum(a1)"
CAUSES = "rainstorm/暴雨:causes:城市内涝"


@pytest.fixture(scope="module")
def hierarchy(tmp_path_factory: pytest.TempPathFactory) -> DecidedClasses:
    """The classes of the curated ontologies on rainstorms."""
    space = workspace.init(tmp_path_factory.mktemp("exchange") / "ws")
    return classes_of(space, topics.load("rainstorm", space))


@pytest.fixture(scope="module")
def listed() -> dict[str, Proposal]:
    """Four proposals; one has a term that a spreadsheet program would run."""
    odd = replace(
        concept("=SUM(A1)"), id=FORMULA, sentences=(PageSentence('+1 "a"\t\\ @b', "http://a.example/"),), reason="-1"
    )
    call = replace(concept("叫应机制", "EarlyWarning", "预警"), id=CALL, sentences=())
    return {one.id: one for one in (concept(), call, odd, relation())}


@pytest.fixture(params=["tsv", "xlsx"])
def path(
    request: pytest.FixtureRequest, tmp_path: Path, listed: dict[str, Proposal], hierarchy: DecidedClasses
) -> Path:
    """The file of the four proposals, in both formats."""
    file = tmp_path / f"open.{request.param}"
    exchange.write(file, exchange.rows(list(listed.values()), {}, hierarchy))
    return file


Read = Callable[[Path], _Sheet]


@pytest.fixture
def sheet(listed: dict[str, Proposal], hierarchy: DecidedClasses) -> Read:
    return lambda file: _read(file, listed, hierarchy, who="李四")


def table(file: Path) -> list[list[str]]:
    """The cells of a file."""
    if file.suffix == ".tsv":
        return list(csv.reader(io.StringIO(file.read_text(encoding="utf-8")), delimiter="\t"))
    rows = openpyxl.load_workbook(file).active.iter_rows(values_only=True)  # type: ignore[union-attr]
    return [["" if value is None else str(value) for value in row] for row in rows]


def fill(file: Path, verdicts: dict[str, dict[str, str]], **names: str) -> Path:
    """Fill in columns of rows, by id of the proposal; and rename columns."""
    rows = table(file)
    for row in rows[2:]:
        for name, value in verdicts.get(row[0], {}).items():
            row[rows[0].index(name)] = value
    rows[0] = [names.get(name, name) for name in rows[0]]
    if file.suffix == ".tsv":
        stream = io.StringIO()
        csv.writer(stream, delimiter="\t", lineterminator="\n").writerows(rows)
        file.write_text(stream.getvalue(), encoding="utf-8")
    else:
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)  # type: ignore[union-attr]
        for cells in book.active.iter_rows():  # type: ignore[union-attr]
            for cell in cells:
                cell.data_type = "s"
        book.save(file)
    return file


def verdicts(sheet: _Sheet) -> dict[str, tuple[str, str, str, str]]:
    return {j.proposal.id: (j.verdict.action, j.verdict.value, j.who, j.why) for j in sheet.judged}


# ---- what is written ------------------------------------------------------------------------------------------------


def test_names_template_strings_and_evidence(path: Path) -> None:
    names, templates, sponge, *_ = table(path)
    assert tuple(names) == COLUMNS
    strings = dict(zip(names, templates, strict=True))
    assert strings["ID"] == "ID" and strings["Parents"] == "SC %" and strings["Label (zh)"] == "AL rdfs:label@zh"
    assert not any(strings[name] for name in ("proposal", "verdict", "term", "sentence_1", "score"))
    row = dict(zip(names, sponge, strict=True))
    assert row["proposal"] == SPONGE and row["verdict"] == row["new_name"] == row["parent"] == ""
    assert (
        row["suggested_class"] == "城市内涝" and row["score"] == "12.309" and row["crawls"] == "first (10), second (2)"
    )
    assert row["sentence_1"].startswith("专家认为") and row["url_1"].startswith("http://news.example/")
    assert (
        row["ID"].startswith(BASE) and row["Label (zh)"] == "海绵城市" and row["Parents"] == BASE + "CityWaterlogging"
    )


def test_nothing_is_a_formula(path: Path) -> None:
    row = next(row for row in table(path) if row[0] == FORMULA)
    at = COLUMNS.index("term")
    if path.suffix == ".tsv":
        assert row[at] == "'=SUM(A1)" and row[COLUMNS.index("sentence_1")] == '\'+1 "a" \\\\ @b'
        return
    cell = openpyxl.load_workbook(path).active.cell(5, at + 1)  # type: ignore[union-attr]
    assert cell.value == "=SUM(A1)" and cell.data_type == "s" and cell.quotePrefix
    assert b"<f>" not in path.read_bytes()


def test_a_workbook_has_choices_a_fixed_header_and_widths(
    tmp_path: Path, listed: dict[str, Proposal], hierarchy: DecidedClasses
) -> None:
    file = tmp_path / "open.xlsx"
    exchange.write(file, exchange.rows(list(listed.values()), {}, hierarchy))
    page: Any = openpyxl.load_workbook(file).active
    assert page.freeze_panes == "C3" and page.column_dimensions["A"].width == 24
    (choices,) = page.data_validations.dataValidation
    assert choices.formula1 == '"accept,reject,rename,move,merge"' and str(choices.sqref) == "B3:B6"


def test_what_was_decided_is_in_the_columns_of_robot(listed: dict[str, Proposal], hierarchy: DecidedClasses) -> None:
    def row(id_: str, verdict: Verdict) -> dict[str, Any]:
        known = Reviewed(id_, verdict, ("d1",), "张三", "2026", listed[id_], why="清楚")
        return exchange.rows([listed[id_]], {id_: known}, hierarchy)[0]

    renamed = row(SPONGE, Verdict("rename", "海绵型城市"))
    assert renamed["verdict"] == "rename" and renamed["new_name"] == "海绵型城市" and renamed["who"] == "张三"
    assert renamed["Label (zh)"] == "海绵型城市" and renamed["Exact synonyms (zh)"] == "海绵城市"
    both = row(SPONGE, Verdict("rename", "海绵型城市", "洪水"))
    assert both["new_name"] == "海绵型城市" and both["parent"] == "洪水" and both["Parents"] == BASE + "Floodwater"
    moved = row(SPONGE, Verdict("move", "洪水"))
    assert moved["parent"] == "洪水" and moved["Parents"] == BASE + "Floodwater"
    named = row(SPONGE, Verdict("merge", "洪水"))
    assert (
        named["ID"] == BASE + "Floodwater" and named["Exact synonyms (zh)"] == "海绵城市" and "Label (zh)" not in named
    )
    assert "ID" not in row(SPONGE, Verdict("reject"))
    caused = row(CAUSES, Verdict("accept"))
    assert caused["ID"] == BASE + "Rainstorm" and caused["May cause"] == BASE + "CityWaterlogging"


def test_another_suffix_and_a_missing_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ExchangeError, match=r"open\.ods: expected a name that ends with \.xlsx or \.tsv"):
        exchange.write(tmp_path / "open.ods", [])
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ontocrawl\[readers\]'"):
        exchange.write(tmp_path / "open.xlsx", [])
    assert not list(tmp_path.iterdir())


# ---- what is read ---------------------------------------------------------------------------------------------------


def test_verdicts_are_read_and_open_rows_stay_open(path: Path, sheet: Read) -> None:
    fill(path, {
        SPONGE: {"verdict": "Move ", "parent": "debris flow", "why": "不是防治措施"},
        CALL: {"verdict": "接受", "new_name": "预警叫应", "who": "王五"},
        FORMULA: {"verdict": "REJECT"},
    })  # fmt: skip
    found = sheet(path)
    assert verdicts(found)[CALL] == ("rename", "预警叫应", "王五", "")
    assert verdicts(found)[FORMULA] == ("reject", "", "李四", "")
    assert verdicts(found)[SPONGE] == ("move", "泥石流", "李四", "不是防治措施")
    assert found.left_open == (CAUSES,)


def test_a_name_may_have_a_parent_beside_it(path: Path, sheet: Read) -> None:
    fill(path, {
        SPONGE: {"verdict": "accept", "new_name": "海绵型城市", "parent": "debris flow"},
        CALL: {"verdict": "rename", "new_name": "预警叫应", "parent": "预警"},
    })  # fmt: skip
    said = {one.proposal.id: one.verdict for one in sheet(path).judged}
    assert said[SPONGE] == Verdict("rename", "海绵型城市", "泥石流")
    assert (said[CALL].action, said[CALL].value) == ("rename", "预警叫应")


def test_a_parent_that_is_the_suggested_one_is_no_move(path: Path, sheet: Read) -> None:
    fill(path, {SPONGE: {"verdict": "accept", "parent": "城市内涝"}, CALL: {"verdict": "later"}})
    assert verdicts(sheet(path)) == {SPONGE: ("accept", "", "李四", "")}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
@pytest.mark.parametrize("between", ["\t", ",", ";"])
def test_a_text_as_spreadsheet_programs_save_it(
    between: str, encoding: str, tmp_path: Path, listed: dict[str, Proposal], hierarchy: DecidedClasses, sheet: Read
) -> None:
    file = tmp_path / "open.tsv"
    exchange.write(file, exchange.rows(list(listed.values()), {}, hierarchy))
    rows = table(fill(file, {SPONGE: {"verdict": "reject", "why": '"引号"\n第二行'}}))
    stream = io.StringIO()
    csv.writer(stream, delimiter=between).writerows(rows)
    file.write_bytes(stream.getvalue().encode(encoding))
    assert verdicts(sheet(file)) == {SPONGE: ("reject", "", "李四", '"引号" 第二行')}


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (
            {"verdict": "maybe"},
            "line 3: 'maybe' is no verdict: expected accept, reject, rename, move, merge, or nothing",
        ),
        ({"verdict": "accept", "term": "海绵"}, "line 3: the term of rainstorm/海绵城市 is '海绵城市', found '海绵'"),
        ({"verdict": "accept", "proposal": "rainstorm/海棉城市"}, "line 3: there is no proposal 'rainstorm/海棉城市'"),
        ({"verdict": "accept", "proposal": ""}, "line 3: there is no proposal ''"),
        ({"verdict": "rename", "parent": "x"}, "line 3: rename needs new_name filled in"),
        ({"verdict": "move", "new_name": "x"}, "line 3: move needs parent filled in, and new_name empty"),
        ({"verdict": "merge", "new_name": "x", "parent": "y"}, "line 3: merge needs"),
        ({"verdict": "reject", "parent": "y"}, "line 3: reject needs new_name and parent empty"),
        ({"parent": "y"}, "line 3: parent is filled in, and verdict is not"),
    ],
    ids=str,
)
def test_rows_that_are_refused(cells: dict[str, str], message: str, path: Path, sheet: Read) -> None:
    fill(path, {SPONGE: cells})
    with pytest.raises(ExchangeError) as refused:
        sheet(path)
    assert message in str(refused.value) and f"{path.name}: nothing was imported: " in str(refused.value)


def test_all_faults_are_listed(path: Path, sheet: Read) -> None:
    fill(path, {SPONGE: {"verdict": "x"}, CALL: {"verdict": "y"}})
    with pytest.raises(ExchangeError, match=r"line 3: 'x' is no verdict.*; line 4: 'y' is no verdict"):
        sheet(path)


def test_two_verdicts_about_one_proposal(path: Path, sheet: Read) -> None:
    fill(path, {SPONGE: {"verdict": "accept"}, CALL: {"verdict": "reject", "proposal": SPONGE, "term": "海绵城市"}})
    with pytest.raises(ExchangeError, match=f"line 4: line 3 has another verdict about {SPONGE}"):
        sheet(path)


def test_missing_columns_other_tables_and_damaged_files(path: Path, sheet: Read, tmp_path: Path) -> None:
    fill(path, {}, verdict="judgement", term="word")
    with pytest.raises(ExchangeError, match=r"line 1: the column verdict, term is missing"):
        sheet(path)
    other = tmp_path / "other.tsv"
    other.write_text("a\tb\n1\t2\n", encoding="utf-8")
    with pytest.raises(ExchangeError, match="no row names the columns proposal, verdict"):
        sheet(other)
    with pytest.raises(ExchangeError, match=r"none\.tsv could not be read"):
        sheet(tmp_path / "none.tsv")
    if path.suffix == ".xlsx":
        path.write_bytes(path.read_bytes()[:2000])
        with pytest.raises(CorpusError, match="could not be read as a workbook"):
            sheet(path)


def test_a_later_row_of_a_very_long_cell_is_refused(tmp_path: Path, sheet: Read) -> None:
    file = tmp_path / "open.tsv"
    file.write_text("proposal\tverdict\tnew_name\tparent\tterm\nx\t" + "词" * 200_000 + "\n", encoding="utf-8")
    refused = r"open\.tsv.*line 2: (field larger than field limit|there is no proposal .x.)"  # the limit may be raised
    with pytest.raises(ExchangeError, match=refused):
        sheet(file)


# ---- several reviewers ----------------------------------------------------------------------------------------------


def judged(one: Proposal, who: str, action: str, value: str = "", why: str = "") -> _Judged:
    return _Judged(one, Verdict(action, value), who, why, f"{who}.tsv", 3)  # type: ignore[arg-type]


def of(who: str, *verdicts: _Judged) -> _Sheet:
    return _Sheet(f"{who}.tsv", verdicts, ())


def test_agreement_is_taken_and_the_rest_is_listed(listed: dict[str, Proposal]) -> None:
    sponge, call = listed[SPONGE], listed[CALL]
    first = of("a", judged(sponge, "张三", "accept", why="清楚"), judged(call, "张三", "move", "预警"))
    second = of("b", judged(sponge, "李四", "accept"), judged(call, "李四", "move", "防灾"))
    result = _merged([first, second], {})
    assert [(j.proposal.id, j.who, j.why) for j in result.agreed] == [(SPONGE, "张三, 李四", "清楚")]
    assert [[j.who for j in about] for about in result.disagreements] == [["张三", "李四"]]
    assert not result.agreements, "two proposals are too few for kappa"


def test_what_one_reviewer_left_open_is_taken_from_the_other(listed: dict[str, Proposal]) -> None:
    result = _merged([of("a", judged(listed[SPONGE], "张三", "reject")), of("b")], {})
    assert [j.verdict.action for j in result.agreed] == ["reject"]


def test_what_was_decided_before_is_known_or_a_disagreement(listed: dict[str, Proposal]) -> None:
    sponge = listed[SPONGE]
    before = {SPONGE: Reviewed(SPONGE, Verdict("accept"), ("d1",), "王五", "2026-11-01", sponge)}
    assert _merged([of("a", judged(sponge, "张三", "accept"))], before).known == 1
    other = [of("a", judged(sponge, "张三", "reject"))]
    (about,) = _merged(other, before).disagreements
    assert [(j.who, j.verdict.action) for j in about] == [("王五", "accept"), ("张三", "reject")]
    assert len(_merged(other, before, replace=True).agreed) == 1


def test_kappa_of_two_reviewers(listed: dict[str, Proposal]) -> None:
    """20 right by both, 15 wrong by both, 5 and 10 differ: the example of the measure."""
    pairs = [("accept", "accept")] * 20 + [("accept", "reject")] * 5 + [("reject", "accept")] * 10
    pairs += [("reject", "reject")] * 15
    many = [replace(listed[SPONGE], id=f"rainstorm/{n}") for n in range(50)]
    sheets = [
        of(who, *(judged(one, who, pair[at]) for one, pair in zip(many, pairs, strict=True)))
        for at, who in enumerate("ab")
    ]
    (found,) = _merged(sheets, {}).agreements
    assert (found.reviewers, found.judged, found.agreed, found.kappa) == (("a", "b"), 50, 35, 0.4)
    assert importing.LEAST == 10 and len(_merged(sheets, {}).disagreements) == 15


def test_a_class_comes_before_what_is_placed_below_it(listed: dict[str, Proposal]) -> None:
    sponge, call = listed[SPONGE], listed[CALL]
    below, above = judged(sponge, "a", "move", "叫应机制"), judged(call, "a", "accept")
    assert _in_order([below, above]) == [above, below] == _in_order([above, below])
    circle = [below, judged(call, "a", "move", "海绵城市")]
    assert sorted(j.proposal.id for j in _in_order(circle)) == sorted([SPONGE, CALL])
