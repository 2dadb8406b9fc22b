import { createHmac, timingSafeEqual } from 'node:crypto';

import * as z from 'zod';

import { cutText } from '../../../../kernel/text.ts';
import type { ActionType } from '../settings.ts';

/** Milliseconds by which the timestamp of a response may differ from the clock. */
export const TOLERANCE_MS = 30_000;

/** The maximum length of a message for the person, in characters. */
export const MAX_MESSAGE = 500;

/** The verdict of a response, or the reason why the response is invalid. */
export type Verdict =
  | { kind: 'Allow' }
  | { kind: 'Deny'; message: string | undefined }
  | { kind: 'failure'; code: 'invalid_response' | 'invalid_signature' | 'stale_response' };

/** The schemas of a response, which are built at the first response, since most instances never call an action. */
const schemas = buildOnce(() => ({
  envelope: z.object({ object: z.string(), payload: z.record(z.string(), z.unknown()), signature: z.string() }),
  payload: z.object({
    timestamp: z.number(),
    verdict: z.enum(['Allow', 'Deny']),
    error_message: z.string().nullish(),
  }),
}));

function buildOnce<T>(build: () => T): () => T {
  let built: T | undefined;
  return () => (built ??= build());
}

/**
 * Verifies the response of an action endpoint: `{object, payload: {timestamp, verdict, error_message?}, signature}`, whose
 * signature is HMAC-SHA256 of `<timestamp>.<payload>` in hexadecimal. The verdict is read from the signed text only.
 * @param secrets the secrets in use, of which one must have signed
 * @param now milliseconds since the epoch
 */
export function readVerdict(
  body: string,
  { type, secrets, now }: { type: ActionType; secrets: readonly string[]; now: number },
): Verdict {
  const envelope = schemas().envelope.safeParse(parseJson(body));
  if (!envelope.success || envelope.data.object !== `${type}_action_response`) return failure('invalid_response');
  const { payload: sent, signature } = envelope.data;
  const signed = signedTexts(body, sent).find((text) =>
    secrets.some((secret) => isSignature(signature, secret, `${String(sent.timestamp)}.${text}`)),
  );
  if (signed === undefined) return failure('invalid_signature');
  const payload = schemas().payload.safeParse(parseJson(signed));
  if (!payload.success) return failure('invalid_response');
  const { timestamp, verdict, error_message: message } = payload.data;
  if (timestamp !== sent.timestamp || Math.abs(now - timestamp) > TOLERANCE_MS) return failure('stale_response');
  if (verdict === 'Allow') return { kind: 'Allow' };
  return { kind: 'Deny', message: cutText(message?.trim() ?? '', 0, MAX_MESSAGE) || undefined };
}

const failure = (code: Extract<Verdict, { kind: 'failure' }>['code']): Verdict => ({ kind: 'failure', code });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The texts of a payload that a signature may cover: the text that was sent, and the compact forms that official clients
 * sign. The HTTP library of the endpoint may serialize the signed payload in another way, with blanks or with escaped
 * characters.
 */
function signedTexts(body: string, payload: object): string[] {
  const compact = JSON.stringify(payload);
  const escaped = compact.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return [rawMember(body, 'payload') ?? compact, compact, escaped];
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** The text of a member of a JSON object as it was sent. @param json valid JSON of an object */
function rawMember(json: string, name: string): string | undefined {
  let depth = 0;
  let text: string | undefined;
  let start: number | undefined;
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    const isEnd = (token === '}' && depth === 1) || (token === ',' && depth === 1);
    if (isEnd && start !== undefined) return json.slice(start, index).trim();
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && token === ':' && text === name) start = index + 1;
    else if (depth === 1 && token.startsWith('"')) text = JSON.parse(token) as string;
  }
  return undefined;
}

function isSignature(signature: string, secret: string, text: string): boolean {
  const expected = createHmac('sha256', secret).update(text).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
