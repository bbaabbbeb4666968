// What is known of a page or host of a map.
import { element, get, guarded, inList, label, texts } from "./page.js";

const WORDS = 5; // words of each score, those with the largest parts

/** Return the elements about a page: figures, what can be done, the path to it, the parts of its score. */
export function pageFacts(node, { page, path }, { run, nodes, expand, add }) {
  const missing = path.some((step) => !nodes.has(step.url));
  const concept = node.concept && label(node.concept);
  return [
    element("h2", {}, node.title || node.url),
    element("p", { class: "quiet" }, node.url),
    figures([
      [texts.web_relevance, rounded(node.relevance)], [texts.web_label, decided(node.label)],
      [texts.web_pagerank, rounded(node.pagerank)], [texts.web_community, node.community], [texts.web_by_concept, concept],
      [texts.web_step, node.step], [texts.web_waits, node.waits],
      [texts.web_links_in, page?.links_in], [texts.web_links_out, page?.links_out],
    ]),
    element("p", {},
      element("button", { type: "button", onclick: expand }, texts.web_expand),
      element("a", { href: query({ around: node.url }) }, texts.web_only), " · ",
      element("a", { href: query({ host: node.host }) }, texts.web_of_host),
      ...(node.community ? [" · ", element("a", { href: query({ community: node.community }) }, texts.web_of_community)] : [])),
    element("h3", {}, texts.web_path),
    element("ol", { class: "steps" }, ...path.map((step) => pathStep(step, nodes))),
    missing ? element("button", { type: "button", onclick: add }, texts.web_path_show) : "",
    ...(node.step === null ? [] : [scores(run, node.url)]),
  ];
}

/** Return the elements about a host. */
export function hostFacts(node) {
  return [
    element("h2", {}, node.host),
    figures([[texts.web_pages, node.fetched], [texts.web_relevant, node.relevant], [texts.web_mean, rounded(node.mean_relevance)]]),
    element("p", {}, element("a", { href: query({ host: node.host }) }, texts.web_of_host)),
  ];
}

/** Return the elements about a community: what it is about, where it is, its heaviest pages. */
export function communityFacts(node) {
  const listed = (title, names) => (names.length ? [element("h3", {}, title), element("p", {}, inList(names))] : []);
  return [
    element("h2", {}, `${texts.web_community} ${node.community}`),
    figures([[texts.web_pages, node.pages], [texts.web_relevant, node.relevant], [texts.web_share, rounded(node.share)]]),
    element("p", {}, element("a", { href: query({ community: node.community }) }, texts.web_of_community)),
    ...listed(texts.web_characteristic, node.concepts.map(label)), ...listed(texts.web_hosts, node.hosts),
    ...listed(texts.web_heaviest, node.heaviest),
  ];
}

const query = (parameters) => `?${new URLSearchParams(parameters)}`;
const rounded = (value) => (typeof value === "number" ? value.toPrecision(3) : value);
const decided = (value) => (value === null ? null : value ? texts.web_yes : texts.web_no);

function figures(rows) {
  const known = rows.filter(([, value]) => value !== null && value !== undefined);
  return element("dl", { class: "facts" }, ...known.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, String(value)))));
}

function pathStep(step, nodes) {
  const name = nodes.get(step.url)?.title || step.url;
  const link = nodes.has(step.url) ? `#${encodeURIComponent(step.url)}` : query({ around: step.url });
  const parts = [[texts.web_relevance, step.relevance], [texts.web_priority, step.priority]].filter(([, value]) => value !== null);
  return element("li", {}, element("a", { href: link }, name),
    step.anchor ? element("span", { class: "quiet" }, ` “${step.anchor}”`) : "",
    element("span", { class: "quiet" }, parts.map(([title, value]) => ` ${title} ${rounded(value)}`).join(",")));
}

function scores(run, url) {
  const place = element("div", { class: "scroll" });
  const open = guarded(async () => {
    const { score } = await get(`/api/crawls/${run}/page`, { url, replay: "no" });
    place.replaceChildren(...(score?.page ? [scoreTable(score.page)] : [texts.web_none]));
  });
  return element("section", {}, element("h3", {}, texts.web_scores),
    element("button", { type: "button", onclick: (event) => { event.target.disabled = true; open(); } }, texts.web_score_read), place);
}

function scoreTable({ judge, guides }) {
  const head = element("tr", {}, element("th", {}, texts.web_score_function), element("th", { class: "n" }, "R"), element("th", {}, texts.web_score_words));
  const rows = [judge, ...guides].map((one) => {
    const words = [...one.words].sort((a, b) => b.contribution - a.contribution).slice(0, WORDS);
    return element("tr", {}, element("td", { title: texts.ontology_vector_about }, `${one.function} ${one.vocabulary}`), element("td", { class: "n" }, rounded(one.R)),
      element("td", {}, words.map((word) => `${word.word} ${rounded(word.contribution)}`).join(", ")));
  });
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}
