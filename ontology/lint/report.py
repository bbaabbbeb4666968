"""Findings as text, JSON and SARIF 2.1.0.

Source of SARIF: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0, 2020, sections 3.14 (run),
3.19 (toolComponent), 3.27 (result), 3.28 (location). Code hosts show it beside the lines of a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ontology.errors import Message, joined, recognised
from ontology.lint.finding import Finding, Severity, counts
from ontology.lint.registry import rules

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVEL: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}


@dataclass(frozen=True)
class Linted:
    """The findings of one ontology, with its file and the lines of its IRIs, if they are known."""

    name: str
    findings: tuple[Finding, ...]
    file: str = ""
    lines: Mapping[str, int] = field(default_factory=dict)

    def line(self, finding: Finding) -> int | None:
        """Return the line of the finding's place in the file, counted from 1; None if it is unknown."""
        return self.lines.get(finding.place)


EXAMPLES = 3
"""Number of findings of one rule in one file from which they are one line of text, with as many examples."""


def as_text(linted: Sequence[Linted], *, each: bool = False, say: Callable[[str], str] = str) -> str:
    """Return one finding a line, as compilers print them: file, line, severity, code, label, reason; and advice.

    More than `EXAMPLES` findings of one rule in one file are one line, with their number.

    Args:
        linted: the findings.
        each: whether each of them has a line.
        say: returns a message in the language of the reader.
    """
    names = {r.code: r.name for r in rules()}
    parts = []
    for one in linted:
        of_rule: dict[tuple[Severity, str], list[Finding]] = {}
        for f in one.findings:
            of_rule.setdefault((f.severity, f.code), []).append(f)
        for (severity, code), findings in of_rule.items():
            if each or len(findings) <= EXAMPLES:
                parts += [_line(one, f, say) for f in findings]
                continue
            shown = joined([
                Message("lint.example", label=_flat(f.label), reason=_reason(f)) for f in findings[:EXAMPLES]
            ], "; ")  # fmt: skip
            rule = f"{one.file or one.name}: {severity} {code} {names[code]}"
            many = Message("lint.many", rule=rule, n=len(findings), shown=shown, mend=_mend(findings[0]))
            parts.append(say(many))
    return "\n".join(parts)


def _line(one: Linted, f: Finding, say: Callable[[str], str]) -> str:
    line = one.line(f)
    where = (one.file or one.name) + (f":{line}" if line else "")
    place = "" if f.place in (one.name, f.label) else f" <{f.place}>"
    rule = f"{where}: {f.severity} {f.code} {_flat(f.label)}{place}"
    return say(Message("lint.one", rule=rule, reason=_reason(f), mend=_mend(f)))


def _reason(f: Finding) -> str:
    return recognised(_flat(f.reason), "lint.reason_")


def _mend(f: Finding) -> str:
    return recognised(f.mend, "lint.mend_")


def as_json(linted: Sequence[Linted], all_findings: Iterable[Finding]) -> dict[str, Any]:
    """Return a JSON value: the findings with file and line, and the counts of all findings by severity.

    Args:
        linted: the findings to show.
        all_findings: the findings to count.
    """
    shown = [
        {"file": one.file or one.name, "line": one.line(f), **asdict(f)} for one in linted for f in one.findings
    ]  # fmt: skip
    return {"findings": shown, "counts": counts(all_findings)}


def as_sarif(linted: Sequence[Linted], version: str) -> dict[str, Any]:
    """Return a SARIF 2.1.0 log of one run, with all rules.

    Args:
        linted: the findings.
        version: version of ontocrawl.
    """
    known = rules()
    index = {r.code: i for i, r in enumerate(known)}
    driver = {
        "name": "ontocrawl",
        "version": version,
        "rules": [
            {
                "id": r.code,
                "name": "".join(word.capitalize() for word in r.name.split("-")),
                "shortDescription": {"text": r.title},
                "fullDescription": {"text": r.why},
                "help": {"text": f"{r.mend}. Example: {r.example}"},
                "defaultConfiguration": {"level": _LEVEL[r.severity]},
            }
            for r in known
        ],
    }
    results = [_result(one, f, index[f.code]) for one in linted for f in one.findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(linted: Linted, finding: Finding, rule_index: int) -> dict[str, Any]:
    location: dict[str, Any] = {
        "logicalLocations": [{"name": finding.label, "fullyQualifiedName": finding.place, "kind": "type"}]
    }
    if linted.file:
        physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(linted.file)}}
        line = linted.line(finding)
        if line:
            physical["region"] = {"startLine": line}
        location["physicalLocation"] = physical
    return {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": _LEVEL[finding.severity],
        "message": {"text": f"{finding.label}: {finding.reason}. To mend it: {finding.mend}."},
        "locations": [location],
        "partialFingerprints": {"placeAndReason/v1": f"{finding.code} {finding.place} {finding.reason}"},
    }


def _uri(file: str) -> str:
    """Return a relative path unchanged (code hosts join it with the repository's root), an absolute one as file URI."""
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _flat(text: str) -> str:
    """Return one line with unprintable characters escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


_PREFIX = re.compile(r"^\s*@?prefix\s+([\w.-]*):\s*<([^>]*)>", re.IGNORECASE)
_SUBJECT = re.compile(r"^(?:<([^>]*)>|([\w.-]*):((?:[\w.%-]|\\.)*))(?=\s|$)")
_ABOUT = re.compile(r"(?:rdf:about|rdf:ID|IRI|@id\"\s*:\s*)=?\s*\"([^\"]*)\"")


def lines_of(path: str | Path, places: Iterable[str]) -> dict[str, int]:
    """Return the line, from 1, where each place is first described in a file of Turtle, N-Triples or RDF/XML.

    A simple text search, without a parser: a subject that begins a line, or an rdf:about. Places in other notations are
    absent.

    Args:
        path: the file.
        places: IRIs.
    """
    requested, first_lines = set(places), dict[str, int]()
    prefixes: dict[str, str] = {}
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        if declared := _PREFIX.match(line):
            prefixes[declared[1]] = declared[2]
            continue
        for iri in _described(line, prefixes):
            if iri in requested:
                first_lines.setdefault(iri, number)
    return first_lines


def _described(line: str, prefixes: Mapping[str, str]) -> list[str]:
    iris = [m[1] for m in _ABOUT.finditer(line)]
    if subject := _SUBJECT.match(line):
        if subject[1] is not None:
            iris.append(subject[1])
        elif subject[2] in prefixes:
            iris.append(prefixes[subject[2]] + re.sub(r"\\(.)", r"\1", subject[3]))
    return iris
