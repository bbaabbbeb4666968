"""Why a crawl fetched a page, or did not: from its journal, and from a replay of its choices."""
