import { clock } from '../../kernel/clock.ts';
import { findSettings } from '../../kernel/environment-settings.ts';
import { derivedOpen, derivedSeal } from '../../kernel/keys/derived-seal.ts';
import { constantTimeEqual } from '../../kernel/keys/hash.ts';
import { computeNetwork } from '../../kernel/limits/client-network.ts';
import { log } from '../../kernel/log.ts';
import { sessionSettings } from '../settings.ts';
import { type FormerGeneration, type SessionRecord, sessions } from './entity.ts';
import { isLive, openSessionRow } from './find.ts';
import { hashToken, newGeneration, readRefreshToken, type RefreshToken, writeRefreshToken } from './refresh-token.ts';
import { computeEnd, type RevokingUnit, stageRevocation } from './stage.ts';

/**
 * Time for which a replaced token still returns its successor: after the first use of the successor, and before. A
 * client that lost the response has the same network and user agent; any other client has less time.
 */
const GRACE_MS = {
  same: { used: 30_000, unused: 120_000 },
  other: { used: 10_000, unused: 30_000 },
} as const;
/** Maximum replaced tokens that are stored. */
const MOST_FORMER = 16;

/**
 * The reasons for rejecting a refresh. Clients get `invalid_grant` for all of them; the reason is for logs and tests.
 */
export type RefreshRejection = 'unknown' | 'client_mismatch' | 'revoked' | 'expired' | 'reused';

/** Thrown for an invalid refresh token. */
export class RefreshRejected extends Error {
  override name = 'RefreshRejected';
  readonly reason: RefreshRejection;
  /** True if the unit contains the revocation of the session, which must be committed although the call is rejected. */
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
  /** The client's address and user agent: from a back end the values that it forwards for its user, otherwise none. */
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
 * Concurrent calls with the same token get the same successor: it is stored encrypted under the presented token, so a
 * copy of the table does not reveal it, for 30 seconds, or two minutes while the successor is unused; 10 and 30 seconds
 * for a client of another network or user agent than the one that replaced it. Presenting a replaced token after that
 * revokes the session with `session.revoked`; a token that was never issued revokes nothing.
 *
 * @param recheck Checks user and membership again, before anything is staged; an error that it throws rejects the
 *   refresh.
 * @throws RefreshRejected; if its `commitOnFailure` is set, the caller's error must also commit the unit
 */
export async function refreshSession<Subject>(
  unit: RevokingUnit,
  attempt: RefreshAttempt,
  recheck: (session: SessionRecord, organizationId: string | undefined) => Promise<Subject>,
): Promise<Refreshed<Subject>> {
  const { environmentId } = attempt;
  const token = readRefreshToken(attempt.refreshToken);
  if (token === undefined) throw new RefreshRejected('unknown');
  const [found, limits] = await Promise.all([
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
  const successor = findSuccessor(session, token, attempt);
  if (successor === undefined && !constantTimeEqual(hashToken(token.generation), session.generationHash)) {
    log.warn('a replaced refresh token was presented again', {
      session: session.id,
      ip_address: attempt.ipAddress,
      user_agent: attempt.userAgent,
    });
    stageRevocation(unit, session);
    throw new RefreshRejected('reused');
  }
  const organizationId = attempt.organizationId ?? session.organizationId;
  const subject = await recheck(session, organizationId);
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
        ? replaced(session, { token, generation, successor: refreshToken, client: clientHash(attempt) })
        : {}),
      organizationId,
      endsAt: computeEnd(session.lifetimeEndsAt, at, limits.inactivity_seconds),
    },
    at,
  );
  unit.stage(write);
  return { session: record, refreshToken, subject };
}

/** The session of a genuine or formerly genuine token, presented by the kind of client that opened it. */
function admitted(found: SessionRecord | undefined, token: RefreshToken, attempt: RefreshAttempt): SessionRecord {
  if (found === undefined || !constantTimeEqual(hashToken(token.family), found.familyHash)) {
    throw new RefreshRejected('unknown');
  }
  if (found.client !== attempt.client) throw new RefreshRejected('client_mismatch');
  return found;
}

const formerOf = (session: SessionRecord): FormerGeneration[] =>
  (session.former as FormerGeneration[] | undefined) ?? [];

/** The parts that only the holder of the token has; the hint in it may differ without harm. */
const secretsOf = ({ family, generation }: RefreshToken): string[] => [family, generation];

const sealInfo = ({ environmentId, id }: SessionRecord): string => `refresh ${environmentId} ${id}`;

/** Identifies a client by its network and user agent; the row needs only their hash. */
const clientHash = ({ ipAddress, userAgent }: RefreshAttempt): string =>
  hashToken(JSON.stringify([ipAddress && computeNetwork(ipAddress), userAgent]));

/** The token's successor, if the token was replaced so recently that presenting it is not misuse. */
function findSuccessor(session: SessionRecord, token: RefreshToken, attempt: RefreshAttempt): string | undefined {
  const former = formerOf(session);
  const hash = hashToken(token.generation);
  const at = former.findIndex((generation) => generation.hash === hash);
  const generation = former[at];
  if (generation === undefined) return undefined;
  const isSame = generation.client === clientHash(attempt);
  const grace = GRACE_MS[isSame ? 'same' : 'other'][at === former.length - 1 ? 'unused' : 'used'];
  if (generation.replacedAt + grace <= clock.now()) return undefined;
  if (!isSame) {
    log.warn('a replaced refresh token was answered with its successor for another client', {
      session: session.id,
      ip_address: attempt.ipAddress,
      user_agent: attempt.userAgent,
    });
  }
  return Buffer.from(derivedOpen(secretsOf(token), sealInfo(session), generation.sealed)).toString();
}

/** The changes that turn the current token into a replaced one. */
function replaced(
  session: SessionRecord,
  {
    token,
    generation,
    successor,
    client,
  }: { token: RefreshToken; generation: string; successor: string; client: string },
) {
  const now = clock.now();
  const kept = formerOf(session).filter(({ replacedAt }) => replacedAt + GRACE_MS.same.used > now);
  const sealed = derivedSeal(secretsOf(token), sealInfo(session), successor);
  const former = [...kept, { hash: hashToken(token.generation), sealed, replacedAt: now, client }].slice(-MOST_FORMER);
  return { generationHash: hashToken(generation), former };
}
