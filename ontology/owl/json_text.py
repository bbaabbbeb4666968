"""JSON of ontologies, parsed with errors that name the file and the line."""

from __future__ import annotations

import json
from typing import Any

from ontology.owl.vocabulary import OwlError


def parsed_json(text: str, name: str) -> Any:
    """Return the value of a JSON text.

    Args:
        text: content of the file.
        name: the file, for messages.

    Raises:
        OwlError: the text is no JSON, with the line, or nested too deep.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise OwlError(f"{name}, line {error.lineno}: not JSON: {error.msg}") from error
    except RecursionError as error:
        raise OwlError(f"{name}: JSON that is nested too deep to be an ontology") from error
