// What both kinds of tables inside a page use.

export async function inflate(bytes, format) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// A move without a click of its own is made where its name says: b2, a1-b2 or a1-b2xc3.
export function byName(cells, moves) {
  const names = new Set(cells.map((cell) => cell.name));
  const ways = moves.map(({ move }) => ({ move, cells: move.split(/[-x]/) }));
  return ways.filter((way) => way.cells.every((cell) => names.has(cell)));
}

// Put moves in order, best first for the side to move, and tell which are the best; among equals the game's own order stays.
// A value above `endless`, where play can come back, is one that the first player forces.
export function arrange(moves, own, maximising, endless = null) {
  const gain = (move) => (maximising ? move.value : -move.value);
  const pace = (move) => {
    if (move.plies === null || move.value === endless) return 0;
    const hurries = endless === null ? gain(move) >= 0 : move.value > endless === maximising;
    return hurries ? move.plies : -move.plies;
  };
  const best = (move) => move.value === own.value && (own.plies === null || move.plies === own.plies - 1);
  return moves
    .map((move) => ({ ...move, optimal: best(move) }))
    .sort((one, other) => gain(other) - gain(one) || pace(one) - pace(other));
}

// The answer with how many of the opponent's replies to each move are mistakes, as `zermelo query` tells it; `of` answers a position.
export function withTraps(answer, of) {
  const moves = answer.moves.map((move) => {
    const after = of(move.position);
    const replies = after.to_move === answer.to_move ? [] : after.moves;
    const traps = replies.filter((reply) => reply.value !== after.value).length;
    return { ...move, traps, replies: replies.length };
  });
  return { ...answer, moves };
}

// Whole numbers of variable length: seven bits a byte, the lowest first, the top bit set on all but a number's last byte.
export function numberReader(bytes, start = 0) {
  let at = start;
  const next = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  return { next, place: () => at };
}
