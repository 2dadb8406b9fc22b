import { constantTimeEqual } from '../keys/hash.ts';
import { pageSessionRows } from '../pages/session-rows.ts';
import { OPERATORS_ENVIRONMENT_ID } from './environment-id.ts';

/** The kind of the rows with the sessions of the console. */
export const CONSOLE_SESSION = 'console-session';

const sessions = pageSessionRows(CONSOLE_SESSION);

/** Reports whether an operator is still signed in to the console in a browser, by one strongly consistent GetItem. */
export async function isOperatorSignedIn(operatorId: string, sessionHash: string): Promise<boolean> {
  const live = await sessions.findLive(OPERATORS_ENVIRONMENT_ID, operatorId);
  return live.some(({ hash }) => constantTimeEqual(hash, sessionHash));
}
