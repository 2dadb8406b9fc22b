import { createHash } from 'node:crypto';

import { clock } from '../clock.ts';
import { derivedOpen, derivedSeal } from '../keys/derived-seal.ts';
import { inPlaceOfExpired } from '../storage/expiry.ts';
import { rowExists, type RowKey } from '../storage/row.ts';
import type { Write } from '../storage/write.ts';
import { type IdempotencyRow, idempotencyRows } from './entity.ts';

const LIFETIME_SECONDS = 86_400;
/**
 * Maximum bytes of a stored response. DynamoDB's limit for a row is 409,600 bytes; the rest is room for the keys, the other
 * attributes and the encryption.
 */
const MAX_RESPONSE_BYTES = 400_000;

/** Identifies a call: the caller, the operation, and the idempotency key. */
export interface CallIdentity {
  environmentId: string;
  /** The caller's credential, to which the row is scoped and with which it is encrypted. */
  proof: string;
  method: string;
  path: string;
  key: string;
  rawBody: string;
}

/** A response in its stored form. */
export interface StoredResponse {
  status: number;
  body?: unknown;
}

const digest = (...parts: readonly string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex');

const hashCall = (call: CallIdentity): string => digest(digest(call.proof), call.method, call.path, call.key);

/** The content of a row before encryption. It has no response if that is too large for a row. */
interface Memory extends Partial<StoredResponse> {
  /** The digest of the request's body. */
  request: string;
  /** The row of the record that the call created; absent if its response names none. */
  created?: RowKey | undefined;
}

/** The state of a repeated call. */
export type ReplayLookup =
  | { kind: 'response'; response: StoredResponse }
  /** The key was used with another request. */
  | { kind: 'mismatch' }
  /** The call was executed, and its response was too large to be stored. */
  | { kind: 'unkept' }
  /** The record that the call created was deleted, so the call is executed again and its response replaces this row. */
  | { kind: 'gone'; row: IdempotencyRow };

/**
 * Returns the row that stores a response, to be committed with the writes of that response. It is encrypted with the
 * caller's own credential and idempotency key, so that reading the table reveals nothing.
 * @param created the row of the record that these writes create
 * @param former the row of an earlier call with the same key, which this one replaces
 */
export function storeResponse(
  call: CallIdentity,
  response: StoredResponse,
  created: RowKey | undefined,
  former: IdempotencyRow | undefined,
): Write {
  const id = hashCall(call);
  const request = digest(call.rawBody);
  let text = JSON.stringify({ request, ...response, created } satisfies Memory);
  if (Buffer.byteLength(text) > MAX_RESPONSE_BYTES) text = JSON.stringify({ request, created } satisfies Memory);
  const sealed = derivedSeal([call.proof, call.key], id, text);
  const expiresAt = clock.seconds() + LIFETIME_SECONDS;
  if (former !== undefined) return idempotencyRows.revise(former, { sealed, expiresAt }).write;
  return inPlaceOfExpired(idempotencyRows.create({ environmentId: call.environmentId, id, sealed, expiresAt }).write);
}

/**
 * Reads the stored state of a call, by one GetItem, and a second one if the response names a record that the call created.
 */
export async function findStoredResponse(call: CallIdentity): Promise<ReplayLookup | undefined> {
  const id = hashCall(call);
  const row = await idempotencyRows.get(call.environmentId, id);
  if (row === undefined || (row.expiresAt ?? 0) <= clock.seconds()) return undefined;
  const text = new TextDecoder().decode(derivedOpen([call.proof, call.key], id, row.sealed as Uint8Array));
  const { request, status, body, created } = JSON.parse(text) as Memory;
  if (request !== digest(call.rawBody)) return { kind: 'mismatch' };
  if (created !== undefined && !(await rowExists(created))) return { kind: 'gone', row };
  return status === undefined ? { kind: 'unkept' } : { kind: 'response', response: { status, body } };
}
