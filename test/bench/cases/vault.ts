import { randomUUID } from 'node:crypto';

import type { CaseFile } from '../case.ts';

const key_context = { team: 'blue' };
const VALUE = 'v'.repeat(1_024);

export const vaultCases: CaseFile = {
  area: 'vault',
  cases: [
    {
      name: 'vault.kv.read (1 KiB)',
      kind: 'read',
      cpuAboveBaselineMs: 1.5,
      // A vault read also writes its event.
      roundTrips: 2,
      prepare: async (connection) => {
        const body = { name: randomUUID(), value: VALUE, key_context };
        const { id } = await connection.demand<{ id: string }>({ method: 'POST', path: '/vault/v1/kv', body });
        return () => ({ method: 'GET', path: `/vault/v1/kv/${id}`, status: 200 });
      },
    },
    {
      name: 'vault.kv.create (1 KiB)',
      kind: 'mutation',
      prepare: async () => () => {
        const body = { name: randomUUID(), value: VALUE, key_context };
        return { method: 'POST', path: '/vault/v1/kv', body, status: 201 };
      },
    },
    {
      name: 'vault.kv.update (1 KiB)',
      kind: 'mutation',
      prepare: async (connection) => {
        const body = { name: randomUUID(), value: VALUE, key_context };
        const { id } = await connection.demand<{ id: string }>({ method: 'POST', path: '/vault/v1/kv', body });
        return () => ({ method: 'PUT', path: `/vault/v1/kv/${id}`, body: { value: VALUE }, status: 201 });
      },
    },
    {
      name: 'vault.data_key',
      kind: 'mutation',
      // The round trips are: KMS makes the key, in parallel with the read of the context's key; then the event is written.
      roundTrips: 3,
      prepare: async () => () => ({
        method: 'POST',
        path: '/vault/v1/keys/data-key',
        body: { context: key_context },
        status: 200,
      }),
    },
    {
      name: 'vault.decrypt',
      kind: 'mutation',
      roundTrips: 3,
      prepare: async (connection) => {
        const made = { method: 'POST', path: '/vault/v1/keys/data-key', body: { context: key_context } } as const;
        const { encrypted_keys: keys } = await connection.demand<{ encrypted_keys: string }>(made);
        return () => ({ method: 'POST', path: '/vault/v1/keys/decrypt', body: { keys }, status: 200 });
      },
    },
  ],
};
