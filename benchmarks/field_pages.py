"""The part of benchmarks/hierarchy.py about fields: figures, verdicts by field and by rule, and what was aimed at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks import disasters, report
from benchmarks.fields import BY_NAME, MAX_TERMS, figures, whole_corpora, without_lists
from benchmarks.judging import DRAWN, KINDS, SEED, VERDICTS, Judged, Key, Sample, known_pairs, samples_of, verdicts
from ontology.build import learn

LANGUAGES = {"zh": "Chinese", "en": "English"}
GROUPS = ("development", "seen", "checking")
LIMIT_SECONDS, LIMIT_MB = 120, 3000
REACHED = {True: "yes", False: "no", None: "–"}


def measure(judged: Mapping[str, Judged], samples: Sequence[Sample]) -> dict[str, Any]:
    """Put figures and verdicts together.

    Args:
        judged: the verdicts, by kind.
        samples: what was drawn.

    Returns:
        JSON values: rows by sample, by rule, agreement by language, and the disaster corpora.
    """
    rows = [sample_row(sample, judged) for sample in samples]
    compared = [disaster_row(name, judged["edges"]) for name in disasters.BY_NAME]
    result: dict[str, Any] = {
        "drawn": DRAWN,
        "seed": SEED,
        "samples": rows,
        "rules": rule_rows(samples, judged["edges"]),
        "agreement": agreement(judged),
        "disasters": compared,
    }
    return result


def run() -> dict[str, Any]:
    """Learn everything, and measure the whole corpus too."""
    result = measure(verdicts(), samples_of([*GROUPS, "co-occurrence"])) | {"whole": whole_corpora()}
    return result | {"aims": aims(result)}


def sample_row(sample: Sample, judged: Mapping[str, Judged]) -> dict[str, Any]:
    """Return the figures and verdicts of a sample."""
    told = {"name": sample.name, "group": sample.group, "language": sample.language, "figures": dict(sample.figures)}
    edges, terms = judged["edges"].outcome(sample.edges), judged["terms"].outcome(sample.terms)
    return told | {"edges": edges, "terms": terms} | content(sample.figures, edges)


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


def disaster_row(name: str, judged: Judged) -> dict[str, Any]:
    """Return the comparison of a disaster corpus with its earlier state, and its figures with and without lists."""
    corpus = disasters.documents(name)
    learned = learn(corpus, disasters.topic(), disasters.earth())
    bare = learn(corpus, disasters.topic(), without_lists())
    return {
        "name": name,
        "with_lists": figures(learned, corpus),
        "without_lists": figures(bare, corpus),
        **disasters.comparison(disasters.before(name), disasters.all_edges(learned), known_pairs(judged)),
    }


def aims(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what was aimed at on the fields for development, the figure, and whether it is reached (None: open)."""
    rows = [row for row in result["samples"] if row["group"] == "development"]
    chinese, english = ([row for row in rows if row["language"] == language] for language in LANGUAGES)
    listed = [
        _aim("Chinese: terms placed, mean of the fields", 0.60, _mean(chinese, "placed_with_content")),
        _aim("Chinese: terms placed, the lowest field", 0.55, _least(chinese, "placed_with_content")),
        _aim("Chinese: author keywords of two or more records placed", 0.65, _mean(chinese, "keywords_with_content")),
        _aim("English: terms placed, mean of the fields", 0.62, _mean(english, "placed_with_content")),
    ]
    for language, none, mine in (("Chinese", 0.06, chinese), ("English", 0.08, english)):
        listed += [
            _aim(f"{language}: right edges", 0.85, _mean(mine, "edges", "right")),
            _aim(f"{language}: wrong edges", 0.05, _mean(mine, "edges", "wrong"), most=True),
            _aim(f"{language}: terms that are no class", none, _mean(mine, "terms", "none"), most=True),
        ]
    whole = result["whole"][-1]
    listed += [
        _aim(f"{whole['documents']:,} abstracts: seconds", LIMIT_SECONDS, whole["seconds"], most=True),
        _aim(f"{whole['documents']:,} abstracts: peak memory in MB", LIMIT_MB, whole["peak_mb"], most=True),
    ]
    return listed


def _aim(name: str, bound: float, figure: float | None, *, most: bool = False) -> dict[str, Any]:
    reached = None if figure is None else (figure <= bound if most else figure >= bound)
    return {"aim": name, "bound": f"at {'most' if most else 'least'} {bound:g}", "figure": figure, "reached": reached}


def _values(rows: Iterable[Mapping[str, Any]], *path: str) -> list[float] | None:
    """Return a figure of each row; None if one has none."""
    values: list[Any] = []
    for row in rows:
        value: Any = row
        for name in path:
            value = value[name]
        values.append(value["share"] if isinstance(value, Mapping) else value)
    return values if values and None not in values else None


def _mean(rows: Iterable[Mapping[str, Any]], *path: str) -> float | None:
    values = _values(rows, *path)
    return round(sum(values) / len(values), 3) if values else None


def _least(rows: Iterable[Mapping[str, Any]], *path: str) -> float | None:
    return min(_values(rows, *path) or [], default=None)


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
    rows = [row for row in result["samples"] if row["group"] in GROUPS]
    return [
        "## Fields without lists",
        "",
        f"Learned without any class, ending or lexicon, {MAX_TERMS} terms at most. A term is placed when it is below",
        "a class other than the root. *Keywords* are those terms that are author keywords of two or more records,",
        "*multiword* those of several English words. *Largest* is the share of the terms below the largest class.",
        "",
        *_figure_table((row["name"], row["group"], row["figures"]) for row in rows),
        "",
        "Direct edges by the most trusted rule that made them:",
        "",
        *_rules_of_fields([(row["name"], row["figures"]) for row in rows]),
        "",
        "## Judged edges of the fields",
        "",
        f"{result['drawn']} edges of each field, two blind judges, by the [protocol](../judging.md); shares with 95 %",
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
        "What does not: edges that rest on documents in common, drawn from the Chinese fields for development.",
        "",
        *_edge_table([row for row in result["samples"] if row["group"] == "co-occurrence"], placed=False),
        "",
        "## Judged terms of the fields",
        "",
        *_term_table(rows),
        "",
        *_disaster_lines(result["disasters"]),
        *_whole_lines(result["whole"]),
        "## What was aimed at",
        "",
        *report.grid(
            ("aim", "bound", "figure", "reached"),
            ((a["aim"], a["bound"], _open(a["figure"]), REACHED[a["reached"]]) for a in result["aims"]),
        ),
        "",
    ]


def _open(value: Any) -> Any:
    return "–" if value is None else value


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


def _rules_of_fields(rows: Sequence[tuple[str, Mapping[str, Any]]]) -> list[str]:
    rules = sorted({rule for _, told in rows for rule in told["edges_by_rule"]})
    return report.grid(
        ("field", *rules), ((name, *(told["edges_by_rule"].get(r, 0) for r in rules)) for name, told in rows)
    )


def _edge_table(rows: Iterable[Mapping[str, Any]], *, placed: bool = True) -> list[str]:
    columns = ["", *([""] if placed else []), "judged", *VERDICTS["edges"], *(["placed"] if placed else [])]
    table = []
    for row in rows:
        told = row["edges"]
        before = [row["name"], *([row["group"]] if placed else []), f"{told['judged']} of {told['drawn']}"]
        after = [percent(row["placed_with_content"])] if placed else []
        table.append([*before, *(with_interval(told[verdict]) for verdict in VERDICTS["edges"]), *after])
    return report.grid(columns, table)


def _agreement_table(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return report.grid(
        ("", "", "judged by both", "agreed", "Cohen's kappa"),
        ((LANGUAGES[r["language"]], r["kind"], r["judged"], r["agreed"], _open(r["kappa"])) for r in rows),
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


def _term_table(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return report.grid(
        ("field", "", "judged", "class", "individual", "no class"),
        (
            (
                row["name"], row["group"], f"{row['terms']['judged']} of {row['terms']['drawn']}",
                *(with_interval(row["terms"][verdict]) for verdict in VERDICTS["terms"]),
            )
            for row in rows
        ),
    )  # fmt: skip


def _disaster_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    figure_rows = [(r["name"], way.replace("_", " "), r[way]) for r in rows for way in ("with_lists", "without_lists")]
    states = [
        (r["name"], state, *(r[state][key] for key in ("edges", "right", "wrong", "not_judged", "children_of_root")))
        for r in rows
        for state in ("before", "now")
    ]
    told = [
        "## Disaster corpora",
        "",
        *_figure_table(figure_rows),
        "",
        "With the lists, against the [edges](disaster-edges.tsv) that were learned before names were pooled over",
        "the whole corpus. Verdicts are those of [judged edges](../judged-edges.md), and of the two judges where they",
        "agree.",
        "",
        *report.grid(("corpus", "", "edges", "right", "wrong", "not judged", "children of the root"), states),
        "",
    ]
    for row in rows:
        told.append(f"* {row['name']}: {len(row['right_implied'])} right edges are implied by others now.")
        for name, words in CHANGES:
            pairs = ", ".join(f"{child} < {parent}" for child, parent in row[name])
            told.append(f"  {words} ({len(row[name])}): {pairs or 'none'}.")
    return [*told, ""]


CHANGES = (
    ("right_lost", "Right ones lost"),
    ("wrong_new", "Wrong ones that are new"),
    ("wrong_gone", "Wrong ones that are gone"),
)


def _whole_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    keys = ("seconds", "processor_seconds", "peak_mb", "placed", "classes")
    return [
        "## All abstracts at once",
        "",
        f"{rows[0]['documents']:,} abstracts of all disciplines, {rows[0]['terms']} terms, without lists. The limits",
        f"are {LIMIT_SECONDS} s and {LIMIT_MB:,} MB with all evidence. A machine that does other work takes longer.",
        "",
        *report.grid(
            ("evidence", *(key.replace("_", " ") for key in keys)),
            ((", ".join(row["evidence"]), *(row[key] for key in keys)) for row in rows),
        ),
        "",
    ]


def judged_page(judged: Mapping[str, Judged]) -> str:
    """Format docs/judged-fields.md: disagreements, and the edges and terms that no judge accepts."""
    told = [
        "# Judged edges and terms of fields",
        "",
        "Generated by `python -m benchmarks.hierarchy --json docs/benchmarks/hierarchy.json` from",
        "[judged-fields.tsv](judged-fields.tsv) and [judged-field-terms.tsv](judged-field-terms.tsv); do not edit.",
        "[Judging](judging.md) says how, the figures are on [hierarchy](benchmarks/hierarchy.md). The lists have the",
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
