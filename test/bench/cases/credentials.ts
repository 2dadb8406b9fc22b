import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

import type { Connection } from '../../support/connection.ts';
import { type Case, type CaseFile, each, type Expected, usingUp } from '../case.ts';

const PASSWORD = 'tangled violins at dawn';

const derive = promisify(argon2);
/** One argon2id hash with the service's parameters and nothing else, which is the minimum for a password. */
export const bareArgon2id = (): Promise<unknown> =>
  derive('argon2id', {
    message: PASSWORD,
    nonce: randomBytes(16),
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  });

const emailOf = (at: number): string => `person-${at}@example.com`;
const createUser = (at: number, members: object = {}): Expected => ({
  method: 'POST',
  path: '/user_management/users',
  body: { email: emailOf(at), ...members },
  status: 201,
});

const createUsers = (connection: Connection, size: number, members: object = {}): Promise<{ id: string }[]> =>
  each(size, (at) => connection.demand<{ id: string }>(createUser(at, members)));

/** Number of codes or links for an address in a minute, which is limited to three. */
const SENT_EACH = 3;

const magicCode = (at: number): Expected => ({
  method: 'POST',
  path: '/user_management/magic_auth',
  body: { email: emailOf(at) },
  status: 201,
});

/**
 * Numbers of users for the requests, each a few times and never twice in a row, because their calls would wait for each
 * other.
 */
const takingTurns = (size: number, each: number): number[] => {
  const userCount = Math.ceil(size / each);
  return Array.from({ length: size }, (_, at) => at % userCount);
};

const cases: readonly Case[] = [
  {
    name: 'magic_auth.create',
    kind: 'mutation',
    // The round trips are: the address, its user, in parallel the counter of a minute and that of a day; the previous code;
    // the transaction. Sometimes the environment is read again.
    roundTrips: 5,
    usesUp: true,
    most: 600,
    prepare: async (connection, size) => {
      await createUsers(connection, Math.ceil(size / SENT_EACH));
      return usingUp(takingTurns(size, SENT_EACH), magicCode);
    },
  },
  {
    name: 'users.create (password, CPU beside a bare argon2id)',
    kind: 'mutation',
    usesUp: true,
    most: 200,
    concurrently: bareArgon2id,
    prepare: async (_connection, size) =>
      usingUp(
        Array.from({ length: size }, (_, at) => at),
        (at) => createUser(at, { password: PASSWORD }),
      ),
  },
];

export const credentialCases: CaseFile = { area: 'user-management', cases };
