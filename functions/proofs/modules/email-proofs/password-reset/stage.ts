import { clock, isoAfter } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { declareError, Failure, type Issue, notFound } from '../../../../kernel/errors.ts';
import { newId } from '../../../../kernel/ids.ts';
import { envelopes } from '../../../../kernel/keys/shared.ts';
import type { Caller } from '../../../../kernel/limits/caller.ts';
import { composeMessage } from '../../../../kernel/messages/compose.ts';
import type { RequestOfMail } from '../../../../kernel/messages/templates/request-facts.ts';
import { passwordResetMail } from '../../../../kernel/messages/templates/password-reset.ts';
import { settings } from '../../../../kernel/settings.ts';
import { ownerKey } from '../../../../kernel/storage/record.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { passwordIssues, passwordSettings, stagePassword } from '../../credentials/public.ts';
import { findUser, type UserRecord } from '../../../../tenancy/modules/users/public.ts';
import { proveEmail } from '../proof/prove-email.ts';
import { countSending } from '../sent-code/limits.ts';
import { type PasswordResetRecord, passwordResets } from './entity.ts';
import { passwordResetEvent } from './schema.ts';
import { findPasswordReset, mintResetToken } from './token.ts';
import { keyPurpose } from '../../../../kernel/keys/key-wrapper.ts';

/** Validity of a token, in seconds. */
const RESET_SECONDS = 3_600;
/** Time in seconds for which its record can be read after that. */
const KEPT_SECONDS = 86_400;

export const passwordResetError = declareError({
  status: 400,
  code: 'password_reset_error',
  message:
    'The password cannot be reset: the token is not valid any more, or the new password is not accepted. `errors` has the cause.',
});

export const passwordResetNotFound = notFound('password reset');

const makeScope = (environmentId: string) => ({ environmentId, purpose: keyPurpose('password-reset') });

/** A reset with its decrypted token. */
export interface SentPasswordReset {
  record: PasswordResetRecord;
  token: string;
  /** The URL of the page to which the mail links. */
  url: string;
}

/**
 * Stages a reset of a user's password: a token that is valid for an hour and for one use, and the mail with its link.
 * @throws Failure with 429 if too many were sent to the address
 */
export async function stagePasswordReset(
  unit: Unit<'password_reset.created'>,
  user: UserRecord,
  { locale, caller, asked }: { locale?: string | undefined; caller?: Caller | undefined; asked?: RequestOfMail } = {},
): Promise<SentPasswordReset> {
  const { environmentId, email } = user;
  await countSending(unit, environmentId, 'password-reset.email', email, caller);
  const id = newId('password_reset');
  const owner = ownerKey('user', user.id);
  const { value: token, hash: tokenHash } = mintResetToken(environmentId, id);
  const [sealedToken, url] = await awaitAll([
    envelopes().seal(makeScope(environmentId), id, token),
    makeResetUrl(environmentId, token),
  ]);
  const at = clock.timestamp();
  const fields = {
    environmentId,
    id,
    owner,
    userId: user.id,
    email,
    tokenHash,
    sealedToken,
    credentialEpoch: user.credentialEpoch ?? 0,
    endsAt: isoAfter(at, RESET_SECONDS),
    expiresAt: clock.seconds() + RESET_SECONDS + KEPT_SECONDS,
  };
  const record = unit.announce(passwordResets.create(fields, at), 'password_reset.created', passwordResetEvent);
  unit.stage(
    await composeMessage({
      environmentId,
      channel: 'email',
      to: email,
      template: passwordResetMail,
      values: { url, minutes: RESET_SECONDS / 60, request: asked },
      locale: locale ?? user.locale,
      owner,
      usefulSeconds: RESET_SECONDS,
    }),
  );
  return { record, token, url };
}

/** A stored reset with its decrypted token, by one KMS call at most. */
export async function openPasswordReset(record: PasswordResetRecord): Promise<SentPasswordReset> {
  const { environmentId, id } = record;
  const token = await envelopes().openText(makeScope(environmentId), id, record.sealedToken as Uint8Array);
  return { record, token, url: await makeResetUrl(environmentId, token) };
}

/** The page on which a new password is chosen: the environment's own if configured, otherwise the hosted one. */
async function makeResetUrl(environmentId: string, token: string): Promise<string> {
  const { reset_url: own } = await findSettings(environmentId, passwordSettings);
  const url = new URL(own ?? `${settings().GATEHOUSE_BASE_URL}/hosted/reset-password`);
  url.searchParams.set('token', token);
  return url.href;
}

/** The reason why a reset cannot be completed; undefined if it can. */
export function resetTokenIssue(record: PasswordResetRecord, user: UserRecord): Issue | undefined {
  const issue = (code: string, message: string): Issue => ({ field: 'token', code, message });
  if (record.usedAt !== undefined) return issue('password_reset_token_used', 'was used already');
  if (Date.parse(record.endsAt) <= clock.now()) return issue('password_reset_token_expired', 'has expired');
  const isOvertaken = record.credentialEpoch !== (user.credentialEpoch ?? 0) || record.email !== user.email;
  return isOvertaken ? issue('password_reset_token_superseded', 'was sent before the account changed') : undefined;
}

/** The user whose password a token can set; undefined if it is not valid. It takes two GetItems in sequence. */
export async function findResettingUser(environmentId: string, token: string): Promise<UserRecord | undefined> {
  const record = await findPasswordReset(environmentId, token);
  const user = record && (await findUser(environmentId, record.userId));
  return record !== undefined && user !== undefined && resetTokenIssue(record, user) === undefined ? user : undefined;
}

/**
 * Stages a new password for the holder of the token; of any number of parallel calls one succeeds. The token was mailed, so
 * the address is verified. All sessions are revoked, and other links and pending sign-ins are invalidated.
 * @param request the request of the browser, which the mail about the change describes; absent for a call of a back end
 * @throws Failure: `passwordResetNotFound` for an unknown token of this environment, `passwordResetError` with issues for
 * one that is no longer valid and for a weak password
 */
export async function resetPassword(
  unit: Unit<'password_reset.succeeded' | 'user.updated' | 'session.revoked'>,
  environmentId: string,
  token: string,
  newPassword: string,
  request?: RequestOfMail,
): Promise<UserRecord> {
  const record = await findPasswordReset(environmentId, token);
  const user = record && (await findUser(environmentId, record.userId));
  if (record === undefined || user === undefined) throw new Failure(passwordResetNotFound);
  const obstacle = resetTokenIssue(record, user);
  const weak = obstacle === undefined ? await passwordIssues(environmentId, newPassword, user) : [];
  const issues = obstacle === undefined ? weak.map((issue) => ({ ...issue, field: 'new_password' })) : [obstacle];
  if (issues.length > 0) throw new Failure(passwordResetError, { issues });
  const usedAt = clock.timestamp();
  const { record: used, write } = passwordResets.revise(record, { usedAt }, usedAt);
  unit.stage(write);
  // The password is replaced and the sessions are revoked below in any case.
  const proven = await proveEmail(unit, user, { password: true, sessions: true });
  const revised = await stagePassword(unit, proven, { password: newPassword }, { request });
  unit.emit('password_reset.succeeded', passwordResetEvent(used));
  return revised;
}
