"""Verdicts about proposals in tests, as `enrich decide` records them: reviewed.jsonl, then the decisions."""

from __future__ import annotations

from dataclasses import replace

from ontocrawl.base.workspace import Workspace
from ontocrawl.topics import reviewed
from ontocrawl.topics.reviewed import Reviewed
from ontology.decisions import Decision, table
from ontology.enrichment import PageSentence, Proposal, Verdict, decisions_of

WHEN = "2026-11-23T08:00:00+00:00"


def concept(term: str, parent: str, sentence: str = "") -> Proposal:
    """A proposed class that one page shows."""
    text = sentence or f"专家介绍了{term}。"
    shown = PageSentence(text, f"https://a.example/{len(term)}", 0, len(term), "2026-11-20T07:00:00+00:00", "first")
    return Proposal("concept", term, "subclass_of", None, parent, 3.5, 4, (shown,), rule="head", reason="its head")


def decide(
    space: Workspace, topic: str, proposal: Proposal, action: str = "accept", value: str = "", when: str = WHEN
) -> tuple[Decision, ...]:
    """Record a verdict, and write its decisions."""
    verdict = Verdict(action, value)  # type: ignore[arg-type]
    record = reviewed.record_of(space, topic)
    made = table.numbered([_by(d, when) for d in decisions_of(proposal, verdict)], record.decisions)
    one = Reviewed(
        f"{topic}/{proposal.key}", verdict, tuple(d.id for d in made), "张三", when, proposal,
        tuple(d.statement for d in made),
    )  # fmt: skip
    record.extended([one], made)
    return made


def _by(decision: Decision, when: str) -> Decision:
    return replace(decision, who="张三", when=when)
