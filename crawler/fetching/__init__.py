"""One fetch of a URL: redirects, robots.txt, politeness, and which URLs are in scope."""
