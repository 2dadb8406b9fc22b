import { settingsOf } from '../../kernel/environment-settings.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import {
  findInvitationByToken,
  isForEmail,
  type InvitationRecord,
  membershipOf,
  presentUser,
  proveEmail,
  signInSettings,
  type SignInSettings,
  stageEmailVerification,
  stageInvitationAcceptance,
  type UserRecord,
} from '../../user-management/public.ts';
import type { Attempt, SignIn } from './attempt.ts';
import { askAboutDevice } from './device.ts';
import { askForFactor } from './factor.ts';
import { placeOf, placesOf } from './organizations.ts';
import { waitFor } from './wait.ts';

/**
 * Decides what a sign-in still needs, in this order: a proof of the address, a second factor, a proof of a new device, an
 * organization. What is missing is asked for (a mail is sent, a challenge made) and the sign-in waits under a token; nothing
 * missing, it is ready, an invitation accepted: the caller opens a session or issues a code **in the same unit**.
 *
 * `pending` is committed although the call may be refused with it; of `refused` nothing is.
 */
export async function completeSignIn(unit: Unit, attempt: Attempt): Promise<SignIn> {
  const { environmentId, invitationToken } = attempt;
  const [settings, invitation] = await Promise.all([
    settingsOf(environmentId, signInSettings),
    invitationToken === undefined ? undefined : findInvitationByToken(environmentId, invitationToken),
  ]);
  if (invitationToken !== undefined && invitation === undefined) return { kind: 'refused', code: 'invitation_invalid' };
  if (invitation !== undefined && !isForEmail(invitation, attempt.user.email)) {
    return { kind: 'refused', code: 'invitation_cannot_be_used_for_email' };
  }
  const proved = await withProvenEmail(unit, attempt, settings, invitation);
  if (proved === undefined) return askForEmailCode(unit, attempt);
  const going = { ...attempt, user: proved };
  return (
    // The first proof of an address removes the factors of before it: those that the table still has count no more.
    (await askForFactor(unit, going, settings, { isFirstProof: proved.emailVerified && !attempt.user.emailVerified })) ??
    (await askAboutDevice(unit, going, settings)) ??
    (await withOrganization(unit, going, invitation))
  );
}

/** The user once the address is proved, or need not be; undefined where it must be and is not. */
async function withProvenEmail(
  unit: Unit,
  { user, proofs, method }: Attempt,
  { require_email_verification: isRequired }: SignInSettings,
  invitation: InvitationRecord | undefined,
): Promise<UserRecord | undefined> {
  if (user.emailVerified) return user;
  // An invitation's token was mailed to the address: who shows it reads mail there.
  const isProved = proofs.emailVerified || invitation !== undefined;
  if (!isProved) return isRequired ? undefined : user;
  return proveEmail(unit, user, { keepPassword: method === 'password' });
}

async function askForEmailCode(unit: Unit, attempt: Attempt): Promise<SignIn> {
  const verification = await stageEmailVerification(unit, attempt.user);
  return waitFor(unit, attempt, 'email_verification_required', {
    challengeId: verification.id,
    members: { email: attempt.user.email, email_verification_id: verification.id },
  });
}

async function withOrganization(
  unit: Unit,
  attempt: Attempt,
  invitation: InvitationRecord | undefined,
): Promise<SignIn> {
  const { environmentId, user } = attempt;
  if (invitation !== undefined) {
    const { user: accepted, membership } = await stageInvitationAcceptance(unit, invitation, user);
    if (membership !== undefined) {
      return { kind: 'ready', user: accepted, organizationId: membership.organizationId, membership };
    }
    return withOrganization(unit, { ...attempt, user: accepted }, undefined);
  }
  if (attempt.organizationId !== undefined) {
    const place = await placeOf(await membershipOf(environmentId, user.id, attempt.organizationId));
    if (place === undefined) return { kind: 'refused', code: 'organization_membership_not_found' };
    return { kind: 'ready', user, organizationId: place.organization.id, membership: place.membership };
  }
  const places = await placesOf(environmentId, user.id);
  const [only] = places;
  if (only === undefined) return { kind: 'ready', user };
  if (places.length === 1) {
    return { kind: 'ready', user, organizationId: only.organization.id, membership: only.membership };
  }
  const organizations = places.map(({ organization: { id, name } }) => ({ id, name }));
  return waitFor(unit, attempt, 'organization_selection_required', {
    members: { organizations, user: presentUser(user) },
  });
}
