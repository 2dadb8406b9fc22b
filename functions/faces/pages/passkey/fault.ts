import { declareError } from '../../../kernel/errors.ts';
import type { WordKey } from '../../../kernel/pages/words/en.ts';
import type { PasskeyFault } from '../../../proofs/passkeys/public.ts';

/** The text that the page of a passkey shows for each reason of a failure. */
export const FAULT_TEXTS = {
  invalid: 'passkey.invalid',
  expired: 'passkey.expired',
  unknown: 'passkey.unknown',
  user_not_verified: 'passkey.not_verified',
  counter: 'passkey.invalid',
} as const satisfies Record<PasskeyFault, WordKey>;

const CODES = {
  invalid: 'passkey_invalid',
  expired: 'passkey_challenge_expired',
  unknown: 'passkey_unknown',
  user_not_verified: 'passkey_user_not_verified',
  counter: 'passkey_counter_went_back',
} as const satisfies Record<PasskeyFault, string>;

const MESSAGES = {
  invalid: 'The response of the authenticator was not valid.',
  expired: 'The challenge was used or has expired, or belongs to another page or browser.',
  unknown: 'The environment has no such passkey for this sign-in.',
  user_not_verified: 'The authenticator did not verify its user, which is required for a first factor.',
  counter: 'The signature counter went backwards: the authenticator may have been copied.',
} as const satisfies Record<PasskeyFault, string>;

/** The error of an event for a passkey that was not accepted. */
export const describeFault = (fault: PasskeyFault) =>
  declareError({ status: 400, code: CODES[fault], message: MESSAGES[fault] });
