"""The page docs/benchmarks/enrich.md, from the result of `python -m benchmarks.enrich`."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks import report
from benchmarks.held_out import ALL, CUTS
from benchmarks.strategies import MILESTONES

COMMAND = "python -m benchmarks.enrich --json docs/benchmarks/enrich.json"
RANKINGS = {"proposals": "proposals", "frequency": "frequency", "tf_idf": "TF-IDF"}


def page(result: report.Result) -> str:
    """Format the page; parts that were not measured are left out."""
    lines: list[str] = []
    for name, format_part in (
        ("held_out", held_out), ("judged", judged), ("relations", relations), ("circle", circle), ("speed", speed),
    ):  # fmt: skip
        if result.get(name):
            lines += format_part(result[name])
    return report.page("What enrichment finds, costs and brings", COMMAND, [*lines, f"{report.machine(result)}."])


def held_out(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Format recall of held-out classes, and their parents."""
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["ontology"], row["crawl"]), []).append(row)
    recall = []
    for (ontology, crawl), of in groups.items():
        occurring = sum(row["occurring"] for row in of)
        for name, shown in RANKINGS.items():
            counts = [sum(row["found"][name][str(cut)] for row in of) for cut in (*CUTS, "all")]
            recall.append((ontology, crawl, shown, len(of), occurring, *(_share(n, occurring) for n in counts)))
    parents = [
        (
            ontology, crawl, _mean(of, "relevant"), _mean(of, "held_out"), _mean(of, "occurring"),
            _mean(of, "on_two_pages"), *_parents(of),
        )
        for (ontology, crawl), of in groups.items()
    ]  # fmt: skip
    cuts = [f"at {cut}" for cut in CUTS]
    return [
        "## Held-out classes",
        "",
        "30 % of the classes were taken out with all their labels; their children went to their nearest broader",
        "classes. Recall is the share of those of them that occur in the relevant pages (by any label, but not within",
        f'a longer label) which proposals bring back, over all splits; "all" is the first {ALL:,}. Frequency and',
        "TF-IDF rank the n-grams of the same pages that are no label ([rules](../../benchmarks/held_out.py)).",
        "",
        *report.grid(("ontology", "crawl", "ranked by", "splits", "occurring", *cuts, "all"), recall),
        "",
        "Parents of what was brought back, of any rank: *named* is a new class with a parent; *right parent* is the",
        "nearest broader class that stayed, *right ancestor* that or any broader one. Means of the splits; the last",
        "four columns are sums.",
        "",
        *report.grid(
            ("ontology", "crawl", "relevant pages", "held out", "occurring", "on two pages", "brought back", "named",
             "right parent", "right ancestor"),
            parents,
        ),
        "",
    ]  # fmt: skip


def _parents(rows: Sequence[Mapping[str, Any]]) -> tuple[Any, ...]:
    back = sum(row["found"]["proposals"]["all"] for row in rows)
    named, right, ancestors = (
        sum(row[k] for row in rows) for k in ("named_parents", "right_parents", "right_ancestors")
    )
    return back, named, _of(right, named), _of(ancestors, named)


def _mean(rows: Iterable[Mapping[str, Any]], key: str) -> float:
    return round(statistics.mean(row[key] for row in rows), 1)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f} ({part})" if whole else "-"


def _of(part: float, whole: int) -> str:
    return f"{part:g} of {whole} ({part / whole:.2f})" if whole else "-"


def judged(result: Mapping[str, Any]) -> list[str]:
    """Format precision by two judges."""
    cuts = [f"precision at {cut}" for cut in CUTS]
    means = [
        (language, row["crawls"], *(row["precision"][str(cut)] for cut in CUTS), _of(row["right"], row["named"]),
         _of(result["parents"][language]["right"], result["parents"][language]["named"]),
         *(result["kappa"][language][name] for name in ("term", "place")))
        for language, row in result["languages"].items() if row["crawls"]
    ]  # fmt: skip
    crawls = [
        (row["crawl"], row["language"], row["proposals"], *(row["precision"][str(cut)] for cut in CUTS),
         row["classes"], _of(row["parents"]["right"], row["parents"]["named"]))
        for row in result["crawls"]
    ]  # fmt: skip
    drawn = [(name, _of(row["right"], row["named"]), row["interval"]) for name, row in result["relations"].items()]
    return [
        "## Judged proposals",
        "",
        f"{result['judged']} different proposals by two blind judges; [the protocol](../judged-proposals.md),",
        "[their verdicts](enrich-verdicts.tsv). What many crawls propose counts in each, in *each once* once.",
        "",
        *report.grid(("language", "crawls", *cuts, "right parents", "each once", "kappa: term", "kappa: place"), means),
        "",
        *report.grid(("crawl", "language", "proposals", *cuts, "classes", "right of the named parents"), crawls),
        "",
        *report.grid(("relations drawn from", "right", "95 % interval"), drawn),
        "",
    ]


def relations(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Format recall of cause-effect triples."""
    keys = ("ontology", "list", "known_ends", "in_one_text", "in_one_sentence", "found", "extracted")
    return [
        "## Relations",
        "",
        "Cause-effect triples of `guangdong_disaster_news` whose two ends are known concepts and stand in one text,",
        "and those of them that a proposed relation `causes` states. The lists were made by a language model; the",
        "[rule](../../benchmarks/stated_causes.py) says what counts.",
        "",
        *report.grid([key.replace("_", " ") for key in keys], [[row[key] for key in keys] for row in rows]),
        "",
    ]


def circle(kinds: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Format the differences of the circle."""
    lines = ["## The circle", ""]
    for kind, told in kinds.items():
        rows = [
            (row["setting"], row["round"], row["crawls"], _range(row["accepted"]),
             *(row["gain"][str(n)] for n in MILESTONES))
            for row in told["compared"]
        ]  # fmt: skip
        who = "the judges accept" if kind == "judges" else "is a held-out class, with its true parent (the upper bound)"
        control = [row for row in told["rows"] if row["setting"] == "unchanged"]
        found = ", ".join(f"{statistics.mean(r['found_at'][str(n)] for r in control):.1f} at {n:,}" for n in MILESTONES)
        lines += [
            f"Wikispeedia, {told['starts']} starting pages, {told['fetches']:,} fetches; accepted is what {who}.",
            f"Labelled pages by the unchanged ontology: {found}. Gains over it from the same start, by label, with",
            "95 % intervals (Student's t); *whole* is the curated ontology that nothing was taken from.",
            "",
            *report.grid(("ontology", "round", "crawls", "accepted", *(f"at {n:,}" for n in MILESTONES)), rows),
            "",
        ]
    return lines


def _range(values: Sequence[int]) -> str:
    return f"{min(values)} to {max(values)}" if values else "-"


def speed(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Format time and memory."""
    keys = ("pages", "relevant", "characters", "seconds", "processor_seconds", "peak_mb", "of_it_pages_mb", "proposals")
    return [
        "## Time and memory",
        "",
        "A process each; a page is relevant if a word of the topic stands in it",
        "([pages](../../benchmarks/enrich_speed.py)).",
        "",
        *report.grid([key.replace("_", " ") for key in keys], [[row[key] for key in keys] for row in rows]),
        "",
    ]
