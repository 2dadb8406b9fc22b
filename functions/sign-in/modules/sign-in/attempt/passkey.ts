import { signInSettings } from '../../../../proofs/modules/email-proofs/public.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { mayOfferPasskey } from '../../../../proofs/passkeys/public.ts';
import type { Method } from '../../../../proofs/modules/sign-in-checks/public.ts';
import type { UserRecord } from '../../../../tenancy/modules/users/public.ts';
import type { Attempt, Ready, Waiting } from './attempt.ts';
import { waitFor } from './wait.ts';

/**
 * Reports whether a user who has just signed in is offered a passkey. Users whose organization signs them in are not, because
 * they could not use it.
 */
export async function isPasskeyOffered(user: UserRecord, method: Method): Promise<boolean> {
  if (method === 'sso' || method === 'passkey') return false;
  const { methods, passkey_enrollment } = await findSettings(user.environmentId, signInSettings);
  return methods.passkey && passkey_enrollment && (await mayOfferPasskey(user));
}

/**
 * Offers a passkey after a complete sign-in by a grant, if the settings allow it: the sign-in waits until the user has created
 * one on the hosted page or declined. The pages themselves make their offer in `findOffer`.
 */
export async function offerPasskey(
  unit: Unit,
  attempt: Attempt,
  { user, organizationId }: Ready,
): Promise<Waiting | undefined> {
  const { environmentId, method, flow } = attempt;
  const { passkey_enrollment_grants: isEnabled } = await findSettings(environmentId, signInSettings);
  if (!isEnabled || flow !== undefined || !(await isPasskeyOffered(user, method))) return undefined;
  // All that the sign-in has staged is committed with the token, so the last step only opens the session.
  const done = { invitationToken: undefined, identity: undefined, risk: undefined, radarAttemptId: undefined };
  return waitFor(unit, { ...attempt, ...done, user, organizationId }, 'passkey_progressive_enrollment', {
    members: {},
  });
}
