"""A crawl by Scrapy, which `benchmarks.crawl` runs by a Python that has it. Prints pages and seconds as JSON.

    python benchmarks/scrapy_spider.py PAGES IN_FLIGHT seen FIRST_URL
    python benchmarks/scrapy_spider.py PAGES IN_FLIGHT listed FIRST_URL

reads the URLs of a list from its input. With ``seen`` it follows the links of the pages, each once by the default
filter; with ``listed`` it takes the links of the pages of the list without following them, and filters nothing.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any


def settings(pages: int, in_flight: int) -> dict[str, Any]:
    """No delays and no cache, robots.txt obeyed."""
    return {
        "LOG_LEVEL": "WARNING",
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": in_flight,
        "CONCURRENT_REQUESTS_PER_DOMAIN": in_flight,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "HTTPCACHE_ENABLED": False,
        "COOKIES_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "CLOSESPIDER_PAGECOUNT": pages,
    }


def main() -> int:
    """Crawl."""
    pages, in_flight, mode, first = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    scrapy, extractor = import_module("scrapy"), import_module("scrapy.linkextractors").LinkExtractor()
    chosen, read = settings(pages, in_flight), [0, 0]
    urls = [first]
    if mode == "listed":
        urls = sys.stdin.read().split()[:pages]
        chosen |= {"DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter", "CLOSESPIDER_PAGECOUNT": 0}

    def parse(self: Any, response: Any) -> Any:
        links = extractor.extract_links(response)
        read[0] += 1
        read[1] += len(links)
        if mode == "seen":
            for link in links:
                yield scrapy.Request(link.url, self.parse)

    spider = type("Loopback", (scrapy.Spider,), {"name": "loopback", "start_urls": urls, "parse": parse})
    process = import_module("scrapy.crawler").CrawlerProcess(chosen)
    crawler = process.create_crawler(spider)
    process.crawl(crawler)
    process.start()
    seconds = crawler.stats.get_value("elapsed_time_seconds")
    print(json.dumps({"fetched": read[0], "links": read[1], "seconds": seconds}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
