import re

import pytest

from crawler.scope import Scope, scope_of
from crawler.scope.rules import Decision, PatternRule
from crawler.scope.traps import LoopRule


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://a.cn/", None),
        ("http://a.cn/news/x.html?img=a.jpg", None),
        ("http://a.cn/news/x.JPG", "media_suffix"),
        ("http://a.cn/down/report.pdf?v=2", "media_suffix"),
        ("http://a.cn/" + "x" * 1100, "url_too_long"),
        ("http://a.cn/a/b/a/b/a/b/", "repeating_path"),
        ("http://a.cn/x/a/a/a", "repeating_path"),
        ("http://a.cn/a/b/a/b/c", None),
        ("http://a.cn/2011/11/11/11.html", None),
        ("http://a.cn/11/11/11/11/", "repeating_path"),
        ("http://a.cn/" + "/".join("abcdefghijklmnopqrst"), "path_too_deep"),
        ("ftp://a.cn/x", "scheme"),
    ],
)
def test_standard_rules(url: str, reason: str | None) -> None:
    assert Scope().decide(url) == reason


def test_hosts_cover_their_subdomains_and_not_their_namesakes() -> None:
    scope = scope_of(hosts=["Weather.cn"], excluded_hosts=["ads.weather.cn"])
    assert scope.decide("http://weather.cn/") is None
    assert scope.decide("http://news.weather.cn:8080/x") is None
    assert scope.decide("http://notweather.cn/") == "host_not_listed"
    assert scope.decide("http://x.ads.weather.cn/") == "host_excluded"


def test_the_last_decisive_rule_wins() -> None:
    reject = PatternRule(re.compile("/a/"), accept=False, reason="first")
    accept = PatternRule(re.compile("/b/"), accept=True)
    assert Scope([reject, accept]).decide("http://x.cn/a/b/") is None
    assert Scope([accept, reject]).decide("http://x.cn/a/b/") == "first"
    assert Scope([reject, accept]).decide("http://x.cn/a/") == "first"
    assert Scope([]).decide("http://x.cn/a/") is None
    assert accept.decide("http://x.cn/") is Decision.NONE


def test_an_accepting_pattern_takes_back_a_suffix_but_never_a_host() -> None:
    scope = scope_of(hosts=["a.cn"], accept=[r"\.pdf$"], reject=["/private/"])
    assert scope.decide("http://a.cn/x.pdf") is None
    assert scope.decide("http://b.cn/x.pdf") == "host_not_listed"
    assert scope.decide("http://a.cn/private/x.pdf") == "reject_pattern"


def test_a_loop_needs_its_number_of_repeats() -> None:
    assert LoopRule(repeats=2).decide("http://a.cn/x/x") is Decision.REJECT
    assert LoopRule(repeats=4).decide("http://a.cn/x/x/x") is Decision.NONE
