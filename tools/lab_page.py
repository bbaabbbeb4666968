"""The results in docs/lab.md: the main tables and plots of the labs in docs/labs, from their summary.json.

python -m tools.lab_page [PAGE] [--check]

`python -m tools.lab_results DIR NAME` puts the results of a lab there.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ontocrawl.lab.paper_claims import FEW, SAID
from ontocrawl.lab.paper_values import AS_PRINTED, Evidence
from tools import generated_page

MODULE = "tools.lab_page"
PAGE = Path(__file__).resolve().parent.parent / "docs" / "lab.md"
LABS, SUMMARY = "labs", "summary.json"
METRICS = {"relevant_by_label": "relevant by label", "relevant_by_judge": "relevant by the judge"}
BY_LABELS = Evidence(1, "")
"""Verdicts that are shown beside those of the papers' own count."""
_PLACE = re.compile(r"<!-- results -->\n.*?<!-- end of results -->", re.DOTALL)


def build(page: Path) -> str:
    """Return the text of the page with the results of the folder `LABS` beside it between its marks."""
    reports = sorted((page.parent / LABS).glob("*.md"))
    lines = [line for report in reports for line in _lab(report)]
    block = "\n".join(
        ["<!-- results -->", f"<!-- written by python -m {MODULE} -->", "", *lines, "<!-- end of results -->"]
    )
    text = page.read_text(encoding="utf-8")
    if not _PLACE.search(text):
        raise ValueError(f"{page}: expected the marks <!-- results --> and <!-- end of results -->, found none")
    return _PLACE.sub(lambda _: block, text)


def _lab(report: Path) -> Iterator[str]:
    """Yield the lines about a lab: its heading, and with a summary its tables and plots."""
    path = report.with_suffix("") / SUMMARY
    if not path.exists():
        title = report.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        yield from (f"* [{title}]({LABS}/{report.name})", "")
        return
    found = json.loads(path.read_text(encoding="utf-8"))
    crawled = f"{found['cells']} crawls of {found['fetches']:,} requests, {found['seeds']} seeds"
    failed = f"; {found['failed']} failed" if found["failed"] else ""
    yield from (f"### {found['title']}", "", f"{found['about']} {crawled}{failed}, by `{found['command']}`.", "")
    if found["claims"]:
        yield from _claims(found["claims"], found["seeds"])
    elif found.get("ontology"):
        yield from _ontology(found["ontology"])
    else:
        for world in found["worlds"]:
            yield from _world(world, f"{LABS}/{report.stem}", page=report.parent.parent)
    yield from (f"[The whole report]({LABS}/{report.name}).", "")


def _claims(rows: Sequence[dict[str, str]], seeds: int) -> Iterator[str]:
    """Yield the claims of the papers with their verdicts: those tested at their own number of pages in words."""
    for said in SAID.values():
        told = [f"{row['claim']} ({row['paper']}, on {row['world']})" for row in rows if row[AS_PRINTED.name] == said]
        yield from (f"**{said.capitalize()}**, counted as printed: {'; '.join(told) or 'none'}.", "")
    if seeds < FEW:
        yield from (
            f"Intervals of {seeds} webs are too narrow: some of these verdicts are luck. Take {FEW} or more.",
            "",
        )
    shown = {
        "claim": "claim", "paper": "printed in", "world": "on", "here DP": "pages",
        AS_PRINTED.name: "as printed", BY_LABELS.name: "by labels, equal requests",
        "pairs that hold": "pairs that hold",
    }  # fmt: skip
    yield (
        "*As printed* is by the judge at equal numbers of pages. A verdict in brackets is of another number of pages "
        "than the claim. On worlds with oracle in their name a crawler looks at the target of a link before it decides."
    )
    yield ""
    yield from (_counted(rows, one) for one in (AS_PRINTED, BY_LABELS))
    yield ""
    yield f"| {' | '.join(shown.values())} |"
    yield "|---|---|---|---:|---|---|---:|"
    yield from (f"| {' | '.join(row[name] for name in shown)} |" for row in rows)
    yield ""


def _ontology(found: dict[str, Any]) -> Iterator[str]:
    """Yield what ontologies add to crawlers, in place of the tables of each web."""
    for line in found["told"]:
        yield from (line, "")
    yield from (found["title"], "")
    yield f"| {' | '.join(found['columns'])} |"
    yield "|---|" + "---:|" * (len(found["columns"]) - 1)
    yield from (f"| {' | '.join(row)} |" for row in found["rows"])
    yield ""


def _counted(rows: Sequence[dict[str, str]], evidence: Evidence) -> str:
    """Return how many claims hold by some evidence, those in brackets apart."""
    said = Counter(row[evidence.name] for row in rows)
    told = ", ".join(f"{said[one]} {one}" for one in SAID.values())
    aside = ", ".join(f"{said[f'({one})']} {one}" for one in SAID.values())
    return f"* By {evidence.name}: {told}; in brackets {aside}."


def _world(world: dict[str, Any], folder: str, page: Path) -> Iterator[str]:
    last = f"{world['at'][-1]:,}"
    columns = (
        "system",
        *(f"{n:,}" for n in world["at"]),
        f"interval at {last}",
        "mean rank",
        f"by the judge at {last}",
    )
    rows = [
        (one["system"], *map(_number, one["means"]), _interval(one["interval"]), f"{one['rank']:.1f}",
         _number(one["by_judge"]))
        for one in world["systems"]
    ]  # fmt: skip
    rows += [(one["reference"], *map(_number, one["means"]), "", "", "") for one in world["references"]]
    yield from (f"Pages {METRICS[world['metric']]} on {world['world']}, after so many requests:", "")
    yield f"| {' | '.join(columns)} |"
    yield "|---|" + "---:|" * (len(columns) - 1)
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""
    yield from _told(world)
    for name in (f"harvest-{world['slug']}-{world['metric'].rpartition('_')[2]}", f"cd-{world['slug']}"):
        if (page / folder / f"{name}.svg").exists():
            yield from (f"![{name}]({folder}/{name}.svg)", "")


def _told(world: dict[str, Any]) -> Iterator[str]:
    """Yield what the tests say, and how far the baseline is behind."""
    told = []
    if "friedman_p" in world:
        told.append(f"Friedman's p = {world['friedman_p']:.2g}.")
    told.append(
        f"Standard deviation of the systems' means {world['spread_systems']:.1f}, of one system over the seeds "
        f"{world['spread_seeds']:.1f}."
    )
    means = {one["system"]: one["means"][-1] for one in world["systems"]}
    if world["baseline"] in means and max(means.values()):
        best = max(means, key=lambda name: means[name])
        behind = 1 - means[world["baseline"]] / means[best]
        told.append(f"{world['baseline']} is {behind:.1%} behind the best, {best}.")
    yield from (" ".join(told), "")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}"


def _interval(ends: Sequence[float] | None) -> str:
    return "" if ends is None else ", ".join(f"{end:,.1f}" for end in ends)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the page."""
    return generated_page.main(arguments, MODULE, __doc__, PAGE, build)


if __name__ == "__main__":
    sys.exit(main())
