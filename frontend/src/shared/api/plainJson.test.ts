import { expect, test } from 'vitest';
import { plainJson } from './plainJson';

test.each([
  [4e-7, '0.0000004'],
  [-1e-8, '-0.00000001'],
  [1.234e-7, '0.0000001234'],
  [0.000001, '0.000001'],
  [1.5e21, '1500000000000000000000'],
  [71_300, '71300'],
])('%s is sent as %s', (value, text) => {
  expect(plainJson({ juQty: value, list: [value] })).toBe(`{"juQty":${text},"list":[${text}]}`);
});

test('what only looks like a number stays as it was written', () => {
  const body = { text: 'x:1e-7,"2e-8"\\', '3e-9': null };
  expect(plainJson(body)).toBe(JSON.stringify(body));
});
