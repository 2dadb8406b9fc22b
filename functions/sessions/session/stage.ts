import { clock, isoAfter } from '../../kernel/clock.ts';
import { settingsOf } from '../../kernel/environment-settings.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { unguarded } from '../../kernel/storage/write.ts';
import { stageEndOfBrowserSessions } from '../browser-session/stage.ts';
import { sessionSettings } from '../settings.ts';
import { sessionLocators, type SessionRecord, sessionRows, sessions } from './entity.ts';
import { isLive, liveSessionsOf } from './find.ts';
import { hashOf, newFamily, newGeneration, newSessionId, writeRefreshToken } from './refresh-token.ts';
import { type Impersonator, presentSession } from './schema.ts';
import type { AuthMethod } from './auth-method.ts';
import { cutText } from '../../kernel/text.ts';

/** What a session is opened with. */
export interface SessionOpening {
  environmentId: string;
  userId: string;
  organizationId?: string | undefined;
  authMethod: AuthMethod;
  /** Of `oauth`: the provider, in the contract's spelling. */
  provider?: string | undefined;
  ipAddress: string | null;
  userAgent: string | null;
  /** What the client is: only its like may refresh the session. */
  client: 'public' | 'confidential';
  /** ISO 8601; now when absent. */
  authenticatedAt?: string | undefined;
  impersonator?: Impersonator | undefined;
}

/** A unit that may open and revoke sessions. */
export type SessionUnit = Unit<'session.created' | 'session.revoked'>;
/** A unit that may revoke sessions. */
export type RevokingUnit = Unit<'session.revoked'>;

/** How long the row of an ended session is kept, and how many of them a user has at most. */
const KEPT_SECONDS = 7 * 86_400;
const KEPT_ROWS = 60;
/** How long a logout still finds an ended session's environment. */
const LOCATOR_SECONDS = 90 * 86_400;
/** Rows that one opening removes or revokes at most, so that its transaction has room for its caller. */
const MOST_REMOVED = 10;
const MOST_REVOKED = 20;
/** Characters of a user agent that are kept. */
const MOST_USER_AGENT = 512;

/**
 * What a unit has revoked so far, by id: the first proof of an address revokes all sessions before the same sign-in makes room
 * for its own, and reads them as they were.
 */
const revokedIn = new WeakMap<object, Map<string, SessionRecord>>();

const secondsOf = (iso: string): number => Math.floor(Date.parse(iso) / 1_000);

/**
 * Opens a session and emits `session.created`; where the user has as many as the environment allows, the oldest is
 * revoked. One strongly consistent Query. **The caller revises the user's row in the same unit**, so that two openings, or
 * an opening and a change that revokes, cannot pass each other.
 * @param read The user's rows ({@link sessionRows}), where they were asked for already: after the user's row was read, not before.
 */
export async function stageSession(
  unit: SessionUnit,
  opening: SessionOpening,
  read?: Promise<readonly SessionRecord[]>,
): Promise<{ session: SessionRecord; refreshToken: string }> {
  const { environmentId, userId, organizationId } = opening;
  const [limits, rows] = await Promise.all([
    settingsOf(environmentId, sessionSettings),
    read ?? sessionRows(environmentId, userId),
  ]);
  const revoked = revokedIn.get(unit);
  makeRoom(
    unit,
    rows.map((row) => revoked?.get(row.id) ?? row),
    limits.max_sessions,
  );
  const secrets = { family: newFamily(), generation: newGeneration() };
  const token = { userId, sessionId: newSessionId(), organizationId, ...secrets };
  const at = clock.timestamp();
  const lifetimeEndsAt = isoAfter(at, limits.max_lifetime_seconds);
  const owner = ownerKey('user', userId);
  const fields = {
    ...opening,
    id: token.sessionId,
    owner,
    ipAddress: opening.ipAddress ?? undefined,
    userAgent: opening.userAgent === null ? undefined : cutText(opening.userAgent, 0, MOST_USER_AGENT),
    authenticatedAt: opening.authenticatedAt ?? at,
    lifetimeEndsAt,
    endsAt: endOf(lifetimeEndsAt, at, limits.inactivity_seconds),
    familyHash: hashOf(token.family),
    generationHash: hashOf(token.generation),
    expiresAt: secondsOf(lifetimeEndsAt) + KEPT_SECONDS,
  };
  const { record, write } = sessions.create(fields, at);
  const expiresAt = secondsOf(lifetimeEndsAt) + LOCATOR_SECONDS;
  unit.stage([write, sessionLocators.create({ environmentId, id: record.id, owner, userId, expiresAt }).write]);
  unit.emit('session.created', presentSession(record, clock.now()), { organizationId: record.organizationId });
  return { session: record, refreshToken: writeRefreshToken(token) };
}

/** When a session ends that was used last at a time: at the end of its lifetime or, before that, for want of use. */
export function endOf(lifetimeEndsAt: string, usedAt: string, inactivitySeconds: number): string {
  const idle = isoAfter(usedAt, inactivitySeconds);
  return idle < lifetimeEndsAt ? idle : lifetimeEndsAt;
}

/** Revokes what is too many with one more, and removes the rows of the longest ended. */
function makeRoom(unit: SessionUnit, rows: readonly SessionRecord[], most: number): void {
  const live = rows.filter(isLive);
  const surplus = Math.min(Math.max(0, live.length + 1 - most), MOST_REVOKED);
  for (const session of live.slice(0, surplus)) stageEnd(unit, session);
  const ended = rows.filter((row) => !isLive(row));
  const removable = Math.min(Math.max(0, ended.length - KEPT_ROWS), MOST_REMOVED);
  unit.stage(ended.slice(0, removable).map((row) => unguarded(sessions.remove(row))));
}

/**
 * Revokes a session and emits `session.revoked`; nothing where it has ended already. Its refresh token stops working
 * with the commit, its last access token within the lifetime of one (five minutes unless set otherwise), and the user is
 * signed out of the hosted pages in every browser.
 * @returns the session as it is then
 */
export function stageRevocation(unit: RevokingUnit, session: SessionRecord): SessionRecord {
  // Else the next authorization in that browser would sign in again without asking.
  if (isLive(session)) stageEndOfBrowserSessions(unit, session.environmentId, session.userId);
  return stageEnd(unit, session);
}

function stageEnd(unit: RevokingUnit, session: SessionRecord): SessionRecord {
  const revoked = revokedIn.get(unit) ?? new Map<string, SessionRecord>();
  revokedIn.set(unit, revoked);
  const former = revoked.get(session.id) ?? session;
  if (!isLive(former)) return former;
  const endedAt = clock.timestamp();
  const expiresAt = secondsOf(endedAt) + KEPT_SECONDS;
  const { record, write } = sessions.revise(session, { endedAt, former: undefined, expiresAt }, endedAt);
  unit.stage(write);
  unit.emit('session.revoked', presentSession(record, clock.now()), { organizationId: record.organizationId });
  revoked.set(record.id, record);
  return record;
}

/**
 * Revokes a user's live sessions, those that pass the filter where there is one: at most 20 writes and 20 events in
 * the caller's unit. One strongly consistent Query. The caller revises or removes the user's row in the same unit.
 * @returns the revoked sessions
 */
export async function stageRevocationOfAll(
  unit: RevokingUnit,
  environmentId: string,
  userId: string,
  filter: (session: SessionRecord) => boolean = () => true,
): Promise<SessionRecord[]> {
  const live = await liveSessionsOf(environmentId, userId);
  return live.filter(filter).map((session) => stageRevocation(unit, session));
}
