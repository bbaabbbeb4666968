import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.model import SLOT, SLOTS
from crawler.text import Matcher, TopicError, Vocabulary, Word
from ontology.terms.wordforms import inflections, normal


def word(label: str, *forms: str, weight: float = 0.5) -> Word:
    return Word(label, weight, tuple(("en" if form.isascii() else "zh", form) for form in forms))


def vocabulary(name: str, *words: tuple[str, ...]) -> Vocabulary:
    return Vocabulary(name, tuple(word(forms[0], *forms) for forms in words))


TK = vocabulary("TK", ("暴雨", "rainstorm", "heavy rain"), ("雨", "rain"), ("洪水", "flood"), ("城市内涝",), ("city",))


def counts(text: str, v: Vocabulary = TK) -> dict[str, int]:
    row = Matcher([v]).count(text)[v.name]
    return {w.label: int(c) for w, c in zip(v.words, row, strict=True) if c}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rains; the train, the terrain and a Rain-coat.", {"雨": 2}),
        ("FLOODS flooded floodplains; flood's end. Cities, citys", {"洪水": 2, "city": 1}),
        ("Heavy rain, heavy-rain, HEAVY\n  RAINS, heavy_rain, heavyrain", {"暴雨": 4}),
        ("大暴雨引发城市内涝", {"暴雨": 1, "城市内涝": 1}),
        ("今日rain暴雨flood登陆", {"雨": 1, "暴雨": 1, "洪水": 1}),
        ("\uff32\uff41\uff49\uff4e \u66b4\u200b\u96e8", {"雨": 1, "暴雨": 1}),
        ("rain2 2rain étérain", {}),
        ("", {}),
    ],
)
def test_what_matches(text: str, expected: dict[str, int]) -> None:
    assert counts(text) == expected


def test_the_leftmost_match_wins_and_of_these_the_longest() -> None:
    v = vocabulary("V", ("ab cd",), ("cd ef gh",), ("ab",), ("ef",))
    assert counts("ab cd ef gh", v) == {"ab cd": 1, "ef": 1}
    w = vocabulary("W", ("暴雨",), ("雨灾害",), ("暴雨灾",))
    assert counts("暴雨灾害", w) == {"暴雨灾": 1}


def test_a_longer_match_that_breaks_a_word_does_not_hide_a_shorter_one() -> None:
    v = vocabulary("V", ("rain",), ("rain gauge",))
    assert counts("rain gaugex", v) == {"rain": 1}


def test_inflections_yield_to_written_forms() -> None:
    v = vocabulary("V", ("storm",), ("storms",))
    assert counts("storm storms", v) == {"storm": 1, "storms": 1}
    assert counts("loss, losses, floodings", vocabulary("W", ("losses",), ("flooding",))) == {
        "losses": 2,
        "flooding": 1,
    }


def test_of_equal_forms_the_first_word_has_it_and_the_loss_is_told() -> None:
    v = vocabulary("V", ("洪水", "flood"), ("洪涝", "Flood"))
    assert counts("flood", v) == {"洪水": 1}
    assert v.shadowed == (("洪涝", "Flood"),)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "has no words"),
        ((Word("暴雨", 0.8, ()),), "has no surface forms"),
        ((Word("暴雨", 0.8, (("zh", " - "),)),), "blank form"),
        ((Word("暴雨", 0.8, (("fr", "pluie"),)),), "'fr'"),
        ((Word("暴雨", -1.0, (("zh", "暴雨"),)),), "weight"),
        ((Word("暴雨", float("nan"), (("zh", "暴雨"),)),), "weight"),
        ((Word("暴雨", 0.0, (("zh", "暴雨"),)),), "all weights are 0"),
    ],
)
def test_a_topic_that_cannot_be_used(words: tuple[Word, ...], message: str) -> None:
    with pytest.raises(TopicError, match=message):
        Vocabulary("TK", words)


def test_two_vocabularies_of_one_name() -> None:
    with pytest.raises(TopicError, match="same name: TK"):
        Matcher([TK, TK])


def test_counts_per_slot_and_per_text() -> None:
    matcher = Matcher([TK])
    table = matcher.count_segments([("title", "heavy"), ("title", "rain flood"), ("p", "flood"), ("title", "洪水")])[
        "TK"
    ]
    assert table.shape == (len(SLOTS), len(TK))
    assert table[SLOT["title"]].tolist() == [0, 1, 2, 0, 0]
    assert table[SLOT["p"]].tolist() == [0, 0, 1, 0, 0]
    assert table.sum() == 4
    many = matcher.count_many(["heavy", "rain", "", "flood\x00rain", "暴", "雪"])["TK"]
    assert many.tolist() == [[0] * 5, [0, 1, 0, 0, 0], [0] * 5, [0, 1, 1, 0, 0], [0] * 5, [0] * 5]
    assert matcher.count_many([])["TK"].shape == (0, 5)
    assert matcher.count_segments([])["TK"].sum() == 0


FORMS = st.text(alphabet="暴雨灾害ab -", min_size=1, max_size=4).filter(lambda form: bool(normal(form)))
VOCABULARIES = st.lists(FORMS, min_size=1, max_size=6, unique_by=normal).map(
    lambda forms: tuple(word(str(i), form) for i, form in enumerate(forms))
)
TEXTS = st.text(alphabet="暴雨灾害abs -\n", max_size=60)


@pytest.mark.slow
@given(VOCABULARIES, VOCABULARIES, TEXTS)
def test_one_vocabulary_never_changes_the_counts_of_another(
    a: tuple[Word, ...], b: tuple[Word, ...], text: str
) -> None:
    tk, gtk = Vocabulary("TK", a), Vocabulary("GTK", b)
    alone = Matcher([tk]).count(text)["TK"]
    assert np.array_equal(Matcher([tk, gtk]).count(text)["TK"], alone)
    assert np.array_equal(Matcher([gtk, tk]).count(text)["TK"], alone)


@pytest.mark.slow
@given(VOCABULARIES, TEXTS)
def test_counts_equal_those_of_a_naive_scan(words: tuple[Word, ...], text: str) -> None:
    v = Vocabulary("V", words)
    forms: dict[str, int] = {}
    for i, w in enumerate(words):
        for language, form in w.forms:
            for other in inflections(normal(form)) if language == "en" else ():
                forms.setdefault(other, i)
    forms |= {normal(form): i for i, w in reversed(list(enumerate(words))) for _, form in w.forms}
    whole, at, expected = normal(text), 0, np.zeros(len(v), dtype=int)

    def bounded(start: int, end: int) -> bool:
        left = whole[start].isascii() and start > 0 and whole[start - 1].isascii() and whole[start - 1].isalnum()
        right = whole[end - 1].isascii() and end < len(whole) and whole[end].isascii() and whole[end].isalnum()
        return not left and not right

    while at < len(whole):
        fits = [f for f in forms if whole.startswith(f, at) and bounded(at, at + len(f))]
        if fits:
            longest = max(fits, key=len)
            expected[forms[longest]] += 1
            at += len(longest)
        else:
            at += 1
    assert Matcher([v]).count(text)["V"].tolist() == expected.tolist()


@given(st.lists(TEXTS, max_size=5))
def test_many_texts_count_like_each_alone(texts: list[str]) -> None:
    matcher = Matcher([vocabulary("V", ("暴雨",), ("a",), ("b a",))])
    many = matcher.count_many(texts)["V"]
    assert many.tolist() == [matcher.count(text)["V"].tolist() for text in texts]
