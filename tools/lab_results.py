"""Put the report of a lab into docs/labs, without its plots.

python -m tools.lab_results DIR NAME

DIR is the folder that `ontocrawl lab run NAME --out DIR` wrote; the plots stay there.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from ontocrawl.lab.document import PLOTS
from ontology import files

LABS = Path(__file__).resolve().parent.parent / "docs" / "labs"


def take(results: Path, name: str, labs: Path = LABS) -> None:
    """Copy a report.

    Args:
        results: folder of the results of a lab.
        name: name of the lab.
        labs: folder of the reports.
    """
    written = (results / "report.md").read_text(encoding="utf-8")
    report = re.sub(rf"!\[[^\]]*\]\({PLOTS}/[^)]*\)\n\n?", "", written)
    files.write_atomically(labs / f"{name}.md", report.encode())


def main(arguments: Sequence[str] | None = None) -> int:
    """Take results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, metavar="DIR")
    parser.add_argument("name", metavar="NAME")
    chosen = parser.parse_args(arguments)
    take(chosen.results, chosen.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
