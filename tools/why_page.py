"""docs/why.md: what `crawl explain` and `crawl score` print, from a real crawl, and every reason code.

    python -m tools.why_page [docs/why.md] [--check]

Crawls a synthetic web in a temporary folder (some seconds). With --check nothing is written, and a page that is out of
date is an error (exit code 3).
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

from crawler.journal.ledger import fates
from crawler.reasons import REASONS
from ontocrawl.base import workspace
from ontocrawl.cli.main import invoke
from ontocrawl.cli.output import quoted
from ontocrawl.runs import runs
from tools import generated_page

PAGE = Path("docs/why.md")
RUN = "first"
CRAWL = (
    "crawl", "run", "--topic", "rainstorm", "--world", "synthetic:planted?pages=300&seed=1",
    "--exclude-host", "tiyu.example", "--strategy", "fcsa", "--param", "eta=0.2", "--limit-pages", "150", "--run", RUN,
    "--no-graph",
)  # fmt: skip
"""A crawl with links of every fate that the page shows."""
FILE = "<title>暴雨橙色预警</title>\n<p>气象台发布暴雨橙色预警，注意防范城市内涝等灾害。<a href='/'>天气首页</a></p>\n"
_WAY, _LINK, _CHOICE, _TRIES = "The way from", "The link, as", "The choice of", "Each time"
_PARENTS, _NEAREST = "Pages that link", "Nearest known"
EXAMPLES: Sequence[tuple[str, str, str, Sequence[str]]] = (
    (
        "fetched",
        "See why a page was fetched",
        "The way from a seed, the five topic words with the largest parts of R, the choice, and what the strategy saw.",
        (),
    ),
    (
        "queued",
        "See where a link waits",
        "The features, the priority and the rank are those of now.",
        (_WAY, _LINK),
    ),
    (
        "rejected_by_strategy",
        "See why a strategy rejected a link",
        "The priority is the one that the strategy gives the link; here it is not greater than `--param eta=0.2`.",
        (_WAY, _LINK, _PARENTS),
    ),
    ("host_excluded", "See which rule of the scope rejected a link", "", (_WAY, _PARENTS)),
    ("robots_denied", "See what robots.txt closed", "", (_WAY, _CHOICE, _TRIES)),
    (
        "duplicate_redirect",
        "See through which link a page was read",
        "",
        (_WAY, _TRIES),
    ),
    ("unknown", "Find the URL that you meant", "", (_NEAREST,)),
)
"""Fate, heading, explanation, and the parts of the output that are shown; () for all."""
_INTRODUCTION = """# Why did it fetch this

Written by `python -m tools.why_page` from a real crawl; not edited by hand.

After this page you can ask of any URL why a crawl fetched it, or why it did not, and see every part of its score.

```text
$ ontocrawl crawl explain RUN URL          why a run fetched a page, or did not; --json for scripts
$ ontocrawl crawl score FILE               R of one page by a topic, and what each word contributes
```

The run may be finished, interrupted, or going on in another process; its journal is only read. The answers below are of
this run over the synthetic web, in a terminal of 80 columns:"""
_SCORED = """`crawl score` takes a file of HTML or plain text in any encoding, or a URL, which it fetches as a crawl
does: robots.txt is obeyed, redirects are followed, addresses are checked. The judge is that of `crawl run`, by the same
settings; `--judge` and `--threshold` choose [another one](topics.md#choose-a-judge). `--run RUN` scores a page of a
run by the counts in its journal, with the document frequencies that the crawl had then; nothing is fetched."""
_REPLAY = """## Know where the figures come from

The way, the tries, the pages with the link, their anchors and R are in the journal of the run. What the strategy saw of
a link when it chose it (features, rank, PageRank, queue) is not: the choices of the run are made again up to that one,
from the last snapshot before it, and each is compared with the journal, as `crawl resume` does. So the figures are
exact. Nothing is fetched, but in a long run this takes a while; a bar on stderr shows how far it is, and `--no-replay`
leaves these figures out. They are also left out, with a note, where the file of the strategy has changed since.

`part` is the share of R that a word has: R divided among the words in proportion to their summands in the sum that R is
a function of (the numerator of a cosine, the mass of a density). The parts add up to R. Document frequencies, which
some functions use, are those of the run right after the page."""
_KEYS: Mapping[str, str] = {
    "fetched": "whether the page of this URL was fetched and counts",
    "reason": (
        "null for a fetched page, else a [reason code](#look-up-a-reason-code); `happened` and `advice` say it in words"
    ),
    "path": (
        "from a seed to the URL: `url`, `title`, `how` (seed, asked, link, redirect or canonical), `anchor`, "
        "`relevance`, `relevant`; empty where the URL is unknown"
    ),
    "score": (
        "`page`: R by judge and guides with `words`, the judge's `decision`, `published`; `link`: `priority`, `rank`, "
        "`queue`, `features`, `pagerank`, `anchor_words`, `block`, `date`, `host`, `terms`, `prior` ([what earlier "
        "crawls add](crawl.md#begin-with-what-earlier-crawls-found-out)) ..; `chosen`: `number` of the pick, "
        "`priority`, `tag`, `move`; `parents` and `parents_relevance`. Null for an unknown URL; missing parts are null"
    ),
    "tries": "each choice of the link with its outcome",
    "read_through": "the link through which the page was read, where it was another one",
    "skipped_on": "the page with a hyperlink to the URL that was not followed",
    "nearest": "known URLs near to an unknown one, and what differs",
    "notes": "what could not be found out, and why",
    "taught": (
        "what a person said of the page by [`--like`, `--unlike` or `crawl teach`]"
        "(crawl.md#teach-a-crawl-by-examples): `liked`, `at`, and `fetched`, the pages of the run at that time; "
        "null for nothing"
    ),
}
"""Key of `crawl explain --json` -> its content."""
_JSON = """## Read it in scripts and in Python

`crawl explain RUN URL --json` prints one document; the exit code is 0 for an unknown URL too.

{keys}

In Python, `Run.explain` returns the same as an object, and `Topic.score` scores HTML:

```python
import ontocrawl

why = ontocrawl.Run("first").explain("http://qixiang.example/")
why.fetched, why.reason, [step.url for step in why.path], why.score.page.judge.R

ontocrawl.Topic("rainstorm").score("<title>暴雨预警</title>").parts.words
```"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the page; 0, or 3 where it is out of date."""
    return generated_page.main(arguments, "tools.why_page", __doc__, PAGE, lambda _: build())


def build() -> str:
    """The page, from a crawl made for it."""
    with tempfile.TemporaryDirectory(prefix="ontocrawl-why-") as folder, chdir(folder), generated_page.narrow():
        workspace.init(Path(folder))
        Path("page.html").write_text(FILE, encoding="utf-8")
        printed(*CRAWL)
        shown = _urls(Path(folder))
        parts = [_INTRODUCTION, _fence([f"$ {quoted('ontocrawl', *CRAWL)}"])]
        for fate, heading, text, kept in EXAMPLES:
            arguments = ("crawl", "explain", RUN, shown[fate])
            lines = [f"$ {quoted('ontocrawl', *arguments)}", *shortened(printed(*arguments), kept)]
            parts += [f"## {heading}", *([text] if text else []), _fence(lines)]
        keys = "\n".join(["| key | content |", "|---|---|", *(f"| `{key}` | {text} |" for key, text in _KEYS.items())])
        parts += [_score(), _REPLAY, _JSON.replace("{keys}", keys), _codes()]
    return "\n\n".join(parts) + "\n"


def printed(*arguments: str) -> str:
    """What a command prints on stdout. Raises RuntimeError where it fails."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = invoke(arguments)
    if code != 0:
        raise RuntimeError(f"{quoted('ontocrawl', *arguments)} ended with {code}: {err.getvalue()}")
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip().splitlines())


def shortened(text: str, kept: Sequence[str]) -> list[str]:
    r"""The lines of an output: its first block, and the tables whose title begins with one of ``kept``; () for all.

    >>> shortened("url\n\nOne\n1\n\nTwo\n2\n\nThree\n3", ["Two"])
    ['url', '', '..', '', 'Two', '2', '', '..']
    """
    first, *blocks = text.split("\n\n")
    lines = first.splitlines()
    for block in blocks:
        if not kept or block.startswith(tuple(kept)):
            lines += ["", *block.splitlines()]
        elif lines[-1] != "..":
            lines += ["", ".."]
    return lines


def _urls(folder: Path) -> Mapping[str, str]:
    """Fate -> the URL that shows it: the last fetched page, the first link of each other fate, a misspelt URL."""
    space, _ = workspace.find(folder)
    with runs.open_journal(space, RUN) as journal:
        known = [(url, fate) for _, url, fate in fates(journal)]
        (last,) = journal.query(
            "SELECT u.url FROM page p JOIN url u ON u.id = p.link JOIN link l ON l.target = p.link "
            "WHERE p.failure IS NULL AND p.relevant AND l.relevance > 0.5 ORDER BY p.seq DESC LIMIT 1"
        )
    first = {fate: url for url, fate in reversed(known)}
    return {**first, "fetched": last[0], "unknown": last[0].removesuffix("l")}


def _score() -> str:
    lines = [f"$ {quoted('cat', 'page.html')}", *FILE.splitlines()]
    arguments = ("crawl", "score", "page.html", "--topic", "rainstorm")
    lines += [f"$ {quoted('ontocrawl', *arguments)}", *printed(*arguments).splitlines()]
    return f"## Score one page\n\n{_fence(lines)}\n\n{_SCORED}"


def _codes() -> str:
    rows = [f"| `{code}` | {reason.happened} | {reason.advice} |" for code, reason in REASONS.items()]
    head = ["## Look up a reason code", "", "| code | what happened | what to change |", "|---|---|---|"]
    return "\n".join([*head, *rows])


def _fence(lines: Sequence[str]) -> str:
    return "\n".join(["```text", *lines, "```"])


if __name__ == "__main__":
    sys.exit(main())
