import { expect } from '@jest/globals';
import { createGuardrails, generateSync } from 'otplib';

import { call, now } from '../../support/service.ts';

/** A factor at its enrolment. */
export interface Factor {
  id: string;
  type: string;
  user_id?: string;
  sms?: { phone_number: string };
  totp?: { issuer: string; user: string; secret: string; qr_code: string; uri: string };
}

export interface Challenge {
  object: string;
  id: string;
  expires_at: string;
  code?: string;
  authentication_factor_id: string;
}

export const PHONE = '+15005550006';

export async function enrol(body: object): Promise<Factor> {
  const response = await call<Factor>('POST', '/auth/factors/enroll', body);
  expect(response.status).toBe(201);
  return response.body;
}

export const enrolApp = (userId?: string): Promise<Factor> =>
  enrol({
    type: 'totp',
    totp_issuer: 'Acme',
    totp_user: 'ada@example.com',
    ...(userId === undefined ? {} : { user_id: userId }),
  });

export async function challenge(factorId: string, body: object = {}): Promise<Challenge> {
  const response = await call<Challenge>('POST', `/auth/factors/${factorId}/challenge`, body);
  expect(response.status).toBe(201);
  return response.body;
}

/** The result of an attempt: `valid`, `invalid`, or the code of its error. */
export async function verify(challengeId: string, code: string): Promise<string> {
  const { status, body } = await call<{ valid?: boolean; code?: string }>(
    'POST',
    `/auth/challenges/${challengeId}/verify`,
    { code },
  );
  if (status === 201) return body.valid ? 'valid' : 'invalid';
  return `${status} ${body.code}`;
}

/** The code of a factor's app at an offset in seconds from the service's clock. */
export async function readCode({ totp }: Factor, inSeconds = 0): Promise<string> {
  const epoch = Math.floor((await now()) / 1_000) + inSeconds;
  return generateSync({ secret: totp?.secret ?? '', epoch, guardrails: createGuardrails({ MIN_SECRET_BYTES: 10 }) });
}

/** A code of six digits that differs from this one. */
export const wrong = (code: string, by = 1): string => String((Number(code) + by) % 1_000_000).padStart(6, '0');
