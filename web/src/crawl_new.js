// The form that starts a crawl: its fields as the interface takes them, what it would cost, what is refused and why.
import { addressOf, element, get, guarded, mayChange, post, texts } from "./page.js";
import { bytes } from "./crawl.js";

const form = document.getElementById("crawl");
const kind = document.getElementById("world-kind");
const place = document.getElementById("world");
const strategy = document.getElementById("strategy");
const topic = document.getElementById("topic");
const PLACES = { live: "", synthetic: "planted?pages=600&seed=0", corpus: "", archive: "" };
let strategies = {};

export async function start() {
  kind.addEventListener("change", () => { place.value = PLACES[kind.value]; world(); });
  topic.addEventListener("change", world);
  strategy.addEventListener("change", chosen);
  document.getElementById("check").addEventListener("click", guarded(() => send("/api/crawls/check", cost)));
  form.addEventListener("submit", guarded((event) => {
    event.preventDefault();
    return send("/api/crawls", ({ run }) => location.assign(addressOf(`/crawls/${encodeURIComponent(run)}`)));
  }));
  world();
  const found = await get("/api/strategies");
  strategies = Object.fromEntries(found.strategies.map((one) => [one.name, one]));
  chosen();
}

function world() {
  place.hidden = kind.value === "live";
  const seeds = Number(topic.selectedOptions[0]?.dataset.seeds ?? 0);
  const of = { synthetic: texts.form_seeds_of_world, corpus: texts.form_seeds_corpus }[kind.value];
  const ofTopic = seeds ? filled(texts.form_seeds_of_topic, { number: seeds }) : texts.form_no_seeds;
  document.getElementById("seeds-hint").textContent = of ?? ofTopic;
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
  const parameters = [...form.querySelectorAll("[data-parameter]")].filter((one) => one.value.trim());
  sent.parameters = Object.fromEntries(parameters.map((one) => [one.dataset.parameter, one.value]));
  sent.world = kind.value === "live" ? "live" : `${kind.value}:${place.value.trim()}`;
  sent.graph = document.getElementById("graph").checked;
  return sent;
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
    element("ul", {}, ...[...said, ...notes].map((text) => element("li", {}, text))));
}

function time(seconds) {
  const [text, n] = seconds < 90 ? [texts.cost_seconds, seconds] : seconds < 5400 ? [texts.cost_minutes, seconds / 60] : [texts.cost_hours, seconds / 3600];
  return filled(text, { n: n < 10 ? n.toFixed(1) : Math.round(n) });
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
