// Rows that are chosen in a table: runs are marked, moved into the bin, brought back, or deleted for good; words left out.
import { post, say, texts } from "./page.js";

/** What a button does with runs -> the end of its address, and what is sent with them. */
const CHANGES = {
  tag: (text) => ["_mark", { tag: words(text) }],
  untag: (text) => ["_mark", { untag: words(text) }],
  note: (text) => ["_mark", { note: text }],
  hide: () => ["_mark", { hidden: true }],
  show: () => ["_mark", { hidden: false }],
  bin: () => ["_bin", {}],
  restore: () => ["_restore", {}],
  delete: () => ["_delete", {}],
};

const words = (text) => text.split(/[\s,，、]+/).filter(Boolean);

/** Words that are left out of crawls, or taken back. */
const WORDS = ["leave_out", "take_back"];

/** Do what a button says with the rows that are chosen; return them if anything was done. */
export async function mark(place, button) {
  const what = button.dataset.mark;
  const chosen = [...place.querySelectorAll("tbody input:checked")].map((box) => box.value);
  const ofWords = WORDS.includes(what);
  if (!chosen.length) return say(ofWords ? texts.words_none : texts.marks_none);
  if (what === "delete" && !confirm(texts.bin_sure)) return;
  const [address, body] = ofWords ? wordsChange(what, chosen) : runsChange(what, chosen, button);
  place.setAttribute("aria-busy", "true");
  button.disabled = true;
  say(texts.marks_works);
  try {
    await post(address, body);
  } finally {
    place.removeAttribute("aria-busy");
    button.disabled = false;
  }
  return chosen;
}

function runsChange(what, runs, button) {
  const [end, change] = CHANGES[what](button.closest(".row").querySelector("input")?.value.trim() ?? "");
  return [`/api/crawls/${end}`, { runs, ...change }];
}

const wordsChange = (what, chosen) =>
  [`/api/topics/${encodeURIComponent(new URLSearchParams(location.search).get("topic"))}/words`, { [what]: chosen }];

/** Save note and tags of one run, by the form on its page. */
export async function markOwn(event, run) {
  event.preventDefault();
  const form = event.target;
  const [before, now] = [form.dataset.tags, form.elements.tags.value].map(words);
  const without = (tags, others) => tags.filter((one) => !others.includes(one));
  const change = { note: form.elements.note.value.trim(), tag: without(now, before), untag: without(before, now) };
  const { runs: [marks] } = await post("/api/crawls/_mark", { runs: [run], ...change });
  form.elements.note.value = marks.note;
  form.elements.tags.value = form.dataset.tags = marks.tags.join(" ");
  say(texts.marks_done);
}
