// The tree of an ontology: it opens by mouse and keyboard, and reads the classes below one when they are shown.
import { element, guarded, label, texts } from "./page.js";

/** Show a tree in a list; `read(parameters)` gets a class with those below it from the server. */
export async function show(tree, read) {
  const root = await read({});
  tree.replaceChildren(node(root, read, root));
  tree.addEventListener("keydown", guarded((event) => keys(event, tree, read)));
}

/** Open the classes above one, given by the IRIs from the root to it, and mark it. */
export async function reveal(tree, read, way) {
  const find = (iri) => [...tree.querySelectorAll("[role=treeitem]")].find((name) => name.dataset.iri === iri);
  for (const iri of way.slice(0, -1)) {
    const name = find(iri);
    if (name?.getAttribute("aria-expanded") === "false") await toggle(name, read);
  }
  for (const name of tree.querySelectorAll("[aria-current]")) name.removeAttribute("aria-current");
  const current = find(way.at(-1));
  current?.setAttribute("aria-current", "true");
  current?.scrollIntoView({ block: "nearest" });
}

/** The address of a class on the page of its ontology. */
export function anchor(iri) {
  return `#${encodeURIComponent(iri)}`;
}

function node(one, read, found = null) {
  const name = element("a", { href: anchor(one.iri), role: "treeitem" }, label(one));
  const item = element("li", { role: "none" }, name);
  if (one.children) {
    name.setAttribute("aria-expanded", found ? "true" : "false");
    const children = element("ul", { role: "group" });
    item.append(children);
    if (found) fill(children, found, read);
    name.addEventListener("dblclick", guarded(() => toggle(name, read)));
    const button = element("button", { type: "button", class: "toggle", tabindex: "-1", "aria-hidden": "true" }, "▸");
    button.addEventListener("click", guarded(() => toggle(name, read)));
    item.prepend(button);
  }
  name.dataset.iri = one.iri;
  return item;
}

/** Add classes to those below one; where the answer is cut, a button reads on. */
function fill(children, found, read) {
  children.append(...found.below.map((child) => node(child, read)));
  if (found.complete) return;
  const shown = children.childElementCount;
  const more = element("button", { type: "button" }, `${shown} / ${found.children}: ${texts.show_more}`);
  const item = element("li", { role: "none" }, more);
  more.addEventListener("click", guarded(async () => {
    const next = await read({ class: found.iri, skip: shown });
    item.remove();
    fill(children, next, read);
  }));
  children.append(item);
}

async function toggle(name, read) {
  const children = name.parentElement.querySelector("ul");
  const opened = name.getAttribute("aria-expanded") === "true";
  if (name.ariaBusy === "true") return; // its classes are on their way
  if (!opened && !children.childElementCount) {
    name.ariaBusy = "true";
    try {
      fill(children, await read({ class: name.dataset.iri }), read);
    } finally {
      name.ariaBusy = null;
    }
  }
  name.setAttribute("aria-expanded", String(!opened));
}

async function keys(event, tree, read) {
  const name = event.target.closest("[role=treeitem]");
  if (!name) return;
  const opened = name.getAttribute("aria-expanded");
  if ((event.key === "ArrowRight" && opened === "false") || (event.key === "ArrowLeft" && opened === "true")) {
    event.preventDefault();
    await toggle(name, read);
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const shown = [...tree.querySelectorAll("[role=treeitem]")].filter((one) => one.offsetParent);
    shown[shown.indexOf(name) + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  }
}
