// The question for a name: of a class by typing, with the classes that are near; Enter takes it, Esc goes back.
import { element, get, guarded, label, say } from "./page.js";

const form = document.getElementById("ask");
const input = document.getElementById("name");
const list = document.getElementById("choices");
let choices = [];
let at = -1; // number of the chosen class; -1 for what is typed
let looking = Promise.resolve(); // for the classes near to what was typed last; keys wait for them

/** Ask for the text that a verdict needs. Return it; null if the person goes back. */
export function ask(question, proposal, step) {
  document.getElementById("question").textContent = question;
  input.value = "";
  form.hidden = false;
  show([]);
  input.focus();
  return new Promise((resolve) => {
    const stop = new AbortController();
    const end = (value) => { stop.abort(); form.hidden = true; resolve(value); };
    const near = () => { looking = look(); };
    const look = guarded(async () => {
      if (step === "rename" || /^\d+$/.test(input.value.trim())) return;
      const text = input.value;
      const found = await get("/api/review/choices", { proposal, step, text });
      if (text === input.value && !stop.signal.aborted) show(found.choices);
    });
    const options = { signal: stop.signal };
    input.addEventListener("input", near, options);
    input.addEventListener("keydown", (event) => keys(event, end), options);
    form.addEventListener("submit", (event) => { event.preventDefault(); looking.then(() => taken(end)); }, options);
    list.addEventListener("click", (event) => {
      const item = event.target.closest("[role=option]");
      if (item) end(choices[[...list.children].indexOf(item)].label);
    }, options);
    near();
  });
}

function show(found) {
  [choices, at] = [found, -1];
  list.replaceChildren(...found.map((one, i) => element("li", { role: "option", id: `choice-${i}`, "aria-selected": "false" },
    `${i + 1} `, label(one), element("span", { class: "quiet" }, ` ${one.path.join(" › ")}`))));
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

function keys(event, end) {
  if (event.isComposing) return;
  if (event.key === "Escape") end(null);
  else if (event.key === "ArrowDown") looking.then(() => choices.length && choose(at + 1));
  else if (event.key === "ArrowUp") looking.then(() => choices.length && choose(at < 0 ? choices.length - 1 : at - 1));
  else return;
  event.preventDefault();
}

function taken(end) {
  const text = input.value.trim();
  const number = /^\d+$/.test(text) ? choices[Number(text) - 1] : undefined;
  const value = at >= 0 ? choices[at].label : number?.label ?? text;
  if (value) end(value);
  else say(document.getElementById("question").textContent);
}
