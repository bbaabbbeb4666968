"""The circle of enrichment: crawl, propose, accept, and crawl again from other starting pages; then once more.

The curated ontology of `rainstorm` without the classes of one split steers the first crawl of each of ten starting
pages of wikispeedia. What is accepted of its proposals becomes classes, in memory, as a build applies decisions; the
weights are computed anew by query; the next crawl begins at the next starting page, and the one after that at the one
after. Beside each stands the crawl from the same page by the unchanged ontology (the control), and by the whole
curated one, which nothing was taken from. Counted are the pages of the hazard categories, never the judge's verdict.

What is accepted is what both judges accept (`Accepted.read`), or by `oracle` exactly the terms of held-out classes,
with their true parents: the most that proposals of held-out classes could bring.
"""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from benchmarks.circle import mean_difference
from benchmarks.enrich_pages import STARTING_PAGES, TOPIC, rainstorm
from benchmarks.held_out import Split, found, split
from benchmarks.report import Row
from benchmarks.strategies import MILESTONES, crawl
from crawler.journal import Journal, graph_rows
from kg.engine import embedded
from ontocrawl import deciding, plan, topics, workspace
from ontocrawl.run_config import RunConfig
from ontology import owl
from ontology.decisions import Decision
from ontology.decisions.applying import apply
from ontology.decisions.decision import CLASS, KINDS
from ontology.decisions.facts import Facts
from ontology.enrichment import PageText, Proposal, Verdict, decisions_of, propose
from ontology.model import Ontology
from ontology.terms.wordforms import has_han

STRATEGY = "fcosa_lg"
"""The product's default."""
SETTINGS = {"guide": "saturated", "weights": "sem"}
"""The product's defaults for a curated ontology; written out, so that a change of a default changes no table."""
PROPOSED = 50
"""Number of proposals that are looked at after a crawl."""
ROUNDS = 3
NEW = "https://w3id.org/ontocrawl/rainstorm#new-"
Accept = Callable[[Sequence[Proposal]], list[Decision]]


@dataclass(frozen=True)
class Accepted:
    """What two judges accept: key of a proposal -> label of its parent; "" for a class that they do not place."""

    parents: dict[str, str]

    @classmethod
    def read(cls, path: Path) -> Accepted:
        """Read what `benchmarks.judged_proposals` wrote: columns ontology, key and parent."""
        with path.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
        return cls({row["key"]: row["parent"] for row in rows if row["ontology"] == TOPIC})

    def __call__(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return the decisions that accept those of some proposals that the judges accept."""
        known = [p for p in proposals if p.key in self.parents]
        return [decision for p in known for decision in accepting(p, self.parents[p.key])]


def oracle(held: Split) -> Accept:
    """Return an acceptance of exactly the terms of held-out classes, each with one of its true parents."""
    label = {c.iri: c.label for ontology in held.ontologies for c in ontology.concepts}

    def accept(proposals: Sequence[Proposal]) -> list[Decision]:
        decisions: list[Decision] = []
        for one in found(held, proposals):
            parents = sorted(label[iri] for iri in held.parents[held.held_out[one.number].iri] if iri in label)
            concept = replace(one.proposal, kind="concept", relation="subclass_of")
            decisions += accepting(concept, parents[0] if parents else "")
        return decisions

    return accept


def accepting(proposal: Proposal, parent: str) -> tuple[Decision, ...]:
    """Return the decisions that accept a proposal; a class below a parent of this label, or unplaced without one."""
    if proposal.kind == "concept":
        placed = Verdict("move", parent) if parent else Verdict("accept")
        unplaced = replace(proposal, target=None, target_label=None)
        return decisions_of(unplaced, placed)
    language = "zh" if has_han(proposal.term) else "en"
    label = proposal.kind == "label"
    return tuple(replace(d, language=language if label else "") for d in decisions_of(proposal, Verdict("accept")))


def enriched(ontologies: Sequence[Ontology], decisions: Sequence[Decision]) -> tuple[Ontology, ...]:
    """Apply decisions to ontologies: a class becomes one of the first ontology that has its parent.

    Args:
        ontologies: the ontologies, the global one first.
        decisions: accepted classes, names and relations.
    """
    iris = {form: c.iri for o in reversed(ontologies) for c in reversed(o.concepts) for _, form in c.forms()}
    known = {c.iri for ontology in ontologies for c in ontology.concepts}

    def resolve(text: str) -> str:
        return text if text in known else iris.get(text, f"{NEW}{quote(text)}")

    def has(ontology: Ontology, decision: Decision) -> bool:
        """Return whether an ontology has the classes that a decision names beside the one that it adds."""
        edge = decision.relation in KINDS and decision.relation != "subclass_of"
        if decision.relation == CLASS:
            return ontology.kind == "global"
        named = [decision.term, decision.value] if edge else [decision.value]
        named = named if decision.relation in KINDS else [decision.term]
        return all(resolve(name) in ontology.by_iri for name in named)

    of = {d: next((o.iri for o in ontologies if has(o, d)), "") for d in decisions}
    made = []
    for ontology in ontologies:
        local = deciding.local_name(ontology)
        own = [replace(d, ontology=local) for d in decisions if of[d] == ontology.iri]
        facts = Facts.of(own, resolve, local=local)
        made.append(apply(ontology, facts, local=local, label_of=lambda iri: unquote(iri.removeprefix(NEW))).ontology)
    return tuple(made)


class Steering:
    """Configurations of crawls by ontologies, with weights by query from one graph."""

    def __init__(self, folder: Path, fetches: int) -> None:
        self.space = workspace.init(folder / "ws")
        self.fetches = fetches

    def by(self, ontologies: Sequence[Ontology]) -> RunConfig:
        """Return the configuration of a crawl that these ontologies steer, the global one first."""
        files = topics.load(TOPIC, self.space).file.ontologies
        for name, ontology in zip(files, ontologies, strict=True):
            owl.write(ontology, self.space.ontologies / name)
        limits = {"limit_pages": self.fetches, "snapshot_every": 10**6}
        options = plan.CrawlOptions(
            strategy=STRATEGY, world="synthetic:planted", run="x", settings={**SETTINGS, **limits}
        )
        return plan.plan(self.space, topics.load(TOPIC, self.space), options)


@contextmanager
def steering(fetches: int) -> Iterator[Steering]:
    """Open a workspace with its own graph, which is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="ontocrawl-enrich-") as folder:
        made = Steering(Path(folder), fetches)
        try:
            yield made
        finally:
            embedded.stop(made.space.graph)


def crawled(config: RunConfig, start: int) -> tuple[Row, tuple[PageText, ...]]:
    """Crawl from a starting page; return the figures and the pages."""
    pages: list[PageText] = []

    def keep(journal: Journal) -> None:
        pages.extend(graph_rows.pages(journal))

    row = crawl((STRATEGY, "wikispeedia", start), config, read=keep)
    return {name: row[name] for name in ("fetched", "by_judge", "by_label", "found_at", "stop", "seconds")}, tuple(
        pages
    )


def run(
    fetches: int, starts: int, accept: str, *, seed: int = 0, save: Callable[[list[Row]], None] = lambda rows: None
) -> list[Row]:
    """Go round from some starting pages.

    Args:
        fetches: number of fetches of each crawl.
        starts: number of starting pages.
        accept: "oracle", or the file of what the judges accept.
        seed: seed of the split.
        save: called with the rows after each starting page.

    Returns:
        A row for each crawl: setting ("unchanged", "enriched" or "whole"), begin (the starting page of the first
        crawl), round from 1, start (starting page), accepted (classes and names so far), and its figures.
    """
    held = split(rainstorm(), seed)
    accepting_of = oracle(held) if accept == "oracle" else Accepted.read(Path(accept))
    rows: list[Row] = []
    with steering(fetches) as steer:
        unchanged = [crawled(steer.by(held.ontologies), start) for start in range(starts)]
        rows += [_row("unchanged", start, 1, start, 0, row) for start, (row, _) in enumerate(unchanged)]
        config = steer.by(rainstorm())
        rows += [_row("whole", start, 1, start, 0, crawled(config, start)[0]) for start in range(starts)]
        save(rows)
        for begin in range(starts):
            ontologies, pages, accepted = held.ontologies, unchanged[begin][1], 0
            for number in range(2, ROUNDS + 1):
                decisions = accepting_of(propose(pages, ontologies, limit=PROPOSED))
                ontologies, accepted = enriched(ontologies, decisions), accepted + len(decisions)
                start = (begin + number - 1) % starts
                row, more = crawled(steer.by(ontologies), start)
                rows.append(_row("enriched", begin, number, start, accepted, row))
                read = {page.url for page in pages}
                pages = (*pages, *(page for page in more if page.url not in read))
            save(rows)
    return rows


def _row(setting: str, begin: int, number: int, start: int, accepted: int, row: Row) -> Row:
    return {
        "setting": setting, "begin": STARTING_PAGES[begin], "round": number, "start": STARTING_PAGES[start],
        "accepted": accepted, **row,
    }  # fmt: skip


def differences(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Compare the enriched crawls by round, and those by the whole ontology, with the controls of the same starts."""
    control = {row["start"]: row["found_at"] for row in rows if row["setting"] == "unchanged"}
    groups = [("enriched", number) for number in range(2, ROUNDS + 1)] + [("whole", 1)]
    compared = []
    for setting, number in groups:
        of = [row for row in rows if (row["setting"], row["round"]) == (setting, number)]
        gains = {str(n): [row["found_at"][str(n)] - control[row["start"]][str(n)] for row in of] for n in MILESTONES}
        accepted = [row["accepted"] for row in of]
        compared.append(
            {
                "setting": setting,
                "round": number,
                "crawls": len(of),
                "accepted": accepted,
                "gain": {n: mean_difference(found) for n, found in gains.items()},
            }
        )
    return compared
