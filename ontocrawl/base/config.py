"""Settings, by precedence: options, environment, the workspace's ontocrawl.toml, defaults. Unknown keys are errors."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from ontocrawl.errors import UsageError, nearest
from ontocrawl.version import __version__

LinkKind = Literal[
    "anchor", "frame", "refresh", "script", "option", "relation", "noscript", "svg", "data", "jsdata"
]  # fmt: skip
"""Kinds of links (crawler.pages.ways)."""

# ---- credentials files of Neo4j Aura: NAME=VALUE lines, as in an environment file


_KEYS: Mapping[str, str] = {
    "NEO4J_URI": "uri",
    "NEO4J_USERNAME": "username",
    "NEO4J_PASSWORD": "password",
    "NEO4J_DATABASE": "database",
}
"""Environment variable -> key of the table [graph] of ontocrawl.toml."""
_IGNORED = ("AURA_",)
"""Prefixes of variables that are not used."""


def _read(path: Path) -> dict[str, str]:
    """Read a credentials file. Raises UsageError with file and line; the message never shows a value."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the credentials file {path} cannot be read: {_why(error)}") from error
    settings = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        name, equals, value = text.removeprefix("export ").partition("=")
        if not equals:
            raise UsageError(f"{path}, line {number}: expected NAME=VALUE, as in a credentials file of Aura")
        if name.strip().startswith(_IGNORED):
            continue
        if name.strip() not in _KEYS:
            raise UsageError(f"{path}, line {number}: {name.strip()!r} is none of {', '.join(_KEYS)}")
        settings[_KEYS[name.strip()]] = _unquoted(value.strip())
    if "uri" not in settings:
        raise UsageError(f"{path} has no line NEO4J_URI=...: use the file that Aura offers when an instance is created")
    return settings


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value


def _why(error: OSError | UnicodeDecodeError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "it is not UTF-8 text"


# ---- settings, by precedence: options, environment, the workspace's ontocrawl.toml, defaults. Unknown keys are
# errors


FILE = "ontocrawl.toml"


class Section(BaseModel):
    """A table of a TOML file, as an immutable model; unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class GraphSettings(Section):
    """The table [graph]. Without a URI the embedded engine is used, in the workspace's folder graph/."""

    uri: str | None = Field(default=None, description="bolt:// or neo4j:// address of a Neo4j server (NEO4J_URI)")
    username: str = Field(default="neo4j", description="NEO4J_USERNAME")
    password: str = Field(
        default="", description="NEO4J_PASSWORD; better set in the environment than in a file", repr=False
    )
    database: str | None = Field(default=None, description="NEO4J_DATABASE; by default that of the server")
    credentials: str | None = Field(
        default=None, description="a credentials file of Neo4j Aura, with these four (NEO4J_CREDENTIALS)"
    )
    memory: int = Field(
        default=1024,
        ge=256,
        description="MB of memory of the embedded engine, from its next start on; a query may fill half of it",
    )


def _texts(value: Any) -> Any:
    """Return a text or a list of texts as a tuple; other values unchanged, to be refused."""
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value


Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]


class ScopeSettings(Section):
    """Which links a crawl follows: keys of the table [crawl], and the table [scope] of a topic file."""

    stay: Literal["host", "domain", "prefix", "any"] = Field(
        default="any",
        description="stay at the seeds: on their host (scheme, name and port), in their registrable domain, or below "
        "their directory (prefix); any to leave them",
    )
    host: Texts = Field(default=(), description="the only hosts to crawl, with their subdomains")
    exclude_host: Texts = Field(default=(), description="hosts not to crawl, with their subdomains")
    accept: Texts = Field(
        default=(),
        description="regular expressions; only URLs with a match of one are crawled, whatever form they have",
    )
    reject: Texts = Field(default=(), description="regular expressions; URLs with a match are not crawled")
    max_depth: int = Field(default=0, ge=0, description="maximum number of links from a seed; 0 means no limit")
    max_offtopic_depth: int = Field(
        default=0,
        ge=0,
        description="follow no link after so many pages in a row that are not relevant; 0 means no limit",
    )
    max_per_host: int = Field(default=0, ge=0, description="maximum number of links chosen of a host; 0 means no limit")
    max_per_directory: int = Field(default=0, ge=0, description="the same for a directory of a host")
    max_per_pattern: int = Field(
        default=0, ge=0, description="the same for URLs that differ only in numbers, ids and values of parameters"
    )


def _with_a_name(user_agent: str) -> str:
    """Return the name of a crawler for servers; refuse one by which no robots.txt file can address it."""
    from crawler.fetching.robots_file import product_token

    if not product_token(user_agent):
        advice = "begin with a name of letters, hyphens and underscores, as in mybot/1.0 (+your address)"
        raise PydanticCustomError("user_agent", advice)
    return user_agent


class CrawlSettings(ScopeSettings):
    """The table [crawl]: defaults of ``crawl run``."""

    topic: str = Field(default="rainstorm", description="a topic's name, or the path of a topic file in the workspace")
    strategy: str = Field(default="evidence_sum", description="name of a strategy (`crawl strategies`)")
    limit_pages: int = Field(default=300, ge=0, description="maximum number of pages with status 200; 0 means no limit")
    limit_time: float = Field(
        default=0.0, ge=0, allow_inf_nan=False, description="maximum time in seconds; 0 means no limit"
    )
    limit_relevant: int = Field(
        default=0, ge=0, description="maximum number of pages that the judge finds relevant; 0 means no limit"
    )
    limit_generations: int = Field(
        default=0,
        ge=0,
        description="maximum number of generations of a strategy that has them (gafc, adaptive_ga, ant colonies ..); "
        "0 means no limit",
    )
    limit_gain: int = Field(
        default=0,
        ge=0,
        description="end when fewer than so many relevant pages are expected among the next 100 pages, by the upper "
        "end of the 95 % interval; 0 means no limit",
    )
    seed: int = Field(default=0, ge=0, description="seed of the random generator")
    strict_filter: bool = Field(
        default=False,
        description="leave out the links that the strategy's filter rejects, as in the papers; else they are taken "
        "when nothing else is left",
    )
    target: Literal["predict", "cached", "oracle"] = Field(
        default="predict", description="look-ahead at the target of a link: predict, cached or oracle"
    )
    judge: str = Field(
        default="topic",
        description="decision whether a page is relevant: topic (function and threshold of the topic file), density, "
        "saturated, evidence, or another relevance function",
    )
    threshold: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="R above which the judge finds a page relevant, in place of the threshold of the topic file or of "
        "the judge",
    )
    guide: str | None = Field(
        default=None,
        description="relevance function of the strategies, or `published` for the one of each strategy's paper; by "
        "default `saturated` for strategies that use the vector of an ontology",
    )
    weights: Literal["sem", "key", "sem_key"] | None = Field(
        default=None,
        description="weights of the ontology's words: sem (similarity to the root), key (keyness in the papers) or "
        "sem_key (both); by default key where the ontology was learned from papers, else sem",
    )
    join: float = Field(
        default=0.0,
        ge=0.0,
        le=1.0,
        description="part of their weights with which the words of the ontology join the topic's own words, for judge, "
        "guide and strategy; 0 to keep them apart",
    )
    in_flight: int | None = Field(
        default=None,
        ge=1,
        le=512,
        description="maximum number of pages in flight; 1 is the sequence of the papers. By default 8; for a world in "
        "memory, where nothing is waited for, 1 unless `reproducible`",
    )
    reproducible: bool = Field(
        default=False,
        description="absorb pages in the order of choice, so that one seed gives one trace whatever the network's pace",
    )
    parsers: int = Field(
        default=0,
        ge=0,
        le=64,
        description="number of processes that parse pages, for crawls that the processor limits, not the politeness to "
        "hosts; 0 to parse in the process of the crawl",
    )
    refresh_every: int = Field(
        default=25, ge=0, description="pages between two re-scorings of the whole frontier; 0 means never"
    )
    short_queue: int = Field(
        default=25_000,
        ge=0,
        description="number of queued links above which these re-scorings become rarer, so that their cost for each "
        "page stays the same; 0 means never",
    )
    snapshot_every: int = Field(default=250, ge=1, description="fetches between two snapshots of a run")
    user_agent: Annotated[str, AfterValidator(_with_a_name)] = Field(
        default=f"ontocrawl/{__version__} (+https://w3id.org/ontocrawl)",
        description="how the crawler names itself to servers and in robots.txt; put your address into it",
    )
    ignore_robots_directives: bool = Field(
        default=False,
        description="follow nofollow links and use noindex pages, where you may; robots.txt is obeyed all the same",
    )
    skip_links: list[LinkKind] = Field(
        default_factory=list,
        description=f"kinds of links that are not followed, of {', '.join(get_args(LinkKind))}",
    )
    scripts: bool = Field(
        default=False,
        description="read the data files that the scripts of every page load, not only those of pages with few words",
    )
    delay: float = Field(default=1.0, ge=0, allow_inf_nan=False, description="seconds between two requests to one host")
    timeout: float = Field(default=15.0, gt=0, allow_inf_nan=False, description="seconds that one request may take")
    max_bytes: int = Field(default=4_000_000, gt=0, description="largest page, decoded")
    ca_file: str | None = Field(
        default=None,
        description="file of certificates (PEM) to trust in place of the bundled ones, where a network has its own; "
        "a path in `ontocrawl.toml` is relative to the workspace",
    )


LIMITS = ("limit_pages", "limit_time", "limit_relevant", "limit_generations", "limit_gain")
"""Settings that end a crawl; a resumed run can have others."""


class Settings(Section):
    """A workspace's ontocrawl.toml."""

    iri_base: str = "https://w3id.org/ontocrawl/"
    graph: GraphSettings = GraphSettings()
    crawl: CrawlSettings = CrawlSettings()


Model = TypeVar("Model", bound=BaseModel)
_ENVIRONMENT = {**_KEYS, "NEO4J_CREDENTIALS": "credentials"}


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file. Raises UsageError, with file and line, for a file that is invalid or cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UsageError(f"{path} does not exist: give the path of a TOML file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read as UTF-8 text: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not valid TOML: {error}. Correct that line and try again") from error


def checked(model: type[Model], data: Mapping[str, Any], where: str, *, strict: bool = False) -> Model:
    """Validate data by a model.

    Args:
        model: the model.
        data: keys and values, as read from TOML or JSON.
        where: the file or option of the data, for error messages.
        strict: whether numbers as text are errors.

    Returns:
        An instance of the model.

    Raises:
        UsageError: a value is invalid, or a key unknown; the message has the key, and for an unknown one the nearest.
    """
    try:
        return model.model_validate(data, strict=strict)
    except ValidationError as error:
        first = error.errors()[0]
        path = [str(part) for part in first["loc"]]
        key = ".".join(path)
        if first["type"] == "extra_forbidden":
            known = _keys_in(model, path[:-1])
            raise UsageError(f"{where}: there is no key {key!r}{nearest(path[-1], known)}") from error
        raise UsageError(f"{where}: {key or 'the file'}: {first['msg']} (found {first.get('input')!r})") from error


def _keys_in(model: type[BaseModel], path: list[str]) -> list[str]:
    """Return the keys of a nested table; list indexes in the path are skipped."""
    for part in path:
        if part.isdigit():
            continue
        annotation: Any = model.model_fields[part].annotation
        inner = [annotation, *getattr(annotation, "__args__", ())]
        model = next(a for a in inner if isinstance(a, type) and issubclass(a, BaseModel))
    return list(model.model_fields)


def load(folder: Path | None, environment: Mapping[str, str]) -> Settings:
    """Load the settings of a workspace.

    For the table [graph], the Neo4j variables of the environment take precedence over a credentials file, and this over
    the TOML file. A credentials file named by the TOML file is ignored where the environment has NEO4J_URI.

    Args:
        folder: the workspace; None for the defaults.
        environment: environment variables.

    Returns:
        The settings.

    Raises:
        UsageError: a file cannot be read, or has an invalid or unknown key.
    """
    path = None if folder is None else folder / FILE
    data = read_toml(path) if path is not None and path.exists() else {}
    variables = {key: environment[name] for name, key in _ENVIRONMENT.items() if environment.get(name)}
    checked(Settings, data, str(path or "settings"))
    crawl = data.get("crawl", {})
    if folder is not None and crawl.get("ca_file"):
        data = {**data, "crawl": {**crawl, "ca_file": str((folder / Path(crawl["ca_file"]).expanduser()).resolve())}}
    graph = {**data.get("graph", {}), **variables}
    file = graph.get("credentials")
    if file and ("credentials" in variables or "uri" not in variables):
        base = Path() if folder is None or "credentials" in variables else folder
        graph = {**graph, **_read(base / Path(file).expanduser()), **variables}
    return checked(Settings, {**data, "graph": graph} if graph else data, str(path or "settings"))
