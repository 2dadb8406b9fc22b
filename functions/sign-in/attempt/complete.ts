import { awaitAll } from '../../kernel/concurrency.ts';
import { findSettings } from '../../kernel/environment-settings.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import {
  findIdentities,
  identityHolder,
  type IdentityName,
  MAX_IDENTITIES,
  stageIdentity,
} from '../../credentials/public.ts';
import { proveEmail, signInSettings, type SignInSettings, stageEmailVerification } from '../../email-proofs/public.ts';
import type { InvitationRecord } from '../../invitations/public.ts';
import { findMembership } from '../../memberships/public.ts';
import { stageLaterSuccess, stageSignInAttempt } from '../../radar/public.ts';
import { findUser, hasProvedAddress, presentUser, type UserRecord } from '../../users/public.ts';
import { callerAt } from '../../known-devices/public.ts';
import { askAction } from './action.ts';
import type { Attempt, Ready, RejectedSignIn, SignIn, Waiting } from './attempt.ts';
import { askAboutDevice, recordSignInDevice } from './device.ts';
import { askForFactor } from './factor.ts';
import { accept, checkInvitation } from './invitation.ts';
import { type SignInOrganization, findSignInOrganization, findSignInOrganizations } from './organizations.ts';
import { offerPasskey } from './passkey.ts';
import { findRequiredSso, findRequiredSsoIn, isFulfilled, type RequiredSso } from '../../organization-sso/public.ts';
import { rejectWhenRateLimited, waitFor } from './wait.ts';

/**
 * Decides the next step of a sign-in, in this order: a proof of the address, a second factor, a proof of a new device, an
 * organization. A missing proof is requested (a mail is sent, a challenge created), and the sign-in gets a token with which
 * it continues. If none is missing the sign-in is ready and an invitation is accepted; the caller then opens a session or
 * issues a code **in the same unit of work**. The caller commits a `waiting` result although it responds with an error, and
 * does not commit a `rejected` one. Then the environment's action is asked whether it allows the sign-in, and last a
 * grant may have to offer a passkey.
 */
export async function completeSignIn(unit: Unit, attempt: Attempt): Promise<SignIn> {
  const signIn = await findNextStep(unit, attempt);
  if (signIn.kind !== 'ready') return signIn;
  return (await askAction(unit, attempt, signIn)) ?? (await offerPasskey(unit, attempt, signIn)) ?? signIn;
}

async function findNextStep(unit: Unit, attempt: Attempt): Promise<SignIn> {
  const { environmentId, invitationToken, user } = attempt;
  const [settings, invited, required] = await awaitAll([
    findSettings(environmentId, signInSettings),
    checkInvitation(environmentId, invitationToken, user.email),
    findRequirement(attempt),
  ]);
  if (required !== undefined) return requireSso(required);
  if (invited.kind === 'rejected') return invited;
  const { invitation } = invited;
  const holder = await findHolder(attempt);
  const proved = await withProvenEmail(unit, attempt, settings, { invitation, holder });
  if (proved === undefined) return askForEmailCode(unit, attempt);
  const going = { ...attempt, user: proved };
  // The first proof of an address removes earlier factors, so those that the table still has are ignored.
  const isClaimed = proved.emailVerified && !hasProvedAddress(user);
  const asked =
    (await askForFactor(unit, going, settings, { isClaimed })) ??
    (await askAboutDevice(unit, going, settings, { isClaimed }));
  if (asked !== undefined) return asked;
  const outcome = await withInvitation(unit, going, invitation);
  if (outcome.kind !== 'ready') return outcome;
  const device = recordSignInDevice(settings, going);
  if (device !== undefined) unit.stage(device);
  await reportSuccess(unit, attempt);
  return attempt.identity === undefined ? outcome : link(unit, outcome, attempt.identity, { holder, isClaimed });
}

/**
 * The single sign-on that the address of the user requires. A guest who signed in through the connection of another
 * organization can enter only that organization, and is not redirected to the connection of their own.
 */
async function findRequirement(attempt: Attempt): Promise<RequiredSso | undefined> {
  const { environmentId, user, ssoOrganizationId } = attempt;
  if (ssoOrganizationId !== undefined) return undefined;
  return attempt.requiredSso ?? findRequiredSso(environmentId, user.email);
}

const requireSso = (required: RequiredSso): RejectedSignIn => ({ kind: 'rejected', code: 'sso_required', required });

/**
 * Reports a complete sign-in to Radar, which stores its device, network and location if its settings have the attempt
 * stored.
 */
async function reportSuccess(unit: Unit, { environmentId, user, risk, radarAttemptId }: Attempt): Promise<void> {
  if (risk !== undefined) stageSignInAttempt(unit, risk, { userId: user.id, isSuccess: true });
  else if (radarAttemptId !== undefined) await stageLaterSuccess(unit, environmentId, radarAttemptId);
}

/**
 * The user that the account at the provider is linked to, read once for all decisions that depend on it. If the account
 * selected the user, this is the state of that read: when a concurrent call was faster, the claim in `link` conflicts and
 * the user is selected again. A second read would see the other call's link and lead to a rejection.
 */
const findHolder = async ({ environmentId, identity, holder }: Attempt): Promise<string | undefined> =>
  holder === undefined ? identity && identityHolder(environmentId, identity) : holder.userId;

/**
 * Links the account at a provider to the user whose address this sign-in has verified, unless it is linked already. If this sign-in
 * is the first proof of the address (`isClaimed`), the accounts that were linked before it are removed in the same transaction, so
 * they do not count towards the maximum.
 */
async function link(
  unit: Unit,
  ready: Ready,
  { provider, issuer, subject }: IdentityName,
  { holder, isClaimed }: { holder: string | undefined; isClaimed: boolean },
): Promise<SignIn> {
  const { environmentId, id } = ready.user;
  if (holder === id) return ready;
  const [own, isTaken] = await awaitAll([
    isClaimed ? [] : findIdentities(environmentId, id),
    holder !== undefined && findUser(environmentId, holder).then((user) => user !== undefined),
  ]);
  if (isTaken || own.length >= MAX_IDENTITIES) return { kind: 'rejected', code: 'identity_taken' };
  await stageIdentity(unit, environmentId, id, { provider, issuer, subject }, holder);
  return ready;
}

/** Further proofs of an address that make a mailed code unnecessary. */
interface PresentedSignIn {
  invitation: InvitationRecord | undefined;
  /** The user that the account at the provider is linked to. */
  holder: string | undefined;
}

/** The user if the address is verified or need not be, otherwise undefined. */
async function withProvenEmail(
  unit: Unit,
  { user, proofs, method, identity }: Attempt,
  { require_email_verification: isRequired }: SignInSettings,
  { invitation, holder }: PresentedSignIn,
): Promise<UserRecord | undefined> {
  // An invitation's token was mailed to the address, so it proves access to the mailbox.
  const isProved = proofs.emailVerified || identity?.isAddressProved === true || invitation !== undefined;
  // Earlier proofs do not count: an account at a provider is linked to a user only by a proof in its own sign-in.
  if (!isProved && identity !== undefined && holder !== user.id) return undefined;
  if (user.emailVerified) return user;
  if (!isProved) return isRequired ? undefined : user;
  // This sign-in proves the address, so the credentials with which it began belong to the owner of the address and are kept.
  return proveEmail(unit, user, { password: method === 'password', ...(identity && { identities: identity }) });
}

/** Mails a code to the user's address, which the next step of the sign-in requires. */
export async function askForEmailCode(unit: Unit, attempt: Attempt): Promise<Waiting | RejectedSignIn> {
  const { environmentId, user, client } = attempt;
  const caller = client === 'public' ? callerAt(environmentId, user.email, attempt) : undefined;
  const verification = await rejectWhenRateLimited(() => stageEmailVerification(unit, attempt.user, { caller }));
  if ('kind' in verification) return verification;
  return waitFor(unit, attempt, 'email_verification_required', {
    challengeId: verification.id,
    members: { email: attempt.user.email, email_verification_id: verification.id },
  });
}

/**
 * Accepts an invitation when no other step remains. An invitation to an organization also selects the organization of the
 * session.
 */
async function withInvitation(unit: Unit, attempt: Attempt, invitation: InvitationRecord | undefined): Promise<SignIn> {
  const { user } = attempt;
  if (invitation === undefined) return withOrganization(unit, attempt);
  const outcome: SignIn =
    invitation.organizationId === undefined ? await withOrganization(unit, attempt) : { kind: 'ready', user };
  if (outcome.kind !== 'ready') return outcome;
  const accepted = await accept(unit, invitation, user);
  if (accepted.kind === 'rejected') return accepted;
  const { membership } = accepted;
  const required = membership && (await findRequiredSsoIn(membership.environmentId, membership.organizationId));
  if (required !== undefined && !isFulfilled(required, attempt.ssoOrganizationId)) return requireSso(required);
  return membership === undefined ? outcome : { ...outcome, organizationId: membership.organizationId, membership };
}

async function withOrganization(unit: Unit, attempt: Attempt): Promise<SignIn> {
  const { environmentId, user } = attempt;
  if (attempt.organizationId !== undefined) {
    const { membership = await findMembership(environmentId, user.id, attempt.organizationId) } = attempt;
    const place = await findSignInOrganization(membership);
    if (place === undefined) return { kind: 'rejected', code: 'organization_membership_not_found' };
    return enter(attempt, place);
  }
  const places = await (attempt.read?.places ?? findSignInOrganizations(environmentId, user.id));
  const [only] = places;
  if (only === undefined) return { kind: 'ready', user };
  if (places.length === 1) return enter(attempt, only);
  const organizations = places.map(({ organization: { id, name } }) => ({ id, name }));
  return waitFor(unit, attempt, 'organization_selection_required', {
    members: { organizations, user: presentUser(user) },
  });
}

/** Enters an organization, unless it requires single sign-on and the user signed in by another method. */
function enter({ user, ssoOrganizationId }: Attempt, place: SignInOrganization): Ready | RejectedSignIn {
  const { organization, membership, roles, flags, requiredSso } = place;
  if (requiredSso !== undefined && !isFulfilled(requiredSso, ssoOrganizationId)) return requireSso(requiredSso);
  return {
    kind: 'ready',
    user,
    organizationId: organization.id,
    membership,
    organization,
    roles,
    flags,
  };
}
