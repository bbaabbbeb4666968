"""A lab from its definition to the outcomes of its cells, with a workspace of its own in the folder of the results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.config import FILE
from ontocrawl.base.workspace import Workspace
from ontocrawl.lab import results, running
from ontocrawl.lab.definition import Lab
from ontocrawl.lab.references import is_reference
from ontocrawl.lab.running import WHOLE, Outcome, Sitting
from ontology.errors import Message

WORKSPACE = "workspace"
"""Folder of the lab's workspace, so that no setting of another one changes its results."""


def size(lab: Lab) -> int:
    """Return the number of cells of a lab, the oracle's included."""
    return sum(1 for _ in lab.cells()) + len(running.oracle_cells(lab))


def run(
    lab: Lab,
    out: Path,
    jobs: int | None,
    on_note: Callable[[str], None],
    on_cell: Callable[[], None],
    sitting: Sitting = WHOLE,
) -> list[Outcome]:
    """Run a lab.

    Args:
        lab: the lab.
        out: folder of the results; what it has of them is used.
        jobs: number of processes; None for one a processor.
        on_note: called with each message for the user.
        on_cell: called after each cell.
        sitting: finished cells to go on from, and when to end.

    Raises:
        UsageError: the lab has a world that cannot be crawled twice.
    """
    running.refuse(lab)
    space = _workspace(out / WORKSPACE)
    cached = [0]

    def ended(outcome: Outcome, known: bool) -> None:
        cached[0] += known
        on_cell()

    try:
        outcomes = running.run(lab, space, out, jobs or running.default_jobs(), ended, on_note, sitting)
    except KeyboardInterrupt:
        on_note(Message("lab.note_kept"))
        raise
    finally:
        embedded.stop(space.graph)
    if cached[0]:
        on_note(Message("lab.note_cached", cells=cached[0], of=len(outcomes)))
    if earlier := sum(bool(one.earlier) for one in outcomes):
        on_note(Message("lab.note_earlier", cells=earlier))
    return outcomes


def _workspace(folder: Path) -> Workspace:
    if (folder / FILE).exists():
        return workspace.find(folder)[0]
    folder.mkdir(parents=True, exist_ok=True)
    return workspace.init(folder)


def failures(outcomes: Sequence[Outcome], on_note: Callable[[str], None]) -> str:
    """Say which cells failed, and for which webs no label can be right.

    Returns:
        Why the lab failed: a cell ended by an error that nobody asked for, a defect, or no crawl was made at all.
        Empty otherwise.
    """
    for line in results.unreached(outcomes):
        on_note(line)
    early = sum(one.found is not None and one.found.without_links for one in outcomes)
    if early:
        on_note(Message("lab.note_early", crawls=early))
    left = sum(one.is_left for one in outcomes)
    if left:
        on_note(Message("lab.note_left", crawls=left))
    failed = [one for one in outcomes if one.failed]
    for error in dict.fromkeys(one.error for one in failed):
        count = sum(one.error == error for one in failed)
        on_note(Message("lab.note_failed", cells=count, error=error))
    if any(not one.expected for one in failed):
        return Message("lab.failed_by_defect")
    if not left and all(one.found is None for one in outcomes if not is_reference(one.cell.strategy)):
        return Message("lab.no_crawl_made")
    return ""
