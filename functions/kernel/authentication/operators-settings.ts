import { isOperatorsEnvironment } from './environment-id.ts';

/**
 * The settings of the environment of the operators by section. They are fixed: no user signs up, every user needs a second factor, a mailed
 * code signs no user in, no browser is trusted, and a session lasts as long as one of the console.
 */
const FIXED: Readonly<Record<string, object>> = {
  authentication: {
    methods: { password: true, magic_auth: false, social: false, passkey: true },
    sign_up: false,
    mfa: 'required',
    // Passkeys are added on the account page, and not on the way to a page of the console.
    passkey_enrollment: false,
    device_flow: false,
  },
  sessions: { max_lifetime_seconds: 28_800, inactivity_seconds: 28_800 },
  // The hosted pages keep no session, so that each sign-in to the console, and each proof for it, is a new authentication.
  pages: { browser_session_seconds: 0 },
  account: { sections: { email: false, organizations: false, connected_accounts: false, deletion: false } },
};

/** The settings of an environment by section: the stored ones, except for the environment of the operators. */
export const effectiveSettings = (
  environmentId: string,
  stored: unknown,
): Readonly<Record<string, unknown>> | undefined =>
  isOperatorsEnvironment(environmentId) ? FIXED : (stored as Readonly<Record<string, unknown>> | undefined);
