"""Arguments of the tools. Their JSON schemas are what a client sees, and the descriptions what a model reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

import queries
from queries import Parameter, Query

_TYPES: Mapping[str, Mapping[str, Any]] = {
    "text": {"type": "string"},
    "date": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "flag": {"type": "boolean"},
    "list": {"type": "array", "items": {"type": "string"}},
}
"""Type of a query's parameter -> its JSON schema."""
_RUN = "Name of a run, as `crawls` lists them."
_TOPIC = "Name of a topic."


class Arguments(BaseModel):
    """Arguments of a tool; others than the declared ones are an error."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Library(Arguments):
    """Arguments of `queries`."""

    folder: str = Field("", description="Only queries of this folder, the part of a name before `/`; empty: all.")


class Named(Arguments):
    """Arguments of `query`."""

    name: str = Field(
        description="Name of a query of the library.",
        json_schema_extra={"enum": [query.name for query in queries.all_queries()]},
    )
    parameters: dict[str, Any] = Field({}, description="Values by name, as the schema that `queries` shows says.")


class Crawls(Arguments):
    """Arguments of `crawls`."""

    run: str = Field("", description=f"{_RUN} Empty: the measures of all runs.")


class Explain(Arguments):
    """Arguments of `explain`."""

    run: str = Field(description=_RUN)
    url: str = Field(description="URL of the page; for a crawl of a corpus also the page's name.")
    replay: bool = Field(
        True, description="Make the choices of the run again for the features of the link, which takes longer."
    )


class Propose(Arguments):
    """Arguments of `propose`."""

    run: str = Field(description=_RUN)
    limit: int = Field(30, ge=1, description="Largest number of proposals; the best are kept.")
    topic: str = Field("", description=f"{_TOPIC} Empty: that of the run.")


class Proposals(Arguments):
    """Arguments of `proposals`."""

    topic: str = Field("", description=f"{_TOPIC} Empty: all topics.")
    status: Literal["proposed", "accepted", "rejected", "all"] = Field("proposed", description="Only of this status.")
    kind: Literal["", "concept", "label", "relation"] = Field("", description="Only of this kind; empty: all.")
    run: str = Field("", description="Only what this run proposes; empty: all runs.")


class Decide(Arguments):
    """Arguments of `decide`."""

    id: str = Field(description="Id of the proposal, as `proposals` lists it.")
    action: Literal["", "accept", "reject"] = Field("", description="The verdict; empty with `undo`.")
    rename: str = Field("", description="Accept the term under another name.")
    parent: str = Field("", description="Accept the term under another class.")
    merge: str = Field("", description="Accept the term as another name of a class.")
    undo: bool = Field(False, description="Withdraw the verdict in force; then give only the id.")
    why: str = Field("", description="The reason, which is recorded.")
    who: str = Field("", description="Who decides, which is recorded; by default the login name and `by MCP`.")


def schema_of(query: Query) -> dict[str, Any]:
    """Return the JSON schema of the parameters of a query of the library."""
    return {
        "type": "object",
        "properties": {parameter.name: _property(parameter) for parameter in query.parameters},
        "required": [parameter.name for parameter in query.parameters if parameter.required],
        "additionalProperties": False,
    }


def _property(parameter: Parameter) -> dict[str, Any]:
    schema = {**_TYPES[parameter.type], "description": parameter.meaning}
    limits = {"minimum": parameter.least, "maximum": parameter.most, "enum": list(parameter.choices) or None}
    schema |= {key: value for key, value in limits.items() if value is not None}
    return schema if parameter.required else {**schema, "default": parameter.default}
