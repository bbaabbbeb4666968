// Ask: queries as forms, Cypher that reads, examples and what was asked last; rows are tables and charts (table.js).
import { brief, element, get, guarded, mayChange, post, say, texts } from "./page.js";
import { show, takeOver } from "./table.js";

const PAUSE = 200; // milliseconds without a key, after which values are looked up
const QUOTED = /\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:\\[\s\S]|[^'\\])*(?:'|$)|"(?:\\[\s\S]|[^"\\])*(?:"|$)|`(?:``|[^`])*(?:`|$)/g;
const OWN = "own/";

let library = {};
let kinds = {};
const at = (id) => document.getElementById(id);
const place = at("result");
const [query, statement] = [at("query"), at("statement")];

export async function start() {
  await read();
  query.addEventListener("change", () => form({}));
  statement.addEventListener("input", () => stated());
  at("named").addEventListener("submit", guarded((event) => run(event, "query", named())));
  at("cypher").addEventListener("submit", guarded((event) => run(event, "cypher", cypher())));
  at("as-cypher").addEventListener("click", guarded(asCypher));
  at("examples").addEventListener("toggle", guarded(examples));
  if (mayChange) keep();
  window.addEventListener("popstate", restore);
  restore();
  takeOver(place);
  const answers = place.dataset.source === "cypher" || (place.dataset.source && at("named").checkValidity());
  if (answers) await answer(place.dataset.source, location.search);
}

async function read() {
  const { queries, errors } = await get("/api/queries");
  library = Object.fromEntries(queries.map((one) => [one.name, one]));
  kinds = Object.fromEntries(queries.flatMap((one) => one.parameters.map((of) => [of.name, of.kind])));
  const own = queries.filter((one) => one.name.startsWith(OWN));
  at("own").replaceChildren(...own.map((one) => element("option", { value: one.name }, one.title === one.name ? one.name : `${one.name} – ${one.title}`)));
  at("own").hidden = !own.length;
  at("own-wrong").replaceChildren(...errors.map((text) => element("li", {}, text)));
}

/** Show in the forms what the address asks. */
function restore() {
  const given = new URLSearchParams(location.search);
  if (library[given.get("query")]) query.value = given.get("query");
  if (given.has("statement")) open(given);
  place.dataset.source = given.has("statement") ? "cypher" : library[given.get("query")] ? "query" : "";
  if (!place.dataset.source) place.replaceChildren();
  form(Object.fromEntries(given));
}

function form(values) {
  const one = library[query.value];
  at("answers").textContent = one.answers;
  at("parameters").replaceChildren(...one.parameters.flatMap((of) => field(of, values[of.name])));
  if (mayChange) at("own-changes").hidden = !one.name.startsWith(OWN);
}

/** Return the field of a parameter, with values to choose from where it names something of the graph. */
function field(one, value = "") {
  const rules = { name: one.name, required: one.required ?? false };
  if (one.choices?.length) {
    const chosen = (choice) => element("option", { selected: choice === value }, choice);
    return [labelled(one, element("select", rules, ...["", ...one.choices].map(chosen)))];
  }
  const input = element("input", { ...rules, value, autocomplete: "off", placeholder: one.default ?? null, inputmode: one.type === "integer" ? "numeric" : null });
  return one.kind ? [labelled(one, input), offered(input, one.kind)] : [labelled(one, input)];
}

/** Return the name of a parameter: in the language of the page, with its own beside it. */
const titled = (name) => ((texts[`column_${name}`] ?? name) !== name ? [`${texts[`column_${name}`]} `, element("code", { class: "quiet" }, name)] : [name]);

const labelled = (one, input) => element("label", {}, ...titled(one.name), " ", input, one.meaning ? element("span", { class: "quiet" }, ` ${one.meaning}`) : null);

function offered(input, kind) {
  const list = element("datalist", { id: `values-${input.name}` });
  let waits = 0;
  const look = guarded(async () => {
    const text = input.value;
    const { values } = await get("/api/values", { kind, text });
    if (text === input.value) list.replaceChildren(...values.map((one) => element("option", { value: one.value, label: one.label || null })));
  });
  input.setAttribute("list", list.id);
  input.addEventListener("focus", look);
  input.addEventListener("input", () => {
    clearTimeout(waits);
    waits = setTimeout(look, PAUSE);
  });
  return list;
}

/** Make a field for each parameter of the statement; what was typed stays. */
function stated(values = {}) {
  const known = { ...Object.fromEntries(inputs("cypher-parameters")), ...values };
  const names = [...new Set([...statement.value.replace(QUOTED, " ").matchAll(/\$([\p{L}\p{N}_]+)/gu)].map(([, name]) => name))];
  if (names.join() === inputs("cypher-parameters").map(([name]) => name.slice(1)).join() && !Object.keys(values).length) return;
  at("cypher-parameters").replaceChildren(...names.flatMap((name) => field({ name: `$${name}`, kind: kinds[name] }, known[`$${name}`])));
}

const inputs = (id) => [...document.querySelectorAll(`#${id} [name]`)].map((input) => [input.name, input.value]);

const named = () => new URLSearchParams([["query", query.value], ...inputs("parameters").filter(([, value]) => value !== "")]);

const cypher = () => new URLSearchParams([["statement", statement.value], ...inputs("cypher-parameters").map(([name, value]) => [name, value || '""'])]);

/** Put a statement with its parameters, as an address has them, into its form. */
function open(given) {
  statement.value = given.get("statement");
  stated(Object.fromEntries([...given].filter(([name]) => name.startsWith("$"))));
}

async function asCypher() {
  if (!at("named").reportValidity()) return;
  const { address } = await get("/api/statement", named());
  open(new URLSearchParams(address));
  if (mayChange) at("own-name").value = query.value.startsWith(OWN) ? query.value.slice(OWN.length) : "";
  statement.focus();
  statement.setSelectionRange(0, 0);
  say(texts.ask_opened);
}

async function run(event, source, asked) {
  event.preventDefault();
  history.pushState(null, "", `?${asked}`);
  await answer(source, location.search);
}

/** Show an answer, and until it comes how to stop it: the server ends a statement whose asker is gone. */
async function answer(source, search) {
  const stop = new AbortController();
  const button = element("button", { type: "button", id: "stop", onclick: () => stop.abort() }, texts.ask_stop);
  place.dataset.source = source;
  place.replaceChildren(element("p", {}, `${texts.ask_runs} `, button));
  try {
    await show(place, search, { signal: stop.signal });
  } catch (error) {
    place.replaceChildren(element("p", {}, stop.signal.aborted ? texts.ask_stopped : error.message));
    if (!stop.signal.aborted) throw error;
    return;
  }
  if (mayChange) await noted(search);
}

// ---- examples, what was asked last, and queries of one's own

async function examples() {
  const list = at("examples").querySelector("ul");
  if (list.childElementCount) return;
  list.replaceChildren(element("li", { class: "quiet" }, texts.table_reads));
  const { examples: found } = await get("/api/examples");
  list.replaceChildren(...found.map((one) => element("li", {}, again(one.address, one.title))));
}

/** Return a link to an address of this page. */
const again = (address, text) => element("a", { href: `?${address}` }, text);

function keep() {
  at("keep").addEventListener("submit", guarded((event) => save(event, false)));
  at("replace").addEventListener("click", guarded((event) => save(event, true)));
  at("own-name").addEventListener("input", () => { at("replace").hidden = true; });
  at("own-changes").addEventListener("submit", guarded(rename));
  at("delete").addEventListener("click", guarded(remove));
  at("history").addEventListener("toggle", guarded(asked));
  at("forget").addEventListener("click", guarded(forget));
}

async function save(event, replace) {
  event.preventDefault();
  try {
    const { name } = await post("/api/own", { name: at("own-name").value, asked: `${cypher()}`, replace });
    await chosen(name);
    say(`${texts.ask_saved} ${name}`);
  } catch (error) {
    at("replace").hidden = error.status !== 409;
    throw error;
  }
  at("replace").hidden = true;
}

async function rename(event) {
  event.preventDefault();
  const { name } = await post(ownAddress(), { rename: at("new-name").value });
  at("new-name").value = "";
  await chosen(name);
  say(`${texts.ask_saved} ${name}`);
}

async function remove() {
  if (!confirm(`${texts.ask_sure} ${query.value}`)) return;
  await post(ownAddress(), { delete: true });
  await chosen(null);
  say(texts.ask_deleted);
  query.focus();
}

const ownAddress = () => `/api/own/${encodeURIComponent(query.value.slice(OWN.length))}`;

async function chosen(name) {
  await read();
  if (name) query.value = name;
  form({});
}

async function noted(search) {
  try {
    await post("/api/history", { asked: search.slice(1) });
    at("history-wrong").textContent = "";
    await asked();
  } catch (error) {
    at("history-wrong").textContent = error.message;
  }
}

async function asked() {
  if (!at("history").open) return;
  const { asked: found } = await get("/api/history");
  at("history").querySelector("ol").replaceChildren(...found.map((one) => element("li", {},
    element("span", { class: "quiet" }, one.at.slice(0, 16).replace("T", " ")), " ", again(one.address, brief(text(one))))));
  at("forget").hidden = !found.length;
}

const text = (one) => [one.query ?? one.statement.replace(/\s+/g, " "), ...Object.entries(one.parameters).map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)].join(" ");

async function forget() {
  await post("/api/history", { forget: true });
  await asked();
}
