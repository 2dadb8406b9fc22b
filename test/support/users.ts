import { environmentIdOf } from '../../functions/kernel/authentication/api-key.ts';
import { newId, ulidOf } from '../../functions/kernel/ids.ts';
import { forgetSettings } from '../../functions/kernel/settings.ts';
import { closeTableClient } from '../../functions/kernel/storage/client.ts';
import { claim } from '../../functions/kernel/storage/unique.ts';
import { REDIRECT_URI } from '../../functions/user-management/redirect-uri/entity.ts';
import { service } from './service.ts';
import { commitRows, writeMembership, writeUser } from './user-rows.ts';

/**
 * Users, memberships and redirect URIs as rows of the running service's table: for tests of areas that name them.
 * @returns the service's environment, to whose table this process's kernel is pointed
 */
export async function environment(): Promise<string> {
  const { variables, clientId } = await service();
  if (process.env.AWS_ENDPOINT_URL_DYNAMODB !== variables.AWS_ENDPOINT_URL_DYNAMODB) {
    Object.assign(process.env, variables);
    forgetSettings();
    closeTableClient();
  }
  return environmentIdOf(ulidOf(clientId));
}

/** Adds a user. @returns their id */
export const addUser = async (email?: string): Promise<string> => writeUser(await environment(), email);

/** Adds a user's membership of an organization. @returns its id */
export const addMembership = async (
  userId: string,
  organizationId: string,
  status?: 'active' | 'inactive' | 'pending',
): Promise<string> => writeMembership(await environment(), { userId, organizationId }, status);

/** Registers a redirect URI. */
export async function addRedirectUri(uri: string): Promise<void> {
  const environmentId = await environment();
  await commitRows(environmentId, [claim({ environmentId, kind: REDIRECT_URI, value: uri }, newId('redir'))]);
}
