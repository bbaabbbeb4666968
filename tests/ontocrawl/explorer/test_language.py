"""The language of a page: by its address, the cookie, or the weights of the browser's languages."""

from __future__ import annotations

import pytest

from ontocrawl.explorer import rendering


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("en;q=0.1, zh", "zh"),
        ("zh;q=0.5, en;q=0.9", "en"),
        ("en;q=0.5, zh;q=0.5", "en"),
        ("zh-Hant-TW;q=0.8,fr", "zh"),
        ("EN ; Q=0.1 , ZH ; q = 0.2", "zh"),
        ("*", "en"),
        ("*, zh;q=0.9", "en"),
        ("*;q=0.1, zh;q=0.9", "zh"),
        ("zh;q=0, *;q=0.5", "en"),
        ("zh;q=nan, en;q=0.1", "en"),
        ("zh;q=2, en;q=0.1", "en"),
        ("fr", "en"),
        ("", "en"),
        (",;;=, ;q=1", "en"),
    ],
)
def test_the_header_is_read_by_its_weights(accepted: str, chosen: str) -> None:
    assert rendering._wanted({}, {}, accepted) == chosen


def test_the_address_goes_before_the_cookie_and_the_cookie_before_the_header() -> None:
    assert rendering._wanted({"lang": "zh"}, {rendering._COOKIE: "en"}, "en") == "zh"
    assert rendering._wanted({}, {rendering._COOKIE: "zh"}, "en") == "zh"
    assert rendering._wanted({"lang": "fr"}, {rendering._COOKIE: "fr"}, "zh") == "zh"
