// A crawl that is being started: its page comes as soon as it has one; the reason, if it cannot begin.
import { get, texts } from "./page.js";
import { log } from "./crawl.js";

const LOOK = 700; // milliseconds between two looks

export async function start() {
  const place = document.getElementById("process");
  const process = await get(`/api/crawls/${encodeURIComponent(place.dataset.run)}/process`);
  log(process);
  if (process.state === "starting") setTimeout(start, LOOK);
  else if (process.state === "failed") place.textContent = texts.process_failed;
  else location.reload();
}
