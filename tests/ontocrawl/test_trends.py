"""Search interest from files of several shapes, and `topic intent` on them and on real exports."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from ontocrawl import trends
from ontocrawl.errors import UsageError
from tests.ontocrawl.conftest import Command

REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "google_trends" / "raw"
real_data = pytest.mark.skipif(not REAL.exists(), reason=f"real data is absent: {REAL}")
HAIYAN = "Category: All categories\n\nMonth,Typhoon Haiyan: (Worldwide)\n" + "".join(
    f"{year}-{month:02},{ {(2013, 11): 100, (2013, 12): 6}.get((year, month), 0) }\n"
    for year in (2013, 2014)
    for month in range(1, 13)
)
SHAPES = {
    "google_days": "Category: All categories\n\nDay,Haiyan: (World)\n2013-11-06,0\n2013-11-07,<1\n2013-11-08,100\n",
    "google_cr": "Search interest\rDate,Haiyan: (World)\rNov 6 2013,0\rNov 7 2013,0.5\rNov 8 2013,100\r",
    "google_transposed": "Index,,,\nSearch topic,Nov 6 2013,Nov 7 2013,Nov 8 2013\nHaiyan: (World),0,0.5,100\n",
    "hours": "Time,Haiyan: (World)\n2013-11-06T01,0\n2013-11-07T23,0.5\n2013-11-08T01,3\n2013-11-08T02,100\n",
    "baidu_wide": "日期,Haiyan: (World)\n2013年11月6日,0\n2013/11/7,0.5\n20131108,100\n",
    "baidu_long": "关键词;日期;搜索指数\nHaiyan: (World);2013-11-06;0\nHaiyan: (World);2013-11-07;0.5\n"
    "Haiyan: (World);2013-11-08;100\n其他;2013-11-06;3\n其他;2013-11-07;3\n其他;2013-11-08;3\n",
    "tabs": "Day\tHaiyan: (World)\n6 November 2013\t0\n7 Nov 2013\t0.5\n8 Nov. 2013\t100\n",
    "ranges": "Date,Haiyan: (World)\n2013110620131106,0\n2013-11-07 - 2013-11-07,0.5\n2013-11-08至2013-11-08,100\n",
}


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_says_the_same(shape: str, tmp_path: Path) -> None:
    series = trends.read(write(tmp_path / "t.csv", SHAPES[shape]))[0]
    assert series.term == "Haiyan: (World)"
    told = [(interval.first.day, interval.last.day, interval.interest) for interval in series.intervals]
    assert told == [(6, 6, 0.0), (7, 7, 0.5), (8, 8, 100.0)]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    text = "日期,海燕\n2013-11-06,0\n2013-11-07,1\n2013-11-08,2\n"
    assert trends.read(write(tmp_path / "t.csv", text, encoding))[0].term == "海燕"


def test_weeks_and_months_end_before_the_next(tmp_path: Path) -> None:
    weeks = "Week,a\n2013-11-03,1\n2013-11-10,2\n2013-11-17,3\n"
    last = trends.read(write(tmp_path / "w.csv", weeks))[0].intervals[-1]
    assert (last.first, last.last) == (date(2013, 11, 17), date(2013, 11, 23))
    months = "month,a\nNovember 2013,1\nDecember 2013,2\n2014-02,3\n"
    found = trends.read(write(tmp_path / "m.csv", months))[0].intervals
    assert [i.last for i in found] == [date(2013, 11, 30), date(2013, 12, 31), date(2014, 2, 28)]


def test_days_sum_to_months(tmp_path: Path) -> None:
    text = "Day,a\n2013-11-29,10\n2013-11-30,30\n2013-12-01,10\n"
    found = trends.read(write(tmp_path / "t.csv", text))[0].by_month().intervals
    assert [(i.last, i.interest) for i in found] == [(date(2013, 11, 30), 100.0), (date(2013, 12, 31), 25.0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("City,interest\nHialeah,100\nMiami,33\n", "no column and no row has 3 dates"),
        ("Day,a\n2013-11-01,many\n2013-11-02,few\n2013-11-03,none\n", "no column of numbers"),
        ("Topic,2013-11-01,2013-11-02,2013-11-03\na,1,x,3\n", r"'a', 2013-11-02: expected a number.*found 'x'"),
        ("", "no column and no row"),
    ],
)
def test_files_of_another_shape(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=message):
        trends.read(write(tmp_path / "t.csv", text))
    with pytest.raises(UsageError, match="cannot be read"):
        trends.read(tmp_path / "none.csv")


# ---- the command


def test_intent_of_haiyan_is_that_of_the_paper(command: Command, tmp_path: Path) -> None:
    """Eqs. (19) and (20), and the line of Table 1, from the series that Figure 1 shows."""
    answer = command("topic", "intent", "--trends", write(tmp_path / "h.csv", HAIYAN), "--json")
    assert answer.code == 0
    (told,) = answer.json["terms"]
    assert (told["zero_until"], told["first_above_zero"], told["start"]) == ("2013-10-31", "2013-11-01", "2013-11-01")
    assert told["parameters"]["intervals"] == "2013-11-01..2013-11-30=100,2013-12-01..2013-12-31=6"
    assert [i["probability"] for i in told["intervals"]] == pytest.approx([100 / 106, 6 / 106])
    shown = command("topic", "intent", "--trends", tmp_path / "h.csv", "--term", told["term"])
    assert "--param start=2013-11-01" in " ".join(shown.err.split())


def test_t40_a_series_that_begins_loud_says_so(command: Command, tmp_path: Path) -> None:
    file = write(tmp_path / "t.csv", "Day,a\n2013-11-06,1\n2013-11-07,1\n2013-11-08,100\n")
    answer = command("topic", "intent", "--trends", file)
    assert answer.code == 0 and "trap T40" in answer.err
    assert (
        command("topic", "intent", "--trends", file, "--quiet", "1", "--json").json["terms"][0]["start"] == "2013-11-08"
    )


def test_an_unknown_term_is_told_the_nearest(command: Command, tmp_path: Path) -> None:
    file = write(tmp_path / "t.csv", SHAPES["google_days"])
    answer = command("topic", "intent", "--trends", file, "--term", "Hayan: (World)")
    assert answer.code == 2 and "did you mean 'Haiyan: (World)'" in answer.err


@real_data
def test_start_times_of_real_hurricanes(command: Command) -> None:
    """Searched for from the days on which each got its name, or got it again: 23 and 30 August, 16 September 2017."""
    answer = command("topic", "intent", "--trends", REAL / "maria__multiTimeline.csv", "--json")
    found = {t["term"].split(":")[0]: t["start"] for t in answer.json["terms"]}
    assert found == {
        "Hurricane Harvey": "2017-08-23", "Hurricane Irma": "2017-08-31", "Hurricane Maria": "2017-09-16",
    }  # fmt: skip


@real_data
def test_every_real_file_is_a_series_or_says_why_not() -> None:
    series, refused = [], []
    for path in sorted(REAL.glob("*.csv")):
        try:
            series.append((path.name, len(trends.read(path))))
        except UsageError as error:
            assert "no series of search interest over time" in str(error)
            refused.append(path.name)
    assert len(series) == 21 and len(refused) == 11
    assert dict(series)["GoogleTrends__20180803_heatwave.csv"] == 9
