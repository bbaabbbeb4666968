// Tables: what is asked of one by its links and its filter is shown in place, with the focus kept and the address to send.
import { mark } from "./marks.js";
import { addressOf, guarded, say, texts } from "./page.js";

/** Take over all tables of the page; those that wait ask for their rows. */
export async function start() {
  const places = [...document.querySelectorAll(".table[data-source]")];
  for (const place of places) takeOver(place);
  await Promise.all(places.filter((place) => "waits" in place.dataset).map((place) => show(place, location.search)));
}

/** Let links and the filter of a table show its rows in place. A part of another page has its query in `data-query`. */
export function takeOver(place) {
  place.addEventListener("click", guarded(async (event) => {
    if (event.target.closest(".copy")) return copy(place);
    const button = event.target.closest("[data-mark]");
    if (button) return change(place, button);
    const link = event.target.closest('a[href^="?"], a[data-search]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    await go(place, link.dataset.search ?? link.getAttribute("href"));
  }));
  place.addEventListener("submit", guarded(async (event) => {
    if (!event.target.matches(".filter")) return;
    event.preventDefault();
    await go(place, asked(event.target));
  }));
  place.addEventListener("change", (event) => event.target.matches(".filter :is(select, [type=checkbox])") && event.target.form.requestSubmit());
  place.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("[data-of]")) return;
    event.preventDefault(); // the form would compare
    event.target.closest(".row").querySelector("button").click();
  });
  if (!isPart(place)) window.addEventListener("popstate", guarded(() => place.dataset.source && show(place, location.search)));
  enliven(place);
}

function asked(form) {
  const given = [...new FormData(form)].filter(([, value]) => value !== "");
  const boxes = [...form.querySelectorAll("[type=checkbox][name=_column]")];
  const all = boxes.length && boxes.every((box) => box.checked);
  return `?${new URLSearchParams(all ? given.filter(([name]) => name !== "_column") : given)}`;
}

const isPart = (place) => place.dataset.query !== undefined;

async function go(place, search) {
  await show(place, search);
  if (!isPart(place)) return history.pushState(null, "", search);
  place.dataset.query = search;
  place.parentElement.querySelector(".alone").href = addressOf(`/tables/${place.dataset.source}${search}`);
}

/** Show the rows that the query of an address asks for. */
export async function show(place, search, options = {}) {
  const query = new URLSearchParams(search);
  query.set("_format", "html");
  place.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(addressOf(`/api/tables/${place.dataset.source}?${query}`), options);
    const text = await answer.text();
    if (!answer.ok) throw new Error(JSON.parse(text).error);
    const key = place.contains(document.activeElement) && (document.activeElement.dataset.key ?? document.activeElement.name);
    const open = place.querySelector("details")?.open;
    place.innerHTML = text; // the server's own part of a page, whose texts are escaped
    if (open) place.querySelector("details").open = true;
    if (key) [...place.querySelectorAll("[data-key], [name]")].find((one) => (one.dataset.key ?? one.name) === key)?.focus({ preventScroll: true });
    enliven(place);
  } finally {
    place.removeAttribute("aria-busy");
  }
}

/** Do what a button says with the chosen rows, and show the table as it is then, with the same rows chosen. */
async function change(place, button) {
  const chosen = await mark(place, button);
  if (!chosen) return;
  await show(place, location.search);
  for (const box of place.querySelectorAll("tbody input")) box.checked = chosen.includes(box.value);
  say(texts.marks_done);
}

function enliven(place) {
  const button = place.querySelector(".copy");
  if (button) button.hidden = !navigator.clipboard;
  if (!isPart(place)) return;
  for (const link of place.querySelectorAll('a[href^="?"]')) { // opened elsewhere, they lead to the page of the table
    link.dataset.search = link.getAttribute("href");
    link.setAttribute("href", addressOf(`/tables/${place.dataset.source}${link.dataset.search}`));
  }
}

/** Copy the rows that are shown, with tabs between cells, as spreadsheet programs take them. */
async function copy(place) {
  const cells = (row) => [...row.querySelectorAll("th, td")].filter((cell) => !cell.querySelector("input, .unseen")).map((cell) => cell.textContent.replace(/\s+/g, " ").trim());
  await navigator.clipboard.writeText([...place.querySelectorAll("tr")].map((row) => cells(row).join("\t")).join("\n"));
  say(texts.table_copied);
}
