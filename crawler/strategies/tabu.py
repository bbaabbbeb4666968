"""Tabu search crawlers ITS and On-ITS.

Source: Liu, Gu, Liu 2020, J. Comput. Appl. 40(8):2255-2261, of which the abstract was read: an improved tabu search
against local optima, and for On-ITS a domain ontology as the topic. ITS is the same without ontology (paper 000, Table
3: On-ITS has eta = .15, ITS none, and neither has Eq. (12)). The steps are reconstructed [R] (algorithms.md 3.6):
    1  seeds to Qw, which is ordered by Priority; the tabu list TL is empty, best = 0.
    2  N = k links of Qw by the roulette.
    3  candidate = the best of N that is not in TL; a tabu one only if its Priority is over best (aspiration); the
       least tabu if nothing else is left. If no link of N may be chosen, N is the top part of Qw.
    4  it is fetched and enters TL; so does its host, for fewer moves, as a web may have fewer hosts than TL entries.
    5  ``admit``: its child-links enter Qw if Priority > eta.
    6  after s picks without a new best the next link is drawn uniformly (diversification), and the count starts again.
A fetched link returns to Qw only after a network failure, so mainly the hosts in TL diversify the search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.kernels.tabu_list import TabuList, best_move
from crawler.model import Bools, Floats, Ids
from crawler.parameters import CheckedParameters, Range, parameter
from crawler.strategies.base import State, with_seeds
from crawler.strategies.link_relevance import link_relevance, two_columns
from crawler.strategies.one_by_one import Chosen, OneByOne, untaken

_LOOKED_AT = 64
"""Size of the top part of the queue that replaces a neighbourhood in which no link may be chosen [R]."""


@dataclass(frozen=True)
class ItsParameters(CheckedParameters):
    """Reconstructed values [R]."""

    length: int = parameter(20, "Moves for which a link stays in the tabu list.", Range(0, 10**6))
    host_length: int = parameter(5, "Moves for which a host stays in the tabu list.", Range(0, 10**6))
    k: int = parameter(10, "Links in a neighbourhood, drawn with replacement.", Range(1, 10**6))
    s: int = parameter(20, "Picks without a new best before one link is drawn uniformly.", Range(1, 10**9))
    eta: float = parameter(
        -1.0,
        "Links are queued if their priority is greater; a negative value filters nothing, as Table 3 has none for ITS.",
        Range(-1.0, 1e9),
    )


class Its(OneByOne):
    """Tabu search on the queue with the plain topic words."""

    name = "its"
    title = "Focused crawling by improved tabu search (ITS)"
    paper = "Liu, Gu, Liu 2020, J. Comput. Appl. 40(8):2255-2261 (abstract), and paper 000, Table 3; steps [R]"
    Parameters = ItsParameters
    rules: ClassVar = {
        "filtered": "A link is rejected, because its Priority is at most eta (step 5).",
        "aspiration": "A link is chosen although it is in the tabu list (step 3).",
        "diversified": "A neighbourhood is drawn uniformly after s picks without a new best (step 6).",
    }
    readings: ClassVar = {
        "T10": "Queued if Priority > eta, strictly.",
        "T11": "Seeds have priority 1 and are never best; zero weights draw uniformly.",
    }
    features = two_columns("TK")
    V: ClassVar[str] = "TK"
    parameters: ItsParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._links, self._hosts = TabuList(self.parameters.length), TabuList(self.parameters.host_length)
        self._best = 0.0
        self._since = 0
        """Picks since the last new best link or diversification."""

    def link_value(self, view: FrontierView, links: Ids) -> Floats:
        """Return the Priority of links that are not seeds [R], shape (m,)."""
        return link_relevance(view, links, self.V, 0.5)

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Admit links with Priority > eta (step 5)."""
        admitted: Bools = self.link_value(view, links) > self.parameters.eta
        self.count("filtered", (~admitted).sum())
        return admitted

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return Priority(l), shape (m,)."""
        return with_seeds(view, links, self.link_value(view, links))

    def next_link(self, view: FrontierView, rng: np.random.Generator, header: int, taken: Ids) -> Chosen:
        """Choose the best admissible link of a neighbourhood (steps 2 to 4 and 6)."""
        diversify = self._since >= self.parameters.s
        k = self.parameters.k
        N = view.draw_uniform(rng, k) if diversify else view.draw(rng, k)  # steps 6 and 2
        value = untaken(self.value(view, N), N, taken)
        if not (value > -np.inf).any():
            N = view.top(_LOOKED_AT + len(taken))
            value = untaken(self.value(view, N), N, taken)
        if not (possible := value > -np.inf).any():
            N, value, possible = np.array([header]), np.zeros(1), np.ones(1, dtype=np.bool_)
        host = view.host(N)
        tenure = np.maximum(self._links.tenure(N), self._hosts.tenure(host))
        row = int(np.argmax(possible)) if diversify else best_move(value, tenure, self._best)  # step 3
        self.count("aspiration", tenure[row] > 0)
        self.count("diversified", diversify)
        self._links.add(int(N[row]))  # step 4
        self._hosts.add(int(host[row]))
        if better := self._best < value[row] and view.graph.in_degree(N[row : row + 1])[0] > 0:
            self._best = float(value[row])
        self._since = 0 if better or diversify else self._since + 1  # step 6
        return int(N[row]), {"tabu": bool(tenure[row]), "best": self._best, "diversified": diversify}

    def state(self) -> State:
        """Return everything that ``restore`` needs."""
        tabu = {"tabu_links": self._links.state(), "tabu_hosts": self._hosts.state()}
        return {**super().state(), **tabu, "best": self._best, "since": self._since}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""
        super().restore(state)
        self._links.restore(state["tabu_links"])
        self._hosts.restore(state["tabu_hosts"])
        self._best, self._since = float(state["best"]), int(state["since"])


@dataclass(frozen=True)
class OnItsParameters(ItsParameters):
    """Parameters of Table 3 of paper 000, column On-ITS."""

    eta: float = 0.15


class OnIts(Its):
    """Tabu search on the queue with a domain ontology as the topic."""

    name = "on_its"
    title = "Focused crawling by ontology and improved tabu search (On-ITS)"
    Parameters = OnItsParameters
    vocabularies = ("GTK",)
    features = two_columns("GTK")
    V = "GTK"
