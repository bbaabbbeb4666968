"""FIMI transactions as .dat: one object a line, the numbers of its items separated by blanks.

Source: the Frequent Itemset Mining Implementations repository (fimi.uantwerpen.be/data). The format holds numbers only:
objects are named by their line from 1, attributes by their number. A context with other names is refused by `render`;
`numbered` makes one that fits.
"""

from __future__ import annotations

from ontology.context import ContextError, FormalContext, bits_of

MOST_DIGITS = 18
"""Largest number of digits of an item."""


def parse(text: str, file: str) -> FormalContext:
    r"""Parse the text of a .dat file; an empty line is an object without attributes.

    Arguments and errors are those of every format (`ontology.formats`).

    >>> parse("1 3\n3\n", "items.dat").attributes
    ('1', '3')
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    items = [_items(line, f"{file}, line {i}") for i, line in enumerate(lines, 1)]
    numbers = sorted(set().union(*items))
    position = {number: j for j, number in enumerate(numbers)}
    rows = tuple(sum(1 << position[number] for number in row) for row in items)
    objects = tuple(str(i) for i in range(1, len(lines) + 1))
    try:
        return FormalContext(objects, tuple(str(n) for n in numbers), rows)
    except ContextError as error:
        raise ContextError("formats.seeds_line", file=file, error=error) from error


def render(context: FormalContext) -> str:
    r"""Format a context as the text of a .dat file.

    Raises:
        ContextError: names that aren't numbers in their order, or an attribute without objects.

    >>> render(numbered(FormalContext(("d1", "d2"), ("rain", "flood"), (3, 1))))
    '1 2\n1\n'
    """
    n = len(context.objects)
    if context.objects != tuple(str(i) for i in range(1, n + 1)):
        raise ContextError("formats.dat_file_names_objects", n=n, objects=context.objects[0], advice=_ADVICE)
    numbers = [int(a) if a.isascii() and a.isdecimal() else -1 for a in context.attributes]
    for number, name in zip(numbers, context.attributes, strict=True):
        if str(number) != name:
            raise ContextError("formats.dat_file_holds_numbers", name=name, advice=_ADVICE)
    if numbers != sorted(numbers) or not all(context.columns):
        raise ContextError("formats.dat_file_needs_attributes", advice=_ADVICE)
    return "".join(" ".join(context.attributes[j] for j in bits_of(row)) + "\n" for row in context.rows)


def numbered(context: FormalContext) -> FormalContext:
    """Return the context with objects and attributes renamed 1, 2, ...; attributes without objects are left out."""
    used = context.restricted(attribute_bits=sum(1 << j for j, column in enumerate(context.columns) if column))
    objects = tuple(str(i) for i in range(1, len(used.objects) + 1))
    return FormalContext(objects, tuple(str(j) for j in range(1, len(used.attributes) + 1)), used.rows)


_ADVICE = "write .cxt, .csv or .json, or number the names first (ontology.formats.dat.numbered)"


def _items(line: str, where: str) -> set[int]:
    items: set[int] = set()
    for word in line.split():
        if not (word.isascii() and word.isdecimal() and len(word) <= MOST_DIGITS):
            raise ContextError("formats.expected_item_numbers_separated", where=where, word=word[:40])
        items.add(int(word))
    return items
