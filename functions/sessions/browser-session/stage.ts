import { clock } from '../../kernel/clock.ts';
import { browserHash, browserValue } from '../../kernel/http/browser.ts';
import { type Binding, setCookie } from '../../kernel/http/cookies.ts';
import { ulidOf } from '../../kernel/id-format.ts';
import { constantTimeEqual, randomSecret } from '../../kernel/keys/hash.ts';
import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { type BrowserSession, browserSessions } from './entity.ts';

/** Maximum browsers of a user; a further one replaces the oldest. */
const MOST_BROWSERS = 20;

/**
 * The users that a unit signs out everywhere: if the same unit signs one in, it ignores the browser sessions that the
 * table still has.
 */
const endedIn = new WeakMap<object, Set<string>>();

/** Each environment has its own cookie. */
const bindingOf = (environmentId: string): Binding => ({ purpose: 'session', id: ulidOf(environmentId) });

/** The cookie names its user, whose row contains it: `<user id>.<secret>`. */
const userOf = (value: string): string => value.slice(0, value.indexOf('.'));

const openOf = (record: { open?: unknown } | undefined): BrowserSession[] => (record?.open ?? []) as BrowserSession[];

/** The sign-in of a user to an environment's hosted pages in a browser. */
export interface SignedInBrowser extends BrowserSession {
  userId: string;
}

/**
 * Finds the user who is signed in in this browser: one strongly consistent GetItem if it has the cookie. The caller
 * reads the user and compares `epoch`.
 */
export async function browserSessionOf(
  environmentId: string,
  request: IncomingRequest,
): Promise<SignedInBrowser | undefined> {
  const value = browserValue(request, bindingOf(environmentId));
  if (value === undefined) return undefined;
  const userId = userOf(value);
  const hash = browserHash(value);
  const open = openOf(await browserSessions.get(environmentId, userId));
  const own = open.find((session) => constantTimeEqual(session.hash, hash));
  return own === undefined || own.endsAt <= clock.now() ? undefined : { ...own, userId };
}

/** The data of a new browser session. */
export interface BrowserOpening extends Omit<BrowserSession, 'hash' | 'endsAt'> {
  environmentId: string;
  userId: string;
  /** Its lifetime in seconds; 0 opens no session and ends the one that the browser had. */
  seconds: number;
}

/**
 * Signs a browser in to the hosted pages, always under a new cookie: a cookie that an attacker put there is useless
 * (session fixation). It also ends the browser's former session of the same user. **The caller revises the user's row
 * in the same unit.**
 * @returns the Set-Cookie header
 */
export async function stageBrowserSession(
  unit: Pick<Unit, 'stage'>,
  { environmentId, userId, seconds, ...session }: BrowserOpening,
  request: IncomingRequest,
): Promise<string> {
  const binding = bindingOf(environmentId);
  const former = browserValue(request, binding);
  const isEnded = endedIn.get(unit)?.has(userId) === true;
  const record = isEnded ? undefined : await browserSessions.get(environmentId, userId);
  const kept = openOf(record).filter(
    ({ hash, endsAt }) => endsAt > clock.now() && (former === undefined || hash !== browserHash(former)),
  );
  const value = `${userId}.${randomSecret(32, 'base64url')}`;
  const own = { ...session, hash: browserHash(value), endsAt: clock.now() + seconds * 1_000 };
  const open = [...kept, ...(seconds > 0 ? [own] : [])].slice(-MOST_BROWSERS);
  if (record !== undefined) unit.stage(browserSessions.revise(record, { open }).write);
  else if (open.length > 0) {
    unit.stage(browserSessions.create({ environmentId, id: userId, owner: ownerKey('user', userId), open }).write);
  }
  return setCookie(binding, value, { maxAgeSeconds: seconds });
}

/** Signs a user out of the hosted pages in every browser, regardless of concurrent sign-ins. */
export function stageEndOfBrowserSessions(unit: Pick<Unit, 'stage'>, environmentId: string, userId: string): void {
  unit.stage(browserSessions.removeByKey({ environmentId, id: userId }));
  endedIn.set(unit, (endedIn.get(unit) ?? new Set()).add(userId));
}
