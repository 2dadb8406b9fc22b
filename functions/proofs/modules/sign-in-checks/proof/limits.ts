import { findEnvironment } from '../../../../kernel/authentication/environment.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { computeNetwork } from '../../../../kernel/limits/client-network.ts';
import { consume, findRoom, type Verdict } from '../../../../kernel/limits/counter.ts';
import { type LimitName, findLimit } from '../../../../kernel/limits/named-limits.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { normalizeEmail } from '../../../../kernel/address.ts';
import { callerAt, type ClientContext } from '../../../../tenancy/modules/known-devices/public.ts';

/** The keys by which an attempt to sign in is counted: each one that is present. */
export interface CountedBy {
  /** The email, in any spelling. */
  email?: string | undefined;
  userId?: string | undefined;
  /**
   * True if a password is tried at the email. Wrong passwords also have daily limits: call `countWrongPassword` for each.
   */
  isPassword?: boolean | undefined;
  /** The client of the attempt. */
  origin: ClientContext;
}

/**
 * Counts an attempt exactly once before it is processed. For an email each network is counted separately, and then all of
 * them together; if others have used up that limit, a browser with which the user has signed in still has its own
 * allowance. It costs one write for each counter, in two rounds, and for a password two reads in parallel with the first
 * round.
 * @returns the rejection with the longest wait, or an acceptance
 */
export async function countSignIn(
  unit: Unit<never>,
  environmentId: string,
  { email: typed, userId, isPassword = false, origin }: CountedBy,
): Promise<Verdict> {
  const { count, findRoom } = await findCounters(unit, environmentId);
  const { email, network, pair } = makeCounterKeys(typed, origin);
  const [own, ...others] = await awaitAll([
    awaitAll([
      count('sign-in.email', pair ?? email),
      count('sign-in.email.hourly', pair),
      findRoom('sign-in.password.daily', isPassword ? pair : undefined),
      findRoom('sign-in.password.everybody.daily', isPassword ? email : undefined),
    ]).then(longest),
    count('sign-in.user', userId),
    count('sign-in.address', network),
  ]);
  // An attempt that the client's own counter rejects is not counted in the shared one.
  const isStopped = [own, ...others].some(({ allowed }) => !allowed);
  const atEmail = isStopped ? own : await count('sign-in.email.everybody', email);
  if (atEmail.allowed || email === undefined) return longest([atEmail, ...others]);
  const known = await knownBrowser(unit, environmentId, email, origin);
  if (known === undefined) return longest([atEmail, ...others]);
  const reserve = await awaitAll([
    count('sign-in.known-browser', known),
    findRoom('sign-in.password.known-browser.daily', isPassword ? known : undefined),
  ]);
  return longest([...reserve, ...others]);
}

/**
 * Counts a wrong password in three daily limits: at the email from this network, at the email in total, and in a browser
 * with which the user has signed in. Correct passwords are not counted, so a successful sign-in costs only reads. It makes
 * the same calls for every address.
 */
export async function countWrongPassword(
  unit: Unit<never>,
  environmentId: string,
  { email: typed, origin }: { email: string; origin: ClientContext },
): Promise<void> {
  const { count } = await findCounters(unit, environmentId);
  const { email, pair } = makeCounterKeys(typed, origin);
  await awaitAll([
    count('sign-in.password.daily', pair),
    count('sign-in.password.everybody.daily', email),
    knownBrowser(unit, environmentId, email, origin).then((known) =>
      count('sign-in.password.known-browser.daily', known),
    ),
  ]);
}

/** The environment's counters, each of which is used once in a call and accepts every attempt without a key. */
async function findCounters(unit: Unit<never>, environmentId: string) {
  const settings: unknown = (await findEnvironment(environmentId))?.settings;
  const usedBy =
    (verb: string, use: typeof consume) =>
    async (name: LimitName, key: string | undefined): Promise<Verdict> => {
      const limit = findLimit(name, settings);
      if (key === undefined || limit === undefined) return FREE;
      return unit.once(`${verb} ${name}`, () => use(environmentId, { name, key }, limit));
    };
  return { count: usedBy('count', consume), findRoom: usedBy('find room', findRoom) };
}

/** The keys of attempts at an email: `pair` is the email in one network, absent if the client is not known. */
function makeCounterKeys(typed: string | undefined, { countedAddress: address }: ClientContext) {
  const network = address === undefined ? undefined : computeNetwork(address);
  const email = typed === undefined ? undefined : (normalizeEmail(typed) ?? typed.trim().toLowerCase());
  return { email, network, pair: network === undefined ? undefined : email && `${email} ${network}` };
}

/** The key of the caller's browser, if the user of the email has signed in with it. */
async function knownBrowser(
  unit: Unit<never>,
  environmentId: string,
  email: string | undefined,
  origin: ClientContext,
): Promise<string | undefined> {
  const { reserve } = email === undefined ? {} : callerAt(environmentId, email, origin);
  return unit.once('reserve of a known browser', async () => reserve?.());
}

const FREE: Verdict = { allowed: true, remaining: Number.POSITIVE_INFINITY, retryAfterSeconds: 0 };

const longest = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce((worst, own) => (own.retryAfterSeconds > worst.retryAfterSeconds ? own : worst), FREE);
