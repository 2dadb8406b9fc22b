import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { constantTimeEqual } from '../../../kernel/keys/hash.ts';
import { log } from '../../../kernel/log.ts';
import { hashToken, newGeneration, presentToken, replaceToken } from '../../../kernel/tokens/rotation.ts';
import type { Entry, Verdict } from '../../modules/trust/public.ts';
import { sessionSettings } from '../settings.ts';
import { type SessionRecord, sessions } from './entity.ts';
import { isLive, openSessionRow } from './find.ts';
import { readRefreshToken, type RefreshToken, writeRefreshToken } from './refresh-token.ts';
import { computeEnd, type RevokingUnit, stageRevocation } from './stage.ts';

/** The reasons for rejecting a refresh. Clients get `invalid_grant` for all of them; the reason is for logs and tests. */
export type RefreshRejection = 'unknown' | 'client_mismatch' | 'revoked' | 'expired' | 'reused';

/** The error for an invalid refresh token. */
export class RefreshRejected extends Error {
  override name = 'RefreshRejected';
  readonly reason: RefreshRejection;
  /**
   * True if the unit of work contains the revocation of the session, which must be committed although the call is rejected.
   */
  readonly commitOnFailure: boolean;

  constructor(reason: RefreshRejection) {
    super(`The refresh token was rejected: ${reason}`);
    this.reason = reason;
    this.commitOnFailure = reason === 'reused';
  }
}

/** The input of a refresh. */
export interface RefreshAttempt {
  environmentId: string;
  client: 'public' | 'confidential';
  refreshToken: string;
  /** The organization to switch to; the session's own when absent. */
  organizationId?: string | undefined;
  /** The client's address and user agent: those that a back end forwards for its user, otherwise none. */
  ipAddress: string | null;
  userAgent: string | null;
}

/** The result of a refresh. */
export interface Refreshed<Subject> {
  session: SessionRecord;
  refreshToken: string;
  subject: Subject;
}

/**
 * The user and organization that a refresh token claims, unverified: a caller can read the user and their membership
 * while {@link refreshSession} reads the session. Undefined if it is not a refresh token.
 */
export const hintsOfRefreshToken = (
  refreshToken: string,
): { userId: string; organizationId: string | undefined } | undefined => readRefreshToken(refreshToken);

/**
 * Exchanges a refresh token for its successor (RFC 9700 section 4.14.2: rotation with detection of reuse): one strong
 * read and one plain conditional write, no event.
 *
 * Concurrent calls with the same token get the same successor for 30 seconds, or two minutes while the successor is
 * unused; 10 and 30 seconds for a client of another network or user agent than the one that replaced it
 * (`kernel/tokens/rotation.ts`). Presenting a replaced token after that revokes the session with `session.revoked`; a
 * token that was never issued revokes nothing.
 *
 * @param recheck Checks user and membership again, and whether its proofs may enter the organization, before
 *   anything is staged; an error that it throws rejects the refresh.
 * @throws RefreshRejected; if its `commitOnFailure` is set, the caller's error must also commit the unit
 */
export async function refreshSession<Subject>(
  unit: RevokingUnit,
  attempt: RefreshAttempt,
  recheck: (
    session: SessionRecord,
    organizationId: string | undefined,
  ) => Promise<{ verdict: Verdict<Entry>; subject: Subject }>,
): Promise<Refreshed<Subject>> {
  const { environmentId } = attempt;
  const token = readRefreshToken(attempt.refreshToken);
  if (token === undefined) throw new RefreshRejected('unknown');
  const [found, limits] = await awaitAll([
    openSessionRow(environmentId, token.userId, token.sessionId),
    findSettings(environmentId, sessionSettings),
  ]);
  const session = admitted(found, token, attempt);
  const lastUsed = Date.parse(session.updatedAt);
  if (!isLive(session) || lastUsed + limits.inactivity_seconds * 1_000 <= clock.now()) {
    throw new RefreshRejected(session.endedAt === undefined ? 'expired' : 'revoked');
  }
  if (Date.parse(session.createdAt) + limits.max_lifetime_seconds * 1_000 <= clock.now()) {
    throw new RefreshRejected('expired');
  }
  const presented = presentToken(session, token, attempt);
  const client = { session: session.id, ip_address: attempt.ipAddress, user_agent: attempt.userAgent };
  if (presented.kind === 'reused') {
    log.warn('a replaced refresh token was presented again', client);
    stageRevocation(unit, session);
    throw new RefreshRejected('reused');
  }
  const successor = presented.kind === 'replaced' ? presented.successor : undefined;
  if (presented.kind === 'replaced' && presented.isOtherClient) {
    log.warn('a replaced refresh token got its successor as the response for another client', client);
  }
  const organizationId = attempt.organizationId ?? session.organizationId;
  const { verdict, subject } = await recheck(session, organizationId);
  if (successor !== undefined && organizationId === session.organizationId) {
    return { session, refreshToken: successor, subject };
  }
  const generation = newGeneration();
  const refreshToken = successor ?? writeRefreshToken({ ...token, organizationId, generation });
  const at = clock.timestamp();
  const { record, write } = sessions.revise(
    session,
    {
      ...(successor === undefined
        ? replaceToken(session, token, { generation, successor: refreshToken }, attempt)
        : {}),
      organizationId: verdict.facts.organizationId,
      endsAt: computeEnd(session.lifetimeEndsAt, at, limits.inactivity_seconds),
    },
    at,
  );
  unit.stage(write);
  return { session: record, refreshToken, subject };
}

/** The session of a token that is or was valid, if the kind of client that opened it presents the token. */
function admitted(found: SessionRecord | undefined, token: RefreshToken, attempt: RefreshAttempt): SessionRecord {
  if (found === undefined || !constantTimeEqual(hashToken(token.family), found.familyHash)) {
    throw new RefreshRejected('unknown');
  }
  if (found.client !== attempt.client) throw new RefreshRejected('client_mismatch');
  return found;
}
