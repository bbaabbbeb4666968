"""English patterns: what a sentence states to be a kind of what, or the same."""

from __future__ import annotations

import pytest

from ontology.evidence import EMPTY_SKELETON, TermCorpus
from ontology.evidence.english_sentence import EnglishNames, EnglishSentence
from ontology.evidence.patterns import PATTERNS, find
from ontology.evidence.patterns_en import statements
from ontology.model import Document
from ontology.terms.lexicon import EMPTY

NAMES = (
    "dog", "cat", "whale", "bee", "animal", "mammal", "marine mammal", "heart", "organ", "aspirin", "drug", "city",
    "brain", "passerine bird", "firecrest", "tern", "photosynthesis", "heart attack", "myocardial infarction", "steel",
    "alloy", "captopril", "ACE inhibitor",
)  # fmt: skip


def stated(text: str, *, first: bool = True, names: tuple[str, ...] = NAMES) -> set[tuple[str, str]]:
    known = EnglishNames({name: name for name in names})
    return {(s.narrower, s.broader) for s in statements(text, known, first=first) if s.rule == "pattern"}


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        (
            "Marine mammals, such as whales and dogs, breathe air",
            {("whale", "marine mammal"), ("dog", "marine mammal")},
        ),
        ("He studies such animals as cats and dogs", {("cat", "animal"), ("dog", "animal")}),
        ("Dogs, cats, and other small animals eat grass", {("dog", "animal"), ("cat", "animal")}),
        ("They kill cats and other larger mammals", set()),  # larger ones than cats
        ("Many animals including cats and some dogs hide", {("cat", "animal"), ("dog", "animal")}),
        ("Domestic animals, especially dogs, bark", {("dog", "animal")}),
        ("It harms animals (e.g., bees and cats)", {("bee", "animal"), ("cat", "animal")}),
        ("Most mammals (cats, dogs, and whales) sleep", {("cat", "mammal"), ("dog", "mammal"), ("whale", "mammal")}),
        ("Most mammals (cats and larger ones) sleep", set()),
        ("They eat small animals like bees and cats", {("bee", "animal"), ("cat", "animal")}),
        ("Mammals, like bees, are social", set()),
        ("It has organs like the dog", set()),
        ("Like other mammals, whales breathe air", {("whale", "mammal")}),
        ("Like all mammals, the city breathes air", set()),
        ("They use the best animals (e.g. cats)", set()),
        ("They see objects such as cats and dogs", set()),
        ("Two mammals (one cat and one dog) sleep", set()),
        ("ACE inhibitors such as captopril lower it", {("captopril", "ACE inhibitor")}),
        ("Animals such as hunting dogs bark", set()),  # not of every dog
        ("Animals such as dog food", set()),
        ("Animals such as a dog's friends", set()),
        ("Animals resemble dogs", set()),
        ("Methods such as photosynthesis", set()),  # no class
        ("The enzymes that animals, dogs and cats have", set()),
    ],
)
def test_lists(text: str, pairs: set[tuple[str, str]]) -> None:
    assert stated(text) == pairs


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("The heart is a muscular organ that pumps blood", {("heart", "organ")}),
        ("Aspirin is a drug used against pain", {("aspirin", "drug")}),
        ("Dogs are domesticated mammals native to Eurasia", {("dog", "mammal")}),
        ("The Firecrest, Regulus ignicapillus, is a very small passerine bird in the kinglet family",
         {("firecrest", "passerine bird")}),
        ("The dog (Canis familiaris) is a large, hairy mammal", {("dog", "mammal")}),
        ("Dogs and cats are mammals", {("dog", "mammal"), ("cat", "mammal")}),
        ("Whales, cats, and the dog are mammals", {("whale", "mammal"), ("cat", "mammal"), ("dog", "mammal")}),
        ("In biology, the brain is an organ", {("brain", "organ")}),
        ("Background: aspirin is a drug", {("aspirin", "drug")}),
        ("A firecrest is a species of passerine bird", {("firecrest", "passerine bird")}),
        ("Firecrests are a group of small birds", {("firecrest", "bird")}),
        ("The whale is one of the largest mammals", {("whale", "mammal")}),
        ("Steel is also an alloy of iron", {("steel", "alloy")}),
        ("A dog is an animal eating meat", {("dog", "animal")}),
        ("Heart attack is a disease caused by a clot", {("heart attack", "disease")}),  # no name of the corpus
        ("Many dogs are pets", set()),
        ("It is a mammal", set()),
        ("Hunting dogs are mammals", set()),
        ("The brain is a part of the body", set()),
        ("Photosynthesis is the result of evolution", set()),
        ("Photosynthesis is one of the most important", set()),
        ("Photosynthesis is a process of the leaf", {("photosynthesis", "process")}),
        ("Aspirin is a factor", set()),
        ("Dogs are important components of the city", set()),
        ("Photosynthesis is the design, construction and use of organs", set()),
        ("Dog is a word of unknown origin", set()),
        ("A tern is a member of the family Laridae", set()),
        ("The heart is large and red", set()),
        ("Steel is used by a drug", set()),
    ],
)  # fmt: skip
def test_definitions(text: str, pairs: set[tuple[str, str]]) -> None:
    assert stated(text) == pairs


def test_a_definite_subject_is_defined_only_at_the_beginning_of_a_text() -> None:
    assert stated("The city is an organ", first=True) == {("city", "organ")}
    assert stated("The city is an organ", first=False) == set()
    assert stated("A city is an organ", first=False) == {("city", "organ")}


def test_what_is_called_a_name() -> None:
    assert stated("Leaves use a process called photosynthesis.") == {("photosynthesis", "process")}
    assert stated("Leaves use a process also known as photosynthesis.") == {("photosynthesis", "process")}
    assert stated("This is called photosynthesis") == set()


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Myocardial infarction, also called heart attack, kills", {("heart attack", "myocardial infarction")}),
        ("Myocardial infarction (commonly known as a heart attack)", {("heart attack", "myocardial infarction")}),
        ("Acute myocardial infarction, also called heart attack", set()),
        ("Myocardial infarction is called dangerous", set()),
        ("A myocardial infarction also called heart attack", set()),
        ("Myocardial infarction, also known as the heart attack of men", set()),
    ],
)
def test_names_that_are_the_same(text: str, same: set[tuple[str, str]]) -> None:
    known = EnglishNames({name: name for name in NAMES})
    assert {(s.narrower, s.broader) for s in statements(text, known) if s.rule == "synonym"} == same
    claims = find([Document("d", "", text)], NAMES, EMPTY)
    assert {(c.narrower, c.broader) for c in claims if c.rule == "synonym"} == same


def test_the_main_fields_of_a_record_in_english_are_read() -> None:
    abstract = "Captopril lowers blood pressure. Aspirin is a drug. The city is a drug."
    (claim,) = find([Document("d1", "On drugs", abstract)], NAMES, EMPTY)
    assert (claim.narrower, claim.broader, claim.evidence) == ("aspirin", "drug", "pattern X is a Y")
    assert (claim.documents, claim.sentence) == (("d1",), "Aspirin is a drug")
    chinese = Document("d2", "阿司匹林研究", "研究阿司匹林。", title_en="", abstract_en="Aspirin is a drug.")
    assert len(find([chinese], NAMES, EMPTY)) == 1


def test_lists_are_contradicted_by_names_side_by_side() -> None:
    stated = Document("d1", "", "Dogs, bees and other mammals. A cat is a mammal.")
    listed = Document("d2", "", "Mammals and bees; the cat, the mammal.")

    def pairs(*documents: Document) -> set[tuple[str, str]]:
        return {(c.narrower, c.broader) for c in find(documents, NAMES, EMPTY)}

    assert pairs(stated, listed) == {("dog", "mammal"), ("cat", "mammal")}
    assert pairs(stated) == {("dog", "mammal"), ("bee", "mammal"), ("cat", "mammal")}


def test_names_that_are_no_terms_are_candidates() -> None:
    documents = [Document("d", "", "Dogs are mammals.")]
    corpus = TermCorpus(documents, ["dog"], EMPTY, EMPTY_SKELETON, {"dog": 1, "mammal": 1})
    assert [(c.narrower, c.broader) for c in PATTERNS.claims(corpus, ())] == [("dog", "mammal")]


def test_phrases_end_with_their_head() -> None:
    names = EnglishNames({"passerine bird": "passerine bird"})

    def classes(text: str) -> str | None:
        sentence = EnglishSentence(text, names)
        return sentence.class_of(sentence.phrase_after(0))

    assert classes("a small passerine bird in Europe") == "passerine bird"
    assert classes("a mammal native to Africa") == "mammal"
    assert classes("a wheeled vehicle") == "vehicle"
    assert classes("an insectivorous plant species") == "plant"
    assert classes("a species") is None
    assert classes("important factors") is None
