"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const svg = document.querySelector("#stage > svg");
  const stage = document.getElementById("stage");
  const panel = document.getElementById("panel");
  const search = document.getElementById("search");
  const hits = document.getElementById("hits");
  const lattice = data.kind === "lattice";
  const words = {
    intent: ["内涵", "Intent"], extent: ["外延", "Extent"], terms: ["个词", "terms"], documents: ["篇文献", "documents"],
    upper: ["上邻概念", "Upper neighbours"], lower: ["下邻概念", "Lower neighbours"], all: ["（全部文献）", "(all documents)"],
    more: ["还有", "and more:"], parents: ["上位类", "Superclasses"], children: ["下位类", "Subclasses"],
    part_of: ["整体", "Part of"], parts: ["部分", "Parts"], causes: ["可能导致", "May cause"], caused: ["可能起因", "May be caused by"],
    measured: ["测量方式", "Measured by"], measures: ["用于测量", "Measures"],
    equivalent_to: ["等价类", "Equivalent classes"], names: ["其他名称", "Other names"], definition: ["定义", "Definition"],
    support: ["支持度", "support"], confidence: ["置信度", "confidence"], none: ["没有结果", "nothing found"],
    absent: ["不在图中", "not in the picture"], empty: ["（空）", "(empty)"],
    help: lattice
      ? ["点击一个概念，查看它的外延与内涵；滚轮缩放，拖动平移，按 / 搜索，Esc 取消选择。实心点引入新词，圆越大，文献越多。",
        "Click a concept for its extent and intent. Wheel zooms, dragging pans, / searches, Esc clears. A filled point introduces a term; a larger one has more documents."]
      : ["点击一个类，查看名称、定义、上下位类与证据；滚轮缩放，拖动平移，按 / 搜索，Esc 取消选择。虚线为其他上位类，点线为部分关系。",
        "Click a class for its names, definition, relatives and evidence. Wheel zooms, dragging pans, / searches, Esc clears. Dashed lines lead to further superclasses, dotted ones to wholes."],
  };
  let english = data.language === "en";
  let chosen = null;
  const say = (key) => words[key][english ? 1 : 0];
  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };

  // ---- points and lines of the picture
  const points = new Map();
  svg.querySelectorAll("g.c").forEach((g) => points.set(g.dataset.i, g));
  const lines = Array.from(svg.querySelectorAll("path.e"));
  const above = new Map(), below = new Map();
  for (const line of lines) {
    const { u, v } = line.dataset;
    if (!below.has(u)) below.set(u, []);
    if (!above.has(v)) above.set(v, []);
    below.get(u).push([v, line]);
    above.get(v).push([u, line]);
  }
  const reach = (start, next, nodes, edges) => {
    const stack = [start], seen = new Set([start]);
    while (stack.length) {
      for (const [other, line] of next.get(stack.pop()) || []) {
        edges.add(line);
        if (!seen.has(other)) { seen.add(other); nodes.add(other); stack.push(other); }
      }
    }
  };

  // ---- zoom and pan: the viewBox is what is seen
  const whole = svg.viewBox.baseVal;
  const size = { width: whole.width, height: whole.height };
  let view = { x: 0, y: 0, w: size.width, h: size.height };
  const show = () => svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
  const fit = () => { view = { x: 0, y: 0, w: size.width, h: size.height }; show(); };
  const scale = () => Math.max(view.w / stage.clientWidth, view.h / stage.clientHeight);
  const spot = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return { x: at.x, y: at.y };
  };
  const zoom = (factor, at) => {
    const w = Math.min(size.width * 4, Math.max(60, view.w * factor)), f = w / view.w;
    const p = at || { x: view.x + view.w / 2, y: view.y + view.h / 2 };
    view = { x: p.x - (p.x - view.x) * f, y: p.y - (p.y - view.y) * f, w, h: view.h * f };
    show();
  };
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(Math.sign(event.deltaY) * Math.min(0.4, Math.abs(event.deltaY) / 300)), spot(event));
  }, { passive: false });
  const fingers = new Map();
  let moved = 0;
  stage.addEventListener("pointerdown", (event) => { fingers.set(event.pointerId, event); moved = 0; });
  window.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    if (fingers.size === 2) {
      const other = [...fingers.values()].find((f) => f.pointerId !== event.pointerId);
      const distance = (a) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY);
      if (distance(event) > 5) zoom(distance(before) / distance(event), spot(event));
    } else {
      const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY;
      moved += Math.abs(dx) + Math.abs(dy);
      if (moved > 4) {
        stage.classList.add("drag");
        view.x -= dx * scale(); view.y -= dy * scale();
        show();
      }
    }
    fingers.set(event.pointerId, event);
  });
  const up = (event) => { fingers.delete(event.pointerId); stage.classList.remove("drag"); };
  window.addEventListener("pointerup", up);
  window.addEventListener("pointercancel", up);
  const centre = (id) => {
    const g = points.get(id);
    if (!g) return;
    const circle = g.querySelector("circle");
    const x = Number(circle.getAttribute("cx")), y = Number(circle.getAttribute("cy"));
    const far = x < view.x || x > view.x + view.w || y < view.y || y > view.y + view.h;
    if (far || view.w > 1400) {
      const w = Math.min(view.w, 900), h = w * (size.height / size.width);
      view = { x: x - w / 2, y: y - h / 2, w, h };
      show();
    }
  };

  // ---- what is told of a point
  const list = (title, items, name) => {
    panel.append(make("h3", title));
    const ul = make("ul", undefined, name);
    if (!items.length) ul.append(make("li", "—"));
    items.forEach((item) => ul.append(item));
    panel.append(ul);
  };
  const link = (id, text, more) => {
    const li = make("li"), button = make("button", text);
    button.type = "button";
    button.addEventListener("click", () => choose(id, true));
    li.append(button);
    if (!points.has(id)) li.append(make("small", ` (${say("absent")})`));
    if (more) li.append(make("small", ` ${more}`));
    return li;
  };
  const titled = (name) => (data.titles[name] ? `${name}  ${data.titles[name]}` : String(name));
  const intentName = (i) => {
    const c = data.concepts[i];
    const names = (c.ownAttributes.length ? c.ownAttributes : c.intent.map((m) => data.attributes[m]));
    return (names.slice(0, 4).join("，") || say("all")) + (names.length > 4 ? " …" : "");
  };
  const tellConcept = (id) => {
    const c = data.concepts[Number(id)];
    panel.append(make("h2", intentName(Number(id))));
    panel.append(make("p", `${c.support} ${say("documents")} · ${c.intent.length} ${say("terms")}`, "iri"));
    const ownTerms = new Set(c.ownAttributes), ownDocuments = new Set(c.ownObjects);
    list(say("intent"), c.intent.map((m) => make("li", data.attributes[m], ownTerms.has(data.attributes[m]) ? "own" : "")), "chips");
    const neighbours = (all) => all.map((i) => link(String(i), intentName(i), `${data.concepts[i].support}`));
    list(say("upper"), neighbours(c.upper));
    list(say("lower"), neighbours(c.lower));
    const documents = c.extent.map((g) => make("li", titled(data.objects[g]), ownDocuments.has(data.objects[g]) ? "own" : ""));
    if (c.support > c.extent.length) documents.push(make("li", `${say("more")} ${c.support - c.extent.length}`));
    list(say("extent"), documents, "docs");
  };
  const nameOf = (iri) => {
    const c = data.concepts[iri];
    return (english && c.en) || c.label;
  };
  const edge = (relation, other) => {
    const figures = [];
    if (relation.support !== null) figures.push(`${say("support")} ${relation.support}`);
    if (relation.confidence !== null) figures.push(`${say("confidence")} ${relation.confidence.toFixed(2)}`);
    if (relation.evidence) figures.push(relation.evidence);
    const li = link(other, nameOf(other), figures.join(" · "));
    if (relation.sentence) li.append(make("blockquote", relation.sentence));
    if (relation.documents.length) li.append(make("small", relation.documents.map(titled).join("；")));
    return li;
  };
  const tellClass = (iri) => {
    const c = data.concepts[iri];
    panel.append(make("h2", nameOf(iri)));
    const second = english ? c.zh : c.en;
    if (second && second !== nameOf(iri)) panel.append(make("p", second));
    panel.append(make("p", iri, "iri"));
    const definitions = (english ? [c.definitionEn, c.definitionZh] : [c.definitionZh, c.definitionEn]).filter(Boolean);
    if (definitions.length) { panel.append(make("h3", say("definition"))); definitions.forEach((d) => panel.append(make("p", d))); }
    const others = [...c.altZh, ...c.altEn];
    if (others.length) list(say("names"), others.map((name) => make("li", name)), "chips");
    const groups = [["parents", "subclass_of", "source"], ["children", "subclass_of", "target"], ["part_of", "part_of", "source"],
      ["parts", "part_of", "target"], ["causes", "causes", "source"], ["caused", "causes", "target"],
      ["measured", "measured_by", "source"], ["measures", "measured_by", "target"]];
    for (const [title, kind, end] of groups) {
      const found = data.relations.filter((r) => r.kind === kind && r[end] === iri);
      const other = end === "source" ? "target" : "source";
      if (found.length || kind === "subclass_of") list(say(title), found.map((r) => edge(r, r[other])));
    }
    const same = data.relations.filter((r) => r.kind === "equivalent_to" && (r.source === iri || r.target === iri));
    if (same.length) list(say("equivalent_to"), same.map((r) => edge(r, r.source === iri ? r.target : r.source)));
  };
  const known = (id) => (lattice ? data.concepts[Number(id)] !== undefined : Object.hasOwn(data.concepts, id));
  const tell = () => {
    panel.replaceChildren();
    if (chosen === null) panel.append(make("p", say("help"), "iri"));
    else if (lattice) tellConcept(chosen);
    else tellClass(chosen);
  };
  const choose = (id, move) => {
    chosen = id !== null && known(id) ? id : null;
    svg.querySelectorAll(".on, .at").forEach((element) => element.classList.remove("on", "at"));
    svg.classList.toggle("chosen", points.has(chosen));
    if (points.has(chosen)) {
      const nodes = new Set([chosen]), edges = new Set();
      reach(chosen, above, nodes, edges);
      reach(chosen, below, nodes, edges);
      nodes.forEach((n) => points.has(n) && points.get(n).classList.add("on"));
      edges.forEach((line) => line.classList.add("on"));
      points.get(chosen).classList.add("at");
      if (move) centre(chosen);
    }
    tell();
    panel.scrollTop = 0;
    history.replaceState(null, "", chosen === null ? "#" : `#${encodeURIComponent(chosen)}`);
  };
  stage.addEventListener("click", (event) => {
    if (moved > 4) return;
    const g = event.target.closest("g.c");
    choose(g ? g.dataset.i : null, false);
  });

  // ---- search
  const fold = (text) => text.normalize("NFKC").toLowerCase();
  const entries = [];
  if (lattice) {
    data.concepts.forEach((c, i) => {
      c.ownAttributes.forEach((name) => entries.push([fold(name), name, String(i), String(c.support)]));
      c.ownObjects.forEach((name) => entries.push([fold(titled(name)), titled(name), String(i), ""]));
    });
  } else {
    for (const [iri, c] of Object.entries(data.concepts)) {
      entries.push([fold([c.zh, c.en, ...c.altZh, ...c.altEn].join("\n")), c.label, iri, c.en && c.en !== c.label ? c.en : ""]);
    }
  }
  const find = () => {
    const wanted = fold(search.value.trim());
    svg.querySelectorAll(".hit").forEach((g) => g.classList.remove("hit"));
    hits.replaceChildren();
    hits.hidden = !wanted;
    if (!wanted) return;
    const found = entries.filter((e) => e[0].includes(wanted)).sort((a, b) => a[0].length - b[0].length);
    found.forEach((e) => points.has(e[2]) && points.get(e[2]).classList.add("hit"));
    for (const [, name, id, more] of found.slice(0, 40)) {
      const li = make("li"), button = make("button", name);
      button.type = "button";
      if (more) button.append(make("small", `  ${more}`));
      button.addEventListener("click", () => { hits.hidden = true; choose(id, true); });
      li.append(button);
      hits.append(li);
    }
    if (!found.length) hits.append(make("li", say("none")));
  };
  search.addEventListener("input", find);
  search.addEventListener("focus", find);
  search.addEventListener("keydown", (event) => {
    const first = hits.querySelector("button");
    if (event.key === "Enter" && first) first.click();
    if (event.key === "ArrowDown" && first) { event.preventDefault(); first.focus(); }
  });
  document.addEventListener("click", (event) => { if (!event.target.closest("header")) hits.hidden = true; });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { search.value = ""; find(); choose(null, false); search.blur(); }
    if (event.target.tagName === "INPUT") return;
    if (event.key === "/") { event.preventDefault(); search.focus(); search.select(); }
    if (event.key === "+" || event.key === "=") zoom(0.8);
    if (event.key === "-") zoom(1.25);
    if (event.key === "0") fit();
  });
  document.getElementById("in").addEventListener("click", () => zoom(0.7));
  document.getElementById("out").addEventListener("click", () => zoom(1 / 0.7));
  document.getElementById("fit").addEventListener("click", fit);
  const button = document.getElementById("lang");
  const speak = () => { button.textContent = english ? "中文" : "EN"; document.documentElement.lang = english ? "en" : "zh"; tell(); };
  button.addEventListener("click", () => { english = !english; speak(); });

  svg.removeAttribute("width");
  svg.removeAttribute("height");
  fit();
  speak();
  let wanted = "";
  try { wanted = decodeURIComponent(location.hash.slice(1)); } catch { wanted = ""; }
  if (wanted) choose(wanted, true);
})();
