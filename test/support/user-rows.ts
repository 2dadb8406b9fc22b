import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { newId } from '../../functions/kernel/ids.ts';
import { ENVIRONMENT_OWNER } from '../../functions/kernel/storage/record.ts';
import { Unit } from '../../functions/kernel/storage/unit.ts';
import type { Write } from '../../functions/kernel/storage/write.ts';
import { createMembership } from '../../functions/user-management/organization-membership/entity.ts';
import { users } from '../../functions/user-management/user/entity.ts';

/** Commits writes to the table of this process's kernel, again after a conflict. */
export async function commitRows(environmentId: string, writes: readonly Write[]): Promise<void> {
  for (;;) {
    const unit = new Unit(environmentId, systemActor);
    unit.stage(writes);
    if ((await unit.commit()).kind === 'committed') return;
  }
}

/** Writes a user as a row, through the area's own entity. @returns their id */
export async function writeUser(environmentId: string, email = 'ada@example.com'): Promise<string> {
  const id = newId('user');
  const fields = { environmentId, id, owner: ENVIRONMENT_OWNER, email, emailVerified: true, metadata: {} };
  await commitRows(environmentId, [users.create(fields).write]);
  return id;
}

/** Writes a user's membership of an organization as rows. @returns its id */
export async function writeMembership(
  environmentId: string,
  pair: { userId: string; organizationId: string },
  status: 'active' | 'inactive' | 'pending' = 'active',
): Promise<string> {
  const id = newId('om');
  const { writes } = createMembership({ environmentId, id, ...pair, status, roles: ['member'] });
  await commitRows(environmentId, writes);
  return id;
}
