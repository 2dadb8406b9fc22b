import { randomInt } from 'node:crypto';

import { environmentOf } from '../authentication/environment.ts';
import { clock, isoAfter } from '../clock.ts';
import { constantTimeEqual } from '../keys/hash.ts';
import { envelopes } from '../keys/shared.ts';
import { consume } from '../limits/counter.ts';
import { type LimitName, limitOf } from '../limits/named-limits.ts';
import type { Unit } from '../storage/unit.ts';

/** How long a code works, in seconds. */
export const CODE_SECONDS = 600;

/** Seconds for which a row remembers a code that has ended, so that a late reader is told why it no longer works. */
const REMEMBERED_SECONDS = 86_400;

const TRIES: LimitName = 'one-time-code.tries';
const DIGITS = 6;

/**
 * Attributes of a record that carries a code. The code is sealed under a data key of the environment that KMS wraps, so
 * that a copy of the table cannot be searched for it, which a hash of a million possible codes could be in a second; and it can
 * be read back where the contract shows it. The envelope is bound to the code's id.
 */
export const codeAttributes = {
  /** Names the code: tries are counted by it, and its envelope opens under no other. */
  codeId: { type: 'string', required: true },
  sealedCode: { type: 'any', required: true },
  /** ISO 8601: when the code stops working. */
  codeExpiresAt: { type: 'string', required: true },
  /** ISO 8601: when it was used. */
  codeUsedAt: { type: 'string' },
  /** Seconds since the epoch: when the row may go. */
  expiresAt: { type: 'number', required: true },
} as const;

/** A code as a record holds it. */
export interface SealedCode {
  codeId: string;
  sealedCode?: unknown;
  codeExpiresAt: string;
  codeUsedAt?: string | undefined;
}

/** The part of a record that is the code, for a second record which shows it. */
export const sealedPartOf = (record: SealedCode & { expiresAt: number }) => ({
  codeId: record.codeId,
  sealedCode: record.sealedCode as Uint8Array,
  codeExpiresAt: record.codeExpiresAt,
  expiresAt: record.expiresAt,
});

/** How a code was found: only `valid` lets anybody in. */
export type CodeOutcome = 'valid' | 'invalid' | 'expired' | 'too_many_attempts' | 'used';

const scopeOf = (environmentId: string) => ({ environmentId, purpose: 'one-time-code' });

/** A new code: six digits, each code equally likely. */
export const newCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');

/**
 * The attributes of a new code, which works for {@link CODE_SECONDS}: one KMS call at most, none while the environment's data
 * key is remembered.
 * @param at ISO 8601, from when on it works
 */
export async function sealCode(environmentId: string, codeId: string, code: string, at = clock.timestamp()) {
  return {
    codeId,
    sealedCode: await envelopes().seal(scopeOf(environmentId), codeId, code),
    codeExpiresAt: isoAfter(at, CODE_SECONDS),
    expiresAt: Math.ceil(Date.parse(at) / 1_000) + CODE_SECONDS + REMEMBERED_SECONDS,
  };
}

/** The code in plain, for the answers that show it. */
export const openCode = (environmentId: string, { codeId, sealedCode }: SealedCode): Promise<string> =>
  envelopes().openText(scopeOf(environmentId), codeId, sealedCode as Uint8Array);

/**
 * Compares what somebody entered with a code. The try is counted before the comparison, by one conditional write and once a
 * call however often it is applied again, so that of any number of parallel guesses at most five are compared. Whether a code was
 * used or has expired is told only to whoever knows it. The caller makes the use single by a version-checked write of
 * `codeUsedAt` in its unit.
 * @param code Undefined when there is none to compare with: that costs the same and is `invalid`, then `too_many_attempts`.
 */
export async function checkCode(
  unit: Unit<never>,
  environmentId: string,
  code: SealedCode | undefined,
  entered: string,
  /** Stands for the code that there is not, such as the address it would have gone to. */
  decoy: string,
): Promise<CodeOutcome> {
  const digits = entered.replace(/[\s-]/g, '');
  const counted = { name: TRIES, key: code?.codeId ?? decoy };
  const limit = limitOf(TRIES, (await environmentOf(environmentId))?.settings);
  if (limit !== undefined) {
    const verdict = await unit.once(`try ${counted.key}`, () => consume(environmentId, counted, limit));
    if (!verdict.allowed) return 'too_many_attempts';
  }
  if (code === undefined) return 'invalid';
  if (!constantTimeEqual(await openCode(environmentId, code), digits)) return 'invalid';
  if (code.codeUsedAt !== undefined) return 'used';
  return Date.parse(code.codeExpiresAt) <= clock.now() ? 'expired' : 'valid';
}
