import { settingsOf } from '../../kernel/environment-settings.ts';
import { socialProviders } from '../../social/public.ts';
import { findInvitationByToken, passwordSettings, signInSettings } from '../../user-management/public.ts';
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
  /** Whether somebody without an account gets one: the environment lets everybody, or an invitation lets them in. */
  signUp: boolean;
  providers: ProviderLink[];
}

/** What an environment offers in a visit: its settings, and one Query for its providers. */
export async function waysOf(visit: Visit): Promise<Ways> {
  const { environmentId, invitationToken } = visit.flow;
  const [settings, passwords, isInvited] = await Promise.all([
    settingsOf(environmentId, signInSettings),
    settingsOf(environmentId, passwordSettings),
    invitationToken === undefined
      ? false
      : findInvitationByToken(environmentId, invitationToken).then((invitation) => invitation !== undefined),
  ]);
  const { methods } = settings;
  const providers = methods.social ? await socialProviders(environmentId) : [];
  return {
    password: methods.password,
    code: methods.magic_auth,
    social: methods.social,
    reset: methods.password && passwords.reset,
    signUp: settings.sign_up || isInvited,
    providers: providers.map(({ provider, name }) => ({ name, address: pageIn(visit, START, { provider }) })),
  };
}
