"""The pages that proposals come from: those of a run's journal, or of a scored archive that was loaded as a crawl."""

from __future__ import annotations

from crawler.journal import graph_rows
from kg.store import GraphStore
from ontocrawl.archives.loaded import loaded
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.runs import runs
from ontology.enrichment import PageText
from ontology.extras import require


def read(space: Workspace, graph: GraphStore, name: str) -> tuple[str, list[PageText]]:
    """Read the main texts of the pages of a run or of a loaded archive.

    Args:
        space: the workspace.
        graph: the open graph.
        name: name of the run, or id that the archive was loaded by.

    Returns:
        The id of the crawl in the graph, and the pages.

    Raises:
        UsageError: there is neither, or the tables of the archive are gone or have no texts.
    """
    archive = loaded(space, graph, name)
    if archive is None:
        with runs.open_journal(space, name) as journal:
            return runs.read_config(journal).run, list(graph_rows.pages(journal))
    require("pyarrow", "archive", f"{name}, which is a scored archive,")
    from ontocrawl.archives import tables, texts

    if not archive.folder.is_dir():
        raise UsageError("enrichment.archive_tables_gone", name=name, archive_folder=archive.folder)
    return name, list(texts.for_enrichment(tables.opened(archive.folder)))


def topic_of(space: Workspace, graph: GraphStore, name: str) -> str:
    """Return the topic of a run or of a loaded archive: its name, or the file that the run was given.

    Raises:
        UsageError: there is neither.
    """
    archive = loaded(space, graph, name)
    if archive is not None:
        return archive.topic
    config = runs.config_of(space, name)
    return config.topic_file or config.topic


def require_pages(space: Workspace, graph: GraphStore, name: str) -> None:
    """Raise UsageError where a name is neither that of a run nor of a loaded archive."""
    if loaded(space, graph, name) is None:
        space.existing_run(name)
