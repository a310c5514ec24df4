// Where answers come from: the server, or a table inside the page. Both give what `zermelo query --format json` prints, and
// with `position` how it looks besides.

import { openTable } from "./table.js";
import { Refusal } from "./refusal.js";

export async function openSource() {
  const table = document.getElementById("solution");
  return table ? openTable(table) : serverSource();
}

function serverSource() {
  const kept = new Map();
  const get = async (address) => {
    let response;
    try {
      response = await fetch(address);
    } catch {
      throw new Error("The server does not answer.");
    }
    let found;
    try {
      found = await response.json();
    } catch {
      throw new Error(`The server's answer (status ${response.status}) cannot be read.`);
    }
    if (response.ok) return found;
    const reason = typeof found?.error === "string" ? found.error : `The server answered with status ${response.status}.`;
    throw response.status === 400 || response.status === 404 ? new Refusal(reason) : new Error(reason);
  };
  const ask = async (game, what, position) => {
    const address = `api/games/${encodeURIComponent(game.game)}/${what}?position=${encodeURIComponent(position)}`;
    if (!kept.has(address)) kept.set(address, await get(address));
    return kept.get(address);
  };
  const answer = (game, position) => ask(game, "position", position);
  return {
    games: async () => (await get("api/games")).games,
    answer,
    position: async (game, position) => {
      const [found, look] = await Promise.all([answer(game, position), ask(game, "picture", position)]);
      return { ...found, look };
    },
  };
}
