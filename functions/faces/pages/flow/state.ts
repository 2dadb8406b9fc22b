import type { ConsentOption } from '../../../oauth/connect/public.ts';
import { derivedOpen, derivedSeal } from '../../../kernel/keys/derived-seal.ts';
import type { Authority } from '../../../tenancy/modules/trust/public.ts';
import type { Attempt } from '../../../sign-in/modules/sign-in/public.ts';
import type { Method } from '../../../proofs/modules/sign-in-checks/public.ts';
import type { HostedFlowRecord } from './entity.ts';

/** A new authenticator app in the encrypted state of a sign-in. */
export interface StoredOffer {
  issuer: string;
  /** The secret in hexadecimal. */
  secret: string;
  base32: string;
  uri: string;
  recoveryCodes?: readonly string[] | undefined;
}

/** The step with which the sign-in continues, and its token. */
export interface PendingStep {
  /** The error code that requests the step. */
  code: string;
  token: string;
  /** Data for the step's page: organizations, a challenge. */
  members: Record<string, unknown>;
}

/** The state of a user's sign-in through the pages. */
export interface FlowState {
  /** The email as typed on the first page. */
  email?: string | undefined;
  pending?: PendingStep | undefined;
  /** True if the captcha was passed for the first code to the address, so that another one may be sent. */
  byPerson?: boolean | undefined;
  /** True if the user chose on the page of the first factor to stay signed in, and on that of the second to be trusted. */
  stays?: boolean | undefined;
  trusts?: boolean | undefined;
  /** The phone number to which a code was sent, and its challenge. */
  // eslint-disable-next-line words/names -- the name in stored sign-ins
  telephone?: { challengeId: string; phoneNumber: string } | undefined;
  /** An account at a provider that returned no email. The user enters an address, which a code verifies. */
  account?: AccountStep | undefined;
  /** A sign-up whose next step is the code. */
  signUp?: SignUpStep | undefined;
  /** The signed-in user, if the service itself has a further step: the approval of a device, or consent. */
  ready?: ReadyStep | undefined;
  /** The authenticator app that is offered to the signed-in user. */
  factorOffer?: StoredOffer | undefined;
  /** The id under which the environment's own application signs the user in. */
  externalAuthId?: string | undefined;
  /** The questions of the environment's own application on the consent page. */
  consentOptions?: readonly ConsentOption[] | undefined;
  /** The decision about the device. */
  decided?: 'approved' | 'denied' | undefined;
  /** The final redirect of the browser, so that a form that is sent twice redirects to the same address. */
  location?: string | undefined;
}

/** An account that a provider authenticated without returning an email. */
export interface AccountStep {
  identity: NonNullable<Attempt['identity']>;
  /** Tokens for the application. */
  oauthTokens: Attempt['oauthTokens'];
  /** The time of the authentication at the provider, in milliseconds since the epoch. */
  authenticatedAt: number;
}

/** A new user whose next step is to verify the address. */
export interface SignUpStep {
  /** The id of the new account; absent if the address had one, which the page does not reveal. */
  userId?: string | undefined;
  /** The id by which wrong codes are counted if there is no code; incremented with each new code. */
  round: number;
}

/** The signed-in user, and the method. */
export interface ReadyStep {
  userId: string;
  organizationId?: string | undefined;
  method: Method;
  provider?: string | undefined;
  /** The proofs of the sign-in; absent in older rows. */
  proofs?: Authority | undefined;
  /** True if a second factor was used; absent in older rows. */
  mfa?: boolean | undefined;
  /** The user's `credentialEpoch` at that time: a password that was set since invalidates the state. */
  epoch: number;
  /** The time of the authentication, in milliseconds since the epoch; absent in older rows. */
  authenticatedAt?: number | undefined;
  /** The provider's tokens for its own API, which the code of the sign-in carries to the application. */
  oauthTokens?: Attempt['oauthTokens'];
}

const info = ({ environmentId, id }: { environmentId: string; id: string }): string =>
  `hosted-flow ${environmentId} ${id}`;

/** Encrypts the state with a key from the browser's cookie, so that only that browser can decrypt it. */
export const sealState = (own: { environmentId: string; id: string }, value: string, state: FlowState): Uint8Array =>
  derivedSeal([value], info(own), JSON.stringify(state));

/** Decrypts the state of a browser's own record. */
export function openState(record: HostedFlowRecord, value: string): FlowState {
  const opened = derivedOpen([value], info(record), record.sealed as Uint8Array);
  return JSON.parse(Buffer.from(opened).toString('utf8')) as FlowState;
}
