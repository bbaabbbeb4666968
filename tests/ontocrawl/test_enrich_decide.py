"""Verdicts about proposals: the record and the decisions, what is refused, and what a killed command leaves."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import reviewing
from ontocrawl.enrichment.reviewing import VerdictError
from ontocrawl.errors import CommandError, UsageError
from ontocrawl.topics import reviewed, topics
from ontocrawl.topics.reviewed import ReviewedError, record_of
from ontocrawl.topics.topics import Topic
from ontocrawl.versions import curated_decisions, deciding, histories
from ontology.decisions import Decision, DecisionError, in_force, table
from ontology.enrichment import PageSentence, Proposal, Verdict

BY: dict[str, Any] = {"who": "张三", "when": "2026-11-23T08:00:00+00:00"}
ACCEPT, REJECT = Verdict("accept"), Verdict("reject")
Decide = Callable[..., tuple[Decision, ...]]


@pytest.fixture
def topic(tmp_path: Path) -> Topic:
    """The curated topic on rainstorms in a workspace of its own."""
    return topics.load("rainstorm", workspace.init(tmp_path / "ws"))


@pytest.fixture
def space(topic: Topic) -> Workspace:
    return topic.workspace


@pytest.fixture
def decide(space: Workspace, topic: Topic) -> Decide:
    return lambda one, verdict, **more: reviewing.decide_all(space, topic, [(one, verdict)], **{**BY, **more})[0]


def iri(topic: Topic, label: str) -> str:
    return next(c.iri for o in topic.ontologies for c in o.concepts if c.label == label)


def term(topic: Topic, text: str, under: str | None = "城市内涝") -> Proposal:
    shown = (PageSentence(f"{text}严重。", "http://a.cn/1", 0, len(text), "2026-01-01T00:00:00+00:00", "run"),)
    target = iri(topic, under) if under else None
    p = Proposal("concept", text, "subclass_of", target, under, 1.5, 2, shown, rule="head" if under else None)
    return replace(p, id=f"rainstorm/{p.key}")


def relation(topic: Topic, source: str, kind: str, target: str) -> Proposal:
    p = Proposal("relation", source, kind, iri(topic, target), target, 1.0, 2, (), iri(topic, source), "cue", "引发")
    return replace(p, id=f"rainstorm/{p.key}")


def rows(space: Workspace) -> list[tuple[str, str, str, str, str]]:
    """The decisions in force."""
    known = table.read(deciding.of_workspace(space, "rainstorm"))
    return [(d.id, d.action, d.term, d.relation, d.value) for d in in_force(known)]


def status(space: Workspace, one: Proposal) -> str:
    return record_of(space, "rainstorm").status(one.id, one)


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        (ACCEPT, [("d1", "accept", "站台倒灌", "subclass_of", "城市内涝")]),
        (REJECT, [("d1", "reject", "站台倒灌", "class", "")]),
        (Verdict("move", "洪水"), [("d1", "accept", "站台倒灌", "subclass_of", "洪水")]),
        (Verdict("merge", "内涝"), [("d1", "accept", "城市内涝", "synonym", "站台倒灌")]),
        (
            Verdict("rename", " 地铁  被淹 "),
            [
                ("d1", "accept", "地铁 被淹", "subclass_of", "城市内涝"),
                ("d2", "accept", "地铁 被淹", "synonym", "站台倒灌"),
            ],
        ),
        (
            Verdict("rename", "地铁被淹", " 洪水"),
            [
                ("d1", "accept", "地铁被淹", "subclass_of", "洪水"),
                ("d2", "accept", "地铁被淹", "synonym", "站台倒灌"),
            ],
        ),
    ],
    ids=lambda value: getattr(value, "action", ""),
)
def test_a_verdict_becomes_decisions(
    space: Workspace, topic: Topic, decide: Decide, verdict: Verdict, expected: list[tuple[str, ...]]
) -> None:
    one = term(topic, "站台倒灌")
    made = decide(one, verdict, why="seen")
    assert rows(space) == expected and tuple(row[0] for row in expected) == tuple(d.id for d in made)
    assert {(d.who, d.when, d.why) for d in made} == {("张三", BY["when"], "seen")}
    (recorded,) = record_of(space, "rainstorm").verdicts
    assert (recorded.id, recorded.proposal, recorded.who, recorded.why) == (one.id, one, "张三", "seen")
    said = Verdict(verdict.action, " ".join(verdict.value.split()), verdict.parent.strip())
    assert recorded.verdict == said and decide(one, said) == made
    assert status(space, one) == ("rejected" if verdict == REJECT else "accepted")


def test_a_parent_that_is_the_proposed_one_is_none(space: Workspace, topic: Topic, decide: Decide) -> None:
    one = term(topic, "站台倒灌")
    decide(one, Verdict("rename", "地铁被淹", "城市内涝"))
    assert record_of(space, "rainstorm").standing[one.id].verdict == Verdict("rename", "地铁被淹")
    assert rows(space)[0][1:] == ("accept", "地铁被淹", "subclass_of", "城市内涝")


@pytest.mark.slow
def test_the_decisions_reach_the_ontology(space: Workspace, topic: Topic, decide: Decide) -> None:
    decide(term(topic, "站台倒灌"), ACCEPT)
    decide(term(topic, "subway flood"), Verdict("merge", "城市内涝"))
    decide(relation(topic, "山洪", "causes", "交通中断"), ACCEPT)
    assert curated_decisions.write(topic, "张三", BY["when"])
    ontology = topics.load("rainstorm", space).ontologies[0]
    made = next(c for c in ontology.concepts if c.label == "站台倒灌")
    flooded = ontology.by_iri[iri(topic, "城市内涝")]
    assert "subway flood" in flooded.alt_en and "subway flood" not in flooded.alt_zh
    edges = {(r.source, r.kind, r.target) for r in ontology.relations}
    assert {
        (made.iri, "subclass_of", flooded.iri), (iri(topic, "山洪"), "causes", iri(topic, "交通中断")),
    } <= edges  # fmt: skip


def test_the_same_verdict_again_adds_nothing(space: Workspace, topic: Topic, decide: Decide) -> None:
    one = term(topic, "站台倒灌")
    first = decide(one, ACCEPT)
    before = deciding.of_workspace(space, "rainstorm").read_bytes(), reviewed.path_of(space, "rainstorm").read_bytes()
    assert decide(one, ACCEPT, when="2027-01-01T00:00:00+00:00", who="李四") == first
    assert before == (
        deciding.of_workspace(space, "rainstorm").read_bytes(), reviewed.path_of(space, "rainstorm").read_bytes(),
    )  # fmt: skip


def test_another_verdict_withdraws_the_earlier_one(space: Workspace, topic: Topic, decide: Decide) -> None:
    one = term(topic, "站台倒灌")
    decide(one, Verdict("rename", "地铁被淹"))
    decide(one, REJECT)
    assert rows(space) == [("d5", "reject", "站台倒灌", "class", "")] and status(space, one) == "rejected"
    decide(one, Verdict("rename", "地铁被淹"))  # its own earlier name is no obstacle
    assert [row[0] for row in rows(space)] == ["d7", "d8"] and status(space, one) == "accepted"
    assert len(record_of(space, "rainstorm").verdicts) == 3


def test_undo(space: Workspace, topic: Topic, decide: Decide) -> None:
    one, other = term(topic, "站台倒灌"), term(topic, "桥下积水")
    decide(one, REJECT)
    decide(other, REJECT)
    undone = reviewing.undo_all(space, topic, [one.id], **BY)
    assert [(d.action, d.value) for d in undone] == [("withdraw", "d1")]
    assert (status(space, one), status(space, other)) == ("proposed", "rejected")
    with pytest.raises(UsageError, match=r"nothing is decided about rainstorm/站台倒灌"):
        reviewing.undo_all(space, topic, [one.id], **BY)
    decide(one, ACCEPT)
    assert status(space, one) == "accepted"


def test_a_decision_that_is_withdrawn_by_hand_does_not_count(space: Workspace, topic: Topic, decide: Decide) -> None:
    one = term(topic, "站台倒灌")
    (made,) = decide(one, REJECT)
    table.append(deciding.of_workspace(space, "rainstorm"), [Decision("withdraw", "", made.id)])
    assert status(space, one) == "proposed" and len(record_of(space, "rainstorm").verdicts) == 1


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        (Decision("reject", "站台倒灌"), "rejected"),
        (Decision("accept", "站台倒灌"), "accepted"),
        (Decision("accept", "站台倒灌", "洪水"), "accepted"),
        (Decision("accept", "城市内涝", "站台倒灌", "synonym"), "accepted"),
        (Decision("merge", "站台倒灌", "城市内涝"), "accepted"),
        (Decision("reject", "站台倒灌", "城市内涝"), "proposed"),
        (Decision("reject", "地铁"), "proposed"),
    ],
)
def test_decisions_without_a_proposal_count(space: Workspace, topic: Topic, decision: Decision, expected: str) -> None:
    table.append(deciding.of_workspace(space, "rainstorm"), [decision])
    assert status(space, term(topic, "站台倒灌")) == expected


# ---- what is refused --------------------------------------------------------------------------------------------


def refused(decide: Decide, one: Proposal, verdict: Verdict, words: str) -> None:
    with pytest.raises(VerdictError, match=words):
        decide(one, verdict)


def test_names_that_are_taken_or_missing(space: Workspace, topic: Topic, decide: Decide) -> None:
    one = term(topic, "站台倒灌")
    refused(decide, one, Verdict("rename", "内涝"), r"内涝 is a name of the class 城市内涝 already: merge")
    refused(decide, one, Verdict("merge", "城市内捞"), r"no class '城市内捞'\. Did you mean 城市内涝\?")
    refused(decide, one, Verdict("move", "城市内捞"), r"Did you mean 城市内涝\?")
    refused(decide, one, Verdict("move"), "give a name")
    refused(decide, term(topic, "暴雨"), ACCEPT, "暴雨 is a name of the class 暴雨 already")
    assert not deciding.of_workspace(space, "rainstorm").exists() and record_of(space, "rainstorm").verdicts == ()


def test_a_parent_that_was_deleted_meanwhile(space: Workspace, topic: Topic, decide: Decide) -> None:
    folder = space.ontologies / "rainstorm"
    register = curated_decisions.register_of(topic)
    histories.decide(folder, Decision("reject", "城市内涝"), register, topic.ontologies[0])
    one = term(topic, "站台倒灌")
    refused(
        decide, one, ACCEPT, r"the parent 城市内涝 of 站台倒灌 is no class any more: name another one with parent=CLASS"
    )
    refused(decide, one, Verdict("merge", "城市内涝"), "no class '城市内涝'")
    decide(one, Verdict("move", "洪水"))
    assert status(space, one) == "accepted"


def test_a_cycle(topic: Topic, decide: Decide) -> None:
    decide(term(topic, "站台倒灌"), ACCEPT)
    decide(term(topic, "站厅进水", None), ACCEPT)
    below = replace(term(topic, "站厅进水", None), id="rainstorm/x")
    decide(below, Verdict("move", "站台倒灌"))
    one = term(topic, "站台倒灌", None)
    refused(decide, replace(one, id="rainstorm/y"), Verdict("move", "站厅进水"), "would make a cycle")
    refused(decide, term(topic, "城市内涝", None), Verdict("move", "城市内涝"), "would make a cycle")
    refused(decide, relation(topic, "城市内涝", "part_of", "道路积水"), ACCEPT, "would make a cycle")
    refused(decide, relation(topic, "城市内涝", "causes", "城市内涝"), ACCEPT, "both ends")


def test_a_relation_is_accepted_or_rejected(space: Workspace, topic: Topic, decide: Decide) -> None:
    one = relation(topic, "山洪", "causes", "交通中断")
    refused(decide, one, Verdict("move", "洪水"), "accepted or rejected as it is")
    decide(one, REJECT)
    assert rows(space) == [("d1", "reject", "山洪", "causes", "交通中断")]


def test_several_verdicts_are_written_together_or_not_at_all(space: Workspace, topic: Topic) -> None:
    good, bad = term(topic, "站台倒灌"), term(topic, "暴雨")
    with pytest.raises(VerdictError):
        reviewing.decide_all(space, topic, [(good, ACCEPT), (bad, ACCEPT)], **BY)
    assert rows(space) == [] and record_of(space, "rainstorm").verdicts == ()
    child = term(topic, "站厅进水", None)
    made = reviewing.decide_all(space, topic, [(good, ACCEPT), (child, Verdict("move", "站台倒灌"))], **BY)
    assert [[d.id for d in decisions] for decisions in made] == [["d1"], ["d2"]]
    assert rows(space)[1] == ("d2", "accept", "站厅进水", "subclass_of", "站台倒灌")


@pytest.mark.parametrize(
    "given",
    [("", {}), ("maybe", {}), ("reject", {"parent": "洪水"}), ("accept", {"parent": "洪水", "merge": "洪水"}),
     ("accept", {"undo": True})],
)  # fmt: skip
def test_verdicts_that_are_none(given: tuple[str, dict[str, Any]]) -> None:
    with pytest.raises(UsageError):
        reviewing.verdict_of(given[0], **given[1])


# ---- killed commands, full disks, damaged files, two at once ----------------------------------------------------


def test_a_command_that_is_killed_between_the_files(
    space: Workspace, topic: Topic, decide: Decide, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = term(topic, "站台倒灌"), term(topic, "桥下积水")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(table, "append", killed)
        with pytest.raises(KeyboardInterrupt):
            decide(one, ACCEPT)
    assert len(record_of(space, "rainstorm").verdicts) == 1 and status(space, one) == "proposed"
    (made,) = decide(other, ACCEPT)
    assert made.id == "d1"  # the id that the killed command had taken
    assert (status(space, one), status(space, other)) == ("proposed", "accepted")
    decide(one, ACCEPT)
    assert status(space, one) == "accepted"


def test_a_record_that_was_torn_off(space: Workspace, topic: Topic, decide: Decide) -> None:
    one, other = term(topic, "站台倒灌"), term(topic, "桥下积水")
    decide(one, REJECT)
    path = reviewed.path_of(space, "rainstorm")
    path.write_bytes(path.read_bytes() + '{"id": "rainstorm/桥'.encode())
    assert [r.id for r in record_of(space, "rainstorm").verdicts] == [one.id]
    decide(other, REJECT)
    assert [r.id for r in record_of(space, "rainstorm").verdicts] == [one.id, other.id]


def test_a_full_disk_leaves_both_files_as_they_were(
    space: Workspace, topic: Topic, decide: Decide, monkeypatch: pytest.MonkeyPatch
) -> None:
    decide(term(topic, "站台倒灌"), REJECT)
    before = deciding.of_workspace(space, "rainstorm").read_bytes(), reviewed.path_of(space, "rainstorm").read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            decide(term(topic, "桥下积水"), REJECT)
    assert before == (
        deciding.of_workspace(space, "rainstorm").read_bytes(), reviewed.path_of(space, "rainstorm").read_bytes(),
    )  # fmt: skip


@pytest.mark.parametrize("line", ['{"id": 1}', "[]", "no JSON", '{"id": "x", "verdict": {"action": "accept"}}'])
def test_a_damaged_record_is_named(space: Workspace, topic: Topic, decide: Decide, line: str) -> None:
    decide(term(topic, "站台倒灌"), REJECT)
    path = reviewed.path_of(space, "rainstorm")
    path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(ReviewedError, match=r"reviewed\.jsonl, line 2: this is no verdict"):
        record_of(space, "rainstorm")


def test_damaged_decisions_are_named_and_nothing_is_written(space: Workspace, topic: Topic, decide: Decide) -> None:
    path = deciding.of_workspace(space, "rainstorm")
    path.parent.mkdir(parents=True)
    path.write_text("id\taction\n", encoding="utf-8")
    with pytest.raises(DecisionError, match=r"decisions\.tsv, line 1"):
        decide(term(topic, "站台倒灌"), REJECT)
    assert not reviewed.path_of(space, "rainstorm").exists()


def test_decisions_that_an_editor_adds_meanwhile(
    space: Workspace, topic: Topic, decide: Decide, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = reviewing._check

    def edited_meanwhile(*given: Any, **more: Any) -> Any:
        table.append(deciding.of_workspace(space, "rainstorm"), [Decision("reject", "暴雨公园")])
        return check(*given, **more)

    one = term(topic, "站台倒灌")
    with monkeypatch.context() as patch:
        patch.setattr(reviewing, "_check", edited_meanwhile)
        with pytest.raises(CommandError, match="was changed meanwhile, and nothing was written"):
            decide(one, ACCEPT)
    assert record_of(space, "rainstorm").verdicts == () and [row[2] for row in rows(space)] == ["暴雨公园"]
    assert [d.id for d in decide(one, ACCEPT)] == ["d2"]


PROGRAM = """
import sys
from pathlib import Path
from ontocrawl.topics import topics; from ontocrawl.base import workspace
from ontocrawl.enrichment import reviewing
from tests.ontocrawl.test_enrich_decide import BY, REJECT, term
space, _ = workspace.find(Path(sys.argv[1]))
topic = topics.load("rainstorm", space)
for number in range(12):
    reviewing.decide_all(space, topic, [(term(topic, f"{sys.argv[2]}{number}"), REJECT)], **BY)
"""


@pytest.mark.slow
def test_two_processes_that_decide_at_once_lose_nothing(space: Workspace) -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, str(space.root), name], stderr=subprocess.PIPE, text=True)
        for name in ("甲", "乙")
    ]
    for process in started:
        _, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
    assert [row[0] for row in rows(space)] == [f"d{number}" for number in range(1, 25)]
    standing = record_of(space, "rainstorm").standing
    assert set(standing) == {f"rainstorm/{name}{number}" for name in "甲乙" for number in range(12)}


def test_decisions_of_other_commands_wait_for_the_same_lock(
    space: Workspace, topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace, "_PATIENCE", 0.1)
    folder = space.ontologies / "rainstorm"
    with workspace.alone(folder / table.FILE), pytest.raises(CommandError, match="another command writes"):
        histories.decide(
            folder, Decision("reject", "城市内涝"), curated_decisions.register_of(topic), topic.ontologies[0]
        )
    histories.decide(folder, Decision("reject", "城市内涝"), curated_decisions.register_of(topic), topic.ontologies[0])
    assert rows(space) == [("d1", "reject", "城市内涝", "class", "")]
