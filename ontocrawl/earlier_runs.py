"""The runs of a workspace whose pages look-ahead ``cached`` can use."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from crawler.journal import Journal
from crawler.text import Vocabulary
from ontocrawl.config import checked
from ontocrawl.run_config import RunConfig
from ontocrawl.workspace import JOURNAL, Workspace


def earlier_runs(workspace: Workspace, world: str, vocabularies: Mapping[str, Vocabulary]) -> dict[str, str]:
    """Find the runs whose pages look-ahead ``cached`` can use.

    Args:
        workspace: the workspace of the runs.
        world: the world of the crawl, such as "live"; runs of other worlds are left out.
        vocabularies: the topic vectors of the crawl; runs that counted other words are left out.

    Returns:
        Name of each run -> path of its journal, oldest run first.
    """
    same: list[tuple[str, str, str]] = []
    for path in workspace.runs.glob(f"*/{JOURNAL}"):
        with closing(Journal(path)) as journal:
            data = journal.get("config")
            config = None if data is None else checked(RunConfig, data, str(path))
        if config is not None and config.world == world and _words(config.vocabularies) == _words(vocabularies):
            same.append((config.started, config.run, str(path.resolve())))
    return {name: path for _, name, path in sorted(same)}


def _words(vocabularies: Mapping[str, Vocabulary]) -> dict[str, list[tuple[Any, Any]]]:
    return {name: [(word.label, word.forms) for word in v.words] for name, v in vocabularies.items()}
