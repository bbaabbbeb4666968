// The competency questions of a topic: which hold, and why the others do not.
import { table } from "./class_card.js";
import { element, get, texts } from "./page.js";

export async function start() {
  const place = document.getElementById("questions");
  const { questions } = await get(`/api/ontologies/${encodeURIComponent(place.dataset.topic)}/questions`);
  if (!questions.length) return place.replaceChildren(element("p", {}, texts.questions_none.replace("{}", place.dataset.topic)));
  const held = questions.filter((one) => one.holds).length;
  const chinese = document.documentElement.lang === "zh";
  const rows = questions.map((one) => [
    one.id, chinese ? one.zh || one.en : one.en || one.zh, one.rows,
    element("span", { class: one.holds ? "passed" : "failed" }, one.holds ? texts.questions_yes : texts.questions_no),
    one.reasons.join("; "),
    element("details", {}, element("summary", {}, one.language), element("pre", {}, one.query)),
  ]);
  const heads = ["", texts.questions_question, texts.questions_rows, texts.questions_holds, texts.questions_why, texts.questions_query];
  place.replaceChildren(element("p", {}, `${held} / ${questions.length} ${texts.questions_hold}`), table(heads, rows));
}
