import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.pages import charset
from crawler.pages.charset import decode, python_encoding

ZH = "暴雨引发城市内涝，气象部门发布红色预警信号。" * 5
TW = "暴雨災害預報，颱風登陸臺灣，氣象局發布警報。"


def page(text: str, declared: str) -> str:
    return f'<html><head><meta http-equiv="Content-Type" content="text/html; charset={declared}"></head>{text}</html>'


@pytest.mark.parametrize("declared", ["gb2312", "gbk", "GB18030", "utf-8", "iso-8859-1", "nonsense", "x-user-defined"])
@pytest.mark.parametrize("real", ["utf-8", "gb18030"])
def test_wrong_declarations_are_seen_through(declared: str, real: str) -> None:
    html = page(ZH, declared)
    found = decode(html.encode(real))
    assert found is not None
    assert (found.text, found.encoding) == (html, real)


def test_gbk_is_read_as_gb18030() -> None:
    rare = "㐀镕€" + ZH
    found = decode(page(rare, "gb2312").encode("gb18030"))
    assert found is not None
    assert rare in found.text


def test_the_header_is_believed_where_bytes_prove_nothing() -> None:
    short = "é".encode()
    assert decode(short, "windows-1251", html=False).text == "Г©"  # type: ignore[union-attr]
    assert decode(b"plain", "shift_jis").encoding == "cp932"  # type: ignore[union-attr]


@pytest.mark.parametrize(("text", "real"), [(ZH, "gb18030"), (TW, "big5hkscs"), ("café naïve Zürich", "cp1252")])
def test_detection_without_any_declaration(text: str, real: str) -> None:
    found = decode(text.encode(real))
    assert found is not None
    assert (found.text, found.encoding) == (text, real)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_has_the_first_word(encoding: str) -> None:
    found = decode(ZH.encode(encoding), "gbk")
    assert found is not None
    assert found.text == ZH


def test_a_character_cut_off_at_the_end_does_not_refute_utf8() -> None:
    found = decode(page(ZH, "gb2312").encode() + "雨".encode()[:2])
    assert found is not None
    assert found.encoding == "utf-8"


def test_bytes_that_are_no_text() -> None:
    assert decode(b"\x89PNG\r\n" + random.Random(0).randbytes(4000)) is None
    assert decode(bytes(4000), "utf-8") is None
    assert decode(b"") is not None


@pytest.mark.parametrize("label", ["zip", "rot13", "punycode", "unicode_escape", "\x00", "..", ""])
def test_labels_that_are_no_encoding_of_the_web(label: str) -> None:
    assert python_encoding(label) is None


CHARACTERS = st.text(alphabet="a \n\x00\x07\x0b\x1f\x7f\x80\x9f\xa0\xb7\xc2é暴雨镕，\ue000\ufffd🌀", max_size=30)


@given(CHARACTERS)
def test_shares_are_those_of_a_count_of_each_character(text: str) -> None:
    foreign = [c for c in text if not c.isascii()]
    unreadable = [c for c in text if c == "\ufffd" or (ord(c) < 0xA0 and not c.isprintable() and c not in "\t\n\f\r")]
    odd = sum(3.0 if c == "\ufffd" else 1.0 for c in foreign if c not in charset._everyday())
    around = f" {text} "
    lone = sum("\xc0" <= c <= "\xff" and (around[i] + around[i + 2]).isascii() for i, c in enumerate(text))
    assert charset._refuted(text) == (text.count("\ufffd") > 0.1 * len(foreign))
    assert charset._unreadable(text) == len(unreadable) / max(1, len(text))
    assert charset._strangeness(text) == (odd - 0.7 * lone) / max(1, len(foreign))
