"""What a build says of classes that moved since the version before, and of edges that it only suggests."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from ontology import owl
from tests.ontocrawl.conftest import Command, CommandResult

KINDS = ("肺肿瘤", "脑肿瘤", "胃肿瘤", "肝肿瘤", "肾肿瘤", "胰肿瘤", "肠肿瘤", "骨肿瘤")
CASE = Path(__file__).parents[3] / "shared" / "cases" / "newfield" / "pattern.jsonl"


def tumours(number: int, sentences: str) -> dict[str, object]:
    """A record on kinds of tumours, one left out: terms of the same documents would be one class."""
    kinds = [kind for i, kind in enumerate(KINDS) if i != number % len(KINDS)]
    text = "".join(f"{kind}较多见。" for kind in kinds) + f"肿瘤病人{number}例，手术后随访。{sentences}"
    return {"title": f"临床观察{number}", "abstract": text, "keywords": [*kinds, "肿瘤", "手术"]}


def surgery(number: int) -> dict[str, object]:
    """A record on surgery."""
    text = f"微创手术与开放手术比较{number}，手术时间缩短。"
    return {"title": f"微创手术的疗效{number}", "abstract": text, "keywords": ["手术", "微创手术", "开放手术"]}


class Builds:
    """Builds into one folder."""

    def __init__(self, command: Command, folder: Path) -> None:
        self._command, self._folder, self.out = command, folder, folder / "out"

    def build(self, *sentences: str) -> CommandResult:
        """Build from twelve records on tumours, some with a further sentence, and others on surgery."""
        path = self._folder / "papers.jsonl"
        texts = (*sentences, *[""] * (12 - len(sentences)))
        records = [*(tumours(i, text) for i, text in enumerate(texts)), *map(surgery, range(4))]
        path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), encoding="utf-8")
        return self.of(path)

    def of(self, path: Path, label: str = "医学") -> CommandResult:
        """Build from a file, for a topic with a label."""
        answer = self._command(
            "ontology", "build", "--corpus", path, "--topic", "t", "--label", f"zh={label}", "--no-bundled",
            "--out", self.out, "--no-ask",
        )  # fmt: skip
        assert answer.code == 0, answer.err
        return answer

    def above(self, label: str) -> set[str]:
        """The labels of the classes above one."""
        learned = owl.read(self.out / "t.ttl")
        (iri,) = (c.iri for c in learned.concepts if c.label == label)
        return {learned.by_iri[parent].label for parent in learned.parents[iri]}

    def suggested(self) -> list[dict[str, str]]:
        """The rows of the file of suggested edges."""
        with (self.out / "suggested_edges.tsv").open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream, delimiter="\t"))


@pytest.fixture
def builds(command: Command, tmp_path: Path) -> Builds:
    return Builds(command, tmp_path)


STATED = "包括肿瘤在内的广泛手术切除是主要的办法。"
AGAIN = "包括肿瘤在内的手术切除是主要的办法。"


@pytest.mark.slow
def test_one_sentence_moves_no_subtree_and_is_suggested(builds: Builds) -> None:
    builds.build()
    answer = builds.build(STATED)
    assert builds.above("肿瘤") == {"医学"}
    (row,) = builds.suggested()
    assert (row["narrower"], row["broader"], row["reason"]) == ("肿瘤", "手术", "one sentence")
    assert int(row["classes_below"]) > 5
    assert row["sentence"] + "。" == STATED and len(row["documents"].split(" | ")) == 1
    said = answer.err.replace("\n", "")
    assert f"not moved, only suggested: 肿瘤 and {row['classes_below']} classes below it below 手术" in said
    assert "moved since the last version" not in said


@pytest.mark.slow
def test_a_move_of_many_classes_is_a_suggestion_until_a_person_accepts_it(builds: Builds, command: Command) -> None:
    builds.build()
    builds.build(STATED, AGAIN)
    assert builds.above("肿瘤") == {"医学"}
    (row,) = builds.suggested()
    assert (row["narrower"], row["broader"]) == ("肿瘤", "手术")
    assert row["reason"] == f"moves {int(row['classes_below']) + 1} classes"
    version = json.loads((builds.out / "summary.json").read_text(encoding="utf-8"))["version"]
    builds.build(STATED, AGAIN)  # the same again
    assert json.loads((builds.out / "summary.json").read_text(encoding="utf-8"))["version"] == version
    assert command("ontology", "decide", builds.out, "accept", "肿瘤", "手术", "--who", "li").code == 0
    answer = builds.build(STATED, AGAIN)
    assert builds.above("肿瘤") == {"手术"}
    assert f"moved since the last version: 肿瘤 and {row['classes_below']} classes: 医学 -> 手术" in answer.err


@pytest.mark.slow
def test_nothing_is_suggested_above_the_topic(builds: Builds) -> None:
    builds.build(STATED)
    assert [row["narrower"] for row in builds.suggested()] == ["肿瘤"]
    answer = builds.of(builds.out.parent / "papers.jsonl", label="肿瘤")
    assert "only suggested" not in answer.err and [row for row in builds.suggested() if row["narrower"] == "肿瘤"] == []


@pytest.mark.slow
def test_a_first_build_follows_two_documents(builds: Builds) -> None:
    answer = builds.build(STATED, AGAIN)
    assert builds.above("肿瘤") == {"手术"}
    assert "moved since" not in answer.err


@pytest.mark.slow
def test_a_build_lists_what_waits_for_a_place(builds: Builds) -> None:
    answer = builds.build()
    summary = json.loads((builds.out / "summary.json").read_text(encoding="utf-8"))
    dropped = {term for term, outcome in summary["unplaced_list"] if outcome.startswith("dropped")}
    classes = {c.label for c in owl.read(builds.out / "t.ttl").concepts}
    assert {row["term"] for row in summary["waiting"]} == dropped
    assert all(len(row["places"]) <= 3 and classes.issuperset(row["places"]) for row in summary["waiting"])
    assert any(row["places"] for row in summary["waiting"])
    assert f"{len(dropped)} terms wait for a place" in answer.err


@pytest.mark.slow
@pytest.mark.skipif(not CASE.exists(), reason="the case is not there")
def test_the_case_of_a_person(builds: Builds) -> None:
    builds.of(CASE)
    assert builds.above("肿瘤") == {"医学"}
    assert [(row["narrower"], row["broader"]) for row in builds.suggested()] == [("肿瘤", "手术")]
