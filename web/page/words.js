// Values in words. A value is always the first player's; a gain is the side to move's. Plies are null where play need not end.

export const SYMBOLS = { win: "▲", draw: "=", loss: "▼" };

export function pliesInWords(plies) {
  return plies === 1 ? "1 ply" : `${plies} plies`;
}

export function outcome(game, value, plies) {
  const [first, second] = game.players;
  const known = game.payoffs ? undefined : { 1: `${first} wins`, 0: "draw", "-1": `${second} wins` }[value];
  const words = known ?? `value ${value} for ${first}`;
  if (plies === null) return `${words}: play need not end`;
  return plies ? `${words} in ${pliesInWords(plies)}` : words;
}

// What a move leads to, in words.
export function leadsTo(game, move) {
  return outcome(game, move.value, move.plies) + (move.plies === 0 ? " at once" : "");
}

// How many of the opponent's replies to a move would be mistakes, for those who hear it; nothing where there is no reply.
export function trapsInWords(move) {
  return move.replies ? `, ${move.traps} of ${move.replies} replies are mistakes` : "";
}

// When the game ends after a move, as short as fits in a cell.
export function when(plies) {
  return plies === null ? "without end" : plies ? `in ${plies}` : "at once";
}

export function resultFor(game, player, value) {
  const gain = player === game.players[0] ? value : -value;
  return gain > 0 ? "win" : gain < 0 ? "loss" : "draw";
}

// The colour of a move: what it is to the side that makes it, or nothing where values are amounts.
export function toneOf(game, player, value) {
  return game.payoffs ? "draw" : resultFor(game, player, value);
}

export function sentence(text) {
  return text[0].toUpperCase() + text.slice(1) + ".";
}
