// A treemap of an ontology: the branches below a class, and how many of their classes papers, pages or proposals have.
import { addressOf, element, get, guarded, label, texts } from "./page.js";
import { squarified } from "./treemap.js";
import { mixed, scheme, steps } from "./web_colours.js";

const place = document.getElementById("boxes");
const [area, colour] = ["area", "colour"].map((id) => document.getElementById(id));
const address = new URLSearchParams(location.search);
const topic = place?.dataset.topic && encodeURIComponent(place.dataset.topic);
const LEAST = 18; // pixels of a box's side from which it has a name, and of the name's line

const [OUTER, INNER] = [0.25, 0.45]; // share of its colour in a box; the rest is that of the page, so that names can be read

let shown = null;

export async function start() {
  area.value = address.get("area") ?? "classes";
  colour.value = address.get("colour") ?? "pages";
  for (const field of [area, colour]) field.addEventListener("change", () => {
    address.set(field.id, field.value);
    history.replaceState(null, "", `?${address}`);
    draw();
  });
  const chosen = ["class", "run"].filter((name) => address.get(name)).map((name) => [name, address.get(name)]);
  shown = await get(`/api/ontologies/${topic}/coverage`, { level: place.dataset.level, ...Object.fromEntries(chosen) });
  tellVersions();
  new ResizeObserver(guarded(draw)).observe(place);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  draw();
}

/** Say of which version of the ontology and of which run the figures are; other runs can be chosen. */
function tellVersions() {
  const { version, newest, run, run_version: then, newer_classes: newer } = shown;
  const link = (end, name) => element("a", { href: addressOf(`/ontologies/${topic}${end}`) }, name);
  document.getElementById("versions").replaceChildren(
    `${texts.ontology_version} ${version}`, ...(newest === version ? [` (${texts.version_newest})`] : [`; ${texts.version_newer} `, link("/versions", newest)]),
    ...(run ? [`; ${texts.coverage_run} `, element("a", { href: addressOf(`/crawls/${encodeURIComponent(run)}`) }, run)] : []),
    ...(then ? [`, ${texts.coverage_by_version} ${then}`] : []),
    ...(newer ? [`; ${newer} ${texts.coverage_newer}`] : []));
  const choice = document.getElementById("run");
  document.getElementById("runs").hidden = shown.runs.length < 2;
  choice.replaceChildren(...shown.runs.map((name) => element("option", { value: name, selected: name === run }, name)));
  choice.addEventListener("change", () => {
    address.set("run", choice.value);
    location.search = `?${address}`;
  });
}

function draw() {
  const page = scheme();
  const below = shown.below ?? [];
  const size = { x: 0, y: 0, width: place.clientWidth, height: place.clientHeight };
  place.replaceChildren(...boxes(below, size, page));
  document.getElementById("legend").replaceChildren(...steps(page).map(([shade, share]) => {
    const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = mixed(page.sheet, shade, INNER);
    return element("li", {}, swatch, `${Math.round(100 * share)} %`);
  }));
  const above = shown.way.slice(0, -1).flatMap((one) => [element("a", { href: to(one) }, label(one)), " › "]);
  document.getElementById("way").replaceChildren(...above, element("strong", {}, label(shown)));
  document.getElementById("about").textContent =
    [figures(shown), ...(shown.run ? [] : [texts.coverage_no_run]), ...(below.length ? [] : [texts.coverage_leaf])].join(" · ");
  const without = below.filter((one) => !one[area.value]);
  document.getElementById("not-drawn").replaceChildren(...(without.length ? [element("p", { class: "quiet" },
    `${texts.coverage_not_drawn} (${without.length}): `, ...without.slice(0, 30).flatMap((one, i) => [i ? ", " : "", named(one)]))] : []));
}

const to = (one) => `?${new URLSearchParams({ ...Object.fromEntries(address), level: place.dataset.level, class: one.iri })}`;
const nameOf = (one) => (one.others ? `${one.others} ${texts.coverage_others}` : label(one));
const share = (one) => one.with[colour.value] / one.classes;
const figures = (one) => ["classes", "papers", "pages", "proposals"].map((name) => `${texts[`coverage_${name}`]} ${one[name]}`).join(", ");

/** A branch as a link: to the branches below it, or to the class where there are none. */
function named(one, attributes = {}) {
  if (one.others) return element("span", attributes, nameOf(one));
  const href = one.children ? to(one) : addressOf(`/ontologies/${topic}?level=${place.dataset.level}#${encodeURIComponent(one.iri)}`);
  return element("a", { href, ...attributes }, nameOf(one));
}

function boxes(branches, inside, page) {
  const drawn = branches.filter((one) => one[area.value] > 0).sort((a, b) => b[area.value] - a[area.value]);
  return squarified(drawn.map((one) => one[area.value]), inside).map((box, i) => {
    const one = drawn[i];
    const told = `${nameOf(one)}: ${figures(one)}; ${texts[`coverage_with_${colour.value}`]}: ${one.with[colour.value]} / ${one.classes}`;
    const readable = box.width > 2 * LEAST && box.height > LEAST;
    const link = named(one, { title: told, "aria-label": told });
    if (!readable) link.replaceChildren();
    const item = element("div", { class: "box" }, link);
    item.style.cssText = `left:${box.x}px;top:${box.y}px;width:${box.width}px;height:${box.height}px`;
    const room = { x: 2, y: LEAST + 2, width: box.width - 6, height: box.height - LEAST - 6 };
    const inner = one.below && room.width > LEAST && room.height > LEAST ? boxes(one.below, room, page) : [];
    item.style.background = mixed(page.sheet, mixed(page.low, page.high, share(one)), inner.length ? OUTER : INNER);
    item.append(...inner);
    return item;
  });
}
