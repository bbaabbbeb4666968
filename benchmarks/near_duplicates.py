"""What is taken for a near-duplicate of a page, rightly and wrongly, and the cost. Prints one JSON document.

    python -m benchmarks.near_duplicates [--json docs/benchmarks/near_duplicates.json] [--texts N]

Needs ../shared/data. Copies are made of texts of four corpora: the saved news pages of zh_news_html, which are changed
as HTML and read again, the encyclopaedia pages of wikispeedia, Chinese abstracts, and summaries of disaster news. Then
the texts of each corpus are compared in all pairs; a pair that counts as near-duplicate is wrong where the texts share
less than 80 % of their shingles of five characters (Jaccard's index). Bulletins of one form with other figures are made
by a generator. Times are processor time: of the fingerprint beside that of the whole record of a page, and of the
look-up among a million fingerprints. With --json FILE a table is written beside it (FILE with the suffix .md).
"""

from __future__ import annotations

import json
import lzma
import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import report
from benchmarks.page import generated, milliseconds, saved, vocabularies
from crawler.fetching.fetch import Fetched
from crawler.model import ParsedPage, Response
from crawler.near_duplicates import NearDuplicates, Print
from crawler.pages.charset import decode
from crawler.pages.page import page_record
from crawler.pages.parse import parse
from crawler.pages.simhash import NEAR, Fingerprint, simhash
from crawler.read_pages import ALIKE
from crawler.text import Matcher

DATA = Path(__file__).parents[2] / "shared/data"
SAMPLE, MILLION, LOOK_UPS = 1_000, 1_000_000, 20_000
SAME = 0.8
"""Jaccard's index of the shingles of five characters from which two texts are the same with changes."""
_SECTIONS = ("首页", "国内", "国际", "社会", "财经", "体育", "娱乐", "图片", "视频")
MENU = "".join(f'<li><a href="/c{n}/">{name}</a></li>' for n, name in enumerate(_SECTIONS))
DATE = "2014年02月21日 08:01 来源：人民日报 编辑：王明"


# ---- corpora ----------------------------------------------------------------------------------------------------


def records(name: str) -> list[dict[str, Any]]:
    """The JSON lines of a file of the shared data."""
    with lzma.open(DATA / name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read(html: str) -> str | None:
    """The main text of a page; None where it cannot be read."""
    page = parse(Response("http://a.cn/1.html", 200, {"content-type": "text/html; charset=utf-8"}, html.encode()))
    return page.text if isinstance(page, ParsedPage) else None


def saved_pages() -> list[str]:
    """The saved news pages, decoded."""
    decoded = (decode(page.body) for page in saved())
    return [page.text for page in decoded if page is not None and read(page.text)]


def texts() -> dict[str, list[str]]:
    """The distinct texts of each corpus."""
    corpora = {
        "saved news pages": [read(html) or "" for html in saved_pages()],
        "encyclopaedia (English)": [row["text"] for row in records("wikispeedia/pages.jsonl.xz")],
        "abstracts (Chinese)": [row["abstract"] or "" for row in records("abstracts_zh/general_18k.jsonl.xz")],
        "summaries of disaster news": [
            row["summary"] or "" for row in records("guangdong_disaster_news/news_2024-08_09.jsonl.xz")
        ],
    }
    return {name: list(dict.fromkeys(found)) for name, found in corpora.items()}


# ---- copies -----------------------------------------------------------------------------------------------------


def _inserted(html: str, after: str, text: str) -> str:
    """The page with something behind the middle one of the matches of a pattern; as it is where there is none."""
    ends = [match.end() for match in re.finditer(after, html, re.IGNORECASE)]
    at = ends[len(ends) // 2] if ends else 0
    return html[:at] + text + html[at:] if ends else html


def _word_changed(text: str, whole: str) -> str:
    """The page with two characters changed in the middle of its main text."""
    middle = text[len(text) // 2 :][:6]
    return whole.replace(middle, f"灾害{middle[2:]}")


def page_copies(html: str, other: str) -> dict[str, str]:
    """Copies of a page by what is different; ``other`` is the main text of another page."""
    text = read(html) or ""
    paragraph = max(other.split("\n"), key=len)[:150]
    rows = "".join(f"<p>{line}</p>" for line in text.split("\n"))
    news = "".join(f'<li><a href="/n{n}">{paragraph[n : n + 12]}</a></li>' for n in range(12))
    return {
        "another menu and footer": _inserted(
            re.sub("</body>", f'<div class="footer"><p>{paragraph[:40]}</p></div></body>', html, flags=re.IGNORECASE),
            r"<body[^>]*>", f'<div class="nav"><ul>{MENU}</ul></div>',
        ),
        "another date line": _inserted(html, r"</h1>|<body[^>]*>", f"<p>{DATE}</p>"),
        "two characters changed": _word_changed(text, html),
        "one paragraph more": _inserted(html, "</p>", f"<p>{paragraph}</p>"),
        "in the page of another site": f'<html><body><div class="nav"><ul>{MENU}</ul></div><h1>转载</h1><p>{DATE}</p>'
        f'{rows}<div class="list"><ul>{news}</ul></div></body></html>',
        "the first half only": f"<html><body><p>{text[: len(text) // 2]}</p></body></html>",
    }  # fmt: skip


def text_copies(text: str, other: str) -> dict[str, str]:
    """Copies of a text by what is different; ``other`` is another text."""
    middle = len(text) // 2
    return {
        "another date line": f"{DATE}\n{text}",
        "two characters changed": f"{text[:middle]}灾害{text[middle + 2 :]}",
        "one paragraph more": f"{text[:middle]}\n{other[:150]}\n{text[middle:]}",
        "the first half only": text[:middle],
    }


def found(originals: Sequence[str], copies: Callable[[str, str], Mapping[str, str]], is_html: bool) -> dict[str, Any]:
    """How many copies count as near-duplicates, and as the text of a declared canonical URL, for each change."""
    text_of = read if is_html else str
    compared = [one for one in originals if simhash(text_of(one) or "") is not None]
    rows: dict[str, list[tuple[bool, bool, int]]] = {}
    for one, before in zip(compared, [compared[-1], *compared], strict=False):
        mine = simhash(text_of(one) or "")
        for change, copy in copies(one, text_of(before) or "").items():
            rows.setdefault(change, []).append(_likeness(mine, simhash(text_of(copy) or "")))
    shares = {
        change: {
            "near": round(statistics.mean(near for near, _, _ in found), 3),
            "alike": round(statistics.mean(alike for _, alike, _ in found), 3),
            "median": round(statistics.median(bits for _, _, bits in found)),
        }
        for change, found in rows.items()
    }
    return {"texts": len(compared), "changes": shares}


def _likeness(one: Fingerprint | None, other: Fingerprint | None) -> tuple[bool, bool, int]:
    """Whether a text is a near-duplicate of another, whether it is that of its canonical URL, and bits between them."""
    if one is None or other is None:
        return False, False, 64
    return one.is_like(other, NEAR), one.is_like(other, ALIKE), (one.bits ^ other.bits).bit_count()


# ---- different texts --------------------------------------------------------------------------------------------


def pairs(found: Sequence[str]) -> dict[str, int]:
    """All pairs of the texts that can be compared: how many are near-duplicates, and how many of these are wrong."""
    compared = [(print_, text) for text in found if (print_ := simhash(text)) is not None]
    values = np.array([print_.bits for print_, _ in compared], dtype=np.uint64)
    within, near, wrong = 0, 0, 0
    for row, (print_, text) in enumerate(compared):
        for other in np.flatnonzero(np.bitwise_count(values[row + 1 :] ^ values[row]) <= NEAR).tolist():
            theirs, copy = compared[row + 1 + other]
            within += 1
            if print_.is_like(theirs, NEAR):
                near += 1
                wrong += _jaccard(text, copy) < SAME
    n = len(compared)
    return {"texts": n, "pairs": n * (n - 1) // 2, "within": within, "near": near, "wrong": wrong}


def _jaccard(one: str, other: str) -> float:
    one, other = "".join(one.split()), "".join(other.split())
    mine, theirs = ({text[at : at + 5] for at in range(len(text) - 4)} for text in (one, other))
    return len(mine & theirs) / max(1, len(mine | theirs))


def bulletins(count: int = 500, seed: int = 0) -> list[str]:
    """Bulletins of one form: a storm warning with other places, times and figures."""
    draw = random.Random(seed)
    places = ("台州市", "温州市", "宁波市", "福州市", "厦门市", "泉州市", "湛江市", "珠海市", "汕头市", "北海市")
    form = (
        "{0}气象台{1}月{2}日{3}时发布暴雨橙色预警信号：预计未来{4}小时，{0}、{5}大部分地区将出现{6}毫米以上降雨，局部可达{7}毫米，"
        "并伴有雷电、{8}级雷暴大风等强对流天气，山洪、地质灾害和城乡积涝风险高。请有关单位和人员做好防范准备，切断低洼地带有危险的室外电源，"
        "暂停在空旷地方的户外作业，转移危险地带人员和危房居民到安全场所避雨，检查城市、农田、鱼塘排水系统，采取必要的排涝措施。"
    )
    first, second = ((1, 12), (1, 28), (0, 23), (1, 24)), ((30, 90), (100, 250), (7, 12))
    return [
        form.format(
            draw.choice(places), *(draw.randint(*ends) for ends in first),
            draw.choice(places), *(draw.randint(*ends) for ends in second),
        )
        for _ in range(count)
    ]  # fmt: skip


# ---- cost -------------------------------------------------------------------------------------------------------


def cost() -> dict[str, float]:
    """Processor time of the fingerprint, of the whole record of a page, and of a look-up among a million."""
    response, matcher = generated(), Matcher(vocabularies())
    text = read(decode_text(response)) or ""
    prints = np.random.default_rng(0).integers(0, 1 << 64, MILLION, dtype=np.uint64)
    numbers = np.arange(MILLION, dtype=np.int32)
    index = NearDuplicates()
    index.restore(
        {
            "page": numbers,
            "link": numbers,
            "bits": prints,
            "numbers": 0 * prints,
            "kind": np.ones(MILLION, dtype=np.uint8),
        }
    )
    draw = random.Random(0)
    new = [Print(Fingerprint(draw.getrandbits(64), 0)) for _ in range(LOOK_UPS)]
    started = time.process_time()
    for number, print_ in enumerate(new, start=MILLION):
        index.add(number, number, print_)
    look_up = (time.process_time() - started) / LOOK_UPS
    return {
        "characters": len(text),
        "fingerprint_ms": round(milliseconds(lambda: simhash(text), 300), 3),
        "record_ms": round(
            milliseconds(lambda: page_record(response.url, Fetched(response, response.url), matcher), 60), 3
        ),
        "look_up_ms": round(1000 * look_up, 4),
        "bytes_a_page": sum(c.itemsize * len(c) for c in (*index._columns.values(), *index._before)) / len(index),
    }


def decode_text(response: Response) -> str:
    """The decoded HTML of a page of the benchmark."""
    decoded = decode(response.body)
    if decoded is None:
        raise SystemExit("a page of the benchmark cannot be read")
    return decoded.text


# ---- result -----------------------------------------------------------------------------------------------------


def table(result: report.Result) -> str:
    """The result as Markdown."""
    copies = [
        [name, change, f"{100 * row['near']:.0f} %", f"{100 * row['alike']:.0f} %", row["median"]]
        for name, corpus in result["copies"].items()
        for change, row in corpus["changes"].items()
    ]
    different = [[name, *row.values()] for name, row in result["pairs"].items()]
    counts = ", ".join(f"{corpus['texts']} {name}" for name, corpus in result["copies"].items())
    took = result["cost"]
    share = 100 * took["fingerprint_ms"] / took["record_ms"]
    title = ("corpus", "what is different", "near-duplicate", "text of the canonical URL", "median bits")
    heading = ("corpus", "texts", "pairs", f"within {NEAR} bits", "near-duplicates", "of these wrong")
    lines = [
        f"A page is a near-duplicate of an earlier one within {NEAR} of the 64 bits of their fingerprints, and has the",
        f"text of its declared canonical URL within {ALIKE}; and one must have four in five of the numbers of the",
        f"other. No number was fitted to a corpus: {NEAR} bits are those of Manku, Jain and Das Sarma (2007).",
        "", "## Copies that are found", "", f"Copies of {counts}.", "",
        *report.grid(title, copies),
        "", "The first half only is not meant to be found. The shorter a text, the more bits the same change flips.",
        "", "## Different texts that are taken for the same", "",
        *report.grid(heading, different),
        "", f"Equal texts are left out. Wrong: less than {100 * SAME:.0f} % of the shingles of five characters are",
        "shared. Near-duplicates are fewer than the pairs within these bits because of the numbers. The bulletins are",
        "made by a generator, with two places and seven figures each; few pairs have nearly the same ones.",
        "", "## Cost", "",
        f"The fingerprint of a page of 12 kB ({took['characters']:,} characters of main text) takes",
        f"{took['fingerprint_ms']} ms, {share:.1f} % of its whole record ({took['record_ms']} ms). To look up and add",
        f"one among a million takes {took['look_up_ms']} ms, and {took['bytes_a_page']:.0f} bytes of memory.",
        "", f"{report.machine(result)}, load {result['load']}.",
    ]  # fmt: skip
    command = "python -m benchmarks.near_duplicates --json docs/benchmarks/near_duplicates.json"
    return report.page("Near-duplicates", command, lines)


def main() -> int:
    """Run and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--texts", type=int, metavar="N", help="take the first N of each corpus only")
    chosen = arguments.parse_args()
    corpora, draw = {name: found[: chosen.texts] for name, found in texts().items()}, random.Random(0)
    sampled = {name: draw.sample(found, min(SAMPLE, len(found))) for name, found in corpora.items()}
    copies = {"saved news pages": found(saved_pages()[: chosen.texts], page_copies, True)}
    copies |= {name: found(sampled[name], text_copies, False) for name in sampled if name != "saved news pages"}
    compared = {name: pairs(each) for name, each in corpora.items()} | {"bulletins of one form": pairs(bulletins())}
    result = report.head("near_duplicates", copies=copies, pairs=compared, cost=cost(), load=report.load())
    report.publish(result, chosen.json, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
