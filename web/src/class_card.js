// The entry of a class: names, definition, relations with their evidence, weight, decisions, mappings and sentences.
import { anchor } from "./ontology_tree.js";
import { picture } from "./class_picture.js";
import { addressOf, cut, element, filled, get, guarded, label, mayChange, outside, post, say, texts } from "./page.js";

/** Show a class of a topic; `read(what)` gets "class/record" and "class/weight" of it from the server, and "search" with a text. */
export function show(place, entry, topic, read) {
  const names = entry.names.map(([language, name]) => element("li", { lang: language }, name));
  const [relations, weight, record, sentences] = ["relations", "weight", "record", "evidence"].map((name) =>
    element("div", { class: name }));
  const both = document.documentElement.lang === "zh" ? [entry.definition, entry.definition_en] : [entry.definition_en, entry.definition];
  const [definition, other] = both.filter(Boolean);
  const drawn = picture(entry);
  const later = (work) => guarded(() => work.catch((error) => { if (place.contains(relations)) throw error; }))();
  const recorded = () => later(read("class/record").then((found) => {
    drawRelations(relations, entry, found.papers);
    drawRecord(record, found, other, (id) => decided(topic, { action: "withdraw", value: id }).then(recorded));
  }));
  place.replaceChildren(
    element("h2", {}, label(entry)),
    element("p", { class: "quiet" }, entry.iri),
    element("p", {}, crawlFor(topic, (document.documentElement.lang === "zh" ? entry.zh || entry.en : entry.en || entry.zh) || entry.iri)),
    definition ? element("p", { class: "definition" }, definition) : "",
    drawn.place,
    element("ul", { class: "names", "aria-label": texts.ontology_names }, ...names, ...cut(entry, "names")),
    relations, weight, record, editor(topic, entry, read, recorded), sentences);
  drawRelations(relations, entry, {});
  recorded();
  weight.replaceChildren(element("p", { class: "quiet" }, texts.ontology_weighing)); // among all classes, which takes a while
  later(read("class/weight").then((found) => drawWeight(weight, found), (error) => { weight.replaceChildren(); throw error; }));
  later(get("/api/queries/evidence/of_concept", { concept: entry.iri }).then((found) => {
    const rows = found.rows.map((row) => Object.fromEntries(found.columns.map((name, i) => [name, row[i]])));
    drawSentences(sentences, found, rows);
    drawn.sources(rows.map((row) => ({ name: row.title || row.source, url: row.kind === "page" ? row.source : null })));
  }));
}

/** Return a link to the form that starts a crawl for a class, with further fields of the form filled in. */
export function crawlFor(topic, name, fields = []) {
  const query = new URLSearchParams([["topic", topic], ["classes", name], ...fields]);
  return element("a", { class: "button", href: addressOf(`/crawls/_new?${query}`) }, texts.class_crawl);
}

function section(title, ...content) {
  return element("section", {}, element("h3", {}, title), ...content);
}

function drawRelations(place, entry, papers) {
  place.replaceChildren(side(texts.ontology_above, entry, "above", papers), side(texts.ontology_below, entry, "below", papers));
}

function side(title, { labels, ...entry }, name, papers) {
  const rows = entry[name];
  if (!rows.length) return "";
  return section(title, element("ul", {}, ...rows.map((row) => relation(row, label({ ...labels[row.iri], iri: row.iri }), papers)), ...cut(entry, name)));
}

function relation(row, name, papers) {
  const figures = [
    texts[`ontology_kind_${row.relation}`],
    row.support === null ? "" : `${row.support} ${texts.ontology_support}`,
    row.confidence === null ? "" : `${texts.ontology_confidence} ${row.confidence.toFixed(2)}`,
    row.evidence,
  ].filter(Boolean).join(" · ");
  const named = row.documents.map((id) => element("li", {}, papers[id] ? `${papers[id].title}${papers[id].year ? ` (${papers[id].year})` : ""}` : id));
  return element("li", {},
    element("a", { href: anchor(row.iri) }, name), element("span", { class: "quiet" }, ` ${figures}`),
    row.sentence ? element("blockquote", {}, row.sentence) : "",
    named.length ? element("details", {}, element("summary", {}, `${texts.ontology_papers}: ${named.length}`), element("ul", {}, ...named)) : "");
}

function table(heads, rows) {
  const cell = (value) => element("td", { class: typeof value === "number" ? "n" : null },
    typeof value === "number" && !Number.isInteger(value) ? value.toFixed(4) : value instanceof Node ? value : String(value ?? "–"));
  return element("div", { class: "scroll" }, element("table", {},
    element("thead", {}, element("tr", {}, ...heads.map((name) => element("th", {}, name)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell))))));
}

function drawWeight(place, { weights }) {
  const found = Object.entries(weights);
  if (!found.length) return place.replaceChildren();
  const row = (name, value) => [name, ...found.map(([, one]) => value(one))];
  const factors = ["distance", "density", "depth", "coincidence", "relation"];
  const rows = [
    row(texts.ontology_weight, (one) => one.weight), row(texts.ontology_rank, (one) => filled(texts.ontology_rank_of, { rank: one.rank, all: one.of })),
    row(texts.ontology_scheme, (one) => one.scheme), ...factors.map((name) => row(texts[`ontology_factor_${name}`], (one) => one.factors[name])),
  ];
  place.replaceChildren(section(texts.ontology_weight, table([texts.ontology_vector, ...found.map(([vector]) => vector)], rows),
    element("p", { class: "quiet" }, texts.ontology_vector_about)));
}

function drawRecord(place, found, definition, withdraw) {
  const parts = [];
  if (definition) parts.push(section(texts.ontology_definition, element("p", {}, definition)));
  const others = [...found.texts.map((one) => `${one.text} (${one.language}, ${one.role})`), ...found.scopes.map((one) => `${one.text} (${one.scope})`)];
  if (others.length) parts.push(section(texts.ontology_names, element("ul", {}, ...others.map((text) => element("li", {}, text)))));
  if (found.candidates.length)
    parts.push(section(texts.ontology_candidates, ...found.candidates.map((one) => element("blockquote", {}, one.sentence, element("footer", { class: "quiet" }, one.document)))));
  if (found.mappings.length)
    parts.push(section(texts.ontology_mappings, element("ul", {}, ...found.mappings.map((one) => element("li", {}, `${one.subject} ${one.predicate} ${one.object}`)))));
  if (found.verdicts.length) parts.push(section(texts.ontology_verdicts, ...found.verdicts.map(verdict)));
  if (found.decisions.length) parts.push(section(texts.ontology_decisions, element("ul", {}, ...found.decisions.map((one) => decision(one, withdraw)))));
  place.replaceChildren(...parts, ...cut(found, null, "p"));
}

/** Return a verdict in words. */
export function verdictIn({ action, value, parent }) {
  const said = texts[action === "rename" && parent ? "verdict_rename_and_move" : `verdict_${action}`] ?? `${action} {}`;
  return said.replace("{}", value).replace("{}", parent);
}

function verdict(one) {
  return element("div", {},
    element("p", {}, `${one.term}: ${verdictIn(one)}`, element("span", { class: "quiet" }, ` ${one.who}, ${one.when.slice(0, 10)} ${one.why}`)),
    ...(one.sentences.length > 3 ? [element("p", { class: "quiet" }, `${texts.cut_at} 3 / ${one.sentences.length}`)] : []),
    ...one.sentences.slice(0, 3).map((sentence) => element("blockquote", {}, sentence.text, element("footer", { class: "quiet" }, outside(sentence.url)))));
}

function decision(one, withdraw) {
  const relation = texts[`ontology_kind_${one.relation}`] ?? one.relation;
  const said = [one.id, texts[`decision_${one.action}`], one.term, relation, one.old, one.value].filter(Boolean).join(" ");
  const since = one.since ? ` · ${texts.ontology_since} ${one.since}` : "";
  return element("li", {}, said, element("span", { class: "quiet" }, ` ${one.status}${since} · ${one.who}, ${one.when.slice(0, 10)} ${one.why} `),
    mayChange && one.may_be_withdrawn ? element("button", { type: "button", onclick: guarded(() => withdraw(one.id)) }, texts.ontology_withdraw) : "");
}

const ACTIONS = ["reject", "move", "merge", "rename", "define"];
const TEXTS = ["rename", "define"]; // the actions whose value is a text, and no class

/** Return the form by which a person decides about a class, which the next version follows; nothing for the root. */
function editor(topic, entry, read, done) {
  if (!mayChange || !entry.above.length) return "";
  const option = (value, text) => element("option", { value }, text);
  const kinds = entry.above.filter((row) => row.relation === "subclass_of");
  const list = element("datalist", { id: `classes-${entry.iri}` });
  const action = element("select", { name: "action" }, ...ACTIONS.map((name) => option(name, texts[`edit_${name}`])));
  const value = element("input", { name: "value", autocomplete: "off", required: true });
  const what = element("span", {});
  const from = element("select", { name: "from" }, ...kinds.map((row) => option(row.iri, label({ ...entry.labels[row.iri], iri: row.iri }))), option("", texts.edit_from_none));
  const named = element("label", {}, what, " ", value, list);
  const left = element("label", {}, texts.edit_from, " ", from);
  const is = (...names) => names.includes(action.value);
  const chosen = () => {
    [named.hidden, value.disabled, left.hidden] = [is("reject"), is("reject"), !is("move")];
    what.textContent = is(...TEXTS) ? texts.edit_text : texts.edit_class_of;
    value.setAttribute("list", is(...TEXTS) ? "" : list.id);
  };
  const near = guarded(async () => {
    const text = value.value.trim();
    if (!text || is(...TEXTS)) return;
    const { found } = await read("search", { text });
    if (text === value.value.trim()) list.replaceChildren(...found.map((one) => option(one.zh || one.en, "")));
  });
  const send = guarded(async (event) => {
    event.preventDefault();
    const { from: old, ...given } = Object.fromEntries(new FormData(form));
    await decided(topic, { ...given, class: entry.iri, from: is("move") ? old : "" });
    form.reset();
    chosen();
    await done();
  });
  const form = element("form", { class: "bar", onsubmit: send }, element("label", {}, texts.edit_what, " ", action), named, left,
    element("label", {}, texts.edit_why, " ", element("input", { name: "why", autocomplete: "off" })), element("button", {}, texts.edit_decide));
  action.addEventListener("change", chosen);
  value.addEventListener("input", near);
  chosen();
  const next = element("a", { href: addressOf(`/ontologies/${encodeURIComponent(topic)}/versions`) }, texts.edit_next);
  return element("details", { class: "edit" }, element("summary", {}, texts.edit_class), form, element("p", {}, next));
}

/** Send a decision about a topic's ontology, and say its number. */
async function decided(topic, body) {
  const { id, edits } = await post(`/api/ontologies/${encodeURIComponent(topic)}/decisions`, body);
  say([filled(texts.edit_recorded, { id }), edits.length ? filled(texts.edit_edits, { ids: edits.join(", ") }) : ""].filter(Boolean).join(" "));
}

function drawSentences(place, found, rows) {
  const shown = rows.map((row) => element("li", {}, ...marked(row.sentence, row.start, row.end),
    element("div", { class: "quiet" }, `${texts[`ontology_${row.kind}`]}: ${row.title ?? ""} `, row.kind === "page" ? outside(row.source) : row.source)));
  if (shown.length) place.replaceChildren(section(texts.ontology_sentences, element("ul", { class: "sentences" }, ...shown, ...cut(found, "rows"))));
}

/** Mark a part of a text; the offsets of the server count code points. */
function marked(text, start, end) {
  const points = Array.from(text);
  if (start === null || !(0 <= start && start < end && end <= points.length)) return [text];
  const part = (from, to) => points.slice(from, to).join("");
  return [part(0, start), element("mark", {}, part(start, end)), part(end)];
}

export { table };
