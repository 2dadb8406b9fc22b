import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { declareError, notFound } from '../../../../kernel/errors.ts';
import { isDeliverable } from '../../../../kernel/address.ts';
import { openCode } from '../../../../kernel/one-time-code/code.ts';
import { operation } from '../../../../kernel/operation.ts';
import {
  findInvitationByToken,
  invitationStateOf as stateOf,
  notDeliverable,
} from '../../../../tenancy/modules/invitations/public.ts';
import { getUserByEmail, stageUser } from '../../../../tenancy/modules/users/public.ts';
import { isKept } from '../sent-code/schema.ts';
import { countSending, dailyQuotaExceeded } from '../sent-code/limits.ts';
import { signInSettings } from '../sign-in-settings.ts';
import { normalizeEmail } from '../../../../kernel/address.ts';
import { assessCreation } from '../../../radar/public.ts';
import { stageMagicAuth } from './stage.ts';
import { magicAuths } from './entity.ts';
import { CreatedMagicAuth, CreateMagicAuth, MagicAuth, presentMagicAuth } from './schema.ts';

const magicAuthNotFound = notFound('magic auth code');

const methodNotAllowed = declareError({
  status: 400,
  code: 'authentication_method_not_allowed',
  message:
    'The sign-in settings of this environment do not allow codes by mail. Use another method, or enable `methods.magic_auth` in them.',
  form: 'oauth',
});
const signUpNotAllowed = declareError({
  status: 400,
  code: 'sign_up_not_allowed',
  message: 'No user has this address, and this environment’s settings only allow sign-up with an invitation.',
  form: 'oauth',
});
const invitationInvalid = declareError({
  status: 400,
  code: 'invitation_invalid',
  message: 'The invitation is not pending any more, or is for another address.',
  form: 'oauth',
});

/** Reports whether a token belongs to a pending invitation of an address. */
async function isInvited(environmentId: string, email: string, token: string): Promise<boolean> {
  const invitation = await findInvitationByToken(environmentId, token);
  return invitation?.email === email && stateOf(invitation, clock.now()) === 'pending';
}

export const createMagicAuth = operation({
  id: 'magic_auth.create',
  method: 'POST',
  path: '/user_management/magic_auth',
  summary: 'Send a sign-in code by mail',
  description:
    'If no user has the address, the user is created, provided that sign-up is allowed or the body has the `invitation_token` of an invitation to the address. Otherwise the response is 400 `sign_up_not_allowed`, and no mail is sent. The code has six digits. ' +
    'It can be used once, for ten minutes, with five attempts; a new code invalidates the previous one. Radar, ' +
    'the protection against attacks, assesses the attempt if `sign_in` in PUT /x/radar/settings is `all` and the body has `ip_address` or `user_agent`. The response then has ' +
    '`radar_auth_attempt_id`: send it with the code in POST /user_management/authenticate, so that both calls count as one attempt.',
  auth: apiKey,
  body: CreateMagicAuth,
  responses: { 201: CreatedMagicAuth },
  errors: [notDeliverable, methodNotAllowed, signUpNotAllowed, invitationInvalid, dailyQuotaExceeded],
  emits: ['magic_auth.created', 'user.created'],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail, invalid }) {
    const email = normalizeEmail(body.email);
    if (email === undefined) {
      throw invalid([{ field: 'email', code: 'invalid_email', message: 'is no address that mail can be sent to' }]);
    }
    if (!isDeliverable(email)) throw fail(notDeliverable);
    const { methods, sign_up: isOpen } = await findSettings(environmentId, signInSettings);
    if (!methods.magic_auth) throw fail(methodNotAllowed);
    const token = body.invitation_token;
    const [known, invited] = await awaitAll([
      getUserByEmail(environmentId, email),
      token === undefined ? undefined : isInvited(environmentId, email, token),
      // The code is counted here; sending it does not count it again.
      countSending(unit, environmentId, 'magic-code.email', email),
    ]);
    if (invited === false) throw fail(invitationInvalid);
    if (known === undefined && !isOpen && !invited) throw fail(signUpNotAllowed);
    const user = known ?? stageUser(unit, { environmentId, email, emailVerified: false });
    const attempt = {
      ...({ environmentId, action: known === undefined ? 'sign-up' : 'sign-in', method: 'Email_OTP', email } as const),
      ...{ ipAddress: body.ip_address || null, userAgent: body.user_agent || null, signalsId: body.signals_id },
    };
    const [record, radarId] = await awaitAll([
      stageMagicAuth(unit, user, { locale: body.locale }),
      assessCreation(unit, attempt, { userId: user.id, continuedId: body.radar_auth_attempt_id }),
    ]);
    const attempted = radarId === undefined ? {} : { radar_auth_attempt_id: radarId };
    return { status: 201, body: { ...presentMagicAuth(record, await openCode(environmentId, record)), ...attempted } };
  },
});

export const getMagicAuth = operation({
  id: 'magic_auth.get',
  method: 'GET',
  path: '/user_management/magic_auth/{id}',
  summary: 'Get a magic auth code',
  description:
    'The record is available until a day after its code expires. Sending a new code invalidates this one; the response does not show that.',
  auth: apiKey,
  exposesCredential: true,
  responses: { 200: MagicAuth },
  errors: [magicAuthNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await magicAuths.get(environmentId, params.id);
    if (record === undefined || !isKept(record, clock.seconds())) throw fail(magicAuthNotFound);
    return { status: 200, body: presentMagicAuth(record, await openCode(environmentId, record)) };
  },
});

export const magicAuthOperations = [createMagicAuth, getMagicAuth] as const;
