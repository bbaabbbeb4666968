"""The house rules that a program can check: sizes, rooms, names, honest files."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

from ontocrawl.cli.commands import COMMANDS
from tests import sources
from tests.sources import LAYERS, ROOT

PACKAGES = (*LAYERS, "ontologies", "tools")
SOURCES = sorted(sources.files(*PACKAGES))
PRODUCT = [path for path in SOURCES if path.relative_to(ROOT).parts[0] in LAYERS]
LIMIT, OF_A_STRATEGY, OF_A_FUNCTION, OF_A_ROOM, OF_THE_TOP = 400, 149, 60, 25, 8
"""Lines of code of a file, of a strategy's file and of a function; files of a room, and at the top of ontocrawl."""

LARGER = {"crawler/strategies": 43, "ontocrawl/cli": 66, "ontocrawl/lab": 30, "ontology/corpus": 32}
"""Rooms that have more than 25 files, with the number that they have. It may only shrink."""
ROOMS = ("base", "graph", "health", "runs", "terminal", "topics", "versions")
"""Rooms of ontocrawl whose faces name the modules that others may import."""
REGISTRIES = (
    "crawler/strategies/", "crawler/kernels/", "ontology/corpus/", "ontology/evidence/", "ontology/formats/",
    "ontology/lattice/", "ontology/lint/", "kg/interchange/", "ontocrawl/explorer/routes/", "queries/",
)  # fmt: skip
"""Where a file is a member of a registry, and stands by itself: strategies, readers, sources of evidence, views .."""
PROMISED = (
    "crawler/frontier/growable.py", "crawler/frontier/rescoring.py", "crawler/model.py", "crawler/parameters.py",
    "crawler/testing.py", "ontocrawl/exceptions.py", "ontology/context.py", "ontology/learn_options.py",
)  # fmt: skip
"""Files that docs/python.md names, or that the plan of the rooms leaves alone."""
APART = {
    "crawler/scoring/logistic_weights.py": "a program writes it",
    "ontocrawl/archives/pages.py": "a pure function over records; what calls it knows files and engines",
    "ontocrawl/cli/commands.py": "the table of commands, which completion needs alone",
    "ontocrawl/mcp/tools.py": "the tools work without the SDK of the protocol",
}
"""Files with one importer that stay, and why."""


FEW_FIELDS = 5
"""Fields that two classes may share by chance."""
REPEATED = frozenset(
    {
        ("kg/records.py: OutcomeRow", "ontology/enrichment/page_text.py: PageText"),
    }
)
"""Classes of which one has two thirds or more of the other's fields. There may only be fewer."""


TOP = {
    *LAYERS, "ontologies", "tests", "benchmarks", "tools", "docs", "examples", "docker", "web", ".ci", ".gitignore",
    ".pre-commit-config.yaml", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md",
    "README.zh.md", "constraints.txt", "pyproject.toml",
}  # fmt: skip
"""Names at the top of the repository."""


def _tracked() -> list[str]:
    return subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def _code(path: Path) -> frozenset[int]:
    """Return the numbers of the lines that have code: no docstrings, comments or blank lines."""
    texts = enumerate(path.read_text(encoding="utf-8").split("\n"), start=1)
    lines = {number for number, line in texts if line.strip() and not line.lstrip().startswith("#")}
    nodes = sources.nodes(path)
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            lines.update(_range(node))
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.difference_update(_range(node))
    return frozenset(lines)


def _range(node: ast.expr | ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in sources.nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node.name, sum(node.lineno <= line <= node.end_lineno for line in _code(path))


def test_sizes() -> None:
    limits = {path: OF_A_STRATEGY if path.parent.name == "strategies" else LIMIT for path in SOURCES}
    large = {_name(path): len(_code(path)) for path, limit in limits.items() if len(_code(path)) > limit}
    assert not large, "files with too many lines of code hold more than one idea"
    long = {f"{_name(path)}: {name}": n for path in SOURCES for name, n in _functions(path) if n > OF_A_FUNCTION}
    assert not long, f"functions of more than {OF_A_FUNCTION} lines of code"


def test_rooms_are_small() -> None:
    files: dict[str, int] = defaultdict(int)
    for path in PRODUCT:
        files[_name(path.parent)] += 1
    assert files["ontocrawl"] <= OF_THE_TOP, "a file of ontocrawl goes into one of its rooms"
    large = {room: count for room, count in files.items() if count > LARGER.get(room, OF_A_ROOM)}
    assert not large, "these rooms have too many files: join some, as CONTRIBUTING.md says"
    shrunk = {room: files[room] for room, count in LARGER.items() if files[room] < count}
    assert not shrunk, "these rooms have fewer files than LARGER allows: lower the numbers, or strike them out"


def _fields(path: Path) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the classes of a file with the public fields that they declare themselves."""
    for node in sources.nodes(path):
        if isinstance(node, ast.ClassDef):
            named = (one.target for one in node.body if isinstance(one, ast.AnnAssign))
            names = (one.id for one in named if isinstance(one, ast.Name))
            yield f"{_name(path)}: {node.name}", frozenset(name for name in names if not name.startswith("_"))


@pytest.mark.slow
def test_no_class_repeats_the_fields_of_another() -> None:
    classes = [(name, of) for path in PRODUCT for name, of in _fields(path) if len(of) >= FEW_FIELDS]
    found = set()
    for (one, own), (other, of) in permutations(classes, 2):
        shared = len(own & of)
        if shared >= FEW_FIELDS and 3 * shared >= 2 * len(of):
            found.add(tuple(sorted((one, other))))
    assert found <= REPEATED, "let one of the two hold the other, or be one"
    assert found == REPEATED, "these do no longer: strike them out"


def _imports(path: Path) -> Iterator[tuple[str, str, bool]]:
    """Yield module, name and whether it is imported at the start for all imports from the project."""
    blocks = [sources.tree(path), *(node for node in sources.tree(path).body if isinstance(node, ast.If | ast.Try))]
    first = {id(node) for block in blocks for node in block.body}
    for node in sources.nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in LAYERS:
            for alias in node.names:
                yield node.module, alias.name, id(node) in first


@cache
def _modules() -> dict[str, Path]:
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in PRODUCT}


@cache
def _handed_on(face: Path) -> dict[str, tuple[str, str]]:
    """Return where the names come from that a face hands on."""
    return {name: (module, name) for module, name, _ in _imports(face)}


def _home(module: str, name: str) -> tuple[Path | None, str]:
    """Return the file in which an imported name is defined, or which it is, and the name in it; through faces."""
    for _ in range(5):
        if f"{module}.{name}" in _modules():
            return _modules()[f"{module}.{name}"], ""
        path = _modules().get(module)
        if path is None or path.name != "__init__.py" or name not in _handed_on(path):
            return path, name
        module, name = _handed_on(path)[name]
    return None, name


def _importers() -> dict[Path, dict[Path, bool]]:
    """Return the files that import each file, and whether at their start; a face does not count in its own room."""
    found: dict[Path, dict[Path, bool]] = defaultdict(dict)
    for path in PRODUCT:
        values = {
            node.value.id: node.attr for node in sources.nodes(path)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        }  # fmt: skip
        for module, name, at_start in _imports(path):
            home, rest = _home(module, name)
            if home is not None and home.name == "__init__.py" and not rest and name in values:
                home, _ = _home(f"{module}.{name}", values[name])
            if home is not None and home != path and not (path.name == "__init__.py" and path.parent in home.parents):
                found[home][path] = found[home].get(path, False) or at_start
    return found


def _room(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


@pytest.mark.slow
def test_a_file_with_one_importer_is_part_of_it() -> None:
    """Within a room, at most 400 lines together; what is imported only where it is needed keeps a start cheap."""
    commands = {f"ontocrawl/cli/{place.partition(':')[0]}.py" for place, _ in COMMANDS.values()}
    alone = {*PROMISED, *APART, *commands}
    found = []
    for path, importers in sorted(_importers().items()):
        name = _name(path)
        if len(importers) != 1 or path.name == "__init__.py" or name in alone or name.startswith(REGISTRIES):
            continue
        (importer, at_start), *_ = importers.items()
        total = len(_code(path)) + len(_code(importer))
        apart = _room(importer) != _room(path) or importer.name == "__init__.py"
        if at_start and not apart and total <= LIMIT:
            found.append(f"{name} is used by {_name(importer)} alone: {total} lines together")
    assert not found, "these files are parts of their importers"


def test_what_stays_apart_exists() -> None:
    assert all((ROOT / name).is_file() for name in (*PROMISED, *APART))


@pytest.mark.slow
def test_rooms_are_entered_by_their_faces() -> None:
    """The face of a room says what goes in, and names the modules that others import."""
    found = []
    users = [*PRODUCT, *(path for folder in ("tools", "benchmarks") for path in (ROOT / folder).rglob("*.py"))]
    used: dict[str, set[str]] = {room: set() for room in ROOMS}
    for path in users:
        for module, name, _ in _imports(path):
            parts = [*module.split("."), name]
            is_room = parts[0] == "ontocrawl" and len(parts) > 2 and parts[1] in ROOMS
            if not is_room or _room(path) == f"ontocrawl/{parts[1]}":
                continue
            used[parts[1]].add(parts[2])
            if parts[2] not in _face(parts[1]):
                found.append(f"{_name(path)} imports ontocrawl.{parts[1]}.{parts[2]}")
    assert not found, "add the module to __all__ of the room, or use another one"
    assert {room: set(_face(room)) - used[room] for room in ROOMS if set(_face(room)) - used[room]} == {}


@cache
def _face(room: str) -> tuple[str, ...]:
    tree = sources.tree(ROOT / "ontocrawl" / room / "__init__.py")
    assert len(ast.get_docstring(tree) or "") > 100, f"{room}: say what goes in and what does not"
    assert len(tree.body) == 2, f"{room}: a docstring and __all__, no imports"
    (named,) = (node.value for node in tree.body if isinstance(node, ast.Assign))
    return tuple(ast.literal_eval(named))


def test_every_module_says_what_it_is() -> None:
    assert not [path for path in SOURCES if path.stem in {"utils", "helpers", "manager", "common", "misc"}]
    assert not [_name(path) for path in SOURCES if not ast.get_docstring(sources.tree(path))]


def test_ontologies_holds_data_only() -> None:
    assert [path.name for path in (ROOT / "ontologies").rglob("*.py")] == ["__init__.py"]
    assert len(ast.parse((ROOT / "ontologies" / "__init__.py").read_text(encoding="utf-8")).body) == 1


def test_test_folders_are_packages() -> None:
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    assert all((folder / "__init__.py").exists() for folder in folders)


def test_a_worker_takes_whole_files(request: pytest.FixtureRequest) -> None:
    """The groups of conftest.py are in force; pytest-xdist appends the group, here of the sources, to a test."""
    if not request.config.getoption("loadgroup", False):
        pytest.skip("not run by `--dist loadgroup`")
    assert request.node.nodeid.endswith("@sources")


def test_no_unfinished_work() -> None:
    marks = re.compile(r"\b(TODO|FIXME|XXX|NotImplementedError)\b|except( Exception)?:\s*pass")
    found = [str(path.relative_to(ROOT)) for path in SOURCES if marks.search(path.read_text(encoding="utf-8"))]
    assert not found


def test_the_top_has_no_stray_file() -> None:
    names = {path.partition("/")[0] for path in _tracked()}
    assert names <= TOP, "a file that a program left; else add its name"


def test_no_addresses_of_package_registries() -> None:
    tracked = _tracked()
    address = re.compile(r"https?://[^\s\"]*(pypi|simple/|registry|mirror)[^\s\"]*")
    named = [
        name for name in tracked
        if name.endswith((".toml", ".txt", ".cfg", ".lock", ".xml", "Makefile", "run")) and (ROOT / name).is_file()
        and address.search((ROOT / name).read_text(encoding="utf-8"))
    ]  # fmt: skip
    assert not named
