"""The whole learning pipeline, on the bundled sample and on real abstracts."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from ontology.build import Learned, LearnError, LearnOptions, LocalSpec, TopicSpec, learn
from ontology.class_labels import paired_keywords
from ontology.corpus import read
from ontology.decisions.guidance import Guidance
from ontology.evidence import skeleton
from ontology.iris import IriRegister, namespace
from ontology.model import Document, Ontology
from ontology.owl import canonical, write
from ontology.owl import read as read_owl
from ontology.terms import TermError, TermLists
from ontology.terms.lexicon import EMPTY, bundled
from ontology.terms.lexicon import load as load_lexicon
from ontology.terms.wordforms import has_han

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "ontocrawl" / "sample" / "abstracts.txt"
REAL = ROOT / ".." / "shared" / "data" / "abstracts_zh" / "disaster_core.jsonl"


def earth(**options: Any) -> LearnOptions:
    """Options with the lists of the earth sciences."""
    return LearnOptions(bundled("earth"), **{"upper_classes": skeleton(field="earth"), **options})


def rainstorm() -> TopicSpec:
    topic = tomllib.loads((files("ontologies") / "topics" / "rainstorm.toml").read_text(encoding="utf-8"))
    local = (LocalSpec(x["name"], x["label"]["zh"], x["label"]["en"], tuple(x["cues"])) for x in topic["local"])
    return TopicSpec(topic["name"], topic["label"]["zh"], topic["label"]["en"], tuple(local))


def labels(ontology: Ontology, iris: tuple[str, ...]) -> set[str]:
    return {ontology.by_iri[iri].label_zh for iri in iris}


def iri_of(ontology: Ontology, label: str) -> str:
    return next(c.iri for c in ontology.concepts if c.label_zh == label)


def ancestors(ontology: Ontology, label: str) -> set[str]:
    above: set[str] = set()
    stack = [iri_of(ontology, label)]
    while stack:
        for parent in ontology.parents[stack.pop()]:
            if parent not in above:
                above.add(parent)
                stack.append(parent)
    return labels(ontology, tuple(above))


def depth(ontology: Ontology) -> int:
    level, count = {ontology.root}, 0
    while level:
        level = {child for iri in level for child in ontology.children[iri]}
        count += 1
    return count


@pytest.fixture(scope="module")
def sample() -> Learned:
    return learn(read(SAMPLE).documents, rainstorm(), earth(min_documents=2))


def test_the_sample_gives_a_hierarchy_of_several_levels(sample: Learned) -> None:
    whole = sample.global_ontology
    assert len(whole.concepts) >= 100
    assert depth(whole) >= 3
    assert whole.by_iri[whole.root].label_zh == "暴雨灾害"
    assert whole.by_iri[whole.root].label_en == "rainstorm disaster"
    assert {"雷达", "天气雷达"} <= ancestors(whole, "双偏振雷达")
    assert {"暴雨", "降水"} <= ancestors(whole, "特大暴雨")
    assert "大暴雨" not in ancestors(whole, "特大暴雨")
    assert "预警" in ancestors(whole, "山洪预警")
    assert "灾害" in ancestors(whole, "泥石流")
    assert all(depth(o) >= 3 for o in sample.local_ontologies)
    assert [o.iri.rsplit("/", 1)[1] for o in sample.local_ontologies] == ["monitoring", "secondary", "management"]


def test_every_class_hangs_together_and_says_why(sample: Learned) -> None:
    for ontology in (sample.global_ontology, *sample.local_ontologies):
        assert all(ontology.parents[c.iri] for c in ontology.concepts if c.iri != ontology.root)
        assert all(r.evidence for r in ontology.relations)
        assert all(r.confidence is not None for r in ontology.edges("subclass_of"))
        others = [r for r in ontology.relations if r.kind != "subclass_of"]
        assert all(r.support and r.sentence for r in others) and (others or ontology.kind == "local")
    missing = {
        c.label_zh for o in (sample.global_ontology, *sample.local_ontologies) for c in o.concepts if not c.label_en
    }
    assert sample.without_english == tuple(sorted(missing))
    english = [c.label_en for c in sample.global_ontology.concepts if c.label_en]
    assert len({label.casefold() for label in english}) == len(english)


def test_unplaced_terms_are_no_classes_and_are_listed(sample: Learned) -> None:
    labels_ = {c.label_zh for c in sample.global_ontology.concepts}
    dropped = {term for term, reason in sample.unplaced if reason.startswith("dropped")}
    assert dropped
    assert not dropped & labels_
    terms = {t.text for t in sample.terms}
    forms = labels_ | {a for c in sample.global_ontology.concepts for a in c.alt_zh}
    assert terms - dropped <= forms
    under_root = [r for r in sample.global_ontology.relations if r.evidence == "topic root"]
    assert len(under_root) < len(labels_) / 8


@pytest.mark.slow
def test_a_general_word_that_is_a_class_all_the_same_is_not_told_as_left_out() -> None:
    learned = learn(read(SAMPLE).documents, rainstorm(), LearnOptions(min_documents=2))
    classes, general = {c.label_zh for c in learned.global_ontology.concepts}, {word for word, _ in learned.general}
    assert {"流域", "监测"} <= classes and "风险" in general  # heads of other names; 风险 is none
    assert not general & classes


def test_other_readings_and_curated_classes_can_be_asked_for() -> None:
    documents = [*read(SAMPLE).documents[:20], *(Document(f"x{i}", "溃堤与漫堤", keywords=("溃堤",)) for i in range(3))]
    curated = read_owl(Path(str(files("ontologies"))) / "rainstorm-secondary.ttl")
    hung = learn(
        documents, rainstorm(), earth(min_documents=2, upper_classes=skeleton([curated], field="earth"))
    ).global_ontology
    breach = [r for r in hung.relations if hung.by_iri[r.source].label_zh == "溃堤"]
    assert {r.evidence for r in breach} == {"curated ontology secondary"}
    assert "洪水" in ancestors(hung, "溃堤") or "洪涝" in ancestors(hung, "溃堤")
    placed = learn(documents, rainstorm(), earth(min_documents=2, unplaced="root"))
    assert placed.unplaced
    assert {t for t, _ in placed.unplaced} <= {c.label_zh for c in placed.global_ontology.concepts}
    plain = learn(documents, rainstorm(), earth(min_documents=2, reading="significant"))
    assert plain.unplaced == ()
    assert {r.evidence for r in plain.global_ontology.relations} <= {"topic root", "head noun", "documents included"}
    assert all(
        len(r.documents) <= 5 and r.documents for r in plain.global_ontology.relations if r.evidence != "topic root"
    )


def test_what_was_learned_goes_to_files_without_loss(sample: Learned, tmp_path: Path) -> None:
    for suffix in (".ttl", ".rdf"):
        write(sample.global_ontology, tmp_path / f"a{suffix}")
        assert read_owl(tmp_path / f"a{suffix}") == canonical(sample.global_ontology)


def test_concepts_of_the_curated_ontology_get_the_same_iri(sample: Learned) -> None:
    curated = read_owl(Path(str(files("ontologies"))) / "rainstorm.ttl")
    ours = {c.label_zh: c.iri for c in sample.global_ontology.concepts}
    both = [c for c in curated.concepts if c.label_zh in ours and c.label_zh in ("暴雨灾害", "滑坡", "泥石流", "水库")]
    assert len(both) == 4
    assert all(ours[c.label_zh] == c.iri for c in both)


@pytest.mark.slow
def test_the_same_ontology_in_another_process(sample: Learned, tmp_path: Path) -> None:
    write(sample.global_ontology, tmp_path / "here.ttl")
    code = (
        "import sys; from tests.ontology.test_build import SAMPLE, earth, learn, rainstorm, read, write\n"
        "options = earth(min_documents=2)\n"
        "write(learn(read(SAMPLE).documents, rainstorm(), options).global_ontology, sys.argv[1])"
    )
    environment = os.environ | {"PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "there.ttl")], check=True, env=environment, cwd=ROOT)
    assert (tmp_path / "there.ttl").read_bytes() == (tmp_path / "here.ttl").read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(not REAL.exists(), reason=f"real abstracts are not at {REAL}")
@pytest.mark.parametrize("min_documents", [2, 3, 4])
def test_real_abstracts_give_an_ontology(min_documents: int) -> None:
    learned = learn(read(REAL).documents, rainstorm(), earth(min_documents=min_documents))
    whole = learned.global_ontology
    assert len(whole.concepts) >= 100
    assert depth(whole) >= 3
    assert len(learned.local_ontologies) == 3
    found = {c.label_zh for c in whole.concepts}
    for narrower, broader in (("心理台风眼效应", "台风"), ("WRF模式", "暴雨"), ("水库", "洪水")):  # co-occurrence only
        assert narrower not in found or broader not in ancestors(whole, narrower)
    for label, other in (("神经网络", "卷积神经网络"), ("风速", "最大风速"), ("低涡", "西南涡")):
        assert not any({label, other} <= set(node.terms) for node in learned.hierarchy.nodes)


def test_small_corpora_and_their_faults() -> None:
    topic = TopicSpec("test", "测试", "test", (LocalSpec("none", "无", "none", ("没有这个词",)),))
    documents = [Document(f"d{i}", "暴雨与洪水", keywords=("暴雨", "洪水")) for i in range(3)]
    learned = learn(documents, topic, LearnOptions(EMPTY))
    assert {c.label_zh for c in learned.global_ontology.concepts} >= {"测试"}
    assert learned.local_ontologies == ()
    assert "no document contains a cue word" in learned.notes[0]
    with pytest.raises(LearnError, match="no document to learn from"):
        learn([], topic)
    with pytest.raises(LearnError, match="distinct ids"):
        learn([documents[0], documents[0]], topic)
    with pytest.raises(TermError, match="no document contains 台风"):
        learn(documents, topic, LearnOptions(required_terms=("台风",)))


def test_english_comes_from_pairs_where_the_lexicon_has_none() -> None:
    pairs = [
        Document("a", "一", keywords=("雨洪耦合", "积涝点"), keywords_en=("Rain Coupling", "GIS Spot")),
        Document("b", "二", keywords=("雨洪耦合",), keywords_en=("rain coupling",)),
        Document("c", "三", keywords=("雨洪耦合", "无对"), keywords_en=("other",)),
    ]
    assert paired_keywords(pairs) == {"雨洪耦合": "rain coupling", "积涝点": "GIS spot"}


def test_a_term_of_english_papers_is_an_english_label() -> None:
    documents = [Document(f"d{i}", "暴雨与洪水", keywords=("暴雨", "洪水")) for i in range(4)]
    documents += [Document(f"e{i}", "Lahar deposits", keywords=("lahar", "rainstorm")) for i in range(4)]
    learned = learn(documents, TopicSpec("test", "测试", "test"), earth(unplaced="root")).global_ontology
    assert {(c.label_zh, c.label_en) for c in learned.concepts} >= {("", "lahar"), ("暴雨", "rainstorm")}
    assert all(not has_han(form) for c in learned.concepts for language, form in c.forms() if language == "en")
    assert all(has_han(form) for c in learned.concepts for language, form in c.forms() if language == "zh")


def test_a_register_keeps_iris_from_run_to_run() -> None:
    documents = [Document(f"d{i}", "暴雨与洪水" if i else "暴雨", keywords=("暴雨",)) for i in range(4)]
    register = IriRegister(namespace("test"), {"洪水": namespace("test") + "KeptForEver"})
    learned = learn(documents, TopicSpec("test", "测试", "test"), earth(), register)
    assert iri_of(learned.global_ontology, "洪水") == namespace("test") + "KeptForEver"
    assert register.entries["暴雨"] == namespace("test") + "Rainstorm"


def test_a_base_of_ones_own_is_in_every_iri() -> None:
    documents = [Document(f"d{i}", "暴雨与洪水预警", keywords=("暴雨",)) for i in range(3)]
    topic = TopicSpec("test", "测试", "test", (LocalSpec("warning", "预警", "warning", ("预警",)),))
    learned = learn(documents, topic, earth(base="https://example.org/onto/"))
    assert learned.global_ontology.iri == "https://example.org/onto/test/learned"
    assert all(c.iri.startswith("https://example.org/onto/test#") for c in learned.global_ontology.concepts)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"reading": "foo"}, "reading: expected one of published, significant, tolerant, evidence, found 'foo'"),
        ({"unplaced": "keep"}, "unplaced: expected one of drop, root, found 'keep'"),
        ({"evidence": "fca"}, r"evidence: expected a tuple of texts, such as .*, found 'fca' \(str\)"),
        ({"required_terms": "暴雨"}, "required_terms: expected a tuple of texts"),
        ({"min_documents": "3"}, r"min_documents: expected a whole number, found '3' \(str\)"),
        ({"min_documents": True}, "min_documents: expected a whole number, found True"),
        ({"max_terms": 0}, "max_terms: expected 1 or more, found 0"),
        ({"lexicon": "words.tsv"}, "lexicon: expected a Lexicon"),
        ({"licence": None}, "licence: expected text, found None"),
    ],
)
def test_an_option_of_another_type_or_range_is_named(options: dict[str, Any], said: str) -> None:
    with pytest.raises(LearnError, match=said):
        LearnOptions(**options)


@pytest.mark.slow
def test_rows_of_lists_lexicon_classes_and_decisions_that_did_nothing_are_named(tmp_path: Path) -> None:
    rows = {
        "lexicon": ("zh\ten\tsynonyms_zh\tsynonyms_en", "暴雨\trainstorm\t\t", "外星人\talien\t\t"),
        "classes": (
            "zh\ten\tparents\tmembers\tendings\taccepts",
            "灾害\tdisaster\t\t暴雨\t\t",
            "外星物\tthing\t\t飞碟\t\t",
        ),
    }
    for name, lines in rows.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    options = LearnOptions(
        load_lexicon(tmp_path / "lexicon"),
        lists=TermLists(("暴雨", "没有的词"), ("内涝", "也没有"), ("并无此字",)),
        upper_classes=skeleton(own_classes=tmp_path / "classes"),
        guidance=Guidance(terms=("所定之类",), no_terms=("不存在类",), rejected=frozenset({("暴雨", "飞碟")})),
    )
    notes = learn(read(SAMPLE).documents, rainstorm(), options).notes
    idle = {note.partition(":")[0]: note.rpartition(": ")[2] for note in notes if "did nothing" in note}
    assert idle == {
        "white list": "没有的词", "black list": "也没有", "stop list": "并无此字", "lexicon": "外星人",
        "classes": "外星物",
        "decisions about terms": "不存在类", "decisions about edges": "暴雨 < 飞碟",
    }  # fmt: skip
