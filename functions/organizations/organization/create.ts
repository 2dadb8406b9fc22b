import { clock } from '../../kernel/clock.ts';
import type { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { ENVIRONMENT_OWNER } from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { domainsById, presentOrganization } from './schema.ts';
import {
  type DomainRefusals,
  indexName,
  moveUnique,
  refuseTooManyDomains,
  stageAddedDomains,
  type WantedDomain,
} from './stage.ts';
import { type OrganizationRecord, organizations } from './entity.ts';

/** The kinds of an organization's unique values. */
export const EXTERNAL_ID = 'organization.external_id';
export const STRIPE_CUSTOMER_ID = 'organization.stripe_customer_id';

/** The data of a new organization. */
export interface NewOrganization {
  environmentId: string;
  name: string;
  domains: readonly WantedDomain[];
  metadata: Record<string, string>;
  externalId?: string | undefined;
  allowProfilesOutsideOrganization: boolean;
  /** For imported organizations: their original id and times. */
  id?: string | undefined;
  createdAt?: string | undefined;
  updatedAt?: string | undefined;
}

/** The events of a new organization with its domains. */
export type NewOrganizationUnit = Unit<'organization.created' | 'organization_domain.created'>;

/**
 * Stages a new organization with its domains and unique values, and `organization.created`.
 * @returns the new organization
 */
export async function stageOrganization(
  unit: NewOrganizationUnit,
  organization: NewOrganization,
  refusals: DomainRefusals & { externalIdTaken: Failure },
): Promise<OrganizationRecord> {
  const { environmentId, id = newId('org'), domains: wanted, createdAt = clock.timestamp(), updatedAt } = organization;
  const { name, metadata, externalId, allowProfilesOutsideOrganization } = organization;
  refuseTooManyDomains(wanted.length, refusals);
  const domains = stageAddedDomains(unit, { environmentId, id }, wanted, refusals);
  const creation = organizations.create(
    {
      environmentId,
      id,
      owner: ENVIRONMENT_OWNER,
      name,
      domains: domainsById(domains),
      metadata,
      externalId,
      allowProfilesOutsideOrganization,
    },
    createdAt,
    updatedAt,
  );
  const record = unit.announce(creation, 'organization.created', presentOrganization, { organizationId: id });
  unit.stage(indexName(environmentId, id, '', name));
  unit.stage(moveUnique(environmentId, EXTERNAL_ID, id, undefined, externalId).claimed, refusals.externalIdTaken);
  return record;
}
