"""An example for each family of strategies: values of a parameter, or strategies, compared on planted webs.

python -m examples.strategies NAME
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from crawler.strategies import create
from crawler.testing import PlantedWeb, Rehearsal


@dataclass(frozen=True)
class Example:
    """A question, and what is compared to answer it: strategies, or values of a parameter of one strategy."""

    question: str
    strategies: Sequence[str]
    parameter: str = ""
    values: Sequence[object] = ()

    def harvests(self, webs: int = 5) -> dict[str, float]:
        """Return strategy or value -> number of relevant pages among 120 fetched, as the mean over planted webs."""
        if not self.parameter:
            return {name: _harvest(name, webs) for name in self.strategies}
        (one,) = self.strategies
        return {str(value): _harvest(one, webs, **{self.parameter: value}) for value in self.values}


EXAMPLES: Mapping[str, Example] = {
    "annealing": Example(
        "Does the cooling schedule matter?",
        ("fcosa_g",), "cooling", ("geometric", "linear", "logarithmic", "adaptive", "constant"),
    ),
    "ant_colony": Example("How fast should pheromone evaporate?", ("moaco",), "rho", (0.0, 0.1, 0.5)),
    "bayes_blocks": Example("Which of the three systems of paper 003?", ("bcw_cc", "fcbcw", "fccbs")),
    "best_first": Example(
        "Which of the three published priorities?",
        ("best_first",), "formula", ("paper_000", "paper_001", "paper_004"),
    ),
    "genetic": Example(
        "Crossover of the links of all relevant pages, or of hubs only?", ("gafc",), "breeders", ("relevant", "hubs")
    ),
    "hits_fish_shark": Example(
        "What do HITS, Fish-Search and Shark-Search gain on breadth-first search?",
        ("breadth_first", "hits", "fish", "shark"),
    ),
    "membrane": Example("How often should the weights evolve?", ("cmcfc",), "every", (10, 25, 100)),
    "particle_swarm": Example("How many particles find the weights of a priority?", ("fcpso",), "particles", (2, 20)),
    "tabu": Example("How large should the neighbourhood be?", ("its",), "k", (1, 5, 10, 40)),
    "temporal_intent": Example(
        "Which of three systems that use dates?", ("temporal_intent", "event_model", "date_segments")
    ),
    "wang_landau": Example(
        "The flatness rule of the algorithm, or that of the text?", ("wang_landau",), "flatness", ("box", "mean")
    ),
    "web_space_evolution": Example("How large should the library of links be?", ("wse",), "size", (5, 20, 50)),
}  # fmt: skip


def _harvest(strategy: str, webs: int, **parameters: object) -> float:
    crawls = (Rehearsal(create(strategy, parameters), PlantedWeb.plant(seed), seed, 120) for seed in range(webs))
    return mean(crawl.run().harvest() for crawl in crawls)


if __name__ == "__main__":
    example = EXAMPLES.get(" ".join(sys.argv[1:]))
    if example is None:
        sys.exit(f"usage: python -m examples.strategies NAME, where NAME is one of: {', '.join(EXAMPLES)}")
    print(example.question)
    for compared, relevant in example.harvests().items():
        print(f"{compared:16} {relevant:6.1f}")
