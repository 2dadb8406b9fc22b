import { findOrganization } from '../organizations/public.ts';
import { Recent } from './recent.ts';

const recent = new Recent<true>(10_000);

/**
 * Whether an organization is one of the environment's; its deletion shows within five seconds. No round trip while it is
 * remembered: its row is one partition, which a thousand events a second would keep busy.
 */
export async function isOrganization(environmentId: string, id: string): Promise<boolean> {
  const { value } = await recent.get(JSON.stringify([environmentId, id]), async () =>
    (await findOrganization(environmentId, id)) === undefined ? undefined : true,
  );
  return value === true;
}
