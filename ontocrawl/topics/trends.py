"""Read search interest over time from CSV files of Google Trends and the Baidu index.

Supported layouts:

    a column of days, weeks or months, and a column of values per term (Google Trends, with or without lines above)
    a row of days, and a row of values per term (tables of the Google News Lab)
    columns of day, keyword and value (Baidu index: 日期, 关键词, 指数)

Separators are commas, semicolons or tabs; line ends of any kind; UTF-8, UTF-16 or GB 18030. Days are written
2013-11-08, 2013/11/8, 2013年11月8日, Nov 8 2013 or 20131108, months 2013-11 or November 2013, ranges of days as two of
them. "<1" is read as 0.5 [R].

An invalid day (2013-13) and a day with two different values are errors; of the hours of a day the highest value counts.
Rows without a day, such as tables of regions at the end, are left out and listed.
"""

from __future__ import annotations

import csv
import io
import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from crawler.scoring.temporal import Interval
from ontocrawl.errors import UsageError

_ENCODINGS = ("utf-8-sig", "gb18030", "latin-1")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_Y, _M, _D = r"(?P<y>(?:19|20)\d\d)", r"(?P<m>\d{1,2})", r"(?P<d>\d{1,2})"
_NAME = r"(?P<n>[A-Za-z]{3,9})\.?"
_DATE_FORMS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_Y}[-/.年]{_M}[-/.月]{_D}日?(?P<h>[T ]\d\d?(?::\d\d)*)?",
        rf"{_Y}(?P<m>\d\d)(?P<d>\d\d)",
        rf"{_NAME}\s+{_D},?\s+{_Y}",
        rf"{_D}\s+{_NAME},?\s+{_Y}",
        rf"{_Y}[-/年]{_M}月?",
        rf"{_NAME},?\s+{_Y}",
    )
)
_RANGE_SIGN = re.compile(r"\s+-\s+|\s*[~～至]\s*|\s+to\s+|(?<=^\d{8})(?=\d{8}$)")
_LEAST_DATES = 3
"""Minimum number of dates in a row or column of dates."""


class DateSpan(NamedTuple):
    """A first day, the last day if one is written, and whether an hour of the day is written."""

    first: date
    last: date | None
    hour: bool = False


@dataclass(frozen=True)
class Series:
    """Search interest of one term, as non-overlapping intervals in order of time."""

    term: str
    intervals: tuple[Interval, ...]

    def by_month(self) -> Series:
        """Sum the interest by month (of the first day), scaled to a maximum of 100 as in Google Trends."""
        sums: dict[tuple[int, int], float] = {}
        for interval in self.intervals:
            month = (interval.first.year, interval.first.month)
            sums[month] = sums.get(month, 0.0) + interval.interest
        largest = max(sums.values()) or 1.0
        intervals = (Interval(date(y, m, 1), _month_end(y, m), 100.0 * v / largest) for (y, m), v in sums.items())
        return Series(self.term, tuple(intervals))


@dataclass(frozen=True)
class TrendsFile:
    """The series of a file, and the rows (or cells of a row of dates) without a date, which were left out."""

    series: tuple[Series, ...]
    left_out: tuple[str, ...]


def read(path: Path) -> TrendsFile:
    """Read the series of a file.

    Raises:
        UsageError: the file cannot be read or has another layout, a day is invalid, or a day has two values.
    """
    rows = _read_rows(path)
    top = next(
        (
            number
            for number, row in enumerate(rows)
            if sum(_parse_span(cell) is not None for cell in row) >= _LEAST_DATES
        ),
        None,
    )
    if top is not None:
        spans = [_parse_span(cell) for cell in rows[top]]
        _require_days(path, rows[top])
        series = (
            _make_series(path, row[0], [(span, cell) for span, cell in zip(spans, row, strict=False) if span])
            for row in rows[top + 1 :]
        )
        begin = next(column for column, span in enumerate(spans) if span)
        others = [cell for span, cell in zip(spans[begin:], rows[top][begin:], strict=True) if not span]
        return TrendsFile(tuple(series), tuple(cell for cell in others if cell.strip()))
    column = _find_date_column(rows)
    if column is None:
        raise UsageError("topics.no_column_no_row", path=path, least_dates=_LEAST_DATES)
    _require_days(path, [row[column] for row in rows if len(row) > column])
    first = next(number for number, row in enumerate(rows) if len(row) > column and _parse_span(row[column]))
    left_out = [",".join(row) for row in rows[first:] if len(row) <= column or _parse_span(row[column]) is None]
    return TrendsFile(tuple(_series_of_rows(path, rows, column, first)), tuple(left_out))


def _require_days(path: Path, cells: Sequence[str]) -> None:
    """Raise UsageError for a cell in the form of a day, week or month that is not valid, such as 2013-13."""
    for cell in cells:
        if _parse_span(cell) is None and all(_looks_like_date(part) for part in _RANGE_SIGN.split(cell.strip())):
            raise UsageError("topics.no_day_week_month", path=path, cell=cell.strip())


def _series_of_rows(path: Path, rows: Sequence[Sequence[str]], column: int, first: int) -> list[Series]:
    """Make series from rows with dates, from row ``first`` on: wide (a column per term) or long (a column of terms)."""
    header = rows[first - 1] if first else []
    dated = [(span, row) for row in rows[first:] if len(row) > column and (span := _parse_span(row[column]))]
    width = max(len(row) for _, row in dated)
    others = [i for i in range(width) if i != column]
    values = [i for i in others if all(len(row) <= i or _parse_interest(row[i]) is not None for _, row in dated)]
    values = [i for i in values if any(len(row) > i and row[i] for _, row in dated)]
    if not values:
        raise UsageError("topics.beside_dates_no_column", path=path)
    names = [i for i in others if i not in values and all(len(row) > i for _, row in dated)]
    by_term: dict[str, list[tuple[DateSpan, str]]] = {}
    for span, row in dated:
        for i in values:
            term = header[i].strip() if i < len(header) and header[i].strip() else f"column {i + 1}"
            if names:
                term = row[names[0]].strip() + (f" {term}" if len(values) > 1 else "")
            by_term.setdefault(term, []).append((span, row[i] if len(row) > i else ""))
    return [_make_series(path, term, pairs) for term, pairs in by_term.items()]


def _make_series(path: Path, term: str, pairs: Sequence[tuple[DateSpan, str]]) -> Series:
    """Make intervals: each ends on the day before the next one; the last is as long as the one before it."""
    highest: dict[date, tuple[date | None, float]] = {}
    for (first, last, hour), cell in pairs:
        value = _parse_interest(cell)
        if value is None:
            raise UsageError("topics.expected_number_more_found", path=path, term=term, first=first, cell=cell)
        known = highest[first][1] if first in highest else value
        if value != known and not hour:
            raise UsageError(
                "topics.interval_two_values_remove", path=path, term=term, first=first, known=known, value=value
            )
        highest[first] = (last, max(value, known))  # hours of one day: its highest
    days = sorted(highest)
    intervals: list[Interval] = []
    for number, day in enumerate(days):
        last, value = highest[day]
        following = days[number + 1] if number + 1 < len(days) else _day_after_last(days)
        end = last or following - timedelta(days=1)
        if number + 1 < len(days):
            end = min(end, following - timedelta(days=1))
        intervals.append(Interval(day, max(day, end), value))
    return Series(term.strip(), tuple(intervals))


def _day_after_last(days: Sequence[date]) -> date:
    """Return the day after the last interval, which is as long as the one before it (in months if both begin a month).

    >>> _day_after_last([date(2013, 1, 1), date(2013, 2, 1)])
    datetime.date(2013, 3, 1)
    >>> _day_after_last([date(2013, 11, 3), date(2013, 11, 10)])
    datetime.date(2013, 11, 17)
    """
    last = days[-1]
    if len(days) == 1:
        return last + timedelta(days=1)
    before = days[-2]
    if before.day != 1 or last.day != 1:
        return last + (last - before)
    month = 2 * (12 * last.year + last.month - 1) - (12 * before.year + before.month - 1)
    return date(month // 12, month % 12 + 1, 1)


def _find_date_column(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the first column with dates in most rows from its first date on."""
    for column in range(max((len(row) for row in rows), default=0)):
        cells = [row[column] if len(row) > column else "" for row in rows]
        spans = [_parse_span(cell) is not None for cell in cells]
        if sum(spans) >= _LEAST_DATES and sum(spans) * 2 > len(spans) - spans.index(True):
            return column
    return None


def _read_rows(path: Path) -> list[list[str]]:
    """Read the rows with at least two non-empty cells."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError("files.cannot_be_read", path=path, error=error.strerror) from error
    text = "\n".join(_decoded(data).split("\r\n")).replace("\r", "\n")
    sample = text[:5000]
    delimiter = max(",;\t", key=sample.count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise UsageError("topics.not_csv", path=path, error=error) from error
    return [row for row in rows if len([cell for cell in row if cell.strip()]) >= 2]


def _decoded(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    for encoding in _ENCODINGS[:-1]:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode(_ENCODINGS[-1])


def _parse_interest(cell: str) -> float | None:
    """Parse a number of search interest; an empty cell is 0, other text None.

    >>> [_parse_interest(cell) for cell in ("1,234", "<1", "", "n/a")]
    [1234.0, 0.5, 0.0, None]
    """
    text = cell.strip().replace(",", "").replace("\u00a0", "")
    if text in ("", "-", "--"):
        return 0.0
    if text.startswith("<"):
        return 0.5
    return float(text) if re.fullmatch(r"\d+(?:\.\d+)?", text) else None


def _parse_span(cell: str) -> DateSpan | None:
    """Parse a day, a month or a range of days; other text is None."""
    text = cell.strip()
    if not 6 <= len(text) <= 33:
        return None
    one = _parse_date(text)
    if one is not None:
        return one
    ends = [_parse_date(part) for part in _RANGE_SIGN.split(text)]
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        return None
    return DateSpan(ends[0].first, ends[1].last or ends[1].first)


def _looks_like_date(text: str) -> bool:
    """Return whether a text has the form of a day or month, valid or not."""
    matches = (pattern.fullmatch(text) for pattern in _DATE_FORMS)
    return any(m and m.groupdict().get("n", "jan").lower()[:3] in _MONTHS for m in matches)


def _parse_date(text: str) -> DateSpan | None:
    for pattern in _DATE_FORMS:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        parts = match.groupdict()
        name = (parts.get("n") or "").lower()[:3]
        if name and name not in _MONTHS:
            return None
        month = _MONTHS.index(name) + 1 if name else int(parts["m"])
        try:
            if "d" in parts:
                return DateSpan(date(int(parts["y"]), month, int(parts["d"])), None, bool(parts.get("h")))
            return DateSpan(date(int(parts["y"]), month, 1), _month_end(int(parts["y"]), month))
        except ValueError:
            return None
    return None


def _month_end(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])
