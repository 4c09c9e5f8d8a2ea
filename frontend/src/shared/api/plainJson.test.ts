import { expect, test } from 'vitest';
import { recordDigits } from './exactDigits';
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

test('strings that look like numbers are unchanged', () => {
  const body = { text: 'x:1e-7,"2e-8"\\', '3e-9': null };
  expect(plainJson(body)).toBe(JSON.stringify(body));
});

test('a quantity that a number cannot hold is sent as it was read, the smallest of several', () => {
  const held = '{"name":"300000000.00000002","sellableQty":200000000.00000002,"averagePrice":123456789.123456789012}';
  const { sellableQty, averagePrice } = JSON.parse(held) as { sellableQty: number; averagePrice: number };
  expect(plainJson({ juQty: sellableQty })).toBe('{"juQty":200000000.00000003}');
  recordDigits(held);
  expect(plainJson({ juQty: sellableQty })).toBe('{"juQty":200000000.00000002}');
  expect(plainJson({ juQty: -sellableQty, text: '200000000.00000003' })).toBe(`{"juQty":-200000000.00000002,"text":"200000000.00000003"}`);
  const notRead = Number('300000000.00000002');
  expect(plainJson([averagePrice, notRead])).toBe(JSON.stringify([averagePrice, notRead]));
  recordDigits('[200000000.00000003]');
  expect(plainJson([sellableQty])).toBe('[200000000.00000002]');
});
