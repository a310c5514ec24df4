// The game that is being looked at: its line of positions, where in it we are, who plays whom.

import { fromAddress, toAddress } from "./address.js";

export class Explorer {
  constructor(source, games, changed, failed) {
    Object.assign(this, { source, games, changed, failed });
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

  // Show what the address says; `state` is what the browser's history kept with it.
  async load(hash, state) {
    const wanted = fromAddress(hash);
    const usable = this.games.filter((game) => !game.error);
    const game = usable.find((one) => one.game === wanted.game) ?? usable.find((one) => one.board) ?? usable[0];
    const known = wanted.game === null || game.game === wanted.game;
    const kept = state?.moves ?? [];
    const extends_ = kept.length > wanted.moves.length && wanted.moves.every((move, i) => move === kept[i]);
    const opponent = game.players.includes(wanted.opponent) ? wanted.opponent : null;
    const problem = known ? null : `There is no game ${wanted.game} in this database.`;
    await this.attempt(async () => {
      const from = known ? wanted.from : null;
      const { answers, moves, wrong } = await this.walk(game, from, known ? (extends_ ? kept : wanted.moves) : []);
      const at = Math.min(known ? wanted.moves.length : 0, moves.length);
      return { game, from, answers, moves, at, opponent, hints: wanted.hints, problem: problem ?? wrong };
    });
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

  async play(name) {
    const move = this.answer.moves.find((one) => one.move === name);
    if (!move || this.busy || this.waiting) return;
    await this.attempt(async () => {
      const after = await this.source.position(this.game, move.position);
      return {
        answers: [...this.answers.slice(0, this.at + 1), after],
        moves: [...this.moves.slice(0, this.at), name],
        at: this.at + 1,
      };
    }, true);
    this.answerBack();
  }

  async start(game, opponent) {
    await this.attempt(async () => {
      const answers = [await this.source.position(game, game.start)];
      return { game, from: null, answers, moves: [], at: 0, opponent };
    }, true);
    this.answerBack();
  }

  // Let the perfect player move where it is its turn: any of the moves that nothing is better than.
  answerBack() {
    if (!this.opponent || this.answer.to_move !== this.opponent) return;
    const best = this.answer.moves.filter((move) => move.optimal);
    const { move } = best[Math.floor(Math.random() * best.length)];
    const delay = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 350;
    this.reply = setTimeout(() => {
      this.reply = undefined;
      this.play(move);
    }, delay);
    this.changed();
  }

  playBest() {
    if (this.answer.best_move) this.play(this.answer.best_move);
  }

  jump(at) {
    this.attempt(async () => ({ at }), true);
  }

  undo() {
    const turns = this.personsTurns().filter((ply) => ply < this.at);
    if (this.at) this.jump(turns.at(-1) ?? this.at - 1);
  }

  redo() {
    const turns = this.personsTurns().filter((ply) => ply > this.at);
    if (this.at < this.moves.length) this.jump(turns[0] ?? this.moves.length);
  }

  // Where a person was to move, so that undoing takes the perfect player's reply back too.
  personsTurns() {
    return this.answers.flatMap((answer, ply) => (answer.to_move !== this.opponent ? [ply] : []));
  }

  setHints(hints) {
    this.hints = hints;
    this.keep("replaceState");
    this.changed();
  }

  // Do something that may take a while, then show it, unless something else was begun meanwhile.
  async attempt(work, push = false) {
    clearTimeout(this.reply);
    this.reply = undefined;
    const turn = ++this.turn;
    this.busy = true;
    try {
      const change = await work();
      if (turn !== this.turn) return;
      Object.assign(this, { problem: null }, change);
      this.keep(push ? "pushState" : "replaceState");
      this.changed();
    } catch (error) {
      if (turn === this.turn) this.failed(error.message);
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
    });
    if (how === "replaceState" || address !== location.hash) history[how]({ moves: this.moves }, "", address);
  }
}
