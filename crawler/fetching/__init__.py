"""Fetching of a URL: redirects, robots.txt and politeness."""
