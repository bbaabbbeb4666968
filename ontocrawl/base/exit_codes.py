"""Exit codes of errors: of the command line, and of what the explorer answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ontocrawl.errors import DEPENDENCY, FAILURE, RESUMABLE, USAGE, CommandError, OntocrawlError

EXIT: Final[Mapping[str, int]] = {
    "kg.store.StoreUnavailable": DEPENDENCY,
    "ontology.extras.MissingExtra": DEPENDENCY,
    "crawler.journal.database.DamagedJournalError": FAILURE,
    "crawler.journal.database.JournalError": RESUMABLE,
    "crawler.archives.errors.ArchiveWriteError": RESUMABLE,
    "crawler.rounds.runners.RoundError": RESUMABLE,
    "ontology.lattice.concept_lattice.LatticeTooLarge": FAILURE,
    "ontology.lattice.implications.BasisTooLarge": FAILURE,
    "ontology.lattice.concept_stability.StabilityNeedsSampling": FAILURE,
    "crawler.journal.snapshot.SnapshotError": FAILURE,
    "kg.store.StoreError": FAILURE,
}
"""Exit codes of errors by name, so that no package has to be imported for them.

The code of a class applies to subclasses that are not listed. All other errors of ontocrawl are usage errors.
"""


def code_of(error: Exception) -> int | None:
    """Return the exit code of an expected error; None for an unexpected one, which is a bug."""
    if isinstance(error, CommandError):
        return error.code
    if isinstance(error, OSError):
        return FAILURE
    kinds = (f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__)
    known = next((EXIT[kind] for kind in kinds if kind in EXIT), None)
    return USAGE if known is None and isinstance(error, OntocrawlError) else known
