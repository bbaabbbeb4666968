"""Parts of the checks in crawler.testing: a planted web, rehearsed crawls of it, and their comparison."""
