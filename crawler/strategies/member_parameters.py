"""The parameters of a strategy that is made of others: which ones, and theirs by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from crawler.parameters import CheckedParameters, Form, parameter
from crawler.strategies import registry
from crawler.strategies.base import Strategy

_SHARED = ("classifier", "S")
"""Parameters that a crawl has once, whichever member they are given for."""


@dataclass(frozen=True)
class MembersParameters(CheckedParameters):
    """Which strategies, and their parameters. Raises ValueError for one that does not exist or fit."""

    members: str = parameter(
        "best_first,wang_landau",
        "Names with commas between them, at least two, none twice.",
        Form("two names or more, none of them twice"),
    )
    settings: str = parameter(
        "{}",
        "JSON: name of a member -> its parameters. On the command line ``--param NAME.PARAMETER=VALUE`` fills it.",
        Form("JSON {NAME: {PARAMETER: VALUE}}"),
    )
    classifier: str = parameter(
        "",
        "File of a trained classifier, for the members that take one: a crawl has one at most.",
        Form("nothing, a file *.json"),
    )
    S: str = parameter("", "Its class of relevant pages.")

    def __post_init__(self) -> None:
        super().__post_init__()
        made(self)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name.strip() for name in self.members.split(","))


def made(parameters: MembersParameters) -> list[Strategy]:
    """The members, new. Raises ValueError naming the member that cannot be made."""
    names = parameters.names
    if len(names) < 2 or len(set(names)) < len(names):
        raise ValueError(f"parameter members must be two names or more, none of them twice, not {parameters.members!r}")
    settings = _settings(parameters.settings)
    strangers = sorted(set(settings) - set(names))
    if strangers:
        raise ValueError(f"parameters are given for {strangers[0]}, which is no member; members are {', '.join(names)}")
    try:
        _check_taken(parameters)
        built = [
            registry.create(name, _shared(registry.get(name), parameters) | settings.get(name, {})) for name in names
        ]
    except LookupError as error:
        raise ValueError(f"parameter members must be names of strategies: {error}") from error
    nested = [s.name for s in built if isinstance(s.parameters, MembersParameters)]
    if nested:
        raise ValueError(f"parameter members must not be made of others as {nested[0]} is: name its members instead")
    return built


def _settings(text: str) -> dict[str, dict[str, Any]]:
    """What ``settings`` says. Raises ValueError where it is not JSON, or not of this form."""
    try:
        settings = json.loads(text)
    except json.JSONDecodeError:
        settings = None
    if not isinstance(settings, dict) or not all(isinstance(overrides, dict) for overrides in settings.values()):
        raise ValueError(f"parameter settings must be JSON {{NAME: {{PARAMETER: VALUE}}}}, not {text!r}")
    return settings


def _shared(cls: type[Strategy], parameters: MembersParameters) -> dict[str, str]:
    known = {field.name for field in fields(cls.Parameters)}
    return {name: value for name in _SHARED if (value := getattr(parameters, name)) and name in known}


def _check_taken(parameters: MembersParameters) -> None:
    """Raises ValueError for a classifier, or its class, that no member takes; LookupError for an unknown member."""
    taken = {name for member in parameters.names for name in _shared(registry.get(member), parameters)}
    for name in _SHARED:
        if getattr(parameters, name) and name not in taken:
            members = ", ".join(parameters.names)
            raise ValueError(f"parameter {name} is given, and none of {members} takes it: add a member that does")


def by_member(overrides: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Parameters by name, parted: those without a dot, and the JSON of ``settings`` that the others make."""
    settings: dict[str, dict[str, Any]] = {}
    plain: dict[str, Any] = {}
    for name, value in overrides.items():
        member, dot, parameter = name.rpartition(".")
        if dot and parameter not in _SHARED:
            settings.setdefault(member, {})[parameter] = value
        elif parameter in plain and plain[parameter] != value:
            raise ValueError(f"parameter {parameter} is given twice, and a crawl has one classifier at most")
        else:
            plain[parameter] = value
    return plain, json.dumps(settings, ensure_ascii=False, sort_keys=True)


def names_of_members(overrides: Mapping[str, Any]) -> tuple[str, ...]:
    """NAME.PARAMETER of all parameters of the members that are given. Raises ValueError where they cannot be made."""
    members = MembersParameters(**{name: overrides[name] for name in ("members",) if name in overrides})
    of = zip(members.names, made(members), strict=True)
    return tuple(f"{name}.{parameter}" for name, strategy in of for parameter in strategy.parameter_names({}))
