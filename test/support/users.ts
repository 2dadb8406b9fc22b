import { forgetEnvironments } from '../../functions/kernel/authentication/environment.ts';
import { environmentIdOf } from '../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { readUlid } from '../../functions/kernel/id-format.ts';
import { forgetSettings } from '../../functions/kernel/settings.ts';
import { applyWork } from '../../functions/kernel/storage/background.ts';
import { closeTableClient } from '../../functions/kernel/storage/client.ts';
import { stageSession } from '../../functions/tenancy/sessions/public.ts';
import { findLiveSessions } from '../../functions/tenancy/sessions/session/find.ts';
import { findUser, touchUserVersion } from '../../functions/tenancy/modules/users/public.ts';
import { rowsIn } from '../kernel/notes/table.ts';
import { service } from './service.ts';
import { writeMembership, writeUser } from './user-rows.ts';
import { admit } from './admission.ts';

/**
 * Users and memberships as rows of the running service's table: for tests of areas that refer to them.
 * @returns the service's environment, whose table this process's kernel uses
 */
export async function environment(): Promise<string> {
  const { variables, clientId } = await service();
  if (process.env.AWS_ENDPOINT_URL_DYNAMODB !== variables.AWS_ENDPOINT_URL_DYNAMODB) {
    Object.assign(process.env, variables);
    forgetSettings();
    closeTableClient();
  }
  return environmentIdOf(readUlid(clientId));
}

/**
 * Adds a user.
 * @returns the user's id
 */
export const addUser = async (email?: string): Promise<string> => writeUser(await environment(), email);

/** Adds a user's membership of an organization. @returns its id */
export const addMembership = async (
  userId: string,
  organizationId: string,
  status?: 'active' | 'inactive' | 'pending',
): Promise<string> => writeMembership(await environment(), { userId, organizationId }, status);

/** Signs a user in, to an organization if one is given. @returns the session's id */
export async function addSession(userId: string, organizationId?: string): Promise<string> {
  const environmentId = await environment();
  let id = '';
  // The test may have just changed the settings for sessions, over HTTP.
  forgetEnvironments();
  await applyWork(environmentId, systemActor, async (unit) => {
    const user = await findUser(environmentId, userId);
    if (user === undefined) throw new Error(`There is no user ${userId}`);
    touchUserVersion(unit, user);
    const client = { ipAddress: null, userAgent: null, client: 'confidential' } as const;
    const { session } = await stageSession(unit, admit(organizationId), {
      environmentId,
      userId,
      authMethod: 'password',
      ...client,
    });
    id = session.id;
  });
  return id;
}

/** The ids of a user's live sessions. */
export const readSessions = async (userId: string): Promise<string[]> =>
  (await findLiveSessions(await environment(), userId)).map(({ id }) => id);

/** The kinds of the rows that refer to a record, one for each row, for tests of the data that remain after its deletion. */
export async function readRows(id: string): Promise<string[]> {
  const rows = await rowsIn(await environment());
  return rows.filter((row) => JSON.stringify(row).includes(id)).map((row) => String(row.__edb_e__));
}
