"""The scope of a crawl: rules for URLs, the hosts to stay on, traps, and limits that depend on what was crawled."""

from crawler.scope.scope import Bounds, Scope, scope_of

__all__ = ["Bounds", "Scope", "scope_of"]
