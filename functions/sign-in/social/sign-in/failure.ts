import { BLOCKED_MESSAGE, emitFailure } from '../../../proofs/modules/sign-in-checks/public.ts';
import type { ClientContext } from '../../../tenancy/modules/known-devices/public.ts';
import type { RejectionReason } from '../../modules/sign-in/public.ts';
import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import type { SocialRejection } from './proof.ts';

/** The reasons for applications, each with the contract's own code if it has one. */
export const REASONS: Readonly<Record<SocialRejection | RejectionReason, string>> = {
  sign_up_not_allowed: 'There is no such user, and sign-up is disabled in the environment.',
  authentication_method_not_allowed: 'This sign-in method is disabled in the environment.',
  access_denied: BLOCKED_MESSAGE,
  invitation_invalid: 'The invitation is unknown, expired, revoked or accepted already.',
  invitation_cannot_be_used_for_email: 'The invitation was sent to another address than the provider’s.',
  organization_not_found: 'There is no such organization in this environment.',
  organization_membership_not_found: 'The user is not an active member of the organization.',
  identity_taken: 'The account at the provider cannot be linked to this user.',
  sso_required: 'The user’s organization requires single sign-on: the sign-in has to go through its connection.',
  mfa_enrollment: 'The organization requires a second factor that this sign-in did not prove.',
  own_sign_in_required: 'The account has a stronger sign-in method or a second factor, which has to be used.',
  second_subject: 'Another account at the same connection is linked to the user.',
  wrong_account: 'The sign-in was not made with what the application demanded.',
  passkey_required: 'The only second factor of the user is a passkey, for which only the hosted pages ask.',
  too_many_requests: 'Too many codes were sent to this address. Try again later.',
};

/**
 * Emits the event of a failed sign-in through a provider, in a separate unit of work, since that of the sign-in is not
 * committed.
 */
export const emitSocialFailure = (
  environmentId: string,
  origin: ClientContext,
  fault: { code: string; message: string },
  email: string | null,
): Promise<void> =>
  applyWork(environmentId, systemActor, async (unit) => {
    unit.setOrigin({ client_id: makeClientId(environmentId) });
    emitFailure(unit, 'oauth', origin, { userId: null, email }, { status: 400, ...fault });
  });

/** Emits the event like {@link emitSocialFailure}, for a rejection by the service itself. */
export const emitSocialRejection = (
  environmentId: string,
  origin: ClientContext,
  code: SocialRejection | RejectionReason,
  email: string | null,
): Promise<void> => emitSocialFailure(environmentId, origin, { code, message: REASONS[code] }, email);
