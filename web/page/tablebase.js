// The .ztb file of a board game, read in the page; docs/tablebase-format.md says it to the byte.

import { arrange, byName, inflate, numberReader } from "./inside.js";
import { Refusal } from "./refusal.js";

const FOOT = 32 + 4 + 16;

export async function boardTable(game, file) {
  const { width, height, lines } = game.board;
  const cells = width * height;
  const falls = game.kind === "board with gravity";
  const names = Array.from({ length: cells }, (_, cell) => String.fromCharCode(97 + (cell % width)) + (1 + Math.floor(cell / width)));
  const symmetries = symmetriesOf(width, height, falls);
  const choose = pascal(cells);
  const blocks = await readBlocks(file, choose);

  // The byte of a position, null where no game reaches it.
  function codeOf(marks) {
    let least = Infinity;
    let symmetry;
    for (const one of symmetries) {
      const occupancy = marks.reduce((sum, mark, cell) => (mark === "." ? sum : sum + 2 ** one[cell]), 0);
      if (occupancy < least) [least, symmetry] = [occupancy, one];
    }
    const block = blocks.get(least);
    if (!block) return null;
    const moved = [];
    marks.forEach((mark, cell) => (moved[symmetry[cell]] = mark));
    let place = 0;
    let stones = 0;
    let ofMin = 0;
    for (const mark of moved) {
      if (mark === ".") continue;
      if (mark === "O") place += choose[stones][++ofMin] ?? 0;
      stones += 1;
    }
    const byte = block[place];
    return byte === 128 ? null : byte > 128 ? byte - 256 : byte;
  }

  // Value, plies and stones of a position.
  function entry(marks) {
    const [x, o] = ["X", "O"].map((side) => marks.filter((mark) => mark === side).length);
    if (marks.length !== cells || x - o < 0 || x - o > 1) return null;
    const code = codeOf(marks);
    if (code === null) return null;
    const plies = code ? cells + 1 - Math.abs(code) - x - o : cells - x - o;
    return { value: Math.sign(code), plies, ply: x + o };
  }

  const written = (marks) => Array.from({ length: height }, (_, row) => marks.slice(row * width, (row + 1) * width).join("")).join("/");

  function answer(position) {
    const marks = [...position.trim().replaceAll("/", "").replace(/[_-]/g, ".").toUpperCase()];
    const own = marks.every((mark) => "XO.".includes(mark)) ? entry(marks) : null;
    if (!own) throw new Refusal(`There is no position ${position} in ${game.game}.`);
    const side = own.ply % 2;
    const to_move = own.plies ? game.players[side] : null;
    const possible = landing(marks, own.plies).map((cell) => {
      const after = [...marks];
      after[cell] = "XO"[side];
      const { value, plies } = entry(after);
      return { move: names[cell], position: written(after), value, plies };
    });
    const moves = arrange(possible, own, side === 0);
    const best_move = moves[0]?.move ?? null;
    const facts = { ply: own.ply, to_move, terminal: !own.plies, value: own.value, plies: own.plies, best_move, moves };
    return { game: game.game, position: written(marks), ...facts };
  }

  // The cells that can be moved to, in the game's own order: with gravity a column has one, its lowest.
  function landing(marks, plies) {
    if (!plies) return [];
    const empty = [...marks.keys()].filter((cell) => marks[cell] === ".");
    if (!falls) return empty;
    return empty.filter((cell) => !empty.includes(cell + width)).sort((one, other) => (one % width) - (other % width));
  }

  function look({ position, terminal, moves }) {
    const marks = [...position.replaceAll("/", "")];
    const owners = { X: 0, O: 1 };
    const drawn = names.map((name, cell) => {
      const mark = marks[cell] === "." ? "" : marks[cell];
      return { name, x: cell % width, y: Math.floor(cell / width), mark, player: owners[mark] ?? null };
    });
    const at = new Map(drawn.map((cell) => [cell.name, cell.mark]));
    const done = (line) => at.get(line[0]) && line.every((name) => at.get(name) === at.get(line[0]));
    const columns = Array.from({ length: width }, (_, x) => ({ text: names[x][0], x, y: -0.68 }));
    const numbers = Array.from({ length: height }, (_, y) => ({ text: String(y + 1), x: -0.68, y }));
    const column = (move) => names.filter((name) => name[0] === move[0]).sort((name) => (name === move ? -1 : 1));
    const dropped = moves.flatMap(({ move }) => column(move).map((name) => ({ move, cells: [name] })));
    const picture = { cells: drawn, lines: [], labels: [...columns, ...numbers], here: null };
    const ended = terminal ? lines.filter(done) : [];
    return { text: position, picture: { ...picture, ended, clicks: falls ? dropped : byName(drawn, moves) } };
  }

  return { answer, look };
}

// Each block of bytes by its occupancy.
async function readBlocks(file, choose) {
  const view = new DataView(file.buffer);
  const length = view.getUint32(file.length - 20, true);
  const start = file.length - FOOT - length;
  const head = JSON.parse(new TextDecoder().decode(await inflate(file.subarray(start, start + length), "deflate-raw")));
  const blocks = new Map();
  let offset = 8;
  for (const size of head.chunks[1]) {
    const data = await inflate(file.subarray(offset, offset + size), "deflate-raw");
    offset += size;
    const { next, place } = numberReader(data);
    const count = next();
    let occupancy = 0;
    const occupancies = Array.from({ length: count }, () => (occupancy += next()));
    let at = place();
    for (const taken of occupancies) {
      const stones = taken.toString(2).replaceAll("0", "").length;
      const bytes = choose[stones][Math.floor(stones / 2)];
      blocks.set(taken, data.subarray(at, at + bytes));
      at += bytes;
    }
  }
  return blocks;
}

// Where each cell goes under each turn and reflection that the rules allow.
function symmetriesOf(width, height, falls) {
  const maps = [];
  for (const [transposed, rows, columns] of [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [n & 4, n & 2, n & 1])) {
    if ((transposed && width !== height) || (falls && (transposed || rows))) continue;
    const map = [];
    for (let cell = 0; cell < width * height; cell++) {
      let [x, y] = [cell % width, Math.floor(cell / width)];
      if (transposed) [x, y] = [y, x];
      map.push((rows ? height - 1 - y : y) * width + (columns ? width - 1 - x : x));
    }
    maps.push(map);
  }
  return maps;
}

// How many ways there are to choose k of n things.
function pascal(most) {
  const rows = [[1]];
  for (let n = 1; n <= most; n++) rows.push(Array.from({ length: n + 1 }, (_, k) => (rows[n - 1][k - 1] ?? 0) + (rows[n - 1][k] ?? 0)));
  return rows;
}
