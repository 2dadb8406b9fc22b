import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, notFound } from '../../../kernel/errors.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { phoneNumber } from '../../../kernel/address.ts';
import { openCode } from '../../../kernel/one-time-code/code.ts';
import { operation } from '../../../kernel/operation.ts';
import { findUser } from '../../../tenancy/modules/users/public.ts';
import { radarChallenges, smsAdmissions } from './entity.ts';
import {
  presentRadarChallenge,
  RadarChallenge,
  SendRadarSmsChallenge,
  SendRadarSmsChallengeResponse,
} from './schema.ts';
import { stageSmsChallenge } from './stage.ts';

const radarChallengeNotFound = notFound('Radar challenge');

const invalidPendingToken = declareError({
  status: 400,
  code: 'invalid_pending_authentication_token',
  message: 'No sign-in of this user waits for an SMS with this token: the token is wrong, used or expired.',
});

export const sendRadarSmsChallenge = operation({
  id: 'radar_challenges.send_sms',
  method: 'POST',
  path: '/user_management/radar_challenges',
  summary: 'Send an SMS code for a sign-in that requires a radar_sign_up_challenge',
  description:
    'Continue with the radar-sms-challenge grant, which takes the code, the `verification_id` and the phone number. The code can be used once, within ten minutes, for five attempts, right or wrong, and only for this sign-in; a new code invalidates the previous one.',
  auth: apiKey,
  body: SendRadarSmsChallenge,
  responses: { 201: SendRadarSmsChallengeResponse },
  errors: [invalidPendingToken],
  emits: [],
  idempotency: 'none',
  errorForm: messagesWith400,
  async handle({ environmentId, body, unit, fail, invalid }) {
    const number = phoneNumber(body.phone_number);
    if (number === undefined) {
      const message = 'must be a phone number with its country code, such as +15005550006';
      throw invalid([{ field: 'phone_number', code: 'invalid_phone_number', message }]);
    }
    const { user_id: userId, pending_authentication_token: pendingToken } = body;
    const [admission, user] = await awaitAll([
      smsAdmissions.get(environmentId, sha256Hex(pendingToken)),
      findUser(environmentId, userId),
    ]);
    const isAdmitted = admission?.userId === userId && (admission.expiresAt ?? 0) > clock.seconds();
    if (!isAdmitted || user === undefined) throw fail(invalidPendingToken);
    const { id } = await stageSmsChallenge(unit, {
      environmentId,
      user,
      kind: 'sms',
      phoneNumber: number,
      pendingToken,
      clientAddress: body.ip_address,
    });
    return { status: 201, body: { verification_id: id, phone_number: number } };
  },
});

export const getRadarChallenge = operation({
  id: 'radar_challenges.get',
  method: 'GET',
  path: '/user_management/radar_challenges/{id}',
  summary: 'Get a mailed Radar challenge, including its code',
  description:
    'The record is available until a day after its code expires. Sending a new code invalidates this one; the response does not show that.',
  auth: apiKey,
  exposesCredential: true,
  responses: { 200: RadarChallenge },
  errors: [radarChallengeNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const challenge = await radarChallenges.get(environmentId, params.id);
    const isReadable = challenge?.kind === 'email' && challenge.expiresAt > clock.seconds();
    if (!isReadable) throw fail(radarChallengeNotFound);
    return { status: 200, body: presentRadarChallenge(challenge, await openCode(environmentId, challenge)) };
  },
});

export const challengeOperations = [sendRadarSmsChallenge, getRadarChallenge] as const;
