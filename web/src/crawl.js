// A crawl: its figures as they change, its process with pause and go on, its harvest curve, its last pages.
import { addressOf, brief, element, get, guarded, post, say, texts } from "./page.js";
import { replaced, rows as lessons, Teaching } from "./teach.js";

const PAUSE = 3000; // milliseconds at least between two drawings of the curve and the pages of a running crawl
const SHARE = 5; // a drawing takes at most a part of the time between two of them, so that long runs are read less often
const LOOK = 700; // milliseconds between two looks at a process that starts or ends
const UNITS = ["B", "kB", "MB", "GB", "TB"];

const figures = document.getElementById("figures");
let run = "";
let state = "";
let following = false;
let teaching = null;
let pages = []; // the last ones

export async function start() {
  run = encodeURIComponent(figures.dataset.run);
  teaching = new Teaching(figures.dataset.run, drawPages);
  document.getElementById("pause").addEventListener("click", guarded(pause));
  document.getElementById("resume").addEventListener("submit", guarded(goOn));
  await draw();
  await measures();
  await look();
  if (figures.dataset.running === "yes") follow();
}

function follow() {
  if (following) return;
  following = true;
  const events = new EventSource(addressOf(`/api/crawls/${run}/live`));
  redraw();
  events.addEventListener("now", guarded(async (event) => {
    const now = JSON.parse(event.data);
    show(now);
    if (isRunning(now.state)) return;
    events.close();
    following = false;
    await draw();
    await look();
  }));
}

const redraw = guarded(async () => {
  if (!following) return;
  const before = performance.now();
  try {
    await draw();
  } finally {
    setTimeout(redraw, Math.max(PAUSE, SHARE * (performance.now() - before)));
  }
});

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
  document.getElementById("now").hidden = !isRunning(state) || now.hosts === undefined;
  if (now.hosts) processed(now);
  controls();
}

function processed(now) {
  const at = Date.parse(now.at);
  document.getElementById("hosts-number").textContent = now.waiting_hosts;
  document.querySelector("#hosts tbody").replaceChildren(...now.hosts.map((host) => element("tr", {},
    element("td", {}, host.host), element("td", {}, why(host.reason)),
    element("td", {}, host.until ? new Date(host.until).toLocaleTimeString() : "–"),
    element("td", { class: "n" }, String(host.waiting)))));
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
  const chart = await fetch(addressOf(`/crawls/${run}/chart`));
  // the server's own drawing: an SVG whose texts are escaped
  document.getElementById("curve").innerHTML = chart.ok ? await chart.text() : "";
  ({ pages } = await get(`/api/crawls/${run}/pages`, { limit: 30 }));
  await teaching.load();
  drawPages();
}

function drawPages() {
  const { teachable, taught } = teaching.found;
  document.getElementById("teach-column").hidden = !teachable;
  replaced(document.querySelector("#pages tbody"), ...pages.map(row));
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
    element("td", { class: "n" }, page.priority === null ? "" : page.priority.toFixed(3)),
    teaching.found.teachable ? element("td", {}, ...teaching.buttons(page.url, page.final_url, page.title || page.url)) : null);
}

function explained(url) {
  return element("a", { "data-key": url, href: addressOf(`/crawls/${run}/page?${new URLSearchParams({ url })}`) }, brief(url));
}

export function bytes(number) {
  const power = number < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(number) / 3));
  return `${(number / 1000 ** power).toFixed(power ? 1 : 0)} ${UNITS[power]}`;
}
