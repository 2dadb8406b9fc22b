import { findIdentities, hasPassword, IDENTITY_PROVIDERS } from '../../credentials/public.ts';
import { isDeliverable } from '../../kernel/address.ts';
import { awaitAll } from '../../kernel/concurrency.ts';
import { findRelyingParty, type PasskeyRecord } from '../../passkeys/public.ts';
import { type OfferedProvider, socialProviders } from '../../social/public.ts';
import { findOwnPasskeys, findRequirement } from '../session/proof.ts';
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
    const [identities, offered] = await awaitAll([findIdentities(environmentId, user.id), listOffered(visit)]);
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
