/** What other areas may know of users, their memberships and the redirect URIs of an environment. */
import { holderOf } from '../kernel/storage/unique.ts';
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

/** The kind of the rows that claim a registered redirect URI; its value is the URI as registered. */
export const REDIRECT_URI = 'redirect_uri';

/** Whether a URI is one of the environment's redirect URIs, compared exactly (RFC 9700 section 2.1): one GetItem. */
export async function isRedirectUri(environmentId: string, uri: string): Promise<boolean> {
  return (await holderOf({ environmentId, kind: REDIRECT_URI, value: uri })) !== undefined;
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
