"""Document frequencies of a background corpus: the number of its documents that contain a word or phrase.

`keyness.Background` holds word frequencies (occurrences in running text) and is compared with word frequencies; the
table here holds document frequencies, of phrases too, and is compared with document frequencies.

A form is an n-gram of 1 to 4 words of a title or abstract, as `token_stream` cuts them: 灾害 is not counted within the
one word 自然灾害. Function words, numbers and punctuation are in no form. A form that can be cut into words in several
ways has one count, of the documents that contain any of them.

The table that comes with the package, ``data/background_zh.tsv.gz``, holds counts only; data/README.md names the
corpus. A file is UTF-8, compressed by gzip if its name ends in .gz::

    # source: where the counts are from
    # documents: 18242
    # least: 3
    form<TAB>count
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

from ontology.files import write_atomically
from ontology.model import Document
from ontology.terms.keyness import BackgroundError
from ontology.terms.lexicon import EMPTY, Lexicon
from ontology.terms.ngrams import NGrams, ngrams
from ontology.terms.token_stream import joined, token_stream
from ontology.terms.wordforms import fold, simplified

LEAST = 3
_NAME = "background_zh.tsv.gz"
_HEADER = ("source", "documents", "least")
_WHOLE = re.compile(r"[0-9]{1,10}")


@dataclass(frozen=True)
class DocumentFrequencies:
    """Document frequencies of a background corpus.

    Attributes:
        frequency: form -> number of documents that contain it, from ``least`` to ``documents``.
        documents: number of documents of the background.
        source: origin of the counts, one line.
        least: forms of fewer documents are not in the table.

    >>> table = DocumentFrequencies({"洪水": 40, "flood": 7}, 1000, "an example", 3)
    >>> table.of(["洪水", "Flood"]), table.of(["山洪"])
    (40, 2)
    """

    frequency: Mapping[str, int]
    documents: int
    source: str
    least: int

    def of(self, forms: Iterable[str]) -> int:
        """Return the largest document frequency of any of the surface forms of a term.

        Forms are folded, and spaces are kept between two Latin words only, as the forms of the table are written. A
        form that the table lacks occurs in fewer than ``least`` documents, or is never cut like that (a function word,
        more than 4 words). It counts as ``least - 1``, the maximum in the first case, so that the particularity of a
        term is never overestimated.
        """
        return max((self.frequency.get(joined(fold(form).split()), 0) for form in forms), default=0) or self.least - 1


def document_frequencies(
    documents: Sequence[Document], source: str, least: int = LEAST, lexicon: Lexicon = EMPTY
) -> DocumentFrequencies:
    """Count in how many documents every n-gram of titles and abstracts occurs; author keywords are not read.

    Args:
        documents: the background corpus.
        source: its origin, for the reader of the table.
        least: leave out forms of fewer documents; 1 or more.
        lexicon: its words are not cut apart, and the words within them not counted.

    Raises:
        BackgroundError: there are no documents, or no form occurs in ``least`` of them.
    """
    if not documents:
        raise BackgroundError("terms.no_documents_background_needs")
    if least < 1:
        raise BackgroundError("terms.least_expected_more_documents", least=least)
    counts = _counts(ngrams(token_stream(documents, lexicon)))
    kept = {form: count for form, count in counts.items() if count >= least}
    if not kept:
        raise BackgroundError("terms.no_word_occurs_documents", least=least, n_documents=len(documents))
    return DocumentFrequencies(MappingProxyType(kept), len(documents), " ".join(source.split()), least)


def _counts(grams: NGrams) -> dict[str, int]:
    """Return the number of documents of each text; types of equal text are cut differently and may share documents."""
    first: dict[str, int] = {}
    several: dict[str, list[int]] = {}
    for ngram in range(grams.size):
        text = grams.text(ngram)
        before = first.setdefault(text, ngram)
        if before != ngram:
            several.setdefault(text, [before]).append(ngram)
    each = grams.document_frequency.tolist()
    alone = {text: each[ngram] for text, ngram in first.items()}
    return alone | {text: len(grams.records(types)) for text, types in several.items()}


def save(table: DocumentFrequencies, path: Path) -> None:
    """Write a table atomically; equal tables are written as equal bytes.

    Args:
        table: document frequencies.
        path: the file; compressed if its name ends in .gz.

    Raises:
        OSError: the file cannot be written.
    """
    head = f"# source: {' '.join(table.source.split())}\n# documents: {table.documents}\n# least: {table.least}\n"
    write_table(path, head + "".join(f"{form}\t{count}\n" for form, count in sorted(table.frequency.items())))


def write_table(path: Path, text: str) -> None:
    """Write a table of counts atomically, compressed if its name ends in .gz; equal texts are written as equal bytes.

    Raises:
        OSError: the file cannot be written.
    """
    data = text.encode()
    if path.name.endswith(".gz"):
        packed = BytesIO()
        with gzip.GzipFile("", "wb", 9, packed, mtime=0) as stream:
            stream.write(data)
        data = packed.getvalue()
    write_atomically(path, data)


def load(path: Path) -> DocumentFrequencies:
    """Read a table that ``save`` wrote.

    Raises:
        BackgroundError: the file cannot be used; the message names file and line.
    """
    return _parsed(table_lines(path), str(path))


@lru_cache(maxsize=1)
def shipped() -> DocumentFrequencies:
    """Return the table that comes with the package: Chinese abstracts of all disciplines. It is read once."""
    return _parsed(shipped_lines(_NAME), _NAME)


def _parsed(lines: Sequence[tuple[str, str]], name: str) -> DocumentFrequencies:
    source, size, lowest = (header(lines[i : i + 1], key, name) for i, key in enumerate(_HEADER))
    documents = whole(size, 1, 10**9, lines[1][0])
    least = whole(lowest, 1, documents, lines[2][0])
    counts: dict[str, int] = {}
    for where, line in lines[len(_HEADER) :]:
        form, tab, count = line.partition("\t")
        if line and (not (form and tab) or form in counts):
            raise BackgroundError("terms.expected_new_form_tab", where=where, line=line)
        if line:
            counts[form] = whole(count, least, documents, where)
    if not counts:
        raise BackgroundError("terms.no_form_expected_lines", name=name)
    return DocumentFrequencies(MappingProxyType(_simplified(counts)), documents, source, least)


def _simplified(counts: dict[str, int]) -> dict[str, int]:
    """Return counts by simplified forms, for tables that were counted in both scripts; of two forms the larger one."""
    plain = simplified("\n".join(counts)).split("\n")
    for written, form in zip([*counts], plain, strict=True):
        if written != form:
            counts[form] = max(counts.pop(written), counts.get(form, 0))
    return counts


def table_lines(path: Path) -> list[tuple[str, str]]:
    """Return the lines of a table of counts, each with its place for messages.

    Raises:
        BackgroundError: the file cannot be read, or is not what its name says.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BackgroundError("files.could_not_be_read", path=path, error=error.strerror) from error
    return _lines(data, str(path))


def shipped_lines(name: str) -> list[tuple[str, str]]:
    """Return the lines of a table of ontology/data, each with its place for messages."""
    return _lines((files("ontology") / "data" / name).read_bytes(), name)


def _lines(data: bytes, name: str) -> list[tuple[str, str]]:
    return [(f"{name}, line {n}", line.rstrip("\r")) for n, line in enumerate(_text(data, name).split("\n"), 1)]


def header(lines: Sequence[tuple[str, str]], key: str, name: str) -> str:
    """Return the value of a header line ``# key: value``.

    Args:
        lines: the line with its place, or nothing where the file has ended.
        key: the key that is expected.
        name: the file, for the message.

    Raises:
        BackgroundError: the line has another form.
    """
    where, line = lines[0] if lines else (name, "the end of the file")
    if not line.startswith(f"# {key}:"):
        raise BackgroundError("terms.expected_found", where=where, key=key, line=line)
    return line.partition(":")[2].strip()


def _text(data: bytes, name: str) -> str:
    try:
        text = gzip.decompress(data) if name.endswith(".gz") else data
    except (EOFError, OSError, zlib.error) as error:
        raise BackgroundError("terms.not_whole_gzip_file", name=name, error=error) from error
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise BackgroundError("terms.line_no_text_utf", name=name, line=line) from error


def whole(text: str, low: int, high: int, where: str) -> int:
    """Return a whole number from ``low`` to ``high``.

    Raises:
        BackgroundError: the text is none; the message begins with ``where``.
    """
    number = int(text) if _WHOLE.fullmatch(text) else -1
    if not low <= number <= high:
        raise BackgroundError("terms.expected_whole_number_found", where=where, low=low, high=high, text=text)
    return number
