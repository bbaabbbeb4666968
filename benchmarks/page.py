"""Time from the response of a page to its scored record, and of the steps on the way. Prints one JSON document.

    python -m benchmarks.page [--rounds N] [--json FILE]

Two sets of pages: a generated news page of 12 kB with 82 links in GB 18030, and the saved pages of
../shared/data/zh_news_html where they are there. Five vocabularies of together 230 words are counted, and in the last
step TK in the content blocks too. The directories of links are known from the first round, as they are on most pages of
a site. Times are milliseconds of processor time: for each page the median of the rounds, of these the median over the
pages of a set. The parser alone (a tree, its title, text and hrefs) is the reference. With --json FILE a table is
written beside it (FILE with the suffix .md).
"""

from __future__ import annotations

import random
import statistics
import sys
import tarfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from benchmarks import report
from crawler.fetching.fetch import Fetched
from crawler.model import ParsedPage, Response
from crawler.pages.charset import decode
from crawler.pages.page import Extras, page_record
from crawler.pages.parse import parse
from crawler.pages.reader import PageReader
from crawler.text import Matcher, Vocabulary, Word

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


def steps(response: Response, matcher: Matcher, extras: Extras) -> dict[str, Callable[[], Any]]:
    """What is timed: the steps of a page, and the whole."""
    decoded = decode(response.body, "text/html")
    page = parse(response)
    if decoded is None or not isinstance(page, ParsedPage):
        raise SystemExit("a page of the benchmark cannot be read")
    root = LexborHTMLParser(decoded.text).root
    if root is None:
        raise SystemExit("a page of the benchmark has no markup")
    fetched = Fetched(response, response.url)
    return {
        "parser_alone": lambda: _parser_alone(decoded.text),
        "decode": lambda: decode(response.body, "text/html"),
        "tree": lambda: LexborHTMLParser(decoded.text),
        "walk": lambda: PageReader(root),
        "parse": lambda: parse(response),
        "count": lambda: matcher.count_segments(page.segments),
        "record": lambda: page_record(response.url, fetched, matcher),
        "record_and_blocks": lambda: page_record(response.url, fetched, matcher, extras),
    }


def _parser_alone(text: str) -> tuple[str, str, list[str | None]]:
    tree = LexborHTMLParser(text)
    title = tree.css_first("title")
    body = tree.body.text() if tree.body is not None else ""
    return title.text() if title else "", body, [a.attributes.get("href") for a in tree.css("a[href]")]


def milliseconds(action: Callable[[], Any], rounds: int) -> float:
    """Median processor time of an action."""
    times = []
    for _ in range(rounds):
        started = time.thread_time()
        action()
        times.append(time.thread_time() - started)
    return statistics.median(times) * 1000


def measure(pages: Iterable[Response], rounds: int) -> dict[str, Any]:
    """Medians over some pages, in ms for each step."""
    words = vocabularies()
    matcher, extras = Matcher(words), Extras(Matcher(words[:1]))
    rows = [
        {name: milliseconds(action, rounds) for name, action in steps(page, matcher, extras).items()} for page in pages
    ]
    return {name: round(statistics.median(row[name] for row in rows), 3) for name in rows[0]}


def table(result: report.Result) -> str:
    """The result as Markdown."""
    sets = result["milliseconds"]
    columns = ["pages", *next(iter(sets.values()))]
    lines = report.grid(columns, [[name, *row.values()] for name, row in sets.items()])
    return report.page("Reading a page", "python -m benchmarks.page", [*lines, "", f"{report.machine(result)}."])


def main() -> int:
    """Run and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--rounds", type=int, default=15)
    chosen = arguments.parse_args()
    sets = {"generated": [generated(seed=seed) for seed in range(5)], "saved": saved()}
    measured = {name: measure(pages, chosen.rounds) for name, pages in sets.items() if pages}
    sizes = {name: round(statistics.median(len(page.body) for page in pages)) for name, pages in sets.items() if pages}
    report.publish(report.head("page", bytes=sizes, milliseconds=measured), chosen.json, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
