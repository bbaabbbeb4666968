"""docs/strategies.md: every strategy as described by its class.

    python -m tools.strategy_catalogue [docs/strategies.md] [--check]

With --check nothing is written, and the exit code is 3 if the page is out of date.
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
from ontocrawl.runs.plan import prior_parts
from tools import generated_page

PAGE = Path("docs/strategies.md")
PRIOR = "crawl.md#begin-with-what-earlier-crawls-found-out"
RESULTS = "benchmarks/strategies.md"
NOT_BUILT: Mapping[str, str] = {
    "SDVSM (Liu W. et al. 2022)": "how senses are distinguished: paper 003 names the model, and no equation was found",
    "Rios-Alvarado et al. 2013": "a crawler: paper 000 cites it only for the terms hyponym and hypernym",
}
"""System -> the part that no available publication describes."""
_INTRODUCTION = """## How to run them

```text
ontocrawl crawl strategies [NAME]                                 list all, or one with its parameters
ontocrawl crawl run --strategy shark --param width=20 ..          run one, with a parameter changed
ontocrawl crawl run --strategy gafc --guide paper_004_sum ..       run one with another relevance function
ontocrawl crawl run --strategy mixture --param members=fcosa_g,wang_landau --param weights=3,1 ..
ontocrawl crawl run --strategy switching --param members=breadth_first,fcsa --param after=200 --param fcsa.T=2 ..
```

All others can be members of `mixture` and `switching`; `NAME.PARAMETER=VALUE` sets a parameter of a member.

The page lists the systems of the five papers and the baselines they compare with. Each file of `crawler/strategies` is
one family; its docstring has the citation and the steps, and its code follows them. T1, T2 .. are traps, places where a
paper contradicts itself or is wrong as printed; the reading chosen is listed with each strategy, and the printed one
is a parameter where it is available. **[R]** marks a reconstruction: the paper could not be read in full, or has no
rule. To add a strategy: [write your own strategy](python.md#write-your-own-strategy).

`olmoaco` uses the ontology of its topic, which in OLMOACO was learned by FCA, LDA and Apriori and edited by hand. To
learn and edit such an ontology: [topics and association rules](learn.md#topics-and-association-rules) **[R]**.
"""


_WHICH = (
    (
        "the most pages on a topic within some hundreds of fetches, from topic words alone",
        "`evidence_sum`, the default; with `--guide saturated` it is ahead for longer",
    ),
    (
        "the last relevant pages of a small web, in a thousand fetches or more",
        "`its`, `sa_2009` or `best_first`, which then find a little more",
    ),
    (
        "a crawl that an ontology steers",
        "`fcosa_lg` or `fcwseo`; or `evidence_sum --join 0.5`: words of the ontology are topic words",
    ),
    (
        "a crawl that costs little processor time, or whose choices are simple to explain",
        "`best_first` with `--guide density`",
    ),
    (
        "pages about an event, by date",
        "`temporal_intent`, `event_model`",
    ),
    (
        "a crawl as in a paper, or as its baseline",
        "the strategy of that name, with its published guide",
    ),
)
"""What a user wants -> the strategy to take."""
_MEASURED = """\
On eight topics of an encyclopaedia, from three starting pages each, `evidence_sum` found more labelled pages within
100 and 300 fetches than every published strategy with the same guide, and with the guides density and saturated about
as many as the best one within 600 and 1,200; on single topics it is behind
([figures](evidence.md#what-our-own-strategy-finds)). Whether an ontology adds to the topic's words depends on the topic
([figures](labs/ontologies.md)). What a choice and a page cost was [measured](evidence.md#what-a-choice-costs).
`evidence_sum` is the default ([decision 28](decisions/0028-evidence-sum-is-the-default.md), which says what it risks);
the strategies of the papers are named, as in `crawl run --topic T.toml --strategy fcosa_lg --seeds URL`.
"""


_GUIDES = """\
## Relevance functions

The *guide* of a strategy is the relevance function that it uses, by default that of its paper; `--guide NAME` selects
another one, the same for all members of a mixture. Without `--guide`, `crawl run` uses `saturated` for strategies that
read the vector of an ontology and whose guide is `paper_000`, and `word_density` in place of `density` for a topic
with a list of words; `--guide published` keeps the published guides. The
judge, which decides which pages are relevant, is set in the topic file (`relevance`).
"""


_SHARED = """\
## Readings shared by all strategies

* T4: R of the page that a link points to is predicted, half R of the anchors and half the mean R of the pages that
  contain the link [R]; it is looked up with `--target cached` or `--target oracle`.
* T6: in Eq. (9) of paper 000 N and N_i are at least 1; a text without topic words has R = 0. The anchors of all links
  to a page are one text.
* T9: the maximum of Eq. (4) is over the positions of one word, as printed; over all words with
  `--guide paper_000_page`.
* T11: a link is queued once, and scored again when another page contains it; all links and PageRank are updated every
  25 pages (`refresh_every`); as printed, after each page.
* T16, T22: all fetches count, each page once.
* The text around a link is that of its innermost block element within 250 characters on each side.
"""


_ORDERINGS = """\
## Where the order differs from the papers

Nothing was tuned for these tables: all parameters are the published or, where marked [R], the reconstructed ones, and
so are relevance functions and weights (`--guide published --weights sem`). The defaults of `crawl run` differ
([decision 7](decisions/0007-what-a-crawl-computes-with.md)); both were
[compared](evidence.md#what-learned-ontologies-find).

* **Simulated annealing beside best-first search.** In paper 000 (Table 4) FCSA is behind best-first search at the
  beginning and finds a third more at the end, in paper 002 the version with hosts a fifth more. Here both find about
  the same, because look-ahead is predicted: the term that distinguishes good from bad pages behind a bad link (paper
  000, Eq. 11) repeats the information of anchor and parents (trap T4). With `--target oracle` or `--target cached` it
  has information of its own.
* **Global and local ontologies below plain topic words on the synthetic web.** The labels come from the design of that
  web, not from the topic words (TK), and the words of the ontology (GTK) separate labelled pages from others better
  than TK. The loss of `fcosa_g`, `fcosa_lg`, `on_its`, `ma_2016` and the ant colonies comes from the printed formula. A
  cosine divides by the norm of the topic vector, so under the many words of an ontology an anchor of one or two
  relevant words has a small R and a relevant page a larger one, and in the papers' sums the page outweighs the anchor.
  With GTK := TK `fcosa_g` is best-first search. The effect of `--guide saturated` was
  [measured](evidence.md#what-learned-ontologies-find).
* **The order at 1,000 pages is that of paper 000.** There (Table 4) best-first search has an accuracy of .744, FCOSA_G
  of .714 and FCOSA_LG of .710 after 1,000 pages; the ontologies pass it later. The synthetic web shows the same order
  at 1,000 fetches. On wikispeedia, whose anchors are titles, `fcosa_lg` is ahead of best-first search at 100 and 300
  fetches, and ends early.
* **Crawls that end early.** `fcosa_g`, `fcosa_lg`, `fcpso`, `fcits_oh` and `on_its` filter links by a published or
  reconstructed threshold. On wikispeedia, where few anchors have a word of the topic, the queue is empty after
  some hundred pages; from one of the seeds `on_its` ends at once. Their precision is high for this reason. `crawl run`
  [takes rejected links then](crawl.md#know-what-becomes-of-rejected-links), the tables are with `--strict-filter`.
* **Priority evaluation and content blocks at the top of the synthetic web.** `bcw_cc`, `fcbcw` and `fccbs` read the
  text around a link; its pages have such texts. The texts of wikispeedia have no blocks, so there the two with
  tunnelling by blocks find less than `fcbcw`, which queued discarded links last when the tables were made
  (`discarded=last`; by default it drops them as the other two do). No classifier was used here: then a page with R > 0
  belongs to the class [R], a page with R = 0 rarely has a block over lambda, and `bcw_cc` is the same search as
  `fccbs`. With `--param classifier=FILE --param S=CLASS` they differ.
* **The crawlers by time.** The topic rainstorm has no date. `temporal_intent` and `event_model` are then best-first
  search by Eq. (13) of paper 001, with the same result; `date_segments` uses dates only, which are not related to the
  labels here, and finds about as many as breadth-first search.
* **`moaco` and `olmoaco`** are the same search; they differ if the ontology of the topic was learned in another way.
* **`hits`, `fish`, `gafc` and `adaptive_ga`** are far below the others that are guided. `fish` uses a binary
  relevance of pages, `hits` uses hubs and authorities, and neither uses the text of a link. `gafc` fetches three fifths
  of all links of its relevant pages before it scores again, and with the printed threshold of .05 nearly every page
  with a word of the topic is relevant (trap T28): within a generation it is a breadth-first search. Mutation is not the
  cause, as the table with one parameter changed shows.
* **`shark`, `fish` and `hits` below breadth-first search on wikispeedia.** Few links of that web have a word of the
  topic in their text, so only the pages that contain them matter. R of the papers is a cosine, which does not depend on
  length: one or two stray words make a page as relevant as a long text on the topic, and few of the pages with R > .7,
  which `fish` and the root set of `hits` use, are labelled. `shark` and `fish` keep the largest score over the pages
  that contain a link, so one such page raises all links on it; best-first search and the strategies with the priority
  of paper 000 use the mean, in which such pages cancel out. So the weight of the text of a link in `shark` has no
  effect, as the table with one parameter changed shows.
* **`wang_landau`** prefers energies that it has rarely visited. Wikispeedia has one host, so region competition has no
  effect.
"""


def page() -> str:
    """Return the page."""
    rows = [f"| `{cls.name}` | {cls.title} | {cls.paper} | `{_file(cls)}` |" for cls in STRATEGIES.values()]
    parts = [
        "# Strategies\n\nGenerated by `python -m tools.strategy_catalogue` from the classes; do not edit this page.\n",
        "## Which one to take\n",
        "\n".join(["| what you want | take |", "|---|---|", *(f"| {want} | {take} |" for want, take in _WHICH)]) + "\n",
        _MEASURED,
        _INTRODUCTION,
        "## All by name\n",
        "\n".join(["| name | title | published | file |", "|---|---|---|---|", *rows]) + "\n",
        f"## Results\n\n[The benchmark]({RESULTS}) has what each strategy finds on two webs with labels.\n",
        _ORDERINGS,
    ]
    if NOT_BUILT:
        missing = [f"| {system} | {what} |" for system, what in NOT_BUILT.items()]
        parts += ["## What is not built\n", "\n".join(["| system | what is missing |", "|---|---|", *missing]) + "\n"]
    guides = [f"| `{name}` | {function.title} |" for name, function in RELEVANCE.items()]
    parts += [_GUIDES, "\n".join(["| name | function |", "|---|---|", *guides]) + "\n"]
    parts += [_SHARED, "## Parameters and readings\n", *(_entry(cls) for cls in STRATEGIES.values())]
    return "\n".join(parts)


def _entry(cls: type[Strategy]) -> str:
    lines = [f"### {cls.name}", "", f"{cls.title}. {_first_sentences(cls)}", ""]
    texts = about(cls)
    parameters = [
        f"| `{f.name}` | {_default(f.default)} | {texts[f.name]['allowed']} | {_plain(texts[f.name]['meaning'])} |"
        for f in fields(cls.Parameters)
    ]
    if parameters:
        lines += ["| parameter | default | allowed | meaning |", "|---|---|---|---|", *parameters, ""]
    lines += [f"* Rule `{rule}`: {does}" for rule, does in cls.rules.items()]
    lines += [f"* {trap}: {reading}" for trap, reading in cls.readings.items()]
    strategy = cls()
    columns = ", ".join(f"`{name}`" for name in strategy.features) or "none"
    guides = ", ".join(f"`{name}`" for name in strategy.guides or (strategy.guide,))
    lines += [f"* Columns: {columns}; guide: {guides}."]
    lines += [f"* Of a [prior]({PRIOR}): {', '.join(parts)}."] if (parts := prior_parts(strategy)) else []
    lines += [""]
    return "\n".join(lines)


def _default(value: object) -> str:
    return f"`{value}`" if isinstance(value, str | bool) else f"{value:g}"


def _plain(meaning: str) -> str:
    return meaning.replace("``", "`").replace("|", "\\|")


def _first_sentences(cls: type[Strategy]) -> str:
    """Return the first paragraph of the docstring of a class."""
    return " ".join(inspect.getdoc(cls).split("\n\n")[0].split()) if cls.__doc__ else ""  # type: ignore[union-attr]


def _file(cls: type[Strategy]) -> str:
    return cls.__module__.rsplit(".", 1)[-1] + ".py"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the page; return the exit code, 3 if it is out of date."""
    return generated_page.main(arguments, "tools.strategy_catalogue", __doc__, PAGE, lambda _: page())


if __name__ == "__main__":
    sys.exit(main())
