// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { fillCursors } from './fillCursors';

describe('fill cursors', () => {
  it('store the last fill of each member of this device', () => {
    expect(fillCursors.read(1)).toBeNull();
    fillCursors.write(1, 41);
    fillCursors.write(1, 42);
    fillCursors.write(2, 7);
    expect([fillCursors.read(1), fillCursors.read(2), fillCursors.read(3)]).toEqual([42, 7, null]);
  });

  it('drop members from long ago', () => {
    for (let member = 1; member <= 9; member += 1) fillCursors.write(member, member);
    expect([fillCursors.read(1), fillCursors.read(2), fillCursors.read(9)]).toEqual([null, 2, 9]);
  });

  it.each(['nonsense', 'null', '{"1":2}', '[1,2]', '[[1,"7"]]', '[[1]]'])('ignore %s', (stored) => {
    localStorage.setItem('last-fills', stored);
    expect(fillCursors.read(1)).toBeNull();
  });
});
