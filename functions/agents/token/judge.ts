import type { SessionRecord as UserSession } from '../../sessions/public.ts';
import type { BlueprintRecord } from '../blueprint/entity.ts';
import type { SessionRecord } from '../session/entity.ts';
import { endsSession, isInForce } from '../stop/entity.ts';
import type { Facts, LinkFacts } from './facts.ts';

/** The reason why a session is over. */
export type End = 'user_session_ended' | 'not_a_member' | 'session_revoked' | 'session_expired' | 'max_age_exceeded';

/** Finds whether a user's session is neither revoked nor expired at a time, in milliseconds since the epoch. */
export const isLiveAt = (session: UserSession | undefined, now: number): boolean =>
  session !== undefined && session.endedAt === undefined && Date.parse(session.endsAt) > now;

/**
 * Finds why the last session of a chain is over; undefined if it is live. One that is dead in several ways has the first reason of:
 * the user's session, the membership, a revocation or deletion, its end.
 * @param userSessions The user's sessions, that of the delegation among them
 * @param now milliseconds since the epoch
 */
export function findEnd(facts: Facts, userSessions: readonly UserSession[], now: number): End | undefined {
  const session = facts.chain.at(-1)?.session;
  if (session === undefined) return 'session_revoked';
  const { userSessionId, membershipId } = session;
  if (userSessionId !== undefined) {
    const delegating = userSessions.find(({ id }) => id === userSessionId);
    if (!isLiveAt(delegating, now)) return 'user_session_ended';
  }
  // Another membership of the same user, after they left and came back, is not the one that delegated.
  if (facts.membershipId !== membershipId) return 'not_a_member';
  if (!facts.hasOrganization || facts.chain.some((link) => isRevoked(link, facts))) return 'session_revoked';
  const expired = facts.chain.find((link) => isExpired(link, now));
  if (expired === undefined) return undefined;
  return isTooOld(expired, now) ? 'max_age_exceeded' : 'session_expired';
}

function isRevoked({ session, instance, blueprint, stop }: LinkFacts, { stops }: Facts): boolean {
  if (session === undefined || instance === undefined || blueprint === undefined) return true;
  return session.endedAt !== undefined || [...stops, stop].some((one) => endsSession(one, session.createdAt));
}

/** The end of a session that is refreshed for as long as possible: by its own maximum age and by that of the blueprint now. */
export function longestEnd(session: SessionRecord, blueprint: BlueprintRecord | undefined): number {
  const maxAge = blueprint?.sessionSettings?.maxAge ?? Infinity;
  return Math.min(Date.parse(session.lifetimeEndsAt), Date.parse(session.createdAt) + maxAge * 1_000);
}

const isTooOld = ({ session, blueprint }: LinkFacts, now: number): boolean =>
  session !== undefined && longestEnd(session, blueprint) <= now;

const isExpired = (link: LinkFacts, now: number): boolean =>
  Date.parse(link.session?.endsAt ?? '') <= now || isTooOld(link, now);

/** Reports whether a stop that is in force forbids new sessions of the path's blueprint. */
export const isStopped = ({ stops, blueprintStop }: Facts): boolean => [...stops, blueprintStop].some(isInForce);

/** The reason why a blueprint may not be invoked; undefined if it may. */
export function findBar(
  { organizationIds, roleSlugs, roleIds }: BlueprintRecord,
  organizationId: string,
  facts: Facts,
): 'organization' | 'role' | undefined {
  const isListed = organizationIds.length === 0 || organizationIds.includes(organizationId);
  if (!isListed || !facts.hasOrganization) return 'organization';
  const hasRole = roleSlugs.length === 0 || roleIds.some((id) => facts.roleIds.includes(id));
  return hasRole ? undefined : 'role';
}

/** The permissions of a blueprint that exist, that the member has, and that the parent has, in the blueprint's order. */
export function grant(
  { permissions, permissionIds }: BlueprintRecord,
  { model, memberPermissions }: Facts,
  parent: ReadonlySet<string> | undefined,
): string[] {
  const existing = permissions.filter((_, at) => model.permissions.has(permissionIds[at] ?? ''));
  return existing.filter((slug) => (memberPermissions?.has(slug) ?? true) && (parent?.has(slug) ?? true));
}

/**
 * The permissions that the last of some sessions has now: those of its last mint that its blueprint, its member and the session
 * above it still have. Undefined for no session: nothing above limits the first one.
 */
export function heldBy(chain: readonly LinkFacts[], facts: Facts): ReadonlySet<string> | undefined {
  let held: ReadonlySet<string> | undefined;
  for (const { session, blueprint } of chain) {
    const rights = new Set(blueprint === undefined ? [] : grant(blueprint, facts, held));
    held = new Set(session?.permissions.filter((slug) => rights.has(slug)));
  }
  return held;
}
