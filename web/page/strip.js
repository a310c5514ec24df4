// The value of the game, ply by ply, as a line between one side's win and the other's.

import { svg } from "./dom.js";
import { outcome } from "./words.js";

const STEP = 26;
const LETTER = 6.5;
const LEVELS = { top: 16, middle: 48, bottom: 80 };

export function drawStrip(place, game, answers, at) {
  const most = Math.max(1, ...answers.map((answer) => Math.abs(answer.value)));
  const [first, second] = game.players;
  const labels = game.payoffs
    ? { top: `${most} to ${first}`, middle: "0", bottom: `${-most} to ${first}` }
    : { top: `${first} wins`, middle: "draw", bottom: `${second} wins` };
  const left = 16 + LETTER * Math.max(...Object.values(labels).map((label) => label.length));
  const width = left + STEP * Math.max(9, answers.length) + 6;
  const x = (ply) => left + STEP * (ply + 0.5);
  const y = (value) => LEVELS.middle - (value / most) * (LEVELS.middle - LEVELS.top);
  const words = answers.map((answer, i) => `${i ? `move ${i}` : "start"} ${outcome(game, answer.value, 0)}`);
  const drawing = svg("svg", {
    viewBox: `0 0 ${width} 104`,
    role: "img",
    class: "strip",
    "aria-label": `Value ply by ply: ${words.join(", ")}`,
  });
  for (const [level, label] of Object.entries(labels)) {
    drawing.append(
      svg("line", { x1: left, x2: width - 4, y1: LEVELS[level], y2: LEVELS[level], class: "level" }),
      svg("text", { x: left - 8, y: LEVELS[level] + 4, class: "axis" }, label),
    );
  }
  const path = (part, start) => part.map(({ value }, i) => `${i ? "L" : "M"}${x(start + i)} ${y(value)}`).join("");
  drawing.append(
    svg("path", { d: path(answers.slice(0, at + 1), 0), class: "past" }),
    svg("path", { d: path(answers.slice(at), at), class: "future" }),
  );
  answers.forEach((answer, ply) => {
    const side = answer.value > 0 ? "first" : answer.value < 0 ? "second" : "even";
    const when = ply === at ? "now" : ply > at ? "later" : "";
    drawing.append(
      svg("circle", { cx: x(ply), cy: y(answer.value), r: ply === at ? 7 : 5, class: `point ${side} ${when}` }),
      svg("text", { x: x(ply), y: 101, class: `ply ${when}` }, String(ply)),
    );
  });
  place.replaceChildren(drawing);
}
