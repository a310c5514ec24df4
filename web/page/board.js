// The position as something to play on: the cells of its picture, and a list of moves for what cannot be clicked.

import { button, element, svg } from "./dom.js";
import { moveList, worth } from "./moves.js";
import { drawMark, frameOf } from "./picture.js";
import { leadsTo, resultFor, toneOf, trapsInWords } from "./words.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  constructor(place, play) {
    Object.assign(this, { place, play, names: null, chosen: [] });
    this.list = element("div", { class: "moves", role: "group", "aria-label": "Moves" });
    place.addEventListener("keydown", (event) => this.key(event));
  }

  // `last` is the move that led here, and `before` the answer that it was made in.
  show(game, answer, { hints, last, before }) {
    Object.assign(this, { game, answer, hints, chosen: [] });
    const { picture, text } = answer.look;
    this.clicks = picture?.clicks ?? [];
    const reachable = new Set(this.clicks.map((click) => click.move));
    const plain = picture && answer.moves.every((move) => reachable.has(move.move));
    if (picture) this.lay(picture, game);
    else this.place.replaceChildren(element("pre", { class: "position" }, text));
    if (!picture) this.names = null;
    if (!plain || picture.here !== null || this.clicks.some((click) => click.cells.length > 1)) {
      this.list.replaceChildren(...moveList(game, answer, hints, this.play));
      this.place.append(this.list);
    } else this.list.remove();
    const way = before?.look.picture?.clicks.find((click) => click.move === last);
    this.last = way?.cells.at(-1);
    if (picture) this.update();
  }

  // Make the cells, unless they are there already.
  lay(picture, game) {
    const names = JSON.stringify(picture.cells.map(({ name, x, y }) => [name, x, y]));
    if (this.names === names && this.shown === game) return;
    Object.assign(this, { names, shown: game });
    const frame = frameOf(picture);
    const share = (value, of) => `${(100 * value) / of}%`;
    const kind = picture.lines.length ? "points" : "squares";
    this.grid = element("div", { role: "grid", class: `picture ${kind}`, "aria-label": "Board" });
    this.grid.style.setProperty("--width", frame.width);
    this.grid.style.setProperty("--height", frame.height);
    const box = [frame.left, frame.top, frame.width, frame.height].join(" ");
    this.under = svg("svg", { viewBox: box, class: "under", "aria-hidden": "true" });
    const at = new Map(picture.cells.map((cell) => [cell.name, cell]));
    for (const [one, other] of picture.lines.map((pair) => pair.map((name) => at.get(name)))) {
      this.under.append(svg("line", { x1: one.x, y1: one.y, x2: other.x, y2: other.y }));
    }
    const labels = picture.labels.map(({ text, x, y }) => {
      const label = element("span", { class: "label", "aria-hidden": "true" }, text);
      label.style.left = share(x - frame.left, frame.width);
      label.style.top = share(y - frame.top, frame.height);
      return label;
    });
    this.cells = picture.cells.map(({ name, x, y }) => {
      const cell = button({ class: "cell", "data-cell": name, tabindex: "-1" }, () => this.click(name));
      cell.addEventListener("focus", () => this.rove(cell));
      const holder = element("div", { role: "gridcell", class: "place" }, cell);
      holder.style.left = share(x - 0.5 - frame.left, frame.width);
      holder.style.top = share(y - 0.5 - frame.top, frame.height);
      holder.style.width = share(1, frame.width);
      holder.style.height = share(1, frame.height);
      return { name, x, y, cell, holder };
    });
    const rows = [...new Set(this.cells.map(({ y }) => y))].sort((one, other) => one - other);
    this.grid.append(
      this.under,
      ...labels,
      ...rows.map((row) => {
        const holders = this.cells.filter(({ y }) => y === row).map(({ holder }) => holder);
        return element("div", { role: "row", class: "row" }, ...holders);
      }),
    );
    this.cells[0].cell.tabIndex = 0;
    this.place.replaceChildren(this.grid);
  }

  // The ways to move that go on from what was chosen by the cell `name`.
  ways(name) {
    const begun = [...this.chosen, name];
    return this.clicks.filter(({ cells }) => begun.every((cell, i) => cells[i] === cell));
  }

  update() {
    const { picture } = this.answer.look;
    const moves = new Map(this.answer.moves.map((move, rank) => [move.move, { ...move, rank }]));
    const first = new Map(this.clicks.map((click) => [click.move, click]).reverse());
    const ended = new Set(picture.ended.flat());
    picture.cells.forEach((drawn, i) => {
      const { cell, name } = this.cells[i];
      const ways = this.ways(name);
      // A move is told where it is made, and not in every other place that makes it too.
      const told = ways.filter((way) => first.get(way.move) === way).map((way) => moves.get(way.move));
      const best = told.sort((one, other) => one.rank - other.rank)[0];
      cell.className = "cell";
      const begins = this.clicks.some(({ cells }) => cells[0] === name);
      cell.setAttribute("aria-disabled", String(!ways.length && !begins));
      cell.classList.toggle("marked", drawn.mark !== "");
      cell.classList.toggle("last", name === this.last);
      cell.classList.toggle("here", name === picture.here);
      cell.classList.toggle("chosen", this.chosen.includes(name));
      cell.replaceChildren();
      if (drawn.mark) cell.append(svg("svg", { viewBox: "-.5 -.5 1 1", class: "stone", "aria-hidden": "true" }, drawMark(drawn)));
      const notes = [name, `, ${drawn.mark || "empty"}`];
      if (name === this.last && drawn.mark) notes.push(", the last move");
      if (name === picture.here) notes.push(", where the game is");
      if (this.chosen.includes(name)) notes.push(", chosen");
      if (ended.has(name)) {
        notes.push(", in a completed line");
        const owner = this.game.players[drawn.player];
        cell.classList.add("line", owner ? resultFor(this.game, owner, this.answer.value) : "draw");
      }
      if (best && this.hints) {
        cell.classList.add(toneOf(this.game, this.answer.to_move, best.value));
        cell.classList.toggle("best", told.some((move) => move.optimal));
        // A man keeps its cell to itself; a letter makes room for what its move is worth.
        if (drawn.player === null) cell.append(...worth(this.game, this.answer, best));
        cell.classList.toggle("both", drawn.player === null && !["", "o"].includes(drawn.mark));
      }
      cell.setAttribute("aria-label", notes.join("") + this.described(ways, told, best));
    });
  }

  // What the moves that begin or end in a cell lead to, for those who hear it.
  described(ways, told, best) {
    if (!best) return "";
    const ends = ways.every((way) => way.cells.length === this.chosen.length + 1);
    if (!this.hints) return ends ? "" : `. Begins ${told.length === 1 ? "a move" : `${told.length} moves`}`;
    const words = `${leadsTo(this.game, best)}${best.optimal ? ", best" : ""}${trapsInWords(best)}`;
    if (!ends) return `. Begins ${told.length === 1 ? "a move" : `${told.length} moves, the best`}: ${words}`;
    const named = ways[0].cells.length === 1 && ways[0].cells[0] === best.move ? "" : ` ${best.move}`;
    return `. ${this.answer.to_move} plays${named}: ${words}`;
  }

  click(name) {
    const ways = this.ways(name);
    const done = ways.find(({ cells }) => cells.length === this.chosen.length + 1);
    if (done) {
      this.chosen = [];
      this.play(done.move);
    } else if (ways.length) {
      this.chosen = [...this.chosen, name];
    } else {
      const again = this.chosen.includes(name);
      this.chosen = [];
      if (!again && this.ways(name).length && this.ways(name)[0].cells.length > 1) this.chosen = [name];
    }
    this.update();
  }

  key(event) {
    if (event.altKey || event.metaKey || !this.grid?.contains(event.target)) return;
    const from = this.cells.find(({ cell }) => cell === document.activeElement);
    if (event.key === "Escape" && this.chosen.length) {
      this.chosen = [];
      this.update();
      return;
    }
    const to = from && (STEPS[event.key] && !event.ctrlKey ? this.next(from, STEPS[event.key]) : this.end(from, event));
    if (!to) return;
    event.preventDefault();
    to.cell.focus();
  }

  // The nearest cell in a direction, straight on before aslant; where there is none one stays.
  next(from, [right, down]) {
    let nearest = from;
    let least = Infinity;
    for (const one of this.cells) {
      const ahead = (one.x - from.x) * right + (one.y - from.y) * down;
      const aside = Math.abs((one.x - from.x) * down) + Math.abs((one.y - from.y) * right);
      if (ahead > 0.01 && ahead + 3 * aside < least) [nearest, least] = [one, ahead + 3 * aside];
    }
    return nearest;
  }

  // The ends of the row, with Ctrl those of the board.
  end(from, { key, ctrlKey }) {
    if (key !== "Home" && key !== "End") return null;
    const row = ctrlKey ? this.cells : this.cells.filter(({ y }) => y === from.y);
    return row.at(key === "Home" ? 0 : -1);
  }

  rove(focused) {
    for (const { cell } of this.cells) cell.tabIndex = cell === focused ? 0 : -1;
  }
}
