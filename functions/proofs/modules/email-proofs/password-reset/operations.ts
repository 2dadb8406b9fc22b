import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { declareError } from '../../../../kernel/errors.ts';
import { operation } from '../../../../kernel/operation.ts';
import { passwordSettings } from '../../credentials/public.ts';
import { getUserByEmail, presentUser, userNotFound } from '../../../../tenancy/modules/users/public.ts';
import { countSending, dailyQuotaExceeded } from '../sent-code/limits.ts';
import { signInSettings } from '../sign-in-settings.ts';
import { passwordResets } from './entity.ts';
import {
  openPasswordReset,
  passwordResetError,
  passwordResetNotFound,
  resetPassword,
  type SentPasswordReset,
  stagePasswordReset,
} from './stage.ts';
import {
  ConfirmPasswordReset,
  CreatePasswordReset,
  PasswordReset,
  passwordResetEvent,
  ResetPasswordResponse,
} from './schema.ts';

const passwordAuthDisabled = declareError({
  status: 403,
  code: 'email_password_auth_disabled',
  message:
    'The sign-in settings of this environment do not allow passwords. Set `methods.password` in PUT /x/authentication/settings.',
});
const passwordResetNotAllowed = declareError({
  status: 403,
  code: 'password_reset_not_allowed',
  message:
    'The password settings of this environment do not allow resets by mail. Set `reset` in PUT /x/user-management/passwords/settings.',
});

const present = ({ record, token, url }: SentPasswordReset) => ({
  ...passwordResetEvent(record),
  password_reset_token: token,
  password_reset_url: url,
});

const allowsPasswords = async (environmentId: string): Promise<boolean> =>
  (await findSettings(environmentId, signInSettings)).methods.password;

export const createPasswordReset = operation({
  id: 'password_reset.create',
  method: 'POST',
  path: '/user_management/password_reset',
  summary: 'Send a password reset link by mail',
  description: 'The token can be used once, within an hour. Changing the password or the email address invalidates it.',
  auth: apiKey,
  body: CreatePasswordReset,
  responses: { 201: PasswordReset },
  errors: [userNotFound, passwordAuthDisabled, passwordResetNotAllowed, dailyQuotaExceeded],
  emits: ['password_reset.created'],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail }) {
    if (!(await allowsPasswords(environmentId))) throw fail(passwordAuthDisabled);
    if (!(await findSettings(environmentId, passwordSettings)).reset) throw fail(passwordResetNotAllowed);
    const [user] = await awaitAll([
      getUserByEmail(environmentId, body.email),
      // The link is counted here; sending it does not count it again.
      countSending(unit, environmentId, 'password-reset.email', body.email),
    ]);
    if (user === undefined) throw fail(userNotFound);
    return { status: 201, body: present(await stagePasswordReset(unit, user, { locale: body.locale })) };
  },
});

export const getPasswordReset = operation({
  id: 'password_reset.get',
  method: 'GET',
  path: '/user_management/password_reset/{id}',
  summary: 'Get a password reset, including its token',
  description: 'The password reset is available until a day after its token expires.',
  auth: apiKey,
  exposesCredential: true,
  responses: { 200: PasswordReset },
  errors: [passwordResetNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await passwordResets.get(environmentId, params.id);
    if (record === undefined || record.expiresAt <= clock.seconds()) throw fail(passwordResetNotFound);
    return { status: 200, body: present(await openPasswordReset(record)) };
  },
});

export const confirmPasswordReset = operation({
  id: 'password_reset.confirm',
  method: 'POST',
  path: '/user_management/password_reset/confirm',
  summary: 'Set a new password with a password reset token',
  description:
    'Verifies the address, revokes all sessions of the user and invalidates everything that is pending under the former password (reset links, unfinished sign-ins). If ' +
    'the account never had a verified address, factors and provider accounts that were added before are removed.',
  auth: apiKey,
  body: ConfirmPasswordReset,
  responses: { 200: ResetPasswordResponse },
  errors: [passwordResetNotFound, passwordResetError, passwordAuthDisabled],
  emits: ['password_reset.succeeded', 'user.updated', 'session.revoked'],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail }) {
    if (!(await allowsPasswords(environmentId))) throw fail(passwordAuthDisabled);
    const user = await resetPassword(unit, environmentId, body.token, body.new_password);
    return { status: 200, body: { user: presentUser(user) } };
  },
});

export const passwordResetOperations = [createPasswordReset, getPasswordReset, confirmPasswordReset] as const;
