"""Parameters of a mixture: its members and their parameters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from crawler.parameters import CheckedParameters, Form, parameter
from crawler.strategies import registry
from crawler.strategies.base import Strategy
from ontology.errors import Message

_SHARED = ("classifier", "S")
"""Parameters that all members share, as a crawl has one classifier."""


@dataclass(frozen=True)
class MembersParameters(CheckedParameters):
    """The members and their parameters.

    Raises:
        ValueError: a member or parameter does not exist, or a value is not allowed.
    """

    members: str = parameter(
        "best_first,wang_landau",
        "Names separated by commas, at least two, none twice.",
        Form("two names or more, none of them twice"),
    )
    settings: str = parameter(
        "{}",
        "JSON: name of a member -> its parameters. On the command line set by ``--param NAME.PARAMETER=VALUE``.",
        Form("JSON {NAME: {PARAMETER: VALUE}}"),
    )
    classifier: str = parameter(
        "",
        "File of a trained classifier, for all members that use one.",
        Form("nothing, a file *.json"),
    )
    S: str = parameter("", "The class of relevant pages.")

    def __post_init__(self) -> None:
        super().__post_init__()
        create_members(self)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the members."""
        return tuple(name.strip() for name in self.members.split(","))


def create_members(parameters: MembersParameters) -> list[Strategy]:
    """Create the members.

    Raises:
        ValueError: a member cannot be created; the message names it.
    """
    names = parameters.names
    if len(names) < 2 or len(set(names)) < len(names):
        raise ValueError(Message("strategies.parameter_members_must_two", members=parameters.members))
    settings = _settings(parameters.settings)
    unknown = sorted(set(settings) - set(names))
    if unknown:
        raise ValueError(Message("strategies.parameters_given_no_member", unknown=unknown[0], names=", ".join(names)))
    try:
        _check_taken(parameters)
        members = [
            registry.create(name, _shared(registry.get(name), parameters) | settings.get(name, {})) for name in names
        ]
    except LookupError as error:
        raise ValueError(Message("strategies.parameter_members_must_names", error=error)) from error
    nested = [s.name for s in members if isinstance(s.parameters, MembersParameters)]
    if nested:
        raise ValueError(Message("strategies.parameter_members_must_not", nested=nested[0]))
    return members


def _settings(text: str) -> dict[str, dict[str, Any]]:
    """Parse ``settings``. Raises ValueError if it is not JSON of this form."""
    try:
        settings = json.loads(text)
    except json.JSONDecodeError:
        settings = None
    if not isinstance(settings, dict) or not all(isinstance(overrides, dict) for overrides in settings.values()):
        raise ValueError(Message("strategies.parameter_settings_must_json", text=text))
    return settings


def _shared(cls: type[Strategy], parameters: MembersParameters) -> dict[str, str]:
    known = {field.name for field in fields(cls.Parameters)}
    return {name: value for name in _SHARED if (value := getattr(parameters, name)) and name in known}


def _check_taken(parameters: MembersParameters) -> None:
    """Raise ValueError for a shared parameter that no member has, and LookupError for an unknown member."""
    taken = {name for member in parameters.names for name in _shared(registry.get(member), parameters)}
    for name in _SHARED:
        if getattr(parameters, name) and name not in taken:
            members = ", ".join(parameters.names)
            raise ValueError(Message("strategies.parameter_given_none_takes", name=name, members=members))


def by_member(overrides: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Split parameters into those of the mixture and those of its members.

    Args:
        overrides: PARAMETER or NAME.PARAMETER -> value.

    Returns:
        The parameters of the mixture, and the JSON of ``settings`` with those of the members.

    Raises:
        ValueError: a shared parameter has two different values.

    >>> by_member({"members": "fcsa,its", "fcsa.T": 2.0})
    ({'members': 'fcsa,its'}, '{"fcsa": {"T": 2.0}}')
    """
    settings: dict[str, dict[str, Any]] = {}
    plain: dict[str, Any] = {}
    for name, value in overrides.items():
        member, dot, parameter = name.rpartition(".")
        if dot and parameter not in _SHARED:
            settings.setdefault(member, {})[parameter] = value
        elif parameter in plain and plain[parameter] != value:
            raise ValueError(Message("strategies.parameter_given_twice_crawl", parameter=parameter))
        else:
            plain[parameter] = value
    return plain, json.dumps(settings, ensure_ascii=False, sort_keys=True)


def names_of_members(overrides: Mapping[str, Any]) -> tuple[str, ...]:
    """Return NAME.PARAMETER for all parameters of the members. Raises ValueError if a member cannot be created."""
    members = MembersParameters(**{name: overrides[name] for name in ("members",) if name in overrides})
    strategies = zip(members.names, create_members(members), strict=True)
    return tuple(f"{name}.{parameter}" for name, strategy in strategies for parameter in strategy.parameter_names({}))
