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


RU = "Сильный дождь и наводнение в городе, жители эвакуированы. Метеорологи предупреждают о новых осадках."
UK = "Сильний дощ і повінь у місті, мешканців евакуйовано. Синоптики попереджають про нові опади."
JA = "大雨警報が発表されました。台風による豪雨で洪水が発生し、多くの住民が避難しています。"
KO = "폭우로 인해 홍수가 발생하여 주민들이 대피하였습니다. 기상청은 주의를 당부했습니다."


EL = "Ισχυρή βροχόπτωση και πλημμύρες στην πόλη, οι κάτοικοι εκκενώθηκαν. Άλλες βροχές έρχονται."
TH = "ฝนตกหนักและน้ำท่วมในเมือง ประชาชนต้องอพยพ กรมอุตุนิยมวิทยาเตือนให้ระวังฝนตกหนักเพิ่มเติม"
HE = "גשם כבד ושיטפונות בעיר, התושבים פונו. החזאים מזהירים מפני גשמים נוספים בימים הקרובים."
AR = "أمطار غزيرة وفيضانات في المدينة، وتم إجلاء السكان. وحذر خبراء الأرصاد الجوية من هطول أمطار جديدة."


@pytest.mark.parametrize(
    ("text", "real"),
    [
        (EL, "cp1253"), (EL, "iso8859-7"), (TH, "cp874"), (TH, "tis-620"), (HE, "cp1255"), (AR, "cp1256"),
        (AR, "iso8859-6"), (EL.upper(), "cp1253"), (RU.upper(), "koi8-r"),
        (RU, "cp1251"), (RU, "koi8-r"), (RU, "iso8859-5"), (RU, "cp866"), (UK, "cp1251"), (UK, "koi8-u"),
        (JA, "cp932"), (JA, "euc_jp"), (JA, "iso2022_jp"), (KO, "cp949"), (ZH, "gb18030"), (ZH, "hz"),
        (TW, "big5hkscs"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("times", [1, 9])
@pytest.mark.parametrize("declared", ["", "iso-8859-1", "utf-8"])
def test_an_encoding_that_is_declared_nowhere_is_guessed(text: str, real: str, times: int, declared: str) -> None:
    html = f"<html><head><title>{text[:12]}</title></head><body><p class=a>{text * times}</p></body></html>"
    found = decode(html.encode(real), declared)
    assert found is not None and found.text == html
    assert found.confidence is not None and 0.6 <= found.confidence <= 1


@pytest.mark.parametrize(
    "text",
    [
        "新浪新闻 新浪财经 新浪体育 新浪娱乐 新浪众测 新浪博客",
        "留殇网",
        "暴雨预警",
        "公告：2024年5月1日停课",
        "今年第九号台风将于明日凌晨在福建沿海登陆",
        "气象 台风\n预报",
        "的了在是",
    ],
)
def test_short_chinese_is_not_taken_for_korean_or_russian(text: str) -> None:
    assert decode(f"<p>{text}</p>".encode("gbk")).text == f"<p>{text}</p>"  # type: ignore[union-attr]


@pytest.mark.parametrize("real", ["cp1250", "iso8859_2", "cp1254", "iso8859_9"])
@pytest.mark.parametrize(
    "text",
    [
        "Silný déšť a povodně ve městě, obyvatelé byli evakuováni.",
        "Rządowe służby ratunkowe proszą mieszkańców o ostrożność, powódź objęła całą gminę.",
        "Az árvíz több települést is fenyeget, ezért sűrű intézkedések történtek, a lakók elhagyták házaikat.",
        "Kiše su izazvale poplave, a građani čekaju pomoć. Već sutra će doći do pogoršanja, kažu stručnjaci.",
        "Şiddetli yağış ve sel şehirde etkili oldu, sakinler tahliye edildi.",
    ],
)
def test_languages_of_europe_are_told_by_their_letters(text: str, real: str) -> None:
    body = f"<p>{text}</p>".encode(real, "ignore")
    if body.decode(real) == f"<p>{text}</p>":
        found = decode(body)
        assert found is not None and (found.text, found.confidence is not None) == (f"<p>{text}</p>", True)


@pytest.mark.parametrize(
    "text",
    [
        "Die Überschwemmungen haben große Schäden verursacht; die Bürger müssen fort.",
        "Según el gobierno, los daños son graves; mañana habrá más lluvia en la montaña.",
        "As inundações atingiram várias regiões; amanhã haverá mais chuva até então.",
        "Flóðin hafa haft áhrif á mörg svæði. Fólk þarf að yfirgefa heimili sín í gær.",
        "Les élèves ont été évacués dès le début ; où est l'été à Noël ?",
        "It holds 5 m³ ± 1 m³, 3 m³ ± 2 µm, 7 µm ± 1 µm; ¾ of it at 5 °C © Müller & Söhne, Zürich.",
    ],
)
def test_western_languages_are_taken_for_no_other(text: str) -> None:
    found = decode(f"<p>{text}</p>".encode("cp1252"))
    assert found is not None and (found.text, found.encoding) == (f"<p>{text}</p>", "cp1252")


@pytest.mark.parametrize("declared", ["hz-gb-2312", "gb2312", "utf-8", ""])
def test_hz_is_read_whatever_is_declared(declared: str) -> None:
    assert decode(page(ZH, declared).encode("hz")).text == page(ZH, declared)  # type: ignore[union-attr]
    code = b"<script>if (~{a: 1}.b) x = ~{}; y = '~{ok~}'</script>"
    assert decode(code, declared or "utf-8").text == code.decode()  # type: ignore[union-attr]


@pytest.mark.parametrize("declared", ["gb2312", "big5", "windows-1251", "shift_jis", "euc-kr", "iso-8859-1", ""])
@pytest.mark.parametrize("cuts", [1, 2, 5])
def test_characters_that_were_cut_by_bytes_do_not_make_utf_8_another_encoding(declared: str, cuts: int) -> None:
    items = [f'<meta name=d content="{ZH[:14]}'.encode() + ZH[14].encode()[: n % 2 + 1] + b'">' for n in range(cuts)]
    found = decode(b"".join(items) + ZH.encode(), declared)
    assert found is not None and found.encoding == "utf-8" and found.confidence is None
    assert found.text.endswith(ZH) and found.text.count("\ufffd") == cuts


@pytest.mark.parametrize(
    ("text", "real"), [(ZH, "gb18030"), (TW, "big5hkscs"), (RU, "cp1251"), (RU, "koi8-r"), (JA, "cp932"), (KO, "cp949")]
)
@given(st.data())
def test_a_declared_encoding_is_kept_also_where_bytes_are_damaged(text: str, real: str, data: st.DataObject) -> None:
    body = bytearray((text * 4).encode(real))
    for _ in range(data.draw(st.integers(0, 3))):
        del body[data.draw(st.integers(0, len(body) - 1))]
    found = decode(bytes(body), real)
    assert found is not None and found.encoding == real and found.confidence is None


@pytest.mark.parametrize(
    ("text", "real", "declared"),
    [(TW, "big5hkscs", "gb2312"), (ZH, "gb18030", "big5"), (JA, "cp932", "gb2312"), (RU, "cp1251", "gb2312")],
)
def test_a_declared_chinese_encoding_that_gives_odd_characters_is_doubted(text: str, real: str, declared: str) -> None:
    assert decode((text * 2).encode(real), declared).text == text * 2  # type: ignore[union-attr]


def test_rare_characters_are_no_reason_to_doubt_a_declaration() -> None:
    rare = "㐀镕€龘靐齉爨灪麤鸾鹂魑魅魍魉饕餮"
    assert decode(rare.encode("gb18030"), "gb2312").text == rare  # type: ignore[union-attr]
