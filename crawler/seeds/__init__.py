"""Seeds from sitemaps, feeds and saved result pages: each source is read to what it has, and says what it left."""

from crawler.seeds.reader import SeedReader
from crawler.seeds.report import SourceReport
from crawler.seeds.source import SeedError, Source, parse_source

__all__ = ["SeedError", "SeedReader", "Source", "SourceReport", "parse_source"]
