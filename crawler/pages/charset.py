"""Decoding of pages: by the byte order mark, then by the bytes themselves, then by the declared encoding.

The order of the WHATWG encoding standard (mark, HTTP header, ``<meta>``) trusts declarations that are often wrong: many
saved Chinese pages declare gb2312 and are in UTF-8. UTF-8 is the only encoding that bytes prove, also where some of its
characters are cut, so it comes second, and a declared encoding that the bytes refute is skipped. GB2312 and GBK are
read as GB18030, their superset. What is declared nowhere is guessed: Chinese and English by their common characters,
Cyrillic, Greek, Thai, Hebrew and Arabic by their common letters, Turkish and languages of central Europe by theirs,
Japanese and Korean by charset-normalizer where the text is in the letters of its verdict.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import islice
from operator import itemgetter

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_WIDER = {
    **dict.fromkeys(("gb2312", "gbk", "cp936", "gb18030"), "gb18030"),
    **dict.fromkeys(("ascii", "iso8859-1", "cp1252"), "cp1252"),
    **dict.fromkeys(("big5", "cp950", "big5hkscs"), "big5hkscs"),
    **dict.fromkeys(("shift_jis", "cp932"), "cp932"),
    **dict.fromkeys(("euc_kr", "cp949"), "cp949"),
    **dict.fromkeys(("iso8859-9", "cp1254"), "cp1254"),
}
"""Python's name of a declared encoding -> the superset that browsers read it as."""
_LABELS = {
    "x-gbk": "gbk",
    "gb_2312-80": "gb2312",
    "x-sjis": "shift_jis",
    "x-euc-jp": "euc_jp",
    "unicode": "utf-16-le",
    "utf-16": "utf-16-le",
}
"""Labels of the web that Python does not know."""
_TEXT_CODECS = frozenset(
    {"utf-8", "utf-16-le", "utf-16-be", "hz", "koi8-r", "koi8-u", "cp866", "cp874", "euc_jp", "iso2022_jp", "mac-roman"}
    | {f"iso8859-{part}" for part in range(2, 17)}
    | {f"cp125{part}" for part in range(9)}
)
_DETECTED = ("gb18030", "big5hkscs", "cp1252")
"""Guessed without a usable declaration; this crawler reads Chinese and English."""
_SCRIPTS = {
    **dict.fromkeys(("cp932", "euc_jp"), re.compile("[\\u3005\\u3040-\\u30ff\\u4e00-\\u9fff]")),
    "cp949": re.compile("[\\uac00-\\ud7a3]"),
}
"""Encoding of many letters, which the detector finds -> a letter of its script."""
_LETTERS = {
    **dict.fromkeys(("cp1251", "koi8_r", "koi8_u", "iso8859_5", "cp866"), ("\u0400-\u04ff", "оеаинтсрвлкмдпуі")),
    **dict.fromkeys(("cp1253", "iso8859_7"), ("\u0370-\u03ff", "αοιετσνηυρπκμςλόίάέή")),
    "cp1255": ("\u0590-\u05ff", "יהולאתרבמנשםד"),
    **dict.fromkeys(("cp1256", "iso8859_6"), ("\u0600-\u06ff", "اليلمنرتوبةسعدأف")),
    "cp874": ("\u0e00-\u0e7f", "านรกองมเยลวดทสตะ\u0e48\u0e49\u0e35\u0e31\u0e34\u0e38"),
}
"""Encoding of few letters -> the range of its script, and its common letters, by which one is told from another."""
_LATIN = {
    "cp1252": (
        "äöüß", "äöåé", "øåæéö", "éèàêçùâîôûëïœ", "óíáéñúü", "ãáçéóêíõúâàô", "èàùòìé", "áðíþéóöúæ", "ëéïöüè", "éáíóú",
    ),
    **dict.fromkeys(
        ("cp1250", "iso8859_2"),
        ("íáěéýžřčšůúóďťňö", "áíéúžčýšľťôňóďäŕĺ", "łęóążśćńź", "éáőöóüíúű", "ăîâţş", "čšžćđ"),
    ),
    "cp1254": ("ışğüçöâ",),
}  # fmt: skip
"""Encoding of Latin script -> letters beside ASCII of the languages that are written in it, the first of the west."""
_IN_LANGUAGE, _MORE_LIKELY = 0.95, 0.05
"""Share of letters that a language has, and by how much it is above that of western ones."""
_LEAST_LATIN, _UPPER, _LEAST_UPPER = 5, re.compile(rb"[\xc0-\xff]"), 3
"""Least letters, and those of them whose bytes are signs such as those of units in no encoding."""
_NO_LETTER = re.compile("[\x00-\x7f\u00a0-\u00bf\u00d7\u00f7\u2010-\u2122]")
_CAPITAL = 0.9
"""What a common letter counts that is a capital: read in another encoding, small letters are capitals."""
_COMMON, _PROVEN = 0.55, 0.65
"""Shares of common letters: of a text in an encoding of few letters, and of one that could be Chinese. Of Chinese they
are less than half."""
_WORD, _SENTENCE = 8, 40
"""Letters of texts: so few of them can be Chinese by chance, and so many cannot."""
_UNLIKE_A_WORD, _UNLIKE_A_SENTENCE = 0.6, 0.04
"""Strangeness above which a text of fewer than `_WORD` letters, or of `_SENTENCE` common ones, is not Chinese."""
_SHARPNESS = 8
"""By which power confidence grows as the next script has fewer common letters."""
_IN_WORDS = 0.2
"""Share of the bytes beside ASCII that may stand at a letter of ASCII, as in Latin script they do."""
_KANA = re.compile("[\\u3040-\\u30ff]")
_OTHERS = ("gb18030", "big5hkscs", "cp1250", "cp1251", "koi8_r", "iso8859_5", "cp866", "cp1252")
"""Encodings that the detector compares these with; its verdict for one of them does not count."""
_IN_SCRIPT, _IN_KANA = 0.8, 0.2
"""Shares of the characters beside ASCII that have to be of the script, and of a Japanese text kana."""
_UNLIKE_CHINESE = 0.3
"""Strangeness above which a declared Chinese encoding has to compete with the guesses."""
_ALL_HANGUL, _LEAST_HANGUL = 0.95, 10
"""Share of a Korean text, and its least characters: a third of the Chinese ones, read as Korean, are no syllables."""
_LIKE_CHINESE = 0.25
"""Strangeness below which a text is Chinese or English, where few letters say something else."""
_META = re.compile(rb"<meta\s[^>]*?charset\s*=\s*[\"']?\s*([a-zA-Z0-9_:.\-]+)", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([a-zA-Z0-9_:.\-]+)", re.IGNORECASE)
_MULTIBYTE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]+")
_WIDE = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
"""How markup in UTF-16 begins without a mark."""
_HZ = re.compile(rb"~\{(?:[!-w][!-~]){2,}~\}")
_JAPANESE_ESCAPE = re.compile(rb"\x1b\$[@B]")
_TAGS = re.compile(rb"<[^>]*>")
_CONTROLS = bytes([*range(9), 0x0B, *range(0x0E, 0x20), 0x7F])
_LATIN_CONTROL = re.compile(rb"\xc2[\x80-\x9f]")
"""A control character from U+0080 to U+009F in UTF-8."""
_ASCII = re.compile("[\\x00-\\x7f]+")
_LONE_LATIN = re.compile("(?<![^\\x00-\\x7f])[\\u00c0-\\u00ff](?![^\\x00-\\x7f])")
_FOREIGN = re.compile(rb"[\x80-\xff]")
_IN_WORD = re.compile(rb"(?<=[a-zA-Z])[\x80-\xff]+|(?<![\x80-\xff])[\x80-\xff]+(?=[a-zA-Z])")
_PRESCAN = 4096
_GLANCE = 1024
"""Bytes from the first one beside ASCII on that tell whether to read all as UTF-8."""
_SAMPLE = 65536
_PROOF = 3
"""So many valid multibyte sequences prove UTF-8 against a declaration; fewer can be a coincidence."""
_TOLERATED = 0.1
"""Share of the non-ASCII characters that may be unreadable before a declared encoding counts as refuted."""
_CUT, _CERTAIN = 0.2, 6
"""Share of the non-ASCII characters that may be unreadable in UTF-8 with at least so many readable ones. A text in any
other encoding has more of them: there is no chance that most of its bytes form sequences of UTF-8."""
_UNREADABLE = 0.1
"""Share of characters that may be unreadable before bytes count as no text at all."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and the encoding, by Python's name, that it was decoded with."""

    text: str
    encoding: str
    confidence: float | None = None
    """Of a guess, in [0, 1]; None where the bytes or a declaration say the encoding."""


def decode(body: bytes, charset: str = "", *, html: bool = True) -> Decoded | None:
    """Decode the bytes of a page.

    Args:
        body: all bytes; a character cut off at the end (by a size limit) is dropped.
        charset: label of the encoding that the header declares, empty if it does not.
        html: whether a ``<meta>`` in the bytes may declare the encoding.

    Returns:
        The text and its encoding; None where the bytes are no text in any encoding tried.

    >>> decode("地震".encode("gbk"), "gb2312")
    Decoded(text='地震', encoding='gb18030', confidence=None)
    >>> decode("台风预警".encode(), "gb2312")
    Decoded(text='台风预警', encoding='utf-8', confidence=None)
    """
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return _accepted(_read(body[len(mark) :], encoding))
    for start, encoding in _WIDE:
        if body.startswith(start):
            return _accepted(_read(body, encoding))
    if (escaped := _escaped(body)) is not None:
        return escaped
    declared = _declared(body, charset, html)
    if (utf8 := _proven_utf8(body, declared)) is not None:
        return _accepted(utf8)
    if (utf8 := _cut_utf8(body)) is not None:
        return _accepted(utf8)
    tried = [_read(body, encoding) for encoding in dict.fromkeys(declared)]
    good = [d for d in tried if not _refuted(d.text)]
    if good and not _is_odd(good[0]):
        return _accepted(good[0])
    guess = _guessed(body, tried)
    certain = not good or (guess.confidence or 0.0) > 1 - _LIKE_CHINESE
    return _accepted(guess if certain else good[0])


def python_encoding(label: str) -> str | None:
    """Return Python's name of the encoding that browsers use for a declared label; None for an unknown label.

    >>> python_encoding("GB2312"), python_encoding("ISO-8859-1"), python_encoding("klingon")
    ('gb18030', 'cp1252', None)
    """
    lowered = label.strip().lower()
    try:
        name = codecs.lookup(_LABELS.get(lowered, lowered)).name
    except (LookupError, ValueError):
        return None
    return _WIDER.get(name, name) if name in _TEXT_CODECS or name in _WIDER else None


def _declared(body: bytes, charset: str, html: bool) -> list[str]:
    """Return the encodings that the header and the page declare, in this order."""
    labels = [charset] if charset else []
    if html:
        head = body[:_PRESCAN]
        inside = [m.group(1).decode("ascii") for m in (_META.search(head), _XML.search(head)) if m]
        # A <meta> that can be read as ASCII is not in UTF-16, whatever it declares.
        labels += ["utf-8" if label.lower().startswith("utf-16") else label for label in inside]
    names = (python_encoding(label) for label in labels)
    # Servers declare Latin-1 by default, and decoding as Latin-1 never fails, so it has to compete with the guesses.
    return [name for name in names if name is not None and name != "cp1252"]


def _escaped(body: bytes) -> Decoded | None:
    """Decode HZ or ISO-2022-JP, whatever is declared: ASCII that switches to two bytes a character and back."""
    if not body.isascii():
        return None
    for pattern, encoding in ((_HZ, "hz"), (_JAPANESE_ESCAPE, "iso2022_jp")):
        if pattern.search(body):
            decoded = _read(body, encoding)
            foreign = _ASCII.sub("", decoded.text)
            strange = foreign.count("\ufffd") if encoding != "hz" else _strangeness(decoded.text) * len(foreign)
            if strange <= _TOLERATED * len(foreign):
                return Decoded(decoded.text, encoding, round(1 - strange / len(foreign), 2))
    return None


def _cut_utf8(body: bytes) -> Decoded | None:
    """Return the text in UTF-8 where that is certain, though some of its characters were cut by bytes."""
    start = _FOREIGN.search(body)
    if start is None:
        return None
    lost, kept = _lost_and_kept(_read(body[start.start() : start.start() + _GLANCE], "utf-8").text)
    if lost > kept:
        return None  # as nearly any text in another encoding, without reading it whole
    decoded = _read(body, "utf-8")
    lost, kept = _lost_and_kept(decoded.text)
    return decoded if kept >= max(_CERTAIN, lost * (1 / _CUT - 1)) else None


def _is_odd(decoded: Decoded) -> bool:
    """Return whether a text that is declared to be Chinese begins like none."""
    return decoded.encoding in ("gb18030", "big5hkscs") and _strangeness(decoded.text[:_PRESCAN]) > _UNLIKE_CHINESE


def _lost_and_kept(text: str) -> tuple[int, int]:
    """Return the numbers of the characters beside ASCII that could not be decoded, and that could be."""
    lost = text.count("\ufffd")
    return lost, len(text) - len(text.encode("ascii", "ignore")) - lost


def _guessed(body: bytes, tried: list[Decoded]) -> Decoded:
    """Return a text in the most likely encoding, also where a declaration is refuted."""
    tried = [*tried, *(_read(body, encoding) for encoding in ("utf-8", *_DETECTED))]
    strangeness, _, best = min((_strangeness(d.text), place, d) for place, d in enumerate(tried))
    found = _by_letters(body, strangeness) or _in_latin(body) or _detected(body)
    if found is not None:
        return found
    return Decoded(best.text, best.encoding, round(max(0.0, 1 - strangeness), 2))


def _by_letters(body: bytes, strangeness: float) -> Decoded | None:
    """Return the text in the encoding of few letters in which most letters are common ones; None where they are not.

    Args:
        body: the bytes of a page.
        strangeness: how unlike Chinese or English the text is that they would be.
    """
    sample = _TAGS.sub(b" ", body[:_SAMPLE])
    foreign = b"".join(_FOREIGN.findall(sample))
    if not foreign or sum(map(len, _IN_WORD.findall(sample))) > _IN_WORDS * len(foreign):
        return None
    shares = [(*_shares(foreign.decode(name, "replace"), *_LETTERS[name]), name) for name in _LETTERS]
    readable = [row for row in shares if row[1] >= _IN_SCRIPT]
    common, in_script, best = max(readable, key=itemgetter(0, 1), default=(0.0, 0.0, ""))
    is_long = common >= _PROVEN and len(foreign) >= _SENTENCE
    like = _UNLIKE_A_WORD if len(foreign) < _WORD else _UNLIKE_A_SENTENCE if is_long else _LIKE_CHINESE
    if common < _COMMON or strangeness <= like:
        return None
    other = max((share for share, _, name in readable if _LETTERS[name] != _LETTERS[best]), default=0.0)
    return Decoded(_read(body, best).text, best, round(in_script * (1 - (other / common) ** _SHARPNESS), 2))


def _in_latin(body: bytes) -> Decoded | None:
    """Return a text in Latin script in the encoding in which its letters are those of one language; None for no other.

    Args:
        body: the bytes of a page.
    """
    sample = _TAGS.sub(b" ", body[:_SAMPLE])
    texts = {name: _read(sample, name).text.replace("\u0130", "i").lower() for name in _LATIN}
    found = {name: Counter(_NO_LETTER.sub("", text)) for name, text in texts.items()}
    letters = max(of_text.total() for of_text in found.values())
    if letters < _LEAST_LATIN or len(_UPPER.findall(sample)) < _LEAST_UPPER:
        return None
    shares = {
        name: max(sum(map(found[name].__getitem__, language)) for language in languages) / letters
        for name, languages in _LATIN.items()
    }
    best = max(shares, key=lambda name: shares[name])
    if shares[best] < max(_IN_LANGUAGE, shares["cp1252"] + _MORE_LIKELY):
        return None
    likely = round(shares[best] * (1 - (shares["cp1252"] / shares[best]) ** _SHARPNESS), 2)
    return Decoded(_read(body, best).text, best, likely)


def _shares(text: str, script: str, common: str) -> tuple[float, float]:
    """Return the shares of the characters that are common letters, and that are of the script.

    >>> _shares("Дождь", "\u0400-\u04ff", "ожд")
    (0.78, 1.0)
    """
    found = Counter(text)
    letters = sum(found[c] + _CAPITAL * (c != c.upper()) * found[c.upper()] for c in common)
    return letters / max(1, len(text)), len(re.findall(f"[{script}]", text)) / max(1, len(text))


def _detected(body: bytes) -> Decoded | None:
    """Return the text by the detector's verdict, where it is of the script that the verdict says; else None."""
    import charset_normalizer  # it takes 80 ms, and few pages need it

    sample = _TAGS.sub(b" ", body[:_SAMPLE])
    verdict = charset_normalizer.from_bytes(sample, cp_isolation=[*_SCRIPTS, *_OTHERS]).best()
    if verdict is None or verdict.encoding not in _SCRIPTS:
        return None
    decoded = _read(body, verdict.encoding)
    foreign = _ASCII.sub("", decoded.text[:_SAMPLE])
    share = len(_SCRIPTS[verdict.encoding].findall(foreign)) / max(1, len(foreign))
    if share < _IN_SCRIPT:
        return None
    if verdict.encoding == "cp949" and (share < _ALL_HANGUL or len(foreign) < _LEAST_HANGUL):
        return None
    if verdict.encoding in ("cp932", "euc_jp") and len(_KANA.findall(foreign)) < _IN_KANA * len(foreign):
        return None
    return Decoded(decoded.text, decoded.encoding, round(share * (1 - verdict.percent_chaos / 100), 2))


def _proven_utf8(body: bytes, declared: list[str]) -> Decoded | None:
    if any(name.startswith("utf-16") for name in declared):
        return None
    try:
        text = codecs.getincrementaldecoder("utf-8")("strict").decode(body)
    except UnicodeDecodeError:
        return None
    if text.isascii() and declared:
        return None
    if declared and declared[0] != "utf-8" and len([*islice(_MULTIBYTE.finditer(body), _PROOF)]) < _PROOF:
        return None
    return Decoded(text, "utf-8")


def _read(body: bytes, encoding: str) -> Decoded:
    return Decoded(codecs.getincrementaldecoder(encoding)("replace").decode(body), encoding)


def _accepted(decoded: Decoded) -> Decoded | None:
    return decoded if _unreadable(decoded.text) <= _UNREADABLE else None


def _refuted(text: str) -> bool:
    if "\ufffd" not in text:
        return False
    lost, kept = _lost_and_kept(text)
    return lost > _TOLERATED * (lost + kept)


def _unreadable(text: str) -> float:
    """Return the share of replacement and control characters, in [0, 1]."""
    utf8 = text.encode("utf-8", "replace")
    controls = len(utf8) - len(utf8.translate(None, _CONTROLS))
    if b"\xc2" in utf8:
        controls += len(_LATIN_CONTROL.findall(utf8))
    return (controls + text.count("\ufffd")) / max(1, len(text))


@cache
def _everyday() -> frozenset[str]:
    """Return the common Chinese characters (level 1 of GB 2312 and of Big5) and their punctuation."""
    levels = (("gb2312", range(0xB0, 0xD8), range(0xA1, 0xFF)), ("big5", range(0xA4, 0xC7), range(0x40, 0xFF)))
    hanzi = {bytes((a, b)).decode(name, "ignore") for name, leads, trails in levels for a in leads for b in trails}
    marks = {chr(c) for block in (range(0x2010, 0x2040), range(0x3000, 0x3020), range(0xFF01, 0xFF5F)) for c in block}
    return frozenset(c for c in hanzi if len(c) == 1 and not c.isascii()) | marks | {"\u00b7"}


def _strangeness(text: str) -> float:
    """Rate how unlike Chinese or English a text looks that was decoded with a guessed encoding; 0 is best.

    The mean over its non-ASCII characters: 0 for common Chinese, 3 for one that cannot be decoded, 1 for the rest, but
    .3 for a Latin letter between ASCII characters, as accented letters are in European texts.

    >>> _strangeness("地震"), _strangeness("µ¼¶")
    (0.0, 1.0)
    """
    everyday, sample = _everyday(), text[:_SAMPLE]
    lone = len(_LONE_LATIN.findall(sample))
    foreign = Counter(_ASCII.sub("", sample))
    odd = sum(foreign[c] * (3.0 if c == "\ufffd" else 1.0) for c in set(foreign).difference(everyday))
    return (odd - 0.7 * lone) / max(1, foreign.total())
