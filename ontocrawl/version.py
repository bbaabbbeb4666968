"""The version of ontocrawl, for the package, its files and what is built of it."""

__version__ = "1.0.1"
