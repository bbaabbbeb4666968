"""Write two labs on eight topics of wikispeedia, `own` and `ablation`.

`own` sets our own strategy against every published one, `ablation` against itself without each of its terms.

    python -m tools.own_lab [FOLDER] [--check] [--data ../shared/data]

Each topic is crawled from three pages, which are chosen by the links and the labels alone. All of them lie in the
largest strongly connected part of the web, so that each can reach the same pages; of equal pages the first by name is
taken.

* core: the labelled page that most labelled pages link to
* near: no label, one link away from a labelled page, with a single link to one; of these, that of median out-degree
* far: no label, as many links away from the nearest labelled page as `MOST_DISTANT` pages of the part or more are; of
  these, that of median out-degree

The pages were fixed before the first crawl; no result of a crawl goes into them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus, unquote

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from crawler.scoring.link_evidence import TERMS
from crawler.scoring.relevance import RELEVANCE
from crawler.strategies import STRATEGIES
from crawler.worlds import CorpusWorld
from ontocrawl.lab import web
from ontocrawl.lab.web import Web
from ontocrawl.runs import crawl_setup
from ontology.files import write_atomically

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "ontocrawl" / "lab" / "labs"
OWN = "evidence_sum"
PUBLISHED = "published"
GUIDES = ("density", "saturated", "evidence")
"""Relevance functions that guide each strategy in place of its own."""
TABLE, TOPICS_FILE = "categories.tsv", "topics.json"
TOPICS = {
    "hazard_all": f"{TOPICS_FILE}#hazard_all",
    "mammals": f"{TABLE}#subject.Science.Biology.Mammals",
    "railway": f"{TABLE}#subject.Design_and_Technology.Railway_transport",
    "dinosaurs": f"{TABLE}#subject.Science.Biology.Dinosaurs",
    "computing": f"{TABLE}#subject.IT",
    "mathematics": f"{TABLE}#subject.Mathematics",
    "rulers": f"{TABLE}#subject.People.Monarchs_of_Great_Britain",
    "plants": f"{TABLE}#subject.Science.Biology.Plants",
}
"""Topic -> its label set in the folder of wikispeedia."""
UNGUIDED = ("breadth_first", "date_segments")
"""Strategies that read no relevance: with each guide they make the same crawl."""
NOT_PUBLISHED = ("mixture", "switching")
START = "Rain"
"""A page from which the strongly connected part is reached."""
MOST_DISTANT = 10
HEAD = """\
# Written by `python -m tools.own_lab`, which has the rule of the starts in full: core, the labelled page that most
# labelled pages link to; near, a page with a single link to one; far, one of the pages with the longest way to them.
"""
Bools = NDArray[np.bool_]


# ---- the starts -------------------------------------------------------------------------------------------------


def starts(read: Web, relevant: Bools) -> tuple[int, int, int]:
    """Choose the pages from which a topic is crawled.

    Args:
        read: a web.
        relevant: whether each page has the label, shape (len(read),); some pages of the connected part need it.

    Returns:
        The pages core, near and far.
    """
    n, one = len(read), np.ones(len(read.source), dtype=np.int64)
    A = sparse.csr_array((one, (read.source, read.target)), shape=(n, n))
    part = connected_part(A)
    from_labelled = A.T @ relevant.astype(np.int64)
    to_labelled = A @ relevant.astype(np.int64)
    labelled = np.flatnonzero(part & relevant)
    core = min(labelled.tolist(), key=lambda page: (-from_labelled[page], read.urls[page]))
    near = part & ~relevant & (to_labelled == 1)
    away = distances(A, relevant)
    counts = np.bincount(away[part & (away < n)])
    far = part & (away == max(d for d in range(len(counts)) if counts[d] >= min(MOST_DISTANT, counts[1:].max())))
    return core, _median(read, A, near), _median(read, A, far & ~relevant)


def connected_part(A: sparse.csr_array) -> Bools:
    """Return a mask of the pages of the largest strongly connected part, shape (n,)."""
    _, component = connected_components(A, directed=True, connection="strong")
    return np.asarray(component == np.bincount(component).argmax())


def distances(A: sparse.csr_array, relevant: Bools) -> NDArray[np.int64]:
    """Return the least number of links from each page to a relevant one; n where there is no way.

    >>> chain = sparse.csr_array(([1, 1], ([0, 1], [1, 2])), shape=(3, 3))
    >>> distances(chain, np.array([False, False, True])).tolist()
    [2, 1, 0]
    """
    n = len(relevant)
    away = np.full(n, n, dtype=np.int64)
    reached, step = relevant.copy(), 0
    fresh = relevant
    while fresh.any():
        away[fresh] = step
        step += 1
        fresh = ((A @ fresh.astype(np.int64)) > 0) & ~reached
        reached |= fresh
    return away


def _median(read: Web, A: sparse.csr_array, among: Bools) -> int:
    """Return the page of median out-degree, the lower one of two; pages of equal degree stand by name."""
    out = np.diff(A.indptr)
    ordered = sorted(np.flatnonzero(among).tolist(), key=lambda page: (out[page], read.urls[page]))
    return int(ordered[(len(ordered) - 1) // 2])


# ---- the lab ----------------------------------------------------------------------------------------------------


def strategies() -> tuple[str, ...]:
    """Return the strategies of the lab: all published ones that words alone can steer, and our own."""
    words = [name for name in STRATEGIES if name not in (*NOT_PUBLISHED, OWN) and name not in need_ontology()]
    return (*words, OWN)


def need_ontology() -> tuple[str, ...]:
    """Return the published strategies that need topic vectors of an ontology; the topics of the lab have none."""
    return tuple(
        name
        for name, cls in STRATEGIES.items()
        if name not in NOT_PUBLISHED and any(vector != "TK" for vector in cls.vocabularies)
    )


def chosen(data: Path, topics: Mapping[str, str] = TOPICS) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each topic with the names of its pages core, near and far.

    Args:
        data: folder of the data sets.
        topics: topic -> its label set in the folder of wikispeedia.
    """
    folder = data / "wikispeedia"
    with closing(CorpusWorld(folder)) as world:
        read = web.read(world, [world.url_of(START)], None, user_agent="lab")
        for topic, place in topics.items():
            labels = {world.url_of(name) for name in crawl_setup.pages(str(folder / place))}
            relevant = np.array([url in labels for url in read.urls], dtype=np.bool_)
            yield topic, tuple(unquote(read.urls[page]).rpartition("/")[2] for page in starts(read, relevant))


def texts(data: Path) -> dict[str, str]:
    """Return the labs as TOML, by name."""
    found = list(chosen(data))
    return {"own": _own(found), "ablation": _ablation(found)}


def _own(found: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    worlds = "\n".join(_world(topic, pages, '"label", "distance", "judge"') for topic, pages in found)
    left_out = _wrapped("# Left out, for they need an ontology and the topics have none: ", need_ontology())
    return f'''{HEAD}# The words of the topics were written down before the first crawl (ontocrawl/lab/topics/).
{left_out}
title = "Our own strategy against the published ones"
about = "Eight topics of an encyclopaedia, from pages at the core, near to it and far from it: seeds 0, 1 and 2."
fetches = 1200
at = [100, 300, 600]
seeds = 3
unguided = [{quoted(UNGUIDED)}]

[compare]
own = "{OWN}"

{worlds}
[axes]
strategy = [
{listed(strategies())}
]
guide = [{quoted((PUBLISHED, *(guide for guide in GUIDES if guide in RELEVANCE)))}]
judge = ["density"]
'''


def _ablation(found: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    worlds = "\n".join(_world(topic, pages, '"label"') for topic, pages in found)
    without = (f"{OWN}?without={quote_plus(term)}" for term in TERMS)
    return f'''{HEAD}title = "Our own strategy without each of its terms"
about = "What each term of {OWN} is worth on the topics and starts of the lab own."
fetches = 300
at = [100]
seeds = 3
baseline = "{OWN}"

[compare]
own = "{OWN}"
each = true

{worlds}
[axes]
strategy = [
{listed((OWN, *without), width=2)}
]
guide = ["{GUIDES[0]}"]
judge = ["density"]
'''


def _world(topic: str, pages: Sequence[str], oracles: str) -> str:
    return f'''[[worlds]]
name = "{topic}"
world = "corpus:{{data}}/wikispeedia"
labels = "{{data}}/wikispeedia/{TOPICS[topic]}"
topic = "{{topics}}/{topic}.toml"
starts = [{quoted(pages)}]
oracles = [{oracles}]
'''


def quoted(names: Sequence[str]) -> str:
    """Return names as the items of a TOML list."""
    return ", ".join(f'"{name}"' for name in names)


def listed(names: Sequence[str], width: int = 7) -> str:
    """Return names as the lines of a TOML list, so many in each."""
    rows = [names[i : i + width] for i in range(0, len(names), width)]
    return "\n".join(f"  {quoted(row)}," for row in rows)


def _wrapped(head: str, names: Sequence[str]) -> str:
    half = (len(names) + 1) // 2
    return f"{head}{', '.join(names[:half])},\n# {', '.join(names[half:])}."


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the labs."""
    return write_labs(arguments, "tools.own_lab", str(__doc__), texts)


def write_labs(
    arguments: Sequence[str] | None, module: str, about: str, texts_of: Callable[[Path], Mapping[str, str]]
) -> int:
    """Write or check labs that are made from the data sets.

    Args:
        arguments: of the command; None for those of this process.
        module: name of the program.
        about: its help.
        texts_of: what makes the labs, name -> text, from the folder of the data sets.

    Returns:
        The exit code: 3 where a file is out of date.
    """
    parser: Any = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file is out of date")
    parser.add_argument("--data", type=Path, default=ROOT / ".." / "shared" / "data")
    given = parser.parse_args(arguments)
    made = {given.folder / f"{name}.toml": text for name, text in texts_of(given.data).items()}
    if not given.check:
        for path, text in made.items():
            write_atomically(path, text.encode())
        return 0
    stale = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        print(f"{path} is out of date: run python -m {module}", file=sys.stderr)
    return 3 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
