import { describe, expect, test } from '@jest/globals';

import { computeExpiry, hasEnded } from '../../functions/access/api-keys/api-key/rules.ts';

const NOW = Date.parse('2026-05-01T12:00:00.000Z');
const at = (offsetMs: number): string => new Date(NOW + offsetMs).toISOString();

describe('the expiry of an API key', () => {
  test('takes effect at its exact millisecond', () => {
    expect(hasEnded(at(1), NOW)).toBe(false);
    expect(hasEnded(at(0), NOW)).toBe(true);
    expect(hasEnded(at(-1), NOW)).toBe(true);
    expect(hasEnded(undefined, NOW)).toBe(false);
  });

  test('is now by default, and can be a later time or never', () => {
    expect(computeExpiry(undefined, undefined, NOW)).toEqual({ kind: 'set', endsAt: at(0) });
    expect(computeExpiry(at(5), at(60_000), NOW)).toEqual({ kind: 'set', endsAt: at(60_000) });
    expect(computeExpiry(at(5), null, NOW)).toEqual({ kind: 'set' });
  });

  test('cannot be set to a past time', () => {
    expect(computeExpiry(undefined, at(0), NOW)).toEqual({ kind: 'not-in-the-future' });
  });

  test.each([undefined, null, at(60_000)])('is not cleared by %p', (wanted) => {
    expect(computeExpiry(at(0), wanted, NOW)).toEqual({ kind: 'already-expired' });
  });
});
