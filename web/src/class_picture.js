// A class with its neighbours: classes above and below it, other relations at its left, pages and papers at its right.
import { anchor } from "./ontology_tree.js";
import { element, label, outside, texts } from "./page.js";

const MOST = 6; // neighbours on each side; the lists below have all
const HIERARCHY = ["subclass_of", "part_of"];
const SVG = "http://www.w3.org/2000/svg";

/** Return the picture of a class; `sources(rows)` shows pages and papers, [{ name, url }], when they are known. */
export function picture(entry) {
  const row = (from, hierarchic) => entry[from].filter((one) => HIERARCHY.includes(one.relation) === hierarchic);
  const name = (one) => label({ ...entry.labels[one.iri], iri: one.iri });
  const linked = (one) => element("a", { href: anchor(one.iri) }, name(one));
  const told = (one, arrow) => element("span", {}, linked(one), element("small", {}, `${arrow} ${texts[`ontology_kind_${one.relation}`]}`));
  const centre = element("strong", { class: "centre" }, label(entry));
  const left = [...row("above", false).map((one) => told(one, "→")), ...row("below", false).map((one) => told(one, "←"))];
  const right = group("sources", []);
  const place = element("div", { class: "neighbours" },
    group("upper", row("above", true).map(linked)), group("related", left), centre, right, group("lower", row("below", true).map(linked)));
  const lines = document.createElementNS(SVG, "svg");
  lines.setAttribute("aria-hidden", "true");
  place.prepend(lines);
  new ResizeObserver(() => draw(lines, place, centre)).observe(place);
  return {
    place,
    sources(rows) {
      const named = new Map(rows.map((one) => [one.url ?? one.name, one]));
      right.replaceWith(group("sources", [...named.values()].map((one) => (one.url ? outside(one.url, one.name) : element("span", {}, one.name)))));
      draw(lines, place, centre);
    },
  };
}

function group(side, items) {
  const more = items.length - MOST;
  return element("ul", { class: side }, ...items.slice(0, MOST).map((one) => element("li", {}, one)),
    ...(more > 0 ? [element("li", { class: "quiet" }, `+${more}`)] : []));
}

function draw(lines, place, centre) {
  const origin = place.getBoundingClientRect();
  const middle = (one) => {
    const box = one.getBoundingClientRect();
    return [box.left + box.width / 2 - origin.left, box.top + box.height / 2 - origin.top];
  };
  const [x, y] = middle(centre);
  lines.setAttribute("viewBox", `0 0 ${origin.width} ${origin.height}`);
  lines.replaceChildren(...[...place.querySelectorAll("li")].map((item) => {
    const line = document.createElementNS(SVG, "line");
    const [toX, toY] = middle(item);
    for (const [key, value] of Object.entries({ x1: x, y1: y, x2: toX, y2: toY })) line.setAttribute(key, value);
    return line;
  }));
}
