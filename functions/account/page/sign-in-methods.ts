import { findIdentities, hasPassword, IDENTITY_PROVIDERS } from '../../credentials/public.ts';
import { isDeliverable } from '../../kernel/address.ts';
import { type OfferedProvider, socialProviders } from '../../social/public.ts';
import { findRequirement } from '../session/proof.ts';
import { lazily, type Visit } from '../session/visit.ts';

/** An account of the user at a sign-in provider. */
export interface ConnectedAccount {
  id: string;
  provider: string;
  /** The provider's name for people; the contract's spelling if the provider is not offered any more. */
  name: string;
  createdAt: string;
  /** True if users can sign in with this provider. */
  isUsable: boolean;
}

const listOffered = (visit: Visit): Promise<OfferedProvider[]> =>
  lazily(visit, 'providers', () => socialProviders(visit.environmentId));

/** The user's accounts at sign-in providers, in the order in which they were connected. */
export const findConnectedAccounts = (visit: Visit): Promise<ConnectedAccount[]> =>
  lazily(visit, 'accounts', async () => {
    const { environmentId, user, signIn } = visit;
    const [identities, offered] = await Promise.all([findIdentities(environmentId, user.id), listOffered(visit)]);
    return identities
      .filter(({ provider }) => (IDENTITY_PROVIDERS as readonly string[]).includes(provider))
      .map(({ id, provider, createdAt }) => {
        const known = offered.find((one) => one.provider === provider);
        const isUsable = known !== undefined && signIn.methods.social;
        return { id, provider, name: known?.name ?? provider.replace(/OAuth$/, ''), createdAt, isUsable };
      });
  });

/** Reports whether the user has a password, by one GetItem. */
export const ownsPassword = (visit: Visit): Promise<boolean> =>
  lazily(visit, 'password', () => hasPassword(visit.environmentId, visit.user.id));

/**
 * Reports whether the user could still sign in without one of the connected accounts: by a mailed code, a password, single
 * sign-on, or another account at an enabled provider.
 */
export async function canSignInWithout(visit: Visit, accountId: string): Promise<boolean> {
  const { signIn, user } = visit;
  if (signIn.methods.magic_auth && isDeliverable(user.email)) return true;
  const [password, accounts, required] = await Promise.all([
    ownsPassword(visit),
    findConnectedAccounts(visit),
    findRequirement(visit),
  ]);
  if (required !== undefined || (password && signIn.methods.password)) return true;
  return accounts.some(({ id, isUsable }) => isUsable && id !== accountId);
}
