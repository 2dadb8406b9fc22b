/**
 * The controls of Radar, as the contract names them. Their order decides between two controls with equally severe results.
 */
export const CONTROLS = [
  'restriction',
  'brute_force_attack',
  'bot_detection',
  'impossible_travel',
  'repeat_sign_up',
  'unrecognized_device',
  'stale_account',
] as const;

export type Control = (typeof CONTROLS)[number];

/** The modes of a control: it is not evaluated, only recorded, requires a further proof, or rejects. */
export const MODES = ['off', 'log', 'challenge', 'block'] as const;

export type Mode = (typeof MODES)[number];

/** The types of list entries. */
export const LIST_TYPES = [
  'ip_address',
  'domain',
  'email',
  'device',
  'user_agent',
  'device_fingerprint',
  'country',
] as const;

export type ListType = (typeof LIST_TYPES)[number];

/** The actions of attempts, as the contract's responses spell them. */
export const ACTIONS = ['sign-up', 'sign-in'] as const;

export type Action = (typeof ACTIONS)[number];

/** The methods by which the user of an attempt authenticates. */
export const AUTH_METHODS = [
  'Password',
  'Passkey',
  'Authenticator',
  'SMS_OTP',
  'Email_OTP',
  'Social',
  'SSO',
  'Other',
] as const;

export type AuthMethod = (typeof AUTH_METHODS)[number];

export type Verdict = 'allow' | 'block' | 'challenge';
