import { askRegistration } from '../../../outbound/modules/actions/public.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { constantTimeEqual } from '../../../kernel/keys/hash.ts';
import { normalizeEmail } from '../../../kernel/address.ts';
import { checkMagicAuth } from '../../../proofs/modules/email-proofs/public.ts';
import { findInvitationByToken } from '../../../tenancy/modules/invitations/public.ts';
import { getUserByEmail, stageUser, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { findCode, isFresh, openSecrets, stageUse } from '../../modules/authorization-codes/public.ts';
import type { OAuthTokens } from '../../modules/sign-in-flows/public.ts';
import {
  emitFailure,
  emitProof,
  assessRisk,
  BLOCKED_MESSAGE,
  stageFailedRisk,
} from '../../../proofs/modules/sign-in-checks/public.ts';
import { prefetch } from '../../modules/sign-in/public.ts';
import { findRequiredSso } from '../../../tenancy/modules/organization-sso/public.ts';
import { finishSignIn, signInFailure, ssoFailure } from './finish-sign-in.ts';
import { countAttempt, type GrantContext } from './context.ts';
import { accessDenied, invalidLinkCode, invalidOneTimeCode, methodNotAllowed, signUpNotAllowed } from './errors.ts';
import { codeError } from './one-time-code.ts';
import type { AuthenticateResponse, MagicAuth } from './schema.ts';

/** The grant for a mailed code. It verifies the address, and creates a user if the environment allows it. */
export async function magicAuthGrant(context: GrantContext, body: MagicAuth): Promise<AuthenticateResponse> {
  const { environmentId, settings, origin, unit, fail } = context;
  if (!settings.methods.magic_auth) throw fail(methodNotAllowed);
  const email = normalizeEmail(body.email);
  const counted = countAttempt(context, { email: body.email });
  const requiredSso = findRequiredSso(environmentId, body.email);
  const [{ known, read }, outcome, risk, required] = await awaitAll([
    addressReader(unit, environmentId, body.email),
    awaitAll([counted, requiredSso]).then(([, sso]) =>
      email === undefined || sso !== undefined ? 'invalid' : checkMagicAuth(unit, environmentId, email, body.code),
    ),
    assessRisk(unit, {
      ...{ environmentId, email: body.email, method: 'magic_code', origin },
      signalsId: body.signals_id,
      attemptId: body.radar_auth_attempt_id,
    }),
    requiredSso,
  ]);
  if (required !== undefined) throw ssoFailure(context, required, body.email);
  const isBlocked = risk?.verdict === 'block';
  if (email === undefined || outcome !== 'valid' || isBlocked) {
    const wrong = outcome === 'valid' ? invalidOneTimeCode : codeError(outcome);
    const error = isBlocked ? accessDenied : wrong;
    const message = isBlocked ? BLOCKED_MESSAGE : error.message;
    emitFailure(unit, 'magic_auth', origin, { userId: known?.id ?? null, email: body.email }, { ...error, message });
    stageFailedRisk(unit, risk, { method: 'magic_code', origin, user: known });
    throw fail(error, { message, commitOnFailure: true });
  }
  const user = known ?? (await signUp(context, email, body.invitation_token));
  const oauthTokens = await linked(context, user, body.link_authorization_code);
  emitProof(unit, 'magic_auth', origin, user);
  return finishSignIn(context, {
    ...origin,
    environmentId,
    user,
    method: 'magic_code',
    proofs: { emailVerified: true, mfa: false },
    requiredSso,
    read: known && read,
    risk,
    invitationToken: body.invitation_token,
    oauthTokens,
  });
}

/**
 * Reads the user of an address and prefetches the data for the rest of the sign-in. If there is no user, it makes the same
 * reads.
 */
async function addressReader(unit: Unit, environmentId: string, email: string) {
  const known = await getUserByEmail(environmentId, email);
  return { known, read: prefetch(unit, environmentId, known) };
}

/** Creates a user for a verified address. An invitation allows it even if sign-up is disabled. */
async function signUp(context: GrantContext, email: string, invitationToken: string | undefined): Promise<UserRecord> {
  const { environmentId, settings, unit, fail, origin: client } = context;
  const isInvited =
    invitationToken !== undefined && (await findInvitationByToken(environmentId, invitationToken)) !== undefined;
  if (!settings.sign_up && !isInvited) throw fail(signUpNotAllowed);
  const denied = await askRegistration(unit, { environmentId, email, ...client, authenticationMethod: 'MagicAuth' });
  if (denied !== undefined) throw signInFailure(context, denied, email);
  return stageUser(unit, { environmentId, email, emailVerified: true });
}

/** Uses the code of the sign-in that this one continues, and returns the provider's tokens from it. */
async function linked(
  { environmentId, unit, fail }: GrantContext,
  user: UserRecord,
  code: string | undefined,
): Promise<OAuthTokens | undefined> {
  if (code === undefined) return undefined;
  const record = await findCode(environmentId, code);
  const isTheirs = record !== undefined && isFresh(record) && constantTimeEqual(record.userId ?? '', user.id);
  if (!isTheirs) throw fail(invalidLinkCode);
  stageUse(unit, record, LINKED);
  return openSecrets(record, code).oauthTokens;
}

/** A value in place of a session's id. The code opened no session, so a second use revokes none. */
const LINKED = 'linked';
