// A picture's geometry and marks, and the whole of it as a drawing that stands alone.

import { svg } from "./dom.js";

// The rectangle that a picture takes: a cell is one wide and one high around its middle, a label less.
export function frameOf({ cells, labels }) {
  const around = [...cells.map(({ x, y }) => ({ x, y, half: 0.5 })), ...labels.map(({ x, y }) => ({ x, y, half: 0.15 }))];
  const lefts = around.map(({ x, half }) => x - half);
  const rights = around.map(({ x, half }) => x + half);
  const tops = around.map(({ y, half }) => y - half);
  const bottoms = around.map(({ y, half }) => y + half);
  const [left, top] = [Math.min(...lefts), Math.min(...tops)];
  return { left, top, width: Math.max(...rights) - left, height: Math.max(...bottoms) - top };
}

// What lies on a cell, around (0, 0) and one wide: a cross, a ring, a disc, or a text.
export function drawMark({ mark, player }) {
  const whose = ["first", "second"][player] ?? "nobody";
  if (mark === "X") {
    return svg("path", { d: "M-.28 -.28L.28 .28M.28 -.28L-.28 .28", class: `mark stroke ${whose}` });
  }
  if (mark === "O") return svg("circle", { r: 0.3, class: `mark stroke ${whose}` });
  if (mark === "o") return svg("circle", { r: 0.3, class: `mark disc ${whose}` });
  const size = Math.min(0.5, 1.4 / mark.length);
  const word = svg("text", { "font-size": size, y: size * 0.36, class: `mark letters ${whose}` }, mark);
  return player === null ? word : svg("g", {}, svg("circle", { r: 0.42, class: `mark plate ${whose}` }), word);
}

const COLOURS = { first: "#1d4ed8", second: "#b45309", nobody: "#17202c" };

// The picture, or the text where there is none, with its colours written out: it looks the same wherever it is put.
export function standalone({ picture, text }) {
  if (!picture) return textAlone(text.split("\n"));
  const { left, top, width, height } = frameOf(picture);
  const margin = 0.2;
  const at = new Map(picture.cells.map((cell) => [cell.name, cell]));
  const points = picture.lines.length > 0;
  const drawing = paper(left - margin, top - margin, width + 2 * margin, height + 2 * margin, 80);
  for (const [one, other] of picture.lines.map((pair) => pair.map((name) => at.get(name)))) {
    drawing.append(svg("line", { x1: one.x, y1: one.y, x2: other.x, y2: other.y, stroke: "#717c8b", "stroke-width": 0.04 }));
  }
  const ended = new Set(picture.ended.flat());
  for (const cell of picture.cells) {
    const style = {
      fill: ended.has(cell.name) ? "#dcf3e9" : "#fff",
      stroke: cell.name === picture.here ? "#17202c" : "#717c8b",
      "stroke-width": cell.name === picture.here ? 0.07 : 0.03,
    };
    const place = points
      ? svg("circle", { cx: cell.x, cy: cell.y, r: 0.4, ...style })
      : svg("rect", { x: cell.x - 0.47, y: cell.y - 0.47, width: 0.94, height: 0.94, rx: 0.06, ...style });
    const mark = svg("g", { transform: `translate(${cell.x} ${cell.y})` });
    if (cell.mark) mark.append(coloured(drawMark(cell)));
    drawing.append(place, mark);
  }
  for (const { text: label, x, y } of picture.labels) drawing.append(words(label, x, y + 0.08, 0.24, "middle"));
  return drawing;
}

function paper(x, y, width, height, scale) {
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const drawing = svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `${x} ${y} ${width} ${height}`, ...size });
  drawing.append(svg("rect", { x, y, width, height, fill: "#fff" }));
  return drawing;
}

function words(text, x, y, size, anchor) {
  const style = { "font-family": "system-ui, sans-serif", "font-size": size, "text-anchor": anchor, fill: "#566273" };
  return svg("text", { x, y, ...style }, text);
}

function textAlone(lines) {
  const drawing = paper(0, 0, 2 + 0.62 * Math.max(...lines.map((line) => line.length)), 1 + 1.4 * lines.length, 24);
  lines.forEach((line, row) => {
    const written = words(line, 1, 1.4 * (row + 1), 1, "start");
    written.setAttribute("font-family", "ui-monospace, monospace");
    written.setAttribute("xml:space", "preserve");
    drawing.append(written);
  });
  return drawing;
}

function coloured(mark) {
  for (const part of [mark, ...mark.querySelectorAll("*")]) {
    const kinds = part.classList;
    const colour = COLOURS[[...kinds].find((kind) => kind in COLOURS)];
    const style = kinds.contains("stroke")
      ? { fill: "none", stroke: colour, "stroke-width": 0.11, "stroke-linecap": "round" }
      : kinds.contains("plate")
        ? { fill: "none", stroke: colour, "stroke-width": 0.08 }
        : { fill: colour, "font-family": "system-ui, sans-serif", "text-anchor": "middle" };
    if (kinds.length) for (const [name, value] of Object.entries(style)) part.setAttribute(name, value);
    part.removeAttribute("class");
  }
  return mark;
}
