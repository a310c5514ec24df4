// Making elements, and drawing stones.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function stone(mark) {
  const drawing = mark === "X" ? svg("path", { d: "M22 22L78 78M78 22L22 78" }) : svg("circle", { cx: 50, cy: 50, r: 30 });
  return svg("svg", { viewBox: "0 0 100 100", class: `stone ${mark}`, "aria-hidden": "true" }, drawing);
}
