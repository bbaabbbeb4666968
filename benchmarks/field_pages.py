"""The part of benchmarks/hierarchy.py about fields: figures, verdicts by field and by rule, and what was aimed at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks import report
from benchmarks.fields import BY_NAME, MAX_TERMS
from benchmarks.judging import BY_WORDNET, DRAWN, KINDS, SEED, VERDICTS, Judged, Key, Sample, samples_of, verdicts

LANGUAGES = {"zh": "Chinese", "en": "English"}
GROUPS = ("development", "seen", "checking")


def measure(judged: Mapping[str, Judged], samples: Sequence[Sample]) -> dict[str, Any]:
    """Put figures and verdicts together.

    Args:
        judged: the verdicts, by kind.
        samples: what was drawn.

    Returns:
        JSON values: rows by sample, by rule, and agreement by language.
    """
    rows = [sample_row(sample, judged) for sample in samples]
    return {
        "drawn": DRAWN,
        "seed": SEED,
        "samples": rows,
        "rules": rule_rows(samples, judged["edges"]),
        "terms": term_rows(samples, judged["terms"]),
        "wordnet": wordnet_rows(judged["edges"]),
        "agreement": agreement(judged),
    }


def run() -> dict[str, Any]:
    """Learn the fields, and measure."""
    return measure(verdicts(), samples_of(GROUPS))


def sample_row(sample: Sample, judged: Mapping[str, Judged]) -> dict[str, Any]:
    """Return the figures and verdicts of a sample."""
    told = {"name": sample.name, "group": sample.group, "language": sample.language, "figures": dict(sample.figures)}
    edges, terms = judged["edges"].outcome(sample.edges), judged["terms"].outcome(sample.terms)
    rare = judged["terms"].outcome(sample.rare)
    return told | {"edges": edges, "terms": terms, "rare": rare} | content(sample.figures, edges)


def content(told: Mapping[str, Any], edges: Mapping[str, Any]) -> dict[str, Any]:
    """Return the shares of placed terms without those under a class without content; none before edges are judged."""
    bucket = edges["bucket"]["share"]
    names = {"placed_with_content": "placed_share", "keywords_with_content": "keywords_placed"}
    shares = {name: told.get(plain) for name, plain in names.items()}
    return {
        name: None if share is None or bucket is None else round(share * (1 - bucket), 3)
        for name, share in shares.items()
    }


def rule_rows(samples: Sequence[Sample], judged: Judged) -> list[dict[str, Any]]:
    """Return the verdicts by the rule that made the edge, for each language and purpose."""
    rows = []
    for language in LANGUAGES:
        for group in GROUPS:
            mine = [s for s in samples if (s.language, s.group) == (language, group)]
            rules = {key: rule for sample in mine for key, rule in sample.rules.items()}
            drawn = [key for sample in mine for key in sample.edges]
            for rule in sorted(set(rules.values())):
                keys = [key for key in drawn if rules[key] == rule]
                told = {"language": language, "group": group, "rule": rule, "edges": [*rules.values()].count(rule)}
                rows.append(told | judged.outcome(keys))
    return rows


def term_rows(samples: Sequence[Sample], judged: Judged) -> list[dict[str, Any]]:
    """Return the verdicts on terms that are placed and on those that are not, for each language and purpose."""
    rows = []
    for language in LANGUAGES:
        for group in GROUPS:
            mine = [s for s in samples if (s.language, s.group) == (language, group)]
            for kind, placed in (("placed", True), ("not placed", False)):
                keys = [key for s in mine for key in dict.fromkeys((*s.terms, *s.rare)) if (key in s.placed) is placed]
                rows.append({"language": language, "group": group, "kind": kind} | judged.outcome(keys))
    return rows


def wordnet_rows(judged: Judged) -> list[dict[str, Any]]:
    """Return the verdicts on edges that a wordnet made, for each language."""
    keys = [key for key, note in judged.notes.items() if BY_WORDNET in note]
    return [
        {"language": language} | judged.outcome([key for key in keys if _language(key[0]) == language])
        for language in LANGUAGES
    ]


def agreement(judged: Mapping[str, Judged]) -> list[dict[str, Any]]:
    """Return how far the judges agree on all that both have judged, by language and kind."""
    rows = []
    for language in LANGUAGES:
        for kind in KINDS:
            keys = [key for key in judged[kind].verdicts["a"] if _language(key[0]) == language]
            told = judged[kind].outcome(keys)
            rows.append({"language": language, "kind": kind} | {k: told[k] for k in ("judged", "agreed", "kappa")})
    return rows


def _language(name: str) -> str:
    return BY_NAME[name].language if name in BY_NAME else "zh"  # the disaster corpora


def percent(share: float | None) -> str:
    """Format a share; a dash if there is none."""
    return "–" if share is None else f"{share:.0%}"


def with_interval(told: Mapping[str, Any]) -> str:
    """Format a share with its interval."""
    if told["share"] is None:
        return "–"
    low, high = told["interval"]
    return f"{told['share']:.0%} ({low:.0%} to {high:.0%})"


def lines(result: Mapping[str, Any]) -> list[str]:
    """Format the part about fields as Markdown."""
    rows = result["samples"]
    return [
        "## Fields without lists",
        "",
        f"Learned without any class, ending or lexicon, {MAX_TERMS} terms at most. A term is placed when it is below",
        "a class other than the root. *Keywords* are those terms that are author keywords of two or more records,",
        "*multiword* those of several English words. *Largest* is the share of the terms below the largest class.",
        "",
        *_figure_table((row["name"], row["group"], row["figures"]) for row in rows),
        "",
        "Placed by the length of the term:",
        "",
        *_length_table([(row["name"], row["figures"]) for row in rows]),
        "",
        "Direct edges by the most trusted rule that made them:",
        "",
        *_rules_of_fields([(row["name"], row["figures"]) for row in rows]),
        "",
        "## Judged edges of the fields",
        "",
        f"{result['drawn']} edges of each field, two blind judges, by the",
        "[protocol](../compare.md#judge-a-learned-hierarchy); shares with 95 %",
        "intervals. *Placed* leaves out the share of edges to classes without content.",
        "",
        *_edge_table(rows),
        "",
        "Agreement of the judges; the disagreements are in [judged fields](../judged-fields.md):",
        "",
        *_agreement_table(result["agreement"]),
        "",
        "## What carries",
        "",
        "Judged edges by the most trusted rule that made them.",
        "",
        *_carry_table(result["rules"]),
        "",
        "Edges by [a wordnet](../learn.md#place-terms-by-a-wordnet) in twelve fields, 20 of each at most:",
        "",
        *report.grid(
            ("language", "judged", *VERDICTS["edges"]),
            (
                (LANGUAGES[r["language"]], r["judged"], *(with_interval(r[verdict]) for verdict in VERDICTS["edges"]))
                for r in result["wordnet"]
            ),
        ),
        "",
        "## Judged terms of the fields",
        "",
        *_term_table(rows, "terms"),
        "",
        "Those of two documents, which were drawn besides:",
        "",
        *_term_table(rows, "rare"),
        "",
        "All drawn terms, by whether they are placed:",
        "",
        *_placed_table(result["terms"]),
        "",
    ]


def _figure_table(rows: Iterable[tuple[str, str, Mapping[str, Any]]]) -> list[str]:
    columns = (
        "field", "", "documents", "terms", "placed", "keywords placed", "multiword placed", "classes", "depth",
        "children of the root", "largest",
    )  # fmt: skip

    def part(told: Mapping[str, Any], name: str) -> str:
        return f"{percent(told[f'{name}_placed'])} of {told[name]}" if told[name] else "–"

    return report.grid(
        columns,
        (
            (
                name, group, f["documents"], f["terms"], f"{f['placed']} ({percent(f['placed_share'])})",
                part(f, "keywords"), part(f, "multiword"), f["classes"], f["depth"], f["children_of_root"],
                f"{f['largest_class']} {percent(f['largest_share'])}",
            )
            for name, group, f in rows
        ),
    )  # fmt: skip


def _length_table(rows: Sequence[tuple[str, Mapping[str, Any]]]) -> list[str]:
    lengths = sorted({length for _, told in rows for length in told["by_length"]})
    return report.grid(
        ("field", *lengths),
        (
            (
                name,
                *(
                    f"{placed} of {n}" if n else "–"
                    for placed, n in (told["by_length"].get(k, (0, 0)) for k in lengths)
                ),
            )
            for name, told in rows
        ),
    )


def _rules_of_fields(rows: Sequence[tuple[str, Mapping[str, Any]]]) -> list[str]:
    rules = sorted({rule for _, told in rows for rule in told["edges_by_rule"]})
    return report.grid(
        ("field", *rules), ((name, *(told["edges_by_rule"].get(r, 0) for r in rules)) for name, told in rows)
    )


def _edge_table(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return report.grid(
        ("", "", "judged", *VERDICTS["edges"], "placed"),
        (
            (
                row["name"], row["group"], f"{row['edges']['judged']} of {row['edges']['drawn']}",
                *(with_interval(row["edges"][verdict]) for verdict in VERDICTS["edges"]),
                percent(row["placed_with_content"]),
            )
            for row in rows
        ),
    )  # fmt: skip


def _agreement_table(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return report.grid(
        ("", "", "judged by both", "agreed", "Cohen's kappa"),
        (
            (LANGUAGES[r["language"]], r["kind"], r["judged"], r["agreed"], "–" if r["kappa"] is None else r["kappa"])
            for r in rows
        ),
    )


def _carry_table(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return report.grid(
        ("language", "fields", "rule", "edges", "judged", *VERDICTS["edges"]),
        (
            (
                LANGUAGES[r["language"]], f"for {r['group']}", r["rule"], r["edges"], r["judged"],
                *(with_interval(r[verdict]) for verdict in VERDICTS["edges"]),
            )
            for r in rows
        ),
    )  # fmt: skip


def _term_table(rows: Iterable[Mapping[str, Any]], drawn: str) -> list[str]:
    return report.grid(
        ("field", "", "judged", "class", "individual", "no class"),
        (
            (
                row["name"], row["group"], f"{row[drawn]['judged']} of {row[drawn]['drawn']}",
                *(with_interval(row[drawn][verdict]) for verdict in VERDICTS["terms"]),
            )
            for row in rows
        ),
    )  # fmt: skip


def _placed_table(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return report.grid(
        ("language", "fields", "terms", "judged", "class", "individual", "no class"),
        (
            (
                LANGUAGES[r["language"]], f"for {r['group']}", r["kind"], f"{r['judged']} of {r['drawn']}",
                *(with_interval(r[verdict]) for verdict in VERDICTS["terms"]),
            )
            for r in rows
        ),
    )  # fmt: skip


def judged_page(judged: Mapping[str, Judged]) -> str:
    """Format docs/judged-fields.md: disagreements, and the edges and terms that no judge accepts."""
    told = [
        "# Judged edges and terms of fields",
        "",
        "Generated by `python -m benchmarks.hierarchy --json docs/benchmarks/hierarchy.json` from",
        "[judged-fields.tsv](judged-fields.tsv) and [judged-field-terms.tsv](judged-field-terms.tsv); do not edit.",
        "[Judging](compare.md#judge-a-learned-hierarchy) says how, the figures are on",
        "[hierarchy](benchmarks/hierarchy.md). The lists have the",
        "verdicts of earlier draws too.",
        "",
        *_agreement_table(agreement(judged)),
        "",
    ]
    for kind in KINDS:
        said, notes = judged[kind].both(judged[kind].verdicts["a"]), judged[kind].notes
        columns = ("field", "child", "parent") if kind == "edges" else ("field", "term")
        differing = [(*key, a, b, notes.get(key, "")) for key, (a, b) in sorted(said.items()) if a != b]
        told += [
            f"## Disagreements on {kind}",
            "",
            *report.grid((*columns, "judge a", "judge b", "note"), differing),
            "",
        ]
        good = VERDICTS[kind][0]
        for verdict in VERDICTS[kind][1:]:
            listed = sorted(key for key, pair in said.items() if pair == (verdict, verdict))
            told += [f"## {kind.capitalize()}: {verdict}, both judges", "", *_by_field(listed, notes), ""]
        accepted = sum(pair == (good, good) for pair in said.values())
        told += [f"Both judges gave `{good}` to {accepted} of {len(said)} {kind}.", ""]
    return "\n".join(told)


def _by_field(keys: Sequence[Key], notes: Mapping[Key, str]) -> list[str]:
    """Format edges or terms as one list item a field."""
    by_field: dict[str, list[str]] = {}
    for key in keys:
        note = f" ({notes[key]})" if notes.get(key) else ""
        by_field.setdefault(key[0], []).append(" < ".join(key[1:]) + note)
    return [f"* {field}: {'; '.join(items)}" for field, items in by_field.items()] or ["None."]
