// The position as something to play on: a grid of cells, or a list of moves where the game has no board.

import { element, stone } from "./dom.js";
import { SYMBOLS, outcome, resultFor } from "./words.js";

export function makeBoard(place, game, play) {
  const view = game.board ? grid(game, play) : list(game, play);
  place.replaceChildren(view.root);
  return view.show;
}

function grid(game, play) {
  const { width, height, lines } = game.board;
  const root = element("div", { role: "grid", class: "grid", "aria-label": "Board" });
  root.style.setProperty("--width", width);
  root.style.setProperty("--height", height);
  const letter = (column) => String.fromCharCode(97 + column);
  const head = element("div", { class: "row", "aria-hidden": "true" }, element("span"));
  for (let column = 0; column < width; column++) head.append(element("span", { class: "label" }, letter(column)));
  root.append(head);
  const cells = [];
  for (let row = 0; row < height; row++) {
    const line = element("div", { role: "row", class: "row" });
    line.append(element("span", { class: "label", "aria-hidden": "true" }, String(row + 1)));
    for (let column = 0; column < width; column++) {
      const name = `${letter(column)}${row + 1}`;
      const button = element("button", { type: "button", class: "cell", "data-cell": name, tabindex: "-1" });
      button.addEventListener("click", () => play(name));
      button.addEventListener("focus", () => rove(cells, button));
      cells.push({ name, button });
      line.append(element("div", { role: "gridcell", class: "place" }, button));
    }
    root.append(line);
  }
  cells[0].button.tabIndex = 0;

  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  root.addEventListener("keydown", (event) => {
    const at = cells.findIndex(({ button }) => button === document.activeElement);
    const step = steps[event.key];
    if (at < 0 || !step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const column = Math.min(width - 1, Math.max(0, (at % width) + step[0]));
    const row = Math.min(height - 1, Math.max(0, Math.floor(at / width) + step[1]));
    cells[row * width + column].button.focus();
  });

  function show(answer, last, hints) {
    const stones = answer.position.replaceAll("/", "");
    const moves = new Map(answer.moves.map((move) => [move.move, move]));
    const markAt = new Map(cells.map(({ name }, i) => [name, stones[i]]));
    const completed = answer.terminal ? lines.filter((line) => sameStone(line.map((name) => markAt.get(name)))) : [];
    const won = new Set(completed.flat());
    for (const { name, button } of cells) {
      const mark = markAt.get(name);
      const move = moves.get(name);
      button.className = "cell";
      button.setAttribute("aria-disabled", String(!move));
      if (mark !== ".") {
        button.replaceChildren(stone(mark));
        button.classList.toggle("last", name === last);
        button.classList.toggle("line", won.has(name));
        const notes = [name === last ? ", the last move" : "", won.has(name) ? ", in a completed line" : ""];
        button.setAttribute("aria-label", `${name}, ${mark}${notes.join("")}`);
      } else if (move) {
        showMove(button, game, answer, move, hints, `${name}, empty`);
      } else {
        button.replaceChildren();
        button.setAttribute("aria-label", `${name}, empty`);
      }
    }
  }
  return { root, show };
}

function list(game, play) {
  const position = element("pre", { class: "position" });
  const moves = element("div", { class: "moves", role: "group", "aria-label": "Moves" });
  const root = element("div", { class: "list" }, position, moves);
  moves.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const at = [...moves.children].indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    moves.children[(at + step + moves.children.length) % moves.children.length].focus();
  });

  function show(answer, _last, hints) {
    position.textContent = answer.position;
    const ordered = hints ? answer.moves : [...answer.moves].sort((one, other) => (one.move < other.move ? -1 : 1));
    moves.replaceChildren(
      ...ordered.map((move) => {
        const button = element("button", { type: "button", class: "cell", "data-cell": move.move });
        button.addEventListener("click", () => play(move.move));
        showMove(button, game, answer, move, hints, move.move);
        button.prepend(element("span", { class: "name" }, move.move));
        return button;
      }),
    );
  }
  return { root, show };
}

function showMove(button, game, answer, move, hints, called) {
  if (!hints) {
    button.replaceChildren();
    button.setAttribute("aria-label", called);
    return;
  }
  const result = resultFor(game, answer.to_move, move.value);
  const known = Math.abs(move.value) <= 1;
  const when = move.plies ? `in ${move.plies}` : "at once";
  button.classList.add(result);
  button.classList.toggle("best", move.optimal);
  button.replaceChildren(
    element("span", { class: "symbol" }, SYMBOLS[result]),
    element("span", { class: "word" }, known ? result : `${move.value > 0 ? "+" : ""}${move.value}`),
    element("span", { class: "when" }, when),
  );
  const leadsTo = outcome(game, move.value, move.plies) + (move.plies ? "" : " at once");
  button.setAttribute("aria-label", `${called}. ${answer.to_move} plays: ${leadsTo}${move.optimal ? ", best" : ""}`);
}

function sameStone(marks) {
  return marks[0] !== "." && marks.every((mark) => mark === marks[0]);
}

function rove(cells, focused) {
  for (const { button } of cells) button.tabIndex = button === focused ? 0 : -1;
}
