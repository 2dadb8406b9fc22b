import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';

import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { stageSession } from '../../../functions/tenancy/sessions/public.ts';
import type { Connection, Sent } from '../../support/connection.ts';
import { writeMembership, writeUser } from '../../support/user-rows.ts';
import { type CaseFile, each, usingUp } from '../case.ts';
import { findEnvironment } from './environment.ts';
import { createOrganization } from './organizations.ts';
import { admit } from '../../support/admission.ts';

interface Opened {
  userId: string;
  sessionId: string;
  refreshToken: string;
}

/** A session of a new user, written as rows, since a sign-in would hash a password for each. */
async function openSession(connection: Connection, email: string, organizationId?: string): Promise<Opened> {
  const environmentId = findEnvironment(connection);
  const userId = await writeUser(environmentId, email);
  if (organizationId !== undefined) await writeMembership(environmentId, { userId, organizationId });
  const opening = { environmentId, userId, authMethod: 'password', client: 'confidential' } as const;
  let opened: Opened | undefined;
  await applyWork(environmentId, systemActor, async (unit) => {
    const { session, refreshToken } = await stageSession(unit, admit(organizationId), {
      ...opening,
      ipAddress: null,
      userAgent: null,
    });
    opened = { userId, sessionId: session.id, refreshToken };
  });
  if (opened === undefined) throw new Error('no session was opened');
  return opened;
}

const openMany = (connection: Connection, size: number, organizationId?: string): Promise<Opened[]> =>
  each(size, (at) => openSession(connection, `user${at}@example.com`, organizationId));

const refresh = (connection: Connection, refreshToken: string): Sent => ({
  method: 'POST',
  path: '/user_management/authenticate',
  body: {
    grant_type: 'refresh_token',
    client_id: makeClientId(findEnvironment(connection)),
    client_secret: connection.apiKey,
    refresh_token: refreshToken,
  },
});

/** The minimal cost of making a JWT: an RSA signature of 2,048 bits over the length of an access token. */
async function bareSignature(): Promise<unknown> {
  signingKey ??= generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  return signOffThread('sha256', Buffer.alloc(700, 'x'), signingKey);
}

const signOffThread = promisify(sign);
let signingKey: KeyObject | undefined;

export const sessionCases: CaseFile = {
  area: 'sessions',
  cases: [
    {
      name: 'sso.jwks',
      kind: 'read',
      prepare: async (connection) => {
        const path = `/sso/jwks/${makeClientId(findEnvironment(connection))}`;
        await connection.demand({ method: 'GET', path, key: null });
        return () => ({ method: 'GET', path, key: null, status: 200 });
      },
    },
    {
      name: 'sessions.list',
      kind: 'read',
      prepare: async (connection) => {
        const { userId } = await openSession(connection, 'ada@example.com');
        return () => ({ method: 'GET', path: `/user_management/users/${userId}/sessions`, status: 200 });
      },
    },
    {
      name: 'sessions.revoke',
      kind: 'mutation',
      // The id does not contain the session's user, so the row with the user is read first.
      roundTrips: 3,
      usesUp: true,
      prepare: async (connection, size) =>
        usingUp(await openMany(connection, size), ({ sessionId }) => ({
          method: 'POST',
          path: '/user_management/sessions/revoke',
          body: { session_id: sessionId },
          status: 200,
        })),
    },
  ],
};

export const refreshCases: CaseFile = {
  area: 'authentication',
  cases: [
    {
      name: 'authenticate (refresh)',
      kind: 'mutation',
      cpuMs: 3.7,
      usesUp: true,
      prepare: async (connection, size) =>
        usingUp(await openMany(connection, size), ({ refreshToken }) => ({
          ...refresh(connection, refreshToken),
          status: 200,
        })),
    },
    {
      name: 'authenticate (refresh in an organization)',
      kind: 'mutation',
      usesUp: true,
      prepare: async (connection, size) => {
        const { id } = await createOrganization(connection);
        return usingUp(await openMany(connection, size, id), ({ refreshToken }) => ({
          ...refresh(connection, refreshToken),
          status: 200,
        }));
      },
    },
    {
      name: 'authenticate (refresh in an organization, with permissions and flags)',
      kind: 'mutation',
      usesUp: true,
      prepare: async (connection, size) => {
        const permissions = Array.from({ length: 20 }, (_, at) => ({ slug: `documents-${at}:read`, name: 'Read' }));
        const member = { slug: 'member', name: 'Member', permissions: permissions.map(({ slug }) => slug) };
        const model = { permissions, roles: [member, { slug: 'admin', name: 'Admin' }] };
        await connection.demand({ method: 'PUT', path: '/x/authorization/model', body: model });
        for (let at = 0; at < 20; at += 1) {
          const body = { slug: `flag-${at}`, name: 'Flag', enabled: true, default_value: true };
          await connection.demand({ method: 'POST', path: '/x/feature-flags', body });
        }
        const { id } = await createOrganization(connection);
        return usingUp(await openMany(connection, size, id), ({ refreshToken }) => ({
          ...refresh(connection, refreshToken),
          status: 200,
        }));
      },
    },
    {
      // A refresh after a concurrent one that was faster. Nothing is written, so it costs one read and a JWT.
      name: 'authenticate (replaced token: one read and a JWT, CPU beside a bare RS256)',
      kind: 'read',
      concurrently: bareSignature,
      prepare: async (connection) => {
        const { refreshToken } = await openSession(connection, 'ada@example.com');
        await connection.demand(refresh(connection, refreshToken));
        return () => ({ ...refresh(connection, refreshToken), status: 200 });
      },
    },
  ],
};
