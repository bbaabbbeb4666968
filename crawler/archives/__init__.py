"""Archives of crawls: WARC files, written and read, and the index of their records. No page is parsed here."""
