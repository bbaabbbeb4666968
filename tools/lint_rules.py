"""The list of lint rules in docs/lint.md.

``python -m tools.lint_rules docs/lint.md`` writes the list between the two marks of that file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ontology.lint import rules
from tools import generated_page

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


def inserted(page: Path) -> str:
    """Return the text of a page with a new list between its marks."""
    return generated_page.inserted(page, BEGIN, END, handbook().rstrip("\n"))


if __name__ == "__main__":
    sys.exit(generated_page.main(None, "tools.lint_rules", __doc__, Path("docs/lint.md"), inserted))
