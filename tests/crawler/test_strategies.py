"""The registry, parameters by name, and the formulas of breadth-first, best-first and the annealing crawlers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from crawler.frontier import FrontierView
from crawler.model import Budget
from crawler.strategies import STRATEGIES, UnknownStrategyError, about, create, describe, get
from crawler.strategies.best_first import WEIGHTS, BestFirst, BestFirstParameters
from crawler.strategies.breadth_first import BreadthFirst
from crawler.strategies.cpem import CpemParameters, columns
from crawler.strategies.evidence_sum import HIGHEST
from crawler.strategies.fcosa import FcosaG, FcosaLg, FcosaLgParameters, FcosaParameters, Fcsa
from crawler.testing import PlantedWeb, Rehearsal, view_of

T2 = {"anchor": 0.5, "parents": 0.8, "parents_sum": 8.0, "target": 0.6}
"""Trap T2's example with ten parents."""


def eq12_view(V: str, **local: list[float]) -> FrontierView:
    n = len(next(iter(local.values()))) if local else 1
    shown = {f"{kind}:{V}": [value] * n for kind, value in T2.items()}
    shown |= {"pagerank": [0.3] * n, "pagerank_raw": [1.2] * n}
    return view_of({**shown, **{f"target:{name}": values for name, values in local.items()}}, [0.0] * n)


# ---- registry and parameters


def test_the_published_strategies_are_there() -> None:
    families = {
        "searches": ("breadth_first", "best_first", "hits", "fish", "shark"),
        "annealing": ("sa_2009", "fcsa", "fcosa_g", "fcosa_lg", "fcsa_host", "ielp"),
        "tabu": ("its", "on_its", "fcits_oh"),
        "sampling": ("wang_landau",),
    }
    assert {name for family in families.values() for name in family} <= set(STRATEGIES)
    assert all(cls.name == name for name, cls in STRATEGIES.items())


def test_an_unknown_name_is_told_the_nearest() -> None:
    with pytest.raises(UnknownStrategyError, match=r"'FCOSA-LG'; did you mean fcosa_lg\? There are: breadth_first"):
        get("FCOSA-LG")
    with pytest.raises(UnknownStrategyError, match=r"'zzz'\. There are"):
        get("zzz")


def test_descriptions_are_plain() -> None:
    told = describe()
    assert json.loads(json.dumps(told)) == told
    lg = next(entry for entry in told if entry["name"] == "fcosa_lg")
    assert set(lg) == {"name", "title", "paper", "guides", "parameters", "about", "rules", "readings"}
    assert lg["guides"] == ["paper_000"]
    assert (lg["parameters"]["phi"], lg["parameters"]["eta"], lg["parameters"]["M"]) == (0.15, 0.15, 10)
    assert {"T2", "T5", "T7", "T10"} <= set(lg["readings"])


def test_table_3() -> None:
    fcsa, g, lg = (STRATEGIES[name].Parameters() for name in ("fcsa", "fcosa_g", "fcosa_lg"))
    assert [(p.T, p.C, p.M) for p in (fcsa, g, lg)] == [(1.0, 0.9, 10)] * 3
    assert (g.eta, lg.eta, lg.phi) == (0.15, 0.15, 0.15)
    assert (fcsa.schedule, g.schedule, lg.schedule) == ("fixed", "described", "described")
    assert fcsa.eta < 0.0


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("fcosa_lg", {"phy": 0.1}, "has no parameter 'phy'; it has: alpha"),
        ("fcosa_lg", {"phi": "0.1"}, "phi must be a finite number"),
        ("fcosa_lg", {"phi": float("nan")}, "phi must be a finite number"),
        ("fcosa_lg", {"M": 2.5}, "M must be a whole number"),
        ("fcosa_lg", {"M": True}, "M must be a whole number"),
        ("fcosa_lg", {"schedule": True}, "schedule must be a text"),
        ("fcosa_lg", {"schedule": "slow"}, "schedule must be one of described, printed"),
        ("fcosa_lg", {"phi": 1.1}, r"phi must lie in \[0, 1\]"),
        ("fcosa_g", {"alpha": 0.5}, "of sum 1"),
        ("fcosa_g", {"alpha": -0.1, "beta": 0.6}, ">= 0"),
        ("fcosa_g", {"parents": "max"}, "parents must be one of mean, sum"),
        ("wang_landau", {"reachable": 1}, "reachable must be true or false"),
        ("best_first", {"formula": "best"}, "formula must be one of paper_000, paper_001, paper_004"),
        ("breadth_first", {"depth": 1}, "it has: none"),
    ],
)
def test_parameters_that_are_refused(name: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        create(name, given)


def test_parameters_by_name() -> None:
    strategy = create("fcosa_lg", {"phi": 0.2, "M": 5, "T": 2})
    assert strategy.parameters == FcosaLgParameters(phi=0.2, M=5, T=2)
    assert BreadthFirst.parameters_from({}) == BreadthFirst.Parameters()


# ---- breadth-first and best-first


def test_breadth_first_follows_the_order_of_discovery() -> None:
    crawl = Rehearsal(BreadthFirst(), PlantedWeb.plant(1), 0, 60).run()
    assert crawl.fetched == list(range(60))


def test_best_first_takes_the_highest_and_the_first_among_equals() -> None:
    view = view_of({"anchor:TK": [0.0] * 4, "parents:TK": [0.0] * 4}, [0.2, 0.7, 0.7, 0.1])
    picks = BestFirst().choose(view, np.random.default_rng(0), 3)
    assert picks.link.tolist() == [1, 2, 0]
    assert picks.tag == (0, 1, 2)
    assert picks.move[0] == {"queued": 4, "priority": 0.7}


@pytest.mark.parametrize(("formula", "expected"), [("paper_000", 0.65), ("paper_001", 0.62), ("paper_004", 0.8)])
def test_best_first_of_three_papers(formula: str, expected: float) -> None:
    view = view_of({"anchor:TK": [0.5], "parents:TK": [0.8]}, [0.0])
    strategy = BestFirst(BestFirstParameters(formula))
    assert strategy.priority(view, view.links)[0] == pytest.approx(expected)


@pytest.mark.parametrize("name", STRATEGIES)
def test_t11_seeds_keep_priority_one_when_all_is_scored_again(name: str) -> None:
    strategy = create(name)
    names = [f.replace("*", "1") for f in strategy.features]
    view = view_of({key: [0.0, 0.0] for key in names}, [1.0, 1.0], seeds=True, budget=Budget(0, 10))
    highest = HIGHEST if name == "evidence_sum" else 1.0  # a sum of terms, not a relevance in [0, 1]
    assert strategy.priority(view, view.links).tolist() == [highest, highest]


# ---- Eq. (12) and the two filters


@pytest.mark.parametrize(
    ("readings", "expected"),
    [
        ({}, 0.58),
        ({"pagerank": "raw"}, 0.67),
        ({"parents": "sum", "pagerank": "raw"}, 2.11),
    ],
)
def test_t2_comprehensive_priority(readings: dict[str, str], expected: float) -> None:
    view = eq12_view("GTK")
    strategy = FcosaG(FcosaParameters(**readings))  # type: ignore[arg-type]
    assert strategy.priority(view, view.links)[0] == pytest.approx(expected)


def test_weights_of_eq_12() -> None:
    assert CpemParameters(0.25, 0.25, 0.25, 0.25).theta == 0.25
    for column in columns("GTK"):
        assert column in FcosaG.features
    assert Fcsa.features == columns("TK")


def test_t10_priority_must_exceed_eta() -> None:
    zero = {key: [0.0, 0.0, 0.0] for key in columns("GTK")}
    view = view_of({**zero, "target:GTK": [0.4, 0.5, 0.6]}, [0.0] * 3)
    strategy = FcosaG(FcosaParameters(alpha=0.0, beta=0.5, gamma=0.0, theta=0.5, eta=0.25))
    assert strategy.admit(view, view.links).tolist() == [False, False, True]


def test_step_9_keeps_a_child_at_the_first_local_ontology() -> None:
    view = eq12_view("GTK", LTK_1=[0.15, 0.0, 0.1499], LTK_2=[0.0, 0.0, 0.1], LTK_3=[0.0, 0.9, 0.0])
    assert FcosaLg().admit(view, view.links).tolist() == [True, True, False]
    assert FcosaG().admit(view, view.links).tolist() == [True, True, True]


def test_step_10_still_asks_for_the_priority() -> None:
    names = (*columns("GTK"), "target:LTK_1")
    view = view_of({**{key: [0.0] for key in names}, "target:LTK_1": [1.0]}, [0.0])
    assert FcosaLg().admit(view, view.links).tolist() == [False]


def test_fcosa_lg_without_a_local_ontology_says_so() -> None:
    view = eq12_view("GTK")
    with pytest.raises(ValueError, match="needs a local vocabulary LTK_1"):
        FcosaLg().admit(view, view.links)


def test_fcsa_filters_nothing_unless_told_to() -> None:
    view = view_of({key: [0.0] for key in columns("TK")}, [0.0])
    assert Fcsa().admit(view, view.links).tolist() == [True]
    assert create("fcsa", {"eta": 0.15}).admit(view, view.links).tolist() == [False]


def test_each_formula_of_best_first_has_the_relevance_of_its_paper() -> None:
    guides = {formula: create("best_first", {"formula": formula}).guide for formula in WEIGHTS}
    assert guides == {"paper_000": "paper_000", "paper_001": "paper_001", "paper_004": "paper_004"}
    asked = create("best_first", {"formula": "paper_001"})
    asked.guided_by("density")
    assert asked.guide == "density"


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_parameter_says_what_it_means_and_may_be(name: str) -> None:
    for parameter, told in about(STRATEGIES[name]).items():
        assert told["meaning"].endswith("."), f"{parameter} has no text below it"
        assert told["allowed"] or isinstance(getattr(STRATEGIES[name].Parameters(), parameter), str), parameter


def test_ranges_and_choices_are_those_of_the_messages() -> None:
    assert about(STRATEGIES["gafc"])["pc"]["allowed"] == "[0, 1]"
    assert about(STRATEGIES["fcsa"])["parents"]["allowed"] == "mean, sum"
    assert about(STRATEGIES["wang_landau"])["reachable"]["allowed"] == "true, false"
    assert about(STRATEGIES["bcw_cc"])["alpha"]["allowed"] == "3 numbers >= 0 of sum 1"


def test_a_number_may_stand_for_a_text() -> None:
    assert create("bcw_cc", {"classifier": "c.json", "S": 7}).parameters.S == "7"
    with pytest.raises(ValueError, match="parameter S must be a text, not True"):
        create("bcw_cc", {"S": True})
