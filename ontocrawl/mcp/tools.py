"""The tools: named queries, explanations, proposals, verdicts, the state of crawls, by the functions of the commands.

One tool runs all queries of the library, and another one lists them with their parameters: a client sends the schemas
of all its tools to a model with each request, and a tool for each of some ninety queries would fill it. There is no
tool for Cypher: what a model sends is chosen from the library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import queries
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import next_command, proposals, proposing, reviewing
from ontocrawl.errors import UsageError, nearest
from ontocrawl.graph import kept_queries, query_parameters
from ontocrawl.graph.graph_store import SharedGraph
from ontocrawl.graph.tables import within
from ontocrawl.runs import explaining, run_status
from ontocrawl.topics import topics
from ontocrawl.versions import deciding
from ontology.errors import Message
from queries import Parameter, Query

# ---- arguments of the tools. Their JSON schemas are what a client sees, and the descriptions what a model reads


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


class _Arguments(BaseModel):
    """Arguments of a tool; others than the declared ones are an error."""

    model_config = ConfigDict(extra="forbid", strict=True)


class _Library(_Arguments):
    """Arguments of `queries`."""

    folder: str = Field("", description="Only queries of this folder, the part of a name before `/`; empty: all.")


class _Named(_Arguments):
    """Arguments of `query`."""

    name: str = Field(
        description="Name of a query of the library, or of one that the workspace keeps (`own/NAME`).",
        json_schema_extra={
            "anyOf": [
                {"enum": [query.name for query in queries.all_queries()]},
                {"pattern": f"^{kept_queries.OWN}"},
            ]
        },
    )
    parameters: dict[str, Any] = Field({}, description="Values by name, as the schema that `queries` shows says.")


class _Crawls(_Arguments):
    """Arguments of `crawls`."""

    run: str = Field("", description=f"{_RUN} Empty: the measures of all runs.")


class _Explain(_Arguments):
    """Arguments of `explain`."""

    run: str = Field(description=_RUN)
    url: str = Field(description="URL of the page; for a crawl of a corpus also the page's name.")
    replay: bool = Field(
        True, description="Make the choices of the run again for the features of the link, which takes longer."
    )


class _Propose(_Arguments):
    """Arguments of `propose`."""

    run: str = Field(description=_RUN)
    limit: int = Field(30, ge=1, description="Largest number of proposals; the best are kept.")
    topic: str = Field("", description=f"{_TOPIC} Empty: that of the run.")


class _Proposals(_Arguments):
    """Arguments of `proposals`."""

    topic: str = Field("", description=f"{_TOPIC} Empty: all topics.")
    status: Literal["proposed", "accepted", "rejected", "all"] = Field("proposed", description="Only of this status.")
    kind: Literal["", "concept", "label", "relation"] = Field("", description="Only of this kind; empty: all.")
    run: str = Field("", description="Only what this run proposes; empty: all runs.")
    skip: int = Field(0, ge=0, description="Leave out the first so many, to read on where an answer was cut.")


class _Decide(_Arguments):
    """Arguments of `decide`."""

    id: str = Field(description="Id of the proposal, as `proposals` lists it.")
    action: Literal["", "accept", "reject"] = Field("", description="The verdict; empty with `undo`.")
    rename: str = Field("", description="Accept the term under another name.")
    parent: str = Field("", description="Accept the term under another class.")
    merge: str = Field("", description="Accept the term as another name of a class.")
    undo: bool = Field(False, description="Withdraw the verdict in force; then give only the id.")
    why: str = Field("", description="The reason, which is recorded.")
    who: str = Field("", description="Who decides, which is recorded; by default the login name and `by MCP`.")


def _schema_of(query: Query) -> dict[str, Any]:
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


# ---- the tools: named queries, explanations, proposals, verdicts, the state of crawls, by the functions of the
# commands


Answer = Mapping[str, Any]
"""What a tool returns: a JSON object."""


@dataclass(frozen=True)
class Place:
    """The workspace that the tools work on, and its graph."""

    space: Workspace
    graph: SharedGraph


@dataclass(frozen=True)
class Tool:
    """A tool: what a client shows of it, its arguments and its function."""

    name: str
    title: str
    description: str
    arguments: type[_Arguments]
    run: Callable[[Place, Any], Answer] = field(repr=False)
    changes: bool = False
    """Whether it changes the workspace. No tool deletes anything."""


def _library(place: Place, given: _Library) -> Answer:
    """Return the queries of the library and of the workspace with the JSON schemas of their parameters.

    Raises:
        UsageError: there is no such folder.
    """
    own, errors = kept_queries.own(place.space)
    every = (*own, *queries.all_queries())
    folders = sorted({query.name.partition("/")[0] for query in every})
    if given.folder and given.folder not in folders:
        raise UsageError("mcp.no_folder", given_folder=given.folder, nearest=nearest(given.folder, folders))
    return {
        "queries": [
            {"name": q.name, "title": q.title, "answers": q.answers, "parameters": _schema_of(q),
             "columns": list(q.returns), "cost": q.cost}
            for q in every if given.folder in ("", q.name.partition("/")[0])
        ],
        "errors": [str(error) for error in errors],
    }  # fmt: skip


def query(place: Place, given: _Named) -> Answer:
    """Return the rows of a query of the library or the workspace; notes about parameters that name nothing."""
    kept_queries.for_users(place.space, given.name).bind(given.parameters)  # before an engine is started
    with place.graph.open() as graph:
        result, unknown = query_parameters.ask(place.space, graph, given.name, given.parameters)
    return {**result.as_json(), "notes": [str(error) for error in unknown if result.rows]}


def crawls(place: Place, given: _Crawls) -> Answer:
    """Return the measures of all runs, or of one run also what it is doing now."""
    return next_command.status_of(place.space, given.run) if given.run else {"runs": run_status.listed(place.space)}


def explain(place: Place, given: _Explain) -> Answer:
    """Return why a run fetched a page, or why it did not."""
    explanation = explaining.explain_url(place.space, given.run, given.url, replays=given.replay)
    return {"run": given.run, **explanation.as_json()}


def propose(place: Place, given: _Propose) -> Answer:
    """Propose what the pages of a run say and the ontologies of a topic lack."""
    topic = topics.named(given.topic, place.space) if given.topic else None
    with place.graph.open() as graph:
        found = proposing.propose(place.space, given.run, graph, limit=given.limit, topic=topic)
    return {
        "topic": found.topic,
        "proposals": [proposals.as_json(one) for one in found.suggestions],
        "accepted_before": found.accepted_before,
        "rejected_before": found.rejected_before,
        "remark": found.remark,
    }


def _listed(place: Place, given: _Proposals) -> Answer:
    """Return the proposals of a topic, or of all topics."""
    space, status = place.space, "" if given.status == "all" else given.status
    if given.run:
        space.existing_run(given.run)
    names = [topics.named(given.topic, space).name] if given.topic else list(topics.places(space))
    with place.graph.open() as graph:
        found = [
            one for name in names
            for one in proposals.find(space, graph, name, status=status, run=given.run, kind=given.kind)
        ]  # fmt: skip
    return {"proposals": [proposals.as_json(one) for one in found[given.skip :]]}


def decide(place: Place, given: _Decide) -> Answer:
    """Record a verdict about a proposal as decisions of its topic, or withdraw the one in force."""
    verdict = reviewing.verdict_of(
        given.action, rename=given.rename, parent=given.parent, merge=given.merge, undo=given.undo
    )
    who = given.who or f"{deciding.person('')} by MCP"  # a person may not have seen it
    with place.graph.open() as graph:
        outcome = reviewing.decide_by_id(
            place.space, graph, given.id, verdict, who=who, when=workspace.now(), why=given.why
        )
    return outcome.as_json()


TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool("queries", "Query library",
             "List the named queries about ontologies, crawls, pages, links and proposals: what each answers, the JSON "
             "schema of its parameters, its columns and its cost.", _Library, _library),
        Tool("query", "Run a query",
             "Run a named query of the library on the workspace's graph. It cannot change the graph. Call `queries` "
             "first for names and parameters.", _Named, query),
        Tool("crawls", "Crawls",
             "Show the measures of all runs: pages, relevant pages, harvest; of one run also what it is doing now.",
             _Crawls, crawls),
        Tool("explain", "Explain a page",
             "Explain why a run fetched a page, or why it did not: the way to it, its score and the parts of it, the "
             "reason.", _Explain, explain),
        Tool("propose", "Propose terms",
             "Search the relevant pages of a run for terms, names and relations that the topic's ontologies lack, and "
             "write them into the graph as proposals. What was decided before stays.", _Propose, propose, changes=True),
        Tool("proposals", "Proposals",
             "List the proposals for ontologies with their sentences, pages and status.", _Proposals, _listed),
        Tool("decide", "Decide about a proposal",
             "Accept or reject a proposal, or withdraw a verdict. The verdict is recorded with who, when and why, and "
             "the next version of the ontology (`ontocrawl enrich apply`, by a person) follows it.", _Decide, decide,
             changes=True),
    )
}  # fmt: skip
"""Name -> tool."""


LARGEST_ANSWER = 100_000
"""Characters that an answer has at most as JSON: it is read by a model, whose context it fills."""


def call(place: Place, name: str, given: Mapping[str, Any]) -> Answer:
    """Call a tool.

    Args:
        place: the workspace and its graph.
        name: name of the tool.
        given: its arguments, as a client sent them.

    Returns:
        The answer, of at most `LARGEST_ANSWER` characters; ``complete``, or ``cut``, says whether it is whole.

    Raises:
        UsageError: there is no such tool, or the arguments are not those of the tool.
        OntocrawlError: what the command raises.
    """
    if name not in TOOLS:
        raise UsageError("mcp.no_tool", name=name, nearest=nearest(name, TOOLS))
    tool = TOOLS[name]
    try:
        arguments = tool.arguments.model_validate(given)
    except ValidationError as error:
        raise UsageError(_wrong(tool, error)) from error
    return within(tool.run(place, arguments), LARGEST_ANSWER)


def _wrong(tool: Tool, error: ValidationError) -> str:
    """Return one sentence about all arguments that are wrong."""
    faults = []
    for fault in error.errors(include_url=False):
        name = ".".join(map(str, fault["loc"]))
        known = ", ".join(tool.arguments.model_fields)
        what = f"no such argument; there are {known}" if fault["type"] == "extra_forbidden" else fault["msg"]
        faults.append(f"{name}: {what[:1].lower()}{what[1:]}")
    return Message("mcp.arguments", tool=tool.name, faults="; ".join(faults))
