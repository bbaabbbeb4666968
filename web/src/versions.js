// Versions of a topic's ontologies: what waits, the next version, the history with the way back, and differences.
import { table, verdictIn } from "./class_card.js";
import { addressOf, element, filled, get, guarded, inList, label, mayChange, named, printable, say, texts } from "./page.js";
import { run } from "./tasks.js";

const place = document.getElementById("versions");
const api = (what) => `/api/ontologies/${encodeURIComponent(place.dataset.topic)}/${what}`;
const of = (id) => document.getElementById(id);

export async function start() {
  of("check").addEventListener("click", guarded(() => next(true)));
  of("apply").addEventListener("click", guarded(() => next(false)));
  of("compare").addEventListener("submit", guarded((event) => { event.preventDefault(); return compare(); }));
  await load();
  const given = new URLSearchParams(location.search);
  if (given.get("old") && given.get("new")) {
    for (const name of ["old", "new"]) of("compare").elements[name].value = given.get(name);
    await compare();
  }
}

async function load() {
  const found = await get(api("history"));
  of("version").textContent = found.version;
  const waiting = [];
  if (found.waiting.length) waiting.push(`${texts.versions_waiting} (${found.waiting.length}): ${inList(found.waiting.map(named))}`);
  if (found.unbuilt.length) waiting.push(filled(texts.versions_unbuilt, { n: found.unbuilt.length, ids: inList(found.unbuilt) }));
  if (!waiting.length) waiting.push(texts.versions_none_waiting);
  if (found.versions.at(-1)?.rollback) waiting.push(texts.versions_left);
  of("waiting").textContent = printable(waiting.join(" "));
  const origin = { version: found.origin, when: "", classes: "", accepted: [], rejected: [], isOrigin: true };
  const versions = [...(origin.version ? [origin] : []), ...found.versions];
  of("history").querySelector("tbody").replaceChildren(...versions.map((one, i) => row(one, i === versions.length - 1)).reverse());
  const names = [...new Set(versions.map((one) => one.version))];
  of("compare").closest("section").hidden = names.length < 2;
  for (const [name, chosen] of [["old", names.at(-2)], ["new", names.at(-1)]])
    of("compare").elements[name].replaceChildren(...names.map((version) => element("option", { selected: version === chosen }, version)));
  of("decided").closest("section").hidden = !found.proposals.length;
  of("decided").querySelector("tbody").replaceChildren(...found.proposals.map((one) => element("tr", {},
    ...[named(one.id), `${verdictIn(one.verdict)}${one.status === "withdrawn" ? ` (${texts.versions_withdrawn})` : ""}`, one.version || "–",
      one.who, inList(one.runs), day(one.when)].map((text) => element("td", {}, text)))));
}

const day = (when) => when.slice(0, 16).replace("T", " ");

function row(one, isPresent) {
  const back = element("button", { type: "button", disabled: !mayChange, onclick: guarded(() => rollback(one.version)) }, texts.versions_rollback);
  const note = [one.rollback ? texts.versions_restored : "", one.isOrigin ? texts.versions_origin : "", isPresent ? texts.versions_present : ""].filter(Boolean).join(", ");
  const numbers = [one.classes, one.accepted.length, one.rejected.length].map((n) => element("td", { class: "n" }, String(n)));
  return element("tr", {}, element("th", { scope: "row" }, one.version), element("td", {}, day(one.when)), ...numbers,
    element("td", {}, note ? `${note} ` : "", isPresent ? "" : back));
}

async function next(dry) {
  busy(true);
  try {
    const outcome = await run(api("apply"), { dry_run: dry }, of("stages"));
    show(outcome);
    if (!dry) await load();
    of("apply").disabled = !dry; // without a change it still brings the graph what it lacks, or back what a rollback left
    if (!dry) say(`${outcome.version} ${texts.versions_is} ${outcome.prior}`);
  } catch (error) {
    of("outcome").replaceChildren(element("h3", { class: "failed" }, texts.versions_refused), ...error.message.split("\n").map((line) => element("p", {}, line)));
    of("apply").disabled = true;
  } finally {
    busy(false);
  }
}

function busy(now) {
  of("check").disabled = now || !mayChange;
  if (now) of("apply").disabled = true;
  place.setAttribute("aria-busy", String(now));
}

function show(outcome) {
  const parts = [];
  if (!outcome.new) parts.push(element("p", {}, `${texts.versions_nothing} ${outcome.version}`));
  else {
    const is = outcome.dry_run ? texts.versions_would : texts.versions_is;
    parts.push(element("p", {}, element("strong", {}, outcome.version), ` ${is} ${outcome.prior}; ${outcome.accepted} ${texts.versions_came}`));
    if (!outcome.dry_run) parts.push(goOn());
    parts.push(...byOntology(outcome.differences));
  }
  if (outcome.again) parts.push(element("p", {}, texts.versions_again));
  const lost = [[outcome.idle, texts.versions_idle], [outcome.conflicts, texts.versions_conflict]];
  for (const [reasons, what] of lost)
    for (const [id, reason] of Object.entries(reasons)) parts.push(element("p", { class: "failed" }, `${named(id)} ${what}: ${reason}`));
  if (outcome.checks.passed.length) parts.push(element("p", { class: "passed" }, `${texts.versions_passed}: ${outcome.checks.passed.map((name) => texts[`versions_check_${name.toLowerCase().replaceAll(" ", "_")}`] ?? name).join(", ")}`));
  parts.push(...[...outcome.checks.notes, ...outcome.notes].map((line) => element("p", { class: "quiet" }, line)));
  if (outcome.weights.length) {
    const weight = (value) => value ?? "–";
    parts.push(element("details", {}, element("summary", {}, `${texts.versions_weights}: ${outcome.weights.length}`),
      table([texts.ontology_vector, texts.versions_what, texts.versions_before, texts.versions_now], outcome.weights.map((w) => [w.vector, w.word, weight(w.old), weight(w.new)])), element("p", { class: "quiet" }, texts.ontology_vector_about)));
  }
  if (outcome.files.length) parts.push(element("details", {}, element("summary", {}, `${texts.versions_written}: ${outcome.files.length}`), element("ul", {}, ...outcome.files.map((name) => element("li", {}, name)))));
  of("outcome").replaceChildren(...parts);
}

/** What a person does with a new version: see its coverage and its gaps, and crawl with it. */
function goOn() {
  const topic = encodeURIComponent(place.dataset.topic);
  const to = (path, text) => element("a", { class: "button", href: addressOf(path) }, text);
  return element("p", { class: "row" }, to(`/ontologies/${topic}/coverage`, texts.coverage), to(`/ontologies/${topic}/gaps`, texts.gaps),
    to(`/crawls/_new?topic=${topic}`, texts.circle_next_crawl_again));
}

/** Show differences but for the number of the version, which the page says already; folded below a summary of them. */
function differences(rows, folded = false) {
  const shown = rows.filter((one) => one.kind !== "header" || one.what !== "version");
  if (!shown.length) return element("p", {}, texts.versions_same);
  const kind = (one) => texts[`versions_kind_${one.kind.toLowerCase().replaceAll(" ", "_")}`] ?? one.kind;
  const all = table([texts.versions_kind, texts.versions_what, texts.versions_before, texts.versions_now], shown.map((one) => [kind(one), one.what, one.before, one.after]));
  return folded ? element("details", {}, element("summary", {}, `${texts.versions_every}: ${shown.length}`), all) : all;
}

function byOntology(rows) {
  const changed = rows.filter((one) => one.kind !== "header" || one.what !== "version");
  return [...new Set(changed.map((one) => one.ontology))].flatMap((iri) =>
    [element("h3", {}, iri), differences(changed.filter((one) => one.ontology === iri))]);
}

async function rollback(version) {
  if (!confirm(texts.versions_sure)) return;
  busy(true);
  try {
    const entry = await run(api("rollback"), { version }, of("stages"));
    of("outcome").replaceChildren();
    say(`${entry.version} ${texts.versions_is} ${entry.prior}`);
    await load();
  } finally {
    busy(false);
  }
}

async function compare() {
  const chosen = Object.fromEntries(new FormData(of("compare")));
  if (!chosen.old || !chosen.new) return;
  history.replaceState(null, "", `?${new URLSearchParams(chosen)}`);
  of("difference").replaceChildren(element("p", { class: "quiet" }, texts.versions_reading));
  const { ontologies } = await get(api("difference"), chosen).catch((error) => { of("difference").replaceChildren(); throw error; });
  const page = addressOf(`/ontologies/${encodeURIComponent(place.dataset.topic)}`);
  of("difference").replaceChildren(...ontologies.flatMap((one) =>
    [element("h3", {}, element("a", { href: `${page}?level=${one.level}` }, one.iri)), ...sideBySide(one, chosen), differences(one.rows, Object.keys(one.changes).length > 0)]));
}

/** Show the changed classes in the hierarchies of both versions, with the classes above them. */
function sideBySide({ changes, outlines, outlines_complete: whole }, chosen) {
  const counted = Object.entries(changes).map(([change, number]) => `${texts[`versions_${change}`]} ${number}`);
  if (!counted.length) return [];
  const side = (name, version, marks) => element("section", {}, element("h4", {}, version), element("ul", { class: "outline" },
    ...outlines[name].map((one) => {
      const mark = marks.includes(one.change) ? one.change : "";
      const item = element("li", { class: mark || null }, element("span", {}, label(one)), mark ? element("small", {}, ` ${texts[`versions_${mark}`]}`) : "");
      item.style.setProperty("--depth", one.depth);
      return item;
    })));
  return [
    element("p", { class: "quiet" }, counted.join(", ")),
    element("div", { class: "sides" }, side("before", chosen.old, ["removed", "moved", "renamed"]), side("after", chosen.new, ["added", "moved", "renamed"])),
    ...(whole ? [] : [element("p", { class: "quiet" }, `${texts.cut_at} ${Math.max(outlines.before.length, outlines.after.length)}`)]),
  ];
}
