"""Fetching of a URL: redirects, robots.txt, politeness, and the rules for URLs in scope."""
