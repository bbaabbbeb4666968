"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const svg = document.querySelector("#stage > svg");
  const stage = document.getElementById("stage");
  const panel = document.getElementById("panel");
  const search = document.getElementById("search");
  const hits = document.getElementById("hits");
  const local = document.getElementById("local");
  const lattice = data.kind === "lattice";
  const words = {
    intent: ["内涵", "Intent"], extent: ["外延", "Extent"], terms: ["个词", "terms"], documents: ["篇文献", "documents"],
    objects: ["个对象", "objects"],
    upper: ["上邻概念", "Upper neighbours"], lower: ["下邻概念", "Lower neighbours"], all: ["（全部）", "(all)"],
    more: ["还有", "and more:"], parents: ["上位类", "Superclasses"], children: ["下位类", "Subclasses"],
    part_of: ["整体", "Part of"], parts: ["部分", "Parts"], causes: ["可能导致", "May cause"], caused: ["可能起因", "May be caused by"],
    measured: ["测量方式", "Measured by"], measures: ["用于测量", "Measures"],
    equivalent_to: ["等价类", "Equivalent classes"], names: ["其他名称", "Other names"], definition: ["定义", "Definition"],
    share: ["置信度：下位词的文献中含有上位词的比例，并非该关系正确的概率",
      "confidence: share of the narrower term's documents that contain the broader term; no probability of being right"],
    support: ["支持度", "support"], confidence: ["置信度", "confidence"], none: ["没有结果", "nothing found"],
    absent: ["不在图中", "not in the picture"], empty: ["（空）", "(empty)"],
    help: lattice
      ? ["点击一个概念，查看它的外延与内涵，下方打开它的上下邻概念，包括不在图中的；搜索可到达任何词与文献。滚轮缩放，拖动平移，按 / 搜索，Esc 取消选择。实心点引入新词，圆越大，外延越大。",
        "Click a concept for its extent and intent; its neighbours open below, also those that are not in the picture. The search reaches every term and document. Wheel zooms, dragging pans, / searches, Esc clears. A filled point introduces a term; a larger one has a larger extent."]
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

  // ---- concepts of a lattice: those in the picture have its numbers, the others are named by their attributes
  const kernel = lattice ? formalContext(data.rows, data.attributes.length) : null;
  const drawn = new Map(lattice ? data.points.map((intent, i) => [intent.join("."), String(i)]) : []);
  const idOf = (c) => drawn.get(c.attributes.join(".")) ?? `m${c.attributes.join(".")}`;
  const conceptOf = (id) => {
    if (data.points[Number(id)]) return kernel.ofAttributes(data.points[Number(id)]);
    const named = data.attributes.indexOf(id), object = /^g(\d+)$/.exec(id), numbers = /^m[\d.]*$/.test(id);
    if (named >= 0) return kernel.ofAttributes([named]);
    if (object && data.rows[Number(object[1])]) return kernel.ofObject(Number(object[1]));
    const attributes = numbers ? id.slice(1).split(".").filter(Boolean).map(Number) : [-1];
    return attributes.every((m) => m >= 0 && m < data.attributes.length) ? kernel.ofAttributes(attributes) : null;
  };
  let opened = { id: null };
  const around = (id) => {
    if (opened.id !== id) { const c = conceptOf(id); opened = { id, upper: kernel.upper(c), lower: kernel.lower(c) }; }
    return opened;
  };

  // ---- the neighbours of a concept as a small line diagram, also of those that are not in the picture
  const most = 36, em = 13, row = 62;
  const shape = (tag, attributes, text) => {
    const element = document.createElementNS(svg.namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const breadth = (text) => Array.from(text).reduce((sum, c) => sum + (c.codePointAt(0) > 0x2e7f ? em : em * 0.62), 0);
  const cut = (text) => {
    const characters = Array.from(text);
    while (breadth(characters.join("")) > em * 11) characters.pop();
    return characters.length < Array.from(text).length ? `${characters.join("")}…` : text;
  };
  const named = (names, more) => cut(names.map((m) => data.attributes[m]).join("，") || say("all")) + (more || "");
  const seated = (concepts, label, width, top) => {
    let x = 14, y = top, line = [];
    const seats = [], lines = [];
    for (const c of concepts.slice(0, most)) {
      const text = label(c), wide = Math.max(28, breadth(text)) + 18;
      if (x + wide > width && line.length) { lines.push([line, x]); line = []; x = 14; y += row; }
      const seat = { c, text, x: x + wide / 2, y };
      line.push(seat); seats.push(seat); x += wide;
    }
    if (line.length) lines.push([line, x]);
    for (const [all, end] of lines) all.forEach((seat) => { seat.x += Math.max(0, (width - end - 14) / 2); });
    return { seats, bottom: seats.length ? y + row : top };
  };
  const openAround = (id) => {
    local.hidden = !lattice || id === null;
    local.replaceChildren();
    if (local.hidden) return;
    const c = conceptOf(id), { upper, lower } = around(id), width = Math.max(360, local.clientWidth || 900);
    const held = new Set(c.attributes);
    const above = seated(upper, (u) => named(u.attributes), width, 30);
    const middle = seated([c], () => intentName(c), width, above.bottom);
    const below = seated(lower, (l) => named(l.attributes.filter((m) => !held.has(m)), ` ${l.support}`), width, middle.bottom);
    const left = Math.max(0, upper.length - most) + Math.max(0, lower.length - most);
    const height = below.bottom - row + 26 + (left ? 20 : 0);
    const picture = shape("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img" });
    const [seat0] = middle.seats;
    for (const s of [...above.seats, ...below.seats]) picture.append(shape("line", { x1: s.x, y1: s.y, x2: seat0.x, y2: seat0.y }));
    for (const s of [...above.seats, seat0, ...below.seats]) {
      const other = idOf(s.c), g = shape("g", { class: points.has(other) ? "n" : "n out", tabindex: 0, role: "link" });
      g.append(shape("title", {}, `${named(s.c.attributes)}\n${s.c.support} ${say(data.unit)}`));
      g.append(shape("circle", { cx: s.x, cy: s.y, r: 6 }));
      g.append(shape("text", { x: s.x, y: s.y - 11 }, s.text));
      g.addEventListener("click", () => choose(other, true));
      g.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(other, true); });
      picture.append(g);
    }
    if (left) picture.append(shape("text", { x: width / 2, y: height - 8 }, `${say("more")} ${left}`));
    local.append(picture);
    local.scrollTop = 0;
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
  const ownNames = (c) => kernel.ownAttributes(c).map((m) => data.attributes[m]);
  const intentName = (c) => {
    const own = ownNames(c), names = own.length ? own : c.attributes.map((m) => data.attributes[m]);
    return (names.slice(0, 4).join("，") || say("all")) + (names.length > 4 ? " …" : "");
  };
  const tellConcept = (id) => {
    const c = conceptOf(id), own = new Set(kernel.ownAttributes(c));
    panel.append(make("h2", intentName(c)));
    panel.append(make("p", `${c.support} ${say(data.unit)} · ${c.attributes.length} ${say("terms")}`, "iri"));
    list(say("intent"), c.attributes.map((m) => make("li", data.attributes[m], own.has(m) ? "own" : "")), "chips");
    const { upper, lower } = around(id);
    const neighbours = (all) => all.map((other) => link(idOf(other), intentName(other), `${other.support}`));
    list(say("upper"), neighbours(upper));
    list(say("lower"), neighbours(lower));
    const extent = kernel.objects(c);
    const documents = extent.slice(0, data.most).map((g) => make("li", titled(data.objects[g]), kernel.isOwnObject(c, g) ? "own" : ""));
    if (extent.length > data.most) documents.push(make("li", `${say("more")} ${extent.length - data.most}`));
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
    if (relation.confidence !== null) li.title = say("share");
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
  const canonical = (id) => {
    if (id === null || !lattice) return id !== null && Object.hasOwn(data.concepts, id) ? id : null;
    const c = conceptOf(id);
    return c && idOf(c);
  };
  const tell = () => {
    panel.replaceChildren();
    if (chosen === null) panel.append(make("p", say("help"), "iri"));
    else if (lattice) tellConcept(chosen);
    else tellClass(chosen);
  };
  // Mark the concepts of the picture that are above one that is not in it.
  const markAbove = (c, move) => {
    const held = new Set(c.attributes), shown = new Set(), inside = (i) => data.points[i].every((m) => held.has(m));
    data.points.forEach((_, i) => { if (inside(i)) shown.add(String(i)); });
    svg.classList.add("chosen");
    shown.forEach((i) => points.get(i).classList.add("on"));
    lines.forEach((line) => { if (shown.has(line.dataset.u) && shown.has(line.dataset.v)) line.classList.add("on"); });
    const nearest = [...shown].sort((a, b) => data.points[b].length - data.points[a].length)[0];
    if (move && nearest !== undefined) centre(nearest);
  };
  const choose = (id, move) => {
    chosen = canonical(id);
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
    if (lattice && chosen !== null && !points.has(chosen)) markAbove(conceptOf(chosen), move);
    tell();
    openAround(chosen);
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
    data.attributes.forEach((name, m) => entries.push([fold(name), name, `m${m}`, ""]));
    data.objects.forEach((name, g) => entries.push([fold(titled(name)), titled(name), `g${g}`, ""]));
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
    for (const [, name, entry, more] of found.slice(0, 40)) {
      const li = make("li"), button = make("button", name), id = canonical(entry);
      button.type = "button";
      if (points.has(id)) points.get(id).classList.add("hit");
      if (more) button.append(make("small", `  ${more}`));
      if (lattice) button.append(make("small", `  ${conceptOf(id).support}${points.has(id) ? "" : ` (${say("absent")})`}`));
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
  const speak = () => { button.textContent = english ? "中文" : "EN"; document.documentElement.lang = english ? "en" : "zh"; tell(); openAround(chosen); };
  button.addEventListener("click", () => { english = !english; speak(); });

  svg.removeAttribute("width");
  svg.removeAttribute("height");
  fit();
  speak();
  let wanted = "";
  try { wanted = decodeURIComponent(location.hash.slice(1)); } catch { wanted = ""; }
  if (wanted) choose(wanted, true);
})();
