"""What each reason code means: what happened to a link, and what to change. The only such table of the program.

A module that makes a new code adds its line here; tests/crawler/test_reasons.py looks for codes without one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

UNKNOWN = "unknown"
"""Reason of a URL that a run does not know."""
_STATUS = re.compile(r"http_(\d)\d\d")


@dataclass(frozen=True, slots=True)
class Reason:
    """The meaning of a reason code."""

    happened: str
    advice: str

    def __str__(self) -> str:
        return f"{self.happened} {self.advice}"


_NETWORK = "Check the host with `ontocrawl doctor --reach URL`; `crawl resume` continues the run."
_SERVER = "The server may be ill or busy: try again later, with fewer requests ([crawl] delay)."
_RULE = "If the page belongs to the crawl, start a run whose scope accepts it."
_ARCHIVE = "Bring a sound copy of the file."
_DOCUMENT = "Open the document in its program; one that is short and sound there is a defect to report."
_PARSER = "Open the page in a browser; a page that a browser shows is a defect to report."

_LINKS = {
    "fetched": ("The page was fetched.", ""),
    "taken_though_rejected": (
        "The strategy did not admit the link to its queue, and it was taken because nothing else was left.",
        "`--strict-filter` ends a crawl where the strategy admits no link any more.",
    ),
    "queued": ("The link waits in the queue.", "`crawl resume RUN --limit-pages N` with a larger N goes on."),
    "in_flight": ("The link was chosen, and its page has not come.", "`crawl resume RUN` fetches it again."),
    "read_by_redirect": ("The page was read through another link, which redirects to it.", "Nothing is missing."),
    "duplicate_redirect": (
        "The link redirects to a page that was read through another link.",
        "Nothing is missing: a page counts once.",
    ),
    "duplicate_canonical": (
        "The page declares a canonical URL (rel=canonical) that was read before, with the same text.",
        "Nothing is missing: a page counts once.",
    ),
    "read_by_canonical": (
        "Another page that was read declares the URL as its canonical one (rel=canonical), and counts as it.",
        "Runs of later versions fetch such a URL.",
    ),
    "noindex": (
        "The page was fetched, and asks robots not to use its text (noindex); its links are followed.",
        "Its operator decides; `--ignore-robots-directives` ignores nofollow and noindex where you may.",
    ),
    "admitted": ("The strategy put the link into the queue.", ""),
    "visited": ("The link was chosen before this page linked to it.", ""),
    "rejected_by_strategy": (
        "The strategy did not admit the link; without --strict-filter it is taken when nothing else is left.",
        "Compare its priority with the thresholds of the strategy (`crawl strategies NAME`) and change one by --param.",
    ),
    "probe": (
        "The crawl asked for the address, which no site has, to learn how the host says that a page does not exist.",
        "Nothing is missing.",
    ),
    "forgotten": (
        "The page was asked for by --like or --unlike, which was taken back before it was fetched.",
        "`crawl teach RUN --like URL` asks for it again.",
    ),
    "out_of_scope": ("A rule of the scope rejects the URL.", _RULE),
    UNKNOWN: (
        "The run does not know this URL: it is no seed, and no page that was read links to it.",
        "Check its spelling, give it as a seed, or let the crawl go on for more pages.",
    ),
    "fragment": ("The hyperlink leads to a place on its own page.", "Nothing is missing."),
    "self_link": ("The hyperlink leads to the page that contains it.", "Nothing is missing."),
    "malformed_url": ("The address in the hyperlink is no valid URL.", "The site has to correct it."),
    "credentials_dropped": (
        "The hyperlink has a user name or password, and is followed without them.",
        "A crawl sends no passwords; give the site's public addresses as seeds.",
    ),
    "nofollow": (
        "The hyperlink is marked rel=nofollow, and no other page links to the URL.",
        "Give the URL as a seed if the page is wanted.",
    ),
    "switched_off": (
        "The run follows no links of this kind (--skip-links).",
        "Start a run without the option if the page is wanted.",
    ),
    "computed_url": (
        "The address is computed by a script, which is not run.",
        "Open the page in a browser, and give the addresses as seeds.",
    ),
    "hidden_frame": ("The frame is not visible, as those of advertisements and counters.", "Give its URL as a seed."),
    "share_or_ad": (
        "The address is that of a button for sharing or to log in, an advertisement or a counter.",
        "Nothing is missing; a hyperlink to it would be followed.",
    ),
    "other_form": (
        "The page names the URL as another form of it that is not read, such as a feed.",
        "`--seeds feed:URL` takes the items of a feed.",
    ),
    "script_library": (
        "The script is a library or a program, and no list of a site's pages.",
        "Give its URL as a seed if its data are wanted.",
    ),
    "bad_refresh": ("The refresh has no time, so that a browser ignores it.", "Give its target as a seed."),
    "page_nofollow": (
        "The page asks robots not to follow its links, and no other page links to the URL.",
        "Give the URL as a seed if the page is wanted.",
    ),
}
_SCOPE = {
    "scheme": ("The URL is neither http nor https.", "Only these are crawled."),
    "media_suffix": (
        "The file name has the suffix of media, an archive, an office file, a style sheet or a script.",
        "Only text pages are read.",
    ),
    "other_host": (
        "The URL is on another host than the seeds (--stay host).",
        "Add a seed there, or choose a wider --stay.",
    ),
    "other_domain": (
        "The URL is in another domain than the seeds (--stay domain), or than the sitemap that lists it.",
        "Add a seed there, or choose a wider --stay.",
    ),
    "outside_prefix": (
        "The URL is outside of the directories of the seeds (--stay prefix).",
        "Add a seed there, or choose a wider --stay.",
    ),
    "host_not_listed": ("The host is not one of those that the crawl may visit.", "Add the host to the scope."),
    "host_excluded": ("The host is excluded from the crawl.", "Remove the host from the excluded ones."),
    "pattern": (
        "The URL matches a pattern that the scope rejects.",
        "Change the pattern, or accept the URL by another.",
    ),
    "reject_pattern": ("The URL matches a pattern that the scope rejects.", "Change the pattern in a new run."),
    "not_accepted": ("The URL matches none of the patterns that the scope accepts.", "Add a pattern in a new run."),
    "max_depth": ("The link is farther from the seeds than the limit of depth.", "Raise the limit in a new run."),
    "max_offtopic_depth": (
        "Too many pages in a row on the way to the link are not relevant.",
        "Raise the limit of tunnels in a new run.",
    ),
    "host_cap": ("As many links of the host were chosen as the cap allows.", "Raise the cap in a new run."),
    "directory_cap": ("As many links of the directory were chosen as the cap allows.", "Raise the cap in a new run."),
    "pattern_cap": ("As many links of this URL pattern were chosen as the cap allows.", "Raise the cap in a new run."),
}
_TRAPS = {
    "url_too_long": ("The URL is longer than a page of a site needs, as in crawler traps.", _RULE),
    "path_too_deep": ("The path has too many segments.", _RULE),
    "repeating_path": ("The path repeats a run of segments, as where relative links form a loop.", _RULE),
    "repeated_segments": ("One segment occurs too often in the path, as where relative links form a loop.", _RULE),
    "too_many_parameters": ("The query has too many parameters, as filters that can be combined make them.", _RULE),
    "calendar": ("The URL is a page of a calendar for a date long before or after the crawl.", _RULE),
    "permuted_parameters": (
        "The URL differs from a known one in the order of its parameters alone.",
        "Nothing is missing: the other URL leads to the page.",
    ),
    "endless_sequence": ("Too many pages in a row on the way to the link differ in their numbers alone.", _RULE),
}
_ROBOTS = {
    "robots_denied": (
        "The robots.txt of the host closes this path to the crawler.",
        "It is obeyed always; ask the operator of the site for access.",
    ),
    "robots_unreachable": (
        "The robots.txt of the host could not be read, which closes the host for the time being.",
        _SERVER,
    ),
}
_REDIRECTS = {
    "bad_redirect": ("The page redirects, and the target is missing or no valid URL.", "The site has to correct it."),
    "redirect_loop": ("The page redirects to itself, directly or over other pages.", "The site has to correct it."),
    "too_many_redirects": ("The page redirects too often in a row.", "Give the last target as a seed if it is wanted."),
}
_CONNECTIONS = {
    "dns": ("The name of the host has no address.", "Check its spelling. " + _NETWORK),
    "refused": ("The host refused the connection.", _NETWORK),
    "unreachable": ("The host could not be reached.", _NETWORK),
    "timeout": ("No complete response came within the time limit.", "Raise [crawl] timeout. " + _NETWORK),
    "tls": ("No secure connection could be made.", "Check the certificate of the host. " + _NETWORK),
    "connection_reset": ("The connection ended before the response was complete.", _NETWORK),
    "host_down": ("The host did not respond to many requests, and was left alone.", _NETWORK),
    "host_paused": (
        "The host asked for a pause of more than a minute, which was not over when the crawl ended.",
        "`crawl resume` continues the run when the pause is over.",
    ),
    "blocked_address": (
        "The name of the host leads to an address that a crawl must not request, such as that of this machine.",
        "Allow loopback with --allow-loopback, or name the address with --resolve, if that is meant.",
    ),
    "bad_url": ("The URL has no valid host.", "The page that links to it has to correct it."),
    "bad_response": ("The response is no valid HTTP.", _SERVER),
    "incomplete_body": ("The body of the response ends early; a page of which something came is kept.", _SERVER),
    "bad_framing": (
        "What the server announced of the length, the chunks or the packing of the page is wrong; what came is kept.",
        "The page is whole as far as can be told; the site has to correct it.",
    ),
    "bad_content_encoding": ("The body of the response is compressed in a way that cannot be undone.", _SERVER),
    "too_large": (
        "The response is larger than the limit.",
        "Raise [crawl] max_bytes if the page is wanted, max_document_bytes if it is a PDF or Word file.",
    ),
}
_PAGES = {
    "not_html": ("The response is neither HTML nor plain text.", "Only these are read."),
    "undecodable": ("The bytes of the page are text in no encoding tried.", _PARSER),
    "malformed": ("The page cannot be parsed.", _PARSER),
    "too_deep": ("The page nests more elements than any page for readers does.", "No page for readers is lost."),
    "empty": ("The page has neither text nor links.", "It may be made by JavaScript, which is not run."),
    "soft_404": (
        "The page has the text that its host shows for addresses that do not exist, with the status of a page.",
        "Open it in a browser; the page that links to it may be out of date.",
    ),
    "parser_crashed": ("The process that parsed the page ended.", _PARSER),
    "document_damaged": ("The PDF or Word file is damaged.", _DOCUMENT),
    "document_encrypted": ("The document needs a password.", "Such documents are not read."),
    "document_without_text": (
        "The document has pictures of its pages and hardly any text, as a scan has.",
        "Pictures are not read; look for another form of the document.",
    ),
    "document_too_long": ("The document has more pages or characters than are read of one.", _DOCUMENT),
    "document_too_costly": ("Reading the document takes more time or memory than the limit.", _DOCUMENT),
    "document_unsupported": (
        "The file is an office file of a kind that is not read.",
        "PDF, DOCX and plain text are read; look for one of these.",
    ),
}
_ARCHIVES = {
    "not_archived": ("The archive has no record of the URL.", "Crawl it live, or add an archive that has it."),
    "bad_header": ("The header of a record of the archive cannot be read.", _ARCHIVE),
    "bad_length": ("The length of a record of the archive is no number.", _ARCHIVE),
    "bad_gzip": ("The compressed bytes of a record of the archive are damaged.", _ARCHIVE),
    "cut_off": ("The archive ends in the middle of a record.", _ARCHIVE),
    "arc_format": ("The file is in the older format ARC.", "`warcio recompress FILE.arc FILE.warc.gz` converts it."),
    "wacz_format": (
        "The file is a ZIP file in which no WARC records are stored.",
        "Unpack it, and give the WARC files.",
    ),
    "zstd_format": (
        "The file is packed by Zstandard, which needs another library.",
        "Install it by `pip install 'ontocrawl[archive]'`, or unpack the file by `zstd -d FILE`.",
    ),
    "not_http": ("The record is about no page of the web.", "Nothing is missing."),
    "fetched_again": ("Earlier records of the URL belong to a fetch that was interrupted.", "Nothing is missing."),
    "revisit": ("The record repeats the page of another record, which is scored.", "Nothing is missing."),
    "robots_file": ("The record is a robots.txt file, which is no page.", "Nothing is missing."),
}
_SEEDS = {
    "duplicate": ("The URL was listed before.", "Nothing is missing."),
    "over_limit": ("The source lists more URLs than are taken from it.", "Raise its limit."),
    "relative_url": ("The source lists a URL without a host.", "The site has to correct it."),
    "no_url": ("The cell of the table, or the answer of the query, is empty.", "Leave out rows without a URL."),
    "undated": ("The source has no date for the URL, and only newer ones than a date are taken.", "Give no date."),
    "before_since": ("The URL is older than the date from which URLs are taken.", "Give an earlier date."),
    "unreadable": ("A document of the source cannot be read.", "See the notes about the source."),
    "repeated_sitemap": ("The sitemap was listed before.", "Nothing is missing."),
    "nested_too_deep": ("The sitemap is in too many levels of other sitemaps.", "Give it as a source of its own."),
    "too_many_documents": ("The source has more documents than are read of one.", "Give the others as sources."),
}
_CANONICALS = {
    "contains_page": (
        "The declared canonical URL is that of the site or of a list that contains the page (in earlier versions).",
        "The page counts as itself.",
    ),
    "other_text": ("The page at the declared canonical URL has another text.", "The page counts as itself."),
    "doubted_host": (
        "Another canonical URL that the host declared was wrong (in earlier versions).",
        "The page counts as itself.",
    ),
}
_STATUSES = {
    "challenge": (
        "The host checks for a browser, by a script and a cookie; scripts are not run.",
        "Take the cookies of your own visit, if you may: `--cookies FILE`. `crawl status RUN` counts such hosts.",
    ),
    "http_401": ("The server asks for a password (401).", "Such pages are not crawled."),
    "http_403": ("The server forbids the page (403).", "Ask the operator of the site; check [crawl] user_agent."),
    "http_404": ("The page does not exist (404).", "The page that links to it is out of date, or the URL is misspelt."),
    "http_410": ("The page was removed (410).", "Nothing can be done."),
    "http_429": ("The server asks for fewer requests (429).", "Raise [crawl] delay, and resume the run later."),
    "http_503": ("The server is busy (503).", _SERVER),
    "http_1xx": ("The response is an interim one, without a page.", _SERVER),
    "http_2xx": ("The response has a status without a page.", "Only responses with status 200 are read."),
    "http_3xx": ("The response has a status of redirects that is not followed.", "Only usual redirects are followed."),
    "http_4xx": ("The server does not give the page to this request.", "Open the URL in a browser to compare."),
    "http_5xx": ("The server failed.", _SERVER),
}
_STOPS = {
    "limit_pages": ("The run reached its page limit.", "`crawl resume RUN --limit-pages N` goes on."),
    "limit_time": ("The run reached its time limit.", "`crawl resume RUN --limit-time SECONDS` goes on."),
    "limit_relevant": (
        "The run found as many relevant pages as it may.",
        "`crawl resume RUN --limit-relevant N` goes on.",
    ),
    "limit_gain": (
        "Too few relevant pages are expected among the next ones.",
        "`crawl resume RUN --limit-gain N` with a smaller N goes on; 0 is no limit.",
    ),
    "limit_generations": (
        "The strategy formed as many generations as it may.",
        "`crawl resume RUN --limit-generations N` goes on.",
    ),
    "frontier_empty": ("The queue of the run is empty.", "Give more seeds, or a strategy that admits more links."),
    "strategy_finished": ("The strategy chose no link any more.", "Change its parameters, or choose another strategy."),
    "interrupted": ("The run was interrupted.", "`crawl resume RUN` goes on."),
    "repeated_failure": ("The run stopped because the network seemed to be down.", _NETWORK),
}
"""Why a run stopped."""
REASONS: Final[Mapping[str, Reason]] = MappingProxyType(
    {
        code: Reason(*sentences)
        for table in (
            _LINKS,
            _SCOPE,
            _TRAPS,
            _ROBOTS,
            _REDIRECTS,
            _CONNECTIONS,
            _PAGES,
            _ARCHIVES,
            _SEEDS,
            _CANONICALS,
            _STATUSES,
            _STOPS,
        )
        for code, sentences in table.items()
    }
)
"""Reason code -> its meaning. ``http_4xx`` and the like stand for the statuses without a line of their own."""


_GROUPS: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = MappingProxyType(
    {
        "scope": {**_SCOPE, **_TRAPS},
        "robots": _ROBOTS,
        "failure": {**_REDIRECTS, **_CONNECTIONS, **_PAGES, **_ARCHIVES, **_STATUSES},
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
    unknown = Reason(
        f"The reason is {code}.", "This version does not know the code: use the version that wrote the run."
    )
    return REASONS.get(_key(code), unknown)


def _key(code: str) -> str:
    status = _STATUS.fullmatch(code)
    return code if code in REASONS or status is None else f"http_{status[1]}xx"
