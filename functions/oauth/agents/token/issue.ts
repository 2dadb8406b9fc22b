import { clock } from '../../../kernel/clock.ts';
import type { Failure } from '../../../kernel/errors.ts';
import { issuerClaims } from '../../../kernel/tokens/issuer.ts';
import { signToken } from '../../../kernel/tokens/sign.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { BlueprintRecord } from '../blueprint/entity.ts';
import type { blueprintNotFound } from '../blueprint/errors.ts';
import { stageInstance } from '../instance/stage.ts';
import type { SessionLink, SessionRecord } from '../session/entity.ts';
import { stageSession } from '../session/stage.ts';
import type { AgentVerdict } from '../registration/assertion.ts';
import { claimsOfSession } from './claims.ts';
import type * as errors from './errors.ts';
import type { Facts } from './facts.ts';
import { type End, findBar, grant, isStopped } from './validity.ts';

/** The errors of opening a session. */
export type MintError = (typeof errors)[keyof typeof errors] | typeof blueprintNotFound;

export type FailMint = (error: MintError, details?: { commitOnFailure: boolean }) => Failure;

/** A unit of work that may open a session. */
export type MintUnit = Unit<'agent.instance.created' | 'agent.instance.session.created'>;

/** The input that all ways of opening a session share. */
export interface MintContext {
  environmentId: string;
  /** The blueprint's id in the path. */
  blueprintId: string;
  intent: string | undefined;
  /**
   * Present for a session without a refresh token, which ends with its access token. `scopes` are the permissions that it may have
   * at most; empty for no further limit.
   */
  exchange?: { scopes: readonly string[] };
  unit: MintUnit;
  fail: FailMint;
  errors: typeof errors & { blueprintNotFound: typeof blueprintNotFound };
}

/** The error for a session that is no longer valid. */
export function endError(end: End, { errors: known }: Pick<MintContext, 'errors'>): MintError {
  const byEnd = {
    user_session_ended: known.userSessionEnded,
    not_a_member: known.notAMember,
    session_revoked: known.sessionRevoked,
    session_expired: known.sessionExpired,
    max_age_exceeded: known.maxAgeExceeded,
  } as const;
  return byEnd[end];
}

/**
 * Returns the blueprint of the path if a session of it may be opened for the member or organization.
 * @throws Failure otherwise
 */
export function invocable(
  { fail, errors: known }: Pick<MintContext, 'fail' | 'errors'>,
  facts: Facts,
  organizationId: string,
): BlueprintRecord {
  const { blueprint } = facts;
  if (blueprint === undefined) throw fail(known.blueprintNotFound);
  if (isStopped(facts)) throw fail(known.agentsStopped);
  const bar = findBar(blueprint, organizationId, facts);
  if (bar === 'type') throw fail(known.unsupportedInvocationType);
  if (bar === 'organization') throw fail(known.organizationNotInvocable);
  if (bar === 'role') throw fail(known.roleNotInvocable);
  return blueprint;
}

/** A session that may be opened. */
export interface Opening {
  organizationId: string;
  userId?: string | undefined;
  membershipId?: string | undefined;
  userSessionId?: string | undefined;
  ancestors?: SessionLink[];
  /** The permissions of the delegating session; undefined if there is none. */
  above?: ReadonlySet<string> | undefined;
  /** The end of the delegating session, in milliseconds since the epoch. */
  endsBy?: number;
}

/** Opens a session in the instance of its member or organization, and makes its tokens. */
export async function openSession(context: MintContext, facts: Facts, verdict: AgentVerdict, opening: Opening) {
  const { environmentId, blueprintId, intent, exchange, unit, fail, errors: known } = context;
  const { organizationId, userId, membershipId, userSessionId, ancestors = [], above, endsBy = Infinity } = opening;
  const blueprint = invocable(context, facts, organizationId);
  const limits = blueprint.sessionSettings;
  if (limits === undefined) throw fail(known.sessionSettingsNotFound);
  const now = clock.now();
  const lifetimeEndsAt = now + limits.maxAge * 1_000;
  // One second more than the token, whose time is rounded down.
  const seconds = exchange === undefined ? limits.refreshTtl : limits.accessTtl + 1;
  const endsAt = Math.min(now + seconds * 1_000, lifetimeEndsAt, endsBy);
  // A session that would end in less than a second is not opened.
  if (endsAt - now < 1_000) throw fail(known.sessionExpired);
  const subject = { environmentId, blueprintId, organizationId, userId, membershipId };
  const { instanceId, isNew } = stageInstance(unit, subject, facts.place);
  const isWanted = (slug: string) => !exchange?.scopes.length || exchange.scopes.includes(slug);
  const permissions = grant(blueprint, facts, above).filter(isWanted);
  const { session, refreshToken } = stageSession(unit, verdict, {
    ...subject,
    instanceId,
    userSessionId,
    ancestors,
    permissions,
    intent,
    lifetimeEndsAt,
    endsAt,
  });
  return respond(verdict, session, { permissions, intent, refreshToken, isNew, accessTtl: limits.accessTtl });
}

/** Signs the access token of a session and makes the response. */
export async function respond(
  _: AgentVerdict,
  session: SessionRecord,
  made: {
    permissions: string[];
    intent: string | undefined;
    refreshToken: string;
    isNew: boolean;
    /** Validity in seconds. The token never outlives its session. */
    accessTtl: number;
  },
) {
  const { environmentId } = session;
  const left = Math.floor((Date.parse(session.endsAt) - clock.now()) / 1_000);
  const expiresIn = Math.max(1, Math.min(made.accessTtl, left));
  const issued = await issuerClaims(environmentId);
  const claims = { ...issued, ...claimsOfSession(session, made.permissions, made.intent) };
  return {
    access_token: await signToken(environmentId, 'agent', claims, expiresIn),
    token_type: 'Bearer' as const,
    expires_in: expiresIn,
    refresh_token: made.refreshToken,
    agent_instance_id: session.instanceId,
    new_instance: made.isNew,
    agent_instance_session_id: session.id,
    permissions: made.permissions,
  };
}
