"""Pages in traditional and simplified characters are judged alike by every relevance function and judge."""

from __future__ import annotations

import csv
import tarfile
from pathlib import Path

import pytest

import ontocrawl
from crawler.scoring.relevance import RELEVANCE
from ontology.terms.wordforms import simplified
from tests.traditional import traditional

DATA = Path(__file__).parents[3] / "shared" / "data"
NEWS, DISASTERS = DATA / "zh_news_html", DATA / "guangdong_disaster_news" / "articles_fulltext_20.csv"
TCM = """\
name = "tcm"
source = "by hand"
relevance = "paper_000"
sigma = 0.7
strict = true
ontologies = []
seeds = []
[label]
zh = "{0}"
en = "traditional Chinese medicine"
[[words]]
weight = 1.0
zh = ["{1}"]
en = []
[[words]]
weight = 0.9
zh = ["{2}"]
en = []
[[words]]
weight = 0.8
zh = ["{3}"]
en = []
"""
PAGE = """<html><head><meta charset="utf-8"><title>针灸学笔记</title></head><body><h1>针灸治疗头痛</h1>
<p>针灸与中药是中医治疗疾病的两种方法。头痛患者先取风池、太阳两个穴位，再按脉象选方剂。</p></body></html>"""
WRITTEN = [
    ("颱風逼近，氣象局發布暴雨警報", "氣象局表示，受颱風外圍環流影響，山區有大暴雨，提醒民眾防範災害。", True),
    ("暴雨成災", "連日暴雨造成多處淹水，災情慘重，消防局呼籲加強預防。", True),
    ("天文臺發出黑色暴雨警告", "香港天文臺指，強降雨令多區出現嚴重水浸，災害造成道路中斷。", True),
    ("豪大雨災後重建", "特大暴雨過後，災區居民清理家園，縣府統計災情損失。", True),
    ("防災教育", "學校舉辦防災講座，說明暴雨與強降水的災害風險，以及如何預防。", True),
    ("股市收盤", "台股今天上漲兩百點，電子類股領漲，投資人信心回升。", False),
    ("新書發表會", "作家昨日舉行新書發表會，與讀者分享創作歷程。", False),
    ("籃球聯賽", "主隊在第四節逆轉獲勝，球員接受訪問時感謝球迷。", False),
    ("餐廳推薦", "這家麵店的牛肉麵湯頭濃郁，麵條彈牙，價格實惠。", False),
    ("捷運新線通車", "捷運新線今天通車，市長與民眾一同搭乘，票價優惠一個月。", False),
]


def topic(path: Path, words: tuple[str, ...] = ("中医", "针灸", "治疗", "中药")) -> ontocrawl.Topic:
    path.write_text(TCM.format(*words), encoding="utf-8")
    return ontocrawl.Topic(path, workspace=path.parent)


def html(title: str, body: str) -> str:
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{body}</p></body></html>"


def test_one_page_in_both_scripts_has_one_relevance(tmp_path: Path) -> None:
    plain, other = topic(tmp_path / "plain.toml"), topic(tmp_path / "other.toml", ("中醫", "針灸", "治療", "中藥"))
    assert pytest.approx(0.9509, abs=1e-4) == plain.score(PAGE).R
    for page in (PAGE, traditional(PAGE), traditional(PAGE, taiwan=True)):
        for one in (plain, other):
            assert one.score(page).R == plain.score(PAGE).R
            for name in RELEVANCE:
                assert one.score(page, judge=name).R == plain.score(PAGE, judge=name).R, name
    assert plain.score(traditional(PAGE, taiwan=True)).title == "針灸學筆記"


@pytest.mark.parametrize(("title", "body", "relevant"), WRITTEN, ids=[title for title, *_ in WRITTEN])
def test_pages_written_in_traditional_characters(title: str, body: str, relevant: bool, tmp_path: Path) -> None:
    page = ontocrawl.Topic("rainstorm", workspace=tmp_path).score(html(title, body))
    assert page.relevant is relevant
    assert page.R == ontocrawl.Topic("rainstorm", workspace=tmp_path).score(html(simplified(title), simplified(body))).R


def converted_differences(pages: list[str], judge: ontocrawl.Topic) -> tuple[list[float], list[float]]:
    """Return R of simplified pages, and by how much R of their two conversions differs from it."""
    plain = [judge.score(page).R for page in pages]
    differences = [
        abs(judge.score(traditional(page, taiwan=taiwan)).R - R)
        for page, R in zip(pages, plain, strict=True)
        for taiwan in (False, True)
    ]
    return plain, differences


@pytest.mark.slow
@pytest.mark.skipif(not DISASTERS.exists(), reason="../shared/data/guangdong_disaster_news is not here")
def test_twenty_articles_on_disasters(tmp_path: Path) -> None:
    with DISASTERS.open(encoding="utf-8-sig", newline="") as file:
        pages = [html(row["title"], row["content"]) for row in csv.DictReader(file)]
    R, differences = converted_differences(pages, ontocrawl.Topic("rainstorm", workspace=tmp_path))
    assert len(R) == 20 and sum(r > 0 for r in R) >= 15
    assert max(differences) < 0.02


@pytest.mark.slow
@pytest.mark.skipif(not NEWS.exists(), reason="../shared/data/zh_news_html is not here")
def test_twenty_saved_pages_of_news(tmp_path: Path) -> None:
    rows = [line.split("\t") for line in (NEWS / "pages.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    wanted = [row[0] for row in rows if row[1] == "article" and row[4] == "utf-8"][:20]
    with tarfile.open(NEWS / "pages.tar.xz") as archive:
        pages = [file.read().decode() for name in wanted if (file := archive.extractfile(name)) is not None]
    judge = topic(tmp_path / "news.toml", ("新闻", "发展", "经济", "记者"))
    R, differences = converted_differences(pages, judge)
    assert len(R) == 20 and sum(r > 0 for r in R) >= 10
    assert max(differences) < 0.02
