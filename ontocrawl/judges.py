"""Judges: the decision whether a page is relevant, by a name.

The judge of a topic is the relevance function of its file with its threshold. Another judge is another function; those
below have a threshold of their own, which holds for every topic whose weights lie in [0, 1]. Those of density and
saturated were chosen on two webs with labels, the planted web and the encyclopaedia (docs/evidence.md).
"""

from __future__ import annotations

from collections.abc import Mapping

from crawler.crawl_options import Judge
from crawler.scoring.relevance import RELEVANCE, relevance
from ontocrawl.errors import UsageError, nearest
from ontocrawl.topics import TopicFile

TOPIC = "topic"
"""The judge of the topic file, the default."""
THRESHOLDS: Mapping[str, float] = {"density": 0.2, "saturated": 0.5, "evidence": 0.5}
"""Relevance function -> R above which a page is relevant: two words of weight 1 on 1,000 characters of a long page; as
much evidence as three words of the largest weight; relevant more probably than not."""


def names() -> tuple[str, ...]:
    """Return the names of all judges."""
    return (TOPIC, *RELEVANCE)


def judge_of(name: str, topic: TopicFile, threshold: float | None = None) -> Judge:
    """Return a judge.

    Args:
        name: `TOPIC`, or the name of a relevance function; one without a threshold of its own has that of the topic.
        topic: the topic, which also says whether R must be greater than the threshold or may be equal to it.
        threshold: threshold in place of that of the topic or the judge, in [0, 1]; None to keep it.

    Raises:
        UsageError: an unknown judge.
    """
    if name not in names():
        raise UsageError(f"there is no judge {name!r}{nearest(name, names())}")
    function, usual = (topic.relevance, topic.sigma) if name == TOPIC else (name, THRESHOLDS.get(name, topic.sigma))
    return Judge(relevance(function), usual if threshold is None else threshold, topic.strict)
