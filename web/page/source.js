// Where answers come from: the server, or a table inside the page. Both give what `zermelo query --format json` prints.

export async function openSource() {
  const table = document.getElementById("solution");
  return table ? tableSource(JSON.parse(await inflate(table.textContent.trim()))) : serverSource();
}

function serverSource() {
  const answers = new Map();
  const get = async (address) => {
    let response;
    try {
      response = await fetch(address);
    } catch {
      throw new Error("The server does not answer.");
    }
    const found = await response.json();
    if (!response.ok) throw new Error(found.error);
    return found;
  };
  return {
    games: async () => (await get("api/games")).games,
    position: async (game, position) => {
      const address = `api/games/${encodeURI(game.game)}/position?position=${encodeURIComponent(position)}`;
      if (!answers.has(address)) answers.set(address, await get(address));
      return answers.get(address);
    },
  };
}

// The table has a column for each field and a row for each position; see web/single.py, which writes it.
function tableSource({ game, columns }) {
  const rows = new Map(columns.position.map((position, row) => [position, row]));
  const movesFrom = (row) => {
    const names = columns.moves[row].split(" ");
    let after = row;
    const moves = columns.after[row].map((further, i) => {
      after += further;
      const [position, value, plies] = ["position", "value", "plies"].map((field) => columns[field][after]);
      return { move: names[i], position, value, plies };
    });
    return columns.order[row].map((i, rank) => ({ ...moves[i], optimal: rank < columns.optimal[row] }));
  };
  return {
    games: async () => [game],
    position: async (_game, position) => {
      const row = rows.get(position);
      if (row === undefined) throw new Error(`There is no position ${position} in ${game.game}.`);
      const moves = movesFrom(row);
      const [ply, value, plies] = ["ply", "value", "plies"].map((field) => columns[field][row]);
      const to_move = game.players[columns.to_move[row]] ?? null;
      const best_move = moves[0]?.move ?? null;
      return { game: game.game, position, ply, to_move, terminal: !moves.length, value, plies, best_move, moves };
    },
  };
}

async function inflate(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}
