// A concept lattice: the drawing of its iceberg, one concept of the whole, a search, and implications.
import { addressOf, cut, element, filled, get, guarded, texts } from "./page.js";

const place = document.getElementById("lattice");
const drawing = document.getElementById("drawing");
const topic = place && encodeURIComponent(place.dataset.topic);
const asked = (parameters = {}) => ({ context: place.dataset.kind, ...(place.dataset.run ? { run: place.dataset.run } : {}), ...parameters });
const api = (what) => `/api/lattice/${topic}/${what}`;

const NAMES = 12; // attributes that are written out; the bottom has all

let concept = null;

export async function start() {
  document.getElementById("search").addEventListener("input", guarded(search));
  document.getElementById("implications").addEventListener("submit", guarded(implications));
  drawing.addEventListener("click", (event) => choose(event.target.closest(".c")?.dataset.i));
  drawing.addEventListener("keydown", key);
  window.addEventListener("hashchange", guarded(open));
  const found = await fetch(addressOf(`/lattice/${topic}/drawing?${new URLSearchParams(asked())}`));
  // the server's own drawing: an SVG whose texts are escaped
  if (found.ok) drawing.innerHTML = await found.text();
  else drawing.replaceChildren(element("p", { role: "alert" }, (await found.json().catch(() => ({}))).error ?? `${found.status}`));
  for (const point of drawing.querySelectorAll(".c")) {
    point.setAttribute("role", "button");
    point.setAttribute("tabindex", point.dataset.i === "0" ? "0" : "-1");
    point.setAttribute("aria-label", point.querySelector("title").textContent.split("\n")[0]);
  }
  drawing.querySelector("svg")?.setAttribute("role", "group");
  document.getElementById("drawn").textContent = ""; // the drawing says how many of the concepts it has
  await open();
}

function written(names) {
  const more = names.length - NAMES;
  return names.slice(0, NAMES).join("，") + (more > 0 ? ` … +${more}` : "");
}

function choose(at) {
  if (at !== undefined) location.hash = at;
}

async function open() {
  const at = /^#\d+$/.test(location.hash) ? location.hash.slice(1) : "0";
  concept = await get(api("concept"), asked({ at }));
  mark();
  const drawn = drawing.querySelector(`.c[data-i="${concept.at}"]`);
  document.getElementById("concept").replaceChildren(
    element("h2", {}, written(concept.own) || written(concept.intent) || texts.lattice_top),
    drawn ? "" : element("p", { class: "quiet" }, texts.lattice_not_drawn),
    element("h3", {}, texts.lattice_intent), element("p", {}, written(concept.intent) || texts.lattice_empty), ...cut(concept, "intent", "p"),
    side(texts.lattice_upper, "upper"), side(texts.lattice_lower, "lower"),
    element("h3", {}, `${texts.lattice_extent}: ${filled(texts.ontology_of, { number: concept.support, all: concept.of })}`), extent());
}

function side(title, part) {
  const rows = concept[part];
  if (!rows.length) return "";
  const items = rows.map((row) => element("li", {}, element("a", { href: `#${row.at}` }, written(row.attributes)),
    element("span", { class: "quiet" }, ` ${row.support}`)));
  return element("section", {}, element("h3", {}, title), element("ul", { class: "short" }, ...items, ...cut(concept, part)));
}

function extent() {
  const items = concept.extent.map((one) => element("li", {}, one.title || one.name));
  const more = concept.support - items.length;
  return element("ul", { class: "short" }, ...items, ...(more > 0 ? [element("li", { class: "quiet" }, `+${more} ${texts.lattice_more}`)] : []));
}

function mark() {
  const chosen = location.hash !== "" && String(concept.at); // the top, with which the page opens, marks nothing
  const near = new Set(chosen === false ? [] : [...concept.upper, ...concept.lower].map((one) => String(one.at)));
  for (const point of drawing.querySelectorAll(".c")) {
    point.classList.toggle("chosen", point.dataset.i === chosen);
    point.classList.toggle("near", near.has(point.dataset.i));
    point.setAttribute("tabindex", point.dataset.i === String(concept.at) ? "0" : "-1");
  }
  for (const line of drawing.querySelectorAll(".e"))
    line.classList.toggle("near", [line.dataset.u, line.dataset.v].includes(chosen));
  if (!drawing.querySelector('.c[tabindex="0"]')) drawing.querySelector(".c")?.setAttribute("tabindex", "0");
}

// up and down go to neighbours, left and right to the points beside them in the drawing's order
function key(event) {
  const point = event.target.closest(".c");
  if (!point) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    return choose(point.dataset.i);
  }
  const at = Number(point.dataset.i);
  const ends = { ArrowUp: ["v", "u"], ArrowDown: ["u", "v"] }[event.key];
  const others = ends
    ? [...drawing.querySelectorAll(`.e[data-${ends[0]}="${at}"]`)].map((line) => line.dataset[ends[1]])
    : { ArrowLeft: [at - 1], ArrowRight: [at + 1] }[event.key];
  const next = others?.map((i) => drawing.querySelector(`.c[data-i="${i}"]`)).find(Boolean);
  if (!next) return;
  event.preventDefault();
  next.setAttribute("tabindex", "0");
  next.focus();
  choose(next.dataset.i);
}

async function search(event) {
  const text = event.target.value.trim();
  const answer = text ? await get(api("search"), asked({ text })) : { found: [] };
  const { found } = answer;
  const rows = found.map((one) => element("li", {}, element("a", { href: `#${one.at}` }, one.title || one.name),
    element("span", { class: "quiet" }, ` ${texts[`lattice_${one.kind}`]}`)));
  const none = text && !found.length ? [element("li", { class: "quiet" }, texts.lattice_nothing)] : [];
  document.getElementById("found").replaceChildren(...rows, ...none, ...cut(answer, "found"));
  for (const point of drawing.querySelectorAll(".c"))
    point.classList.toggle("found", found.some((one) => String(one.at) === point.dataset.i));
}

async function implications(event) {
  event.preventDefault();
  const found = await get(api("implications"), asked({ min_support: document.getElementById("least").value }));
  const rows = found.implications.map((one) => element("tr", {},
    element("td", {}, one.premise.join("，") || texts.lattice_always), element("td", {}, one.conclusion.join("，")),
    element("td", { class: "n" }, String(one.support))));
  const table = document.getElementById("rules");
  table.hidden = !rows.length;
  table.querySelector("tbody").replaceChildren(...rows);
  const shown = rows.length < found.number ? ` (${rows.length} ↓)` : "";
  document.getElementById("how-many").textContent = `${found.number} ${texts.lattice_number}${shown}`;
}
