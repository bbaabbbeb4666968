"""A quick test for most URLs, to which no standard rule objects; it costs a fraction of asking each rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crawler.scope.rules import DepthRule, LengthRule, Rule, SchemeRule, SuffixRule
from crawler.scope.traps import CalendarRule, LoopRule, ParametersRule, RepeatedSegmentsRule
from crawler.url import SCHEMES

STANDARD = (
    SchemeRule, SuffixRule, LengthRule, DepthRule, LoopRule, RepeatedSegmentsRule, ParametersRule, CalendarRule,
)  # fmt: skip


def plain_test(rules: Sequence[Rule]) -> Callable[[str], bool]:
    """Return a function that tells whether a canonical URL is plain: none of some standard rules rejects it.

    Args:
        rules: rules of the types ``STANDARD``.

    Returns:
        The function. It returns False for some URLs that no rule rejects, too.

    >>> test = plain_test([SchemeRule(), SuffixRule(), LoopRule()])
    >>> test("http://a.cn/news/1.html"), test("http://a.cn/1.jpg"), test("http://a.cn/x/x/1.html")
    (True, False, False)
    """
    suffixes = frozenset[str]().union(*(rule.suffixes for rule in rules if isinstance(rule, SuffixRule)))
    longest = min((rule.limit for rule in rules if isinstance(rule, LengthRule)), default=1 << 20)
    deepest = min((rule.limit for rule in rules if isinstance(rule, DepthRule)), default=1 << 20) + 2
    years = [rule.may_be_outside for rule in rules if isinstance(rule, CalendarRule)]

    def is_plain(url: str) -> bool:
        if len(url) > longest or not url.startswith(SCHEMES) or url.count("&") > 2:
            return False
        route = url.partition("?")[0]
        parts = route.removesuffix("/").split("/")
        name = parts[-1]
        if len(parts) > deepest or len(set(parts)) < len(parts):
            return False
        if "." in name and name.rpartition(".")[2].lower() in suffixes and not route.endswith("/"):
            return False
        return not any(may_be_outside(url) for may_be_outside in years)

    return is_plain
