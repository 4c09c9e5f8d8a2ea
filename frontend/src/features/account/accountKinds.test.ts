import { describe, expect, it } from 'vitest';
import { assets } from '@/testing/wireSamples';
import { isUntouched, movedBetween } from './accountKinds';

const [basic] = assets.accounts;
if (basic === undefined) throw new Error('the sample has an account');
const funded = { ...basic, depositEducationPoint: 30_000, buyDeposit: 10_000, purchasedItems: 4_000 };

describe('an account', () => {
  it('knows what of its base was moved there from other accounts', () => {
    expect(movedBetween({ ...funded, base: 5_036_000 })).toBe(0);
    expect(movedBetween({ ...funded, base: 4_966_000 })).toBe(-70_000);
  });

  it('is untouched while its cash is its base', () => {
    const untouched = { ...funded, base: 4_966_000, deposit: 4_966_000, holdingsCost: 0 };
    expect(isUntouched(untouched)).toBe(true);
    expect(isUntouched({ ...untouched, deposit: 4_966_001 })).toBe(false);
    expect(isUntouched({ ...untouched, holdingsCost: 1 })).toBe(false);
  });
});
