// The form of a verdict with a name or a class, which is found by typing; Enter takes what it says, Esc goes back.
import { element, get, guarded, label, say, texts } from "./page.js";

const form = document.getElementById("ask");
const as = document.getElementById("as");
const input = document.getElementById("name");
const list = document.getElementById("choices");
let choices = [];
let at = -1; // number of the chosen class; -1 for what is typed
let looking = Promise.resolve(); // for the classes near to what was typed last; keys wait for them

/** Ask for what the step "rename", "move" or "merge" needs. Return the parts of the verdict that the person gives, of
 * rename, parent and merge; null if the person goes back. The name and the parent can be changed in one go. */
export function ask(question, row, step) {
  document.getElementById("question").textContent = question;
  const before = { as: row.term, name: step === "merge" ? "" : row.under_label ?? "" };
  [as.value, input.value] = [before.as, before.name];
  document.getElementById("as-label").hidden = step === "merge" || row.kind !== "concept";
  form.hidden = false;
  show([]);
  const first = step === "rename" ? as : input;
  first.focus();
  first.select();
  return new Promise((resolve) => {
    const stop = new AbortController();
    const end = (value) => { stop.abort(); form.hidden = true; resolve(value); };
    const near = () => { looking = look(); };
    const look = guarded(async () => {
      if (/^\d+$/.test(input.value.trim())) return;
      const [text, of] = [input.value, step === "merge" ? "merge" : "move"];
      const found = await get("/api/review/choices", { proposal: row.id, step: of, text: text === before.name ? "" : text });
      if (text === input.value && !stop.signal.aborted) show(found.choices, text.trim() !== "");
    });
    const options = { signal: stop.signal };
    const typed = () => ({ as: as.value.trim(), name: chosen(), asked: step, before });
    input.addEventListener("input", near, options);
    input.addEventListener("keydown", keys, options);
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      end(null);
    }, options);
    document.getElementById("back").addEventListener("click", () => end(null), options);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      looking.then(() => {
        const given = parts(typed());
        if (Object.keys(given).length) end(given);
        else say(question);
      });
    }, options);
    list.addEventListener("click", (event) => {
      const item = event.target.closest("[role=option]");
      if (!item) return;
      input.value = choices[[...list.children].indexOf(item)].label;
      show([]);
      input.focus();
    }, options);
    near();
  });
}

/** Return the parts of a verdict: what was asked for, and what else was changed. */
function parts({ as: called, name, asked, before }) {
  if (asked === "merge") return name ? { merge: name } : {};
  const renamed = called && called !== before.as ? { rename: called } : {};
  const moved = name && (name !== before.name || (asked === "move" && !renamed.rename)) ? { parent: name } : {};
  return { ...renamed, ...moved };
}

function show(found, sought = false) {
  [choices, at] = [found, -1];
  list.replaceChildren(...found.map((one, i) => element("li", { role: "option", id: `choice-${i}`, "aria-selected": "false" },
    `${i + 1} `, label(one), element("span", { class: "quiet" }, ` ${one.path.join(" › ")}`))));
  if (sought && !found.length) list.append(element("li", { class: "quiet", role: "presentation" }, texts.ontology_none));
  input.setAttribute("aria-expanded", String(found.length > 0));
  input.removeAttribute("aria-activedescendant");
}

function choose(next) {
  at = (next + choices.length + 1) % (choices.length + 1); // after the last one comes what is typed
  if (at === choices.length) at = -1;
  for (const [i, item] of [...list.children].entries()) item.setAttribute("aria-selected", String(i === at));
  if (at < 0) input.removeAttribute("aria-activedescendant");
  else input.setAttribute("aria-activedescendant", `choice-${at}`);
}

function keys(event) {
  if (event.isComposing) return;
  if (event.key === "ArrowDown") looking.then(() => choices.length && choose(at + 1));
  else if (event.key === "ArrowUp") looking.then(() => choices.length && choose(at < 0 ? choices.length - 1 : at - 1));
  else return;
  event.preventDefault();
}

/** Return the class that is chosen from the list, by its number or by its name. */
function chosen() {
  const text = input.value.trim();
  const number = /^\d+$/.test(text) ? choices[Number(text) - 1] : undefined;
  return at >= 0 ? choices[at].label : number?.label ?? text;
}
