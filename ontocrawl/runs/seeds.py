"""The seeds of a crawl: URLs, page names of a corpus, files of these, and sources that list URLs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import queries
from crawler import url as urls
from crawler.fetching.fetch import Fetcher
from crawler.model import World
from crawler.scope import Scope
from crawler.seeds import SeedError, SeedReader, Source, SourceReport, parse_source
from crawler.seeds.politeness import PoliteFetcher
from crawler.worlds import CorpusWorld
from crawler.worlds.addresses import LOOPBACK, host_refusal
from kg.cypher import parameters_of, refusal, syntax_error
from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import Option, UsageError
from ontocrawl.graph import graph_store, kept_queries, query_parameters
from ontocrawl.graph.tables import Table
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.topics.topics import Topic
from ontology import files
from ontology.errors import Message, OntocrawlError, below

COLUMNS = frozenset({"url", "urls", "link", "loc", "网址", "链接", "网页地址"})
"""Names, in lower case, of the column of a CSV file that has the URLs."""
NOTED = 20
"""Documents of sources after which the user reads how far it is."""
OnNote = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Seeds:
    """Resolved seeds."""

    urls: tuple[str, ...]
    """Canonical URLs without duplicates, in the order in which they were given."""
    reports: tuple[SourceReport, ...] = ()
    """What each source and each file had."""


def reader(
    world: World,
    scope: Scope,
    *,
    user_agent: str,
    delay: float,
    space: Workspace | None = None,
    on_note: OnNote = lambda line: None,
) -> SeedReader:
    """Make the reader of sources, which fetches through a world and asks the graph of a workspace.

    Args:
        world: the world of the crawl.
        scope: rules for the URLs of sources.
        user_agent: name of the crawler in robots.txt files.
        delay: seconds between two requests to one host; 0 for no pauses.
        space: the workspace whose graph is asked where a source is a query; None to refuse queries.
        on_note: called with a line after each NOTED documents, since many sitemaps with pauses take minutes.

    Returns:
        The reader.
    """
    fetched = 0

    def on_fetch(url: str) -> None:
        nonlocal fetched
        if fetched and fetched % NOTED == 0:
            on_note(Message("seeds.reading", fetched=fetched, url=url))
        fetched += 1

    fetcher = PoliteFetcher(Fetcher(world, user_agent=user_agent), delay)
    if space is None:
        return SeedReader(fetcher, scope.decide, on_fetch=on_fetch)
    return _GraphReader(space, fetcher, scope.decide, on_fetch=on_fetch)


# ---- seeds by a query of the graph: its column ``url``


URL = "url"


class _GraphReader(SeedReader):
    """A reader of sources that asks the graph of a workspace where one is a query."""

    def __init__(self, space: Workspace, *arguments: Any, **others: Any) -> None:
        super().__init__(*arguments, **others)
        self._space = space

    def read(self, source: Source) -> SourceReport:
        """Read a source, as `SeedReader.read`. Raises SeedError for a wrong query, and for one without rows."""
        if source.kind != "query":
            return super().read(source)
        cells, notes = _asked(self._space, source)
        report = SourceReport(source.text, notes=notes)
        self.take(source, cells, report)
        return report


def check_query(space: Workspace, source: Source) -> str:
    """Check a query for seeds as far as that is possible without the graph.

    Args:
        space: the workspace, which may have queries of its own.
        source: a source of the kind ``query``.

    Returns:
        The statement of a file; empty for a query of the library or of the workspace.

    Raises:
        SeedError: an unknown query, one without a column ``url``, values that do not fit its parameters, or a file that
            is no statement that reads.
    """
    if source.file is None:
        try:
            query = kept_queries.for_users(space, source.query)
            query.bind(source.values)
        except (queries.QueryError, queries.HeaderError) as error:
            raise SeedError("runs.seed_query", source_text=source.text, error=error) from error
        _require_url(source, query.returns or (URL,))  # one of the workspace may not say them
        return ""
    text = files.read_text(source.file, SeedError).strip().rstrip(";")
    wrong = syntax_error(text) if text else Message("kg.cypher_is_empty")
    if wrong is not None:
        raise SeedError("runs.seed_query_statement", source_text=source.text, source_file=source.file, wrong=wrong)
    if (writes := refusal(text)) is not None:
        raise SeedError("runs.seed_query_writes", source_text=source.text, source_file=source.file, writes=writes)
    used = parameters_of(text)
    missing = [name for name in used if name not in source.values]
    unknown = [name for name in source.values if name not in (*used, "limit")]
    if missing:
        raise SeedError("runs.seed_query_value", source_text=source.text, missing=missing[0])
    if unknown:
        raise SeedError("runs.seed_query_parameter", source_text=source.text, unknown=unknown[0])
    return text


def _asked(space: Workspace, source: Source) -> tuple[list[object], list[str]]:
    """Return the column ``url`` of a query of the graph, and notes. Raises SeedError for one without it or rows."""
    statement = check_query(space, source)
    with graph_store.store(space) as graph:
        try:
            found, notes = _rows(space, graph, source, statement)
        except OntocrawlError as error:
            raise SeedError("runs.seed_query", source_text=source.text, error=error) from error
    if not found.rows:
        why = "; ".join(found.reasons) or Message("seeds.ask_why")
        raise SeedError("runs.seed_query_rows", source_text=source.text, why=why)
    _require_url(source, found.columns)
    at = found.columns.index(URL)
    return [row[at] for row in found.rows], [*notes, *(Message("seeds.cut", cut=cut.message) for cut in found.cuts)]


def _rows(space: Workspace, graph: GraphStore, source: Source, statement: str) -> tuple[Table, list[str]]:
    if not statement:
        found, unknown = query_parameters.ask(space, graph, source.query, source.values)
        return found, [error.message for error in unknown]
    used = parameters_of(statement)
    values = {name: graph_store.value_of(value) for name, value in source.values.items() if name in used}
    return graph_store.cypher(graph, statement, values), []


def _require_url(source: Source, columns: Sequence[str]) -> None:
    if URL not in columns:
        raise SeedError("runs.seed_query_url", source_text=source.text, columns=", ".join(columns))


def resolve(given: Sequence[str | Path], world: World, sources: SeedReader, on_note: OnNote) -> Seeds:
    """Resolve seeds to canonical URLs.

    Args:
        given: URLs, page names of a corpus, comma-separated lists of names, sources of the forms of
            ``crawler.seeds.source``, or @FILE with one of these in each line; a path is such a file. In a CSV file the
            column of URLs is read.
        world: the world of the crawl; only a corpus has page names.
        sources: reads the sources.
        on_note: called with a line for each source and each file: what it had, what was left, what could not be read.

    Returns:
        The seeds.

    Raises:
        UsageError: an item is not a URL, or the corpus has no such page.
        SeedError: a source that is malformed, or a file that cannot be read.
    """
    found: list[str] = []
    reports: list[SourceReport] = []
    for item in given:
        text = f"@{item}" if isinstance(item, Path) else item
        if text.startswith("@"):
            read = _file(text, world, sources)
        elif (source := parse_source(text)) is not None:
            read = [_source(source, world, sources)]
        else:
            found += [url_in_world(part, world) for part in _items(text)]
            for note in _without_credentials(_items(text)):
                on_note(note)
            continue
        for report in read:
            on_note(below([report.line(), *report.notes]))
        reports += read
        found += read[-1].taken
    return Seeds(tuple(dict.fromkeys(found)), tuple(reports))


def choose(
    given: Sequence[str | Path],
    topic: Topic,
    world: World,
    sources: SeedReader,
    on_note: OnNote,
    otherwise: Sequence[str] = (),
) -> Seeds:
    """Choose the seeds of a crawl.

    Args:
        given: the user's seeds, as for `resolve`; may be empty.
        topic: the topic, whose seeds are used where nothing else has any.
        world: the world; a synthetic web has seeds, which precede those of the topic.
        sources: reads the sources.
        on_note: called with each message for the user.
        otherwise: canonical URLs of pages that the user likes, for a crawl that has no other seeds.

    Returns:
        The seeds, at least one.

    Raises:
        UsageError: there are no seeds, or one is not a URL.
        SeedError: a source that is malformed, or a file that cannot be read.
    """
    of_world = tuple(getattr(world, "seeds", ()))
    chosen = resolve(given, world, sources, on_note)
    if not given:
        chosen = Seeds(of_world) if of_world else resolve(topic.file.seeds, world, sources, on_note)
    if not chosen.urls:
        chosen = Seeds(tuple(otherwise), chosen.reports)
    if not chosen.urls:
        sources_read = "".join(f"{report.line()}; " for report in chosen.reports)
        seeds = Option("--seeds URL", "seeds=[URL]")
        raise UsageError("runs.seeds_none", sources_read=sources_read, seeds=seeds, topic=topic.name)
    return chosen


def refuse_blocked(config: RunConfig, chosen: Seeds, written: Sequence[str | Path] = ()) -> None:
    """Refuse seeds of the live web at addresses that a crawl must not connect to, as far as their names show it.

    A source may list such URLs beside others: they fail when they are fetched, unless nothing else is left.

    Args:
        config: the configuration of the crawl, with what it may connect to.
        chosen: its seeds.
        written: seeds as they were written, of which the sources are checked before they are read.

    Raises:
        UsageError: a seed that the user gave, a source, or each of the seeds is at such an address.
    """
    if config.world != "live":
        return
    sources = [source for text in written if isinstance(text, str) and (source := parse_source(text)) is not None]
    places = {source.text: source.url or f"http://{source.host}/" for source in sources if source.url or source.host}
    places |= {url: url for url in chosen.urls}
    listed = {url for report in chosen.reports for url in report.taken}
    blocked = {seed: why for seed, url in places.items() if (why := _why_blocked(config, url)) is not None}
    for seed, why in blocked.items():
        if seed not in listed or len(blocked) == len(places):
            code = "runs.seed_loopback" if why.code == LOOPBACK else "runs.seed_blocked"
            raise UsageError(code, seed=seed, host=urls.hostname(places[seed]), why=why)


def _why_blocked(config: RunConfig, url: str) -> Message | None:
    """Return why the host of a URL must not be connected to; None where it may, or its name does not show it."""
    port = "443" if url.startswith("https:") else "80"
    host = urls.host(url) if urls.host(url) != urls.hostname(url) else f"{urls.host(url)}:{port}"
    return None if host in config.resolve else host_refusal(urls.hostname(url), allow_loopback=config.allow_loopback)


def url_of(item: str, world: World) -> str:
    """Return the canonical URL of a URL or of a page name of a corpus.

    Args:
        item: the URL or name.
        world: the world of the crawl.

    Raises:
        UsageError: it is neither.
    """
    if isinstance(world, CorpusWorld):
        return world.url_of(item)
    if "://" not in item:
        path = Path(item)
        if path.is_file() and _lists_urls(path):
            raise UsageError("runs.seed_is_list", item=item, seeds=Option(f"--seeds @{item}"))
        if path.exists():
            raise UsageError("runs.seed_is_file", item=item, folder=path.parent if path.is_file() else item)
        in_corpus = Option("--world corpus:DIR", 'world="corpus:DIR"')
        raise UsageError("runs.seed_url", item=item, in_corpus=in_corpus)
    canonical = urls.canonical(item)
    if canonical is None:
        raise UsageError("runs.not_http", item=item)
    return canonical


def _lists_urls(path: Path) -> bool:
    with path.open("rb") as file:
        return re.match(rb"(?:\xef\xbb\xbf|\s|#[^\n]*\n)*https?://", file.read(4096)) is not None


def url_in_world(item: str, world: World) -> str:
    """Return the URL of a page. Raises UsageError for one that a corpus does not have, such as a misspelt name."""
    url = url_of(item, world)
    if isinstance(world, CorpusWorld) and url not in world:
        raise UsageError("runs.corpus_page", unquote=unquote(url))
    return url


def _items(line: str) -> list[str]:
    """Return the items of a line: a URL is one, other lines are lists of names; a comment has none."""
    parts = [line] if "://" in line and "," not in line else line.split(",")
    return [part.strip() for part in parts if part.strip() and not part.lstrip().startswith("#")]


def _without_credentials(items: Sequence[str]) -> list[str]:
    """Return a note for each URL that has a user name or password; the note has neither."""
    dropped = [urls.canonical(item) for item in items if urls.has_credentials(item)]
    return [Message("seeds.no_credentials", url=url) for url in dropped if url]


def _source(source: Source, world: World, sources: SeedReader) -> SourceReport:
    report = sources.read(source)
    if isinstance(world, CorpusWorld):
        taken = [url for url in report.taken if url in world]
        report.left.update({"not_in_corpus": len(report.taken) - len(taken)})
        report.left += type(report.left)()  # without zeros
        report.taken = taken
    return report


def _file(item: str, world: World, sources: SeedReader) -> list[SourceReport]:
    """Read a file of seeds. Returns the reports of the sources that it names, and last that of the file itself."""
    path = Path(item[1:])
    lines = files.read_text(path, SeedError).splitlines()
    report, named = SourceReport(item), list[SourceReport]()
    table = None if isinstance(world, CorpusWorld) else _column(lines)
    seen: set[str] = set()
    for number, line in enumerate(lines, 1) if table is None else ():
        try:
            source = parse_source(line)
            part = None if source is None else _source(source, world, sources)
            taken = [url_in_world(text, world) for text in _items(line)] if part is None else part.taken
        except (UsageError, SeedError) as error:
            raise UsageError("files.line", path=path, line=number, error=error) from error
        named += [] if part is None else [part]
        _add(taken, seen, report)
        notes = _without_credentials(_items(line))
        report.notes += [Message("seeds.in_line", line=number, note=note) for note in notes]
    for cell in table or ():
        url = urls.canonical(cell)
        if url is None:
            report.left["malformed_url" if cell else "no_url"] += 1
        else:
            _add([url], seen, report)
    return [*named, report]


def _add(taken: Sequence[str], seen: set[str], report: SourceReport) -> None:
    for url in taken:
        if url in seen:
            report.left["duplicate"] += 1
        else:
            seen.add(url)
            report.taken.append(url)


def _column(lines: Sequence[str]) -> Iterator[str] | None:
    """Return the cells of the column of URLs, if the first line is the header of a table with such a column."""
    if not lines:
        return None
    mark = "\t" if "\t" in lines[0] else ";" if ";" in lines[0] and "," not in lines[0] else ","
    header = [cell.strip().lower() for cell in next(csv.reader([lines[0]], delimiter=mark), [])]
    place = next((at for at, cell in enumerate(header) if cell in COLUMNS), None)
    if place is None:
        return None
    rows = csv.reader(io.StringIO("\n".join(lines[1:])), delimiter=mark)
    return (row[place].strip() if place < len(row) else "" for row in rows if row)
