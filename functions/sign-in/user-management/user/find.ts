import type { Reading } from '../../../kernel/storage/range.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { findMembership, usersOfOrganization } from '../../../tenancy/modules/memberships/public.ts';
import { getUserByEmail, listUsers, type UserRecord } from '../../../tenancy/modules/users/public.ts';

/** The filter of a list of users. */
export interface UserFilter {
  email?: string | undefined;
  organizationId?: string | undefined;
}

/**
 * The users of a page. All users, or those of an organization, take one Query of an index, which lags by moments (and for
 * an organization one BatchGetItem for their records). A filter by email finds at most one user and is strongly consistent.
 */
export async function findUsers(
  environmentId: string,
  { email, organizationId }: UserFilter,
  window: Window,
): Promise<Reading<UserRecord>> {
  if (email !== undefined) {
    const user = await getUserByEmail(environmentId, email);
    const isMatch = user !== undefined && isWithin(user.id, window) && (await isOf(user, organizationId));
    return { records: isMatch ? [user] : [] };
  }
  if (organizationId !== undefined) return usersOfOrganization(environmentId, organizationId, window);
  return listUsers(environmentId, window);
}

const isWithin = (id: string, { scan, after }: Window): boolean =>
  after === undefined || (scan === 'asc' ? id > after : id < after);

const isOf = async ({ environmentId, id }: UserRecord, organizationId: string | undefined): Promise<boolean> =>
  organizationId === undefined || (await findMembership(environmentId, id, organizationId)) !== undefined;
