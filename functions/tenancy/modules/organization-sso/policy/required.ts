import {
  type OrganizationConnection,
  type OrganizationSso,
  organizationSsoOfEmail,
  requiredConnections,
} from './find.ts';

/** An organization whose policy requires single sign-on, with the connections through which a sign-in continues. */
export interface RequiredSso {
  organizationId: string;
  /** Connections that are active, and connections that are inactive only because their certificates expired. */
  connections: OrganizationConnection[];
}

/** The requirement of an organization's policy; undefined if it allows other methods. */
export const readRequirement = (found: OrganizationSso | undefined): RequiredSso | undefined => {
  if (found === undefined) return undefined;
  const connections = requiredConnections(found);
  return connections.length === 0 ? undefined : { organizationId: found.organizationId, connections };
};

/**
 * Finds the organization that requires single sign-on for an address, because it has verified the domain of the address. The
 * result does not depend on whether a user has the address. It takes one GetItem, or two in sequence if an organization has
 * the domain.
 */
export const findRequiredSso = async (environmentId: string, email: string): Promise<RequiredSso | undefined> =>
  readRequirement(await organizationSsoOfEmail(environmentId, email));
