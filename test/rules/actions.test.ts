import { createHmac } from 'node:crypto';

import { describe, expect, test } from '@jest/globals';

import { MAX_MESSAGE, readVerdict, TOLERANCE_MS } from '../../functions/outbound/modules/actions/execution/rules.ts';

const SECRET = 'whsec_c2VjcmV0';
const NOW = 1_790_000_000_000;
const reading = { type: 'authentication', secrets: [SECRET], now: NOW } as const;

const sign = (text: string, secret = SECRET, timestamp: unknown = NOW): string =>
  createHmac('sha256', secret)
    .update(`${String(timestamp)}.${text}`)
    .digest('hex');

/** A response whose payload is serialized by one function in the body, and by another one for the signature. */
function respond(
  payload: Record<string, unknown>,
  { sent = JSON.stringify, signed = JSON.stringify, secret = SECRET }: Serialization = {},
): string {
  const signature = sign(signed(payload), secret, payload.timestamp);
  return `{"object":"authentication_action_response","payload":${sent(payload)},"signature":"${signature}"}`;
}

interface Serialization {
  sent?: (payload: object) => string;
  signed?: (payload: object) => string;
  secret?: string;
}

const denial = { timestamp: NOW, verdict: 'Deny', error_message: 'Nur für Kollegen 🙂 / "intern"' };

/** JSON as Python writes it by default: with blanks, and with non-ASCII characters escaped. */
const escaped = (payload: object): string =>
  JSON.stringify(payload).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
const spaced = (payload: object): string => escaped(payload).replaceAll('":', '": ').replaceAll(',"', ', "');
/** JSON as PHP writes it by default: with escaped slashes too. */
const slashed = (payload: object): string => escaped(payload).replaceAll('/', '\\/');

describe('the response of an action endpoint', () => {
  test.each<[string, Serialization]>([
    ['sent and signed as compact JSON', {}],
    ['sent with blanks and signed as compact JSON', { sent: (payload) => JSON.stringify(payload, null, 2) }],
    ['sent with escapes and blanks and signed as compact JSON with escapes', { sent: spaced, signed: escaped }],
    ['sent and signed with escapes and blanks', { sent: spaced, signed: spaced }],
    ['sent and signed with escaped slashes', { sent: slashed, signed: slashed }],
  ])('is accepted if its payload was %s', (_title, serialization) => {
    expect(readVerdict(respond(denial, serialization), reading)).toEqual({
      kind: 'Deny',
      message: denial.error_message,
    });
  });

  test('is accepted if it is signed with the next secret of a rotation', () => {
    const body = respond({ timestamp: NOW, verdict: 'Allow' }, { secret: 'whsec_bmV4dA==' });
    expect(readVerdict(body, { ...reading, secrets: [SECRET, 'whsec_bmV4dA=='] })).toEqual({ kind: 'Allow' });
    expect(readVerdict(body, reading)).toEqual({ kind: 'failure', code: 'invalid_signature' });
  });

  test('has a verdict from the signed payload only, not from a second member of the same name', () => {
    const forged = respond({ timestamp: NOW, verdict: 'Deny' }).replace(
      ',"signature"',
      `,"payload":{"timestamp":${NOW},"verdict":"Allow"},"signature"`,
    );
    expect(readVerdict(forged, reading)).toEqual({ kind: 'Deny', message: undefined });
    const nested = respond({ timestamp: NOW, verdict: 'Allow' }).replace(
      '{"object"',
      `{"other":{"payload":{"timestamp":${NOW},"verdict":"Deny"}},"object"`,
    );
    expect(readVerdict(nested, reading)).toEqual({ kind: 'Allow' });
  });

  test.each([
    ['for the other type of action', respond(denial).replace('authentication_action', 'user_registration_action')],
    ['without a verdict', respond({ timestamp: NOW })],
    ['with another verdict', respond({ timestamp: NOW, verdict: 'allow' })],
    ['that is no JSON', 'Allow'],
    ['that is a list', '[]'],
    ['that is null', 'null'],
    ['without a payload', '{"object":"authentication_action_response","signature":"00"}'],
    ['with a time as text', respond({ timestamp: String(NOW), verdict: 'Allow' })],
  ])('is invalid %s', (_title, body) => {
    expect(readVerdict(body, reading)).toEqual({ kind: 'failure', code: 'invalid_response' });
  });

  test.each([
    ['by another secret', respond(denial, { secret: 'whsec_b3RoZXI=' })],
    ['by an empty signature', respond(denial).replace(/"signature":"[^"]*"/, '"signature":""')],
    ['over another payload', respond(denial, { signed: () => '{}' })],
    ['and was changed afterwards', respond(denial).replace('"Deny"', '"Allow"')],
  ])('is rejected if it is signed %s', (_title, body) => {
    expect(readVerdict(body, reading)).toEqual({ kind: 'failure', code: 'invalid_signature' });
  });

  test('is rejected if its time is more than 30 seconds before or after the clock', () => {
    for (const off of [-TOLERANCE_MS, TOLERANCE_MS]) {
      const allowed = respond({ timestamp: NOW + off, verdict: 'Allow' });
      expect(readVerdict(allowed, reading)).toEqual({ kind: 'Allow' });
      const stale = respond({ timestamp: NOW + off + Math.sign(off), verdict: 'Allow' });
      expect(readVerdict(stale, reading)).toEqual({ kind: 'failure', code: 'stale_response' });
    }
  });

  test('has a message of at most 500 characters, cut between characters; a blank one counts as none', () => {
    const long = respond({ ...denial, error_message: '🙂'.repeat(MAX_MESSAGE + 1) });
    expect(readVerdict(long, reading)).toEqual({ kind: 'Deny', message: '🙂'.repeat(MAX_MESSAGE) });
    for (const error_message of [null, ' \n', undefined]) {
      expect(readVerdict(respond({ ...denial, error_message }), reading)).toEqual({ kind: 'Deny', message: undefined });
    }
  });
});
