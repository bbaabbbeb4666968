"""What is taken for a near-duplicate of a page, rightly and wrongly, and the cost. Prints one JSON document.

    python -m benchmarks.near_duplicates [--json docs/benchmarks/near_duplicates.json] [--texts N]

Needs ../shared/data. Copies are made of texts of four corpora: the saved news pages of zh_news_html, which are changed
as HTML and read again, the encyclopaedia pages of wikispeedia, Chinese abstracts, and summaries of disaster news. Then
the texts of each corpus are compared in all pairs of which a look-up would compare the fingerprints; a pair that counts
as near-duplicate is wrong where the texts share less than half of their shingles of five characters (Jaccard's index).
Texts of one form that are different pages are made by a generator: lists of weather warnings that name no town in
common, bulletins of one station on different days, and warnings of many places. Times are processor time: of the
fingerprint beside that of the whole record of a page, and of the look-up among a million fingerprints. With --json FILE
a table is written beside it (FILE with the suffix .md).
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
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import report
from benchmarks.page import generated, milliseconds, saved, vocabularies
from crawler.fetching.fetch import Fetched
from crawler.model import ParsedPage, Response
from crawler.near_duplicates import NearDuplicates, Print
from crawler.pages.charset import decode
from crawler.pages.fingerprint import BINS, NEAR, PLACES, Fingerprint, fingerprint, likeness
from crawler.pages.page import page_record
from crawler.pages.parse import parse
from crawler.text import Matcher

DATA = Path(__file__).parents[2] / "shared/data"
SAMPLE, MILLION, LOOK_UPS = 1_000, 1_000_000, 20_000
SAME = 0.5
"""Jaccard's index of the shingles of five characters from which two texts are the same with changes."""
_SECTIONS = ("首页", "国内", "国际", "社会", "财经", "体育", "娱乐", "图片", "视频")
MENU = "".join(f'<li><a href="/c{n}/">{name}</a></li>' for n, name in enumerate(_SECTIONS))
AD = "【广告】本店全场商品仅售199元，2024年8月1日起限时3天，买二送一，电话400-123-4567，欢迎选购。"
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


def _changed(text: str, whole: str, other: str) -> str:
    """The page with its median paragraph replaced by as many characters of another page; "" for too few paragraphs."""
    paragraphs = sorted((line for line in text.split("\n") if len(line) > 20 and line in whole), key=len)
    if len(paragraphs) < 3:
        return ""
    changed = paragraphs[len(paragraphs) // 2]
    return whole.replace(changed, "".join(other.split())[: len(changed)])


def _day_changed(found: re.Match[str]) -> str:
    year, month, day = (int(part) for part in found.groups())
    return f"{year - 1}年{month % 12 + 1}月{(day + 11) % 28 + 1}日"


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
        "an ad more": _inserted(html, "</p>", f"<p>{AD}</p>"),
        "another date line": _inserted(html, r"</h1>|<body[^>]*>", f"<p>{DATE}</p>"),
        "its dates changed": re.sub(r"((?:19|20)\d\d)[-/.年](\d{1,2})[-/.月](\d{1,2})日?", _day_changed, html),
        "one paragraph changed": _changed(text, html, other),
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
        "an ad more": f"{text[:middle]}\n{AD}\n{text[middle:]}",
        "another date line": f"{DATE}\n{text}",
        "one paragraph changed": _changed(text, text, other),
        "two characters changed": f"{text[:middle]}灾害{text[middle + 2 :]}",
        "one paragraph more": f"{text[:middle]}\n{other[:150]}\n{text[middle:]}",
        "the first half only": text[:middle],
    }


def found(originals: Sequence[str], copies: Callable[[str, str], Mapping[str, str]], is_html: bool) -> dict[str, Any]:
    """How many copies count as near-duplicates for each change, and the share of shingles that they keep."""
    text_of = read if is_html else str
    compared = [one for one in originals if fingerprint(text_of(one) or "") is not None]
    rows: dict[str, list[tuple[bool, float]]] = {}
    for one, before in zip(compared, [compared[-1], *compared], strict=False):
        mine = fingerprint(text_of(one) or "")
        for change, copy in copies(one, text_of(before) or "").items():
            if copy not in (one, ""):
                rows.setdefault(change, []).append(_likeness(mine, fingerprint(text_of(copy) or "")))
    shares = {
        change: {
            "copies": len(found),
            "near": round(statistics.mean(near for near, _ in found), 3),
            "median": round(statistics.median(share for _, share in found), 2),
        }
        for change, found in rows.items()
    }
    return {"texts": len(compared), "changes": shares}


def _likeness(one: Fingerprint | None, other: Fingerprint | None) -> tuple[bool, float]:
    """Whether a text is a near-duplicate of another, and the share of shingles that they have in common."""
    if one is None or other is None:
        return False, 0.0
    return one.is_like(other), likeness(one, other)


# ---- different texts --------------------------------------------------------------------------------------------


def pairs(found: Sequence[str]) -> dict[str, int]:
    """The pairs of the texts that have half of their shingles in common, near-duplicates, and how many are wrong."""
    compared = [(print_, text) for text in found if (print_ := fingerprint(text)) is not None]
    near = {pair: compared[pair[0]][0].is_like(compared[pair[1]][0]) for pair in _alike([one for one, _ in compared])}
    copies = [pair for pair, is_near in near.items() if is_near]
    wrong = sum(_jaccard(compared[one][1], compared[other][1]) < SAME for one, other in copies)
    n = len(compared)
    return {"texts": n, "pairs": n * (n - 1) // 2, "within": len(near), "near": len(copies), "wrong": wrong}


def _alike(prints: Sequence[Fingerprint]) -> set[tuple[int, int]]:
    """The pairs of rows with two neighbouring bins and half of all bins in common."""
    bins = np.frombuffer(b"".join(one.bins for one in prints), dtype=np.uint8).reshape(-1, BINS)
    found = set[tuple[int, int]]()
    for keys in bins.view(np.uint16).T:
        order = np.argsort(keys, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1):
            for at, row in enumerate(rows[:-1].tolist()):
                others = rows[at + 1 :]
                same = np.count_nonzero(bins[others] == bins[row], axis=1) >= NEAR * BINS
                found.update((row, other) for other in others[same].tolist())
    return found


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


def of_one_station(count: int = 500) -> list[str]:
    """Bulletins of one station: the date, the hour and two figures differ."""
    draw = random.Random(1)
    form = (
        "{}\n台州市气象台{}月{}日{}时{}分发布暴雨黄色预警信号：预计未来6小时我市大部分地区将出现50毫米以上降雨，局部可达{}毫米。\n防御指南：\n"
        "切断低洼地带有危险的室外电源，暂停在空旷地方的户外作业，转移危险地带人员和危房居民到安全场所避雨，"
        "检查城市、农田、鱼塘排水系统，采取必要的排涝措施。请有关单位和人员做好防范准备。"
    )
    ends = ((1, 12), (1, 28), (0, 23), (0, 59), (60, 150))
    texts = (form.format("预警信息", *(draw.randint(*end) for end in ends)) for _ in range(count))
    return list(dict.fromkeys(texts))


def warning_lists(count: int = 20) -> list[str]:
    """Lists of 40 warnings with their times; no two lists name the same town."""
    draw = random.Random(2)
    towns = ["".join(pair) for pair in permutations("玉阳石灵山泉武通昌宜邵京湖晋丰福怀景平南文海安江清永德临新龙", 2)]
    draw.shuffle(towns)
    ends = ((1, 12), (1, 28), (0, 23), (0, 59))
    lines = [
        "{}县气象台{}月{}日{}时{}分发布暴雨黄色预警信号。".format(town, *(draw.randint(*end) for end in ends))
        for town in towns[: 40 * count]
    ]
    return ["预警信息\n" + "\n".join(lines[start : start + 40]) for start in range(0, 40 * count, 40)]


# ---- cost -------------------------------------------------------------------------------------------------------


def cost() -> dict[str, float]:
    """Processor time of the fingerprint, of the whole record of a page, and of a look-up among a million."""
    response, matcher = generated(), Matcher(vocabularies())
    text = read(decode_text(response)) or ""
    draw = np.random.default_rng(0)
    words = {"bins": BINS // 8, "places": PLACES // 2, "digest": 1}
    columns = {name: draw.integers(0, 1 << 64, MILLION * width, dtype=np.uint64) for name, width in words.items()}
    numbers = np.arange(MILLION, dtype=np.int32)
    index = NearDuplicates()
    index.restore(
        {
            "page": numbers,
            "link": numbers,
            "kind": np.full(MILLION, 2, dtype=np.uint8),
            "words": np.full(MILLION, 500, dtype=np.uint32),
            **columns,
        }
    )
    new = [Print(number, Fingerprint(draw.bytes(BINS), draw.bytes(4 * PLACES), 500)) for number in range(LOOK_UPS)]
    started = time.process_time()
    for number, print_ in enumerate(new, start=MILLION):
        index.add(number, number, print_, index.first(print_))
    look_up = (time.process_time() - started) / LOOK_UPS
    return {
        "characters": len(text),
        "fingerprint_ms": round(milliseconds(lambda: fingerprint(text), 300), 3),
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
        [name, change, row["copies"], f"{100 * row['near']:.1f} %", f"{100 * row['median']:.0f} %"]
        for name, corpus in result["copies"].items()
        for change, row in corpus["changes"].items()
    ]
    different = [[name, *row.values()] for name, row in result["pairs"].items()]
    counts = ", ".join(f"{corpus['texts']} {name}" for name, corpus in result["copies"].items())
    took = result["cost"]
    share = 100 * took["fingerprint_ms"] / took["record_ms"]
    title = ("corpus", "what is different", "copies", "found", "shingles in common, median")
    heading = ("corpus", "texts", "pairs", "half of the shingles", "near-duplicates", "of these wrong")
    lines = [
        f"A page is a near-duplicate of an earlier one with {100 * NEAR:.0f} % of all shingles of both in common, by a",
        f"sample of {BINS}, and with the same numbers where both have the same words around a number.",
        "", "## Copies that are found", "", f"Copies of {counts}.", "",
        *report.grid(title, copies),
        "", "The first half only has half of the shingles: the sample finds it about every second time.",
        "", "## Different texts that are taken for the same", "",
        *report.grid(heading, different),
        "", f"Equal texts are left out. Wrong: less than {100 * SAME:.0f} % of the shingles of five characters are",
        "shared; of the last three rows, which a generator makes, all near-duplicates are wrong.",
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
    compared = {name: pairs(each) for name, each in corpora.items()} | {
        "warnings of many places": pairs(bulletins()),
        "bulletins of one station": pairs(of_one_station()),
        "lists of 40 warnings": pairs(warning_lists()),
    }
    result = report.head("near_duplicates", copies=copies, pairs=compared, cost=cost(), load=report.load())
    report.publish(result, chosen.json, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
