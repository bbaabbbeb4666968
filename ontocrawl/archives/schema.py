"""The tables of an archive, as Arrow schemas. docs/archives.md describes the columns of those that are written."""

from __future__ import annotations

import pyarrow as pa

_PLACE = [("file", pa.string()), ("offset", pa.int64()), ("skip", pa.int64())]
"""Where a record is: its file in the archive, the offset in that file, the unpacked bytes before it in its member."""
_COUNT = pa.struct([
    ("vocabulary", pa.string()), ("word", pa.int32()), ("label", pa.string()), ("slot", pa.string()),
    ("count", pa.int32()),
])  # fmt: skip
_LEAD = pa.struct([("word", pa.int32()), ("count", pa.int32())])

RECORDS = pa.schema([
    *_PLACE, ("url", pa.string()), ("kind", pa.string()), ("date", pa.string()), ("header", pa.string()),
    ("content", pa.binary()), ("reason", pa.string()), ("detail", pa.string()),
])  # fmt: skip
"""Records as they are read: the fields of the header as a JSON object, and the content; or the reason of a loss."""

COUNTED = pa.schema([
    *_PLACE, ("url", pa.string()), ("fetched", pa.string()), ("title", pa.string()), ("language", pa.string()),
    ("published", pa.string()), ("canonical", pa.string()), ("noindex", pa.bool_()), ("characters", pa.int64()),
    ("words", pa.int64()), ("distinct_words", pa.int64()), ("links", pa.int32()), ("content_hash", pa.string()),
    ("simhash", pa.int64()), ("simhash_numbers", pa.int64()), ("counts", pa.list_(_COUNT)), ("lead_words", pa.int32()),
    ("lead", pa.list_(_LEAD)),
])  # fmt: skip
"""Pages without their relevance, which needs the document frequencies of the whole archive."""

PAGES = COUNTED.append(pa.field("relevance", pa.float64())).append(pa.field("relevant", pa.bool_()))

LINKS = pa.schema([
    *_PLACE, ("position", pa.int32()), ("url", pa.string()), ("target", pa.string()), ("anchor", pa.string()),
])  # fmt: skip

TEXTS = pa.schema([*_PLACE, ("url", pa.string()), ("text", pa.string())])
"""The main text of each page, in the order of PAGES."""

FAILURES = pa.schema([*_PLACE, ("url", pa.string()), ("reason", pa.string()), ("detail", pa.string())])
