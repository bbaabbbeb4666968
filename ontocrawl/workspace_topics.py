"""The topics that a workspace shows: those that can be named in it, and those of files elsewhere that its runs used."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

from ontocrawl import topics
from ontocrawl.errors import UnknownNameError, UsageError, nearest
from ontocrawl.topics import Topic
from ontocrawl.workspace import RUN_CONFIG, Workspace


def places(workspace: Workspace) -> dict[str, str]:
    """Return name -> path, or "shipped", of each topic, as `topics.available`, with those that runs used.

    A topic file elsewhere is that of the newest run that used it, by name of the run; topics that can be named in the
    workspace precede it.
    """
    return {**_of_runs(workspace), **topics.available(workspace)}


def loadable(workspace: Workspace) -> dict[str, str]:
    """Return name -> what `topics.load` takes, of each topic of `places`: its name, or the path of its file."""
    return {**_of_runs(workspace), **{name: name for name in topics.available(workspace)}}


def named(name: str, workspace: Workspace) -> Topic:
    """Load a topic by its name alone: for requests of others, who may not name a file of this computer.

    Args:
        name: a name of `places`.
        workspace: the workspace.

    Raises:
        UnknownNameError: there is no such topic.
        UsageError: its file is invalid.
    """
    known = loadable(workspace)
    if name not in known:
        raise UnknownNameError(f"there is no topic {name!r}{nearest(name, known)}", name=name)
    return topics.load(known[name], workspace)


def with_ontologies(workspace: Workspace) -> list[str]:
    """Return the names of the topics that list ontologies; those whose files cannot be read are left out."""
    found = []
    for name, source in loadable(workspace).items():
        with suppress(UsageError):
            found += [name] if topics.load(source, workspace).file.ontologies else []
    return found


def _of_runs(workspace: Workspace) -> dict[str, str]:
    """Return name -> path of the topic files elsewhere that runs used, as far as the files are still there."""
    found = {}
    for path in sorted(workspace.runs.glob(f"*/{RUN_CONFIG}")):
        with suppress(OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
            with path.open(encoding="utf-8") as lines:  # before the tables, which are long
                config = tomllib.loads("".join(takewhile(lambda line: not line.startswith("["), lines)))
            file = config.get("topic_file")
            if isinstance(file, str) and Path(file).is_file() and file.endswith(".toml"):
                found[str(config["topic"])] = file
    return found
