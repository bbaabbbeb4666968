"""What a fetched page says: its character set, text segments, links, dates, content blocks, class."""
