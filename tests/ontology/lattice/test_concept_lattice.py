from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.context import ContextError, FormalContext, bits_of
from ontology.formats import read
from ontology.formats.concepts_package import to_package
from ontology.lattice import LatticeTooLarge, closure, covers, lattice
from ontology.lattice.closure import Tables, TooManyConcepts, bytes_per_concept, close_by_one, expand, top
from ontology.lattice.size import estimate_size
from tests.ontology.contexts import contexts, data, named, table1
from tests.ontology.lattice.oracles import brute_force, extent_pairs, next_closure, reduction, values

G1_CONCEPTS = [
    ("12345", "1"), ("123", "12"), ("235", "13"), ("23", "123"), ("25", "134"), ("35", "135"), ("45", "16"),
    ("2", "1234"), ("3", "1235"), ("4", "167"), ("5", "134568"), ("", "12345678"),
]  # fmt: skip
G1_EDGES = [
    (0, 1), (0, 2), (0, 6), (1, 3), (2, 3), (2, 4), (2, 5), (3, 7), (3, 8), (4, 7), (4, 10), (5, 8), (5, 10), (6, 9),
    (6, 10), (7, 11), (8, 11), (9, 11), (10, 11),
]  # fmt: skip


def test_g1_concepts_and_edges_of_table_1() -> None:
    context = table1()
    found = lattice(context)
    assert [
        (
            "".join(n[1] for n in context.object_names(c.extent)),
            "".join(n[1] for n in context.attribute_names(c.intent)),
        )
        for c in found.concepts
    ] == G1_CONCEPTS
    assert [tuple(edge) for edge in found.covers.tolist()] == G1_EDGES


def test_g1_reduced_labelling_of_table_1() -> None:
    found = lattice(table1())
    assert found.own_attributes == {
        i: (f"T{t}",) for i, t in [(0, 1), (1, 2), (2, 3), (4, 4), (5, 5), (6, 6), (9, 7), (10, 8)]
    }
    assert found.own_objects == {i: (f"D{d}",) for i, d in [(1, 1), (7, 2), (8, 3), (9, 4), (10, 5)]}
    assert (found.top, found.bottom) == (0, 11)
    assert found.lower(2).tolist() == [3, 4, 5]
    assert found.upper(10).tolist() == [4, 5, 6]
    assert found.upper(0).tolist() == []


@pytest.mark.slow
@given(contexts())
@settings(deadline=None, max_examples=150)
def test_concepts_and_covers_equal_brute_force_and_networkx(context: FormalContext) -> None:
    found = lattice(context)
    assert len(values(found)) == len(found)
    assert values(found) == brute_force(context) == next_closure(context)
    assert extent_pairs(found) == reduction(values(found))
    assert len(extent_pairs(found)) == len(found.covers)


@pytest.mark.slow
@given(contexts(), st.data())
@settings(deadline=None)
def test_the_iceberg_is_the_upper_part(context: FormalContext, data: st.DataObject) -> None:
    support = data.draw(st.integers(1, len(context.objects)))
    whole, direct = lattice(context), lattice(context, min_support=support)
    cut = whole.iceberg(support)
    assert cut == direct
    assert (cut.extents == direct.extents).all()
    assert (cut.covers == direct.covers).all()
    assert values(direct) == {(A, B) for A, B in brute_force(context) if A.bit_count() >= support}
    assert extent_pairs(direct) == reduction(values(direct))


@given(contexts())
@settings(deadline=None)
def test_order_labels_and_neighbours(context: FormalContext) -> None:
    found = lattice(context)
    keys = [(-c.support, list(bits_of(c.extent))) for c in found.concepts]
    assert keys == sorted(keys)
    for m, i in enumerate(found.attribute_concepts.tolist()):
        assert found.concepts[i].extent == context.columns[m]
    for g, i in enumerate(found.object_concepts.tolist()):
        assert found.concepts[i].intent == context.rows[g]
    assert found.concepts[found.bottom or 0].intent == 2 ** len(context.attributes) - 1
    pairs = {(u, v) for u in range(len(found)) for v in found.lower(u).tolist()}
    assert (
        pairs
        == {(u, v) for v in range(len(found)) for u in found.upper(v).tolist()}
        == set(map(tuple, found.covers.tolist()))
    )


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(5, 70), (70, 5), (130, 12), (40, 15)])
@pytest.mark.parametrize("p", [0.1, 0.3])
def test_equal_to_the_package_concepts(shape: tuple[int, int], p: float) -> None:
    context = named(np.random.default_rng(7).random(shape) < p)
    theirs = to_package(context).lattice
    found = lattice(context)
    assert values(found) == {(context.object_bits(c.extent), context.attribute_bits(c.intent)) for c in theirs}
    assert extent_pairs(found) == {
        (context.object_bits(c.extent), context.object_bits(d.extent)) for c in theirs for d in c.lower_neighbors
    }


@given(contexts(70, 12))
@settings(deadline=None, max_examples=40)
def test_equal_to_next_closure_where_extents_are_wide(context: FormalContext) -> None:
    found = lattice(context)
    assert values(found) == next_closure(context)
    assert len(values(found)) == len(found)


@pytest.mark.parametrize(("n", "m", "p"), [(200, 10, 0.4), (80, 20, 0.3), (20, 80, 0.15)])
def test_larger_contexts_equal_next_closure_and_networkx(n: int, m: int, p: float) -> None:
    found = lattice(named(np.random.default_rng(9).random((n, m)) < p))
    assert values(found) == next_closure(found.context)
    assert extent_pairs(found) == reduction(values(found))
    keys = [(-c.support, list(bits_of(c.extent))) for c in found.concepts]
    assert keys == sorted(keys)


@pytest.mark.slow
def test_small_batches_and_rows_without_the_octet_table_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    context = named(np.random.default_rng(3).random((90, 70)) < 0.15)
    whole = lattice(context)
    monkeypatch.setattr(closure, "CANDIDATE_WORDS", 100)
    monkeypatch.setattr(closure, "TABLE_BYTES", 0)
    monkeypatch.setattr(covers, "BLOCK_CELLS", 300)
    again = lattice(context)
    assert (whole.extents == again.extents).all()
    assert (whole.intents == again.intents).all()
    assert (whole.covers == again.covers).all()


def test_a_hash_is_never_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a hash that collides at first the index takes another; strange intents are not found."""
    good = covers._hash

    def colliding(intents: np.ndarray, salt: int) -> np.ndarray:
        return good(intents, salt) % np.uint64(5 if salt == 0 else 2**63)

    context = named(np.random.default_rng(3).random((60, 30)) < 0.2)
    whole = lattice(context)
    monkeypatch.setattr(covers, "_hash", colliding)
    again = lattice(context)
    assert (whole.covers == again.covers).all()
    index = covers.IntentIndex(np.array([[1], [2]], dtype=np.uint64))
    assert index.find(np.array([[2], [3], [1]], dtype=np.uint64)).tolist() == [1, -1, 0]


LISTED = re.compile(r"^\S+\.(cxt|cxt\.xz|dat)$")


def listed() -> dict[str, str]:
    """File -> number of concepts as the manifest has it."""
    manifest = data("fca_contexts/MANIFEST.tsv").read_text(encoding="utf-8").splitlines()[1:]
    fields = (line.split("\t") for line in manifest)
    return {f[0]: f[5] for f in fields if LISTED.match(f[0])}


def test_the_listed_contexts_have_the_listed_number_of_concepts() -> None:
    small = {name: count for name, count in listed().items() if "mushroom" not in name and "chess" not in name}
    found = {name: str(len(lattice(read(data("fca_contexts") / name)))) for name in small}
    assert found == small
    assert len(small) > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", ["concepts/mushroom.cxt.xz", "fimi/mushroom.dat"])
def test_mushroom(name: str) -> None:
    found = lattice(read(data("fca_contexts") / name))
    assert str(len(found)) == listed()[name]
    heads = found.intents[found.covers]  # every line leads to a larger intent
    assert not (heads[:, 0] & ~heads[:, 1]).any()


@pytest.mark.slow
def test_chess_is_more_than_was_counted() -> None:
    assert listed()["fimi/chess.dat"].startswith(">")
    with pytest.raises(LatticeTooLarge) as refusal:
        lattice(read(data("fca_contexts/fimi/chess.dat")))
    assert refusal.value.found < 200_000
    assert refusal.value.estimate > int(listed()["fimi/chess.dat"][1:])


def test_the_measured_random_context() -> None:
    found = lattice(named(np.random.default_rng(0).random((500, 60)) < 0.1))
    assert len(found) == 4439


def test_a_context_that_would_blow_up_is_refused_with_advice() -> None:
    context = named(~np.eye(26, dtype=bool))
    with pytest.raises(LatticeTooLarge, match="minimal support of") as refusal:
        lattice(context, limit=50_000)
    error = refusal.value
    assert 50_000 < error.found < 2_000_000
    assert 2**24 < error.estimate < 2**28
    assert len(lattice(context, min_support=error.min_support, limit=50_000)) <= 50_000


def test_a_lattice_beyond_the_memory_is_refused() -> None:
    with pytest.raises(LatticeTooLarge):
        lattice(named(~np.eye(20, dtype=bool)), memory=100_000)


@pytest.mark.parametrize("shape", [(70, 66), (700, 12)])
def test_the_memory_of_an_enumeration_is_that_of_its_concepts_and_failed_pairs(shape: tuple[int, int]) -> None:
    tables = Tables.of(named(np.random.default_rng(4).random(shape) < 0.15))
    found = close_by_one(tables, min_support=1, limit=10_000, memory=1 << 30)
    failed = found.failed_parent.nbytes + found.failed_attribute.nbytes + found.failed_intent.nbytes
    kept = found.A.nbytes + found.B.nbytes + found.y.nbytes + found.parent.nbytes
    assert len(found) > 200 and failed > 0
    assert bytes_per_concept(tables) == kept / len(found) + 5 * tables.m + 8  # the rest is for the search and covers
    memory = bytes_per_concept(tables) * len(found) + failed
    assert len(close_by_one(tables, min_support=1, limit=len(found), memory=memory)) == len(found)
    with pytest.raises(TooManyConcepts) as stopped:
        close_by_one(tables, min_support=1, limit=10_000, memory=memory - 1)
    assert stopped.value.found == len(found)
    with pytest.raises(TooManyConcepts):
        close_by_one(tables, min_support=1, limit=len(found) - 1, memory=1 << 30)


def test_the_callback_receives_the_number_of_concepts_and_may_end_the_enumeration() -> None:
    tables = Tables.of(table1())
    counts = list[int]()
    found = close_by_one(tables, min_support=1, limit=100, memory=1 << 20, watch=counts.append)
    assert counts == sorted(counts)
    assert counts[-1] == len(found) == 11  # Table 1 without its empty extent

    def ends(count: int) -> None:
        raise KeyboardInterrupt(count)

    with pytest.raises(KeyboardInterrupt):
        close_by_one(tables, min_support=1, limit=100, memory=1 << 20, watch=ends)


def test_the_closure_table_is_never_larger_than_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    context = named(np.random.default_rng(6).random((130, 70)) < 0.15)
    size = Tables.of(context).rows.nbytes
    for largest, by_octet in ((size, True), (size - 1, False)):
        monkeypatch.setattr(closure, "TABLE_BYTES", largest)
        tables = Tables.of(context)
        assert tables.by_octet is by_octet
        assert tables.rows.nbytes <= largest


def test_a_batch_has_no_more_candidates_than_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = Tables.of(named(np.random.default_rng(6).random((130, 40)) < 0.2))
    level = next(iter(expand(tables, top(tables), 1))).children
    assert len(level) == 40
    words = 3 * 40  # a candidate of 130 objects has three words, a concept has up to 40 candidates
    for limit, batch in ((7 * words, 7), (7 * words - 1, 6), (1, 1)):
        monkeypatch.setattr(closure, "CANDIDATE_WORDS", limit)
        parents = [np.concatenate([step.origin, step.failed_parent]) for step in expand(tables, level, 1)]
        assert all(first.max() < second.min() for first, second in pairwise(parents))
        assert max(np.ptp(of_step) for of_step in parents) == batch - 1


@pytest.mark.parametrize(("shape", "p"), [((200, 30), 0.3), ((500, 60), 0.1), ((30, 12), 0.8)])
def test_the_estimate_is_near(shape: tuple[int, int], p: float) -> None:
    context = named(np.random.default_rng(0).random(shape) < p)
    estimate = estimate_size(Tables.of(context))
    assert estimate.concepts == pytest.approx(len(lattice(context, min_support=1)), rel=0.5)
    assert estimate_size(Tables.of(context)).concepts == estimate.concepts
    support = estimate.support_for(estimate.concepts / 4)
    assert len(lattice(context, min_support=support)) < estimate.concepts / 2


def test_bad_supports_are_refused() -> None:
    for support in (-1, 6):
        with pytest.raises(ContextError, match="expected 0 to 5"):
            lattice(table1(), min_support=support)
        with pytest.raises(ContextError, match="expected 0 to 5"):
            lattice(table1()).iceberg(support)


@pytest.mark.slow
def test_the_same_in_another_process() -> None:
    program = (
        "import numpy as np, hashlib\n"
        "from ontology.context import FormalContext\n"
        "from ontology.lattice import lattice\n"
        "t = np.random.default_rng(5).random((80, 40)) < .2\n"
        "x = lattice(FormalContext.from_bools([str(i) for i in range(80)], [str(i) for i in range(40)], t))\n"
        "print(hashlib.sha256(x.extents.tobytes() + x.covers.tobytes()).hexdigest())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True,
            cwd=Path(__file__).parents[3], env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert runs[0] == runs[1] != ""
