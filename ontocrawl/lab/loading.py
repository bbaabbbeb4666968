"""Labs as files: those of the package and one's own; paths in them, and where data sets are looked for."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from ontocrawl.base.config import checked
from ontocrawl.errors import Option, UsageError, nearest
from ontocrawl.lab.checks import check
from ontocrawl.lab.classifiers import ClassifierSource
from ontocrawl.lab.definition import DATA, DATA_FOLDERS, TOPICS, Lab


def shipped() -> dict[str, str]:
    """Return name -> TOML of the labs of the package."""
    folder = resources.files("ontocrawl.lab") / "labs"
    found = sorted(folder.iterdir(), key=lambda entry: entry.name)
    return {f.name.removesuffix(".toml"): f.read_text("utf-8") for f in found if f.name.endswith(".toml")}


def load(name: str, data: Path | None = None) -> tuple[Lab, str]:
    """Read a lab.

    Args:
        name: name of a shipped lab, or the path of a TOML file. Paths in a file are relative to its folder.
        data: folder of data sets, for ``{data}`` in a lab; None to look for it in `DATA_FOLDERS`.

    Returns:
        The lab, with absolute paths, and its text as written.

    Raises:
        UsageError: an unknown lab, invalid TOML, an unknown key or axis, or data that are missing.
    """
    labs = shipped()
    if name in labs:
        text, folder = labs[name], Path.cwd()
    elif name.endswith(".toml") and Path(name).is_file():
        text, folder = Path(name).read_text(encoding="utf-8-sig"), Path(name).resolve().parent
    else:
        raise UsageError(f"there is no lab {name!r}{nearest(name, labs)}; labs: {', '.join(labs)}, or a FILE.toml")
    lab = parsed(text, name)
    check(lab, name)
    place = _Places(name, folder, data)
    worlds = tuple(
        world.model_copy(update={"world": place.world(world.world), "labels": place.optional(world.labels),
                                 "topic": place.topic(world.topic)})
        for world in lab.worlds
    )  # fmt: skip
    ontologies = {
        key: one.model_copy(
            update={
                "abstracts": place.optional(one.abstracts),
                "topic": one.topic and place.topic(one.topic),
                "file": place.optional(one.file),
            }
        )
        for key, one in lab.ontologies.items()
    }
    found = {
        key: one.model_copy(update={"sources": tuple(place.source(source) for source in one.sources)})
        for key, one in lab.classifiers.items()
    }
    return lab.model_copy(update={"worlds": worlds, "ontologies": ontologies, "classifiers": found}), text


def parsed(text: str, name: str) -> Lab:
    """Return a lab with its paths as written. Raises UsageError for invalid TOML or a key that is unknown."""
    try:
        return checked(Lab, tomllib.loads(text), name)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{name} is not TOML: {error}") from error


@dataclass(frozen=True)
class _Places:
    """Where the files that a lab names are."""

    lab: str
    folder: Path
    data: Path | None

    def world(self, spec: str) -> str:
        kind, colon, rest = spec.partition(":")
        return f"{kind}:{self.path(rest)}" if kind in ("corpus", "archive") else f"{kind}{colon}{rest}"

    def topic(self, name: str) -> str:
        if name.startswith(f"{TOPICS}/"):
            return str(Path(str(resources.files("ontocrawl.lab") / "topics")) / name.removeprefix(f"{TOPICS}/"))
        return self.path(name) if name.endswith(".toml") else name

    def optional(self, text: str | None) -> str | None:
        return None if text is None else self.path(text)

    def source(self, source: ClassifierSource) -> ClassifierSource:
        """Return a source with its path. A data set may be absent: the cells that need it then fail, no others."""
        if DATA not in source.file:
            return source.model_copy(update={"file": self.path(source.file)})
        folder = self.data or _data_folder()
        filled = source.file if folder is None else source.file.replace(DATA, str(folder.resolve()))
        return source.model_copy(update={"file": filled})

    def path(self, text: str) -> str:
        file, sign, part = text.partition("#")
        filled = file.replace(DATA, str(self._data())) if DATA in file else file
        found = self.folder / Path(filled).expanduser()
        if not found.exists():
            raise UsageError(f"{self.lab}: {found} does not exist: correct the path in the lab")
        return f"{found.resolve()}{sign}{part}"

    def _data(self) -> Path:
        if self.data is not None:
            return self.data.resolve()
        found = _data_folder()
        if found is None:
            raise UsageError(f"lab {self.lab} needs data sets that are not part of ontocrawl: name their folder by ",
                             Option("--data DIR", "data=DIR"))  # fmt: skip
        return found


def _data_folder() -> Path | None:
    return next((Path(name).resolve() for name in DATA_FOLDERS if Path(name).is_dir()), None)
