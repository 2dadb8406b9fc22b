import { clock } from '../../kernel/clock.ts';
import { settingsOf } from '../../kernel/environment-settings.ts';
import { askedAnew, socialProviders } from '../../social/public.ts';
import { passwordSettings } from '../../credentials/public.ts';
import { signInSettings } from '../../email-proofs/public.ts';
import { findInvitationByToken, invitationStateOf } from '../../invitations/public.ts';
import { pageIn, type Visit } from '../flow/visit.ts';
import type { ProviderLink } from './page.ts';

/** Where the button of a provider leads; it comes back to the page of the social area's answers. */
const START = '/x/social/start';

/** The ways in that a visit offers. */
export interface Ways {
  password: boolean;
  code: boolean;
  /** Through a provider. */
  social: boolean;
  /** Whether a forgotten password is replaced by mail. */
  reset: boolean;
  /** Whether accounts are made: the environment lets everybody make one, or an open invitation lets somebody. */
  signUp: boolean;
  /** Whether whoever has this address may make one: an invitation is for nobody but the one that it was sent to. */
  maySignUp: (email: string) => boolean;
  providers: ProviderLink[];
}

/** What an environment offers in a visit: its settings, and one Query for its providers. */
export async function waysOf(visit: Visit): Promise<Ways> {
  const { environmentId, invitationToken } = visit.flow;
  const [settings, passwords, invited] = await Promise.all([
    settingsOf(environmentId, signInSettings),
    settingsOf(environmentId, passwordSettings),
    invitationToken === undefined ? undefined : invitedAddress(environmentId, invitationToken),
  ]);
  const { methods, sign_up: isOpen } = settings;
  const offered = methods.social ? await socialProviders(environmentId) : [];
  const isAnew = askedAnew(visit.flow) !== undefined;
  const providers = offered.filter(({ reauthenticates }) => reauthenticates || !isAnew);
  return {
    password: methods.password,
    code: methods.magic_auth,
    social: methods.social,
    reset: methods.password && passwords.reset,
    signUp: isOpen || invited !== undefined,
    maySignUp: (email) => isOpen || email === invited,
    providers: providers.map(({ provider, name }) => ({ name, address: pageIn(visit, START, { provider }) })),
  };
}

/** The address that an invitation was sent to, as long as it is open. */
async function invitedAddress(environmentId: string, token: string): Promise<string | undefined> {
  const invitation = await findInvitationByToken(environmentId, token);
  return invitation && invitationStateOf(invitation, clock.now()) === 'pending' ? invitation.email : undefined;
}
