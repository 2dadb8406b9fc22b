import { awaitAll } from '../../kernel/concurrency.ts';
import { TtlCache } from '../../kernel/memory.ts';
import { credentialCacheMs } from '../../kernel/settings.ts';
import { findOrganization } from '../../organizations/public.ts';
import { findMembership } from '../../memberships/public.ts';
import { findUser } from '../../users/public.ts';

/** The holder of a key: an organization, or a user within it. */
export interface KeyHolder {
  organizationId: string;
  userId?: string | undefined;
  /** The user's ownership epoch when the key was created; an absent epoch counts as 0. */
  ownershipEpoch?: number | undefined;
}

/**
 * The cached owners of keys, which existed when they were read. Missing owners are not cached, so a negative result is
 * always current.
 */
const alive = new TtlCache<true>(10_000, credentialCacheMs);

/**
 * Reports whether an organization exists and, for a user's key, whether the user exists, is an active member of it, and
 * owned the account when the key was created. The first verification of an address may transfer an account to another
 * person. This is checked at most once in five seconds (GATEHOUSE_CREDENTIAL_CACHE_MS) for each holder and instance. So the
 * keys of a deleted holder become invalid within that time, however long the removal of their rows takes.
 */
export async function isAlive(environmentId: string, holder: KeyHolder): Promise<boolean> {
  const { organizationId, userId, ownershipEpoch = 0 } = holder;
  const place = `${environmentId}#${organizationId}#${userId ?? ''}#${ownershipEpoch}`;
  const found = await alive.load(place, async () => {
    const [organization, isMember] = await awaitAll([
      findOrganization(environmentId, organizationId),
      userId === undefined || isActiveMember(environmentId, { userId, organizationId, ownershipEpoch }),
    ]);
    return organization !== undefined && isMember ? true : undefined;
  });
  return found === true;
}

async function isActiveMember(
  environmentId: string,
  { userId, organizationId, ownershipEpoch }: { userId: string; organizationId: string; ownershipEpoch: number },
): Promise<boolean> {
  const [user, membership] = await awaitAll([
    findUser(environmentId, userId),
    findMembership(environmentId, userId, organizationId),
  ]);
  if (user === undefined || membership?.status !== 'active') return false;
  return (user.ownershipEpoch ?? 0) === ownershipEpoch;
}
