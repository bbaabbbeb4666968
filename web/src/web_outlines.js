// Outlines of the largest groups of a map, hosts or communities, drawn under its nodes.
import { grouped, printable } from "./page.js";
import { mixed } from "./web_colours.js";

const LARGEST = 8; // groups that have an outline
const FEWEST = 3; // nodes of such a group
const CORE = 0.9; // share of a group's nodes that the outline is around: those nearest to its middle
const MARGIN = 12; // pixels between the nodes and the line
const LINE = 18; // pixels from one line of names to the next
const LONGEST = 28; // characters of a name

/**
 * Draw the outlines of groups of nodes at each drawing of a map.
 * @param drawing the map, of sigma
 * @param groups a function that returns [name, ids of its nodes] of each group to be outlined
 * @param labels a function that returns the boxes of the labels of this drawing
 * @param colours a function that returns the colours of the page
 */
export function outlines(drawing, groups, labels, colours) {
  const [under, over] = ["outlines", "outlines"].map((name) => Object.assign(document.createElement("canvas"), { className: name }));
  drawing.getContainer().prepend(under);
  drawing.getContainer().append(over); // of the names, which links would cross out
  drawing.on("afterRender", () => {
    const [below, above] = [under, over].map((canvas) => cleared(canvas, drawing.getDimensions()));
    const { sheet, ink, groups: shades } = colours();
    const written = [...labels()];
    groups().forEach(([name, ids], i) => {
      const points = ids.map((id) => drawing.graphToViewport(drawing.getGraph().getNodeAttributes(id)));
      const shade = shades[i % shades.length];
      outline(below, hull(core(points)), { shade, sheet });
      write(above, name, points, { ink, sheet, shade, written });
    });
  });
}

function cleared(canvas, { width, height }) {
  const ratio = window.devicePixelRatio || 1;
  [canvas.width, canvas.height] = [width * ratio, height * ratio];
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  return context;
}

/** Return the largest groups of nodes: [name, ids] each, the largest first; `nameOf(group, nodes of it, all nodes)` names one. */
export function largest(nodes, groupOf, nameOf) {
  const found = grouped(nodes.filter(groupOf), groupOf);
  const chosen = [...found].filter(([, own]) => own.length >= FEWEST).sort((a, b) => b[1].length - a[1].length).slice(0, LARGEST);
  return chosen.map(([group, own]) => [nameOf(group, own, nodes), own.map((node) => node.id)]);
}

function core(points) {
  const middle = { x: median(points.map((p) => p.x)), y: median(points.map((p) => p.y)) };
  const away = (p) => Math.hypot(p.x - middle.x, p.y - middle.y);
  return [...points].sort((a, b) => away(a) - away(b)).slice(0, Math.max(FEWEST, Math.ceil(CORE * points.length)));
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Return the convex hull of points, by Andrew's monotone chain (Information Processing Letters 9, 1979). */
export function hull(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (ordered) => {
    const chain = [];
    for (const p of ordered) {
      while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

const turn = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

function outline(context, corners, { shade, sheet }) {
  context.beginPath();
  for (const { x, y } of corners) context.lineTo(x, y);
  context.closePath();
  context.lineJoin = "round";
  context.globalAlpha = 0.25;
  context.lineWidth = 2 * MARGIN;
  context.strokeStyle = shade;
  context.stroke();
  context.lineWidth = 2 * MARGIN - 3;
  context.strokeStyle = context.fillStyle = mixed(sheet, shade, 0.2);
  context.globalAlpha = 0.7;
  context.stroke();
  context.fill();
  context.globalAlpha = 1;
}

// above the group, or further above where another name or a label is; nowhere where there is no room
function write(context, name, points, { ink, sheet, shade, written }) {
  const text = printable(name, LONGEST);
  const top = points.reduce((a, b) => (b.y < a.y ? b : a));
  context.font = "600 13px sans-serif";
  const width = context.measureText(text).width;
  const boxes = [1, 2, 3].map((row) => ({ x: top.x - width / 2, y: top.y - MARGIN - row * LINE, width, height: LINE }));
  const box = boxes.find((one) => !written.some((other) => overlap(one, other)));
  if (!box) return;
  written.push(box);
  context.fillStyle = shade;
  context.fillRect(box.x - 8, box.y + 5, 5, 9);
  context.lineWidth = 4;
  context.strokeStyle = sheet;
  context.strokeText(text, box.x, box.y + 14);
  context.fillStyle = ink;
  context.fillText(text, box.x, box.y + 14);
}

/** Return whether two boxes of x, y, width and height have a point in common. */
export const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
