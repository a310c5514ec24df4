// Values in words. A value is always the first player's; a gain is the side to move's.

const NAMES = { "mnk:3,3,3": "Tic-tac-toe", "mnk:3,3,3,misere": "Misère tic-tac-toe" };

export const SYMBOLS = { win: "▲", draw: "=", loss: "▼" };

export function titleOf(game) {
  if (NAMES[game.game]) return NAMES[game.game];
  if (!game.board) return game.game;
  const { width, height, lines } = game.board;
  const falling = game.game.startsWith("connect") ? ", stones fall" : "";
  const misere = game.game.endsWith(",misere") ? ", a line loses" : "";
  return `${width} × ${height}, ${lines[0].length} in a row${falling}${misere}`;
}

export function pliesInWords(plies) {
  return plies === 1 ? "1 ply" : `${plies} plies`;
}

export function outcome(game, value, plies) {
  const [first, second] = game.players;
  const known = { 1: `${first} wins`, 0: "draw", "-1": `${second} wins` }[value];
  const words = known ?? `value ${value > 0 ? "+" : ""}${value} for ${first}`;
  return plies ? `${words} in ${pliesInWords(plies)}` : words;
}

export function resultFor(game, player, value) {
  const gain = player === game.players[0] ? value : -value;
  return gain > 0 ? "win" : gain < 0 ? "loss" : "draw";
}

export function sentence(text) {
  return text[0].toUpperCase() + text.slice(1) + ".";
}
