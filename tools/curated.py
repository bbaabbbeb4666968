"""Curated ontologies: converts readable outlines to ontologies, with the model and the writer of learned ones.

An outline (ontologies/*.outline) is UTF-8 text. Lines ``name: value`` open it (topic, version, title, licence, comment
and ``local NAME: 中文题名 | English title`` for each local ontology); after the first blank line each line is a
concept, ``中文 | English``, two blanks deeper than its superclass. What belongs to a concept stands one level below it:

    = 别名; 别名 | other name; other name      other labels
    : 定义。 | Definition.                      a definition in one sentence
    > also 上位词                               a second superclass, by Chinese label; also part-of, causes,
                                                measured-by, same-as
    > local NAME                                this concept is the root of that local ontology

A concept marked ``+ 中文 | English`` is in the local ontology only, with all below it.
Run ``python -m tools.curated`` to write the .ttl and .rdf files, with ``--check`` to see whether they are up to date.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from ontology.iris import IriRegister, namespace, ontology_iri
from ontology.model import Concept, Ontology, OntologyKind, Relation, RelationKind
from ontology.owl import canonical, write

SUFFIXES = (".ttl", ".rdf")
REGISTER = "iris.tsv"
_EVIDENCE = "curated"
_LINKS: Mapping[str, RelationKind] = {
    "also": "subclass_of",
    "part-of": "part_of",
    "causes": "causes",
    "measured-by": "measured_by",
    "same-as": "equivalent_to",
}
_HEADER_LINE = re.compile(r"^(topic|version|title|licence|comment|local [a-z][a-z0-9-]*):\s*(.+)$")


class OutlineError(ValueError):
    """Error for an outline that cannot be read: file, line, what was expected and found."""


@dataclass
class _Node:
    """One concept of an outline while it is being read."""

    zh: str
    en: str
    line: int
    parent: _Node | None
    local_only: bool
    alt_zh: tuple[str, ...] = ()
    alt_en: tuple[str, ...] = ()
    definition: str = ""
    definition_en: str = ""
    links: list[tuple[str, str, int]] = field(default_factory=list)
    local: str = ""

    def above(self) -> Iterator[_Node]:
        """Yield the node and its superclasses in the outline, up to the root."""
        node: _Node | None = self
        while node is not None:
            yield node
            node = node.parent


@dataclass(frozen=True)
class Outline:
    """A parsed outline: its header lines by name, and its concepts in order, the root first."""

    name: str
    header: Mapping[str, str]
    nodes: tuple[_Node, ...]

    @property
    def topic(self) -> str:
        """The topic's name in IRIs and file names."""
        return self.header["topic"]


def parse(text: str, name: str) -> Outline:
    """Parse an outline.

    Args:
        text: contents of the file.
        name: name of the file, for messages.

    Raises:
        OutlineError: a line that does not have the form of an outline, or a name that is not declared.
    """
    lines = list(enumerate(text.removeprefix("\ufeff").splitlines(), 1))
    blank = next((i for i, (_, line) in enumerate(lines) if not line.strip()), len(lines))
    header = dict(_header_line(line, f"{name}, line {n}") for n, line in lines[:blank] if not line.startswith("#"))
    missing = [key for key in ("topic", "version", "title") if key not in header]
    if missing:
        raise OutlineError(f"{name}: the header lacks {', '.join(missing)} (lines before the first blank one)")
    nodes: list[_Node] = []
    open_nodes: list[_Node] = []
    for number, line in lines[blank:]:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        _add_line(line, number, name, nodes, open_nodes)
    if not nodes:
        raise OutlineError(
            f"{name}: no concept after the header; expected a line such as 暴雨灾害 | rainstorm disaster"
        )
    outline = Outline(name, header, tuple(nodes))
    _check(outline)
    return outline


def _header_line(line: str, where: str) -> tuple[str, str]:
    match = _HEADER_LINE.match(line)
    if not match:
        raise OutlineError(f"{where}: expected a header line such as 'version: 1.0.0', found {line!r}")
    return match.group(1), match.group(2).strip()


def _add_line(line: str, number: int, name: str, nodes: list[_Node], open_nodes: list[_Node]) -> None:
    where = f"{name}, line {number}"
    body = line.lstrip(" ")
    indent = len(line) - len(body)
    depth, odd = divmod(indent, 2)
    if odd or body.startswith("\t") or depth > len(open_nodes) or (depth == 0 and nodes):
        raise OutlineError(f"{where}: indent by two blanks a level, under one root; found {indent} blanks")
    del open_nodes[depth:]
    if body[0] in "=:>":
        _add_detail(open_nodes[-1] if open_nodes else None, body, where, number)
        return
    local_only = body.startswith("+ ")
    zh, en = _pair(body.removeprefix("+ "), where)
    if not zh or not en:
        raise OutlineError(f"{where}: expected 中文 | English, found {body!r}")
    node = _Node(zh, en, number, open_nodes[-1] if open_nodes else None, local_only)
    nodes.append(node)
    open_nodes.append(node)


def _pair(text: str, where: str) -> tuple[str, str]:
    parts = [part.strip() for part in text.split("|")]
    if len(parts) > 2:
        raise OutlineError(f"{where}: expected one | between Chinese and English, found {text!r}")
    return parts[0], parts[1] if len(parts) == 2 else ""


def _add_detail(node: _Node | None, body: str, where: str, number: int) -> None:
    if node is None:
        raise OutlineError(f"{where}: {body!r} belongs to no concept; write it one level below one")
    mark, rest = body[0], body[1:].strip()
    if mark == "=":
        zh, en = _pair(rest, where)
        node.alt_zh += tuple(w for w in (part.strip() for part in re.split("[;；]", zh)) if w)
        node.alt_en += tuple(w for w in (part.strip() for part in en.split(";")) if w)
    elif mark == ":":
        node.definition, node.definition_en = _pair(rest, where)
    else:
        kind, _, target = rest.partition(" ")
        if kind == "local":
            node.local = target.strip()
        elif kind in _LINKS and target.strip():
            node.links.append((kind, target.strip(), number))
        else:
            raise OutlineError(f"{where}: expected > {' or '.join((*_LINKS, 'local'))} and a name, found {body!r}")


def _check(outline: Outline) -> None:
    by_zh: dict[str, _Node] = {}
    by_en: dict[str, _Node] = {}
    for node in outline.nodes:
        for index, label in ((by_zh, node.zh), (by_en, node.en.casefold())):
            earlier = index.setdefault(label, node)
            if earlier is not node:
                raise OutlineError(
                    f"{outline.name}, line {node.line}: label {label!r} stands in line {earlier.line} too"
                )
    for node in outline.nodes:
        for kind, target, line in node.links:
            if target not in by_zh:
                raise OutlineError(f"{outline.name}, line {line}: > {kind} names {target!r}, which is no concept here")
    declared = {key.removeprefix("local ") for key in outline.header if key.startswith("local ")}
    marked = {node.local for node in outline.nodes if node.local}
    if declared != marked:
        odd = ", ".join(sorted(declared ^ marked))
        raise OutlineError(f"{outline.name}: local ontologies must be declared in the header and marked once: {odd}")


def ontologies(outline: Outline, register: IriRegister) -> dict[str, Ontology]:
    """Build the ontologies of an outline, in canonical order.

    Args:
        outline: a parsed outline.
        register: IRIs of the concepts; new ones are added.

    Returns:
        File stem -> ontology: TOPIC for the global one, then TOPIC-LOCAL.
    """
    iris = {node.zh: register.iri(node.zh, node.en) for node in outline.nodes}
    everywhere = [node for node in outline.nodes if not any(n.local_only for n in node.above())]
    by_stem = {outline.topic: _ontology(outline, everywhere, iris, "")}
    for root in outline.nodes:
        if root.local:
            inside = [node for node in outline.nodes if any(n is root for n in node.above())]
            by_stem[f"{outline.topic}-{root.local}"] = _ontology(outline, inside, iris, root.local)
    return by_stem


def _ontology(outline: Outline, nodes: Sequence[_Node], iris: Mapping[str, str], local: str) -> Ontology:
    header = outline.header
    kind: OntologyKind = "local" if local else "global"
    title_zh, title_en = _pair(header[f"local {local}" if local else "title"], outline.name)
    inside = {node.zh for node in nodes}
    ontology = Ontology(
        iri=ontology_iri(outline.topic, local),
        kind=kind,
        topic=outline.topic,
        version=header["version"],
        root=iris[nodes[0].zh],
        concepts=tuple(_concept(node, iris) for node in nodes),
        relations=tuple(dict.fromkeys(_relations(nodes, inside, iris))),
        title_zh=title_zh,
        title_en=title_en,
        comment=header.get("comment", ""),
        licence=header.get("licence", ""),
    )
    return canonical(ontology)


def _concept(node: _Node, iris: Mapping[str, str]) -> Concept:
    texts = (node.alt_zh, node.alt_en, node.definition, node.definition_en)
    return Concept(iris[node.zh], node.zh, node.en, *texts)


def _relations(nodes: Sequence[_Node], inside: set[str], iris: Mapping[str, str]) -> Iterator[Relation]:
    for node in nodes:
        if node.parent is not None and node.parent.zh in inside:
            yield Relation(iris[node.zh], "subclass_of", iris[node.parent.zh], evidence=_EVIDENCE)
        for kind, target, _ in node.links:
            if target in inside:
                ends = (iris[node.zh], iris[target])
                source, other = sorted(ends) if kind == "same-as" else ends
                yield Relation(source, _LINKS[kind], other, evidence=_EVIDENCE)


def regenerate(folder: Path, out: Path | None = None) -> list[Path]:
    """Write the ontology files and the IRI register of every outline of a folder.

    Args:
        folder: folder with *.outline files.
        out: folder to write to; None for ``folder``.

    Returns:
        The written files.

    Raises:
        OutlineError: the folder has no outline, or one cannot be read.
    """
    out = folder if out is None else out
    outlines = sorted(folder.glob("*.outline"))
    if not outlines:
        raise OutlineError(f"{folder} has no *.outline file; name the folder that holds the curated ontologies")
    written = []
    for outline in (parse(p.read_text(encoding="utf-8"), str(p)) for p in outlines):
        register_file = f"{outline.topic}-{REGISTER}"
        register = IriRegister.load(folder / register_file, namespace(outline.topic))
        for stem, ontology in ontologies(outline, register).items():
            for suffix in SUFFIXES:
                write(ontology, out / f"{stem}{suffix}")
                written.append(out / f"{stem}{suffix}")
        register.save(out / register_file)
        written.append(out / register_file)
    return written


def outdated(folder: Path) -> list[str]:
    """Return the names of the files in a folder that differ from those its outlines would produce now."""
    with tempfile.TemporaryDirectory() as temporary:
        fresh = regenerate(folder, Path(temporary))
        return [p.name for p in fresh if not _same(p, folder / p.name)]


def _same(fresh: Path, old: Path) -> bool:
    return old.exists() and fresh.read_bytes() == old.read_bytes()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 for done, 1 for files out of date (--check), 2 for an outline that cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m tools.curated", description="write the curated ontologies")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(str(files("ontologies"))))
    parser.add_argument("--check", action="store_true", help="write nothing; list the files that are out of date")
    options = parser.parse_args(arguments)
    try:
        if options.check:
            old = outdated(options.folder)
            sys.stdout.writelines(f"out of date: {name}\n" for name in old)
            return 1 if old else 0
        sys.stdout.writelines(f"{path}\n" for path in regenerate(options.folder))
    except (OutlineError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
