// The card of a proposal: what is proposed, where, what is around that place, and the sentences with the term marked.
import { verdictIn } from "./class_card.js";
import { anchor } from "./ontology_tree.js";
import { addressOf, brief, element, label, outside, texts } from "./page.js";

/** Return what the list knows of a proposal, to be shown while the rest of its card is read. */
export function head(row, words) {
  return [element("h2", {}, title(row, words), element("span", { class: "kind" }, words.kinds[row.kind])), verdict(row, words)];
}

/** Return the parts of the card. */
export function card(row, around, words) {
  return [
    ...head(row, words),
    element("dl", { class: "place" }, ...facts(row, around, words)),
    element("h3", {}, `${texts.review_evidence}: ${around.sentences.length}`),
    element("ol", { class: "sentences" }, ...around.sentences.map(sentence)),
    around.sentences.length ? "" : element("p", { class: "quiet" }, words.texts.no_sentence),
  ];
}

/** Return what is proposed: a term, or both classes of a relation. */
export function title(row, words) {
  if (row.kind !== "relation") return brief(row.term);
  const pattern = words.relations[row.relation] ?? `{} ${row.relation} {}`;
  return pattern.replace("{}", row.term).replace("{}", row.under_label ?? "?");
}

function verdict(row, words) {
  if (!row.verdict || row.status === "proposed") return "";
  const said = verdictIn(row.verdict);
  const who = row.verdict.who ? ` · ${texts.review_verdict_by} ${row.verdict.who}, ${row.verdict.when.slice(0, 10)}` : "";
  return element("p", { class: `verdict ${row.status}` }, said, who);
}

function facts(row, around, words) {
  const found = [];
  const add = (name, ...content) => found.push(element("div", {}, element("dt", {}, name), element("dd", {}, ...content)));
  if (around.source.length) add(texts.review_of_source, ...breadcrumb(around.source, row.id));
  if (around.path.length) add(words.rows.path, ...breadcrumb(around.path, row.id), row.kind === "concept" ? element("strong", {}, ` › ${row.term}`) : "");
  else add(words.rows.parent, around.gone ? words.texts.gone.replace("{}", row.under_label ?? "") : words.texts.unplaced);
  if (row.reason) add(words.rows.reason, row.reason);
  if (around.names.length) add(words.rows.names, around.names.join(", "));
  add(words.rows.children, ...listed(around.beside, row.id, words));
  add(texts.review_below, ...listed(around.below, row.id, words));
  if (row.places.length) add(words.rows.near, row.places.map((place, i) => `${i + 1} ${place}`).join("  "));
  if (!Object.keys(row.crawls).length) return found;
  const crawls = Object.entries(row.crawls).map(([run, one]) => `${run}: ${one.pages}${one.of_pages ? ` / ${one.of_pages}` : ""} ${texts.review_pages}`);
  add(words.rows.seen, [...crawls, `${texts.review_score} ${row.score.toFixed(2)}`].join(" · "));
  return found;
}

const link = (one, id) => element("a", { href: addressOf(`/ontologies/${encodeURIComponent(id.split("/")[0])}${anchor(one.iri)}`) }, label(one));

function breadcrumb(nodes, id) {
  return nodes.flatMap((one, i) => (i ? [" › ", link(one, id)] : [link(one, id)]));
}

function listed(nodes, id, words) {
  return nodes.length ? nodes.flatMap((one, i) => (i ? [", ", link(one, id)] : [link(one, id)])) : [words.texts.none];
}

function sentence(one) {
  const [before, term, after] = one.parts;
  return element("li", {}, element("p", {}, before, element("mark", {}, term), after),
    element("p", { class: "quiet" }, [one.date, one.title && brief(one.title)].filter(Boolean).join(" · "), " ", outside(one.url)));
}
