import { checkEmailVerification } from '../../../proofs/modules/email-proofs/public.ts';
import { orFail } from '../../../kernel/errors.ts';
import { findMembership } from '../../../tenancy/modules/memberships/public.ts';
import { type Step, usePending } from '../../modules/sign-in-flows/public.ts';
import {
  checkFactorCode,
  findSignInOrganization,
  prefetch,
  type Resumed,
  resumePending,
} from '../../modules/sign-in/public.ts';
import { emitFailure, emitProof } from '../../../proofs/modules/sign-in-checks/public.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { countAttempt, type GrantContext } from './context.ts';
import { invalidOrganizationId, invalidPendingToken, challengeNotFound } from './errors.ts';
import { codeError } from './one-time-code.ts';
import type { AuthenticateResponse, EmailVerification, OrganizationSelection, Totp } from './schema.ts';

/**
 * Finds the pending sign-in of a token and counts the attempt.
 * @throws Failure `invalid_pending_authentication_token`; 429
 */
export async function resume(context: GrantContext, token: string, steps: readonly Step[]): Promise<Resumed> {
  const { environmentId, origin, unit, fail } = context;
  const resumed = await orFail(resumePending(environmentId, token, steps, origin), () => fail(invalidPendingToken));
  const { pending, attempt } = resumed;
  await countAttempt(context, { userId: attempt.user.id });
  return { pending, attempt: { ...attempt, read: prefetch(unit, environmentId, attempt.user) } };
}

/** The grant for the code that verifies an address for the first time. */
export async function emailVerificationGrant(
  context: GrantContext,
  body: EmailVerification,
): Promise<AuthenticateResponse> {
  const { origin, unit, fail } = context;
  const { pending, attempt } = await resume(context, body.pending_authentication_token, [
    'email_verification_required',
  ]);
  const { user } = attempt;
  const outcome = await checkEmailVerification(unit, user, body.code);
  if (outcome !== 'valid') {
    const error = codeError(outcome);
    emitFailure(unit, 'email_verification', origin, { userId: user.id, email: user.email }, error);
    throw fail(error, { commitOnFailure: true });
  }
  usePending(unit, pending);
  emitProof(unit, 'email_verification', origin, user);
  return finishSignIn(context, { ...attempt, proofs: { ...attempt.proofs, emailVerified: true } });
}

/**
 * The grant for the code of a second factor: of the challenge of the continuation, or of a factor that was enrolled since.
 */
export async function totpGrant(context: GrantContext, body: Totp): Promise<AuthenticateResponse> {
  const { origin, unit, fail } = context;
  const steps = ['mfa_challenge', 'mfa_enrollment'] as const;
  const { pending, attempt } = await resume(context, body.pending_authentication_token, steps);
  const { user } = attempt;
  const challengeId = body.authentication_challenge_id;
  const outcome = await checkFactorCode(unit, user, challengeId, body.code);
  if (outcome !== 'valid') {
    const error = outcome === 'not_found' ? challengeNotFound : codeError(outcome);
    emitFailure(unit, 'mfa', origin, { userId: user.id, email: user.email }, error);
    throw fail(error, { commitOnFailure: true });
  }
  usePending(unit, pending);
  emitProof(unit, 'mfa', origin, user);
  return finishSignIn(context, { ...attempt, proofs: { ...attempt.proofs, mfa: true } });
}

/** The grant for the organization that the user chose. */
export async function organizationSelectionGrant(
  context: GrantContext,
  body: OrganizationSelection,
): Promise<AuthenticateResponse> {
  const { environmentId, unit, fail } = context;
  const token = body.pending_authentication_token;
  const { pending, attempt } = await resume(context, token, ['organization_selection_required']);
  const place = await findSignInOrganization(
    await findMembership(environmentId, attempt.user.id, body.organization_id),
  );
  if (place === undefined) throw fail(invalidOrganizationId);
  usePending(unit, pending);
  return finishSignIn(context, { ...attempt, organizationId: body.organization_id });
}
