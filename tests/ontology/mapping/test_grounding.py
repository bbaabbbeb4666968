"""Foreign ontologies as upper classes: which classes enter, under which names, and what is mapped."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontology import corpus, owl
from ontology.build import LearnOptions, TopicSpec, learn
from ontology.class_labels import paired_keywords
from ontology.mapping import BROAD, CLOSE, EXACT
from ontology.mapping.grounding import Grounding, ground
from ontology.model import Concept, Document, Ontology, Relation
from ontology.terms.lexicon import EMPTY, Entry, Lexicon, bundled

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
SAMPLE = Path(__file__).resolve().parents[3] / "ontocrawl" / "sample"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the ontologies of shared/data are not here")
LEXICON = Lexicon((Entry("洪水", "flood"), Entry("台风", "typhoon", (), ("hurricane",))))


def made(*classes: tuple[str, str, str], alt: dict[str, tuple[str, ...]] | None = None) -> Ontology:
    """An ontology of (end of the IRI, English label, parent) with a virtual root; `alt` has English synonyms."""
    iri = "https://example.org/h#"
    root = Concept("https://example.org/h#virtual-root", "", "h")
    concepts = tuple(
        Concept(iri + name, "", label or None, alt_en=(alt or {}).get(name, ())) for name, label, _ in classes
    )
    edges = tuple(Relation(iri + n, "subclass_of", iri + p if p else root.iri) for n, _, p in classes)
    return Ontology("https://example.org/h", "global", "h", "1", root.iri, (root, *concepts), edges)


HAZARDS = made(
    ("Hazard", "Hazards", ""), ("Flood", "Flood", "Hazard"), ("Coastal", "Coastal Flood", "Flood"),
    ("SolarStorm", "Solar Storm", "Hazard"), ("Event", "", ""), ("Gale", "Gale", "Event"),
    alt={"Gale": ("strong breeze",), "SolarStorm": ("strong breeze",)},
)  # fmt: skip


def of(*texts: str, ontology: Ontology = HAZARDS, lexicon: Lexicon = LEXICON) -> Grounding:
    documents = [Document(str(i), text) for i, text in enumerate(texts)]
    return ground([ontology], documents, lexicon, paired_keywords(documents, lexicon))


def test_classes_that_the_documents_name_and_those_above_enter() -> None:
    found = of("洪水预报与洪水风险")
    assert {c.label: c.parents for c in found.classes.classes} == {"hazard": (), "洪水": ("hazard",)}
    assert found.total == 6
    assert not of("与主题无关").classes.classes


def test_names_come_from_labels_the_lexicon_pairs_and_synonyms() -> None:
    assert "coastal flood" in of("Coastal floods in China").classes.by_label
    documents = [Document("1", "大风", keywords=("大风",), keywords_en=("gale",))]
    found = ground([HAZARDS], documents, EMPTY, paired_keywords(documents))
    ((concept, name),) = found.named["大风"]
    assert (concept.label_en, name.rule) == ("Gale", "paired keywords")
    assert found.classes.by_label["大风"].parents == ("event",), "a class without a label has the end of its IRI"
    assert not of("a strong breeze").classes.classes, "a synonym of two classes is no name"
    breeze = made(("Gale", "Gale", ""), alt={"Gale": ("strong breeze",)})
    ((_, name),) = of("a strong breeze", ontology=breeze).named["strong breeze"]
    assert name.rule == "shared name"


def test_the_word_that_the_lexicon_prefers_decides() -> None:
    winds = made(("Cyclone", "cyclone", ""), ("Hurricane", "hurricane", "Cyclone"), ("Typhoon", "typhoon", "Cyclone"))
    found = of("台风", ontology=winds)
    assert [concept.label_en for concept, _ in found.named["台风"]] == ["typhoon"]


def test_classes_of_several_files_are_one_by_iri() -> None:
    more = made(("Flood", "", "Water"), ("Water", "Water Phenomenon", ""))
    documents = [Document("1", "洪水")]
    classes = ground([HAZARDS, more], documents, LEXICON, {}).classes.by_label
    assert set(classes["洪水"].parents) == {"hazard", "water phenomenon"}


def learned(found: Grounding, texts: list[str]) -> Ontology:
    documents = [Document(str(i), text, keywords=("溃坝洪水",)) for i, text in enumerate(texts)]
    options = LearnOptions(lexicon=LEXICON, upper_classes=found.classes, min_documents=1)
    return learn(documents, TopicSpec("t", "主题", "topic"), options).global_ontology


def test_learned_classes_are_mapped() -> None:
    texts = ["洪水预报。山洪灾害与洪水。", "溃坝洪水的模拟，溃坝洪水的风险", "溃坝洪水与洪水", "洪水"]
    found = of(*texts)
    ontology = learned(found, texts)
    rows = {(m.subject_label, m.predicate, m.object_label): m for m in found.mappings(ontology)}
    assert rows["洪水", EXACT, "Flood"].match_string == "洪水 = flood"
    assert rows["溃坝洪水", BROAD, "Flood"].comment == "head"
    assert rows["hazard", EXACT, "Hazards"].comment == "equal labels"
    assert all(m.subject in ontology.by_iri and m.object.startswith("https://example.org/h#") for m in rows.values())
    above = {ontology.by_iri[p].label for c in ontology.concepts if c.label == "洪水" for p in ontology.parents[c.iri]}
    assert above == {"hazard"}


def test_a_name_of_two_classes_is_mapped_closely() -> None:
    twice = made(("A", "flood", ""), ("B", "Flood", ""))
    texts = ["洪水与溃坝洪水", "洪水", "溃坝洪水"]
    found = of(*texts, ontology=twice)
    rows = [m for m in found.mappings(learned(found, texts)) if m.subject_label == "洪水"]
    assert [m.predicate for m in rows] == [CLOSE, CLOSE]


@needs_data
def test_the_hazards_of_undrr_on_the_sample() -> None:
    hazards = owl.load(DATA / "ontologies" / "dmdo" / "undrr-isc-hazard-classification.ttl").ontology
    documents = corpus.read(SAMPLE).documents
    lexicon = bundled("earth")
    found = ground([hazards], documents, lexicon, paired_keywords(documents, lexicon))
    assert len(found.classes.classes) < 40 < found.total
    ((concept, name),) = found.named["山洪"]
    assert (concept.label, name.rule) == ("Flash Flood", "lexicon")
    assert "metereological and hydrological hazard" in found.classes.above("山洪")


@needs_data
def test_modules_of_sweet_are_joined() -> None:
    modules = [owl.load(DATA / "ontologies" / "sweet" / f"{n}.ttl").ontology for n in ("phenHydro", "phen", "phenAtmo")]
    found = ground(modules, [Document("1", "山洪与洪水的预报")], bundled("earth"), {})
    assert "洪水" in found.classes.by_label["山洪"].parents
    assert "phenomenon" in found.classes.above("山洪")
