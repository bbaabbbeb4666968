// What the ontologies of a topic lack by its crawls, with a way to a crawl for each class without pages.
import { crawlFor, table } from "./class_card.js";
import { addressOf, element, filled, guarded, label, mayChange, outside, texts } from "./page.js";
import { run } from "./tasks.js";

const place = document.getElementById("gaps");
const button = document.getElementById("find");

export async function start() {
  button.addEventListener("click", guarded(find));
  if (mayChange) await find();
}

async function find() {
  button.disabled = true;
  try {
    const found = await run(`/api/ontologies/${encodeURIComponent(place.dataset.topic)}/gaps`, {}, document.getElementById("stages"));
    document.getElementById("stages").replaceChildren();
    place.replaceChildren(...sections(found));
  } finally {
    button.disabled = !mayChange;
  }
}

function sections(found) {
  const { totals } = found;
  const named = (name) => label({ ...found.labels[name], iri: name });
  const classes = (rows, name) => part(texts[`gaps_${name}`], totals[name], totals.classes,
    [texts.class_name, texts.class_papers, texts.gaps_branch, texts.gaps_below, ""],
    rows.map((one) => [classLink(one, named), one.papers, one.branches.map(named).join(", "), one.below, one.name ? forClass(found, one) : ""]));
  const pages = found.unexplained_pages.map((one) => [outsideNamed(one), one.about.join(", "), one.relevance]);
  const terms = found.new_terms.map((one) => [one.term, one.pages, one.sentence]);
  const branches = found.growing_branches.map((one) => [named(one.branch), one.before, one.now, one.low === null ? "" : `${one.low.toFixed(3)} – ${one.high.toFixed(3)}`,
    one.grows ? texts.gaps_grows : ""]);
  return [
    ...classes(found.classes_without_pages, "classes_without_pages"),
    ...classes(found.classes_without_evidence, "classes_without_evidence"),
    ...part(texts.gaps_unexplained_pages, totals.unexplained_pages, totals.relevant_pages,
      [texts.crawl_page, texts.gaps_terms, texts.crawl_relevance], pages),
    ...part(texts.gaps_new_terms, totals.new_terms, null, [texts.gaps_term, texts.crawls_pages, texts.ontology_sentences], terms),
    ...part(texts.gaps_branches, null, null,
      [texts.gaps_branch, texts.gaps_before, texts.gaps_now, texts.gaps_interval, ""], branches),
    ...found.remarks.map((text) => element("p", { class: "quiet" }, text)),
  ];
}

/** A heading with numbers, and a table; where it does not show all, how many it shows. */
function part(title, number, of, heads, rows) {
  const counted = number === null ? "" : `: ${of === null ? number : filled(texts.ontology_of, { number, all: of })}`;
  const heading = element("h2", {}, title + counted);
  if (!rows.length) return [heading, element("p", { class: "quiet" }, texts.ontology_none_found)];
  const cut = number !== null && rows.length < number ? [element("p", { class: "quiet" }, `${texts.cut_at} ${rows.length} / ${number}`)] : [];
  return [heading, table(heads, rows), ...cut];
}

const classLink = (one, named) => element("a", { href: addressOf(`/ontologies/${encodeURIComponent(place.dataset.topic)}#${encodeURIComponent(one.iri)}`) }, named(one.label));

function forClass(found, one) {
  return crawlFor(place.dataset.topic, one.name, [["world", found.world], ...found.seeds.map((seed) => ["seeds", seed])]);
}

function outsideNamed(one) {
  return element("span", {}, one.title ? `${one.title} ` : "", outside(one.url));
}
