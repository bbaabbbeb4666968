// The web of a crawl: a map of pages, hosts or communities, the same as a list, and what is known of the chosen one.
import Graph from "graphology";
import Sigma from "sigma";
import { animateNodes } from "sigma/utils";
import { colours, scheme } from "./web_colours.js";
import { pageFacts } from "./web_facts.js";
import { filterOf } from "./web_filter.js";
import { largest, outlines, overlap } from "./web_outlines.js";
import { viewOf } from "./web_views.js";
import { element, get, guarded, printable, say, texts } from "./page.js";

const map = document.getElementById("map");
const stage = document.getElementById("stage");
const run = encodeURIComponent(map.dataset.run);
const address = new URLSearchParams(location.search);
const view = viewOf(map.dataset.view);
const LISTED = 100; // entries of the list; the search finds the others
const LONGEST = 32; // characters of a label on the map
const CENTRES = ["around", "host", "concept", "community"];
const SHOWN = [...CENTRES, "limit", "expand", "also", "rows"];

let page = scheme(); // colours of the page, read once for each painting: a map has tens of thousands of links
let graph = new Graph({ type: "directed" });
let nodes = new Map();
let drawing = null;
let chosen = null;
let path = [];
let reasons = []; // why there are no nodes, or no links
let written = []; // boxes of the labels of a drawing

const outline = document.getElementById("outline");
const filter = filterOf(view, address, () => {
  keepAddress();
  if (nodes.size) tell();
  drawing?.refresh({ skipIndexation: true });
});

async function start() {
  fillForm();
  document.getElementById("around").addEventListener("submit", guarded(ask));
  document.getElementById("colour").addEventListener("change", paint);
  outline.addEventListener("change", () => {
    address.set("outline", outline.value);
    keepAddress();
    drawing?.refresh({ skipIndexation: true });
  });
  document.getElementById("search").addEventListener("input", list);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  window.addEventListener("hashchange", guarded(follow));
  await read();
  await follow();
}

function fillForm() {
  const kind = CENTRES.find((name) => address.get(name));
  if (kind) document.getElementById("kind").value = kind;
  if (kind) document.getElementById("name").value = address.get(kind);
  if (address.get("limit")) document.getElementById("limit").value = address.get("limit");
  outline.value = address.get("outline") ?? "";
  outline.parentElement.hidden = view.ofGroups;
  if (view.ofGroups) for (const name of ["label", "concept", "community"]) document.querySelector(`#colour [value=${name}]`).remove();
}

function ask(event) {
  event.preventDefault();
  const name = document.getElementById("name").value.trim();
  const found = new URLSearchParams({ limit: document.getElementById("limit").value });
  if (name) found.set(document.getElementById("kind").value, name);
  else if (view.ofGroups) found.set("view", map.dataset.view);
  location.search = found;
}

async function read() {
  const asked = new URLSearchParams([...address].filter(([name]) => SHOWN.includes(name)));
  document.getElementById("number").textContent = texts.web_drawing;
  const found = await get(`/api/web/${run}${view.api}`, asked);
  nodes = new Map(found.nodes.map((node) => [node.id, node]));
  fill(found);
  filter.fill(found.nodes);
  paint();
  if (drawing) {
    animateNodes(graph, Object.fromEntries(found.nodes.map((node) => [node.id, { x: node.x, y: node.y }])), { duration: 400 });
  } else if (found.nodes.length) draw();
  reasons = found.reasons;
  tell();
}

function keepAddress() {
  const query = address.toString();
  history.replaceState(null, "", `${location.pathname}${query ? `?${query}` : ""}${location.hash}`);
}

function tell() {
  list();
  const shown = shownNodes().length;
  const number = shown < nodes.size ? `${shown} / ${nodes.size}` : String(shown);
  const said = nodes.size ? `${number} ${texts.web_nodes}, ${graph.size} ${texts.web_links}.` : texts.web_none;
  document.getElementById("number").textContent = [said, ...reasons].join(" ");
}

const shownNodes = () => [...nodes.values()].filter(filter.shows);

function fill(found) {
  const weights = found.nodes.map(weight);
  const [least, most] = [Math.min(...weights), Math.max(...weights)]; // each page has the constant part of PageRank
  for (const node of found.nodes) {
    const size = 2 + 9 * Math.sqrt((weight(node) - least) / (most - least || 1));
    const attributes = { label: short(named(node)), size };
    if (graph.hasNode(node.id)) graph.mergeNodeAttributes(node.id, attributes);
    else graph.addNode(node.id, { ...attributes, x: node.x, y: node.y });
  }
  for (const link of found.links) {
    const [source, target] = [found.nodes[link.source].id, found.nodes[link.target].id];
    if (source !== target && !graph.hasEdge(source, target)) graph.addEdge(source, target, { size: 1 });
  }
}

const weight = (node) => view.weight(node) ?? 0;
const named = (node) => view.named(node);
const short = (text) => printable(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

function draw() {
  const begun = performance.now();
  drawing = new Sigma(graph, stage, {
    labelFont: getComputedStyle(document.body).fontFamily, labelSize: 12, labelRenderedSizeThreshold: 5,
    labelDensity: 0.6, labelGridCellSize: 140, zIndex: true, labelColor: { color: page.ink },
    defaultDrawNodeLabel: write, defaultDrawNodeHover: hover,
    hideEdgesOnMove: graph.size > 5000, nodeReducer, edgeReducer, defaultEdgeType: graph.size > 5000 ? "line" : "arrow",
  });
  // milliseconds until the first drawing: since the page was asked for, and since its nodes were there
  drawing.once("afterRender", () => {
    stage.dataset.drawn = String(Math.round(performance.now()));
    stage.dataset.drawing = String(Math.round(performance.now() - begun));
  });
  drawing.on("beforeRender", () => { written = []; });
  outlines(drawing, () => (outline.value ? largest(shownNodes(), (node) => view.group(node, outline.value), view.nameOf) : []), () => written, () => page);
  drawing.on("clickNode", ({ node }) => { location.hash = encodeURIComponent(node); });
  drawing.on("doubleClickNode", guarded(({ node, preventSigmaDefault }) => {
    preventSigmaDefault();
    return view.ofGroups ? open(node) : expand(node);
  }));
  drawing.on("clickStage", () => { if (chosen) location.hash = ""; });
}

function nodeReducer(id, data) {
  if (!filter.shows(nodes.get(id))) return { ...data, hidden: true };
  const near = !chosen || id === chosen || path.includes(id) || graph.areNeighbors(id, chosen);
  const marked = id === chosen || path.includes(id);
  return { ...data, color: near ? data.color : page.faint, label: near ? data.label : "", forceLabel: marked,
    highlighted: id === chosen, zIndex: near ? 1 : 0 };
}

function edgeReducer(edge, data) {
  const [source, target] = graph.extremities(edge);
  const step = path.indexOf(target);
  if (step > 0 && path[step - 1] === source) return { ...data, color: page.marked, size: 3, zIndex: 2 };
  const near = !chosen || source === chosen || target === chosen;
  return near ? { ...data, color: chosen ? page.quiet : page.faint } : { ...data, hidden: true };
}

function paint() {
  page = scheme();
  const { of, legend } = colours([...nodes.values()], document.getElementById("colour").value, view);
  for (const node of nodes.values()) graph.setNodeAttribute(node.id, "color", of(node));
  if (drawing) {
    drawing.setSetting("labelColor", { color: page.ink });
  }
  document.getElementById("legend").replaceChildren(...legend.map(([colour, text]) => {
    const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = colour;
    return element("li", {}, swatch, text);
  }));
}

// sigma's own writes labels over each other
function write(context, data, settings) {
  if (!data.label) return;
  context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
  const width = context.measureText(data.label).width;
  const right = data.x + data.size + 3;
  const x = right + width < stage.clientWidth ? right : data.x - data.size - 3 - width;
  const box = { x, y: data.y - settings.labelSize * 0.7, height: settings.labelSize * 1.2, width };
  if (!data.forceLabel && written.some((other) => overlap(box, other))) return;
  written.push(box);
  context.fillStyle = page.ink;
  context.fillText(data.label, box.x, data.y + settings.labelSize / 3);
}

// sigma's own is black on white, whatever the page's colours
function hover(context, data, settings) {
  const { ink, sheet } = page;
  context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
  const text = data.label ?? "";
  const width = context.measureText(text).width;
  context.fillStyle = sheet;
  context.beginPath();
  context.arc(data.x, data.y, data.size + 3, 0, 2 * Math.PI);
  context.fill();
  if (!text) return;
  context.fillRect(data.x + data.size + 1, data.y - settings.labelSize, width + 6, settings.labelSize + 8);
  context.fillStyle = ink;
  context.fillText(text, data.x + data.size + 3, data.y + settings.labelSize / 3);
}

function list() {
  const text = document.getElementById("search").value.trim().toLowerCase();
  const all = shownNodes().sort((a, b) => weight(b) - weight(a));
  const found = all.filter((node) => node.id.toLowerCase().includes(text) || named(node).toLowerCase().includes(text));
  const items = found.slice(0, LISTED).map((node) => element("li", {},
    element("a", { href: `#${encodeURIComponent(node.id)}`, "aria-current": node.id === chosen ? "true" : null }, named(node))));
  const more = found.length - items.length;
  document.getElementById("nodes").replaceChildren(...items, ...(more > 0 ? [element("li", { class: "quiet more" }, `${more} ${texts.web_more}`)] : []));
}

async function follow() {
  const id = decodeURIComponent(location.hash.slice(1));
  chosen = nodes.has(id) ? id : null;
  path = [];
  for (const link of document.querySelectorAll("#nodes a")) {
    if (link.hash === location.hash && chosen) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  drawing?.refresh({ skipIndexation: true });
  if (!chosen) return;
  const node = nodes.get(chosen);
  const place = document.getElementById("page");
  if (view.ofGroups) return place.replaceChildren(...view.facts(node));
  const known = await get(`/api/web/${run}/page`, { url: id });
  if (chosen !== id) return;
  path = known.path.map((step) => step.url);
  place.replaceChildren(...pageFacts(node, known, { run, nodes, expand: guarded(() => expand(id)), add: guarded(() => add(path)) }));
  drawing?.refresh({ skipIndexation: true });
}

function open(id) {
  location.search = new URLSearchParams(view.pages(nodes.get(id)));
}

async function expand(id) {
  address.append("expand", id);
  await grow();
}

async function add(urls) {
  for (const url of urls) if (!nodes.has(url)) address.append("also", url);
  await grow();
}

async function grow() {
  const before = nodes.size;
  keepAddress();
  await read();
  await follow();
  say(`${nodes.size - before} ${texts.web_neighbours_added}`);
}

guarded(start)();
