// What the engine in WebAssembly finds, as JSON for the test to compare with the native one's:
// node search.mjs BUILD TASK [JSON]

import { pathToFileURL } from "node:url";

const [build, task, given = "{}"] = process.argv.slice(2);
const { load } = await import(pathToFileURL(`${build}/index.js`));
const asked = JSON.parse(given);
// As in a page that isn't isolated from others: no memory to share with a worker.
if (asked.alone) globalThis.crossOriginIsolated = false;
const kernel = await load();
const search = kernel.search({ hashMb: asked.hashMb ?? 16 });
const board = () => kernel.board(asked.position, asked.rules ?? {});

const tasks = {
  /** With the processor's time in ms, which a busy machine doesn't stretch as it does the clock's. */
  async bench() {
    if (asked.warm) await search.bench(asked.warm);
    const before = process.cpuUsage();
    const { nodes } = await search.bench(asked.depth);
    const { user, system } = process.cpuUsage(before);
    return { nodes, ms: (user + system) / 1000 };
  },

  /** What a review counts with. */
  review() {
    let refused = null;
    try {
      board().faults("a1b2", ["i9h8"]);
    } catch (error) {
      refused = error.code;
    }
    return {
      verdicts: asked.losses.map((loss) => kernel.verdict(loss)),
      accuracy: kernel.accuracy(asked.losses),
      chances: ["two", "three"].flatMap((mode) =>
        asked.scores.map((score) => kernel.chance(score, mode)),
      ),
      decided: [3, -4].map((winIn) => kernel.chance({ score: 0, winIn }, "two")),
      refused,
    };
  },

  async lines() {
    const reported = [];
    const lines = await search.start(board(), asked.limits, (found) => reported.push(found));
    return { lines, reported };
  },

  /** The moves of a game against itself. */
  async game() {
    const game = board();
    for (let ply = 0; ply < asked.plies; ply++) {
      const [{ move }] = await search.start(game, asked.limits);
      game.push(move);
    }
    return game.moves;
  },

  /** An endless search, told to stop, and then another one by the same worker or the next. */
  async stop() {
    const reported = [];
    const endless = search.start(board(), { lines: 2 }, (found) => reported.push(found));
    await new Promise((resolve) => setTimeout(resolve, asked.wait));
    search.stop();
    const stopped = await endless;
    const again = await search.start(board(), { depth: 3 });
    return { stopped, again, depths: reported.map(([first]) => first.depth) };
  },

  /** A search begun while another runs ends that one, which still answers. */
  async replace() {
    const first = search.start(board(), {});
    const second = search.start(board(), {});
    const third = search.start(board(), { depth: 2 });
    const lines = await Promise.all([first, second, third]);
    return lines.map(([best]) => best.move);
  },

  async close() {
    const endless = search.start(board(), {});
    setTimeout(() => search.close(), 50);
    return endless.catch((error) => error.message);
  },

  /** Limits that make no sense are refused with a reason, and break nothing. */
  async nonsense() {
    const refused = [];
    for (const limits of asked.limits) {
      try {
        await search.start(board(), limits);
      } catch (error) {
        refused.push(error.message);
      }
    }
    const lines = await search.start(board(), { depth: 1 });
    return { refused, move: lines[0].move };
  },

  positions() {
    return asked.texts.map((text) => {
      try {
        return kernel.board(text).position;
      } catch (error) {
        return [error.code, error.message];
      }
    });
  },
};

console.log(JSON.stringify(await tasks[task]()));
search.close();
