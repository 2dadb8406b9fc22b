import type { Connection } from '../../support/connection.ts';
import { type CaseFile, each, usingUp } from '../case.ts';

const INVITATIONS = '/user_management/invitations';
const ENTRIES = '/user_management/waitlists/default/entries';

const addresses = (size: number): string[] => Array.from({ length: size }, (_, at) => `person-${at}@acme.example`);

const invite = (connection: Connection, email: string) =>
  connection.demand<{ id: string; token: string }>({ method: 'POST', path: INVITATIONS, body: { email } });

/** The cases of redirect URIs, invitations and waitlists. */
export const registrationCases: CaseFile = {
  area: 'user-management',
  cases: [
    {
      name: 'redirect_uris.create',
      kind: 'mutation',
      usesUp: true,
      prepare: async (_connection, size) =>
        usingUp(
          addresses(size).map((_, at) => `https://app.example.com/${at}`),
          (uri) => ({ method: 'POST', path: '/user_management/redirect_uris', body: { uri }, status: 201 }),
        ),
    },
    {
      name: 'invitations.create (to somebody without an account)',
      kind: 'mutation',
      usesUp: true,
      prepare: async (_connection, size) =>
        usingUp(addresses(size), (email) => ({ method: 'POST', path: INVITATIONS, body: { email }, status: 201 })),
    },
    {
      name: 'invitations.get',
      kind: 'read',
      prepare: async (connection) => {
        const { id } = await invite(connection, 'ada@acme.example');
        return () => ({ method: 'GET', path: `${INVITATIONS}/${id}`, status: 200 });
      },
    },
    {
      // The round trips are: the token's hash finds the invitation's id, which finds the invitation.
      name: 'invitations.get_by_token',
      kind: 'read',
      roundTrips: 2,
      prepare: async (connection) => {
        const { token } = await invite(connection, 'ada@acme.example');
        return () => ({ method: 'GET', path: `${INVITATIONS}/by_token/${token}`, status: 200 });
      },
    },
    {
      name: 'invitations.revoke',
      kind: 'mutation',
      usesUp: true,
      prepare: async (connection, size) => {
        const made = await each(size, async (at) => invite(connection, `person-${at}@acme.example`));
        return usingUp(made, ({ id }) => ({ method: 'POST', path: `${INVITATIONS}/${id}/revoke`, status: 200 }));
      },
    },
    {
      // The round trips are: `default` finds the waitlist's id, the id the waitlist, and both whether the address is on it.
      name: 'waitlist_entries.create',
      kind: 'mutation',
      roundTrips: 4,
      usesUp: true,
      prepare: async (connection, size) => {
        await connection.demand({ method: 'POST', path: ENTRIES, body: { email: 'first@acme.example' } });
        return usingUp(addresses(size), (email) => ({ method: 'POST', path: ENTRIES, body: { email }, status: 201 }));
      },
    },
  ],
};
