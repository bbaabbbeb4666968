"""The arithmetic of the metaheuristics, one idea a file: pure functions and small values that know no crawl.

Strategies (crawler/strategies) put them to use; tests hold each against its theory.
"""
