"""The canonical basis of a context's implications, and closures under implications.

Source: Guigues and Duquenne 1986; Ganter 1984 (Two basic algorithms in concept analysis) for the order; Janostik,
Konecny and Krajca 2021 (LinCbO: fast algorithm for computation of the Duquenne-Guigues basis) for walking it as a
Close-by-One tree. LinClosure: Beeri and Bernstein 1979.

A set P of attributes is a *pseudo-intent* if it is no intent and contains the closure of every pseudo-intent properly
inside it. The implications P -> P'' of all pseudo-intents are sound, complete, and no complete set is smaller.
Intents and pseudo-intents together are the closed sets of a closure operator; the tree visits them in lectic order, so
that whatever lies inside a set is known when the set's turn comes.

Not from the source: a set X + j has to be checked only against implications whose premise has a new attribute; and an
attribute i < j that X + j forced in is remembered, as every superset without i fails by it too (the idea of Outrata and
Vychodil's FCbO 2012). With a minimal support the walk ends at rarer sets: these have only rarer ones below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ontology.context import ContextError, FormalContext, bits_of

LIMIT = 200_000


class BasisTooLarge(ContextError):  # noqa: N818 - says what is wrong, as ContextError's callers expect
    """More intents and pseudo-intents than allowed; ``found`` were visited, ``implications`` among them."""

    def __init__(self, found: int, implications: int, limit: int) -> None:
        super().__init__("lattice.basis_large", found=found, implications=implications, limit=limit)
        self.found, self.implications, self.limit = found, implications, limit


@dataclass(frozen=True, slots=True)
class Implication:
    """A rule: objects with all attributes of ``premise`` have all of ``conclusion`` (disjoint bitsets of attributes).

    ``support`` is the number of objects that have them; 0 for a premise that no object has.
    """

    premise: int
    conclusion: int
    support: int


@dataclass(frozen=True)
class Basis:
    """Implications of a context with at least ``min_support`` objects, in lectic order of their premises."""

    context: FormalContext
    min_support: int
    implications: tuple[Implication, ...]

    def __len__(self) -> int:
        return len(self.implications)

    def close(self, attribute_bits: int) -> int:
        """Return the least superset of a bitset of attributes that respects all implications.

        With ``min_support`` 0 it is the closure of the context, B''.
        """
        return self._linear.close(attribute_bits)

    def named(self) -> list[tuple[tuple[str, ...], tuple[str, ...], int]]:
        """Return (premise, conclusion, support) of each implication by attribute names."""
        names = self.context.attribute_names
        return [(names(i.premise), names(i.conclusion), i.support) for i in self.implications]

    @cached_property
    def _linear(self) -> LinClosure:
        return LinClosure([(i.premise, i.conclusion) for i in self.implications])


class LinClosure:
    """Closure under implications in linear time: a counter per implication of the attributes that its premise lacks.

    >>> LinClosure([(0b001, 0b010), (0b010, 0b100)]).close(0b001)
    7
    """

    def __init__(self, implications: Sequence[tuple[int, int]]) -> None:
        self._conclusions = [conclusion for _, conclusion in implications]
        self._missing = [premise.bit_count() for premise, _ in implications]
        self._always = [i for i, missing in enumerate(self._missing) if not missing]
        self._of: dict[int, list[int]] = {}
        for i, (premise, _) in enumerate(implications):
            for m in bits_of(premise):
                self._of.setdefault(m, []).append(i)

    def close(self, attribute_bits: int) -> int:
        """Return the least superset of a bitset that respects the implications."""
        missing = self._missing.copy()
        result = attribute_bits
        for i in self._always:
            result |= self._conclusions[i]
        agenda = result
        while agenda:
            low = agenda & -agenda
            agenda ^= low
            for i in self._of.get(low.bit_length() - 1, ()):
                missing[i] -= 1
                if not missing[i]:
                    new = self._conclusions[i] & ~result
                    result |= new
                    agenda |= new
        return result


def canonical_basis(
    context: FormalContext,
    *,
    min_support: int = 0,
    limit: int = LIMIT,
    watch: Callable[[int], None] | None = None,
) -> Basis:
    """Compute the canonical basis (Duquenne-Guigues) of a context, or its implications with a minimal support.

    Args:
        context: the formal context.
        min_support: smallest number of objects with the premise; 0 for the whole basis. 1 leaves out the combinations
            that never occur, which imply everything; in sparse contexts these are most.
        limit: largest number of intents and pseudo-intents to visit.
        watch: callback, called repeatedly with the number visited so far.

    Returns:
        The implications, in lectic order of their premises.

    Raises:
        BasisTooLarge: the limit was exceeded.
        ContextError: ``min_support`` is negative or more than the number of objects.

    >>> context = FormalContext(("d1", "d2", "d3"), ("rain", "storm", "flood"), (0b011, 0b001, 0b100))
    >>> basis = canonical_basis(context)
    >>> basis.named()
    [(('storm',), ('rain',), 1), (('rain', 'flood'), ('storm',), 0)]
    >>> context.attribute_names(basis.close(context.attribute_bits(["storm"])))
    ('rain', 'storm')
    """
    n = len(context.objects)
    if not 0 <= min_support <= n:
        raise ContextError("lattice.minimal_support_expected_number", n=n, min_support=min_support)
    walk = _Walk(context, min_support)
    for visited in walk.run():
        if visited > limit:
            raise BasisTooLarge(visited, len(walk.found), limit)
        if watch is not None and visited % 1024 == 0:
            watch(visited)
    return Basis(context, min_support, walk.implications())


@dataclass(slots=True)
class _Node:
    """An intent X with extent A, made by adding y. ``j`` is the attribute to add next, from the last down to y + 1.

    ``failed[j]`` has attributes before j that X + j forces in: while one of them is missing, j can't be added.
    """

    X: int
    A: int
    y: int
    j: int
    failed: list[int]


class _Walk:
    """The tree of intents and pseudo-intents. Attributes are numbered by falling support, here only.

    The first attribute is the most significant one of the lectic order.
    """

    def __init__(self, context: FormalContext, min_support: int) -> None:
        m = self.m = len(context.attributes)
        self.order = sorted(range(m), key=lambda j: -context.columns[j].bit_count())
        place = {j: k for k, j in enumerate(self.order)}
        self.columns = [context.columns[j] for j in self.order]
        self.rows = [sum(1 << place[j] for j in bits_of(row)) for row in context.rows]
        self.min_support = min_support
        self.found: list[tuple[int, int, int]] = []
        self.of: list[list[tuple[int, int]]] = [[] for _ in range(m)]

    def implications(self) -> tuple[Implication, ...]:
        """Return the implications found, with the context's numbers of attributes."""
        back = [(sum(1 << self.order[k] for k in bits_of(p)), sum(1 << self.order[k] for k in bits_of(c)), s)
                for p, c, s in self.found]  # fmt: skip
        return tuple(Implication(*i) for i in sorted(back, key=lambda i: f"{i[0]:0{self.m}b}"[::-1]))

    def run(self) -> Iterator[int]:
        """Visit all sets; yield the number visited so far. ``found`` grows."""
        visited = 1
        stack: list[_Node] = []
        self._visit(stack, None, 0, -1, (1 << len(self.rows)) - 1)
        yield visited
        while stack:
            node = stack[-1]
            j = node.j
            if j == node.y:
                stack.pop()
                continue
            node.j -= 1
            if node.X >> j & 1 or node.failed[j] & ~node.X:
                continue
            A = node.A & self.columns[j]
            if A.bit_count() < self.min_support:
                continue
            Z, early = self._forced(node.X, j)
            if early:
                node.failed[j] |= early
                continue
            visited += 1
            yield visited
            self._visit(stack, node, Z, j, A)

    def _forced(self, X: int, j: int) -> tuple[int, int]:
        """Return X + j with all that the implications force in, and what of that comes before j (then it stops).

        X is an intent, so that only implications with a new attribute in the premise apply.
        """
        Z = X | 1 << j
        before = (1 << j) - 1 & ~X
        agenda = 1 << j
        while agenda:
            low = agenda & -agenda
            agenda ^= low
            for premise, conclusion in self.of[low.bit_length() - 1]:
                if not premise & ~Z and conclusion & ~Z:
                    agenda |= conclusion & ~Z
                    Z |= conclusion
                    if Z & before:
                        return Z, Z & before
        return Z, 0

    def _visit(self, stack: list[_Node], parent: _Node | None, Z: int, y: int, A: int) -> None:
        """Visit the intent or pseudo-intent Z and push its closure, if what it adds does not come before y."""
        closure = (1 << self.m) - 1
        for g in bits_of(A):
            closure &= self.rows[g]
            if not closure & ~Z:
                break
        new = closure & ~Z
        if new:
            self.found.append((Z, new, A.bit_count()))
            for k in bits_of(Z):
                self.of[k].append((Z, new))
        early = new & (1 << max(y, 0)) - 1
        if early and parent is not None:  # every closed set above Z has all of the closure
            parent.failed[y] |= early
            return
        stack.append(_Node(closure, A, y, self.m - 1, parent.failed.copy() if parent else [0] * self.m))
