import { awaitAll } from '../../../kernel/concurrency.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { loadRoles } from '../../../tenancy/roles/public.ts';
import { mayHaveSeveral } from '../check/membership.ts';

/** Reads the organization of a search for members, with its roles, by one wave of reads. */
export async function readOrganization(environmentId: string, organizationId: string) {
  const [roles, organization, isMultiple] = await readTogether(() =>
    awaitAll([
      loadRoles(environmentId, organizationId),
      findOrganization(environmentId, organizationId),
      mayHaveSeveral(environmentId),
    ]),
  );
  return { organizationId, roles, organization, isMultiple };
}
