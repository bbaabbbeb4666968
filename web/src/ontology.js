// An ontology: its tree, a search, and the entry of a class, whose address can be shared.
import { brief, element, get, guarded, label, texts } from "./page.js";

const place = document.getElementById("ontology");
const api = (what) => `/api/ontologies/${encodeURIComponent(place.dataset.topic)}/${what}`;
const asked = (parameters = {}) => ({ level: place.dataset.level, ...parameters });

export async function start() {
  const tree = document.getElementById("tree");
  const root = await get(api("tree"), asked());
  tree.append(node(root, root.below));
  tree.addEventListener("keydown", guarded(keys));
  document.getElementById("search").addEventListener("input", guarded(search));
  window.addEventListener("hashchange", guarded(open));
  await open();
}

function node(one, below = null) {
  const name = element("a", { href: `#${encodeURIComponent(one.iri)}`, role: "treeitem" }, label(one));
  const item = element("li", { role: "none" }, name);
  if (one.children) {
    name.setAttribute("aria-expanded", below ? "true" : "false");
    const children = element("ul", { role: "group" });
    item.append(children);
    if (below) children.append(...below.map((child) => node(child)));
    name.addEventListener("dblclick", guarded(() => toggle(name, one.iri)));
    const button = element("button", { type: "button", class: "toggle", tabindex: "-1", "aria-hidden": "true" }, "▸");
    button.addEventListener("click", guarded(() => toggle(name, one.iri)));
    item.prepend(button);
  }
  name.dataset.iri = one.iri;
  return item;
}

async function toggle(name, iri) {
  const children = name.parentElement.querySelector("ul");
  const opened = name.getAttribute("aria-expanded") === "true";
  if (!opened && !children.childElementCount) {
    const found = await get(api("tree"), asked({ class: iri }));
    children.append(...found.below.map((child) => node(child)));
  }
  name.setAttribute("aria-expanded", String(!opened));
}

async function keys(event) {
  const name = event.target.closest("[role=treeitem]");
  if (!name) return;
  const opened = name.getAttribute("aria-expanded");
  if ((event.key === "ArrowRight" && opened === "false") || (event.key === "ArrowLeft" && opened === "true")) {
    event.preventDefault();
    await toggle(name, name.dataset.iri);
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const shown = [...document.querySelectorAll("#tree [role=treeitem]")].filter((one) => one.offsetParent);
    shown[shown.indexOf(name) + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  }
}

async function search(event) {
  const text = event.target.value.trim();
  const { found } = text ? await get(api("search"), asked({ text })) : { found: [] };
  const rows = found.map((one) => element("li", {}, element("a", { href: `#${encodeURIComponent(one.iri)}` }, label(one))));
  const none = text && !found.length ? [element("li", { class: "quiet" }, texts.ontology_none)] : [];
  document.getElementById("found").replaceChildren(...rows, ...none);
}

async function open() {
  const iri = decodeURIComponent(location.hash.slice(1));
  const entry = await get(api("class"), asked(iri ? { class: iri } : {}));
  const names = entry.names.map(([language, name]) => element("li", { lang: language }, brief(name)));
  document.getElementById("class").replaceChildren(
    element("h2", {}, label(entry)),
    element("p", { class: "quiet" }, entry.iri),
    entry.definition ? element("p", {}, entry.definition) : "",
    element("ul", { class: "names", "aria-label": texts.ontology_names }, ...names),
    side(texts.ontology_above, entry.above), side(texts.ontology_below, entry.below));
}

function side(title, rows) {
  if (!rows.length) return "";
  const items = rows.map((row) => element("li", {},
    element("a", { href: `#${encodeURIComponent(row.iri)}` }, brief(row.class)), ` ${row.relation.replaceAll("_", " ")}`,
    row.sentence ? element("blockquote", {}, row.sentence) : ""));
  return element("section", {}, element("h3", {}, title), element("ul", {}, ...items));
}
