"""Best-first crawlers with a semantic topic vector: SSVSM 2015 and Ma et al. 2016.

Sources, of which abstracts were read:
    Du, Liu, Lv, Peng 2015 (SSVSM)   TF-IDF of terms and semantic similarities among terms build the vectors of topic
        and texts over the same double terms (crawler.scoring.relevance); the priority integrates full text and anchor.
    Ma et al. 2016, Comput. Eng., doi 10.3969/j.issn.1000-3428.2016.11.009   an improved similarity of concepts in an
        ontology determines the semantic vector of the topic; positions in HTML have weights; anchors are used; the
        queue is ordered by priority. Earthquakes and meteorological disasters.
Their weights were not read. Both are reconstructed [R] as best-first search under the ontology's vector GTK:

    P(l) = a R(A_l) + (1 - a) mean_i R(P_i),   a = 1/2

with R by the semantic vector model (SSVSM), or with the weights of positions of paper 000, Table 2 (Ma). Its
improved similarity of concepts is replaced by the weights of the topic, Eqs. (1) to (3) of paper 000.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids
from crawler.parameters import CheckedParameters, Range, parameter
from crawler.strategies.base import with_seeds
from crawler.strategies.link_relevance import link_relevance, two_columns
from crawler.strategies.numbered_picks import TopOfQueue


@dataclass(frozen=True)
class SemanticParameters(CheckedParameters):
    """Weight of P(l) [R].

    Raises:
        ValueError: it is out of its range.
    """

    a: float = parameter(
        0.5, "Weight of the anchor against the pages that contain the link, in [0, 1].", Range(0.0, 1.0)
    )


class SemanticFirst(TopOfQueue):
    """Best-first search by relevance to the vector of the ontology."""

    Parameters = SemanticParameters
    readings: ClassVar = {
        "T2": "The mean over the pages that contain the link, not their sum.",
        "T11": "Seeds have priority 1; a queued link that gains a parent is scored again.",
    }
    vocabularies = ("GTK",)
    features = two_columns("GTK")
    parameters: SemanticParameters

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return P(l), in [0, 1], shape (m,)."""
        return with_seeds(view, links, link_relevance(view, links, "GTK", self.parameters.a))


class Ma2016(SemanticFirst):
    """Best-first search by relevance to the vector of the ontology, with weights of HTML positions."""

    name = "ma_2016"
    title = "Best-first search by ontology semantics for disasters (Ma et al. 2016)"
    paper = "Ma et al. 2016, Comput. Eng., doi 10.3969/j.issn.1000-3428.2016.11.009 (abstract); P(l) [R]"


class SsvsmGuide(SemanticFirst):
    """Best-first search by the semantic similarity vector space model."""

    name = "ssvsm_guide"
    title = "Best-first search by the semantic similarity vector space model (SSVSM)"
    paper = "Du, Liu, Lv, Peng 2015 (SSVSM, abstract); P(l) [R]"
    readings: ClassVar = {
        **SemanticFirst.readings,
        "T20": "The TF-IDF of texts is the repaired Eq. (3) of paper 002 [R].",
    }
    guide = "ssvsm"
