/** What other areas may know of organizations. */
export { organizationNotFound } from './organization/errors.ts';

import { organizations } from './organization/entity.ts';

/** An organization as other areas see it. */
export interface OrganizationSummary {
  id: string;
  name: string;
  externalId: string | undefined;
  createdAt: string;
}

/** An organization of the environment: one strongly consistent GetItem. */
export async function findOrganization(environmentId: string, id: string): Promise<OrganizationSummary | undefined> {
  const record = await organizations.get(environmentId, id);
  return record && { id, name: record.name, externalId: record.externalId, createdAt: record.createdAt };
}
