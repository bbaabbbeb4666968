"""`ontocrawl ontology`: draw, document."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli import ontology_arguments
from ontocrawl.cli.arguments import OntologySource
from ontocrawl.cli.output import Answer, Folder, note, progress, workspace
from ontocrawl.errors import UsageError
from ontology.errors import Message
from ontology.files import write_atomically
from ontology.model import Ontology

if TYPE_CHECKING:
    from ontocrawl.base.workspace import Workspace
    from ontology.context import FormalContext
    from ontology.lattice import Lattice

LIMIT = 200_000
"""Maximum number of concepts computed for a picture; a larger lattice is cut to an iceberg."""


class Kind(StrEnum):
    """Kind of picture."""

    LATTICE = "lattice"
    TREE = "tree"
    DAG = "dag"


class Lang(StrEnum):
    """Language of labels."""

    ZH = "zh"
    EN = "en"
    BOTH = "both"


MaxConcepts = Annotated[
    int | None,
    typer.Option(
        min=1, help="Maximum number of points; a larger lattice is cut to an iceberg, by default of 30 to 60 points."
    ),
]
_SUFFIXES = (".svg", ".png", ".html")
_Titles = Annotated[
    list[Path] | None,
    typer.Option("--corpus", help="Files or folders of literature exports, for the titles of documents. May repeat."),
]
_EmbedFont = Annotated[
    bool, typer.Option("--embed-font", help="Embed a font for the characters of the page (extra `pictures`).")
]


def draw(
    file: Annotated[
        str, typer.Argument(metavar="FILE|TOPIC|CONTEXT", help="An ontology file, a topic, or a formal context.")
    ],
    out: Annotated[Path, typer.Option(help="Output file: .svg, .png, or .html for an interactive page.")],
    kind: Annotated[
        Kind | None, typer.Option(help="Kind of picture: lattice of a context; tree (default) or dag of an ontology.")
    ] = None,
    min_support: Annotated[int, typer.Option(min=0, help="Only concepts with at least this support.")] = 0,
    depth: Annotated[int | None, typer.Option(min=1, help="Number of levels to show, the root not included.")] = None,
    lang: Annotated[Lang, typer.Option(help="Language of labels.")] = Lang.BOTH,
    width: Annotated[int | None, typer.Option(min=50, help="Width in pixels.")] = None,
    max_concepts: MaxConcepts = None,
    records: _Titles = None,
    embed_font: _EmbedFont = False,
    folder: Folder = None,
) -> Answer:
    """Draw a concept lattice, or the hierarchy of an ontology."""
    from ontology.context import FormalContext
    from ontology.draw import lattice_page, line_diagram

    if out.suffix.lower() not in _SUFFIXES:
        raise UsageError("cli.expected_picture_s_name", out=out, suffixes=", ".join(_SUFFIXES))
    page = out.suffix.lower() == ".html"
    with progress(Message("cli.doing_draw"), None):
        source = _source(file, workspace(folder))
        _check_kind(file, source, kind)
        titles = _titles(records)
        result: dict[str, Any] = {"file": str(out)}
        if isinstance(source, FormalContext):
            lattice = _lattice(source, min_support)
            drawn = line_diagram(lattice, max_concepts=max_concepts, language=lang.value, width=width)
            text = drawn.svg if not page else lattice_page(
                lattice, titles=titles, title=Path(file).stem, max_concepts=max_concepts, language=lang.value,
                embed_font=embed_font,
            )  # fmt: skip
            result |= {"kind": "lattice", "concepts": len(drawn.shown), "edges": len(drawn.shown.covers),
                       "caption": drawn.caption}  # fmt: skip
        else:
            text = _hierarchy(source, kind, page, depth, min_support, lang, width, titles, embed_font)
            result |= {"kind": (kind or Kind.TREE).value, "classes": len(source.concepts)}
        result["missing_glyphs"] = _write(text, out, width)
    return _written(result)


def document(
    file: OntologySource,
    out: Annotated[Path, typer.Option(help="Output file: .html.")],
    lang: Annotated[Lang, typer.Option(help="Language of labels; the page has a switch.")] = Lang.BOTH,
    records: _Titles = None,
    embed_font: _EmbedFont = False,
    folder: Folder = None,
) -> Answer:
    """Write the documentation of an ontology as one HTML page: tree, search, each class with its evidence."""
    from ontology.context import FormalContext
    from ontology.draw import ontology_handbook

    if out.suffix.lower() != ".html":
        raise UsageError("cli.expected_page_s_name", out=out)
    source = _source(file, workspace(folder))
    if isinstance(source, FormalContext):
        raise UsageError("cli.formal_context_expected_ontology", file=file)
    text = ontology_handbook(source, titles=_titles(records), language=lang.value, embed_font=embed_font)
    write_atomically(out, text.encode())
    return _written({"file": str(out), "classes": len(source.concepts), "missing_glyphs": []})


def _source(name: str, space: Workspace) -> FormalContext | Ontology:
    """Load a context or ontology from a file, or the global ontology of a topic."""
    from ontology import formats

    if Path(name).suffix.lower() in (*formats.BY_SUFFIX, formats.PARQUET):
        return formats.read(ontology_arguments.file(name, "an ontology file, a context, or a topic by its name"))
    ontologies = ontology_arguments.ontologies(name, space)
    if len(ontologies) > 1:
        note(Message("cli.drawn_global", topic=name, local=len(ontologies) - 1))
    return ontologies[0]


def _check_kind(name: str, source: FormalContext | Ontology, kind: Kind | None) -> None:
    from ontology import formats
    from ontology.context import FormalContext

    if isinstance(source, FormalContext) and kind not in (None, Kind.LATTICE):
        raise UsageError("cli.formal_context_drawn_lattice", name=name, kind=kind)
    if isinstance(source, Ontology) and kind is Kind.LATTICE:
        raise UsageError("cli.ontology_drawn_tree_dag", name=name, by_suffix=", ".join(formats.BY_SUFFIX))


def _lattice(context: FormalContext, min_support: int) -> Lattice:
    """Compute the lattice; if it is too large for a picture, the iceberg that is estimated to fit."""
    from ontology.lattice import LatticeTooLarge
    from ontology.lattice import lattice as all_concepts

    while True:
        try:
            return all_concepts(context, min_support=min_support, limit=LIMIT)
        except LatticeTooLarge as error:
            if error.min_support <= min_support or error.min_support > len(context.objects):
                raise
            note(Message("cli.about_concepts", concepts=error.estimate, support=error.min_support))
            min_support = error.min_support


def _hierarchy(
    ontology: Ontology, kind: Kind | None, page: bool, depth: int | None, min_support: int, lang: Lang,
    width: int | None, titles: Mapping[str, str], embed_font: bool,
) -> str:  # fmt: skip
    from ontology.draw import hierarchy_dag, hierarchy_tree, ontology_page

    shape = "dag" if kind is Kind.DAG else "tree"
    if page:
        return ontology_page(
            ontology, shape="dag" if shape == "dag" else "tree", depth=depth, min_support=min_support, titles=titles,
            language=lang.value, embed_font=embed_font,
        )  # fmt: skip
    make = hierarchy_dag if shape == "dag" else hierarchy_tree
    return make(ontology, depth=depth, min_support=min_support, language=lang.value, width=width)


def _titles(records: list[Path] | None) -> dict[str, str]:
    from ontology import corpus

    return {d.id: d.title or d.title_en for d in corpus.read(records).documents} if records else {}


def _write(text: str, out: Path, width: int | None) -> list[str]:
    """Write the picture atomically; return the characters that the font lacks."""
    from ontology.draw.fonts import PictureError, png

    if out.suffix.lower() != ".png":
        write_atomically(out, text.encode())
        return []
    try:
        picture = png(text, width=width)
    except PictureError as error:
        raise UsageError(str(error)) from error
    write_atomically(out, picture.data)
    return list(picture.missing)


def _written(result: dict[str, Any]) -> Answer:
    missing = ", ".join(f"{c} (U+{ord(c):04X})" for c in result["missing_glyphs"])
    no_glyphs = Message("cli.no_glyphs", missing=missing) if missing else ""
    said = (no_glyphs, result.get("caption", ""), Message("cli.written", path=result["file"]))
    return Answer(result, notes=[text for text in said if text])
