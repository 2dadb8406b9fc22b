import { findHolder } from '../../../../kernel/storage/unique.ts';
import { identities, type IdentityName, type IdentityRecord, hashIdentity, uniqueOf } from './entity.ts';

/** The id of the user who has an identity, by one strongly consistent GetItem. The user may have been deleted. */
export const identityHolder = (environmentId: string, name: IdentityName): Promise<string | undefined> =>
  findHolder(uniqueOf(environmentId, hashIdentity(name)));

/** A user's identities in the order in which they were linked, by one strongly consistent Query. */
export async function findIdentities(environmentId: string, userId: string): Promise<IdentityRecord[]> {
  const found = await identities.list('primary', { environmentId, userId }).toArray();
  return found.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}
