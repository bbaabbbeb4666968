// Review of proposals: a queue, the evidence of one, and verdicts by keyboard or mouse.
import { brief, element, get, guarded, mayChange, post, say, texts } from "./page.js";

const topic = document.getElementById("topic");
let proposals = [];
let at = 0;
const decided = []; // ids in the order of the verdicts, for undo

export async function start() {
  const given = new URLSearchParams(location.search).get("topic");
  if ([...topic.options].some((option) => option.value === given)) topic.value = given;
  topic.addEventListener("change", guarded(() => { history.replaceState(null, "", `?topic=${encodeURIComponent(topic.value)}`); return load(); }));
  document.addEventListener("keydown", guarded(key));
  await load();
}

async function load() {
  ({ proposals } = await get("/api/proposals", { topic: topic.value }));
  at = 0;
  show();
}

function show() {
  const open = proposals.filter((one) => one.status === "proposed").length;
  document.getElementById("left").textContent = `${open} ${texts.review_left}`;
  document.getElementById("queue").replaceChildren(...proposals.map((one, i) => element("li", {},
    element("a", { href: "#", "aria-current": i === at ? "true" : null, class: one.status,
      onclick: (event) => { event.preventDefault(); at = i; show(); } }, brief(one.term)))));
  document.getElementById("proposal").replaceChildren(...(proposals.length ? card(proposals[at]) : [texts.review_none]));
}

function card(one) {
  const buttons = [["accept", texts.review_accept], ["reject", texts.review_reject]].map(([action, text]) =>
    element("button", { type: "button", disabled: !mayChange, onclick: guarded(() => decide(action)) }, text));
  return [
    element("h2", {}, brief(one.term)),
    element("p", {}, `${one.kind} · ${one.status}`),
    one.under_label ? element("p", {}, `${texts.review_under} ${brief(one.under_label)}`, one.reason ? `: ${one.reason}` : "") : "",
    element("p", { class: "quiet" }, `${one.pages} / ${one.of_pages} ${texts.review_pages}`),
    ...one.sentences.map((sentence) => element("blockquote", {}, sentence.text, element("footer", { class: "quiet" }, brief(sentence.url)))),
    element("p", {}, ...buttons),
  ];
}

async function decide(action) {
  const one = proposals[at];
  if (!one || one.status !== "proposed") return;
  const found = await post(`/api/proposals/${one.id.split("/").map(encodeURIComponent).join("/")}`, { action });
  one.status = found.status;
  decided.push(one.id);
  say(`${brief(one.term)}: ${texts.review_done}`);
  const next = proposals.findIndex((other, i) => i > at && other.status === "proposed");
  at = next < 0 ? at : next;
  show();
}

async function undo() {
  const id = decided.pop();
  if (!id) return;
  await post(`/api/proposals/${id.split("/").map(encodeURIComponent).join("/")}`, { undo: true });
  at = proposals.findIndex((one) => one.id === id);
  proposals[at].status = "proposed";
  say(`${brief(proposals[at].term)}: ${texts.review_undone}`);
  show();
}

async function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  if (event.key === "j") at = Math.min(at + 1, proposals.length - 1);
  else if (event.key === "k") at = Math.max(at - 1, 0);
  else if (event.key === "a" && mayChange) return decide("accept");
  else if (event.key === "r" && mayChange) return decide("reject");
  else if (event.key === "u" && mayChange) return undo();
  else return;
  show();
}
