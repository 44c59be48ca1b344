// The position after a part of the game's line: set-up stones, moves, passes, changes of the board.

const other = side => (side === 'black' ? 'white' : 'black');

// The position after `step` steps. Stones by point, with their moves' numbers (none if set up).
export function positionAt({ start, moves, sides, steps, edits }, step) {
  const [stones, blocked] = [new Map(), new Map()];
  const put = change => {
    for (const p of change.removed) { stones.delete(p.join()); blocked.delete(p.join()); }
    for (const p of change.blocked) { stones.delete(p.join()); blocked.set(p.join(), p); }
    for (const side of ['black', 'white']) {
      for (const p of change[side]) { blocked.delete(p.join()); stones.set(p.join(), { p, side }); }
    }
  };
  put(start);
  let [turn, last, count, edited] = [start.turn, null, 0, 0];
  const change = until => {
    for (; edited < edits.length && edits[edited][0] <= until; edited++) {
      put(edits[edited][1]);
      turn = edits[edited][1].turn ?? turn;
      if (last && stones.get(last.join())?.number !== count) last = null;
    }
  };
  for (; count < moves.length && steps[count] <= step; count++) {
    change(steps[count]);
    last = moves[count];
    if (last) stones.set(last.join(), { p: last, side: sides[count], number: count + 1 });
    turn = other(sides[count]);
  }
  change(step);
  return { stones, blocked, last, turn, at: count };
}

// The number of steps up to a number of moves.
export const stepOf = (state, ply) => (ply ? state.steps[ply - 1] : 0);

// The points that are not free.
export const occupied = ({ stones, blocked }) => new Set([...stones.keys(), ...blocked.keys()]);
