"""Settings: flags over environment over the workspace's ontocrawl.toml over defaults. Unknown keys are errors."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ontocrawl import credentials
from ontocrawl.errors import UsageError, nearest

FILE = "ontocrawl.toml"


class Section(BaseModel):
    """A table of a TOML file: frozen, and nothing in it is ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class GraphSettings(Section):
    """Where the graph is. Without a URI the embedded engine is used, in the workspace's graph/ folder."""

    uri: str | None = Field(default=None, description="bolt:// or neo4j:// address of a Neo4j server (NEO4J_URI)")
    username: str = Field(default="neo4j", description="NEO4J_USERNAME")
    password: str = Field(
        default="", description="NEO4J_PASSWORD; better set in the environment than in a file", repr=False
    )
    database: str | None = Field(default=None, description="NEO4J_DATABASE; the server's default where it is missing")
    credentials: str | None = Field(
        default=None, description="the file with these four that Neo4j Aura gives (NEO4J_CREDENTIALS)"
    )


class CrawlSettings(Section):
    """Defaults of ``crawl run``."""

    topic: str = "rainstorm"
    strategy: str = "fcosa_lg"
    limit_pages: int = Field(default=300, ge=0, description="pages with status 200; 0 is no limit")
    limit_time: float = Field(default=0.0, ge=0, description="seconds; 0 is no limit")
    seed: int = Field(default=0, ge=0, description="seed of the random generator")
    target: Literal["predict", "cached", "oracle"] = "predict"
    guide: str | None = Field(
        default=None,
        description="relevance function that strategies compute with, or `published` for that of each one's paper; by "
        "default `saturated` for those that read the vector of an ontology",
    )
    weights: Literal["sem", "key", "sem_key"] | None = Field(
        default=None,
        description="weights of the ontology's words: Sem from the root, key (what is particular to the papers), or "
        "both; by default key where the ontology was learned from papers, else sem",
    )
    refresh_every: int = Field(
        default=25, ge=0, description="pages between two re-scorings of the whole frontier; 0 is never"
    )
    snapshot_every: int = Field(default=250, ge=1, description="fetches between two snapshots of a run")
    user_agent: str = "ontocrawl/0.1 (+https://w3id.org/ontocrawl)"
    delay: float = Field(default=1.0, ge=0, description="seconds between two requests to one host")
    timeout: float = Field(default=15.0, gt=0, description="seconds that one request may take")
    max_bytes: int = Field(default=4_000_000, gt=0, description="largest page, decoded")


class Settings(Section):
    """A workspace's ontocrawl.toml."""

    iri_base: str = "https://w3id.org/ontocrawl/"
    graph: GraphSettings = GraphSettings()
    crawl: CrawlSettings = CrawlSettings()


Model = TypeVar("Model", bound=BaseModel)
_ENVIRONMENT = {**credentials.KEYS, "NEO4J_CREDENTIALS": "credentials"}


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file. Raises UsageError naming file and line where it is broken or cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UsageError(f"{path} does not exist: give the path of a TOML file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read as UTF-8 text: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not valid TOML: {error}. Correct that line and try again") from error


def checked(model: type[Model], data: Mapping[str, Any], where: str) -> Model:
    """Data as a settings model. Raises UsageError that names the key, and for an unknown key the nearest one."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        path = [str(part) for part in first["loc"]]
        key = ".".join(path)
        if first["type"] == "extra_forbidden":
            known = _keys_at(model, path[:-1])
            raise UsageError(f"{where}: there is no key {key!r}{nearest(path[-1], known)}") from error
        raise UsageError(f"{where}: {key or 'the file'}: {first['msg']} (found {first.get('input')!r})") from error


def _keys_at(model: type[BaseModel], path: list[str]) -> list[str]:
    """Names of the keys of a nested table; list indexes in the path are stepped over."""
    for part in path:
        if part.isdigit():
            continue
        annotation: Any = model.model_fields[part].annotation
        inner = [annotation, *getattr(annotation, "__args__", ())]
        model = next(a for a in inner if isinstance(a, type) and issubclass(a, BaseModel))
    return list(model.model_fields)


def load(folder: Path | None, environment: Mapping[str, str]) -> Settings:
    """The settings of a workspace: the environment's Neo4j variables, over a credentials file, over its TOML file.

    A credentials file that the environment names goes over everything that the TOML file says of the graph, and so
    does a NEO4J_URI over a credentials file that the TOML file names, of which then nothing is taken.
    """
    path = None if folder is None else folder / FILE
    data = read_toml(path) if path is not None and path.exists() else {}
    given = {key: environment[name] for name, key in _ENVIRONMENT.items() if environment.get(name)}
    checked(Settings, data, str(path or "settings"))
    graph = {**data.get("graph", {}), **given}
    file = graph.get("credentials")
    if file and ("credentials" in given or "uri" not in given):
        named_in = Path() if folder is None or "credentials" in given else folder
        graph = {**graph, **credentials.read(named_in / Path(file).expanduser()), **given}
    return checked(Settings, {**data, "graph": graph} if graph else data, str(path or "settings"))
