import { IMPERSONATION_SECONDS } from '../../../kernel/authentication/impersonation.ts';
import { clock, isoAfter } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { unguarded } from '../../../kernel/storage/write.ts';
import { stageEndOfBrowserSessions } from '../browser-session/stage.ts';
import { sessionSettings } from '../settings.ts';
import { sessionLocators, type SessionRecord, sessionRows, sessions } from './entity.ts';
import { isLive, findLiveSessions } from './find.ts';
import { hashToken, newFamily, newGeneration } from '../../../kernel/tokens/rotation.ts';
import { newSessionId, writeRefreshToken } from './refresh-token.ts';
import { type Impersonator, presentSession } from './schema.ts';
import type { AuthMethod } from '../../../kernel/events/catalogue/sessions.ts';
import { cutText } from '../../../kernel/text.ts';
import { type Entry, listOrganizations, type Verdict } from '../../modules/trust/public.ts';

/** The data of a new session. Its organization and its proofs are those of the verdict. */
export interface SessionOpening {
  environmentId: string;
  userId: string;
  authMethod: AuthMethod;
  /** The provider if the method is `oauth`, in the contract's spelling. */
  provider?: string | undefined;
  ipAddress: string | null;
  userAgent: string | null;
  /** The kind of client: only the same kind may refresh the session. */
  client: 'public' | 'confidential';
  /** The time of the authentication (ISO 8601); the current time by default. */
  authenticatedAt?: string | undefined;
  impersonator?: Impersonator | undefined;
  /** The impersonator's user, and its session, in the environment of the operators. */
  operatorId?: string | undefined;
  operatorSessionId?: string | undefined;
  /** True if a second factor was used, as far as it is known. */
  mfa?: boolean | undefined;
}

/** A unit of work that may open and revoke sessions. */
export type SessionUnit = Unit<'session.created' | 'session.revoked'>;
/** A unit of work that may revoke sessions. */
export type RevokingUnit = Unit<'session.revoked'>;

/** Time in seconds for which the row of an ended session is kept, and the maximum number of such rows of a user. */
const KEPT_SECONDS = 7 * 86_400;
const KEPT_ROWS = 60;
/** Time in seconds for which a logout still finds an ended session's environment. */
const LOCATOR_SECONDS = 90 * 86_400;
/** Maximum rows that opening a session removes or revokes, so that its transaction has room for the caller's writes. */
const MOST_REMOVED = 10;
const MOST_REVOKED = 20;
/** Maximum live sessions of impersonators of a user, in addition to the user's own. */
const MOST_IMPERSONATIONS = 2;
/** Maximum characters of a user agent that are stored. */
const MOST_USER_AGENT = 512;

/**
 * The sessions that a unit of work has revoked, by id. The first proof of an address revokes all sessions before the same
 * sign-in makes room for its own, and reads them in their previous state.
 */
const revokedIn = new WeakMap<object, Map<string, SessionRecord>>();

const toSeconds = (iso: string): number => Math.floor(Date.parse(iso) / 1_000);

/**
 * Opens a session and emits `session.created`. If the user has reached the environment's limit, the oldest session is
 * revoked. It takes one strongly consistent Query. **The caller revises the user's row in the same unit of work**, so that
 * two openings, or an opening and a revocation, conflict instead of missing each other.
 * @param verdict the permission to enter the session's organization
 * @param read the user's rows ({@link sessionRows}), if they were read already; they must be read after the user's row
 */
export async function stageSession(
  unit: SessionUnit,
  verdict: Verdict<Entry>,
  opening: SessionOpening,
  read?: Promise<readonly SessionRecord[]>,
): Promise<{ session: SessionRecord; refreshToken: string }> {
  const { environmentId, userId } = opening;
  const { authority, facts } = verdict;
  const { organizationId } = facts;
  const [limits, rows] = await awaitAll([
    findSettings(environmentId, sessionSettings),
    read ?? sessionRows(environmentId, userId),
  ]);
  const revoked = revokedIn.get(unit);
  const isImpersonation = opening.impersonator !== undefined;
  // A session of an impersonator never signs the user out, nor does a sign-in of the user end it.
  const others = rows
    .map((row) => revoked?.get(row.id) ?? row)
    .filter((row) => !isLive(row) || (row.impersonator !== undefined) === isImpersonation);
  makeRoom(unit, others, isImpersonation ? MOST_IMPERSONATIONS : limits.max_sessions);
  const secrets = { family: newFamily(), generation: newGeneration() };
  const token = { userId, sessionId: newSessionId(), organizationId, ...secrets };
  const at = clock.timestamp();
  const lifetimeSeconds = limits.max_lifetime_seconds;
  const lifetimeEndsAt = isoAfter(
    at,
    isImpersonation ? Math.min(lifetimeSeconds, IMPERSONATION_SECONDS) : lifetimeSeconds,
  );
  const owner = ownerKey('user', userId);
  const fields = {
    ...opening,
    id: token.sessionId,
    owner,
    organizationId,
    proofs: authority,
    ssoOrganizationId: listOrganizations(authority)[0],
    ipAddress: opening.ipAddress ?? undefined,
    userAgent: opening.userAgent === null ? undefined : cutText(opening.userAgent, 0, MOST_USER_AGENT),
    authenticatedAt: opening.authenticatedAt ?? at,
    lifetimeEndsAt,
    endsAt: computeEnd(lifetimeEndsAt, at, limits.inactivity_seconds),
    familyHash: hashToken(token.family),
    generationHash: hashToken(token.generation),
    expiresAt: toSeconds(lifetimeEndsAt) + KEPT_SECONDS,
  };
  const record = unit.announce(sessions.create(fields, at), 'session.created', currentPayload, { organizationId });
  const expiresAt = toSeconds(lifetimeEndsAt) + LOCATOR_SECONDS;
  unit.stage(sessionLocators.create({ environmentId, id: record.id, owner, userId, expiresAt }).write);
  return { session: record, refreshToken: writeRefreshToken(token) };
}

/** A session as the payload of its events. */
const currentPayload = (record: SessionRecord) => presentSession(record, clock.now());

/**
 * The end of a session, computed from the time of its last use: the end of its lifetime or, if earlier, of the idle time.
 */
export function computeEnd(lifetimeEndsAt: string, usedAt: string, inactivitySeconds: number): string {
  const idle = isoAfter(usedAt, inactivitySeconds);
  return idle < lifetimeEndsAt ? idle : lifetimeEndsAt;
}

/** Revokes the oldest sessions above the limit, and removes the rows that ended longest ago. */
function makeRoom(unit: SessionUnit, rows: readonly SessionRecord[], most: number): void {
  const live = rows.filter(isLive);
  const surplus = Math.min(Math.max(0, live.length + 1 - most), MOST_REVOKED);
  for (const session of live.slice(0, surplus)) stageEnd(unit, session);
  const ended = rows.filter((row) => !isLive(row));
  const removable = Math.min(Math.max(0, ended.length - KEPT_ROWS), MOST_REMOVED);
  unit.stage(ended.slice(0, removable).map((row) => unguarded(sessions.remove(row))));
}

/**
 * Revokes a session and emits `session.revoked`. It has no effect if the session has ended already. Its refresh token is
 * invalid from the commit on, its last access token at its expiry (five minutes unless set otherwise), and the user is
 * signed out of the hosted pages in every browser, unless it is the session of an impersonator.
 * @returns the session in its new state
 */
export function stageRevocation(unit: RevokingUnit, session: SessionRecord): SessionRecord {
  // With a browser session left, the next authorization in that browser would sign in again without a prompt.
  if (isLive(session) && session.impersonator === undefined)
    stageEndOfBrowserSessions(unit, session.environmentId, session.userId);
  return stageEnd(unit, session);
}

function stageEnd(unit: RevokingUnit, session: SessionRecord): SessionRecord {
  const revoked = revokedIn.get(unit) ?? new Map<string, SessionRecord>();
  revokedIn.set(unit, revoked);
  const former = revoked.get(session.id) ?? session;
  if (!isLive(former)) return former;
  const endedAt = clock.timestamp();
  const expiresAt = toSeconds(endedAt) + KEPT_SECONDS;
  const end = sessions.revise(session, { endedAt, former: undefined, expiresAt }, endedAt);
  const record = unit.announce(end, 'session.revoked', currentPayload, {
    organizationId: session.organizationId,
  });
  revoked.set(record.id, record);
  return record;
}

/**
 * Revokes a user's live sessions, or those that pass a filter: at most 20 writes and 20 events in the caller's unit of
 * work. It takes one strongly consistent Query. The caller revises or removes the user's row in the same unit of work.
 * @returns the revoked sessions
 */
export async function stageRevocationOfAll(
  unit: RevokingUnit,
  environmentId: string,
  userId: string,
  filter: (session: SessionRecord) => boolean = () => true,
): Promise<SessionRecord[]> {
  const live = await findLiveSessions(environmentId, userId);
  return live.filter(filter).map((session) => stageRevocation(unit, session));
}
