"""The benchmark of enrichment: splits, what counts as found, the circle's decisions, blind sheets and their figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import disasters, enrich, enrich_circle, enrich_page, enrich_pages, held_out, judged_proposals, judging
from benchmarks import stated_causes as causes
from benchmarks.judged_proposals import Crawled
from benchmarks.strategies import MILESTONES
from ontology.enrichment import PageSentence, PageText, Proposal
from ontology.model import Concept, Ontology, Relation
from tests.kg import small_crawl as web

needs_data = pytest.mark.skipif(bool(enrich_pages.missing()), reason="../shared/data is not there")
LOCAL = Ontology(
    web.BASE + "local", "local", "rainstorm", "1", web.BASE + "Defence",
    (Concept(web.BASE + "Defence", "防御", "defence"), Concept(web.BASE + "Dyke", "堤", "dyke")),
    (Relation(web.BASE + "Dyke", "subclass_of", web.BASE + "Defence"),),
)  # fmt: skip


def named(term: str, target: str | None = None, label: str | None = None, kind: Any = "concept") -> Proposal:
    relation = {"concept": "subclass_of", "label": "synonym"}[kind]
    sentence = PageSentence(f"这里有\t{term}。", "http://a.cn/1")
    return Proposal(kind, term, relation, target, label, 1.0, 2, (sentence,))


def without(*names: str) -> held_out.Split:
    """The small ontology without some classes: the split of the first seed that takes out exactly these."""
    gone = {web.BASE + name for name in names}
    share = len(gone) / (len(web.CONCEPTS) - 1)
    splits = (held_out.split([web.ONTOLOGY], seed, share) for seed in range(5000))
    return next(held for held in splits if {c.iri for c in held.held_out} == gone)


# ---- held-out classes -------------------------------------------------------------------------------------------


def test_a_split_takes_classes_out_and_gives_their_children_to_what_is_broader() -> None:
    held = without("Flood", "Waterlogging")
    (kept,) = held.ontologies
    assert {c.label for c in held.held_out} == {"洪水", "城市内涝"}
    assert kept.parents[web.BASE + "FlashFlood"] == (web.BASE + "Root",)
    assert not {web.BASE + "Flood", web.BASE + "Waterlogging"} & kept.by_iri.keys()
    assert held.parents[web.BASE + "Flood"] == {web.BASE + "Root"} == held.ancestors[web.BASE + "Flood"]
    nested = without("Flood", "FlashFlood")
    assert nested.parents[web.BASE + "FlashFlood"] == {web.BASE + "Root", web.BASE + "Waterlogging"}
    assert nested.ancestors[web.BASE + "FlashFlood"] == {web.BASE + "Waterlogging"}, "the root is not broad enough"


def test_splits_are_of_the_asked_size_and_differ_by_seed() -> None:
    ontologies = (web.ONTOLOGY, LOCAL)
    splits = [held_out.split(ontologies, seed) for seed in range(4)]
    assert {len(held.held_out) for held in splits} == {round(0.3 * 8)}
    assert len({tuple(c.iri for c in held.held_out) for held in splits}) > 1
    for held in splits:
        assert not {c.iri for c in held.held_out} & {web.BASE + "Root", web.BASE + "Defence"}
    assert held_out.split(ontologies, 1) == splits[1]


def page(text: str, *, relevant: bool = True) -> PageText:
    return PageText(f"http://x.cn/{text}", "", text, 0.9, relevant)


def test_an_occurrence_is_on_a_relevant_page_and_not_within_a_longer_label() -> None:
    held = without("Flood", "Waterlogging")
    number = {c.label: n for n, c in enumerate(held.held_out)}
    pages = [page("城市内涝严重"), page("内涝，内涝"), page("洪水", relevant=False), page("no City Waterloggings")]
    assert held_out.occurring(held, pages) == {number["城市内涝"]: 3}
    assert held_out.occurring(without("Warning", "Levee"), [page("红色预警")]) == {}


def test_what_is_found_and_where_it_is_put() -> None:
    held = without("Flood", "FlashFlood")
    number = {c.label: n for n, c in enumerate(held.held_out)}
    waterlogging, root = web.BASE + "Waterlogging", web.BASE + "Root"
    proposals = [
        named("雨水花园", root), named("Flash Floods", waterlogging), named("洪水", waterlogging), named("洪水", root)
    ]  # fmt: skip
    back = {one.number: one for one in held_out.found(held, proposals)}
    assert {n: one.rank for n, one in back.items()} == {number["山洪"]: 2, number["洪水"]: 3}
    assert held_out.is_right(held, back[number["山洪"]]) == (True, True)
    assert held_out.is_right(held, back[number["洪水"]]) == (False, False)
    other_name = held_out.found(held, [named("洪水", root, kind="label")])[0]
    assert held_out.is_right(held, other_name) == (False, False), "it is no class of its own there"
    assert held_out.found_at([2, 20, 21, 60]) == {"20": 2, "50": 3, "all": 4}


def test_baselines_rank_words_of_relevant_pages() -> None:
    pages = [
        page("雨水花园净化径流。雨水花园"),
        page("雨水花园建成"),
        page("建成球场", relevant=False),
        page("径流与足球"),
    ]
    ranked = held_out.ranked_terms(pages)
    assert ranked["frequency"][0] in ("雨水", "雨水花园", "花园", "径流")
    assert set(ranked["tf_idf"]) == set(ranked["frequency"])
    assert not any("球场" in term for term in ranked["frequency"]), "it is on one page only"
    assert "the flood" not in set(held_out.candidates(page("the flood of the river")))


# ---- relations --------------------------------------------------------------------------------------------------


def test_two_ends_in_one_text_and_in_one_sentence() -> None:
    pairs = {(web.BASE + "Flood", web.BASE + "Waterlogging"), (web.BASE + "Flood", web.BASE + "Levee")}
    pages = [page("洪水来了。随后内涝。"), page("洪水冲垮堤坝。"), page("洪水与城市内涝。", relevant=False)]
    in_text, in_sentence = causes.together(pairs, [web.ONTOLOGY], pages)
    assert in_text == pairs
    assert in_sentence == {(web.BASE + "Flood", web.BASE + "Levee")}


@needs_data
def test_the_triples_whose_ends_stand_in_one_text() -> None:
    ontology = causes.of_ends()
    stated, events = causes.known_pairs([ontology])
    assert len(stated) > 400 and not any(a == b for a, b in stated | events)
    in_text, in_sentence = causes.together(stated, [ontology], enrich_pages.guangdong())
    assert 15 <= len(in_sentence) <= len(in_text) <= 30


# ---- the circle -------------------------------------------------------------------------------------------------


def test_the_oracle_accepts_held_out_classes_with_their_true_parents() -> None:
    held = without("Flood", "FlashFlood")
    proposals = [named("雨水花园"), named("flash flood", web.BASE + "Root", "暴雨灾害")]
    decisions = enrich_circle.oracle(held)(proposals)
    assert [(d.action, d.term, d.relation, d.value) for d in decisions] == [
        ("accept", "flash flood", "subclass_of", "暴雨灾害")
    ] or [(d.term, d.value) for d in decisions] == [("flash flood", "城市内涝")]
    (richer,) = enrich_circle.enriched(held.ontologies, decisions)
    (added,) = [c for c in richer.concepts if c not in held.ontologies[0].concepts]
    assert (added.label_en, richer.parents[added.iri]) != ("", ())
    assert held.ontologies[0].by_iri.keys() < richer.by_iri.keys()


def test_what_judges_accept_goes_into_the_first_ontology_that_has_the_parent(tmp_path: Path) -> None:
    file = tmp_path / "accepted.tsv"
    rows = [("rainstorm", "雨水花园", "洪水"), ("rainstorm", "丁坝", "防御"), ("rainstorm", "涵洞", ""),
            ("rainstorm", "flash_flooding", "山洪"), ("sweet", "haze", "fog")]  # fmt: skip
    judging.write_table(file, ("ontology", "key", "parent"), rows)
    accept = enrich_circle.Accepted.read(file)
    proposals = [named(term) for term in ("雨水花园", "丁坝", "涵洞", "haze", "没人接受")]
    proposals.append(named("flash flooding", web.BASE + "FlashFlood", "山洪", "label"))
    whole, local = enrich_circle.enriched([web.ONTOLOGY, LOCAL], accept(proposals))
    label = {c.label: c.iri for c in (*whole.concepts, *local.concepts)}
    assert whole.parents[label["雨水花园"]] == (web.BASE + "Flood",)
    assert whole.parents[label["涵洞"]] == (web.BASE + "Root",), "unplaced: below the root"
    assert local.parents[label["丁坝"]] == (web.BASE + "Defence",)
    assert label["丁坝"] not in whole.by_iri
    assert "flash flooding" in whole.by_iri[web.BASE + "FlashFlood"].alt_en
    assert not {"haze", "没人接受"} & label.keys()
    (same,) = enrich_circle.enriched([web.ONTOLOGY], [])
    assert same.concepts == web.ONTOLOGY.concepts


def crawled(setting: str, number: int, start: str, found: int) -> dict[str, Any]:
    at = {str(n): found for n in MILESTONES}
    return {"setting": setting, "round": number, "start": start, "begin": start, "accepted": 2, "found_at": at}


def test_gains_are_paired_by_the_page_that_a_crawl_begins_with() -> None:
    rows = [crawled("unchanged", 1, start, n) for n, start in enumerate(("Rain", "Flood", "Wind"), 10)]
    rows += [crawled("enriched", 2, start, n) for n, start in ((13, "Flood"), (15, "Wind"), (14, "Rain"))]
    compared = {(row["setting"], row["round"]): row for row in enrich_circle.differences(rows)}
    assert compared["enriched", 2]["gain"]["100"] == "+3.0 ± 2.5"
    assert compared["enriched", 3]["gain"]["100"] == "-"


# ---- judging ----------------------------------------------------------------------------------------------------


def filled(path: Path, say: Any) -> Path:
    rows = [row | dict(zip(judged_proposals.VERDICTS, say(row), strict=True)) for row in disasters.table(path)]
    judging.write_table(path, tuple(rows[0]), [tuple(row.values()) for row in rows])
    return path


@pytest.fixture
def sheets(tmp_path: Path) -> Path:
    flood = named("雨水花园", web.BASE + "Flood", "洪水")
    cause = Proposal(
        "relation", "暴雨", "causes", "#W", "内涝", 1.0, 1, flood.sentences, source="#R", reason="cue 导致"
    )
    english = [named(f"storm drain {n}", "#x", "drain") for n in range(60)]
    crawls = [Crawled("news", "rainstorm", [flood, named("的情况")]), Crawled("wiki", "rainstorm", [flood, *english])]
    assert judged_proposals.write_sheets(tmp_path, crawls, [Crawled("news", "rainstorm", [cause])]) == 2 + 49 + 1
    return tmp_path


def test_sheets_are_blind_shuffled_and_complete(sheets: Path) -> None:
    a, b = (disasters.table(sheets / f"{judge}.tsv") for judge in "ab")
    assert {row["id"] for row in a} == {row["id"] for row in b}
    assert [row["id"] for row in a] != [row["id"] for row in b]
    assert set(a[0]) == {*judged_proposals.SHOWN, *judged_proposals.VERDICTS, "note"}
    text = (sheets / "a.tsv").read_text(encoding="utf-8")
    assert not any(word in text for word in ("score", "rank", "news", "wiki", "cue 导致"))
    assert {row["term"]: row["parent_or_end"] for row in a}["的情况"] == "-"


def test_figures_and_what_is_accepted(sheets: Path) -> None:
    ranks = json.loads((sheets / "ranks.json").read_text(encoding="utf-8"))
    paths = [
        filled(sheets / "a.tsv", lambda row: ("wrong", "-") if row["term"] == "的情况" else ("right", "right")),
        filled(sheets / "b.tsv", lambda row: ("wrong", "-") if row["term"] == "的情况" else
               ("right" if row["term"] < "storm drain 3" or row["kind"] != "class" else "wrong", "wrong")),
    ]  # fmt: skip
    told = judged_proposals.outcome(paths, ranks)
    by_name = {crawl["crawl"]: crawl for crawl in told["crawls"]}
    assert by_name["news"]["proposals"] == 2
    assert by_name["news"]["parents"]["named"] == 1
    assert by_name["wiki"]["precision"].keys() == {"20", "50"}
    assert told["languages"]["en"]["share"] == 0.5
    assert told["parents"]["zh"]["named"] == 1, "what two crawls propose counts once; relations do not"
    assert told["relations"]["news"]["right"] == 0.5
    assert told["kappa"].keys() == {"en", "zh"}
    page = enrich_page.page({"python": "3", "system": "x", "judged": told})
    assert "precision at 20" in page and "| news |" in page
    accepted = judged_proposals.accepted(paths, ranks)
    assert ("rainstorm", "storm_drain_1", "") in accepted, "a right term whose place is disputed is left unplaced"
    assert not any(key in ("的情况", "暴雨:causes:内涝") for _, key, _ in accepted)


def test_published_verdicts_have_no_sentences(sheets: Path) -> None:
    ranks = json.loads((sheets / "ranks.json").read_text(encoding="utf-8"))
    paths = [filled(sheets / "a.tsv", lambda row: ("right", "-")), filled(sheets / "b.tsv", lambda row: ("wrong", "-"))]
    rows = judged_proposals.verdicts(paths, ranks["proposals"])
    said = [dict(zip(judged_proposals.SAID, row, strict=True)) for row in rows]
    garden = next(row for row in said if row["term"] == "雨水花园")
    assert len(rows) == 52 and rows == sorted(rows)
    assert garden == {
        "ontology": "rainstorm", "kind": "class", "term": "雨水花园", "relation": "", "parent_or_end": "洪水",
        "a_term": "right", "a_place": "-", "b_term": "wrong", "b_place": "-",
    }  # fmt: skip


def test_sheets_with_gaps_are_refused(sheets: Path) -> None:
    ranks = json.loads((sheets / "ranks.json").read_text(encoding="utf-8"))
    with pytest.raises(SystemExit, match="expected one of right, wrong, found ''"):
        judged_proposals.outcome([sheets / "a.tsv", sheets / "b.tsv"], ranks)
    filled(sheets / "a.tsv", lambda row: ("right", "right"))
    rows = disasters.table(sheets / "a.tsv")
    judging.write_table(sheets / "a.tsv", tuple(rows[0]), [tuple(row.values()) for row in rows[1:]])
    with pytest.raises(SystemExit, match="1 rows are missing"):
        judged_proposals.outcome([sheets / "a.tsv", sheets / "a.tsv"], ranks)
    with pytest.raises(SystemExit):
        enrich.parse(["--judged", "a", "b"])


# ---- the whole ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@needs_data
def test_every_part_runs_on_few_pages(tmp_path: Path) -> None:
    file = tmp_path / "enrich.json"
    assert enrich.main(["--quick", "--json", str(file)]) == 0
    result = json.loads(file.read_text(encoding="utf-8"))
    assert {"held_out", "relations", "circle", "speed"} <= result.keys()
    assert file.with_suffix(".md").read_text(encoding="utf-8") == enrich_page.page(result)
    for row in result["held_out"]:
        assert row["held_out"] > 0 and row["occurring"] >= row["found"]["proposals"]["all"]
    assert len(result["circle"]["oracle"]["rows"]) == 2 + 2 + 2 * 2
    assert enrich.main(["--quick", "--sheet", str(tmp_path / "sheets")]) == 0
    assert disasters.table(tmp_path / "sheets" / "a.tsv")
