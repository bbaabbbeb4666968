"""Pages by templates: each gets the texts of its language, its address in the other one, and whether it may change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse

from ontocrawl.explorer import language, messages
from ontocrawl.explorer.access import Access
from ontology.printable import printable
from ontology.templates import templates

LONGEST = 2_000
"""Characters of a text that a page shows; the interface for programs has all."""


def shown(value: Any) -> Any:
    """Return a value as a page shows it: text of others without control and bidirectional characters, and cut."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return value if value.isascii() and value.isprintable() and len(value) <= LONGEST else _cut(printable(value))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


_TEMPLATES = templates("ontocrawl.explorer", shown)
_TEMPLATES.filters["exact"] = escape  # for attributes that a script sends back


def _address(request: Request, chosen: language.Language) -> str:
    """Return the address of the same page in a language; two slashes at its beginning would name another server."""
    parameters = [(name, value) for name, value in request.query_params.multi_items() if name != "lang"]
    path = quote(request.scope["path"].lstrip("/\\"))
    return f"/{path}?{urlencode([*parameters, ('lang', chosen)])}"


def language_of(request: Request) -> language.Language:
    """Return the language that a request wants."""
    accepted = request.headers.get("accept-language", "")
    return language.wanted(request.query_params, request.cookies, accepted)


def error(request: Request, text: str, status: int, **more: str) -> JSONResponse:
    """Return an error of the interface as JSON, in the language that the request wants.

    Args:
        request: the request.
        text: the message as it was raised.
        status: status of the response.
        more: further values, such as the ``field`` of a form.
    """
    return JSONResponse({"error": messages.said(text, language_of(request)), **more}, status)


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
    other = next(one for one in language.LANGUAGES if one != chosen)
    access: Access = request.app.state.access
    changes = access.is_session(request.headers) or access.is_bearer(request.headers)
    texts = {key: text for key, text in language.texts(chosen).items() if not key.startswith(messages.KEY)}
    content = _TEMPLATES.get_template(f"{template}.html").render(
        t=texts, lang=chosen, path=request.url.path, changes=changes,
        csrf=access.csrf if changes else "", workspace=request.app.state.space.root.name,
        said=lambda text: messages.said(text, chosen), named=lambda text: language.catalogued(text, chosen),
        other=_address(request, other), **values,
    )  # fmt: skip
    response = HTMLResponse(content, status)
    if request.query_params.get("lang") == chosen:
        response.set_cookie(language.COOKIE, chosen, max_age=31_536_000, samesite="strict")
    return response
