"""Review in a real browser: twenty proposals by keyboard alone, and the circle from a run to a class in the tree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

from ontocrawl.base.workspace import Workspace
from ontocrawl.explorer.app import Prepared
from ontocrawl.topics import reviewed
from ontology.enrichment import Verdict
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.explorer.chromium import Opened, opened

pytestmark = pytest.mark.slow
TOPIC = "rainstorm"


@pytest.fixture(scope="module")
def window(served: Prepared, crawled: str) -> Iterator[Opened]:
    with opened(served.address) as found:
        yield found


@pytest.fixture(autouse=True)
def _as_before(space: Workspace) -> Iterator[None]:
    """The workspace's ontologies and verdicts are those of before after each test."""
    before = set(space.ontologies.rglob("*"))
    yield
    for path in sorted(set(space.ontologies.rglob("*")) - before, key=lambda path: len(Path(path).parts)):
        if path.is_dir():
            rmtree(path)
        else:
            path.unlink(missing_ok=True)


def propose(window: Opened, crawled: str, kind: str = "") -> Any:
    """Propose from a run on the page of review; return the page with open proposals."""
    page = window.go(f"/review?topic={TOPIC}&kind={kind}&lang=en")
    page.select_option("#propose select", crawled)
    page.fill("#propose [name=limit]", "60")
    page.click("#propose button")
    page.locator("#said", has_text="open proposals").wait_for()
    page.locator("#proposal h2").wait_for()
    return page


def wait(page: Any, left: int) -> None:
    """Wait until a number of proposals is open."""
    page.locator("#counts", has_text=f"{left} open;").wait_for()


def asked(page: Any, key: str, text: str, *then: str) -> None:
    """Press a key that asks for a name, type it, and press further keys."""
    page.keyboard.press(key)
    page.locator("#ask").wait_for()
    page.keyboard.type(text)
    if then[0] == "ArrowDown":
        page.locator("#choices li", has_text=text).first.wait_for()
    for one in then:
        page.keyboard.press(one)


def test_twenty_proposals_by_keyboard_alone(window: Opened, space: Workspace, crawled: str) -> None:
    propose(window, crawled)
    page = window.go(f"/review?topic={TOPIC}&kind=concept&lang=en")  # the keys are pressed without a click
    page.locator("#proposal mark").first.wait_for()
    before = page.locator("#queue li").count()
    assert before >= 22
    left = before
    for key, text, *then in (("n", "甲型新术语", "Enter"), ("m", "洪水", "ArrowDown", "Enter"), ("s", "预警", "Enter")):
        asked(page, key, text, *then)
        left -= 1
        wait(page, left)
    page.keyboard.press("u")
    wait(page, left + 1)
    asked(page, "s", "预警", "Escape")
    page.keyboard.press("l")
    page.locator("#counts", has_text="1 later").wait_for()
    while left > before - 20:
        page.keyboard.press("r")
        left -= 1
        wait(page, left + 1)
    said = [(v.verdict.action, v.verdict.value) for v in reviewed.record_of(space, TOPIC).standing.values()]
    assert said[:2] == [("rename", "甲型新术语"), ("move", "洪水")]
    assert [action for action, _ in said[2:]] == ["reject"] * (len(said) - 2)
    assert len(said) == 19 and page.locator("#queue li.later").count() == 1
    for _ in range(2):
        page.keyboard.press("x")
    full_width = "new KeyboardEvent('keydown', {key: 'Ｒ', bubbles: true})"  # as an input method sends it
    page.evaluate(f"() => document.activeElement.dispatchEvent({full_width})")
    wait(page, before - 21)
    page.reload()
    wait(page, before - 21)
    page.keyboard.press("u")  # what this tab has done is known after a reload
    wait(page, before - 19)
    assert not window.complaints


def test_a_name_and_a_parent_are_given_in_one_form(window: Opened, space: Workspace, crawled: str) -> None:
    page = propose(window, crawled, "concept")
    id_ = str(page.locator("#queue li [aria-current]").locator("..").get_attribute("data-id"))
    term = page.locator("#queue li a[aria-current]").inner_text()
    page.keyboard.press("n")
    page.locator("#ask").wait_for()
    assert page.locator("#as").input_value() == term
    page.fill("#as", f"{term}事件")
    page.fill("#name", "洪水")
    page.locator("#choices li", has_text="洪水").first.wait_for()
    page.click("#back")
    page.locator("#ask").wait_for(state="hidden")
    assert id_ not in reviewed.record_of(space, TOPIC).standing, "nothing is decided by going back"
    page.keyboard.press("n")
    page.fill("#as", f"{term}事件")
    page.fill("#name", "洪水")
    page.locator("#choices li", has_text="洪水").first.wait_for()
    page.click("#ask button:not([type=button])")
    page.locator("#said", has_text=f"{term}: accepted as {term}事件 under 洪水").wait_for()
    assert reviewed.record_of(space, TOPIC).standing[id_].verdict == Verdict("rename", f"{term}事件", "洪水")
    page.keyboard.press("u")
    page.locator("#said", has_text=term).wait_for()
    assert not window.complaints


def test_what_a_terminal_has_decided_meanwhile_is_said(
    window: Opened, space: Workspace, crawled: str, command: Command
) -> None:
    page = propose(window, crawled)
    first = page.locator("#queue li").first.get_attribute("data-id")
    decided = command("enrich", "decide", first, "reject", "--who", "王五", "--workspace", space.root)
    assert decided.code == 0, decided.err
    page.keyboard.press("a")
    page.locator("#said", has_text="王五 has decided meanwhile: rejected").wait_for()
    page.locator(f'#queue li[data-id="{first}"]').wait_for(state="detached")
    window.complaints.clear()  # the browser writes the status 409 on its console
    assert reviewed.record_of(space, TOPIC).standing[str(first)].who == "王五"


def test_from_a_run_to_a_class_in_the_tree(window: Opened, space: Workspace, crawled: str) -> None:
    """Propose, review, apply and look, with no command."""
    page = propose(window, crawled, "concept")
    term = page.locator("#queue li[data-id] a").first.inner_text()
    asked(page, "m", "洪水", "Enter")
    page.locator("#said", has_text="accepted under 洪水").wait_for()
    page.click("a#apply")
    page.click("#check")
    page.locator("#outcome td", has_text=term).first.wait_for()
    assert not (space.ontologies / f"{TOPIC}.ttl").exists()
    page.click("#apply:not([disabled])")
    page.locator("#version", has_text="1.1.0").wait_for()
    page.locator("#history tbody tr").nth(1).wait_for()
    page = window.go(f"/ontologies/{TOPIC}?lang=zh")
    assert page.locator("#version").inner_text() == "1.1.0"
    page.fill("#search", term)
    page.locator("#found a").first.click()
    page.locator("#class h2", has_text=term).wait_for()
    page.locator("#tree [aria-current]", has_text=term).wait_for()
    page.locator("#class .relations a", has_text="洪水").wait_for()
    page.locator("#class .record blockquote").first.wait_for()
    page.locator("#class .weight td").first.wait_for()
    assert not window.complaints


def test_one_of_several_verdicts_is_taken_back(window: Opened, space: Workspace, crawled: str) -> None:
    page = propose(window, crawled, "concept")
    terms = page.locator("#queue li a")
    first, second = terms.nth(0).inner_text(), terms.nth(1).inner_text()
    for key in ("a", "r"):
        page.keyboard.press(key)
    page.locator("#counts", has_text="1 rejected").wait_for()
    page.select_option("[name=status]", "accepted")
    page.locator("#queue li a[aria-current]", has_text=first).wait_for()
    page.keyboard.press("u")
    page.locator("#said", has_text=first).wait_for()
    page.locator("#counts", has_text="0 accepted").wait_for()
    (left,) = reviewed.record_of(space, TOPIC).standing.values()
    assert (left.proposal.term, left.verdict.action) == (second, "reject")
    page.select_option("[name=status]", "proposed")
    page.locator("#queue li a", has_text=first).first.wait_for()
    page.keyboard.press("u")  # what was done last, without the verdict that is gone
    page.locator("#counts", has_text="0 rejected").wait_for()
    assert not reviewed.record_of(space, TOPIC).standing and not window.complaints
