import { randomInt } from 'node:crypto';

import { findEnvironment } from '../authentication/environment.ts';
import { clock, isoAfter } from '../clock.ts';
import { constantTimeEqual } from '../keys/hash.ts';
import { envelopes } from '../keys/shared.ts';
import { consume } from '../limits/counter.ts';
import { type LimitName, findLimit } from '../limits/named-limits.ts';
import type { Unit } from '../storage/unit.ts';
import { keyPurpose } from '../keys/key-wrapper.ts';

/** Time in seconds for which a code is valid. */
export const CODE_SECONDS = 600;

/** Time in seconds for which an expired code is kept in its row, so that a user who enters it late gets the reason. */
const KEPT_SECONDS = 86_400;

const TRIES: LimitName = 'one-time-code.tries';
const DIGITS = 6;

/**
 * Attributes of a record with a code. The code is encrypted with a data key of the environment that KMS wraps. So a copy of
 * the table does not reveal it, while a hash of a million possible codes could be searched in a second, and it can be
 * decrypted if the contract returns it. The encryption is bound to the code's id.
 */
export const codeAttributes = {
  /** The id of the code, by which attempts are counted and which decryption needs. */
  codeId: { type: 'string', required: true },
  sealedCode: { type: 'any', required: true },
  /** The time when the code expires (ISO 8601). */
  codeExpiresAt: { type: 'string', required: true },
  /** The time when the code was used (ISO 8601). */
  codeUsedAt: { type: 'string' },
  /** The time from which the row may be deleted, in seconds since the epoch. */
  expiresAt: { type: 'number', required: true },
} as const;

/** A code in the form in which a record stores it. */
export interface SealedCode {
  codeId: string;
  sealedCode?: unknown;
  codeExpiresAt: string;
  codeUsedAt?: string | undefined;
}

/** The code attributes of a record, for a second record which shows the code. */
export const sealedPartOf = (record: SealedCode & { expiresAt: number }) => ({
  codeId: record.codeId,
  sealedCode: record.sealedCode as Uint8Array,
  codeExpiresAt: record.codeExpiresAt,
  expiresAt: record.expiresAt,
});

/** The result of checking a code: the code is accepted only if it is `valid`. */
export type CodeOutcome = 'valid' | 'invalid' | 'expired' | 'too_many_attempts' | 'used';

const makeScope = (environmentId: string) => ({ environmentId, purpose: keyPurpose('one-time-code') });

/** Makes a new code: six digits, each code equally likely. */
export const newCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');

/**
 * The attributes of a new code, which is valid for {@link CODE_SECONDS}. It takes one KMS call at most, none while the
 * environment's data key is cached.
 * @param at ISO 8601, the time from which it is valid
 */
export async function sealCode(environmentId: string, codeId: string, code: string, at = clock.timestamp()) {
  return {
    codeId,
    sealedCode: await envelopes().seal(makeScope(environmentId), codeId, code),
    codeExpiresAt: isoAfter(at, CODE_SECONDS),
    expiresAt: Math.ceil(Date.parse(at) / 1_000) + CODE_SECONDS + KEPT_SECONDS,
  };
}

/** Decrypts the code, for the responses that show it. */
export const openCode = (environmentId: string, { codeId, sealedCode }: SealedCode): Promise<string> =>
  envelopes().openText(makeScope(environmentId), codeId, sealedCode as Uint8Array);

/**
 * Compares an entered code with the stored one. The attempt is counted before the comparison, by one conditional write, so
 * that of any number of parallel guesses at most five are compared. It is counted once in a call even if the unit of work is
 * applied again. Only a caller with the correct code learns whether it was used or has expired. The caller ensures that it
 * is used only once, by a version-checked write of `codeUsedAt` in its unit of work.
 * @param code undefined if there is none, which costs the same and results in `invalid`, then in `too_many_attempts`
 */
export async function checkCode(
  unit: Unit<never>,
  environmentId: string,
  code: SealedCode | undefined,
  entered: string,
  /** Replaces the id of a missing code, for example by the address it would have been sent to. */
  decoy: string,
): Promise<CodeOutcome> {
  const digits = entered.replace(/[\s-]/g, '');
  const counted = { name: TRIES, key: code?.codeId ?? decoy };
  const limit = findLimit(TRIES, (await findEnvironment(environmentId))?.settings);
  if (limit !== undefined) {
    const verdict = await unit.once(`try ${counted.key}`, () => consume(environmentId, counted, limit));
    if (!verdict.allowed) return 'too_many_attempts';
  }
  if (code === undefined) return 'invalid';
  if (!constantTimeEqual(await openCode(environmentId, code), digits)) return 'invalid';
  if (code.codeUsedAt !== undefined) return 'used';
  return Date.parse(code.codeExpiresAt) <= clock.now() ? 'expired' : 'valid';
}
