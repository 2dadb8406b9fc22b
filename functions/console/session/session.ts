import { pageSessions, type PageSession } from '../../kernel/pages/session.ts';

/** Seconds after which a session of the console ends, even if it is in use. */
export const SESSION_SECONDS = 8 * 3_600;

/** An operator who is signed in to the console, in one browser. The holder is the user's id. */
export interface ConsoleSession extends PageSession {
  membershipId: string;
  /** The time of the last proof of identity, in milliseconds since the epoch. */
  provenAt: number;
  /** The kind of the last proof of identity. */
  method: 'link';
}

/** The sessions of the console: at most ten browsers of an operator, each for up to 30 minutes without use. */
export const consoleSessions = pageSessions<ConsoleSession>({
  kind: 'console-session',
  purpose: 'console',
  most: 10,
  idleSeconds: 1_800,
});
