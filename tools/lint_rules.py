"""The list of lint rules in docs/lint.md.

``python -m tools.lint_rules docs/lint.md`` writes the list between the two marks of that file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ontology.files import write_atomically
from ontology.lint import rules
from ontology.lint.finding import LintError

BEGIN, END = "<!-- rules: python -m tools.lint_rules docs/lint.md -->", "<!-- end of rules -->"


def handbook() -> str:
    """Return a table of all rules, then each with its reason, an example and a fix, in Markdown."""
    all_rules = rules()
    table = [f"| [{r.code}](#{r.code.lower()}-{r.name}) | {r.name} | {r.severity} | {r.title} |" for r in all_rules]
    texts = [
        f"### {r.code} {r.name}\n\n*{r.severity}*: {r.title}.\n\n{r.why}\n\n"
        f"* Example: `{r.example.replace('`', chr(39))}`\n* Mend: {r.mend}.\n"
        for r in all_rules
    ]
    return "\n".join(["| code | name | severity | what it finds |", "|---|---|---|---|", *table, "", *texts])


def inserted(text: str) -> str:
    """Return a document with a new list between its marks. Raises LintError for a document without the marks."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise LintError(f"expected the marks {BEGIN!r} and {END!r}; put them where the list should stand")
    return f"{head}{BEGIN}\n\n{handbook()}\n{END}{tail}"


if __name__ == "__main__":
    target = Path(sys.argv[1])
    write_atomically(target, inserted(target.read_text(encoding="utf-8")).encode())
