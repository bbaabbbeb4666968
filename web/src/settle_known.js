// What an exploration knows: the answers, the order so far, implications, and the decisions that follow.
import { element, mayChange, texts } from "./page.js";

/** Put values into the places {} or {0}, {1} .. of a text. */
export function fill(text, ...values) {
  let next = 0;
  return text.replace(/\{(\d*)\}/g, (_, number) => values[number === "" ? next++ : Number(number)]);
}

export function drawKnown(now) {
  const name = (label) => now.labels[label] ?? label;
  const given = now.given.map((one) => element("li", {}, one.text, element("span", { class: "quiet" }, ` ${one.who} ${one.when.slice(0, 10)}`)));
  document.getElementById("given").replaceChildren(...(given.length ? given : [element("li", { class: "quiet none" }, texts.settle_none_given)]));
  const rows = now.edges.map(({ term, relation, value }) => element("tr", {}, element("td", {}, name(term)),
    element("td", {}, relation === "equivalent_to" ? "≡" : "<"), element("td", {}, name(value))));
  document.querySelector("#order tbody").replaceChildren(...rows);
  document.getElementById("order").hidden = !rows.length;
  document.getElementById("no-order").hidden = rows.length > 0;
  implications(now, name);
  const { added, withdrawn } = now.decisions;
  document.getElementById("due").textContent = added || withdrawn ? fill(texts.settle_due, added, withdrawn) : now.given.length ? texts.settle_none_due : texts.settle_none_answered;
  document.getElementById("decide").disabled = !mayChange || !(added || withdrawn);
  const ways = now.by_way.map(({ term, value, way }) => fill(texts.settle_by_way, name(term), name(value), name(way)));
  document.getElementById("notes").replaceChildren(...[...now.notes, ...ways].map((text) => element("li", {}, text)));
}

/** Show the implications where some are about several terms: the others are the order. */
function implications(now, name) {
  const joined = now.implications.filter(({ premise }) => premise.length > 1);
  const all = (labels) => labels.map(name).join(" + ");
  const nothing = ({ premise, conclusion }) => premise.length + conclusion.length === now.terms.length;
  const rows = joined.map((one) => element("li", {}, `${all(one.premise)} → ${nothing(one) ? texts.settle_nothing_implied : all(one.conclusion)}`));
  document.getElementById("rules").replaceChildren(...rows);
  document.getElementById("rules-section").hidden = !rows.length;
}
