"""Search interest from files of several shapes, and `topic intent` on them and on real exports."""

from __future__ import annotations

import shlex
from datetime import date
from pathlib import Path

import pytest

from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.topics import trends
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
    series = trends.read(write(tmp_path / "t.csv", SHAPES[shape])).series[0]
    assert series.term == "Haiyan: (World)"
    told = [(interval.first.day, interval.last.day, interval.interest) for interval in series.intervals]
    assert told == [(6, 6, 0.0), (7, 7, 0.5), (8, 8, 100.0)]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    text = "日期,海燕\n2013-11-06,0\n2013-11-07,1\n2013-11-08,2\n"
    assert trends.read(write(tmp_path / "t.csv", text, encoding)).series[0].term == "海燕"


def test_weeks_and_months_end_before_the_next(tmp_path: Path) -> None:
    weeks = "Week,a\n2013-11-03,1\n2013-11-10,2\n2013-11-17,3\n"
    last = trends.read(write(tmp_path / "w.csv", weeks)).series[0].intervals[-1]
    assert (last.first, last.last) == (date(2013, 11, 17), date(2013, 11, 23))
    months = "month,a\nNovember 2013,1\nDecember 2013,2\n2014-02,3\n"
    found = trends.read(write(tmp_path / "m.csv", months)).series[0].intervals
    assert [i.last for i in found] == [date(2013, 11, 30), date(2013, 12, 31), date(2014, 2, 28)]


@pytest.mark.parametrize(
    ("days", "last"),
    [
        (("2013年10月1日", "2013年11月1日", "2013年12月1日"), date(2013, 12, 31)),
        (("2013-12-01", "2014-01-01", "2014-02-01"), date(2014, 2, 28)),
        (("2013-04-01", "2013-07-01", "2013-10-01"), date(2013, 12, 31)),
        (("2011-01-01", "2012-01-01", "2013-01-01"), date(2013, 12, 31)),
        (("2013-11-29", "2013-11-30", "2013-12-01"), date(2013, 12, 1)),
        (("2013-10-02", "2013-11-02", "2013-12-02"), date(2013, 12, 31)),
    ],
)
def test_the_last_of_months_given_by_full_dates_ends_with_its_month(
    days: tuple[str, ...], last: date, tmp_path: Path
) -> None:
    text = "日期,海燕\n" + "".join(f"{day},{at}\n" for at, day in enumerate(days))
    assert trends.read(write(tmp_path / "t.csv", text)).series[0].intervals[-1].last == last


def test_a_row_that_stands_twice_alike_counts_once(tmp_path: Path) -> None:
    text = "Day,a\n2013-11-06,1\n2013-11-06,1\n2013-11-07,2\n"
    found = trends.read(write(tmp_path / "t.csv", text)).series[0].intervals
    assert [(i.first.day, i.interest) for i in found] == [(6, 1.0), (7, 2.0)]


def test_rows_and_columns_without_a_date_are_told(command: Command, tmp_path: Path) -> None:
    """Older exports have tables of regions below the series."""
    text = SHAPES["google_days"] + "\nRegion,Haiyan: (World)\nPhilippines,100\n"
    answer = command("topic", "intent", "--trends", write(tmp_path / "t.csv", text))
    assert answer.code == 0
    assert "left out: 2 rows or columns without a date, first 'Region,Haiyan: (World)'" in answer.err
    across = "Topic,2013-11-06,2013-11-07,2013-11-08,Total,\na,0,1,2,3,\n"
    assert trends.read(write(tmp_path / "a.csv", across)).left_out == ("Total",)
    whole = command("topic", "intent", "--trends", write(tmp_path / "w.csv", SHAPES["google_days"]))
    assert "left out" not in whole.err


def test_days_sum_to_months(tmp_path: Path) -> None:
    text = "Day,a\n2013-11-29,10\n2013-11-30,30\n2013-12-01,10\n"
    found = trends.read(write(tmp_path / "t.csv", text)).series[0].by_month().intervals
    assert [(i.last, i.interest) for i in found] == [(date(2013, 11, 30), 100.0), (date(2013, 12, 31), 25.0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("City,interest\nHialeah,100\nMiami,33\n", "no column and no row has 3 dates"),
        ("Day,a\n2013-11-01,many\n2013-11-02,few\n2013-11-03,none\n", "no column of numbers"),
        ("Topic,2013-11-01,2013-11-02,2013-11-03\na,1,x,3\n", r"'a', 2013-11-02: expected a number.*found 'x'"),
        ("", "no column and no row"),
        ("Month,a\n2013-11,9\n2013-12,3\n2013-13,5\n2014-01,1\n", "'2013-13' is no day, week or month.*correct it"),
        ("Month,a\n2013-13,5\n2014-01,1\n2014-02,9\n2014-03,3\n", "'2013-13' is no day"),
        ("Day,a\nNov 29 2013,5\nNov 30 2013,1\nNov 31 2013,9\nDec 1 2013,3\n", "'Nov 31 2013' is no day"),
        (
            "Week,a\n2013-11-17 - 2013-11-23,5\n2013-11-24 - 2013-11-31,1\n2013-12-01,9\n2013-12-02,9\n",
            "11-31' is no day",
        ),
        ("Topic,2013-11-28,2013-11-29,2013-11-30,2013-11-31\na,1,2,3,4\n", "'2013-11-31' is no day"),
        (
            "Month,a\n2013-11,9\n2013-11,5\n2013-12,3\n",
            r"'a': the interval from 2013-11-01 on has two values, 9 and 5",
        ),
        ("Topic,2013-11-01,2013-11-01,2013-11-02\na,1,2,3\n", "'a': the interval from 2013-11-01 on has two values"),
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


def _printed_options(err: str) -> dict[str, list[str]]:
    """Strategy -> the arguments that were printed for `crawl run`."""
    lines = [line.partition("for `crawl run`: ")[2] for line in err.splitlines() if "for `crawl run`: " in line]
    return {shlex.split(line)[1]: shlex.split(line) for line in lines}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "strategies"),
    [
        (SHAPES["google_days"], ["temporal_intent", "event_model", "date_segments"]),
        (SHAPES["google_days"].replace(",100", ",1234567.5"), ["temporal_intent", "event_model", "date_segments"]),
        (SHAPES["google_days"].replace("06,0", "06,3"), ["temporal_intent", "date_segments"]),
    ],
    ids=["with a start", "a million and more", "without a start"],
)
def test_what_is_printed_for_a_crawl_is_taken_by_a_crawl(
    command: Command, space: Workspace, tmp_path: Path, text: str, strategies: list[str]
) -> None:
    file = write(tmp_path / "t.csv", text)
    printed = _printed_options(command("topic", "intent", "--trends", file, "--term", "Haiyan: (World)").err)
    (told,) = command("topic", "intent", "--trends", file, "--json").json["terms"]
    assert sorted(printed) == sorted(strategies) == sorted(told["strategies"])
    for arguments in printed.values():
        answer = command(
            "crawl", "run", "--world", "synthetic:planted?pages=100&seed=0", "--limit-pages", "2", "--no-graph",
            "--workspace", space.root, "--json", *arguments,
        )  # fmt: skip
        assert answer.code == 0, answer.err
        assert answer.json["strategy"] == arguments[1]


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


def test_a_row_of_dates_without_a_term_below_is_an_empty_table(command: Command, tmp_path: Path) -> None:
    answer = command(
        "topic", "intent", "--trends", write(tmp_path / "t.csv", "Topic,2013-11-01,2013-11-02,2013-11-03\n")
    )
    assert answer.code == 0 and "no term" not in answer.err


@real_data
def test_start_times_of_real_hurricanes(command: Command) -> None:
    """Searched for from the days on which each got its name, or got it again: 23 and 30 August, 16 September 2017."""
    answer = command("topic", "intent", "--trends", REAL / "maria__multiTimeline.csv", "--json")
    found = {t["term"].split(":")[0]: t["start"] for t in answer.json["terms"]}
    assert found == {
        "Hurricane Harvey": "2017-08-23", "Hurricane Irma": "2017-08-31", "Hurricane Maria": "2017-09-16",
    }  # fmt: skip


@real_data
def test_options_of_a_real_hurricane(command: Command) -> None:
    term = "Hurricane Harvey: (United States)"
    answer = command("topic", "intent", "--trends", REAL / "maria__multiTimeline.csv", "--term", term)
    printed = _printed_options(answer.err)
    assert printed["event_model"] == ["--strategy", "event_model", "--param", "start=2017-08-23"]
    assert printed["date_segments"][2:] == ["--param", "start=2017-08-23", "--param", "end=2017-09-21"]
    assert printed["temporal_intent"][5].startswith("intervals=2017-08-23..2017-08-23=1,2017-08-24..2017-08-24=9,")


@pytest.mark.slow
@real_data
def test_every_real_file_is_a_series_or_says_why_not() -> None:
    series, refused = [], []
    for path in sorted(REAL.glob("*.csv")):
        try:
            series.append((path.name, len(trends.read(path).series)))
        except UsageError as error:
            assert "no series of search interest over time" in str(error)
            refused.append(path.name)
    assert len(series) == 21 and len(refused) == 11
    assert dict(series)["GoogleTrends__20180803_heatwave.csv"] == 9
