import { describe, expect, test } from '@jest/globals';

import { isGone, isSuccess, waitAfter, withAttempt } from '../../../functions/outbound/webhooks/delivery/rules.ts';
import {
  computeAdmission,
  computeAllowance,
  DISABLE_AFTER_MS,
  gateAfter,
  shouldDisable,
  SLOW_GAP_MS,
} from '../../../functions/outbound/webhooks/health/rules.ts';

const NOW = Date.parse('2026-01-15T12:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const none = { retryAfter: null };
const wait = (failures: number, outcome: { retryAfter: string | null } = none, random = 0) =>
  waitAfter(failures, outcome, random, NOW)?.ms;
const reason = (retryAfter: string | null) => waitAfter(1, { retryAfter }, 0.5, NOW)?.reason;

describe('the schedule of retries', () => {
  test('begins with five seconds, takes a little over three days and ends after ten attempts', () => {
    const waits = Array.from({ length: 10 }, (_, at) => wait(at + 1));
    expect(waits).toEqual(
      [5_000, 5 * MINUTE, 30 * MINUTE, 2, 5, 10, 14, 20, 24, undefined].map((w, at) =>
        w !== undefined && at > 2 ? w * HOUR : w,
      ),
    );
    expect(waits.reduce<number>((sum, one) => sum + (one ?? 0), 0)).toBeGreaterThan(3 * 24 * HOUR);
  });

  test('is lengthened by up to a fifth and never shortened, so that an outage of three days loses nothing', () => {
    expect([wait(4, none, 0), wait(4, none, 1)]).toEqual([2 * HOUR, 2.4 * HOUR]);
    const shortest = Array.from({ length: 9 }, (_, at) => wait(at + 1, none, 0) ?? 0).reduce(
      (sum, one) => sum + one,
      0,
    );
    expect(shortest).toBeGreaterThan(3 * 24 * HOUR);
  });

  test('ends within four days, and within ten if the receiver asks for the longest wait each time, as the guide says', () => {
    const endsAfter = (retryAfter: string | null): number =>
      Array.from({ length: 9 }, (_, at) => wait(at + 1, { retryAfter }, 1) ?? Infinity).reduce(
        (sum, one) => sum + one,
        0,
      );
    expect(endsAfter(null)).toBeLessThan(4 * 24 * HOUR);
    expect(endsAfter('999999')).toBeLessThan(10 * 24 * HOUR);
    expect(endsAfter('999999')).toBeGreaterThan(9 * 24 * HOUR);
  });

  test('uses a longer Retry-After, in seconds or as a date, up to a day, and never retries earlier', () => {
    expect(wait(1, { retryAfter: '120' }, 0)).toBe(120_000);
    expect(wait(1, { retryAfter: new Date(NOW + HOUR).toUTCString() }, 0)).toBe(HOUR);
    expect(wait(1, { retryAfter: '999999' }, 0)).toBe(24 * HOUR);
    expect(wait(1, { retryAfter: '120' }, 1)).toBeGreaterThan(120_000);
    expect([reason('120'), reason('1'), reason(null)]).toEqual(['retry_after', 'schedule', 'schedule']);
  });

  test('ignores a Retry-After that is shorter, past or unreadable', () => {
    for (const retryAfter of ['0', '1', '-5', 'soon', new Date(NOW - HOUR).toUTCString()]) {
      expect(wait(2, { retryAfter })).toBe(5 * MINUTE);
    }
  });

  test('counts only 2xx as success, and stops after 410', () => {
    expect([200, 204, 299].map((status) => isSuccess({ status }))).toEqual([true, true, true]);
    expect([null, 199, 301, 404, 500].map((status) => isSuccess({ status }))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect([410, 404].map((status) => isGone({ status }))).toEqual([true, false]);
  });

  test('stores the latest twenty attempts', () => {
    const outcome = { status: 500, error: null, response: '', durationMs: 1.4, retryAfter: null };
    let attempts = withAttempt([], 0, NOW, outcome);
    for (let count = 1; count < 25; count += 1) attempts = withAttempt(attempts, count, NOW, outcome);
    expect([attempts.length, attempts[0]?.number, attempts.at(-1)?.number]).toEqual([20, 6, 25]);
    expect(attempts[0]?.durationMs).toBe(1);
  });
});

describe('the pacing of an endpoint', () => {
  test('does not delay a healthy endpoint', () => {
    expect(computeAdmission(undefined, NOW)).toEqual({ kind: 'free' });
    expect(computeAdmission({ failures: 4, gateAt: 0 }, NOW)).toEqual({ kind: 'free' });
    expect(computeAdmission({ slowUntil: NOW }, NOW)).toEqual({ kind: 'free' });
  });

  test('opens the circuit after five failures and allows one probe', () => {
    expect(gateAfter(4, NOW, NOW)).toBe(0);
    expect(gateAfter(5, NOW, NOW)).toBe(NOW + MINUTE);
    expect(computeAdmission({ failures: 5, gateAt: NOW + MINUTE }, NOW)).toEqual({
      kind: 'closed',
      until: NOW + MINUTE,
    });
    expect(computeAdmission({ failures: 5, gateAt: NOW }, NOW)).toMatchObject({ kind: 'gate' });
    expect(computeAllowance({ failures: 5, gateAt: NOW }, NOW).deliveries).toBe(1);
    expect(computeAllowance({ failures: 5, gateAt: NOW + 1 }, NOW).deliveries).toBe(0);
  });

  test('keeps the circuit open longer the longer the outage lasts, a quarter of an hour at most', () => {
    expect(gateAfter(50, NOW, NOW)).toBe(NOW + MINUTE);
    expect(gateAfter(7, NOW - 10 * MINUTE, NOW)).toBe(NOW + 5 * MINUTE);
    expect(gateAfter(7, NOW - 24 * HOUR, NOW)).toBe(NOW + 15 * MINUTE);
  });

  test('starts at most ten concurrent attempts at a slow endpoint', () => {
    const slow = { slowUntil: NOW + 1 };
    expect(computeAdmission(slow, NOW)).toEqual({ kind: 'gate', gapMs: SLOW_GAP_MS });
    expect(15_000 / SLOW_GAP_MS).toBe(10);
    expect(computeAllowance(slow, NOW)).toEqual({ deliveries: 40, gapMs: SLOW_GAP_MS });
  });

  test('disables an endpoint only after five days of many failures', () => {
    const failingSince = new Date(NOW - DISABLE_AFTER_MS).toISOString();
    expect(shouldDisable({ failures: 10, failingSince }, NOW)).toBe(true);
    expect(shouldDisable({ failures: 9, failingSince }, NOW)).toBe(false);
    expect(shouldDisable({ failures: 100, failingSince }, NOW - 1)).toBe(false);
    expect(shouldDisable({ failures: 100 }, NOW)).toBe(false);
  });
});
