import { environmentOf } from '../../kernel/authentication/environment.ts';
import { networkOf } from '../../kernel/limits/client-network.ts';
import { consume, type Verdict } from '../../kernel/limits/counter.ts';
import { limitOf } from '../../kernel/limits/named-limits.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { normalizeEmail } from '../../user-management/public.ts';

/** What an attempt to sign in is counted by; each that is given. */
export interface CountedBy {
  /** In any spelling. */
  email?: string | undefined;
  userId?: string | undefined;
  address?: string | undefined;
}

/**
 * Counts an attempt before it is looked at, exactly and once a call: one write for each that it is counted by, at the same
 * time. @returns The verdict that refuses longest, else one that allows.
 */
export async function countSignIn(unit: Unit<never>, environmentId: string, by: CountedBy): Promise<Verdict> {
  const settings: unknown = (await environmentOf(environmentId))?.settings;
  const email = by.email === undefined ? undefined : (normalizeEmail(by.email) ?? by.email.trim().toLowerCase());
  const counters = [
    ['sign-in.email', email],
    ['sign-in.user', by.userId],
    ['sign-in.address', by.address === undefined ? undefined : networkOf(by.address)],
  ] as const;
  const verdicts = await Promise.all(
    counters.map(async ([name, key]): Promise<Verdict> => {
      const limit = limitOf(name, settings);
      if (key === undefined || limit === undefined) return FREE;
      return unit.once(`count ${name}`, () => consume(environmentId, { name, key }, limit));
    }),
  );
  return verdicts.reduce((worst, own) => (own.retryAfterSeconds > worst.retryAfterSeconds ? own : worst), FREE);
}

const FREE: Verdict = { allowed: true, remaining: Number.POSITIVE_INFINITY, retryAfterSeconds: 0 };
