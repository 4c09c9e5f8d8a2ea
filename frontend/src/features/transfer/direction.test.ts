import { expect, it } from 'vitest';
import { directionOf } from './direction';

const BASIC = '100000000000';
const STOCK = '100000000001';

it.each([
  [{ fromAcno: BASIC, toAcno: STOCK }, null, 'between'],
  [{ fromAcno: BASIC, toAcno: STOCK }, BASIC, 'out'],
  [{ fromAcno: BASIC, toAcno: STOCK }, STOCK, 'in'],
  [{ fromAcno: null, toAcno: BASIC }, null, 'in'],
  [{ fromAcno: BASIC, toAcno: null }, null, 'out'],
  [{ fromAcno: null, toAcno: BASIC }, BASIC, 'in'],
] as const)('%j seen from %s is %s', (move, acno, direction) => expect(directionOf(move, acno)).toBe(direction));
