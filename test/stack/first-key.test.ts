import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { makeCaller, forgetCallers } from '../../functions/kernel/authentication/api-key.ts';
import { createConsoleLink } from '../../functions/faces/console/link/make.ts';
import { findLink, openLink } from '../../functions/faces/console/link/open.ts';
import { environments } from '../../functions/kernel/storage/environment.ts';
import { provideFirstKey, type SecretStore } from '../../functions/stage/stage/first-key.ts';
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
      if (failOnce && state.writes === 1) throw new Error('the response was lost');
    },
  };
  return state;
}

interface HandOver {
  environment_id: string;
  client_id: string;
  api_key: string;
  operator_link: string;
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

  test('comes with a link for the first operator of the console, which is void as soon as there is an owner', async () => {
    const store = secret();
    await provideFirstKey(store);
    const token = handedOver(store).operator_link.replace('/console/link/', '');
    expect(await findLink(token)).toMatchObject({ role: 'owner', isForFirstOwner: true });
    const own = await createConsoleLink({ email: 'ada@acme.example', role: 'owner' });
    const request = { headers: {}, cookies: [] } as unknown as Parameters<typeof openLink>[2];
    const opened = await openLink(own.replace('/console/link/', ''), undefined, request);
    expect(opened.kind).toBe('opened');
    expect(await findLink(token)).toBeUndefined();
    expect(await openLink(token, 'eve@acme.example', request)).toEqual({ kind: 'ended' });
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
    await expect(provideFirstKey(store)).rejects.toThrow('the response was lost');
    const { environment_id, api_key } = handedOver(store);
    expect(await environments.get(environment_id, environment_id)).toBeUndefined();
    await provideFirstKey(store);
    expect(handedOver(store).api_key).toBe(api_key);
    forgetCallers();
    expect(await makeCaller(api_key)).toMatchObject({ environmentId: environment_id });
  });
});
