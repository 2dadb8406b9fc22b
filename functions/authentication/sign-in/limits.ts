import { environmentOf } from '../../kernel/authentication/environment.ts';
import { networkOf } from '../../kernel/limits/client-network.ts';
import { consume, type Verdict } from '../../kernel/limits/counter.ts';
import { type LimitName, limitOf } from '../../kernel/limits/named-limits.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { normalizeEmail } from '../../user-management/public.ts';
import { callerAt } from '../known-device/caller.ts';
import type { Origin } from './origin.ts';

/** What an attempt to sign in is counted by; each that is given. */
export interface CountedBy {
  /** In any spelling. */
  email?: string | undefined;
  userId?: string | undefined;
  /** Where it comes from. */
  origin: Origin;
}

/**
 * Counts an attempt before it is looked at, exactly and once a call. At an email each network is counted apart, then all of them
 * together; where others have used that up, a browser by which the user has signed in still has a reserve. One write for each
 * counter, in two rounds. @returns The verdict that refuses longest, else one that allows.
 */
export async function countSignIn(
  unit: Unit<never>,
  environmentId: string,
  { email: typed, userId, origin }: CountedBy,
): Promise<Verdict> {
  const settings: unknown = (await environmentOf(environmentId))?.settings;
  const count = async (name: LimitName, key: string | undefined): Promise<Verdict> => {
    const limit = limitOf(name, settings);
    if (key === undefined || limit === undefined) return FREE;
    return unit.once(`count ${name}`, () => consume(environmentId, { name, key }, limit));
  };
  const { countedAddress: address } = origin;
  const network = address === undefined ? undefined : networkOf(address);
  const email = typed === undefined ? undefined : (normalizeEmail(typed) ?? typed.trim().toLowerCase());
  const pair = network === undefined ? email : email && `${email} ${network}`;
  const [own, ...others] = await Promise.all([
    Promise.all([
      count('sign-in.email', pair),
      count('sign-in.email.hourly', network === undefined ? undefined : pair),
    ]).then(longest),
    count('sign-in.user', userId),
    count('sign-in.address', network),
  ]);
  // Whoever is stopped by a counter of their own uses up nothing of what all share.
  const isStopped = [own, ...others].some(({ allowed }) => !allowed);
  const atEmail = isStopped ? own : await count('sign-in.email.everybody', email);
  if (atEmail.allowed || email === undefined) return longest([atEmail, ...others]);
  const { reserve } = callerAt(environmentId, email, origin);
  const known = await unit.once('reserve of a known browser', async () => (await reserve?.()) ?? '');
  return longest([known === '' ? atEmail : await count('sign-in.known-browser', known), ...others]);
}

const FREE: Verdict = { allowed: true, remaining: Number.POSITIVE_INFINITY, retryAfterSeconds: 0 };

const longest = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce((worst, own) => (own.retryAfterSeconds > worst.retryAfterSeconds ? own : worst), FREE);
