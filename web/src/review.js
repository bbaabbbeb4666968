// Review of proposals: a queue, the evidence and the place of one, verdicts by keyboard or mouse, undo, many at once.
// What a verdict means, and whether it can be carried out, the server says; this tab keeps what it has done, for undo.
import { ask } from "./review_ask.js";
import { verdictIn } from "./class_card.js";
import { card, head, title } from "./review_card.js";
import { addressOf, brief, element, filled, get, guarded, mayChange, named, post, say, sayError, texts } from "./page.js";
import { run } from "./tasks.js";

let words = {}; // the wording of the review on a terminal, in the page's language
const filter = document.getElementById("filter");
const queue = document.getElementById("queue");
const proposal = document.getElementById("proposal");
let rows = []; // the proposals of the filter, as the server lists them
let counts = {};
let current = null; // id of the proposal that is shown
const selected = new Set();
let pending = Promise.resolve(); // what the keys asked for so far: one after another, and no key is lost

const byId = (id) => rows.find((row) => row.id === id);
const matches = (row) => [row.term, row.under_label ?? "", row.sentence].some((text) => text.toLowerCase().includes(filter.elements.text.value.trim().toLowerCase()));
const shown = () => rows.filter(matches);
const isOpen = (row) => row.status === "proposed";
const fill = (text, ...values) => values.reduce((filled, value) => filled.replace(/\{!?r?\}/, value), text);
const path = (id) => `/api/proposals/${id.split("/").map(encodeURIComponent).join("/")}`;

export async function start() {
  words = JSON.parse(document.getElementById("words").textContent);
  const given = new URLSearchParams(location.search);
  const topic = filter.elements.topic;
  topic.value = topic.dataset.default;
  for (const name of ["topic", "status", "kind", "run", "text"]) if (given.has(name)) filter.elements[name].value = given.get(name);
  if (!topic.value) topic.selectedIndex = 0;
  filter.addEventListener("submit", (event) => event.preventDefault());
  filter.addEventListener("change", guarded((event) => event.target.name === "text" ? null : load()));
  filter.elements.text.addEventListener("input", guarded(() => { remember(); return draw(); }));
  document.getElementById("all").addEventListener("change", (event) => {
    for (const row of shown()) event.target.checked ? selected.add(row.id) : selected.delete(row.id);
    marks();
  });
  document.getElementById("propose")?.addEventListener("submit", guarded(propose));
  document.addEventListener("keydown", guarded(key));
  window.addEventListener("focus", guarded(() => load(true))); // another tab, or a terminal, may have decided
  keyButtons();
  await load();
}

function remember() {
  const values = [...new FormData(filter)].filter(([, value]) => value !== "");
  history.replaceState(null, "", `?${new URLSearchParams(values)}`);
  const apply = document.getElementById("apply");
  apply.href = addressOf(`/ontologies/${encodeURIComponent(filter.elements.topic.value)}/versions`);
  document.getElementById("table").href = addressOf(`/tables/proposals?${new URLSearchParams({ topic: filter.elements.topic.value })}`);
  apply.hidden = !("ontologies" in (filter.elements.topic.selectedOptions[0]?.dataset ?? {}));
}

async function load(quietly = false) {
  remember();
  const { topic, status, kind, run: crawl } = filter.elements;
  const found = await get("/api/proposals", { topic: topic.value, status: status.value, kind: kind.value, run: crawl.value });
  rows = quietly ? joined(rows, found.proposals) : found.proposals;
  counts = found.counts;
  if (!quietly) selected.clear();
  if (!byId(current)) current = shown()[0]?.id ?? null;
  await draw(quietly);
}

/** Return the rows of before as they are now, those that are decided included, and the new ones after them. */
function joined(before, now) {
  const found = new Map(now.map((row) => [row.id, row]));
  const kept = before.filter((row) => found.has(row.id) || !isOpen(row)).map((row) => found.get(row.id) ?? row);
  const known = new Set(kept.map((row) => row.id));
  return [...kept, ...now.filter((row) => !known.has(row.id))];
}

// ---- what this tab has done, kept over a reload -----------------------------------------------------------------------

const HISTORY = "ontocrawl-review";
const done = () => JSON.parse(sessionStorage.getItem(`${HISTORY}:${filter.elements.topic.value}`) ?? "[]");

const keep = (entries) => sessionStorage.setItem(`${HISTORY}:${filter.elements.topic.value}`, JSON.stringify(entries.slice(-200)));
const note = (entry) => keep([...done(), entry]);

/** Forget the verdict about one proposal, which is taken back apart from what was decided with it. */
function forgetOne(id) {
  const without = ({ ids, seen: { [id]: _, ...seen }, ...one }) => ({ ...one, ids: ids.filter((other) => other !== id), seen });
  keep(done().map((one) => (one.later ? one : without(one))).filter((one) => one.ids.length));
}

// ---- drawing ----------------------------------------------------------------------------------------------------------

async function draw(quietly = false) {
  queue.replaceChildren(...shown().map((row) => {
    const box = element("input", { type: "checkbox", tabindex: "-1", "aria-label": `${texts.review_select_key}: ${title(row, words)}`, onchange: () => toggle(row.id) });
    const link = element("a", { href: "#", onclick: guarded((event) => { event.preventDefault(); return go(row.id); }) }, brief(title(row, words)));
    const item = element("li", {}, box, " ", link);
    item.dataset.id = row.id;
    return item;
  }));
  marks();
  await place(quietly);
}

/** Bring marks and numbers up to date without drawing the queue again. */
function marks() {
  for (const item of queue.children) {
    const row = byId(item.dataset.id);
    item.className = `${row.status}${row.later && isOpen(row) ? " later" : ""}`;
    item.querySelector("input").checked = selected.has(row.id);
    item.querySelector("a").toggleAttribute("aria-current", row.id === current);
  }
  const [accepted, rejected, open] = ["accepted", "rejected", "proposed"].map((status) => counts[status] ?? 0);
  const progress = document.getElementById("progress");
  progress.max = Math.max(1, accepted + rejected + open);
  progress.value = accepted + rejected;
  const later = rows.filter((row) => row.later && isOpen(row)).length;
  document.getElementById("counts").textContent = `${filled(texts.review_open, { number: open })}; ${fill(words.texts.counts, accepted, rejected, later)}`;
  document.getElementById("selected").textContent = selected.size ? `${selected.size} ${texts.review_selected}` : "";
  queue.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

let drawn = ""; // what the card shows, so that it is not drawn again for nothing

async function place(quietly = false) {
  const row = byId(current);
  if (!row) {
    drawn = "";
    return proposal.replaceChildren(element("p", {}, rows.length || counts.accepted || counts.rejected ? texts.review_all_decided : texts.review_none));
  }
  const state = JSON.stringify(row);
  if (quietly && state === drawn) return;
  drawn = state;
  if (!quietly) proposal.replaceChildren(...head(row, words), element("p", { class: "quiet" }, texts.review_reading)); // not the card before
  const around = await get("/api/review/place", { proposal: row.id });
  if (row.id === current) proposal.replaceChildren(...card(row, around, words));
}

async function go(id) {
  current = id;
  marks();
  await place();
}

function toggle(id) {
  selected.has(id) ? selected.delete(id) : selected.add(id);
  marks();
}

function step(by) {
  const list = shown();
  const at = list.findIndex((row) => row.id === current);
  return go((list[Math.min(Math.max(at + by, 0), list.length - 1)] ?? {}).id ?? null);
}

/** Go to the next open proposal, after it those before it, those put off last. */
function onward(from) {
  const list = shown();
  const at = list.findIndex((row) => row.id === from);
  const order = [...list.slice(at + 1), ...list.slice(0, at + 1)].filter((row) => isOpen(row) && row.id !== from);
  return go((order.find((row) => !row.later) ?? order[0])?.id ?? from);
}

function count(row, status) {
  counts[row.status] = (counts[row.status] ?? 1) - 1;
  row.status = status;
  counts[status] = (counts[status] ?? 0) + 1;
}

// ---- what the reviewer does -------------------------------------------------------------------------------------------

/** Run one change after the other; what another tab or a terminal has decided meanwhile is said, and shown. */
function change(work) {
  if (!mayChange) return pending;
  pending = pending.then(work).catch(async (error) => {
    sayError(error);
    await load(true);
  });
  return pending;
}

function decide(action, given = {}, id = null) {
  return change(() => (selected.size ? several(action) : one(action, given, byId(id ?? current))));
}

async function one(action, given, row) {
  if (!row) return;
  if (!isOpen(row)) return say(texts.review_only_open);
  const found = await post(path(row.id), { action, ...given, seen: row.seen });
  count(row, found.status);
  const verdict = { ...verdictOf(action, given), who: "", when: "", why: "" };
  Object.assign(row, { seen: found.decisions.map((made) => made.id), later: false, verdict });
  note({ ids: [row.id], seen: { [row.id]: row.seen } });
  say(fill(words.texts.decided, row.term, verdictIn(verdict)));
  await onward(row.id);
}

function verdictOf(action, { rename, parent, merge }) {
  if (rename) return { action: "rename", value: rename, parent: parent ?? "" };
  if (parent) return { action: "move", value: parent, parent: "" };
  return merge ? { action: "merge", value: merge, parent: "" } : { action, value: "", parent: "" };
}

async function several(action) {
  const chosen = rows.filter((row) => selected.has(row.id) && isOpen(row));
  const ids = chosen.map((row) => row.id);
  if (!ids.length) return say(texts.review_only_open);
  const seen = Object.fromEntries(chosen.map((row) => [row.id, row.seen]));
  const { decided } = await post("/api/proposals", { topic: filter.elements.topic.value, ids, action, seen });
  for (const made of decided) {
    const row = byId(made.id);
    count(row, action === "reject" ? "rejected" : "accepted");
    Object.assign(row, { seen: made.seen, verdict: made.verdict, later: false });
  }
  note({ ids, seen: Object.fromEntries(decided.map((made) => [made.id, made.seen])) });
  unselect();
  say(fill(words.texts.decided, `${ids.length} ${texts.review_several}`, words.texts[`was_${action}`]));
  await onward(current);
}

function unselect() {
  selected.clear();
  document.getElementById("all").checked = false;
}

const later = () => change(async () => {
  const chosen = selected.size ? [...selected] : [current];
  const ids = chosen.filter((id) => id && isOpen(byId(id)));
  if (!ids.length) return;
  await post("/api/review/later", { topic: filter.elements.topic.value, ids, later: true });
  for (const id of ids) byId(id).later = true;
  note({ ids, later: true });
  unselect();
  say(fill(words.texts.put_off, ids.length === 1 ? byId(ids[0]).term : `${ids.length} ${texts.review_several}`));
  await onward(ids.at(-1));
});

const undo = () => change(async () => {
  const row = byId(current);
  const last = done().at(-1);
  const isOther = row && !isOpen(row) && row.seen.length && !last?.ids.includes(row.id); // decided, and not by what was done last
  const entry = isOther ? { ids: [row.id], seen: { [row.id]: row.seen } } : last;
  if (!entry) return say(texts.review_nothing_to_undo);
  const topic = filter.elements.topic.value;
  if (isOther) forgetOne(row.id);
  else keep(done().slice(0, -1)); // also where it fails: somebody else has taken it back or decided again
  if (entry.later) await post("/api/review/later", { topic, ids: entry.ids, later: false });
  else await post("/api/proposals", { topic, ids: entry.ids, undo: true, seen: entry.seen });
  for (const back of entry.ids.map(byId).filter(Boolean)) {
    if (!entry.later) count(back, "proposed");
    Object.assign(back, { later: false, ...(entry.later ? {} : { seen: [], verdict: null }) });
  }
  say(fill(words.texts.undone, entry.ids.length === 1 ? byId(entry.ids[0])?.term ?? named(entry.ids[0]) : `${entry.ids.length} ${texts.review_several}`));
  if (byId(entry.ids[0])) await go(entry.ids[0]);
  else await load(true);
});

async function name(action) {
  await pending;
  const row = byId(current);
  if (!row || !mayChange || selected.size) return;
  if (row.kind === "relation") return say(words.texts.not_for_relations);
  if (row.kind === "label" && action === "rename") return say(words.texts.not_for_names);
  if (!isOpen(row)) return say(texts.review_only_open);
  const given = await ask(fill(words.texts[`ask_${action}`], row.term), row, action);
  proposal.focus({ preventScroll: true });
  if (given) await decide("accept", given, row.id);
}

function help() {
  const place = document.getElementById("help");
  const extra = [["j k", texts.review_move_keys], ["x", texts.review_select_key]];
  const known = Object.keys(actions).filter((one) => words.keys[one]).map((one) => [words.keys[one], words.help[one]]);
  place.replaceChildren(...[...known, ...extra].flatMap(([key_, text]) => [element("dt", {}, element("kbd", {}, key_)), element("dd", {}, text)]));
  place.hidden = !place.hidden;
}

const actions = {
  accept: () => decide("accept"), reject: () => decide("reject"), rename: () => name("rename"), move: () => name("move"),
  merge: () => name("merge"), later, undo, help,
};
const moves = { j: () => step(1), k: () => step(-1), x: () => { if (current) toggle(current); return step(1); } };
for (const [letter, move] of Object.entries(moves)) moves[letter] = () => (pending = pending.then(move).catch(sayError));

function actionOf(pressed) {
  const letter = pressed.normalize("NFKC").toLowerCase(); // full-width letters of an input method too
  return moves[letter] ?? Object.entries(actions).find(([name_]) => words.keys[name_] === letter)?.[1];
}

function keyButtons() {
  document.getElementById("keys").replaceChildren(...Object.keys(actions).map((one) =>
    element("button", { type: "button", title: words.help[one], disabled: !mayChange && one !== "help", onclick: guarded(actions[one]) },
      element("kbd", {}, words.keys[one]), ` ${words.steps[one]}`)));
}

async function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("input:not([type=checkbox]), textarea, select, #ask")) return;
  const action = actionOf(event.key);
  if (!action) return;
  event.preventDefault();
  await action();
}

// ---- new proposals ----------------------------------------------------------------------------------------------------

async function propose(event) {
  event.preventDefault();
  const form = event.currentTarget;
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const crawl = form.elements.run.value;
    const limit = Number(form.elements.limit.value);
    const found = await run(`/api/crawls/${encodeURIComponent(crawl)}/proposals`, { limit }, document.getElementById("stages"));
    if ([...filter.elements.topic.options].some((option) => option.value === found.topic)) filter.elements.topic.value = found.topic;
    filter.elements.status.value = "proposed";
    say(`${crawl}: ${found.proposals} ${texts.review_proposed}`);
    await load();
  } finally {
    button.disabled = false;
  }
}
