import {
  findOrganizationSso,
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

const toRequirement = (found: OrganizationSso | undefined): RequiredSso | undefined => {
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
  toRequirement(await organizationSsoOfEmail(environmentId, email));

/** The requirement of an organization for its members, whatever their address, by one GetItem. */
export const findRequiredSsoIn = async (
  environmentId: string,
  organizationId: string,
): Promise<RequiredSso | undefined> => toRequirement(await findOrganizationSso(environmentId, organizationId));

/**
 * Reports whether a sign-in, or session, fulfills a requirement: only if the user came through a connection of the same
 * organization.
 * @param ssoOrganizationId The organization of the connection; undefined for other methods.
 */
export const isFulfilled = ({ organizationId }: RequiredSso, ssoOrganizationId: string | undefined): boolean =>
  organizationId === ssoOrganizationId;
