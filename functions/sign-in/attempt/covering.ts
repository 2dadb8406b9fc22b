import { findOrganizations } from '../../organizations/public.ts';
import { type Authority, coversAccount, listOrganizations } from '../../trust/public.ts';
import type { UserRecord } from '../../users/public.ts';

/** The organizations by whose word something was proved and which cover the account, by one BatchGetItem if there are any. */
export async function findCovering(authority: Authority, user: UserRecord): Promise<string[]> {
  const spoken = listOrganizations(authority);
  if (spoken.length === 0) return [];
  const found = await findOrganizations(user.environmentId, spoken);
  return [...found.values()].filter((organization) => coversAccount(organization, user)).map(({ id }) => id);
}
