"""The explorer: papers, lattice, ontology, web graph, crawls and proposals of a workspace in a browser.

The catalogues of queries and strategies in other languages are read here, since the command line shows them without a
browser's libraries.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

from ontology.errors import Language

LIBRARIES = ("starlette", "uvicorn", "jinja2")
"""What the extra ``web`` installs."""


@cache
def _catalogue(language: Language) -> Mapping[str, str]:
    """Return English text -> text of the catalogues of queries and strategies in a language, from ``catalogue``."""
    groups = catalogue_groups(language)
    return MappingProxyType({one: text for name in groups.keys() - {COLUMNS} for one, text in groups[name].items()})


COLUMNS = "columns"
"""The group of the columns and parameters of queries that no other table has, by their names."""


def catalogue_groups(language: Language) -> Mapping[str, Mapping[str, str]]:
    """Return the catalogues of a language by their groups; none for English, in which the declarations are."""
    file = resources.files("ontocrawl.explorer") / "catalogue" / f"{language}.toml"
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def catalogued(text: str, language: Language) -> str:
    """Return a title, question or meaning of the catalogues of queries and strategies in a language.

    Args:
        text: the text as its declaration has it, in English.
        language: the language of the reader.

    Returns:
        The text; in English if the file of the language lacks it, as for a strategy of a file of the user's.

    >>> catalogued("Breadth-first search", "zh"), catalogued("Breadth-first search", "en")
    ('广度优先搜索', 'Breadth-first search')
    """
    return _catalogue(language).get(text, text)
