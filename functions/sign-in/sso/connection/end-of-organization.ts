import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findOrganizationSso, stageEndOfOrganizationSso } from '../../../tenancy/modules/organization-sso/public.ts';
import { connections } from './entity.ts';
import { stageConnectionRemoval } from './removal.ts';

/**
 * Deletes the connections of a deleted organization, each with its event. Their rows are not in the index of owned rows, so
 * that the erasure of the organization cannot remove them before.
 */
export async function removeOrganizationConnections(environmentId: string, organizationId: string): Promise<void> {
  const { connections: ended } = await findOrganizationSso(environmentId, organizationId);
  for (const { id } of ended) {
    await applyWork(environmentId, systemActor, async (unit: Unit<'connection.deleted'>) => {
      const record = await connections.get(environmentId, id);
      if (record === undefined || record.state === 'deleting') return;
      stageConnectionRemoval(unit, record);
    });
  }
  await applyWork(environmentId, systemActor, async (unit) =>
    stageEndOfOrganizationSso(unit, environmentId, organizationId),
  );
}
