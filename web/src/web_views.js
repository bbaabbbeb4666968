// What the nodes of a map are: pages, hosts or communities, and what each view needs to know of them.
import { communityFacts, hostFacts } from "./web_facts.js";
import { grouped, inList, label, texts } from "./page.js";

const NAMES = 2; // concepts by which a community is named

const groups = {
  relevant: (node) => (node.relevant === null ? null : node.relevant > 0),
  step: () => null,
};

const VIEWS = {
  pages: {
    api: "", weight: (node) => node.pagerank, relevance: (node) => node.relevance, relevant: (node) => node.relevant,
    named: (node) => node.title || node.id, step: (node) => node.step,
    group: (node, by) => node[by],
    nameOf: (group, own, all) => (typeof group === "string" ? group : [texts.web_community, group, characteristic(own, all)].join(" ")),
  },
  hosts: {
    ...groups, api: "/hosts", weight: (node) => node.fetched, relevance: (node) => node.mean_relevance,
    named: (node) => node.host, facts: hostFacts, pages: (node) => ({ host: node.host }),
  },
  communities: {
    ...groups, api: "/communities", weight: (node) => node.pages, relevance: (node) => node.share,
    named: (node) => [String(node.community), inList((node.concepts.length ? node.concepts.map(label) : node.hosts).slice(0, NAMES))].join(" "),
    facts: communityFacts, pages: (node) => ({ community: node.community }),
  },
};

// the concept with the largest p ln(p / q), by the shares of pages that name it in the group and in all: as links/communities does
function characteristic(own, all) {
  const counts = (nodes) => grouped(nodes.filter((node) => node.concept), (node) => node.concept.iri);
  const [inside, whole] = [counts(own), counts(all)];
  const weight = (iri) => {
    const [p, q] = [inside.get(iri).length / own.length, whole.get(iri).length / all.length];
    return p * Math.log(p / q);
  };
  const best = [...inside.keys()].sort((a, b) => weight(b) - weight(a)).find((iri) => weight(iri) > 0);
  return best ? label(inside.get(best)[0].concept) : "";
}

/** Return what a view knows of its nodes: figures by which they are drawn, `facts` and `pages` (parameters of a map) of a group. */
export const viewOf = (name) => ({ ...VIEWS[name], ofGroups: name !== "pages" });
