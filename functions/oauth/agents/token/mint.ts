import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import type { Failure } from '../../../kernel/errors.ts';
import { isId } from '../../../kernel/id-format.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import { readUnverifiedClaims, verifyToken } from '../../../kernel/tokens/verify.ts';
import { openSessionRow, sessionRows } from '../../../tenancy/sessions/public.ts';
import { findBlueprint } from '../blueprint/entity.ts';
import { agentSettings } from '../../../sign-in/modules/authorization-server/public.ts';
import { chainBelow, placeInClaims } from './claims.ts';
import { admitAutonomous, admitDelegation } from './entry.ts';
import { type Facts, readFacts } from './facts.ts';
import { endError, type MintContext, type MintError, openSession } from './issue.ts';
import { findEnd, computePermissions, isLiveAt } from './validity.ts';

/**
 * Time after the expiry of a token in which the error still gives the reason why its session ended, instead of the general
 * error for an expired token.
 */
export const EXPIRED_SECONDS = 86_400;

/** The error for an invalid token. An unknown blueprint has priority over it. */
export async function unreadable(
  { environmentId, blueprintId, fail, errors }: MintContext,
  error: MintError,
): Promise<Failure> {
  const blueprint = await findBlueprint(environmentId, blueprintId);
  return fail(blueprint === undefined ? errors.blueprintNotFound : error);
}

/**
 * Opens a session for a member. Its permissions are those of the blueprint that the member has at this moment, whatever the
 * presented token contains. All reads start at once, by the ids in the unverified token.
 */
export async function mintForUser(context: MintContext, token: string) {
  const { environmentId, blueprintId, fail, errors } = context;
  const { sub: userId, sid: sessionId, org_id: organizationId } = readUnverifiedClaims(token) ?? {};
  if (!isIdOf('user', userId) || !isIdOf('session', sessionId) || typeof organizationId !== 'string')
    throw await unreadable(context, errors.invalidUserToken);
  const [claims, facts, session] = await readTogether(() =>
    awaitAll([
      verifyToken(environmentId, 'session', token),
      readFacts(environmentId, blueprintId, { chain: [], organizationId, userId }),
      openSessionRow(environmentId, userId, sessionId),
    ]),
  );
  if (facts.blueprint === undefined) throw fail(errors.blueprintNotFound);
  // An impersonator acts as the user, and must not create agents that continue to act after the impersonation.
  if (claims === undefined || claims.act !== undefined || session?.impersonator !== undefined)
    throw fail(errors.invalidUserToken);
  if (session === undefined || !isLiveAt(session, clock.now())) throw fail(errors.userSessionEnded);
  const { membershipId } = facts;
  if (membershipId === undefined) throw fail(errors.notAMember);
  const verdict = await admitDelegation(facts, organizationId, session);
  if (verdict === undefined) throw fail(errors.userSessionEnded);
  // An exchanged token ends no later than the session that it was exchanged for.
  const bound = context.exchange === undefined ? {} : { endsBy: Date.parse(session.endsAt) };
  const opening = { organizationId, userId, membershipId, userSessionId: sessionId, ...bound };
  return openSession(context, facts, verdict, opening);
}

const isIdOf = (prefix: string, value: unknown): value is string => typeof value === 'string' && isId(prefix, value);

/** Opens a session for an organization without a user, with all permissions of the blueprint. */
export async function mintForOrganization(context: MintContext, organizationId: string) {
  const { environmentId, blueprintId } = context;
  const facts = await readTogether(() =>
    readFacts(environmentId, blueprintId, { chain: [], organizationId, userId: undefined }),
  );
  return openSession(context, facts, admitAutonomous(organizationId), { organizationId });
}

/**
 * Opens a session that another agent's session delegates: with at most the permissions that it has now, in its organization,
 * and with no later end.
 */
export async function mintForAgent(context: MintContext, token: string) {
  const { environmentId, blueprintId, fail, errors } = context;
  const place = placeInClaims(readUnverifiedClaims(token));
  if (place === undefined) throw await unreadable(context, errors.invalidAgentToken);
  const { organizationId, userId } = place;
  const [claims, facts, userSessions, settings] = await readTogether(() =>
    awaitAll([
      verifyToken(environmentId, 'agent', token, undefined, EXPIRED_SECONDS),
      readFacts(environmentId, blueprintId, place),
      userId === undefined ? [] : sessionRows(environmentId, userId),
      findSettings(environmentId, agentSettings),
    ]),
  );
  if (facts.blueprint === undefined) throw fail(errors.blueprintNotFound);
  if (claims === undefined) throw fail(errors.invalidAgentToken);
  const parent = requireLive(context, facts, userSessions).session;
  const delegating = userSessions.find(({ id }) => id === parent.userSessionId);
  const verdict =
    userId === undefined ? admitAutonomous(organizationId) : await admitDelegation(facts, organizationId, delegating);
  if (verdict === undefined) throw fail(errors.userSessionEnded);
  if (claims.exp <= clock.seconds()) throw fail(errors.invalidAgentToken);
  if (facts.chain.length + 1 > settings.max_chain_depth) throw fail(errors.chainDepthExceeded);
  const named = claims.permissions_omitted === true ? undefined : new Set((claims.permissions ?? []) as string[]);
  const allowedPermissions = [...(computePermissions(facts.chain, facts) ?? [])].filter(
    (slug) => named?.has(slug) ?? true,
  );
  return openSession(context, facts, verdict, {
    organizationId,
    userId,
    membershipId: parent.membershipId,
    userSessionId: parent.userSessionId,
    ancestors: chainBelow(parent),
    above: new Set(allowedPermissions),
    endsBy: Date.parse(parent.endsAt),
  });
}

/** Returns the last session of a chain with its blueprint if both are valid. @throws Failure otherwise */
export function requireLive(
  context: Pick<MintContext, 'fail' | 'errors'>,
  facts: Facts,
  userSessions: Parameters<typeof findEnd>[1],
) {
  const end = findEnd(facts, userSessions, clock.now());
  const { session, blueprint } = facts.chain.at(-1) ?? {};
  if (end !== undefined || session === undefined || blueprint === undefined)
    throw context.fail(endError(end ?? 'session_revoked', context));
  return { session, blueprint };
}
