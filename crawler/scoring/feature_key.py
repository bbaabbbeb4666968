"""Names of feature columns: KIND, KIND:VOCABULARY, or KIND:VOCABULARY@GUIDE where a crawl has several guides."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True)
class FeatureKey:
    """The name of a column, or a pattern of names such as ``target:LTK_*``.

    >>> FeatureKey.parse("anchor:TK@paper_002")
    FeatureKey(kind='anchor', vocabulary='TK', guide='paper_002')
    >>> str(FeatureKey("pagerank").under("paper_002"))
    'pagerank@paper_002'
    >>> FeatureKey("target", "LTK_1").matches(FeatureKey.parse("target:LTK_*"))
    True
    """

    kind: str
    vocabulary: str = ""
    """Empty for a kind with a single column, such as PageRank."""
    guide: str = ""
    """The relevance function that computes the column; empty where the crawl has only one."""

    @classmethod
    def parse(cls, text: str) -> FeatureKey:
        """Return the key of a name or pattern."""
        column, _, guide = text.partition("@")
        kind, _, vocabulary = column.partition(":")
        return cls(kind, vocabulary, guide)

    @property
    def column(self) -> str:
        """The name without the guide, as strategies write it."""
        return f"{self.kind}:{self.vocabulary}" if self.vocabulary else self.kind

    def __str__(self) -> str:
        return f"{self.column}@{self.guide}" if self.guide else self.column

    def under(self, guide: str) -> FeatureKey:
        """Return the key of the same column computed by another guide."""
        return replace(self, guide=guide)

    def matches(self, pattern: FeatureKey) -> bool:
        """Return whether this column fits a pattern of the same guide, in which ``*`` and ``?`` are wildcards."""
        return self.guide == pattern.guide and fnmatchcase(self.column, pattern.column)
