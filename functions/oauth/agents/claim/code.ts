import { randomInt } from 'node:crypto';

import { envelopes } from '../../../kernel/keys/shared.ts';
import { drawUserCode } from '../../../kernel/user-code.ts';
import type { Attempt } from '../registration/entity.ts';
import { keyPurpose } from '../../../kernel/keys/key-wrapper.ts';

/** Validity of a code, from the time when its person opened the link. */
const CODE_MS = 600_000;

const scopeOfCode = (environmentId: string) => ({ environmentId, purpose: keyPurpose('one-time-code') });

/** Makes the code of an attempt. It is encrypted, not hashed, because the person who opened the link can display it again. */
export async function makeCode(environmentId: string, attemptId: string) {
  const code = drawUserCode(randomInt);
  return { code, sealedCode: await envelopes().seal(scopeOfCode(environmentId), attemptId, code) };
}

/** Decrypts the code of an attempt; undefined if no person has opened the link. */
export const openCode = async (environmentId: string, { id, sealedCode }: Attempt): Promise<string | undefined> =>
  sealedCode === undefined ? undefined : envelopes().openText(scopeOfCode(environmentId), id, sealedCode);

/** Reports whether the code of an attempt has expired at a time, in milliseconds since the epoch. */
export const hasCodeEnded = ({ codeMadeAt }: Attempt, now: number): boolean =>
  codeMadeAt !== undefined && codeMadeAt + CODE_MS <= now;
