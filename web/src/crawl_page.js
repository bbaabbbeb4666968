// The explanation of a page: what the strategy saw of its link, for which the server makes the run's choices again.
import { element, get, texts } from "./page.js";
import { replaced, Teaching } from "./teach.js";

const CLASSES = 10; // that are shown, those with the largest scores

export async function start() {
  const { run, url } = document.getElementById("page").dataset;
  const teaching = new Teaching(run, () => verdict(teaching, url));
  await teaching.load();
  verdict(teaching, url);
  await Promise.all([link(run, url), classes(run, url)]);
}

/** Show the classes that the page is about, as the graph has them. */
async function classes(run, url) {
  const place = document.getElementById("about");
  if (!place) return;
  const { columns, rows: [row] } = await get("/api/queries/pages/about", { crawl: run, url, names: CLASSES });
  if (!row) return; // it names none, or the run is not in the graph yet
  const [names, scores] = ["concepts", "scores"].map((name) => row[columns.indexOf(name)]);
  place.append(table([texts.class_name, texts.explain_part_of_sum], names.map((name, i) => [name, number(scores[i])])));
  place.hidden = false;
}

function verdict(teaching, url) {
  if (teaching.found.teachable) replaced(document.getElementById("verdict"), ...teaching.buttons(url));
  document.getElementById("teaching-effect").textContent = teaching.effect();
}

async function link(run, url) {
  const place = document.getElementById("link");
  if (!place) return;
  place.hidden = false;
  const found = await get(`/api/crawls/${encodeURIComponent(run)}/page`, { url });
  const seen = found.score?.link;
  const title = place.querySelector("h2");
  const notes = found.notes.map((note) => element("p", { class: "quiet" }, note));
  if (!seen) {
    if (notes.length) place.replaceChildren(title, ...notes);
    else place.hidden = true;
    return;
  }
  const words = seen.anchor_words.map((one) => `${one.word} (${one.vocabulary}) ${one.count}`);
  const anchors = element("p", {}, `${texts.explain_anchor_words}: ${words.join(", ") || texts.explain_none}`);
  place.replaceChildren(title, ...notes, figures(seen), anchors, ...terms(seen), ...features(seen));
}

function figures(link) {
  const rows = [
    [texts.crawl_priority, number(link.priority)],
    [texts.explain_rank, link.rank === null ? "–" : `${link.rank} / ${link.queue}`],
    [texts.explain_pagerank, number(link.pagerank)],
    [texts.explain_linking, link.parents],
    [texts.explain_found_after, link.found_after],
  ];
  return element("dl", { class: "figures" }, ...rows.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value === null || value === undefined ? "–" : String(value)))));
}

function terms(link) {
  if (!link.terms.length) return [];
  const rows = link.terms.map((one) => [one.name, number(one.part), number(one.value), number(one.mean), number(one.deviation),
    one.words.map(([word, evidence]) => `${word} ${evidence > 0 ? "+" : ""}${evidence.toFixed(1)}`).join(", ")]);
  const columns = [texts.explain_term, texts.explain_part, texts.explain_value, texts.explain_mean, texts.explain_deviation, texts.explain_words];
  return [element("h3", {}, texts.explain_terms), table(columns, rows), element("p", { class: "quiet" }, texts.explain_terms_meaning)];
}

function features(link) {
  const rows = Object.entries(link.features).map(([name, value]) => [name, number(value)]);
  return rows.length ? [element("h3", {}, texts.explain_features), table([texts.explain_feature, texts.explain_value], rows)] : [];
}

function table(columns, rows) {
  const cell = (kind) => (text, i) => element(kind, { class: i && i < 5 ? "n" : null }, text);
  return element("div", { class: "scroll" }, element("table", {},
    element("thead", {}, element("tr", {}, ...columns.map(cell("th")))),
    element("tbody", {}, ...rows.map((cells) => element("tr", {}, ...cells.map(cell("td")))))));
}

function number(value) {
  return value === null || value === undefined ? "–" : Number.isInteger(value) ? String(value) : value.toFixed(4);
}
