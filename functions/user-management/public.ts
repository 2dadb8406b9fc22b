/** What other areas may know of users, their memberships and the redirect URIs of an environment. */
export { defaultRedirectUri, isRedirectUri } from './redirect-uri/match.ts';

import { membershipOf } from './organization-membership/entity.ts';
import { users } from './user/entity.ts';

/** A user as other areas see it. */
export interface UserSummary {
  id: string;
  email: string;
  firstName: string | undefined;
  lastName: string | undefined;
}

/** A membership as other areas see it. */
export interface MembershipSummary {
  id: string;
  userId: string;
  organizationId: string;
  status: 'active' | 'inactive' | 'pending';
}

/** A user of the environment: one strongly consistent GetItem. */
export async function findUser(environmentId: string, id: string): Promise<UserSummary | undefined> {
  const record = await users.get(environmentId, id);
  return record && { id, email: record.email, firstName: record.firstName, lastName: record.lastName };
}

/** A user's membership of an organization, whatever its status: two strongly consistent GetItems. */
export async function findMembership(
  environmentId: string,
  userId: string,
  organizationId: string,
): Promise<MembershipSummary | undefined> {
  const record = await membershipOf(environmentId, userId, organizationId);
  return record && { id: record.id, userId, organizationId, status: record.status };
}

export {
  identitiesOf,
  identityHolder,
  type IdentityName,
  type IdentityRecord,
  MAX_IDENTITIES,
  stageIdentity,
  stageRemovalOfIdentities,
} from './identity/entity.ts';
export { IDENTITY_PROVIDERS, type IdentityProvider } from './identity/schema.ts';
