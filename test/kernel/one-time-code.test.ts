import { describe, expect, test } from '@jest/globals';

import { newCode } from '../../functions/kernel/one-time-code/code.ts';

describe('a one-time code', () => {
  test('has six digits, each equally likely', () => {
    const codes = Array.from({ length: 5_000 }, newCode);
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    // About twelve of 5,000 random codes repeat an earlier one by chance.
    expect(new Set(codes).size).toBeGreaterThan(4_900);
    for (let place = 0; place < 6; place += 1) {
      for (let digit = 0; digit < 10; digit += 1) {
        const count = codes.filter((code) => code[place] === String(digit)).length;
        // The expected number is 500; 200 more or less are nine standard deviations.
        expect(count).toBeGreaterThan(300);
        expect(count).toBeLessThan(700);
      }
    }
  });
});
