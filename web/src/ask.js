// Ask: queries of the library as forms, Cypher that reads, and their results as tables.
import { cut, element, get, guarded, texts } from "./page.js";

let library = {};

export async function start() {
  const { queries } = await get("/api/queries");
  library = Object.fromEntries(queries.map((query) => [query.name, query]));
  const chosen = document.getElementById("query");
  const given = new URLSearchParams(location.search);
  if (library[given.get("query")]) chosen.value = given.get("query");
  chosen.addEventListener("change", () => form({}));
  document.getElementById("named").addEventListener("submit", guarded(named));
  document.getElementById("cypher").addEventListener("submit", guarded(cypher));
  form(Object.fromEntries(given));
}

function form(values) {
  const query = library[document.getElementById("query").value];
  document.getElementById("answers").textContent = query.answers;
  document.getElementById("parameters").replaceChildren(...query.parameters.map((one) => field(one, values[one.name])));
}

function field(one, value = "") {
  const rules = { name: one.name, required: one.required };
  const chosen = (choice) => element("option", { selected: choice === value }, choice);
  const input = one.choices.length
    ? element("select", rules, ...["", ...one.choices].map(chosen))
    : element("input", { ...rules, value, placeholder: one.default, inputmode: one.type === "integer" ? "numeric" : null });
  return element("label", {}, one.name, " ", input, element("span", { class: "quiet" }, ` ${one.meaning}`));
}

async function named(event) {
  event.preventDefault();
  const name = document.getElementById("query").value;
  const inputs = [...document.querySelectorAll("#parameters [name]")].filter((input) => input.value !== "");
  const parameters = Object.fromEntries(inputs.map((input) => [input.name, input.value]));
  history.replaceState(null, "", `?${new URLSearchParams({ query: name, ...parameters })}`);
  await run(`/api/queries/${name.split("/").map(encodeURIComponent).join("/")}`, parameters);
}

async function cypher(event) {
  event.preventDefault();
  await run("/api/cypher", { statement: document.getElementById("statement").value });
}

const place = document.getElementById("result");

/** Show an answer, and until it comes how to stop it: the server ends a statement whose asker is gone. */
async function run(path, parameters) {
  const stop = new AbortController();
  const button = element("button", { type: "button", id: "stop", onclick: () => stop.abort() }, texts.ask_stop);
  place.replaceChildren(element("p", {}, `${texts.ask_runs} `, button));
  try {
    show(await get(path, parameters, { signal: stop.signal }));
  } catch (error) {
    place.replaceChildren(element("p", {}, stop.signal.aborted ? texts.ask_stopped : error.message));
    if (!stop.signal.aborted) throw error;
  }
}

function show(found) {
  const notes = [...(found.notes ?? []), ...(found.reasons ?? [])].map((text) => element("p", { class: "quiet" }, text));
  if (!found.rows.length) return place.replaceChildren(element("p", {}, texts.ask_no_rows), ...notes);
  const head = element("tr", {}, ...found.columns.map((name) => element("th", {}, name)));
  const body = found.rows.map((cells) => element("tr", {}, ...cells.map((cell) =>
    element("td", { class: typeof cell === "number" ? "n" : null }, shown(cell)))));
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
  place.replaceChildren(element("p", {}, `${found.rows.length} ${texts.ask_rows}, ${found.complete ? texts.complete : ""}`, ...cut(found, null, "span")), ...notes, element("div", { class: "scroll" }, table));
}

function shown(cell) {
  if (cell === null) return "";
  if (typeof cell === "number" && !Number.isInteger(cell)) return cell.toPrecision(4);
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}
