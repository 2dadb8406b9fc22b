import type { BreakGlass } from '../link/entity.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { CONSOLE_SESSION } from '../../../kernel/authentication/operator-sessions.ts';
import { pageSessions, type PageSession } from '../../../kernel/pages/session.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../../kernel/authentication/environment-id.ts';
import type { Authority } from '../../../tenancy/modules/trust/public.ts';
import type { ConsoleVerdict } from '../link/authority.ts';

/** Seconds after which a session of the console ends, even if it is in use. */
export const SESSION_SECONDS = 8 * 3_600;

/** The name of the operator of an emergency access. */
export const BREAK_GLASS_NAME = 'Emergency access';

/** An operator who is signed in to the console, in one browser. The holder is the user's id. */
export interface ConsoleSession extends PageSession {
  membershipId: string;
  /** The time of the last proof of identity, in milliseconds since the epoch. */
  provenAt: number;
  /** The kind of the last proof of identity. */
  method: 'link' | 'sign_in' | 'break_glass';
  /** The emergency access of a session without a user, whose `membershipId` is empty. */
  breakGlass?: BreakGlass | undefined;
  /** The user's session that the sign-in opened, with which this one ends; absent for a link. */
  sessionId?: string | undefined;
  /** The proofs by which it was opened; absent in sessions from before. */
  proofs?: Authority | undefined;
}

/**
 * The sessions of the console: at most ten browsers of an operator, each for up to 30 minutes without use. The API reads them too, at
 * each call of a grant.
 */
export const consoleSessions = pageSessions<ConsoleSession>({
  kind: CONSOLE_SESSION,
  purpose: 'console',
  most: 10,
  idleSeconds: 1_800,
});

/**
 * Opens a session of the console with a new cookie in every case.
 * @param holder `id` is that of the user, or of an emergency access; `seconds` is the lifetime
 * @returns the Set-Cookie header
 */
export const stageConsoleSession = (
  unit: Pick<Unit, 'stage'>,
  { authority: proofs }: ConsoleVerdict,
  { id: holderId, owner, seconds = SESSION_SECONDS }: { id: string; owner: string; seconds?: number },
  opening: Omit<ConsoleSession, keyof PageSession | 'proofs'>,
  request: IncomingRequest,
): Promise<string> =>
  consoleSessions.stageOpening(
    unit,
    { environmentId: OPERATORS_ENVIRONMENT_ID, holderId, owner, seconds },
    { ...opening, proofs },
    request,
  );
