import { environmentOf } from '../../kernel/authentication/environment.ts';
import { networkOf } from '../../kernel/limits/client-network.ts';
import { consume, findRoom, type Verdict } from '../../kernel/limits/counter.ts';
import { type LimitName, limitOf } from '../../kernel/limits/named-limits.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { normalizeEmail } from '../../kernel/address.ts';
import { callerAt } from '../known-device/caller.ts';
import type { Origin } from './origin.ts';

/** What an attempt to sign in is counted by; each that is given. */
export interface CountedBy {
  /** In any spelling. */
  email?: string | undefined;
  userId?: string | undefined;
  /** Whether a password is tried at the email. Wrong ones have limits of a day as well: call `countWrongPassword` for each. */
  isPassword?: boolean | undefined;
  /** Where it comes from. */
  origin: Origin;
}

/**
 * Counts an attempt before it is looked at, exactly and once a call. At an email each network is counted apart, then all of them
 * together; where others have used that up, a browser by which the user has signed in still has a reserve. One write for each
 * counter, in two rounds; of a password two reads beside the first round.
 * @returns The verdict that refuses longest, else one that allows.
 */
export async function countSignIn(
  unit: Unit<never>,
  environmentId: string,
  { email: typed, userId, isPassword = false, origin }: CountedBy,
): Promise<Verdict> {
  const { count, findRoom } = await countersOf(unit, environmentId);
  const { email, network, pair } = keysOf(typed, origin);
  const [own, ...others] = await Promise.all([
    Promise.all([
      count('sign-in.email', pair ?? email),
      count('sign-in.email.hourly', pair),
      findRoom('sign-in.password.daily', isPassword ? pair : undefined),
      findRoom('sign-in.password.everybody.daily', isPassword ? email : undefined),
    ]).then(longest),
    count('sign-in.user', userId),
    count('sign-in.address', network),
  ]);
  // Whoever is stopped by a counter of their own uses up nothing of what all share.
  const isStopped = [own, ...others].some(({ allowed }) => !allowed);
  const atEmail = isStopped ? own : await count('sign-in.email.everybody', email);
  if (atEmail.allowed || email === undefined) return longest([atEmail, ...others]);
  const known = await knownBrowser(unit, environmentId, email, origin);
  if (known === undefined) return longest([atEmail, ...others]);
  const reserve = await Promise.all([
    count('sign-in.known-browser', known),
    findRoom('sign-in.password.known-browser.daily', isPassword ? known : undefined),
  ]);
  return longest([...reserve, ...others]);
}

/**
 * Counts a password that was wrong, in a day: at the email from this network, at the email by everybody, and by a browser by which the
 * user has signed in. Right ones are not counted, so a sign-in that succeeds pays for reads only. The same calls for every address.
 */
export async function countWrongPassword(
  unit: Unit<never>,
  environmentId: string,
  { email: typed, origin }: { email: string; origin: Origin },
): Promise<void> {
  const { count } = await countersOf(unit, environmentId);
  const { email, pair } = keysOf(typed, origin);
  await Promise.all([
    count('sign-in.password.daily', pair),
    count('sign-in.password.everybody.daily', email),
    knownBrowser(unit, environmentId, email, origin).then((known) =>
      count('sign-in.password.known-browser.daily', known),
    ),
  ]);
}

/** Counters as the environment has them; each is used once a call, and allows where there is no key. */
async function countersOf(unit: Unit<never>, environmentId: string) {
  const settings: unknown = (await environmentOf(environmentId))?.settings;
  const usedBy =
    (verb: string, use: typeof consume) =>
    async (name: LimitName, key: string | undefined): Promise<Verdict> => {
      const limit = limitOf(name, settings);
      if (key === undefined || limit === undefined) return FREE;
      return unit.once(`${verb} ${name}`, () => use(environmentId, { name, key }, limit));
    };
  return { count: usedBy('count', consume), findRoom: usedBy('find room', findRoom) };
}

/** What attempts at an email are counted by: `pair` is the email in one network, absent where nobody says whose attempt it is. */
function keysOf(typed: string | undefined, { countedAddress: address }: Origin) {
  const network = address === undefined ? undefined : networkOf(address);
  const email = typed === undefined ? undefined : (normalizeEmail(typed) ?? typed.trim().toLowerCase());
  return { email, network, pair: network === undefined ? undefined : email && `${email} ${network}` };
}

/** The key of the caller's browser, where the user with the email has signed in by it. */
async function knownBrowser(
  unit: Unit<never>,
  environmentId: string,
  email: string | undefined,
  origin: Origin,
): Promise<string | undefined> {
  const { reserve } = email === undefined ? {} : callerAt(environmentId, email, origin);
  return unit.once('reserve of a known browser', async () => reserve?.());
}

const FREE: Verdict = { allowed: true, remaining: Number.POSITIVE_INFINITY, retryAfterSeconds: 0 };

const longest = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce((worst, own) => (own.retryAfterSeconds > worst.retryAfterSeconds ? own : worst), FREE);
