"""Put the results of a lab into docs/labs: its report, plots and main results; docs/lab.md is written anew.

python -m tools.lab_results DIR NAME

DIR is the folder that `ontocrawl lab run NAME --out DIR` wrote.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from ontocrawl.lab.document import PLOTS
from ontology import files
from tools import lab_page


def take(results: Path, name: str, page: Path = lab_page.PAGE) -> None:
    """Copy results into the folder of labs beside a page, in place of those that it has of this name.

    Args:
        results: folder of the results.
        name: name of the lab.
        page: the page that shows them.
    """
    labs = page.parent / lab_page.LABS
    written = (results / "report.md").read_text(encoding="utf-8")
    shutil.rmtree(labs / name, ignore_errors=True)
    (labs / name).mkdir(parents=True)
    for picture in re.findall(rf"\]\({PLOTS}/([^)/]+)\)", written):  # others are of an earlier run
        shutil.copyfile(results / PLOTS / picture, labs / name / picture)
    shutil.copyfile(results / lab_page.SUMMARY, labs / name / lab_page.SUMMARY)
    report = written.replace(f"]({PLOTS}/", f"]({name}/")
    files.write_atomically(labs / f"{name}.md", report.encode())
    files.write_atomically(page, lab_page.build(page).encode())


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
