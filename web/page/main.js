// The page: puts what the explorer knows on the screen, and tells it what the person does.

import { makeBoard } from "./board.js";
import { byId, element } from "./dom.js";
import { Explorer } from "./explorer.js";
import { openSource } from "./source.js";
import { drawStrip } from "./strip.js";
import { SYMBOLS, outcome, resultFor, sentence, titleOf } from "./words.js";

let explorer;
let shown; // the game whose board is on the screen
let showBoard;

function render() {
  const { game, answer, answers, at, last, hints, opponent, problem } = explorer;
  if (shown !== game) {
    shown = game;
    showBoard = makeBoard(byId("board"), game, (name) => explorer.play(name));
    fillOpponents(game);
  }
  showBoard(answer, last, hints);
  byId("board").classList.toggle("waiting", explorer.waiting);
  byId("game").value = game.game;
  byId("opponent").value = opponent ?? "";
  byId("hints").checked = hints;
  byId("turn").textContent = answer.terminal ? "The game is over." : `${turnWords(last, answer)} to move.`;
  byId("value").textContent = sentence(outcome(game, answer.value, answer.plies));
  byId("value").className = answer.value > 0 ? "first" : answer.value < 0 ? "second" : "even";
  byId("problem").hidden = !problem;
  byId("problem").textContent = problem ?? "";
  byId("legend").replaceChildren(...legend(answer, hints));
  byId("undo").disabled = at === 0;
  byId("redo").disabled = at === explorer.moves.length;
  byId("best").disabled = answer.terminal;
  byId("best").textContent = opponent && answer.to_move === opponent ? `Let ${opponent} reply` : "Play best move";
  drawStrip(byId("strip"), game, answers, at);
  byId("history").replaceChildren(...answers.map((_, ply) => historyItem(ply)));
  byId("history").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  document.title = `${titleOf(game)}: ${answer.position} - Zermelo`;
}

function turnWords(last, answer) {
  const before = last && explorer.answers[explorer.at - 1];
  return before ? `${before.to_move} played ${last}. ${answer.to_move}` : answer.to_move;
}

function legend(answer, hints) {
  if (!hints || answer.terminal) return [];
  const meanings = ["win", "draw", "loss"].map((result) =>
    element("span", { class: `key ${result}` }, `${SYMBOLS[result]} ${result}`),
  );
  return [`For ${answer.to_move}, in plies after the move: `, ...meanings, element("span", { class: "key best" }, "★ best")];
}

function historyItem(ply) {
  const { game, answers, moves, at } = explorer;
  const answer = answers[ply];
  const before = answers[ply - 1];
  const text = ply ? `${before.to_move} ${moves[ply - 1]}` : "Start";
  const button = element("button", { type: "button" }, element("span", { class: "move" }, text));
  button.append(element("span", { class: "worth" }, outcome(game, answer.value, answer.plies)));
  if (before && answer.value !== before.value) {
    button.append(element("span", { class: "mistake" }, "mistake"));
  }
  if (ply === at) button.setAttribute("aria-current", "step");
  button.addEventListener("click", () => explorer.jump(ply));
  return element("li", { class: ply > at ? "later" : "" }, button);
}

function fillOpponents(game) {
  const choices = [["", "two people"], ...[...game.players].reverse().map((player) => [player, `perfect, plays ${player}`])];
  byId("opponent").replaceChildren(...choices.map(([value, text]) => element("option", { value }, text)));
}

function fillGames(games) {
  byId("game").replaceChildren(
    ...games.map((game) => {
      const option = element("option", { value: game.game }, game.error ? `${game.game} (not installed here)` : titleOf(game));
      option.disabled = Boolean(game.error);
      return option;
    }),
  );
}

function fail(message) {
  byId("problem").hidden = false;
  byId("problem").textContent = message;
}

function listen() {
  byId("choices").addEventListener("submit", (event) => event.preventDefault());
  byId("game").addEventListener("change", (event) => {
    const game = explorer.games.find((one) => one.game === event.target.value);
    explorer.start(game, game.players.includes(explorer.opponent) ? explorer.opponent : null);
  });
  byId("opponent").addEventListener("change", (event) => explorer.start(explorer.game, event.target.value || null));
  byId("hints").addEventListener("change", (event) => explorer.setHints(event.target.checked));
  byId("new").addEventListener("click", () => explorer.start(explorer.game, explorer.opponent));
  byId("undo").addEventListener("click", () => explorer.undo());
  byId("redo").addEventListener("click", () => explorer.redo());
  byId("best").addEventListener("click", () => explorer.playBest());
  addEventListener("popstate", (event) => explorer.load(location.hash, event.state));
  addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.target.matches("select")) return;
    const key = (event.ctrlKey ? "Control+" : "") + (event.shiftKey ? "Shift+" : "") + event.key.toLowerCase();
    const does = {
      u: () => explorer.undo(),
      "Control+z": () => explorer.undo(),
      r: () => explorer.redo(),
      "Control+y": () => explorer.redo(),
      "Control+Shift+z": () => explorer.redo(),
      h: () => explorer.setHints(!explorer.hints),
    }[key];
    if (!does) return;
    event.preventDefault();
    does();
  });
}

async function begin() {
  const source = await openSource();
  const games = await source.games();
  if (!games.some((game) => !game.error)) throw new Error("The database holds no game that can be shown.");
  explorer = new Explorer(source, games, render, fail);
  fillGames(games);
  await explorer.load(location.hash, history.state);
  listen();
}

begin().catch((error) => fail(error.message));
