// What all views share: texts of the page's language, requests, elements whose content is always text, and messages.
import { brief, isWeb, printable } from "./foreign.js";

export { brief, printable } from "./foreign.js";

export const texts = JSON.parse(document.getElementById("texts").textContent);
export const mayChange = document.body.dataset.changes === "yes";

/** The path of the session, in front of the paths of all pages and of the interface. */
const root = document.querySelector('meta[name="root"]').content;
const csrf = document.querySelector('meta[name="csrf-token"]').content;

/** Return the address of a path of this server. */
export const addressOf = (path) => root + path;

/** Return the JSON of a path; the server's reason is the message of the error. */
export async function get(path, parameters = {}, options = {}) {
  const query = new URLSearchParams(parameters).toString();
  return answer(await fetch(addressOf(query ? `${path}?${query}` : path), options));
}

/** Send a change, or a statement, as JSON. */
export const post = (path, body) => send(path, JSON.stringify(body), "application/json");

/** Send bytes or a text. */
export async function send(path, body, type = "application/octet-stream") {
  if (document.getElementById("said")?.className === "failed") say(""); // what failed before is tried again
  const headers = { "Content-Type": type, "X-CSRF-Token": csrf };
  return answer(await fetch(addressOf(path), { method: "POST", headers, body }));
}

async function answer(response) {
  const found = await response.json();
  if (!response.ok) throw Object.assign(new Error(found.error ?? response.statusText), { field: found.field, status: response.status });
  return found;
}

/** Make an element; strings become text, never markup, without what hides or reorders it. Addresses are of the web or this server. */
export function element(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false && !(key === "href" && !isWeb(value))) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...content.filter((part) => part !== null && part !== undefined).map((part) => (part instanceof Node ? part : printable(part))));
  return made;
}

/** Tell the user something, on the page and to a screen reader. */
export function say(text, kind = "") {
  const place = document.getElementById("said");
  [place.textContent, place.className] = [printable(text, 500), kind];
}

/** Tell the user that something failed. */
export const sayError = (error) => say(error.message, "failed");

/** Return the label of a class in the language of the page; a class of a query has `label_zh` and `label_en`. */
export function label(one) {
  const [zh, en] = [one.zh ?? one.label_zh, one.en ?? one.label_en];
  return brief((document.documentElement.lang === "zh" ? zh || en : en || zh) || one.iri);
}

/** Return a text with values in its places, `{name}` each. */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

/** Return names as a list in the language of the page. */
export const inList = (names) => names.join(document.documentElement.lang === "zh" ? "、" : ", ");

/** Return what the id of a proposal names in its topic. */
export const named = (id) => id.replace(/^[^/]*\//, "");

/** Return the items by their keys: a map of lists, in the order in which keys come first. */
export function grouped(items, keyOf) {
  const found = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (found.has(key)) found.get(key).push(item);
    else found.set(key, [item]);
  }
  return found;
}

/** A link to a page of the web that tells it nothing of this server; what is no such address stays text. */
export function outside(url, name = url) {
  if (!/^https?:\/\//i.test(url)) return name;
  return element("a", { href: url, rel: "noopener noreferrer", target: "_blank" }, name);
}

/** Return an element for each part of an answer that is cut, or for one part: at how many, of how many. */
export function cut(answer, part = null, name = "li") {
  const cuts = (answer.cut ?? []).filter((one) => part === null || one.part === part);
  return cuts.map((one) => element(name, { class: "quiet" },
    `${part === null ? `${texts[`part_${one.part}`] ?? one.part}: ` : ""}${texts.cut_at} ${one.at} / ${one.relation === "gte" ? `> ${one.total - 1}` : one.total}`));
}

/** Return an error handler's wrapper: what fails is said, not lost. */
export function guarded(action) {
  return (...given) => Promise.resolve(action(...given)).catch(sayError);
}
