"""docs/strategies.md: every strategy as its class describes it, and what each found on webs with labels.

    python -m tools.strategy_catalogue [docs/strategies.md] [--check]

With --check nothing is written, and a page that is out of date is an error (exit code 3).
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path

from crawler.scoring.relevance import RELEVANCE
from crawler.strategies import STRATEGIES, about
from crawler.strategies.base import Strategy
from tools import generated_page

PAGE = Path("docs/strategies.md")
RESULTS = Path("benchmarks/strategies.md")
"""Beside the page: written by benchmarks/strategies.py."""
NOT_BUILT: Mapping[str, str] = {
    "SDVSM (Liu W. et al. 2022)": "how senses are told apart: paper 003 names the model, and no equation was found",
    "Rios-Alvarado et al. 2013": "a crawler: paper 000 cites the notion of hyponym and hypernym only",
}
"""System -> what of it is not published in anything read."""
_INTRODUCTION = """# Strategies

Written by `python -m tools.strategy_catalogue` from the classes; not edited by hand.

```text
ontocrawl crawl strategies [NAME]                                 all of them, or one with all its parameters
ontocrawl crawl run --strategy shark --param width=20 ..          one of them, a parameter changed
ontocrawl crawl run --strategy gafc --guide paper_004_sum ..       another relevance function than its own
ontocrawl crawl run --strategy mixture --param members=fcosa_g,wang_landau --param weights=3,1 ..
ontocrawl crawl run --strategy switching --param members=breadth_first,fcsa --param after=200 --param fcsa.T=2 ..
```

Any of the others can be members of these two; `NAME.PARAMETER=VALUE` is a parameter of a member.

Every system of the five papers and the baselines that they compare with, by name. A file of `crawler/strategies` is one
family; its docstring has the citation and the steps, and its code follows them. T1, T2 .. are places where a paper
contradicts itself or cannot be meant as printed; the reading taken stands beside each, and where the printed one is
offered it is a parameter. **[R]** marks steps that are a reconstruction: the paper could not be read in full, or does
not say. To write one of your own: [write your own strategy](own-strategy.md).

`olmoaco` takes the ontology of its topic, which in OLMOACO was learned by FCA, LDA and Apriori and adjusted by hand. To
learn one so, adjust it and crawl with it: [topics and association rules](hierarchy.md#topics-and-association-rules)
**[R]**.
"""


_GUIDES = """\
## Relevance functions

A strategy computes with the function of its paper, its *guide*; `--guide NAME` gives it another one, and all members of
a mixture the same. Without `--guide`, `crawl run` gives `saturated` to strategies that read the vector of an ontology
and whose guide is `paper_000`; `--guide published` leaves each its own. What counts as relevant is the judge's, which
stands in the file of the topic (`relevance`).
"""


_SHARED = """\
## Readings that all share

* T4: R of the page that a link points to is predicted, half R of the anchors and half the mean R of the pages that
  contain the link [R]; `--target cached` and `--target oracle` look it up.
* T6: in Eq. (9) of paper 000 N and N_i are at least 1; a text without topic words has R = 0. The anchors of all links
  to a page are one text.
* T9: the maximum of Eq. (4) is over the places of one word, as printed; `--guide paper_000_page` takes it over all
  words.
* T11: a link is queued once, and scored again whenever another page contains it; all of them, and PageRank, every 25
  pages (`refresh_every`), as printed after each page.
* T16, T22: all fetches count, each page once.
* The text around a link is what its innermost block element has within 250 characters on each side of it.
"""


_ORDERINGS = """\
## Where the order differs from the papers

Nothing was tuned for these tables: all parameters are the published or, where marked [R], the reconstructed ones, and
relevance functions and weights too (`--guide published --weights sem`). A crawl of one's own computes otherwise by
default ([decision 7](decisions/0007-what-a-crawl-computes-with.md)); [the circle](benchmarks/circle.md) has figures of
both.

* **Simulated annealing beside best-first search.** In paper 000 (Table 4) FCSA is behind best-first search at the
  beginning and finds a third more at the end, in paper 002 the version with hosts a fifth more. Here both find about
  the same, because look-ahead is predicted: the term that tells a good page behind a bad link from a bad one (paper
  000, Eq. 11) repeats what anchor and parents say (trap T4). `--target oracle` and `--target cached` give it its
  meaning.
* **Global and local ontologies below plain topic words on the synthetic web.** The labels are the plan of that web,
  and do not follow the topic's own words (TK): the ontology's words (GTK) tell labelled pages from others better than
  TK does. What costs `fcosa_g`, `fcosa_lg`, `on_its`, `ma_2016` and the ant colonies is the printed form. A cosine
  divides by the norm of the topic vector, so under the many words of an ontology an anchor of one or two relevant
  words has a small R and a relevant page a larger one, and in the papers' sums the page drowns the anchor. With
  GTK := TK `fcosa_g` is best-first search. [The circle](benchmarks/circle.md) shows what `--guide saturated` changes.
* **The order at 1,000 pages is that of paper 000.** There (Table 4) best-first search has an accuracy of .744, FCOSA_G
  of .714 and FCOSA_LG of .710 after 1,000 pages; the ontologies pass it later. The synthetic web shows the same order
  at 1,000 fetches. On wikispeedia, whose anchors are titles, `fcosa_lg` is ahead of best-first search at 100 and 300
  fetches, and ends early.
* **Crawls that end early.** `fcosa_g`, `fcosa_lg`, `fcpso`, `fcits_oh` and `on_its` filter links by a published or
  reconstructed threshold. On wikispeedia, where hardly an anchor has a word of the topic, nothing is left in the
  queue after some hundred pages; from one of the seeds `on_its` ends at once. Their precision is high for that.
* **Priority evaluation and content blocks at the top of the synthetic web.** `bcw_cc`, `fcbcw` and `fccbs` read the
  text around a link; its pages have such texts. The texts of wikispeedia have no blocks, so there the two with
  tunnelling by blocks lose what `fcbcw` finds. No classifier was given here: its class of a page is then R > 0 [R],
  a page of R = 0 hardly has a block over lambda, and `bcw_cc` is the same search as `fccbs`. With
  `--param classifier=FILE --param S=CLASS` they part.
* **The crawlers by time.** The topic rainstorm has no date. `temporal_intent` and `event_model` are then best-first
  search by Eq. (13) of paper 001, and find the same; `date_segments` has nothing but dates to go by, which say
  nothing of the labels here, and finds about what breadth-first search does.
* **`moaco` and `olmoaco`** are one search; they differ where the topic's ontology was learned otherwise.
* **`hits`, `fish`, `gafc` and `adaptive_ga`** are far below the others that are guided. `fish` knows yes or no of a
  page, and `hits` hubs and authorities, neither of them the text of a link. `gafc` fetches three fifths of all links of
  its relevant pages before it looks again, and with the printed threshold of .05 nearly every page with a word of the
  topic is relevant (trap T28): within a generation it is a search by breadth. Its mutations are not what costs it, as
  the table with one parameter changed shows.
* **`shark`, `fish` and `hits` below breadth-first search on wikispeedia.** Hardly a link of that web has a word of the
  topic in its text, so all is said by the pages that contain it. R of the papers is a cosine, free of scale: one or
  two stray words make a page as relevant as a whole text on the topic, and of the pages with R > .7, which is what
  `fish` and the root set of `hits` go by, few are labelled. `shark` and `fish` keep the largest score over the pages
  that contain a link, so one such page lifts all that it links to; best-first search and those with the priority of
  paper 000 take the mean, in which they cancel out. What weight `shark` gives to the text of a link does not matter
  then: the table with one parameter changed.
* **`wang_landau`** goes on purpose where it has seldom been. On wikispeedia there is one host, and competition of
  regions has nothing to choose from.
"""


def page(results: str | None) -> str:
    """The page; ``results`` is the text of benchmarks/strategies.md, None where it was not measured."""
    rows = [f"| `{cls.name}` | {cls.title} | {cls.paper} | `{_file(cls)}` |" for cls in STRATEGIES.values()]
    parts = [
        _INTRODUCTION,
        "## All by name\n",
        "\n".join(["| name | title | published | file |", "|---|---|---|---|", *rows]) + "\n",
    ]
    if results is not None:
        parts += [f"## What each found\n\nFrom [the benchmark]({RESULTS}).\n", _tables(results), _ORDERINGS]
    if NOT_BUILT:
        missing = [f"| {system} | {what} |" for system, what in NOT_BUILT.items()]
        parts += ["## What is not built\n", "\n".join(["| system | what is missing |", "|---|---|", *missing]) + "\n"]
    guides = [f"| `{name}` | {function.title} |" for name, function in RELEVANCE.items()]
    parts += [_GUIDES, "\n".join(["| name | function |", "|---|---|", *guides]) + "\n"]
    parts += [_SHARED, "## Parameters and readings\n", *(_entry(cls) for cls in STRATEGIES.values())]
    return "\n".join(parts)


def _entry(cls: type[Strategy]) -> str:
    lines = [f"### {cls.name}", "", f"{cls.title}. {_first_sentences(cls)}", ""]
    told = about(cls)
    parameters = [
        f"| `{f.name}` | {_default(f.default)} | {told[f.name]['allowed']} | {_plain(told[f.name]['meaning'])} |"
        for f in fields(cls.Parameters)
    ]
    if parameters:
        lines += ["| parameter | default | allowed | meaning |", "|---|---|---|---|", *parameters, ""]
    lines += [f"* {trap}: {reading}" for trap, reading in cls.readings.items()]
    made = cls()
    reads = ", ".join(f"`{name}`" for name in made.features) or "nothing but the order of discovery"
    guides = ", ".join(f"`{name}`" for name in made.guides or (made.guide,))
    lines += [f"* Reads {reads}; relevance by {guides}.", ""]
    return "\n".join(lines)


def _default(value: object) -> str:
    return f"`{value}`" if isinstance(value, str | bool) else f"{value:g}"


def _plain(meaning: str) -> str:
    return meaning.replace("``", "`").replace("|", "\\|")


def _first_sentences(cls: type[Strategy]) -> str:
    """The first paragraph of the class's docstring."""
    return " ".join(inspect.getdoc(cls).split("\n\n")[0].split()) if cls.__doc__ else ""  # type: ignore[union-attr]


def _file(cls: type[Strategy]) -> str:
    return cls.__module__.rsplit(".", 1)[-1] + ".py"


def _tables(results: str) -> str:
    """The tables of the benchmark's page, one heading deeper."""
    body = results[results.index("\n## ") :] if "\n## " in results else results
    return body.replace("\n## ", "\n### ").strip() + "\n"


def build(path: Path) -> str:
    """The page that belongs to ``path``."""
    measured = path.parent / RESULTS
    return page(measured.read_text(encoding="utf-8") if measured.exists() else None)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the page; 0, or 3 where it is out of date."""
    return generated_page.main(arguments, "tools.strategy_catalogue", __doc__, PAGE, build)


if __name__ == "__main__":
    sys.exit(main())
