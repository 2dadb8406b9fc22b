/** The limits that count one person, in words: what is counted. A name with `.daily` or `.hourly` counts the same in a longer window. */
const NAMES: Readonly<Record<string, string>> = {
  'sign-in.email': 'Sign-in attempts',
  'sign-in.email.everybody': 'Sign-in attempts from all networks',
  'sign-in.user': 'Sign-in attempts of this account',
  'sign-in.address': 'Sign-in attempts from one network, for all accounts',
  'sign-in.password': 'Wrong passwords from one network',
  'sign-in.password.everybody': 'Wrong passwords from all networks',
  'magic-code.email': 'Mailed sign-in codes',
  'password-reset.email': 'Password reset mails',
  'email-verification.email': 'Verification mails',
  'email-change.user': 'Mails to confirm a new address',
  'account-code.user': 'Codes of the account page',
  'page-message.network': 'Messages of the hosted pages from one network',
  'page-message.everybody': 'Messages of the hosted pages from all networks',
  'message.address': 'Messages caused from one network, for all accounts',
  'radar-challenge.user': 'Codes that Radar asked for',
  'mfa.factor': 'Wrong codes of a second factor',
  'sms.phone': 'SMS to the phone number',
};

/** The key of a counter in words. */
const KEYS: Readonly<Record<string, string>> = {
  email: 'for this email address',
  email_and_network: 'for this email address and one network',
  network: 'for one network',
  user: 'for this user',
  factor: 'for one factor',
  phone: 'for one phone number',
};

/** The name of a limit in words. */
export const nameLimit = (name: string): string =>
  NAMES[name.replace(/\.(daily|hourly)$/, '')] ?? name.replaceAll(/[._-]/g, ' ');

/** The key of a counter in words. */
export const nameKey = (countedBy: string): string => KEYS[countedBy] ?? countedBy.replaceAll('_', ' ');

/** A sentence of the API with the limit that it names in words. */
export const nameLimits = (text: string): string =>
  text.replace(
    /\b(attempts of the limit )([\w.-]+)( are)/,
    (_, before: string, name: string, after: string) => `${before}“${nameLimit(name)}”${after}`,
  );
