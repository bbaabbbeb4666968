// Attribute exploration: one question at a time about a topic's terms, answered by mouse or keys. What an answer means,
// and whether it contradicts what is known, the server says; this tab keeps the questions that were put off.
import { element, get, guarded, mayChange, post, say, sayError, texts } from "./page.js";
import { drawKnown, fill } from "./settle_known.js";

const AND = " + "; // between the terms that a question put off is about
const DIGITS = 9; // choices that have a key

const place = document.getElementById("settle");
const form = document.getElementById("answer");
const question = document.getElementById("question");
const api = place && `/api/lattice/${encodeURIComponent(place.dataset.topic)}/settle`;
const kept = place && `ontocrawl-settle:${place.dataset.topic}:${place.dataset.run}`;
let now = null; // what the server says of the session
let busy = false; // keys are not taken while an answer is on its way: the next question was not seen

export async function start() {
  if (!place) return;
  form.addEventListener("submit", (event) => { event.preventDefault(); run(actions.only); });
  document.getElementById("decide").addEventListener("click", () => run(decide));
  document.getElementById("choose").addEventListener("submit", choose);
  document.addEventListener("keydown", key);
  window.addEventListener("focus", () => run(look)); // another tab, or a terminal, may have answered
  draw(await get(api, query(new URLSearchParams(location.search))));
}

// ---- the session of this tab ------------------------------------------------------------------------------------------

const later = () => JSON.parse(sessionStorage.getItem(kept) ?? "[]");
const putOff = (questions) => sessionStorage.setItem(kept, JSON.stringify(questions));

/** Return the parameters of a request: the terms of this tab, else those that the address asks for. */
function query(asked = new URLSearchParams()) {
  const found = new URLSearchParams(place.dataset.run ? { run: place.dataset.run } : {});
  if (place.dataset.combinations) found.set("combinations", "yes");
  if (now) now.terms.forEach((term) => found.append("term", term));
  else for (const name of ["term", "top"]) asked.getAll(name).forEach((value) => found.append(name, value));
  later().forEach((about) => found.append("later", about));
  return found;
}

async function change(what, body) {
  draw(await post(`${api}/${what}?${query()}`, body));
}

/** Run one action; what fails is said, and the question is shown as it is now. */
async function run(action) {
  if (busy || !now) return;
  busy = true;
  question.setAttribute("aria-busy", "true");
  try {
    await action();
  } catch (error) {
    sayError(error);
    if (error.status === 409) draw(await get(api, query()));
  } finally {
    busy = false;
    question.removeAttribute("aria-busy");
  }
}

async function look() {
  const found = await get(api, query());
  if (found.revision === now.revision) return;
  draw(found);
  say(texts.settle_changed);
}

// ---- drawing ----------------------------------------------------------------------------------------------------------

function draw(found) {
  now = found;
  const progress = document.getElementById("progress");
  progress.max = Math.max(1, now.given.length + now.questions);
  progress.value = now.given.length;
  const put = now.later ? fill(texts.settle_counts_later, now.later) : "";
  document.getElementById("counts").textContent = fill(texts.settle_counts, now.given.length, now.questions) + put;
  form.reset();
  form.hidden = !now.question;
  question.replaceChildren(...(now.question ? asked(now.question) : ended()));
  if (now.question) {
    buttons(now.question);
    exampleTerms(now.question);
  }
  drawKnown(now);
}

function asked({ text, choices }) {
  const title = element("h2", {}, text);
  return choices.length === 1 ? [title, ...why(choices[0])] : [title, element("ul", { class: "options" }, ...choices.map(option))];
}

function option(choice, i) {
  const box = element("input", { type: "checkbox", name: "holds", value: choice.label, disabled: !mayChange });
  const star = choice.suggested ? element("span", { title: texts.settle_suggested, "aria-label": texts.settle_suggested, role: "img" }, "★") : null;
  const digit = element("kbd", { "aria-hidden": "true" }, i < DIGITS ? String(i + 1) : "·");
  return element("li", {}, element("label", {}, box, digit, element("span", {}, choice.text), star), ...why(choice));
}

/** Return why the ontology says that a choice holds: the rule, the papers, the sentence. */
function why({ suggested, reasons }) {
  if (!suggested) return [];
  return reasons.map((reason) => element("div", { class: "why quiet" }, reason.told || texts.settle_suggested,
    reason.sentence ? element("blockquote", {}, reason.sentence) : null,
    reason.titles.length ? element("details", {}, element("summary", {}, fill(texts.settle_papers, reason.titles.length)),
      element("ul", {}, ...reason.titles.map((title) => element("li", {}, title)))) : null));
}

function ended() {
  if (now.later) {
    const again = () => run(async () => { putOff([]); draw(await get(api, query())); });
    return [element("h2", {}, texts.settle_all_later), element("button", { type: "button", onclick: again }, texts.settle_again)];
  }
  const all = now.complete ? element("p", {}, fill(texts.settle_complete, now.implications.length)) : null;
  const more = () => run(async () => { place.dataset.combinations = "yes"; draw(await get(api, query())); });
  const on = now.complete || now.combinations ? null : element("button", { type: "button", onclick: more }, texts.settle_ask_combinations);
  return [element("h2", {}, texts.settle_settled), ...[all, on].filter(Boolean)];
}

function buttons({ choices, may_be_none: none }) {
  const single = choices.length === 1;
  const marked = !single && choices.some((choice) => choice.suggested);
  const made = [
    ...(single ? [] : [["only", "↵", texts.settle_only]]),
    ["all", "y", single ? texts.settle_yes : texts.settle_all],
    ["none", single ? "n" : "0", single ? texts.settle_no : texts.settle_none],
    ...(marked ? [["marked", "*", texts.settle_marked]] : []),
    ...(none ? [["nothing", "x", texts.settle_nothing]] : []),
    ["later", "l", texts.settle_later],
    ["undo", "u", texts.settle_undo],
  ];
  document.getElementById("keys").replaceChildren(...made.map(([name, letter, text]) =>
    element("button", { type: "button", disabled: !mayChange, "data-action": name, onclick: () => run(actions[name]) },
      element("kbd", {}, letter), ` ${text}`)));
}

function exampleTerms({ about }) {
  const states = [["", texts.settle_example_unsaid], ["has", texts.settle_example_is], ["lacks", texts.settle_example_is_not]];
  const rows = now.terms.filter((label) => !about.includes(label)).map((label) => element("label", {}, now.labels[label],
    element("select", { "data-label": label }, ...states.map(([value, text]) => element("option", { value }, text)))));
  document.getElementById("example-terms").replaceChildren(...rows);
}

// ---- answers ----------------------------------------------------------------------------------------------------------

const chosen = () => [...question.querySelectorAll("input[name=holds]:checked")].map((box) => box.value);

function example() {
  const name = form.elements.name.value.trim();
  const said = (state) => [...form.querySelectorAll("[data-label]")].filter((one) => one.value === state).map((one) => one.dataset.label);
  return name ? { name, has: said("has"), lacks: said("lacks") } : null;
}

async function answer(holds, more = {}) {
  const { about, choices } = now.question;
  const described = holds.length < choices.length ? { example: example() } : {};
  await change("answer", { about, choices: choices.map((choice) => choice.label), holds, ...described, ...more });
  say(`→ ${now.given[0].text}`);
  question.focus({ preventScroll: true });
  question.scrollIntoView({ block: "nearest" });
}

const labels = (wanted = () => true) => now.question.choices.filter(wanted).map((choice) => choice.label);

const actions = {
  only: async () => {
    if (!chosen().length && !example()) return say(texts.settle_choose_first);
    await answer(chosen());
  },
  all: () => answer(labels()),
  none: () => answer([]),
  marked: () => answer(labels((choice) => choice.suggested)),
  nothing: () => answer(labels(), { nothing: true }),
  later: async () => {
    putOff([...later(), now.question.about.join(AND)]);
    draw(await get(api, query()));
    question.focus({ preventScroll: true });
  },
  undo,
};

async function undo() {
  const [last] = now.given;
  if (!last) return say(texts.settle_nothing_to_undo);
  putOff([]); // as on a terminal, questions put off are asked again
  await change("undo", { seen: now.revision });
  say(fill(texts.settle_undone, last.text));
  question.focus({ preventScroll: true });
}

async function decide() {
  const { added, withdrawn } = now.decisions;
  await change("decisions", {});
  say(fill(texts.settle_decided, added, withdrawn));
}

const KEYS = { y: "all", n: "none", 0: "none", "*": "marked", x: "nothing", l: "later", u: "undo" };

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !mayChange) return;
  if (event.target.closest("input:not([type=checkbox]), textarea, select, dialog")) return;
  const letter = event.key.normalize("NFKC").toLowerCase(); // full-width letters of an input method too
  if (letter === "enter" && now?.question?.choices.length > 1 && !event.target.closest("a, button, summary")) {
    event.preventDefault();
    return run(actions.only);
  }
  const box = /^[1-9]$/.test(letter) && question.querySelectorAll("input[name=holds]")[Number(letter) - 1];
  if (box) box.checked = !box.checked;
  const name = KEYS[letter];
  const offered = name && (name === "undo" || (now?.question && document.querySelector(`#keys [data-action=${name}]`)));
  if (!box && !offered) return;
  event.preventDefault();
  if (!box) run(actions[name]);
}

function choose(event) {
  event.preventDefault();
  const given = event.target.elements;
  const next = new URLSearchParams(place.dataset.run ? { run: place.dataset.run } : {});
  const terms = given.terms.value.split(/[,，]/).map((term) => term.trim()).filter(Boolean);
  terms.forEach((term) => next.append("term", term));
  if (!terms.length && given.top.value) next.set("top", given.top.value);
  if (given.combinations.checked) next.set("combinations", "yes");
  putOff([]);
  location.search = `?${next}`;
}
