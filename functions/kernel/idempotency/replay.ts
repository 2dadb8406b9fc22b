import { createHash } from 'node:crypto';

import { clock } from '../clock.ts';
import { derivedOpen, derivedSeal } from '../keys/derived-seal.ts';
import { inPlaceOfExpired } from '../storage/expiry.ts';
import type { Write } from '../storage/write.ts';
import { idempotencyRows } from './entity.ts';

const LIFETIME_SECONDS = 86_400;
/** Answers beyond this are not remembered: the row shares its transaction with the call's own writes. */
const MAX_ANSWER_BYTES = 65_536;

/** What makes two calls the same call: who calls, what, and under which key. */
export interface CallIdentity {
  environmentId: string;
  /** The caller's credential: scopes the row and seals it. */
  proof: string;
  method: string;
  path: string;
  key: string;
  rawBody: string;
}

/** An answer as it was given. */
export interface RememberedAnswer {
  status: number;
  body?: unknown;
}

const digest = (...parts: readonly string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex');

const idOf = (call: CallIdentity): string => digest(digest(call.proof), call.method, call.path, call.key);

/**
 * The row that remembers an answer, to be committed with the writes it answers for. Sealed under the caller's own
 * credential and idempotency key, so that the table alone reads nothing.
 * @returns undefined for an answer too large to remember: a repetition then runs again.
 */
export function rememberAnswer(call: CallIdentity, answer: RememberedAnswer): Write | undefined {
  const text = JSON.stringify({ request: digest(call.rawBody), ...answer });
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) return undefined;
  const id = idOf(call);
  const { write } = idempotencyRows.create({
    environmentId: call.environmentId,
    id,
    sealed: derivedSeal([call.proof, call.key], id, text),
    expiresAt: clock.seconds() + LIFETIME_SECONDS,
  });
  return inPlaceOfExpired(write);
}

/** What is remembered of a call: its first answer, or that its key was used with another request. */
export async function recallAnswer(call: CallIdentity): Promise<RememberedAnswer | 'mismatch' | undefined> {
  const id = idOf(call);
  const row = await idempotencyRows.get(call.environmentId, id);
  if (row === undefined || (row.expiresAt ?? 0) <= clock.seconds()) return undefined;
  const text = new TextDecoder().decode(derivedOpen([call.proof, call.key], id, row.sealed as Uint8Array));
  const { request, ...answer } = JSON.parse(text) as RememberedAnswer & { request: string };
  return request === digest(call.rawBody) ? answer : 'mismatch';
}
