import { isId } from '../../../kernel/id-format.ts';
import { permissionsClaim } from '../../../kernel/authentication/permissions-claim.ts';
import type { Claims } from '../../../kernel/tokens/issuer.ts';
import type { SessionLink, SessionRecord } from '../session/entity.ts';
import { linkOf, type SessionPlace } from '../session/refresh-token.ts';
import { MAX_CHAIN_DEPTH } from '../../../sign-in/modules/authorization-server/public.ts';

const MAX_ID_LENGTH = 128;

/**
 * The claims of a delegated session about the agents' sessions above it, the first one first: their instances, sessions and
 * blueprints.
 */
const CHAIN = ['agent_chain', 'agent_chain_sessions', 'agent_chain_blueprints'] as const;

/** The claims of a session's access token (RFC 9068), in addition to those of the issuer and of all tokens. */
export const claimsOfSession = (
  session: SessionRecord,
  permissions: readonly string[],
  intent: string | undefined,
) => ({
  sub: session.instanceId,
  client_id: session.blueprintId,
  sid: session.id,
  org_id: session.organizationId,
  ...permissionsClaim(permissions),
  ...(session.userId === undefined ? {} : { act: { sub: session.userId } }),
  ...(session.ancestors === undefined ? {} : chainClaims(session.ancestors)),
  ...(intent === undefined ? {} : { intent: { text: intent } }),
});

const chainClaims = (ancestors: readonly SessionLink[]) => ({
  agent_chain: ancestors.map(({ instanceId }) => instanceId),
  agent_chain_sessions: ancestors.map(({ sessionId }) => sessionId),
  agent_chain_blueprints: ancestors.map(({ blueprintId }) => blueprintId),
});

/**
 * The ids of the rows that a token's claims name, whether or not the token is verified; undefined if it is not a token of an
 * agent.
 */
export function placeInClaims(claims: Claims | undefined): SessionPlace | undefined {
  const { sub, client_id: blueprintId, sid, org_id: organizationId, act } = claims ?? {};
  const userId = (act as { sub?: unknown } | undefined)?.sub;
  const [instanceIds, sessionIds, blueprintIds] = CHAIN.map((name) => claims?.[name] ?? []) as unknown[][];
  const above = Array.isArray(instanceIds) && instanceIds.length < MAX_CHAIN_DEPTH ? instanceIds : [undefined];
  const chain = [
    ...above.map((id, at) => ({ instanceId: id, sessionId: sessionIds?.[at], blueprintId: blueprintIds?.[at] })),
    { instanceId: sub, sessionId: sid, blueprintId },
  ];
  if (!isText(organizationId) || (userId !== undefined && !isIdOf('user', userId))) return undefined;
  return chain.every(isLink) ? { chain, organizationId, userId } : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_ID_LENGTH;

const isIdOf = (prefix: string, value: unknown): value is string => typeof value === 'string' && isId(prefix, value);

const isLink = (link: { [Name in keyof SessionLink]: unknown }): link is SessionLink =>
  isIdOf('agent', link.instanceId) &&
  isIdOf('agent_session', link.sessionId) &&
  isIdOf('agent_blueprint', link.blueprintId);

/** Reports whether two sets of ids name the same rows. */
export const isSamePlace = (one: SessionPlace, other: SessionPlace): boolean =>
  one.organizationId === other.organizationId &&
  one.userId === other.userId &&
  one.chain.length === other.chain.length &&
  one.chain.every(({ sessionId }, at) => sessionId === other.chain[at]?.sessionId);

/** The ancestors of a session that is delegated by another agent's session: those of that session, and the session itself. */
export const chainBelow = (session: SessionRecord): SessionLink[] => [...(session.ancestors ?? []), linkOf(session)];
