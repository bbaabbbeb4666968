import math

import pytest

from crawler.pages.dates import date_in_url, date_of, day_number, latest_day, published


@pytest.mark.parametrize(
    ("url", "day"),
    [
        ("http://a.cn/20080905/1.html", "2008-09-05"),
        ("http://a.cn/a/2013-11/08/c_12.htm", "2013-11-08"),
        ("http://a.cn/2013/11/8/x.html", "2013-11-08"),
        ("http://a.cn/doc/t20131108_99.html", "2013-11-08"),
        ("http://a.cn/news.php?d=2013-11-08", "2013-11-08"),
        ("http://a.cn/201311081234567.html", None),
        ("http://a.cn/2013/13/40/x.html", None),
        ("http://a.cn/20130230/x.html", None),
        ("http://a.cn/1234567/2013/", None),
        # after a slash a day stands alone
        ("http://a.cn/2013/11/8", "2013-11-08"),
        ("http://a.cn/2013-11/08/", "2013-11-08"),
        ("http://a.cn/?d=2013/11/08&x=1", "2013-11-08"),
        ("http://a.cn/2013/11/08#x", "2013-11-08"),
        ("http://a.cn/2013/11/8-ways-to-help.html", None),
        ("http://a.cn/2013/11/08.html", None),
        ("http://a.cn/201311/12_345.html", None),
        ("http://a.cn/2013/11/12a/", None),
        ("http://a.cn/2013/11/8-ways/2013-11-09/", "2013-11-09"),
        ("http://a.cn/2013-11-08-flood.html", "2013-11-08"),
        ("http://a.cn/2013/1108/", "2013-11-08"),
        ("http://a.cn/2013/1108.html", "2013-11-08"),
        # day.month.year
        ("http://a.de/08.11.2013/flut.html", "2013-11-08"),
        ("http://a.de/flut-8.11.2013", "2013-11-08"),
        ("http://a.de/v3.8.11.2013/", None),
        ("http://a.de/31.11.2013/", None),
    ],
)
def test_dates_in_urls(url: str, day: str | None) -> None:
    assert date_in_url(url) == day


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2013-11-08T10:20:00+08:00", "2013-11-08"),
        ("2013年11月8日 10:20", "2013-11-08"),
        ("Fri, 08 Nov 2013 10:20:00 GMT", "2013-11-08"),
        ("20131108", "2013-11-08"),
        ("08.11.2013, 10:20 Uhr", "2013-11-08"),
        ("8.11.2013", "2013-11-08"),
        ("8.11.13", None),
        ("2013-11", None),
        ("8 days ago", None),
        ("", None),
    ],
)
def test_dates_of_metadata(value: str, day: str | None) -> None:
    assert date_of(value) == day


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2013", "2013-12-31"), ("2013-02", "2013-02-28"), ("2013-11-08", "2013-11-08"), ("2013/11/8", "2013-11-08"),
        ("2013-11-08T10:20Z", "2013-11-08"), ("2013-11-08T10:20:30+08:00", "2013-11-08"),
        ("2013-11-08T10:20:30.45+08:00", "2013-11-08"), ("2013-11-08 10:20:30", "2013-11-08"),
        ("20131108T102030Z", "2013-11-08"), ("Fri, 08 Nov 2013 10:20:00 GMT", "2013-11-08"),
        ("08.11.2013", "2013-11-08"), ("Nov 8, 2013", "2013-11-08"), ("8 November 2013", "2013-11-08"),
        (" 2013-11 ", "2013-11-30"), ("2013-13", None), ("1066", None), ("soon", None), ("", None),
    ],
)  # fmt: skip
def test_dates_of_sitemaps(value: str, day: str | None) -> None:
    assert latest_day(value) == day


def test_the_line_under_a_headline_may_be_european() -> None:
    assert published({}, [], [], "http://a.de/", ["Flut, 08.11.2013, 10:20 Uhr"]) == "2013-11-08"
    assert published({}, [], [], "http://a.de/", ["Version 1.08.11.2013, 10:20"]) is None


def test_the_best_witness_is_heard_first() -> None:
    meta = {"date": "2001-01-01", "article:published_time": "2002-02-02"}
    ld = ['{"datePublished": "2003-03-03", broken']
    url, line = "http://a.cn/2004/04/04/", "2005-05-05 10:00 来源：新华网"
    assert published(meta, ld, ["2006-06-06"], url, [line]) == "2004-04-04"
    assert published(meta, ld, ["2006-06-06"], "http://a.cn/", [line]) == "2003-03-03"
    assert published(meta, [], ["2006-06-06"], "http://a.cn/", [line]) == "2002-02-02"
    assert published({}, [], ["2006-06-06"], "http://a.cn/", [line]) == "2006-06-06"
    assert published({}, [], [], "http://a.cn/", [line]) == "2005-05-05"
    assert published({}, [], [], "http://a.cn/", ["暴雨发生在 2005-05-05"]) is None


def test_day_numbers() -> None:
    assert day_number("2013-11-09") - day_number("2013-10-31") == 9
    assert math.isnan(day_number(None))
