"""Complete binary trees over the frontier: a roulette draw and the best link, both in O(log n).

Inner node i has the children 2i and 2i+1; leaf j is node capacity + j. A parent is always recomputed from its two
children, so that sums do not drift however often a leaf changes (a Fenwick tree would accumulate rounding errors).

A few leaves are updated and a tree is walked in plain Python over a memoryview: at this size one call of numpy costs
more than twenty steps up a tree.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from crawler.model import Floats, Ids

_Combine = Callable[[Floats, Floats], Floats]
_FEW = 64
"""Number of leaves up to which they are updated one by one."""


class _Tree(ABC):
    """A binary tree of float64 whose inner nodes combine their children."""

    def __init__(self, empty: float, combine: _Combine) -> None:
        self._empty = empty
        self._combine = combine
        self._capacity = 1
        self._node = np.full(2, empty)

    def _grow(self, capacity: int) -> None:
        size = self._capacity
        while size < capacity:
            size *= 2
        leaves = np.full(size, self._empty)
        leaves[: self._capacity] = self._node[self._capacity :]
        self._capacity = size
        self._node = np.full(2 * size, self._empty)
        self._node[size:] = leaves
        self._combine_all()

    def _combine_all(self) -> None:
        """Compute all inner nodes, level by level."""
        node, level = self._node, self._capacity
        while level > 1:
            level //= 2
            children = node[2 * level : 4 * level]
            node[level : 2 * level] = self._combine(children[::2], children[1::2])

    def set(self, leaves: Ids, values: Floats) -> None:
        """Set the values of distinct leaves, shapes (m,), in O(min(m log n, n))."""
        if len(leaves) == 0:
            return
        top = int(leaves.max()) + 1
        if top > self._capacity:
            self._grow(top)
        if len(leaves) <= _FEW:
            view, capacity = self._node.data, self._capacity
            for leaf, value in zip(leaves.tolist(), values.tolist(), strict=True):
                self._set_one(view, capacity + leaf, value)
            return
        node = self._node
        changed = leaves + self._capacity
        node[changed] = values
        if len(leaves) * self._capacity.bit_length() > self._capacity:
            self._combine_all()
            return
        while changed[0] > 1:
            changed = changed >> 1  # a parent of two changed leaves is computed twice, which is cheaper than np.unique
            node[changed] = self._combine(node[2 * changed], node[2 * changed + 1])

    @staticmethod
    @abstractmethod
    def _set_one(node: memoryview[Any], at: int, value: float) -> None:
        """Set node ``at``, a leaf, and its ancestors, up to the first one that keeps its value."""

    def get(self, leaves: Ids) -> Floats:
        """Return the values of leaves, shape (m,); the neutral value for a leaf that is not set."""
        values = np.full(len(leaves), self._empty)
        inside = leaves < self._capacity
        values[inside] = self._node[leaves[inside] + self._capacity]
        return values

    @property
    def root(self) -> float:
        """The combined value of all leaves."""
        return float(self._node[1])


class SumTree(_Tree):
    """Non-negative weights of leaves, with draws proportional to them.

    >>> tree = SumTree()
    >>> tree.set(np.array([0, 1, 2]), np.array([1.0, 0.0, 3.0]))
    >>> tree.root, sorted(set(tree.draw(np.random.default_rng(0), 100).tolist()))
    (4.0, [0, 2])
    """

    def __init__(self) -> None:
        super().__init__(0.0, np.add)

    @staticmethod
    def _set_one(node: memoryview[Any], at: int, value: float) -> None:
        node[at] = value
        while at > 1:
            value += node[at ^ 1]
            at >>= 1
            if node[at] == value:
                return
            node[at] = value

    def draw(self, rng: np.random.Generator, k: int) -> Ids:
        """Draw leaves independently and with replacement, each with probability proportional to its weight.

        Args:
            rng: source of randomness.
            k: number of draws.

        Returns:
            Leaves, shape (k,).

        Raises:
            ValueError: all weights are 0.
        """
        if self.root <= 0.0:
            raise ValueError("cannot draw from weights that are all 0")
        weights = self._node
        nodes = np.ones(k, dtype=np.int64)
        rest = rng.random(k) * self.root
        size = 1
        while size < self._capacity:
            nodes *= 2
            left = weights[nodes]
            right = (rest >= left) & (weights[nodes + 1] > 0.0)
            rest = np.where(right, rest - left, rest)
            nodes += right
            size *= 2
        return nodes - self._capacity


class MaxTree(_Tree):
    """Values of leaves with their maximum; ties go to the smallest leaf.

    >>> tree = MaxTree()
    >>> tree.set(np.array([0, 1, 2, 3]), np.array([0.2, 0.9, 0.5, 0.9]))
    >>> tree.best(), tree.top(3).tolist()
    (1, [1, 3, 2])
    """

    def __init__(self) -> None:
        super().__init__(-np.inf, np.maximum)

    @staticmethod
    def _set_one(node: memoryview[Any], at: int, value: float) -> None:
        node[at] = value
        while at > 1:
            other = node[at ^ 1]
            if other > value:  # noqa: PLR1730 - a call of max takes three times as long
                value = other
            at >>= 1
            if node[at] == value:
                return
            node[at] = value

    def best(self) -> int:
        """Return the smallest leaf that holds the maximum. Raises ValueError where the tree is empty."""
        if self.root == -np.inf:
            raise ValueError("no link is queued")
        maxima, node, capacity = self._node.data, 1, self._capacity
        top = maxima[1]
        while node < capacity:
            node *= 2
            if maxima[node] != top:
                node += 1
        return node - capacity

    def top(self, k: int) -> Ids:
        """Return the at most ``k`` highest leaves, highest first, equals by number, in O(k log n)."""
        maxima, capacity, highest = self._node.data, self._capacity, list[int]()
        # The first leaf is the second key, so that of disjoint subtrees with equal maxima the lower one comes first.
        heap = [(-maxima[1], 0, 1, capacity)]
        while heap and len(highest) < k and heap[0][0] < np.inf:
            _, first, node, size = heapq.heappop(heap)
            while size > 1:  # down to the best leaf; the other halves wait in the heap
                node, size = 2 * node, size // 2
                left, right = maxima[node], maxima[node + 1]
                if left >= right:
                    heapq.heappush(heap, (-right, first + size, node + 1, size))
                else:
                    heapq.heappush(heap, (-left, first, node, size))
                    node, first = node + 1, first + size
            highest.append(first)
        return np.asarray(highest, dtype=np.int64)
