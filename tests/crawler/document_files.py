"""Small PDF and DOCX files: written here, so that each test says what is in its file."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from html import escape

_FONTS = (
    b"<< /Latin << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    b" /Han << /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [ << /Type"
    b" /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1)"
    b" /Supplement 2 >> /DW 1000 /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /Ascent 859"
    b" /Descent -140 /CapHeight 683 /StemV 93 /ItalicAngle 0 /FontBBox [-25 -254 1000 880] >> >> ] >> >>"
)


def pdf(
    pages: Sequence[str],
    *,
    title: str = "",
    created: str = "",
    language: str = "",
    links: Mapping[int, str] | None = None,
    trailer: bytes = b"",
    objects: Sequence[bytes] = (),
) -> bytes:
    """Return a PDF file.

    Args:
        pages: text of each page, a line a line; ASCII, or characters of GB2312.
        title, created, language: what it says of itself.
        links: number of a page, from 0 -> address of a link at its first line.
        trailer: further entries of the trailer.
        objects: content streams that take the place of those of the first pages.
    """
    catalog, tree, information = (
        b"<< /Type /Catalog /Pages 2 0 R%s >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>",
        b"<<%s >>",
    )
    said = [(b"Title", title), (b"CreationDate", created)]
    kids = b" ".join(b"%d 0 R" % (4 + 2 * number) for number in range(len(pages)))
    body = [
        catalog % (b" /Lang (%s)" % language.encode() if language else b""),
        tree % (kids, len(pages)),
        information % b"".join(b" /%s %s" % (key, _string(value)) for key, value in said if value),
    ]
    for number, text in enumerate(pages):
        link = (links or {}).get(number)
        annotation = b"/Annots [ << /Type /Annot /Subtype /Link /Rect [50 735 550 760] /A << /S /URI /URI %s >> >> ]"
        body.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R /Resources << /Font %s >> %s >>"
            % (5 + 2 * number, _FONTS, annotation % _string(link) if link else b"")
        )
        lines = b" ".join(b"0 -16 Td " + _shown(line) for line in text.split("\n"))
        content = objects[number] if number < len(objects) else b"BT 50 757 Td " + lines + b" ET"
        packed = zlib.compress(content)
        body.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed))
    return _file(body, trailer)


def _string(text: str) -> bytes:
    return b"<%s>" % (text.encode() if text.isascii() else b"\xfe\xff" + text.encode("utf-16-be")).hex().encode()


def _shown(line: str) -> bytes:
    """Return the operators that show a line, in the font of its characters."""
    font, code = (b"Latin", line.encode()) if line.isascii() else (b"Han", line.encode("utf-16-be"))
    return b"/%s 12 Tf <%s> Tj" % (font, code.hex().encode())


def _file(body: Sequence[bytes], trailer: bytes) -> bytes:
    """Return a PDF file of objects; the first is the catalogue, the third the information."""
    out = io.BytesIO(b"%PDF-1.7\n")
    out.seek(0, io.SEEK_END)
    places = []
    for number, content in enumerate(body, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, content))
    start = out.tell()
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    out.write(b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(body) + 1, table))
    out.write(b"trailer\n<< /Size %d /Root 1 0 R /Info 3 0 R %s >>\n" % (len(body) + 1, trailer))
    out.write(b"startxref\n%d\n%%%%EOF\n" % start)
    return out.getvalue()


ENCRYPTED = b"/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >>" % (
    b"a1" * 32,
    b"b2" * 32,
)
"""Entries of a trailer by which a file needs a password."""
_NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OF_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def docx(paragraphs: Sequence[str], *, title: str = "", links: Sequence[tuple[str, str]] = (), xml: str = "") -> bytes:
    """Return a DOCX file.

    Args:
        paragraphs: its paragraphs; a form feed is where Word began a page when it laid them out.
        title: its title.
        links: address and text of links, each a paragraph behind these.
        xml: the whole text part in place of paragraphs and links.
    """
    rows = [f"<w:p><w:r><w:t>{_text(row)}</w:t></w:r></w:p>" for row in paragraphs]
    rows += [f'<w:p><w:hyperlink r:id="r{n}"><w:r><w:t>{escape(text)}</w:t></w:r></w:hyperlink></w:p>'
             for n, (_, text) in enumerate(links)]  # fmt: skip
    spaces = f'xmlns:w="{_NAMESPACE}" xmlns:r="{_OF_RELATIONS}"'
    relations = "".join(
        f'<Relationship Id="r{n}" Target="{escape(address)}" TargetMode="External"/>'
        for n, (address, _) in enumerate(links)
    )
    parts = {
        "word/document.xml": xml or f"<w:document {spaces}><w:body>{''.join(rows)}</w:body></w:document>",
        "word/_rels/document.xml.rels": f'<Relationships xmlns="x">{relations}</Relationships>',
        "docProps/core.xml": f"<core><title>{escape(title)}</title><created>2024-05-06T07:08:09Z</created></core>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def _text(row: str) -> str:
    return escape(row).replace("\f", "</w:t><w:lastRenderedPageBreak/><w:t>")
