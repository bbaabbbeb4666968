"""The optional parts of an outcome that are read from the record of its page: dates in the text, and tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from crawler.model import Ids
from crawler.pages.dates import date_in_text, day_number
from crawler.pages.page import PageRecord
from crawler.pages.tokens import PageTokens


def parts_of(record: PageRecord, rows: Ids, parts: Sequence[str]) -> dict[str, Any]:
    """Return fields of Outcome.

    Args:
        record: the page.
        rows: the row of each of ``out_links`` among the links of the record, shape (m,).
        parts: the parts that the strategy needs.
    """
    fields = dict[str, Any]()
    if "segment_dates" in parts:
        days = [day_number(date_in_text(record.links[row].context)) for row in rows.tolist()]
        fields["segment_dates"] = np.asarray(days, dtype=np.float64)
    if record.tokens is not None:
        fields |= {name: rows_of for name, rows_of in _token_rows(record.tokens, rows).items() if name in parts}
    return fields


def _token_rows(tokens: PageTokens, rows: Ids) -> dict[str, Any]:
    return {
        "tokens": tokens.page,
        "anchor_tokens": tokens.anchors.rows(rows),
        "context_tokens": tokens.contexts(rows),
        "url_tokens": tokens.urls.rows(rows),
    }
