"""Fingerprints of texts, and the look-up of nearly the same ones."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.journal.snapshot import pack, unpack
from crawler.near_duplicates import NearDuplicates, Print
from crawler.pages.simhash import FEWEST, MOST, NEAR, Fingerprint, simhash

CHINESE = "".join(map(chr, random.Random(0).choices(range(0x4E00, 0x9000), k=600)))
ENGLISH = " ".join("".join(random.Random(n).choices("abcdefghij", k=5)) for n in range(400))


def bits(text: str) -> int:
    value = simhash(text)
    assert value is not None
    return value.bits


def distance(one: int, other: int) -> int:
    return (one ^ other).bit_count()


def of(value: int, *, exact: bool = False, numbers: int = 0) -> Print:
    return Print(Fingerprint(value, numbers), exact)


def test_fingerprints_never_change() -> None:
    """Those of a journal are compared with new ones when a run is resumed."""
    assert [bits(text) for text in (CHINESE, ENGLISH, f"{CHINESE} {ENGLISH}")] == [
        0xFA2FAFC9A4E22F68,
        0x4818243A714DE390,
        0x6A192D2A64CFA718,
    ]


def test_case_punctuation_and_blanks_do_not_matter() -> None:
    assert bits(ENGLISH) == bits(ENGLISH.upper().replace(" ", ",\n "))
    assert bits(CHINESE) == bits("《" + "，".join(CHINESE[i : i + 7] for i in range(0, 600, 7)) + "》")


def test_small_changes_change_few_bits_and_other_texts_many() -> None:
    texts = ["".join(map(chr, random.Random(n).choices(range(0x4E00, 0x9000), k=600))) for n in range(40)]
    changes = [distance(bits(text), bits(f"{text[:300]}灾害{text[302:]}")) for text in texts]
    assert 1.0 < np.mean(changes) < 3.0  # 3 of 599 shingles: 2.04 bits by the angle between the counts
    others = [distance(bits(text), bits(texts[number - 1])) for number, text in enumerate(texts)]
    assert min(others) > 16
    assert 30.0 < np.mean(others) < 34.0
    assert distance(bits(ENGLISH), bits(ENGLISH.replace(ENGLISH[600:605], "flood"))) <= 8
    assert distance(bits(CHINESE), bits(CHINESE[::-1])) > 16  # the order of characters matters


def test_short_texts_have_none() -> None:
    assert simhash(CHINESE[: FEWEST - 1]) is None
    assert simhash(CHINESE[:FEWEST]) is not None
    assert simhash(" ".join(["flood"] * (FEWEST - 1))) is None
    assert simhash("") is simhash("，" * 1000) is None


def test_the_beginning_of_a_very_long_text_is_read() -> None:
    long = CHINESE * (2 + MOST // len(CHINESE))
    assert bits(long) == bits(long[:MOST]) == bits(long + "灾害")
    assert simhash("İ" * (MOST + 5) + CHINESE) is None  # one word


@given(st.text(max_size=300), st.text(st.characters(max_codepoint=0x10FFFF), max_size=50))
def test_any_text_can_be_read(start: str, end: str) -> None:
    text = start * 3 + end
    assert simhash(text) == simhash(text)
    assert simhash(" ".join([*ENGLISH.split(), start])) is not None


def changed(value: int, draw: random.Random, most: int) -> int:
    for _ in range(draw.randrange(most + 1)):
        value ^= 1 << draw.randrange(64)
    return value


def test_the_first_near_duplicate_is_found_as_by_comparing_all() -> None:
    draw, found, firsts = random.Random(0), NearDuplicates(), list[tuple[int, int]]()
    for page in range(2500):
        value = changed(draw.choice(firsts)[1], draw, 6) if firsts and page % 2 else draw.getrandbits(64)
        expected = next((first for first, other in firsts if distance(value, other) <= NEAR), None)
        assert found.add(page, page + 7, of(value)) == (None if expected is None else expected + 7)
        if expected is None:
            firsts.append((page, value))
        if page == 1200:  # a resumed crawl
            restored = NearDuplicates()
            restored.restore(unpack(pack(found.state())))
            found = restored
    assert len(firsts) < 2000


def test_bits_at_the_ends_of_bands_are_compared() -> None:
    for bit in range(64):
        found = NearDuplicates()
        found.add(1, 1, of(0))
        assert found.add(2, 2, of(1 << bit)) == 1
        assert found.add(3, 3, of((1 << 64) - 1)) is None


def test_short_texts_are_never_near_duplicates() -> None:
    found = NearDuplicates()
    for page in range(3):
        assert found.add(page, page, of(5, exact=True)) is None
    assert found.add(9, 9, of(5)) is None
    assert found.add(10, 10, of(4)) == 9
    assert found.add(11, 11, of(4, exact=True)) is None


def test_a_copy_of_a_copy_is_compared_with_the_first_page_only() -> None:
    found = NearDuplicates()
    assert [found.add(page, page, of(value)) for page, value in enumerate((0, 0b111, 0b111111))] == [
        None, 0, None,
    ]  # fmt: skip


def test_the_fingerprint_of_a_url_is_the_last_one() -> None:
    found = NearDuplicates()
    found.put(4, 1, of(9))
    assert found.add(1, 1, of(9)) is None  # a URL that was not read is no page
    assert (found.of(4), found.of(5)) == (of(9), None)
    found.add(4, 4, of(1, exact=True))
    assert found.of(4) == of(1, exact=True)


@pytest.mark.parametrize(("one", "other", "most", "like"), [
    (of(0), of(7), 3, True), (of(0), of(15), 3, False),
    (of(5, exact=True), of(5, exact=True), 3, True), (of(5, exact=True), of(4, exact=True), 3, False),
    (of(5, exact=True), of(5), 3, False),
])  # fmt: skip
def test_fingerprints_of_short_texts_are_equal_or_not(one: Print, other: Print, most: int, like: bool) -> None:
    assert one.is_like(other, most) is like
    assert other.is_like(one, most) is like


def test_bulletins_with_other_figures_are_different_texts() -> None:
    form = f"{CHINESE[:300]}，未来{{}}小时降雨{{}}毫米，局部{{}}毫米，风力{{}}级，{{}}日解除。"
    one, other, later = (
        form.format(*figures) for figures in ((6, 50, 100, 7, 3), (12, 30, 80, 9, 5), (6, 50, 100, 7, 4))
    )
    prints = [simhash(text) for text in (one, other, later, one.replace("小时", "小时内") + "2024年5月1日")]
    known = [value for value in prints if value is not None]
    assert len(known) == 4
    assert not known[0].is_like(known[1], 64)
    assert known[0].is_like(known[2], 64)  # four figures of five
    assert known[0].is_like(known[3], 64)  # further figures, as of a date line, do not matter
    found = NearDuplicates()
    same = [
        found.add(page, page, of(5, numbers=numbers)) for page, numbers in enumerate((0b11111, 0b1100000, 0b11110, 0))
    ]
    assert same == [None, None, 0, 0]


def test_snapshots_hold_what_is_new() -> None:
    draw, found = random.Random(0), NearDuplicates()
    chain: list[bytes] = []
    for size in (3, 0, 4, 200):
        for page in range(size):
            found.add(page, page, of(draw.getrandbits(64), exact=page % 3 == 0))
        chain.append(pack({"texts": found.changes() if chain else found.state()}))
        found.saved()
        restored = NearDuplicates()
        restored.restore(unpack(*chain)["texts"])
        assert len(restored) == len(found)
        assert all(np.array_equal(restored.state()[name], column) for name, column in found.state().items())
    assert len(chain[1]) < len(chain[3])
