"""The judge J: its eight figures by hand, the fit of its weights, and crawls that are judged by it."""

from __future__ import annotations

import ast
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from crawler.crawl import Crawl
from crawler.crawl_options import Fetching, Judge, Limits
from crawler.explanation.page_scores import page_scores
from crawler.journal import Journal
from crawler.model import SLOT, SLOTS, TextFigures
from crawler.pages.words import WordTotals, first_words, word_totals
from crawler.scoring.logistic_relevance import FIGURES, Evidence, figures
from crawler.scoring.logistic_weights import INTERCEPT, WEIGHTS
from crawler.scoring.relevance import relevance
from crawler.scoring.statistics import Statistics
from crawler.text import Vocabulary, Word
from crawler.worlds.synthetic import SyntheticWorld
from tests.crawler import webs
from tests.crawler.rescored import other, run
from tools.fit_judge import FILE, logistic_fit

TK = Vocabulary("TK", (Word("flood", 1.0, (("en", "flood"),)), Word("dam", 0.5, (("en", "dam"),))))


def known(N: int, words: int, *containing: int) -> Statistics:
    made = Statistics({"TK": TK})
    made.restore({"N": N, "words": words, "containing": {"TK": np.array(containing)}})
    return made


def page(title: tuple[int, int], body: tuple[int, int]) -> np.ndarray:
    counts = np.zeros((len(SLOTS), 2), dtype=np.int64)
    counts[SLOT["title"]], counts[SLOT["p"]] = title, body
    return counts


def test_the_figures_of_a_page_by_hand() -> None:
    text = TextFigures(words=200, distinct=100, lead_words=80, lead=np.array([2, 0]))
    x = figures(page((1, 0), (2, 2)), TK.weights, known(10, 4000, 4, 1), "TK", text)
    idf = math.log(1 + 6.5 / 4.5), math.log(1 + 9.5 / 1.5)
    K = 1.2 * (0.25 + 0.75 * 200 / 400)
    bm25 = idf[0] * 2.2 * 3 / (3 + K) + 0.5 * idf[1] * 2.2 * 2 / (2 + K)
    M = 2.2 * 3 / 4.2 + 0.5 * 2.2 * 2 / 3.2
    by_hand = {
        "density": math.log(4 / 200 + 0.003),
        "lead": math.log(2 / 80 + 0.003),
        "title": 1.0,
        "distinct": math.log(1.5 / 100 + 0.003),
        "saturated": M / (M + 3),
        "bm25": math.log(1 + bm25),
        "cosine": 4 / math.sqrt(1.25 * 13),
        "length": math.log(201),
    }
    assert tuple(by_hand) == FIGURES
    assert x == pytest.approx([*by_hand.values()])
    z = INTERCEPT + sum(b * value for b, value in zip(WEIGHTS, by_hand.values(), strict=True))
    R = Evidence().page(page((1, 0), (2, 2)), TK.weights, known(10, 4000, 4, 1), "TK", 1200, text)
    assert pytest.approx(1 / (1 + math.exp(-z))) == R


def test_the_scale_of_the_weights_does_not_matter() -> None:
    text = TextFigures(200, 100, 80, np.array([2, 0]))
    one, other_scale = (
        Evidence().page(page((0, 1), (2, 2)), TK.weights * scale, known(3, 600, 2, 1), "TK", 0, text)
        for scale in (1.0, 0.2)
    )
    assert one == pytest.approx(other_scale)


def test_more_of_the_topic_is_never_less_relevant() -> None:
    assert all(b > 0 for b, name in zip(WEIGHTS, FIGURES, strict=True) if name != "length")


def test_a_page_needs_its_figures() -> None:
    with pytest.raises(ValueError, match="evidence needs the figures"):
        Evidence().page(page((0, 0), (1, 0)), TK.weights, known(1, 0, 1, 0), "TK", 100)


def test_words_of_both_scripts_are_counted_alike() -> None:
    assert word_totals(["Flood warning: flood!", "暴雨引发洪水"]) == WordTotals(words=6, distinct=5)
    assert first_words("暴雨引发洪水, flood", 4) == ("暴雨引发洪水, flood", 4)
    assert first_words("", 80) == ("", 0)


def test_the_fit_finds_the_weights_that_made_the_labels() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal([3.0, -1.0, 0.0], [2.0, 0.1, 1.0], (20_000, 3))
    p = 1 / (1 + np.exp(-(-1.0 + 0.8 * (X[:, 0] - 3) + 5.0 * (X[:, 1] + 1))))
    fit = logistic_fit(X, rng.random(len(X)) < p, np.ones(len(X)), ridge=1e-6)
    assert fit.weights == pytest.approx([0.8, 5.0, 0.0], abs=0.35)
    assert abs(float(fit.probability(X).mean()) - float(p.mean())) < 0.01


def test_the_weights_are_those_that_the_tool_writes() -> None:
    tree = ast.parse(FILE.read_text(encoding="utf-8"))
    assert "python -m tools.fit_judge" in (ast.get_docstring(tree) or "")
    assert len(WEIGHTS) == len(FIGURES)


# ---- crawls -----------------------------------------------------------------------------------------------------


def made(path: Path, strategy: str = "fcosa_g", pages: int = 30) -> Crawl:
    """A crawl guided and judged by J."""
    world = SyntheticWorld("planted", 600, 0)
    evidence = relevance("evidence")
    setup = webs.setup(strategy, tuple(world.seeds))
    setup.strategy.guided_by("evidence")
    setup = replace(setup, guide=evidence, judge=Judge(evidence, 0.5))
    return Crawl(setup, Fetching(webs.fetcher(world)), Journal(path), Limits(pages=pages), snapshot_every=15)


def trace(crawl: Crawl) -> list[tuple[object, ...]]:
    return [*crawl.journal.query("SELECT link, failure, relevance, relevant, counts FROM page ORDER BY seq")]


@pytest.mark.slow
@pytest.mark.parametrize("takes", [{}, {12: other()}], ids=["one vector", "new weights"])
def test_a_killed_crawl_goes_on_as_if_it_had_not_stopped(takes: dict[int, object], tmp_path: Path) -> None:
    whole = made(tmp_path / "whole.sqlite")
    whole.begin({})
    run(whole, takes)  # type: ignore[arg-type]
    for until in (8, 23):
        path = tmp_path / f"{until}.sqlite"
        killed = made(path)
        killed.begin({})
        run(killed, takes, until)  # type: ignore[arg-type]
        killed.journal.close()
        again = made(path)
        again.resume()
        run(again, takes)  # type: ignore[arg-type]
        assert trace(again) == trace(whole)
        assert again.state.statistics.state()["words"] == whole.state.statistics.state()["words"] > 0
        again.journal.close()
    whole.journal.close()


def test_the_journal_explains_r_as_the_crawl_computed_it(tmp_path: Path) -> None:
    crawl = made(tmp_path / "run.sqlite")
    crawl.begin({})
    run(crawl, {})
    stored = dict(crawl.journal.query("SELECT seq, relevance FROM page WHERE failure IS NULL"))
    parts = page_scores(crawl.journal, crawl.state.setup, frozenset(stored))
    judged = {seq: R for seq, R in stored.items() if R is not None}
    assert len(judged) > 20 and max(judged.values()) > 0.5
    assert {seq: parts[seq].judge.R for seq in judged} == pytest.approx(judged)
    crawl.journal.close()


def test_only_crawls_that_ask_count_the_words(tmp_path: Path) -> None:
    crawl = webs.make("best_first", tmp_path / "run.sqlite", pages=5)
    crawl.begin({})
    run(crawl, {})
    events = crawl.journal.query("SELECT json_extract(data, '$.words') FROM event WHERE kind = 'outcome'")
    assert {words for (words,) in events} == {None}
    assert crawl.state.statistics.words == 0
    crawl.journal.close()
