"""Complete binary trees over the frontier: O(log n) roulette draw and O(log n) best link.

Inner node i has the children 2i and 2i+1; leaf j is node capacity + j. A parent is always recomputed from its two
children, so that sums do not drift however often a leaf changes (a Fenwick tree would accumulate rounding errors).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

import numpy as np

from crawler.model import Floats, Ids

_Combine = Callable[[Floats, Floats], Floats]


class _Tree:
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
        """Every inner node anew, level by level."""
        node, level = self._node, self._capacity
        while level > 1:
            level //= 2
            children = node[2 * level : 4 * level]
            node[level : 2 * level] = self._combine(children[::2], children[1::2])

    def set(self, leaves: Ids, values: Floats) -> None:
        """Set distinct leaves; cost O(m log n), never more than O(n)."""
        if len(leaves) == 0:
            return
        top = int(leaves.max()) + 1
        if top > self._capacity:
            self._grow(top)
        node = self._node
        at = leaves + self._capacity
        node[at] = values
        if len(leaves) * self._capacity.bit_length() > self._capacity:
            self._combine_all()
            return
        while at[0] > 1:
            at = at >> 1  # a parent of two changed leaves is computed twice, which is cheaper than to find it out
            node[at] = self._combine(node[2 * at], node[2 * at + 1])

    def get(self, leaves: Ids) -> Floats:
        """Values of the leaves; unset ones have the empty value."""
        values = np.full(len(leaves), self._empty)
        inside = leaves < self._capacity
        values[inside] = self._node[leaves[inside] + self._capacity]
        return values

    @property
    def root(self) -> float:
        return float(self._node[1])


class SumTree(_Tree):
    """Non-negative weights with proportional draws."""

    def __init__(self) -> None:
        super().__init__(0.0, np.add)

    def draw_one(self, rng: np.random.Generator) -> int:
        """One leaf with probability proportional to its weight. Raises ValueError where all weights are 0."""
        if self.root <= 0.0:
            raise ValueError("a draw from weights that are all 0")
        node, at = self._node, 1
        rest = rng.random() * self.root
        while at < self._capacity:
            at *= 2
            left = node[at]
            if rest >= left and node[at + 1] > 0.0:
                rest -= left
                at += 1
        return at - self._capacity

    def draw(self, rng: np.random.Generator, k: int) -> Ids:
        """``k`` independent draws with replacement, shape (k,)."""
        if self.root <= 0.0:
            raise ValueError("a draw from weights that are all 0")
        node = self._node
        at = np.ones(k, dtype=np.int64)
        rest = rng.random(k) * self.root
        size = 1
        while size < self._capacity:
            at *= 2
            left = node[at]
            right = (rest >= left) & (node[at + 1] > 0.0)
            rest = np.where(right, rest - left, rest)
            at += right
            size *= 2
        return at - self._capacity


class MaxTree(_Tree):
    """Values with their maximum; ties go to the smallest leaf (first come, first served)."""

    def __init__(self) -> None:
        super().__init__(-np.inf, np.maximum)

    def best(self) -> int:
        """The smallest leaf that holds the maximum. Raises ValueError where the tree is empty."""
        if self.root == -np.inf:
            raise ValueError("the best of no links")
        node, at, top = self._node, 1, self._node[1]
        while at < self._capacity:
            at *= 2
            if node[at] != top:
                at += 1
        return at - self._capacity

    def top(self, k: int) -> Ids:
        """The ``k`` highest leaves, highest first, equals by number; fewer where the tree holds fewer. O(k log n)."""
        node, found = self._node, list[int]()
        # Disjoint subtrees of equal maximum stand in the order of their first leaf: hence it is the second key.
        heap = [(-self.root, 0, 1, self._capacity)]
        while heap and len(found) < k and heap[0][0] < np.inf:
            _, first, at, size = heapq.heappop(heap)
            if size == 1:
                found.append(first)
                continue
            half = size // 2
            heapq.heappush(heap, (-float(node[2 * at]), first, 2 * at, half))
            heapq.heappush(heap, (-float(node[2 * at + 1]), first + half, 2 * at + 1, half))
        return np.asarray(found, dtype=np.int64)
