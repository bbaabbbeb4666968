// Which nodes of a map are shown: those that are relevant enough, and were fetched up to a moment that can be played.
import { texts } from "./page.js";

const FRAMES = 100; // of a replay
const EACH = 100; // milliseconds

const least = document.getElementById("least");
const until = document.getElementById("until");
const play = document.getElementById("play");

let timer = null;

/** Make the filter of a view; `changed` is called after each change, by hand or by the replay. */
export function filterOf(view, address, changed) {
  least.value = address.get("least") ?? 0;
  until.value = until.max = Number.MAX_SAFE_INTEGER;
  document.getElementById("moment").hidden = view.ofGroups;
  const all = () => Number(until.value) >= Number(until.max);
  const tell = () => {
    document.getElementById("least-now").textContent = Number(least.value).toFixed(2);
    document.getElementById("until-now").textContent = all() ? texts.web_all_fetched : `${until.value} / ${until.max}`;
    play.textContent = timer === null ? texts.web_play : texts.web_pause;
    keep("least", Number(least.value) > 0 && least.value);
    keep("until", !all() && until.value);
    changed();
  };
  const keep = (name, value) => (value ? address.set(name, value) : address.delete(name));
  const stop = () => {
    clearInterval(timer);
    timer = null;
  };
  const next = () => {
    until.value = Number(until.value) + Math.max(1, Math.round(Number(until.max) / FRAMES));
    if (all()) stop();
    tell();
  };
  least.addEventListener("input", tell);
  until.addEventListener("input", () => { stop(); tell(); });
  play.addEventListener("click", () => {
    if (timer !== null) stop();
    else {
      if (all()) until.value = 0;
      timer = setInterval(next, EACH);
    }
    tell();
  });
  return {
    /** Take new nodes: the last moment is that of the page fetched last. */
    fill(nodes) {
      const was = address.get("until");
      until.max = Math.max(1, ...nodes.map((node) => view.step(node) ?? 0));
      until.value = was ?? until.max;
      tell();
    },
    shows(node) {
      const [R, step] = [view.relevance(node), view.step(node)];
      return (Number(least.value) === 0 || (R ?? 0) >= Number(least.value)) && (all() || (step !== null && step <= Number(until.value)));
    },
  };
}
