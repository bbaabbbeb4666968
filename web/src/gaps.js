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
  document.getElementById("about").replaceChildren(...about(found));
  const named = (name) => label({ ...found.labels[name], iri: name });
  const classes = (rows, name, ofAll = commonBranches(rows)) => part(texts[`gaps_${name}`], totals[name], totals.classes,
    [texts.class_name, texts.class_papers, texts.gaps_branch, texts.gaps_below, ""],
    rows.map((one) => [classLink(one, named), one.papers, one.branches.filter((branch) => !ofAll.has(branch)).map(named).join(", "), one.below, one.name ? forClass(found, one) : ""]), texts.gaps_branch);
  const pages = found.unexplained_pages.map((one) => [outsideNamed(one), one.about.join(", "), explained(found, one), one.crawls.at(-1)]);
  const terms = found.new_terms.map((one) => [one.term, one.pages, one.sentence]);
  const branches = found.growing_branches.map((one) => [named(one.branch), one.before, one.now, one.low === null ? "" : `${one.low.toFixed(3)} – ${one.high.toFixed(3)}`,
    one.new ? `${texts.gaps_new} ${one.new}` : one.grows ? texts.gaps_grows : "", one.not_compared || ""]);
  return [
    ...classes(found.classes_without_pages, "classes_without_pages"),
    ...classes(found.classes_without_evidence, "classes_without_evidence"),
    ...part(texts.gaps_unexplained_pages, totals.unexplained_pages, totals.relevant_pages,
      [texts.crawl_page, texts.gaps_terms, texts.crawl_relevance, texts.column_run], pages),
    ...part(texts.gaps_new_terms, totals.new_terms, null, [texts.gaps_term, texts.crawls_pages, texts.ontology_sentences], terms),
    ...part(texts.gaps_branches, totals.growing_branches, null,
      [texts.gaps_branch, texts.gaps_before, texts.gaps_now, texts.gaps_interval, "", texts.gaps_not_compared], branches, branches.some((row) => row.at(-1)) ? null : texts.gaps_not_compared),
    ...found.remarks.map((text) => element("p", { class: "quiet" }, text)),
  ];
}

/** What the lists are about: the version of the ontology, the newest one, its classes, the crawls with their versions. */
function about(found) {
  const { version, newest, totals } = found;
  const ofTopic = (end) => addressOf(`/ontologies/${encodeURIComponent(place.dataset.topic)}${end}`);
  const local = totals.classes - totals.global_classes;
  const crawls = found.crawls.flatMap((name, i) => [i ? ", " : "", ofRun(found, name, "", name),
    found.crawl_versions[name] ? ` (${found.crawl_versions[name]})` : ""]);
  return [
    `${texts.ontology_version} `, element("a", { href: ofTopic("") }, version), newest === version ? ` (${texts.version_newest})` : "",
    ...(newest === version ? [] : [`; ${texts.version_newer} `, element("a", { href: ofTopic("/versions") }, newest)]),
    `; ${totals.classes} ${texts.gaps_classes}: ${totals.global_classes} ${texts.gaps_global}${local ? `, ${local} ${texts.gaps_local}` : ""}`,
    `; ${totals.relevant_pages} ${texts.gaps_pages} `, ...crawls,
  ];
}

/** The branches that all of several classes are in, such as those of local ontologies. */
function commonBranches(rows) {
  return new Set(rows.length > 1 ? rows[0].branches.filter((branch) => rows.every((one) => one.branches.includes(branch))) : []);
}

/** The relevance of a page by the judge of the last crawl that found it, with the way to its explanation there. */
function explained(found, one) {
  const number = String(Number(one.relevance.toPrecision(4)));
  return element("span", { class: "n" }, ofRun(found, one.crawls.at(-1), `/page?${new URLSearchParams({ url: one.url })}`, number));
}

/** A link to a page about a crawl; its text alone for a crawl that only the graph has. */
function ofRun(found, name, end, text) {
  return found.runs.includes(name) ? element("a", { href: addressOf(`/crawls/${encodeURIComponent(name)}${end}`) }, text) : `${text}`;
}

/** A heading with numbers, and a table; where it does not show all, how many it shows. A column `optional` is left out where all rows have the same value. */
function part(title, number, of, heads, rows, optional = null) {
  const counted = of === null ? number : filled(texts.ontology_of, { number, all: of });
  const heading = element("h2", {}, `${title}: ${counted}`);
  if (!rows.length) return [heading, element("p", { class: "quiet" }, texts.ontology_none_found)];
  const cut = rows.length < number ? [element("p", { class: "quiet" }, `${texts.cut_at} ${rows.length} / ${number}`)] : [];
  const at = heads.indexOf(optional);
  const same = at >= 0 && rows.length > 1 && rows.every((row) => row[at] === rows[0][at]);
  const without = (row) => row.filter((_, i) => !same || i !== at);
  return [heading, table(without(heads), rows.map(without)), ...cut];
}

const classLink = (one, named) => element("a", { href: addressOf(`/ontologies/${encodeURIComponent(place.dataset.topic)}#${encodeURIComponent(one.iri)}`) }, named(one.label));

function forClass(found, one) {
  return crawlFor(place.dataset.topic, one.name, [["world", found.world], ...found.seeds.map((seed) => ["seeds", seed])]);
}

function outsideNamed(one) {
  return element("span", {}, one.title ? `${one.title} ` : "", outside(one.url));
}
