import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { log } from '../../../kernel/log.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import { newGeneration, presentToken, replaceToken } from '../../../kernel/tokens/rotation.ts';
import { sessionRows } from '../../../tenancy/sessions/public.ts';
import { agentSessions, type SessionRecord } from '../session/entity.ts';
import {
  findPlaceOfSession,
  readRefreshToken,
  type SessionPlace,
  writeRefreshToken,
} from '../session/refresh-token.ts';
import { removableAfter, type RevokingUnit, stageRevocation } from '../session/stage.ts';
import { statusAt } from '../session/schema.ts';
import type { AgentVerdict } from '../registration/assertion.ts';
import { isSamePlace } from './claims.ts';
import { admitAutonomous, admitDelegation } from './entry.ts';
import { type Facts, readFacts } from './facts.ts';
import { endError, invocable, type MintContext, type MintUnit, respond } from './issue.ts';
import { findEnd, grant, computePermissions, longestEnd } from './validity.ts';
import { unreadable } from './mint.ts';

/** A refresh request comes from the agent's back end, so the IP address and user agent of the agent are unknown. */
const BACK_END = { ipAddress: null, userAgent: null };

/** The context of a refresh, which may revoke the session of a token that is presented again. */
export interface RefreshContext extends MintContext {
  unit: MintUnit & RevokingUnit;
}

const readAll = ({ environmentId, blueprintId }: MintContext, place: SessionPlace) =>
  readTogether(() =>
    awaitAll([
      readFacts(environmentId, blueprintId, place),
      place.userId === undefined ? [] : sessionRows(environmentId, place.userId),
    ]),
  );

/**
 * Refreshes a session. All conditions are checked again, by the current blueprint. It takes one wave of reads and one
 * conditional write; a parallel call with the same token writes nothing and gets the same successor.
 */
export async function refresh(context: RefreshContext, token: string) {
  const { unit, fail, errors, environmentId } = context;
  const presented = readRefreshToken(token);
  if (presented === undefined) throw await unreadable(context, errors.invalidRefreshToken);
  let [facts, userSessions] = await readAll(context, presented.place);
  if (facts.blueprint === undefined) throw fail(errors.blueprintNotFound);
  const session = facts.chain.at(-1)?.session;
  if (session === undefined || session.blueprintId !== context.blueprintId) throw fail(errors.invalidRefreshToken);
  const state = presentToken(session, presented, BACK_END);
  if (state.kind === 'foreign') throw fail(errors.invalidRefreshToken);
  // The ids in the token are only hints (that of an imported organization is not in it), so the rows are read again if the stored
  // session has other ids.
  const place = findPlaceOfSession(session);
  if (!isSamePlace(place, presented.place)) [facts, userSessions] = await readAll(context, place);
  const end = findEnd(facts, userSessions, clock.now());
  if (state.kind === 'reused' && statusAt(session, clock.now()) === 'active') {
    log.warn('a replaced refresh token of an agent was presented again', { session: session.id, environmentId });
    stageRevocation(unit, session);
    throw fail(errors.invalidRefreshToken, { commitOnFailure: true });
  }
  if (end !== undefined) throw fail(endError(end, context));
  if (state.kind === 'reused') throw fail(errors.invalidRefreshToken);
  const delegating = userSessions.find(({ id }) => id === session.userSessionId);
  const { organizationId, userId } = session;
  const verdict =
    userId === undefined ? admitAutonomous(organizationId) : await admitDelegation(facts, organizationId, delegating);
  if (verdict === undefined) throw fail(errors.userSessionEnded);
  return renew(
    context,
    facts,
    verdict,
    session,
    state.kind === 'replaced' ? { successor: state.successor } : { presented },
  );
}

async function renew(
  context: MintContext,
  facts: Facts,
  verdict: AgentVerdict,
  session: SessionRecord,
  found: { successor: string } | { presented: NonNullable<ReturnType<typeof readRefreshToken>> },
) {
  const { unit, fail, errors } = context;
  const blueprint = invocable(context, facts, session.organizationId);
  const limits = blueprint.sessionSettings;
  if (limits === undefined) throw fail(errors.sessionSettingsNotFound);
  const above = facts.chain.slice(0, -1);
  const now = clock.now();
  const parentEnd = Date.parse(above.at(-1)?.session?.endsAt ?? '') || Infinity;
  const endsAt = Math.min(now + limits.refreshTtl * 1_000, longestEnd(session, blueprint), parentEnd);
  if (endsAt - now < 1_000) throw fail(parentEnd === endsAt ? errors.sessionExpired : errors.maxAgeExceeded);
  const permissions = grant(blueprint, facts, computePermissions(above, facts));
  const intent = context.intent ?? session.intent;
  const made = { permissions, intent, isNew: false, accessTtl: limits.accessTtl };
  if ('successor' in found) return respond(verdict, session, { ...made, refreshToken: found.successor });
  const generation = newGeneration();
  const refreshToken = writeRefreshToken(session, { family: found.presented.family, generation });
  const revised = agentSessions.revise(session, {
    ...replaceToken(session, found.presented, { generation, successor: refreshToken }, BACK_END),
    permissions,
    intent,
    endsAt: new Date(endsAt).toISOString(),
    expiresAt: removableAfter(endsAt),
  });
  unit.stage(revised.write);
  return respond(verdict, revised.record, { ...made, refreshToken });
}
