"""Findings of the linter: code, severity, place, reason and advice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from ontology.errors import OntocrawlError

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""In falling order. An error makes an ontology invalid, a warning reduces its quality, an info is a hint."""


class LintError(OntocrawlError, ValueError):
    """A request that lint cannot fulfil; the message says what is expected."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem at one place.

    Attributes:
        code: code of the rule, ``OC001`` and so on; docs/lint.md explains each.
        severity: error, warning or info.
        place: IRI of the concept, or of the ontology for problems of the whole.
        label: name of the place.
        reason: description of the problem, with the names of the concepts.
        mend: advice.
    """

    code: str
    severity: Severity
    place: str
    label: str
    reason: str
    mend: str


def rank(severity: Severity) -> int:
    """Return 0 for an error, 1 for a warning, 2 for an info; raise LintError for another word.

    >>> rank("error"), rank("info")
    (0, 2)
    """
    if severity not in SEVERITIES:
        raise LintError("lint.severity_expected", severity=severity, severities=", ".join(SEVERITIES))
    return SEVERITIES.index(severity)


def at_least(findings: Iterable[Finding], severity: Severity) -> tuple[Finding, ...]:
    """Return the findings of a minimum severity, in order.

    Args:
        findings: the findings.
        severity: the minimum severity.
    """
    limit = rank(severity)
    return tuple(f for f in findings if rank(f.severity) <= limit)


def counts(findings: Iterable[Finding]) -> dict[str, int]:
    """Return severity -> number of findings, all severities present."""
    number_of = dict.fromkeys(SEVERITIES, 0)
    for finding in findings:
        number_of[finding.severity] += 1
    return {str(severity): number for severity, number in number_of.items()}
