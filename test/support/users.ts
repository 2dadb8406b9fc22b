import { environmentIdOf } from '../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { newId, ulidOf } from '../../functions/kernel/ids.ts';
import { forgetSettings } from '../../functions/kernel/settings.ts';
import { closeTableClient } from '../../functions/kernel/storage/client.ts';
import { ENVIRONMENT_OWNER, ownerKey } from '../../functions/kernel/storage/record.ts';
import { claim } from '../../functions/kernel/storage/unique.ts';
import { Unit } from '../../functions/kernel/storage/unit.ts';
import type { Write } from '../../functions/kernel/storage/write.ts';
import { claimPair, organizationMemberships } from '../../functions/user-management/organization-membership/entity.ts';
import { REDIRECT_URI } from '../../functions/user-management/public.ts';
import { users } from '../../functions/user-management/user/entity.ts';
import { service } from './service.ts';

/**
 * Users, memberships and redirect URIs as rows of the running service's table, written through the areas' own entities:
 * for tests of areas that name users.
 */
async function write(compose: (environmentId: string) => Write[]): Promise<void> {
  const { variables, clientId } = await service();
  if (process.env.AWS_ENDPOINT_URL_DYNAMODB !== variables.AWS_ENDPOINT_URL_DYNAMODB) {
    Object.assign(process.env, variables);
    forgetSettings();
    closeTableClient();
  }
  const environmentId = environmentIdOf(ulidOf(clientId));
  for (;;) {
    const unit = new Unit(environmentId, systemActor);
    unit.stage(compose(environmentId));
    if ((await unit.commit()).kind === 'committed') return;
  }
}

/** Adds a user. @returns their id */
export async function addUser(email = 'ada@example.com'): Promise<string> {
  const id = newId('user');
  await write((environmentId) => [
    users.create({ environmentId, id, owner: ENVIRONMENT_OWNER, email, emailVerified: true, metadata: {} }).write,
  ]);
  return id;
}

/** Adds a user's membership of an organization. @returns its id */
export async function addMembership(
  userId: string,
  organizationId: string,
  status: 'active' | 'inactive' | 'pending' = 'active',
): Promise<string> {
  const id = newId('om');
  await write((environmentId) => {
    const membership = organizationMemberships.create({
      environmentId,
      id,
      owner: ownerKey('organization', organizationId),
      userId,
      organizationId,
      status,
      directoryManaged: false,
      roles: ['member'],
    });
    return [membership.write, claimPair(membership.record)];
  });
  return id;
}

/** Registers a redirect URI. */
export async function addRedirectUri(uri: string): Promise<void> {
  await write((environmentId) => [claim({ environmentId, kind: REDIRECT_URI, value: uri }, newId('redir'))]);
}
