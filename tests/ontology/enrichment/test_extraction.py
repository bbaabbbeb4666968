"""Proposals from pages with planted terms; the planting, the junk and the labels are known."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from ontology.enrichment import PageText, Proposal, propose
from ontology.enrichment.labels import Labels
from ontology.model import Concept, Ontology
from ontology.terms.wordforms import normal

PLANTED = ("海绵城市", "列车效应", "雨岛效应", "龙舟水", "叫应机制")
"""The text has 堰塞湖 too, which is not proposed: jieba's dictionary takes it for the name of a place."""
LABELS = (
    ("暴雨灾害", "rainstorm disaster"),
    ("暴雨", "rainstorm"),
    ("城市内涝", "city waterlogging"),
    ("山洪", "mountain torrent"),
    ("泥石流", "debris flow"),
    ("滑坡", "landslide"),
    ("预警信号", "warning signal"),
    ("人员转移", "evacuation"),
    ("水库", "reservoir"),
    ("洪水", "flood"),
    ("台风", "typhoon"),
)
CONCEPTS = tuple(Concept(f"https://example.org/r#{en.title().replace(' ', '')}", zh, en) for zh, en in LABELS)
ONTOLOGY = Ontology("https://example.org/r", "global", "r", "1", CONCEPTS[0].iri, CONCEPTS, ())
IRI = {c.label_zh: c.iri for c in CONCEPTS}

ABOUT = {
    "海绵城市": (
        "{place}把海绵城市的理念写进规划，缓解城市内涝。",
        "近年来，{place}推进海绵城市建设，{n}条道路改造完成。",
        "专家认为海绵城市能减轻{place}的城市内涝。",
        "有了海绵城市，{place}的积水明显减少。",
    ),
    "列车效应": (
        "受列车效应影响，{place}暴雨持续了{n}小时。",
        "这次暴雨的列车效应十分明显，{place}多个站点雨量超过{n}毫米。",
        "气象台分析，雷雨云团先后经过{place}，形成列车效应。",
        "列车效应使{place}的短时雨强很大。",
    ),
    "堰塞湖": (
        "滑坡堵塞河道，{place}形成堰塞湖，下游{n}人转移。",
        "堰塞湖一旦溃决，{place}将面临洪水。",
        "抢险队在{place}监测堰塞湖的水位。",
        "{place}的堰塞湖险情已经解除，库容约{n}万立方米。",
    ),
    "雨岛效应": (
        "研究发现雨岛效应让{place}城区的暴雨多于郊区。",
        "城区扩张之后，{place}出现雨岛效应。",
        "雨岛效应与热岛有关，{place}每年增加{n}次短时强雨。",
        "在{place}，雨岛效应加重了城市内涝。",
    ),
    "龙舟水": (
        "每年端午前后，{place}进入龙舟水时段，暴雨频繁。",
        "今年的龙舟水比往年强{n}%，{place}多地超警。",
        "预计龙舟水将给{place}带来{n}毫米的雨量。",
        "{place}正值龙舟水，请防范山洪。",
    ),
    "叫应机制": (
        "{place}建立健全叫应机制，预警信号直达{n}个村。",
        "气象局对{place}启动叫应机制，夜间转移了群众。",
        "叫应机制要求{place}在{n}分钟内回复。",
        "有了叫应机制，{place}的人员转移更快。",
    ),
}
FILL = (
    "{place}昨天出现暴雨，道路积水{n}厘米。",
    "水库水位上涨，{place}加强巡查。",
    "消防员在{place}救出{n}名被困群众。",
    "预警信号升级之后，{place}的学校停课。",
    "记者从{place}了解到，相关部门已经做好准备。",
    "{place}的洪水正在消退，有关部门开展消毒。",
)
OTHER = (
    "{place}的球队以{n}比一获胜，球迷很高兴。",
    "{place}举办美食节，{n}家餐馆参加。",
    "相关部门在{place}开展消费活动，记者了解到优惠很多。",
    "股市今天下跌{n}点，{place}的投资者保持谨慎。",
    "{place}的电影票房达到{n}万元。",
    "有关部门表示，{place}的旅游收入增加。",
)
PLACES = ("临江", "东岭", "白石镇", "南溪", "云台", "清河", "石桥", "双湖", "柳林", "金沙")
MENU = "首页 新闻中心 联系我们 登录 返回顶部"


def _web(seed: int = 1) -> list[PageText]:
    """60 relevant and 60 other pages on 8 hosts, each with the menu of its host."""
    rng = random.Random(seed)

    def fill(templates: tuple[str, ...], k: int) -> list[str]:
        return [t.format(place=rng.choice(PLACES), n=rng.randint(2, 300)) for t in rng.sample(templates, k)]

    pages = []
    for number in range(120):
        relevant = number % 2 == 0
        host = f"news{number % 8}.example.cn"
        body = fill(FILL if relevant else OTHER, 3)
        if relevant:
            body += fill(ABOUT[PLANTED[number // 2 % len(PLANTED)]], 2)
        rng.shuffle(body)
        text = f"{MENU}\n{host}\n" + "".join(body) + f"\n{host} 版权所有"
        title = f"{body[0][:8]}_江南信息网{number % 8}"
        pages.append(PageText(f"http://{host}/{number}.html", title, text, 0.8 if relevant else 0.1, relevant))
    return pages


def _terms(proposals: list[Proposal]) -> list[str]:
    return [p.term for p in proposals]


@pytest.mark.parametrize("seed", range(1, 7))
def test_planted_chinese_terms_are_proposed(seed: int) -> None:
    proposals = propose(_web(seed), [ONTOLOGY], limit=20)
    assert set(PLANTED) <= set(_terms(proposals)), _terms(proposals)


def test_no_junk_and_no_label_is_proposed() -> None:
    terms = _terms(propose(_web(), [ONTOLOGY], limit=100))
    assert len(terms) == len(set(terms))
    for term in terms:
        assert not any(term in label for label, _ in LABELS), term
        assert "的" not in term
        for junk in (
            "首页",
            "新闻中心",
            "联系我们",
            "登录",
            "顶部",
            "版权",
            "example",
            "江南信息",
            "记者",
            "部门",
            "群众",
        ):
            assert junk not in term, term
        for planted in PLANTED:
            assert term == planted or term not in planted, term


def test_every_proposal_has_its_sentences_with_offsets() -> None:
    pages = {p.url: p for p in _web()}
    proposals = propose(pages.values(), [ONTOLOGY], limit=20)
    terms = [p for p in proposals if p.kind != "relation"]
    for p in terms:
        assert 1 <= len(p.sentences) <= 5
        assert len({s.text for s in p.sentences}) == len(p.sentences)
        assert p.pages >= 2
        assert p.key == p.term
        for sentence in p.sentences:
            assert sentence.text in pages[sentence.url].text or sentence.text in pages[sentence.url].title
            assert sentence.text[sentence.start : sentence.end] == p.term
            assert pages[sentence.url].relevant
    assert all(p.kind == "concept" for p in terms)
    assert [p.score for p in proposals] == sorted((p.score for p in proposals), reverse=True)


def test_a_term_without_a_named_reason_is_unplaced() -> None:
    found = {p.term: p for p in propose(_web(), [ONTOLOGY], limit=20)}
    for term in ("列车效应", "叫应机制", "龙舟水"):  # they stand beside 暴雨 and 预警信号 in many sentences
        assert (found[term].target, found[term].target_label, found[term].rule, found[term].reason) == (
            None,
            None,
            None,
            "",
        )


def test_same_pages_same_proposals_in_any_order_of_concepts() -> None:
    assert propose(_web(), [ONTOLOGY]) == propose(_web(), [replace(ONTOLOGY, concepts=CONCEPTS[::-1])])


def test_a_term_of_the_irrelevant_pages_is_not_proposed() -> None:
    pages = _web()
    common = [
        PageText(
            p.url, p.title, p.text + f"本地的星河剧场{n}月开门。在星河剧场附近{n}路停运。", p.relevance, p.relevant
        )
        for n, p in enumerate(pages)
    ]
    assert "星河剧场" not in _terms(propose(common, [ONTOLOGY]))
    only = [q if q.relevant else p for p, q in zip(pages, common, strict=True)]
    assert "星河剧场" in _terms(propose(only, [ONTOLOGY]))


def test_a_sentence_that_one_host_repeats_counts_once() -> None:
    text = "本站推荐风暴潮汐表，欢迎收看。"
    pages = [PageText(f"http://a.cn/{n}", f"第{n}条", f"{text}暴雨第{n}天。", 0.9, True) for n in range(9)]
    assert _terms(propose(pages, [ONTOLOGY])) == []


def test_another_name_of_a_concept_is_a_label() -> None:
    texts = (
        "城市内涝（又称都市涝渍）在{n}个小区出现。",
        "都市涝渍造成{n}处积水。",
        "雨后的都市涝渍令{n}路公交停运。",
        "治理都市涝渍需要{n}年。",
    )
    pages = [PageText(f"http://h{n}.cn/", "消息", texts[n % 4].format(n=n), 0.9, True) for n in range(8)]
    found = {p.term: p for p in propose(pages, [ONTOLOGY])}
    assert (found["都市涝渍"].kind, found["都市涝渍"].target) == ("label", IRI["城市内涝"])
    assert (found["都市涝渍"].rule, "又称" in found["都市涝渍"].reason) == ("alias", True)


def test_a_narrower_term_hangs_under_its_head() -> None:
    texts = (
        "{n}号公路发生岩质滑坡。",
        "岩质滑坡威胁{n}户。",
        "暴雨诱发岩质滑坡，台风过后{n}处。",
        "这种岩质滑坡规模为{n}方。",
    )
    pages = [PageText(f"http://h{n}.cn/", "消息", texts[n % 4].format(n=n), 0.9, True) for n in range(8)]
    found = {p.term: p for p in propose(pages, [ONTOLOGY])}
    assert (found["岩质滑坡"].target, found["岩质滑坡"].rule) == (IRI["滑坡"], "head")
    assert found["岩质滑坡"].reason == "ends with 滑坡"


def test_english_noun_phrases() -> None:
    about = (
        "A sponge city stores rain before the flood of district {n} rises.",
        "Engineers in town {n} say the sponge city reduces city waterlogging.",
        "Each sponge city needs {n} permeable streets.",
        "Sponge cities were planned for {n} river towns.",
    )
    fill = (
        "The flood reached street {n} on Monday.",
        "Heavy floods closed {n} schools in Port Harbour.",
        "Click here to read more news about district {n}.",
        "The landslide blocked road {n}, officials said.",
    )
    pages = []
    for n in range(24):
        host = f"daily-river{n % 4}.example.com"
        body = [about[n % 4].format(n=n), fill[n % 4].format(n=n), fill[(n + 1) % 4].format(n=n)]
        pages.append(PageText(f"http://{host}/{n}", f"Daily River Report {n}", " ".join(body), 0.8, True))
    other = [f"The team won match {n}. Click here to read more news about district {n}." for n in range(12)]
    pages += [PageText(f"http://sport.example.com/{n}", "Sport", text, 0.0, False) for n, text in enumerate(other)]
    terms = _terms(propose(pages, [ONTOLOGY]))
    assert terms[0] == "sponge city"
    for term in terms:
        assert not any(w in ("click", "read", "news", "daily", "river", "said", "the") for w in term.split()), term
        assert term not in ("heavy flood", "heavy floods", "port harbour", "rainstorm", "floods")


def test_nothing_relevant_gives_nothing() -> None:
    assert propose([], [ONTOLOGY]) == []
    assert propose([p for p in _web() if not p.relevant], [ONTOLOGY]) == []
    with pytest.raises(ValueError, match="limit"):
        propose([], [ONTOLOGY], limit=0)


def test_without_irrelevant_pages_planted_terms_are_found_too() -> None:
    terms = _terms(propose([p for p in _web() if p.relevant], [ONTOLOGY], limit=20))
    assert set(PLANTED) <= set(terms), terms


@pytest.mark.parametrize(
    "term",
    ["暴雨", "大暴雨", "暴雨期间", "暴雨到台风", "内涝", "预警", "Floods", "heavy flood", "debris flows", "torrent",
     "flood events"],
)  # fmt: skip
def test_variants_of_labels_are_trivial(term: str) -> None:
    assert Labels(CONCEPTS).is_trivial(term)


@pytest.mark.parametrize("term", ["海绵城市", "雨岛效应", "岩质滑坡", "flash flood", "sponge city"])
def test_new_terms_are_not_trivial(term: str) -> None:
    assert not Labels(CONCEPTS).is_trivial(term)


def test_the_head_of_a_term_is_its_concept() -> None:
    labels = Labels(CONCEPTS)
    assert labels.head_of("山体滑坡") == IRI["滑坡"]
    assert labels.head_of("flash floods") == IRI["洪水"]
    assert labels.head_of("特大暴雨灾害") == IRI["暴雨灾害"]
    assert labels.head_of("无台风") is None  # no kind of typhoon
    assert labels.head_of("洪水") is None


def test_labels_at_the_end_of_a_text() -> None:
    labels = Labels(CONCEPTS)
    assert labels.ending("治理城市内涝") == IRI["城市内涝"]
    assert labels.ending("the Debris Flows") == IRI["泥石流"]


def test_labels_are_found_longest_first_and_by_whole_english_words() -> None:
    labels = Labels(CONCEPTS)

    def named(sentence: str) -> list[str]:
        return [labels.iri(number) for _, _, number in labels._spans(normal(sentence))]

    assert named("暴雨灾害之后，暴雨又来") == [IRI["暴雨灾害"], IRI["暴雨"]]
    assert named("Floods and debris flows; a flooded training flow") == [IRI["洪水"], IRI["泥石流"]]
