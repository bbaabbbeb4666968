"""The tokens of pages: words, topic weights, the places of links, the journal that keeps them."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from crawler.journal import token_reading
from crawler.journal.token_rows import _packed, unpacked
from crawler.model import Failure, ParsedPage, Response, TokenRows
from crawler.pages.parse import parse
from crawler.pages.plain_pages import RECORD_TYPE
from crawler.pages.tokens import AROUND, PageTokens, Tokenizer, token
from crawler.text import Matcher, Vocabulary, Word
from tests.crawler import webs

TK = Vocabulary(
    "TK", (Word("rain", 0.8, (("en", "heavy rain"), ("zh", "暴雨"))), Word("flood", 0.5, (("en", "flood"),)))
)
TOKENIZER = Tokenizer(Matcher((TK,)))
SITE = "http://x.cn/"


def page_of(html: str, noindex: bool = False) -> PageTokens:
    headers = {"content-type": "text/html"} | ({"x-robots-tag": "noindex"} if noindex else {})
    document = parse(Response(SITE, 200, headers, html.encode()))
    assert isinstance(document, ParsedPage)
    return TOKENIZER.page(document)


def read(tokens: PageTokens, rows: TokenRows) -> list[list[str]]:
    word = {token(word): word for word in tokens.words}
    return [[word[i] for i in rows.ids[a:b].tolist()] for a, b in zip(rows.indptr, rows.indptr[1:], strict=False)]


def test_words_are_folded_and_chinese_is_cut() -> None:
    rows = TOKENIZER.rows(["Heavy-Rain’s END", "", "北京市发布预警 2013"], words := {})
    assert list(words) == ["heavy", "rain", "s", "end", "北京市", "发布", "预警", "2013"]
    assert rows.indptr.tolist() == [0, 4, 4, 8] and rows.ids.dtype == np.int32


def test_forms_of_an_english_word_are_one_token() -> None:
    rows = TOKENIZER.rows(["whale whales", "Mice MOUSE", "gas us species"], words := {})
    assert rows.ids.tolist() == [token(word) for word in ("whale", "whale", "mouse", "mouse", "gas", "us", "species")]
    assert len(set(rows.ids.tolist())) == 5
    assert list(words) == ["whale", "whales", "mice", "mouse", "gas", "us", "species"]  # as written


def test_the_place_of_a_link_is_where_its_anchor_stands_as_written() -> None:
    body = b"""{"title": "Sea", "text": "A blue whale sings. Blue whales eat krill.", "links": [{"url": "http://x.cn/1",
        "anchor": "Blue whales"}, {"url": "http://x.cn/2", "anchor": "Krills"}]}"""
    document = parse(Response(SITE, 200, {"content-type": RECORD_TYPE}, body))
    assert not isinstance(document, Failure)
    tokens = TOKENIZER.page(document)
    assert tokens.places.tolist() == [[5, 7], [-1, -1]]
    assert tokens.page.ids[2:4].tolist() == tokens.page.ids[5:7].tolist()  # blue whale, blue whales


def test_the_weight_of_a_topic_word_is_shared_by_its_tokens() -> None:
    rows = TOKENIZER.rows(["no rain", "heavy rain and floods", "heavy", "rain"])
    assert rows.topic.tolist() == pytest.approx([0, 0, 0.4, 0.4, 0, 0.5, 0, 0])
    assert rows.rows(np.array([1, 0])).topic.tolist() == pytest.approx([0.4, 0.4, 0, 0.5, 0, 0])


def test_counts_and_topic_weights_are_of_the_same_matches() -> None:
    texts = ["Floods: 暴雨成灾，暴雨", "heavy\nrain heavy", "x\x00flood"]
    counts = Matcher((TK,)).count_many(texts)["TK"]
    rows = TOKENIZER.rows(texts)
    of_each = [rows.topic[a:b].sum() for a, b in zip(rows.indptr, rows.indptr[1:], strict=False)]
    assert of_each == pytest.approx((counts @ TK.weights).tolist(), abs=1e-6)


def test_a_context_is_fifteen_tokens_on_either_side_of_the_anchor_in_html() -> None:
    before, after = [f"v{i}" for i in range(20)], [f"n{i}" for i in range(20)]
    # Folding changes the number of characters before the anchors: hyphens go, dots and the sharp s become more.
    html = f"""<title>A title</title><p>Straße… heavy-rain {" ".join(before)} <a href=/d/flood.html?id=7>The
        <b>great</b> flood</a> {" ".join(after)}<div><img src=x><a href=/p><img alt="a picture"></a></div>end"""
    tokens = page_of(html)
    contexts = read(tokens, tokens.contexts(np.arange(2)))
    assert contexts[0] == before[-AROUND:] + after[:AROUND]
    assert contexts[1] == [*after[-AROUND:], "end"]
    assert read(tokens, tokens.anchors) == [["the", "great", "flood"], ["a", "picture"]]
    assert read(tokens, tokens.urls) == [["d", "flood", "html", "id", "7", "x.cn/d/"], ["p", "x.cn/"]]


def test_the_links_of_a_text_are_looked_for_after_its_title() -> None:
    body = b"""{"title": "Rain", "text": "Snow. The rain forest and Rain.", "links": [{"url": "http://x.cn/1",
        "anchor": "Rain"}, {"url": "http://x.cn/2", "anchor": "Rain Forest"},
        {"url": "http://x.cn/3", "anchor": "Ice"}]}"""
    document = parse(Response(SITE, 200, {"content-type": RECORD_TYPE}, body))
    assert not isinstance(document, Failure)
    tokens = TOKENIZER.page(document)
    assert tokens.places.tolist() == [[3, 4], [3, 5], [-1, -1]]
    assert read(tokens, tokens.contexts(np.array([1, 2]))) == [["rain", "snow", "the", "and", "rain"], []]


def test_a_page_that_forbids_to_use_its_text_has_the_tokens_of_its_links_only() -> None:
    tokens = page_of("<p>some text <a href=/a>flood</a>", noindex=True)
    assert len(tokens.page.ids) == 0 and read(tokens, tokens.anchors) == [["flood"]]
    assert set(tokens.words) == {"flood", "a", "x.cn/"} and len(tokens.contexts(np.array([0])).ids) == 0


def test_packed_tokens_come_back_without_their_words() -> None:
    tokens = page_of("<p>heavy rain <a href=/a>flood</a> here")
    again = unpacked(_packed(tokens))
    for name in ("page", "anchors", "urls"):
        kept, came = getattr(tokens, name), getattr(again, name)
        for field in ("ids", "indptr", "topic"):
            assert np.array_equal(getattr(kept, field), getattr(came, field))
            assert getattr(kept, field).dtype == getattr(came, field).dtype
    assert np.array_equal(tokens.places, again.places) and again.words == ()
    assert pickle.loads(pickle.dumps(TOKENIZER)).rows(["flood"]).topic.tolist() == [0.5]


def test_only_runs_that_ask_keep_tokens(tmp_path: Path) -> None:
    journals = {}
    for strategy in ("best_first", "evidence_sum"):
        crawl = webs.make(strategy, tmp_path / f"{strategy}.db", pages=5)
        crawl.begin({})
        records = [step.record for step in crawl.steps()]
        assert all((record.tokens is not None) == (strategy == "evidence_sum") for record in records)
        journals[strategy] = crawl.journal
    tables = "SELECT count(*) FROM sqlite_master WHERE name IN ('token', 'page_token')"
    assert [next(journal.query(tables))[0] for journal in journals.values()] == [0, 2]
    words = [word for record in records if record.tokens for word in record.tokens.words]
    assert token_reading.words(journals["evidence_sum"], map(token, words)) == {token(word): word for word in words}
    assert token_reading.words(journals["best_first"], [1]) == {}
    for journal in journals.values():
        journal.close()


@pytest.mark.slow
def test_processes_that_parse_cut_the_same_tokens(tmp_path: Path) -> None:
    one = webs.whole("evidence_sum", tmp_path / "one.db", pages=12)
    assert webs.whole("evidence_sum", tmp_path / "two.db", pages=12, parsers=1, in_flight=1) == one
