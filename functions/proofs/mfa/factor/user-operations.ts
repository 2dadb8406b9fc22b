import * as z from 'zod';
import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Failure, Issue } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { pageWithin } from '../../../kernel/storage/reading.ts';
import { findUser } from '../../../tenancy/modules/users/public.ts';
import { stageChallenge } from '../challenge/stage.ts';
import { fromBase32, SEED_BYTES } from '../totp/codes.ts';
import { stageTotpFactor } from './stage.ts';
import { findFactors } from './entity.ts';
import { tooManyFactors, userNotFound } from './errors.ts';
import { defaultIssuer } from './issuer.ts';
import {
  AuthenticationFactorEnrolled,
  AuthenticationFactorList,
  EnrollUserFactor,
  ListAuthenticationFactors,
  presentFactor,
} from './schema.ts';
import { AuthenticationChallenge } from '../challenge/schema.ts';

/** The response to an enrolment, which also challenges the new factor. */
const UserFactorEnrolled = z
  .object({ authentication_factor: AuthenticationFactorEnrolled, authentication_challenge: AuthenticationChallenge })
  .meta({ id: 'UserlandUserAuthenticationFactorEnrollResponse' });

export const listUserFactors = operation({
  id: 'user_auth_factors.list',
  method: 'GET',
  path: '/user_management/users/{userlandUserId}/auth_factors',
  summary: "List a user's authentication factors",
  auth: apiKey,
  query: ListAuthenticationFactors,
  responses: { 200: AuthenticationFactorList },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const { userlandUserId: userId } = params;
    const [user, owned] = await awaitAll([findUser(environmentId, userId), findFactors(environmentId, userId)]);
    if (user === undefined) throw fail(userNotFound);
    return { status: 200, body: await readPage(query, async (window) => pageWithin(owned, window), presentFactor) };
  },
});

export const enrollUserFactor = operation({
  id: 'user_auth_factors.enroll',
  method: 'POST',
  path: '/user_management/users/{userlandUserId}/auth_factors',
  summary: 'Enroll an authenticator app of a user, and challenge it',
  description:
    'Only this response contains the secret. The factor is required at sign-in once one of its challenges was ' +
    'verified. `totp_secret` imports a secret: Base32 of 10 to 64 bytes.',
  auth: apiKey,
  body: EnrollUserFactor,
  responses: { 201: UserFactorEnrolled },
  errors: [userNotFound, tooManyFactors],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const secret = body.totp_secret === undefined ? undefined : parseSeed(body.totp_secret, invalid);
    const [user, environment] = await awaitAll([
      findUser(environmentId, params.userlandUserId),
      findEnvironment(environmentId),
    ]);
    if (user === undefined) throw fail(userNotFound);
    const { totp_issuer: issuer = defaultIssuer(environment), totp_user: label = user.email } = body;
    const { record, enrolled } = await stageTotpFactor(unit, {
      environmentId,
      userId: user.id,
      issuer,
      label,
      secret,
    });
    const { presented } = await stageChallenge(unit, record);
    return { status: 201, body: { authentication_factor: enrolled, authentication_challenge: presented } };
  },
});

function parseSeed(text: string, invalid: (issues: readonly Issue[]) => Failure): Uint8Array {
  const seed = fromBase32(text);
  const { least, most } = SEED_BYTES;
  if (seed === undefined || seed.length < least || seed.length > most) {
    const message = `must be Base32 (RFC 4648) of ${least} to ${most} bytes`;
    throw invalid([{ field: 'totp_secret', code: 'invalid_totp_secret', message }]);
  }
  return seed;
}

export const factorUserOperations = [listUserFactors, enrollUserFactor] as const;
