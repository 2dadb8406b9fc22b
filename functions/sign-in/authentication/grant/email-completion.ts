import { askRegistration } from '../../../outbound/modules/actions/public.ts';
import { normalizeEmail } from '../../../kernel/address.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { orFail } from '../../../kernel/errors.ts';
import { getUserByEmail, stageUser } from '../../../tenancy/modules/users/public.ts';
import { type AuthorizationCodeRecord, stageUse } from '../../modules/authorization-codes/public.ts';
import { findPending, type PendingSecrets, stagePending, usePending } from '../../modules/sign-in-flows/public.ts';
import { askForEmailCode, checkInvitation } from '../../modules/sign-in/public.ts';
import { findRequiredSso } from '../../../tenancy/modules/organization-sso/public.ts';
import { signInFailure, ssoFailure } from './finish-sign-in.ts';
import { countAttempt, type GrantContext } from './context.ts';
import { continuations, invalidPendingToken, signUpNotAllowed } from './errors.ts';
import type { AuthenticateResponse, EmailCompletion } from './schema.ts';

/** Stored in place of the id of a session with a code that asks for an email: such a code opens no session, so its second use has none to revoke. */
const ASKED = 'email-completion';

/** Uses a code of a sign-in whose provider returned no email, and requests one. */
export async function askForEmail(
  { environmentId, origin, unit, fail }: GrantContext,
  record: AuthorizationCodeRecord,
  secrets: PendingSecrets,
): Promise<never> {
  stageUse(unit, record, ASKED);
  const pending = stagePending(
    unit,
    {
      environmentId,
      step: 'email_completion_required',
      method: record.method,
      provider: record.provider,
      organizationId: record.organizationId,
      mfa: false,
      device: false,
      client: origin.client,
      authenticatedAt: record.authenticatedAt,
      credentialEpoch: 0,
    },
    secrets,
  );
  throw fail(continuations.email_completion_required, {
    commitOnFailure: true,
    members: { email_completion_token: pending.token },
  });
}

/**
 * The grant for the email that a provider did not return. It is verified by a code before any account is linked, even if a
 * user has it already: entering an address gives no access to its account.
 */
export async function emailCompletionGrant(
  context: GrantContext,
  body: EmailCompletion,
): Promise<AuthenticateResponse> {
  const { environmentId, settings, origin, unit, fail, invalid } = context;
  await countAttempt(context, { email: body.email });
  const steps = ['email_completion_required'] as const;
  const pending = await orFail(findPending(environmentId, body.email_completion_token, steps, origin), () =>
    fail(invalidPendingToken),
  );
  const email = normalizeEmail(body.email);
  if (email === undefined) throw invalid([{ field: 'email', code: 'invalid_format', message: 'is no email address' }]);
  const { identity, invitationToken } = pending.secrets;
  const [known, invited, required] = await awaitAll([
    getUserByEmail(environmentId, email),
    checkInvitation(environmentId, invitationToken, email),
    findRequiredSso(environmentId, email),
  ]);
  if (required !== undefined) throw ssoFailure(context, required, email);
  if (invited.kind === 'rejected') throw signInFailure(context, invited, email);
  if (known === undefined && !settings.sign_up && invited.invitation === undefined) throw fail(signUpNotAllowed);
  const { provider, organizationId, authenticatedAt } = pending.record;
  const names = { firstName: identity?.firstName, lastName: identity?.lastName };
  const registering = { environmentId, email, ...names, ...origin, authenticationMethod: provider };
  const denied = known === undefined ? await askRegistration(unit, registering) : undefined;
  if (denied !== undefined) throw signInFailure(context, denied, email);
  const user = known ?? stageUser(unit, { environmentId, email, emailVerified: false, ...names });
  usePending(unit, pending);
  const attempt = {
    ...origin,
    environmentId,
    user,
    isNew: known === undefined,
    method: 'oauth' as const,
    provider,
    proofs: { emailVerified: false, mfa: false },
    organizationId,
    ...pending.secrets,
    authenticatedAt,
  };
  throw signInFailure(context, await askForEmailCode(unit, attempt), email);
}
