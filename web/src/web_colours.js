// The colours of a map: of relevance, a decision or a group, from the colours of the page, which has a dark side too.
import { grouped, label, texts } from "./page.js";

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
export function colours(nodes, by, view) {
  const page = scheme();
  if (by === "relevance") return byRelevance(page, view);
  if (by === "judged" || by === "label") return byDecision(page, by === "label" ? (node) => node.label : view.relevant);
  return byGroup(page, nodes, by === "concept" ? (node) => node.concept && label(node.concept)
    : (node) => node.community && `${texts.web_community} ${node.community}`);
}

/** Return [colour, share] of some shares from 0 to 1, for a legend. */
export const steps = (page) => Array.from({ length: STEPS }, (_, i) => [mixed(page.low, page.high, i / (STEPS - 1)), i / (STEPS - 1)]);

function byRelevance(page, { relevance }) {
  const shade = (share) => mixed(page.low, page.high, share);
  const legend = steps(page).map(([colour, share]) => [colour, share.toFixed(2)]);
  return { of: (node) => (relevance(node) === null ? page.plain : shade(relevance(node))), legend: [...legend, [page.plain, texts.web_unfetched]] };
}

function byDecision(page, decision) {
  const of = (node) => {
    const value = decision(node);
    return value === null ? page.plain : value ? page.yes : page.no;
  };
  return { of, legend: [[page.yes, texts.web_yes], [page.no, texts.web_no], [page.plain, texts.web_unknown]] };
}

function byGroup(page, nodes, groupOf) {
  const largest = [...grouped(nodes.filter(groupOf), groupOf)].sort((a, b) => b[1].length - a[1].length).slice(0, page.groups.length);
  const colour = new Map(largest.map(([group], i) => [group, page.groups[i]]));
  const legend = largest.map(([group, own]) => [colour.get(group), `${group} (${own.length})`]);
  return { of: (node) => colour.get(groupOf(node)) ?? page.plain, legend: [...legend, [page.plain, texts.web_others]] };
}

/** Return the colour between two, at a share of the way. */
export function mixed(low, high, share) {
  const [a, b] = [low, high].map((colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)));
  const part = a.map((value, i) => Math.round(value + (b[i] - value) * Math.min(1, Math.max(0, share))));
  return `#${part.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
