import { issueAuthorizationCode } from '../../../functions/sign-in/modules/authorization-codes/public.ts';
import { admit } from '../../support/admission.ts';
import { startFlow } from '../../../functions/sign-in/modules/sign-in-flows/public.ts';
import {
  makeClientId,
  ENVIRONMENT_KEY_PREFIX,
  environmentIdOf,
} from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { readKey } from '../../../functions/kernel/authentication/secret-key.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { stageUser } from '../../../functions/tenancy/modules/users/public.ts';
import { ownHash } from '../../../functions/proofs/modules/credentials/password/check.ts';
import { passwords } from '../../../functions/proofs/modules/credentials/password/entity.ts';
import type { Connection } from '../../support/connection.ts';
import { type CaseFile, each, usingUp } from '../case.ts';
import { bareArgon2id } from './credentials.ts';

/** The password of the users in these cases. */
export const PASSWORD = 'correct horse battery staple 7';

const findEnvironment = ({ apiKey }: Connection): string =>
  environmentIdOf(readKey(ENVIRONMENT_KEY_PREFIX, apiKey)?.ulid ?? '');

const authenticate = (connection: Connection, grant: Record<string, unknown>) => ({
  method: 'POST',
  path: '/user_management/authenticate',
  body: { client_id: makeClientId(findEnvironment(connection)), client_secret: connection.apiKey, ...grant },
});

/** Users with one password, hashed once, as rows. @returns their emails */
export async function addUsers(connection: Connection, size: number): Promise<string[]> {
  const [environmentId, hash] = [findEnvironment(connection), await ownHash(PASSWORD)];
  return each(size, async (at) => {
    const email = `user${at}@example.com`;
    await applyWork(environmentId, systemActor, async (unit) => {
      const { id } = stageUser(unit, { environmentId, email, emailVerified: true });
      unit.stage(passwords.create({ environmentId, id, ...hash }).write);
    });
    return email;
  });
}

/** Codes of sign-ins of one user, as the hosted pages issue them. */
async function addCodes(connection: Connection, size: number): Promise<string[]> {
  const environmentId = findEnvironment(connection);
  return each(size, async (at) => {
    let code = '';
    let flow: ReturnType<typeof startFlow> | undefined;
    await applyWork(environmentId, systemActor, async (unit) => {
      const parameters = { redirectUri: 'https://app.example.com', provider: 'hosted', screenHint: 'sign-in' } as const;
      flow = startFlow(unit, environmentId, parameters);
    });
    await applyWork(environmentId, systemActor, async (unit) => {
      const user = stageUser(unit, { environmentId, email: `code${at}@example.com`, emailVerified: true });
      if (flow === undefined) throw new Error('no sign-in was begun');
      ({ code } = await issueAuthorizationCode(unit, {
        environmentId,
        flow,
        user,
        verdict: admit(),
        method: 'password',
      }));
    });
    return code;
  });
}

export const authenticationCases: CaseFile = {
  area: 'authentication',
  cases: [
    {
      // The user; what the id and the address name, in two steps; connections and counters.
      name: 'users.sign_in_explanation',
      kind: 'read',
      roundTrips: 5,
      prepare: async (connection) => {
        const body = { email: 'ada@acme.example' };
        const path = '/user_management/users';
        const { id } = await connection.demand<{ id: string }>({ method: 'POST', path, body });
        const asked = `/x/user-management/users/${id}/sign_in_explanation`;
        return () => ({ method: 'GET', path: asked, status: 200 });
      },
    },
    {
      // The user; events and the list of factors; the counters.
      name: 'users.limits',
      kind: 'read',
      roundTrips: 3,
      prepare: async (connection) => {
        const body = { email: 'ada@acme.example' };
        const path = '/user_management/users';
        const { id } = await connection.demand<{ id: string }>({ method: 'POST', path, body });
        return () => ({ method: 'GET', path: `/x/user-management/users/${id}/limits`, status: 200 });
      },
    },
    {
      // The round trips are: claim and counters in parallel; user; password, factors, memberships and sessions;
      // transaction.
      name: 'authenticate (password, CPU beside a bare argon2id)',
      kind: 'mutation',
      concurrently: bareArgon2id,
      roundTrips: 4,
      cpuAboveBaselineMs: 8,
      usesUp: true,
      prepare: async (connection, size) =>
        usingUp(await addUsers(connection, size), (email) => ({
          ...authenticate(connection, { grant_type: 'password', email, password: PASSWORD }),
          status: 200,
        })),
    },
    {
      // The round trips are those above until the rejection; the counters of wrong passwords; its event.
      name: 'authenticate (unknown email)',
      kind: 'mutation',
      roundTrips: 5,
      prepare: async (connection) => {
        let at = 0;
        return () => ({
          ...authenticate(connection, { grant_type: 'password', email: `no${at++}@example.com`, password: PASSWORD }),
          status: 400,
        });
      },
    },
    {
      // The round trips are: counters; code; its attempt; transaction. In parallel the claim, the user and prefetched data,
      // sometimes between two.
      name: 'authenticate (magic code)',
      kind: 'mutation',
      roundTrips: 5,
      usesUp: true,
      prepare: async (connection, size) => {
        const emails = await addUsers(connection, size);
        const codes = await each(size, async (at) => {
          const body = { email: emails[at] };
          const request = { method: 'POST', path: '/user_management/magic_auth', body, status: 201 } as const;
          return connection.demand<{ email: string; code: string }>(request);
        });
        return usingUp(codes, ({ email, code }) => ({
          ...authenticate(connection, {
            grant_type: 'urn:gatehouse:oauth:grant-type:magic-auth:code',
            email,
            code,
          }),
          status: 200,
        }));
      },
    },
    {
      // The round trips are: code; user; sessions; transaction.
      name: 'authenticate (authorization code)',
      kind: 'mutation',
      roundTrips: 4,
      cpuMs: 5.5,
      usesUp: true,
      prepare: async (connection, size) =>
        usingUp(await addCodes(connection, size), (code) => ({
          ...authenticate(connection, { grant_type: 'authorization_code', code }),
          status: 200,
        })),
    },
    {
      name: 'authentication.authorize_device',
      kind: 'mutation',
      roundTrips: 1,
      prepare: async (connection) => {
        const body = { client_id: makeClientId(findEnvironment(connection)) };
        return () => ({ method: 'POST', path: '/user_management/authorize/device', body, key: null, status: 200 });
      },
    },
  ],
};
