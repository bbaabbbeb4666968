"""`crawl run --join`: the words of the ontology join the topic's own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from crawler.text import Vocabulary, Word
from ontocrawl.base import workspace
from ontocrawl.base.options import CrawlOptions
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.runs import plan
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.topics import topic_graph, topics
from ontocrawl.topics.topic_graph import TopicVectors

GTK = Vocabulary(
    "GTK",
    (
        Word("暴雨", 0.9, (("zh", "暴雨"), ("en", "rainstorm")), "urn:rain"),
        Word("水库", 0.8, (("zh", "水库"), ("en", "reservoir")), "urn:reservoir"),
    ),
)
JOIN = {"join": 0.5, "judge": "evidence", "guide": "evidence"}


@pytest.fixture
def empty(tmp_path: Path) -> Workspace:
    """A new workspace."""
    return workspace.init(tmp_path / "ws")


def options(**settings: object) -> CrawlOptions:
    return CrawlOptions(strategy="best_first", world="synthetic:planted?pages=600", graph=False, settings=settings)


def test_words_that_the_topic_lacks_join_at_half_of_their_weights(empty: Workspace) -> None:
    topic = topics.load("rainstorm", empty)
    own = topic.file.vocabulary()
    vectors = TopicVectors(topic, {"TK": own, "GTK": GTK}, {}, "key")
    config = plan.configuration(empty, vectors, options(**JOIN))
    TK = config.vocabularies["TK"]
    assert TK.words[: len(own)] == own.words
    assert [(word.label, word.weight, word.iri) for word in TK.words[len(own) :]] == [("水库", 0.4, "urn:reservoir")]
    assert config.vocabularies["GTK"] == GTK
    assert config.steered_by == topic.levels[0].ontology.key
    assert RunConfig(**config.model_dump(mode="json")).vocabularies["TK"].weights.tolist() == TK.weights.tolist()
    apart = plan.configuration(empty, vectors, options())
    assert (apart.vocabularies["TK"], apart.steered_by) == (own, None)


def test_without_an_ontology_nothing_can_join(empty: Workspace) -> None:
    vectors = topic_graph.words_only(topics.load("rainstorm", empty))
    with pytest.raises(UsageError, match="no ontology whose words could join"):
        plan.configuration(empty, vectors, options(**JOIN))
