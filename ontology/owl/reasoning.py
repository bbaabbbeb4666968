"""Consistency of an ontology and its unsatisfiable classes, within a time limit.

Two reasoners: ``rl`` (OWL 2 RL in Rust, the package `reasonable`) is quick and incomplete, ``hermit`` (OWL 2 DL, by
owlready2) is complete and needs Java. Both run in a separate process, which is ended with all its children at the time
limit. owl:imports is removed before. Pellet, which is part of owlready2 too, is never run: its licence is the AGPL.

OWL 2 RL has no rule that finds an unsatisfiable class. So each named class gets a fresh member, and a class is
unsatisfiable if its member leads to a contradiction; so is a class below "some values of" such a one. [R] A result is
correct unless such members are made equal to others (nominals, functional values); it may be incomplete.

Most classes of a large hierarchy only pass their members on to those above, which would be quadratic in its depth. They
are left out of what the reasoner sees (`_reduced`): each counts as what its nearest superclasses with axioms are.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ontology.errors import OntocrawlError
from ontology.extras import require
from ontology.owl import plain_formats, reader
from ontology.owl.triples import Term, Triples, is_blank, is_iri
from ontology.owl.vocabulary import OWL, RDFS, TYPE, short

ReasonerName = Literal["rl", "hermit"]
REASONERS: tuple[ReasonerName, ...] = ("rl", "hermit")
_ANNOTATIONS = frozenset(
    {
        RDFS.label,
        RDFS.comment,
        RDFS.seeAlso,
        RDFS.isDefinedBy,
        OWL.versionInfo,
        OWL.versionIRI,
        OWL.imports,
        OWL.priorVersion,
        OWL.deprecated,
        OWL.backwardCompatibleWith,
        OWL.incompatibleWith,
    }
)
_MEMBER = "urn:ontocrawl:member:"
_RULES = {
    "cls-nothing2": "is a member of owl:Nothing",
    "cax-dw": "is a member of classes that are disjoint",
    "cax-adc": "is a member of classes that are disjoint",
    "cls-com": "is a member of a class and of its complement",
    "eq-diff1": "are the same and different",
    "prp-irp": "is related to itself by an irreflexive property",
    "prp-asyp": "are related both ways by an asymmetric property",
    "prp-pdw": "are related by properties that are disjoint",
}


class ReasonerError(OntocrawlError, ValueError):
    """A reasoner that did not finish in time or failed; the message says which one, on what, and what to do."""


class ReasonerMissing(ReasonerError):  # noqa: N818 - says what is missing
    """Java, which HermiT needs, is not installed."""


@dataclass(frozen=True)
class ReasoningResult:
    """The result of a reasoner. An ontology may be consistent and have unsatisfiable classes."""

    consistent: bool
    unsatisfiable: tuple[str, ...]
    """IRIs of classes that can have no member, sorted."""
    reasons: tuple[str, ...]
    """The contradictions, if the reasoner reports them (rl does, HermiT does not)."""
    imports: tuple[str, ...]
    """IRIs of owl:imports, which were ignored."""
    reasoner: ReasonerName
    seconds: float


def reason(path: str | Path, reasoner: ReasonerName = "rl", timeout: float = 60.0) -> ReasoningResult:
    """Reason on all axioms of a file in any supported format.

    Args:
        path: the file, ours or foreign.
        reasoner: "rl" or "hermit".
        timeout: time limit for the whole, in seconds.

    Raises:
        ReasonerError: the time limit is reached or the reasoner fails.
        ReasonerMissing: Java is not installed.
        MissingExtra: `reasonable` is not installed.
        OwlError: the file cannot be read.
    """
    path = Path(path)
    if reasoner == "hermit" and shutil.which("java") is None:
        raise ReasonerMissing("owl.hermit_needs_java_not")
    if reasoner == "rl":
        require("reasonable", "owl", "reasoning by OWL 2 RL")
    started = time.monotonic()
    triples = reader.parse(path)
    imports = tuple(sorted({str(o) for s in triples.subjects() for o in triples.objects(s, OWL.imports)}))
    logical = _logical(triples)
    nearest: Mapping[str, frozenset[str]] = {}
    if reasoner == "rl":
        logical, nearest = _reduced(logical)
    stated = plain_formats.ntriples(logical)
    with tempfile.TemporaryDirectory(prefix="ontocrawl-") as folder:
        run = _Run(reasoner, path, Path(folder), started + timeout, timeout)
        answer = run(stated)
        unsatisfiable = set(answer["unsatisfiable"])
        if reasoner == "rl" and answer["consistent"]:
            unsatisfiable = _by_members(run, stated, nearest)
            unsatisfiable |= _above(triples, unsatisfiable)
    seconds = time.monotonic() - started
    reasons = tuple(dict.fromkeys(_told(clash) for clash in answer["clashes"]))
    return ReasoningResult(answer["consistent"], tuple(sorted(unsatisfiable)), reasons, imports, reasoner, seconds)


def _logical(triples: Triples) -> Triples:
    """Return the triples without imports and annotations: reasoners ignore them, and they are most of a file."""
    declared = set(triples.of_type(OWL.AnnotationProperty))
    annotations = (declared | _ANNOTATIONS) - set(triples.of_type(OWL.ObjectProperty, OWL.DatatypeProperty))
    axioms = set(triples.of_type(OWL.Axiom, OWL.Annotation))
    kept = Triples()
    for subject, predicate, value in triples:
        if predicate not in annotations and subject not in axioms:
            kept.add(subject, predicate, value)
    return kept


@dataclass(frozen=True)
class _Run:
    """Runs of one reasoner that share a time limit."""

    reasoner: ReasonerName
    path: Path
    folder: Path
    deadline: float
    timeout: float

    def __call__(self, stated: str) -> Mapping[str, Any]:
        file = self.folder / ("ontology.ttl" if self.reasoner == "rl" else "ontology.nt")  # N-Triples is Turtle too
        file.write_text(stated, encoding="utf-8", newline="\n")
        script = Path(__file__).with_name("reasoner_process.py")
        command = [sys.executable, "-P", str(script), self.reasoner, str(file), str(self.folder)]
        process = subprocess.Popen(  # noqa: S603 - our own script
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        try:
            out, err = process.communicate(timeout=max(self.deadline - time.monotonic(), 0.001))
        except subprocess.TimeoutExpired:
            raise ReasonerError(
                "owl.not_done_after_seconds", path=self.path, reasoner=self.reasoner, timeout=self.timeout
            ) from None
        finally:
            _end(process)
        answer: Mapping[str, Any] = _parsed(out)
        if process.returncode or "error" in answer:
            reported = answer.get("error") or (err.decode(errors="replace").strip().splitlines() or ["no message"])[-1]
            raise ReasonerError("owl.failed", path=self.path, reasoner=self.reasoner, reported=reported)
        return answer


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process and its children (Java), if it is still running."""
    if process.poll() is not None:
        return
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()


def _parsed(out: bytes) -> Mapping[str, Any]:
    lines = out.decode(errors="replace").strip().splitlines()
    try:
        answer = json.loads(lines[-1])
    except (IndexError, json.JSONDecodeError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _by_members(run: _Run, stated: str, nearest: Mapping[str, frozenset[str]]) -> set[str]:
    """Return the classes whose members lead to a contradiction; classes below the same ones share a member."""
    kinds = sorted({kind for kind in nearest.values() if kind}, key=sorted)
    seeds = "".join(
        f"<{_MEMBER}{number}> <{TYPE}> <{iri}> .\n" for number, kind in enumerate(kinds) for iri in sorted(kind)
    )
    clashes = run(stated + seeds)["clashes"] if kinds else []
    members = {node for clash in clashes for node in clash[1:] if node.startswith(_MEMBER)}
    impossible = {kinds[int(member.removeprefix(_MEMBER))] for member in members}
    return {iri for iri, kind in nearest.items() if kind in impossible}


def _reduced(triples: Triples) -> tuple[Triples, Mapping[str, frozenset[str]]]:
    """Return the triples without the classes that only pass members on to others.

    Args:
        triples: the axioms.

    Returns:
        The axioms about the other classes, with their members and their nearest superclasses among each other; and
        class -> the nearest of these classes: itself, if it is one.
    """
    idle = _idle_restrictions(triples)
    below: dict[str, list[str]] = {}
    classes = {iri for iri in triples.of_type(OWL.Class, RDFS.Class) if is_iri(iri)}
    kept = Triples()
    busy: set[Term] = set()
    for subject, predicate, value in triples:
        if predicate == RDFS.subClassOf and is_iri(subject) and is_iri(value):
            below.setdefault(str(value), []).append(subject)
            classes |= {subject, str(value)}
        elif not (subject in idle or value in idle or (predicate == TYPE and subject in classes)):
            busy |= {subject, predicate, value} if predicate != TYPE or is_blank(subject) else {subject}
    busy |= {iri for iri in classes if iri.startswith((OWL.iri, RDFS.iri))}
    nearest: dict[str, set[str]] = {iri: set() for iri in classes}
    for iri in classes & busy:
        waiting = [iri]
        for above in waiting:
            for other in below.get(above, ()):
                if iri not in nearest[other]:
                    nearest[other].add(iri)
                    waiting += [] if other in busy else [other]
    for subject, predicate, value in triples:
        if predicate == RDFS.subClassOf and is_iri(subject) and is_iri(value):
            continue
        if predicate == TYPE and value in classes and value not in busy:
            for iri in nearest[str(value)]:
                kept.add(subject, TYPE, iri)
        elif subject not in idle and value not in idle and (subject not in classes or subject in busy):
            kept.add(subject, predicate, value)
    for iri in classes & busy:
        for above in nearest[iri]:
            kept.add(iri, RDFS.subClassOf, above)
    return kept, {iri: frozenset((iri,) if iri in busy else found) for iri, found in nearest.items()}


def _idle_restrictions(triples: Triples) -> set[Term]:
    """Return the restrictions "some values" of which nothing follows in OWL 2 RL: superclasses, with none below them.

    The rules scm-svf1 and scm-svf2 compare such restrictions with each other, so that there are none in a file with
    one that is anything but a superclass.
    """
    some = {subject for subject, _ in triples.pairs(OWL.someValuesFrom)}
    parts = {OWL.onProperty, OWL.someValuesFrom, TYPE}
    plain = {node for node in some if is_blank(node) and set(triples.predicates(node)) <= parts}
    elsewhere = {value for _, predicate, value in triples if predicate != RDFS.subClassOf and value in some}
    return set() if elsewhere or plain != some else {*plain}


def _above(triples: Triples, unsatisfiable: set[str]) -> set[str]:
    """Return classes below "some values of an unsatisfiable class", and below such a one, by named classes."""
    users: dict[str, set[str]] = {}
    for subject in triples.subjects():
        for value in triples.objects(subject, RDFS.subClassOf):
            target = triples.node(str(value), OWL.someValuesFrom) or str(value)
            users.setdefault(target, set()).add(subject)
    unsatisfiable_users: set[str] = set()
    waiting = list(unsatisfiable)
    while waiting:
        for user in users.get(waiting.pop(), ()):
            if is_iri(user) and user not in unsatisfiable_users | unsatisfiable:
                unsatisfiable_users.add(user)
                waiting.append(user)
    return unsatisfiable_users


def _told(clash: list[str]) -> str:
    rule, node, *others = clash
    with_ = f": {', '.join(map(short, others))}" if others else ""
    return f"{short(node)} {_RULES.get(rule, rule)}{with_}"
