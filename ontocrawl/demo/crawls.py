"""The crawls of the demo, and the sample web that they fetch over HTTP on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from crawler.worlds.synthetic import SyntheticWorld
from crawler.worlds.synthetic.serve import Server, serve
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import crawling, plan
from ontocrawl.runs.runs import RunResult
from ontocrawl.topics.topic_graph import TopicVectors

WEB_PAGES = 1200


@dataclass(frozen=True)
class DemoCrawl:
    """A crawl of the demo: its strategy and the ontology that steers it."""

    run: str
    strategy: str
    ontology: str | None
    """"learned", "curated", or None."""

    @property
    def by(self) -> str:
        """What steers the crawl, in words."""
        return f"{self.strategy}, {self.ontology} ontology" if self.ontology else self.strategy


CRAWLS = (
    DemoCrawl("demo-breadth_first", "breadth_first", None),
    DemoCrawl("demo-learned", "fcosa_lg", "learned"),
    DemoCrawl("demo-curated", "fcosa_lg", "curated"),
)
LEARNED = CRAWLS[1]
"""The crawl behind the proposals. It runs last of these, because queries are about the newest crawl by default."""
AGAIN = DemoCrawl("demo-enriched", "fcosa_lg", "enriched")
"""The crawl by the version of the learned ontology that accepted proposals made."""


@dataclass(frozen=True)
class SampleWeb:
    """The served sample web, and how crawls fetch it.

    Attributes:
        world: the web.
        server: its HTTP server.
        labels: path of the planted labels of its pages.
        pages: number of pages that each crawl fetches.
        seed: random seed of the crawls.
    """

    world: SyntheticWorld
    server: Server
    labels: str
    pages: int
    seed: int

    def crawl(self, space: Workspace, vectors: TopicVectors, crawl: DemoCrawl) -> RunResult:
        """Crawl by the topic vectors of an ontology, from the seeds of the web.

        Args:
            space: the workspace.
            vectors: the topic vectors.
            crawl: the crawl.
        """
        config = plan.configuration(space, vectors, self._options(crawl))
        return crawling.start(space, vectors.topic, config, self.world.seeds, lambda step: None)

    def _options(self, crawl: DemoCrawl) -> plan.CrawlOptions:
        """Return the options that a user would give to `crawl run`."""
        return plan.CrawlOptions(
            strategy=crawl.strategy,
            world="live",
            labels=self.labels,
            run=crawl.run,
            resolve=dict(self.server.table),
            politeness=False,
            # one fetch at a time, so that the printed figures can be repeated
            settings={"limit_pages": self.pages, "seed": self.seed, "in_flight": 1},
        )


@contextmanager
def served(out: Path, pages: int, seed: int) -> Iterator[SampleWeb]:
    """Serve the sample web on loopback, and write the labels of its pages.

    Args:
        out: folder of the demo.
        pages: number of pages that each crawl fetches.
        seed: random seed of the web and of the crawls.
    """
    world = SyntheticWorld("planted", WEB_PAGES, seed)
    server = serve(world)
    try:
        yield SampleWeb(world, server, server.write_labels(out / "labels.json"), pages, seed)
    finally:
        server.close()
