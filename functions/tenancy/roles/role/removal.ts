import type { Unit } from '../../../kernel/storage/unit.ts';
import { workKind } from '../../../kernel/storage/work.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import type { Model, Role } from '../model/compiled.ts';
import { modelRows } from '../model/entity.ts';
import { rolePayload } from './schema.ts';

/**
 * The work that replaces a deleted role in the memberships that had it at their organization. Without a replacement they
 * keep their other roles, and those without another one get the default role.
 */
export const roleReplacement = workKind<{ roleId: string; replacementId?: string }>('roles.replace_role', { runs: 2 });

/**
 * Stages the deletion of an environment role with `role.deleted`. It has no effect from then on; a worker updates the
 * memberships.
 * @param replacement the role that its memberships are given instead
 * @returns the write of its row
 */
export function stageRoleRemoval(
  unit: Unit<'role.deleted'>,
  environmentId: string,
  model: Model,
  role: Role,
  replacement?: Role,
): Write[] {
  const row = model.rows.get(role.id);
  if (row === undefined) return [];
  unit.emit('role.deleted', rolePayload(role));
  roleReplacement.stage(unit, environmentId, {
    roleId: role.id,
    ...(replacement === undefined ? {} : { replacementId: replacement.id }),
  });
  return [modelRows.remove(row)];
}
