// A solution inside the page: of a board game its tablebase, of any other a table with a row for each position.

import { arrange, byName, inflate, numberReader, withTraps } from "./inside.js";
import { Refusal } from "./refusal.js";
import { boardTable } from "./tablebase.js";

export async function openTable(script) {
  const head = JSON.parse(script.dataset.game);
  const bytes = Uint8Array.from(atob(script.textContent.trim()), (character) => character.charCodeAt(0));
  const table = script.dataset.kind === "board" ? await boardTable(head, bytes) : await rowTable(head, bytes);
  return {
    games: async () => [head],
    answer: async (_game, position) => table.answer(position),
    position: async (_game, position) => {
      const answer = withTraps(table.answer(position), table.answer);
      return { ...answer, look: table.look(answer) };
    },
  };
}

// A head in JSON, columns of whole numbers and the positions' texts; see web/single.py, which writes them.
async function rowTable(game, packed) {
  const bytes = await inflate(packed, "deflate");
  const text = new TextDecoder();
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const { rows, names, endless, frame, ...looks } = JSON.parse(text.decode(bytes.subarray(4, 4 + length)));
  const { next, place } = numberReader(bytes, 4 + length);
  const signed = () => {
    const number = next();
    return number % 2 ? -(number + 1) / 2 : number / 2;
  };
  const column = (size) => Int32Array.from({ length: size }, signed);
  const [plies_, turns, values, ends, counts] = [0, 1, 2, 3, 4].map(() => column(rows));
  const starts = new Int32Array(rows + 1);
  counts.forEach((count, row) => (starts[row + 1] = starts[row] + count));
  const [moves_, after] = [column(starts[rows]), column(starts[rows])];
  const positions = text.decode(bytes.subarray(place())).split("\n");
  const found = new Map(positions.map((position, row) => [position, row]));
  const last = new Map();
  for (let row = 0; row < rows; row++) {
    let before = -1;
    for (let i = starts[row]; i < starts[row + 1]; i++) {
      before = moves_[i] += before + 1;
      after[i] += last.get(before) ?? 0;
      last.set(before, after[i]);
    }
  }

  const entry = (row) => ({ value: values[row], plies: ends[row] < 0 ? null : ends[row] });

  function answer(position) {
    const row = found.get(position.trim());
    if (row === undefined) throw new Refusal(`There is no position ${position} in ${game.game}.`);
    const own = entry(row);
    const possible = [];
    for (let i = starts[row]; i < starts[row + 1]; i++) {
      possible.push({ move: names[moves_[i]], position: positions[after[i]], ...entry(after[i]) });
    }
    const moves = arrange(possible, own, turns[row] === 0, endless);
    const to_move = game.players[turns[row]] ?? null;
    const facts = { ply: plies_[row], to_move, terminal: !moves.length, ...own, best_move: moves[0]?.move ?? null, moves };
    return { game: game.game, position: positions[row], ...facts };
  }

  // All pictures have the cells of one frame; what lies on them is told, or is what the position's text says.
  function look({ position, moves }) {
    const row = found.get(position);
    if (!frame) return { text: looks.text[row], picture: null };
    const letters = position.split(":")[0].replaceAll("/", "");
    const marks = looks.marks?.[row].split(frame.between) ?? [...letters].map((letter) => (letter === "." ? "" : letter));
    const cells = frame.cells.map((cell, i) => {
      const mark = frame.fixed[i] ?? marks[i];
      return { ...cell, mark, player: frame.players[mark] ?? null };
    });
    const { ended = [], here = null, clicks = [] } = looks.more?.[row] || {};
    const ways = clicks.length ? clicks.map(([move, ...on]) => ({ move, cells: on })) : byName(cells, moves);
    return { text: position, picture: { ...frame.rest, cells, ended, here, clicks: ways } };
  }

  return { answer, look };
}
