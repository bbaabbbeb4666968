"""`ontocrawl mcp`: the tools, by the client of the protocol's SDK over stdio; and what goes to stdout."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import queries
from ontocrawl.base.workspace import Workspace
from ontocrawl.topics import reviewed
from tests.ontocrawl.conftest import Command

pytest.importorskip("mcp", reason="the extra mcp is not installed")
from anyio.from_thread import start_blocking_portal
from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters, types
from mcp.client.stdio import stdio_client

from kg.interruption import interruptible
from ontocrawl.graph import kept_queries
from ontocrawl.graph.graph_store import SharedGraph
from ontocrawl.mcp import serving, tools

Call = Callable[..., types.CallToolResult]


def line(space: Workspace) -> list[str]:
    return ["-m", "ontocrawl", "mcp", str(space.root)]


@pytest.fixture(scope="module")
def session(space: Workspace, crawled: str) -> Iterator[Any]:
    """A client's session, and the loop in whose thread it is used."""
    server = StdioServerParameters(command=sys.executable, args=line(space), env=dict(os.environ))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(stdio_client(server))) as client:
        yield client, portal


@pytest.fixture
def call(session: Any) -> Call:
    client, portal = session

    def called(tool: str, /, **given: Any) -> types.CallToolResult:
        return portal.call(client.call_tool, tool, given)

    return called


def said(result: types.CallToolResult) -> str:
    [content] = result.content
    return str(content.text)


@pytest.mark.slow
def test_tools_have_schemas_and_say_which_of_them_change_something(session: Any) -> None:
    client, portal = session
    found = {tool.name: tool for tool in portal.call(client.list_tools).tools}
    assert found.keys() == {"queries", "query", "crawls", "explain", "propose", "proposals", "decide"}
    changing = {name for name, tool in found.items() if not tool.annotations.read_only_hint}
    assert changing == {"propose", "decide"}
    for tool in found.values():
        Draft202012Validator.check_schema(tool.input_schema)
        assert tool.description and tool.input_schema["additionalProperties"] is False
    assert len(json.dumps([tool.input_schema for tool in found.values()])) < 12_000  # a model reads it all


def test_queries_of_the_library_have_schemas_that_their_defaults_fit(call: Call) -> None:
    found = call("queries").structured_content["queries"]
    assert [one["name"] for one in found] == [query.name for query in queries.all_queries()]
    for one in found:
        schema, parameters = one["parameters"], queries.get(one["name"]).parameters
        Draft202012Validator.check_schema(schema)
        assert schema["required"] == [p.name for p in parameters if p.required]
        defaults = {p.name: p.default for p in parameters if not p.required}
        assert Draft202012Validator({**schema, "required": []}).is_valid(defaults), one["name"]
    some = call("queries", folder="crawl").structured_content["queries"]
    assert some and {one["name"].partition("/")[0] for one in some} == {"crawl"}


@pytest.mark.slow
def test_a_query_returns_what_the_command_returns(call: Call, crawled: str, space: Workspace, command: Command) -> None:
    told = command("query", "run", "crawl/by_depth", f"crawl={crawled}", "--workspace", space.root, "--json").json
    result = call("query", name="crawl/by_depth", parameters={"crawl": crawled})
    assert not result.is_error
    assert {key: result.structured_content[key] for key in told} == told
    assert told["rows"]
    assert json.loads(said(result)) == result.structured_content


def test_queries_of_the_workspace_are_listed_and_asked(call: Call, crawled: str, space: Workspace) -> None:
    kept_queries.save(space, "runs", "MATCH (c:Crawl) WHERE c.id = $run RETURN c.id AS run", {"run": "none"})
    try:
        (one,) = call("queries", folder="own").structured_content["queries"]
        assert (one["name"], list(one["parameters"]["properties"])) == ("own/runs", ["run"])
        assert call("query", name="own/runs", parameters={"run": crawled}).structured_content["rows"] == [[crawled]]
        assert "own/none" in said(call("query", name="own/none"))
    finally:
        kept_queries.delete(space, "own/runs")


def test_crawls_and_explanations_are_those_of_the_commands(
    call: Call, crawled: str, space: Workspace, command: Command
) -> None:
    told = command("crawl", "status", crawled, "--workspace", space.root, "--json").json
    one = call("crawls", run=crawled).structured_content
    assert {key: one[key] for key in told if key != "live"} == {key: told[key] for key in told if key != "live"}
    assert crawled in {run["run"] for run in call("crawls").structured_content["runs"]}
    [page, *_] = command("crawl", "pages", crawled, "--workspace", space.root, "--json").json["pages"]
    explained = command("crawl", "explain", crawled, page["url"], "--no-replay", "--workspace", space.root, "--json")
    assert call("explain", run=crawled, url=page["url"], replay=False).structured_content == {
        **explained.json,
        "complete": True,
    }


@pytest.mark.slow
def test_proposals_are_made_decided_and_undone(call: Call, crawled: str, space: Workspace) -> None:
    made = call("propose", run=crawled, limit=3).structured_content["proposals"]
    found = call("proposals", topic="rainstorm", run=crawled).structured_content["proposals"]
    assert made and {one["id"] for one in made} == {one["id"] for one in found}
    outcome = call("decide", id=made[0]["id"], action="reject", why="no term").structured_content
    assert outcome["status"] == "rejected"
    assert outcome["decisions"][0]["who"].endswith(" by MCP")
    assert reviewed.record_of(space, "rainstorm").verdicts[-1].why == "no term"
    assert call("decide", id=made[0]["id"], undo=True).structured_content["status"] == "proposed"


@pytest.mark.parametrize(
    ("tool", "given", "says"),
    [
        ("query", {"name": "crawl/by_dept"}, "did you mean 'crawl/by_depth'"),
        ("query", {"name": "pages/most_relevant", "parameters": {"limit": "many"}}, "limit"),
        ("query", {"name": "crawl/by_depth", "parameters": {"crawl": "x", "cypher": "MATCH (n) DELETE n"}}, "cypher"),
        ("query", {"nam": "crawl/by_depth"}, "nam: no such argument; there are name, parameters"),
        ("query", {"name": 3}, "name: input should be a valid string"),
        ("crawls", {"run": "nothing"}, "there is no run 'nothing'"),
        ("explain", {"run": "sample", "url": "x"}, "is not an http or https URL"),
        ("propose", {"run": "../../etc"}, "is not a run's name"),
        ("proposals", {"status": "maybe"}, "status: input should be 'proposed'"),
        ("decide", {"id": "none", "action": "accept"}, "there is no proposal 'none'"),
        ("decide", {"id": "none"}, "expected accept or reject"),
        ("cypher", {"statement": "RETURN 1"}, "there is no tool 'cypher'"),
    ],
)
def test_an_error_is_a_result_with_the_message_of_the_command(
    call: Call, tool: str, given: dict[str, Any], says: str
) -> None:
    result = call(tool, **given)
    assert result.is_error
    assert says in said(result)


def test_no_tool_takes_a_statement() -> None:
    names = {name for tool in tools.TOOLS.values() for name in tool.arguments.model_fields}
    assert not names & {"statement", "cypher", "sparql"}


@pytest.mark.slow
def test_nothing_but_the_protocol_is_on_stdout_and_a_signal_ends_it(space: Workspace, crawled: str) -> None:
    asked = {"name": "query", "arguments": {"name": "crawl/by_depth", "parameters": {"crawl": crawled}}}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": asked},
    ]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
    with subprocess.Popen([sys.executable, *line(space)], **pipes) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.writelines(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
        process.stdin.flush()
        answers = {answer["id"]: answer["result"] for answer in (json.loads(process.stdout.readline()) for _ in "12")}
        assert answers[1]["serverInfo"]["name"] == "ontocrawl"
        assert answers[2]["structuredContent"]["rows"]
        process.terminate()
        assert process.stdout.read() == ""
        assert process.wait(timeout=30) == -signal.SIGTERM


INVALID = [
    ("{", None, types.PARSE_ERROR),
    ('[{"jsonrpc": "2.0", "id": 3, "method": "ping"}]', None, types.INVALID_REQUEST),
    ('{"id": 4, "method": "ping"}', 4, types.INVALID_REQUEST),
    ('{"jsonrpc": "1.0", "id": 5, "method": "ping"}', 5, types.INVALID_REQUEST),
    ('{"jsonrpc": "2.0", "id": "6", "method": "tools/call", "params": []}', "6", types.INVALID_REQUEST),
    (r'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"text": "\ud83d"}}', 7, types.PARSE_ERROR),
    ("5", None, types.INVALID_REQUEST),
]


def test_a_line_that_is_no_message_is_answered_and_the_next_one_is_read(space: Workspace) -> None:
    lines = [*(text for text, _, _ in INVALID), "", '{"jsonrpc": "2.0", "id": 9, "method": "ping"}']
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
    with subprocess.Popen([sys.executable, *line(space)], **pipes) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.writelines(f"{text}\n" for text in lines)
        process.stdin.flush()
        *errors, last = (json.loads(process.stdout.readline()) for _ in lines[1:])
        process.stdin.close()
    assert [(answer["id"], answer["error"]["code"]) for answer in errors] == [(i, code) for _, i, code in INVALID]
    assert all("send one object a line" in answer["error"]["message"] for answer in errors)
    assert last == {"jsonrpc": "2.0", "id": 9, "result": {}}


def test_a_folder_that_is_no_workspace_is_an_error_before_the_protocol_begins(command: Command, tmp_path: Any) -> None:
    result = command("mcp", tmp_path / "none")
    assert result.code == 2
    assert result.out == ""
    assert "is no workspace" in result.err


def test_statements_end_when_their_time_is_over_or_the_request_is_cancelled(
    space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(place: tools.Place, *_: object) -> dict[str, Any]:
        with place.graph.open() as store:
            return {
                "rows": store.read("UNWIND range(1, 200000) AS a UNWIND range(1, 200000) AS b RETURN sum(a * b) AS n")
            }

    monkeypatch.setattr(tools, "call", endless)
    gone = threading.Event()
    gone.set()
    graph = SharedGraph(space)
    try:
        for limits, expected in [
            (interruptible(0.1), "the statement was not done after 0.1 s"),
            (interruptible(None, gone), "nobody waited for the answer of the statement"),
        ]:
            result = serving._answer(tools.Place(space, graph), "query", {}, limits)
            assert result.is_error and expected in said(result)
    finally:
        graph.close()
