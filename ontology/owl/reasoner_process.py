"""One run of a reasoner in a separate process, so that it can be stopped. Run as a script by `reasoning`.

Arguments: ``rl`` or ``hermit``, a file of N-Triples without owl:imports, a folder for temporary files. The output is
one JSON object, {consistent, clashes: [[rule, node, ..]], unsatisfiable: [iri]} or {error}. The script imports nothing
of this package.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

OWL = "http://www.w3.org/2002/07/owl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
TYPE, FIRST, REST, NIL = RDF + "type", RDF + "first", RDF + "rest", RDF + "nil"
_Triple = tuple[str, str, str]


def rl(path: str) -> dict[str, Any]:
    """Compute the OWL 2 RL closure by `reasonable`, then apply the rules that derive false."""
    import reasonable

    reasoner = reasonable.PyReasoner()
    reasoner.load_file(path)
    closure = [(str(s), str(p), str(o)) for s, p, o in reasoner.reason()]
    contradictions = sorted(set(_clashes(closure)))
    return {"consistent": not contradictions, "clashes": contradictions, "unsatisfiable": []}


def _clashes(closure: Iterable[_Triple]) -> Iterator[tuple[str, ...]]:
    """Yield (rule, individual ..) for each derivation of false.

    The rules are those of the W3C recommendation OWL 2 Profiles, tables 4 to 7, under their names there: eq-diff1,
    prp-irp, prp-asyp, prp-pdw, cls-nothing2, cls-com, cax-dw, cax-adc.
    """
    by: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for subject, predicate, value in closure:
        by[predicate].append((subject, value))
    members: dict[str, set[str]] = defaultdict(set)
    for individual, class_ in by[TYPE]:
        members[class_].add(individual)
    for individual in members[OWL + "Nothing"]:
        yield "cls-nothing2", individual
    for rule, predicate in (("cax-dw", "disjointWith"), ("cls-com", "complementOf")):
        for one, other in by[OWL + predicate]:
            for individual in members[one] & members[other]:
                yield rule, individual, *sorted((one, other))
    yield from _disjoint_sets(by, members)
    same = set(by[OWL + "sameAs"])
    for pair in by[OWL + "differentFrom"]:
        if pair in same or pair[0] == pair[1]:
            yield "eq-diff1", *pair
    yield from _properties(by, members)


def _disjoint_sets(by: dict[str, list[tuple[str, str]]], members: dict[str, set[str]]) -> Iterator[tuple[str, ...]]:
    first, rest, heads = dict(by[FIRST]), dict(by[REST]), dict(by[OWL + "members"])
    for axiom in members[OWL + "AllDisjointClasses"]:
        classes, node = [], heads.get(axiom, NIL)
        while node in first and first[node] not in classes:
            classes.append(first[node])
            node = rest.get(node, NIL)
        for position, one in enumerate(classes):
            for other in classes[position + 1 :]:
                for individual in members[one] & members[other]:
                    yield "cax-adc", individual, *sorted((one, other))


def _properties(by: dict[str, list[tuple[str, str]]], members: dict[str, set[str]]) -> Iterator[tuple[str, ...]]:
    for property_ in members[OWL + "IrreflexiveProperty"]:
        for one, other in by[property_]:
            if one == other:
                yield "prp-irp", one, property_
    for property_ in members[OWL + "AsymmetricProperty"]:
        pairs = set(by[property_])
        for one, other in pairs:
            if (other, one) in pairs:
                yield "prp-asyp", *sorted((one, other)), property_
    for property_, disjoint in by[OWL + "propertyDisjointWith"]:
        for one, other in set(by[property_]) & set(by[disjoint]):
            yield "prp-pdw", one, other, *sorted((property_, disjoint))


def hermit(path: str) -> dict[str, Any]:
    """Reason with OWL 2 DL by HermiT, which is part of owlready2 and needs Java.

    HermiT is called on the file itself: owlready2 would make a Python class of each class, which it cannot for names
    that are a class and a property, nor for deep hierarchies.
    """
    spec = find_spec("owlready2")
    if spec is None or spec.origin is None:
        return {"error": "the package owlready2, which has HermiT, is not installed"}
    folder = Path(spec.origin).parent / "hermit"
    command = ["java", "-Xmx2000M", "-Xss64M", "-cp", os.pathsep.join((str(folder), str(folder / "HermiT.jar")))]
    command += ["org.semanticweb.HermiT.cli.CommandLine", "--no-prefixes", "--unsatisfiable", Path(path).as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)  # noqa: S603
    if "InconsistentOntologyException" in done.stderr:
        return {"consistent": False, "clashes": [], "unsatisfiable": []}
    if done.returncode or "Exception" in done.stderr:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        return {"error": next((line for line in lines if "Exception" in line or "Error" in line), " ".join(lines[:2]))}
    named = {line.strip() for line in done.stdout.splitlines() if line.startswith("\t")}
    return {"consistent": True, "clashes": [], "unsatisfiable": sorted(named - {OWL + "Nothing"})}


def main() -> None:
    """Run the script."""
    kind, path, folder = sys.argv[1:4]
    tempfile.tempdir = folder
    answer = rl(path) if kind == "rl" else hermit(path)
    sys.stdout.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
