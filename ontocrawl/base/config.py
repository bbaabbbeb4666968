"""Settings, by precedence: options, environment, the workspace's ontocrawl.toml, defaults. Unknown keys are errors."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from ontocrawl.base.options import CrawlSettings, Section
from ontocrawl.errors import UsageError, nearest
from ontology.errors import Message, is_known

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

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
        raise UsageError("base.credentials_file_cannot_read", path=path, why=_why(error)) from error
    settings = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        name, equals, value = text.removeprefix("export ").partition("=")
        if not equals:
            raise UsageError("base.line_expected_name_value", path=path, number=number)
        if name.strip().startswith(_IGNORED):
            continue
        if name.strip() not in _KEYS:
            raise UsageError("base.line_none", path=path, number=number, name=name.strip(), keys=", ".join(_KEYS))
        settings[_KEYS[name.strip()]] = _unquoted(value.strip())
    if "uri" not in settings:
        raise UsageError("base.no_line_neo_j", path=path)
    return settings


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value


def _why(error: OSError | UnicodeDecodeError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "it is not UTF-8 text"


# ---- settings, by precedence: options, environment, the workspace's ontocrawl.toml, defaults. Unknown keys are
# errors


FILE = "ontocrawl.toml"


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
        raise UsageError("base.file_missing", path=path) from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError("files.not_utf8", path=path, error=error) from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError("base.file_toml", path=path, error=error) from error


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
            raise UsageError("base.file_key", where=where, key=key, nearest=nearest(path[-1], known)) from error
        if isinstance(given := first.get("input"), Mapping):  # a table, which is not shown
            raise UsageError("files.about", about=f"{where}: {key}" if key else where, error=_fault(first)) from error
        raise UsageError("base.file_value", where=where, key=key, msg=_fault(first), input=given) from error


def _fault(error: ErrorDetails) -> str:
    """Return what pydantic says is wrong with a value, as a message where we have its sentence."""
    code = f"pydantic.{error['type']}"
    given = error.get("ctx", {})
    own = given.get("error")  # what a model of ours raised
    return Message(code, **given) if is_known(code) else own.args[0] if own and own.args else error["msg"]


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
