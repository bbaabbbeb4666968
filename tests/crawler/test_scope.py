import pickle
import re
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from crawler import url as urls
from crawler.model import ParsedPage, Response
from crawler.pages.parse import parse
from crawler.scope import Scope, scope_of
from crawler.scope.hosts import (
    Decision,
    DepthRule,
    LengthRule,
    PatternRule,
    Patterns,
    Rule,
    SchemeRule,
    ScopeError,
    SuffixRule,
    domain,
    host_name,
    stay_at,
)
from crawler.scope.scope import _CalendarRule, _LoopRule, _ParametersRule, _plain_test, _RepeatedSegmentsRule
from crawler.worlds.synthetic import SyntheticWorld

SHARED = Path(__file__).parents[3] / "shared/data"
CALENDAR = _CalendarRule(1970, 2028)


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
        ("http://a.cn/en/a/en/b/en/c/en/d.html", "repeated_segments"),
        ("http://a.cn/en/a/en/b/en/c.html", None),
        ("http://a.cn/1/a/1/b/1/c/1/d.html", None),
        ("http://a.cn/?" + "&".join(f"p{n}={n}" for n in range(17)), "too_many_parameters"),
        ("http://a.cn/?" + "&".join(f"p{n}={n}" for n in range(16)), None),
        ("http://a.cn/?tag=x&tag=x&tag=x&tag=x", "too_many_parameters"),
        ("http://a.cn/?tag=x&tag=y&tag=z&tag=w", None),
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
    reject = PatternRule(Patterns(["/a/"]), accept=False, reason="first")
    accept = PatternRule(Patterns(["/b/"]), accept=True)
    assert Scope([reject, accept]).decide("http://x.cn/a/b/") is None
    assert Scope([accept, reject]).decide("http://x.cn/a/b/") == "first"
    assert Scope([reject, accept]).decide("http://x.cn/a/") == "first"
    assert Scope([]).decide("http://x.cn/a/") is None
    assert accept.decide("http://x.cn/") is Decision.NONE


def test_an_accepting_pattern_takes_back_a_suffix_but_never_a_host() -> None:
    scope = scope_of(hosts=["a.cn"], accept=[r"\.pdf$", "/b/"], reject=["/private/"])
    assert scope.decide("http://a.cn/x.pdf") is None
    assert scope.decide("http://a.cn/x.html") == "not_accepted"
    assert scope.decide("http://a.cn/b/x.html") is None
    assert scope.decide("http://b.cn/x.pdf") == "host_not_listed"
    assert scope.decide("http://a.cn/private/x.pdf") == "reject_pattern"


def test_a_loop_needs_its_number_of_repeats() -> None:
    assert _LoopRule(repeats=2).decide("http://a.cn/x/x") is Decision.REJECT
    assert _LoopRule(repeats=4).decide("http://a.cn/x/x/x") is Decision.NONE


@pytest.mark.parametrize(
    "url",
    [
        "http://a.cn/calendar?date=2031-05", "http://a.cn/?d=1850-3-1&v=1", "http://a.cn/x.php?month=5&year=2050",
        "http://a.cn/x.php?y=2050&m=12", "http://a.cn/?todate=20310506", "http://a.cn/?day=203105",
        "http://a.cn/2031-05/", "http://a.cn/2031/05/06", "http://a.cn/events/2031-5.html", "http://a.cn/calendar/203105/",
        "http://a.cn/events/month/1969/12/", "http://a.cn/?start=2031%2F05%2F06",
    ],
)  # fmt: skip
def test_calendars_end(url: str) -> None:
    assert CALENDAR.decide(url) is Decision.REJECT
    near = re.sub("2031|2050", "2027", re.sub("1850|1969", "1971", url))
    assert CALENDAR.decide(near) is Decision.NONE


@pytest.mark.parametrize(
    "path",
    [
        "?id=20310506", "?year=2050", "?y=2050&s=1", "archive/1234/5.html", "p/1850/11.html", "20310506.html",
        "news/20310506/1.html", "2031/05/06/a-storm.html", "room-2050.html", "t/1850-2.html", "2050/",
        "n/185003011.html", "thread-2050-05-1.html", "?tid=18501112", "lccn/sn83045462/1850-03-01/ed-1/",
    ],
)  # fmt: skip
def test_numbers_and_articles_are_no_calendars(path: str) -> None:
    assert CALENDAR.decide(f"http://a.cn/{path}") is Decision.NONE


SEGMENTS = st.sampled_from(["a", "b", "news", "11", "2031", "05", "x.html", "x.JPG", "2031-05", ""])
QUERIES = st.sampled_from(["", "?", "?a=1&a=1&a=1&a=1", "?d=2050-01", "?m=1&year=1900", "?x=a/a/a/b.jpg", "?y=1"])
RULES: tuple[Rule, ...] = (
    SuffixRule(), LengthRule(60), DepthRule(5), _LoopRule(), _RepeatedSegmentsRule(), _ParametersRule(), CALENDAR,
    SchemeRule(),
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.sampled_from(["http://a.cn", "ftp://a.cn"]), st.lists(SEGMENTS, max_size=9), QUERIES)
@example("http://a.cn", ["11", "11", "11", "11"], "")
def test_a_plain_url_is_one_that_no_standard_rule_rejects(site: str, segments: list[str], query: str) -> None:
    url = f"{site}/{'/'.join(segments)}{query}"
    rejected = any(rule.decide(url) is Decision.REJECT for rule in RULES)
    assert not (_plain_test(RULES)(url) and rejected)
    assert (Scope(RULES).decide(url) is not None) == rejected


def test_the_kinds_of_staying() -> None:
    seeds = ["http://www.a.com.cn:81/news/1.html", "https://b.github.io/"]
    inside = {
        "host": ["http://www.a.com.cn:81/x", "https://b.github.io/x"],
        "domain": ["https://a.com.cn/", "http://x.y.a.com.cn/"],
        "prefix": ["http://www.a.com.cn:81/news/2/3.html?x", "https://b.github.io/x"],
    }
    outside = {
        "host": [
            "http://www.a.com.cn/x",
            "https://www.a.com.cn:81/",
            "http://b.github.io/",
            "http://www.a.com.cn:811/",
        ],
        "domain": ["http://b.com.cn/", "https://c.github.io/", "https://github.io/"],
        "prefix": ["http://www.a.com.cn:81/new", "http://www.a.com.cn/news/"],
    }
    for kind, reason in {"host": "other_host", "domain": "other_domain", "prefix": "outside_prefix"}.items():
        scope = scope_of(seeds=seeds, stay=kind)
        assert {scope.decide(url) for url in inside[kind]} == {None}
        assert {scope.decide(url) for url in outside[kind]} == {reason}
    with pytest.raises(ScopeError, match="host, domain, prefix"):
        stay_at("page", seeds)


def test_a_redirect_of_a_seed_may_leave_its_place_but_no_rule() -> None:
    scope = scope_of(seeds=["http://a.cn/"], stay="host", reject=["/private/"])
    assert scope.decide_redirect("http://a.cn/", "https://www.a.cn/") is None
    assert scope.decide_redirect("http://a.cn/", "https://www.a.cn/private/") == "reject_pattern"
    assert scope.decide_redirect("http://a.cn/", "https://b.cn/") == "other_host"
    assert scope.decide_redirect("http://a.cn/x", "https://www.a.cn/") == "other_host"
    before = scope.as_now()
    assert not scope.extend("http://a.cn/x", ["https://www.a.cn/"])
    assert scope.extend("http://a.cn/", ["https://www.a.cn/y"])
    assert scope.decide("https://www.a.cn/x") is None and before.decide("https://www.a.cn/x") == "other_host"


def test_domains_of_addresses_and_suffixes_are_themselves() -> None:
    names = ["192.0.2.7", "[2001:db8::1]", "localhost", "com.cn", "x.example", "www.x.example", "xn--fiqs8s"]
    expected = ["192.0.2.7", "[2001:db8::1]", "localhost", "com.cn", "x.example", "x.example", "xn--fiqs8s"]
    assert [domain(name) for name in names] == expected


def test_patterns_and_hosts_as_people_write_them() -> None:
    scope = scope_of(reject=["/视频/"], excluded_hosts=["*.b.cn", ".c.cn"])
    decided = [scope.decide(url) for url in ("http://a.cn/%E8%A7%86%E9%A2%91/1.html", "http://x.b.cn/", "http://c.cn/")]
    assert decided == ["reject_pattern", "host_excluded", "host_excluded"]
    assert scope_of(accept=["台风"]).decide("http://a.cn/%E5%8F%B0%E9%A3%8E.html") is None
    with pytest.raises(ScopeError, match="matches every URL"):
        scope_of(reject=[""])


@pytest.mark.parametrize(
    "text", ["", "http://a.cn", "a.cn/x", "a.cn:80", "user@a.cn", "a b.cn", ".", "a.cn,b.cn", "a*.cn", "a..cn", "*"]
)
def test_what_is_no_host(text: str) -> None:
    with pytest.raises(ScopeError, match="is not the name of a host"):
        host_name(text)


def test_a_pattern_that_cannot_be_compiled_is_named() -> None:
    with pytest.raises(ScopeError, match=r"reject='a\(b' is not a regular expression .*character with \\$"):
        scope_of(reject=["ok", "a(b"])


# ---- no ordinary page is rejected -------------------------------------------------------------------------------

TRAPS = {"repeating_path", "repeated_segments", "too_many_parameters", "calendar", "path_too_deep"}


def falsely_rejected(found: set[str]) -> list[str]:
    """URLs that a trap rule rejects, printed with their share."""
    scope = scope_of(year=2026)
    rejected = sorted(url for url in found if scope.decide(url) in TRAPS)
    print(f"{len(rejected)} of {len(found)} URLs are rejected as traps")
    return rejected


@pytest.mark.slow
def test_the_traps_take_no_page_of_the_synthetic_web() -> None:
    world = SyntheticWorld("planted", 600, 0)
    found, waiting = set(world.seeds), list(world.seeds)
    while waiting:
        response = world.fetch(waiting.pop())
        page = parse(response) if isinstance(response, Response) and response.status == 200 else None
        new = {link.url for link in page.links} - found if isinstance(page, ParsedPage) else set()
        found |= new
        waiting += sorted(new)
    assert len(found) > 500
    assert not falsely_rejected(found)


@pytest.mark.slow
@pytest.mark.skipif(not (SHARED / "zh_news_html").exists(), reason="../shared/data/zh_news_html is not here")
def test_the_traps_take_no_link_of_news_pages() -> None:
    import tarfile

    found: set[str] = set()
    with tarfile.open(SHARED / "zh_news_html" / "pages.tar.xz") as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            body = b"" if file is None else file.read()
            page = parse(Response("http://news.example/a/b.html", 200, {"content-type": "text/html"}, body))
            found |= {link.url for link in page.links} if isinstance(page, ParsedPage) else set()
    assert len(found) > 5_000
    assert not falsely_rejected(found)


@pytest.mark.slow
@pytest.mark.skipif(not (SHARED / "wikispeedia").exists(), reason="../shared/data/wikispeedia is not here")
def test_the_traps_take_no_page_of_wikispeedia() -> None:
    from crawler.worlds import CorpusWorld

    world = CorpusWorld(SHARED / "wikispeedia")
    import lzma

    with lzma.open(SHARED / "wikispeedia" / "links.tsv.xz", "rt", encoding="utf-8") as lines:
        names = {name for line in lines for name in line.rstrip("\n").split("\t")}
    assert len(names) > 4_000
    assert not falsely_rejected({world.url_of(name) for name in names})


@pytest.mark.skipif(not (SHARED / "robustness/url").exists(), reason="../shared/data/robustness/url is not here")
def test_the_traps_take_none_of_the_cases_of_the_url_standard() -> None:
    import json

    cases = json.loads((SHARED / "robustness/url/urltestdata.json").read_text(encoding="utf-8"))
    given_urls = {urls.canonical(case["input"], case.get("base")) for case in cases if isinstance(case, dict)}
    assert not falsely_rejected({url for url in given_urls if url is not None})


@pytest.mark.parametrize(
    "pattern", [r"/(\d+-?)+\.html$", r"^(([a-z0-9])+.)+[A-Z]$", r"(.*)*x(.*)*y(.*)*z", r"(\d?){40}\d{40}x"]
)
@pytest.mark.parametrize("option", ["accept", "reject"])
def test_no_pattern_takes_exponential_time(pattern: str, option: str) -> None:
    scope = scope_of(**{option: [pattern]})  # type: ignore[arg-type]
    started = time.process_time()
    for url in ("http://a.cn/" + "1" * 40, "http://a.cn/" + "1-" * 400, "http://a.cn/" + "a" * 900):
        scope.decide(url)
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("pattern", "url", "found"),
    [
        (r"/[\u4e00-\u9fff]+/", "http://a.cn/%E8%A7%86%E9%A2%91/", True),
        (r"/[\u4e00-\u9fff]+/", "http://a.cn/video/", False),
        (r"\.html\Z", "http://a.cn/1.html", True),
        (r"\\u4e00", "http://a.cn/u4e00", False),
        (r"(?i)/NEWS/(?P<n>\d+)", "http://a.cn/news/1", True),
        (r"^http://a\.cn/$", "http://a.cn/", True),
        (r"http:/{,2}a", "http://a.cn/", True),
        (r"/\w+/洪水", "http://a.cn/%E6%96%B0%E9%97%BB/%E6%B4%AA%E6%B0%B4", True),
        (r"/[\w-]+/洪水", "http://a.cn/%E6%96%B0-%E9%97%BB/%E6%B4%AA%E6%B0%B4", True),
        (r"/[{,2}]x", "http://a.cn/,x", True),
    ],
)
def test_a_pattern_is_one_of_python(pattern: str, url: str, found: bool) -> None:
    assert Patterns([pattern]).found_in(url) is found
    assert Patterns(["never", pattern, r"(?P<n>never)"]).found_in(url) is found
    assert pickle.loads(pickle.dumps(Patterns([pattern]))).found_in(url) is found


_PIECES = st.sampled_from(
    [r"\d+", "/", "a", ".", "[ab]*", "(?:1|/)+", r"\w?", "^", "$", r"\b", "-{1,3}", "[^/]+", r"\."]
)


@pytest.mark.slow
@given(st.lists(_PIECES, min_size=1, max_size=5).map("".join), st.text("a1/-._b", max_size=12))
def test_patterns_find_what_those_of_python_find(pattern: str, path: str) -> None:
    url = f"http://a.cn/{path}"
    assert Patterns([pattern]).found_in(url) is bool(re.search(pattern, url))


@pytest.mark.parametrize("pattern", ["(?!a)b", "(?<=a)b", r"(a)\1", "(?>a+)b", "a++"])
def test_patterns_that_may_take_exponential_time_are_refused_with_what_to_do(pattern: str) -> None:
    with pytest.raises(ScopeError, match="look-around and back-references, which can take exponential time"):
        scope_of(reject=[pattern])


@pytest.mark.parametrize("pattern", [r"\p{Han}", "[[:alpha:]]", r"\Qa.b\E", r"\C", "(?U)a"])
def test_what_only_another_syntax_has_is_refused(pattern: str) -> None:
    with pytest.raises(ScopeError, match="is not a regular expression"):
        scope_of(accept=[pattern])
