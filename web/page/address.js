// The page's state as the part of its address after the #, and back.

export function toAddress({ game, from, moves, opponent, hints, puzzle }) {
  const parts = [["game", game]];
  if (from) parts.push(["from", from]);
  if (moves.length) parts.push(["moves", moves.join(" ")]);
  if (opponent) parts.push(["opponent", opponent]);
  if (!hints) parts.push(["hints", "off"]);
  if (puzzle) parts.push(["puzzle", puzzle]);
  return "#" + parts.map(([name, value]) => `${name}=${readable(value)}`).join("&");
}

export function fromAddress(hash) {
  const parts = new URLSearchParams(hash.slice(1));
  return {
    game: parts.get("game"),
    from: parts.get("from"),
    moves: (parts.get("moves") ?? "").split(" ").filter(Boolean),
    opponent: parts.get("opponent"),
    hints: parts.get("hints") !== "off",
    puzzle: parts.get("puzzle"),
  };
}

function readable(value) {
  return encodeURIComponent(value).replace(/%(3A|2C|2F)/g, decodeURIComponent).replaceAll("%20", "+");
}
