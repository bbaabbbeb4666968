"""The base class of all errors, and options that each interface names in its own way."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """An option in an error message: as on the command line, and as in a call from Python.

    >>> Option("--seeds URL").in_python, Option("--limit-pages").in_python, Option("--write", "write=True").in_python
    ('seeds=URL', 'limit_pages=', 'write=True')
    """

    command: str
    python: str = ""
    """By default the name of the option as a keyword, with its value if ``command`` has one."""

    @property
    def in_python(self) -> str:
        """The argument as in a call from Python."""
        name, _, value = self.command.removeprefix("--").partition(" ")
        return self.python or f"{name.replace('-', '_')}={value}"

    def __str__(self) -> str:
        return self.in_python


class OntocrawlError(Exception):
    """Base class of all errors of ontocrawl. The message says what is wrong, where, and what to do.

    The arguments are the parts of the message: texts, options, and errors whose messages are quoted. `str` names
    options as arguments of Python functions, `on_command_line` as options of commands.

    >>> error = OntocrawlError("no seeds: give ", Option("--seeds URL"))
    >>> str(error), error.on_command_line()
    ('no seeds: give seeds=URL', 'no seeds: give --seeds URL')
    """

    def __str__(self) -> str:
        return "".join(map(str, self.args))

    def on_command_line(self) -> str:
        """Return the message with options as on the command line."""
        return "".join(_on_command_line(part) for part in self.args)


def _on_command_line(part: object) -> str:
    if isinstance(part, OntocrawlError):
        return part.on_command_line()
    return part.command if isinstance(part, Option) else str(part)
