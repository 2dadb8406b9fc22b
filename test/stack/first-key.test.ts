import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { makeCaller, forgetCallers } from '../../functions/kernel/authentication/api-key.ts';
import { environments } from '../../functions/kernel/storage/environment.ts';
import { provideFirstKey, type SecretStore } from '../../functions/stage/first-key.ts';
import { startMemoryTable, type TestTable } from '../support/table.ts';

let table: TestTable;
beforeAll(async () => {
  table = await startMemoryTable();
});
afterAll(() => table.stop());

/** A secret in the form in which the stack creates it, which may fail once after it was written. */
function secret(failOnce = false): SecretStore & { held: string; writes: number } {
  const state = {
    held: '{"placeholder":"q"}',
    writes: 0,
    read: async () => state.held,
    write: async (text: string) => {
      state.held = text;
      state.writes += 1;
      if (failOnce && state.writes === 1) throw new Error('the answer was lost');
    },
  };
  return state;
}

interface HandOver {
  environment_id: string;
  client_id: string;
  api_key: string;
}
const handedOver = ({ held }: { held: string }): HandOver => JSON.parse(held) as HandOver;

describe('The first API key of a stage', () => {
  test('authenticates the first environment', async () => {
    const store = secret();
    await provideFirstKey(store);
    const { environment_id, client_id, api_key } = handedOver(store);
    forgetCallers();
    expect(await makeCaller(api_key)).toMatchObject({ environmentId: environment_id });
    expect(client_id).toBe(environment_id.replace('environment_', 'client_'));
  });

  test('stays the same in every later deployment', async () => {
    const store = secret();
    await provideFirstKey(store);
    const first = store.held;
    await provideFirstKey(store);
    expect(store).toMatchObject({ held: first, writes: 1 });
  });

  test('is created by a retry if an earlier deployment failed after creating the secret and before writing the table', async () => {
    const store = secret(true);
    await expect(provideFirstKey(store)).rejects.toThrow('the answer was lost');
    const { environment_id, api_key } = handedOver(store);
    expect(await environments.get(environment_id, environment_id)).toBeUndefined();
    await provideFirstKey(store);
    expect(handedOver(store).api_key).toBe(api_key);
    forgetCallers();
    expect(await makeCaller(api_key)).toMatchObject({ environmentId: environment_id });
  });
});
