"""Fingerprints of texts, and the look-up of nearly the same ones."""

import random
import re
import zlib
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.journal.snapshot import pack, unpack
from crawler.near_duplicates import COMMON, NearDuplicates, Print
from crawler.pages import fingerprint as reading
from crawler.pages.fingerprint import BINS, FEWEST, MOST, PLACES, Fingerprint, fingerprint, likeness

CHINESE = "".join(map(chr, random.Random(0).choices(range(0x4E00, 0x9000), k=600)))
ENGLISH = " ".join("".join(random.Random(n).choices("abcdefghij", k=5)) for n in range(400))
KNOWN = (
    "457b467f1baf03373c5b77ba32b185570fe3fe771b4ffdff21398385c1173f03bfc298deee55e698f876172e"
    "3379c8563125fe600a96a564d3743627ab4cce6d2f635414ef5853359ecb1643000000000000000000000000"
    "00000000000000000000000000000000000000000000000000000000000000000000000000000000fc030000"
)


def of(text: str) -> Fingerprint:
    value = fingerprint(text)
    assert value is not None
    return value


def article(seed: int, size: int = 600) -> str:
    return "".join(map(chr, random.Random(seed).choices(range(0x4E00, 0x9000), k=size)))


def is_like(one: str, other: str) -> bool:
    return of(one).is_like(of(other))


def test_fingerprints_never_change() -> None:
    """Those of a snapshot, and of the tables of an archive, are compared with new ones."""
    text = f"{CHINESE} {ENGLISH} 广州市气象台5月3日8时发布暴雨黄色预警"
    assert of(text).packed().hex() == KNOWN
    assert Fingerprint.unpacked(of(text).packed()) == of(text)
    assert (len(of(text).bins), len(of(text).places)) == (BINS, 4 * PLACES)


def test_case_punctuation_and_blanks_do_not_matter() -> None:
    assert of(ENGLISH) == of(ENGLISH.upper().replace(" ", ",\n "))
    assert of(CHINESE) == of("《" + "，".join(CHINESE[i : i + 7] for i in range(0, 600, 7)) + "》")


def test_the_estimate_is_near_the_share_of_shingles_in_common() -> None:
    for share in (0.2, 0.5, 0.8):
        shares = []
        for seed in range(40):
            same = article(seed, round(2000 * share / (1 + share)))
            rest = 1000 - len(same)
            shares.append(likeness(of(same + article(seed + 99, rest)), of(same + article(seed + 999, rest))))
        assert np.mean(shares) == pytest.approx(share, abs=0.05)
    assert likeness(of(CHINESE), of(CHINESE[::-1])) < 0.1  # the order of characters matters


def test_a_form_that_is_repeated_counts_once() -> None:
    form = "市气象台发布暴雨黄色预警信号请注意防范"
    one, other = ("".join(form + article(seed + n, 4) for n in range(40)) for seed in (100, 900))
    assert likeness(of(one), of(other)) < 0.25


def test_short_texts_have_none() -> None:
    assert fingerprint(CHINESE[: FEWEST - 1]) is None
    assert fingerprint(CHINESE[:FEWEST]) is not None
    assert fingerprint(" ".join(["flood"] * (FEWEST - 1))) is None
    assert fingerprint("") is fingerprint("，" * 1000) is None


def test_the_beginning_of_a_very_long_text_is_read() -> None:
    long = CHINESE * (2 + MOST // len(CHINESE))
    assert of(long) == of(long[:MOST]) == of(long + "灾害")
    assert fingerprint("İ" * (MOST + 5) + CHINESE) is None  # one word


@given(st.text(max_size=300), st.text(st.characters(max_codepoint=0x10FFFF), max_size=50))
def test_any_text_can_be_read(start: str, end: str) -> None:
    text = start * 3 + end
    assert fingerprint(text) == fingerprint(text)
    long = of(" ".join([*ENGLISH.split(), start]))
    assert long.is_like(long)


PARTS = st.sampled_from("-/.年月日的。a\n \r\u3000") | st.sampled_from(
    [
        "2013",
        "1999",
        "2013-11-08",
        "2013年1月2日",
        "10:23",
        "11",
        "8",
        "http://",
        "https://a.cn/x",
        "http",
        "来源",
        "\n",
    ]
)


@given(st.lists(PARTS, max_size=40).map("".join))
def test_dates_and_addresses_are_left_out_as_by_trying_everywhere(text: str) -> None:
    assert reading._without_dates_and_addresses(text) == reading._LEFT_OUT.sub("", text)


# ---- what is a copy, and what is not


TOWNS = ["".join(pair) for pair in permutations("玉阳石灵山泉武通昌宜邵京湖晋丰福怀景平南文海安江清永德临新龙", 2)]
GUIDE = (
    "切断低洼地带有危险的室外电源，暂停在空旷地方的户外作业，转移危险地带人员和危房居民到安全场所避雨，"
    "检查城市、农田、鱼塘排水系统，采取必要的排涝措施。请有关单位和人员做好防范准备。"
)


def warning_lists(form: str, count: int = 20) -> list[str]:
    """Lists of 40 warnings, of which no two name the same town."""
    draw, towns = random.Random(1), random.Random(2).sample(TOWNS, 40 * count)
    return [
        "预警信息\n"
        + "\n".join(
            form.format(town, draw.randint(1, 12), draw.randint(1, 28), draw.randint(0, 23), draw.randint(0, 59))
            for town in towns[40 * number : 40 * number + 40]
        )
        for number in range(count)
    ]


@pytest.mark.parametrize(
    "form",
    [
        "{}县气象台{}月{}日{}时{}分发布暴雨黄色预警信号。", "{}市{}月{}日{}:{}雷电黄色预警",
        "{} County issued a yellow rainstorm warning on {}/{} at {}:{}",
    ],
)  # fmt: skip
def test_lists_of_other_warnings_are_other_pages(form: str) -> None:
    found = [*combinations(warning_lists(form), 2)]
    assert len(found) == 190
    assert not any(is_like(one, other) for one, other in found)


@pytest.mark.parametrize(
    "form",
    [
        "广州市气象台{}月{}日{}时{}分发布暴雨黄色预警信号，预计未来6小时我市将出现50毫米以上降雨，请注意防范。\n防御指南：\n",
        "今天是{0}月{1}日，夜间到明天，全市多云，气温{2}到3{3}度，偏南风4级，相对湿度60%到90%。\n",
        "据广州市防总{}月{}日消息，启动防汛Ⅲ级应急响应，时间从{}时{}分开始。\n",
    ],
)  # fmt: skip
def test_bulletins_of_other_days_are_other_pages(form: str) -> None:
    draw = random.Random(3)
    days = {(draw.randint(1, 12), draw.randint(1, 28)): None for _ in range(30)}
    texts = [form.format(*day, 2 * n % 24, n % 7) + GUIDE for n, day in enumerate(days)]
    assert not any(is_like(one, other) for one, other in combinations(texts, 2))


@pytest.mark.parametrize(
    ("one", "other"), [("Ⅲ级", "Ⅳ级"), ("三级", "四级"), ("六月三日", "六月五日"), ("50毫米", "80毫米")]
)
def test_numbers_are_read_in_each_form(one: str, other: str) -> None:
    text = "市防汛指挥部研究决定{}启动应急响应并要求各单位立即到岗到位加强值守。" + GUIDE
    assert not is_like(text.format(one), text.format(other))
    assert is_like(text.format(one), text.format(one) + "编辑：王明")
    words = "这是一些十分统一的意见，请各单位认真执行。" + GUIDE
    assert is_like(words, words.replace("一些十分", "二些百分"))  # no numbers


def news(seed: int, paragraphs: int = 10, dated: str = "2014年02月21日 08:01 来源：人民日报") -> str:
    draw = random.Random(seed)
    lines = [f"{article(draw.getrandbits(30), 90)}{draw.randint(1, 999)}人，{article(draw.getrandbits(30), 30)}。"
             for _ in range(paragraphs)]  # fmt: skip
    return "\n".join([article(seed, 20), dated, *lines])


@pytest.mark.parametrize("seed", range(20))
def test_a_page_with_an_ad_a_date_or_a_paragraph_changed_is_a_copy(seed: int) -> None:
    text = news(seed)
    lines = text.split("\n")
    assert is_like(text, news(seed, dated="2020-11-03 19:25:00 编辑：李雷 浏览：5321"))
    assert is_like(text, news(seed, dated=""))
    assert is_like(
        text, "\n".join([*lines[:5], "【广告】全场199元，2024年8月1日起限时3天，电话400-123-4567", *lines[5:]])
    )
    assert is_like(text, "\n".join([*lines[:5], *news(seed + 500).split("\n")[5:6], *lines[6:]]))
    assert not is_like(text, news(seed + 1))
    assert not is_like(text, re.sub(r"\d+人", lambda found: f"{len(found[0]) * 7919}人", text))


# ---- the look-up


def printed(text: str) -> Print:
    return Print(zlib.crc32(text.encode()) * 0x9E3779B97F4A7C15 % (1 << 64), fingerprint(text))


def added(found: NearDuplicates, page: int, text: str | Print) -> int | None:
    print_ = text if isinstance(text, Print) else printed(text)
    first = found.first(print_)
    found.add(page, page, print_, first)
    return first


@pytest.mark.slow
def test_the_first_near_duplicate_is_found_as_by_comparing_all() -> None:
    draw, found, firsts = random.Random(0), NearDuplicates(), list[tuple[int, Fingerprint]]()
    wrong = 0
    for page in range(150):
        base = article(draw.randrange(60))
        at = draw.randrange(500)
        text = base[:at] + article(draw.getrandbits(20) + 1000, 60) + base[at + 60 :]
        expected = next((first for first, other in firsts if of(text).is_like(other)), None)
        wrong += added(found, page, text) != expected
        if expected is None:
            firsts.append((page, of(text)))
        if page == 70:  # a resumed crawl
            restored = NearDuplicates()
            restored.restore(unpack(pack(found.state())))
            found = restored
    assert len(firsts) < 70
    assert wrong == 0


def test_exact_copies_of_any_length_are_found() -> None:
    found = NearDuplicates()
    texts = ["找不到网页", CHINESE, "找不到网页", "找不到页面", CHINESE, "找不到网页"]
    assert [added(found, page, text) for page, text in enumerate(texts)] == [None, None, 0, None, 1, 0]
    restored = NearDuplicates()
    restored.restore(unpack(pack(found.state())))
    assert restored.first(printed("找不到页面")) == 3


def test_what_many_pages_have_is_of_a_form() -> None:
    """Of a site whose pages have a long notice in common, only the first ones may be taken for copies."""
    found, notice = NearDuplicates(), article(1, 700)
    firsts = [added(found, page, article(page + 10, 200) + notice) for page in range(40)]
    assert sum(first is not None for first in firsts) <= 2 * COMMON
    assert firsts[-20:] == [None] * 20
    assert added(found, 99, article(30, 200) + notice) == 20  # a copy is found all the same


@pytest.mark.parametrize("own", [200, 300, 600])
def test_an_edited_copy_is_found_among_many_pages_of_a_form(own: int) -> None:
    found, notice = NearDuplicates(), article(1, 300)
    for page in range(40):
        added(found, page, article(page + 10, own) + notice)
    assert [added(found, 100 + n, "暴雨" + article(n + 30, own)[8:] + notice) for n in range(10)] == [*range(20, 30)]


def test_the_text_of_a_url_is_the_last_one() -> None:
    found = NearDuplicates()
    found.put(4, 1, printed(CHINESE))
    assert found.first(printed(CHINESE)) is None  # a URL that was not read is no page
    assert (found.of(4), found.of(5)) == (printed(CHINESE), None)
    found.add(4, 4, printed("短"), None)
    assert found.of(4) == printed("短")


def test_short_texts_are_equal_or_not() -> None:
    short, other, long = printed("短"), printed("长"), printed(CHINESE)
    assert short.is_like(printed("短"))
    assert not short.is_like(other)
    assert not short.is_like(long)
    assert not long.is_like(short)
    assert long.is_like(printed(CHINESE + "。"))


def test_snapshots_hold_what_is_new() -> None:
    found, chain, page = NearDuplicates(), list[bytes](), 0
    for size in (3, 0, 4, 200):
        for _ in range(size):
            added(found, page, article(page, 50 if page % 3 == 0 else 150))
            page += 1
        chain.append(pack({"texts": found.changes() if chain else found.state()}))
        found.saved()
        restored = NearDuplicates()
        restored.restore(unpack(*chain)["texts"])
        assert len(restored) == len(found)
        assert all(np.array_equal(restored.state()[name], column) for name, column in found.state().items())
        assert np.array_equal(restored._counts, found._counts)
    assert len(chain[1]) < len(chain[3])
