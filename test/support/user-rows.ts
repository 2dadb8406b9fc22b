import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { newId } from '../../functions/kernel/ids.ts';
import { readUlid } from '../../functions/kernel/id-format.ts';
import { applyWork } from '../../functions/kernel/storage/background.ts';
import { Unit } from '../../functions/kernel/storage/unit.ts';
import type { Write } from '../../functions/kernel/storage/write.ts';
import { normalizeEmail } from '../../functions/kernel/address.ts';
import { rolesOfMemberships, stageMembership } from '../../functions/tenancy/modules/memberships/public.ts';
import { stageUser } from '../../functions/tenancy/modules/users/public.ts';
import { retry } from './retries.ts';

/** Commits writes to the table of this process's kernel, and repeats the commit after a conflict. */
export async function commitRows(environmentId: string, writes: readonly Write[]): Promise<void> {
  const commit = () => {
    const unit = new Unit(environmentId, systemActor);
    unit.suppressEvents();
    unit.stage(writes);
    return unit.commit();
  };
  await retry(commit, ({ kind }) => kind === 'committed');
}

/**
 * Creates a user directly in the table, with the rows that a sign-up would write.
 * @param email if absent, a unique one
 * @returns the user's id
 */
export async function writeUser(environmentId: string, email?: string): Promise<string> {
  const id = newId('user');
  const address = normalizeEmail(email ?? `${readUlid(id)}@example.com`) ?? '';
  await applyWork(environmentId, systemActor, async (unit) => {
    stageUser(unit, { environmentId, id, email: address, emailVerified: true });
  });
  return id;
}

/** Creates a membership of a user directly in the table. @returns its id */
export async function writeMembership(
  environmentId: string,
  pair: { userId: string; organizationId: string },
  status: 'active' | 'inactive' | 'pending' = 'active',
): Promise<string> {
  const id = newId('om');
  await applyWork(environmentId, systemActor, async (unit) => {
    const { defaultRole } = await rolesOfMemberships(environmentId, pair.organizationId);
    stageMembership(unit, { environmentId, id, ...pair, status, roles: [defaultRole] });
  });
  return id;
}
