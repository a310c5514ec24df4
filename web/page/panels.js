// What can be opened beside the board: the best line, the tree below the position, and the position's text, link and picture.

import { button, byId, element } from "./dom.js";
import { standalone } from "./picture.js";
import { outcome } from "./words.js";

const LONGEST_LINE = 60;

// The best moves to the end as buttons; each plays all up to it.
export async function showLine(explorer) {
  const { source, game, answer } = explorer;
  const place = byId("line");
  const names = [];
  const met = new Set();
  const made = [];
  let at = answer;
  while (at.best_move && made.length < LONGEST_LINE && !met.has(at.position)) {
    met.add(at.position);
    const move = at.moves[0];
    names.push(move.move);
    const upTo = [...names];
    made.push(button({ class: "line-move" }, () => explorer.playAll(upTo), `${at.to_move} ${move.move}`));
    at = await source.answer(game, move.position);
  }
  if (explorer.answer !== answer) return; // something else was shown meanwhile
  const end = at.best_move ? "and so on: play need not end" : answer.terminal ? "The game is over." : outcome(game, at.value, 0);
  place.replaceChildren(...made, element("span", { class: "end" }, end));
}

// The moves of the position with their values; each opens to show its own, as deep as one likes.
export function showTree(explorer) {
  byId("tree").replaceChildren(...branches(explorer, explorer.answer, []));
}

function branches(explorer, answer, way) {
  const { game, source } = explorer;
  if (answer.terminal) return [element("li", {}, "The game is over.")];
  return answer.moves.map((move) => {
    const names = [...way, move.move];
    const text = `${answer.to_move} ${move.move}: ${outcome(game, move.value, move.plies)}${move.optimal ? " ★" : ""}`;
    const below = element("ul", { class: "tree" });
    const opened = element("details", {}, element("summary", {}, text), below);
    const go = button({ class: "go", "aria-label": `Show ${names.join(" ")}` }, () => explorer.playAll(names), "Show");
    opened.addEventListener("toggle", async () => {
      if (!opened.open || below.children.length) return;
      try {
        below.replaceChildren(...branches(explorer, await source.answer(game, move.position), names));
      } catch (error) {
        opened.open = false;
        explorer.failed(error.message);
      }
    });
    return element("li", {}, opened, go);
  });
}

// What is typed is shown, what is shown can be copied and saved.
export function listenToSharing(explorer) {
  const said = (text) => byId("shared").replaceChildren(text);
  byId("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = byId("position").value.trim();
    if (text) explorer.start(explorer.game, explorer.opponent, text);
  });
  byId("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      said("The link is copied.");
    } catch {
      // Only pages that came over a safe connection may write there: the link is shown to be copied by hand.
      const link = element("input", { readonly: "", value: location.href, "aria-label": "Link" });
      said(link);
      link.select();
    }
  });
  const name = () => `${explorer.game.game}-${explorer.answer.position}`.replace(/[^\w.-]+/g, "_").slice(0, 80);
  const drawn = () => new XMLSerializer().serializeToString(standalone(explorer.answer.look));
  byId("save-svg").addEventListener("click", () => save(new Blob([drawn()], { type: "image/svg+xml" }), `${name()}.svg`));
  byId("save-png").addEventListener("click", async () => save(await painted(drawn()), `${name()}.png`));
}

function save(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// An SVG text as the pixels of a PNG, twice as large as on the screen so that it prints well.
async function painted(text) {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await picture.decode();
  const canvas = element("canvas", { width: 2 * picture.naturalWidth, height: 2 * picture.naturalHeight });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
