import type { SessionRecord as UserSession } from '../../../tenancy/sessions/public.ts';
import { INSTANCE_TYPES } from '../../../kernel/events/catalogue/agents.ts';
import type { BlueprintRecord } from '../blueprint/entity.ts';
import type { SessionRecord } from '../session/entity.ts';
import { endsCredential, isInForce } from '../../../access/modules/credential-holders/public.ts';
import type { Facts, LinkFacts } from './facts.ts';

/** The reason why a session is no longer valid. */
export type End = 'user_session_ended' | 'not_a_member' | 'session_revoked' | 'session_expired' | 'max_age_exceeded';

/** Reports whether a user's session is neither revoked nor expired at a time, in milliseconds since the epoch. */
export const isLiveAt = (session: UserSession | undefined, now: number): boolean =>
  session !== undefined && session.endedAt === undefined && Date.parse(session.endsAt) > now;

/**
 * Finds the reason why the last session of a chain is no longer valid; undefined if it is valid. If there are several
 * reasons, it is the first of: the user's session, the membership, a revocation or deletion, the expiry.
 * @param userSessions The sessions of the user, among them the delegating one
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
  // If the user left the organization and joined again, the new membership is not the one that delegated the session.
  if (facts.membershipId !== membershipId) return 'not_a_member';
  if (!facts.hasOrganization || facts.chain.some((link) => isRevoked(link, facts))) return 'session_revoked';
  const expired = facts.chain.find((link) => isExpired(link, now));
  if (expired === undefined) return undefined;
  return isTooOld(expired, now) ? 'max_age_exceeded' : 'session_expired';
}

function isRevoked({ session, instance, blueprint, stop }: LinkFacts, { stops }: Facts): boolean {
  if (session === undefined || instance === undefined || blueprint === undefined) return true;
  return session.endedAt !== undefined || [...stops, stop].some((one) => endsCredential(one, session.createdAt));
}

/** The latest possible end of a session with refreshes: by its own maximum age and by the current one of its blueprint. */
export function longestEnd(session: SessionRecord, blueprint: BlueprintRecord | undefined): number {
  const maxAge = blueprint?.sessionSettings?.maxAge ?? Infinity;
  return Math.min(Date.parse(session.lifetimeEndsAt), Date.parse(session.createdAt) + maxAge * 1_000);
}

const isTooOld = ({ session, blueprint }: LinkFacts, now: number): boolean =>
  session !== undefined && longestEnd(session, blueprint) <= now;

const isExpired = (link: LinkFacts, now: number): boolean =>
  Date.parse(link.session?.endsAt ?? '') <= now || isTooOld(link, now);

/** Reports whether an active stop forbids new sessions of the blueprint. */
export const isStopped = ({ stops, blueprintStop }: Facts): boolean => [...stops, blueprintStop].some(isInForce);

/** The reason why no session of a blueprint may be opened; undefined if it may. */
export function findBar(
  { instanceTypes = INSTANCE_TYPES, organizationIds, roleSlugs, roleIds }: BlueprintRecord,
  organizationId: string,
  facts: Facts,
): 'type' | 'organization' | 'role' | undefined {
  const type = facts.memberPermissions === undefined ? 'autonomous' : 'delegated';
  if (!instanceTypes.includes(type)) return 'type';
  const isListed = organizationIds.length === 0 || organizationIds.includes(organizationId);
  if (!isListed || !facts.hasOrganization) return 'organization';
  const hasRole = roleSlugs.length === 0 || roleIds.some((id) => facts.roleIds.includes(id));
  return hasRole ? undefined : 'role';
}

/**
 * The permissions of a blueprint that exist and that both the member and the delegating session have, in the blueprint's
 * order.
 */
export function grant(
  { permissions, permissionIds }: BlueprintRecord,
  { model, memberPermissions }: Facts,
  parent: ReadonlySet<string> | undefined,
): string[] {
  const existing = permissions.filter((_, at) => model.permissions.has(permissionIds[at] ?? ''));
  return existing.filter((slug) => (memberPermissions?.has(slug) ?? true) && (parent?.has(slug) ?? true));
}

/**
 * The current permissions of the last of some sessions: those of its creation or last refresh that its blueprint, its member
 * and the delegating session still have. Undefined for an empty list, since there is no delegating session that limits the
 * first one.
 */
export function computePermissions(chain: readonly LinkFacts[], facts: Facts): ReadonlySet<string> | undefined {
  let permissions: ReadonlySet<string> | undefined;
  for (const { session, blueprint } of chain) {
    const rights = new Set(blueprint === undefined ? [] : grant(blueprint, facts, permissions));
    permissions = new Set(session?.permissions.filter((slug) => rights.has(slug)));
  }
  return permissions;
}
