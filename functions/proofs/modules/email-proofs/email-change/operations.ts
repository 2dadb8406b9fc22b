import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { addressAndFactor, stageTakeoverAct } from '../../../../kernel/authentication/takeover-guard.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { isDeliverable } from '../../../../kernel/address.ts';
import { orFail } from '../../../../kernel/errors.ts';
import { failForCode } from '../../../../kernel/one-time-code/errors.ts';
import { operation } from '../../../../kernel/operation.ts';
import { dailyQuotaExceeded } from '../sent-code/limits.ts';
import {
  findUser,
  getUserByEmail,
  presentUser,
  userManagementSettings,
  userNotFound,
} from '../../../../tenancy/modules/users/public.ts';
import { normalizeEmail } from '../../../../kernel/address.ts';
import { applyEmailChange, checkEmailChange, stageEmailChange } from './stage.ts';
import {
  changeNotAllowed,
  emailChangeNotNeeded,
  invalidNewEmail,
  newEmailNotAvailable,
  noPendingChange,
  wrongCode,
} from './errors.ts';
import { ConfirmEmailChange, EmailChange, EmailChangeConfirmation, SendEmailChange } from './schema.ts';

const isAllowed = async (environmentId: string): Promise<boolean> =>
  (await findSettings(environmentId, userManagementSettings)).email_change;

export const sendEmailChange = operation({
  id: 'email_change.send',
  method: 'POST',
  path: '/user_management/users/{id}/email_change/send',
  summary: 'Start an email change: send a code to the new address',
  description: 'The user keeps the present address until the code is confirmed. A new change replaces a pending one.',
  auth: apiKey,
  operator: 'people.change',
  body: SendEmailChange,
  responses: { 200: EmailChange },
  errors: [
    userNotFound,
    emailChangeNotNeeded,
    newEmailNotAvailable,
    changeNotAllowed,
    invalidNewEmail,
    dailyQuotaExceeded,
    addressAndFactor,
  ],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, caller, params, body, unit, fail }) {
    const user = await orFail(findUser(environmentId, params.id), () => fail(userNotFound));
    if (!(await isAllowed(environmentId))) throw fail(changeNotAllowed);
    const newEmail = normalizeEmail(body.new_email);
    if (newEmail === undefined || !isDeliverable(newEmail)) throw fail(invalidNewEmail);
    if (newEmail === user.email) throw fail(emailChangeNotNeeded);
    if ((await getUserByEmail(environmentId, newEmail)) !== undefined) throw fail(newEmailNotAvailable);
    await stageTakeoverAct(unit, caller, user.id, 'address');
    const { expiresAt, createdAt } = await stageEmailChange(unit, user, { newEmail, locale: body.locale });
    return {
      status: 200,
      body: {
        object: 'email_change' as const,
        user: presentUser(user),
        new_email: newEmail,
        expires_at: expiresAt,
        created_at: createdAt,
      },
    };
  },
});

export const confirmEmailChange = operation({
  id: 'email_change.confirm',
  method: 'POST',
  path: '/user_management/users/{id}/email_change/confirm',
  summary: 'Confirm an email change with the code that was mailed',
  description:
    'The new email address replaces the former one and counts as verified. All sessions of the user are revoked, and the former address is notified by mail.',
  auth: apiKey,
  body: ConfirmEmailChange,
  responses: { 200: EmailChangeConfirmation },
  errors: [
    userNotFound,
    noPendingChange,
    wrongCode.used,
    wrongCode.expired,
    wrongCode.invalid,
    wrongCode.too_many_attempts,
    newEmailNotAvailable,
    changeNotAllowed,
    invalidNewEmail,
  ],
  emits: ['user.updated', 'session.revoked'],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const user = await orFail(findUser(environmentId, params.id), () => fail(userNotFound));
    if (!(await isAllowed(environmentId))) throw fail(changeNotAllowed);
    const change = await checkEmailChange(unit, user, body.code);
    if (change.outcome === 'none') throw fail(noPendingChange);
    if (change.outcome !== 'valid') throw failForCode(change.outcome, wrongCode, fail);
    // The address was valid when the code was sent, but a new release may have changed the rules since.
    if (!isDeliverable(change.newEmail)) throw fail(invalidNewEmail);
    const changed = await applyEmailChange(unit, user, change.newEmail, fail(newEmailNotAvailable));
    return { status: 200, body: { object: 'email_change_confirmation' as const, user: presentUser(changed) } };
  },
});

export const emailChangeOperations = [sendEmailChange, confirmEmailChange] as const;
