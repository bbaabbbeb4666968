"""The screen of the review, by its exact text; widths, cut sentences, what others wrote into terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from rich.cells import cell_len

from ontocrawl.cli.output import stdout
from ontocrawl.enrichment import screen
from ontocrawl.enrichment.screen import View
from ontocrawl.enrichment.session import Session
from ontocrawl.terminal.dialogue import Choice, Line, Question, cursor_cell
from ontocrawl.terminal.keys import Typed
from ontology.enrichment import PageSentence, Proposal
from tests.ontocrawl.enrichment.review_samples import FIRST, concept, relation

PATH = ("暴雨灾害", "次生灾害", "洪涝", "城市内涝")
TITLES = {"http://b.example/x": "海绵城市建设的十年：从试点到推广的经验与教训回顾"}
ENGLISH = {"城市内涝": "urban waterlogging"}
VIEW = View(
    concept(),
    3,
    30,
    accepted=1,
    rejected=1,
    path=PATH,
    present=("道路积水", "地下空间进水"),
    english=ENGLISH,
    titles=TITLES,
)
KEYS = [
    "a accept  r reject  n rename  m move  s same as  l later  u undo  e evidence",
    "h help  q quit",
]


class Shown(Session):
    """A review of one proposal, whose place and titles are given."""

    def __init__(self, view: View, first: int = 0, message: str = "") -> None:
        super(Session, self).__init__(view.language)
        self.view, self.first, self.message = view, first, message

    @property
    def current(self) -> Proposal:
        return self.view.suggestion

    def head(self, width: int) -> Iterator[Line]:
        return screen.head(self.view, width)

    def body(self, width: int, room: int | None, *, colour: bool) -> tuple[Sequence[Line], int]:
        return screen.evidence(self.view, width, room, self.first, colour=colour)


def lines(view: View, message: str = "", first: int = 0, asked: Question | None = None) -> list[str]:
    return Shown(view, first, message).render(asked=asked).split("\n")


def test_a_new_class() -> None:
    assert lines(VIEW, "内涝: accepted") == [
        "rainstorm  3/30                                  1 accepted, 1 rejected, 0 later",
        "-" * 80,
        "海绵城市                                                               new class",
        "parent    城市内涝 (urban waterlogging)",
        "because   海绵城市等城市内涝",
        "path      暴雨灾害 > 次生灾害 > 洪涝 > 城市内涝",
        "beside    2: 道路积水, 地下空间进水",
        "found on  12 pages, score 12.31; in 2 crawls: first (10 pages), second (2 pages)",
        "-" * 80,
        "1 专家认为，单靠[海绵城市]难以消化特大暴雨，仍需骨干排水通道兜底。",
        "  2026-11-01  http://news.example/2026/07/21/story_118064.html",
        "2 The sponge city programme, [海绵城市], was started in 2014 after heavy urban",
        "  flooding in many of the large cities of the country and its neighbours.",
        "  2026-11-02  海绵城市建设的十年：从试点到推广的经验与教训..  http://b.example/x",
        *[""] * 7,
        "内涝: accepted",
        *KEYS,
    ]


def test_the_same_in_chinese() -> None:
    shown = lines(replace(VIEW, language="zh", suggestion=replace(concept(), sentences=(FIRST,))))
    assert len(shown) == 24
    assert shown[:11] == [
        "rainstorm  3/30                                           接受 1，拒绝 1，以后 0",
        "-" * 80,
        "海绵城市                                                                    新类",
        "上位类  城市内涝",
        "依据    海绵城市等城市内涝",
        "路径    暴雨灾害 > 次生灾害 > 洪涝 > 城市内涝",
        "同级类  2: 道路积水, 地下空间进水",
        "出处    12 个网页，得分 12.31；2 次爬取：first（10 页）, second（2 页）",
        "-" * 80,
        "1 专家认为，单靠[海绵城市]难以消化特大暴雨，仍需骨干排水通道兜底。",
        "  2026-11-01  http://news.example/2026/07/21/story_118064.html",
    ]
    assert shown[-2:] == ["a 接受  r 拒绝  n 改名  m 移动  s 合并  l 以后  u 撤销  e 更多证据  h 帮助", "q 退出"]


def test_an_unplaced_term_and_one_whose_parent_is_gone() -> None:
    unplaced = lines(replace(VIEW, suggestion=concept(target="", label=""), path=(), present=()))
    assert unplaced[3] == "parent    none found; m chooses one, a accepts it without"
    assert unplaced[4].startswith("found on  ")
    gone = lines(replace(VIEW, path=(), present=(), is_gone=True))
    assert gone[3] == "parent    城市内涝 is no class any more: m chooses another"


def test_a_relation_has_no_keys_for_names_and_places() -> None:
    shown = lines(replace(VIEW, suggestion=relation()))
    assert shown[2].startswith("暴雨 may cause 城市内涝 (urban waterlogging)") and shown[2].endswith(" relation")
    assert shown[-1] == "a accept  r reject  l later  u undo  e evidence  h help  q quit"
    assert not any(line.startswith(("parent", "beside")) for line in shown)
    dialogue = Shown(replace(VIEW, suggestion=relation()))
    assert dialogue.reply("m 洪水", stdout) and dialogue.message.startswith("a relation is accepted or rejected")


def test_a_question_stands_in_place_of_the_keys() -> None:
    choices = (Choice("城市内涝", "城市内涝 (urban waterlogging)", PATH), Choice("洪涝", "洪涝", PATH[:3]))
    question = Question("The parent of 海绵城市:", Typed("城市", 1), choices)
    shown = lines(VIEW, "there is no class", asked=question)
    assert shown[-5:] == [
        "there is no class",
        "The parent of 海绵城市:",
        " 1 城市内涝 (urban waterlogging)   暴雨灾害 > 次生灾害 > 洪涝 > 城市内涝",
        " 2 洪涝   暴雨灾害 > 次生灾害 > 洪涝",
        "> 城市",
    ]
    assert len(shown) == 24 and cursor_cell(question.typed, 80) == 4, "the cursor is behind the first wide character"


def test_a_long_answer_is_moved_so_that_the_cursor_is_in_sight() -> None:
    question = Question("?", Typed("很" * 60, 60))
    shown = lines(VIEW, asked=question)
    assert shown[-1] == "> " + "很" * 38 and cursor_cell(question.typed, 80) == 78


def test_help_explains_each_key() -> None:
    dialogue = Shown(VIEW)
    dialogue.is_help = True
    shown = dialogue.render().split("\n")
    assert " r it is not so; no later crawl proposes it again" in shown
    assert [line[1] for line in shown[9:19]] == list("arnmsluehq")


def test_long_sentences_are_cut_around_the_term() -> None:
    text = "前文" * 100 + "海绵城市" + "后文" * 5000
    one = replace(concept(), sentences=(PageSentence(text, "http://a.example/", 200, 204),))
    shown = lines(replace(VIEW, suggestion=one))
    sentence = shown[9] + shown[10].strip()
    assert sentence.startswith("1 ..前文") and "前文[海绵城市]后文" in sentence and sentence.endswith("后文..")
    assert shown[11] == "  http://a.example/"


def test_more_sentences_than_fit_are_counted_and_shown_next() -> None:
    sentences = tuple(replace(FIRST, url=f"http://a.example/{n}") for n in range(9))
    view = replace(VIEW, suggestion=replace(concept(), sentences=sentences))
    _, fit = screen.evidence(view, 80, 12, 0, colour=False)
    assert fit == 5 and lines(view)[9 + 2 * fit] == "sentences 1 to 5 of 9 (e)"
    following = lines(view, first=fit)
    assert following[9].startswith("6 ") and "sentences 6 to 9 of 9 (e)" in following
    assert "http://a.example/8" in Shown(view).render(height=None)
    assert screen.evidence(view, 80, 12, fit, colour=False)[1] == 0, "after the last ones come the first"


@pytest.mark.parametrize("width", [40, 60, 80, 133])
@pytest.mark.parametrize("height", [6, 12, 24, 50])
def test_no_line_is_wider_and_none_too_many(width: int, height: int) -> None:
    label = "特别长的类名" * 30
    question = Question("问题" * 80, Typed("输入" * 80, 160), (Choice(label, label, (label,) * 9),))
    one = replace(concept("术语" * 60, label=label), reason="理由" * 99, sentences=(FIRST,) * 30)
    for asked in (None, question):
        for colour in (False, True):
            view = replace(VIEW, suggestion=one, path=(label,) * 20, present=(label,) * 9)
            shown = Shown(view, message="长" * 90).render(width, height, asked=asked, colour=colour).split("\n")
            assert len(shown) <= max(height, 6)
            if not colour:
                assert max(map(cell_len, shown)) <= width


def test_the_reason_is_told_in_chinese() -> None:
    one = replace(concept(), reason="ends with 城市")
    assert "以“城市”结尾" in Shown(replace(VIEW, suggestion=one, language="zh")).render(80, 24, colour=False)


def test_what_pages_wrote_cannot_move_the_cursor() -> None:
    nasty = "\x1b[2J\u202e海绵\x07城市\r\n"
    sentence = PageSentence(f"单靠{nasty}难以", "http://a.example/\x1b[0m", 2, 2 + len(nasty))
    one = replace(concept(), term=nasty, target_label="\x1b[1mX", sentences=(sentence,), reason="\x9b31m")
    shown = Shown(replace(VIEW, suggestion=one, path=("\x1b]0;t\x07X",), titles={})).render()
    assert "\x1b" not in shown and "\x9b" not in shown and "\u202e" not in shown and "\r" not in shown
    assert "1 单靠[海绵 城市]难以" in shown


def test_a_coloured_term_has_no_brackets() -> None:
    shown = Shown(VIEW).render(colour=True)
    assert "单靠\x1b[1;7m海绵城市\x1b[0m难以" in shown
