// Puzzles from the solution: positions in which one move alone keeps the value, or which are won in so many plies.

import { outcome, pliesInWords, resultFor } from "./words.js";

const MOST_WALKS = 60;
const LONGEST_WALK = 60;

export const KINDS = {
  only: {
    fits: (game, answer) =>
      answer.moves.length > 1 &&
      resultFor(game, answer.to_move, answer.value) !== "loss" &&
      answer.moves.filter((move) => move.value === answer.value).length === 1,
    right: (answer, move) => move.value === answer.value,
    goal: (game, answer) => {
      const result = resultFor(game, answer.to_move, answer.value);
      const aim = game.payoffs ? `keeps the ${outcome(game, answer.value, 0)}` : result === "win" ? "wins" : "draws";
      return `${answer.to_move} to move: find the only move that ${aim}.`;
    },
    moves: () => 1,
  },
  win: {
    fits: (game, answer) =>
      answer.plies > 0 &&
      resultFor(game, answer.to_move, answer.value) === "win" &&
      answer.moves.some((move) => !move.optimal),
    right: (_answer, move) => move.optimal,
    goal: (game, answer) => `${answer.to_move} to move: ${outcome(game, answer.value, 0)} in ${pliesInWords(answer.plies)}. How?`,
    moves: (answer) => answer.plies,
  },
};

// A position that is such a puzzle, about as hard as the level says; null where none was found.
export async function findPuzzle(source, game, kind, level, not) {
  const wanted = 2 * level; // a win of the mover takes an odd number of plies: one away is as near as it gets
  let best = null;
  let least = Infinity;
  for (let walk = 0; walk < MOST_WALKS && (least >= 2 || walk < 3); walk++) {
    let answer = await source.answer(game, game.start);
    for (let ply = 0; ply < LONGEST_WALK && answer.moves.length; ply++) {
      const away = Math.abs((answer.plies ?? LONGEST_WALK) - wanted) + Math.random() / 2;
      if (KINDS[kind].fits(game, answer) && answer.position !== not && away < least) [best, least] = [answer.position, away];
      // Good moves lead to long games, chance to many different ones.
      const choice = Math.random() < 0.4 ? answer.moves.filter((move) => move.optimal) : answer.moves;
      const from = choice.length ? choice : answer.moves;
      answer = await source.answer(game, from[Math.floor(Math.random() * from.length)].position);
    }
  }
  return best;
}
