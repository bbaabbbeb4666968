"""What was taken from a source of seeds, and what was left, with reasons."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ontology.errors import Message
from ontology.printable import one_line

MAX_NOTES = 20


@dataclass
class SourceReport:
    """The URLs of one source.

    >>> report = SourceReport("sitemap:news.xml", ["http://a.cn/"] * 1204, Counter(media_suffix=31, other_domain=6))
    >>> report.line()
    'sitemap:news.xml: 1,204 taken, 37 left (31 media_suffix, 6 other_domain)'
    """

    source: str
    """The source as it was written."""
    taken: list[str] = field(default_factory=list)
    """Canonical URLs, in the order of the source."""
    left: Counter[str] = field(default_factory=Counter)
    """Reason code -> number of URLs that were not taken."""
    notes: list[str] = field(default_factory=list)
    """What could not be read, as sentences."""

    def line(self) -> str:
        """Return the report as one line for the user, without the notes."""
        ordered = sorted(self.left.items(), key=lambda item: (-item[1], item[0]))
        reasons = ", ".join(f"{number:,} {reason}" for reason, number in ordered)
        why = Message("seeds.report_why", reasons=reasons) if reasons else ""
        return Message("seeds.report", source=self.source, taken=len(self.taken), left=self.left.total(), why=why)

    def note(self, code: str, **values: str | Exception) -> None:
        """Add a note, a message; after `MAX_NOTES` of them only that there are more."""
        cleaned = {name: one_line(value) if isinstance(value, str) else value for name, value in values.items()}
        if len(self.notes) < MAX_NOTES:
            self.notes.append(Message(code, **cleaned))
        elif len(self.notes) == MAX_NOTES:
            self.notes.append(Message("seeds.more_notes"))
