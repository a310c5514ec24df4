// The game that is being looked at: its line of positions, where in it we are, who plays whom.

import { fromAddress, toAddress } from "./address.js";
import { KINDS, findPuzzle } from "./puzzle.js";
import { Refusal } from "./refusal.js";
import { leadsTo } from "./words.js";

// The moves with the greatest share of mistakes among the opponent's replies, and of these with the most.
function trickiest(moves) {
  const share = (move) => (move.replies ? move.traps / move.replies : 0);
  const most = Math.max(...moves.map(share));
  const tricky = moves.filter((move) => share(move) === most);
  const many = Math.max(...tricky.map((move) => move.traps));
  return tricky.filter((move) => move.traps === many);
}

export class Explorer {
  constructor(source, games, changed, failed) {
    Object.assign(this, { source, games, changed, failed, puzzle: null, level: 1 });
    this.turn = 0; // counts what was begun, so that what comes back late is known to be late
  }

  get answer() {
    return this.answers[this.at];
  }

  get last() {
    return this.at ? this.moves[this.at - 1] : null;
  }

  get waiting() {
    return this.reply !== undefined;
  }

  // Whether values may be shown: a puzzle that is not solved hides them too.
  get telling() {
    return this.hints && (!this.puzzle || this.puzzle.solved);
  }

  // Show what the address says; `state` is what the browser's history kept with it, and `fresh` is what was not gone back to.
  async load(hash, state, fresh) {
    const wanted = fromAddress(hash);
    const usable = this.games.filter((game) => !game.error);
    const named = usable.find((one) => one.game === wanted.game || one.aliases.includes(wanted.game));
    const game = named ?? usable[0];
    const known = wanted.game === null || Boolean(named);
    const kept = state?.moves ?? [];
    const extends_ = kept.length > wanted.moves.length && wanted.moves.every((move, i) => move === kept[i]);
    const opponent = game.players.includes(wanted.opponent) ? wanted.opponent : null;
    const problem = known ? null : `There is no game ${wanted.game} in this database.`;
    const shown = await this.attempt(async () => {
      const from = known ? wanted.from : null;
      const { answers, moves, wrong } = await this.walk(game, from, known ? (extends_ ? kept : wanted.moves) : []);
      const at = Math.min(known ? wanted.moves.length : 0, moves.length);
      const view = { game, from, answers, moves, at, opponent, hints: wanted.hints, problem: problem ?? wrong };
      return { ...view, puzzle: this.puzzleOf(game, wanted.puzzle, answers[0]) };
    });
    // A link lets its opponent move; going back to where it was to move does not.
    if (shown && fresh && this.at === this.moves.length) this.answerBack();
  }

  puzzleOf(game, kind, answer) {
    if (!(kind in KINDS) || !KINDS[kind].fits(game, answer)) return null;
    return { kind, goal: KINDS[kind].goal(game, answer), left: KINDS[kind].moves(answer), solver: answer.to_move };
  }

  // The answers along a line of moves, as far as it can be played.
  async walk(game, from, wanted) {
    let wrong = null;
    let start = from;
    const answers = [];
    const moves = [];
    try {
      answers.push(await this.source.position(game, from ?? game.start));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      wrong = error.message;
      start = null;
      answers.push(await this.source.position(game, game.start));
    }
    for (const name of start === from ? wanted : []) {
      const move = answers.at(-1).moves.find((one) => one.move === name);
      if (!move) {
        wrong = `The move ${name} is not possible in ${answers.at(-1).position}.`;
        break;
      }
      moves.push(name);
      answers.push(await this.source.position(game, move.position));
    }
    return { answers, moves, wrong };
  }

  // A person's move: in a puzzle it is judged before it is made.
  async choose(name) {
    if (!this.answers || this.busy || this.waiting) return;
    const puzzle = this.puzzle;
    const move = this.answer.moves.find((one) => one.move === name);
    if (move && puzzle && !puzzle.solved) {
      if (!KINDS[puzzle.kind].right(this.answer, move)) {
        this.level = Math.max(1, this.level - 1);
        this.puzzle = { ...puzzle, said: `Not ${name}: ${leadsTo(this.game, move)}. Try another.` };
        this.changed();
        return;
      }
      const left = puzzle.left - 1;
      const solved = left <= 0;
      if (solved) this.level += 1;
      this.puzzle = { ...puzzle, left, solved, said: solved ? `Solved: ${name}. The next one will be harder.` : `Right: ${name}. Go on.` };
    }
    await this.play(name);
  }

  async play(name) {
    if (!this.answers) return; // the first request has failed: there is nothing to play in
    const move = this.answer.moves.find((one) => one.move === name);
    if (!move || this.busy || this.waiting) return;
    const played = await this.attempt(async () => {
      const after = await this.source.position(this.game, move.position);
      return {
        answers: [...this.answers.slice(0, this.at + 1), after],
        moves: [...this.moves.slice(0, this.at), name],
        at: this.at + 1,
      };
    }, true);
    if (played) this.answerBack();
  }

  // Several moves at once, such as down the tree or along the best line.
  async playAll(names) {
    if (this.busy || this.waiting) return;
    await this.attempt(async () => {
      const { answers, moves } = await this.walk(this.game, this.answer.position, names);
      return {
        answers: [...this.answers.slice(0, this.at + 1), ...answers.slice(1)],
        moves: [...this.moves.slice(0, this.at), ...moves],
        at: this.at + moves.length,
      };
    }, true);
  }

  // The same game from its start; where nothing could be shown yet, what the address says.
  async again(opponent = this.opponent) {
    await (this.game ? this.start(this.game, opponent) : this.load(location.hash, null, true));
  }

  async start(game, opponent, from = null, puzzle = null) {
    const started = await this.attempt(async () => {
      const answers = [await this.source.position(game, from ?? game.start)];
      const view = { game, from, answers, moves: [], at: 0, opponent };
      return { ...view, puzzle: this.puzzleOf(game, puzzle, answers[0]) };
    }, true);
    if (started) this.answerBack();
  }

  async startPuzzle(kind) {
    if (!this.answers) return;
    const { game, level } = this;
    const before = this.puzzle && this.answers[0].position;
    let found;
    const searched = await this.attempt(async () => {
      found = await findPuzzle(this.source, game, kind, level, before);
      return found ? {} : { problem: "No such puzzle was found in this game." };
    });
    if (searched && found) await this.start(game, null, found, kind);
  }

  // Let the perfect player move where it is its turn: of the moves that nothing is better than, any that asks most.
  answerBack() {
    const puzzling = this.puzzle && !this.puzzle.solved && this.answer.to_move !== this.puzzle.solver;
    if (this.answer.terminal || (!puzzling && (!this.opponent || this.answer.to_move !== this.opponent))) return;
    const best = trickiest(this.answer.moves.filter((move) => move.optimal));
    const { move } = best[Math.floor(Math.random() * best.length)] ?? this.answer.moves[0];
    const delay = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 350;
    this.reply = setTimeout(() => {
      this.reply = undefined;
      if (puzzling) this.puzzle = { ...this.puzzle, left: this.puzzle.left - 1 };
      this.play(move);
    }, delay);
    this.changed();
  }

  playBest() {
    if (this.answers && this.answer.best_move) this.choose(this.answer.best_move);
  }

  jump(at) {
    this.attempt(async () => ({ at, puzzle: null }), true);
  }

  undo() {
    if (!this.answers) return;
    const turns = this.personsTurns().filter((ply) => ply < this.at);
    if (this.at) this.jump(turns.at(-1) ?? this.at - 1);
  }

  redo() {
    if (!this.answers) return;
    const turns = this.personsTurns().filter((ply) => ply > this.at);
    if (this.at < this.moves.length) this.jump(turns[0] ?? this.moves.length);
  }

  // Where a person was to move, so that undoing takes the perfect player's reply back too.
  personsTurns() {
    return this.answers.flatMap((answer, ply) => (answer.to_move !== this.opponent ? [ply] : []));
  }

  setHints(hints) {
    if (!this.answers) return;
    this.hints = hints;
    this.keep("replaceState");
    this.changed();
  }

  // Do something that may take a while, then show it, unless something else was begun meanwhile. Whether it was shown;
  // what failed is told with a way to try it again, and is never tried again unasked.
  async attempt(work, push = false) {
    clearTimeout(this.reply);
    this.reply = undefined;
    const turn = ++this.turn;
    this.busy = true;
    try {
      const change = await work();
      if (turn !== this.turn) return false;
      Object.assign(this, { problem: null }, change);
      this.keep(push ? "pushState" : "replaceState");
      this.changed();
      return true;
    } catch (error) {
      const again = async () => {
        if (await this.attempt(work, push)) this.answerBack();
      };
      if (turn === this.turn) this.failed(error.message, error instanceof Refusal ? null : again);
      return false;
    } finally {
      if (turn === this.turn) this.busy = false;
    }
  }

  keep(how) {
    const { from, opponent, hints } = this;
    const address = toAddress({
      game: this.game.game,
      from: from && from !== this.game.start ? this.answers[0].position : null,
      moves: this.moves.slice(0, this.at),
      opponent,
      hints,
      puzzle: this.at === 0 ? this.puzzle?.kind : null,
    });
    if (how === "replaceState" || address !== location.hash) history[how]({ moves: this.moves }, "", address);
  }
}
