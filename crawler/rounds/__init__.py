"""Crawls in rounds: many links are chosen at once, and their hosts are shared out to tasks that run side by side."""
