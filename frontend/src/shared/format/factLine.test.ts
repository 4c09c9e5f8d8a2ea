import { expect, it } from 'vitest';
import { factLine } from './factLine';

it('breaks between facts and nowhere else', () => {
  expect(factLine('1g 기준', '04020000').split(' ')).toEqual(['1g\u00a0기준', '·\u00a004020000']);
});
