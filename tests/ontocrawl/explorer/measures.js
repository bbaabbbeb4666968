// What is measured on a page of the explorer (views.py). Each function returns JSON.

/** Texts whose contrast to their ground is below that of WCAG 2, level AA. */
function faint() {
  const parse = (text) => {
    const numbers = text.match(/[\d.]+/g).map(Number);
    return { rgb: numbers.slice(0, 3), alpha: numbers[3] ?? 1 };
  };
  const over = (top, under) => top.rgb.map((value, i) => value * top.alpha + under[i] * (1 - top.alpha));
  const ground = (one) => {
    if (!one) return [255, 255, 255];
    const colour = parse(getComputedStyle(one).backgroundColor);
    return colour.alpha === 1 ? colour.rgb : over(colour, ground(one.parentElement));
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  for (const one of document.querySelectorAll("body, body *")) {
    const texts = [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data);
    const text = texts.join("").trim();
    const style = getComputedStyle(one);
    const picture = one.closest("svg");
    if (!text || !one.getClientRects().length || style.visibility !== "visible") continue;
    if (one.closest(":disabled, script, style, .skip, svg title")) continue;
    const paint = picture ? style.fill : style.color;
    if (!paint.startsWith("rgb")) continue;
    const behind = ground(picture ?? one);
    const [a, b] = [luminance(over(parse(paint), behind)), luminance(behind)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) found.push(`${one.outerHTML.slice(0, 80)}: ${ratio.toFixed(2)}`);
  }
  return found;
}

/** Inputs, buttons and links without a name for who cannot see them. */
function unnamed() {
  const fields = "input, select, textarea";
  const all = document.querySelectorAll(`${fields}, button, a[href], [role=treeitem], img, svg[role=img]`);
  const named = (one) =>
    one.labels?.length || one.ariaLabel || one.getAttribute("aria-labelledby") || one.alt ||
    one.ariaHidden === "true" || one.querySelector("title") || (!one.matches(fields) && one.textContent.trim());
  return [...all].filter((one) => one.getClientRects().length && !named(one)).map((one) => one.outerHTML.slice(0, 120));
}

/** The sum of the layout shifts since the page was opened. */
function shift() {
  const shifts = [];
  const observer = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  const sum = () => shifts.filter((one) => !one.hadRecentInput).reduce((total, one) => total + one.value, 0);
  return new Promise((done) => setTimeout(() => done(sum()), 300));
}

/** Elements that make the page wider than the window. */
function wider() {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const outside = [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > width + 1);
  return outside.slice(0, 5).map((one) => one.outerHTML.slice(0, 80));
}
