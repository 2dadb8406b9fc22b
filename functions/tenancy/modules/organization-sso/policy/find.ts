import { readDomain } from '../../../../kernel/address.ts';
import { organizationWithDomain } from '../../../organizations/public.ts';
import { type ConnectionSummary, organizationSso } from './entity.ts';
import { type Policy, presentPolicy } from './schema.ts';

/** A connection of an organization, with the members that sign-ins need. */
export interface OrganizationConnection extends ConnectionSummary {
  id: string;
}

/** The connections and the policy of an organization. */
export interface OrganizationSso {
  organizationId: string;
  connections: OrganizationConnection[];
  policy: Policy;
}

/** Reads the connections and the policy of an organization, by one strongly consistent GetItem. */
export async function findOrganizationSso(environmentId: string, organizationId: string): Promise<OrganizationSso> {
  const record = await organizationSso.get(environmentId, organizationId);
  const summaries = (record?.connections ?? {}) as Readonly<Record<string, ConnectionSummary>>;
  return {
    organizationId,
    connections: Object.entries(summaries).map(([id, summary]) => ({ id, ...summary })),
    policy: presentPolicy(record?.policy),
  };
}

/** The values for an organization whose policy does not count: a session that stays in it was admitted before. */
export const ungoverned = (organizationId: string): OrganizationSso => ({
  organizationId,
  connections: [],
  policy: presentPolicy(undefined),
});

const isActive = ({ state }: ConnectionSummary): boolean => state === 'active';

/** The connections through which users can sign in. */
export const activeConnections = ({ connections }: OrganizationSso): OrganizationConnection[] =>
  connections.filter(isActive);

/**
 * The connections through which members of an organization must sign in; empty if other sign-in methods are allowed. A
 * connection whose certificates have expired still counts, because an expiry does not change the policy.
 */
export const requiredConnections = ({ connections, policy }: OrganizationSso): OrganizationConnection[] =>
  policy.required ? connections.filter((one) => isActive(one) || one.hasLapsed === true) : [];

/** The organization that has verified the domain of an address, with its connections, by two GetItems in sequence. */
export async function organizationSsoOfEmail(
  environmentId: string,
  email: string,
): Promise<OrganizationSso | undefined> {
  const domain = readDomain(email);
  const organizationId = domain === undefined ? undefined : await organizationWithDomain(environmentId, domain);
  return organizationId === undefined ? undefined : findOrganizationSso(environmentId, organizationId);
}
