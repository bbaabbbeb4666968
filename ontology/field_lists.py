"""The lists that come with the package for single fields: curated classes and a bilingual lexicon.

A list written for one field is wrong in another (失业 is no 产业), so that it is used only for topics that name its
field. Each folder of ``data/fields`` is a field.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def fields() -> tuple[str, ...]:
    """Return the names of the fields that have lists, sorted.

    >>> fields()
    ('earth',)
    """
    return tuple(sorted(entry.name for entry in (files("ontology") / "data" / "fields").iterdir() if entry.is_dir()))


def field_list(field: str, name: str) -> str | None:
    """Return the text of a list, such as ``classes.tsv``, of a field; None for a field without lists."""
    if field not in fields():
        return None
    return (files("ontology") / "data" / "fields" / field / name).read_text(encoding="utf-8")
