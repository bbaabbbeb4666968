// The colours of a map: of relevance, a decision or a group, from the colours of the page, which has a dark side too.
import { label, texts } from "./page.js";

const GROUPS = ["--s0", "--s1", "--s2", "--s3", "--s4", "--s5"];
const STEPS = 5; // steps of relevance in the legend

/** Return the colours of the page at this moment. */
export function scheme() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(name).trim();
  return { ink: of("--ink"), sheet: of("--sheet"), quiet: of("--quiet"), faint: of("--rule"), plain: mixed(of("--rule"), of("--quiet"), 0.5),
    marked: of("--s1"), groups: GROUPS.map(of), low: of("--s0"), high: of("--s1"), yes: of("--s2"), no: of("--s3") };
}

/** Return the colour of each node and the legend, [colour, text] each. */
export function colours(nodes, by, ofHosts) {
  const page = scheme();
  if (by === "relevance") return byRelevance(page, ofHosts);
  if (by === "judged" || by === "label") return byDecision(page, by === "label" ? "label" : "relevant", ofHosts);
  return byGroup(page, nodes, by === "concept" ? (node) => node.concept && label({ ...node.concept, zh: node.concept.label_zh, en: node.concept.label_en })
    : (node) => node.community && `${texts.web_community} ${node.community}`);
}

function byRelevance(page, ofHosts) {
  const shade = (share) => mixed(page.low, page.high, share);
  const value = (node) => (ofHosts ? node.mean_relevance : node.relevance);
  const steps = Array.from({ length: STEPS }, (_, i) => i / (STEPS - 1));
  const legend = steps.map((share) => [shade(share), share.toFixed(2)]);
  return { of: (node) => (value(node) === null ? page.plain : shade(value(node))), legend: [...legend, [page.plain, texts.web_unfetched]] };
}

function byDecision(page, key, ofHosts) {
  const of = (node) => {
    const value = ofHosts ? (node.relevant === null ? null : node.relevant > 0) : node[key];
    return value === null ? page.plain : value ? page.yes : page.no;
  };
  return { of, legend: [[page.yes, texts.web_yes], [page.no, texts.web_no], [page.plain, texts.web_unknown]] };
}

function byGroup(page, nodes, groupOf) {
  const sizes = new Map();
  for (const node of nodes) {
    const group = groupOf(node);
    if (group) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  }
  const largest = [...sizes].sort((a, b) => b[1] - a[1]).slice(0, page.groups.length).map(([group]) => group);
  const colour = new Map(largest.map((group, i) => [group, page.groups[i]]));
  const legend = largest.map((group) => [colour.get(group), `${group} (${sizes.get(group)})`]);
  return { of: (node) => colour.get(groupOf(node)) ?? page.plain, legend: [...legend, [page.plain, texts.web_others]] };
}

function mixed(low, high, share) {
  const [a, b] = [low, high].map((colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)));
  const part = a.map((value, i) => Math.round(value + (b[i] - value) * Math.min(1, Math.max(0, share))));
  return `#${part.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
