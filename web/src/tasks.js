// Long tasks of the server: start one, show its stages until it is done.
import { element, get, post } from "./page.js";

const PAUSE = 400; // milliseconds between two questions how far a task is

/** Start a task by a POST request, show its stages in a list, and return its result. */
export async function run(address, body, stages) {
  let task = await post(address, body);
  for (;;) {
    const shown = task.stages.map((stage, i) =>
      element("li", { class: task.done || i < task.stages.length - 1 ? "done" : "now" }, stage));
    stages.replaceChildren(...shown);
    if (task.done) break;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    task = await get(`/api/tasks/${task.id}`);
  }
  if (task.error) throw new Error(task.error);
  return task.result;
}
