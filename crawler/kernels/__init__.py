"""The arithmetic of the metaheuristics, one method per file: pure functions and small objects, independent of a crawl.

The strategies (crawler/strategies) use them; tests compare each with its theory.
"""
