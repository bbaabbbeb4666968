"use strict";
(() => {
  const body = document.body;
  const search = document.getElementById("search");
  const none = document.getElementById("none");
  const sections = Array.from(document.querySelectorAll("section.class"));
  const rows = new Map();
  document.querySelectorAll("nav li[data-c]").forEach((li) => rows.set(li.dataset.c, li));

  // ---- language: zh, en, or both
  const buttons = Array.from(document.querySelectorAll("button[data-language]"));
  const speak = (language) => {
    body.classList.remove("zh", "en", "both");
    body.classList.add(language);
    document.documentElement.lang = language === "en" ? "en" : "zh";
    buttons.forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.language === language)));
  };
  buttons.forEach((b) => b.addEventListener("click", () => speak(b.dataset.language)));
  speak(document.querySelector("header").className || "both");

  // ---- search: entries and branches without a hit are hidden
  const fold = (text) => text.normalize("NFKC").toLowerCase();
  const names = new Map(sections.map((s) => [s, fold(s.dataset.names)]));
  const opened = new Map();
  document.querySelectorAll("nav details").forEach((d) => opened.set(d, d.open));
  const find = () => {
    const wanted = fold(search.value.trim());
    const found = new Set();
    for (const section of sections) {
      const hit = !wanted || names.get(section).includes(wanted);
      section.hidden = !hit;
      if (hit) found.add(section.id);
    }
    none.hidden = found.size > 0;
    rows.forEach((li) => { li.hidden = Boolean(wanted); });
    opened.forEach((open, details) => { details.open = open; });
    if (!wanted) return;
    found.forEach((id) => {
      for (let li = rows.get(id); li; li = li.parentElement.closest("li[data-c]")) {
        li.hidden = false;
        const above = li.parentElement.closest("details");
        if (above) above.open = true;
      }
    });
  };
  search.addEventListener("input", find);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { search.value = ""; find(); search.blur(); }
    if (event.target.tagName === "INPUT") {
      if (event.key === "Enter") { const first = sections.find((s) => !s.hidden); if (first) location.hash = first.id; }
      return;
    }
    if (event.key === "/") { event.preventDefault(); search.focus(); search.select(); }
  });

  // ---- the tree follows the entry that is looked at
  const here = () => {
    document.querySelectorAll("nav a.here").forEach((a) => a.classList.remove("here"));
    let id = "";
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const li = rows.get(id);
    if (!li) return;
    const section = document.getElementById(id);
    if (section && section.hidden) { search.value = ""; find(); section.scrollIntoView(); }
    for (let d = li.parentElement.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
    const link = li.querySelector("a");
    link.classList.add("here");
    link.scrollIntoView({ block: "nearest" });
  };
  window.addEventListener("hashchange", here);
  here();
  window.addEventListener("beforeprint", () => document.querySelectorAll("nav details").forEach((d) => { d.open = true; }));
})();
