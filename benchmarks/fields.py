"""Corpora of single fields, and what is learned from each without any list. Prints one JSON document.

    python -m benchmarks.fields [NAME ..] [--corpora DIR] [--outline] [--wordnet FOLDER]

Chinese fields are records of ../shared/data/abstracts_zh/general_18k by discipline, English ones the first paragraphs
(`benchmarks/wikipedia_leads.py`) of ../shared/data/wikispeedia pages by subject, or the corpora of
../shared/data/fields_en. English texts have no keywords: a title is none. On the fields for development everything was
tried out; the others are kept for checking, and were chosen before anything was learned from them. A field that was
checked, and whose errors were then looked at, is "seen": faults that it showed were mended, and new fields were chosen
for checking. Without a NAME the fields for development are measured.

Those for checking were chosen by a rule that was written down first. Chinese: the disciplines that no benchmark uses,
merged by their group in the Ministry of Education's catalogue, and those of engineering, which is half of all, by the
class of GB/T 13745; of sciences, agriculture and medicine, of engineering, and of the others the merged field with most
records; the sciences without those of the earth, which the disaster corpora are about. Where these were checked and
are "seen", the next ones: husbandry, electronics and management were the first, health, building and art the second,
science, power and letters the third, chemical, aerospace and society are the fourth (economics has a field already).
English: the three corpora of fields_en with most records, under the labels that its fields.json gives them.

With --wordnet a wordnet in the folder places terms, too (docs/learn.md).
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from benchmarks.wikipedia_leads import lead
from ontocrawl.topics.topic_files import depth
from ontology.build import Learned, LearnOptions, TopicSpec, learn
from ontology.corpus import read
from ontology.evidence import EMPTY_SKELETON
from ontology.evidence.wordnet import Wordnet, read_wordnet
from ontology.hierarchy.term_dag import TermEdge, TermHierarchy
from ontology.model import Document, Ontology
from ontology.reachable import reachable
from ontology.terms.lexicon import EMPTY
from ontology.terms.wordforms import fold, has_han

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
ABSTRACTS = DATA / "abstracts_zh" / "general_18k.jsonl.xz"
PAGES = DATA / "wikispeedia" / "pages.jsonl.xz"
DISASTERS = ("disaster_core.jsonl", "disaster_broad.jsonl.xz")
MAX_TERMS = 300
Purpose = Literal["development", "seen", "checking"]


@dataclass(frozen=True)
class Field:
    """A field, and which records are its corpus.

    Attributes:
        name: name in tables and IRIs.
        label_zh: Chinese label of the root.
        label_en: English label of the root.
        language: language of the texts.
        purpose: whether the method was tried out on it, was checked on it and mended since, or is only checked.
        sources: disciplines of the abstracts, prefixes of the categories of the pages, or corpora of fields_en.
    """

    name: str
    label_zh: str
    label_en: str
    language: Literal["zh", "en"]
    purpose: Purpose
    sources: tuple[str, ...]

    @property
    def topic(self) -> TopicSpec:
        """The topic to learn; a field has no local topics."""
        return TopicSpec(self.name, self.label_zh, self.label_en)


FIELDS = (
    Field("environment", "环境科学", "environmental science", "zh", "development", ("Enviornment",)),
    Field("sports", "体育学", "sport science", "zh", "development", ("Sports", "体育学")),
    Field("politics", "政治学", "political science", "zh", "development", ("Politics", "政治学", "公共管理")),
    Field("biology", "生物学", "biology", "en", "development", ("subject.Science.Biology",)),
    Field("technology", "工程技术", "technology", "en", "development", ("subject.Design_and_Technology",)),
    Field("medicine", "医药学", "medicine", "zh", "seen", ("基础医学/临床医学", "药学", "口腔医学")),
    Field("economy", "经济学", "economics", "zh", "seen", ("Economy",)),
    Field("food", "食品科学", "food science", "zh", "seen", ("食品科学与工程",)),
    Field("physics", "物理学", "physics", "en", "seen", ("subject.Science.Physics",)),
    Field("computing", "计算机科学", "computer science", "zh", "seen", ("Computer", "计算机科学与技术")),
    Field("agriculture", "农学", "agriculture", "zh", "seen", ("Agriculture", "农业工程", "园艺学", "作物学")),
    Field("chemistry", "化学", "chemistry", "en", "seen", ("subject.Science.Chemistry",)),
    Field(
        "husbandry", "林牧渔业", "forestry, animal husbandry and fishery", "zh", "seen",
        ("水产", "林学/林业工程", "畜牧学/兽医学", "农业资源利用", "植物保护"),
    ),
    Field("electronics", "电子与通信技术", "electronics", "zh", "seen", ("信息与通信工程", "电子科学与技术")),
    Field(
        "management", "管理学", "management", "zh", "seen",
        ("农林经济管理", "图书馆、情报与档案管理", "工商管理"),
    ),
    Field(
        "health", "中医药与公共卫生", "traditional medicine and public health", "zh", "seen",
        ("中医学/中药学", "公共卫生与预防医学"),
    ),
    Field("building", "土木建筑工程", "civil engineering", "zh", "seen", ("土木工程", "建筑学")),
    Field("art", "艺术学", "art", "zh", "seen", ("艺术学", "Art")),
    Field(
        "science", "数理科学", "mathematics and natural sciences", "zh", "seen",
        ("数学", "生物学/生物科学与工程", "物理学", "天文学"),
    ),
    Field(
        "power", "动力与电气工程", "power engineering", "zh", "seen", ("动力工程及工程热物理", "电气工程"),
    ),
    Field("letters", "文学与新闻传播", "literature and journalism", "zh", "seen", ("新闻传播学", "中国语言文学")),
    Field(
        "chemical", "化学化工", "chemistry and chemical engineering", "zh", "checking", ("化学/化学工程与技术",),
    ),
    Field("aerospace", "航空航天", "aerospace", "zh", "checking", ("Space", "航空宇航科学与技术")),
    Field("society", "民族学与社会学", "ethnology and sociology", "zh", "checking", ("民族学", "社会学")),
    Field("astro", "天文学", "astronomy", "en", "checking", ("fields_en/astro",)),
    Field("bio", "生物学", "biology", "en", "checking", ("fields_en/bio",)),
    Field("econ", "经济学", "economics", "en", "checking", ("fields_en/econ",)),
)  # fmt: skip
BY_NAME: Mapping[str, Field] = {field.name: field for field in FIELDS}


@cache
def _records(path: Path) -> tuple[dict[str, Any], ...]:
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        return tuple(json.loads(line) for line in stream)


def records(field: Field) -> list[dict[str, Any]]:
    """Return the records of a field, with the keys that the readers of corpora know."""
    if field.language == "zh":
        keys = ("id", "title", "abstract", "keywords", "year", "source")
        chosen = [r for r in _records(ABSTRACTS) if r.get("discipline") in field.sources]
        return [{key: r[key] for key in keys if r.get(key)} for r in chosen]
    if files := [DATA / f"{source}.jsonl.xz" for source in field.sources if source.startswith("fields_en/")]:
        return [record for file in files for record in _records(file)]
    pages = [p for p in _records(PAGES) if any(c.startswith(field.sources) for c in p["categories"])]
    texts = [(p, lead(p["text"])) for p in pages]
    return [{"id": p["name"], "title": p["title"], "abstract": text} for p, text in texts if text]


def documents(field: Field) -> list[Document]:
    """Return the corpus of a field, read as `ontocrawl ontology build` does: duplicates are merged."""
    with tempfile.TemporaryDirectory(prefix="ontocrawl-fields-") as folder:
        return list(read(write_corpus(field, Path(folder))).documents)


def write_corpus(field: Field, folder: Path) -> Path:
    """Write the corpus of a field as JSON lines and return the file."""
    path = folder / f"{field.name}.jsonl"
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records(field)), encoding="utf-8")
    return path


def packed(path: Path) -> list[Document]:
    """Read a corpus that may be packed (.xz)."""
    if path.suffix != ".xz":
        return list(read(path).documents)
    with tempfile.TemporaryDirectory(prefix="ontocrawl-fields-") as folder:
        plain = Path(folder) / path.stem
        plain.write_bytes(lzma.decompress(path.read_bytes()))
        return list(read(plain).documents)


def without_lists(**more: Any) -> LearnOptions:
    """Return options without curated classes and lexicon; `wordnet` may be the path of a folder."""
    if isinstance(more.get("wordnet"), str | Path):
        more["wordnet"] = _wordnet(more["wordnet"])
    return LearnOptions(lexicon=EMPTY, upper_classes=EMPTY_SKELETON, max_terms=MAX_TERMS, **more)


@cache
def _wordnet(folder: str | Path) -> Wordnet:
    return read_wordnet(folder)


def root_of(learned: Learned) -> int | None:
    """Return the node of the hierarchy that is the root of the ontology; None if the root was made."""
    whole = learned.global_ontology
    return learned.hierarchy.index(whole.by_iri[whole.root].label)


def placed_edges(learned: Learned) -> list[TermEdge]:
    """Return the edges of the hierarchy whose parent is not the root of the ontology."""
    root = root_of(learned)
    return [edge for edge in learned.hierarchy.edges if root not in (edge.parent, edge.child)]


def rule_of(edge: TermEdge) -> str:
    """Return the most trusted rule that made an edge; "documents" for a reading without rules."""
    return edge.rules[0] if edge.rules else "documents"


def placed_terms(learned: Learned) -> frozenset[str]:
    """Return the terms with a broader class that is not the root."""
    children = {edge.child for edge in placed_edges(learned)}
    return frozenset(t.text for t in learned.terms if learned.hierarchy.index(t.text) in children)


def repeated_keywords(corpus: Sequence[Document]) -> frozenset[str]:
    """Return the folded author keywords of two or more records."""
    counts = Counter(word for d in corpus for word in {fold(k.strip()) for k in (*d.keywords, *d.keywords_en)})
    return frozenset(word for word, count in counts.items() if count > 1)


def terms_below(hierarchy: TermHierarchy, terms: Sequence[str], root: int | None) -> Counter[int]:
    """Count the terms below each class except the root."""
    counts: Counter[int] = Counter()
    for term in terms:
        node = hierarchy.index(term)
        if node is not None:
            counts.update(reachable(node, hierarchy.parents.__getitem__) - {node, root})
    return counts


def figures(learned: Learned, corpus: Sequence[Document]) -> dict[str, Any]:
    """Describe what was learned from a corpus.

    Args:
        learned: the ontology and the steps to it.
        corpus: its documents.

    Returns:
        Counts and shares. Keywords are those of two or more records that are terms; multiword terms those of two or
        more words between blanks. The largest class is the one with most terms below it, the root left out. By length
        of term: those placed, and all.
    """
    terms = [term.text for term in learned.terms]
    placed, known = placed_terms(learned), repeated_keywords(corpus)
    keywords = [term for term in terms if fold(term) in known]
    multiword = [term for term in terms if " " in term]
    below = terms_below(learned.hierarchy, terms, root_of(learned))
    largest = max(below, key=lambda node: (below[node], -node), default=None)
    whole = learned.global_ontology
    return {
        "documents": len(corpus),
        "terms": len(terms),
        "placed": len(placed),
        "placed_share": _share(len(placed), len(terms)),
        "keywords": len(keywords),
        "keywords_placed": _share(len(placed.intersection(keywords)), len(keywords)),
        "multiword": len(multiword),
        "multiword_placed": _share(len(placed.intersection(multiword)), len(multiword)),
        "by_length": {name: [len(placed.intersection(some)), len(some)] for name, some in _by_length(terms).items()},
        "classes": len(whole.concepts),
        "depth": depth(whole),
        "children_of_root": len(whole.children[whole.root]),
        "largest_class": "" if largest is None else learned.hierarchy.nodes[largest].label,
        "largest_share": _share(max(below.values(), default=0), len(terms)),
        "edges_by_rule": dict(Counter(map(rule_of, placed_edges(learned))).most_common()),
    }


def _by_length(terms: Sequence[str]) -> dict[str, list[str]]:
    """Return terms by their length: Chinese ones in characters, others in words."""
    lengths: dict[str, list[str]] = {}
    for term in terms:
        if has_han(term):
            name = f"{len(term)} characters" if len(term) < 4 else "4 characters or more"
        else:
            name = "1 word" if len(term.split()) == 1 else "2 words or more"
        lengths.setdefault(name, []).append(term)
    return dict(sorted(lengths.items()))


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def two_levels(ontology: Ontology, *, most: int = 12) -> str:
    """Format the two levels below the root, a child of the root on each line; those with most classes first.

    Args:
        ontology: the ontology.
        most: number of classes of the lower level that a line names.

    Returns:
        Lines such as ``污染 (34): 水污染 (5), 土壤污染, and 12 more``; numbers are those of the classes below a class.
        Children of the root with one class below, and those with none, are on a line each at the end.
    """
    sizes = {c.iri: len(reachable(c.iri, ontology.children.__getitem__)) - 1 for c in ontology.concepts}

    def name(iri: str) -> str:
        return ontology.by_iri[iri].label + (f" ({sizes[iri]})" if sizes[iri] else "")

    def ordered(iri: str) -> list[str]:
        return sorted(ontology.children[iri], key=lambda c: (-sizes[c], ontology.by_iri[c].label))

    lines, pairs, alone = [], [], []
    for iri in ordered(ontology.root):
        below = ordered(iri)
        rest = [f"and {len(below) - most} more"] if len(below) > most else []
        if sizes[iri] > 1:
            lines.append(f"{name(iri)}: {', '.join([*map(name, below[:most]), *rest])}")
        else:
            (pairs if below else alone).append(" > ".join(ontology.by_iri[c].label for c in (iri, *below)))
    ends = (("one below", "; ".join(pairs)), ("none below", ", ".join(alone)))
    return "\n".join([*lines, *(f"({words}) {listed}" for words, listed in ends if listed)])


def learn_field(field: Field, **more: Any) -> tuple[Learned, list[Document]]:
    """Learn a field without lists, and return its corpus too."""
    corpus = documents(field)
    return learn(corpus, field.topic, without_lists(**more)), corpus


def measured(fields: Sequence[Field], **more: Any) -> Iterator[tuple[Field, dict[str, Any], Learned]]:
    """Learn fields one after the other, with further options; yields each with its figures."""
    for field in fields:
        print(f"learning {field.name}", file=sys.stderr, flush=True)
        started = time.process_time()
        learned, corpus = learn_field(field, **more)
        seconds = round(time.process_time() - started, 1)
        yield field, figures(learned, corpus) | {"processor_seconds": seconds}, learned


def main() -> int:
    """Run and print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BY_NAME)}")
    arguments.add_argument("--corpora", type=Path, metavar="DIR", help="write the corpora there, and learn nothing")
    arguments.add_argument("--outline", action="store_true", help="print two levels of each hierarchy")
    arguments.add_argument("--wordnet", type=Path, metavar="FOLDER", help="place terms by the wordnet there, too")
    chosen = arguments.parse_args()
    unknown = [name for name in chosen.names if name not in BY_NAME]
    if unknown:
        arguments.error(f"unknown field {unknown[0]}; choose from {', '.join(BY_NAME)}")
    fields = [BY_NAME[name] for name in chosen.names] or [f for f in FIELDS if f.purpose == "development"]
    if chosen.corpora:
        chosen.corpora.mkdir(parents=True, exist_ok=True)
        print("\n".join(str(write_corpus(field, chosen.corpora)) for field in fields))
        return 0
    result = {}
    for field, told, learned in measured(fields, wordnet=chosen.wordnet):
        result[field.name] = told
        if chosen.outline:
            print(two_levels(learned.global_ontology), file=sys.stderr)
    print(json.dumps(result, indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
