"""Places from a wordnet: its files, the senses of a field, and the edges."""

from __future__ import annotations

import gzip
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ontology.build import LearnError, LearnOptions, TopicSpec, learn
from ontology.evidence import EMPTY_SKELETON, Claim, TermCorpus, collect
from ontology.evidence.collect import TEXT_SOURCES
from ontology.evidence.wordnet import Field, Wordnet, WordnetError, read_wordnet, remark, wordnet_source
from ontology.hierarchy import TermHierarchy, term_hierarchy
from ontology.model import Document
from ontology.terms.lexicon import EMPTY
from tests.ontology.wordnets import FILLERS, KINDS, chinese, database, lmf, number

BIRDS = ("crane", "heron", "stork")
LIFTERS = ("crane", "derrick", "jib")


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Wordnet:
    return read_wordnet(database(tmp_path_factory.mktemp("wordnet")))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Wordnet:
    return read_wordnet(chinese(database(tmp_path_factory.mktemp("chinese"))))


def papers(terms: Sequence[str]) -> list[Document]:
    return [Document(f"d{i}", "", "", abstract_en=f"We saw one {term}.") for i, term in enumerate(terms)]


def placed(wordnet: Wordnet, terms: Sequence[str], documents: Sequence[Document] = ()) -> TermHierarchy:
    """The hierarchy by names and a wordnet."""
    corpus = TermCorpus(documents or papers(terms), terms)
    claims = collect(corpus, (*TEXT_SOURCES, wordnet_source(wordnet)))
    alone = corpus.alone({c.broader for c in claims})
    return term_hierarchy(corpus.context, reading="evidence", claims=claims, alone=alone)


def edges(hierarchy: TermHierarchy) -> set[tuple[str, str]]:
    return {(hierarchy.nodes[e.child].label, hierarchy.nodes[e.parent].label) for e in hierarchy.edges}


# ---- the files


def test_the_database_form_and_lmf_say_the_same(tmp_path: Path, english: Wordnet) -> None:
    (tmp_path / "x").mkdir()
    packed = tmp_path / "x" / "own.xml.gz"
    packed.write_bytes(gzip.compress(lmf(tmp_path / "own.xml").read_bytes()))
    other = read_wordnet(packed.parent)
    assert other.read == ["own.xml.gz"]
    assert [s.replace("own-", "") for s in other.senses("cranes")] == list(english.senses("cranes"))
    for key, synset in english.synsets.items():
        same = other.synsets[f"own-{key}"]
        assert same[1:4] == synset[1:4]
        assert [above.removeprefix("own-") for above in same.broader] == list(synset.broader)
    assert other.size[f"own-{number('flyer')}"] == english.size[number("flyer")] == 4
    assert len(english.synsets) == len(KINDS) + 2


def test_an_instance_is_no_kind_and_an_example_no_gloss(english: Wordnet) -> None:
    assert not english.synsets[number("Moby")].broader
    assert english.synsets[number("crane", second=True)].gloss == "a lifter that turns"
    assert english.synsets[number("flyer")].lemmas == ("flyer", "winged beast")


def test_a_chinese_word_has_the_senses_that_a_gloss_names(both: Wordnet) -> None:
    assert both.senses("鹭") == [number("heron")]  # and not pike
    assert both.senses("鹤") == [number("crane")] and both.senses("吊车") == [number("crane", second=True)]
    assert both.senses("鹳") == [number("stork")]  # only the dictionary has it, with a gloss of one sense
    assert both.named["鹭", number("heron")] == "heron" and both.chinese[number("flyer")] == ["飞禽"]


def test_chinese_lmf_is_joined_by_the_interlingual_index(tmp_path: Path) -> None:
    chinese(tmp_path)
    (tmp_path / "wn-data-cmn.tab").unlink()
    lmf(tmp_path / "own.xml")
    ili = number("heron").removesuffix("-n")
    (tmp_path / "zh.xml").write_text(
        '<LexicalResource><Lexicon id="zh" language="cmn"><LexicalEntry id="e"><Lemma writtenForm="鹭" '
        f'partOfSpeech="n"/><Sense id="s" synset="zh-9-n"/></LexicalEntry><Synset id="zh-9-n" ili="i{ili}" '
        'partOfSpeech="n"/></Lexicon></LexicalResource>',
        encoding="utf-8",
    )
    wordnet = read_wordnet(tmp_path)
    assert wordnet.senses("鹭") == [f"own-{number('heron')}"]
    assert wordnet.read == ["own.xml", "zh.xml", "cedict_ts.u8"]


def _cut(path: Path, keep: float = 0.5) -> None:
    path.write_bytes(path.read_bytes()[: int(keep * path.stat().st_size)])


def _line(path: Path, at: int, text: str) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[at - 1] = text
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _lmf_cut(folder: Path) -> None:
    for name in ("data.noun", "index.noun"):
        (folder / name).unlink()
    _cut(lmf(folder / "own.xml"))


def _packed_cut(folder: Path) -> None:
    (folder / "own.xml.gz").write_bytes(gzip.compress(lmf(folder / "own.xml").read_bytes())[:400])


def _renumbered(folder: Path) -> None:
    path = folder / "wn-data-cmn.tab"
    path.write_text(path.read_text(encoding="utf-8").replace("-n", "1-n"), encoding="utf-8")


def _unlinked(*names: str) -> Callable[[Path], None]:
    return lambda folder: [(folder / name).unlink() for name in names] and None


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_unlinked("index.noun"), "index.noun is missing beside data.noun.*wordnet-base"),
        (_unlinked("index.noun", "data.noun"), "no English wordnet.*cedict_ts.u8, wn-data-cmn.tab.*en-word.net"),
        (_unlinked("cedict_ts.u8"), "cedict_ts.u8 is missing.*mdbg.net"),
        (_unlinked("wn-data-cmn.tab"), "wn-data-cmn.tab is missing.*omw-data"),
        (lambda folder: _cut(folder / "data.noun"), "(data.noun, line .*)|(data.noun has no synset of .*get both)"),
        (lambda folder: _line(folder / "data.noun", 3, "00000107 05 n 01"), "data.noun, line 3: .*get the file"),
        (lambda folder: _line(folder / "index.noun", 4, "beast n two"), "index.noun, line 4"),
        (lambda folder: _line(folder / "cedict_ts.u8", 2, "鹤 crane"), "cedict_ts.u8, line 2"),
        (lambda folder: (folder / "cedict_ts.u8").write_bytes("鹤".encode("gb18030")), "cedict_ts.u8, line"),
        (_lmf_cut, "own.xml, line .*not well-formed"),
        (_packed_cut, "own.xml.gz.* could not be read"),
        (_renumbered, "0 of the .*different versions.*WordNet 3.0"),
    ],
)  # fmt: skip
def test_a_damaged_folder_says_what_is_wanted(tmp_path: Path, damage: Callable[[Path], None], said: str) -> None:
    damage(chinese(database(tmp_path)))
    with pytest.raises(WordnetError, match=said):
        read_wordnet(tmp_path)


def test_no_folder_and_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(WordnetError, match=r"No such file.*wordnet-base"):
        read_wordnet(tmp_path / "none")
    with pytest.raises(WordnetError, match=r"it is empty.*data.noun and index.noun"):
        read_wordnet(tmp_path)


# ---- the senses of a field


def test_the_field_decides_which_sense_a_word_has(english: Wordnet) -> None:
    bird, machine = number("crane"), number("crane", second=True)
    assert Field(english, BIRDS).p["crane"][bird] > 0.9 > 0.5 > Field(english, LIFTERS).p["crane"][bird]
    assert Field(english, LIFTERS).p["crane"][machine] > 0.9
    assert Field(english, BIRDS).places["crane"] == (bird, number("flyer"))
    assert Field(english, LIFTERS).places["crane"] == (machine, number("lifter"))
    alone = Field(english, ["crane"])
    assert "crane" not in alone.places and not alone.is_decided("crane", bird)
    assert Field(english, ["crane", "pike", "unheard"]).words == ("crane", "pike")


def test_gain_is_that_of_the_equation(english: Wordnet) -> None:
    """Two words below a class of four synsets: the other word counts 1, the word itself not."""
    field = Field(english, ["heron", "stork"])
    total, n = len(english.synsets), 1
    mass = {number("flyer"): 2.0, number("beast"): 2.0, number("entity"): 2.0}
    values = field.value("heron", number("heron"), mass)
    b = {"flyer": 4 / total, "beast": 7 / total}  # the flyers, the swimmers and the beast itself
    assert values.keys() == {number("flyer"), number("beast")}  # the entity says nothing: -ln b < 2.5
    for steps, (name, share) in enumerate(b.items()):
        gain = math.log((1 + 30 * share) / ((n + 29) * share))
        assert values[number(name)] == pytest.approx(gain - 0.15 * steps)
    assert field.above(number("heron")) == {number("flyer"): 1, number("beast"): 2, number("entity"): 3}
    assert 7 / math.exp(-2.5) < FILLERS


def test_one_round_by_hand(english: Wordnet) -> None:
    """With one other word, of one sense, four rounds only repeat the first: it never changes."""
    field = Field(english, ["crane", "jib"])
    total = len(english.synsets)

    def best(size: int, f: float) -> float:
        return math.exp(math.log((f + 30 * size / total) / (30 * size / total)))

    weights = {"bird": 1 * best(4, 0.0), "machine": 0.5 * best(4, 1.0)}
    expected = weights["machine"] / sum(weights.values())
    assert field.p["crane"][number("crane", second=True)] == pytest.approx(expected)


def test_acts_and_words_make_no_edges(english: Wordnet) -> None:
    field = Field(english, ["proverb", "adage", "heron", "stork"])
    assert field.words == ("proverb", "adage", "heron", "stork") and field.places.keys() == {"heron", "stork"}


# ---- the edges


def test_terms_are_placed_below_a_class_named_as_the_corpus_has_it(english: Wordnet) -> None:
    hierarchy = placed(english, BIRDS)
    assert edges(hierarchy) == {(bird, "flyer") for bird in BIRDS}
    known = [*papers(BIRDS), Document("x", "", "", abstract_en="A winged beast flew. The winged beast landed.")]
    corpus = TermCorpus(known, BIRDS, names={"winged beast": 1})
    claims = wordnet_source(english).claims(corpus, ())
    assert {c.broader for c in claims} == {"winged beast"}
    (edge,) = (e for e in hierarchy.edges if hierarchy.nodes[e.child].label == "heron")
    low, high = number("heron"), number("flyer")
    assert edge.evidence == (
        f"wordnet: heron {low} (a grey flyer that fishes) is a kind of flyer {high} (a beast with wings)"
    )
    assert edge.rules == ("wordnet",)
    crane = next(e for e in hierarchy.edges if hierarchy.nodes[e.child].label == "crane")
    assert "; " not in crane.evidence and "long legs, it wades" in crane.evidence  # "; " parts several kinds


def test_a_class_of_one_term_needs_a_place_in_the_corpus(english: Wordnet) -> None:
    """The pike is the only swimmer: the class above counts, if another is there."""
    assert not edges(placed(english, ["pike", "derrick", "jib"])) & {("pike", "swimmer")}
    assert ("pike", "swimmer") in edges(placed(english, ["pike", "swimmer", "derrick", "jib"]))


def test_a_refused_name_gives_way_to_the_class_above(english: Wordnet) -> None:
    corpus = TermCorpus(papers(BIRDS), BIRDS, black={"flyer"})
    assert {c.broader for c in wordnet_source(english).claims(corpus, ())} == {"winged beast"}
    corpus = TermCorpus(papers(BIRDS), BIRDS, black={"flyer", "winged beast"})
    assert {c.broader for c in wordnet_source(english).claims(corpus, ())} == {"beast"}


def test_what_another_source_placed_stays_and_the_wordnet_confirms_it(english: Wordnet) -> None:
    terms = [*BIRDS, "flyer"]
    corpus = TermCorpus(papers(terms), terms)
    by_wordnet = tuple(wordnet_source(english).claims(corpus, ()))
    stated = Claim("crane", "stork", "pattern", "pattern X is a Y", ("d0", "d1"), 2)
    confirmed = Claim("heron", "flyer", "head noun", "head noun")
    hierarchy = term_hierarchy(corpus.context, reading="evidence", claims=(stated, confirmed, *by_wordnet))
    assert ("crane", "stork") in edges(hierarchy) and ("crane", "flyer") not in edges(hierarchy)
    of_heron = next(e for e in hierarchy.edges if hierarchy.nodes[e.child].label == "heron")
    assert of_heron.rules == ("head noun", "wordnet")


def test_one_word_moves_no_subtree_and_two_do(english: Wordnet) -> None:
    """Grey and young are below heron by their names; only the heron itself is a word of the wordnet."""
    terms = ["heron", "stork", "flyer", "grey heron", "young heron"]
    hierarchy = placed(english, terms)
    assert ("grey heron", "heron") in edges(hierarchy) and ("heron", "flyer") not in edges(hierarchy)
    assert [(s.child, s.parent, s.below, s.reason) for s in hierarchy.suggested] == [
        ("heron", "flyer", 2, "one word of the wordnet")
    ]
    assert "a grey flyer that fishes" in hierarchy.suggested[0].evidence
    corpus = TermCorpus(papers(["flyer", "heron", "stork", "beast"]), ["flyer", "heron", "stork", "beast"])
    below = Claim("heron", "flyer", "head noun", "head noun"), Claim("stork", "flyer", "head noun", "head noun")
    moving = next(c for c in wordnet_source(english).claims(corpus, below) if c.narrower == "flyer")
    assert (moving.broader, moving.support) == ("beast", 3)
    moved = term_hierarchy(corpus.context, reading="evidence", claims=(*below, moving))
    assert ("flyer", "beast") in edges(moved) and not moved.suggested


def test_chinese_terms_have_chinese_classes_and_the_gloss_as_evidence(both: Wordnet) -> None:
    terms = ["鹤", "鹭", "鹳"]
    texts = [Document(f"d{i}", f"{term}与飞禽", "飞禽很多。飞禽的栖息地。") for i, term in enumerate(terms)]
    corpus = TermCorpus(texts, terms, names={"飞禽": 3})
    claims = wordnet_source(both).claims(corpus, ())
    assert {(c.narrower, c.broader) for c in claims} == {(term, "飞禽") for term in terms}
    assert claims[1].evidence.startswith("wordnet, by the gloss 'heron' of CC-CEDICT: heron ")
    nameless = TermCorpus([Document("d", "鹤鹭鹳")], terms)
    assert not wordnet_source(both).claims(nameless, ())  # the corpus has no Chinese name of a class


# ---- learning with it

TOPIC = TopicSpec("zoo", "动物园", "zoo")
TEXT = "The zoo has one {0}. A {0} was fed, and the {0} slept. Keepers like a {0}."
DOCUMENTS = [Document(f"{t}{i}", "", "", abstract_en=TEXT.format(t)) for t in (*BIRDS, "visitor") for i in (1, 2)]
OPTIONS = LearnOptions(
    lexicon=EMPTY, upper_classes=EMPTY_SKELETON, unplaced="root", required_terms=(*BIRDS, "visitor"), max_terms=20
)


def test_learning_says_what_the_wordnet_knew(english: Wordnet) -> None:
    without, learned = learn(DOCUMENTS, TOPIC, OPTIONS), learn(DOCUMENTS, TOPIC, replace(OPTIONS, wordnet=english))
    assert {(bird, "flyer") for bird in BIRDS} <= edges(learned.hierarchy) - edges(without.hierarchy)
    (note,) = (note for note in learned.notes if note.startswith("wordnet"))
    terms = len(learned.terms)
    assert (
        note
        == f"wordnet (data.noun, index.noun): 3 of {terms} terms are in it, 3 placed by it, the senses of 0 undecided"
    )
    versions = {learned.global_ontology.version, without.global_ontology.version}
    assert len(versions) == 2
    concept = next(c for c in learned.global_ontology.concepts if c.label == "heron")
    relation = next(r for r in learned.global_ontology.relations if r.source == concept.iri)
    assert "a grey flyer that fishes" in relation.evidence
    with pytest.raises(LearnError, match="wordnet: it adds claims"):
        LearnOptions(wordnet=english, reading="significant", evidence=("fca",))


def test_an_empty_result_is_explained(tmp_path: Path) -> None:
    (database(tmp_path) / "data.verb").touch()
    note = remark(read_wordnet(tmp_path), ["洪水", "crane"], 0)
    assert "1 of 2 terms are in it, 0 placed by it, the senses of 1 undecided" in note
    assert "for Chinese terms its folder needs wn-data-cmn.tab" in note and note.endswith("not read: data.verb")
