import { destroyOrganizationKey } from '../../../kernel/keys/organization-keys.ts';
import { stageErasure } from '../../../kernel/storage/erasure.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { release } from '../../../kernel/storage/unique.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { releaseDomain } from '../domain/stage.ts';
import { type OrganizationRecord, organizations } from './entity.ts';
import { presentOrganization, sortDomains } from './schema.ts';
import { externalIdOf, stripeCustomerIdOf } from './stage.ts';

/**
 * Stages the removal of an organization with its event; what belongs to it is erased in the background. Unique values can be used
 * again at once. Its own key is destroyed in the same commit, and from then on no value encrypted with it is readable.
 */
export function stageOrganizationRemoval(unit: Unit<'organization.deleted'>, record: OrganizationRecord): void {
  const { environmentId, id, externalId, stripeCustomerId } = record;
  unit.stage([
    organizations.remove(record),
    destroyOrganizationKey(environmentId, id),
    ...sortDomains(record).flatMap((domain) => releaseDomain(environmentId, id, domain)),
    ...(externalId === undefined ? [] : [release(externalIdOf(environmentId, externalId), id)]),
    ...(stripeCustomerId === undefined ? [] : [release(stripeCustomerIdOf(environmentId, stripeCustomerId), id)]),
  ]);
  stageErasure(unit, environmentId, ownerKey('organization', id));
  unit.emit('organization.deleted', presentOrganization(record), { organizationId: id });
}

/**
 * Stages the removal of an organization with its event, unless it no longer exists. @returns false if it no longer exists
 */
export async function stageRemovalById(
  unit: Unit<'organization.deleted'>,
  environmentId: string,
  id: string,
): Promise<boolean> {
  const record = await organizations.get(environmentId, id);
  if (record !== undefined) stageOrganizationRemoval(unit, record);
  return record !== undefined;
}
