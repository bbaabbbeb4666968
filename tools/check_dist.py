"""Check an sdist and a wheel before a release: valid metadata of this version, and every file of the project in them.

    python -m tools.check_dist dist/*

Exits with 1 and the reasons where something is wrong. The metadata is read by the package `packaging`, as indexes do.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from packaging.metadata import Metadata

from ontocrawl.version import __version__

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("ontology", "kg", "crawler", "queries", "ontocrawl", "ontologies")


def tracked(*folders: str) -> set[str]:
    """Return the files below folders that are under version control."""
    listed = subprocess.run(["git", "ls-files", "-z", *folders], cwd=ROOT, check=True, capture_output=True, text=True)
    return {name for name in listed.stdout.split("\0") if name}


def members(path: Path) -> dict[str, bytes]:
    """Return the files of an sdist, by names without its folder, or of a wheel; the metadata with its content."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return {name: wheel.read(name) if name.endswith("METADATA") else b"" for name in wheel.namelist()}
    found = dict[str, bytes]()
    with tarfile.open(path) as sdist:
        for member in sdist.getmembers():
            name, file = member.name.partition("/")[2], sdist.extractfile(member)
            found[name] = file.read() if file is not None and name == "PKG-INFO" else b""
    return found


def faults(path: Path) -> list[str]:
    """Return what is wrong with an sdist or a wheel."""
    held = members(path)
    metadata = next((data for name, data in held.items() if name == "PKG-INFO" or name.endswith("METADATA")), b"")
    try:
        read = Metadata.from_email(metadata, validate=True)
    except ExceptionGroup as group:
        return [f"{path.name}: {error}" for error in group.exceptions]
    wanted = tracked(*PACKAGES) | (set() if path.suffix == ".whl" else tracked("tests", "docs", "benchmarks", "tools"))
    found = [f"{path.name}: {name} is missing" for name in sorted(wanted - held.keys())]
    if str(read.version) != __version__:
        found.append(f"{path.name}: version {read.version} instead of {__version__}")
    if not (read.description or "").startswith("# ontocrawl"):
        found.append(f"{path.name}: the README is not its description")
    return found


def main() -> int:
    """Check the files that are named."""
    found = [fault for name in sys.argv[1:] for fault in faults(Path(name))]
    print("\n".join(found) or f"{len(sys.argv) - 1} files are complete")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
