"""The proposals of a topic that reviewers put off: a list of ids, shared by all sessions of the workspace."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from ontocrawl.base.workspace import Workspace
from ontocrawl.versions import deciding
from ontology.files import write_atomically
from ontology.printable import json_text

FILE = "later.json"
"""Ids of the proposals that were put off, beside the decisions of the topic."""


def read(space: Workspace, topic_name: str) -> list[str]:
    """Return the ids of the proposals that were put off; a damaged file counts as empty, since it decides nothing."""
    try:
        ids = json.loads(_path(space, topic_name).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return []
    return [id_ for id_ in ids if isinstance(id_, str)] if isinstance(ids, list) else []


def change(space: Workspace, topic_name: str, *, add: Collection[str] = (), remove: Collection[str] = ()) -> None:
    """Put proposals off, or take them from the list, while no other session does.

    Args:
        space: the workspace.
        topic_name: name of the topic.
        add: ids that come to the end of the list.
        remove: ids that leave it.

    Raises:
        CommandError: another session holds the list for half a minute.
        OSError: the file cannot be written.
    """
    path = _path(space, topic_name)
    with deciding.alone(path):
        before = read(space, topic_name)
        after = [*(id_ for id_ in before if id_ not in add and id_ not in remove), *add]
        if after != before:
            write_atomically(path, json_text(after, indent=1).encode())


def _path(space: Workspace, topic_name: str) -> Path:
    return deciding.of_workspace(space, topic_name).with_name(FILE)
