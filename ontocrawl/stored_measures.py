"""The measures of a run as it stored them at its end, instead of those computed again from its whole journal.

A run writes them beside its journal (summary.json) with a digest of what the journal says of the run as a whole and of
the number of its last event. Each change of a journal adds an event or changes such a value, so that stored measures
with the digest of the present journal are those that would be computed from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from crawler.journal import Journal
from ontocrawl.version import __version__

_DIGEST = "journal"
"""Key of the digest in the file."""


def digest(journal: Journal) -> str:
    """Return a text that differs after each change of a journal, and from version to version of the program."""
    values = list(journal.query("SELECT key, value FROM run ORDER BY key"))
    said = json.dumps([__version__, journal.last_seq(), values])
    return blake2b(said.encode(), digest_size=16).hexdigest()


def store(path: Path, journal: Journal, measures: Mapping[str, Any]) -> None:
    """Write the measures that were computed from a journal. Raises OSError where the file cannot be written."""
    document = {**measures, _DIGEST: digest(journal)}
    path.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def stored(path: Path, journal: Journal) -> dict[str, Any] | None:
    """Return the stored measures; None where there are none, or where the journal has changed since."""
    try:
        measures = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # written in part on a full disk: the journal has all that it would say
        return None
    return measures if measures.pop(_DIGEST, None) == digest(journal) else None
