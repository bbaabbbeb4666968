// A crawl: its figures as they change, its process with pause and go on, its diagnosis, harvest curve, last pages, tables.
import { markOwn } from "./marks.js";
import { addressOf, brief, element, get, guarded, post, say, texts } from "./page.js";
import { show as showTable, takeOver } from "./table.js";
import { replaced, rows as lessons, Teaching } from "./teach.js";

const PAUSE = 3000; // milliseconds at least between two drawings of the curve of a running crawl, its diagnosis and tables
const NEXT = 1000; // and between two looks for new pages
const SHARE = 5; // a drawing takes at most a part of the time between two of them, so that long runs are read less often
const LOOK = 700; // milliseconds between two looks at a process that starts or ends
const UNITS = ["B", "kB", "MB", "GB", "TB"];

const figures = document.getElementById("figures");
let run = "";
let state = "";
let following = false;
let teaching = null;
let last = []; // the last pages
let pages = []; // those that are shown
const list = document.getElementById("pages");
const parts = [...document.querySelectorAll("details.part")]; // tables

export async function start() {
  run = encodeURIComponent(figures.dataset.run);
  teaching = new Teaching(figures.dataset.run, drawPages);
  document.getElementById("marks").addEventListener("submit", guarded((event) => markOwn(event, figures.dataset.run)));
  document.getElementById("pause").addEventListener("click", guarded(pause));
  document.getElementById("resume").addEventListener("submit", guarded(goOn));
  for (const part of parts) {
    takeOver(part.querySelector(".table"));
    part.addEventListener("toggle", guarded(() => renewed(part)));
  }
  for (const event of ["pointerleave", "focusout"]) list.addEventListener(event, () => setTimeout(() => isHeld() || drawPages()));
  await Promise.all([drawn("curve", "chart"), newest()]);
  await measures();
  await look();
  if (figures.dataset.running === "yes") follow();
}

function follow() {
  if (following) return;
  following = true;
  const events = new EventSource(addressOf(`/api/crawls/${run}/live`));
  redraw();
  renew();
  events.addEventListener("now", guarded(async (event) => {
    const now = JSON.parse(event.data);
    show(now);
    if (isRunning(now.state)) return;
    events.close();
    following = false;
    await Promise.all([draw(), newest()]);
    await look();
  }));
}

/** Return a function that works as long as the run goes on, with a pause at least between two times. */
function repeated(work, pause) {
  const again = guarded(async () => {
    if (!following) return;
    const before = performance.now();
    try {
      await work();
    } finally {
      setTimeout(again, Math.max(pause, SHARE * (performance.now() - before)));
    }
  });
  return again;
}

const redraw = repeated(draw, PAUSE);
const renew = repeated(newest, NEXT);

/** Show the measures of the run, which those that its process writes replace while it runs. */
async function measures() {
  const one = await get(`/api/crawls/${run}`);
  show({ ...one, ...one.live });
  for (const [i, row] of [...document.querySelectorAll("#classes tbody tr")].entries())
    for (const [name, whole] of [["chosen", one.fetched], ["relevant", one.relevant]])
      row.querySelector(`[data-class=${name}]`).textContent = one.classes[i][name] ?? whole;
}

const isRunning = (name) => name === "running" || name === "draining";

function show(now) {
  state = now.state;
  const end = now.estimated_end ? new Date(now.estimated_end.at).toLocaleTimeString() : undefined;
  const shown = { ...now, state: texts[`state_${state}`], disk: bytes(now.disk), end };
  for (const place of document.querySelectorAll("[data-of]")) {
    const value = shown[place.dataset.of];
    if (value !== undefined && value !== null)
      place.textContent = typeof value === "number" && !Number.isInteger(value) ? value.toFixed(2) : value;
    else if (["requests", "end", "pages_per_second_last_minute"].includes(place.dataset.of)) place.textContent = "–";
  }
  document.getElementById("stalls").replaceChildren(...now.stalls.map((stall) => element("li", {}, stall.text)));
  document.getElementById("hosts-number").textContent = now.waiting_hosts ? `${texts.crawl_hosts}: ${now.waiting_hosts}` : "";
  document.getElementById("now").hidden = !isRunning(state) || now.pages_in_flight === undefined;
  if (now.pages_in_flight) processed(now);
  controls();
}

function processed(now) {
  const at = Date.parse(now.at);
  document.querySelector("#flight tbody").replaceChildren(...now.pages_in_flight.map((page) => element("tr", {},
    element("td", {}, explained(page.url)), element("td", {}, why(page.waits ?? "none")),
    element("td", { class: "n" }, String(Math.max(0, Math.round((at - Date.parse(page.since)) / 1000)))))));
  const failed = Object.entries(now.failures).map(([reason, number]) => element("li", {}, `${reason} ${number}`));
  document.getElementById("failures").replaceChildren(...(failed.length ? failed : [element("li", {}, texts.crawl_no_failures)]));
}

const why = (code) => texts[`wait_${code}`] ?? code;

function controls() {
  document.getElementById("pause").hidden = state !== "running";
  document.getElementById("resume").hidden = isRunning(state);
  document.getElementById("resume-hint").textContent = state === "finished" ? texts.crawl_more_pages : texts.crawl_empty_limits;
}

async function pause(event) {
  event.target.disabled = true;
  try {
    await post(`/api/crawls/${run}/pause`, {});
    say(texts.crawl_paused);
  } finally {
    event.target.disabled = false;
  }
}

async function goOn(event) {
  event.preventDefault();
  const given = Object.fromEntries([...new FormData(event.target)].filter(([, value]) => value !== ""));
  await post(`/api/crawls/${run}/resume`, given);
  event.target.hidden = true;
  say("");
  await look();
}

/** Show what the process does until it crawls or has ended. */
async function look() {
  const process = await get(`/api/crawls/${run}/process`);
  const passing = process.state === "starting" || process.state === "ending";
  document.getElementById("process").textContent = passing ? texts[`process_${process.state}`] : process.wrong ? texts.process_wrong : "";
  log(process);
  if (passing) {
    await new Promise((resolve) => setTimeout(resolve, LOOK));
    return look();
  }
  if (process.state === "crawling") return follow();
  await measures();
}

/** Show what a process wrote, open if it ended with an error. */
export function log(process) {
  const place = document.getElementById("log");
  place.hidden = !process.log;
  place.querySelector("pre").textContent = process.log;
  if (process.wrong) place.open = true;
}

async function draw() {
  await Promise.all([drawn("curve", "chart"), drawn("diagnosis", "diagnosis"), ...parts.map(renewed)]);
}

const hasFocus = (place) => place.contains(document.activeElement);

/** Replace a part of the page by the server's own drawing, whose texts are escaped. */
async function drawn(id, name) {
  const place = document.getElementById(id);
  if (hasFocus(place)) return;
  const answer = await fetch(addressOf(`/crawls/${run}/${name}`));
  place.innerHTML = answer.ok ? await answer.text() : "";
}

/** Read the rows of a table again, if it is open and nobody is at it. */
async function renewed(part) {
  const place = part.querySelector(".table");
  if (part.open && !hasFocus(place)) await showTable(place, place.dataset.query);
}

async function newest() {
  ({ pages: last } = await get(`/api/crawls/${run}/pages`, { limit: 30 }));
  await teaching.load();
  drawPages();
}

const isHeld = () => hasFocus(list) || list.matches(":hover");

/** Show the last pages. The list stays as it is while the pointer or the focus is on it, so that no row slips away. */
function drawPages() {
  if (!isHeld()) pages = last;
  const newer = last.length && pages.length ? last[0].step - pages[0].step : 0;
  document.getElementById("newer").textContent = newer ? texts.crawl_newer.replace("{}", newer) : "";
  const { teachable, taught } = teaching.found;
  document.getElementById("teach-column").hidden = !teachable;
  replaced(list.querySelector("tbody"), ...pages.map(row));
  document.getElementById("teaching-effect").textContent = teaching.effect();
  document.getElementById("taught").hidden = !taught.length;
  replaced(document.querySelector("#taught tbody"), ...lessons(teaching, explained));
}

function row(page) {
  const relevance = page.failure ?? (page.relevance === null ? "" : page.relevance.toFixed(3));
  return element("tr", { class: page.relevant ? "relevant" : null },
    element("td", { class: "n" }, String(page.step)),
    element("td", {}, ...(page.title ? [element("span", {}, brief(page.title)), element("br")] : []), explained(page.url)),
    element("td", { class: "n" }, String(relevance)),
    teaching.found.teachable ? element("td", {}, ...teaching.buttons(page.url, page.final_url, page.title || page.url)) : null,
    element("td", {}, brief(page.words.join(", "))),
    element("td", { class: "n" }, page.priority === null ? "" : page.priority.toFixed(3)));
}

function explained(url) {
  return element("a", { "data-key": url, href: addressOf(`/crawls/${run}/page?${new URLSearchParams({ url })}`) }, brief(url));
}

export function bytes(number) {
  const power = number < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(number) / 3));
  return `${(number / 1000 ** power).toFixed(power ? 1 : 0)} ${UNITS[power]}`;
}
