import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { GetCommand } from '@aws-sdk/lib-dynamodb';

import { clock } from '../../../functions/kernel/clock.ts';
import { errorResponse, messages } from '../../../functions/kernel/http/error-response.ts';
import { consume, findRoom, forgive, reset, tooMany } from '../../../functions/kernel/limits/counter.ts';
import { findLimit } from '../../../functions/kernel/limits/named-limits.ts';
import { forgetSettings } from '../../../functions/kernel/settings.ts';
import { tableClient } from '../../../functions/kernel/storage/client.ts';
import { sha256Hex } from '../../../functions/kernel/keys/hash.ts';
import { startMemoryTable, type TestTable } from '../../support/table.ts';

let table: TestTable;
beforeAll(async () => {
  table = await startMemoryTable();
});
afterAll(() => table.stop());
afterEach(() => clock.reset());

let counters = 0;
/** A counter whose key no other test uses. */
const fresh = () => ({ name: 'guess', key: `ada-${(counters += 1)}@example.com` });
const FIVE = { limit: 5, windowSeconds: 600 };

const burst = async (size: number, environmentId: string, counted: { name: string; key: string }, limit = FIVE) => {
  const verdicts = await Promise.all(Array.from({ length: size }, () => consume(environmentId, counted, limit)));
  return verdicts.filter(({ allowed }) => allowed).length;
};

describe('a counter', () => {
  test('allows exactly its limit of 100 parallel attempts', async () => {
    for (let round = 0; round < 5; round += 1) expect(await burst(100, 'environment_1', fresh())).toBe(5);
  });

  test('allows exactly its limit of 100 parallel attempts after its window has ended', async () => {
    const counted = fresh();
    expect(await burst(10, 'environment_1', counted)).toBe(5);
    clock.advance(600_001);
    expect(await burst(100, 'environment_1', counted)).toBe(5);
  });

  test('reports, without counting, whether an attempt is allowed, and when the next one will be', async () => {
    const counted = fresh();
    for (let time = 0; time < 7; time += 1) {
      expect(await findRoom('environment_1', counted, FIVE)).toMatchObject({ allowed: true, remaining: 5 });
    }
    await burst(4, 'environment_1', counted);
    expect(await findRoom('environment_1', counted, FIVE)).toMatchObject({ allowed: true, remaining: 1 });
    await burst(1, 'environment_1', counted);
    clock.advance(100_000);
    const { allowed, retryAfterSeconds } = await findRoom('environment_1', counted, FIVE);
    expect(allowed).toBe(false);
    expect(retryAfterSeconds).toBeGreaterThan(480);
    expect(retryAfterSeconds).toBeLessThanOrEqual(500);
    clock.advance(500_001);
    expect(await findRoom('environment_1', counted, FIVE)).toMatchObject({ allowed: true, remaining: 5 });
  });

  test('reports the remaining attempts and the wait', async () => {
    const counted = fresh();
    // The clock is stopped: on a busy machine it would advance between two calls, and the wait would be shorter.
    const fixedClock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    expect(await consume('environment_1', counted, { limit: 1, windowSeconds: 60 })).toEqual({
      allowed: true,
      remaining: 0,
      retryAfterSeconds: 0,
    });
    clock.advance(20_500);
    const verdict = await consume('environment_1', counted, { limit: 1, windowSeconds: 60 });
    fixedClock.mockRestore();
    expect(verdict).toEqual({ allowed: false, remaining: 0, retryAfterSeconds: 40 });
    expect(errorResponse(tooMany(verdict), messages)).toMatchObject({
      status: 429,
      body: { code: 'rate_limit_exceeded' },
      headers: { 'retry-after': '40' },
    });
  });

  test('starts its window with the first attempt', async () => {
    const counted = fresh();
    await consume('environment_1', counted, FIVE);
    clock.advance(500_000);
    expect(await burst(10, 'environment_1', counted)).toBe(4);
  });

  test('starts again after its window has ended, however late DynamoDB deletes the row', async () => {
    const counted = fresh();
    await burst(6, 'environment_1', counted);
    clock.advance(30 * 86_400_000);
    expect(await consume('environment_1', counted, FIVE)).toMatchObject({ allowed: true, remaining: 4 });
  });

  test('is independent of other names, keys and environments', async () => {
    const counted = fresh();
    await burst(6, 'environment_1', counted);
    for (const [environmentId, other] of [
      ['environment_2', counted],
      ['environment_1', { ...counted, name: 'another' }],
      ['environment_1', fresh()],
    ] as const) {
      expect(await consume(environmentId, other, FIVE)).toMatchObject({ allowed: true, remaining: 4 });
    }
  });

  test('can take back one attempt, or all of them by a reset', async () => {
    const counted = fresh();
    await forgive('environment_1', counted);
    await burst(5, 'environment_1', counted);
    await forgive('environment_1', counted);
    expect(await consume('environment_1', counted, FIVE)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await consume('environment_1', counted, FIVE)).toMatchObject({ allowed: false });
    for (let at = 0; at < 9; at += 1) await forgive('environment_1', counted);
    expect(await burst(10, 'environment_1', counted)).toBe(5);
    await reset('environment_1', counted);
    expect(await consume('environment_1', counted, FIVE)).toMatchObject({ allowed: true, remaining: 4 });
  });

  test('stores no key in plain text, and its row expires after its window', async () => {
    const counted = fresh();
    const before = clock.seconds();
    await consume('environment_1', counted, FIVE);
    const id = sha256Hex(JSON.stringify([counted.name, counted.key]));
    const { Item } = await tableClient().send(
      new GetCommand({ TableName: 'records', Key: { pk: `environment_1#attempts#${id}`, sk: 'record' } }),
    );
    expect(JSON.stringify(Item)).not.toContain('ada');
    expect(Item?.expiresAt).toBeGreaterThanOrEqual(before + 600);
    expect(Item?.expiresAt).toBeLessThanOrEqual(clock.seconds() + 601);
  });

  test('rejects a limit that is not a positive whole number', async () => {
    for (const limit of [0, -1, 1.5, Number.NaN]) {
      await expect(consume('environment_1', fresh(), { limit, windowSeconds: 60 })).rejects.toThrow(RangeError);
    }
  });
});

describe('a named limit', () => {
  test('has its default until an environment overrides it', () => {
    expect(findLimit('sign-in.email')).toEqual({ limit: 10, windowSeconds: 60 });
    expect(findLimit('sign-in.email', { limits: { 'sign-in.email': { limit: 20 } } })).toEqual({
      limit: 20,
      windowSeconds: 60,
    });
  });

  test('cannot be overridden beyond its maximum', () => {
    const override = { limits: { 'one-time-code.tries': { limit: 1_000_000, window_seconds: 1 } } };
    expect(findLimit('one-time-code.tries', override)).toEqual({ limit: 10, windowSeconds: 86_400 });
  });

  test('keeps its default if the override is invalid', () => {
    for (const entry of [{ limit: 0 }, { limit: 'many' }, 7, null]) {
      expect(findLimit('sign-in.email', { limits: { 'sign-in.email': entry } })).toEqual({
        limit: 10,
        windowSeconds: 60,
      });
    }
  });

  test('of attempts per address is disabled by the setting that disables those limits', () => {
    process.env.GATEHOUSE_ADDRESS_LIMITS = 'off';
    forgetSettings();
    try {
      expect(findLimit('sign-in.address')).toBeUndefined();
      expect(findLimit('sign-in.email')).toEqual({ limit: 10, windowSeconds: 60 });
    } finally {
      delete process.env.GATEHOUSE_ADDRESS_LIMITS;
      forgetSettings();
    }
  });
});
