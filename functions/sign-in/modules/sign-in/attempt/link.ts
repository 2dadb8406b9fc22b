import { awaitAll } from '../../../../kernel/concurrency.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import {
  findIdentities,
  hasPassword,
  identityHolder,
  type IdentityName,
  MAX_IDENTITIES,
  stageIdentity,
} from '../../../../proofs/modules/credentials/public.ts';
import { findPasskeys } from '../../../../proofs/passkeys/public.ts';
import { findMembership } from '../../../../tenancy/modules/memberships/public.ts';
import { SSO_PROVIDER } from '../../../../tenancy/modules/organization-sso/public.ts';
import { type Justification, may, organizationWord, speaks } from '../../../../tenancy/modules/trust/public.ts';
import { clock } from '../../../../kernel/clock.ts';
import { describeRequest } from '../../../../kernel/messages/describe-request.ts';
import { accountChangedMail } from '../../../../kernel/messages/templates/account-changed.ts';
import { findOrganization } from '../../../../tenancy/organizations/public.ts';
import { composeNotice, findUser, type UserRecord } from '../../../../tenancy/modules/users/public.ts';
import type { Attempt, Ready, SignIn } from './attempt.ts';
import { findCovering, readAuthority } from './authority.ts';
import { usableFactors } from './prefetch.ts';

/**
 * The attempt of a user who signs in because an account at a connection waits to be linked (`stageLinkOfFlow`): what the identity
 * provider has proved is a part of it, and the session is for the connection's organization.
 */
export function withPendingLink(attempt: Attempt): Attempt {
  const link = attempt.flow?.link;
  if (link === undefined || link.userId !== attempt.user.id) return attempt;
  const known = readAuthority(attempt);
  const isAdded = speaks(known, organizationWord(link.organizationId));
  const organizationId = attempt.flow?.organizationId ?? link.organizationId;
  const membership = attempt.organizationId === organizationId ? attempt.membership : undefined;
  const authority = isAdded ? known : [...known, ...link.proofs];
  const needsFactor = attempt.needsFactor === true || link.needsFactor;
  return { ...attempt, authority, needsFactor, organizationId, membership };
}

/**
 * The user that the account at the provider is linked to, read once for all decisions that depend on it. If the account
 * selected the user, this is the state of that read: when a concurrent call was faster, the claim in `linkIdentity` conflicts and
 * the user is selected again. A second read would see the other call's link and lead to a rejection.
 */
export const findHolder = async ({ environmentId, identity, holder }: Attempt): Promise<string | undefined> =>
  holder === undefined ? identity && identityHolder(environmentId, identity) : holder.userId;

interface Linking {
  holder: string | undefined;
  /** True if this sign-in is the first proof of the address. */
  isClaimed: boolean;
}

/**
 * Links the accounts of a complete sign-in to its user, unless they are linked already: the one that it began with, and the one at a
 * connection that waited for it. If this sign-in is the first proof of the address, the accounts that were linked before it are removed
 * in the same transaction, so they do not count towards the maximum.
 */
export async function linkIdentity(unit: Unit, attempt: Attempt, ready: Ready, linking: Linking): Promise<SignIn> {
  const { identity, flow, ssoOrganizationId } = attempt;
  const isLinked = identity === undefined || linking.holder === ready.user.id;
  const signIn = isLinked
    ? ready
    : await link(unit, attempt, ready, identity, { ...linking, organizationId: ssoOrganizationId });
  if (signIn.kind !== 'ready' || flow?.link === undefined) return signIn;
  const { identity: waiting, organizationId } = flow.link;
  const holder = await identityHolder(attempt.environmentId, waiting);
  return link(unit, attempt, signIn, waiting, { ...linking, holder, organizationId });
}

async function link(
  unit: Unit,
  attempt: Attempt,
  ready: Ready,
  { provider, issuer, subject }: IdentityName,
  { holder, isClaimed, organizationId }: Linking & { organizationId: string | undefined },
): Promise<SignIn> {
  const { environmentId, id } = ready.user;
  const name = { provider, issuer, subject };
  const [own, isTaken] = await awaitAll([
    isClaimed ? [] : findIdentities(environmentId, id),
    holder !== undefined && holder !== id && findUser(environmentId, holder).then((user) => user !== undefined),
  ]);
  if (isTaken || own.length >= MAX_IDENTITIES) return { kind: 'rejected', code: 'identity_taken' };
  const justification =
    provider === SSO_PROVIDER && organizationId !== undefined
      ? await justify(attempt, ready, organizationId, { name, own })
      : undefined;
  if (justification !== undefined && 'kind' in justification) return justification;
  await stageIdentity(unit, environmentId, id, name, {
    formerHolder: holder,
    justification,
  });
  if (justification !== undefined && holder !== id) await stageLinkNotice(unit, attempt, ready, justification);
  return ready;
}

/** Mails the owner of an account that existed about its new link to an organization's connection. */
async function stageLinkNotice(
  unit: Unit,
  { isNew, environmentId, ipAddress, userAgent }: Attempt,
  { user }: Ready,
  { organizationId }: Justification,
): Promise<void> {
  const organization = isNew === true ? undefined : await findOrganization(environmentId, organizationId);
  if (organization === undefined) return;
  const request = describeRequest({ sourceIp: ipAddress ?? '', userAgent: userAgent ?? null });
  const values = { change: 'single_sign_on_linked', name: organization.name, at: clock.timestamp(), request } as const;
  const notice = await composeNotice(user, accountChangedMail, values);
  if (notice !== undefined) unit.stage(notice);
}

/** Asks whether an account at a connection of an organization may be linked to the user, and by what. */
async function justify(
  attempt: Attempt,
  { user, organizationId: entered, membership }: Ready,
  organizationId: string,
  { name, own }: { name: IdentityName; own: readonly IdentityName[] },
): Promise<Justification | SignIn> {
  const authority = readAuthority(attempt);
  const [covering, isWeakProof, former] = await awaitAll([
    findCovering(authority, user),
    isWeak(attempt, user),
    entered === organizationId ? membership : findMembership(user.environmentId, user.id, organizationId),
  ]);
  const verdict = may(authority, {
    act: 'link',
    organizationId,
    isLinked: false,
    isNew: attempt.isNew === true,
    isUnverified: false,
    hasOtherSubject: own.some(({ issuer, subject }) => issuer === name.issuer && subject !== name.subject),
    covering,
    isWeak: isWeakProof,
  });
  if (!verdict.isAllowed) {
    return { kind: 'rejected', code: verdict.reason === 'second_subject' ? 'second_subject' : 'own_sign_in_required' };
  }
  const by = covering.includes(organizationId) ? 'organization' : 'person';
  return { by, organizationId, membershipId: former?.id };
}

/**
 * Reports whether the user's own proof is weaker than it could be: a mailed code, although the account has a password or passkey, or
 * no second factor, although it has one.
 */
async function isWeak({ method, proofs, environmentId }: Attempt, { id }: UserRecord): Promise<boolean> {
  if (method === 'sso') return false;
  const [factors, passkeys, password] = await awaitAll([
    usableFactors(environmentId, id),
    findPasskeys(environmentId, id),
    hasPassword(environmentId, id),
  ]);
  const lacksFactor = factors.length > 0 && !proofs.mfa;
  return lacksFactor || (method === 'magic_code' && (password || passkeys.length > 0));
}
