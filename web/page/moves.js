// A move with what it is worth, in a cell of the board or in a list.

import { button, element } from "./dom.js";
import { SYMBOLS, leadsTo, resultFor, toneOf, trapsInWords, when } from "./words.js";

// What a cell shows of a move: a symbol, a word or an amount for the side to move, when the game ends, and how many of the
// opponent's replies would be mistakes.
export function worth(game, answer, move) {
  const after = [element("span", { class: "when" }, when(move.plies))];
  if (move.replies) after.push(element("span", { class: "traps" }, `${move.traps}/${move.replies}`));
  if (game.payoffs) return [element("span", { class: "amount" }, String(move.value)), ...after];
  const result = resultFor(game, answer.to_move, move.value);
  const symbol = element("span", { class: "symbol" }, SYMBOLS[result]);
  return [symbol, element("span", { class: "word" }, result), ...after];
}

// Every move as a button, best first; without hints in the order of their names, which tells nothing.
export function moveList(game, answer, hints, play) {
  const ordered = hints ? answer.moves : [...answer.moves].sort((one, other) => (one.move < other.move ? -1 : 1));
  return ordered.map((move) => {
    const made = button({ class: "move-button", "data-move": move.move }, () => play(move.move));
    made.append(element("span", { class: "name" }, move.move));
    made.setAttribute("aria-label", move.move);
    if (!hints) return made;
    made.classList.add(toneOf(game, answer.to_move, move.value));
    made.classList.toggle("best", move.optimal);
    made.append(...worth(game, answer, move));
    const best = move.optimal ? ", best" : "";
    const words = `${move.move}. ${answer.to_move} plays: ${leadsTo(game, move)}${best}${trapsInWords(move)}`;
    made.setAttribute("aria-label", words);
    return made;
  });
}
