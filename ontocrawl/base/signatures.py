"""Parameters of a function that are declared elsewhere than in it. It imports nothing, for the help of commands."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def as_arguments(function: Function, options: Iterable[tuple[str, Any, object]]) -> Function:
    """Show options in the signature of a function in place of its ``**arguments``; return the function.

    Args:
        function: the function.
        options: name, type and default of each. One of which the function has a parameter replaces that one.
    """
    signature = inspect.signature(function, eval_str=True)
    own = {name: one for name, one in signature.parameters.items() if one.kind is not one.VAR_KEYWORD}
    for name, kind, default in options:
        parameter = own.get(name, inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY))
        own[name] = parameter.replace(annotation=kind, default=default)
    vars(function)["__signature__"] = signature.replace(parameters=list(own.values()))
    return function
