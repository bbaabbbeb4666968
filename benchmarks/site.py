"""A generated news site for the benchmarks: static pages of one size with as many links each, the same for a seed.

Sentences, titles and languages are those of the synthetic web (crawler.worlds.synthetic), so that texts and anchors
have topic words. Every page links to the channels of the site in its menu, and to other pages, most of them near.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from crawler.worlds.synthetic.draw import Draw
from crawler.worlds.synthetic.templates import KINDS, Template, templates
from crawler.worlds.synthetic.text import fill

LINKS, BYTES = 82, 12_000
_CHANNELS, _NEAR = 20, 42
"""Links of the menu; links to pages that are near."""
_FAR = LINKS - _CHANNELS - _NEAR
_RADIUS = 200
_TOPIC = ("rainstorm", 0.4)
"""A kind of page and its share."""


class _Page(NamedTuple):
    number: int
    language: str
    template: Template
    title: str
    path: str


def write(folder: Path, pages: int, seed: int) -> list[str]:
    """Write a site with a robots.txt.

    Args:
        folder: folder of the files.
        pages: number of pages, more than the links of each.
        seed: random seed.

    Returns:
        The paths of its pages.
    """
    draw = random.Random(seed)
    planned = [_planned(number, seed, draw) for number in range(pages)]
    (folder / "robots.txt").write_text("User-agent: *\nDisallow: /admin/\nDisallow: /search\n")
    for page in planned:
        file = folder / page.path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_html(page, planned, seed, draw))
    return [page.path for page in planned]


def _planned(number: int, seed: int, draw: random.Random) -> _Page:
    texts, language = templates(), "zh" if draw.random() < 0.7 else "en"
    kind = _TOPIC[0] if draw.random() < _TOPIC[1] else draw.choice(KINDS)
    template = texts.kinds[kind, language]
    title = _text(draw.choice(template.titles), Draw(seed, "title", number), language)
    path = f"/news/2013/{number % 12 + 1:02}/{number % 28 + 1:02}/t_{number}.html"
    return _Page(number, language, template, title, path)


def _html(page: _Page, pages: Sequence[_Page], seed: int, draw: random.Random) -> bytes:
    """A page of about BYTES bytes."""
    menu = [channel for channel in pages[: _CHANNELS + 1] if channel is not page][:_CHANNELS]
    around = range(page.number - _RADIUS, page.number + _RADIUS)
    others = [number % len(pages) for number in around if number % len(pages) > _CHANNELS and number != page.number]
    near = draw.sample(sorted(set(others)), _NEAR)
    free = sorted(set(range(_CHANNELS + 1, len(pages))) - {*near, page.number})
    lists = {
        '<div class="nav"><ul>': menu,
        '<div class="list"><h3>News</h3><ul>': [pages[number] for number in near],
        '<div class="side"><ul>': [pages[number] for number in draw.sample(free, _FAR)],
    }
    nav, news, side = (
        f"{start}\n" + "\n".join(f'<li><a href="{_written(p, draw)}">{p.title[:24]}</a></li>' for p in linked)
        + "\n</ul></div>" for start, linked in lists.items()
    )  # fmt: skip
    head = (
        f'<meta charset="utf-8"><title>{page.title}</title>'
        f'<meta name="keywords" content="{",".join(page.template.keywords[:4])}">'
    )
    frame = "<!DOCTYPE html>\n<html><head>{}</head>\n<body>{}\n<h1>{}</h1>\n{}\n{}\n{}\n</body></html>\n"
    size = BYTES - len(frame.format(head, nav, page.title, "", news, side).encode())
    return frame.format(head, nav, page.title, _article(page, size, seed), news, side).encode()


def _article(page: _Page, size: int, seed: int) -> str:
    """Paragraphs of two sentences, in all of about so many bytes."""
    draw, paragraphs = Draw(seed, "text", page.number), list[str]()
    while size > 0:
        two = [_text(draw.pick(page.template.sentences), draw, page.language) for _ in range(2)]
        paragraphs.append(f"<p>{' '.join(two)}</p>")
        size -= len(paragraphs[-1].encode()) + 1
    return "\n".join(paragraphs)


def _text(pattern: str, draw: Draw, language: str) -> str:
    names = templates().languages[language]
    facts = {name: draw.pick(names.lists[name]) for name in ("place", "county", "river")}
    return fill(pattern, draw, names, facts | {"date": "2013-11-08", "host": "News"})


def _written(page: _Page, draw: random.Random) -> str:
    """A reference as pages have them: absolute, relative or with a fragment."""
    form = draw.random()
    return page.path if form < 0.6 else f"../../../..{page.path}" if form < 0.9 else f"{page.path}#top"
