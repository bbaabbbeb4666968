"""Time and memory of `propose` on 600, 4,598 and 10,000 pages, each in a process of its own.

The pages are those of wikispeedia; 10,000 are the halves of all of them (cut between paragraphs, each half at an
address of its own), and news. A page is relevant if a word of the topic `rainstorm` stands in it: that is far more than
a judge would find, and so the harder case.
"""

from __future__ import annotations

import json
import lzma
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from typing import Any

from benchmarks.enrich_pages import by_words, news, rainstorm
from benchmarks.fields import PAGES, peak_megabytes
from benchmarks.report import Row
from ontology.enrichment import PageText, propose
from ontology.terms.form_matcher import FormMatcher, with_inflections
from ontology.terms.wordforms import normal

SIZES = (600, 4_598, 10_000)
LIMIT = 50


def topic_words() -> tuple[tuple[str, str], ...]:
    """Return the words of the topic, as (language, form)."""
    words = by_words(1).vocabularies["TK"].words
    return tuple(form for word in words for form in word.forms)


def pages(size: int) -> list[PageText]:
    """Return so many pages."""
    matcher = FormMatcher([with_inflections((form, 0, language == "en") for language, form in topic_words())])
    found = []
    for page in _texts(size):
        is_relevant = next(matcher.spans(normal(f"{page.title}\n{page.text}"))[0], None) is not None
        found.append(PageText(page.url, page.title, page.text, float(is_relevant), is_relevant))
    return found


def _texts(size: int) -> Iterator[PageText]:
    halves = size > SIZES[1]
    left = size
    with lzma.open(PAGES, "rt", encoding="utf-8") as stream:
        for record in map(json.loads, stream):
            name, title, blocks = record["name"], record["title"], record["text"].split("\n\n")
            middle = len(blocks) // 2
            parts: Sequence[Sequence[str]] = (blocks[:middle], blocks[middle:]) if halves else (blocks,)
            for number, part in enumerate(parts):
                if not left:
                    return
                left -= 1
                yield PageText(f"http://wiki.example/{name}?part={number}", title, "\n\n".join(part), 0.0, False)
    yield from islice(news(), left)


def measure(size: int) -> Row:
    """Propose from so many pages in a process of its own: seconds, processor seconds, memory."""
    print(f"proposing from {size} pages", file=sys.stderr, flush=True)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_measure, size).result()


def _measure(size: int) -> dict[str, Any]:
    taken, ontologies = pages(size), rainstorm()
    held = peak_megabytes()
    began = time.perf_counter(), time.process_time()
    proposals = propose(taken, ontologies, limit=LIMIT)
    seconds, processor = time.perf_counter() - began[0], time.process_time() - began[1]
    return {
        "pages": len(taken), "relevant": sum(page.relevant for page in taken),
        "characters": sum(len(page.text) for page in taken), "proposals": len(proposals),
        "seconds": round(seconds, 1), "processor_seconds": round(processor, 1), "peak_mb": peak_megabytes(),
        "of_it_pages_mb": held,
    }  # fmt: skip
