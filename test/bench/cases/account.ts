import type { Connection } from '../../support/connection.ts';
import { writeUser } from '../../support/user-rows.ts';
import type { CaseFile } from '../case.ts';
import { findEnvironment } from './environment.ts';

const linkPath = async (connection: Connection): Promise<string> =>
  `/x/user-management/users/${await writeUser(findEnvironment(connection))}/account_link`;

export const accountCases: CaseFile = {
  area: 'account',
  cases: [
    {
      name: 'users.create_account_link',
      kind: 'mutation',
      prepare: async (connection) => {
        const path = await linkPath(connection);
        return () => ({ method: 'POST', path, body: {}, status: 201 });
      },
    },
    {
      // The round trips are: the link, then its user. The settings are cached.
      name: 'account.show_link',
      kind: 'read',
      roundTrips: 2,
      prepare: async (connection) => {
        const sent = { method: 'POST', path: await linkPath(connection), body: {} };
        const { link } = await connection.demand<{ link: string }>(sent);
        const path = new URL(link).pathname;
        return () => ({ method: 'GET', path, headers: { accept: 'text/html' }, key: null, status: 200 });
      },
    },
  ],
};
