import math

import pytest

from crawler.pages.dates import date_in_url, date_of, day_number, published


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
        ("8 days ago", None),
        ("", None),
    ],
)
def test_dates_of_metadata(value: str, day: str | None) -> None:
    assert date_of(value) == day


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
