"""The documentation of an ontology as one HTML page: a tree, and an entry for each class with its evidence.

The page is complete without JavaScript (search, language switch, folding of the tree), and can be printed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ontology.draw.family import Family, Language, check_language, family
from ontology.draw.page import asset, page
from ontology.draw.svg import clean
from ontology.model import Concept, Ontology, Relation
from ontology.owl.vocabulary import COMMENTS, OC

MOST_DOCUMENTS = 12
"""Maximum documents listed at one relation; further ones are counted."""


def handbook(
    ontology: Ontology,
    *,
    titles: Mapping[str, str] | None = None,
    language: Language = "both",
    embed_font: bool = False,
) -> str:
    """Return the documentation page of an ontology.

    Args:
        ontology: the ontology; cycles and classes that the root does not reach are allowed.
        titles: id of a document -> title.
        language: initial language; a switch on the page changes it.
        embed_font: whether the page contains a font for its characters; needs the extra ``pictures``.

    Raises:
        ValueError: the language is none of zh, en, both.
    """
    check_language(language)
    writer = _Writer.of(ontology, titles or {})
    title = " · ".join(dict.fromkeys(t for t in (ontology.title_zh, ontology.title_en) if t))
    title = title or ontology.by_iri[ontology.root].label
    order = writer.drawn.classes
    body = "\n".join([
        f'<header class="{language}"><h1>{_both(ontology.title_zh, ontology.title_en) or clean(title)}</h1>', _TOOLS,
        "</header>",
        f'<div id="columns"><nav aria-label="类 classes">{writer.tree()}</nav><main>',
        writer.about(),
        '<p id="none" hidden><span lang="zh">没有结果</span><span lang="en">nothing found</span></p>',
        *(writer.entry(ontology.by_iri[iri]) for iri in order),
        "</main></div>",
    ])  # fmt: skip
    return page(
        title, style=asset("page.css"), program=asset("page.js"), body=body, embed_font=embed_font,
        language="en" if language == "en" else "zh",
    )  # fmt: skip


_TOOLS = (
    '<div class="tools"><input id="search" type="search" autocomplete="off" placeholder="搜索 search ( / )" '
    'aria-label="搜索 search"><span role="group" aria-label="语言 language">'
    '<button type="button" data-language="zh">中文</button><button type="button" data-language="en">English</button>'
    '<button type="button" data-language="both">中 / EN</button></span></div>'
)
_GROUPS = (
    ("subclass_of", "source", "上位类", "Superclasses"),
    ("subclass_of", "target", "下位类", "Subclasses"),
    ("part_of", "source", "整体", "Part of"),
    ("part_of", "target", "部分", "Parts"),
    ("causes", "source", "可能导致", "May cause"),
    ("causes", "target", "可能起因", "May be caused by"),
    ("measured_by", "source", "测量方式", "Measured by"),
    ("measured_by", "target", "用于测量", "Measures"),
    ("equivalent_to", "source", "等价类", "Equivalent classes"),
    ("equivalent_to", "target", "等价类", "Equivalent classes"),
)


@dataclass(frozen=True)
class _Writer:
    """Common data of the parts of the page: the hierarchy, anchors, relations by kind and end, titles of documents."""

    drawn: Family
    anchors: Mapping[str, str]
    relations: Mapping[tuple[str, str, str], tuple[Relation, ...]]
    titles: Mapping[str, str]

    @classmethod
    def of(cls, ontology: Ontology, titles: Mapping[str, str]) -> _Writer:
        relations_of: dict[tuple[str, str, str], list[Relation]] = defaultdict(list)
        for r in ontology.relations:
            relations_of[r.kind, "source", r.source].append(r)
            relations_of[r.kind, "target", r.target].append(r)
        kept = {
            key: tuple(sorted(rs, key=lambda r: (-(r.support or 0), r.source, r.target)))
            for key, rs in relations_of.items()
        }
        return cls(family(ontology), anchors(c.iri for c in ontology.concepts), kept, titles)

    def tree(self) -> str:
        """Return nested lists; branches below the second level are folded."""
        parts: list[str] = []
        depth = -1
        for iri in self.drawn.classes:
            level = self.drawn.level[iri]
            parts += [_UP] * (depth - level) if level < depth else ["<ul>"] * (level - depth)
            depth = level
            link = self.link(iri)
            if self.drawn.below[iri]:
                state = " open" if level < 1 else ""
                parts.append(f'<li data-c="{self.anchors[iri]}"><details{state}><summary>{link}</summary>')
            else:
                parts.append(f'<li data-c="{self.anchors[iri]}">{link}</li>')
        return "".join([*parts, _UP * depth, "</ul>" if depth >= 0 else ""])

    def link(self, iri: str) -> str:
        """Return a link to a class's entry, with its name in both languages."""
        concept = self.drawn.ontology.by_iri[iri]
        return f'<a href="#{self.anchors[iri]}">{_names(concept)}</a>'

    def about(self) -> str:
        """Return the metadata of the ontology."""
        o = self.drawn.ontology
        rows = [
            ("标识", "IRI", _web(o.iri)),
            ("版本", "Version", clean(o.version)),
            ("主题", "Topic", clean(o.topic)),
            ("类别", "Kind", _both({"global": "全局本体", "local": "局部本体"}[o.kind], o.kind)),
            ("根", "Root", self.link(o.root)),
            ("许可", "Licence", _web(o.licence)),
            ("规模", "Size", _both(f"{len(o.concepts)} 类，{len(o.relations)} 个关系",
                                 f"{len(o.concepts)} classes, {len(o.relations)} relations")),
            ("说明", "Comment", clean(o.comment)),
        ]  # fmt: skip
        cells = "".join(f"<dt>{_both(zh, en)}</dt><dd>{value}</dd>" for zh, en, value in rows if value)
        return f'<section id="about"><dl>{cells}</dl></section>'

    def entry(self, concept: Concept) -> str:
        """Return the entry of a class."""
        anchor = self.anchors[concept.iri]
        names = " ".join(form for _, form in concept.forms())
        parts = [
            f'<section class="class" id="{anchor}" data-names="{clean(names)}">',
            f'<h2>{_names(concept)} <a class="self" href="#{anchor}" aria-label="link">#</a></h2>',
            f'<p class="iri">{_web(concept.iri)}</p>',
            _definition(concept),
            _others(concept),
        ]
        shown: dict[tuple[str, str], list[str]] = defaultdict(list)
        for kind, end, zh, en in _GROUPS:
            for r in self.relations.get((kind, end, concept.iri), ()):
                shown[zh, en].append(self.relation(r, r.target if end == "source" else r.source))
        for (zh, en), items in shown.items():
            parts.append(f"<h3>{_both(zh, en)} <small>{len(items)}</small></h3><ul>{''.join(items)}</ul>")
        return "".join([*parts, "</section>"])

    def relation(self, relation: Relation, other: str) -> str:
        """Return the class at the other end, and the evidence of the relation."""
        figures = []
        if relation.support is not None:
            figures.append(f"{_both('支持度', 'support')} {relation.support}")
        if relation.confidence is not None:
            share = f'<span title="{clean(" ".join(COMMENTS[OC.confidence]))}">{_both("置信度", "confidence")}</span>'
            figures.append(f"{share} {relation.confidence:.2f}")
        if relation.evidence:
            figures.append(clean(relation.evidence))
        evidence_html = f' <small class="evidence">{" · ".join(figures)}</small>' if figures else ""
        quote = f"<blockquote>{clean(relation.sentence)}</blockquote>" if relation.sentence else ""
        return f"<li>{self.link(other)}{evidence_html}{quote}{self._documents(relation.documents)}</li>"

    def _documents(self, documents: tuple[str, ...]) -> str:
        if not documents:
            return ""
        named = "".join(
            f"<li>{clean(d)}{' ' + clean(self.titles[d]) if self.titles.get(d) else ''}</li>"
            for d in documents[:MOST_DOCUMENTS]
        )
        more = f"<li>+{len(documents) - MOST_DOCUMENTS}</li>" if len(documents) > MOST_DOCUMENTS else ""
        head = _both(f"{len(documents)} 篇文献", f"{len(documents)} documents")
        return f'<details class="docs"><summary>{head}</summary><ul>{named}{more}</ul></details>'


_UP = "</ul></details></li>"


def anchors(iris: Iterable[str]) -> dict[str, str]:
    """Return an anchor of ASCII letters, digits, - and _ for each IRI: the end of it, numbered if that is taken.

    >>> anchors(["http://a.cn/o#Rain", "http://b.cn/o#Rain"])
    {'http://a.cn/o#Rain': 'Rain', 'http://b.cn/o#Rain': 'Rain-2'}
    """
    taken = {"about", "none", "search", "columns"}
    anchor_of: dict[str, str] = {}
    for iri in iris:
        stem = re.sub(r"[^A-Za-z0-9_-]+", "-", re.split(r"[#/]", iri.rstrip("#/"))[-1]).strip("-") or "class"
        name, number = stem, 1
        while name.lower() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.lower())
        anchor_of[iri] = name
    return anchor_of


def _both(zh: str, en: str) -> str:
    """Return a text in both languages; if there is only one, it is shown in either."""
    if zh and en and zh != en:
        return f'<span lang="zh">{clean(zh)}</span> <span lang="en">{clean(en)}</span>'
    language = "zh" if zh else "en"
    return f'<span class="only" lang="{language}">{clean(zh or en)}</span>' if zh or en else ""


def _names(concept: Concept) -> str:
    return _both(concept.label_zh, concept.label_en or "") or clean(concept.label)


def _definition(concept: Concept) -> str:
    text = _both(concept.definition, concept.definition_en)
    return f'<p class="definition">{text}</p>' if text else ""


def _others(concept: Concept) -> str:
    parts = [f'<li lang="zh">{clean(a)}</li>' for a in concept.alt_zh]
    parts += [f'<li lang="en">{clean(a)}</li>' for a in concept.alt_en]
    return f'<ul class="names">{"".join(parts)}</ul>' if parts else ""


def _web(text: str) -> str:
    """Return a link if the text is a web address; other schemes are never linked."""
    if re.match(r"https?://[^\s<>\"']+$", text):
        return f'<a href="{clean(text)}" rel="noreferrer">{clean(text)}</a>'
    return clean(text)
