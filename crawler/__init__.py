"""The focused crawl: worlds, scoring, frontier, strategies, loop and journal."""
