"""Sessions of `ontology settle`: questions, what is saved, what is taken back, and the decisions that come of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ontocrawl.base.workspace import Workspace, find
from ontocrawl.errors import UsageError
from ontocrawl.settling.replies import ReplyError, parse
from ontocrawl.settling.session import Asked, Session
from ontocrawl.settling.state import FILE, SettleError
from ontocrawl.settling.terms import load, most_uncertain, named
from ontocrawl.settling.wording import Wording, lines, reasons
from ontocrawl.versions import deciding
from ontology import owl
from ontology.decisions import Decision, in_force, table
from ontology.decisions.applying import apply
from ontology.decisions.facts import Facts
from ontology.lattice import ExplorationError
from ontology.model import Ontology

EN = Wording("en", {})
TRUTH = {
    "山洪": ("洪水", "现象"), "洪水": ("现象",), "风暴潮": ("现象",), "台风": ("现象",),
    "灾害": (), "河流": (), "现象": (),
}  # fmt: skip
"""What every term is, but for what follows: a flood need not be a disaster."""
TERMS = ("山洪", "洪水", "灾害", "现象", "风暴潮", "台风", "河流")


@pytest.fixture
def work(tmp_path: Path) -> Workspace:
    """A workspace without decisions."""
    return find(tmp_path / "work")[0]


def say(session: Session, asked: Asked, text: str) -> None:
    session.answer(asked, parse(text, asked.choices, session.names, asked.suggested))


def truthful(session: Session, most: int = 99) -> int:
    """Answer by TRUTH; return the number of questions."""
    count = 0
    while count < most and (asked := session.question()) is not None:
        (term,) = asked.about
        holds = [label for label in asked.choices if label in TRUTH[term]]
        say(session, asked, ", ".join(holds) or "0")
        count += 1
    return count


def decided(folder: Path) -> set[tuple[str, str, str]]:
    """Action, term and value of the decisions in force about edges."""
    return {(d.action, d.term, d.value) for d in in_force(table.read(folder / table.FILE))}


def replayed(flood_folder: Path, work: Workspace) -> Ontology:
    """The ontology of a folder with its decisions applied, as a build does."""
    learned = load(flood_folder)
    found = in_force(deciding.decisions(work, deciding.Place("flood", flood_folder, flood_folder), "", ""))
    return apply(learned.ontology, Facts.of(found, lambda name: learned.by_name[name].iri, local="")).ontology


def order_of(ontology: Ontology) -> set[tuple[str, str]]:
    """All pairs of the chosen terms that an ontology has, in any number of steps."""
    learned = {c.label: c.iri for c in ontology.concepts}
    up = {iri: set(parents) for iri, parents in ontology.parents.items()}
    for _ in up:
        up = {iri: high.union(*(up[parent] for parent in high)) for iri, high in up.items()}
    return {(a, b) for a in TERMS for b in TERMS if learned[b] in up[learned[a]]}


def test_few_questions_settle_seven_terms_and_the_build_replays_them(work: Workspace, flood_folder: Path) -> None:
    session = Session(work, flood_folder, terms=TERMS, who="Li Wei", now="2026-01-01T00:00:00+00:00")
    asked = truthful(session)
    assert asked <= len(TERMS)
    assert session.open_questions() == []
    changes = session.finish(EN)
    assert {d.who for d in changes.added} == {"Li Wei"} and not changes.withdrawn
    accepted = {(t, v) for action, t, v in decided(flood_folder) if action == "accept"}
    assert accepted == {("山洪", "洪水"), ("洪水", "现象"), ("风暴潮", "现象"), ("台风", "现象")}
    assert ("reject", "洪水", "灾害") in decided(flood_folder)
    truth = {(a, b) for a, above in TRUTH.items() for b in above}
    assert order_of(replayed(flood_folder, work)) == truth


def test_a_second_session_asks_nothing_again(work: Workspace, flood_folder: Path) -> None:
    first = Session(work, flood_folder, terms=TERMS)
    whole = truthful(Session(work, flood_folder, terms=TERMS))
    (flood_folder / FILE).unlink()
    before = truthful(first, most=3)
    resumed = Session(work, flood_folder)
    assert resumed.labels == first.labels and len(resumed.record.answers) == 3
    assert before + truthful(resumed) == whole
    assert Session(work, flood_folder).question() is None
    assert resumed.finish(EN).added
    assert Session(work, flood_folder).finish(EN).added == ()


def test_each_answer_is_saved_before_the_next_question(work: Workspace, flood_folder: Path) -> None:
    session = Session(work, flood_folder, terms=TERMS, who="Li Wei", now="2026-01-01T00:00:00+00:00")
    asked = session.question()
    assert asked is not None
    say(session, asked, "洪水 : 凌汛 +现象 -灾害")
    (record,) = json.loads((flood_folder / FILE).read_text(encoding="utf-8"))["explorations"]
    (answer,) = record["answers"]
    assert answer["about"] == ["山洪"] and answer["holds"] == ["洪水"]
    assert answer["example"] == {"name": "凌汛", "has": ["现象"], "lacks": ["灾害"]}
    assert answer["who"] == "Li Wei"
    (example,) = [e for e in Session(work, flood_folder).exploration.examples if e.name == "凌汛"]
    assert set(session.exploration.names(example.has)) == {"山洪", "洪水", "现象"}


def test_suggestions_come_first_with_their_evidence(work: Workspace, flood_folder: Path) -> None:
    session = Session(work, flood_folder, terms=TERMS)
    asked = session.question()
    assert asked is not None and asked.about == ("山洪",)
    assert set(asked.suggested) == {"洪水", "灾害", "现象"} and asked.choices[:3] == asked.suggested
    told = lines(reasons(session.learned, asked.about, "洪水", EN))
    assert told == ["head noun; 1 paper; such as 山洪预警研究", "“山洪是一种突发的洪水。”"]
    assert reasons(session.learned, asked.about, "灾害", Wording("zh", {}))[0].told.startswith(
        "经由“洪水”；中心词；1 篇文献"
    )
    assert reasons(session.learned, ("台风",), "洪水", EN) == []


def test_undo_takes_back_one_answer_and_its_decisions(work: Workspace, flood_folder: Path) -> None:
    session = Session(work, flood_folder, terms=["山洪", "洪水", "灾害"])
    first = session.question()
    assert first is not None
    say(session, first, "洪水")
    session.finish(EN)
    before = decided(flood_folder)
    assert ("accept", "山洪", "洪水") in before
    again = Session(work, flood_folder)
    undone = again.undo()
    assert undone is not None and undone.about == ("山洪",)
    assert again.question() == first
    changes = again.finish(EN)
    assert {d.action for d in changes.withdrawn} == {"withdraw"} and decided(flood_folder) == set()
    assert Session(work, flood_folder).undo() is None


def test_undo_passes_over_questions_that_were_put_off(work: Workspace, flood_folder: Path) -> None:
    session = Session(work, flood_folder, terms=["山洪", "洪水", "台风"])
    first = session.question()
    assert first is not None
    say(session, first, "0")
    later = session.question()
    assert later is not None
    session.postpone(later)
    assert session.question() != later
    undone = session.undo()
    assert undone is not None and undone.about == first.about
    assert session.question() == first


def test_decisions_of_others_are_known_and_not_asked(work: Workspace, flood_folder: Path) -> None:
    table.append(
        flood_folder / table.FILE,
        [
            Decision("accept", "山洪", "River"), Decision("withdraw", "山洪", "d1"),
            Decision("accept", "山洪", "某类"), Decision("accept", "某类", "洪水"),
            Decision("reject", "flash flood", "台风"), Decision("move", "洪水", "现象", old="灾害"),
        ],
    )  # fmt: skip
    session = Session(work, flood_folder, terms=["山洪", "洪水", "台风", "现象", "灾害"])
    asked = {a.about: set(a.choices) for a in session.open_questions()}
    assert asked == {
        ("山洪",): {"灾害"}, ("现象",): {"山洪", "洪水"},
        ("台风",): {"山洪", "洪水", "灾害", "现象"}, ("灾害",): {"台风", "山洪", "洪水", "现象"},
    }  # fmt: skip
    while (question := session.question()) is not None:
        say(session, question, "0")
    session.finish(EN)
    ours = decided(flood_folder) - {(d.action, d.term, d.value) for d in table.read(flood_folder / table.FILE)[:6]}
    assert not any(action == "accept" for action, _, _ in ours)
    assert ("reject", "山洪", "台风") not in ours


def test_decisions_of_the_workspace_are_known_too(work: Workspace, flood_folder: Path) -> None:
    shared = deciding.of_workspace(work, "flood")
    shared.parent.mkdir(parents=True)
    table.append(shared, [Decision("accept", "山洪", "洪水"), Decision("reject", "洪水", "山洪")])
    assert Session(work, flood_folder, terms=["山洪", "洪水"]).question() is None


def test_what_someone_withdraws_is_asked_again(work: Workspace, flood_folder: Path) -> None:
    session = Session(work, flood_folder, terms=["山洪", "洪水", "灾害"])
    first = session.question()
    assert first is not None
    say(session, first, "洪水")
    session.finish(EN)
    (ours,) = [d for d in table.read(flood_folder / table.FILE) if (d.action, d.value) == ("reject", "灾害")][:1]
    table.append(flood_folder / table.FILE, [Decision("withdraw", ours.term, ours.id)])
    asked = Session(work, flood_folder).question()
    assert asked is not None and (asked.about, asked.choices) == (("洪水",), ("灾害", "山洪"))
    again = Session(work, flood_folder)
    say(again, asked, "灾害")
    again.finish(EN)
    assert {("accept", "山洪", "洪水"), ("accept", "洪水", "灾害")} <= decided(flood_folder)
    assert ("reject", "洪水", "灾害") not in decided(flood_folder)


def test_equal_terms_are_accepted_as_equivalent(work: Workspace, flood_folder: Path) -> None:
    session = Session(work, flood_folder, terms=["山洪", "洪水"])
    while (asked := session.question()) is not None:
        say(session, asked, "y")
    (added,) = session.finish(EN).added
    assert (added.action, added.term, added.relation, added.value) == ("accept", "山洪", "equivalent_to", "洪水")
    assert Session(work, flood_folder).finish(EN).added == ()
    (flood_folder / FILE).unlink()
    assert Session(work, flood_folder, terms=["山洪", "洪水"]).question() is None


def test_an_edge_by_way_of_another_class_is_not_doubled(work: Workspace, flood_folder: Path) -> None:
    session = Session(work, flood_folder, terms=["山洪", "灾害"])
    asked = session.question()
    assert asked is not None
    say(session, asked, "y")
    assert session.still_learned() == []
    assert not any(d.action == "accept" for d in session.finish(EN).added)
    session.undo()
    say(session, asked, "n")
    assert session.still_learned() == [("山洪", "灾害", "洪水")]


def test_an_edge_that_answers_refute_indirectly_is_rejected(work: Workspace, flood_folder: Path) -> None:
    session = Session(work, flood_folder, terms=["山洪", "洪水", "灾害"])
    asked = session.question()
    assert asked is not None
    say(session, asked, "洪水")
    added = {(d.action, d.term, d.value): d.why for d in session.finish(EN).added}
    assert added["reject", "洪水", "灾害"] == "follows from other answers"
    assert added["accept", "山洪", "洪水"] == "Is every 山洪 a 洪水? yes"


def test_combinations_follow_the_order(work: Workspace, flood_folder: Path) -> None:
    session = Session(work, flood_folder, terms=["山洪", "洪水", "台风"], combinations=True)
    truthful(session, most=3)
    asked = session.question()
    assert asked is not None and asked.about == ("台风", "洪水") and asked.may_be_none
    assert Wording("zh", {}).both(asked.about) == "没有什么是“台风”又是“洪水”"
    session.answer(asked, parse("x", asked.choices, session.names))
    while (question := session.question()) is not None:
        say(session, question, "0")
    assert (("台风", "洪水"), ("山洪",)) in session.exploration.named_implications()
    assert Session(work, flood_folder, combinations=True).question() is None
    assert Session(work, flood_folder).finish(EN).added  # the order's decisions only
    assert {d.term for d in table.read(flood_folder / table.FILE)} <= {"山洪", "洪水", "台风"}


def test_nothing_is_no_answer_where_something_is_known(work: Workspace, flood_folder: Path) -> None:
    session = Session(work, flood_folder, terms=["山洪", "洪水", "台风"])
    asked = session.question()
    assert asked is not None
    with pytest.raises(ExplorationError, match="something is 山洪"):
        session.answer(asked, parse("x", asked.choices, session.names))


def test_the_terms_chosen_by_default(flood_folder: Path) -> None:
    """The two terms in most papers below the lowest class with two: below 灾害 and 现象 at one depth."""
    learned = load(flood_folder)
    assert {c.label for c in most_uncertain(learned, 2)} == {"洪水", "山洪"}
    assert {c.label for c in most_uncertain(learned, 3)} == {"灾害", "洪水", "山洪"}
    assert {c.label for c in most_uncertain(learned, 10)} == {"灾害", "洪水", "山洪", "台风", "风暴潮", "河流"}
    assert [c.label for c in named(learned, ["灾害", "flood", "山洪"])] == ["山洪", "洪水", "灾害"]


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        (["山洪", "洪氺"], "there is no class '洪氺'.*did you mean '洪水'"),
        (["山洪", "灾害学"], "is the topic, which is above everything"),
        (["山洪", "flash flood"], "expected 2 to 40 terms to settle, found 1"),
    ],
)
def test_terms_that_are_refused(work: Workspace, flood_folder: Path, terms: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Session(work, flood_folder, terms=terms)


def test_folders_and_files_that_are_refused(work: Workspace, flood_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no ontology to settle: give the folder"):
        Session(work, tmp_path)
    (flood_folder / FILE).write_text("{", encoding="utf-8")
    with pytest.raises(SettleError, match=r"settle.json is damaged .*remove it to begin anew"):
        Session(work, flood_folder)
    (flood_folder / FILE).write_text('{"format": 9}', encoding="utf-8")
    with pytest.raises(SettleError, match="format 9, expected 1"):
        Session(work, flood_folder)


def test_decisions_that_contradict_each_other_are_named(work: Workspace, flood_folder: Path) -> None:
    found = [Decision("reject", "山洪", "洪水"), Decision("accept", "山洪", "x"), Decision("accept", "x", "洪水")]
    table.append(flood_folder / table.FILE, found)
    with pytest.raises(SettleError, match="decisions contradict each other: 'd1: 山洪, not 洪水' cannot lack 洪水"):
        Session(work, flood_folder, terms=["山洪", "洪水", "灾害"])


def test_later_decisions_overrule_answers(work: Workspace, flood_folder: Path) -> None:
    """Someone rejects what an answer accepted, and accepts what it rejected: nothing has to be mended by hand."""
    session = Session(work, flood_folder, terms=["山洪", "洪水", "灾害"])
    asked = session.question()
    assert asked is not None
    say(session, asked, "洪水")
    session.finish(EN)
    table.append(flood_folder / table.FILE, [Decision("reject", "山洪", "洪水"), Decision("accept", "山洪", "灾害")])
    again = Session(work, flood_folder)
    assert ("accept", "山洪", "灾害") in decided(flood_folder)
    (note,) = again.notes
    assert note.startswith("the answer 'every 山洪 is: 洪水; not: 灾害' is overruled by a later decision: ")
    assert "山洪, not 洪水' lacks" in note
    again.finish(EN)
    assert {d for d in decided(flood_folder) if d[1] == "山洪"} == {
        ("reject", "山洪", "洪水"),
        ("accept", "山洪", "灾害"),
    }
    assert Session(work, flood_folder).notes == []


def test_a_class_that_is_gone_leaves_the_others_to_settle(work: Workspace, flood_folder: Path) -> None:
    session = Session(work, flood_folder, terms=["山洪", "洪水", "灾害"])
    learned = load(flood_folder).ontology
    gone = next(c.iri for c in learned.concepts if c.label == "灾害")
    flood = next(c.iri for c in learned.concepts if c.label == "洪水")
    session.undo()  # saves the terms
    edges = [replace(r, target=learned.root) if r.target == gone else r for r in learned.relations if r.source != gone]
    concepts = tuple(c for c in learned.concepts if c.iri != gone)
    owl.write(replace(learned, concepts=concepts, relations=tuple(edges)), flood_folder / "flood.ttl")
    again = Session(work, flood_folder)
    assert again.labels == session.labels
    assert truthful(again) >= 1
    assert again.learned.by_name["洪水"].iri == flood


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("1 3", ("洪水", "现象")), ("洪水，现象", ("洪水", "现象")), ("flood; 3", ("洪水", "现象")), ("0", ()),
        ("都不是", ()), ("Y", ("洪水", "灾害", "现象")), ("*", ("灾害",)), ("no : GLOF", ()), ("n GLOF", ()),
        ("Flood", ("洪水",)),
    ],
)  # fmt: skip
def test_replies(text: str, holds: tuple[str, ...]) -> None:
    terms = {"洪水": "洪水", "flood": "洪水", "灾害": "灾害", "现象": "现象"}
    reply = parse(text, ["洪水", "灾害", "现象"], terms, ["灾害"])
    assert (reply.kind, reply.holds) == ("answer", holds)
    assert (reply.example is not None) == ("GLOF" in text)


@pytest.mark.parametrize("text", ["", "4", "台风", "maybe", "1 x", "y : GLOF", "n GLOF +台风", "*"])
def test_replies_that_are_refused(text: str) -> None:
    with pytest.raises(ReplyError):
        parse(text, ["洪水", "灾害", "现象"], {"洪水": "洪水"})
