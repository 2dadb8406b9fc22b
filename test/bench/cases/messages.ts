import { randomUUID } from 'node:crypto';

import type { Connection } from '../../support/connection.ts';
import { type CaseFile, each, usingUp } from '../case.ts';

const PATH = '/x/messages/suppressions';
/** Time limit in ms for the worker to record the reports. */
const IDLE_MS = 30_000;

/**
 * Suppresses addresses by mails that bounce.
 * @returns the ids of the suppressions
 */
async function suppressed(connection: Connection, size: number): Promise<string[]> {
  const emails = Array.from({ length: size }, () => `${randomUUID()}@acme.example`);
  const send = async (email: string): Promise<void> => {
    await connection.demand({ method: 'POST', path: '/user_management/magic_auth', body: { email } });
  };
  await each(size, (at) => send(emails[at] ?? ''));
  await connection.control('GET', `idle?wait_ms=${IDLE_MS}`);
  for (const email of emails) {
    const query = new URLSearchParams({ to: email }).toString();
    const { data } = await connection.control<{ data: { id: string }[] }>('GET', `messages?${query}`);
    await connection.control('POST', 'feedback', { message_id: data[0]?.id, kind: 'bounce' });
  }
  await connection.control('GET', `idle?wait_ms=${IDLE_MS}`);
  return each(size, async (at) => {
    const query = new URLSearchParams({ email: emails[at] ?? '' }).toString();
    const { data } = await connection.demand<{ data: { id: string }[] }>({ method: 'GET', path: `${PATH}?${query}` });
    return data[0]?.id ?? '';
  });
}

export const messageCases: CaseFile = {
  area: 'messages',
  cases: [
    {
      name: 'messages.list',
      kind: 'read',
      prepare: async (connection) => {
        const body = { email: 'ada@acme.example' };
        await connection.demand({ method: 'POST', path: '/user_management/magic_auth', body });
        await connection.control('GET', `idle?wait_ms=${IDLE_MS}`);
        return () => ({ method: 'GET', path: '/x/messages?to=ada@acme.example', status: 200 });
      },
    },
    {
      name: 'email_suppressions.list',
      kind: 'read',
      prepare: async (connection) => {
        await suppressed(connection, 10);
        return () => ({ method: 'GET', path: PATH, status: 200 });
      },
    },
    {
      name: 'email_suppressions.get',
      kind: 'read',
      isSimple: true,
      prepare: async (connection) => {
        const [id] = await suppressed(connection, 1);
        return () => ({ method: 'GET', path: `${PATH}/${id}`, status: 200 });
      },
    },
    {
      // The round trips are: the suppression, the counter of the address, the state of the address, the transaction.
      name: 'email_suppressions.delete',
      kind: 'mutation',
      roundTrips: 4,
      usesUp: true,
      most: 40,
      prepare: async (connection, size) => {
        const ids = await suppressed(connection, Math.min(size, 40));
        return usingUp(ids, (id) => ({ method: 'DELETE', path: `${PATH}/${id}`, status: 204 }));
      },
    },
  ],
};
