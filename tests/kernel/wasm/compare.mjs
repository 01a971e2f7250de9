// Plays the games of a file through the kernel in WebAssembly and compares every answer with the
// Python rules', which the file holds: node compare.mjs BUILD FILE

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [build, file] = process.argv.slice(2);
const { load, layouts, COLOURS, DIRECTIONS } = await import(pathToFileURL(`${build}/index.js`));
const { games, starts } = JSON.parse(await readFile(file, "utf8"));
const kernel = await load();

const colour = (number) => (number === null ? null : COLOURS[number]);
const refusal = ([code, values]) => ({ code, values });

/** What asking for something refused is answered with. */
function refusalOf(ask) {
  try {
    ask();
  } catch (error) {
    return error.refusal;
  }
  return null;
}

function formation(told) {
  const found = { ...told, colour: colour(told.colour) };
  if ("direction" in told) found.direction = DIRECTIONS[told.direction];
  if ("moves" in told) found.moves = told.moves.map((index) => kernel.nameOf(index));
  return found;
}

function compare(board, state) {
  assert.equal(board.position, state.position);
  assert.equal(board.turn, colour(state.turn));
  assert.deepEqual(board.captured, state.captured);
  assert.deepEqual([board.quiet, board.ply, board.mode], [state.quiet, state.ply, state.mode]);
  assert.deepEqual(board.out, state.out.map(colour));
  assert.equal(board.occurrences, state.occurrences);
  const { outcome } = state;
  assert.deepEqual(board.outcome, outcome && { winner: colour(outcome[0]), reason: outcome[1] });
  const legal = board.legalMoves().map((effect) => {
    assert.equal(effect.move, kernel.nameOf(effect.index));
    assert.deepEqual(board.effect(effect.move), effect);
    return [effect.index, [effect.moved, effect.pushed, effect.ejected]];
  });
  assert.deepEqual(
    legal,
    state.effects.map(([index, [moved, pushed, ejected]]) => [
      index,
      [moved, pushed, colour(ejected)],
    ]),
  );
  for (const [index, why] of state.why) {
    assert.deepEqual(board.why(kernel.nameOf(index)), refusal(why));
    assert.deepEqual(
      refusalOf(() => board.push(kernel.nameOf(index))),
      refusal(why),
    );
  }
  assert.deepEqual(board.formations(), state.formations.map(formation));
  const names = (indices) => indices.map((index) => kernel.nameOf(index));
  for (const [[played, better, punishment], faults] of state.faults) {
    assert.deepEqual(
      board.faults(kernel.nameOf(played), names(better), names(punishment)),
      faults.map(([code, count, cells]) => ({ code, count, cells })),
    );
  }
  for (const [notation, text, found] of state.read) {
    if (typeof found === "number") {
      assert.equal(board.read(text, notation), kernel.nameOf(found));
      assert.equal(board.write(kernel.nameOf(found), notation), text);
    } else {
      assert.deepEqual(
        refusalOf(() => board.read(text, notation)),
        refusal(found),
      );
    }
  }
}

let compared = 0;
for (const { position, rules, moves, states } of games) {
  const board = kernel.board(position, rules);
  for (let ply = 0; ply <= moves.length; ply++) {
    const state = states[ply];
    if (state) {
      compare(board, state);
      compare(board.copy(), state);
      compared++;
    }
    if (ply < moves.length) board.push(kernel.nameOf(moves[ply]));
  }
  for (let ply = moves.length - 1; ply >= 0; ply--) {
    assert.equal(board.pop(), kernel.nameOf(moves[ply]));
    if (states[ply]) assert.equal(board.position, states[ply].position);
  }
}
for (const [mode, known] of Object.entries(starts)) {
  const found = await layouts(mode);
  assert.deepEqual(
    found.map(({ id, name, fair, position }) => [id, name, fair, position]),
    known,
  );
  for (const { position } of found) assert.equal(kernel.board(position).position, position);
}
console.log(compared);
