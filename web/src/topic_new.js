// A new topic: files with papers are uploaded part by part, and its ontologies are learned from them.
import { addressOf, element, filled, get, guarded, mayChange, post, send, texts } from "./page.js";
import { run } from "./tasks.js";

const PART = 500_000; // bytes of a request; the server takes a megabyte
const form = document.getElementById("new-topic");
const of = (id) => document.getElementById(id);
let uploading = Promise.resolve(); // the files that are on their way

export async function start() {
  form.addEventListener("submit", guarded(learn));
  form.elements.upload.addEventListener("change", () => { uploading = uploading.then(guarded(upload)); });
  await list([]);
}

async function list(chosen) {
  const { files } = await get("/api/papers");
  of("files").replaceChildren(...files.map((file) => element("li", {}, element("label", {},
    element("input", { type: "checkbox", name: "file", value: file.name, checked: chosen.includes(file.name) }), ` ${file.name} `,
    element("span", { class: "quiet" }, `${Math.ceil(file.bytes / 1000)} kB`)),
    " ", element("button", { type: "button", onclick: guarded(() => remove(file.name)) }, texts.learn_remove))));
}

const checked = () => [...form.querySelectorAll("[name=file]:checked")].map((box) => box.value);

async function remove(name) {
  if (!confirm(filled(texts.learn_remove_sure, { name }))) return;
  await post(`/api/papers/${encodeURIComponent(name)}/remove`, {});
  await list(checked());
}

async function upload() {
  const files = [...form.elements.upload.files];
  const chosen = checked();
  for (const file of files) {
    if (file.size > Number(form.dataset.largest)) throw new Error(`${file.name}: ${texts.learn_large}`);
    for (let at = 0; at === 0 || at < file.size; at += PART) {
      of("uploaded").textContent = `${file.name} ${Math.round((100 * at) / Math.max(1, file.size))} %`;
      const query = new URLSearchParams({ offset: at, ...(at + PART >= file.size ? { last: "yes" } : {}) });
      await send(`/api/papers/${encodeURIComponent(file.name)}?${query}`, file.slice(at, at + PART));
    }
    chosen.push(file.name);
  }
  of("uploaded").textContent = `${texts.learn_uploaded}: ${files.length}`;
  form.elements.upload.value = "";
  await list(chosen);
}

async function learn(event) {
  event.preventDefault();
  const fields = form.querySelector("fieldset");
  fields.disabled = true;
  await uploading;
  const [name, zh, en] = ["name", "zh", "en"].map((field) => form.elements[field].value.trim());
  try {
    const found = await run("/api/topics/_new", { name, zh, en, files: checked() }, of("stages"));
    const topic = encodeURIComponent(found.topic);
    of("learned").replaceChildren(
      element("p", {}, element("strong", {}, found.topic), `: ${found.classes} ${texts.ontology_of_classes}`),
      element("p", {}, element("a", { class: "button", href: addressOf(`/topics/${topic}`) }, texts.learn_go_on), " ",
        element("a", { href: addressOf(`/ontologies/${topic}`) }, texts.learn_see)),
      ...found.notes.map((note) => element("p", { class: "quiet" }, note)));
  } finally {
    fields.disabled = !mayChange;
  }
}
