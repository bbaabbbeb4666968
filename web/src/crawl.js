// A crawl: its figures as they change, its harvest curve, its last pages.
import { brief, element, get, guarded } from "./page.js";

const PAUSE = 3000; // milliseconds between two drawings of the curve and the pages of a running crawl

export async function start() {
  const figures = document.getElementById("figures");
  const run = encodeURIComponent(figures.dataset.run);
  await draw(run);
  if (figures.dataset.running === "yes") follow(run);
}

function follow(run) {
  const events = new EventSource(`/api/crawls/${run}/live`);
  const drawing = setInterval(guarded(() => draw(run)), PAUSE);
  events.addEventListener("now", (event) => {
    const now = JSON.parse(event.data);
    show(now);
    if (now.state !== "running" && now.state !== "draining") {
      events.close();
      clearInterval(drawing);
      guarded(() => draw(run))();
    }
  });
}

function show(now) {
  for (const place of document.querySelectorAll("[data-of]")) {
    const value = now[place.dataset.of];
    if (value !== undefined && value !== null)
      place.textContent = typeof value === "number" && !Number.isInteger(value) ? value.toFixed(2) : value;
  }
  document.getElementById("stalls").replaceChildren(...now.stalls.map((stall) => element("li", {}, stall.text)));
}

async function draw(run) {
  const chart = await fetch(`/crawls/${run}/chart`);
  // the server's own drawing: an SVG whose texts are escaped
  document.getElementById("curve").innerHTML = chart.ok ? await chart.text() : "";
  const { pages } = await get(`/api/crawls/${run}/pages`, { limit: 30 });
  document.querySelector("#pages tbody").replaceChildren(...pages.map(row));
}

function row(page) {
  const shown = brief(page.title || page.url);
  const relevance = page.failure ?? (page.relevance === null ? "" : page.relevance.toFixed(3));
  return element("tr", { class: page.relevant ? "relevant" : null },
    element("td", { class: "n" }, String(page.step)),
    element("td", {}, element("span", {}, shown), element("br"), element("span", { class: "quiet" }, brief(page.url))),
    element("td", { class: "n" }, String(relevance)));
}
