import { awaitAll } from '../../../kernel/concurrency.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { clock } from '../../../kernel/clock.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { requiredReauthentication, socialProviders } from '../../../sign-in/social/public.ts';
import { passwordSettings } from '../../../proofs/modules/credentials/public.ts';
import { signInSettings } from '../../../proofs/modules/email-proofs/public.ts';
import { findInvitationByToken, invitationStateOf } from '../../../tenancy/modules/invitations/public.ts';
import { findRelyingParty } from '../../../proofs/passkeys/public.ts';
import { isLastMethod } from '../flow/last-method.ts';
import { pageIn, type Visit } from '../flow/visit.ts';
import { findInviter } from '../invitation/inviter.ts';
import type { ProviderLink } from './page.ts';

/** The target of a provider's button. The provider redirects the browser back to the page of the social area. */
const START = '/x/social/start';

/** The sign-in methods that a visit offers. */
export interface SignInMethods {
  password: boolean;
  code: boolean;
  /** True if passkeys are enabled, and browsers offer them on this domain. */
  passkey: boolean;
  /** True if there are sign-in providers. */
  social: boolean;
  /** True if a forgotten password can be reset by mail. */
  reset: boolean;
  /** True if sign-up is possible: the environment enables it, or the visit has a pending invitation. */
  signUp: boolean;
  /** The pending invitation of the visit, with the names of its organization and of the person who sent it. */
  invitation?: { email: string; organization: string | undefined; inviter: string | undefined } | undefined;
  /** Reports whether sign-up is possible for this address: an invitation is only valid for its own address. */
  maySignUp: (email: string) => boolean;
  /** True if the last sign-in in this browser used a passkey. */
  isPasskeyLast: boolean;
  providers: ProviderLink[];
}

/** Sorts providers by the environment's order; those that it does not name follow by their names. */
function inOrder<P extends { provider: string }>(providers: readonly P[], order: readonly string[]): P[] {
  const rank = ({ provider }: P): number => (order.includes(provider) ? order.indexOf(provider) : order.length);
  return [...providers].sort((one, other) => rank(one) - rank(other));
}

/** The sign-in methods of a visit, from the environment's settings and one Query for its providers. */
export async function findSignInMethods(visit: Visit): Promise<SignInMethods> {
  const { environmentId, invitationToken } = visit.flow;
  const [settings, passwords, invited] = await awaitAll([
    findSettings(environmentId, signInSettings),
    findSettings(environmentId, passwordSettings),
    invitationToken === undefined ? undefined : findPendingInvitation(environmentId, invitationToken),
  ]);
  const { methods, sign_up: isOpen } = settings;
  const offered = methods.social ? await socialProviders(environmentId) : [];
  const mustReauthenticate = requiredReauthentication(visit.flow) !== undefined;
  const providers = offered.filter(({ reauthenticates }) => reauthenticates || !mustReauthenticate);
  return {
    password: methods.password,
    code: methods.magic_auth,
    passkey: methods.passkey && findRelyingParty() !== undefined,
    social: methods.social,
    reset: methods.password && passwords.reset,
    signUp: isOpen || invited !== undefined,
    invitation: invited,
    maySignUp: (email) => isOpen || email === invited?.email,
    isPasskeyLast: isLastMethod(visit, { method: 'passkey' }),
    providers: inOrder(providers, visit.surroundings.settings.provider_order).map(({ provider, name }) => ({
      name,
      address: pageIn(visit, START, { provider }),
      isLast: isLastMethod(visit, { method: 'oauth', provider }),
    })),
  };
}

/** The address of a pending invitation, and the names of its organization and inviter. */
async function findPendingInvitation(environmentId: string, token: string): Promise<SignInMethods['invitation']> {
  const invitation = await findInvitationByToken(environmentId, token);
  if (invitation === undefined || invitationStateOf(invitation, clock.now()) !== 'pending') return undefined;
  const { email, organizationId } = invitation;
  const [organization, inviter] = await awaitAll([
    organizationId === undefined ? undefined : findOrganization(environmentId, organizationId),
    findInviter(invitation),
  ]);
  return { email, organization: organization?.name, inviter };
}
