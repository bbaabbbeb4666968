// An ontology, or two levels of a topic side by side: a tree, a search, and the entry of a class, whose address can be
// shared. The class of the address is shown in each level that has it.
import * as card from "./class_card.js";
import { anchor, reveal, show } from "./ontology_tree.js";
import { cut, element, get, guarded, label, texts } from "./page.js";

const place = document.getElementById("ontology");
const api = (what) => `/api/ontologies/${encodeURIComponent(place.dataset.topic)}/${what}`;

export async function start() {
  const panes = [...place.querySelectorAll("[data-level]")];
  document.getElementById("levels").addEventListener("change", (event) => changed(event.currentTarget));
  window.addEventListener("hashchange", guarded(() => open(panes)));
  for (const pane of panes) {
    const typed = guarded(() => search(pane)); // a fast person types before the script is there
    pane.querySelector(".search").addEventListener("input", typed);
    pane.querySelector(".search").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) pane.querySelector(".found a")?.click();
    });
    if (pane.querySelector(".search").value) typed();
  }
  for (const pane of panes) await show(pane.querySelector(".tree"), reader(pane));
  await open(panes);
}

const reader = (pane) => (parameters) => get(api("tree"), { level: pane.dataset.level, ...parameters });

function changed(form) {
  const chosen = [...new FormData(form)].filter(([, value]) => value !== "");
  location.href = `?${new URLSearchParams(chosen)}${location.hash}`;
}

async function search(pane) {
  const field = pane.querySelector(".search");
  const text = field.value.trim();
  const answer = text ? await get(api("search"), { level: pane.dataset.level, text }) : { found: [] };
  const { found } = answer;
  if (text !== field.value.trim()) return; // an answer to what is no longer typed
  const rows = found.map((one) => element("li", {}, element("a", { href: anchor(one.iri) }, label(one))));
  const none = text && !found.length ? [element("li", { class: "quiet" }, texts.ontology_none)] : [];
  pane.querySelector(".found").replaceChildren(...rows, ...none, ...cut(answer, "found"));
}

async function open(panes) {
  const iri = decodeURIComponent(location.hash.slice(1));
  let first = null;
  for (const pane of panes) {
    const level = pane.dataset.level;
    const found = await entryOf(level, iri, first);
    const shown = pane.querySelector(".class");
    if (found === null) shown.replaceChildren(element("p", { class: "quiet" }, texts.ontology_not_here));
    else card.show(shown, found, place.dataset.topic, (what, more) => get(api(what), { level, class: found.iri, ...more }));
    await reveal(pane.querySelector(".tree"), reader(pane), found?.way ?? []);
    first ??= found;
  }
}

/** Return the entry of a class; in a second level, of the class with the same IRI or else the same label. */
async function entryOf(level, iri, first) {
  if (first === null) return get(api("class"), { level, ...(iri ? { class: iri } : {}) }).catch((error) => {
    if (place.querySelectorAll("[data-level]").length === 1) throw error;
    return null;
  });
  const text = first.zh || first.en;
  const { found } = await get(api("search"), { level, text });
  const same = found.find((one) => one.iri === first.iri) ?? found.find((one) => (one.zh || one.en) === text);
  return same ? get(api("class"), { level, class: same.iri }) : null;
}
