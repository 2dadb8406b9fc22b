import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { addressAndFactor } from '../../../kernel/authentication/takeover-guard.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { type Failure, type Issue, orFail } from '../../../kernel/errors.ts';
import { phoneNumber } from '../../../kernel/address.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type * as z from 'zod';
import { FactorReset, presentReset, stageReset } from '../../modules/factor-resets/public.ts';
import { findUser, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { type Enrolment, stageGenericFactor, stageRemovalOfFactor, stageSmsFactor, stageTotpFactor } from './stage.ts';
import { factors } from './entity.ts';
import { factorNotFound, tooManyFactors } from './errors.ts';
import { defaultIssuer } from './issuer.ts';
import { AuthenticationFactor, AuthenticationFactorEnrolled, EnrollFactor, presentFactor } from './schema.ts';

export const enrollFactor = operation({
  id: 'auth_factors.enroll',
  method: 'POST',
  path: '/auth/factors/enroll',
  summary: 'Enroll an authenticator app, a phone number, or codes that you deliver yourself',
  description:
    'Only this response contains the secret of an authenticator app: as text, as a URI and as a QR code. With ' +
    '`user_id` the factor belongs to that user, who can have ten. It counts at sign-in after the first of its challenges ' +
    'was verified.',
  auth: apiKey,
  body: EnrollFactor,
  responses: { 201: AuthenticationFactorEnrolled },
  errors: [tooManyFactors],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, unit, invalid }) {
    const user = body.user_id === undefined ? undefined : await findUser(environmentId, body.user_id);
    if (body.user_id !== undefined && user === undefined) {
      throw invalid([{ field: 'user_id', code: 'not_found', message: 'names no user of this environment' }]);
    }
    const { enrolled } = await stageWanted(unit, environmentId, body, user, invalid);
    return { status: 201, body: enrolled };
  },
});

async function stageWanted(
  unit: Unit,
  environmentId: string,
  body: z.output<typeof EnrollFactor>,
  user: UserRecord | undefined,
  invalid: (issues: readonly Issue[]) => Failure,
): Promise<Enrolment> {
  const holder = { environmentId, userId: user?.id };
  if (body.type === 'generic_otp') return stageGenericFactor(unit, holder);
  if (body.type === 'sms') {
    const number = phoneNumber(body.phone_number ?? '');
    if (number === undefined) {
      const message = 'must be a phone number with its country code, such as +15005550006';
      throw invalid([{ field: 'phone_number', code: 'invalid_phone_number', message }]);
    }
    return stageSmsFactor(unit, { ...holder, phoneNumber: number });
  }
  const label = body.totp_user ?? user?.email;
  if (label === undefined) {
    throw invalid([{ field: 'totp_user', code: 'required', message: 'is required where there is no user_id' }]);
  }
  const issuer = body.totp_issuer ?? defaultIssuer(await findEnvironment(environmentId));
  return stageTotpFactor(unit, { ...holder, issuer, label });
}

export const getFactor = operation({
  id: 'auth_factors.get',
  method: 'GET',
  path: '/auth/factors/{id}',
  summary: 'Get an authentication factor',
  auth: apiKey,
  responses: { 200: AuthenticationFactor },
  errors: [factorNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const factor = await orFail(factors.get(environmentId, params.id), () => fail(factorNotFound));
    return { status: 200, body: presentFactor(factor) };
  },
});

export const deleteFactor = operation({
  id: 'auth_factors.delete',
  method: 'DELETE',
  path: '/auth/factors/{id}',
  summary: 'Delete an authentication factor and its open challenges',
  description:
    'Called with an API key, it deletes the factor at once (204). If an operator deletes the factor of a user in the console, the user gets a mail. If `delay_hours` in PUT /x/account/factor_resets/settings is not 0, the operator gets 202 with a reset that takes effect after that time; until then the user can stop it.',
  auth: apiKey,
  operator: 'people.support',
  operatorLimit: 'resets',
  responses: { 204: null, 202: FactorReset },
  errors: [factorNotFound, addressAndFactor],
  emits: [],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, caller, params, unit, fail }) {
    const factor = await orFail(factors.get(environmentId, params.id), () => fail(factorNotFound));
    const { id, userId } = factor;
    const reset = await stageReset(unit, caller, { kind: 'auth_factor', id, userId });
    if (reset !== undefined) return { status: 202 as const, body: presentReset(reset) };
    await stageRemovalOfFactor(unit, factor);
    return { status: 204 };
  },
});

export const factorOperations = [enrollFactor, getFactor, deleteFactor] as const;
