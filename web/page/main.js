// The page: puts what the explorer knows on the screen, and tells it what the person does.

import { Board } from "./board.js";
import { button, byId, element } from "./dom.js";
import { Explorer } from "./explorer.js";
import { listenToSharing, showLine, showTree } from "./panels.js";
import { openSource } from "./source.js";
import { drawStrip } from "./strip.js";
import { SYMBOLS, outcome, sentence } from "./words.js";

let explorer;
let board;
let shown; // the game whose players are in the choice of opponents

function render() {
  const { game, answer, answers, at, last, opponent, problem, puzzle, telling } = explorer;
  const focused = ["board", "history"].find((id) => byId(id).contains(document.activeElement));
  if (shown !== game) fillOpponents(game);
  shown = game;
  board.show(game, answer, { hints: telling, last, before: answers[at - 1] });
  byId("board").classList.toggle("waiting", explorer.waiting);
  byId("game").value = game.game;
  byId("opponent").value = opponent ?? "";
  byId("hints").checked = explorer.hints;
  byId("turn").textContent = answer.terminal ? "The game is over." : `${turnWords(last, answer)} to move.`;
  byId("value").textContent = telling || answer.terminal ? sentence(outcome(game, answer.value, answer.plies)) : "";
  byId("value").className = answer.value > 0 ? "first" : answer.value < 0 ? "second" : "even";
  byId("puzzle").textContent = puzzle ? [puzzle.solved ? "" : `Puzzle. ${puzzle.goal}`, puzzle.said ?? ""].join(" ").trim() : "";
  tell(problem);
  byId("legend").replaceChildren(...legend(answer, telling));
  setDisabled("undo", at === 0);
  setDisabled("redo", at === explorer.moves.length);
  setDisabled("best", answer.terminal);
  byId("best").textContent = opponent && answer.to_move === opponent ? `Let ${opponent} reply` : "Play best move";
  byId("best").hidden = Boolean(puzzle && !puzzle.solved);
  for (const part of document.querySelectorAll(".telling")) part.hidden = !telling;
  if (telling) drawStrip(byId("strip"), game, answers, at);
  byId("history").replaceChildren(...answers.map((_, ply) => historyItem(ply)));
  keepInView(byId("history"), byId("history").querySelector("[aria-current]"));
  byId("position").value = answer.position;
  byId("shared").replaceChildren();
  fillPanels();
  keepFocus(focused);
  document.title = `${game.title}: ${answer.position} - Zermelo`;
}

function turnWords(last, answer) {
  const before = last && explorer.answers[explorer.at - 1];
  return before ? `${before.to_move} played ${last}. ${answer.to_move}` : answer.to_move;
}

function legend(answer, telling) {
  if (!telling || answer.terminal) return [];
  const best = element("span", { class: "key best" }, "★ best");
  const traps = answer.moves.some((move) => move.replies) ? [element("span", { class: "key" }, "2/5: of 5 replies, 2 are mistakes")] : [];
  if (explorer.game.payoffs) return [`Amounts to ${explorer.game.players[0]}, and plies after the move: `, best, ...traps];
  const meanings = ["win", "draw", "loss"].map((result) =>
    element("span", { class: `key ${result}` }, `${SYMBOLS[result]} ${result}`),
  );
  return [`For ${answer.to_move}, in plies after the move: `, ...meanings, best, ...traps];
}

function historyItem(ply) {
  const { game, answers, moves, at, telling } = explorer;
  const answer = answers[ply];
  const before = answers[ply - 1];
  const text = ply ? `${before.to_move} ${moves[ply - 1]}` : "Start";
  const item = button({}, () => explorer.jump(ply), element("span", { class: "move" }, text));
  if (telling) item.append(element("span", { class: "worth" }, outcome(game, answer.value, answer.plies)));
  if (telling && before && answer.value !== before.value) item.append(element("span", { class: "mistake" }, "mistake"));
  if (ply === at) item.setAttribute("aria-current", "step");
  return element("li", { class: ply > at ? "later" : "" }, item);
}

// Panels are filled only while they are open, and what fails there is told as everything else is.
function fillPanels() {
  if (byId("line-panel").open) showLine(explorer).catch((error) => tell(error.message, fillPanels));
  if (byId("tree-panel").open) showTree(explorer);
}

function fillOpponents(game) {
  const choices = [["", "two people"], ...[...game.players].reverse().map((player) => [player, `perfect, plays ${player}`])];
  byId("opponent").replaceChildren(...choices.map(([value, text]) => element("option", { value }, text)));
}

function fillGames(games) {
  byId("game").replaceChildren(
    ...games.map((game) => {
      const option = element("option", { value: game.game }, game.error ? `${game.game} (not installed here)` : game.title);
      option.disabled = Boolean(game.error);
      return option;
    }),
  );
}

// One plain line, with a button where trying again may help.
function tell(message, again = null) {
  const place = byId("problem");
  place.hidden = !message;
  place.replaceChildren(message ?? "");
  if (!again) return;
  const retry = () => {
    tell(null);
    again();
  };
  place.append(" ", button({ id: "again" }, retry, "Try again"));
}

// A button that loses its use keeps the focus: it is marked as disabled, and does nothing.
function setDisabled(id, disabled) {
  byId(id).setAttribute("aria-disabled", String(disabled));
}

// Scroll a list, and never the page, so that one of its items can be seen.
function keepInView(list, item) {
  if (!item) return;
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

// What had the focus may have been drawn anew: its like gets it, or what it was in.
function keepFocus(place) {
  if (!place || byId(place).contains(document.activeElement)) return;
  const like = { board: ".cell[tabindex='0'], .move-button", history: "[aria-current]" }[place];
  (byId(place).querySelector(like) ?? byId(place)).focus({ preventScroll: true });
}

function listen() {
  byId("choices").addEventListener("submit", (event) => event.preventDefault());
  byId("game").addEventListener("change", (event) => {
    const game = explorer.games.find((one) => one.game === event.target.value);
    explorer.start(game, game.players.includes(explorer.opponent) ? explorer.opponent : null);
  });
  byId("opponent").addEventListener("change", (event) => explorer.again(event.target.value || null));
  byId("hints").addEventListener("change", (event) => explorer.setHints(event.target.checked));
  const actions = {
    new: () => explorer.again(),
    undo: () => explorer.undo(),
    redo: () => explorer.redo(),
    best: () => explorer.playBest(),
    hints: () => explorer.setHints(!explorer.hints),
    help: () => byId("keys").showModal(),
    "puzzle-only": () => explorer.startPuzzle("only"),
    "puzzle-win": () => explorer.startPuzzle("win"),
  };
  for (const id of Object.keys(actions)) if (id !== "hints") byId(id).addEventListener("click", actions[id]);
  for (const id of ["line-panel", "tree-panel"]) byId(id).addEventListener("toggle", () => explorer.answers && fillPanels());
  listenToSharing(explorer);
  addEventListener("popstate", (event) => explorer.load(location.hash, event.state, !event.state));
  const keys = { u: "undo", "Control+z": "undo", r: "redo", "Control+y": "redo", "Control+Shift+z": "redo" };
  Object.assign(keys, { b: "best", n: "new", h: "hints", "?": "help", "Shift+?": "help" });
  addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.target.matches("select, input:not([type=checkbox])") || byId("keys").open) return;
    const key = (event.ctrlKey ? "Control+" : "") + (event.shiftKey ? "Shift+" : "") + event.key.toLowerCase();
    if (!(key in keys)) return;
    event.preventDefault();
    actions[keys[key]]();
  });
}

async function begin() {
  let source;
  let games;
  try {
    source = await openSource();
    games = await source.games();
  } catch (error) {
    tell(error.message, begin);
    return;
  }
  if (!games.some((game) => !game.error)) {
    tell("The database holds no game that can be shown.");
    return;
  }
  explorer = new Explorer(source, games, render, tell);
  board = new Board(byId("board"), (name) => explorer.choose(name));
  fillGames(games);
  listen();
  await explorer.load(location.hash, history.state, true);
}

begin();
