/** The functions of organizations for other areas. */
export { stageRemovalById } from './organization/removal.ts';
export { stageOrganization } from './organization/stage.ts';
export { organizationNotFound } from './organization/errors.ts';
export { CreateOrganization } from './organization/schema.ts';

export { stageItContacts } from './it-contact/stage.ts';
export { findSetupInvitation } from './it-contact/invitation.ts';

import type { Reading } from '../../kernel/storage/range.ts';
import { findHolder } from '../../kernel/storage/unique.ts';
import type { Window } from '../../kernel/storage/window.ts';
import type { Write } from '../../kernel/storage/write.ts';
import { holderOfName } from './domain/stage.ts';
import { externalIdOf } from './organization/stage.ts';
import { type OrganizationRecord, organizations } from './organization/entity.ts';
import { presentOrganization } from './organization/schema.ts';

/** The data of an organization for other areas. */
export interface OrganizationSummary {
  id: string;
  name: string;
  externalId: string | undefined;
  createdAt: string;
  /** The organization in the form of the API. */
  presented: ReturnType<typeof presentOrganization>;
}

const presentSummary = (record: OrganizationRecord): OrganizationSummary => {
  const { id, name, externalId, createdAt } = record;
  return { id, name, externalId, createdAt, presented: presentOrganization(record) };
};

/** Finds an organization of the environment, by one strongly consistent GetItem. */
export async function findOrganization(environmentId: string, id: string): Promise<OrganizationSummary | undefined> {
  const record = await organizations.get(environmentId, id);
  return record && presentSummary(record);
}

/**
 * A condition check that an organization exists at the commit, so that no record is created for one that is being deleted.
 */
export const organizationExistsCheck = (environmentId: string, id: string): Write =>
  organizations.existenceCheck(environmentId, id);

/** Finds those of some organizations that exist, by their ids, with one BatchGetItem for each hundred. */
export async function findOrganizations(
  environmentId: string,
  ids: readonly string[],
): Promise<Map<string, OrganizationSummary>> {
  const records = await organizations.getMany(environmentId, [...new Set(ids)]);
  return new Map(records.map((record) => [record.id, presentSummary(record)]));
}

/** The organizations of a page, in the order of their creation, by one Query, which lags by moments. */
export async function listOrganizations(environmentId: string, window: Window): Promise<Reading<OrganizationSummary>> {
  const { records, ...rest } = await organizations.list('byCreation', { environmentId }).toPage(window);
  return { records: records.map(presentSummary), ...rest };
}

/** Finds the organization with an `external_id`, by two strongly consistent GetItems in sequence. */
export async function findOrganizationByExternalId(
  environmentId: string,
  externalId: string,
): Promise<OrganizationSummary | undefined> {
  const id = await findHolder(externalIdOf(environmentId, externalId));
  return id === undefined ? undefined : findOrganization(environmentId, id);
}

/** Finds the organization that has verified a domain (in ASCII, lower case), by one strongly consistent GetItem. */
export const organizationWithDomain = (environmentId: string, domain: string): Promise<string | undefined> =>
  holderOfName(environmentId, domain);
