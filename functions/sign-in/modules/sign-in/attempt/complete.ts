import { awaitAll } from '../../../../kernel/concurrency.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import {
  proveEmail,
  signInSettings,
  type SignInSettings,
  stageEmailVerification,
} from '../../../../proofs/modules/email-proofs/public.ts';
import type { InvitationRecord } from '../../../../tenancy/modules/invitations/public.ts';
import { findMembership } from '../../../../tenancy/modules/memberships/public.ts';
import { stageLaterSuccess, stageSignInAttempt } from '../../../../proofs/radar/public.ts';
import { hasProvedAddress, presentUser, type UserRecord } from '../../../../tenancy/modules/users/public.ts';
import { callerAt } from '../../../../tenancy/modules/known-devices/public.ts';
import { askAction } from './action.ts';
import type { Attempt, Ready, RejectedSignIn, SignIn, Waiting } from './attempt.ts';
import { askAboutDevice, recordSignInDevice } from './device.ts';
import { askForFactor } from './factor.ts';
import { accept, checkInvitation } from './invitation.ts';
import { type SignInOrganization, findSignInOrganization, findSignInOrganizations } from './organizations.ts';
import { offerPasskey } from './passkey.ts';
import { findRequiredSso, type RequiredSso } from '../../../../tenancy/modules/organization-sso/public.ts';
import { meetsDemand } from '../../../../tenancy/modules/trust/public.ts';
import { readAuthority } from './authority.ts';
import { askEntry, rejectEntry } from './entry.ts';
import { findHolder, linkIdentity, withPendingLink } from './link.ts';
import { rejectWhenRateLimited, waitFor } from './wait.ts';

/**
 * Decides the next step of a sign-in, in this order: a proof of the address, a second factor, a proof of a new device, an
 * organization. A missing proof is requested (a mail is sent, a challenge created), and the sign-in gets a token with which
 * it continues. If none is missing the sign-in is ready and an invitation is accepted; the caller then opens a session or
 * issues a code **in the same unit of work**. The caller commits a `waiting` result although it responds with an error, and
 * does not commit a `rejected` one. Then the environment's action is asked whether it allows the sign-in, and last a
 * grant may have to offer a passkey.
 */
export async function completeSignIn(unit: Unit, given: Attempt): Promise<SignIn> {
  const attempt = withPendingLink(given);
  if (!meetsDemandOfFlow(attempt)) return { kind: 'rejected', code: 'wrong_account' };
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
  // Another organization's provider has not asked for the factor that the organization of this sign-in requires.
  if (outcome.kind === 'rejected' && outcome.code === 'mfa_enrollment' && invitation === undefined) {
    return (await askForFactor(unit, { ...going, needsFactor: true }, settings, { isClaimed })) ?? outcome;
  }
  if (outcome.kind !== 'ready') return outcome;
  const device = recordSignInDevice(settings, going);
  if (device !== undefined) unit.stage(device);
  await reportSuccess(unit, attempt);
  return linkIdentity(unit, going, outcome, { holder, isClaimed });
}

/** Reports whether the sign-in is what the application demanded. */
function meetsDemandOfFlow({ flow, user, method, provider, identity }: Attempt): boolean {
  const connectionId = method === 'sso' ? identity?.issuer : undefined;
  return flow === undefined || meetsDemand(flow, { userId: user.id, method, provider, connectionId });
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

/** Further proofs of an address that make a mailed code unnecessary. */
interface PresentedSignIn {
  invitation: InvitationRecord | undefined;
  /** The user that the account at the provider is linked to. */
  holder: string | undefined;
}

/** The user if the address is verified or need not be, otherwise undefined. */
async function withProvenEmail(
  unit: Unit,
  { user, proofs, method, identity, isNew, needsFactor }: Attempt,
  { require_email_verification: isRequired }: SignInSettings,
  { invitation, holder }: PresentedSignIn,
): Promise<UserRecord | undefined> {
  // An invitation's token was mailed to the address. It counts for the account that is made with it, and proves nothing of an
  // account that exists, nor to a provider of an organization, whose administrators may have made the invitation.
  const isInvited = invitation !== undefined && isNew === true && method !== 'sso';
  const isProved = proofs.emailVerified || identity?.isAddressProved === true || isInvited;
  // Earlier proofs do not count: an account at a provider is linked to a user only by a proof in its own sign-in, or to the user
  // who is made for it.
  if (!isProved && identity !== undefined && holder !== user.id && isNew !== true) return undefined;
  if (user.emailVerified) return user;
  // A user with an address at another domain than those of the organization whose provider signs in has proved no mailbox, and enters
  // this organization only. A factor is enrolled by the person's own proof.
  const isGuest = !isProved && method === 'sso';
  if (isGuest) return needsFactor === true ? undefined : user;
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
  const outcome = invitation.organizationId === undefined ? await withOrganization(unit, attempt) : undefined;
  if (outcome !== undefined && outcome.kind !== 'ready') return outcome;
  const accepted = await accept(unit, invitation, user);
  if (accepted.kind === 'rejected') return accepted;
  const { membership } = accepted;
  if (outcome !== undefined && membership === undefined) return outcome;
  const { organizationId } = membership ?? {};
  const entry = await askEntry({ user, authority: readAuthority(attempt), organizationId, isMember: true });
  return entry.isAllowed ? { kind: 'ready', user, verdict: entry, organizationId, membership } : rejectEntry(entry);
}

async function withOrganization(unit: Unit, attempt: Attempt): Promise<SignIn> {
  const { environmentId, user } = attempt;
  if (attempt.organizationId !== undefined) {
    const { membership = await findMembership(environmentId, user.id, attempt.organizationId) } = attempt;
    const place = await findSignInOrganization(membership);
    if (place === undefined) return { kind: 'rejected', code: 'organization_membership_not_found' };
    return enter(attempt, place);
  }
  // The account is no organization's, so its page is opened without entering one.
  if (attempt.flow?.account !== undefined) return enterNone(attempt);
  const places = await (attempt.read?.places ?? findSignInOrganizations(environmentId, user.id));
  const [only] = places;
  if (only === undefined) return enterNone(attempt);
  if (places.length === 1) return enter(attempt, only);
  const organizations = places.map(({ organization: { id, name } }) => ({ id, name }));
  return waitFor(unit, attempt, 'organization_selection_required', {
    members: { organizations, user: presentUser(user) },
  });
}

/** Signs in without an organization, if the proofs are sufficient for the account. */
async function enterNone(attempt: Attempt): Promise<Ready | RejectedSignIn> {
  const { user } = attempt;
  const entry = await askEntry({ user, authority: readAuthority(attempt), organizationId: undefined, isMember: false });
  return entry.isAllowed ? { kind: 'ready', user, verdict: entry } : rejectEntry(entry);
}

/** Enters an organization, if the proofs are sufficient for it. */
async function enter(attempt: Attempt, place: SignInOrganization): Promise<Ready | RejectedSignIn> {
  const { user } = attempt;
  const { organization, membership, roles, flags, sso } = place;
  const organizationId = organization.id;
  const entry = await askEntry({ user, authority: readAuthority(attempt), organizationId, isMember: true, sso });
  if (!entry.isAllowed) return rejectEntry(entry);
  return { kind: 'ready', user, verdict: entry, organizationId, membership, organization, roles, flags };
}
