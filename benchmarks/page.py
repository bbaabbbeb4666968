"""Pages and vocabularies for benchmarks of reading pages, and a clock.

A page is generated (a news page of 12 kB with 82 links in GB 18030) or one of the saved pages of
../shared/data/zh_news_html. Five vocabularies have together 230 words.
"""

from __future__ import annotations

import random
import statistics
import tarfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from crawler.model import Response
from crawler.text import Vocabulary, Word

SAVED = Path(__file__).parents[2] / "shared/data/zh_news_html/pages.tar.xz"
URL = "http://news.example.cn/shehui/2013/11/08/t20131108_1.shtml"
CHARACTERS = bytes(byte for lead in range(0xB0, 0xD8) for trail in range(0xA1, 0xF9) for byte in (lead, trail))
COMMON = CHARACTERS.decode("gb2312", "ignore")
"""The common Chinese characters, of which texts are made."""
TOPIC = "暴雨洪水台风内涝预警风险评估模型降水流域灾害城市排水监测"
"""The characters of the topic words; of these are 8 % of a text, in pairs."""
LINKS, BYTES = 82, 12_000


def generated(links: int = LINKS, size: int = BYTES, seed: int = 0) -> Response:
    """A news page: menus, an article, a list of other news, a footer."""
    draw = random.Random(seed)

    def words(count: int) -> str:
        pairs = (draw.choices(TOPIC if draw.random() < 0.08 else COMMON, k=2) for _ in range(count // 2))
        return "".join(character for pair in pairs for character in pair)

    def items(count: int, form: str) -> str:
        return "\n".join(
            f'<li><a href="{form.format(n=draw.randrange(9000))}">{words(6)}</a></li>' for _ in range(count)
        )

    head = f'<meta charset="gb2312"><title>{words(20)}</title><meta name="keywords" content="{words(4)},{words(3)}">'
    menu = f'<div class="nav"><ul>\n{items(links // 4, "http://ch{n}.example.cn/")}\n</ul></div>'
    news = items(links // 2, "/shehui/2013/11/07/t20131107_{n}.shtml")
    more = f'<div class="list"><h3>{words(4)}</h3><ul>\n{news}\n</ul></div>'
    news = items(links - links // 4 - links // 2, "../../10/t_{n}.shtml?from=side")
    side = f'<div class="side">\n{news}\n</div>'
    frame = len(f"{head}{menu}{more}{side}".encode("gb18030")) + 400
    count = max(1, (size - frame) // 170)
    article = "\n".join(f"<p>　　{words(40)}，<strong>{words(6)}</strong>{words(28)}。</p>" for _ in range(count))
    body = f'<h1>{words(18)}</h1><div class="date">2013-11-08 10:23 来源：新华网</div><div id="text">{article}</div>'
    foot = f'<div class="footer"><p>{words(30)}</p></div>'
    text = f"<!DOCTYPE html>\n<html><head>{head}</head>\n<body>{menu}\n{body}\n{more}\n{side}\n{foot}</body></html>"
    return Response(URL, 200, {"content-type": "text/html"}, text.encode("gb18030"))


def saved() -> list[Response]:
    """The saved pages; none where they are absent."""
    if not SAVED.exists():
        return []
    with tarfile.open(SAVED) as archive:
        files = (archive.extractfile(member) for member in archive)
        return [Response(URL, 200, {"content-type": "text/html"}, file.read()) for file in files if file is not None]


def vocabularies() -> list[Vocabulary]:
    """TK, GTK and three LTK of Chinese words of two and three characters with an English form each."""
    draw = random.Random(7)
    sizes = {"TK": 40, "GTK": 100, "LTK_1": 30, "LTK_2": 30, "LTK_3": 30}

    def word(name: str, number: int) -> Word:
        forms = tuple(("zh", "".join(draw.choices(TOPIC, k=length))) for length in (2, 3))
        return Word(f"{name}{number}", 1.0, (*forms, ("en", f"flood {name} {number}")))

    return [Vocabulary(name, tuple(word(name, number) for number in range(size))) for name, size in sizes.items()]


def milliseconds(action: Callable[[], Any], rounds: int) -> float:
    """Median processor time of an action."""
    times = []
    for _ in range(rounds):
        started = time.thread_time()
        action()
        times.append(time.thread_time() - started)
    return statistics.median(times) * 1000
