import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { factors } from '../factor/entity.ts';
import { factorNotFound } from '../factor/errors.ts';
import { tryChallenge } from './check.ts';
import {
  challengeExpired,
  challengeNotFound,
  challengePreviouslyVerified,
  smsChallengeQuotaReached,
  smsChallengeRateLimited,
  tooManyAttempts,
} from './errors.ts';
import {
  AuthenticationChallenge,
  ChallengeFactor,
  ChallengeVerification,
  presentChallenge,
  VerifyChallenge,
} from './schema.ts';
import { stageChallenge } from './stage.ts';

export const challengeFactor = operation({
  id: 'auth_factors.challenge',
  method: 'POST',
  path: '/auth/factors/{id}/challenge',
  summary: 'Challenge an authentication factor; the code of an SMS factor is sent',
  description:
    'A challenge expires after ten minutes. A new one for an SMS or `generic_otp` factor invalidates the previous one. `code` is returned ' +
    'only for `generic_otp`, whose codes you deliver yourself; `sms_template` is the text of the SMS, with `{{code}}`.',
  auth: apiKey,
  body: ChallengeFactor,
  bodyOptional: 'tolerated',
  responses: { 201: AuthenticationChallenge },
  errors: [factorNotFound, smsChallengeRateLimited, smsChallengeQuotaReached],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const factor = await orFail(factors.get(environmentId, params.id), () => fail(factorNotFound));
    const { presented } = await stageChallenge(unit, factor, { template: body.sms_template || undefined });
    return { status: 201, body: presented };
  },
});

export const verifyChallenge = operation({
  id: 'auth_challenges.verify',
  method: 'POST',
  path: '/auth/challenges/{id}/verify',
  summary: 'Verify the code of a challenge',
  description:
    'A challenge allows five attempts, and a factor twenty wrong codes an hour and a hundred a day. A challenge can be verified ' +
    'once, and each code of an authenticator app can be used once. A verification is not a sign-in, so it emits no event.',
  auth: apiKey,
  body: VerifyChallenge,
  responses: { 201: ChallengeVerification },
  errors: [challengeNotFound, tooManyAttempts, challengeExpired, challengePreviouslyVerified],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const { outcome, challenge } = await tryChallenge(unit, environmentId, params.id, body.code);
    if (challenge === undefined || outcome === 'not_found') throw fail(challengeNotFound);
    if (outcome === 'expired') throw fail(challengeExpired);
    if (outcome === 'used') throw fail(challengePreviouslyVerified);
    if (outcome === 'too_many_attempts') throw fail(tooManyAttempts);
    return { status: 201, body: { challenge: presentChallenge(challenge), valid: outcome === 'valid' } };
  },
});

export const challengeOperations = [challengeFactor, verifyChallenge] as const;
