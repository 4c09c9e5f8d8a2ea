import { expect, it } from 'vitest';
import { wonFor } from './exchange';

it.each([
  [1, 1, 1_000],
  [3, 1.1, 3_300],
  [7, 1.3, 9_100],
  // 1.1 and 1.7 are not exact in binary.
  [123_457, 1.7, 209_876_900],
  [0, 1.8, 0],
])('%i points at %f times are %i won', (points, multiplier, won) => expect(wonFor(points, multiplier)).toBe(won));
