import { findOrganization } from '../../tenancy/organizations/public.ts';
import { Recent } from './recent.ts';

const recent = new Recent<true>(10_000);

/**
 * Reports whether an organization belongs to the environment; its deletion takes effect within five seconds. The result is
 * cached, because a thousand reads a second would overload the partition of the organization's row.
 */
export async function isOrganization(environmentId: string, id: string): Promise<boolean> {
  const { value } = await recent.get(JSON.stringify([environmentId, id]), async () =>
    (await findOrganization(environmentId, id)) === undefined ? undefined : true,
  );
  return value === true;
}
