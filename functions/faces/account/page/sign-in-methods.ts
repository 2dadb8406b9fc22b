import { findIdentities, hasPassword, IDENTITY_PROVIDERS } from '../../../proofs/modules/credentials/public.ts';
import { isDeliverable } from '../../../kernel/address.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findRelyingParty, type PasskeyRecord } from '../../../proofs/passkeys/public.ts';
import { type OfferedProvider, socialProviders } from '../../../sign-in/social/public.ts';
import { findOwnPasskeys, findRequirement } from '../session/proof.ts';
import { SSO_PROVIDER } from '../../../tenancy/modules/organization-sso/public.ts';
import type { Justification } from '../../../tenancy/modules/trust/public.ts';
import { findMembers, type Member } from './governance.ts';
import { lazily, type Visit } from '../session/visit.ts';

/** An account of the user at a sign-in provider, or at the connection of an organization. */
export interface ConnectedAccount {
  id: string;
  provider: string;
  /** The name of the provider, or of the organization, for people. */
  name: string;
  createdAt: string;
  /** True if users can sign in with this provider. */
  isUsable: boolean;
}

type Identity = Awaited<ReturnType<typeof findIdentities>>[number];

const listOffered = (visit: Visit): Promise<OfferedProvider[]> =>
  lazily(visit, 'providers', () => socialProviders(visit.environmentId));

/** The user's accounts at sign-in providers, in the order in which they were connected. */
export const findConnectedAccounts = (visit: Visit): Promise<ConnectedAccount[]> =>
  lazily(visit, 'accounts', async () => {
    const { environmentId, user, signIn } = visit;
    const [identities, offered, members] = await awaitAll([
      findIdentities(environmentId, user.id),
      listOffered(visit),
      findMembers(visit),
    ]);
    const linked = identities.flatMap((identity) => presentLink(identity, members));
    const social = identities
      .filter(({ provider }) => (IDENTITY_PROVIDERS as readonly string[]).includes(provider))
      .map(({ id, provider, createdAt }) => {
        const known = offered.find((one) => one.provider === provider);
        const isUsable = known !== undefined && signIn.methods.social;
        return { id, provider, name: known?.name ?? provider.replace(/OAuth$/, ''), createdAt, isUsable };
      });
    return [...social, ...linked];
  });

/** An account at the connection of an organization whose member the user is. It signs in to this organization only. */
function presentLink(
  { id, provider, createdAt, justification }: Identity,
  members: readonly Member[],
): ConnectedAccount[] {
  const { organizationId } = (justification ?? {}) as Partial<Justification>;
  const member = members.find(({ organization }) => organization.id === organizationId);
  if (provider !== SSO_PROVIDER || member === undefined || member.membership.status !== 'active') return [];
  return [{ id, provider, name: member.organization.name, createdAt, isUsable: false }];
}

/** Reports whether the user has a password, by one GetItem. */
export const ownsPassword = (visit: Visit): Promise<boolean> =>
  lazily(visit, 'password', () => hasPassword(visit.environmentId, visit.user.id));

/**
 * Reports whether the user could still sign in without one of the connected accounts: by a mailed code, a password, a passkey,
 * single sign-on, or another account at an enabled provider.
 */
export const canSignInWithout = (visit: Visit, accountId: string): Promise<boolean> =>
  canSignIn(visit, { accountId, passkeyId: undefined });

/** Reports whether the user can still sign in without one of the passkeys. */
export const canSignInWithoutPasskey = (visit: Visit, passkeyId: string): Promise<boolean> =>
  canSignIn(visit, { accountId: undefined, passkeyId });

async function canSignIn(
  visit: Visit,
  without: { accountId: string | undefined; passkeyId: string | undefined },
): Promise<boolean> {
  const { signIn, user } = visit;
  if (signIn.methods.magic_auth && isDeliverable(user.email)) return true;
  const [password, accounts, passkeys, required] = await awaitAll([
    ownsPassword(visit),
    findConnectedAccounts(visit),
    findOwnPasskeys(visit),
    findRequirement(visit),
  ]);
  if (required !== undefined || (password && signIn.methods.password)) return true;
  if (accounts.some(({ id, isUsable }) => isUsable && id !== without.accountId)) return true;
  // A passkey that has not verified its user is a second factor only.
  const rpId = findRelyingParty()?.id;
  const isUsable = (own: PasskeyRecord): boolean => own.verifiesUser && own.rpId === rpId;
  return signIn.methods.passkey && passkeys.some((own) => isUsable(own) && own.id !== without.passkeyId);
}
