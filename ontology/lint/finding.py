"""What lint finds: a code, how bad it is, where it is, why it is wrong, and how it is mended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""From the gravest to the mildest. An error breaks a rooted ontology, a warning spoils one, an info is a hint."""


class LintError(ValueError):
    """A request that lint can't follow: what was expected, found, and what to do."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong at one place.

    Attributes:
        code: of the rule, ``OC001`` and so on; docs/lint.md explains each.
        severity: how bad it is.
        place: IRI of the concept, or of the ontology where the whole of it is meant.
        label: what the place is called.
        reason: what is wrong, with the names that are concerned.
        mend: what a person can do about it.
    """

    code: str
    severity: Severity
    place: str
    label: str
    reason: str
    mend: str


def rank(severity: Severity) -> int:
    """0 for an error, 1 for a warning, 2 for an info. Raises LintError for another word."""
    if severity not in SEVERITIES:
        raise LintError(f"severity {severity!r}: expected one of {', '.join(SEVERITIES)}")
    return SEVERITIES.index(severity)


def at_least(findings: Iterable[Finding], severity: Severity) -> tuple[Finding, ...]:
    """The findings that are as bad as ``severity`` or worse, in order."""
    limit = rank(severity)
    return tuple(f for f in findings if rank(f.severity) <= limit)


def counts(findings: Iterable[Finding]) -> dict[str, int]:
    """Severity -> number of findings, all severities present."""
    found = dict.fromkeys(SEVERITIES, 0)
    for finding in findings:
        found[finding.severity] += 1
    return {str(severity): number for severity, number in found.items()}
