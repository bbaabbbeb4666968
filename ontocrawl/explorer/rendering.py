"""Pages by templates: each gets the texts of its language, its address in the other one, and whether it may change."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, urlencode

from markupsafe import Markup, escape
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.types import Scope

from crawler.fetching.hosts import WAITS, why_it_waits
from ontocrawl.enrichment import wording
from ontocrawl.errors import UsageError
from ontocrawl.explorer.access import Access
from ontocrawl.terminal.dialogue import in_language
from ontology import errors
from ontology.errors import COLUMNS, LANGUAGES, Language, catalogue_groups, catalogued, recalled
from ontology.printable import printable
from ontology.templates import templates

LONGEST = 2_000
"""Characters of a text that a page shows; the interface for programs has all."""


def _shown(value: Any) -> Any:
    """Return a value as a page shows it: text of others without control and bidirectional characters, and cut."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return value if value.isascii() and value.isprintable() and len(value) <= LONGEST else _cut(printable(value))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


_TEMPLATES = templates("ontocrawl.explorer", _shown)
_TEMPLATES.filters["exact"] = escape  # for attributes that a script sends back


def path_of(scope: Scope) -> str:
    """Return the path of a page, without the path of the session in front of it."""
    return str(scope["path"]).removeprefix(scope["root_path"])


_SECTIONS = {
    "": "/", "topics": "/", "ontologies": "/ontologies", "lattice": "/ontologies", "crawls": "/crawls",
    "web": "/crawls", "review": "/review", "ask": "/ask",
}  # fmt: skip
"""First part of a path -> the entry of the navigation to which the page belongs."""
_OF_TABLES = {
    **dict.fromkeys(("ontologies", "classes", "terms"), "/ontologies"), "proposals": "/review",
    **dict.fromkeys(("query", "cypher"), "/ask"),
}  # fmt: skip
"""Source of a table -> the same; any other table is of runs."""


def _section(path: str) -> str:
    """Return the address of the entry of the navigation to which a page belongs; "" for none.

    >>> [_section(path) for path in ("/", "/web/first", "/tables/terms", "/tables/hosts", "/session")]
    ['/', '/crawls', '/ontologies', '/crawls', '']
    """
    first, *more = path.strip("/").split("/")
    if first == "tables":
        return _OF_TABLES.get(more[0] if more else "", "/crawls")
    return _SECTIONS.get(first, "")


def _address(request: Request, chosen: Language) -> str:
    """Return the address of the same page in a language; two slashes at its beginning would name another server."""
    parameters = [(name, value) for name, value in request.query_params.multi_items() if name != "lang"]
    path = quote(path_of(request.scope).lstrip("/\\"))
    return f"{request.scope['root_path']}/{path}?{urlencode([*parameters, ('lang', chosen)])}"


def language_of(request: Request) -> Language:
    """Return the language that a request wants."""
    accepted = request.headers.get("accept-language", "")
    return _wanted(request.query_params, request.cookies, accepted)


def number(given: QueryParams, name: str, default: int, most: int) -> int:
    """Return a parameter of an address that is a number from 0 to ``most``. Raises UsageError for another value."""
    text = given.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most):
        raise UsageError("explorer.number_range_found", name=name, most=most, text=text[:40])
    return int(text)


def in_order(text: str) -> bytes:
    """Return a key that sorts names as people look them up: Chinese ones by pinyin, after the others.

    The characters of the first level of GB 2312, which GB 18030 begins with, stand in the order of their pinyin.

    >>> sorted(["洪水", "Storm", "暴雨", "flood"], key=in_order)
    ['flood', 'Storm', '暴雨', '洪水']
    """
    return text.casefold().encode("gb18030", "replace")


def said(text: str, language: Language) -> str:
    """Return a message with its options as on the command line, from which the explorer was started."""
    return errors.said(text, language, on_command_line=True)


def error(request: Request, text: str, status: int, **more: str) -> JSONResponse:
    """Return an error of the interface as JSON, in the language that the request wants.

    Args:
        request: the request.
        text: the message as it was raised.
        status: status of the response.
        more: further values, such as the ``field`` of a form.
    """
    return JSONResponse({"error": said(text, language_of(request)), **more}, status)


def spoken(value: Any, language: Language) -> Any:
    """Return values of JSON with the messages among them in a language.

    >>> from ontology.errors import Message
    >>> spoken({"stages": [Message("versions.stage_files")], "done": False}, "zh")
    {'stages': ['写入文件'], 'done': False}
    """
    if isinstance(value, Mapping):
        return {name: spoken(item, language) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [spoken(item, language) for item in value]
    return said(value, language) if isinstance(value, str) else value


def page(request: Request, template: str, values: Mapping[str, Any], status: int = 200) -> HTMLResponse:
    """Render a page.

    Args:
        request: the request.
        template: name of the template, without its ending.
        values: what the template shows, beside the texts.
        status: status of the response.

    Returns:
        The response. Text of others is escaped; the chosen language is kept in a cookie.
    """
    chosen = language_of(request)
    other = next(one for one in LANGUAGES if one != chosen)
    access: Access = request.app.state.access
    root = request.scope["root_path"]
    changes = (root and access.is_session(request.headers)) or access.is_bearer(request.headers)
    content = _TEMPLATES.get_template(f"{template}.html").render(
        t=dict(texts_in(chosen)), lang=chosen, root=root, path=path_of(request.scope),
        section=_section(path_of(request.scope)), changes=changes,
        csrf=access.csrf if changes else "", workspace=request.app.state.space.root.name,
        said=lambda text: said(text, chosen), recalled=recalled, named=lambda text: catalogued(text, chosen),
        help_of=lambda option: option.zh if chosen == "zh" else option.en,
        other=_address(request, other), **values,
    )  # fmt: skip
    response = HTMLResponse(content, status)
    if request.query_params.get("lang") == chosen:
        response.set_cookie(_COOKIE, chosen, max_age=31_536_000, samesite="strict")
    return response


# ---- the languages of the explorer's pages, Chinese and English: which one a request wants, and the texts of each


_DEFAULT: Language = "en"
_COOKIE = "ontocrawl_language"
_WEIGHT = re.compile(r"0(?:\.\d{0,3})?|1(?:\.0{0,3})?")
"""A weight q of the header ``Accept-Language`` (RFC 9110, 12.4.2)."""


def _wanted(query: Mapping[str, str], cookies: Mapping[str, str], accepted: str) -> Language:
    """Return the language of a page: of its address, else the one chosen last, else the browser's, else English.

    Args:
        query: parameters of the address; ``lang``.
        cookies: cookies of the request.
        accepted: the header ``Accept-Language``.

    >>> _wanted({}, {}, "fr-CH, fr;q=0.9, zh-CN;q=0.8, en;q=0.7")
    'zh'
    """
    for given in (query.get("lang", ""), cookies.get(_COOKIE, ""), *_by_browser(accepted)):
        if given in LANGUAGES:
            return given
    return _DEFAULT


def _by_browser(accepted: str) -> list[str]:
    """Return the languages of a header ``Accept-Language`` by their weights q, without those of weight 0.

    ``*`` stands for the default. An entry whose weight is no number from 0 to 1 is left out.

    >>> _by_browser("en;q=0.1, zh-CN, fr;q=0, de;q=much, *;q=0.05")
    ['zh', 'en', 'en']
    """
    weighted = []
    for entry in accepted.split(","):
        tag, *parameters = (part.strip().lower() for part in entry.split(";"))
        given = next(
            (text.partition("=")[2].strip() for text in parameters if text.partition("=")[0].strip() == "q"), "1"
        )
        weight = float(given) if _WEIGHT.fullmatch(given) else 0.0
        if weight:
            weighted.append((weight, _DEFAULT if tag == "*" else tag.partition("-")[0]))
    return [tag for _, tag in sorted(weighted, key=lambda pair: -pair[0])]


@cache
def texts_in(language: Language) -> Mapping[str, str]:
    """Return key -> text of all texts of the pages in a language: ``texts``, why hosts wait, words of the review.

    Raises:
        ValueError: two files have the same key.
    """
    found: dict[str, str] = {}
    for file in sorted((resources.files("ontocrawl.explorer") / "texts").iterdir(), key=lambda entry: entry.name):
        read = {key: both[language] for key, both in tomllib.loads(file.read_text("utf-8")).items()}
        if twice := found.keys() & read.keys():
            raise ValueError(f"{file.name} has keys of another file: {', '.join(sorted(twice))}")
        found |= read
    waits = {code: said(why_it_waits(code), language) for code in WAITS}
    found |= {f"{of}_{code}": text for of in ("wait", "host") for code, text in waits.items()}
    columns = catalogue_groups(language).get(COLUMNS, {})
    found |= {f"column_{name}": columns.get(name, name) for name in catalogue_groups("zh")[COLUMNS]}
    found |= {f"proposal_{kind}": text for kind, text in in_language(wording.KINDS, language).items()}
    was = in_language(wording.TEXTS, language)
    found |= {f"verdict_{name.removeprefix('was_')}": text for name, text in was.items() if name.startswith("was_")}
    return MappingProxyType(found)
