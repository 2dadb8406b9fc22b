import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { startTrial, type Trial } from './trial/start.ts';

let trial: Trial;
beforeAll(async () => {
  trial = await startTrial();
});
beforeEach(() => trial.local('POST', 'reset'));

/** The calls that policies denied since the last reset. */
const takeDenied = async (): Promise<string[]> =>
  ((await trial.local('POST', 'reset')) as unknown as { denied: string[] }).denied;

describe('the local service evaluates each call by the policy of its function', () => {
  const plant = async (kind: string, by: string) => (await trial.call('POST', '/x/trial/rows', { kind, by })).status;

  test.each(['put', 'transaction', 'batch'])('and denies a write of a foreign kind of row (%s)', async (by) => {
    expect(await plant('note', by)).toBe(201);
    expect(await takeDenied()).toEqual([]);
    const action = by === 'batch' ? 'BatchWriteItem' : 'PutItem';
    for (const kind of ['console-link', 'notes', 'x#note', 'grants']) {
      expect(await plant(kind, by)).toBeGreaterThanOrEqual(500);
      expect(await takeDenied()).toEqual([
        expect.stringMatching(
          `^trial-http may not call dynamodb:${action} for environment_\\w+#(${kind}#planted|note#other)$`,
        ),
      ]);
    }
  });

  test('and lets it stamp the day of a use, but write nothing else into the rows that it stamps', async () => {
    expect((await trial.call('GET', '/x/trial/notes')).status).toBe(200);
    expect(await takeDenied()).toEqual([]);
    expect(await plant('credential', 'put')).toBeGreaterThanOrEqual(500);
    expect(await takeDenied()).toHaveLength(1);
  });

  const use = async (purpose: string, opened?: string) =>
    (await trial.call('POST', '/x/trial/values', { purpose, ...(opened === undefined ? {} : { opened }) })) as {
      status: number;
      body: { value?: string };
    };

  test('and denies encryption and decryption for a foreign purpose', async () => {
    const { body } = await use('trial');
    expect(await use('trial', body.value)).toMatchObject({ status: 201, body: { value: 'text' } });
    expect(await takeDenied()).toEqual([]);
    for (const purpose of ['totp-seed', 'signing-key', 'trial2', 'tria']) {
      expect((await use(purpose)).status).toBe(503);
      expect(await takeDenied()).toEqual([`trial-http may not call kms:GenerateDataKey for ${purpose}`]);
    }
  });

  test('and denies decryption for a purpose for which the function only encrypts', async () => {
    const { body } = await use('trial-mail');
    // A data key is cached for a minute after its encryption.
    await trial.local('POST', 'clock', { advance_seconds: 61 });
    expect((await use('trial-mail', body.value)).status).toBe(503);
    expect(await takeDenied()).toEqual(['trial-http may not call kms:Decrypt for trial-mail']);
  });
});
