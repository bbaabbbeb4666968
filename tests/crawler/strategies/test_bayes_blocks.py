"""BCW_CC, FCBCW and FCCBS of paper 003 by the lines of Algorithm 1; traps T15 to T18; the seam that carries blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crawler.crawl import Crawl
from crawler.crawl_options import Fetching, Limits, SetupError
from crawler.frontier import FrontierView
from crawler.journal import Journal
from crawler.model import Outcome, PageScore, ParsedPage, Response
from crawler.pages.page_classifier import PageClassifier
from crawler.pages.parse import parse
from crawler.scoring.bayes import NaiveBayes, count
from crawler.state import CrawlState
from crawler.strategies import create
from crawler.strategies.bayes_blocks import BcwCc, Fcbcw, Fccbs
from crawler.strategies.block_parameters import BlockParameters, ClassParameters
from crawler.testing import view_of
from crawler.worlds.synthetic import SyntheticWorld
from tests.crawler import webs


def page(link: int, R: float, out: Sequence[int], class_: str | None = None, blocks: Any = None) -> Outcome:
    scores = None if blocks is None else np.array(blocks, dtype=np.float64)
    inner = None if blocks is None else np.arange(len(out)) % 2 == 0  # every second block
    return Outcome(link, PageScore({"TK": R}, R, False), np.array(out, dtype=np.int64), class_, scores, innermost=inner)


def links(target: Sequence[float], anchor: float = 0.0, context: float = 0.0) -> FrontierView:
    n = len(target)
    columns = {"target:TK": list(target), "anchor:TK": [anchor] * n, "context:TK": [context] * n}
    return view_of(columns, [0.0] * n)


def queued(strategy: Fccbs, view: FrontierView) -> list[int]:
    """The links that lines 32 to 39 queue."""
    return [i for i, kept in enumerate(strategy.priority(view, view.links).tolist()) if kept >= 0.0]


TOPICAL = links([0.9] * 4, 0.5)
"""E(l) = .45 + .15 > lambda."""
PLAIN = links([0.0] * 4)


def test_g8_evaluation() -> None:
    """E(l) = .5 x .8 + .3 x .5 + .2 x .4 = .63 of a sub-link; one that is discarded is behind all others."""
    view = links([0.8, 0.8], 0.5, 0.4)
    strategy = Fccbs(BlockParameters(discarded="last"))
    strategy.tell([page(9, 0.8, [0])])
    assert strategy.priority(view, view.links) == pytest.approx([0.63, 0.63 - 2.0])
    assert strategy.admit(view, view.links).tolist() == [True, True]


@pytest.mark.parametrize("name", ["fccbs", "bcw_cc", "fcbcw"])
def test_a_discarded_link_is_dropped_as_printed_or_queued_last(name: str) -> None:
    view, strategy, other = links([0.8, 0.8], 0.5, 0.4), create(name, {}), create(name, {"discarded": "last"})
    for one in (strategy, other):
        one.tell([page(9, 0.8, [0])])
    assert strategy.admit(view, view.links).tolist() == [True, False]
    assert other.admit(view, view.links).tolist() == [True, True]


def test_fcbcw_differs_from_bcw_cc_in_blocks_alone() -> None:
    assert Fcbcw.Parameters is BcwCc.Parameters
    told = [page(9, 0.9, [0], class_="RD"), page(8, 0.9, [1], class_="SP"), page(7, 0.2, [2], "RD", [0.9])]
    queues = []
    for name in ("bcw_cc", "fcbcw"):
        strategy = create(name, {"classifier": "c.json", "S": "RD"})
        strategy.tell(told)
        queues.append(queued(strategy, TOPICAL))
    assert queues == [[0, 2], [0]]


def test_lines_16_and_34_are_strict() -> None:
    strategy = Fccbs(BlockParameters(tau=0.75, lambda_=0.5, alpha=0.5, beta=0.5, gamma=0.0))
    strategy.tell([page(9, 0.75, [0, 1], blocks=[0.0, 0.0])])
    assert queued(strategy, links([1.0, 1.0], 1.0)) == []
    strategy.tell([page(8, 0.76, [0, 1])])
    assert queued(strategy, links([0.5, 0.51], 0.5)) == [1]


def test_a_low_page_opens_its_relevant_blocks_only() -> None:
    """Lines 19 to 31: links of blocks with R(B) > lambda are taken, whatever their E(l)."""
    strategy = Fccbs()
    strategy.tell([page(9, 0.2, [0, 1, 2, 3], blocks=[0.9, 0.3, 0.31, 0.0])])
    assert queued(strategy, PLAIN) == [0, 2]


def test_t15_a_tunnel_opens_one_page_only() -> None:
    strategy = Fccbs()
    strategy.tell([page(9, 0.2, [0], blocks=[0.9]), page(8, 0.2, [1], blocks=[0.1])])
    assert queued(strategy, PLAIN) == [0]


def test_t16_a_page_of_a_block_is_judged_or_taken_literally() -> None:
    for tunnel, expected in (("counted", []), ("literal", [2])):
        strategy = Fccbs(BlockParameters(tunnel=tunnel))
        strategy.tell([page(9, 0.2, [1], blocks=[0.9])])
        assert strategy.priority(PLAIN, np.array([1]))[0] == (1.0 if tunnel == "literal" else 0.0)
        strategy.tell([page(1, 0.0, [2], blocks=[0.0])])
        assert [i for i in queued(strategy, TOPICAL) if i != 1] == expected


def test_t18_as_printed_only_innermost_blocks_open() -> None:
    told = page(9, 0.4, [0, 1, 2], blocks=[0.9, 0.9, 0.1])
    for blocks, expected in (("all", [0, 1]), ("innermost", [0])):
        strategy = Fccbs(BlockParameters(blocks=blocks))
        strategy.tell([told])
        assert queued(strategy, PLAIN) == expected
    strategy.tell([page(8, 0.4, [3])])
    assert queued(strategy, PLAIN) == [0]


def test_t18_a_page_without_markup_is_one_block() -> None:
    strategy = Fccbs()
    strategy.tell([page(9, 0.4, [0]), page(8, 0.3, [1])])
    assert queued(strategy, PLAIN) == [0]


def test_t17_a_page_of_another_class_opens_nothing() -> None:
    """Lines 13 to 15 come before the tunnels; only FCCBS goes through pages of another class."""
    told = [page(9, 0.9, [0], "SP"), page(8, 0.2, [1], "SP", [0.9]), page(7, 0.9, [2], "RD")]
    given = ClassParameters(classifier="m.json", S="RD")
    for strategy, expected in ((BcwCc(given), [2]), (Fcbcw(given), [2]), (Fccbs(), [0, 1, 2])):
        strategy.tell(told)
        assert queued(strategy, TOPICAL) == expected, strategy.name


def test_fcbcw_has_no_tunnels() -> None:
    told = [page(9, 0.2, [0], blocks=[0.9]), page(8, 0.9, [1])]
    for strategy, expected in ((BcwCc(), [0, 1]), (Fcbcw(), [1])):
        strategy.tell(told)
        assert queued(strategy, TOPICAL) == expected
    assert Fcbcw.page_parts == () and BcwCc.page_parts == ("block_scores",)


def test_without_a_classifier_a_page_without_any_topic_word_is_of_another_class() -> None:
    told = [page(9, 0.0, [0], blocks=[0.9]), page(8, 0.01, [1], blocks=[0.9])]
    strategy = BcwCc()
    strategy.tell(told)
    assert queued(strategy, TOPICAL) == [1]


def test_a_class_without_a_classifier_is_an_error() -> None:
    with pytest.raises(ValueError, match="parameter S needs the parameter classifier"):
        BcwCc(ClassParameters(S="RD")).tell([page(9, 0.9, [0])])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"alpha": 0.6}, "alpha, beta, gamma must be 3 numbers >= 0 of sum 1"),
        ({"tau": 1.1}, r"tau must lie in \[0, 1\]"),
        ({"lambda_": -0.1}, r"lambda_ must lie in \[0, 1\]"),
        ({"classifier": "m.json"}, "S must be one of the classifier's classes"),
        ({"classifier": "m.csv", "S": "RD"}, "classifier must be one of: nothing, a file"),
        ({"blocks": "outer"}, "blocks must be one of all, innermost"),
        ({"tunnel": "free"}, "tunnel must be one of counted, literal"),
        ({"discarded": "kept"}, "discarded must be one of last, dropped"),
    ],
)
def test_parameters_that_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        create("bcw_cc", given)


# ---- the seam: blocks and classes of real pages

NESTED = """<title>暴雨</title><body>外面<a href=/0>零</a>
<div>暴雨 <a href=/1>一</a><div><p>天气</p> <a href=/2>二</a></div>灾害<p>heavy</p><p>rain</p></div>
<div><a href=/3>三</a></div></body>"""


def test_t18_blocks_of_a_page() -> None:
    found = parse(Response("http://a.cn/", 200, {"content-type": "text/html"}, NESTED.encode()))
    assert isinstance(found, ParsedPage)
    words = [[word for word in text.split() if word != "|"] for text, _ in map(astuple, found.divisions)]
    assert words == [["外面零"], ["暴雨", "一", "灾害", "heavy", "rain"], ["天气", "二"], ["三"]]
    assert [division.innermost for division in found.divisions] == [False, False, True, True]
    assert "heavy rain" not in found.divisions[1].text  # two paragraphs are not one phrase
    assert [link.division for link in found.links] == [0, 1, 2, 3]


@pytest.mark.slow
def test_blocks_reach_the_strategy_and_survive_a_resume(tmp_path: Path) -> None:
    """Each link has the R of its own block; a killed and replayed crawl tells its strategy the same of every page."""
    model = NaiveBayes(
        count({"SP": [["首页", "新闻", "home", "news", "the"]], "RD": [["暴雨", "灾害", "rain", "storm"]]})
    )

    def crawl(name: str, pages: int, told: list[Outcome]) -> Crawl:
        world = SyntheticWorld("planted", 600, 0)
        strategy = create("bcw_cc", {"classifier": "m.json", "S": "RD"})
        tell = strategy.tell
        strategy.tell = lambda outcomes: (told.extend(outcomes), tell(outcomes))[1]  # type: ignore[method-assign]
        setup = replace(webs.setup("bcw_cc", tuple(world.seeds)), strategy=strategy, classify=PageClassifier(model))
        journal = Journal(tmp_path / name)
        return Crawl(setup, Fetching(webs.fetcher(world)), journal, Limits(pages=pages), snapshot_every=10**6)

    whole: list[Outcome] = []
    first = crawl("whole", 40, whole)
    first.begin({})
    list(first.steps())
    first.journal.close()
    again: list[Outcome] = []
    part = crawl("part", 40, [])
    part.begin({})
    list(islice(part.steps(), 25))  # left without a snapshot, so that all is replayed
    part.journal.close()
    rest = crawl("part", 40, again)
    rest.resume()
    list(rest.steps())
    rest.journal.close()
    assert len(again) == len(whole)
    for one, other in zip(whole, again, strict=True):
        assert (one.link, one.class_) == (other.link, other.class_)
        if one.page_score is not None:
            assert one.block_scores is not None and other.block_scores is not None
            assert one.block_scores.shape == one.out_links.shape
            assert one.block_scores.tolist() == other.block_scores.tolist()
            assert one.innermost is not None and other.innermost is not None
            assert one.innermost.tolist() == other.innermost.tolist()
    assert {o.class_ for o in whole if o.page_score} == {"RD", "SP"}
    scored = [o.block_scores for o in whole if o.block_scores is not None and len(o.block_scores)]
    assert any(len(set(scores.tolist())) > 1 for scores in scored)
    assert all(((scores >= 0.0) & (scores <= 1.0)).all() for scores in scored)


def test_nothing_is_computed_that_no_strategy_reads(tmp_path: Path) -> None:
    crawl = webs.make("best_first", tmp_path / "j", pages=3)
    crawl.begin({})
    steps = list(crawl.steps())
    crawl.journal.close()
    assert steps
    assert all(s.record.divisions is None and s.outcome.block_scores is None for s in steps)
    assert all(s.outcome.segment_dates is None for s in steps)


def test_a_part_that_no_page_has_is_refused() -> None:
    class Curious(Fccbs):
        """Asks for what there is not."""

        page_parts = ("block_score",)

    world = SyntheticWorld("planted", 100, 0)
    with pytest.raises(SetupError, match="asks for 'block_score' of a page; there are block_scores, segment_dates"):
        CrawlState(replace(webs.setup("fccbs", tuple(world.seeds)), strategy=Curious()))
