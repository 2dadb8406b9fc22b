import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { clock } from '../../../../kernel/clock.ts';
import { declareError, notFound, orFail } from '../../../../kernel/errors.ts';
import { openCode } from '../../../../kernel/one-time-code/code.ts';
import { codeErrors, failForCode } from '../../../../kernel/one-time-code/errors.ts';
import { operation } from '../../../../kernel/operation.ts';
import { PRESERVE_ALL, proveEmail } from '../proof/prove-email.ts';
import { isKept } from '../sent-code/schema.ts';
import { dailyQuotaExceeded } from '../sent-code/limits.ts';
import { findUser, presentUser, userNotFound } from '../../../../tenancy/modules/users/public.ts';
import { emailVerifications } from './entity.ts';
import { emailAlreadyVerified } from './errors.ts';
import {
  EmailVerification,
  presentEmailVerification,
  SendVerificationEmailResponse,
  VerifyEmailAddress,
  VerifyEmailResponse,
} from './schema.ts';
import { checkEmailVerification, stageEmailVerification } from './stage.ts';

const emailVerificationNotFound = notFound('email verification');

const previouslyVerified = declareError({
  status: 400,
  code: 'email_previously_verified',
  message: 'This email address is verified already.',
});
const wrongCode = codeErrors('email_verification', 400);

export const getEmailVerification = operation({
  id: 'email_verification.get',
  method: 'GET',
  path: '/user_management/email_verification/{id}',
  summary: 'Get an email verification, including its code',
  description:
    'The record is available until a day after its code expires. Sending a new code invalidates this one; the response does not show that.',
  auth: apiKey,
  exposesCredential: true,
  responses: { 200: EmailVerification },
  errors: [emailVerificationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await emailVerifications.get(environmentId, params.id);
    if (record === undefined || !isKept(record, clock.seconds())) throw fail(emailVerificationNotFound);
    return { status: 200, body: presentEmailVerification(record, await openCode(environmentId, record)) };
  },
});

export const sendEmailVerification = operation({
  id: 'email_verification.send',
  method: 'POST',
  path: '/user_management/users/{id}/email_verification/send',
  summary: 'Send an email verification code',
  description:
    'The code has six digits. It can be used once, for ten minutes, with five attempts; a new code invalidates the previous one.',
  auth: apiKey,
  operator: 'people.support',
  responses: { 200: SendVerificationEmailResponse },
  errors: [userNotFound, emailAlreadyVerified, dailyQuotaExceeded],
  emits: ['email_verification.created'],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const user = await orFail(findUser(environmentId, params.id), () => fail(userNotFound));
    if (user.emailVerified) throw fail(emailAlreadyVerified);
    await stageEmailVerification(unit, user);
    return { status: 200, body: { user: presentUser(user) } };
  },
});

export const confirmEmailVerification = operation({
  id: 'email_verification.confirm',
  method: 'POST',
  path: '/user_management/users/{id}/email_verification/confirm',
  summary: 'Verify a user’s address with the code that was mailed',
  description:
    'This call removes no credential: you assert that the person who set the password and the factors is the one who entered the code. ' +
    '(If the address is verified for the first time during a sign-in, the factors added before are removed, and so is the password, unless this sign-in began with it.) ' +
    'After five incorrect attempts the code is invalidated, and each further attempt gets 400 `email_verification_code_expired`.',
  auth: apiKey,
  body: VerifyEmailAddress,
  responses: { 200: VerifyEmailResponse },
  errors: [userNotFound, previouslyVerified, wrongCode.used, wrongCode.expired, wrongCode.invalid],
  emits: ['user.updated', 'session.revoked'],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const user = await orFail(findUser(environmentId, params.id), () => fail(userNotFound));
    const outcome = await checkEmailVerification(unit, user, body.code);
    // The address may be verified because this code was used, which is reported as a used code.
    if (user.emailVerified && outcome !== 'used') throw fail(previouslyVerified);
    if (outcome !== 'valid') throw failForCode(outcome, wrongCode, fail);
    const proven = await proveEmail(unit, user, PRESERVE_ALL);
    return { status: 200, body: { user: presentUser(proven) } };
  },
});

export const emailVerificationOperations = [
  getEmailVerification,
  sendEmailVerification,
  confirmEmailVerification,
] as const;
