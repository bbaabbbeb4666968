"""Sources of pages: live HTTP, a synthetic web, a corpus. ``fetch(url)`` of each makes one hop.

``open_world`` opens a world by its description, as ``--world`` takes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qsl

from crawler.archives.errors import ArchiveError
from crawler.model import World
from crawler.worlds.archive import ArchiveWorld
from crawler.worlds.cookies import CookieJar, read_cookies
from crawler.worlds.corpus import CorpusWorld
from crawler.worlds.errors import WorldError
from crawler.worlds.live import USER_AGENT, LiveWorld
from crawler.worlds.synthetic import CALIBRATED, STARTS, SyntheticWorld, synthetic_world

__all__ = [
    "SPECS", "ArchiveError", "ArchiveWorld", "CorpusWorld", "LiveWorld", "SyntheticWorld", "WorldError", "open_world",
]  # fmt: skip

SPECS = "live | synthetic:PRESET?pages=N&seed=S | corpus:DIR | archive:DIR"
"""The descriptions that ``open_world`` reads."""


def open_world(
    spec: str,
    *,
    resolve: Mapping[str, str] | None = None,
    allow_loopback: bool = False,
    timeout: float = 20.0,
    max_bytes: int = 8 * 1024 * 1024,
    max_document_bytes: int | None = None,
    user_agent: str = USER_AGENT,
    ca_file: str | None = None,
    cookies: bool = False,
    cookie_file: str | None = None,
) -> World:
    """Open the world of a description. Parameters but ``spec`` are for the live one (``LiveWorld``) if not said.

    Args:
        spec: description of the form ``SPECS``.
        resolve: addresses of hosts, HOST:PORT -> ADDR:PORT.
        allow_loopback: whether hosts on this machine may be fetched.
        timeout: seconds for one hop.
        max_bytes: maximum size of a body, of an archive, too.
        max_document_bytes: the same of PDF and Word files; None for ``max_bytes``.
        user_agent: name of the crawler.
        ca_file: certificates (PEM) to trust instead of the bundled ones.
        cookies: whether the live world keeps cookies.
        cookie_file: cookies of a person's own session, in Netscape's form.

    Returns:
        A world; its caller closes it.

    Raises:
        WorldError: an unknown kind, preset or parameter, a bad number, a folder that is not a corpus.
        ArchiveError: a folder without WARC files.
    """
    kind, _, rest = spec.partition(":")
    if kind == "synthetic":
        return _synthetic(spec, rest)
    if kind == "corpus":
        if not rest:
            raise WorldError("worlds.corpus_needs")
        return CorpusWorld(rest)
    if kind == "archive":
        if not rest:
            raise WorldError("worlds.archive_needs")
        return ArchiveWorld(rest, max_bytes=max_bytes, max_document_bytes=max_document_bytes)
    if spec != "live":
        raise WorldError("worlds.world_none", spec=spec, specs=SPECS)
    own = () if cookie_file is None else read_cookies(Path(cookie_file))
    return LiveWorld(
        cookies=CookieJar(own) if cookies else None,
        timeout=timeout,
        max_bytes=max_bytes,
        max_document_bytes=max_document_bytes,
        resolve=resolve,
        allow_loopback=allow_loopback,
        user_agent=user_agent,
        ca_file=ca_file,
    )


def _synthetic(spec: str, rest: str) -> SyntheticWorld:
    preset, _, query = rest.partition("?")
    preset = preset or "planted"
    options = dict(parse_qsl(query, keep_blank_values=True))
    pages = _integer(spec, "pages", options.pop("pages")) if "pages" in options else None
    seed = _integer(spec, "seed", options.pop("seed")) if "seed" in options else 0
    shells = _number(spec, "shells", options.pop("shells")) if "shells" in options else 0.0
    start = _start(spec, options.pop("seeds", None), options.pop("start", None))
    if not 0 <= shells <= 1:
        raise WorldError("worlds.shells_must_share_hosts", spec=spec, shells=shells)
    if preset not in CALIBRATED and options:
        known = "pages, seed, seeds, start, shells"
        raise WorldError("worlds.synthetic_parameter", spec=spec, options=min(options), known=known)
    world = synthetic_world(preset, pages, seed, {name: _number(spec, name, text) for name, text in options.items()})
    world.shells = shells
    world.start = start
    return world


def _start(spec: str, number: str | None, kind: str | None) -> tuple[int, str] | None:
    """Return number and kind of the seeds of a synthetic web; None where nothing is said of them."""
    if number is None and kind is not None:
        raise WorldError("worlds.start_kind_seeds_say", spec=spec, kind=kind)
    if number is None:
        return None
    if (kind or "relevant") not in STARTS:
        raise WorldError("worlds.no_kind_seeds_choose", spec=spec, kind=kind, starts=", ".join(STARTS))
    if _integer(spec, "seeds", number) < 1:
        raise WorldError("worlds.crawl_begins_least_seed", spec=spec, number=number)
    return int(number), kind or "relevant"


def _number(spec: str, name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise WorldError("worlds.world_number", spec=spec, name=name, text=text) from None


def _integer(spec: str, name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise WorldError("worlds.world_integer", spec=spec, name=name, text=text) from None
