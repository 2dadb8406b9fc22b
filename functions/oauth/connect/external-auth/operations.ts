import type * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { declareError, type Failure, notFound, orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { stageAddressChangedNotice } from '../../../proofs/modules/email-proofs/public.ts';
import { stageRevocationOfAll } from '../../../tenancy/sessions/public.ts';
import {
  getUserByExternalId,
  invalidatePendingCredentials,
  stageUser,
  stageUserChange,
  userManagementSettings,
  type UserRecord,
} from '../../../tenancy/modules/users/public.ts';
import { CompleteExternalAuth, ExternalAuthCompletion } from './schema.ts';
import { readOptions } from '../consent/options.ts';
import { findExternalAuth, hasConsentPage, stageCompletion } from './session.ts';

const sessionNotFound = notFound('external auth session');

const alreadyCompleted = declareError({
  status: 400,
  code: 'external_auth_session_already_completed',
  message: 'This sign-in was completed before. Send the browser to the redirect_uri of that response.',
});

const optionsNotSupported = declareError({
  status: 400,
  code: 'user_consent_options_not_supported',
  message: 'The application is a first-party one, which has no consent page. Leave user_consent_options out.',
});

const emailChangeNotAllowed = declareError({
  status: 400,
  code: 'email_change_not_allowed',
  message:
    'The user has another address, and this environment does not allow it to change. Send the address that the user has.',
});

const emailNotAvailable = declareError({
  status: 400,
  code: 'email_not_available',
  message: 'Another user has this address. Give that user this id as external_id, or send another address.',
});

const invalidEmail = declareError({
  status: 400,
  code: 'invalid_email',
  message: 'The address of the user is not an email address.',
});

type NamedUser = z.output<typeof CompleteExternalAuth>['user'];

/** Finds the user with the application's id, creates it, or updates its names. */
async function stageNamedUser(
  unit: Unit<'user.created' | 'user.updated' | 'session.revoked'>,
  environmentId: string,
  { id, email, first_name, last_name, name, metadata }: NamedUser,
  fail: { changeNotAllowed: () => Failure; notAvailable: () => Failure },
): Promise<UserRecord> {
  const former = await getUserByExternalId(environmentId, id);
  const members = {
    ...(first_name === undefined ? {} : { firstName: first_name }),
    ...(last_name === undefined ? {} : { lastName: last_name }),
    ...(name === undefined ? {} : { name }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  const rejections = { otherwise: fail.notAvailable() };
  if (former === undefined) {
    return stageUser(unit, { environmentId, email, emailVerified: true, externalId: id, ...members }, rejections);
  }
  const isMoved = former.email !== email;
  if (!isMoved) return stageUserChange(unit, former, members, rejections);
  const { email_change: isAllowed } = await findSettings(environmentId, userManagementSettings);
  if (!isAllowed) throw fail.changeNotAllowed();
  const changed = stageUserChange(unit, former, { ...members, email, emailVerified: true }, rejections);
  await stageAddressChangedNotice(unit, former, email);
  await stageRevocationOfAll(unit, environmentId, former.id);
  return invalidatePendingCredentials(unit, changed);
}

/** The operation that completes a sign-in which the environment's own application performs (`login_uri` of the settings). */
const completeExternalAuth = operation({
  id: 'external_auth.complete',
  method: 'POST',
  path: '/hosted/oauth2/complete',
  summary: 'Complete a sign-in at the environment’s own application',
  description:
    'With `login_uri` in `/x/connect/settings`, browsers are redirected there with `external_auth_id` instead of to the hosted pages. Your application authenticates the user, calls this operation with the user’s data, and redirects the browser to `redirect_uri`, which works once, within 15 minutes, and only in the browser that began the sign-in. If no user has `user.id` as `external_id`, one is created, with a verified address. If the user has another email address, it is changed to `email`, and all sessions of the user end; if `email_change` of `/x/user-management/settings` is false, the response is 400 `email_change_not_allowed` instead. If another user has this address, the response is 400 `email_not_available`, and no user is created, changed or linked.',
  auth: apiKey,
  body: CompleteExternalAuth,
  responses: { 200: ExternalAuthCompletion },
  errors: [
    sessionNotFound,
    alreadyCompleted,
    optionsNotSupported,
    emailChangeNotAllowed,
    emailNotAvailable,
    invalidEmail,
  ],
  bodyError: (body) =>
    typeof (body as { user?: { email?: unknown } } | null)?.user?.email === 'string' && hasOnlyWrongEmail(body)
      ? invalidEmail
      : undefined,
  emits: ['user.created', 'user.updated', 'session.revoked'],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail, invalid }) {
    const { external_auth_id: id, user, user_consent_options: asked = [] } = body;
    const record = await orFail(findExternalAuth(environmentId, id), () => fail(sessionNotFound));
    if (record.userId !== undefined) throw fail(alreadyCompleted);
    const { options, issues } = readOptions(asked);
    if (issues.length > 0) throw invalid(issues);
    if (options.length > 0 && !(await hasConsentPage(record))) throw fail(optionsNotSupported);
    const named = await stageNamedUser(unit, environmentId, user, {
      changeNotAllowed: () => fail(emailChangeNotAllowed),
      notAvailable: () => fail(emailNotAvailable),
    });
    return { status: 200, body: { redirect_uri: stageCompletion(unit, record, named.id, options) } };
  },
});

/** Reports whether an invalid email address is the only error in a body. */
function hasOnlyWrongEmail(body: unknown): boolean {
  const { issues = [] } = CompleteExternalAuth.safeParse(body).error ?? {};
  return issues.length > 0 && issues.every(({ path }) => path.join('.') === 'user.email');
}

export const externalAuthOperations = [completeExternalAuth] as const;
