"""What a page says about itself to robots: whether to follow its links and use its text, and its canonical URL.

The rules are in ``<meta name="robots">`` and in the header X-Robots-Tag, each for all robots or for one of a name.
Where several apply, what any of them forbids is forbidden. robots.txt is another thing (crawler.fetching.robots).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from crawler.url import canonical

ROBOT = "ontocrawl"
"""Name of this crawler in rules that are for one robot."""
_AGENT = re.compile(r"[a-z][\w.\-]*|\*")
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
"""Rules that are written like a name of a robot with rules; none of them is about crawling."""
_LINK = re.compile(r"<([^>]*)>((?:\s*;\s*[\w!#$&+\-.^`|~*]+\s*(?:=\s*(?:\"[^\"]*\"|[^\s\",;]+))?)*)")
_LONGEST = 4_096
"""Characters of a header Link that are read; an attacker's could be long and slow to match."""
_ATTRIBUTE = re.compile(r";\s*([\w!#$&+\-.^`|~*]+)\s*=\s*(?:\"([^\"]*)\"|([^\s\",;]+))")


class Directives(NamedTuple):
    """The rules of a page that this crawler honours."""

    nofollow: bool = False
    noindex: bool = False


def directives(robot: str | None, metadata: Iterable[tuple[str, str]] = (), header: str = "") -> Directives:
    """Read the rules of a page for a robot.

    Args:
        robot: name of the crawler; None to ignore all rules.
        metadata: (name in lower case, content) of the ``<meta>`` elements.
        header: value of X-Robots-Tag; several such headers are joined by commas.

    Returns:
        The rules.

    >>> directives("ontocrawl", [("robots", "index, nofollow")], "otherbot: noindex")
    Directives(nofollow=True, noindex=False)
    >>> directives("ontocrawl", header="unavailable_after: 1 Jan 2030, ontocrawl: none")
    Directives(nofollow=True, noindex=True)
    """
    if robot is None:
        return Directives()
    robot = robot.lower()
    rules: set[str] = set()
    for name, content in metadata:
        if name in ("robots", robot):
            rules.update(re.split(r"[\s,;:]+", content.lower()))
    rules.update(_header_rules(robot, header.lower()))
    everything = "none" in rules
    return Directives("nofollow" in rules or everything, "noindex" in rules or everything)


def _header_rules(robot: str, header: str) -> Iterable[str]:
    """Yield the words of an X-Robots-Tag that are for a robot; a name is for what follows, up to the next name."""
    applies = True
    for part in header.split(","):
        name, colon, rest = part.partition(":")
        name = name.strip()
        if not colon:
            rest = part
        elif name in _VALUED or not _AGENT.fullmatch(name):
            continue
        else:
            applies = name in (robot, "*")
        if applies:
            yield from rest.split()


def declared_canonical(
    references: Iterable[str], header: str, url: str, base: str | None = None, encoding: str = "utf-8"
) -> str | None:
    """Return the canonical URL that a page declares, RFC 6596.

    Args:
        references: the href of each ``<link rel="canonical">``.
        header: value of the header Link, RFC 8288.
        url: URL of the page, that references of the header are joined to.
        base: the URL that references of the page are joined to; ``url`` where None.
        encoding: Python's name of the encoding of the page.

    Returns:
        The URL; None where none, or different ones, are declared.

    >>> declared_canonical([], '</a>; rel="canonical", </b>; rel=next', "http://a.cn/a?page=1")
    'http://a.cn/a'
    >>> declared_canonical(["/a", "/b"], "", "http://a.cn/c")
    """
    found = {canonical(reference, base or url, encoding=encoding) for reference in references if reference.strip()}
    named = (link for link in header_links(header) if "canonical" in link.get("rel", "").lower().split())
    found |= {canonical(link["href"], url) for link in named}
    found.discard(None)
    return found.pop() if len(found) == 1 else None


def header_links(header: str) -> list[dict[str, str]]:
    """Return the links of a header Link as ``<link>`` elements have them: attributes by lower-case name.

    Of several values of an attribute the first counts, and links from another page than the response are left out.

    >>> header_links('<?p=2>; rel="next"; REL=up, </a>; rel=next; anchor="/b"')
    [{'rel': 'next', 'href': '?p=2'}]
    """
    links = []
    for link in _LINK.finditer(header[:_LONGEST]):
        pairs = [(name.lower(), quoted or plain) for name, quoted, plain in _ATTRIBUTE.findall(link[2])]
        links.append(dict(reversed(pairs)) | {"href": link[1]})
    return [link for link in links if "anchor" not in link]
