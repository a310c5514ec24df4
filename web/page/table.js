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

// A head in JSON and columns of whole numbers; see web/inside.py, which writes them.
async function rowTable(game, packed) {
  const bytes = await inflate(packed, "deflate");
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const { rows, names, endless, frame, more } = head;
  const { next } = numberReader(bytes, 4 + length);
  const signed = () => {
    const number = next();
    return number % 2 ? -(number + 1) / 2 : number / 2;
  };
  const column = (size) => Int32Array.from({ length: size }, signed);
  const [plies_, turns, values, ends, counts] = [0, 1, 2, 3, 4].map(() => column(rows));
  const starts = new Int32Array(rows + 1);
  counts.forEach((count, row) => (starts[row + 1] = starts[row] + count));
  const moves_ = column(starts[rows]);
  const after = successors(moves_);
  const texts = ({ pieces, width }) => {
    const columns = Array.from({ length: width }, () => column(rows));
    return Array.from({ length: rows }, (_, row) => columns.map((one) => pieces[one[row]]).join(""));
  };
  const positions = texts(head);
  const drawn = head.drawn ? texts(head.drawn) : positions;
  const told = new Map(frame?.told.map((cell) => [cell, column(rows)]));
  const found = new Map(positions.map((position, row) => [position, row]));

  // Moves are told by their number less the one before, and what each player's each move leads to comes apart from the rest.
  function successors(moves) {
    const sizes = new Int32Array(3 * names.length);
    for (let row = 0; row < rows; row++) {
      let before = -1;
      for (let i = starts[row]; i < starts[row + 1]; i++) {
        before = moves[i] += before + 1;
        sizes[turns[row] * names.length + before] += 1;
      }
    }
    const led = Array.from(sizes, (size) => {
      let last = 0;
      return Int32Array.from({ length: size }, () => (last += signed()));
    });
    const used = new Int32Array(sizes.length);
    const all = new Int32Array(moves.length);
    for (let row = 0; row < rows; row++) {
      for (let i = starts[row]; i < starts[row + 1]; i++) {
        const kind = turns[row] * names.length + moves[i];
        all[i] = led[kind][used[kind]++];
      }
    }
    return all;
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

  // All pictures have the cells of one frame. A mark is always the same, a piece of the position's text, or told.
  function look({ position, moves }) {
    const row = found.get(position);
    if (!frame) return { text: drawn[row], picture: null };
    const pieces = position.match(/[0-9]+|./gsu).map((piece) => (piece === "." ? "" : piece));
    const cells = frame.cells.map((cell, i) => {
      const mark = frame.fixed[i] ?? (told.has(i) ? frame.marks[told.get(i)[row]] : pieces[frame.places[i]]);
      return { ...cell, mark, player: frame.players[mark] ?? null };
    });
    const { ended = [], here = null, clicks = [] } = more?.[row] || {};
    const known = frame.ways?.[turns[row]];
    const own = known ? moves.flatMap(({ move }) => known[move].map((on) => ({ move, cells: on }))) : [];
    const ways = clicks.length ? clicks.map(([move, ...on]) => ({ move, cells: on })) : known ? own : byName(cells, moves);
    return { text: position, picture: { ...frame.rest, cells, ended, here, clicks: ways } };
  }

  return { answer, look };
}
