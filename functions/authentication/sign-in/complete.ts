import { settingsOf } from '../../kernel/environment-settings.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import {
  identitiesOf,
  identityHolder,
  type IdentityName,
  type InvitationRecord,
  MAX_IDENTITIES,
  membershipOf,
  presentUser,
  proveEmail,
  signInSettings,
  type SignInSettings,
  stageEmailVerification,
  stageIdentity,
  type UserRecord,
  users,
} from '../../user-management/public.ts';
import type { Attempt, Ready, Refused, SignIn, Waiting } from './attempt.ts';
import { askAboutDevice, rememberedDevice } from './device.ts';
import { askForFactor } from './factor.ts';
import { accept, invitationOf } from './invitation.ts';
import { type Place, placeOf, placesOf } from './organizations.ts';
import { unlessTooMany, waitFor } from './wait.ts';

/**
 * Decides what a sign-in still needs, in this order: a proof of the address, a second factor, a proof of a new device, an
 * organization. What is missing is asked for (a mail is sent, a challenge made) and the sign-in waits under a token; nothing
 * missing, it is ready, an invitation accepted: the caller opens a session or issues a code **in the same unit**.
 *
 * `pending` is committed although the call may be refused with it; of `refused` nothing is.
 */
export async function completeSignIn(unit: Unit, attempt: Attempt): Promise<SignIn> {
  const { environmentId, invitationToken, user } = attempt;
  const [settings, invited] = await Promise.all([
    settingsOf(environmentId, signInSettings),
    invitationOf(environmentId, invitationToken, user.email),
  ]);
  if (invited.kind === 'refused') return invited;
  const { invitation } = invited;
  const proved = await withProvenEmail(unit, attempt, settings, invitation);
  if (proved === undefined) return askForEmailCode(unit, attempt);
  const going = { ...attempt, user: proved };
  // The first proof of an address removes the factors of before it: those that the table still has count no more.
  const isFirstProof = proved.emailVerified && !user.emailVerified;
  const asked =
    (await askForFactor(unit, going, settings, { isFirstProof })) ?? (await askAboutDevice(unit, going, settings));
  if (asked !== undefined) return asked;
  const outcome = await withOrganization(unit, going, invitation);
  if (outcome.kind !== 'ready') return outcome;
  const device = rememberedDevice(settings, going);
  if (device !== undefined) unit.stage(device);
  return attempt.identity === undefined ? outcome : link(unit, outcome, attempt.identity, attempt.holder);
}

/** Links the account at a provider to the user whose address was proved in this sign-in, unless it is theirs already. */
async function link(
  unit: Unit,
  ready: Ready,
  { provider, issuer, subject }: IdentityName,
  sought: Attempt['holder'],
): Promise<SignIn> {
  const { environmentId, id } = ready.user;
  const name = { provider, issuer, subject };
  // The holder that the user was chosen by, where it was: a rival who was quicker makes the claim below a conflict, after
  // which the user is chosen anew. Read here again, the rival's link would be a refusal.
  const [holder, own] = await Promise.all([
    sought === undefined ? identityHolder(environmentId, name) : sought.userId,
    identitiesOf(environmentId, id),
  ]);
  if (holder === id) return ready;
  const isTaken = holder !== undefined && (await users.get(environmentId, holder)) !== undefined;
  if (isTaken || own.length >= MAX_IDENTITIES) return { kind: 'refused', code: 'identity_taken' };
  await stageIdentity(unit, environmentId, id, name, holder);
  return ready;
}

/** The user once the address is proved, or need not be; undefined where it must be and is not. */
async function withProvenEmail(
  unit: Unit,
  { user, proofs, method, identity }: Attempt,
  { require_email_verification: isRequired }: SignInSettings,
  invitation: InvitationRecord | undefined,
): Promise<UserRecord | undefined> {
  // An invitation's token was mailed to the address: who shows it reads mail there.
  const isProved = proofs.emailVerified || identity?.isAddressProved === true || invitation !== undefined;
  // Whatever was proved before and by whom: an account at a provider becomes a user's by a proof of its own.
  if (!isProved && identity !== undefined && (await identityHolder(user.environmentId, identity)) !== user.id) {
    return undefined;
  }
  if (user.emailVerified) return user;
  if (!isProved) return isRequired ? undefined : user;
  // What this very sign-in was begun with is its owner's, now that the address is.
  return proveEmail(unit, user, { password: method === 'password', ...(identity && { identities: identity }) });
}

/** Mails a code to the user's address, which the sign-in then waits for. */
export async function askForEmailCode(unit: Unit, attempt: Attempt): Promise<Waiting | Refused> {
  const verification = await unlessTooMany(() => stageEmailVerification(unit, attempt.user));
  if ('kind' in verification) return verification;
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
    const accepted = await accept(unit, invitation, user);
    if (accepted.kind === 'refused') return accepted;
    const { membership } = accepted;
    if (membership !== undefined) {
      return { kind: 'ready', user, organizationId: membership.organizationId, membership };
    }
  }
  if (attempt.organizationId !== undefined) {
    const place = await placeOf(await membershipOf(environmentId, user.id, attempt.organizationId));
    if (place === undefined) return { kind: 'refused', code: 'organization_membership_not_found' };
    return readyIn(user, place);
  }
  const places = await (attempt.read?.places ?? placesOf(environmentId, user.id));
  const [only] = places;
  if (only === undefined) return { kind: 'ready', user };
  if (places.length === 1) return readyIn(user, only);
  const organizations = places.map(({ organization: { id, name } }) => ({ id, name }));
  return waitFor(unit, attempt, 'organization_selection_required', {
    members: { organizations, user: presentUser(user) },
  });
}

const readyIn = (user: UserRecord, { organization, membership }: Place): Ready => ({
  kind: 'ready',
  user,
  organizationId: organization.id,
  membership,
  organization,
});
