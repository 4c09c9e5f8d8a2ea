import { describe, expect, it } from 'vitest';
import { fillMemory } from './fillMemory';

describe('the memory of fills', () => {
  it('knows the newest one of each member of this device', () => {
    expect(fillMemory.read(1)).toBeNull();
    fillMemory.write(1, 41);
    fillMemory.write(1, 42);
    fillMemory.write(2, 7);
    expect([fillMemory.read(1), fillMemory.read(2), fillMemory.read(3)]).toEqual([42, 7, null]);
  });

  it('forgets who was here long ago', () => {
    for (let member = 1; member <= 9; member += 1) fillMemory.write(member, member);
    expect([fillMemory.read(1), fillMemory.read(2), fillMemory.read(9)]).toEqual([null, 2, 9]);
  });

  it.each(['nonsense', 'null', '{"1":2}', '[1,2]', '[[1,"7"]]', '[[1]]'])('takes %s for nothing', (stored) => {
    localStorage.setItem('last-fills', stored);
    expect(fillMemory.read(1)).toBeNull();
  });
});
