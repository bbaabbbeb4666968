"""Focused crawling: worlds, scoring, frontier, strategies, loop and journal."""
