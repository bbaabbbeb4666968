"""A topic from papers: files with abstracts are uploaded into the workspace, and ontologies are learned from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ontocrawl.base.options import BuildSettings
from ontocrawl.base.workspace import Workspace, make_folder
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here, tasks
from ontocrawl.topics import topics
from ontocrawl.versions import building
from ontocrawl.versions.building import BuildOptions
from ontology.corpus import records
from ontology.errors import Message

FOLDER = "papers"
"""Folder of the workspace into which files are uploaded."""
LARGEST = 64_000_000
"""Bytes of a file at most; larger ones are learned from by the command."""
_FILE = re.compile(r"(?!\.)[\w. ()\[\]-]{1,100}(?<![. ])")
_PART = ".part"


def listed(request: Request) -> Response:
    """Return the files with papers: name and bytes of each."""
    folder = here.space(request).root / FOLDER
    found = sorted(path for path in folder.glob("*") if path.is_file() and path.suffix != _PART)
    return JSONResponse({"files": [{"name": path.name, "bytes": path.stat().st_size} for path in found]})


async def upload(request: Request) -> Response:
    """Take a part of a file: the body, at ``offset``; with ``last=yes`` the file is whole. No file is replaced."""
    path = _path(here.space(request), request.path_params["file"])
    part, offset = path.with_name(path.name + _PART), here.number(request, "offset", 0, LARGEST)
    body, last = await request.body(), request.query_params.get("last") == "yes"

    def work() -> Response:
        if path.exists():
            raise UsageError("explorer.papers_exist", file=path.name)
        there = part.stat().st_size if offset and part.exists() else 0
        if there != offset or offset + len(body) > LARGEST:
            raise UsageError("explorer.papers_part", file=path.name, bytes=LARGEST)
        make_folder(path.parent)
        with part.open("ab" if offset else "wb") as file:
            file.write(body)
        if last:
            part.rename(path)
        return JSONResponse({"file": path.name, "bytes": offset + len(body)})

    return await here.in_thread(request, work)


async def remove(request: Request) -> Response:
    """Delete a file with papers; what was learned from it stays."""
    path = _path(here.space(request), request.path_params["file"])

    def work() -> Response:
        if not path.is_file():
            raise UsageError("explorer.papers_none", files=path.name)
        path.unlink()
        return JSONResponse({"file": path.name})

    return await here.in_thread(request, work)


def _path(space: Workspace, name: str) -> Path:
    if not _FILE.fullmatch(name) or name.endswith(_PART):
        raise UsageError("explorer.papers_name", file=name[:100])
    return space.root / FOLDER / name


async def learn(request: Request) -> Response:
    """Start a task that learns a new topic: ``{"name": .., "zh": .., "en": .., "files": [NAME, ..]}``."""
    sent = await here.sent(request, "name", "zh", "en", "files")
    space, names = here.space(request), here.texts(sent.get("files"), "files")
    name, zh, en = (here.text(sent, field).strip() for field in ("name", "zh", "en"))
    if not re.fullmatch(topics.NAME, name):
        raise UsageError("explorer.topic_name", name=name[:60])
    if name in topics.places(space):
        raise UsageError("explorer.topic_exists", name=name)
    if not (zh or en):
        raise UsageError("explorer.topic_label")
    corpus = [_path(space, file) for file in names]
    missing = [path.name for path in corpus if not path.is_file()]
    if missing or not corpus:
        raise UsageError("explorer.papers_none", files=", ".join(missing) or "–")
    label = {language: text for language, text in (("zh", zh), ("en", en)) if text}
    options = BuildOptions(corpus, space.ontologies / name, BuildSettings(topic=name, label=label))

    def work(on_stage: Callable[[str], None]) -> Mapping[str, Any]:
        notes = list[str]()
        built = building.build(space, options, on_stage, notes.append)
        classes = len(built.learned.global_ontology.concepts)
        problems = built.learned.problems
        notes += records.shown(problems, Message("cli.corpus_problems", problems=len(problems)))
        return {"topic": name, "classes": classes, "notes": notes}

    return tasks.started(request, f"learn {name}", work)


def new_page(request: Request) -> Response:
    """Show the form of a new topic."""
    return rendering.page(request, "topic_new", {"largest": LARGEST})


ROUTES = (
    Route("/topics/_new", new_page),
    Route("/api/papers", listed),
    Route("/api/papers/{file}", upload, methods=["POST"]),
    Route("/api/papers/{file}/remove", remove, methods=["POST"]),
    Route("/api/topics/_new", learn, methods=["POST"]),
)
