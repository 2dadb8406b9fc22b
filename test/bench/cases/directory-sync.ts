import type { Connection } from '../../support/connection.ts';
import { type Case, type CaseFile, each, type Expected, usingUp } from '../case.ts';

interface Created {
  id: string;
}

/** Maximum requests of a case, since an instance accepts 200 calls of a directory at once. */
const MOST = 100;

/** The SCIM client of a provider. */
interface Provider {
  directoryId: string;
  request: (method: string, path: string, status: number, body?: object) => Expected;
}

async function newProvider(connection: Connection): Promise<Provider> {
  const organization = await connection.demand<Created>({
    method: 'POST',
    path: '/organizations',
    body: { name: 'Acme' },
  });
  const body = { organization_id: organization.id, name: 'Acme people', provisioning: 'off' };
  const made = await connection.demand<Created & { external_key: string }>({
    method: 'POST',
    path: '/x/directories',
    body,
  });
  const path = `/x/directories/${made.id}/tokens`;
  const { value } = await connection.demand<{ value: string }>({ method: 'POST', path, body: {} });
  return {
    directoryId: made.id,
    request: (method, below, status, own) => ({
      method,
      path: `/scim/v2.0/${made.external_key}${below}`,
      key: value,
      status,
      ...(own === undefined ? {} : { body: own }),
    }),
  };
}

const user = (at: number): object => ({
  userName: `user-${at}@acme.example`,
  name: { givenName: 'Ada', familyName: `Lovelace ${at}` },
  emails: [{ value: `user-${at}@acme.example`, type: 'work', primary: true }],
  active: true,
});

const newUsers = (connection: Connection, { request }: Provider, size: number): Promise<Created[]> =>
  each(size, (at) => connection.demand<Created>(request('POST', '/Users', 201, user(at))));

const cases: readonly Case[] = [
  {
    name: 'directories.list',
    kind: 'read',
    // The round trips are: the directories of the page, then their counts.
    roundTrips: 2,
    prepare: async (connection) => {
      await each(10, () => newProvider(connection));
      return () => ({ method: 'GET', path: '/directories', status: 200 });
    },
  },
  {
    name: 'scim.get_user',
    kind: 'read',
    isSimple: true,
    most: MOST,
    prepare: async (connection) => {
      const provider = await newProvider(connection);
      const [made] = await newUsers(connection, provider, 1);
      return () => provider.request('GET', `/Users/${made?.id}`, 200);
    },
  },
  {
    name: 'scim.create_user',
    kind: 'mutation',
    usesUp: true,
    most: MOST,
    prepare: async (connection) => {
      const provider = await newProvider(connection);
      return usingUp([...Array(MOST).keys()], (at) => provider.request('POST', '/Users', 201, user(at)));
    },
  },
  {
    name: 'scim.patch_user',
    kind: 'mutation',
    most: MOST,
    prepare: async (connection) => {
      const provider = await newProvider(connection);
      // Calls at the same time change different users, as a provider's do; those that change one user exclude each other.
      const made = await newUsers(connection, provider, MOST);
      let at = 0;
      return () => {
        const Operations = [{ op: 'replace', path: 'title', value: `Analyst ${(at += 1)}` }];
        return provider.request('PATCH', `/Users/${made[at % MOST]?.id}`, 200, { Operations });
      };
    },
  },
  {
    name: 'scim.get_group of 100 members',
    kind: 'read',
    most: MOST,
    prepare: async (connection) => {
      const provider = await newProvider(connection);
      const users = await newUsers(connection, provider, 100);
      const body = { displayName: 'Everyone', members: users.map(({ id }) => ({ value: id })) };
      const { id } = await connection.demand<Created>(provider.request('POST', '/Groups', 201, body));
      return () => provider.request('GET', `/Groups/${id}`, 200);
    },
  },
];

export const directorySyncCases: CaseFile = { area: 'directory-sync', cases };
