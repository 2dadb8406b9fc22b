/** A stop of agents, as far as it decides: active, or lifted at a time (ISO 8601). */
export interface Stop {
  liftedAt?: string | undefined;
}

/** Reports whether a stop is active, so that nothing new is issued. */
export const isInForce = (stop: Stop | undefined): boolean => stop !== undefined && stop.liftedAt === undefined;

/** Reports whether a stop has ended what was issued at a time (ISO 8601): everything until it was lifted, and that remains so. */
export const endsCredential = (stop: Stop | undefined, issuedAt: string): boolean =>
  stop !== undefined && (stop.liftedAt === undefined || issuedAt <= stop.liftedAt);

/** The current state of the records that justified a credential. */
export interface HolderFacts {
  /** The time when it was issued (ISO 8601). */
  issuedAt: string;
  /** The stops of the environment, the organization and the user; none for a credential that is not an agent’s. */
  stops: readonly (Stop | undefined)[];
  hasOrganization: boolean;
  /** Undefined for a credential that acts for no user. */
  hasUser: boolean | undefined;
  /** The id of the user’s active membership of the organization. */
  membershipId: string | undefined;
  /** The membership that justified the credential: its id, `any` for any active one, or undefined if it needs none. */
  requires: string | undefined;
}

/** The reason why a credential no longer has an effect. */
export type End = 'agents_stopped' | 'ended_by_stop' | 'organization_deleted' | 'user_deleted' | 'membership_ended';

/**
 * Finds the reason why what justified a credential no longer holds; undefined if it holds. A user who left the organization and
 * joined it again has another membership.
 */
export function findEnd(facts: HolderFacts): End | undefined {
  const { issuedAt, stops, hasOrganization, hasUser, membershipId, requires } = facts;
  if (stops.some(isInForce)) return 'agents_stopped';
  if (stops.some((stop) => endsCredential(stop, issuedAt))) return 'ended_by_stop';
  if (!hasOrganization) return 'organization_deleted';
  if (hasUser === false) return 'user_deleted';
  if (requires === undefined) return undefined;
  const isHeld = requires === 'any' ? membershipId !== undefined : membershipId === requires;
  return isHeld ? undefined : 'membership_ended';
}
