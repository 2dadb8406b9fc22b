import { clock } from '../../../kernel/clock.ts';
import { isId } from '../../../kernel/id-format.ts';
import { type Authority, readProofs } from '../../modules/trust/public.ts';
import { type SessionLocator, sessionLocators, type SessionRecord, sessionRows, sessions } from './entity.ts';

/** Reports whether a session is neither revoked nor expired. */
export const isLive = ({ endedAt, endsAt }: SessionRecord): boolean =>
  endedAt === undefined && Date.parse(endsAt) > clock.now();

/** A session of a user, even if it has ended, by one strongly consistent GetItem. */
export const openSessionRow = (
  environmentId: string,
  userId: string,
  sessionId: string,
): Promise<SessionRecord | undefined> => sessions.get(environmentId, sessionId, { userId });

/**
 * The user and environment of a session, by its id: one strongly consistent GetItem, or no read if the text is not a
 * session's id.
 */
export const findLocator = async (sessionId: string): Promise<SessionLocator | undefined> =>
  isId('session', sessionId) ? sessionLocators.get('', sessionId) : undefined;

/** A session by its id, even if it has ended, of any environment, by two strongly consistent GetItems. */
export async function findSession(sessionId: string): Promise<SessionRecord | undefined> {
  const locator = await findLocator(sessionId);
  return locator && openSessionRow(locator.environmentId, locator.userId, sessionId);
}

/** A user's live sessions, oldest first, at most 20, by one strongly consistent Query. */
export async function findLiveSessions(environmentId: string, userId: string): Promise<SessionRecord[]> {
  return (await sessionRows(environmentId, userId)).filter(isLive);
}

/** The proofs of a session. */
export const readSessionProofs = (session: SessionRecord): Authority =>
  readProofs({ ...session, method: session.authMethod, at: Date.parse(session.authenticatedAt) });
