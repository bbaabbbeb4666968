// The form that starts a crawl: its fields as the interface takes them, what it would cost, what is refused and why.
import { addressOf, cut, element, filled, get, guarded, label, mayChange, post, texts } from "./page.js";
import { table } from "./class_card.js";
import { bytes } from "./crawl.js";

const form = document.getElementById("crawl");
const kind = document.getElementById("world-kind");
const place = document.getElementById("world");
const strategy = document.getElementById("strategy");
const topic = document.getElementById("topic");
const [classes, cover, words, search] = ["classes", "cover", "words", "class-search"].map((id) => document.getElementById(id));
const PLACES = { live: "", synthetic: "planted?pages=600&seed=0", corpus: "", archive: "" };
let strategies = {};
let filledIn = ""; // seeds of the newest crawl of a topic that has none, as long as nobody changes them
let versions = null; // topic -> version of its ontology

export async function start() {
  kind.addEventListener("change", () => { place.value = PLACES[kind.value]; world(); });
  topic.addEventListener("change", world);
  strategy.addEventListener("change", chosen);
  document.getElementById("check").addEventListener("click", guarded(() => send("/api/crawls/check", cost)));
  form.addEventListener("submit", guarded((event) => {
    event.preventDefault();
    return send("/api/crawls", ({ run }) => location.assign(addressOf(`/crawls/${encodeURIComponent(run)}`)));
  }));
  for (const field of [topic, classes, cover, words]) field.addEventListener("change", guarded(showClasses));
  search.addEventListener("input", guarded(findClasses));
  world();
  if (mayChange) guarded(showClasses)();
  const found = await get("/api/strategies");
  strategies = Object.fromEntries(found.strategies.map((one) => [one.name, one]));
  chosen();
  const { ontologies } = await get("/api/ontologies"); // reads all of them, which takes a while
  versions = Object.fromEntries(ontologies.filter((one) => !one.level).map((one) => [one.topic, one.version]));
  world();
}

function world() {
  place.hidden = kind.value === "live";
  const seeds = Number(topic.selectedOptions[0]?.dataset.seeds ?? 0);
  const of = { synthetic: texts.form_seeds_of_world, corpus: texts.form_seeds_corpus }[kind.value];
  const version = versions?.[topic.value];
  if (versions) document.getElementById("version").textContent = version ? filled(texts.form_version, { version }) : texts.form_no_version;
  const { before, run } = topic.selectedOptions[0]?.dataset ?? {};
  const field = document.getElementById("seeds");
  if (kind.value === "live" && (!field.value.trim() || field.value === filledIn)) field.value = filledIn = before ?? "";
  const ofRun = before && field.value === before ? filled(texts.form_seeds_of_run, { run }) : null;
  const ofTopic = ofRun ?? (seeds ? filled(texts.form_seeds_of_topic, { number: seeds }) : texts.form_no_seeds);
  document.getElementById("seeds-hint").textContent = of ?? ofTopic;
}

/** List the classes of the topic with a text in one of their names; a click takes one. */
async function findClasses() {
  const text = search.value.trim();
  const answer = text ? await get(`/api/ontologies/${encodeURIComponent(topic.value)}/search`, { text }) : { found: [] };
  if (text !== search.value.trim()) return; // an answer to what is no longer typed
  const take = (one) => guarded(() => {
    const name = (document.documentElement.lang === "zh" ? one.zh || one.en : one.en || one.zh) || one.iri;
    classes.value = [...new Set([...lines(classes.value), name])].join("\n");
    search.value = "";
    document.getElementById("class-found").replaceChildren();
    return showClasses();
  });
  const rows = answer.found.map((one) => element("li", {}, element("button", { type: "button", onclick: take(one) }, label(one))));
  const none = text && !rows.length ? [element("li", { class: "quiet" }, texts.ontology_none)] : [];
  document.getElementById("class-found").replaceChildren(...rows, ...none, ...cut(answer, "found"));
}

/** Show the classes that the crawl would be for: their papers, their first words, and what a person should know. */
async function showClasses() {
  const asked = ofClasses(request());
  const key = JSON.stringify(asked);
  const place = document.getElementById("classes-shown");
  if (key === place.dataset.key) return;
  place.dataset.key = key;
  place.replaceChildren();
  for (const id of ["classes", "cover", "words"]) document.getElementById(`${id}-wrong`).textContent = "";
  if (!asked.classes && !asked.cover) return;
  place.replaceChildren(element("p", { class: "quiet" }, texts.form_classes_wait));
  try {
    const found = await post("/api/crawls/classes", asked);
    if (place.dataset.key === key) place.replaceChildren(...shownClasses(found.classes, found.notes));
  } catch (error) {
    if (place.dataset.key !== key) return; // an answer to what is no longer asked
    place.replaceChildren();
    const message = document.getElementById(`${error.field}-wrong`) ?? document.getElementById("classes-wrong");
    message.textContent = error.message;
  }
}

const ofClasses = (all) => Object.fromEntries(["topic", "classes", "cover", "words"].filter((name) => name in all).map((name) => [name, all[name]]));

function shownClasses(found, notes = []) {
  const rows = found.map((one) => [one.name, filled(texts.class_papers_of, one), one.words.join(", "), one.remark]);
  const heads = [texts.class_name, texts.class_papers, texts.class_words, texts.class_remark];
  return [table(heads, rows), ...notes.map((note) => element("p", { class: "quiet" }, note))];
}

function chosen() {
  const one = strategies[strategy.value];
  document.getElementById("strategy-paper").textContent = one?.paper ?? "";
  const fields = Object.entries(one?.parameters ?? {}).flatMap(([name, value]) => [
    element("label", { for: `parameter-${name}` }, name),
    element("div", {},
      element("input", { id: `parameter-${name}`, "data-parameter": name, placeholder: String(value), spellcheck: "false" }),
      element("p", { class: "quiet" }, `${one.about[name].meaning.replaceAll("``", "")} ${one.about[name].allowed}`)),
  ]);
  document.getElementById("parameters").replaceChildren(...fields);
  document.getElementById("parameters-shown").hidden = !fields.length;
}

/** Return the fields of the form; those that are empty are left out. */
function request() {
  const fields = [...form.querySelectorAll("[name]")].filter((one) => one.type !== "checkbox" && one.value.trim());
  const sent = Object.fromEntries(fields.map((one) => [one.name, "lines" in one.dataset ? lines(one.value) : one.value]));
  if (sent.words) sent.words = Object.fromEntries(sent.words.map(weighted));
  const parameters = [...form.querySelectorAll("[data-parameter]")].filter((one) => one.value.trim());
  sent.parameters = Object.fromEntries(parameters.map((one) => [one.dataset.parameter, one.value]));
  sent.world = kind.value === "live" ? "live" : `${kind.value}:${place.value.trim()}`;
  sent.graph = document.getElementById("graph").checked;
  return sent;
}

/** Return a word and its weight, which stands behind the last equals sign of a line; 1 without one. */
function weighted(line) {
  const [, word, weight] = /^(.*?)(?:[=＝]([^=＝]*))?$/.exec(line);
  return [word.trim(), weight === undefined ? 1 : weight.trim()];
}

const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

async function send(address, done) {
  const buttons = [...form.querySelectorAll("#check, #start")];
  for (const place of document.querySelectorAll(".wrong")) place.textContent = "";
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  document.getElementById("cost").replaceChildren();
  for (const button of buttons) button.disabled = true;
  try {
    done(await post(address, request()));
  } catch (error) {
    refused(error);
  } finally {
    for (const button of buttons) button.disabled = !mayChange;
  }
}

/** Show why a form is refused, at the field if it is one. */
function refused(error) {
  const field = document.getElementById(error.field);
  const message = document.getElementById(`${error.field}-wrong`) ?? document.getElementById("refused");
  message.textContent = error.message;
  if (!field) return;
  for (let around = field.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  field.setAttribute("aria-invalid", "true");
  field.focus();
}

function cost(found) {
  const { estimate, run, strategy, seeds, notes } = found;
  const { earlier } = estimate;
  const said = [filled(texts.cost_run, { run, strategy, number: seeds.length })];
  if (found.steered_by) said.push(filled(texts.cost_ontology, { ontology: found.steered_by }));
  said.push(estimate.pages ? filled(texts.cost_pages, { pages: estimate.pages }) : texts.cost_pages_unlimited);
  if (estimate.limit_time) said.push(filled(texts.cost_time_limit, { time: time(estimate.limit_time) }));
  if (estimate.seconds_by_delay !== null)
    said.push(filled(texts.cost_time_delay, { ...estimate, time: time(estimate.seconds_by_delay) }));
  if (estimate.seconds_by_rate !== null) {
    const rate = earlier.pages_per_second.toFixed(earlier.pages_per_second < 10 ? 2 : 0);
    said.push(filled(texts.cost_time_rate, { time: time(estimate.seconds_by_rate), rate, runs: earlier.runs }));
  }
  if (estimate.disk !== null) {
    const free = estimate.disk_free === null ? "–" : bytes(estimate.disk_free);
    said.push(filled(texts.cost_disk, { disk: bytes(estimate.disk), size: bytes(earlier.bytes_per_page), free }));
  }
  if (!earlier.pages) said.push(texts.cost_unknown);
  document.getElementById("cost").replaceChildren(element("h2", {}, texts.cost_title),
    element("ul", {}, ...[...said, ...notes].map((text) => element("li", {}, text))),
    ...(found.classes.length ? shownClasses(found.classes) : []));
}

function time(seconds) {
  const [text, n] = seconds < 90 ? [texts.cost_seconds, seconds] : seconds < 5400 ? [texts.cost_minutes, seconds / 60] : [texts.cost_hours, seconds / 3600];
  return filled(text, { n: n < 10 ? n.toFixed(1) : Math.round(n) });
}
