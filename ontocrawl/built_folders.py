"""The next version of ontologies in the folder of a build: decisions applied to what was learned, learning nothing.

Decisions are applied to the ontologies of the last build, never to those of a version that was made so: a decision that
was made and withdrawn since leaves nothing behind. A later build replays the same decisions.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ontocrawl import deciding, papers, releases, topic_files
from ontocrawl.errors import UsageError
from ontocrawl.hand_edits import PROVENANCE
from ontocrawl.outlines import depth
from ontocrawl.places import REGISTER, Place
from ontocrawl.releases import Draft, Following
from ontocrawl.topics import Topic
from ontocrawl.versions import Version, VersionError
from ontology import formats
from ontology.build import context_lattice
from ontology.claims_lattice import claims_context
from ontology.decisions import table
from ontology.draw import hierarchy_svg, lattice_page, lattice_svg
from ontology.iris import IriRegister
from ontology.model import Ontology

SUMMARY = "summary.json"


class FolderDraft(Draft):
    """The next version of the ontologies in the folder of a build, which is not written."""

    def entry(self) -> Version:
        """Return the line of the history."""
        prior = _latest(self.place)
        return replace(
            super().entry(), documents=prior.documents, corpus=prior.corpus, base=prior.base or prior.version
        )

    def files(self) -> dict[str, bytes]:
        """Return name -> content of the files: those of the build, and anew what follows from the ontologies."""
        store, version = self.place.store, _latest(self.place).version
        files = {
            name: content for name, content in store.files(version).items()
            if name not in (table.FILE, REGISTER) and not name.endswith((".toml", "-changes.md"))
            and PROVENANCE not in name
        }  # fmt: skip
        first = self.release.ontologies[0]
        files |= super().files()
        files |= {f"{deciding.file_stem(o)}.svg": hierarchy_svg(o).encode() for o in self.release.ontologies}
        if len(first.concepts) > 1:
            files |= _claims_files(first)
        name = papers.path_beside(Path(f"{self.place.topic}.ttl"), first).name
        if name in files:
            files[name] = papers.renamed(files[name], first.key)
        if SUMMARY in files:
            files[SUMMARY] = self._summary(files[SUMMARY])
        return files

    def _summary(self, content: bytes) -> bytes:
        """Return the figures of the build with those of this version."""
        first, *local = self.release.ontologies
        decided = self.release.decided
        figures = json.loads(content) | {
            "version": first.version,
            "classes": len(first.concepts),
            "depth": depth(first),
            "local": [{"iri": o.iri, "classes": len(o.concepts), "depth": depth(o)} for o in local],
            "decisions": len(decided.decisions),
            "idle_decisions": [[r.decision.id, r.reason] for r in decided.idle],
            "conflicts": [[r.decision.id, r.reason] for r in decided.conflicts],
        }
        return (json.dumps(figures, ensure_ascii=False, indent=2) + "\n").encode()

    @property
    def notes(self) -> tuple[str, ...]:
        """What the version does not have although it was decided, one sentence each."""
        base = self.place.store.find(_latest(self.place).base or _latest(self.place).version)
        gone = [id_ for id_ in base.decisions if id_ not in {d.id for d in self.left.decisions}]
        if not gone:
            return ()
        when = f"withdrawn since version {base.version} was built"
        return (f"{', '.join(gone)}: {when}; what came of it goes with the next `ontology build`",)


def _claims_files(ontology: Ontology) -> dict[str, bytes]:
    """Return name -> content of the context of an ontology's claims, with a picture and a page of its lattice."""
    lattice = context_lattice(claims_context(ontology))
    with tempfile.TemporaryDirectory(prefix="ontocrawl-") as folder:
        path = Path(folder) / "claims.cxt"
        formats.write(lattice.context, path)
        context = path.read_bytes()
    return {
        "claims.cxt": context,
        "claims-lattice.svg": lattice_svg(lattice, of_documents=False).encode(),
        "claims-lattice.html": lattice_page(lattice, titles=None, of_documents=False).encode(),
    }


def topic_file(draft: Draft, topic: Topic) -> dict[str, bytes]:
    """Return name -> content of the topic file with the versions of a draft; empty where a person edited it.

    Args:
        draft: the next version.
        topic: the topic as its file has it.
    """
    path = draft.place.folder / f"{topic.name}.toml"
    if not path.exists() or topic_files.is_edited(path):
        return {}
    learned = [(f"{deciding.file_stem(o)}.ttl", o) for o in draft.release.ontologies]
    text = topic_files.learned(topic.file, learned, f"{_latest(draft.place).documents} records")
    return {path.name: text.encode()}


def drafted(topic: Topic, place: Place, who: str, when: str, *, number: str = "", record: bool = True) -> Draft:
    """Make the next version of the ontologies in the folder of a build, from the last build and the decisions.

    Args:
        topic: the topic.
        place: the folder.
        who: name of the person who edited files.
        when: date and time, ISO 8601.
        number: the number of the version; empty for the next one.
        record: whether edits are written down as decisions.

    Raises:
        UsageError: the ontologies of the build are not kept.
        VersionError: the number is taken.
    """
    store = place.store
    drafts = _of_build(place, topic.file.ontologies)
    register = IriRegister.load(place.register, drafts[0].root.rpartition("#")[0] + "#")
    for ontology in drafts:
        for concept in ontology.concepts:
            register.keep(concept.label, concept.iri)
    left = releases.left_behind(topic.workspace, place, register, who, when, record=record)
    rule = Following(store, lambda _: (), number=number, again=True)
    return FolderDraft(place, drafts, left, rule, releases.following(drafts, left, rule))


def _latest(place: Place) -> Version:
    latest = place.store.latest
    if latest is None:
        raise VersionError(f"{place.folder} has no versions: build the ontology there (ontology build)")
    return latest


def _of_build(place: Place, order: Sequence[str]) -> tuple[Ontology, ...]:
    """Read the ontologies of the last build, the global one first, the others in the order of the topic's file."""
    latest = _latest(place)
    base = latest.base or latest.version
    stems = [
        name.removesuffix(".ttl") for name in place.store.files(base)
        if name.endswith(".ttl") and PROVENANCE not in name
    ]  # fmt: skip
    found = [loaded.ontology for stem in stems if (loaded := deciding.built(place.store, base, stem)) is not None]
    if not any(o.kind == "global" for o in found):
        raise UsageError(f"{place.folder}: version {base} has no ontology; build it again (ontology build)")
    place_of = {Path(name).stem: position for position, name in enumerate(order)}

    def key(ontology: Ontology) -> tuple[bool, int, str]:
        position = place_of.get(deciding.file_stem(ontology), len(place_of))
        return ontology.kind != "global", position, ontology.iri

    return tuple(sorted(found, key=key))
