"""What each reason code means: what happened to a link, and what to change. The only such list of the program.

A module that makes a new code adds it here, and its sentences to ontology/data/messages/reasons.toml: ``CODE`` says
what happened, ``CODE_advice`` what to change where `_SHARED` does not name the advice that several codes share.
tests/crawler/test_reasons.py looks for codes without a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from ontology.errors import Message

UNKNOWN = "unknown"
"""Reason of a URL that a run does not know."""
_STATUS = re.compile(r"http_(\d)\d\d")


@dataclass(frozen=True, slots=True)
class Reason:
    """The meaning of a reason code."""

    code: str

    @property
    def happened(self) -> str:
        """What happened to the link."""
        return Message(f"reasons.{self.code}") if self.code in REASONS else Message("reasons.unlisted", code=self.code)

    @property
    def advice(self) -> str:
        """What to change; empty where there is nothing."""
        if self.code not in REASONS:
            return Message("reasons.unlisted_advice")
        shared = _SHARED.get(self.code, f"{self.code}_advice")
        return Message(f"reasons.{shared}") if shared else ""

    @property
    def text(self) -> str:
        """Both as one message."""
        return Message("reasons.both", happened=self.happened, advice=self.advice)

    def __str__(self) -> str:
        return self.text


_LINKS = (
    "fetched", "taken_though_rejected", "queued", "in_flight", "read_by_redirect", "duplicate_redirect",
    "duplicate_canonical", "read_by_canonical", "noindex", "admitted", "visited", "rejected_by_strategy", "probe",
    "forgotten", "out_of_scope", "unknown", "fragment", "self_link", "malformed_url", "credentials_dropped",
    "nofollow", "switched_off", "computed_url", "hidden_frame", "share_or_ad", "other_form", "script_library",
    "bad_refresh", "form", "shown_markup", "page_nofollow",
)  # fmt: skip
_SCOPE = (
    "scheme", "media_suffix", "other_host", "other_domain", "outside_prefix", "host_not_listed", "host_excluded",
    "pattern", "reject_pattern", "not_accepted", "max_depth", "max_offtopic_depth", "host_cap", "directory_cap",
    "pattern_cap",
)  # fmt: skip
_TRAPS = (
    "url_too_long", "path_too_deep", "repeating_path", "repeated_segments", "too_many_parameters", "calendar",
    "permuted_parameters", "endless_sequence",
)  # fmt: skip
_ROBOTS = (
    "robots_denied", "robots_unreachable",
)  # fmt: skip
_REDIRECTS = (
    "bad_redirect", "redirect_loop", "too_many_redirects",
)  # fmt: skip
_CONNECTIONS = (
    "dns", "refused", "unreachable", "timeout", "tls", "connection_reset", "host_down", "host_paused",
    "blocked_address", "bad_url", "bad_response", "incomplete_body", "bad_framing", "bad_content_encoding",
    "too_large",
)  # fmt: skip
_PAGES = (
    "not_html", "undecodable", "malformed", "too_deep", "empty", "soft_404", "parser_crashed", "document_damaged",
    "document_encrypted", "document_without_text", "document_too_long", "document_too_costly",
    "document_unsupported",
)  # fmt: skip
_ARCHIVES = (
    "not_archived", "bad_header", "bad_length", "bad_gzip", "cut_off", "arc_format", "wacz_format", "zstd_format",
    "not_http", "fetched_again", "revisit", "robots_file",
)  # fmt: skip
_SEEDS = (
    "duplicate", "over_limit", "relative_url", "no_url", "undated", "before_since", "unreadable",
    "repeated_sitemap", "nested_too_deep", "too_many_documents",
)  # fmt: skip
_CANONICALS = (
    "contains_page", "other_text", "doubted_host",
)  # fmt: skip
_RENDERINGS = (
    "no_browser", "browser_ended", "page_crashed", "rendered_too_slow", "rendered_too_large", "rendered_nothing",
)  # fmt: skip
"""Why a page that needs a browser was not rendered (`crawler.model.Rendering`)."""
_STATUSES = (
    "challenge", "http_401", "http_403", "http_404", "http_410", "http_429", "http_503", "http_1xx", "http_2xx",
    "http_3xx", "http_4xx", "http_5xx",
)  # fmt: skip
_STOPS = (
    "limit_pages", "limit_time", "limit_relevant", "limit_gain", "limit_generations", "frontier_empty",
    "strategy_finished", "interrupted", "repeated_failure",
)  # fmt: skip
"""Why a run stopped."""
_SHARED: Final[Mapping[str, str]] = MappingProxyType({
    **dict.fromkeys(("fetched", "admitted", "visited"), ""),
    **dict.fromkeys(("read_by_redirect", "probe", "fragment", "self_link", "not_http", "fetched_again", "revisit",
        "robots_file", "duplicate", "repeated_sitemap"), "advice_complete"),
    **dict.fromkeys(("duplicate_redirect", "duplicate_canonical"), "advice_counted"),
    **dict.fromkeys(("out_of_scope", "url_too_long", "path_too_deep", "repeating_path", "repeated_segments",
        "too_many_parameters", "calendar", "endless_sequence"), "advice_rule"),
    **dict.fromkeys(("malformed_url", "bad_redirect", "redirect_loop", "relative_url"), "advice_site"),
    **dict.fromkeys(("nofollow", "page_nofollow"), "advice_seed"),
    **dict.fromkeys(("other_host", "other_domain", "outside_prefix"), "advice_wider"),
    **dict.fromkeys(("robots_unreachable", "bad_response", "incomplete_body", "bad_content_encoding", "http_503",
        "http_1xx", "http_5xx"), "advice_server"),
    **dict.fromkeys(("refused", "unreachable", "connection_reset", "host_down", "repeated_failure"),
        "advice_network"),
    **dict.fromkeys(("undecodable", "malformed", "parser_crashed"), "advice_parser"),
    **dict.fromkeys(("document_damaged", "document_too_long", "document_too_costly"), "advice_document"),
    **dict.fromkeys(("bad_header", "bad_length", "bad_gzip", "cut_off"), "advice_archive"),
    **dict.fromkeys(("contains_page", "other_text", "doubted_host"), "advice_itself"),
    **dict.fromkeys(("browser_ended", "page_crashed", "rendered_too_slow", "rendered_nothing"), "advice_plain"),
    **dict.fromkeys(("host_cap", "directory_cap", "pattern_cap"), "advice_cap"),
})  # fmt: skip
"""Reason code -> the advice that it shares with others, empty for none."""
REASONS: Final[Mapping[str, Reason]] = MappingProxyType({
    code: Reason(code)
    for codes in (
        _LINKS, _SCOPE, _TRAPS, _ROBOTS, _REDIRECTS, _CONNECTIONS, _PAGES, _ARCHIVES, _SEEDS, _CANONICALS,
        _RENDERINGS, _STATUSES, _STOPS,
    )
    for code in codes
})  # fmt: skip
"""Reason code -> its meaning. ``http_4xx`` and the like stand for the statuses without a line of their own."""


_GROUPS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "scope": frozenset(_SCOPE + _TRAPS),
        "robots": frozenset(_ROBOTS),
        "failure": frozenset(_REDIRECTS + _CONNECTIONS + _PAGES + _ARCHIVES + _STATUSES),
    }
)
"""Kind of reason why a link was not read: a rule of the scope, robots.txt, or a request that failed."""


def group_of(code: str) -> str:
    """Return the kind of a reason code, scope, robots or failure; "" for any other.

    >>> group_of("other_host"), group_of("http_418"), group_of("admitted")
    ('scope', 'failure', '')
    """
    return next((name for name, codes in _GROUPS.items() if _key(code) in codes), "")


def meaning(code: str) -> Reason:
    """Return the meaning of a reason code; of an unknown one, as from a later version, that it has none.

    >>> meaning("http_404").happened, meaning("http_418").happened
    ('The page does not exist (404).', 'The server does not give the page to this request.')
    """
    return Reason(_key(code))


def _key(code: str) -> str:
    status = _STATUS.fullmatch(code)
    return code if code in REASONS or status is None else f"http_{status[1]}xx"
